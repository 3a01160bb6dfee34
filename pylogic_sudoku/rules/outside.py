"""Clues beside the grid, about a row or column; the cells are in the order seen from the clue."""

from __future__ import annotations

from itertools import accumulate

from .base import OTHER, PLAIN, Clue, Digits, Distinct, Example, Rule, Seen, rule
from .sums import different, total


@rule
class Sandwich(Rule):
    """The digits between the lowest and the highest digit of the grid have this sum."""

    cells: Seen
    sum: Clue

    least = 2
    example = Example({"cells": "r1c1 r1c2 r1c3 r1c4", "sum": 3}, OTHER, PLAIN)

    def holds(self, digits: Digits) -> bool:
        sequence = [digits[cell] for cell in self.cells]
        ends = (1, digits.layout.size)
        return (
            all(sequence.count(end) == 1 for end in ends) and between(sequence, *ends) == self.sum
        )


@rule
class Lunchbox(Rule):
    """The digits are all different; those between the lowest and the highest have this sum."""

    cells: Distinct
    sum: Clue

    least = 2
    example = Example({"cells": "r1c1 r1c2 r1c3", "sum": 3}, OTHER, PLAIN)

    def holds(self, digits: Digits) -> bool:
        sequence = [digits[cell] for cell in self.cells]
        unlike = different(self.cells, digits)
        return unlike and between(sequence, min(sequence), max(sequence)) == self.sum


@rule
class XSum(Rule):
    """The first X digits have this sum; X is the first of them."""

    cells: Seen
    sum: Clue

    title = "X-sum"
    example = Example({"cells": "r1c4 r1c3 r1c2 r1c1", "sum": 6}, OTHER, PLAIN)

    def holds(self, digits: Digits) -> bool:
        first = digits[self.cells[0]]
        return first <= len(self.cells) and total(self.cells[:first], digits) == self.sum


@rule
class Skyscraper(Rule):
    """As many digits as the clue says exceed all before them: towers seen from the clue."""

    cells: Seen
    value: Clue

    example = Example({"cells": "r1c1 r1c2 r1c3 r1c4", "value": 3}, OTHER, PLAIN)

    def holds(self, digits: Digits) -> bool:
        sequence = [digits[cell] for cell in self.cells]
        return len(set(accumulate(sequence, max))) == self.value


@rule
class HiddenSkyscraper(Rule):
    """The first digit that is not greater than all before it, a hidden tower, is the value."""

    cells: Seen
    value: Clue

    least = 2
    example = Example({"cells": "r1c1 r1c2 r1c3 r1c4", "value": 2}, OTHER, PLAIN)

    def holds(self, digits: Digits) -> bool:
        sequence = [digits[cell] for cell in self.cells]
        highest = [0, *accumulate(sequence, max)]
        hidden = (digit for digit, top in zip(sequence, highest, strict=False) if digit <= top)
        return next(hidden, None) == self.value


def between(sequence: list[int], one: int, other: int) -> int:
    """The sum of what is between two digits."""
    first, last = sorted((sequence.index(one), sequence.index(other)))
    return sum(sequence[first + 1 : last])
