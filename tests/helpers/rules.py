"""For each kind of rule, a maker of rules to test with, and grids that obey what few grids obey.

A maker gets a random number generator and a full grid, and returns a rule for grids of that layout:
often one that the grid obeys, so that tests see both answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial

from pylogic_sudoku import Grid
from pylogic_sudoku.making.rules import draw
from pylogic_sudoku.rules import KINDS, Rule

__all__ = ["MAKERS", "Maker", "fitting"]

Maker = Callable[[random.Random, Grid], Rule]


def _made(kind: str, rng: random.Random, grid: Grid) -> Rule:
    """In two cases of three one that the grid obeys, if it is found soon."""
    return draw(kind, grid, rng, holds=True if rng.random() < 0.66 else None)


MAKERS: dict[str, Maker] = {kind: partial(_made, kind) for kind in KINDS}
"""By kind, for those of the package: a test may define more."""

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
