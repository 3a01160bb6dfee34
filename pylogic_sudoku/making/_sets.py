"""Unavoidable sets: cells that a full grid could fill in another way, and no other cell changes.

A puzzle has one solution if and only if it gives a cell of each unavoidable set. A set of cells is
a whole number here: the cell with offset i adds 2**i.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import combinations

from ..grid import Grid, Layout

__all__ = ["cells_by_digit", "exchangeable", "near", "two_digit_sets"]


def two_digit_sets(grid: Grid) -> list[int]:
    """The unavoidable sets that have two digits and no smaller such set in them.

    `grid` is full, and its layout has no rules but its houses.
    """
    around = near(grid.layout)
    pairs = combinations(cells_by_digit(grid.digits, grid.size), 2)
    return [cells for one, other in pairs for cells in exchangeable(one | other, around)]


def exchangeable(both: int, around: Sequence[int]) -> list[int]:
    """The cells of two digits, in sets in each of which the digits can change places.

    Cells in the same house are in the same set: if one of them changes, the other must too.
    """
    found = []
    while both:
        cells, new = 0, both & -both
        while new:
            cell = new & -new
            cells |= cell
            new = (new | around[cell.bit_length() - 1] & both) & ~cells
        found.append(cells)
        both &= ~cells
    return found


def cells_by_digit(digits: Sequence[int], size: int) -> list[int]:
    """The cells of each digit of a full grid."""
    cells = [0] * size
    for cell, digit in enumerate(digits):
        cells[digit - 1] |= 1 << cell
    return cells


@lru_cache(32)
def near(layout: Layout) -> list[int]:
    """For each cell, the cells that share a house with it, and the cell itself."""
    around = [0] * len(layout.cells)
    for house in layout.offsets:
        cells = sum(1 << cell for cell in house)
        for cell in house:
            around[cell] |= cells
    return around
