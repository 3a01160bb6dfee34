"""Steps by two almost locked sets in plain Python, with sets of cells and no lists of links.

A position is as in `technique_oracle`. Every function yields the sets of candidates that go.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from helpers.technique_oracle import Cell, Mark, Position, houses
from pylogic_sudoku import Grid, Puzzle

Set = frozenset[Cell]


class Sets:
    """The almost locked sets of a position, and what sees what."""

    def __init__(self, grid: Grid | Puzzle, marks: Position) -> None:
        self.marks = marks
        self.peers = {
            cell: {peer for house in houses(grid) if cell in house for peer in house} - {cell}
            for cell in marks
        }
        largest = grid.size - 1 if grid.size <= 9 else 4
        self.digits: dict[Set, set[int]] = {}
        for house in houses(grid):
            for size in range(1, largest + 1):
                for cells in combinations([cell for cell in house if cell in marks], size):
                    held = set().union(*(marks[cell] for cell in cells))
                    if len(held) == size + 1:
                        self.digits[frozenset(cells)] = held

    def spots(self, cells: Set, digit: int) -> set[Cell]:
        return {cell for cell in cells if digit in self.marks[cell]}

    def seeing(self, cells: set[Cell], digit: int) -> set[Mark]:
        """The candidates of the digit that see all cells."""
        return {
            (*cell, digit)
            for cell in self.marks
            if digit in self.marks[cell] and cells <= self.peers[cell]
        }

    def restricted(self, one: Set, other: Set) -> set[int]:
        return {
            digit
            for digit in self.digits[one] & self.digits[other]
            if all(
                second in self.peers[first]
                for first in self.spots(one, digit)
                for second in self.spots(other, digit)
            )
        }

    def common(self, one: Set, other: Set, without: set[int]) -> set[Mark]:
        """What sees all cells of a digit that both sets hold."""
        held = self.digits[one] & self.digits[other] - without
        return set().union(
            *(self.seeing(self.spots(one, each) | self.spots(other, each), each) for each in held)
        )


def als_xz(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    sets = Sets(grid, marks)
    for one, other in combinations(sets.digits, 2):
        digits = sets.restricted(one, other)
        if len(digits) == 1:
            yield frozenset(sets.common(one, other, digits))
        elif digits:
            gone = sets.common(one, other, set())
            for each in (one, other):
                for digit in sets.digits[each] - digits:
                    seeing = sets.seeing(sets.spots(each, digit), digit)
                    gone |= {mark for mark in seeing if mark[:2] not in one | other}
            yield frozenset(gone)
