"""Other sudoku solvers from PyPI, each with its best sensible settings; and the list of all.

If a peer leaves a choice (a solver, a way to model), it gets the fastest of those tried on easy,
17-clue and hard puzzles; `contestants` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from importlib import import_module
from math import inf
from typing import Any

from pylogic_sudoku import Grid
from pylogic_sudoku.puzzle.cells import Box
from pylogic_sudoku.rules.clauses import of_layout

from ..study.outsiders import cpsat, smt
from . import solvers
from .solvers import Contestant, Solver, Unfit

CP_SAT = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}
"""Settings of OR-tools, also for CPMpy."""
NO_LIMIT = 1e6
"""Seconds: the race itself stops who takes too long."""


class Peer(Solver):
    """A solver of another package, which is imported when the solver is made."""

    module: str

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._module: Any = import_module(self.module)


class PythonSat(Solver):
    """A SAT solver that is kept, with at-least-one and pairwise at-most-one clauses.

    Givens are assumptions. To enumerate, a new one gets a clause against each solution.
    """

    def __init__(self, box: Box, solver: str) -> None:
        super().__init__(box)
        self._new: Any = partial(import_module("pysat.solvers").Solver, solver)
        self._size = box[0] * box[1]
        self._clauses = of_layout(Grid((0,) * self._size**2, box).layout)
        self._solver = self._new(bootstrap_with=self._clauses)

    def solve(self, puzzle: Grid) -> Grid | None:
        if not self._solver.solve(assumptions=self._givens(puzzle)):
            return None
        return self.read(self._cells(self._placements(self._solver)))

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterator[list[int]]:
        givens = self._givens(puzzle)
        with self._new(bootstrap_with=self._clauses) as solver:
            while solver.solve(assumptions=givens):
                found = self._placements(solver)
                yield self._cells(found)
                solver.add_clause([-placement for placement in found])

    def count(self, puzzle: Grid) -> int:
        return sum(1 for _ in self.solutions(puzzle, None))

    def _givens(self, puzzle: Grid) -> list[int]:
        size = self._size
        return [cell * size + digit for cell, digit in enumerate(puzzle.digits) if digit]

    def _placements(self, solver: Any) -> list[int]:
        return [literal for literal in solver.get_model() if literal > 0]

    def _cells(self, placements: Iterable[int]) -> list[int]:
        return [(literal - 1) % self._size + 1 for literal in placements]


class OrTools(Solver):
    """CP-SAT, with the model of the study."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._solver = cpsat.CpSat(**CP_SAT)
        self._solver.version()

    def solve(self, puzzle: Grid) -> Grid | None:
        return self._solver.first(puzzle, NO_LIMIT).solution

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[tuple[int, ...]]:
        return self._solver.digits(puzzle, limit or inf, NO_LIMIT)


class Cpmpy(Peer):
    """CPMpy on CP-SAT, with the same settings."""

    module = "cpmpy"

    def solve(self, puzzle: Grid) -> Grid | None:
        model, cells = self._model(puzzle)
        found = model.solve(solver="ortools", **CP_SAT)
        return self.read(map(int, cells.value())) if found else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
        found: list[list[int]] = []
        model, cells = self._model(puzzle)
        model.solveAll(
            solver="ortools",
            display=lambda: found.append(list(map(int, cells.value()))),
            solution_limit=limit,
            **CP_SAT,
        )
        return found

    def _model(self, puzzle: Grid) -> tuple[Any, Any]:
        cells = self._module.intvar(1, puzzle.size, shape=len(puzzle.digits))
        model = self._module.Model(
            [
                self._module.AllDifferent([cells[cell] for cell in house])
                for house in puzzle.layout.offsets
            ],
            [cells[cell] == given for cell, given in enumerate(puzzle.digits) if given],
        )
        return model, cells


class Z3(Solver):
    """The solver for finite domains, with the model of the study."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._solver = smt.Z3()
        self._solver.version()

    def solve(self, puzzle: Grid) -> Grid | None:
        return self._solver.first(puzzle, NO_LIMIT).solution


class Pencilmark(Peer):
    """Its function solve, which also makes sure that there is only one solution."""

    module = "pencilmark"

    def solve(self, puzzle: Grid) -> Grid | None:
        rows, columns = self.box
        numbers = "".join(map(".123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ".__getitem__, puzzle.digits))
        try:
            answer = self._module.solve({"numbers": numbers, "box": f"{rows}x{columns}"})
        except self._module.NoSolution:
            return None
        except self._module.NotUnique:
            raise Unfit("refuses puzzles with several solutions") from None
        return self.read(answer)


def contestants(clingo_options: Sequence[str] = ()) -> tuple[Contestant, ...]:
    """Return all contestants, and one more for each set of options of clingo."""
    one = "our engine in one thread"
    kept = "one solver for all, plain clauses, givens as assumptions, models made grids"
    loop = "in a loop: ground once, givens as assumptions, symbols made grids"
    fresh = "pairwise.lp, a fresh Control for each puzzle, defaults"
    process = "sudoku.lp, python -m clingo for each puzzle, defaults"
    classic = "programs/classic.pl: 27 all_distinct, label row by row"
    model = "CP-SAT, a model for each puzzle, AllDifferent, one worker"
    clingo: list[tuple[str, Callable[[Box], Solver], str]] = [
        ("clingo-bare", solvers.BareClingo, f"our program and options {loop}"),
        *(
            (
                f"clingo-bare {options.removeprefix('--configuration=')}",
                partial(solvers.BareClingo, options=options.split()),
                f"the same loop with {options} instead of our options",
            )
            for options in clingo_options
        ),
        ("clingo-symbols", solvers.SymbolsOnly, "clingo-bare, but the symbols are only read"),
        ("clingo-fresh", solvers.FreshClingo, fresh),
        ("clingo-process", solvers.ClingoProcess, process),
    ]
    found: list[tuple[str, Callable[[Box], Solver], str, str]] = [
        ("clingo", partial(solvers.Ours, backend="clingo"), "clingo", one),
        ("prolog", partial(solvers.Ours, backend="prolog"), "janus-swi", one),
        ("sat", partial(solvers.Ours, backend="sat"), "python-sat", one),
        *((name, make, "clingo", settings) for name, make, settings in clingo),
        ("prolog-classic", partial(solvers.Ours, backend="prolog:classic"), "janus-swi", classic),
        ("python-sat cadical195", partial(PythonSat, solver="cadical195"), "python-sat", kept),
        ("python-sat glucose4", partial(PythonSat, solver="glucose4"), "python-sat", kept),
        ("ortools", OrTools, "ortools", f"{model}; no linear relaxation, symmetry or probing"),
        ("cpmpy", Cpmpy, "cpmpy", "on ortools with the same settings"),
        ("z3", Z3, "z3-solver", "bit vectors, Distinct, solver for QF_FD"),
        ("pencilmark", Pencilmark, "pencilmark", "solve(), which proves uniqueness too"),
    ]
    return tuple(Contestant(*each) for each in found)
