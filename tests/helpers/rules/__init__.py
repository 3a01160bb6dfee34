"""For each kind of rule, a maker of rules to test with.

A maker gets a random number generator and a full grid, and returns a rule for grids of that layout:
often one that the grid obeys, so that tests see both answers.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from pylogic_sudoku import Grid
from pylogic_sudoku.rules import Rule

from . import counts, lines, outside, pairs, sets, sums
from .sets import fitting

__all__ = ["MAKERS", "Maker", "fitting"]

Maker = Callable[[random.Random, Grid], Rule]

MAKERS: dict[str, Maker] = {}
"""By kind."""
for _family in (counts, lines, outside, pairs, sets, sums):
    MAKERS |= _family.MAKERS
