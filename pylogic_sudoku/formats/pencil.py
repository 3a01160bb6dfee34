"""Pencil marks: rows with several digits in a cell, and lines with the candidates of every cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from math import isqrt

from ..errors import InvalidPuzzle
from ..puzzle import Grid, Puzzle, pencil_marks
from ..puzzle.cells import Box, cells_of, square_box
from .rows import CUBES, digits_and_marks, read_rows, rise, ruled, with_marks
from .rows import split_blocks as split_blocks
from .text import Head, symbols


def looks_like(head: Head) -> Iterator[str]:
    """Yield ``pencil`` for the candidates of every cell; the reader of rows recognizes others."""
    if head.content and _candidates(head.content) is not None:
        yield "pencil"


def read_pencil(text: str, box: Box | None) -> Grid | Puzzle:
    """Rows with pencil marks, or the candidates of each cell; see `with_marks`."""
    cells = _candidates(text)
    if cells is None:
        return read_rows(text, box, "pencil")
    size = isqrt(len(cells))
    box = box or square_box(size)
    return with_marks(*digits_and_marks(cells, size, "pencil"), box)


def _candidates(text: str) -> list[str] | None:
    """The candidates of each cell in a text that lists them all; None for any other text.

    It has n * n * n characters, n for each cell, with its candidates in their places; or n * n
    words in a line. A cell without candidates is empty if all others have one, as in data for
    machine learning; else it is an error.
    """
    word = "".join(text.split())
    for n in CUBES:
        known = symbols(n, True)
        if len(word) == n**3 and all(
            each in (known[at % n], ".", "0", "_") for at, each in enumerate(word.upper())
        ):
            parts = (word[at : at + n] for at in range(0, n**3, n))
            cells = [re.sub("[._0]", "", part) for part in parts]
            if "" in cells and max(map(len, cells)) > 1:
                raise InvalidPuzzle(
                    f"{cells_of(n)[cells.index('')]} has no candidate, though others have several:"
                    f" write all {n} for a cell that may hold any digit"
                )
            return [cell or "." for cell in cells]
    words = text.split()
    marks = [each for each in words if len(each) > 1]
    if len(words) in [n * n for n in CUBES] and marks and "\n" not in text.strip() and rise(marks):
        return words
    return None


def _are_recognized(cells: list[str], size: int) -> bool:
    """True if those with several digits are read as pencil marks."""
    try:
        _, marks = digits_and_marks(cells, size, "rows")
    except InvalidPuzzle:
        return False
    return len(marks) == sum(len(cell) > 1 for cell in cells)


def write_pencil(grid: Grid) -> str:
    """The digits that no house excludes, in columns within a frame, as in HoDoKu and forums.

    A cell that no digit fits is a dot. A + is in front of the only digit of a cell that is not
    given, and in front of all marks where they would not be recognized as such.
    """
    n, known = grid.size, "." + symbols(grid.size)
    marks = ["".join(known[d] for d in sorted(cell)) for row in pencil_marks(grid) for cell in row]
    cells = [mark or known[digit] for mark, digit in zip(marks, grid.digits, strict=True)]
    least = 1 if _are_recognized(cells, n) else n
    cells = [
        f"+{cell}" if 1 <= len(mark) <= least else cell
        for mark, cell in zip(marks, cells, strict=True)
    ]
    widths = [max(map(len, cells[column::n])) for column in range(n)]
    padded = [cell.ljust(widths[at % n]) for at, cell in enumerate(cells)]
    lines = ruled(padded, grid.box, "  ")
    framed = [f":-{line}-:" if line[0] == "-" else f"| {line} |" for line in lines]
    rules = ["-" * (len(part) + 2) for part in lines[0].split(" | ")]
    return "\n".join([f".{'.'.join(rules)}.", *framed, f"'{chr(39).join(rules)}'"])
