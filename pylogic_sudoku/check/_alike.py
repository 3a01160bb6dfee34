"""Solutions in another guise: turned, mirrored, or with other digits."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import count
from operator import itemgetter

from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["alike"]

_Digits = tuple[int, ...]


def alike(missing: Collection[Grid], found: Collection[Grid], puzzle: Grid | Puzzle) -> bool:
    """True if each missing solution is one of those found in another guise.

    The grid may be turned or mirrored and its digits exchanged, if that carries the puzzle to
    itself. False as well for puzzles with rules or marks.
    """
    if isinstance(puzzle, Puzzle):
        return False
    givens = puzzle.digits
    left = {_normal(grid.digits, dict(zip(givens, givens, strict=True))) for grid in missing}
    for move in (itemgetter(*places) for places in _moves(puzzle)):
        names = _exchange(move(givens), givens)
        for grid in found if names else ():
            left.discard(_normal(move(grid.digits), names))
    return not left


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


def _exchange(moved: _Digits, givens: _Digits) -> dict[int, int]:
    """Return the new names of digits that make the moved givens the givens; empty if none do."""
    names = dict(zip(moved, givens, strict=True))
    one_to_one = len(set(names.values())) == len(names) and names.get(0, 0) == 0
    return names if one_to_one and tuple(map(names.get, moved)) == givens else {}


def _normal(digits: _Digits, names: dict[int, int]) -> bytes:
    """Return the grid with the new names; all others are numbered as they come, from 255 down.

    So two grids are the same exactly if an exchange of digits without a given makes them so.
    """
    order, new = dict.fromkeys(digits), count(255, -1)
    called = [names[digit] if digit in names else next(new) for digit in order]
    return bytes(digits).translate(bytes.maketrans(bytes(order), bytes(called)))
