"""What a contestant can be asked; and our engines, in the package and without it."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines import get
from pylogic_sudoku.engines.clingo.program import OPTIONS
from pylogic_sudoku.files import resource
from pylogic_sudoku.puzzle.cells import Box

OURS = ("clingo", "prolog")
"""The contestants that the others are compared with."""

_ATOM = re.compile(r"\((\d+),(\d+),(\d+)\)")


class Unfit(Exception):
    """The contestant cannot do this at all; the message says why."""


class Solver:
    """One way to solve puzzles of one box shape, with everything it needs loaded.

    A method that is not overridden raises Unfit. An ImportError or BackendUnavailable from the
    constructor means that the solver is not installed.
    """

    def __init__(self, box: Box) -> None:
        self.box = box

    def solve(self, puzzle: Grid) -> Grid | None:
        """Return a solution, or None if there is none."""
        raise Unfit("only enumerates")

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Any]:
        """Return each solution once, or `limit` of them, in the cheapest form; see `read`."""
        raise Unfit("cannot enumerate")

    def read(self, solution: Any) -> Grid:
        """Return an item of `solutions` as a grid, if it is not one."""
        return Grid(tuple(solution), self.box)

    def count(self, puzzle: Grid) -> int:
        """Return the number of solutions without reading them."""
        raise Unfit("cannot count without enumerating")


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

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Grid]:
        return pls.solutions(puzzle, self._backend, limit)

    def count(self, puzzle: Grid) -> int:
        return pls.count(puzzle, self._backend)


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
        with self._search(puzzle) as handle:
            model = handle.model()
            return self.read(model.symbols(shown=True)) if model else None

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Any]:
        return map(self.read, self._symbols(puzzle, limit))

    def count(self, puzzle: Grid) -> int:
        self._set_models(0)
        self._control.solve(assumptions=self._givens(puzzle))
        return int(self._control.statistics["summary"]["models"]["enumerated"])

    def read(self, solution: Any) -> Grid:
        cells = [0] * (self.box[0] * self.box[1]) ** 2
        for symbol in solution:
            cell, digit = self._place[symbol]
            cells[cell] = digit
        return Grid(tuple(cells), self.box)

    def _symbols(self, puzzle: Grid, limit: int | None) -> Iterator[Sequence[Any]]:
        self._set_models(limit or 0)
        with self._search(puzzle) as handle:
            for model in handle:
                yield model.symbols(shown=True)

    def _search(self, puzzle: Grid) -> Any:
        return self._control.solve(assumptions=self._givens(puzzle), yield_=True)

    def _set_models(self, number: int) -> None:
        configuration: Any = self._control.configuration
        configuration.solve.models = number

    def _givens(self, puzzle: Grid) -> list[int]:
        return [self._literal[cell, digit] for cell, digit in enumerate(puzzle.digits) if digit]


class SymbolsOnly(BareClingo):
    """The same loop, but the symbols do not become grids."""

    def solve(self, puzzle: Grid) -> Grid | None:
        raise Unfit("only enumerates")

    def count(self, puzzle: Grid) -> int:
        raise Unfit("only enumerates")

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Any]:
        return map(list, self._symbols(puzzle, limit))  # list() creates the symbols


class FreshClingo(Solver):
    """A new `Control` for each puzzle with the encoding of the tutorials, givens as facts."""

    def solve(self, puzzle: Grid) -> Grid | None:
        return next(map(self.read, self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterator[list[int]]:
        import clingo

        rows, columns = self.box
        size = rows * columns
        control = clingo.Control(
            [str(limit or 0), f"-cbox_rows={rows}", f"-cbox_columns={columns}"],
            logger=lambda *_message: None,
        )
        control.load(str(resource("encodings/pairwise.lp")))
        control.add("base", [], " ".join(f"sudoku({x},{y},{n})." for x, y, n in puzzle.givens))
        control.ground()
        with control.solve(yield_=True) as handle:
            for model in handle:
                cells = [0] * size**2
                for symbol in model.symbols(shown=True):
                    x, y, digit = (argument.number for argument in symbol.arguments)
                    cells[(x - 1) * size + y - 1] = digit
                yield cells


class ClingoProcess(Solver):
    """The command clingo, started for each puzzle; its output is parsed."""

    def solve(self, puzzle: Grid) -> Grid | None:
        return next(map(self.read, self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterator[list[int]]:
        size = self.box[0] * self.box[1]
        for line in self._run(puzzle, str(limit or 0)).splitlines():
            if line.startswith("sudoku("):
                cells = [0] * size**2
                for x, y, digit in _ATOM.findall(line):
                    cells[(int(x) - 1) * size + int(y) - 1] = int(digit)
                yield cells

    def count(self, puzzle: Grid) -> int:
        output = self._run(puzzle, "0", "--quiet")
        return int(output.partition("Models")[2].split()[1])

    def _run(self, puzzle: Grid, *options: str) -> str:
        shape = [f"-cbox_rows={self.box[0]}", f"-cbox_columns={self.box[1]}"]
        encoding = str(resource("encodings/sudoku.lp"))
        command = [sys.executable, "-m", "clingo", encoding, "-", *shape, *options]
        facts = " ".join(f"initial({x},{y},{n})." for x, y, n in puzzle.givens)
        # clingo's exit codes are about the answer, not about success.
        return subprocess.run(
            command, input=facts, capture_output=True, text=True, check=False
        ).stdout
