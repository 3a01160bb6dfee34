"""Makers of rules on sets of cells."""

from __future__ import annotations

import random

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import Different, Rule

from .cells import some


def different(rng: random.Random, grid: Grid) -> Rule:
    if rng.random() < 0.3:  # as many cells as digits
        order = rng.sample(range(grid.size), grid.size)
        return Different([(row + 1, column + 1) for row, column in enumerate(order)])
    return Different(some(rng, grid, 2, 3))


MAKERS = {"different": different}
