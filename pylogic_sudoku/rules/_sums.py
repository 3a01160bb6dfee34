"""Sums: of a cage, of an arrow, of a line."""

from __future__ import annotations

from .._layout import Layout
from ._fields import Cells
from ._rule import Digits, Example, Rule, rule

__all__ = ["KillerCage"]


@rule
class KillerCage(Rule):
    """The digits are all different, and their sum is the clue if there is one."""

    cells: Cells
    sum: int | None = None

    example = Example(
        {"cells": "r1c1 r1c2 r2c2", "sum": 7}, "1234 3412 2143 4321", "1324 2413 3142 4231"
    )

    def problem(self, layout: Layout) -> str | None:
        n, size = layout.size, len(set(self.cells))
        if size > n:
            return f"{size} cells cannot all be different, as there are {n} digits"
        low, high = size * (size + 1) // 2, size * (2 * n - size + 1) // 2
        if self.sum is not None and not low <= self.sum <= high:
            return f"{size} different digits have a sum from {low} to {high}"
        return None

    def holds(self, digits: Digits) -> bool:
        found = [digits[cell] for cell in self.cells]
        different = len({digits[cell] for cell in self.cells}) == len(set(self.cells))
        return different and self.sum in (None, sum(found))
