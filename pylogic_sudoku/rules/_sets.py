"""Sets of cells, and moves over the whole grid, where no digit may repeat."""

from __future__ import annotations

from .._layout import Layout
from ._fields import Cells
from ._rule import Digits, Example, Rule, rule

__all__ = ["Different"]


@rule
class Different(Rule):
    """The digits are all different: a diagonal, an extra region, a set of a disjoint group.

    If there are n cells, they hold every digit, as a house does.
    """

    cells: Cells
    name: str = ""
    """What people call the set, such as ``"diagonal"``."""

    example = Example(
        {"cells": "r1c1 r2c2 r3c3 r4c4"}, "1234 3412 4321 2143", "1234 3412 2143 4321"
    )

    def problem(self, layout: Layout) -> str | None:
        n, size = layout.size, len(self.cells)
        if len(set(self.cells)) < size:
            return "a cell is named twice"
        return f"{size} cells, but there are {n} digits" if size > n else None

    def holds(self, digits: Digits) -> bool:
        return len({digits[cell] for cell in self.cells}) == len(self.cells)
