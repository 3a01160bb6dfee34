"""What the questions share: cells by name, all rules together, words and JSON for answers."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from operator import index
from typing import Any

from ..errors import InvalidPuzzle, NoSolution
from ..grid import Cell, CellLike, Grid, Layout
from ._rules import CELLS, Demand, Placement, listed, rules

__all__ = [
    "all_houses",
    "as_cell",
    "as_digit",
    "cells_of_givens",
    "indented",
    "json_givens",
    "json_grid",
    "json_puzzle",
    "no_solution",
    "told",
]


def as_cell(cell: CellLike, puzzle: Grid) -> Cell:
    """The cell; InvalidPuzzle if that is not a cell of the puzzle."""
    try:
        return Cell.of(cell, puzzle.size)
    except IndexError as error:
        raise InvalidPuzzle(str(error)) from None


def as_digit(digit: int, puzzle: Grid) -> int:
    """The digit; InvalidPuzzle if the puzzle has no such digit."""
    with suppress(TypeError):
        if 1 <= (number := index(digit)) <= puzzle.size and not isinstance(digit, bool):
            return number
    raise InvalidPuzzle(f"{digit!r} is not a digit of this puzzle; expected 1 to {puzzle.size}")


def no_solution(consequence: str) -> NoSolution:
    """The error for a question that makes sense only if the puzzle has a solution."""
    return NoSolution(
        f"the puzzle has no solution, so {consequence}; ask for its conflicts to see which givens"
        " clash"
    )


def cells_of_givens(givens: Iterable[tuple[int, int, int]]) -> tuple[Cell, ...]:
    """Where they stand."""
    return tuple(Cell(row, column) for row, column, _ in givens)


def all_houses(layout: Layout) -> tuple[Demand, ...]:
    """All rules of sudoku: every house rule, and one digit per cell."""
    return (CELLS, *rules(layout, "house"))


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


def json_givens(givens: Iterable[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Givens by the names of their cells."""
    return [{"cell": f"r{row}c{column}", "digit": digit} for row, column, digit in givens]
