"""Digits in cells: one, two that are the same, and those that a cell may hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from ._layout import Cell

__all__ = ["Candidates", "Duplicate", "Placement", "candidate_rows"]

Candidates = tuple[tuple[frozenset[int], ...], ...]
"""Rows of cells, and for each cell a set of digits."""


class Placement(NamedTuple):
    """A digit in a cell: row and column, from 1, and the digit; its text is ``r3c2=5``."""

    row: int
    column: int
    digit: int

    @property
    def cell(self) -> Cell:
        """The cell that holds the digit."""
        return Cell(self.row, self.column)

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.digit}"


class Duplicate(NamedTuple):
    """Two cells of at least one house that hold the same digit."""

    digit: int
    cells: tuple[Cell, Cell]
    houses: tuple[str, ...]
    """Every house that has both, such as ``("row 1", "box 1")``."""

    def __str__(self) -> str:
        one, other = self.cells
        return f"{one} and {other} both hold {self.digit} ({', '.join(self.houses)})"


def candidate_rows(cells: Sequence[Iterable[int]], size: int) -> Candidates:
    """Candidates from the digits of each cell, row by row."""
    frozen = [frozenset(digits) for digits in cells]
    return tuple(tuple(frozen[start : start + size]) for start in range(0, size * size, size))
