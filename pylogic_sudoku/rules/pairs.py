"""Pairs of cells: dots, letters and signs between two cells, copies, cells beside their neighbours.

Neighbours here share a side.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from operator import eq, gt, lt

from ..puzzle.cells import Cell, Cells, Layout, sides
from .base import (
    MIXED,
    NONE,
    PLAIN,
    CellsField,
    Clue,
    Digits,
    Distinct,
    Example,
    NumberGroupsField,
    NumbersField,
    Pair,
    Pairs,
    Part,
    Rule,
    Split,
    rule,
)


@rule
class Difference(Rule):
    """One of the two digits is greater by 1, or another value, than the other: a white dot."""

    cells: Pair
    value: Clue = 1

    example = Example({"cells": "r1c1 r1c2"}, PLAIN, MIXED)

    def holds(self, digits: Digits) -> bool:
        one, other = (digits[cell] for cell in self.cells)
        return abs(one - other) == self.value


@rule
class Ratio(Rule):
    """One of the two digits is 2 times, or another value times, the other: a black dot."""

    cells: Pair
    value: Clue = 2

    example = Example({"cells": "r1c1 r1c2"}, PLAIN, MIXED)

    def holds(self, digits: Digits) -> bool:
        one, other = (digits[cell] for cell in self.cells)
        return one == self.value * other or other == self.value * one


@rule
class PairSum(Rule):
    """The two digits add up to a value: 10 for an X, 5 for a V."""

    cells: Pair
    value: Clue

    example = Example({"cells": "r1c2 r1c3", "value": 5}, PLAIN, "1243 3412 2134 4321")

    def holds(self, digits: Digits) -> bool:
        return sum(digits[cell] for cell in self.cells) == self.value


@rule
class Greater(Split):
    """The digit of each cell is greater than that of the next."""

    cells: Distinct

    least = 2
    example = Example({"cells": "r2c2 r1c2"}, PLAIN, "1423 3214 2341 4132")

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(gt, pairwise(self.cells))


@rule
class Negative(Split):
    """No two neighbours have one of these differences, ratios or sums, but for the exempt pairs.

    With difference 1 and no exempt pair, neighbours are not consecutive. If all dots are given, the
    differences are 1, the ratios are 2, and the pairs with a dot of either kind are exempt.
    """

    differences: NumbersField = NONE
    ratios: NumbersField = NONE
    sums: NumbersField = NONE
    exempt: Pairs = NONE

    title = "negative constraint"
    example = Example({"sums": [5]}, "2134 4312 3421 1243", PLAIN)

    def problems(self, layout: Layout) -> Iterator[str]:
        if not self.differences + self.ratios + self.sums:
            yield "expected differences, ratios or sums"
        for name, least in (("differences", 0), ("ratios", 1), ("sums", 2)):
            for value in getattr(self, name):
                if value < least:
                    yield f"the {name} have {value}; expected {least} or more"

    def parts(self, layout: Layout) -> Iterator[Part]:
        exempt = {frozenset(pair) for pair in self.exempt}
        pairs = ((one, other) for one in layout.cells for other in sides(one, layout.size))
        yield Part(
            self._unrelated,
            [pair for pair in pairs if pair[0] < pair[1] and frozenset(pair) not in exempt],
        )

    def _unrelated(self, one: int, other: int) -> bool:
        return (
            abs(one - other) not in self.differences
            and one + other not in self.sums
            and not any(one == ratio * other or other == ratio * one for ratio in self.ratios)
        )


def nonconsecutive() -> Negative:
    """No two neighbours hold consecutive digits."""
    return Negative(differences=[1])


@rule
class PairTable(Split):
    """Each pair of cells holds one of the pairs of digits that are allowed, in this order."""

    pairs: Pairs
    allowed: NumberGroupsField

    example = Example(
        {"pairs": ["r1c1 r1c2", "r2c2 r2c1"], "allowed": [[1, 2], [4, 3]]},
        PLAIN,
        "1243 4312 2134 3421",
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if not self.pairs or not self.allowed:
            yield "expected a pair of cells or more, and a pair of digits or more that is allowed"
        n = layout.size
        for pair in self.allowed:
            if len(pair) != 2 or not all(1 <= digit <= n for digit in pair):
                yield f"{list(pair)} is allowed; expected two digits from 1 to {n}"

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(lambda *digits: digits in self.allowed, self.pairs)


@rule
class Clone(Split):
    """The copies, cells of the same shape elsewhere, hold the same digits in the same order."""

    cells: CellsField
    copies: CellsField

    example = Example(
        {"cells": "r1c1 r1c2", "copies": "r3c2 r3c3"}, "4213 1342 3421 2134", "3214 1432 2341 4123"
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if len(self.copies) != len(self.cells):
            yield f"expected as many copies as cells, {len(self.cells)}, not {len(self.copies)}"
        pairs = list(zip(self.cells, self.copies, strict=False))
        moves = {(copy.row - cell.row, copy.column - cell.column) for cell, copy in pairs}
        if len(moves) > 1:
            yield "the copies do not have the same shape as the cells"
        if moves == {(0, 0)}:
            yield "each cell is its own copy"

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(eq, zip(self.cells, self.copies, strict=True))


@rule
class Minimum(Split):
    """Each of the cells is less than its neighbours that are not among the cells."""

    cells: CellsField

    example = Example({"cells": "r1c1"}, PLAIN, "2134 3412 1243 4321")

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(lt, _around(self.cells, layout))


@rule
class Maximum(Split):
    """Each of the cells is greater than its neighbours that are not among the cells."""

    cells: CellsField

    example = Example({"cells": "r1c4"}, PLAIN, "1243 3412 2134 4321")

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(gt, _around(self.cells, layout))


def _around(cells: Cells, layout: Layout) -> Iterator[tuple[Cell, Cell]]:
    """Each of the cells with each neighbour that is not one of them."""
    for cell in cells:
        for other in sides(cell, layout.size):
            if other not in cells:
                yield cell, other
