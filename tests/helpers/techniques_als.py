"""Techniques of almost locked sets in plain Python, with sets of cells and no lists of links.

A position is as in `technique_oracle`. Every function yields the sets of candidates that go.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, combinations, permutations, product

from helpers.technique_oracle import LINES, Cell, Mark, Position, houses
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

    def common(self, sets: list[Set], without: set[int]) -> set[Mark]:
        """What sees all cells of a digit that all these sets hold."""
        held = set.intersection(*(self.digits[each] for each in sets)) - without
        spots = {digit: set().union(*(self.spots(each, digit) for each in sets)) for digit in held}
        return set().union(*(self.seeing(spots[digit], digit) for digit in held))


def als_xz(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    sets = Sets(grid, marks)
    for one, other in combinations(sets.digits, 2):
        digits = sets.restricted(one, other)
        if len(digits) == 1:
            yield frozenset(sets.common([one, other], digits))
        elif digits:
            gone = sets.common([one, other], set())
            for each in (one, other):
                for digit in sets.digits[each] - digits:
                    seeing = sets.seeing(sets.spots(each, digit), digit)
                    gone |= {mark for mark in seeing if mark[:2] not in one | other}
            yield frozenset(gone)


def als_chain(lengths: range):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        sets = Sets(grid, marks)
        ties = {one: [] for one in sets.digits}
        for one, other in permutations(sets.digits, 2):
            ties[one] += [(digit, other) for digit in sets.restricted(one, other)]

        def follow(row: list[Set], path: list[int]) -> Iterator[frozenset]:
            if len(row) in lengths:
                yield frozenset(sets.common([row[0], row[-1]], {path[0], path[-1]}))
            if len(row) < lengths[-1]:
                for digit, other in ties[row[-1]]:
                    if [digit] != path[-1:] and other not in row:
                        yield from follow([*row, other], [*path, digit])

        return chain.from_iterable(follow([each], []) for each in sets.digits)

    return find


def death_blossom(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    sets = Sets(grid, marks)
    for stem, digits in marks.items():
        petals = [
            [
                each
                for each in sets.digits
                if digit in sets.digits[each] and sets.spots(each, digit) <= sets.peers[stem]
            ]
            for digit in sorted(digits)
        ]
        for chosen in product(*petals) if len(digits) > 1 else ():
            if len({*chosen}) == len(chosen) and set.intersection(
                *(sets.digits[each] for each in chosen)
            ):
                gone = sets.common([*chosen], digits)
                yield frozenset(mark for mark in gone if mark[:2] != stem)


def sue_de_coq(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    areas = [set(house) & marks.keys() for house in houses(grid, "box", "region")]
    lines = [set(house) & marks.keys() for house in houses(grid, *LINES)]
    for line, area in product(lines, areas):
        for size in (2, 3):
            for crossing in combinations(sorted(line & area), size):
                yield from _sue_de_coq(marks, line, area, set(crossing))


def _sue_de_coq(
    marks: Position, line: set[Cell], area: set[Cell], crossing: set[Cell]
) -> Iterator[frozenset]:
    shared = _held(marks, crossing)
    for one in _some(line - crossing):
        in_line = _held(marks, one)
        for other in _some(area - crossing - one):
            in_area = _held(marks, other)
            eased = len(one) - len(in_line - shared), len(other) - len(in_area - shared)
            if (
                in_line & in_area & shared
                or not in_line & shared
                or not in_area & shared
                or min(eased) < 1
                or sum(eased) != len(shared) - len(crossing)
            ):
                continue
            alone = shared - in_line - in_area
            yield frozenset(
                {(*c, d) for c in line - crossing - one for d in marks[c] & (in_line | alone)}
                | {(*c, d) for c in area - crossing - other for d in marks[c] & (in_area | alone)}
            )


def _held(marks: Position, cells: set[Cell]) -> set[int]:
    return set().union(*(marks[cell] for cell in cells))


def _some(cells: set[Cell]) -> Iterator[set[Cell]]:
    for size in range(1, len(cells) + 1):
        yield from map(set, combinations(sorted(cells), size))


TECHNIQUES = {
    "ALS-XZ": als_xz,
    "ALS-XY-wing": als_chain(range(3, 4)),
    "ALS-XY-chain": als_chain(range(4, 6)),
    "death blossom": death_blossom,
    "Sue de Coq": sue_de_coq,
}
