"""What a contestant can be asked; our engines, in the package and without it; and their peers.

The peers are other solvers from PyPI, each with its best sensible settings. If one leaves a choice
(a solver, a way to model), it gets the fastest of those tried on easy, 17-clue and hard puzzles;
`contestants` says which.
"""

from __future__ import annotations

import re
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.clingo.program import OPTIONS
from pylogic_sudoku.files import resource
from pylogic_sudoku.puzzle.cells import Box
from pylogic_sudoku.rules.clauses import of_layout

from ..study import contestants as study

OURS = ("clingo", "prolog")
"""The contestants that the others are compared with."""

CP_SAT = {
    "num_workers": 1,
    "linearization_level": 0,
    "symmetry_level": 0,
    "cp_model_probing_level": 0,
}
"""Settings of OR-tools, also for CPMpy."""
NO_LIMIT = 1e6
"""Seconds: the race itself stops who takes too long."""

_ATOM = re.compile(r"sudoku\((\d+),(\d+),(\d+)\)")


class Unfit(Exception):
    """The contestant cannot do this at all; the message says why."""


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

    def of(self, placements: Iterable[Iterable[int]]) -> Grid | None:
        """Return the grid with these placements, or None if there are none."""
        size = self.box[0] * self.box[1]
        cells = [0] * size**2
        for x, y, digit in placements:
            cells[(x - 1) * size + y - 1] = digit
        return self.grid(cells) if any(cells) else None


class Contestant(NamedTuple):
    """A solver with a name."""

    name: str
    make: Callable[[Box], Solver]
    """Called in the contestant's own process, so it must be picklable."""
    package: str
    """The distribution whose version is reported."""
    settings: str
    """What is run, and how, in a few words."""


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

    def __init__(self, box: Box, options: Sequence[str] = OPTIONS) -> None:
        super().__init__(box)
        import clingo

        size = box[0] * box[1]
        shape = [f"-cbox_rows={box[0]}", f"-cbox_columns={box[1]}"]
        self._control = clingo.Control([*options, *shape], logger=lambda *_message: None)
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


class FreshClingo(Solver):
    """A new `Control` for each puzzle with the encoding of the tutorials, givens as facts."""

    def solve(self, puzzle: Grid) -> Grid | None:
        import clingo

        rows, columns = self.box
        control = clingo.Control(
            [f"-cbox_rows={rows}", f"-cbox_columns={columns}"], logger=lambda *_message: None
        )
        control.load(str(resource("encodings/pairwise.lp")))
        control.add("base", [], " ".join(f"sudoku({x},{y},{n})." for x, y, n in puzzle.givens))
        control.ground()
        with control.solve(yield_=True) as handle:
            model = handle.model()
            shown = model.symbols(shown=True) if model else []
            return self.of([argument.number for argument in each.arguments] for each in shown)


class ClingoProcess(Solver):
    """The command clingo, started for each puzzle; its output is parsed."""

    def solve(self, puzzle: Grid) -> Grid | None:
        shape = [f"-cbox_rows={self.box[0]}", f"-cbox_columns={self.box[1]}"]
        encoding = str(resource("encodings/sudoku.lp"))
        command = [sys.executable, "-m", "clingo", encoding, "-", *shape]
        facts = " ".join(f"initial({x},{y},{n})." for x, y, n in puzzle.givens)
        # clingo's exit codes are about the answer, not about success.
        done = subprocess.run(command, input=facts, capture_output=True, text=True, check=False)
        return self.of(map(int, atom) for atom in _ATOM.findall(done.stdout))


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
        return self._solver.first(puzzle, NO_LIMIT).solution


class Cpmpy(Solver):
    """CPMpy on CP-SAT, with the same settings."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._cp: Any = import_module("cpmpy")

    def solve(self, puzzle: Grid) -> Grid | None:
        cp = self._cp
        cells = cp.intvar(1, puzzle.size, shape=len(puzzle.digits))
        model = cp.Model(
            [cp.AllDifferent([cells[cell] for cell in house]) for house in puzzle.layout.offsets],
            [cells[cell] == given for cell, given in enumerate(puzzle.digits) if given],
        )
        found = model.solve(solver="ortools", **CP_SAT)
        return self.grid(map(int, cells.value())) if found else None


class Pencilmark(Solver):
    """Its function solve, which also makes sure that there is only one solution."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        self._module: Any = import_module("pencilmark")

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
    loop = "in a loop: ground once, givens as assumptions, symbols made grids"
    classic = "programs/classic.pl: 27 all_distinct, label row by row"
    kept = "one solver for all, plain clauses, givens as assumptions, models made grids"
    model = "CP-SAT, a model for each puzzle, AllDifferent, one worker; no linear relaxation,"
    bits = "bit vectors, Distinct, solver for QF_FD"
    ortools, z3 = (partial(OfStudy, solver=each) for each in (study.CpSat(**CP_SAT), study.Z3()))
    found: list[tuple[str, Callable[[Box], Solver], str, str]] = [
        ("clingo", partial(Ours, backend="clingo"), "clingo", one),
        ("prolog", partial(Ours, backend="prolog"), "janus-swi", one),
        ("sat", partial(Ours, backend="sat"), "python-sat", one),
        ("clingo-bare", BareClingo, "clingo", f"our program and options {loop}"),
        *(
            (
                f"clingo-bare {options.removeprefix('--configuration=')}",
                partial(BareClingo, options=options.split()),
                "clingo",
                f"the same loop with {options} instead of our options",
            )
            for options in clingo_options
        ),
        ("clingo-fresh", FreshClingo, "clingo", "pairwise.lp, a fresh Control for each puzzle"),
        ("clingo-process", ClingoProcess, "clingo", "sudoku.lp, python -m clingo for each puzzle"),
        ("prolog-classic", partial(Ours, backend="prolog:classic"), "janus-swi", classic),
        ("python-sat cadical195", partial(PythonSat, solver="cadical195"), "python-sat", kept),
        ("python-sat glucose4", partial(PythonSat, solver="glucose4"), "python-sat", kept),
        ("ortools", ortools, "ortools", f"{model} symmetry or probing"),
        ("cpmpy", Cpmpy, "cpmpy", "on ortools with the same settings"),
        ("z3", z3, "z3-solver", bits),
        ("pencilmark", Pencilmark, "pencilmark", "solve(), which proves uniqueness too"),
    ]
    return tuple(Contestant(*each) for each in found)
