"""Makers of rules with sums."""

from __future__ import annotations

import random

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import KillerCage, Rule

from .cells import cage


def killer_cage(rng: random.Random, grid: Grid) -> Rule:
    cells = cage(rng, grid, 2, min(4, grid.size))
    n, size = grid.size, len(cells)
    total = sum(grid[cell] for cell in cells) + rng.choice([0, 0, 0, 1])
    least, most = size * (size + 1) // 2, size * (2 * n - size + 1) // 2
    return KillerCage(cells, sum=rng.choice([None, *[max(least, min(total, most))] * 3]))


MAKERS = {"killer_cage": killer_cage}
