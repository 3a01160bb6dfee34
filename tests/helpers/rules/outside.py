"""Makers of rules for clues beside the grid."""

from __future__ import annotations

import random
from itertools import accumulate

from pylogic_sudoku import Cell, Grid
from pylogic_sudoku.rules import HiddenSkyscraper, Lunchbox, Rule, Sandwich, Skyscraper, XSum

from .cells import cage


def seen(rng: random.Random, grid: Grid) -> tuple[Cell, ...]:
    """A row or column, from one of its ends."""
    number = rng.randint(1, grid.size)
    at = rng.choice([0, 1])
    cells = tuple(cell for cell in grid.cells if cell[at] == number)
    return cells if rng.random() < 0.5 else cells[::-1]


def sandwich(rng: random.Random, grid: Grid) -> Rule:
    cells = seen(rng, grid)
    found = [grid[cell] for cell in cells]
    return Sandwich(cells, between(found))


def lunchbox(rng: random.Random, grid: Grid) -> Rule:
    cells = cage(rng, grid, 2, min(4, grid.size))
    n, size = grid.size, len(cells)
    most = sum(range(max(2, n - size + 2), n))
    return Lunchbox(cells, min(most, between([grid[cell] for cell in cells])))


def x_sum(rng: random.Random, grid: Grid) -> Rule:
    cells = seen(rng, grid)
    if rng.random() < 0.3:
        cells = cells[:-1]
    return XSum(cells, sum(grid[cell] for cell in cells[: grid[cells[0]]]))


def skyscraper(rng: random.Random, grid: Grid) -> Rule:
    cells = seen(rng, grid)
    return Skyscraper(cells, len(set(accumulate((grid[cell] for cell in cells), max))))


def hidden_skyscraper(rng: random.Random, grid: Grid) -> Rule:
    cells = seen(rng, grid)
    found = [grid[cell] for cell in cells]
    hidden = [digit for at, digit in enumerate(found) if at and digit < max(found[:at])]
    return HiddenSkyscraper(cells, (hidden or [1])[0])


def between(found: list[int]) -> int:
    """The sum of the digits between the lowest and the highest."""
    first, last = sorted((found.index(min(found)), found.index(max(found))))
    return sum(found[first + 1 : last])


MAKERS = {
    "sandwich": sandwich,
    "lunchbox": lunchbox,
    "x_sum": x_sum,
    "skyscraper": skyscraper,
    "hidden_skyscraper": hidden_skyscraper,
}
