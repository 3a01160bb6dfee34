"""Random full grids."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ..errors import NoSolution
from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["full_grid"]

ATTEMPTS = 20
"""How often the cells are filled at random until a search is better."""


def full_grid(
    empty: Grid | Puzzle, random: Random, search: Callable[[int], tuple[int, ...] | None]
) -> Grid:
    """A random solution of a grid without givens; NoSolution if there is none.

    The cell with the fewest digits left gets one of them at random, until all are filled; with a
    cell without a digit it starts again. That is not quite uniform: a grid is more likely if more
    was forced on the way. Where this seldom succeeds, as in large grids, `search` finds one by a
    seed.
    """
    for _ in range(ATTEMPTS if not empty.layout.rules else 0):
        if found := _filled(empty, random):
            return Grid(found, empty.box)
    digits = search(random.getrandbits(31))
    if digits is None:
        raise NoSolution(f"no full grid keeps all rules of {empty.layout}")
    return Grid(digits, empty.box)


def _filled(empty: Grid | Puzzle, random: Random) -> tuple[int, ...] | None:
    size = empty.size
    peers: list[set[int]] = [set() for _ in empty.digits]
    for house in empty.layout.offsets:
        for cell in house:
            peers[cell].update(house)
    left = [(1 << size) - 1] * len(peers)
    digits = [0] * len(peers)
    open_cells = set(range(len(peers)))
    while open_cells:
        fewest = min(left[cell].bit_count() for cell in open_cells)
        if not fewest:
            return None
        cell = random.choice([c for c in sorted(open_cells) if left[c].bit_count() == fewest])
        bit = random.choice([1 << d for d in range(size) if left[cell] >> d & 1])
        digits[cell] = bit.bit_length()
        open_cells.discard(cell)
        for peer in peers[cell]:
            left[peer] &= ~bit
    return tuple(digits)
