"""python-sat with Glucose 4: a variable for each placement, at most one by pairs."""

from __future__ import annotations

from importlib import import_module
from importlib.metadata import version
from threading import Timer
from time import process_time
from typing import Any

from pylogic_sudoku import BackendFailure, Grid, Puzzle, SolveTimeout
from pylogic_sudoku.engines.base import Measurement
from pylogic_sudoku.rules.clauses import of_layout

from ..contestants import Contestant


class Glucose(Contestant):
    """A solver for each puzzle, the clauses of its houses, givens as units."""

    name, paradigm = "Glucose", "SAT"

    def version(self) -> str:
        import_module("pysat.solvers")
        return version("python-sat")

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement:
        start = process_time()
        with self._solver(puzzle) as solver:
            made = process_time()
            found = self._next(solver, puzzle, seconds)
            work = solver.accum_stats()
        return Measurement(
            found,
            setup=made - start,
            search=process_time() - made,
            choices=work["decisions"],
            conflicts=work["conflicts"],
        )

    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        start = process_time()
        found: list[Grid] = []
        with self._solver(puzzle) as solver:
            while len(found) < most:
                left = seconds - (process_time() - start)
                grid = self._next(solver, puzzle, left)
                if grid is None:
                    break
                found.append(grid)
                solver.add_clause([-each for each in self._literals(grid)])
        return found

    def left(self, puzzle: Grid | Puzzle, seconds: float) -> int | None:
        with self._solver(puzzle, givens=False) as solver:
            consistent, implied = solver.propagate(self._literals(puzzle))
        gone = sum(each < 0 for each in implied)
        return puzzle.size**3 - gone if consistent else 0

    def _solver(self, puzzle: Grid | Puzzle, givens: bool = True) -> Any:
        if puzzle.rules or puzzle.marks:
            raise BackendFailure("no rules beyond houses in these clauses")
        empty = puzzle.without(*puzzle.cells)
        units = [[each] for each in self._literals(puzzle)] if givens else []
        solver: Any = import_module("pysat.solvers").Solver
        return solver("glucose4", bootstrap_with=[*of_layout(empty.layout), *units])

    def _next(self, solver: Any, puzzle: Grid | Puzzle, seconds: float) -> Grid | None:
        if seconds <= 0:
            raise SolveTimeout(self.name, seconds)
        timer = Timer(seconds, solver.interrupt)
        timer.start()
        answer = solver.solve_limited(expect_interrupt=True)
        timer.cancel()
        timer.join()
        solver.clear_interrupt()
        if answer is None:
            raise SolveTimeout(self.name, seconds)
        if not answer:
            return None
        n = puzzle.size
        held = [each for each in solver.get_model()[: n**3] if each > 0]
        return Grid(tuple((each - 1) % n + 1 for each in held), puzzle.box)

    @staticmethod
    def _literals(puzzle: Grid | Puzzle) -> list[int]:
        n = puzzle.size
        return [cell * n + digit for cell, digit in enumerate(puzzle.digits) if digit]


CONTESTANT = Glucose()
