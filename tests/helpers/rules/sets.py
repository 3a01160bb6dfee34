"""Makers of rules on sets of cells, and of grids that obey rules over the whole grid."""

from __future__ import annotations

import random

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import (
    AntiKing,
    AntiKnight,
    AntiTaxicab,
    Different,
    GlobalEntropy,
    Rule,
    SameValues,
)

from .cells import some


def different(rng: random.Random, grid: Grid) -> Rule:
    if rng.random() < 0.3:  # as many cells as digits
        order = rng.sample(range(grid.size), grid.size)
        return Different([(row + 1, column + 1) for row, column in enumerate(order)])
    return Different(some(rng, grid, 2, 3))


def same_values(rng: random.Random, grid: Grid) -> Rule:
    """Often cells that hold the same digits in this grid."""
    first = some(rng, grid, 2, 4)
    groups = [first]
    for _ in range(rng.randint(1, 2)):
        group = []
        for cell in first:
            same = [other for other in grid.cells if grid[other] == grid[cell]]
            others = same if rng.random() < 0.9 else grid.cells
            group.append(rng.choice([other for other in others if other not in group]))
        rng.shuffle(group)
        groups.append(tuple(group))
    return SameValues(groups)


MAKERS = {
    "different": different,
    "anti_knight": lambda _rng, _grid: AntiKnight(),
    "anti_king": lambda _rng, _grid: AntiKing(),
    "anti_taxicab": lambda _rng, _grid: AntiTaxicab(),
    "same_values": same_values,
    "global_entropy": lambda _rng, _grid: GlobalEntropy(),
}

FITTING = {
    "anti_knight": ["4132 2314 3241 1423"],
    "anti_king": ["653142 142563 236415 415326 324651 561234"],
    "anti_taxicab": ["352461 641352 426135 135624 213546 564213"],
    "global_entropy": ["214536 635214 521463 346152 162345 453621"],
}
"""Grids that obey a rule which few grids obey."""


def fitting(kind: str, box: tuple[int, int], seed: int) -> Grid | None:
    """A grid of this box shape that obeys such a rule: one of those above, turned or mirrored."""
    for text in FITTING.get(kind, ()):
        rows = [list(map(int, row)) for row in text.split()]
        if len(rows) == box[0] * box[1]:
            if seed % 2:
                rows = rows[::-1]
            if seed % 3:
                rows = [row[::-1] for row in rows]
            return Grid.from_rows(rows, box)
    return None
