"""Other sudoku solvers from PyPI, each with its best sensible settings; and the list of all.

If a peer leaves a choice (a solver, a way to model), it gets the fastest of those tried on easy,
17-clue and hard puzzles; `contestants` says which.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from typing import Any

from pylogic_sudoku import Grid
from pylogic_sudoku.puzzle.cells import Box
from pylogic_sudoku.rules.clauses import of_layout

from ..study.contestants import Z3 as Smt
from ..study.contestants import CpSat
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

    Givens are assumptions.
    """

    def __init__(self, box: Box, solver: str) -> None:
        super().__init__(box)
        self._size = box[0] * box[1]
        clauses = of_layout(Grid((0,) * self._size**2, box).layout)
        self._solver: Any = import_module("pysat.solvers").Solver(solver, bootstrap_with=clauses)

    def solve(self, puzzle: Grid) -> Grid | None:
        size = self._size
        givens = [cell * size + digit for cell, digit in enumerate(puzzle.digits) if digit]
        if not self._solver.solve(assumptions=givens):
            return None
        held = (literal for literal in self._solver.get_model() if literal > 0)
        return self.grid((literal - 1) % size + 1 for literal in held)


class OrTools(Solver):
    """CP-SAT, with the model of the study."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._solver = CpSat(**CP_SAT)
        self._solver.version()

    def solve(self, puzzle: Grid) -> Grid | None:
        return self._solver.first(puzzle, NO_LIMIT).solution


class Cpmpy(Peer):
    """CPMpy on CP-SAT, with the same settings."""

    module = "cpmpy"

    def solve(self, puzzle: Grid) -> Grid | None:
        cp = self._module
        cells = cp.intvar(1, puzzle.size, shape=len(puzzle.digits))
        model = cp.Model(
            [cp.AllDifferent([cells[cell] for cell in house]) for house in puzzle.layout.offsets],
            [cells[cell] == given for cell, given in enumerate(puzzle.digits) if given],
        )
        found = model.solve(solver="ortools", **CP_SAT)
        return self.grid(map(int, cells.value())) if found else None


class Z3(Solver):
    """The solver for finite domains, with the model of the study."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._solver = Smt()
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
        return self.grid(answer)


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
