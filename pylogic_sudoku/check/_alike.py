"""Solutions in another guise: turned, mirrored, or with other digits."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["alike"]

MOST = 400
"""Grids on each side that are compared; each pair takes some microseconds."""

_Digits = tuple[int, ...]


def alike(missing: Collection[Grid], found: Collection[Grid], puzzle: Grid | Puzzle) -> bool:
    """True if each missing solution is one of those found in another guise.

    The grid may be turned or mirrored and its digits exchanged, if that carries the puzzle to
    itself. False as well for puzzles with rules or marks, and for more grids than are compared.
    """
    if isinstance(puzzle, Puzzle) or max(len(missing), len(found)) > MOST:
        return False
    moves = list(_moves(puzzle))
    moved = [[(move, _moved(grid.digits, move)) for move in moves] for grid in found]
    return all(
        any(
            _carries(puzzle.digits, move, digits, lost.digits)
            for each in moved
            for move, digits in each
        )
        for lost in missing
    )


def _moves(grid: Grid) -> Iterator[_Digits]:
    """Yield the turns and mirrors that keep the boxes: where the digit of each cell comes from."""
    n = grid.size
    rows = tuple(tuple(range(row * n, row * n + n)) for row in range(n))
    square = grid.box[0] == grid.box[1]
    for across in (False, True) if square else (False,):
        turned = tuple(zip(*rows, strict=True)) if across else rows
        for upside in (turned, turned[::-1]):
            yield sum(upside, ())
            yield sum((row[::-1] for row in upside), ())


def _moved(digits: _Digits, move: _Digits) -> _Digits:
    return tuple(digits[cell] for cell in move)


def _carries(givens: _Digits, move: _Digits, digits: _Digits, lost: _Digits) -> bool:
    """True if other digits make the moved grid the lost one, and the moved givens the givens."""
    names: dict[int, int] = {0: 0}
    for old, new in zip(digits, lost, strict=True):
        if names.setdefault(old, new) != new:
            return False
    if len(set(names.values())) < len(names):
        return False
    return all(
        names[given] == other for given, other in zip(_moved(givens, move), givens, strict=True)
    )
