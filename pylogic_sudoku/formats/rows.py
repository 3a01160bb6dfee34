"""A grid as rows, one a line, with or without the boxes drawn."""

from __future__ import annotations

import re

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid, checked_box
from .characters import bad_symbol, expected, is_number, values_for
from .lines import read_line

__all__ = ["SECTION", "TITLE", "is_rule", "read_rows"]
__all__ += ["write_pretty", "write_rows", "write_sdk", "write_ss"]

# Every way to draw a line between boxes becomes | - or +.
_DRAWN = dict.fromkeys(range(0x2500, 0x2580), "+")
_DRAWN |= dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|")
_DRAWN |= dict.fromkeys(map(ord, "─━═┄┅┈┉╌╍="), "-")
# A row of a comma-separated table has its cells between bars, too.
_DRAWN |= {ord(","): "|"}

_FRAME = re.compile(r"\*-+\*|[*.:'`+|](?:-{2,}[*.:'`+|])+")
"""A rule with corners, such as ``*---*`` of Simple Sudoku and ``.---.---.`` of forum posts."""
SECTION = re.compile(r"\s*\[([A-Za-z]+)\]\s*")
"""A line such as ``[Puzzle]``, which opens a part of an .sdk file."""
TITLE = re.compile(r"\s*(?:grid|puzzle|sudoku|game)\s+#?\d{1,7}\s*:?\s*", re.IGNORECASE)
_STATED_BOX = re.compile(r"^#C\s*(\d{1,2})x(\d{1,2}) boxes", re.MULTILINE)


def is_rule(line: str) -> bool:
    """True if the line may be drawn between rows; a row of ``-`` for empty cells looks alike."""
    bare = "".join(line.split())
    return not bare.strip("-+|") or _FRAME.fullmatch(bare) is not None


def read_rows(text: str, box: Box | None) -> Grid:
    """The grid whose rows are the lines of the text, but for comments, titles and rules.

    The box shape is `box`, else what an .sdk comment says, else what is drawn, else square.
    """
    lines = _lines(text.translate(_DRAWN))
    if box is None and (stated := _STATED_BOX.search(text)):
        box = checked_box(map(int, stated.groups()))
    if len(lines) == 1 and "|" not in lines[0]:
        return read_line(lines[0], box)
    # "---" is a rule or a row of empty cells: the first meaning that fits is taken.
    ruled = [is_rule(line) for line in lines]
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


def _lines(text: str) -> list[str]:
    """The lines with rows and rules, up to the second section of an .sdk file."""
    found: list[str] = []
    for line in text.splitlines():
        if SECTION.fullmatch(line):
            if found:
                break
        elif line.strip() and line.lstrip()[0] not in "#%" and not TITLE.fullmatch(line):
            found.append(line)
    return found


def _read_ruled(lines: list[str], ruled: list[bool], box: Box | None) -> Grid:
    rows = [line for line, rule in zip(lines, ruled, strict=True) if not rule]
    size = len(rows)
    if not 1 <= size <= MAX_SIZE:
        raise InvalidPuzzle(f"the text has {size} rows; expected 1 to {MAX_SIZE}")
    values = values_for("".join(rows), size)
    cells = [_row_cells(row, number, size, values) for number, row in enumerate(rows, 1)]
    return Grid.from_rows(cells, box or _drawn_box(lines, ruled, size))


def _row_cells(row: str, number: int, size: int, values: dict[str, int]) -> list[int]:
    """The n digits of one row, whose cells are words, or characters, or include blanks."""
    words = row.replace("|", " ").split()
    if len(words) != size:
        characters: list[str] = list("".join(words))
        unbarred = row.strip("\r\n").replace("|", "")
        parts = [part.strip() for part in row.split("|")]
        between_bars = [part or "." for part in parts]
        if len(characters) == size:
            words = characters
        elif len(between_bars) == size:
            words = between_bars
        elif len(between_bars) == size + 2 and not (parts[0] or parts[-1]):
            words = between_bars[1:-1]
        elif len(unbarred) == size:
            words = list(unbarred)
        else:
            wide = max(map(len, words), default=0) > 1 and len(words) < size
            count = len(characters) if wide else len(words)
            raise InvalidPuzzle(f"row {number} has {count} cells, expected {size}")
    cells: list[int] = []
    for column, word in enumerate(words, 1):
        digit = int(word) if is_number(word) else values.get(word)
        if digit is None or digit > size:
            raise InvalidPuzzle(
                f"{bad_symbol(word, size)} at r{number}c{column}; expected {expected(size)}"
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


def write_rows(grid: Grid) -> str:
    """The rows alone: digits run together up to 9, apart for larger grids."""
    return "\n".join("".join(parts) for parts in _parts(grid, grid.size))


def write_pretty(grid: Grid) -> str:
    """The rows with lines between the boxes."""
    lines: list[str] = []
    for number, parts in enumerate(_parts(grid, grid.box[1], " ")):
        if number and number % grid.box[0] == 0:
            lines.append("-+-".join("-" * len(part) for part in parts))
        lines.append(" | ".join(parts))
    return "\n".join(lines)


def write_ss(grid: Grid) -> str:
    """The rows in a frame, as Simple Sudoku has them."""
    lines: list[str] = []
    for number, parts in enumerate(_parts(grid, grid.box[1])):
        rule = "+".join("-" * len(part) for part in parts)
        if number % grid.box[0] == 0:
            lines.append(f"|{rule}|" if number else f"*{'-' * len(rule)}*")
        lines.append(f"|{'|'.join(parts)}|")
    return "\n".join([*lines, lines[0]])


def write_sdk(grid: Grid) -> str:
    """The rows under SudoCue's comment line, which holds the box shape where it is not square."""
    box_rows, box_columns = grid.box
    shape = f"#C{box_rows}x{box_columns} boxes\n" if box_rows != box_columns else ""
    return shape + write_rows(grid)


def _parts(grid: Grid, columns: int, between: str = "") -> list[list[str]]:
    """Each row as the texts of its parts of so many columns; numbers over 9 stand apart."""
    width = len(str(grid.size))
    between = between or " " * (width - 1)
    rows = ([str(digit or ".").rjust(width) for digit in row] for row in grid.rows)
    starts = range(0, grid.size, columns)
    return [[between.join(row[at : at + columns]) for at in starts] for row in rows]
