"""From a full grid to a puzzle: givens are removed in random order while the solution stays unique.

A set of cells is a whole number here: the cell with offset i adds 2**i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["dig"]


def dig(groups: Sequence[int], least: int, known: list[int], another: Callable[[int], int]) -> int:
    """The cells that remain given when each group in turn is removed if it can be.

    A group can be removed if at least `least` givens remain and the solution remains unique.
    `another` returns the cells in which another solution differs, if only some cells are given,
    or 0. `known` has such sets of cells, of which each puzzle must give at least one; those that
    are found are added.

    A question is about several groups at once. If they can be removed together, each of them can
    in its turn; if not, another solution says which sets of them cannot.
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
            kept, at, size = left, end, 2 * size
    return kept
