"""The questions to a contestant; our engines, in the package and without it; and their peers.

The peers are other solvers from PyPI, each with its best sensible settings. If one leaves a choice
(a solver, a way to model), it gets the fastest of those tried on easy, 17-clue and hard puzzles;
`contestants` says which.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.engines.sudoku.ground_once import OPTIONS
from pylogic_sudoku.files import resource
from pylogic_sudoku.puzzle.cells import Box
from pylogic_sudoku.rules.clauses import of_layout

from ..study import ours as study
from ..study.outsiders import Z3, CpSat

OURS = ("clingo", "prolog")
"""The contestants that the others are compared with."""

CP_SAT = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}
"""Settings of OR-tools."""
NO_LIMIT = 1e6
"""Seconds: the race itself stops who takes too long."""


class Solver(ABC):
    """One way to solve puzzles of one box shape, with everything it needs loaded.

    An ImportError or BackendUnavailable from the constructor means that the solver is not
    installed.
    """

    def __init__(self, box: Box) -> None:
        self.box = box

    @abstractmethod
    def solve(self, puzzle: Grid) -> Grid | None:
        """Return a solution, or None if there is none."""

    def grid(self, digits: Iterable[int]) -> Grid:
        """Return a full grid."""
        return Grid(tuple(digits), self.box)


class Contestant(NamedTuple):
    """A solver with a name."""

    name: str
    make: Callable[[Box], Solver]
    """Called in the contestant's own process, so it must be picklable."""
    package: str
    """The distribution whose version is reported."""
    settings: str
    """The program that runs and its settings, in a few words."""


class Ours(Solver):
    """One of our engines in one thread."""

    def __init__(self, box: Box, backend: str) -> None:
        super().__init__(box)
        get(backend).version()
        self._backend = backend

    def solve(self, puzzle: Grid) -> Grid | None:
        return pls.solve(puzzle, self._backend)


class BareClingo(Solver):
    """clingo used by hand: grounded once, givens as assumptions, symbols read.

    The program and the options are ours, so the difference is the cost of the package.
    """

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        import clingo

        size = box[0] * box[1]
        shape = [f"-cbox_rows={box[0]}", f"-cbox_columns={box[1]}"]
        self._control = clingo.Control([*OPTIONS, *shape], logger=lambda *_message: None)
        self._control.load(str(resource("encodings/sudoku.lp")))
        self._control.ground()
        self._literal: dict[tuple[int, int], int] = {}
        self._place: dict[Any, tuple[int, int]] = {}
        for atom in self._control.symbolic_atoms.by_signature("sudoku", 3):
            x, y, digit = (argument.number for argument in atom.symbol.arguments)
            cell = (x - 1) * size + y - 1
            self._literal[cell, digit] = atom.literal
            self._place[atom.symbol] = cell, digit

    def solve(self, puzzle: Grid) -> Grid | None:
        givens = [self._literal[cell, digit] for cell, digit in enumerate(puzzle.digits) if digit]
        with self._control.solve(assumptions=givens, yield_=True) as handle:
            model = handle.model()
            if model is None:
                return None
            cells = [0] * len(puzzle.digits)
            for symbol in model.symbols(shown=True):
                cell, digit = self._place[symbol]
                cells[cell] = digit
        return self.grid(cells)


# --- solvers of other packages ------------------------------------------------------------------


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


class OfStudy(Solver):
    """A solver with the model of the study."""

    def __init__(self, box: Box, solver: study.Contestant) -> None:
        super().__init__(box)
        solver.version()
        self._solver = solver

    def solve(self, puzzle: Grid) -> Grid | None:
        solution: Grid | None = self._solver.first(puzzle, NO_LIMIT).solution
        return solution


def contestants() -> tuple[Contestant, ...]:
    """Return all contestants."""
    one = "our engine in one thread"
    loop = "in a loop: ground once, givens as assumptions, symbols made grids"
    classic = "programs/classic.pl: 27 all_distinct, label row by row"
    kept = "one solver for all, plain clauses, givens as assumptions, models made grids"
    model = "CP-SAT, a model for each puzzle, AllDifferent, one worker; no linear relaxation,"
    bits = "bit vectors, Distinct, solver for QF_FD"
    ortools, z3 = (partial(OfStudy, solver=each) for each in (CpSat(**CP_SAT), Z3()))
    found: list[tuple[str, Callable[[Box], Solver], str, str]] = [
        ("clingo", partial(Ours, backend="clingo"), "clingo", one),
        ("prolog", partial(Ours, backend="prolog"), "janus-swi", one),
        (
            "prolog-wasm",
            partial(Ours, backend="prolog-wasm"),
            "mini-racer",
            f"{one}, as WebAssembly",
        ),
        ("sat", partial(Ours, backend="sat"), "python-sat", one),
        ("clingo-bare", BareClingo, "clingo", f"our program and options {loop}"),
        ("prolog-classic", partial(Ours, backend="prolog:classic"), "janus-swi", classic),
        ("python-sat cadical195", partial(PythonSat, solver="cadical195"), "python-sat", kept),
        ("python-sat glucose4", partial(PythonSat, solver="glucose4"), "python-sat", kept),
        ("ortools", ortools, "ortools", f"{model} symmetry or probing"),
        ("z3", z3, "z3-solver", bits),
    ]
    return tuple(Contestant(*each) for each in found)
