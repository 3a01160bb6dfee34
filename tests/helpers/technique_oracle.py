"""Techniques in plain Python, each looked for in its own way: the oracle of the steps.

A position is a dict from cells to sets of digits, the candidates of every open cell, by row and
column from 1. Every function yields the sets of candidates (cell, digit) that its technique
removes, or the one that it places.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations

from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from pylogic_sudoku import Grid, Placement, Puzzle
from pylogic_sudoku.puzzle.cells import candidate_rows

Cell = tuple[int, int]
Position = dict[Cell, set[int]]
Mark = tuple[int, int, int]

LINES, AREAS = ["row", "column"], ["box", "region"]


def position(step) -> Position:
    """The candidates before a step."""
    return {
        (x, y): set(digits)
        for x, row in enumerate(step.candidates, 1)
        for y, digits in enumerate(row, 1)
        if digits
    }


def houses(grid: Grid | Puzzle, *kinds: str) -> list[list[Cell]]:
    return [[*house.cells] for house in grid.houses if not kinds or house.kind in kinds]


def spots(marks: Position, house: list[Cell], digit: int) -> set[Cell]:
    return {cell for cell in house if digit in marks.get(cell, ())}


def full_house(grid: Grid | Puzzle, marks: Position) -> Iterator[Mark]:
    for house in houses(grid):
        empty = [cell for cell in house if cell in marks]
        if len(empty) == 1:
            held = {grid.rows[x - 1][y - 1] for x, y in house}
            yield (*empty[0], *(set(range(1, grid.size + 1)) - held))


def naked_single(grid: Grid | Puzzle, marks: Position) -> Iterator[Mark]:
    for cell, digits in marks.items():
        if len(digits) == 1:
            yield (*cell, *digits)


def hidden_single(grid: Grid | Puzzle, marks: Position) -> Iterator[Mark]:
    for house in houses(grid):
        if sum(cell in marks for cell in house) == 1:
            continue  # a full house
        for digit in range(1, grid.size + 1):
            if len(where := spots(marks, house, digit)) == 1:
                yield (*where.pop(), digit)


def removed(marks: Position, cells, digits) -> frozenset[Mark]:
    return frozenset((*c, d) for c in cells for d in digits if d in marks.get(c, ()))


def locked(
    grid: Grid | Puzzle, marks: Position, inside: list[str], other: list[str]
) -> Iterator[frozenset]:
    for one in houses(grid, *inside):
        for two in houses(grid, *other):
            for digit in range(1, grid.size + 1):
                where = spots(marks, one, digit)
                if where and where <= set(two):
                    yield removed(marks, set(two) - set(one), [digit])


def pointing(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    return locked(grid, marks, AREAS, LINES)


def claiming(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    return locked(grid, marks, LINES, AREAS)


def naked(number: int):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        for house in houses(grid):
            cells = [cell for cell in house if len(marks.get(cell, ())) in range(1, number + 1)]
            for chosen in combinations(cells, number):
                digits = set().union(*(marks[cell] for cell in chosen))
                if len(digits) == number:
                    yield removed(marks, set(house) - set(chosen), digits)

    return find


def hidden(number: int):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        for house in houses(grid):
            at = {d: spots(marks, house, d) for d in range(1, grid.size + 1)}
            for digits in combinations([d for d in at if 1 <= len(at[d]) <= number], number):
                cells = set().union(*(at[d] for d in digits))
                if len(cells) == number:
                    yield removed(marks, cells, set(range(1, grid.size + 1)) - set(digits))

    return find


def fish(number: int):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        for along in (0, 1):
            for digit in range(1, grid.size + 1):
                lines: dict[int, set[int]] = {}
                for cell, digits in marks.items():
                    if digit in digits:
                        lines.setdefault(cell[along], set()).add(cell[1 - along])
                few = [line for line in lines if len(lines[line]) <= number]
                for chosen in combinations(few, number):
                    cover = set().union(*(lines[line] for line in chosen))
                    if len(cover) == number:
                        cells = {
                            c for c in marks if c[1 - along] in cover and c[along] not in chosen
                        }
                        yield removed(marks, cells, [digit])

    return find


def xy_wing(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    peers = {c: {p for h in houses(grid) if c in h for p in h if p != c} for c in marks}
    two = {cell for cell, digits in marks.items() if len(digits) == 2}
    for pivot in two:
        for one, other in combinations(sorted(two & peers[pivot]), 2):
            common = marks[one] & marks[other] - marks[pivot]
            shares = [marks[pivot] & marks[pincer] for pincer in (one, other)]
            if len(common) == 1 and shares[0] | shares[1] == marks[pivot]:
                yield removed(marks, peers[one] & peers[other], common)


TECHNIQUES = {
    "full house": full_house,
    "naked single": naked_single,
    "hidden single": hidden_single,
    "pointing": pointing,
    "claiming": claiming,
    "naked pair": naked(2),
    "hidden pair": hidden(2),
    "naked triple": naked(3),
    "hidden triple": hidden(3),
    "naked quad": naked(4),
    "X-wing": fish(2),
    "hidden quad": hidden(4),
    "swordfish": fish(3),
    "jellyfish": fish(4),
    "XY-wing": xy_wing,
}


def what(step) -> Mark | frozenset[Mark]:
    """What a step does, as the functions here tell it."""
    return step.placed or frozenset(step.removed)


# --- random positions ---


def solved(shape: tuple[int, int] | int, seed: int) -> tuple[Grid, str | None]:
    """A full grid with boxes, or of a jigsaw of this size and its regions."""
    if isinstance(shape, int):
        return next(all_solutions(jigsaw(shape, KEEP[shape], seed % 100))), REGIONS[shape]
    return full_grid(shape, seed), None


def random_position(
    shape: tuple[int, int] | int, seed: int, share: int, extra: int
) -> tuple[Puzzle, frozenset[Placement]]:
    """Some cells of a full grid, and for the others their digit and some of those that fit.

    A shape is that of a box, or the size of a jigsaw. In a hundred, `share` cells are filled, and
    `extra` digits that fit are candidates.
    """
    solution, regions = solved(shape, seed)
    rng = random.Random(seed)
    n = solution.size
    kept = rng.sample(solution.cells, n * n * share // 100)
    puzzle = Puzzle(solution.without(*(set(solution.cells) - set(kept))), regions=regions)
    taken = {
        (cell, puzzle[other])
        for house in puzzle.houses
        for cell in house.cells
        for other in house.cells
    }
    left = {
        Placement(*cell, digit)
        for cell in puzzle.cells
        if cell not in kept
        for digit in range(1, n + 1)
        if digit == solution[cell] or ((cell, digit) not in taken and rng.randrange(100) < extra)
    }
    return puzzle, frozenset(left)


def few_digits(
    shape: tuple[int, int] | int, seed: int, digits: int, extra: int
) -> tuple[Puzzle, frozenset[Placement]]:
    """A full grid without its lowest digits, and in their cells their digit and others of these.

    In a hundred, `extra` of the others are candidates. With two digits, nearly all pairs are equal.
    """
    solution, regions = solved(shape, seed)
    rng = random.Random(seed)
    left = {
        Placement(*cell, digit)
        for cell in solution.cells
        if solution[cell] <= digits
        for digit in range(1, digits + 1)
        if digit == solution[cell] or rng.randrange(100) < extra
    }
    cells = {placement.cell for placement in left}
    return Puzzle(solution.without(*cells), regions=regions), frozenset(left)


def by_cell(left: Iterable[Mark]) -> Position:
    """The candidates of each cell."""
    marks: Position = {}
    for x, y, digit in left:
        marks.setdefault((x, y), set()).add(digit)
    return marks


def rows(left: Iterable[Mark], grid: Grid):
    cells = [set() for _ in grid.digits]
    for x, y, digit in left:
        cells[(x - 1) * grid.size + y - 1].add(digit)
    return candidate_rows(cells, grid.size)
