"""A constraint string of ISS taken apart: its cells, lines and pairs, and rules within rules."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from .._geometry import column, neighbours, row
from .._layout import Cell
from ..errors import InvalidPuzzle, shown
from ._made import made

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["IGNORED", "Frame", "Item", "Reader"]

IGNORED = ("SearchPriority",)
"""Constraints that only advise the solver."""

_DIGITS = "0123456789abcdefg"
"""Rows and columns are numbers in base 17, so that each is one character up to 16."""
_CELL = re.compile(r"R([0-9a-g])C([0-9a-g])", re.ASCII | re.IGNORECASE)


class Item(NamedTuple):
    """A constraint, with those within it."""

    name: str
    arguments: tuple[str, ...]
    within: tuple[Item, ...] = ()


class Frame:
    """A grid of this size, in which constraints become rules."""

    def __init__(self, size: int, items: list[Item], kinds: dict[str, Reader]) -> None:
        self.size = size
        self.items = items
        self.kinds = kinds

    def rules(self, item: Item) -> list[Rule]:
        """The rules of one constraint; InvalidPuzzle, which names it, if it is wrong."""
        try:
            return list(self._rules(item))
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f".{item.name}: {error}") from None

    def _rules(self, item: Item) -> Iterator[Rule]:
        if item.name == "And":
            for each in item.within:
                yield from self.rules(each)
        elif item.name == "Or":
            yield made("any_of", options=[self.rules(each) for each in item.within])
        elif item.name == "Given":
            for argument in item.arguments:
                yield self._holds(*self.given(argument))
        elif item.name in self.kinds:
            yield from self.kinds[item.name](self, item)
        elif item.name not in IGNORED:
            raise InvalidPuzzle("it may not stand within .Or or .And")

    def _holds(self, cell: Cell, digits: list[int]) -> Rule:
        """The rule that the cell holds one of the digits."""
        rules = [made("contains", cells=[cell], digits=[digit]) for digit in digits]
        return rules[0] if len(rules) == 1 else made("any_of", options=[[each] for each in rules])

    def given(self, argument: str) -> tuple[Cell, list[int]]:
        """The cell and the digits of a given, such as ``R1C1_5``."""
        name, *digits = argument.split("_")
        found = [self.number(digit) for digit in digits]
        if not found or not all(1 <= digit <= self.size for digit in found):
            raise InvalidPuzzle(f"{argument!r} is not a cell with digits from 1 to {self.size}")
        return self.cell(name), found

    def is_cell(self, name: str) -> bool:
        """True if it looks like the name of a cell."""
        return _CELL.fullmatch(name) is not None

    def cell(self, name: str) -> Cell:
        match = _CELL.fullmatch(name)
        if match is None:
            raise InvalidPuzzle(f"{shown(name)} is not a cell of the grid; expected such as R1C1")
        row, column = (_DIGITS.index(each.lower()) for each in match.groups())
        if not (1 <= row <= self.size and 1 <= column <= self.size):
            raise InvalidPuzzle(f"{name} is not a cell of a {self.size}x{self.size} grid")
        return Cell(row, column)

    def cells(self, names: tuple[str, ...]) -> list[Cell]:
        if not names:
            raise InvalidPuzzle("there are no cells")
        return [self.cell(name) for name in names]

    def number(self, text: str) -> int:
        if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
            raise InvalidPuzzle(f"{shown(text)} stands where a whole number is expected")
        return int(text)

    def line(self, name: str, back: bool = False) -> tuple[Cell, ...]:
        """The cells of a row or column, ``R3`` or ``C2``, from the front or from behind."""
        match = re.fullmatch(r"([RC])([0-9a-g]{1,2})", name, re.ASCII | re.IGNORECASE)
        at = int(match[2], 17) if match else 0
        if match is None or not 1 <= at <= self.size:
            raise InvalidPuzzle(f"{shown(name)} is not a row or column; expected such as R1 or C1")
        cells = row(at, self.size) if match[1] in "Rr" else column(at, self.size)
        return cells[::-1] if back else cells

    def pairs(self, item: Item) -> list[tuple[Cell, Cell]]:
        """The pairs of orthogonal neighbours among the cells."""
        cells = self.cells(item.arguments)
        found = [pair for pair in combinations(cells, 2) if neighbours(*pair)]
        if not found:
            raise InvalidPuzzle("none of the cells are neighbours")
        return found

    def marked(self, *names: str) -> list[tuple[Cell, Cell]]:
        """The pairs with one of these marks, alone or within .And."""

        def inside(items: list[Item]) -> Iterator[tuple[Cell, Cell]]:
            for item in items:
                if item.name in names:
                    yield from self.pairs(item)
                elif item.name == "And":
                    yield from inside(list(item.within))

        return list(inside(self.items))


Reader = Callable[[Frame, Item], "Iterator[Rule]"]
"""What reads a constraint of one name."""
