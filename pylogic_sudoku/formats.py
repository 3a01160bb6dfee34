"""Puzzles as text: one small reader and one writer a format, detected by content.

==========  =======================================================================
``line``    n * n characters, row by row; digits over 9 are letters (see `symbols`)
``rows``    one row a line, digits run together or apart, with or without box rules
``pretty``  rows with the boxes drawn; read like ``rows``
``facts``   ``initial(X,Y,N).`` for clingo: row X and column Y hold the given N
``prolog``  a list of rows, ``_`` for an empty cell
``json``    ``{"box": [3, 3], "grid": [[5, 3, null, ...], ...]}``, or the rows alone
==========  =======================================================================

An empty cell is ``.`` in what is written, and any of ``. 0 _ * x - blank`` in what is read.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from functools import cache
from math import isqrt
from typing import NamedTuple

from .errors import InvalidPuzzle
from .grid import MAX_SIZE, Box, Grid, cell_name, checked_box, square_box

__all__ = ["FORMATS", "as_grid", "parse", "split", "symbols", "write"]

EMPTY = ".0_*xX- "
ATOMS = ("initial", "sudoku", "numberAt", "given", "clue", "cell")
"""Names of the facts that are read as givens; ``initial`` is the one that is written."""

_ATOM = re.compile(rf"\b(?:{'|'.join(ATOMS)})\s*\(\s*[^\[\s]|#const\b")
_PROLOG_ROWS = re.compile(
    r"(\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*\s*\])(?:\s*,\s*(\d{1,2})\s*-\s*(\d{1,2})\b)?"
)
"""A list of rows, and perhaps the box shape, as in ``problem(six, [[...],...], 2-3).``"""
_PROLOG_COMMENT = re.compile(r"%.*")
_QUOTED = re.compile(r'"[^"]*"')
_PROLOG_VARIABLE = re.compile(r"\b_\w*")
# Every way to draw a line between boxes becomes | - or +.
_DRAWN = dict.fromkeys(range(0x2500, 0x2580), "+")
_DRAWN |= dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|")
_DRAWN |= dict.fromkeys(map(ord, "─━═┄┅┈┉╌╍="), "-")


@cache
def symbols(size: int, digits: bool = False) -> str:
    """The characters of the digits 1..n in a line: 1-9, then A-Z, then @; for n = 25, A-Y.

    25x25 collections write A-Y; with `digits` the answer for 25 is 1-9A-P as for other sizes.
    """
    if size == 25 and not digits:
        return "ABCDEFGHIJKLMNOPQRSTUVWXY"
    return "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"[:size]


@cache
def _values(size: int, digits: bool) -> dict[str, int]:
    """What each character means in a grid of this size."""
    known = symbols(size, digits)
    values = dict.fromkeys(EMPTY, 0)
    values |= {symbol.lower(): digit for digit, symbol in enumerate(known, 1) if symbol != "X"}
    values |= {symbol: digit for digit, symbol in enumerate(known, 1)}
    return values


def _values_for(text: str, size: int) -> dict[str, int]:
    """The meaning of characters, where 25x25 grids may use either of two alphabets."""
    return _values(size, size == 25 and any("1" <= character <= "9" for character in text))


# --- line -------------------------------------------------------------------------------


def _fits(length: int, box: Box | None) -> bool:
    """True if a line of this length is a grid whose box shape is known."""
    if box is not None:
        return length == (box[0] * box[1]) ** 2
    side = isqrt(isqrt(length))
    return 0 < side and side**4 == length and side * side <= MAX_SIZE


def _line_cells(line: str, box: Box | None) -> str | None:
    """The part of a line that is a grid: all of it, all but its blanks, or its first word."""
    if _fits(len(line), box):
        return line
    words = line.split()
    joined = "".join(words)
    if _fits(len(joined), box):
        return joined
    return words[0] if len(words) > 1 and len(words[0]) > 1 and _fits(len(words[0]), box) else None


def _read_line(text: str, box: Box | None) -> Grid:
    line = text.strip("\r\n")
    cells = _line_cells(line, box)
    if cells is None:
        length = len("".join(line.split())) or len(line)
        size = isqrt(length)
        if box is not None:
            n = box[0] * box[1]
            raise InvalidPuzzle(
                f"the line has {length} characters; expected {n * n} for a {n}x{n} grid"
            )
        if 1 < size <= MAX_SIZE and size * size == length:
            square_box(size)
        raise InvalidPuzzle(
            f"the line has {length} characters; expected 81 for 9x9 (16 for 4x4, 256 for 16x16,"
            " or n * n with the box shape given)"
        )
    size = isqrt(len(cells))
    values = _values_for(cells, size)
    try:
        numbers = tuple(map(values.__getitem__, cells))
    except KeyError:
        position = next(i for i, character in enumerate(cells) if character not in values)
        raise InvalidPuzzle(
            f"{_bad_symbol(cells[position], size)} at position {position + 1}"
            f" ({cell_name(position, size)}); expected {_expected(size)}"
        ) from None
    return Grid(numbers, box or square_box(size))


def _bad_symbol(symbol: str, size: int) -> str:
    over = _is_number(symbol)
    return f"{symbol} is over {size}" if over else f"unknown character {symbol!r}"


def _is_number(word: str) -> bool:
    """True for ASCII digits, few enough that int() takes them."""
    return word.isdecimal() and word.isascii() and len(word) < 5


def _expected(size: int) -> str:
    known = symbols(size)
    return f"{known[0]} to {known[-1]}, or one of {EMPTY.strip()} for an empty cell"


def _write_line(grid: Grid) -> str:
    return "".join(map(("." + symbols(grid.size)).__getitem__, grid.cells))


# --- rows and pretty --------------------------------------------------------------------


def _read_rows(text: str, box: Box | None) -> Grid:
    lines = [line for line in text.translate(_DRAWN).splitlines() if line.strip()]
    lines = [line for line in lines if line.lstrip()[0] not in "#%"]
    if len(lines) == 1 and "|" not in lines[0]:
        return _read_line(lines[0], box)
    # "---" is a rule or a row of empty cells: the first meaning that fits is taken.
    ruled = [not line.strip("-+| ") for line in lines]
    crossed = [not line.strip("-+| ") and "+" in line for line in lines]
    try:
        return _read_ruled(lines, ruled, box)
    except InvalidPuzzle:
        if ruled == crossed:
            raise
        try:
            return _read_ruled(lines, crossed, box)
        except InvalidPuzzle:
            pass
        raise


def _read_ruled(lines: list[str], ruled: list[bool], box: Box | None) -> Grid:
    rows = [line for line, rule in zip(lines, ruled, strict=True) if not rule]
    size = len(rows)
    if not 1 <= size <= MAX_SIZE:
        raise InvalidPuzzle(f"the text has {size} rows; expected 1 to {MAX_SIZE}")
    values = _values_for("".join(rows), size)
    cells = [_row_cells(row, number, size, values) for number, row in enumerate(rows, 1)]
    return Grid.from_rows(cells, box or _drawn_box(lines, ruled, size))


def _row_cells(row: str, number: int, size: int, values: dict[str, int]) -> list[int]:
    """The n digits of one row, whose cells are words, or characters, or include blanks."""
    words = row.replace("|", " ").split()
    if len(words) != size:
        characters: list[str] = list("".join(words))
        unbarred = row.strip("\r\n").replace("|", "")
        between_bars = [part.strip() or "." for part in row.split("|")]
        if len(characters) == size:
            words = characters
        elif len(between_bars) == size:
            words = between_bars
        elif len(between_bars) == size + 2:
            words = between_bars[1:-1]
        elif len(unbarred) == size:
            words = list(unbarred)
        else:
            wide = max(map(len, words), default=0) > 1 and len(words) < size
            count = len(characters) if wide else len(words)
            raise InvalidPuzzle(f"row {number} has {count} cells, expected {size}")
    cells: list[int] = []
    for column, word in enumerate(words, 1):
        digit = int(word) if _is_number(word) else values.get(word)
        if digit is None or digit > size:
            raise InvalidPuzzle(
                f"{_bad_symbol(word, size)} at r{number}c{column}; expected {_expected(size)}"
            )
        cells.append(digit)
    return cells


def _drawn_box(lines: list[str], ruled: list[bool], size: int) -> Box | None:
    """The box shape that the rules between the cells show; None if they show none."""
    rules = [at for at, rule in enumerate(ruled) if rule]
    first_row = ruled.index(False)
    height = next((at - first_row for at in rules if at > first_row), size)
    segment = next((part.split() for part in lines[first_row].split("|") if part.strip()), [])
    width = len(segment) if len(segment) > 1 else len("".join(segment))
    if 1 < width < size and size % width == 0:
        return size // width, width
    if 1 < height < size and size % height == 0:
        return height, size // height
    return None


def _write_rows(grid: Grid) -> str:
    if grid.size <= 9:
        return "\n".join("".join(str(digit or ".") for digit in row) for row in grid.rows)
    width = len(str(grid.size))
    return "\n".join(" ".join(str(digit or ".").rjust(width) for digit in row) for row in grid.rows)


def _write_pretty(grid: Grid) -> str:
    size, (box_rows, box_columns) = grid.size, grid.box
    width = len(str(size))
    lines: list[str] = []
    for number, row in enumerate(grid.rows):
        words = [str(digit or ".").rjust(width) for digit in row]
        parts = [
            " ".join(words[start : start + box_columns]) for start in range(0, size, box_columns)
        ]
        if number and number % box_rows == 0:
            lines.append("-+-".join("-" * len(part) for part in parts))
        lines.append(" | ".join(parts))
    return "\n".join(lines)


# --- facts ------------------------------------------------------------------------------


def _read_facts(text: str, box: Box | None) -> Grid:
    from .facts import read_facts

    return read_facts(text, ATOMS, box)


def _write_facts(grid: Grid) -> str:
    lines: list[str] = []
    largest = max(map(max, grid.givens), default=0)
    # Without its shape, this would be read as a full grid of a smaller size, or as none.
    if grid.box != (3, 3) or len(grid.givens) == largest**2 < len(grid.cells):
        names = zip(("box_rows", "box_columns"), grid.box, strict=True)
        lines.append(" ".join(f"#const {name}={value}. [override]" for name, value in names))
    for x in range(1, grid.size + 1):
        facts = [f"initial({x},{y},{n})." for row, y, n in grid.givens if row == x]
        if facts:
            lines.append(" ".join(facts))
    return "\n".join(lines)


# --- prolog and json --------------------------------------------------------------------


def _read_prolog(text: str, box: Box | None) -> Grid:
    found = _PROLOG_ROWS.search(_PROLOG_COMMENT.sub("", text))
    if not found:
        raise InvalidPuzzle("no list of rows here; expected [[5,3,_],...]")
    rows, box_rows, box_columns = found.groups()
    if box is None and box_rows:
        box = checked_box((int(box_rows), int(box_columns)))
    cells = (row.split(",") for row in re.findall(r"\[([^\[\]]*)\]", rows))
    return Grid.from_rows((map(_prolog_cell, row) for row in cells), box)


def _prolog_cell(text: str) -> int | str | None:
    """A digit, None for a variable, or else the text as it is, for Grid.from_rows to reject."""
    word = text.strip()
    if _is_number(word):
        return int(word)
    return None if _PROLOG_VARIABLE.fullmatch(word) else word


def _write_prolog(grid: Grid) -> str:
    rows = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in grid.rows)
    return "[" + ",\n ".join(rows) + "]"


def _read_json(text: str, box: Box | None) -> Grid:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPuzzle(f"this is no JSON: {error}") from None
    if isinstance(value, dict):
        if "grid" not in value:
            raise InvalidPuzzle(f'expected a key "grid" in the JSON object, not {list(value)}')
        if box is None and value.get("box") is not None:
            box = checked_box(value["box"])
        value = value["grid"]
    if isinstance(value, str):
        return parse(value, box=box)
    if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
        return _read_rows("\n".join(value), box)
    return Grid.from_rows(value, box)


def _write_json(grid: Grid) -> str:
    return json.dumps(
        {"box": grid.box, "grid": [[digit or None for digit in row] for row in grid.rows]}
    )


# --- the table --------------------------------------------------------------------------


class Format(NamedTuple):
    """How a format is read and written."""

    read: Callable[[str, Box | None], Grid]
    write: Callable[[Grid], str]


FORMATS = {
    "line": Format(_read_line, _write_line),
    "rows": Format(_read_rows, _write_rows),
    "pretty": Format(_read_rows, _write_pretty),
    "facts": Format(_read_facts, _write_facts),
    "prolog": Format(_read_prolog, _write_prolog),
    "json": Format(_read_json, _write_json),
}


def _format(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise ValueError(f"no format {name!r}; choose one of {', '.join(FORMATS)}") from None


def _detect(text: str) -> str:
    if _ATOM.search(text) and not re.search(r"\[\s*\[", text):
        return "facts"
    bare = text.strip()
    if bare[:1] in ("{", '"'):
        return "json"
    if "[" in bare:
        variable = _PROLOG_VARIABLE.search(_QUOTED.sub("", bare))
        return "json" if bare[0] == "[" and bare[-1] == "]" and not variable else "prolog"
    return "rows" if "\n" in text.strip("\r\n") else "line"


def parse(text: str, format: str | None = None, box: Box | None = None) -> Grid:
    """The one puzzle that the text holds; see `Grid.parse`."""
    if not text.strip("\r\n\t\f\v"):
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    shape = None if box is None else checked_box(box)
    return _format(format or _detect(text)).read(text, shape)


def write(grid: Grid, format: str) -> str:
    """The grid as text in the format of this name; see `Grid.format`."""
    return _format(format).write(grid)


def as_grid(puzzle: object) -> Grid:
    """A puzzle as users pass it: a Grid, text in any known format, or nested rows."""
    if isinstance(puzzle, Grid):
        return puzzle
    return parse(puzzle) if isinstance(puzzle, str) else Grid.from_rows(puzzle)  # type: ignore[arg-type]


# --- many puzzles in one text -----------------------------------------------------------


def split(
    text: str, box: Box | None = None, format: str | None = None
) -> Iterator[tuple[int, str]]:
    """The text of each puzzle in a file of one or many, with the number of its first line.

    Puzzles are told apart by what they are: lists of rows, lines, or blocks of rows between
    blank or comment lines. Facts and JSON are one puzzle. `format` is as for `parse`.
    """
    if not text.strip():
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    format = format or _detect(text)
    if format == "prolog":
        bare = _PROLOG_COMMENT.sub("", text)
        matches = list(_PROLOG_ROWS.finditer(bare))
        for match in matches:
            yield bare.count("\n", 0, match.start()) + 1, match.group()
    if format in ("facts", "json") or (format == "prolog" and not matches):
        yield 1, text
    if format not in ("line", "rows", "pretty"):
        return
    block: list[str] = []
    lines = text.splitlines()
    if all(line.lstrip()[:1] in ("", "#", "%") for line in lines):
        raise InvalidPuzzle("the text has only comments; expected a puzzle")
    for number, line in enumerate([*lines, ""], 1):
        # A line of blanks that is long enough is an empty puzzle, no separator.
        blank = not line.strip() and not (len(line) > MAX_SIZE and _fits(len(line), box))
        if blank or line.lstrip()[:1] in ("#", "%"):
            if format == "line" or any(_is_line(each, len(block), box) for each in block):
                yield from enumerate(block, number - len(block))
            elif block:
                yield number - len(block), "\n".join(block)
            block = []
        else:
            block.append(line)


def _is_line(line: str, neighbours: int, box: Box | None) -> bool:
    """True if the line alone is a puzzle, and neither a rule nor one of as many rows as cells."""
    cells = _line_cells(line, box)
    if cells is None or "|" in line:
        return False
    if len(cells) > MAX_SIZE:
        return True
    a_row = len(cells) == neighbours and box is None
    if a_row or len(cells) == 1 or not line.strip("-+ "):
        return False
    return line.split()[0] == cells
