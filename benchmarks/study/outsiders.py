"""Solvers of other packages, each with a short and ordinary model; imported when they are asked."""

from __future__ import annotations

from abc import abstractmethod
from importlib import import_module
from importlib.metadata import version
from itertools import pairwise
from threading import Timer
from time import process_time
from typing import Any

from pylogic_sudoku import BackendFailure, Grid, Puzzle, SolveTimeout
from pylogic_sudoku.engines.base import Measurement
from pylogic_sudoku.rules.clauses import of_layout

from .ours import Contestant


class _Outsider(Contestant):
    """A solver of another package."""

    module: str
    """The module to import."""
    package: str
    """Its name in the package index."""
    rules: tuple[str, ...] = ()
    """The kinds of rules that its model has, besides houses."""

    def version(self) -> str:
        self._imported()
        return version(self.package)

    def _imported(self) -> Any:
        return import_module(self.module)

    def _check(self, puzzle: Grid | Puzzle) -> None:
        """BackendFailure if the model lacks something of the puzzle."""
        unknown = {rule.kind for rule in puzzle.rules}.difference(self.rules)
        if unknown or puzzle.marks:
            raise BackendFailure(f"no {', '.join(sorted(unknown)) or 'marks'} in this model")


class CpSat(_Outsider):
    """OR-tools CP-SAT: an integer for each cell, AllDifferent for each house.

    Each puzzle has a model; the solver's presolve is part of its search. It has one worker, and
    these parameters.
    """

    name, paradigm = "OR-tools", "CP"
    module, package = "ortools.sat.python.cp_model", "ortools"
    rules = ("killer_cage", "greater")

    def __init__(self, **parameters: int) -> None:
        self._parameters = {"num_workers": 1, **parameters}

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement[Grid]:
        start = process_time()
        solver = self._solver(seconds)
        model, cells = self._model(puzzle)
        made = process_time()
        status = solver.solve(model)
        cp = self._imported()
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
        cp = self._imported()
        solver = self._solver(seconds)
        model, cells = self._model(puzzle)

        class Collect(cp.CpSolverSolutionCallback):  # type: ignore[misc, name-defined]
            def on_solution_callback(self) -> None:
                found.append(Grid(tuple(self.value(cell) for cell in cells), puzzle.box))
                if len(found) == most:
                    self.stop_search()

        solver.parameters.enumerate_all_solutions = True
        status = solver.solve(model, Collect())
        if len(found) < most and status not in (cp.OPTIMAL, cp.INFEASIBLE):
            raise SolveTimeout(self.name, seconds)
        return found

    def _solver(self, seconds: float) -> Any:
        solver = self._imported().CpSolver()
        solver.parameters.max_time_in_seconds = seconds
        for name, value in self._parameters.items():
            setattr(solver.parameters, name, value)
        return solver

    def _model(self, puzzle: Grid | Puzzle) -> tuple[Any, list[Any]]:
        self._check(puzzle)
        model, n = self._imported().CpModel(), puzzle.size
        cells = [model.new_int_var(given or 1, given or n, "") for given in puzzle.digits]
        for house in puzzle.layout.offsets:
            model.add_all_different([cells[cell] for cell in house])
        at: dict[Any, Any] = dict(zip(puzzle.cells, cells, strict=True))
        for rule in puzzle.rules:
            parts: Any = [at[cell] for cell in getattr(rule, "cells", ())]
            if rule.kind == "greater":
                for one, other in pairwise(parts):
                    model.add(one > other)
                continue
            model.add_all_different(parts)
            if (total := getattr(rule, "sum", None)) is not None:
                model.add(sum(parts) == total)
        return model, cells


class _OneByOne(_Outsider):
    """A solver for each puzzle; between two solutions it gets a clause against the first."""

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement[Grid]:
        start = process_time()
        self._check(puzzle)
        model = self._model(puzzle)
        made = process_time()
        found = self._next(model, puzzle, seconds)
        search = process_time() - made
        return Measurement(found, setup=made - start, search=search, **self._work(model))

    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        start = process_time()
        self._check(puzzle)
        model = self._model(puzzle)
        found: list[Grid] = []
        while len(found) < most:
            left = seconds - (process_time() - start)
            if left <= 0:
                raise SolveTimeout(self.name, seconds)
            grid = self._next(model, puzzle, left)
            if grid is None:
                break
            found.append(grid)
            self._exclude(model, grid)
        return found

    @abstractmethod
    def _model(self, puzzle: Grid | Puzzle) -> Any:
        """The solver, with the puzzle."""

    @abstractmethod
    def _next(self, model: Any, puzzle: Grid | Puzzle, seconds: float) -> Grid | None:
        """The next solution."""

    @abstractmethod
    def _exclude(self, model: Any, grid: Grid) -> None:
        """Let this solution not be found again."""

    def _work(self, model: Any) -> dict[str, Any]:
        """Its own account of the work, by the names of `Measurement`."""
        return {}


class Glucose(_OneByOne):
    """python-sat with Glucose 4: a variable for each placement, at most one by pairs."""

    name, paradigm = "Glucose", "SAT"
    module, package = "pysat.solvers", "python-sat"

    def left(self, puzzle: Grid | Puzzle, seconds: float) -> int | None:
        self._check(puzzle)
        empty = self._model(puzzle.without(*puzzle.cells))
        consistent, implied = empty.propagate(self._literals(puzzle))
        gone = sum(each < 0 for each in implied)
        return puzzle.size**3 - gone if consistent else 0

    def _model(self, puzzle: Grid | Puzzle) -> Any:
        """The clauses of the houses; givens are units."""
        clauses = of_layout(puzzle.without(*puzzle.cells).layout)
        units = [[each] for each in self._literals(puzzle)]
        return self._imported().Solver("glucose4", bootstrap_with=[*clauses, *units])

    def _next(self, model: Any, puzzle: Grid | Puzzle, seconds: float) -> Grid | None:
        timer = Timer(seconds, model.interrupt)
        timer.start()
        answer = model.solve_limited(expect_interrupt=True)
        timer.cancel()
        timer.join()
        model.clear_interrupt()
        if answer is None:
            raise SolveTimeout(self.name, seconds)
        if not answer:
            return None
        n = puzzle.size
        held = [each for each in model.get_model()[: n**3] if each > 0]
        return Grid(tuple((each - 1) % n + 1 for each in held), puzzle.box)

    def _exclude(self, model: Any, grid: Grid) -> None:
        model.add_clause([-each for each in self._literals(grid)])

    def _work(self, model: Any) -> dict[str, Any]:
        stats = model.accum_stats()
        return {"choices": stats["decisions"], "conflicts": stats["conflicts"]}

    @staticmethod
    def _literals(puzzle: Grid | Puzzle) -> list[int]:
        n = puzzle.size
        return [cell * n + digit for cell, digit in enumerate(puzzle.digits) if digit]


class Z3(_OneByOne):
    """Z3, its solver for finite domains: a bit vector for each cell, Distinct for each house."""

    name, paradigm = "Z3", "SMT"
    module, package = "z3", "z3-solver"
    rules = ("killer_cage", "greater")

    def _next(self, model: Any, puzzle: Grid | Puzzle, seconds: float) -> Grid | None:
        z3, (solver, cells) = self._imported(), model
        solver.set("timeout", max(1, round(seconds * 1000)))
        answer = solver.check()
        if answer == z3.unknown:
            raise SolveTimeout(self.name, seconds)
        if answer != z3.sat:
            return None
        found = solver.model()
        digits = (found.eval(cell, model_completion=True).as_long() for cell in cells)
        return Grid(tuple(digits), puzzle.box)

    def _exclude(self, model: Any, grid: Grid) -> None:
        solver, cells = model
        pairs = zip(cells, grid.digits, strict=True)
        solver.add(self._imported().Or(*(cell != digit for cell, digit in pairs)))

    def _model(self, puzzle: Grid | Puzzle) -> Any:
        z3, n = self._imported(), puzzle.size
        solver = z3.SolverFor("QF_FD")
        cells = [z3.BitVec(f"c{cell}", n.bit_length()) for cell in range(n * n)]
        for cell, given in zip(cells, puzzle.digits, strict=True):
            solver.add(cell == given if given else z3.And(z3.ULE(1, cell), z3.ULE(cell, n)))
        for house in puzzle.layout.offsets:
            solver.add(z3.Distinct(*(cells[cell] for cell in house)))
        at: dict[Any, Any] = dict(zip(puzzle.cells, cells, strict=True))
        for rule in puzzle.rules:
            parts: Any = [at[cell] for cell in getattr(rule, "cells", ())]
            if rule.kind == "greater":
                solver.add(*(z3.UGT(one, other) for one, other in pairwise(parts)))
                continue
            solver.add(z3.Distinct(*parts))
            if (total := getattr(rule, "sum", None)) is not None:
                # Wide enough for the sum of all digits of a row.
                wide = [z3.ZeroExt(8, part) for part in parts]
                solver.add(sum(wide[1:], wide[0]) == total)
        return solver, cells
