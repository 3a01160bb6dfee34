"""From a full grid to a puzzle: givens are removed in random order while the solution stays unique.

A set of cells is a whole number here: the cell with offset i adds 2**i.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

__all__ = ["dig", "removed_in_turn"]


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
