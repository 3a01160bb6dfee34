"""The cells of a diagonal, of an extra region, of a clue beside the grid: geometry, and no rules.

`pylogic_sudoku.rules` has the public names; formats use all of them.

>>> from pylogic_sudoku.rules import Different, LittleKiller, Sandwich, diagonals, row
>>> [str(Different(cells)) for cells in diagonals(2)]
['different at r1c1 and r2c2', 'different at r1c2 and r2c1']
>>> print(Sandwich(row(2, 4, reverse=True), sum=3))
sandwich (sum 3) at r2c4, r2c3, r2c2 and r2c1
"""

from __future__ import annotations

from collections.abc import Iterator
from operator import index

from ._layout import Box, Cell, checked_box
from .errors import InvalidPuzzle, shown

__all__ = ["DIRECTIONS", "Cells", "beside", "column", "diagonal_from", "diagonals"]
__all__ += ["disjoint_groups", "edge_line", "neighbours", "places", "row", "slopes", "view"]
__all__ += ["windoku", "windows"]

Cells = tuple[Cell, ...]
"""Cells in an order, such as those of a line; in JSON and in code also ``"r1c1 r1c2"``."""
DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
"""Rows and columns of a step: up or down, left or right."""


def row(number: int, size: int, reverse: bool = False) -> Cells:
    """The cells of a row from left to right, or from right to left."""
    cells = tuple(Cell(_line(number, size), each) for each in range(1, size + 1))
    return cells[::-1] if reverse else cells


def column(number: int, size: int, reverse: bool = False) -> Cells:
    """The cells of a column from top to bottom, or from bottom to top."""
    cells = tuple(Cell(each, _line(number, size)) for each in range(1, size + 1))
    return cells[::-1] if reverse else cells


def diagonals(size: int) -> tuple[Cells, Cells]:
    r"""The two long diagonals: ``\`` and then ``/``, both from the first row."""
    down = tuple(Cell(each, each) for each in range(1, size + 1))
    return down, tuple(Cell(each, size + 1 - each) for each in range(1, size + 1))


def windoku(size: int = 9) -> tuple[Cells, ...]:
    """The extra regions of a windoku: boxes one cell apart, and one cell from the edges.

    >>> [str(cells[0]) for cells in windoku()]
    ['r2c2', 'r2c6', 'r6c2', 'r6c6']
    """
    side = next((each for each in range(2, 7) if each * each == size), 0)
    if not side:
        raise InvalidPuzzle(
            f"a windoku has square boxes, and a grid with {shown(size)} rows has none"
        )
    return windows((side, side))


def windows(box: Box) -> tuple[Cells, ...]:
    """Boxes of any shape that lie as the extra regions of a windoku do."""
    rows, columns = box
    size = rows * columns
    return tuple(
        tuple(Cell(top + down, left + right) for down in range(rows) for right in range(columns))
        for top in range(2, size - rows + 1, rows + 1)
        for left in range(2, size - columns + 1, columns + 1)
    )


def disjoint_groups(box: Box) -> tuple[Cells, ...]:
    """For each place in a box, the cells at that place of all boxes.

    >>> [str(cell) for cell in disjoint_groups((2, 2))[1]]
    ['r1c2', 'r1c4', 'r3c2', 'r3c4']
    """
    rows, columns = checked_box(box)
    size = rows * columns
    return tuple(
        tuple(
            Cell(top + down, left + right)
            for top in range(0, size, rows)
            for left in range(0, size, columns)
        )
        for down in range(1, rows + 1)
        for right in range(1, columns + 1)
    )


def diagonal_from(clue: tuple[int, int], direction: str, size: int) -> Cells:
    """The cells of a diagonal, in the order in which a clue beside the grid sees them.

    `clue` is the row and column of the clue, where 0 and n + 1 are beside the grid. `direction` is
    ``"UL"``, ``"UR"``, ``"DL"`` or ``"DR"``: up or down, and left or right.

    >>> [str(cell) for cell in diagonal_from((0, 3), "DL", 4)]
    ['r1c2', 'r2c1']
    """
    step = DIRECTIONS.get(str(direction).upper())
    if step is None:
        raise InvalidPuzzle(
            f"the direction is {shown(direction)}; expected one of {', '.join(DIRECTIONS)}"
        )
    place = _place(clue)
    if not {0, size + 1}.intersection(place):
        raise InvalidPuzzle(f"a clue at {shown(clue)} is not beside a {size}x{size} grid")
    cells = view(place, step, size)
    if not cells:
        raise InvalidPuzzle(f"a clue at {shown(clue)} sees no cell in the direction {direction}")
    return cells


def edge_line(clue: tuple[int, int], size: int) -> Cells:
    """The cells of a row or column, in the order in which a clue at its end sees them.

    `clue` is the row and column of the clue: row 0 is above the grid, column n + 1 right of it.

    >>> [str(cell) for cell in edge_line((5, 2), 4)]
    ['r4c2', 'r3c2', 'r2c2', 'r1c2']
    """
    cells = beside(_place(clue), size)
    if not cells:
        raise InvalidPuzzle(f"a clue at {shown(clue)} is not beside a {size}x{size} grid")
    return cells


def view(place: tuple[int, int], step: tuple[int, int], size: int) -> Cells:
    """The cells after a place, which may be beside the grid, in one direction."""
    found = []
    at_row, at_column = place[0] + step[0], place[1] + step[1]
    while 1 <= at_row <= size and 1 <= at_column <= size:
        found.append(Cell(at_row, at_column))
        at_row, at_column = at_row + step[0], at_column + step[1]
    return tuple(found)


def beside(place: tuple[int, int], size: int) -> Cells:
    """The cells of the row or column that a place is at the end of; none if it is not."""
    at_row, at_column = place
    if at_row in (0, size + 1) and 1 <= at_column <= size:
        return column(at_column, size, reverse=at_row > 0)
    if at_column in (0, size + 1) and 1 <= at_row <= size:
        return row(at_row, size, reverse=at_column > 0)
    return ()


def places(size: int) -> Iterator[tuple[int, int]]:
    """Every place beside the grid, corners too."""
    for at in range(size + 2):
        yield from {(0, at), (size + 1, at), (at, 0), (at, size + 1)}


def slopes(size: int) -> Iterator[tuple[tuple[int, int], str, Cells]]:
    """Every diagonal line of cells: the place beside the grid, the direction and the cells."""
    for place in places(size):
        for name, step in DIRECTIONS.items():
            if cells := view(place, step, size):
                yield place, name, cells


def neighbours(one: Cell, other: Cell) -> bool:
    """True if the two cells share a side."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def _line(number: int, size: int) -> int:
    if not 1 <= number <= size:
        raise InvalidPuzzle(f"{shown(number)} is not a row or column from 1 to {size}")
    return index(number)


def _place(clue: tuple[int, int]) -> tuple[int, int]:
    try:
        at_row, at_column = map(index, clue)
    except (TypeError, ValueError):
        raise InvalidPuzzle(
            f"a clue is at {shown(clue)}; expected its row and column, such as (0, 3)"
        ) from None
    return at_row, at_column
