"""What the questions share: cells by name, all rules together, words and JSON for answers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from operator import index
from typing import Any

from ..errors import InvalidPuzzle, NoSolution
from ..grid import Box, Grid
from .rules import CELLS, Demand, Placement, listed, rules

__all__ = [
    "Cell",
    "all_houses",
    "as_cell",
    "as_digit",
    "indented",
    "json_givens",
    "json_grid",
    "json_puzzle",
    "no_solution",
    "place",
    "places",
    "told",
    "with_givens",
    "without",
]

Cell = str | tuple[int, int]
"""A cell as people give it: ``"r3c2"``, or row and column from 1."""


def as_cell(cell: Cell, puzzle: Grid) -> tuple[int, int]:
    """Row and column, from 1; InvalidPuzzle if that is no cell of the puzzle."""
    n = puzzle.size
    pair: Any = cell
    if isinstance(cell, str):
        found = re.fullmatch(r"\s*r(\d+)c(\d+)\s*", cell, re.ASCII | re.IGNORECASE)
        pair = found and (int(found[1]), int(found[2]))
    match pair:
        case (row, column) if (x := _number(row, n)) and (y := _number(column, n)):
            return x, y
    raise InvalidPuzzle(
        f"{cell!r} is no cell of a {n}x{n} grid; expected r1c1 to r{n}c{n}, or row and column as"
        " a pair of numbers"
    )


def as_digit(digit: int, puzzle: Grid) -> int:
    """The digit; InvalidPuzzle if the puzzle has no such digit."""
    number = _number(digit, puzzle.size)
    if number is None:
        raise InvalidPuzzle(f"{digit!r} is no digit of this puzzle; expected 1 to {puzzle.size}")
    return number


def _number(value: Any, most: int) -> int | None:
    """The value as an int from 1, numpy's too; None if it is no such number."""
    try:
        number = index(value)
    except TypeError:
        return None
    return number if 1 <= number <= most and not isinstance(value, bool) else None


def no_solution(consequence: str) -> NoSolution:
    """The error where a question makes sense only of a puzzle that can be solved."""
    return NoSolution(
        f"the puzzle has no solution, so {consequence}; conflicts() tells which givens clash"
    )


def place(cell: tuple[int, ...], size: int) -> int:
    """Where a cell, or the cell of a placement, stands in `Grid.cells`."""
    return (cell[0] - 1) * size + cell[1] - 1


def places(cells: Iterable[tuple[int, ...]], size: int) -> tuple[int, ...]:
    """The same for several."""
    return tuple(place(cell, size) for cell in cells)


def with_givens(grid: Grid, givens: Iterable[Placement]) -> Grid:
    """The grid with these digits too."""
    cells = list(grid.cells)
    for given in givens:
        cells[place(given, grid.size)] = given[2]
    return Grid(tuple(cells), grid.box)


def without(grid: Grid, givens: Iterable[Placement]) -> Grid:
    """The grid without these digits."""
    return with_givens(grid, ((row, column, 0) for row, column, _ in givens))


def all_houses(box: Box) -> tuple[Demand, ...]:
    """The rules of sudoku, where nobody asks which."""
    return (CELLS, *rules(box, "house"))


def told(givens: Iterable[Placement]) -> str:
    """Givens as a person lists them."""
    return listed(f"r{row}c{column} = {digit}" for row, column, digit in givens)


def indented(text: str) -> str:
    """The lines moved in under those before."""
    return "\n".join(f"  {line}" for line in text.splitlines())


def json_puzzle(question: str, puzzle: Grid) -> dict[str, Any]:
    """How the JSON of every explanation begins."""
    return {"question": question, "puzzle": json_grid(puzzle), "box": list(puzzle.box)}


def json_grid(grid: Grid) -> list[list[int]]:
    """Rows of digits, 0 for an empty cell."""
    return [list(row) for row in grid.rows]


def json_givens(givens: Iterable[Placement]) -> list[dict[str, Any]]:
    """Givens by the names of their cells."""
    return [{"cell": f"r{row}c{column}", "digit": digit} for row, column, digit in givens]
