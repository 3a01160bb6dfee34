"""Locked sets, fish and templates in plain Python, each looked for in its own way.

A position is as in `technique_oracle`. Every function yields the sets of candidates that a
technique removes, or the one that it places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from helpers.technique_oracle import AREAS, LINES, Cell, Mark, Position, houses, removed
from pylogic_sudoku import Grid, Puzzle

Houses = list[tuple[str, frozenset[Cell]]]


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


def fish(shape: str, fins: str, number: int):
    """Fish by counting: in how many houses of the base and of the cover each candidate is."""

    def find(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
        sees = {
            cell: {other for house in houses(grid) if cell in house for other in house} - {cell}
            for cell in marks
        }
        for digit in range(1, grid.size + 1):
            cells = {cell for cell in marks if digit in marks[cell]}
            here = [
                (house.kind, frozenset(map(tuple, house.cells)) & cells) for house in grid.houses
            ]
            here = [(kind, where) for kind, where in here if where]
            for gone in of_one_digit(here, sees, shape, fins, number):
                yield frozenset((*cell, digit) for cell in gone)

    return find


def of_one_digit(
    here: Houses, sees: dict[Cell, set[Cell]], shape: str, fins: str, number: int
) -> Iterator[frozenset[Cell]]:
    for base in combinations(here, number):
        if shape != "mutant" and {"row", "column"} <= {kind for kind, _ in base}:
            continue
        based = Counter(cell for _, where in base for cell in where)
        meeting = [each for each in here if each not in base and each[1] & based.keys()]
        for cover in combinations(meeting, number):
            if shape not in names(base, cover):
                continue
            covered = Counter(cell for _, where in cover for cell in where)
            spoiling = {cell for cell in based if based[cell] > 1 or not covered[cell]}
            left = [len(where - spoiling) for _, where in base]
            sort = "none" if not spoiling else "sashimi" if min(left) == 1 else "finned"
            if 0 in left or fins not in (sort, "some" if spoiling else ""):
                continue
            could = {cell for cell in covered if covered[cell] > 1 or not based[cell]}
            yield frozenset(cell for cell in could if spoiling <= sees[cell])


def names(base, cover) -> set[str]:
    """What the shape of a fish is called."""
    sides = [{kind for kind, _ in side} for side in (base, cover)]
    if any({"row", "column"} <= side for side in sides):
        return {"mutant"}
    boxes = any(side.intersection(AREAS) for side in sides)
    lines = [side.difference(AREAS) for side in sides]
    if lines[0] & lines[1]:
        return set()
    return {"franken"} if boxes else {"lines"}


# --- templates ------------------------------------------------------------------------------------


def templates(grid: Grid | Puzzle, marks: Position, digit: int) -> list[frozenset[Cell]]:
    """All ways to place a digit in the houses that lack it, one row after the other."""
    where = [house for each in houses(grid) if (house := {c for c in each if c in marks})]
    where = [{cell for cell in house if digit in marks[cell]} for house in where]
    where = [house for house in where if house]
    ways = [frozenset()]
    for row in range(1, grid.size + 1):
        cells = [cell for cell in marks if cell[0] == row and digit in marks[cell]]
        if cells:
            ways = [
                way | {cell}
                for way in ways
                for cell in cells
                if not any(cell in house and way & house for house in where)
            ]
    return [way for way in ways if all(way & house for house in where)]


def template_set(grid: Grid | Puzzle, marks: Position) -> Iterator[Mark]:
    for digit in range(1, grid.size + 1):
        if ways := templates(grid, marks, digit):
            for cell in frozenset.intersection(*ways):
                yield (*cell, digit)


def template_delete(grid: Grid | Puzzle, marks: Position) -> Iterator[frozenset]:
    for digit in range(1, grid.size + 1):
        if ways := templates(grid, marks, digit):
            yield removed(marks, marks.keys() - frozenset.union(*ways), [digit])


SIZES = {"X-wing": 2, "swordfish": 3, "jellyfish": 4}

TECHNIQUES = {
    "locked pair": locked(2),
    "locked triple": locked(3),
    "template set": template_set,
    "template delete": template_delete,
}
for name, number in SIZES.items():
    TECHNIQUES[f"finned {name}"] = fish("lines", "finned", number)
    TECHNIQUES[f"sashimi {name}"] = fish("lines", "sashimi", number)
    for kind in ("Franken", "mutant"):
        TECHNIQUES[f"{kind} {name}"] = fish(kind.lower(), "none", number)
        TECHNIQUES[f"finned {kind} {name}"] = fish(kind.lower(), "some", number)
