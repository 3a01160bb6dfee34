"""Sums: of a cage, of an arrow, of a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import accumulate, chain, combinations, groupby, pairwise
from operator import ne

from ..errors import counted
from ..puzzle.cells import Cell, Cells, Layout
from .base import (
    MIXED,
    NONE,
    OTHER,
    PLAIN,
    Cage,
    CellSet,
    CellSets,
    CellsField,
    Clue,
    ClueOrNone,
    Diagonal,
    Digits,
    Example,
    Groups,
    Line,
    NumbersField,
    Part,
    Rule,
    Split,
    rule,
)


@rule
class KillerCage(Rule):
    """The digits are all different, and their sum is the clue if there is one."""

    cells: CellSet
    sum: ClueOrNone = None

    example = Example({"cells": "r1c1 r1c2 r2c2", "sum": 7}, PLAIN, MIXED)

    def impossible(self, layout: Layout) -> Iterator[str]:
        n, number = layout.size, len(self.cells)
        if number > n:
            yield f"{number} cells, but there are {n} digits"
        elif self.sum is not None:
            least, most = number * (number + 1) // 2, number * (2 * n + 1 - number) // 2
            if not least <= self.sum <= most:
                sums = f"{least} to {most}" if least < most else str(least)
                yield f"expected a sum of {sums} for {counted(number, 'cell')}"

    def holds(self, digits: Digits) -> bool:
        return different(self.cells, digits) and self.sum in (None, total(self.cells, digits))

    def parts(self, layout: Layout) -> Iterator[Part]:
        if self.sum is None:
            yield Part(ne, combinations(self.cells, 2))
        else:
            yield from Rule.parts(self, layout)


@rule
class Total(Rule):
    """The digits, each times the weight of its cell, have this sum; digits may repeat.

    A cell may be named twice.
    """

    cells: CellsField
    sum: int
    weights: NumbersField = NONE
    """A number for each cell, such as -1; 1 for each if there are none."""

    example = Example({"cells": "r1c1 r1c2 r2c3", "sum": 4}, PLAIN, "1234 3421 2143 4312")

    def problems(self, layout: Layout) -> Iterator[str]:
        weights, cells = len(self.weights), len(self.cells)
        if weights not in (0, cells):
            yield f"{weights} weights for {cells} cells; expected one for each cell, or none"

    def alike(self) -> Groups:
        return () if self.weights else (self.cells,)

    def holds(self, digits: Digits) -> bool:
        weights = self.weights or (1,) * len(self.cells)
        terms = (digits[cell] * weight for cell, weight in zip(self.cells, weights, strict=True))
        return sum(terms) == self.sum


@rule
class Arrow(Rule):
    """The digits along the arm have the sum in the circle; they may repeat.

    Several circle cells are a pill: one number in decimal digits, read in the given order. On
    larger grids only its first cell may hold a digit of 10 or more.
    """

    circle: CellsField
    arm: Cage

    example = Example(
        {"circle": "r1c1", "arm": "r1c2 r2c1"}, "3142 2431 1324 4213", "3142 4231 1324 2413"
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        for name, cells in (("circle", self.circle), ("arm", self.arm)):
            if not cells:
                yield f"no cells in its {name}; expected 1 or more"
        if len(self.circle) > 6:
            yield f"{len(self.circle)} cells in its circle; expected 6 or fewer"

    def holds(self, digits: Digits) -> bool:
        number = 0
        for cell in self.circle:
            number = 10 * number + digits[cell]
        later = all(digits[cell] < 10 for cell in self.circle[1:])
        return later and number == total(self.arm, digits)


@rule
class LittleKiller(Rule):
    """The digits along a diagonal have this sum; they may repeat."""

    cells: Diagonal
    """In the order that one sees from the clue."""
    sum: Clue

    example = Example({"cells": "r1c2 r2c3 r3c4", "sum": 6}, PLAIN, "1234 3421 2143 4312")

    def holds(self, digits: Digits) -> bool:
        return total(self.cells, digits) == self.sum


@rule
class RegionSumLine(Split):
    """Each run of the line within one box or region has the same sum.

    If the line comes back to a region, that is another run. Cells that are in no box or region are
    passed over.
    """

    cells: Line
    regions: CellSets = NONE
    """Regions for this line alone, instead of the boxes or regions of the puzzle."""

    example = Example({"cells": "r1c1 r1c2 r1c3"}, OTHER, MIXED)

    def problems(self, layout: Layout) -> Iterator[str]:
        cells = list(chain(*self.regions))
        if len(set(cells)) < len(cells):
            yield "a cell is in two of its regions"
        if not all(self.regions):
            yield "a region without cells"

    def parts(self, layout: Layout) -> Iterator[Part]:
        areas = self.regions or [house.cells for house in layout.blocks]
        area = {cell: number for number, cells in enumerate(areas) for cell in cells}
        inside = (cell for cell in self.cells if cell in area)
        runs = [tuple(run) for _, run in groupby(inside, area.__getitem__)]
        for one, other in pairwise(runs):
            yield Part(partial(equal_sums, len(one)), [one + other], [len(one), len(other)])


@rule
class ZipperLine(Split):
    """Two cells at the same distance from the middle have the same sum, wherever they are.

    If there is a cell in the middle, its digit is that sum. A line of two cells obeys the rule.
    """

    cells: Line

    example = Example({"cells": "r1c1 r1c2 r1c3 r1c4"}, MIXED, OTHER)

    def parts(self, layout: Layout) -> Iterator[Part]:
        half, odd = divmod(len(self.cells), 2)
        pairs = list(zip(self.cells[:half], self.cells[::-1], strict=False))
        if odd:
            middle = self.cells[half : half + 1]
            yield Part(partial(equal_sums, 2), [pair + middle for pair in pairs], [2, 1])
        else:
            both = [one + other for one, other in pairwise(pairs)]
            yield Part(partial(equal_sums, 2), both, [2, 2])


@rule
class SumLine(Rule):
    """The line splits into pieces that each have this sum.

    In a loop the last cell is beside the first one, and a piece may go across.
    """

    cells: Line
    sum: int = 10
    loop: bool = False

    example = Example({"cells": "r1c1 r1c2 r1c3", "sum": 4}, OTHER, PLAIN)

    def problems(self, layout: Layout) -> Iterator[str]:
        if self.sum < 1:
            yield f"sum is {self.sum}; expected 1 or more"

    def holds(self, digits: Digits) -> bool:
        sums = list(accumulate((digits[cell] for cell in self.cells), initial=0))
        pieces, rest = divmod(sums.pop(), self.sum)
        # A piece starts wherever the sum so far is a multiple, or in a loop that and an offset.
        starts = [each % self.sum for each in sums]
        offsets = range(self.sum) if self.loop else [0]
        return rest == 0 and any(starts.count(offset) == pieces for offset in offsets)


@rule
class DoubleArrow(Rule):
    """The digits between the two ends of the line have the same sum as the ends.

    No grid obeys it on a line of one or two cells, since nothing is between the ends.
    """

    cells: Line

    example = Example({"cells": "r1c1 r1c2 r1c3 r1c4"}, MIXED, OTHER)

    def alike(self) -> Groups:
        inner = self.cells[1:-1]
        return ((self.cells[0], *self.cells[1:][len(inner) :]), inner)

    def holds(self, digits: Digits) -> bool:
        ends, inner = self.alike()
        return total(inner, digits) == total(ends, digits)


@rule
class RellikCage(Rule):
    """The digits are all different, and no non-empty subset has this sum."""

    cells: CellSet
    sum: int

    example = Example({"cells": "r1c1 r1c2 r1c3", "sum": 6}, OTHER, PLAIN)

    def problems(self, layout: Layout) -> Iterator[str]:
        if self.sum < 1:
            yield f"the sum is {self.sum}; expected 1 or more"

    def holds(self, digits: Digits) -> bool:
        if not different(self.cells, digits):
            return False
        sums = {0}
        for cell in self.cells:
            sums |= {each + digits[cell] for each in sums}
        return self.sum not in sums


def total(cells: Iterable[Cell], digits: Digits) -> int:
    """The sum of the digits in these cells."""
    return sum(digits[cell] for cell in cells)


def equal_sums(first: int, *digits: int) -> bool:
    """True if the `first` digits have the same sum as the others."""
    return sum(digits[:first]) == sum(digits[first:])


def different(cells: Cells, digits: Digits) -> bool:
    """True if no two cells hold the same digit."""
    distinct = set(cells)
    return len({digits[cell] for cell in distinct}) == len(distinct)
