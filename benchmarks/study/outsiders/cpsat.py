"""OR-tools CP-SAT: an integer for each cell, AllDifferent for each house."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from time import process_time
from typing import Any

from pylogic_sudoku import BackendFailure, Grid, Puzzle, SolveTimeout
from pylogic_sudoku.engines.base import Measurement

from ..contestants import Contestant


def _cage(model: Any, at: dict[Any, Any], rule: Any) -> None:
    model.add_all_different([at[cell] for cell in rule.cells])
    if rule.sum is not None:
        model.add(sum(at[cell] for cell in rule.cells) == rule.sum)


def _greater(model: Any, at: dict[Any, Any], rule: Any) -> None:
    for one, other in pairwise(rule.cells):
        model.add(at[one] > at[other])


RULES: dict[str, Callable[[Any, dict[Any, Any], Any], None]] = {
    "killer_cage": _cage,
    "greater": _greater,
}


class CpSat(Contestant):
    """A model for each puzzle; the solver's presolve is part of its search.

    It has one worker, and these parameters.
    """

    name, paradigm = "OR-tools", "CP"

    def __init__(self, **parameters: int) -> None:
        self._parameters = {"num_workers": 1, **parameters}

    def version(self) -> str:
        import_module("ortools.sat.python.cp_model")
        return version("ortools")

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement:
        start = process_time()
        solver = self._solver(seconds)
        model, cells = self._model(puzzle)
        made = process_time()
        status = solver.solve(model)
        cp = self._cp
        if status == cp.UNKNOWN:
            raise SolveTimeout(self.name, seconds)
        found = None
        if status != cp.INFEASIBLE:
            found = Grid(tuple(solver.value(cell) for cell in cells), puzzle.box)
        return Measurement(
            found,
            setup=made - start,
            search=process_time() - made,
            choices=solver.num_branches,
            conflicts=solver.num_conflicts,
        )

    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        found: list[Grid] = []
        solver = self._solver(seconds)
        model, cells = self._model(puzzle)

        class Collect(self._cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                found.append(Grid(tuple(self.value(cell) for cell in cells), puzzle.box))
                if len(found) == most:
                    self.stop_search()

        solver.parameters.enumerate_all_solutions = True
        status = solver.solve(model, Collect())
        if len(found) < most and status not in (self._cp.OPTIMAL, self._cp.INFEASIBLE):
            raise SolveTimeout(self.name, seconds)
        return found

    @property
    def _cp(self) -> Any:
        return import_module("ortools.sat.python.cp_model")

    def _solver(self, seconds: float) -> Any:
        solver = self._cp.CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        for name, value in self._parameters.items():
            setattr(solver.parameters, name, value)
        return solver

    def _model(self, puzzle: Grid | Puzzle) -> tuple[Any, list[Any]]:
        unknown = {rule.kind for rule in puzzle.rules} - RULES.keys()
        if unknown or puzzle.marks:
            raise BackendFailure(f"no {', '.join(sorted(unknown)) or 'marks'} in this model")
        model, n = self._cp.CpModel(), puzzle.size
        cells = [model.new_int_var(given or 1, given or n, "") for given in puzzle.digits]
        for house in puzzle.layout.offsets:
            model.add_all_different([cells[cell] for cell in house])
        at = dict(zip(puzzle.cells, cells, strict=True))
        for rule in puzzle.rules:
            RULES[rule.kind](model, at, rule)
        return model, cells


CONTESTANT = CpSat()
