"""The answer set engine: ``encodings/sudoku.lp``, ground once for each layout, through clingo.

Givens and marks are assumptions, so nothing is ground or forgotten between puzzles: a newspaper
puzzle takes a fifth of a millisecond, a fresh `Control` seven. A hard puzzle, which takes longer
than that, gets a program of its own: ``encodings/one_puzzle.lp``, ground with its givens.
``benchmarks/NOTES.md`` says how the encodings and the configurations were chosen.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from copy import copy
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import clingo

from ...errors import SolveTimeout
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Candidates, Layout, candidate_rows
from .. import Program, program_named
from ..base import Backend, Event, Measurement, Proof, hard_after
from ..running import Budget, Shelf, Workers, check_stop, undisturbed
from . import program
from .program import (
    MAX_LAYOUTS,
    LayoutProgram,
    Many,
    PuzzleProgram,
    Removals,
    Removed,
    Unfinished,
    in_use,
    translated,
)

if TYPE_CHECKING:
    from ...rules.clauses import Claim
    from .program import Stated


__all__ = ["ClingoBackend", "ClingoProgramBackend"]

T = TypeVar("T")
Item_co = TypeVar("Item_co", covariant=True)


class _Interruptible(Protocol):
    """A program or a process that is used by one search at a time."""

    def interrupt(self) -> None: ...


class _Enumerable(_Interruptible, Protocol[Item_co]):
    """A ground program with many answers to one puzzle."""

    def enumerate(self, puzzle: Grid | Puzzle, /) -> clingo.SolveHandle: ...

    def read(self, handle: clingo.SolveHandle) -> Item_co | None: ...


P = TypeVar("P", bound=_Interruptible)
E = TypeVar("E", bound=_Enumerable[Any])


class _Search(Generic[P]):
    """One use of a program, from when it is taken until it is given back."""

    def __init__(self, idle: list[P], make: Callable[[], P], puzzle: Grid | Puzzle) -> None:
        self._idle = idle
        self._make = make
        self._puzzle = puzzle
        self._program: P | None = None
        self._handle: Any = None
        self._interrupted = False

    def ask(self, question: Callable[[P], T], ready: bool = False) -> T:
        """The answer to a question; Unfinished if it was interrupted.

        With `ready`, also Unfinished if there is no program yet, since grounding may take long.
        """
        try:
            with translated():
                if self._interrupted:  # before it began: then nothing is ground for it
                    raise Unfinished
                program = self._program = self._program or self._take(ready)
                if self._interrupted:
                    if self._handle is None:
                        in_use.discard(program)  # `close` may have come before the program
                    raise Unfinished
                return question(program)
        except Unfinished:
            raise
        except BaseException:
            # Whatever it was, the program may be in the middle of something.
            self._interrupted = True
            raise

    def next(self: _Search[E]) -> Any:
        """The next answer, or None when there are no more."""
        return self.ask(self._next)

    def interrupt(self) -> None:
        """Make the running call return soon."""
        self._interrupted = True
        if self._program:
            self._program.interrupt()

    def close(self) -> None:
        """Give the program back for other searches.

        One that was interrupted is not used again: if the interrupt came too late for this
        search, clingo would stop the next one.
        """
        handle, self._handle = self._handle, None
        if handle:
            try:
                handle.__exit__(None, None, None)
            except (RuntimeError, MemoryError):  # it would hide what broke the search
                self._interrupted = True
        program, self._program = self._program, None
        in_use.discard(program)
        if program and not self._interrupted:
            self._idle.append(program)

    def _take(self, ready: bool) -> P:
        try:
            program = self._idle.pop()
        except IndexError:
            if ready:
                raise Unfinished from None
            program = self._make()
        in_use.add(program)
        return program

    def _next(self: _Search[E], program: E) -> Any:
        if self._handle is None:
            self._handle = program.enumerate(self._puzzle)
        else:
            self._handle.resume()
        return program.read(self._handle)


class _Enumeration:
    """Every solution once, by the program of the layout, and if that takes long, of the puzzle."""

    def __init__(self, search: _Search[LayoutProgram], own: _Search[PuzzleProgram]) -> None:
        self._search = search
        self._own = own
        self._seen: set[Grid] = set()
        self._shifted = False

    def next(self) -> Grid | None:
        """The next solution, or None when there are no more."""
        if not self._shifted:
            try:
                found: Grid | None = self._search.next()
            except Unfinished:
                self._shifted = True
            else:
                self._seen.update(filter(None, [found]))
                return found
        while (found := self._own.next()) in self._seen:
            self._seen.remove(found)
        return found

    def interrupt(self) -> None:
        """Make the running call of `next` return soon."""
        self._search.interrupt()
        self._own.interrupt()

    def close(self) -> None:
        """Give both programs back; before the end, an interrupt could hit the next search."""
        self._search.close()
        self._own.close()


class ClingoProgramBackend(Backend):
    """clingo on a program that is ground anew for each puzzle, with its givens."""

    engine = "clingo"

    def __init__(self, program: Program) -> None:
        self._given = program
        self._workers = Workers(f"pylogic_sudoku {program.name}")
        self.name, self.knows, self.shapes = program.name, program.knows, program.shapes

    @property
    def _program(self) -> Program:
        return self._given

    def version(self) -> str:
        return str(clingo.__version__)

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        return self._workers.stream(self._stated(puzzle), Budget(self.name, timeout))

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        return self._asked(puzzle, timeout, lambda stated: stated.left())

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement:
        return self._asked(puzzle, timeout, lambda stated: stated.measured())

    def trace(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Event]:
        from .program import Events, Stated

        events = Events(partial(Stated, self._program, puzzle))
        return self._workers.stream(events, Budget(self.name, timeout))

    def _asked(
        self, puzzle: Grid | Puzzle, timeout: float | None, question: Callable[[Stated], T]
    ) -> T:
        search = self._stated(puzzle)
        try:
            return self._workers.call(
                lambda: search.ask(question), Budget(self.name, timeout), search.interrupt
            )
        finally:
            search.close()

    def _stated(self, puzzle: Grid | Puzzle) -> _Search[Stated]:
        from .program import Stated

        return _Search([], partial(Stated, self._program, puzzle), puzzle)


class ClingoBackend(ClingoProgramBackend):
    """clingo on ``encodings/sudoku.lp``, which it keeps ground."""

    name = "clingo"
    knows = frozenset({"regions", "marks", "rules", "programs"})

    def __init__(self) -> None:
        self._workers = Workers("pylogic_sudoku clingo")
        self._idle: Shelf[list[LayoutProgram]] = Shelf(list, MAX_LAYOUTS)
        self._threads = 1

    @property
    def _program(self) -> Program:
        return program_named(self.name)  # read when it is first needed

    def with_threads(self, threads: int) -> ClingoBackend:
        if threads == self._threads:
            return self
        other = copy(self)  # it shares the programs and the workers
        other._threads = threads
        return other

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        search = _Enumeration(self._search(puzzle), self._own(puzzle, program.LISTING))
        return self._workers.stream(search, Budget(self.name, timeout))

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        return self._ask(puzzle, timeout, LayoutProgram.first)

    def count(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> int:
        if limit == 0:
            return 0
        most = number = 0

        def add_one(_model: clingo.Model) -> None:
            nonlocal most, number
            number += 1
            most = max(most, number)

        def number_of(program: LayoutProgram, puzzle: Grid | Puzzle) -> int:
            nonlocal number
            number = 0  # a second program counts from the beginning
            return program.count(puzzle, limit, None if timeout is None else add_one)

        try:
            return self._ask(puzzle, timeout, number_of)
        except SolveTimeout as error:
            error.found = most
            raise

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        return candidate_rows(self._ask(puzzle, timeout, LayoutProgram.candidates), puzzle.size)

    def prove(self, claim: Claim, timeout: float | None = None) -> Proof:
        from .prover import prove

        budget = Budget(self.name, timeout)
        if claim.demands is None:
            budget.turn_to("saying the rules in clauses")
            beyond = tuple(("rule", rule) for rule in claim.puzzle.layout.rules)
            # If a rule cannot be said, nothing is searched.
            budget.spend(lambda _left: claim._replace(demands=beyond).rules())
            budget.turn_to("looking for solutions")
            found = budget.spend(lambda left: self._two(claim.puzzle, left))
            if len(found) == 2:
                return Proof(found, ())
            claim = claim._replace(solution=next(iter(found), None))
        budget.turn_to("ruling out other solutions")
        stop = threading.Event()
        lemmas = self._workers.call(lambda: prove(claim, stop.is_set), budget, stop.set)
        return Proof((claim.solution,) if claim.solution else (), lemmas)

    def _two(self, puzzle: Grid | Puzzle, timeout: float | None) -> tuple[Grid, ...]:
        with closing(self.solutions(puzzle, timeout)) as found:
            return tuple(islice(found, 2))

    def consistent(
        self,
        layout: Layout,
        rules: Iterable[tuple[Any, ...]],
        holds: Iterable[tuple[int, int, int]],
        excluded: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        from .rulebook import demand_solver

        rules = list(rules)
        with demand_solver(layout, Budget(self.name, timeout)) as solver:
            demands = solver.literals((*rules, *holds))
            demands += [-literal for literal in solver.literals(excluded)]
            if any(rule[0] in ("house", "rule") for rule in rules):
                demands.append(solver.literal(("cells",)))
            return solver.unsat_core(demands) is None

    def removals(
        self, puzzle: Grid | Puzzle, query: tuple[int, int, int], timeout: float | None = None
    ) -> Generator[Removed]:
        """Every smallest set of givens that must go so that a grid can have this placement."""
        search = _Search([], partial(Removals, puzzle, query), puzzle)
        return self._workers.stream(search, Budget(self.name, timeout))

    def _ask(
        self,
        puzzle: Grid | Puzzle,
        timeout: float | None,
        question: Callable[[LayoutProgram, Grid | Puzzle], T],
    ) -> T:
        """The answer to one question: in this thread if that takes no time, else by a worker.

        If it takes long, the worker asks again, with a program for this puzzle alone.
        """
        check_stop()
        budget = Budget(self.name, timeout)

        def ask(program: LayoutProgram, conflicts: int | None, brief: bool = False) -> T:
            program.allow(conflicts, brief)
            return question(program, puzzle)

        def work(search: _Search[Any], conflicts: int | None) -> T:
            found = partial(search.ask, lambda program: ask(program, conflicts))
            return self._workers.call(found, budget, search.interrupt)

        search = self._search(puzzle)
        try:
            with suppress(Unfinished):
                conflicts = program.BRIEF // puzzle.size**2
                brief = partial(ask, conflicts=conflicts, brief=True)
                return undisturbed(lambda: search.ask(brief, ready=True))
            settings: Sequence[str] = program.LONG
            try:
                return work(search, hard_after(program.HARD, puzzle.digits.count(0), puzzle.size))
            except Many:
                settings = program.LISTING
            except Unfinished:
                pass
        finally:
            search.close()
        own = self._own(puzzle, settings)
        try:
            return work(own, None)
        finally:
            own.close()

    def _search(self, puzzle: Grid | Puzzle) -> _Search[LayoutProgram]:
        layout = puzzle.layout
        return _Search(self._idle[layout], partial(LayoutProgram, layout), puzzle)

    def _own(self, puzzle: Grid | Puzzle, settings: Sequence[str]) -> _Search[PuzzleProgram]:
        return _Search([], partial(PuzzleProgram, puzzle, self._threads, settings), puzzle)
