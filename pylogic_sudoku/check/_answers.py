"""One answer of a foreign program: a grid, or what keeps it from being one."""

from __future__ import annotations

from collections.abc import Sequence
from math import isqrt
from typing import NamedTuple

from ..grid import Grid, cells_of

__all__ = ["Answer", "Cell", "broken_rule", "read_answer"]

Cell = tuple[int | str, int | str, int | str]
"""Row, column and digit as the program said them: text where they are no numbers."""


class Answer(NamedTuple):
    """The cells that a program filled in."""

    grid: Grid
    """Empty where the program says nothing; the smallest digit where it says several."""
    fault: str
    """Why this is no grid, such as ``r1c1 is empty``; nothing if each cell holds one digit."""


def read_answer(cells: Sequence[Cell], puzzle: Grid, note: str = "", atom: str = "") -> Answer:
    """The answer of these cells to the puzzle.

    `note` is what the program's runner has to say of an answer that is not full.
    """
    n = puzzle.size
    filled: dict[int, int] = {}
    outside = twice = ""
    for x, y, digit in cells:
        place = [x, y, digit]
        if not all(isinstance(part, int) and 1 <= part <= n for part in place):
            said = f"{atom}({x},{y},{digit})" if atom else f"{digit} in row {x}, column {y}"
            outside = outside or f"{said}: expected row, column and digit to be 1 to {n}"
            continue
        row, column, number = (int(part) for part in place)
        cell = (row - 1) * n + column - 1
        other = filled.setdefault(cell, number)
        if other != number:
            filled[cell] = min(other, number)
            twice = twice or f"{cells_of(n)[cell]} holds both {other} and {number}"
    note = _smaller(filled, n) or note
    grid = Grid(tuple(filled.get(cell, 0) for cell in range(n * n)), puzzle.box)
    return Answer(grid, outside or twice or _empty(grid, note))


def _smaller(filled: dict[int, int], n: int) -> str:
    """Says so if the cells are a grid of another size."""
    side = isqrt(len(filled))
    square = {row * n + column for row in range(side) for column in range(side)}
    if not 4 <= side < n or filled.keys() != square or max(filled.values()) > side:
        return ""
    return (
        f"this is a full grid of {side}x{side}, but the puzzle is {n}x{n}; an instance says its box"
        " shape, such as #const box_rows=2. #const box_columns=3."
    )


def _empty(grid: Grid, note: str) -> str:
    if 0 not in grid.digits:
        return ""
    number = grid.digits.count(0)
    first = grid.cells[grid.digits.index(0)]
    said = f"{first} is empty" if number == 1 else f"{first} and {number - 1} more cells are empty"
    if number == len(grid.digits):
        said = "every cell is empty"
    return f"{said} ({note})" if note else said


def broken_rule(answer: Answer, puzzle: Grid) -> str:
    """The first rule of sudoku that the answer to the puzzle breaks; nothing if it is right."""
    if answer.fault:
        return answer.fault
    for cell, given in enumerate(puzzle.digits):
        found = answer.grid.digits[cell]
        if given not in (0, found):
            name = puzzle.cells[cell]
            return f"{name} holds {found}, but {given} is given there"
    return next(map(str, answer.grid.duplicates()), "")
