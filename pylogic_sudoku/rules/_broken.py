"""The rules that digits break, also if some cells are empty."""

from __future__ import annotations

from collections.abc import Iterator

from .._layout import Cell
from ..errors import InvalidPuzzle
from ..puzzle import Puzzle
from ._rule import Digits, Rule

__all__ = ["broken_rules"]


def broken_rules(puzzle: Puzzle) -> Iterator[Rule]:
    """The rules that the digits of the puzzle break, in its order.

    With empty cells these are the rules that can be decided without a look at any of them.
    """
    if not puzzle.rules:
        return
    digits = _Known(puzzle.digits, puzzle.layout)
    for rule in puzzle.rules:
        try:
            holds = rule.holds(digits)
        except (_Empty, InvalidPuzzle):  # of these, only an engine can check a rule of one's own
            continue
        if not holds:
            yield rule


class _Empty(Exception):
    """The digit of an empty cell is asked for."""


class _Known(Digits):
    """The digits of a grid, of which those of empty cells cannot be read."""

    def __getitem__(self, cell: Cell) -> int:
        digit = super().__getitem__(cell)
        if not digit:
            raise _Empty
        return digit
