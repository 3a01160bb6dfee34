"""clingcon on ``encodings/clingcon.lp``: each cell is an integer variable."""

from __future__ import annotations

from functools import partial
from time import perf_counter
from typing import Any

import clingo

from ...errors import BackendFailure
from ...files import resource
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Placement
from ..clingo.clingcon import ClingconEngine, Values, ground, new_theory
from ..clingo.ground_per_question import FreshProgram, Grounding
from .base import SudokuEngine
from .ground_once import facts_of, regions

__all__ = ["ClingconBackend"]


class ClingconBackend(ClingconEngine[Grid | Puzzle, Grid, Placement], SudokuEngine):
    """clingcon on ``encodings/clingcon.lp``."""

    name = "clingcon"
    knows = frozenset({"regions", "marks"})

    def grounding(self, question: Grid | Puzzle) -> Grounding[Placement, Grid]:
        return partial(_of_puzzle, question)


def _of_puzzle(puzzle: Grid | Puzzle) -> FreshProgram[Placement, Grid]:
    start = perf_counter()
    theory = new_theory()
    rows, columns = puzzle.box
    options = f"-cbox_rows={rows}", f"-cbox_columns={columns}"
    text = "\n".join((*facts_of(puzzle, "initial"), *regions(puzzle.layout)))
    control = ground(theory, text, resource("encodings/clingcon.lp"), options)
    return FreshProgram(_Cells(control, theory, puzzle), perf_counter() - start, optimizes=False)


class _Cells(Values[Placement, Grid]):
    def __init__(self, control: clingo.Control, theory: Any, puzzle: Grid | Puzzle) -> None:
        super().__init__(control, theory)
        self._puzzle = puzzle

    def answer(self, model: clingo.Model) -> Grid:
        size = self._puzzle.size
        digits = [0] * (size * size)
        for symbol, value in self.values(model):
            row, column = (argument.number for argument in symbol.arguments)
            digits[(row - 1) * size + column - 1] = value
        if 0 in digits:
            raise BackendFailure("clingcon leaves a cell open")
        return Grid(tuple(digits), self._puzzle.box)
