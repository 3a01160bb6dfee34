"""Where clues and sets of cells lie: what formats name by a place, and rules by their cells."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .._layout import Box, Cell, Layout

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["DIRECTIONS", "beside", "clues", "diagonal", "disjoint_sets", "index_rule", "made"]
__all__ += ["neighbours", "slopes", "view"]

DIRECTIONS = {"DR": (1, 1), "DL": (1, -1), "UR": (-1, 1), "UL": (-1, -1)}
"""By the letters that f-puzzles has for a direction: down and up, right and left."""


def made(kind: str, /, **fields: Any) -> Rule:
    """The rule of this kind; InvalidPuzzle if there is no such kind or a field is wrong."""
    from ..rules import from_json  # which plain puzzles need not load

    return from_json({"rule": kind, **fields})


def view(row: int, column: int, move: tuple[int, int], size: int) -> tuple[Cell, ...]:
    """The cells from one place on in one direction; the place may be beside the grid."""
    found = []
    row, column = row + move[0], column + move[1]
    while 1 <= row <= size and 1 <= column <= size:
        found.append(Cell(row, column))
        row, column = row + move[0], column + move[1]
    return tuple(found)


def beside(row: int, column: int, size: int) -> tuple[Cell, ...]:
    """The row or column that a clue beside the grid looks along; none if it is not beside it."""
    if 1 <= row <= size and column in (0, size + 1):
        return view(row, column, (0, 1 if column == 0 else -1), size)
    if 1 <= column <= size and row in (0, size + 1):
        return view(row, column, (1 if row == 0 else -1, 0), size)
    return ()


def clues(size: int) -> Iterator[tuple[int, int]]:
    """Every place beside the grid, corners too."""
    for at in range(size + 2):
        yield from {(0, at), (size + 1, at), (at, 0), (at, size + 1)}


def slopes(size: int) -> Iterator[tuple[tuple[int, int], str, tuple[Cell, ...]]]:
    """Every diagonal line of cells: the place beside the grid, the direction and the cells."""
    for place in clues(size):
        for name, move in DIRECTIONS.items():
            if cells := view(*place, move, size):
                yield place, name, cells


def diagonal(size: int, up: bool) -> tuple[Cell, ...]:
    """The long diagonal from the left edge to the right one, upwards or downwards."""
    return view(size + 1, 0, (-1, 1), size) if up else view(0, 0, (1, 1), size)


def disjoint_sets(box: Box) -> list[tuple[Cell, ...]]:
    """The cells at the same place of every box, for each place."""
    n = box[0] * box[1]
    boxes = [house.cells for house in Layout(box).houses[2 * n :]]
    return list(zip(*boxes, strict=True))


def neighbours(one: Cell, other: Cell) -> bool:
    """True if the two cells share a side."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def index_rule(what: str, cell: Cell, box: Box) -> Rule:
    """The rule on a cell whose digit says where its own number is: in its row, column or box.

    If a cell in column c holds v, a *column* indexer, then the cell of its row in column v holds c.
    """
    n = box[0] * box[1]
    if what == "column":
        cells, value = view(cell.row, 0, (0, 1), n), cell.column
    elif what == "row":
        cells, value = view(0, cell.column, (1, 0), n), cell.row
    else:
        cells = next(house.cells for house in Layout(box).houses[2 * n :] if cell in house.cells)
        value = cells.index(cell) + 1
    return made("index", control=[cell], cells=cells, value=value)
