"""Sets of cells, and rules over the whole grid."""

from __future__ import annotations

from collections.abc import Iterator

from .._layout import Cell, Layout
from ._fields import Cells, Groups
from ._rule import Digits, Example, Rule, rule

__all__ = ["AntiKing", "AntiKnight", "AntiTaxicab", "Different", "GlobalEntropy", "SameValues"]


def repeated(cells: Cells) -> str | None:
    """What is wrong if a cell is named twice."""
    return "a cell is named twice" if len(set(cells)) < len(cells) else None


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
        return repeated(self.cells)

    def impossible(self, layout: Layout) -> str | None:
        n, size = layout.size, len(self.cells)
        return f"{size} cells, but there are {n} digits" if size > n else None

    def holds(self, digits: Digits) -> bool:
        return len({digits[cell] for cell in self.cells}) == len(self.cells)


def moved(digits: Digits, *moves: tuple[int, int]) -> Iterator[tuple[int, int | None]]:
    """Each digit, and what is at the end of a move from it; None outside the grid."""
    for (row, column), digit in digits.items():
        for down, right in moves:
            yield digit, digits.get(Cell(row + down, column + right))


@rule
class AntiKnight(Rule):
    """No two cells a knight's move apart hold the same digit."""

    example = Example({}, "2134 4312 3421 1243", "1234 3412 2143 4321")

    def holds(self, digits: Digits) -> bool:
        return all(one != other for one, other in moved(digits, (1, 2), (1, -2), (2, 1), (2, -1)))


@rule
class AntiKing(Rule):
    """No two cells a king's move apart hold the same digit."""

    example = Example(
        {},
        "926438517 487561293 153279486 298156374 534927168 671843952 842615739 365792841 719384625",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def holds(self, digits: Digits) -> bool:
        return all(one != other for one, other in moved(digits, (0, 1), (1, -1), (1, 0), (1, 1)))


@rule
class AntiTaxicab(Rule):
    """No two cells with the digit N are exactly N steps apart.

    A step goes to the next row or the next column.
    """

    example = Example(
        {},
        "832965174 194837256 576241983 359486721 267193845 481572369 743618592 928354617 615729438",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def holds(self, digits: Digits) -> bool:
        return not any(
            digits.get(Cell(row + down, column + right)) == digit
            for (row, column), digit in digits.items()
            for down in range(digit + 1)
            for right in (digit - down, down - digit)
        )


@rule
class SameValues(Rule):
    """Each group of cells holds the same digits equally often, in any order."""

    groups: Groups

    example = Example(
        {"groups": ["r1c1 r1c2", "r3c1 r4c4"]}, "1234 3412 2143 4321", "1234 3412 2341 4123"
    )

    def problem(self, layout: Layout) -> str | None:
        if len(self.groups) < 2 or not self.groups[0]:
            return "expected two or more groups of cells"
        if len(set(map(len, self.groups))) > 1:
            return "the groups have different numbers of cells"
        return next(filter(None, map(repeated, self.groups)), None)

    def holds(self, digits: Digits) -> bool:
        return len({tuple(sorted(digits[cell] for cell in group)) for group in self.groups}) == 1


@rule
class GlobalEntropy(Rule):
    """Each square of 2x2 cells holds a low, a middle and a high digit: 1-3, 4-6 and 7-9.

    In grids of other sizes these are thirds too; of one digit or two too many, the middle third
    gets the one, the other thirds get the two.
    """

    example = Example(
        {},
        "291354678 846917352 537268491 925673814 678142539 314895726 483521967 159786243 762439185",
        "123456789 456789123 789123456 231564897 564897231 897231564 312645978 645978312 978312645",
    )

    def problem(self, layout: Layout) -> str | None:
        return None if layout.size >= 3 else "a grid of 3x3 cells or more has three thirds"

    def holds(self, digits: Digits) -> bool:
        n = max(row for row, _ in digits)
        outer = (n + 1) // 3

        def third(digit: int) -> int:
            return 0 if digit <= outer else 2 if digit > n - outer else 1

        thirds = {cell: third(digit) for cell, digit in digits.items()}
        square = [(0, 0), (0, 1), (1, 0), (1, 1)]
        return all(
            len({thirds[Cell(row + down, column + right)] for down, right in square}) == 3
            for row in range(1, n)
            for column in range(1, n)
        )
