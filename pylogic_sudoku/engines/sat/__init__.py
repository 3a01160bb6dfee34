"""The SAT engine: CaDiCaL on the clauses of ``_clauses.py``, through python-sat.

With a third engine, a disagreement has a majority. It is optional, and nothing else imports
python-sat. Givens and marks are assumptions, so a solver is kept for each layout and used again.
A hard puzzle gets a solver of its own, in which its givens are clauses.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from math import inf
from time import perf_counter
from typing import Any, NoReturn, TypeVar

from ..._clauses import literal, negated
from ...errors import BackendUnavailable, SolveTimeout
from ...grid import Candidates, Grid, Layout, candidate_rows
from ...puzzle import Puzzle
from ..base import Backend, Measurement, has, patience
from ..budget import Budget
from ..threads import Workers
from . import program as programs
from .program import Hard, Learned, OwnProgram, Program

__all__ = ["SatBackend"]

MOST_LAYOUTS = 32
"""Layouts whose programs are kept: a collection of killers has a layout for each puzzle."""

T = TypeVar("T")


class _Shelf:
    """The programs of a layout that are not in use, and what all of them have learned."""

    def __init__(self) -> None:
        self.programs: dict[bool, list[Program]] = {False: [], True: []}
        """With and without switches."""
        self.learned: Learned = {}


class SatBackend(Backend):
    """CaDiCaL on the clauses of a puzzle."""

    name = "sat"
    engine = "CaDiCaL"
    knows = frozenset({"regions", "marks", "rules"})

    def __init__(self) -> None:
        self._shelves: dict[Layout, _Shelf] = {}
        self._workers = Workers("pylogic_sudoku sat")

    def version(self) -> str:
        try:
            return f"1.9.5 (python-sat {version('python-sat')})"
        except PackageNotFoundError:
            return "1.9.5"

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        return self._workers.stream(_Search(self, puzzle), Budget(self.name, timeout))

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        def first(program: Program) -> Grid | None:
            found = program.solve(program.assumptions(puzzle))
            return Grid(program.digits(found), puzzle.box) if found else None

        return self._ask(puzzle.layout, _empty(puzzle), timeout, first)

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        most = number = 0

        def add_up(program: Program) -> None:
            nonlocal most, number
            number = 0  # a second program counts from the beginning
            with closing(program.answers(program.assumptions(puzzle), negated)) as answers:
                for _ in islice(answers, limit):
                    number += 1
                    most = max(most, number)

        try:
            self._ask(puzzle.layout, _empty(puzzle), timeout, add_up)
        except SolveTimeout as error:
            error.found = most
            raise
        return number

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        size = puzzle.size
        unseen = dict.fromkeys(range(1, size**3 + 1))
        cells: list[set[int]] = [set() for _ in puzzle.digits]

        def others(found: list[int]) -> Iterable[int]:
            for each in found:
                unseen.pop(each, None)
            return unseen

        def look(program: Program) -> None:
            with closing(program.answers(program.assumptions(puzzle), others)) as answers:
                for found in answers:
                    for digits, digit in zip(cells, program.digits(found), strict=True):
                        digits.add(digit)

        self._ask(puzzle.layout, _empty(puzzle), timeout, look)
        return candidate_rows(cells, size)

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        """See `Watched`: unit propagation, by MiniSat, since python-sat has none for CaDiCaL."""
        return self._workers.call(
            lambda: programs.left(puzzle), Budget(self.name, timeout), lambda: None
        )

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement:
        """See `Watched`."""
        stop = threading.Event()

        def work() -> Measurement:
            start = perf_counter()
            program = Program(puzzle.layout, {}, stop)
            made = perf_counter()
            found = program.solve(program.assumptions(puzzle))
            choices, conflicts = program.work()
            return Measurement(
                Grid(program.digits(found), puzzle.box) if found else None,
                setup=made - start,
                search=perf_counter() - made,
                choices=choices,
                conflicts=conflicts,
            )

        return self._workers.call(work, Budget(self.name, timeout), stop.set)

    def trace(self, _puzzle: Grid | Puzzle, timeout: float | None = None) -> NoReturn:
        """BackendUnavailable: python-sat does not show the choices of CaDiCaL."""
        raise BackendUnavailable(
            "the search of the sat engine cannot be watched", "Choose clingo or prolog."
        )

    def consistent(
        self,
        layout: Layout,
        rules: Iterable[tuple[Any, ...]],
        holds: Iterable[tuple[int, int, int]],
        excluded: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        """See `Checker`."""
        rules, holds, excluded = list(rules), list(holds), list(excluded)
        for demand in (*rules, *holds, *excluded):
            if not has(layout, demand):
                raise ValueError(f"{layout} has no {demand!r}")
        if any(rule[0] in ("house", "rule") for rule in rules):
            rules.append(("cells",))

        def possible(program: Program) -> bool:
            assumed = [program.switch(rule) for rule in rules]
            assumed += [literal(layout.size, each) for each in holds]
            assumed += [-literal(layout.size, each) for each in excluded]
            return program.solve(assumed) is not None

        empty = len(layout.cells) - len({place[:2] for place in holds})
        return self._ask(layout, empty, timeout, possible, switches=True)

    @contextmanager
    def lent(
        self, layout: Layout, empty: int, stop: threading.Event, switches: bool = False
    ) -> Iterator[Program]:
        """A program for the length of the block; to be called in a worker.

        `empty` is the number of cells without a given, which says when a question is `Hard`.
        """
        shelf = self._shelf(layout)
        idle = shelf.programs[switches]
        try:
            program = idle.pop()
            program.stop = stop
        except IndexError:
            program = Program(layout, shelf.learned, stop, switches)
        program.patience = patience(programs.HARD, empty, layout.size)
        try:
            yield program
        finally:
            if not program.is_worn:
                idle.append(program)

    def own(self, layout: Layout, stop: threading.Event, switches: bool = False) -> OwnProgram:
        """A program for one hard question; to be called in a worker."""
        return OwnProgram(layout, self._shelf(layout).learned, stop, switches)

    def _shelf(self, layout: Layout) -> _Shelf:
        shelf = self._shelves.setdefault(layout, _Shelf())
        while len(self._shelves) > MOST_LAYOUTS:
            with suppress(KeyError, RuntimeError, StopIteration):  # another thread may do the same
                del self._shelves[next(iter(self._shelves))]
        return shelf

    def _ask(
        self,
        layout: Layout,
        empty: int,
        timeout: float | None,
        question: Callable[[Program], T],
        switches: bool = False,
    ) -> T:
        stop = threading.Event()

        def ask() -> T:
            with suppress(Hard), self.lent(layout, empty, stop, switches) as program:
                return question(program)
            return question(self.own(layout, stop, switches))

        return self._workers.call(ask, Budget(self.name, timeout), stop.set)


class _Search:
    """The solutions of a puzzle, one by one."""

    def __init__(self, backend: SatBackend, puzzle: Grid | Puzzle) -> None:
        self._stop = threading.Event()
        self._grids = self._found(backend, puzzle)

    def next(self) -> Grid | None:
        """The next solution, or None when there are no more."""
        return next(self._grids, None)

    def interrupt(self) -> None:
        """Make the running call return soon."""
        self._stop.set()

    def close(self) -> None:
        """Give the program back."""
        self._grids.close()

    def _found(self, backend: SatBackend, puzzle: Grid | Puzzle) -> Generator[Grid]:
        layout, empty = puzzle.layout, _empty(puzzle)
        seen = set[Grid]()

        def all_by(program: Program) -> Generator[Grid]:
            assumed = program.assumptions(puzzle)
            with closing(program.answers(assumed, negated)) as answers:
                for found in answers:
                    yield Grid(program.digits(found), puzzle.box)

        with (
            suppress(Hard),
            backend.lent(layout, empty, self._stop) as program,
            closing(all_by(program)) as grids,
        ):
            for grid in grids:
                if program.patience < inf:  # it may still become hard
                    seen.add(grid)
                yield grid
            return
        with closing(all_by(backend.own(layout, self._stop))) as grids:
            yield from (grid for grid in grids if grid not in seen)


def _empty(puzzle: Grid | Puzzle) -> int:
    return puzzle.digits.count(0)
