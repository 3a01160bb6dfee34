"""Patterns that a sudoku with one solution cannot have, and what follows from that.

A rectangle that holds two digits crosswise is such a pattern if none of its cells is given: with
the digits swapped, it is another solution. So is a grid in which each open cell has two candidates
and each digit two places in its houses. Both take for granted that nothing but the givens and the
houses decides what a solution is: no marks, and no rules beyond plain sudoku.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from ..grid import Candidates, Cell, Grid, Layout, Placement
from ..puzzle import Puzzle
from ._addition import standing

__all__ = ["applies", "is_grave", "ways_out"]


def applies(puzzle: Grid | Puzzle) -> bool:
    """True if techniques that assume one solution are valid for such a puzzle."""
    return not puzzle.layout.rules and not puzzle.excluded


def ways_out(
    puzzle: Grid | Puzzle, grid: Grid, rectangle: tuple[Placement, ...]
) -> Iterator[tuple[Placement, ...]]:
    """The ways to avoid the deadly pattern: placements that do not hold, one of either filling.

    If the puzzle has one solution, at least one of these ways is true. ValueError if the pattern is
    allowed: if this is not a rectangle in two boxes, or one of its cells is given.
    """
    cells = sorted({placement.cell for placement in rectangle})
    digits = sorted({placement.digit for placement in rectangle})
    if not _is_rectangle(puzzle.layout, cells) or len(digits) != 2:
        raise ValueError("these are not two digits in two rows, two columns and two boxes")
    if any(puzzle[cell] for cell in cells):
        raise ValueError("a cell of the rectangle is given")
    ways = []
    for first, second in (digits, digits[::-1]):
        way = [
            Placement(*cell, digit)
            for cell, digit in zip(cells, (first, second, second, first), strict=True)
        ]
        if all(grid[each.cell] in (0, each.digit) for each in way):
            ways.append([each for each in way if not grid[each.cell]])
    yield from product(*ways)


def _is_rectangle(layout: Layout, cells: list[Cell]) -> bool:
    """True if each house has none of these corners, row by row, or two that are not opposite."""
    if len(cells) != 4 or len({x for x, _ in cells}) != 2 or len({y for _, y in cells}) != 2:
        return False
    opposite = ({cells[0], cells[3]}, {cells[1], cells[2]})
    return all(
        not found or (len(found) == 2 and found not in opposite)
        for found in ({*house.cells}.intersection(cells) for house in layout.houses)
    )


def is_grave(layout: Layout, candidates: Candidates, extra: Placement) -> bool:
    """True if all but one candidate make a bivalue universal grave."""
    left = standing(candidates) - {extra}
    cells = [sum(each.cell == cell for each in left) for cell in layout.cells]
    houses = [
        sum(each.cell in house.cells and each.digit == digit for each in left)
        for house in layout.houses
        for digit in range(1, layout.size + 1)
    ]
    return extra in standing(candidates) and {*cells, *houses} <= {0, 2}
