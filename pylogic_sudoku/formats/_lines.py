"""A grid on one line: n * n characters, row by row; alone, in HoDoKu's library, in a link."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from math import isqrt

from .._layout import square_box
from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid, cells_of
from ._characters import bad_symbol, expected, known_values, plain, symbols, values_for

__all__ = ["fits", "is_wrapped", "line_cells", "open_shape", "plain_line", "read_line"]
__all__ += ["split_lines", "write_hex", "write_line"]

_LIBRARY = re.compile(r"\s*:[\w-]*:[^:]*:([^:]*):.*")
"""HoDoKu: ``:technique:candidates:givens:deleted candidates:eliminations:placements:extra``."""
_PLACED = re.compile(r"\+\d")
_LINK = re.compile(r"\s*https?://(\S+)\s*", re.IGNORECASE)
_WIKI = re.compile(
    r"(?:www\.)?sudokuwiki\.org/sudoku(?:\.htm)?\?(?:\S*&)?bd=([^&#\s]*)", re.IGNORECASE
)


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
    """The size from 6x6 up of a line that is a grid but for its box shape, which is to be told."""
    word = line.split(maxsplit=1)[0] if line.strip() else ""
    size = isqrt(len(word))
    whole = size * size == len(word) and 6 <= size <= MAX_SIZE
    return size if whole and box is None and _square(len(word)) is None else 0


def is_wrapped(line: str) -> bool:
    """True for a line of HoDoKu's library, and for a link."""
    return line.lstrip()[:1] in (":", "h", "H") and bool(_LIBRARY.match(line) or _LINK.match(line))


def _unwrapped(line: str) -> str:
    """The cells of a line of HoDoKu's library or of a link; any other line as it is.

    What a player has placed, which has a + in front, is not part of the puzzle.
    """
    if library := _LIBRARY.match(line):
        cells = _PLACED.sub(".", library[1])
        if len(cells) != 81:
            raise InvalidPuzzle(
                f"the third field, between colons, has {len(cells)} cells; expected 81, as in a"
                " line of HoDoKu's library"
            )
        return cells
    if not (link := _LINK.match(line)):
        return line
    if not (found := _WIKI.match(link[1])):
        raise InvalidPuzzle(
            "this link is not read; expected one such as https://www.sudokuwiki.org/sudoku.htm?bd="
            " and 81 digits, or the puzzle itself"
        )
    if len(found[1]) != 81:
        raise InvalidPuzzle(
            f"bd={found[1][:20]}... has {len(found[1])} characters; expected 81, one for each"
            " cell (packed links, which hold candidates, are not read)"
        )
    return found[1]


def line_cells(line: str, box: Box | None) -> str | None:
    """The part of a line that is a grid: all of it, all but its blanks, or its first word."""
    if fits(len(line), box) and line != " ":
        return line
    if "\t" in line or "," in line:
        fields = [field.strip() or "." for field in re.split("[\t,]", line)]
        if fits(len(fields), box) and max(map(len, fields)) == 1:
            return "".join(fields)
    words = line.split()
    joined = "".join(words)
    # Groups of cells are equally long: in other texts, blanks may be cells.
    if fits(len(joined), box) and len(set(map(len, words))) == 1:
        return joined
    return words[0] if len(words) > 1 and len(words[0]) > 1 and fits(len(words[0]), box) else None


def plain_line(text: str, box: Box | None) -> Grid | None:
    """The grid of a text that is a line and nothing else; None for any other text."""
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


def read_line(text: str, box: Box | None, zero: bool = False) -> Grid:
    """The grid that the one line of the text is; with `zero`, its digits begin with 0."""
    line = plain(text.strip("\r\n"))
    if is_wrapped(line):
        line = _unwrapped(line)
    cells = line_cells(line, box)
    if cells is None:
        length = len("".join(line.split())) or len(line)
        if box is not None:
            n = box[0] * box[1]
            raise InvalidPuzzle(
                f"the line has {length} characters; expected {n * n} for a {n}x{n} grid"
            )
        size = open_shape(line, box) or isqrt(length)
        if 1 < size <= MAX_SIZE and (size * size == length or open_shape(line, box)):
            square_box(size)
        raise InvalidPuzzle(
            f"the line has {length} characters; expected 81 for 9x9 (16 for 4x4, 256 for 16x16,"
            " or n * n with the box shape given)"
        )
    size = isqrt(len(cells))
    values = values_for(cells, size, zero)
    try:
        numbers = tuple(map(values.__getitem__, cells))
    except KeyError:
        position = next(i for i, character in enumerate(cells) if character not in values)
        raise InvalidPuzzle(
            f"{bad_symbol(cells[position], size)} at position {position + 1}"
            f" ({cells_of(size)[position]}); expected {expected(size, zero=zero)}"
        ) from None
    return Grid(numbers, box or square_box(size))


def split_lines(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every line but comments and blank ones; a line of blanks may be an empty puzzle."""
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        if bare[:1] not in ("", "#", "%") or (not bare and fits(len(line), box)):
            yield number, line


def write_line(grid: Grid) -> str:
    """The grid on one line."""
    return "".join(map(("." + symbols(grid.size)).__getitem__, grid.digits))


def write_hex(grid: Grid) -> str:
    """The grid on one line whose digits begin with 0: 0 to F for 16x16."""
    return "".join(map(("." + symbols(grid.size, zero=True)).__getitem__, grid.digits))
