"""A grid on one line: n * n characters, row by row."""

from __future__ import annotations

from math import isqrt

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid, cell_name, square_box
from .characters import bad_symbol, expected, symbols, values_for

__all__ = ["fits", "line_cells", "read_line", "write_line"]


def fits(length: int, box: Box | None) -> bool:
    """True if a line of this length is a grid whose box shape is known."""
    if box is not None:
        return length == (box[0] * box[1]) ** 2
    side = isqrt(isqrt(length))
    return 0 < side and side**4 == length and side * side <= MAX_SIZE


def line_cells(line: str, box: Box | None) -> str | None:
    """The part of a line that is a grid: all of it, all but its blanks, or its first word."""
    if fits(len(line), box):
        return line
    words = line.split()
    joined = "".join(words)
    if fits(len(joined), box):
        return joined
    return words[0] if len(words) > 1 and len(words[0]) > 1 and fits(len(words[0]), box) else None


def read_line(text: str, box: Box | None) -> Grid:
    """The grid that the one line of the text is."""
    line = text.strip("\r\n")
    cells = line_cells(line, box)
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
    values = values_for(cells, size)
    try:
        numbers = tuple(map(values.__getitem__, cells))
    except KeyError:
        position = next(i for i, character in enumerate(cells) if character not in values)
        raise InvalidPuzzle(
            f"{bad_symbol(cells[position], size)} at position {position + 1}"
            f" ({cell_name(position, size)}); expected {expected(size)}"
        ) from None
    return Grid(numbers, box or square_box(size))


def write_line(grid: Grid) -> str:
    """The grid on one line."""
    return "".join(map(("." + symbols(grid.size)).__getitem__, grid.cells))
