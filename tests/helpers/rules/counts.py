"""Makers of rules that count digits, point at cells, or choose among other rules."""

from __future__ import annotations

import random
from collections import Counter

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import (
    AnyOf,
    Contains,
    CountDifferent,
    CountingCircles,
    Index,
    LookAndSay,
    Rule,
)

from . import lines, sets, sums
from .cells import some


def contains(rng: random.Random, grid: Grid) -> Rule:
    cells = some(rng, grid, 2, 5)
    digits = [grid[cell] for cell in cells]
    if rng.random() < 0.3:
        digits[0] = rng.randint(1, grid.size)
    if rng.random() < 0.4:
        return Contains(cells, rng.sample(digits, len(digits)), exactly=True)
    return Contains(cells, rng.sample(digits, rng.randint(1, len(digits))))


def index(rng: random.Random, grid: Grid) -> Rule:
    control = rng.choice(grid.cells)
    size = max(grid[control], rng.randint(2, grid.size))
    cells = some(rng, grid, size, size)
    right = grid[cells[grid[control] - 1]]
    return Index([control], cells, rng.choice([right, right, rng.randint(1, grid.size)]))


def counting_circles(rng: random.Random, grid: Grid) -> Rule:
    """Often all cells of some digits, or as many of them as the digit says."""
    cells = []
    for digit in rng.sample(range(1, min(grid.size, 4) + 1), rng.randint(1, 2)):
        places = [cell for cell in grid.cells if grid[cell] == digit]
        cells += rng.sample(places, min(len(places), digit))
    if rng.random() < 0.2:
        cells.append(rng.choice([cell for cell in grid.cells if cell not in cells]))
    return CountingCircles(rng.sample(cells, len(cells)))


def look_and_say(rng: random.Random, grid: Grid) -> Rule:
    cells = some(rng, grid, 3, 7)
    found = Counter(grid[cell] for cell in cells)
    digits = rng.sample(range(1, grid.size + 1), rng.randint(1, 2))
    counts = [found[digit] for digit in digits]
    if rng.random() < 0.2:
        counts[0] = rng.randint(0, 1)
    return LookAndSay(cells, digits, counts)


def count_different(rng: random.Random, grid: Grid) -> Rule:
    cells = some(rng, grid, 2, 6)
    number = len({grid[cell] for cell in cells})
    right = [cell for cell in grid.cells if grid[cell] == number]
    return CountDifferent([rng.choice(right if rng.random() < 0.8 else grid.cells)], cells)


def any_of(rng: random.Random, grid: Grid) -> Rule:
    """Options of one or two rules, or an any-of within."""
    simple = [
        lines.thermometer,
        sums.killer_cage,
        sets.different,
        contains,
        index,
        sets.MAKERS["anti_knight"],
    ]
    options: list[list[Rule]] = [
        [rng.choice(simple)(rng, grid) for _ in range(rng.choice([1, 2, 2]))]
        for _ in range(rng.choice([1, 2, 2]))
    ]
    if rng.random() < 0.2:
        options.append([AnyOf([[rng.choice(simple)(rng, grid)] for _ in range(2)])])
    return AnyOf(options)


MAKERS = {
    "contains": contains,
    "index": index,
    "counting_circles": counting_circles,
    "look_and_say": look_and_say,
    "count_different": count_different,
    "any_of": any_of,
}
