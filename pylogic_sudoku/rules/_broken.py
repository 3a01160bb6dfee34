"""The rules that digits break, also if some cells are empty."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InvalidPuzzle
from ..puzzle import Puzzle
from ._rule import Empty, Known, Rule

__all__ = ["broken_rules"]


def broken_rules(puzzle: Puzzle) -> Iterator[Rule]:
    """The rules that the digits of the puzzle break, in its order.

    With empty cells these are the rules that can be decided without a look at any of them.
    """
    if not puzzle.rules:
        return
    digits = Known(puzzle.digits, puzzle.layout)
    for rule in puzzle.rules:
        try:
            holds = rule.holds(digits)
        except (Empty, InvalidPuzzle):  # of these, only an engine can check a rule of one's own
            continue
        if not holds:
            yield rule
