"""Puzzles of n * n characters: lines, in a link or a library, in a table; killers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import chain
from math import isqrt
from typing import Any

from ..errors import InvalidPuzzle, counted
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import (
    MAX_SIZE,
    Box,
    Cell,
    cells_of,
    square_box,
)
from ..puzzle.cells import (
    diagonals as long_diagonals,
)
from .text import (
    Head,
    bad_symbol,
    expected,
    is_content,
    known_values,
    plain,
    stated_boxes,
    symbols,
    values_for,
)

_LIBRARY = r"\s*:[\w-]*:[^:]*:([^:]*):.*"
"""HoDoKu: ``:technique:candidates:givens:deleted candidates:eliminations:placements:extra``."""
_PLACED = r"\+\d"
_LINK = r"(?i)\s*https?://(\S+)\s*"
_WIKI = r"(?i)(?:www\.)?sudokuwiki\.org/sudoku(?:\.htm)?\?(?:\S*&)?bd=([^&#\s]*)"


@cache
def _square(length: int) -> Box | None:
    """The box shape of a line of this length, if its boxes can be square."""
    side = isqrt(isqrt(length))
    known = 0 < side and side**4 == length and side * side <= MAX_SIZE
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


def is_wrapped(line: str) -> bool:
    """True for a line of HoDoKu's library, and for a link."""
    return line.lstrip()[:1] in (":", "h", "H") and bool(
        re.match(_LIBRARY, line) or re.match(_LINK, line)
    )


def _unwrap(line: str) -> str:
    """The cells of a line of HoDoKu's library or of a link; any other line as it is.

    A digit that a player has placed has a + in front and is not part of the puzzle.
    """
    if library := re.match(_LIBRARY, line):
        cells = re.sub(_PLACED, ".", library[1])
        if len(cells) != 81:
            raise InvalidPuzzle(
                f"the third field, between colons, has {counted(len(cells), 'cell')}; expected 81,"
                " as in a line of HoDoKu's library"
            )
        return cells
    if not (link := re.match(_LINK, line)):
        return line
    if not (found := re.match(_WIKI, link[1])):
        raise InvalidPuzzle(
            "this link is not read; expected one that holds the puzzle, such as"
            " https://www.sudokuwiki.org/sudoku.htm?bd= and 81 digits, or"
            " https://www.f-puzzles.com/?load= and its data, or the puzzle itself"
        )
    if len(found[1]) != 81:
        raise InvalidPuzzle(
            f"bd={found[1][:20]}... has {counted(len(found[1]), 'character')}; expected 81, one"
            " for each cell (packed links, which hold candidates, are not read)"
        )
    return found[1]


def line_cells(line: str, box: Box | None) -> str | None:
    """The part of a line that is a grid: all of it, all except its blanks, or its first word."""
    if fits(len(line), box) and line != " ":
        return line
    if "\t" in line or "," in line:
        fields = [field.strip() or "." for field in re.split("[\t,]", line)]
        if fits(len(fields), box) and max(map(len, fields)) == 1:
            return "".join(fields)
    words = line.split()
    joined = "".join(words)
    # Groups of cells have the same length; otherwise blanks may be cells.
    if fits(len(joined), box) and len(set(map(len, words))) == 1:
        return joined
    return words[0] if len(words) > 1 and len(words[0]) > 1 and fits(len(words[0]), box) else None


def plain_line(text: str, box: Box | None) -> Grid | None:
    """The grid if the text is a plain line; None otherwise."""
    shape = _square(len(text)) if box is None else box
    if shape is None or text == " ":
        return None
    size = shape[0] * shape[1]
    try:
        values = known_values(size) if size <= 9 else values_for(text, size)
        numbers = tuple(map(values.__getitem__, text))
    except KeyError:
        return None
    return Grid(numbers, shape) if len(numbers) == size * size else None


def read_line(text: str, box: Box | None) -> Grid:
    """The grid of a text of one line."""
    line = plain(text.strip("\r\n"))
    if is_wrapped(line):
        line = _unwrap(line)
    cells = line_cells(line, box)
    if cells is None:
        length = len("".join(line.split())) or len(line)
        if box is not None:
            n = box[0] * box[1]
            raise InvalidPuzzle(
                f"the line has {counted(length, 'character')}; expected {n * n} for a {n}x{n} grid"
            )
        size = open_shape(line, box) or isqrt(length)
        if 1 < size <= MAX_SIZE and (size * size == length or open_shape(line, box)):
            square_box(size)
        raise InvalidPuzzle(
            f"the line has {counted(length, 'character')}; expected 81 for 9x9 (16 for 4x4,"
            " 256 for 16x16, or n * n with the box shape given)"
        )
    size = isqrt(len(cells))
    values = values_for(cells, size)
    try:
        numbers = tuple(map(values.__getitem__, cells))
    except KeyError:
        position = next(i for i, character in enumerate(cells) if character not in values)
        raise InvalidPuzzle(
            f"{bad_symbol(cells[position], size)} at position {position + 1}"
            f" ({cells_of(size)[position]}); expected {expected(size)}"
        ) from None
    return Grid(numbers, box or square_box(size))


def split_lines(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every line except comments and blank ones; a line of blanks may be an empty puzzle."""
    for number, line in enumerate(lines, 1):
        if is_content(line) or (line.isspace() and fits(len(line), box)):
            yield number, line


def write_line(grid: Grid) -> str:
    """The grid on one line."""
    return "".join(map(("." + symbols(grid.size)).__getitem__, grid.digits))


# --- a column of a comma-separated table, as in collections for machine learning ---

_NAMES = ("quizzes", "quiz", "puzzles", "puzzle")
"""What the column of puzzles may be called."""
_SEPARATORS = ",;\t"


def is_table(head: Head) -> bool:
    """True if the first line is the heading of such a table, or a row that has a puzzle."""
    lines, box = head.lines[:3], head.box
    if not lines:
        return False
    names = _fields(lines[0])
    if len(names) == 1:
        # Rows may have such a title, too.
        return names[0].lower() in _NAMES and (len(lines) < 3 or _is_puzzle(lines[1].strip(), box))
    named = any(name.lower() in _NAMES for name in names)
    return named or any(_is_puzzle(name, box) for name in names)


def _fields(line: str) -> list[str]:
    return [field.strip(' "') for field in re.split(f"[{_SEPARATORS}]", line)]


def _is_puzzle(field: str, box: Box | None) -> bool:
    size = len(field) > 9 and (fits(len(field), box) or open_shape(field, box))
    return bool(size) and set(field) <= set(values_for(field, isqrt(len(field))))


def read_csv(text: str, box: Box | None) -> Grid:
    """The first puzzle of the table; its box shape is `box`, else that of a comment above it."""
    lines = text.splitlines()
    _, line = next(split_csv(lines, box))
    return read_line(line, box or stated_boxes(lines)[0])


def split_csv(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzle of each row: in the column of that name, else in the first with a puzzle."""
    import csv

    numbered = enumerate(lines, 1)
    start, first = next(((at, line) for at, line in numbered if is_content(line)), (1, ""))
    separator = next((each for each in _SEPARATORS if each in first), ",")
    names = [name.lower() for name in _fields(first)]
    column = next((names.index(name) for name in _NAMES if name in names), None)
    heading = column is not None
    if column is None:
        column = next((at for at, name in enumerate(names) if _is_puzzle(name, box)), 0)
    reader = csv.reader(chain([first], (line for _, line in numbered)), delimiter=separator)
    found = False
    try:
        for row in reader:
            if not row or (heading and [name.strip(' "').lower() for name in row] == names):
                continue
            found = True
            number = start - 1 + reader.line_num
            yield number, (row[column : column + 1] or [""])[0] or separator.join(row) or '""'
    except csv.Error as error:
        raise InvalidPuzzle(f"line {start - 1 + reader.line_num}: {error}") from None
    if not found:
        raise InvalidPuzzle("the table has no rows; expected a puzzle in each")


def write_csv(grid: Grid) -> str:
    """A table with one column and one row."""
    return f"puzzle\n{write_line(grid)}"


# --- killers, as forums have them --------------------------------------------------------

_POINTS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
_POINTS |= {"`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
"""The cell of the same cage to which a character points."""
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_LONG = re.compile(r"3x3:(d?):k:((?:\d+:){80}\d+):?(?:\s.*)?", re.DOTALL)
_POINTING = re.compile(r"(?=\S*[<>^])[<>^v0-9A-Za-j`',.]{81}(?:\s|\Z)")
_BEGINS = re.compile(r"3x3:\w*:k:")


def is_killer(head: Head) -> bool:
    """True for 81 characters with arrows, and for the longer texts by how they begin."""
    return bool(_BEGINS.match(head.content) or _POINTING.match(head.content))


def read_killer(text: str, box: Box | None) -> Grid | Puzzle:
    """The cages of a killer: 81 characters, or numbers behind ``3x3::k:``."""
    bare = text.strip()
    if found := _LONG.fullmatch(bare):
        return _of_numbers([int(each[:9]) for each in found[2].split(":")], found[1] == "d")
    if _BEGINS.match(bare):
        count = len(re.findall(r"\d+", bare.split(":k:")[-1]))
        raise InvalidPuzzle(f"this killer has {counted(count, 'number')}; expected 81")
    line = bare.split()[0] if bare else ""
    if len(line) != 81:
        raise InvalidPuzzle(f"this killer has {counted(len(line), 'character')}; expected 81")
    return _of_characters(line)


def _of_characters(line: str) -> Puzzle:
    """Each cell points to another of its cage until one has the sum; 0 is a cage without a sum."""
    signs = dict(zip(cells_of(9), line, strict=True))
    heads = []
    for cell in signs:
        at, way = cell, [cell]
        while (sign := signs[at]) in _POINTS:
            move = _POINTS[sign]
            at = Cell(at.row + move[0], at.column + move[1])
            if at not in signs:
                raise InvalidPuzzle(f"{sign!r} in {way[-1]} points out of the grid")
            if at in way:
                raise InvalidPuzzle(f"the arrows from {cell} on lead back to {at}")
            way.append(at)
        if sign not in _SUMS:
            raise InvalidPuzzle(
                f"{sign!r} in {at} is neither an arrow nor a sum; expected <>^v, 0-9, A-Z"
            )
        heads.append(at)
    return _puzzle(heads, {head: _SUMS.index(signs[head]) for head in heads})


def _of_numbers(numbers: list[int], diagonals: bool) -> Puzzle:
    """The sum times 256, and the number of the cage; without a sum there is no cage."""
    return _puzzle(numbers, {each: each // 256 for each in numbers if each >= 256}, diagonals)


def _puzzle(cage_of: Sequence[Any], sums: dict[Any, int], diagonals: bool = False) -> Puzzle:
    """The puzzle with the cage of each cell, and the sum of each cage: 0 if it has none."""
    from ..rules import Different, KillerCage, Rule

    rules: list[Rule] = []
    if diagonals:
        rules += [Different(cells, "diagonal") for cells in long_diagonals(9)]
    cages: dict[Any, list[Cell]] = {}
    for cell, cage in zip(cells_of(9), cage_of, strict=True):
        cages.setdefault(cage, []).append(cell)
    rules += [KillerCage(cages[each], sums[each] or None) for each in cages if each in sums]
    return Puzzle(Grid((0,) * 81, (3, 3)), rules=rules)
