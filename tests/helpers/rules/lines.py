"""Makers of rules on lines."""

from __future__ import annotations

import random
from collections.abc import Callable

from pylogic_sudoku import Cell, Grid
from pylogic_sudoku.rules import (
    BetweenLine,
    Digits,
    EntropicLine,
    LockoutLine,
    ModularLine,
    Nabner,
    Palindrome,
    Renban,
    Rule,
    Thermometer,
    Whispers,
)

from .cells import line, touching


def obeyed(
    rng: random.Random, grid: Grid, make: Callable[[tuple[Cell, ...]], Rule], least: int, most: int
) -> Rule:
    """A rule on a line: in two cases of three one that the grid obeys, if it is found soon."""
    digits = Digits(grid.digits, grid.layout)
    wanted = rng.random() < 0.66
    for attempt in range(30):
        found = make(line(rng, grid, least, most if attempt < 15 else least))
        if not wanted or found.holds(digits):
            break
    return found


def thermometer(rng: random.Random, grid: Grid) -> Rule:
    cells = line(rng, grid, 2, 4)
    up = grid[cells[0]] < grid[cells[-1]]
    return Thermometer(cells if up else cells[::-1], slow=rng.random() < 0.3)


def whispers(rng: random.Random, grid: Grid) -> Rule:
    if rng.random() < 0.2:  # a loop
        one = rng.choice(grid.cells)
        two = rng.choice(touching(one, grid))
        three = rng.choice([cell for cell in touching(one, grid) if cell in touching(two, grid)])
        return Whispers((one, two, three, one), difference=1)
    difference = rng.randint(1, grid.size // 2)
    return obeyed(rng, grid, lambda cells: Whispers(cells, difference=difference), 2, 4)


def renban(rng: random.Random, grid: Grid) -> Rule:
    return obeyed(rng, grid, Renban, 2, 4)


def nabner(rng: random.Random, grid: Grid) -> Rule:
    return obeyed(rng, grid, Nabner, 2, (grid.size + 1) // 2)


def palindrome(rng: random.Random, grid: Grid) -> Rule:
    return obeyed(rng, grid, Palindrome, rng.randint(2, 3), 5)


def between_line(rng: random.Random, grid: Grid) -> Rule:
    return obeyed(rng, grid, BetweenLine, 3, 5)


def lockout_line(rng: random.Random, grid: Grid) -> Rule:
    difference = rng.randint(1, grid.size // 2)
    return obeyed(rng, grid, lambda cells: LockoutLine(cells, difference=difference), 2, 4)


def entropic_line(rng: random.Random, grid: Grid) -> Rule:
    return obeyed(rng, grid, EntropicLine, 2, 5)


def modular_line(rng: random.Random, grid: Grid) -> Rule:
    modulus = rng.randint(2, min(4, grid.size))
    return obeyed(rng, grid, lambda cells: ModularLine(cells, modulus=modulus), 2, 5)


MAKERS = {
    "between_line": between_line,
    "entropic_line": entropic_line,
    "lockout_line": lockout_line,
    "modular_line": modular_line,
    "nabner": nabner,
    "palindrome": palindrome,
    "renban": renban,
    "thermometer": thermometer,
    "whispers": whispers,
}
