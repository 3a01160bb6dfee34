"""Locked sets and fish in plain Python, each looked for in its own way.

A position is as in `technique_oracle`. Every function yields the sets of candidates that a
technique removes, or the one that it places.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from helpers.technique_oracle import AREAS, LINES, Cell, Position, houses, removed
from pylogic_sudoku import Grid, Puzzle

# --- locked sets ----------------------------------------------------------------------------------


def locked(number: int):
    """Cells of one line and one box with as many digits, which go from both houses."""

    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        for line in map(set, houses(grid, *LINES)):
            for area in map(set, houses(grid, *AREAS)):
                for cells in combinations(sorted(line & area & marks.keys()), number):
                    digits = set().union(*(marks[cell] for cell in cells))
                    in_area = removed(marks, area.difference(cells), digits)
                    in_line = removed(marks, line - area, digits)
                    if len(digits) == number and in_area and in_line:
                        yield in_area | in_line

    return find


# --- fish -----------------------------------------------------------------------------------------


def fish(fins: str, number: int):
    """Fish by counting: rows against columns, or columns against rows, for one digit."""

    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        sees = {
            cell: {other for house in houses(grid) if cell in house for other in house} - {cell}
            for cell in marks
        }
        for digit in range(1, grid.size + 1):
            cells = {cell for cell in marks if digit in marks[cell]}
            rows, columns = (
                [where for house in houses(grid, kind) if (where := cells.intersection(house))]
                for kind in LINES
            )
            for base, cover in ((rows, columns), (columns, rows)):
                for gone in of_one_digit(base, cover, sees, fins, number):
                    yield frozenset((*cell, digit) for cell in gone)

    return find


def of_one_digit(
    lines: list[set[Cell]],
    across: list[set[Cell]],
    sees: dict[Cell, set[Cell]],
    fins: str,
    number: int,
) -> Iterator[set[Cell]]:
    for base in combinations(lines, number):
        based = set().union(*base)
        for cover in combinations([each for each in across if each & based], number):
            covered = set().union(*cover)
            spoiling = based - covered
            left = [len(where - spoiling) for where in base]
            sort = "none" if not spoiling else "sashimi" if min(left) == 1 else "finned"
            if min(left) and fins == sort:
                yield {cell for cell in covered - based if spoiling <= sees[cell]}


SIZES = {"X-wing": 2, "swordfish": 3, "jellyfish": 4}

TECHNIQUES = {
    "locked pair": locked(2),
    "locked triple": locked(3),
}
for name, number in SIZES.items():
    TECHNIQUES[f"finned {name}"] = fish("finned", number)
    TECHNIQUES[f"sashimi {name}"] = fish("sashimi", number)
