"""Symmetries of the pattern of givens."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

__all__ = ["SYMMETRIES", "groups"]

Move = Callable[[int, int, int], tuple[int, int]]


def _rotation(last: int, row: int, column: int) -> tuple[int, int]:
    return last - row, last - column


def _quarter(last: int, row: int, column: int) -> tuple[int, int]:
    return column, last - row


def _mirror(last: int, row: int, column: int) -> tuple[int, int]:
    return row, last - column


def _flip(last: int, row: int, column: int) -> tuple[int, int]:
    return last - row, column


def _diagonal(_last: int, row: int, column: int) -> tuple[int, int]:
    return column, row


def _antidiagonal(last: int, row: int, column: int) -> tuple[int, int]:
    return last - column, last - row


SYMMETRIES: dict[str, tuple[Move, ...]] = {
    "rotation": (_rotation,),
    "quarter": (_quarter,),
    "mirror": (_mirror,),
    "flip": (_flip,),
    "diagonal": (_diagonal,),
    "antidiagonal": (_antidiagonal,),
    "mirrors": (_mirror, _flip),
    "diagonals": (_diagonal, _antidiagonal),
    "full": (_mirror, _diagonal),
}
"""By name, what leaves the pattern of givens as it is: a half turn, a quarter turn, left and right
exchanged, top and bottom, either diagonal as a mirror, two mirrors, and all of them."""


@cache
def groups(size: int, symmetry: str | None) -> tuple[int, ...]:
    """The sets of cells that are given together or not at all, as sums of 2**offset."""
    moves = SYMMETRIES[symmetry] if symmetry else ()
    found: list[int] = []
    seen: set[tuple[int, int]] = set()
    for start in ((row, column) for row in range(size) for column in range(size)):
        group = {start} - seen
        new = list(group)
        while new:
            cell = new.pop()
            images = {move(size - 1, *cell) for move in moves} - group
            group |= images
            new += images
        if group:
            seen |= group
            found.append(sum(1 << row * size + column for row, column in group))
    return tuple(found)
