"""Makers of rules on pairs of cells."""

from __future__ import annotations

import random
from itertools import pairwise

from pylogic_sudoku import Cell, Grid
from pylogic_sudoku.rules import (
    Clone,
    Difference,
    Greater,
    Maximum,
    Minimum,
    Negative,
    PairSum,
    PairTable,
    Ratio,
    Rule,
)

from .cells import cage, line, some, touching


def neighbours(rng: random.Random, grid: Grid) -> tuple[Cell, Cell]:
    """Two cells that share a side."""
    one = rng.choice(grid.cells)
    return one, rng.choice(touching(one, grid, diagonal=False))


def difference(rng: random.Random, grid: Grid) -> Rule:
    one, other = pair = neighbours(rng, grid)
    return Difference(pair, value=rng.choice([1, abs(grid[one] - grid[other])]))


def ratio(rng: random.Random, grid: Grid) -> Rule:
    one, other = pair = neighbours(rng, grid)
    low, high = sorted((grid[one], grid[other]))
    return Ratio(pair, value=2 if high % low else high // low)


def pair_sum(rng: random.Random, grid: Grid) -> Rule:
    one, other = pair = some(rng, grid, 2, 2)
    value = grid[one] + grid[other] - (rng.random() < 0.2)
    return PairSum(pair, value=max(2, value))


def greater(rng: random.Random, grid: Grid) -> Rule:
    cells = sorted(line(rng, grid, 2, 4), key=lambda cell: -grid[cell])
    if len({grid[cell] for cell in cells}) < len(cells):
        cells = cells[:2]
    return Greater(cells)


def negative(rng: random.Random, grid: Grid) -> Rule:
    """All pairs with one of the relations are exempt, or nearly all."""
    differences = rng.sample(range(1, grid.size), rng.randint(0, 1))
    ratios = rng.sample([2, 3], rng.randint(0, 1))
    sums = [grid.size + 1] if rng.random() < 0.5 or not differences + ratios else []
    sides = [
        (one, other)
        for one in grid.cells
        for other in touching(one, grid, diagonal=False)
        if one < other
    ]
    exempt = []
    for side in sides:
        low, high = sorted(grid[cell] for cell in side)
        related = high - low in differences or low + high in sums
        if related or any(high == ratio * low for ratio in ratios) or rng.random() < 0.1:
            exempt.append(side if rng.random() < 0.5 else side[::-1])
    if exempt and rng.random() < 0.3:
        exempt.pop(rng.randrange(len(exempt)))
    return Negative(differences, ratios, sums, exempt)


def pair_table(rng: random.Random, grid: Grid) -> Rule:
    pairs = list(pairwise(line(rng, grid, 2, 4)))
    allowed = {(grid[one], grid[other]) for one, other in pairs[rng.random() < 0.2 :]}
    allowed |= {(rng.randint(1, grid.size), rng.randint(1, grid.size)) for _ in range(3)}
    return PairTable(pairs, sorted(allowed))


def clone(rng: random.Random, grid: Grid) -> Rule:
    """Of a few random ones, one that the grid obeys if there is any."""
    while True:
        for _ in range(20):
            cells = cage(rng, grid, 1, 2)
            down, right = rng.choice(grid.cells)
            moved = [(row + down - 2, column + right - 2) for row, column in cells]
            copies = [cell for cell in grid.cells if cell in moved]
            copies.sort(key=moved.index)
            if len(copies) < len(cells) or copies == list(cells):
                continue
            if all(grid[one] == grid[other] for one, other in zip(cells, copies, strict=True)):
                break
        if len(copies) == len(cells) and copies != list(cells):
            return Clone(cells, copies)


def extreme(rng: random.Random, grid: Grid, sign: int) -> tuple[Cell, ...]:
    """Cells that are less than their neighbours; greater if the sign is -1."""
    cells = [
        cell
        for cell in grid.cells
        if all(sign * grid[cell] < sign * grid[each] for each in touching(cell, grid, False))
    ]
    cells = rng.sample(cells, min(len(cells), rng.randint(1, 3)))
    if rng.random() < 0.2 or not cells:
        cells.append(rng.choice(grid.cells))
    if rng.random() < 0.3:  # two neighbours
        lowest = min(touching(cells[0], grid, False), key=lambda cell: sign * grid[cell])
        cells.append(lowest)
    return tuple(dict.fromkeys(cells))


def minimum(rng: random.Random, grid: Grid) -> Rule:
    return Minimum(extreme(rng, grid, 1))


def maximum(rng: random.Random, grid: Grid) -> Rule:
    return Maximum(extreme(rng, grid, -1))


MAKERS = {
    "clone": clone,
    "difference": difference,
    "greater": greater,
    "maximum": maximum,
    "minimum": minimum,
    "negative": negative,
    "pair_sum": pair_sum,
    "pair_table": pair_table,
    "ratio": ratio,
}
