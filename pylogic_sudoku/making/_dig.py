"""From a full grid to a puzzle: givens are removed in random order while the solution stays unique.

A set of cells is a whole number here: the cell with offset i adds 2**i. An *unavoidable* set has
cells that a full grid could fill in another way without changing any other cell. So a puzzle has
one solution if and only if it gives a cell of each unavoidable set.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations

from ..grid import Grid, Layout

__all__ = ["dig", "removed_in_turn", "two_digit_sets"]


def dig(groups: Sequence[int], least: int, known: list[int], another: Callable[[int], int]) -> int:
    """The cells that remain given when each group in turn is removed if it can be.

    It can be if at least `least` givens remain, and the solution remains unique. `another` returns
    the cells in which another solution differs if only some cells are given, or 0. `known` has
    unavoidable sets, and those that are found are added; they decide how many questions are asked,
    but not the result.

    A question is about several groups at once. If they can all be removed, each can be in its turn.
    If they cannot, an unavoidable set is found, and the next question is about fewer groups.
    """
    kept = sum(groups)
    at, size = 0, len(groups) // 2
    while at < len(groups):
        left, end = kept, at
        while end < min(at + size, len(groups)):
            fewer = left & ~groups[end]
            if fewer.bit_count() < least or any(not fewer & each for each in known):
                break
            left, end = fewer, end + 1
        if end == at:  # this group stays
            at += 1
        elif found := another(left):
            known.append(found)
            size = max(1, (end - at) // 2)
        else:
            kept, at, size = left, end, 2 * (end - at)
    return kept


def removed_in_turn(groups: Sequence[int], kept: int) -> list[int]:
    """The groups that were removed, the last one first."""
    return [group for group in reversed(groups) if not group & kept]


def two_digit_sets(grid: Grid) -> Iterator[int]:
    """The smallest unavoidable sets with two digits: there the digits can change places.

    `grid` is full and has no rules but its houses. Each set is connected by houses: where one of
    the digits changes, the other one in the same house must change too.
    """
    near = _near(grid.layout)
    cells = [0] * (grid.size + 1)
    for cell, digit in enumerate(grid.digits):
        cells[digit] |= 1 << cell
    for one, other in combinations(cells[1:], 2):
        rest = one | other
        while rest:
            found, new = 0, rest & -rest
            while new:
                cell = new & -new
                found |= cell
                new = (new | near[cell.bit_length() - 1] & rest) & ~found
            yield found
            rest &= ~found


@lru_cache(32)
def _near(layout: Layout) -> list[int]:
    """For each cell, the cells that share a house with it, and the cell itself."""
    near = [0] * len(layout.cells)
    for house in layout.offsets:
        cells = sum(1 << cell for cell in house)
        for cell in house:
            near[cell] |= cells
    return near
