"""The answer set engine: ``encodings/sudoku.lp``, ground once a box shape, through clingo.

A puzzle's givens are assumptions, so that nothing is ground or forgotten between puzzles: a
newspaper puzzle takes a fifth of a millisecond, where a fresh `Control` takes seven. How the
encoding and the configuration were chosen is written in ``benchmarks/NOTES.md``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, suppress
from operator import attrgetter
from typing import Any, TypeVar

import clingo

from ...errors import SolveTimeout
from ...grid import Candidates, Grid, Layout, Placement, candidate_rows
from ...puzzle import Puzzle
from ..base import Backend
from ..budget import Budget
from ..signals import undisturbed
from ..stopping import check_stop
from ..threads import Workers
from .ground import encoding, grounded
from .removals import Removed, removals
from .rulebook import Reasons, Rulebook, opened, tell_apart
from .session import Asker, Unfinished, translated

__all__ = ["ClingoBackend"]

T = TypeVar("T")

BRIEF = 81_000
"""How many conflicts, times the cells of the grid, a search may have that runs in the caller's own
thread, where Ctrl-C and time limits have to wait: 1,000 for a 9x9 puzzle, which are some 20 ms.
Nearly every question is answered by then. It may have a fifth as many models: whoever counts more
does not notice what is counted twice."""

# A symbol's number is a good key; hashing the symbol itself calls into C for each of 81 cells.
_key: Callable[[clingo.Symbol], Any] = (
    attrgetter("_rep") if hasattr(clingo.Number(1), "_rep") else lambda symbol: symbol
)


def _keys(symbols: Sequence[clingo.Symbol]) -> Iterable[Any]:
    """The key of each symbol: at once where clingo has their numbers in a row, as it has now."""
    numbers = getattr(symbols, "_p_symbols", None)
    return map(_key, symbols) if numbers is None else list(numbers)


class _Program:
    """The ground encoding for one box shape: one search at a time."""

    def __init__(self, layout: Layout) -> None:
        self.box = layout.box
        size = layout.size
        self.control = grounded(encoding("sudoku"), layout.box)
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._brief = False
        self._most = 0  # models of a search; 0 for no limit
        # literal[cell][digit] is assumed for a given; place[key] is what a model's symbol says.
        self._literal = [[0] * (size + 1) for _ in range(size * size)]
        self._place: dict[Any, tuple[int, int]] = {}
        for atom in self.control.symbolic_atoms.by_signature("sudoku", 3):
            x, y, digit = (argument.number for argument in atom.symbol.arguments)
            cell = (x - 1) * size + y - 1
            self._literal[cell][digit] = atom.literal
            self._place[_key(atom.symbol)] = cell, digit

    def be_brief(self, brief: bool) -> None:
        """Whether searches end, perhaps unfinished, after a few milliseconds."""
        if brief != self._brief:
            self._brief = brief
            conflicts = BRIEF // len(self._literal)
            self._most = self._settings.models = conflicts // 5 if brief else 0
            self._settings.solve_limit = f"{conflicts if brief else 'umax'},umax"

    def search(self, puzzle: Grid | Puzzle) -> Any:
        """A handle on the models of the puzzle."""
        return self.control.solve(assumptions=self._assumptions(puzzle), yield_=True)

    def first(self, puzzle: Grid | Puzzle) -> Grid | None:
        """A solution, or None."""
        with self.search(puzzle) as handle:
            model = handle.model()
            if model:
                return self.grid(model)
            if not handle.get().exhausted:
                raise Unfinished
            return None

    def count(
        self,
        puzzle: Grid | Puzzle,
        limit: int | None,
        on_model: Callable[[clingo.Model], None] | None,
    ) -> int:
        """The number of solutions up to `limit` (not 0), without reading them.

        `on_model` is called for each, but not by a brief search (see `Asker`).
        """
        self._settings.models = min((m for m in (limit, self._most) if m), default=0)
        on_model = None if self._brief else on_model
        try:
            result = self.control.solve(assumptions=self._assumptions(puzzle), on_model=on_model)
        finally:
            self._settings.models = self._most
        found = int(self.control.statistics["summary"]["models"]["enumerated"])
        if not result.exhausted and found != limit:
            raise Unfinished
        return found

    def candidates(self, puzzle: Grid | Puzzle) -> list[set[int]]:
        """For each cell, the digits that are brave consequences."""
        cells: list[set[int]] = [set() for _ in puzzle.digits]
        self._settings.enum_mode = "brave"
        try:
            with self.search(puzzle) as handle:
                # Each model adds to the one before; the last holds all of them.
                for _ in handle:
                    pass
                if not handle.get().exhausted:
                    raise Unfinished
                for cell, digit in self._shown(last) if (last := handle.last()) else ():
                    cells[cell].add(digit)
        finally:
            self._settings.enum_mode = "auto"
        return cells

    def grid(self, model: clingo.Model) -> Grid:
        """The solution that a model is."""
        cells = [0] * len(self._literal)
        for cell, digit in self._shown(model):
            cells[cell] = digit
        return Grid(tuple(cells), self.box)

    def _shown(self, model: clingo.Model) -> Iterable[tuple[int, int]]:
        return map(self._place.__getitem__, _keys(model.symbols(shown=True)))

    def _assumptions(self, puzzle: Grid | Puzzle) -> list[int]:
        return [self._literal[cell][digit] for cell, digit in enumerate(puzzle.digits) if digit]


class _Search:
    """One use of a program, from when it is taken until it is given back."""

    def __init__(self, idle: list[_Program], puzzle: Grid | Puzzle) -> None:
        self._idle = idle
        self._puzzle = puzzle
        self._program: _Program | None = None
        self._handle: Any = None
        self._interrupted = False

    def ask(self, question: Callable[[_Program, Grid | Puzzle], T], brief: bool = False) -> T:
        """What the question says of the puzzle; Unfinished if it was stopped before."""
        try:
            with translated():
                program = self._program = self._program or self._take(brief)
                if self._interrupted:
                    raise Unfinished
                program.be_brief(brief)
                return question(program, self._puzzle)
        except Unfinished:
            raise
        except BaseException:
            # Whatever it was, the program may be in the middle of something.
            self._interrupted = True
            raise

    def next(self) -> Grid | None:
        """The next solution, or None when there is no other."""
        return self.ask(self._next)

    def interrupt(self) -> None:
        """Makes the running call return soon."""
        self._interrupted = True
        if self._program:
            self._program.control.interrupt()

    def close(self) -> None:
        """Gives the program back for other searches.

        One that was interrupted is not used again: if the interrupt came too late for this
        search, clingo would stop the next one.
        """
        handle, self._handle = self._handle, None
        if handle:
            try:
                handle.__exit__(None, None, None)
            except RuntimeError:  # it would hide what broke the search
                self._interrupted = True
        program, self._program = self._program, None
        if program and not self._interrupted:
            self._idle.append(program)

    def _take(self, brief: bool) -> _Program:
        try:
            return self._idle.pop()
        except IndexError:
            if brief:
                raise Unfinished from None  # grounding may take long
            return _Program(self._puzzle.layout)

    def _next(self, program: _Program, puzzle: Grid | Puzzle) -> Grid | None:
        if self._handle is None:
            self._handle = program.search(puzzle)
        else:
            self._handle.resume()
        model = self._handle.model()
        return program.grid(model) if model else None


class ClingoBackend(Backend):
    """clingo on ``encodings/sudoku.lp``."""

    name = "clingo"
    engine = "clingo"

    def __init__(self) -> None:
        self._idle: dict[Layout, list[_Program]] = {}
        self._rulebooks: dict[Layout, list[Rulebook]] = {}
        self._workers = Workers("pylogic_sudoku clingo")

    def version(self) -> str:
        return str(clingo.__version__)

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        search = self._search(puzzle)
        return self._workers.stream(
            search.next, Budget(self.name, timeout), search.interrupt, search.close
        )

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        return self._ask(puzzle, timeout, _Program.first)

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if limit == 0:
            return 0
        number = 0

        def add_one(_model: clingo.Model) -> None:
            nonlocal number
            number += 1

        on_model = None if timeout is None else add_one
        try:
            return self._ask(
                puzzle, timeout, lambda program, puzzle: program.count(puzzle, limit, on_model)
            )
        except SolveTimeout as error:
            error.found = number
            raise

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        return candidate_rows(self._ask(puzzle, timeout, _Program.candidates), puzzle.size)

    def consistent(
        self,
        layout: Layout,
        rules: Iterable[tuple[str | int, ...]],
        holds: Iterable[tuple[int, int, int]],
        lacks: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        rules = list(rules)
        with self.reasons(layout, timeout) as found:
            demands = [found.literal(demand) for demand in (*rules, *holds)]
            demands += [-found.literal(placement) for placement in lacks]
            if any(rule[0] == "house" for rule in rules):
                demands.append(found.literal(("cells",)))
            return found.refute(demands) is None

    def reasons(
        self, layout: Layout, timeout: float | None = None
    ) -> AbstractContextManager[Reasons]:
        """What explanations ask, with `timeout` for all questions of the block together."""
        return opened(self._rulebooks.setdefault(layout, []), layout, self._asker(timeout))

    def removals(
        self, puzzle: Grid | Puzzle, query: tuple[int, int, int], timeout: float | None = None
    ) -> Generator[Removed]:
        """Every smallest set of givens that have to go so that a grid can have this placement."""
        return removals(self._workers, puzzle, query, Budget(self.name, timeout))

    def tell_apart(self, grids: Collection[Grid], timeout: float | None = None) -> list[Placement]:
        """The fewest placements that only one of these grids, which all differ, has all of."""
        return tell_apart(self._asker(timeout), grids)

    def _asker(self, timeout: float | None) -> Asker:
        return Asker(self._workers, Budget(self.name, timeout))

    def _ask(
        self,
        puzzle: Grid | Puzzle,
        timeout: float | None,
        question: Callable[[_Program, Grid | Puzzle], T],
    ) -> T:
        """The answer to one question: at once if that takes no time, else by a worker."""
        check_stop()
        search = self._search(puzzle)
        try:
            with suppress(Unfinished):
                return undisturbed(lambda: search.ask(question, brief=True))
            budget = Budget(self.name, timeout)
            return self._workers.call(lambda: search.ask(question), budget, search.interrupt)
        finally:
            search.close()

    def _search(self, puzzle: Grid | Puzzle) -> _Search:
        return _Search(self._idle.setdefault(puzzle.layout, []), puzzle)
