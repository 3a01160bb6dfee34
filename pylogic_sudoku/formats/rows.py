"""Grids of characters: lines and tables of lines, rows and pencil marks; jigsaws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain, islice
from math import isqrt

from ..errors import InvalidPuzzle, counted, shown
from ..puzzle import Grid, Puzzle, pencil_marks
from ..puzzle.cells import (
    MAX_SIZE,
    Box,
    Cell,
    OpenShape,
    cells_of,
    checked_box,
    checked_regions,
    sides,
    square_box,
)
from .text import (
    BOXES,
    Head,
    bad_symbol,
    check_lengths,
    expected,
    in_line,
    is_content,
    is_number,
    known_values,
    plain,
    stated_boxes,
    symbols,
    values_for,
)


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like; the others are tried last."""
    if _is_jigsaw(head.content):
        yield "jigsaw"
    if _is_table(head.lines[:3], head.box):
        yield "csv"
    if "[" in head.bare and any(re.fullmatch(SECTION, line) for line in head.lines):
        yield "sdk"


_LIBRARY = re.compile(r"\s*:[\w-]*:[^:]*:([^:]*):([^:]*).*")
"""HoDoKu: ``:technique:candidates:givens:deleted candidates:eliminations:placements:extra``."""
_LINK = re.compile(r"(?i)\s*https?://\S*?(?<![0-9.])([0-9.]{81})(?![0-9.])\S*\s*")
"""A link with 81 digits, such as those to SudokuWiki: ``...sudoku.htm?bd=53007...``."""


def unwrapped(line: str) -> str | None:
    """The cells of a line of HoDoKu's library or of a link; None for any other line.

    A digit that a player has placed has a + in front and is not part of the puzzle.
    """
    if line.lstrip()[:1] not in (":", "h", "H"):
        return None
    if library := _LIBRARY.match(line):
        return re.sub(r"\+\d", ".", library[1])
    link = _LINK.fullmatch(line)
    return link[1] if link else None


@cache
def _square(length: int) -> Box | None:
    """The box shape of a line of this length, if its boxes can be square."""
    side = isqrt(isqrt(length))
    known = 1 < side and side**4 == length and side * side <= MAX_SIZE
    return (side, side) if known else None


def fits(length: int, box: Box | None) -> bool:
    """True if a line of this length is a grid whose box shape is known."""
    if box is not None:
        return length == (box[0] * box[1]) ** 2
    return _square(length) is not None


def open_shape(line: str, box: Box | None) -> int:
    """The size of a line that is a grid, from 6x6 up, whose box shape is not known; else 0."""
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    size = isqrt(len(word))
    whole = size * size == len(word) and 6 <= size <= MAX_SIZE
    return size if whole and box is None and _square(len(word)) is None else 0


def line_cells(line: str, box: Box | None) -> str | None:
    """The part of a line that is a grid: all of it, all except its blanks, or its first word."""
    if fits(len(line), box) and line != " " and _blanks_are_cells(line):
        return line
    bare = line.strip(" '\"`,;")
    if fits(len(bare), box) and len(bare) > 15:
        return bare
    if "\t" in line or "," in line or ";" in line:
        fields = [field.strip() or " " for field in re.split("[\t,;]", line)]
        joined = "".join(fields)
        if fits(len(fields), box) and len(joined) == len(fields) and _blanks_are_cells(joined):
            return joined
    words = line.split()
    joined = "".join(words)
    # Groups of cells have the same length; otherwise blanks may be cells.
    if fits(len(joined), box) and len(set(map(len, words))) == 1:
        return joined
    if len(words) > 1 and len(words[0]) > 1 and fits(len(words[0]), box):
        return words[0]
    return _only_word(line, box)


def _blanks_are_cells(line: str) -> bool:
    """True if a line begins and ends with cells, blanks among them: see `_may_be_blank`."""
    if line[0] > " " < line[-1]:
        return True
    return _may_be_blank([[cell.strip() for cell in line]], isqrt(len(line)))


def _only_word(line: str, box: Box | None) -> str | None:
    """The only word of a line that is a grid, such as the one behind a number or a hash."""
    if len(line) <= MAX_SIZE and box is None and len(line) < 17:
        return None
    grids = [word for word in line.split() if len(word) > 15 and fits(len(word), box)]
    grids = grids if len(line.split()) > 1 else []
    return grids[0] if len(grids) == 1 and _is_puzzle(grids[0], box) else None


def plain_line(text: str, box: Box | None) -> Grid | None:
    """The grid if the text is a plain line; None otherwise."""
    shape = _square(len(text)) if box is None else box
    if shape is None or text == " " or not (fits(len(text), shape) and _blanks_are_cells(text)):
        return None
    size = shape[0] * shape[1]
    try:
        values = known_values(size) if size <= 9 else values_for(text, size)
        numbers = tuple(map(values.__getitem__, text))
    except KeyError:
        return None
    return Grid(numbers, shape)


def read_line(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle of a text of one line; see `_and_more` for what may be next to the grid."""
    line = plain(text.strip("\r\n"))
    if (wrapped := unwrapped(line)) is not None:
        grid = _read_cells(wrapped, box, "rows")
        library = _LIBRARY.match(line)
        deleted = library[2].strip() if library else ""
        return Puzzle(grid, unread=[f"deleted candidates {deleted}"]) if deleted else grid
    words = line.split()
    if len(words) > 1 and len(words[0]) == len(words[1]) and _are_connected(words[1]):
        n = isqrt(len(words[1]))
        return Puzzle(_read_cells(words[0], (1, n), "rows"), words[1], title=" ".join(words[2:]))
    return _and_more(line, _read_cells(line, box, "rows"), line_cells(line, box) or "")


_NUMBER = r"^\s*\d{1,7}[.):]?\s*$"
"""The number of a line in a list, which is no title."""


def _and_more(line: str, grid: Grid, cells: str) -> Grid | Puzzle:
    """The grid with the rest of its line as the title.

    The rest may begin with a solution of the grid; InvalidPuzzle for as many characters that are
    neither that nor labels of regions.
    """
    if cells not in line.split():
        return grid
    before, _, after = line.partition(cells)
    first, *others = after.split() or [""]
    if len(first) == len(cells):
        solution = plain_line(first, grid.box)
        if solution is None or not solution.is_solution_of(grid):
            raise InvalidPuzzle(
                f"behind the grid are {len(first)} characters that are neither a solution of it"
                " nor the labels of connected regions, such as AAABBBCCC...: remove or correct"
                " them"
            )
        after = " ".join(others)
    before = re.sub(_NUMBER, "", before)
    title = " ".join(filter(None, (each.strip(" \t'\"`,;#") for each in (before, after))))
    return Puzzle(grid, title=title) if title else grid


def _read_cells(line: str, box: Box | None, kind: str) -> Grid:
    """The grid of a line; whatever else is there is left out."""
    cells = line_cells(line, box)
    if cells is None:
        length = len("".join(line.split())) or len(line)
        size = open_shape(line, box) or isqrt(length) * (box is None)
        if 2 < size <= MAX_SIZE and (size * size == length or open_shape(line, box)):
            square_box(size)
        n = box[0] * box[1] if box else 9
        others = "" if box else " (16 for 4x4, 256 for 16x16, or n * n with the box shape given)"
        raise InvalidPuzzle(
            f"the line has {counted(length, 'character')}; expected {n * n} for {n}x{n}{others}"
        )
    size = isqrt(len(cells))
    if kind == "hex":
        values = known_values(size, True, True)
        if not set(cells) - values.keys():
            return Grid(tuple(map(values.__getitem__, cells)), box or square_box(size))
    elif grid := plain_line(cells, box):
        return grid
    else:
        values = values_for(cells, size)
    position = next(i for i, character in enumerate(cells) if character not in values)
    raise InvalidPuzzle(
        f"{bad_symbol(cells[position], size)} at position {position + 1}"
        f" ({cells_of(size)[position]}); expected {expected(size)}"
    )


def split_lines(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every line except comments and blank ones; a line of blanks may be an empty puzzle."""
    for number, line in enumerate(lines, 1):
        if is_content(line) or (line.isspace() and fits(len(line), box)):
            yield number, line


def cells_in_line(grid: Grid) -> str:
    """The cells of the grid on one line."""
    return "".join(map(("." + symbols(grid.size)).__getitem__, grid.digits))


def with_boxes(grid: Grid, text: str) -> str:
    """The text of a grid, below a comment with its box shape if it would be read with another."""
    rows, columns = grid.box
    other = rows != columns and isqrt(grid.size) ** 2 == grid.size
    return f"#C{rows}x{columns} boxes\n{text}" if other else text


def write_line(grid: Grid) -> str:
    """The grid on one line."""
    return with_boxes(grid, cells_in_line(grid))


# --- a column of a comma-separated table, as in collections for machine learning ---

_NAMES = ("quizzes", "quiz", "puzzles", "puzzle", "sudoku", "board")
"""Headings of the column of puzzles."""


def _table_of(line: str, box: Box | None) -> tuple[str, int | None, bool]:
    """The form of a table by its first row: the separator, the column of puzzles if there is one,
    and whether the row is a heading.
    """
    separator = next((each for each in ",;\t" if each in line), ",")
    fields = [field.strip(' "').lower() for field in line.split(separator)]
    named = [fields.index(name) for name in _NAMES if name in fields]
    holding = (at for at, field in enumerate(fields) if _is_puzzle(field, box))
    return separator, next(chain(named, holding), None), bool(named)


def _is_table(lines: list[str], box: Box | None) -> bool:
    """True if the first line is the heading of such a table, or a row that has a puzzle."""
    if not lines:
        return False
    separator, column, headed = _table_of(lines[0], box)
    if separator in lines[0]:
        return column is not None and not re.search(r"[(\[]|:-", lines[0])
    # Rows may have such a title, too.
    return headed and (len(lines) < 3 or _is_puzzle(lines[1].strip(), box))


def _is_puzzle(field: str, box: Box | None) -> bool:
    size = len(field) > 9 and (fits(len(field), box) or open_shape(field, box))
    return bool(size) and set(field) <= set(values_for(field, isqrt(len(field))))


def read_csv(text: str, box: Box | None) -> Grid | Puzzle:
    """The first puzzle of the table; its box shape is `box`, else that of a comment above it."""
    lines = text.splitlines()
    _, line = next(split_csv(lines, box))
    return read_line(line, box or stated_boxes(lines)[0])


def split_csv(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzle of each row: in the column of that name, else in the first with a puzzle.

    Without headings, the puzzle is followed by the other fields of its row, as in `read_line`.
    """
    import csv

    numbered: Iterator[tuple[int, str]] = enumerate(lines, 1)
    start, first = next(((at, line) for at, line in numbered if is_content(line)), (1, ""))
    separator, column, headed = _table_of(first, box)
    if column is None:  # a heading with other names, above rows with puzzles
        second = next((line for _, line in numbered if is_content(line)), "")
        column, headed = _table_of(second, box)[1], bool(second)
        numbered = chain([(start + 1, second)] if second else [], numbered)
    reader = csv.reader(chain([first], (line for _, line in numbered)), delimiter=separator)
    heading = next(reader, []) if headed else []
    found = False
    try:
        for row in reader:
            if row not in ([], heading):  # which joined tables have again
                found = True
                puzzle = row[column or 0] if len(row) > (column or 0) else ""
                if puzzle and not headed:  # nothing names the fields behind it
                    puzzle = " ".join(row[column or 0 :])
                yield start - 1 + reader.line_num, puzzle or separator.join(row) or '""'
    except csv.Error as error:
        with in_line(start - 1 + reader.line_num):
            raise InvalidPuzzle(str(error)) from None
    if not found:
        raise InvalidPuzzle("the table has no rows; expected a puzzle in each")


def write_csv(grid: Grid) -> str:
    """A table with one column and one row."""
    return with_boxes(grid, f"puzzle\n{cells_in_line(grid)}")


# --- rows, one a line, with or without the boxes drawn ---

# Every way to draw a line between boxes becomes | - or +.
_DRAWN = dict.fromkeys(range(0x2500, 0x2580), "+")
_DRAWN |= dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|")
_DRAWN |= dict.fromkeys(map(ord, "─━═┄┅┈┉╌╍="), "-")
# Rows of a table are read like those of a spreadsheet.
_DRAWN |= dict.fromkeys(map(ord, ",;"), "\t")
_DRAWN[ord("·")] = "."

_FRAME = r"\*-+\*|[*.:'`+|](?:-{2,}[*.:'`+|])+"
"""A rule with corners, such as ``*---*`` of Simple Sudoku and ``.---.---.`` of forum posts."""
_MARKDOWN = r"\s*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*"
"""The rule below the heading of a table in Markdown."""
SECTION = r"\s*\[([A-Za-z]+)\]\s*"
"""A line such as ``[Puzzle]``, which opens a part of an .sdk file."""
_TITLE = (
    r"(?i)\s*(?:(?:grid|puzzle|sudoku|game)\s+#?\d{1,7}\s*:?"
    # The heading of a grid in the output of py-sudoku.
    r"|\d{1,2}x\d{1,2} \(\d{1,2}x\d{1,2}\) sudoku puzzle|difficulty: .*)\s*"
)
"""A line above a grid."""


def _drawn(text: str) -> str:
    """The text with rules of ``|``, ``-`` and ``+``, tabs for other separators, and no quotes."""
    return plain(text).translate(_DRAWN).replace('"', "")


def is_rule(line: str) -> bool:
    """True if the line may be drawn between rows; a row of ``-`` for empty cells looks the same."""
    bare = "".join(line.split())
    return (bare != "" and not bare.strip("-+|")) or re.fullmatch(_FRAME, bare) is not None


def read_rows(text: str, box: Box | None, kind: str = "rows") -> Grid | Puzzle:
    """The puzzle whose rows are the lines of the text, except comments, titles and rules.

    The box shape is `box`, else that of an .sdk comment, else as drawn, else square. If the kind is
    "pencil", several characters in a cell are pencil marks; if "hex", digits begin with 0.
    """
    lines = _lines(_drawn(text))
    drawn = _box_of_picture(text)
    if box is None:
        shape = re.search(BOXES, text)
        box = checked_box(map(int, shape.groups())) if shape else drawn
    tabs = any("\t" in line and line.strip() for line in lines)
    written = [line for line in lines if line.strip() or (tabs and "\t" in line)]
    if tabs:
        written = _without_headings(written)
    if len(written) == 1 and "|" not in written[0]:
        if kind == "hex":
            return _read_cells(written[0], box, kind)
        typed = (line for line in text.splitlines() if "".join(_lines(_drawn(line))).strip())
        return read_line(next(typed, written[0]), box)
    complaint: InvalidPuzzle | None = None
    for ruled in _readings(lines, written):
        try:
            return _read_ruled(*ruled, box, kind)
        except InvalidPuzzle as error:
            if complaint is None and isinstance(error, OpenShape):
                raise
            complaint = complaint or error
    assert complaint is not None
    raise complaint


_CORNERS = "╀╁╃╄╅╆╇╈╉╊"
"""The places at which borders of regions turn that are not boxes."""


def _box_of_picture(text: str) -> Box | None:
    """The boxes that bold lines show in a drawing with a line around each cell; else None.

    InvalidPuzzle for regions, and for marks in cells that are several lines high.
    """
    rows = [line.strip() for line in text.splitlines() if line.lstrip()[:1] in ("┃", "║")]
    cells = len(re.findall("[┃║│]", rows[0])) - 1 if rows and "│" in rows[0] else 0
    tall = cells and len(rows) > cells and len(rows) % cells == 0
    if tall or not {*_CORNERS}.isdisjoint(text):
        raise InvalidPuzzle(
            "this is a picture of a puzzle with regions or marks, which are not read from it: take"
            " the puzzle as JSON (-f json)"
        )
    across = len(re.findall("[┃║]", rows[0])) - 1 if cells == len(rows) > 0 else 0
    return (across, cells // across) if across and cells % across == 0 else None


def _without_headings(lines: list[str]) -> list[str]:
    """The lines of a sheet without a heading of columns, numbers of rows, and empty rows below.

    Numbers such as 5.0, which some programs write, become whole.
    """
    rows = [[_whole(field.strip()) for field in line.split("\t")] for line in lines]
    while len(rows) > len(rows[0]) and not any(rows[-1]):
        rows.pop()
    n = len(rows) - 1
    if n > 3 and _are_headings(rows[0][-n:]):
        widths = {len(row) for row in rows[1:]}
        numbered = widths == {n + 1} and _are_headings([row[0] for row in rows[1:]])
        if widths == {n} or numbered:
            return ["\t".join(row[-n:]) for row in rows[1:]]
    return ["\t".join(row) for row in rows]


def _whole(field: str) -> str:
    if field.lower() == "nan":
        return ""
    return field.removesuffix(".0") if re.fullmatch(r"\d+\.0", field, re.ASCII) else field


def _are_headings(fields: list[str]) -> bool:
    """True for numbers or letters in their order, as programs call columns and rows."""
    n = len(fields)
    numbers = [re.sub(r"^[A-Za-z_]+(?=\d)", "", field) for field in fields]
    orders = (range(n), range(1, n + 1))
    return (
        any(numbers == list(map(str, order)) for order in orders)
        or "".join(fields).upper() == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:n]
    )


def read_hex(text: str, box: Box | None) -> Grid:
    """A line or rows whose digits begin with 0: 0 to F, or 0 to 15, for 16x16."""
    return read_rows(text, box, "hex").grid


def with_marks(digits: list[int], marks: dict[Cell, frozenset[int]], box: Box) -> Grid | Puzzle:
    """The grid, with the marks that exclude more than the givens do."""
    grid = Grid(tuple(digits), box)
    free = pencil_marks(grid) if marks else ()
    more = {
        cell: allowed
        for cell, allowed in marks.items()
        if not free[cell.row - 1][cell.column - 1] <= allowed
    }
    return Puzzle(grid, marks=more) if more else grid


def rise(words: list[str]) -> bool:
    """True if the characters of each word are different, and in their order."""
    return all("".join(sorted({*word})) == word and word.isalnum() for word in words)


def _lines(text: str) -> list[str]:
    """The lines with rows and rules, and blank ones; of several sections, the first."""
    lines: list[str] = []
    for line in text.splitlines():
        if re.fullmatch(SECTION, line):
            if any(before.strip() for before in lines):
                break
        elif line.lstrip()[:1] not in ("#", "%", "\\") and not re.fullmatch(_TITLE, line):
            # LaTeX's package sudoku ends each row, which is in bars, with a full stop.
            lines.append(re.sub(r"^(\s*\|.*\|)\.\s*$", r"\1", line))
    return lines


def _readings(lines: list[str], written: list[str]) -> Iterator[tuple[list[str], list[bool]]]:
    """Every interpretation of the lines, and which are rules; the first that makes a grid counts.

    "---" is a rule or a row of empty cells; a line of blanks may be a row of them.
    """
    yield written, [is_rule(line) for line in written]
    yield written, [not line.strip("-+| ") and "+" in line for line in written]
    yield written, [is_rule(line) and ("+" in line or "--" in line) for line in written]
    if [at for at, line in enumerate(written) if re.fullmatch(_MARKDOWN, line)] == [1]:
        yield written[2:], [False] * (len(written) - 2)
    blank = [line for line in lines if line]
    if len(blank) > len(written):
        yield blank, [bool(line.strip()) and is_rule(line) for line in blank]


def _read_ruled(lines: list[str], ruled: list[bool], box: Box | None, kind: str) -> Grid | Puzzle:
    rows = [line for line, rule in zip(lines, ruled, strict=True) if not rule]
    size = len(rows)
    if size > MAX_SIZE:
        check_lengths([size] * size)  # refuse it at once: to cut many rows into words takes long
    framed = all(_ends(row) == ("", "") for row in rows)
    split_rows: list[list[str]] = _table(rows, size) or [
        _row_words(row, size, framed) for row in rows
    ]
    if not _may_be_blank(split_rows, size):
        split_rows = list(map(_without_ends, split_rows))
    check_lengths([len(row) for row in split_rows])
    words = [word or "." for row in split_rows for word in row]
    digits, marks = digits_and_marks(words, size, kind)
    shape = box or _drawn_box(lines, ruled, size) or square_box(size)
    if shape[0] * shape[1] != size:
        return Grid.from_rows([digits[at : at + size] for at in range(0, size * size, size)], shape)
    return with_marks(digits, marks, shape)


_OPEN = r"\+[^\W_]+"
"""The marks of a cell that is not given."""


def digits_and_marks(
    words: list[str], size: int, kind: str
) -> tuple[list[int], dict[Cell, frozenset[int]]]:
    """The digits of the words of a square, 0 for an empty cell, and the pencil marks of cells.

    Marks may have a + in front, as HoDoKu's digits that are not given.

    Pencil marks that are not named as such must be too many for a typing error, and in grids over
    9x9 some must have letters, because numbers look like marks there.
    """
    open_cells = {at for at, word in enumerate(words) if re.fullmatch(_OPEN, word)}
    words = [word.removeprefix("+") if at in open_cells else word for at, word in enumerate(words)]
    pencil = kind == "pencil" or bool(open_cells)
    values = known_values(size, True, True) if kind == "hex" else values_for(words, size)
    cells = [values.get(word) for word in words]
    wide = [at for at, word in enumerate(words) if len(word) > 1]
    marks = {at for at in wide if len({*words[at]}) == len(words[at])}
    marks = {at for at in marks if all(map(values.get, words[at]))}
    many = len(wide) == len(marks) >= size and len(wide) > cells.count(0)
    letters = size <= 9 or not all(words[at].isdecimal() for at in wide)
    marked: dict[Cell, frozenset[int]] = {}
    if pencil or (None in cells and many and letters):
        for at in {*wide, *open_cells}:
            known = at in marks or (at in open_cells and cells[at])
            cells[at] = 0 if known else None
            if known:
                marked[cells_of(size)[at]] = frozenset(map(values.__getitem__, words[at]))
    for at, word in enumerate(words):
        if cells[at] is None:
            hint = " (pencil marks? give format 'pencil')" if at in marks else ""
            wrong = f"unknown marks {shown(word)}" if pencil else bad_symbol(word, size)
            raise InvalidPuzzle(
                f"{wrong} at {cells_of(size)[at]}; expected {expected(size, numbers=True)}{hint}"
            )
    return [digit or 0 for digit in cells], marked


def _may_be_blank(rows: list[list[str]], size: int) -> bool:
    """True unless a character marks the empty cells of these rows, and blanks do not.

    A blank at the end of a row is then no cell: the row may have lost one.
    """
    words = {*chain.from_iterable(rows)}
    marked = not words.isdisjoint("._*-" + "0xX" * (size <= 9))
    return not marked or any("" in _without_ends(row) for row in rows)


def _without_ends(row: list[str]) -> list[str]:
    """The words of a row without blank ones at its ends."""
    filled = [at for at, word in enumerate(row) if word]
    return row[filled[0] : filled[-1] + 1] if filled else row


def _table(rows: list[str], size: int) -> list[list[str]] | None:
    """The cells of rows from a spreadsheet, separated by tabs; None if they are not such rows.

    Editors take away tabs at the ends of lines.
    """
    if not any("\t" in row for row in rows) or any("|" in row for row in rows):
        return None
    table = [[field.strip() for field in row.rstrip().split("\t")] for row in rows]
    fields = [field for row in table for field in row]
    if max(map(len, table)) > size or not all(len(each) < 2 or is_number(each) for each in fields):
        return None
    if size <= 9 and max(map(len, fields)) > 1:
        return None
    return [row + [""] * (size - len(row)) for row in table]


def _row_words(row: str, size: int, framed: bool = True) -> list[str]:
    """The n cells of one row: words, characters, between bars, or at equal distances.

    If none of these gives n cells: the words, or the characters of a single word. A blank cell is
    an empty text.
    """
    words = row.replace("|", " ").split()
    if len(words) == size:
        return words
    characters = list("".join(words))
    # In grids over 9x9, words may be numbers and blanks may be empty cells.
    apart = size > 9 and len(words) > 1 and min(map(len, words)) < 3
    if len(characters) == size and not apart:
        return characters
    parts = _between_bars(row, size, framed)
    if len(parts) == size:
        return [part.strip() for part in parts]
    unbarred = row.strip("\r\n").replace("|", "")
    if len(unbarred) == size and not apart:
        return [cell.strip() for cell in unbarred]
    return _at_equal_distances(parts, size) or (words if len(words) > 1 else characters)


def _ends(row: str) -> tuple[str, str]:
    """The first and the last part of a row with bars; anything for another row."""
    parts = row.split("|")
    return parts[0].strip(), parts[-1].strip()


def _between_bars(row: str, size: int, framed: bool = True) -> list[str]:
    """The text between the bars of a row, without the blanks outside a frame.

    Without a frame, a blank part at either end of a row may be a cell.
    """
    parts = row.strip("\r\n").split("|")
    if not framed and len(parts) == size:
        return parts
    if len(parts) > 2 and not parts[-1].strip():
        if not parts[0].strip():
            return parts[1:-1]
        if len(parts) == size + 1:
            return parts[:-1]
    return parts


def _at_equal_distances(parts: list[str], size: int) -> list[str] | None:
    """The cells of parts of equal width, in which an empty cell is as wide as a digit."""
    count, rest = divmod(size, len(parts))
    if rest or len(set(map(len, parts))) > 1:
        return None
    # A blank follows each cell, except the last one if none precedes the first.
    framed = [part[1:] for part in parts if part[:1] == " "]
    for bodies in (framed, [f"{part} " for part in parts]):
        width, rest = divmod(len(bodies[0]), count) if len(bodies) == len(parts) else (0, 0)
        cells = [body[at * width :][:width] for body in bodies for at in range(count)]
        if width > 1 and not rest and all(c[-1] == " " and len(c.split()) < 2 for c in cells):
            return [cell.strip() for cell in cells]
    return None


def _drawn_box(lines: list[str], ruled: list[bool], size: int) -> Box | None:
    """The box shape that the rules between the cells show; None if they show none."""
    rules = [at for at, rule in enumerate(ruled) if rule]
    first_row = ruled.index(False)
    height = next((at - first_row for at in rules if at > first_row), size)
    parts = _between_bars(lines[first_row], size)
    if len(parts) == 1 and _are_apart(lines, ruled):
        return 1, size
    width, rest = divmod(size, len(parts))
    if 1 < width < size and not rest and all(_fit(part.split(), width) for part in parts):
        return size // width, width
    if 1 < height < size and size % height == 0:
        return height, size // height
    return None


def _are_apart(lines: list[str], ruled: list[bool]) -> bool:
    """True if a rule between every two rows says that there are no boxes.

    It is not the one around the rows, as in a table that draws a line at every place.
    """
    rows = [at for at, rule in enumerate(ruled) if not rule]
    between = {lines[at] for at in range(rows[0], rows[-1]) if ruled[at]}
    around = {*lines[: rows[0]], *lines[rows[-1] + 1 :]}
    return rows == [*range(rows[0], rows[-1] + 1, 2)] and len(rows) > 1 and not between & around


def _fit(words: list[str], width: int) -> bool:
    """True if these are `width` cells, or fewer next to empty ones; one word may be several."""
    return len(words) <= width and (len(words) != 1 or len(words[0]) <= max(width, 2))


def write_rows(grid: Grid) -> str:
    """The rows alone: digits run together up to 9, apart for larger grids."""
    return with_boxes(grid, _bare_rows(grid))


def _bare_rows(grid: Grid) -> str:
    n, words = grid.size, _words(grid)
    between = " " if n > 9 else ""
    return "\n".join(between.join(words[at : at + n]) for at in range(0, n * n, n))


def write_pretty(grid: Grid) -> str:
    """The rows with lines between the boxes."""
    return "\n".join(ruled(_words(grid), grid.box))


def _words(grid: Grid) -> list[str]:
    """The digits as numbers of the same width."""
    return [str(digit or ".").rjust(len(str(grid.size))) for digit in grid.digits]


def ruled(cells: Sequence[str], box: Box, between: str = " ") -> list[str]:
    """Lines of cells in columns of the same width, with rules between the boxes."""
    n = box[0] * box[1]
    height, across = box if min(box) > 1 else (1, n)  # without boxes, either of two shapes
    lines: list[str] = []
    for start in range(0, n * n, n):
        parts = [between.join(cells[at : at + across]) for at in range(start, start + n, across)]
        if start and start % (n * height) == 0:
            lines.append("-+-".join("-" * len(part) for part in parts))
        lines.append(" | ".join(parts))
    return lines


def write_sdk(grid: Grid) -> str:
    """The rows under SudoCue's comment line, which holds the box shape if it is not square."""
    box_rows, box_columns = grid.box
    shape = (
        f"#C{box_rows}x{box_columns} boxes\n" if box_rows != box_columns or grid.size == 1 else ""
    )
    return shape + _bare_rows(grid)


def write_ss(grid: Grid) -> str:
    """The rows in a frame, as Simple Sudoku has them."""
    lines = ruled(_words(grid), grid.box, " " if grid.size > 9 else "")
    lines = [f"|{line.replace(' | ', '|').replace('-+-', '+')}|" for line in lines]
    frame = f"*{'-' * (len(lines[0]) - 2)}*"
    return "\n".join([frame, *lines, frame])


def write_hex(grid: Grid) -> str:
    """The grid on one line whose digits begin with 0: 0 to F for 16x16."""
    cells = "".join(map((".0" + symbols(grid.size, True)).__getitem__, grid.digits))
    return with_boxes(grid, cells)


# --- many puzzles in one text, as lines or as blocks of rows, separated while they are read ---

_LARGEST_GRID = 5 * MAX_SIZE
"""Lines of a grid with blank lines and comments between its rows."""
_MAY_BE = re.compile(r"\s*[A-Za-z.]*[:~]|\S*[<>^]|fpuz|N4Ig")
"""A line that other readers take: a link, a killer."""
CUBES = (9, 16, 25)
"""Sizes of grids whose candidates may all be in one line, each in its place."""
_LONGEST = 2 * MAX_SIZE + 1
"""Lines of a grid with a rule around each row: a longer block is a collection of lines."""


def split_blocks(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each puzzle of lines and rows, separated by blank lines, comments and titles.

    Within a block, at most the rows of one grid are kept. If the first block is not a puzzle, but
    all of them together are, blank lines or comments separate the rows of a single grid.
    """
    source = iter(lines)
    buffer: list[str] = []
    first = next(_blocks(_recorded(source, buffer), box), None)
    if first is not None and not _reads(first[1], box):
        buffer += islice(source, _LARGEST_GRID)
        if len(buffer) < _LARGEST_GRID and _reads(text := "\n".join(buffer), box):
            yield first[0], text
            return
    yield from _blocks(chain(buffer, source), box)


def _recorded(lines: Iterator[str], record: list[str]) -> Iterator[str]:
    for line in lines:
        record.append(line)
        yield line


def _reads(text: str, box: Box | None) -> bool:
    """True if the text is one grid, or one that only lacks its box shape."""
    try:
        read_rows(text, box)
    except OpenShape as error:
        return error.size > 5 or "\n" in text  # a short line is rather one row of several
    except InvalidPuzzle:
        return "\n" not in text and _MAY_BE.match(text) is not None
    return True


def begin(head: Head) -> bool:
    """True if the text begins with a grid as a line or rows."""
    try:
        first = next(split_blocks(head.text.split("\n"), head.box), None)
    except InvalidPuzzle:
        return False
    return first is not None and _reads(first[1], head.box)


def _blocks(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzles between blank lines, comments and titles."""
    block: list[str] = []
    skipped: list[str] = []
    in_lines = found = other_section = False
    number = start = 0
    for number, line in enumerate(lines, 1):
        if not in_lines and _is_blank_row(line) and (not block or "\t" in block[-1]):
            block.append(line)
        elif _separates(line, box):
            yield from _pieces(block, number, box)
            found = found or bool(block)
            block, in_lines = [], False
            if section := re.fullmatch(SECTION, line):
                other_section = section[1].lower() != "puzzle"
                start = start or number + other_section
        elif other_section:
            if len(skipped) <= _LONGEST:
                skipped.append(line)
        elif in_lines:
            yield number, line
        else:
            block.append(line)
            if is_long_line(line, box) or len(block) > _LONGEST:
                yield from _each(block, number + 1)
                block, in_lines, found = [], True, True
    yield from _pieces(block, number + 1, box)
    if skipped and not (found or block):
        yield start, "\n".join(skipped)
    elif not (found or block):
        raise InvalidPuzzle("the text has only comments; expected a puzzle")


def _is_blank_row(line: str) -> bool:
    """True for tabs alone, which may be a row of empty cells of a spreadsheet."""
    return "\t" in line and line.isspace()


def _each(block: list[str], end: int) -> Iterator[tuple[int, str]]:
    numbered = enumerate(block, end - len(block))
    return ((number, line) for number, line in numbered if not _is_blank_row(line))


def _separates(line: str, box: Box | None) -> bool:
    if len(line) > MAX_SIZE and "%" < line[0] < "\x80" and line[-1] > " ":
        return False  # the same as below, but faster, for most lines of collections
    bare = line.strip()
    if not bare:
        # A line of blanks that is long enough is an empty puzzle, not a separator.
        return not (len(line) > MAX_SIZE and fits(len(line), box))
    if len(bare) > MAX_SIZE and bare[0] not in "#%":
        return False
    return bare[0] in "#%" or re.fullmatch(f"{_TITLE}|{SECTION}", line) is not None


def _pieces(block: list[str], end: int, box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzles of a whole block: its lines, if any of them is a puzzle, or all as one."""
    # A single rule, such as those around the title that py-sudoku prints, is not a puzzle.
    underline = len(block) == 1 and len(block[0]) > 9 and not block[0].strip("-")
    if underline or all(line.isspace() for line in block):
        return
    rows = sum(not is_rule(line) for line in block)
    if n := _marked_size(block, box):
        for at in range(0, len(block), n):
            yield end - len(block) + at, "\n".join(block[at : at + n])
    elif any(_is_line(line, rows or len(block), box) for line in block):
        yield from _each(block, end)
    elif block:
        yield end - len(block), "\n".join(block)


def _marked_size(block: list[str], box: Box | None) -> int:
    """The lines of each grid of pencil marks in the block; 0 if it is not made of such grids.

    A row has as many words as a grid has rows, and some words have several rising digits.
    """
    rows = [line.replace("|", " ").split() for line in block if not is_rule(line)]
    words = [word.removeprefix("+") for row in rows for word in row if len(word) > 1]
    n, *others = {*map(len, rows)} or {0}
    if others or n < 4 or len(rows) % n or not (words and rise(words)):
        return 0
    if box is not None and box[0] * box[1] != n:
        return 0
    if len(rows) == n:
        return len(block)
    return n if len(rows) == len(block) else 0


def is_long_line(line: str, box: Box | None) -> bool:
    """True for a link, and for a line too long for a row that has the length of a puzzle."""
    if re.match(r"\s*https?:", line) or unwrapped(line) is not None:
        return True
    if (only := _only_word(line, box)) is not None:
        line = only
    word = line.split(maxsplit=1)[0] if " " in line or "\t" in line else line
    size = len(word)
    if size <= MAX_SIZE or "|" in word:
        return False
    cubes = [n**3 for n in ([box[0] * box[1]] if box else CUBES)]
    if not (fits(size, box) or open_shape(word, box) or size in cubes):
        return False
    return not _is_frame(word)


def _is_frame(line: str) -> bool:
    """True for a rule with corners, such as ``*-----*``, which may be as long as a puzzle."""
    bare = line.strip()
    return bare[:1] not in ("", "-") and is_rule(bare)


def _is_line(line: str, rows: int, box: Box | None) -> bool:
    """True if the line alone is a puzzle, not a rule or one of `rows` rows of a grid."""
    words = line.split()
    apart = len(words) == rows > 1 and max(map(len, words)) < 3
    if "|" in line or (apart and box is None) or _is_frame(line):
        return False
    cells = line_cells(line, box)
    if cells is None:
        size = open_shape(line, box)
        return size > 0 and size * size != rows and set(words[0]) <= set(values_for("", size))
    if len(cells) > MAX_SIZE:
        return True
    a_row = len(cells) == rows and box is None
    return not a_row and len(cells) > 1 and not is_rule(line) and words[0] == cells


# --- jigsaws: a line of givens with a line of labels, or the labels alone ---


def _is_jigsaw(word: str) -> bool:
    """True for givens with labels of connected regions, and for labels that are letters.

    Labels that are digits could be the digits of a grid, so that they have to be named.
    """
    if len(word.split()) != 1:
        return False
    if isqrt(len(word)) ** 2 != len(word):
        return _are_connected(word[len(word) // 2 :]) and len(word) % 2 == 0
    if not (word.isalpha() and line_cells(word, None) and _are_connected(word)):
        return False
    try:
        return not set(word) <= set(values_for(word, isqrt(len(word))))
    except InvalidPuzzle:  # x is a digit, or an empty cell
        return False


def _are_connected(labels: str) -> bool:
    """True for the labels of n regions, each of n connected cells."""
    n = isqrt(len(labels))
    if not 4 <= n <= MAX_SIZE or n * n != len(labels):
        return False
    try:
        regions = checked_regions(labels, n)
    except InvalidPuzzle:
        return False
    for first, *others in regions:
        todo, unreached = [first], set(others)
        while todo:
            near = unreached.intersection(sides(todo.pop(), n))
            unreached -= near
            todo += near
        if unreached:
            return False
    return True


def read_jigsaw(text: str, box: Box | None) -> Grid | Puzzle:
    """n * n givens and as many labels of regions, or the labels alone."""
    word = "".join(text.split())
    n = isqrt(len(word))
    if n * n != len(word):
        n = isqrt(len(word) // 2)
    givens, labels = word[: -n * n], word[-n * n :]
    if len(givens) not in (0, n * n):
        raise InvalidPuzzle(
            f"this jigsaw has {counted(len(word), 'character')}; expected 162 for 9x9, a given"
            " and a label for each cell, or 81 labels"
        )
    regions = checked_regions(labels, n)
    puzzle = Puzzle(_read_cells(givens or "." * n * n, (1, n), "rows"), regions)
    return puzzle.grid if puzzle.is_plain else puzzle
