"""Our engines, and the same engines as people use them without this package."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from .. import _api as api
from .._batch import SolvedPuzzles, lost
from .._pool import Pool
from .._resources import resource
from ..engines import get
from ..engines.clingo.program import OPTIONS
from ..engines.prolog.start import import_janus
from ..grid import Box, Grid
from .sets import trivial
from .solver import Solver, Unfit

__all__ = [
    "BareClingo",
    "ClassicProlog",
    "ClingoProcess",
    "FreshClingo",
    "Ours",
    "Parallel",
    "SymbolsOnly",
]


_ATOM = re.compile(r"\((\d+),(\d+),(\d+)\)")


class Ours(Solver):
    """Our engines in one thread."""

    def __init__(self, box: Box, backend: str) -> None:
        super().__init__(box)
        get(backend).version()
        self._backend = backend

    def solve(self, puzzle: Grid) -> Grid | None:
        return api.solve(puzzle, self._backend)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Grid]:
        return api.solutions(puzzle, self._backend, limit)

    def count(self, puzzle: Grid) -> int:
        return api.count(puzzle, self._backend)


class Parallel(Solver):
    """Our engines in several processes, all of them warm before time is taken."""

    parallel = True

    def __init__(self, box: Box, backend: str, jobs: int) -> None:
        super().__init__(box)
        get(backend).version()
        self._solve = partial(api.solve, backend=backend)
        self._pool = Pool(jobs)
        # As many slow items as processes: each has one of them.
        for _ in self.solve_all([trivial(box)] * jobs):  # raises what goes wrong
            pass

    def solve_all(self, puzzles: Sequence[Grid]) -> SolvedPuzzles:
        return SolvedPuzzles(self._pool.map(self._solve, puzzles, lost))


class BareClingo(Solver):
    """clingo as one uses it by hand: ground once, givens as assumptions, symbols read.

    The program and the options are ours, so what the package adds to its engine can be seen.
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
    """The same loop where nothing is made of the symbols."""

    def solve(self, puzzle: Grid) -> Grid | None:
        raise Unfit("only enumerates")

    def count(self, puzzle: Grid) -> int:
        raise Unfit("only enumerates")

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Any]:
        return map(list, self._symbols(puzzle, limit))  # until then no symbol is made


class FreshClingo(Solver):
    """A new `Control` a puzzle with the encoding that tutorials show, givens as facts."""

    def solve(self, puzzle: Grid) -> Grid | None:
        return next((self.read(cells) for cells in self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
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
    """The command clingo, once a puzzle, its answer read from its output."""

    def solve(self, puzzle: Grid) -> Grid | None:
        return next((self.read(cells) for cells in self.solutions(puzzle, 1)), None)

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[list[int]]:
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
        # clingo's exit codes tell about the answer, not about success.
        return subprocess.run(
            command, input=facts, capture_output=True, text=True, check=False
        ).stdout


class ClassicProlog(Solver):
    """The sixteen lines of the tutorials, asked through janus, in a Prolog without our program."""

    def __init__(self, box: Box) -> None:
        super().__init__(box)
        if box != (3, 3):
            raise Unfit("9x9 only")
        self._janus = import_janus()
        program = str(resource("prolog/classic_sudoku.pl"))
        self._janus.query_once("use_module(File, [])", {"File": program})

    def solve(self, puzzle: Grid) -> Grid | None:
        answer = self._janus.query_once(
            "term_to_atom(_Rows, Text), once(classic_sudoku:sudoku(_Rows)), append(_Rows, Cells)",
            {"Text": puzzle.format("prolog")},
        )
        return self.read(answer["Cells"]) if answer["truth"] else None
