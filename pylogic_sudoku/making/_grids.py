"""Random full grids."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from itertools import combinations
from random import Random

from .._layout import Layout
from ..errors import NoSolution
from ..grid import Grid
from ._sets import cells_by_digit, exchangeable, near

__all__ = ["full_grid"]

ATTEMPTS = 20
"""How often the cells are filled at random until a search is better."""


def full_grid(
    layout: Layout, random: Random, search: Callable[[int], tuple[int, ...] | None]
) -> Grid:
    """A random full grid; NoSolution if there is none.

    A cell with the fewest digits left, chosen at random, gets one of them at random, and so on;
    when a cell has no digit left, it starts again. So grids that are the same up to symmetry and
    other digits are equally likely. But grids of which more was forced on the way are likelier than
    others, and `_mixed` removes most of that.

    With rules beyond the houses, or if that does not succeed soon, as in large grids, `search`
    finds a grid by a seed.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _filled(layout, random):
            return Grid(_mixed(digits, layout, random), layout.box)
    found = search(random.getrandbits(31))
    if found is None:
        raise NoSolution(f"there is no full grid that keeps all rules of {layout}")
    return Grid(found, layout.box)


def _filled(layout: Layout, random: Random) -> tuple[int, ...] | None:
    """A full grid, or None if a cell had no digit left."""
    peers = _peers(layout)
    every = (1 << layout.size) - 1
    left = [every] * len(peers)
    digits = [0] * len(peers)
    empty = list(range(len(peers)))
    while empty:
        counts = [left[cell].bit_count() for cell in empty]
        fewest = min(counts)
        if not fewest:
            return None
        tied = [at for at, count in enumerate(counts) if count == fewest]
        cell = empty.pop(tied[int(random.random() * len(tied))])
        choices = [digit for digit in range(layout.size) if left[cell] >> digit & 1]
        digit = choices[int(random.random() * fewest)]
        digits[cell] = digit + 1
        taken = ~(1 << digit)
        for peer in peers[cell]:
            left[peer] &= taken
    return tuple(digits)


def _mixed(digits: tuple[int, ...], layout: Layout, random: Random) -> tuple[int, ...]:
    """The grid after random exchanges of two digits in parts of it, two for each cell.

    All results of an exchange are equally likely, and so are those of its reverse. So each exchange
    brings the grids nearer to being equally likely, or leaves them as they are.
    """
    cells, around = cells_by_digit(digits, layout.size), near(layout)
    pairs = list(combinations(range(layout.size), 2))
    for one, other in random.choices(pairs, k=2 * len(digits)) if pairs else ():
        for each in exchangeable(cells[one] | cells[other], around):
            if random.random() < 0.5:
                cells[one] ^= each
                cells[other] ^= each
    found = [0] * len(digits)
    for digit, left in enumerate(cells, 1):
        while left:
            found[left.bit_length() - 1] = digit
            left &= ~(1 << left.bit_length() - 1)
    return tuple(found)


@lru_cache(32)
def _peers(layout: Layout) -> list[list[int]]:
    peers: list[set[int]] = [set() for _ in layout.cells]
    for house in layout.offsets:
        for cell in house:
            peers[cell].update(house)
    return [sorted(each - {cell}) for cell, each in enumerate(peers)]
