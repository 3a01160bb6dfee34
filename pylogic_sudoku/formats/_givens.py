"""Givens and box shapes as facts name them, on their way to a grid."""

from __future__ import annotations

import re

from .._layout import checked_box, square_box
from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid

__all__ = ["ATOMS", "CODE", "LARGEST", "SHAPE", "Givens", "too_large"]

ATOMS = ("initial", "sudoku", "numberAt", "given", "clue", "cell")
"""Names of the facts that are read as givens."""

SHAPE = ("box_rows", "box_columns", "dim", "subgrid_size")
"""Names that say the box shape; the last two, the side of a square box."""

LARGEST = 2**31 - 1
"""clingo's numbers have 32 bits: larger ones come out as others, without a word."""

CODE = re.compile(r'"(?:\\.|[^"\\\n])*"?|%\*.*?(?:\*%|\Z)|%[^\n]*', re.DOTALL)
"""A string, or a comment of either kind; one left open ends where its line or the text ends.

(It has to match: a search that fails at every quote takes the square of the length.)
"""

_NUMBER = re.compile(r"(?<!\w)(?:0x[0-9a-fA-F]+|0o[0-7]+|0b[01]+|\d{10,})")


def too_large(text: str) -> re.Match[str] | None:
    """The first number in the text that clingo cannot hold."""
    for match in _NUMBER.finditer(text):
        word = match.group()
        base = {"0x": 16, "0o": 8, "0b": 2}.get(word[:2], 10)
        digits = (word if base == 10 else word[2:]).lstrip("0")
        if len(digits) > 32 or (digits and int(digits, base) > LARGEST):
            return match
    return None


class Givens:
    """Which cell holds which digit, and what was said of the box shape."""

    def __init__(self) -> None:
        self._cells: dict[tuple[int, int], int] = {}
        self._shape: dict[str, int] = {}

    def add(self, name: str, numbers: list[int], where: str) -> None:
        """Takes in a fact; its name must be known, its numbers must fit the name."""
        for number in numbers:
            if number < 1:
                raise InvalidPuzzle(
                    f"{where}: {number} stands where a number from 1 up is expected"
                )
            if number > LARGEST:
                raise InvalidPuzzle(
                    f"{where}: {number} is over {LARGEST}, the largest number of clingo"
                )
        if name in SHAPE:
            self._shape[name] = numbers[0]
            return
        x, y, n = numbers
        if self._cells.setdefault((x, y), n) != n:
            raise InvalidPuzzle(f"{where}, but r{x}c{y} already holds {self._cells[x, y]}")

    def grid(self, box: Box | None) -> Grid:
        """The grid: its box shape is `box`, else what was said, else what fits the givens."""
        if not self._cells and not self._shape:
            raise InvalidPuzzle(f"no givens here; expected facts such as {ATOMS[0]}(1,1,5).")
        box = box or self._stated_box() or self._fitting_box()
        size = box[0] * box[1]
        rows = [[0] * size for _ in range(size)]
        for (x, y), n in self._cells.items():
            if max(x, y, n) > size:
                raise InvalidPuzzle(f"r{x}c{y} holds {n}: over {size}, the size of the grid")
            rows[x - 1][y - 1] = n
        return Grid.from_rows(rows, box)

    def _stated_box(self) -> Box | None:
        shape = self._shape
        if not shape:
            return None
        side = shape.get("dim", shape.get("subgrid_size", 3))
        return checked_box((shape.get("box_rows", side), shape.get("box_columns", side)))

    def _fitting_box(self) -> Box:
        """The square of a full grid of this many facts, else the smallest from 3x3 up."""
        largest = max(max(x, y, n) for (x, y), n in self._cells.items())
        if len(self._cells) == largest * largest > 1:
            return square_box(largest)
        sides = (side for side in range(3, MAX_SIZE) if side * side >= largest)
        side = next(sides, MAX_SIZE)
        if side * side > MAX_SIZE:
            raise InvalidPuzzle(f"{largest} is over {MAX_SIZE}, the largest size of a grid")
        return side, side
