"""Makers of rules on lines."""

from __future__ import annotations

import random

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import Rule, Thermometer

from .cells import line


def thermometer(rng: random.Random, grid: Grid) -> Rule:
    cells = line(rng, grid, 2, 4)
    up = grid[cells[0]] < grid[cells[-1]]
    return Thermometer(cells if up else cells[::-1], slow=rng.random() < 0.3)


MAKERS = {"thermometer": thermometer}
