"""Techniques that assume one solution, in plain Python: the oracle of ``uniqueness.lp``.

Positions are as in ``technique_oracle``: candidates by cell. Each function yields the sets of
candidates that a step by its technique removes. It looks at all pairs of rows, columns and digits.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from helpers.technique_oracle import Cell, Mark, Position, removed
from pylogic_sudoku import Grid, Puzzle

Removed = frozenset[Mark]
MOST_CELLS = 5


def houses_of(grid: Grid | Puzzle, *cells: Cell) -> list[set[Cell]]:
    """The houses that contain all these cells."""
    found = [{(x, y) for x, y in house.cells} for house in grid.houses]
    return [house for house in found if house.issuperset(cells)]


def see_all(grid: Grid | Puzzle, cells) -> set[Cell]:
    seen = [set().union(*houses_of(grid, cell)) - {cell} for cell in cells]
    return set.intersection(*seen) - set(cells)


def rectangles(grid: Grid | Puzzle) -> Iterator[list[Cell]]:
    """Corners, row by row, such that two and two are in each of two boxes, in the same line."""
    n = grid.size
    area = {
        (x, y): house.number
        for house in grid.houses
        if house.kind not in ("row", "column")
        for x, y in house.cells
    }
    for x, u in combinations(range(1, n + 1), 2):
        for y, v in combinations(range(1, n + 1), 2):
            a, b, c, d = corners = [(x, y), (x, v), (u, y), (u, v)]
            along = area[a] == area[b] != area[c] == area[d]
            across = area[a] == area[c] != area[b] == area[d]
            if along or across:
                yield corners


def open_rectangles(grid: Grid | Puzzle, marks: Position):
    """Corners, the two digits, the floor and the roof."""
    for corners in rectangles(grid):
        if not all(corner in marks for corner in corners):
            continue
        for pair in {frozenset(marks[c]) for c in corners if len(marks[c]) == 2}:
            if all(marks[corner] & pair for corner in corners):
                roof = [corner for corner in corners if marks[corner] - pair]
                yield corners, pair, [c for c in corners if c not in roof], roof


def type_1(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    for _, pair, _, roof in open_rectangles(grid, marks):
        if len(roof) == 1:
            yield removed(marks, roof, pair)


def same_extra(aligned: bool):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
        for _, pair, _, roof in open_rectangles(grid, marks):
            extra = set().union(*(marks[c] - pair for c in roof)) if roof else set()
            in_line = len(roof) == 2 and bool({roof[0][0], -roof[0][1]} & {roof[1][0], -roof[1][1]})
            if len(roof) in (2, 3) and len(extra) == 1 and in_line == aligned:
                yield removed(marks, see_all(grid, roof), extra)

    return find


def roofs_in_line(grid: Grid | Puzzle, marks: Position):
    for corners, pair, _, roof in open_rectangles(grid, marks):
        if len(roof) == 2 and (roof[0][0] == roof[1][0] or roof[0][1] == roof[1][1]):
            for house in houses_of(grid, *roof):
                yield corners, pair, roof, house


def type_3(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    for _, pair, roof, house in roofs_in_line(grid, marks):
        extra = set().union(*(marks[c] - pair for c in roof))
        others = sorted(c for c in house if c in marks and c not in roof)
        for size in range(1, min(MOST_CELLS, len(others)) + 1):
            for members in combinations(others, size):
                digits = extra.union(*(marks[c] for c in members))
                if len(digits) == size + 1:
                    both = houses_of(grid, *roof, *members)
                    cells = set().union(*both) - {*roof, *members}
                    yield removed(marks, cells, digits)


def type_4(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    for _, pair, roof, house in roofs_in_line(grid, marks):
        for strong in pair:
            where = {c for c in house if strong in marks.get(c, ())}
            if where and where <= {*roof}:
                yield removed(marks, roof, pair - {strong})


def type_6(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    for corners, pair, _, roof in open_rectangles(grid, marks):
        if roof not in ([corners[0], corners[3]], [corners[1], corners[2]]):
            continue
        for strong in pair:
            for along in (0, 1):
                where = [
                    {c for c in marks if c[along] == line and strong in marks[c]}
                    for line in {c[along] for c in corners}
                ]
                if all(cells and cells <= {*corners} for cells in where):
                    yield removed(marks, roof, {strong})


def hidden(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    for corners, pair, floor, _ in open_rectangles(grid, marks):
        for x, y in floor:
            (far,) = [c for c in corners if c[0] != x and c[1] != y]
            for strong in pair:
                where = [
                    {c for c in marks if c[along] == far[along] and strong in marks[c]}
                    for along in (0, 1)
                ]
                if all(cells and cells <= {*corners} for cells in where):
                    yield removed(marks, [far], pair - {strong})


def avoidable(grid: Grid | Puzzle, marks: Position, given: set[Cell]):
    """The open corners of rectangles that are partly filled, and the digits to avoid there."""
    for corners in rectangles(grid):
        if given & {*corners}:
            continue
        may = [marks.get((x, y)) or {grid.rows[x - 1][y - 1]} for x, y in corners]
        for a in may[0] & may[3]:
            for b in (may[1] & may[2]) - {a}:
                digit = dict(zip(corners, (a, b, b, a), strict=True))
                yield {c: digit[c] for c in corners if c in marks}


def avoidable_1(given: set[Cell]):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
        for left in avoidable(grid, marks, given):
            if len(left) == 1:
                yield removed(marks, left, left.values())

    return find


def avoidable_2(given: set[Cell]):
    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
        for left in avoidable(grid, marks, given):
            extra = [marks[cell] - {digit} for cell, digit in left.items()]
            if len(extra) == 2 and extra[0] == extra[1] and len(extra[0]) == 1:
                yield removed(marks, see_all(grid, left), extra[0])

    return find


def bug_plus_1(grid: Grid | Puzzle, marks: Position) -> Iterator[Removed]:
    more = [cell for cell, digits in marks.items() if len(digits) != 2]
    if len(more) != 1 or len(marks[more[0]]) != 3:
        return
    for extra in marks[more[0]]:
        without = marks | {more[0]: marks[more[0]] - {extra}}
        numbers = {
            sum(digit in without.get((x, y), ()) for x, y in house.cells)
            for house in grid.houses
            for digit in range(1, grid.size + 1)
        }
        if numbers <= {0, 2}:
            yield removed(marks, more, marks[more[0]] - {extra})


def techniques(given: set[Cell]):
    """Each technique by its key; `given` are the cells of the givens."""
    return {
        "unique_rectangle_1": type_1,
        "unique_rectangle_2": same_extra(True),
        "unique_rectangle_3": type_3,
        "unique_rectangle_4": type_4,
        "unique_rectangle_5": same_extra(False),
        "unique_rectangle_6": type_6,
        "hidden_rectangle": hidden,
        "avoidable_rectangle_1": avoidable_1(given),
        "avoidable_rectangle_2": avoidable_2(given),
        "bug_plus_1": bug_plus_1,
    }
