"""What else can be installed with pip and solves sudokus, each with its best sensible settings.

Where a peer leaves a choice (a solver, a way to model), the fastest of those tried over easy,
17-clue and hard puzzles was taken; `contestants` says which.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from importlib import import_module
from itertools import islice
from typing import Any

from ..engines.prolog.swipl import swipl
from ..grid import Box, Grid
from .solver import Solver, Unfit

__all__ = ["Z3", "Cpmpy", "OrTools", "PySudoku", "PySwip", "PythonConstraint"]


class OrTools(Solver):
    """CP-SAT: an integer a cell, a global constraint a house."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._cp: Any = import_module("ortools.sat.python.cp_model")

    def solve(self, puzzle: Grid) -> Grid | None:
        model, cells = self._model(puzzle)
        solver = self._solver()
        found = solver.solve(model) in (self._cp.OPTIMAL, self._cp.FEASIBLE)
        return self.read(solver.value(cell) for cell in cells) if found else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        found: list[list[int]] = []

        class Collect(self._cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                found.append([self.value(cell) for cell in cells])
                if len(found) == limit:
                    self.stop_search()

        model, cells = self._model(puzzle)
        solver = self._solver()
        solver.parameters.enumerate_all_solutions = True
        solver.solve(model, Collect())
        return found

    def _model(self, puzzle: Grid) -> tuple[Any, list[Any]]:
        model = self._cp.CpModel()
        size = puzzle.size
        cells = [model.new_int_var(given or 1, given or size, "") for given in puzzle.digits]
        for house in puzzle.layout.offsets:
            model.add_all_different([cells[cell] for cell in house])
        return model, cells

    def _solver(self) -> Any:
        solver = self._cp.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.linearization_level = 0
        solver.parameters.symmetry_level = 0
        solver.parameters.cp_model_probing_level = 0
        return solver


class Cpmpy(Solver):
    """CPMpy on CP-SAT, with the same settings."""

    _SETTINGS = {  # noqa: RUF012
        "num_workers": 1,
        "linearization_level": 0,
        "symmetry_level": 0,
        "cp_model_probing_level": 0,
    }

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._cp: Any = import_module("cpmpy")

    def solve(self, puzzle: Grid) -> Grid | None:
        model, cells = self._model(puzzle)
        found = model.solve(solver="ortools", **self._SETTINGS)
        return self.read(map(int, cells.value())) if found else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        found: list[list[int]] = []
        model, cells = self._model(puzzle)
        model.solveAll(
            solver="ortools",
            display=lambda: found.append(list(map(int, cells.value()))),
            solution_limit=limit,
            **self._SETTINGS,
        )
        return found

    def _model(self, puzzle: Grid) -> tuple[Any, Any]:
        cells = self._cp.intvar(1, puzzle.size, shape=len(puzzle.digits))
        model = self._cp.Model(
            [
                self._cp.AllDifferent([cells[cell] for cell in house])
                for house in puzzle.layout.offsets
            ],
            [cells[cell] == given for cell, given in enumerate(puzzle.digits) if given],
        )
        return model, cells


class Z3(Solver):
    """A bit vector a cell, `Distinct` a house, and the solver for finite domains."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._z3: Any = import_module("z3")

    def solve(self, puzzle: Grid) -> Grid | None:
        z3, size = self._z3, puzzle.size
        solver = z3.SolverFor("QF_FD")
        cells = [z3.BitVec(f"c{cell}", size.bit_length()) for cell in range(size**2)]
        for cell, given in zip(cells, puzzle.digits, strict=True):
            solver.add(cell == given if given else z3.And(z3.ULE(1, cell), z3.ULE(cell, size)))
        for house in puzzle.layout.offsets:
            solver.add(z3.Distinct(*(cells[cell] for cell in house)))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return self.read(model.eval(cell, model_completion=True).as_long() for cell in cells)


class PythonConstraint(Solver):
    """A variable a cell, `AllDifferentConstraint` a house, backtracking with forward checking."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._constraint: Any = import_module("constraint")

    def solve(self, puzzle: Grid) -> Grid | None:
        return next((self.read(cells) for cells in self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        problem = self._constraint.Problem(self._constraint.BacktrackingSolver())
        digits = list(range(1, puzzle.size + 1))
        for cell, given in enumerate(puzzle.digits):
            problem.addVariable(cell, [given] if given else digits)
        for house in puzzle.layout.offsets:
            problem.addConstraint(self._constraint.AllDifferentConstraint(), house)
        for answer in islice(problem.getSolutionIter(), limit):
            yield [answer[cell] for cell in range(len(puzzle.digits))]


class PySudoku(Solver):
    """Its one way to solve; what it calls width and height are columns and rows of a box."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._sudoku: Any = import_module("sudoku").Sudoku

    def solve(self, puzzle: Grid) -> Grid | None:
        rows, columns = self.box
        board = [[given or None for given in row] for row in puzzle.rows]
        answer = self._sudoku(columns, rows, board=board).solve().board
        return Grid.from_rows(answer, self.box) if answer[0][0] else None


class PySwip(Solver):
    """The sudoku example that comes with pyswip, on the SWI-Prolog that we use."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        if box != (3, 3):
            raise Unfit("9x9 only")
        if program := swipl():  # pyswip asks the first one on the path where things are
            os.environ["PATH"] = os.pathsep.join([str(program.parent), os.environ["PATH"]])
        self._example: Any = import_module("pyswip.examples.sudoku")

    def solve(self, puzzle: Grid) -> Grid | None:
        answer = self._example.solve(self._example.Matrix([list(row) for row in puzzle.rows]))
        return Grid.from_rows(answer.matrix, self.box) if answer else None
