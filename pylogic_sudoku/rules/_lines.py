"""Lines: what the digits do from one cell to the next."""

from __future__ import annotations

from itertools import pairwise

from ._fields import Cells
from ._rule import Digits, Example, Rule, rule

__all__ = ["Thermometer"]


@rule
class Thermometer(Rule):
    """The digits increase from the bulb, the first cell; in a slow one they may stay the same."""

    cells: Cells
    slow: bool = False

    line = True
    least = 2
    example = Example({"cells": "r2c3 r1c2 r1c3"}, "1234 3412 2143 4321", "1324 2413 3142 4231")

    def holds(self, digits: Digits) -> bool:
        return all(
            digits[one] < digits[other] or (self.slow and digits[one] == digits[other])
            for one, other in pairwise(self.cells)
        )
