"""A grid as rows, one a line, with or without the boxes drawn."""

from __future__ import annotations

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid
from .characters import bad_symbol, expected, is_number, values_for
from .lines import read_line

__all__ = ["read_rows", "write_pretty", "write_rows"]

# Every way to draw a line between boxes becomes | - or +.
_DRAWN = dict.fromkeys(range(0x2500, 0x2580), "+")
_DRAWN |= dict.fromkeys(map(ord, "│┃║┆┇┊┋╎╏"), "|")
_DRAWN |= dict.fromkeys(map(ord, "─━═┄┅┈┉╌╍="), "-")


def read_rows(text: str, box: Box | None) -> Grid:
    """The grid whose rows are the lines of the text, but for comments and rules."""
    lines = [line for line in text.translate(_DRAWN).splitlines() if line.strip()]
    lines = [line for line in lines if line.lstrip()[0] not in "#%"]
    if len(lines) == 1 and "|" not in lines[0]:
        return read_line(lines[0], box)
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
    values = values_for("".join(rows), size)
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
    if grid.size <= 9:
        return "\n".join("".join(str(digit or ".") for digit in row) for row in grid.rows)
    width = len(str(grid.size))
    return "\n".join(" ".join(str(digit or ".").rjust(width) for digit in row) for row in grid.rows)


def write_pretty(grid: Grid) -> str:
    """The rows with lines between the boxes."""
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
