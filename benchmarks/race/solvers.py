"""What a contestant can be asked; and our engines, in the package and without it."""

from __future__ import annotations

import re
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.clingo.program import OPTIONS
from pylogic_sudoku.files import resource
from pylogic_sudoku.puzzle.cells import Box

OURS = ("clingo", "prolog")
"""The contestants that the others are compared with."""

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
