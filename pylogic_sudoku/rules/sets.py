"""Sets of cells, and rules over the whole grid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from operator import ne

from ..puzzle.cells import Cell, Layout
from .base import PLAIN, CellSet, CellSets, Example, Numbers, Part, Split, rule


@rule
class Different(Split):
    """The digits are all different: a diagonal, an extra region, a set of a disjoint group.

    If there are n cells, they hold every digit, as a house does.
    """

    cells: CellSet
    name: str = ""
    """The usual name of the set, such as ``"diagonal"``."""

    example = Example({"cells": "r1c1 r2c2 r3c3 r4c4"}, "1234 3412 4321 2143", PLAIN)

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(ne, combinations(self.cells, 2))


def moves(layout: Layout, *steps: tuple[int, int]) -> Iterator[tuple[Cell, Cell]]:
    """Each cell with the cell that is this many rows down and columns right of it."""
    for row, column in layout.cells:
        for down, right in steps:
            if 1 <= row + down <= layout.size and 1 <= column + right <= layout.size:
                yield Cell(row, column), Cell(row + down, column + right)


@rule
class AntiKnight(Split):
    """No two cells a knight's move apart hold the same digit."""

    example = Example({}, "2134 4312 3421 1243", PLAIN)

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(ne, moves(layout, (1, 2), (1, -2), (2, 1), (2, -1)))


@rule
class AntiKing(Split):
    """No two cells a king's move apart hold the same digit."""

    example = Example(
        {},
        "926438517 487561293 153279486 298156374 534927168 671843952 842615739 365792841 719384625",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def parts(self, layout: Layout) -> Iterator[Part]:
        # The other moves of a king stay in a row or a column, where no digit is repeated anyway.
        yield Part(ne, moves(layout, (1, -1), (1, 1)))


@rule
class AntiTaxicab(Split):
    """No two cells with the digit N are exactly N steps apart.

    A step goes to the next row or the next column.
    """

    example = Example(
        {},
        "832965174 194837256 576241983 359486721 267193845 481572369 743618592 928354617 615729438",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def parts(self, layout: Layout) -> Iterator[Part]:
        for digit in range(1, layout.size + 1):
            steps = {
                (down, right) for down in range(digit + 1) for right in (digit - down, down - digit)
            }
            yield Part(
                lambda *both, digit=digit: both != (digit, digit), moves(layout, *sorted(steps))
            )


@rule
class SameValues(Split):
    """Each group of cells holds the same digits equally often, in any order."""

    groups: CellSets

    example = Example({"groups": ["r1c1 r1c2", "r3c1 r4c4"]}, PLAIN, "1234 3412 2341 4123")

    def problems(self, layout: Layout) -> Iterator[str]:
        if len(self.groups) < 2 or not self.groups[0]:
            yield "expected two or more groups of cells"
        if len(set(map(len, self.groups))) > 1:
            yield "the groups have different numbers of cells"

    def parts(self, layout: Layout) -> Iterator[Part]:
        first, *others = self.groups
        half = len(first)
        yield Part(
            lambda *digits: sorted(digits[:half]) == sorted(digits[half:]),
            [first + other for other in others],
            [half, half],
        )


def thirds(size: int) -> tuple[Numbers, Numbers, Numbers]:
    """The low, the middle and the high digits."""
    digits = tuple(range(1, size + 1))
    outer = (size + 1) // 3
    return digits[:outer], digits[outer : size - outer], digits[size - outer :]


@rule
class GlobalEntropy(Split):
    """Each square of 2x2 cells holds a low, a middle and a high digit: 1-3, 4-6 and 7-9.

    Grids of other sizes have thirds too: one extra digit goes to the middle third, two extra
    digits go to the low and the high third.
    """

    example = Example(
        {},
        "291354678 846917352 537268491 925673814 678142539 314895726 483521967 159786243 762439185",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def problems(self, layout: Layout) -> Iterator[str]:
        if layout.size < 3:
            yield "a grid of 3x3 cells or more has three thirds"

    def parts(self, layout: Layout) -> Iterator[Part]:
        numbers = range(1, layout.size)
        corners = [(0, 0), (0, 1), (1, 0), (1, 1)]
        squares = [
            [Cell(row + down, column + right) for down, right in corners]
            for row in numbers
            for column in numbers
        ]
        for third in thirds(layout.size):
            others = tuple(digit for digit in range(1, layout.size + 1) if digit not in third)
            yield Part(
                lambda *digits, third=third: any(digit in third for digit in digits),
                squares,
                [4],
                (third, others),
            )
