"""Which puzzles are the same up to symmetry and other digits, with a few bytes kept for each.

The canonical form of a puzzle takes about as long as making it. So puzzles are first compared by
their *trait*: a number that is the same for puzzles that are alike, and nearly never for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from hashlib import blake2b

from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["Seen", "trait"]


class Seen:
    """The puzzles so far, by number; `remake` makes one of them again."""

    def __init__(self, remake: Callable[[int], Grid | Puzzle]) -> None:
        self._remake = remake
        # By trait: the number of the only puzzle, or else the canonical forms of them all.
        self._found: dict[int, int | set[int]] = {}

    def is_new(self, number: int, puzzle: Grid | Puzzle, its_trait: int) -> bool:
        """True unless an earlier puzzle is the same; this one is added."""
        earlier = self._found.get(its_trait)
        if earlier is None:
            self._found[its_trait] = number
            return True
        if isinstance(earlier, int):
            earlier = self._found[its_trait] = {_form(self._remake(earlier))}
        before = len(earlier)
        earlier.add(_form(puzzle))
        return len(earlier) > before


def trait(puzzle: Grid | Puzzle) -> int:
    """For each digit, how many givens the row, the column and the box have of each of its cells."""
    if isinstance(puzzle, Puzzle):  # the same only if equal
        return _hash(str(puzzle))
    size, (height, width) = puzzle.size, puzzle.box
    places = [
        (digit, ("row", row), ("column", column), ("box", row // height, column // width))
        for row, digits in enumerate(puzzle.rows)
        for column, digit in enumerate(digits)
        if digit
    ]
    number = Counter(house for _, *houses in places for house in houses)
    cells: list[list[tuple[int, ...]]] = [[] for _ in range(size)]
    for digit, row, column, box in places:
        lines = number[row], number[column]
        cells[digit - 1].append((*sorted(lines), number[box]))
    return _hash(repr(sorted(map(sorted, cells))))


def _form(puzzle: Grid | Puzzle) -> int:
    return _hash(str(puzzle.canonical() if isinstance(puzzle, Grid) else puzzle))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
