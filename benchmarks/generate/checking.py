"""Each puzzle is asked of an engine again: it must be unique, and need every given."""

from __future__ import annotations

from functools import partial

import pylogic_sudoku as pls
from pylogic_sudoku._batch import map_in_order

__all__ = ["wrong"]


def wrong(puzzles: list[pls.Grid], backend: str, jobs: int) -> list[str]:
    """What this engine finds wrong with the puzzles."""
    found = []
    for puzzle, fault in map_in_order(partial(fault_of, backend=backend), puzzles, jobs):
        if isinstance(fault, Exception):
            raise fault
        if fault:
            found.append(f"{puzzle}: {backend}: {fault}")
    return found


def fault_of(puzzle: pls.Grid, backend: str) -> str:
    """A unique puzzle needs a given if without it a solution has another digit there."""
    if not pls.is_unique(puzzle, backend):
        return "not unique"
    for row, column, digit in puzzle.givens:
        others = set(range(1, puzzle.size + 1)) - {digit}
        open_puzzle = pls.Puzzle(puzzle.without((row, column)), marks={(row, column): others})
        if pls.solve(open_puzzle, backend) is None:
            return f"r{row}c{column} is not needed"
    return ""
