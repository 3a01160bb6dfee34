"""Wings, turbot fish and colours in plain Python: the oracle of their programs.

Positions and marks are those of ``technique_oracle``. Every function yields what the steps of its
technique remove; nothing means that there is no step.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, permutations, product

from helpers.technique_oracle import AREAS, LINES, Cell, Mark, Position, houses, removed, spots
from pylogic_sudoku import Grid, Puzzle

Board = Grid | Puzzle
Gone = frozenset[Mark]


def peers(grid: Board) -> dict[Cell, set[Cell]]:
    of: dict[Cell, set[Cell]] = {cell: set() for house in houses(grid) for cell in house}
    for house in houses(grid):
        for cell in house:
            of[cell] |= {other for other in house if other != cell}
    return of


def digits(grid: Board) -> range:
    return range(1, grid.size + 1)


def pairs(grid: Board, marks: Position, digit: int, *kinds: str) -> list[tuple[str, list[Cell]]]:
    """The houses with two places for the digit, by their kind."""
    found = []
    for kind in kinds or (*LINES, *AREAS):
        for house in houses(grid, kind):
            if len(where := spots(marks, house, digit)) == 2:
                found.append((kind, sorted(where)))
    return found


def chains(grid: Board, marks: Position, digit: int):
    """Two strong links, each as its kind, its end and where it touches; and what goes."""
    see = peers(grid)
    for (kind, one), (other, two) in combinations(pairs(grid, marks, digit), 2):
        for (p, q), (s, r) in product(permutations(one), permutations(two)):
            if len({p, q, r, s}) == 4 and r in see[q]:
                yield (kind, p, q), (other, s, r), removed(marks, see[p] & see[s], [digit])


def turbot_fish(grid: Board, marks: Position) -> Iterator[Gone]:
    for digit in digits(grid):
        yield from (gone for *_, gone in chains(grid, marks, digit))


def skyscraper(grid: Board, marks: Position) -> Iterator[Gone]:
    for digit in digits(grid):
        for (kind, p, q), (other, s, r), gone in chains(grid, marks, digit):
            across = 1 if kind == "row" else 0  # what a skyscraper's feet have in common
            parallel = kind == other and kind in LINES
            if parallel and q[across] == r[across] and p[across] != s[across]:
                yield gone


def kite(grid: Board, marks: Position) -> Iterator[Gone]:
    for digit in digits(grid):
        for (kind, _, q), (other, _, r), gone in chains(grid, marks, digit):
            touch = any({q, r} <= set(area) for area in houses(grid, *AREAS))
            if touch and {kind, other} == set(LINES):
                yield gone


def empty_rectangle(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    for digit, area in product(digits(grid), houses(grid, *AREAS)):
        where = spots(marks, area, digit)
        for x, y in product({x for x, _ in where}, {y for _, y in where}):
            row, column = {c for c in where if c[0] == x}, {c for c in where if c[1] == y}
            if row | column != where or not row - column or not column - row:
                continue
            for along, arm, across in ((0, x, y), (1, y, x)):
                for _, two in pairs(grid, marks, digit, LINES[1 - along]):
                    for near, far in permutations(two):
                        if near[along] == arm and near[1 - along] != across and near not in area:
                            cells = {c for c in see[far] if c[1 - along] == across} - {*area}
                            yield removed(marks, cells, [digit])


def w_wing(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    two = [cell for cell in marks if len(marks[cell]) == 2]
    for one, other in combinations(two, 2):
        if marks[one] != marks[other]:
            continue
        for linked in marks[one]:
            (gone,) = marks[one] - {linked}
            for _, ends in pairs(grid, marks, linked):
                for near, far in permutations(ends):
                    if near in see[one] and far in see[other] and not {one, other} & {near, far}:
                        yield removed(marks, see[one] & see[other], [gone])


def xyz_wing(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    for pivot in marks:
        near = [c for c in see[pivot] if len(marks.get(c, ())) == 2 and marks[c] < marks[pivot]]
        for one, other in combinations(near, 2):
            if len(marks[pivot]) == 3 and marks[one] != marks[other]:
                common = marks[one] & marks[other]
                yield removed(marks, see[pivot] & see[one] & see[other], common)


def components(grid: Board, marks: Position, digit: int) -> list[tuple[set[Cell], set[Cell]]]:
    """The two colours of each component of strong links."""
    colour: dict[Cell, tuple[int, int]] = {}
    links = [two for _, two in pairs(grid, marks, digit)]
    for number, start in enumerate(sorted({cell for two in links for cell in two})):
        new = [] if start in colour else [(start, 0)]
        while new:
            cell, side = new.pop()
            if cell not in colour:
                colour[cell] = number, side
                for two in links:
                    new += [(other, 1 - side) for other in two if cell in two and other != cell]
    return [
        tuple({c for c in colour if colour[c] == (number, side)} for side in (0, 1))  # type: ignore
        for number in sorted({number for number, _ in colour.values()})
    ]


def simple_colours(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)
    for digit in digits(grid):
        for one, other in components(grid, marks, digit):
            outside = {c for c in marks if see[c] & one and see[c] & other} - one - other
            yield removed(marks, outside, [digit])
            for colour in (one, other):
                if any(see[cell] & colour for cell in colour):
                    yield removed(marks, colour, [digit])


def multi_colours(grid: Board, marks: Position) -> Iterator[Gone]:
    see = peers(grid)

    def meet(one: set[Cell], other: set[Cell]) -> bool:
        return any(see[cell] & other for cell in one)

    for digit in digits(grid):
        for one, other in permutations(components(grid, marks, digit), 2):
            for (a, b), (c, d) in product(permutations(one), permutations(other)):
                if meet(a, c):
                    cells = {cell for cell in marks if see[cell] & b and see[cell] & d}
                    yield removed(marks, cells, [digit])
                    if meet(a, d):
                        yield removed(marks, a, [digit])


TECHNIQUES = {
    "skyscraper": skyscraper,
    "2-string kite": kite,
    "turbot fish": turbot_fish,
    "empty rectangle": empty_rectangle,
    "W-wing": w_wing,
    "XYZ-wing": xyz_wing,
    "simple colours": simple_colours,
    "multi-colours": multi_colours,
}
