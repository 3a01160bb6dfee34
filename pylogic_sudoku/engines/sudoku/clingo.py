"""The answer set engine: ``encodings/sudoku.lp``, ground once for each layout, through clingo.

Givens and marks are assumptions, so nothing is ground or forgotten between puzzles: a newspaper
puzzle takes a quarter of a millisecond, a fresh `Control` seven. A hard puzzle, which takes longer
than that, gets a program of its own: ``encodings/one_puzzle.lp``, ground with its givens. With
rules beyond plain sudoku and few givens, that would be slower, so it stays where it is.
``benchmarks/NOTES.md`` explains the choice of the encodings and the configurations.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import closing, suppress
from copy import copy
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, TypeVar

import clingo

from ...errors import SolveTimeout
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Candidates, Layout, Placement, candidate_rows
from ...running.workers import Budget, Unfinished, check_stop, defer_signals, shelf
from ..clingo.ground_per_question import FreshEngine, Grounding
from ..clingo.session import Session
from ..program import Program, program_named
from . import ground_once
from .base import Proof, SudokuEngine, checked_demands, with_cells
from .ground_once import LayoutProgram, PuzzleProgram, Removals, Removed, TooManyModels

if TYPE_CHECKING:
    from ...rules.clauses import Claim
    from ...rules.demands import Demand


__all__ = ["ClingoBackend", "ClingoProgramBackend"]

T = TypeVar("T")


class ClingoProgramBackend(FreshEngine[Grid | Puzzle, Grid, Placement], SudokuEngine):
    """clingo on a program that is ground anew for each puzzle, with its givens.

    `search` has options of its search, which are then part of the `name`.
    """

    def __init__(self, program: Program, name: str = "", search: Iterable[str] = ()) -> None:
        self._own_program = program
        self.is_foreign = not program.is_ours
        self.knows, self.shapes = program.knows, program.shapes
        self.name, self.search = name or program.name, tuple(search)

    @property
    def _program(self) -> Program:
        return self._own_program

    def grounding(self, question: Grid | Puzzle) -> Grounding[Placement, Grid]:
        from .puzzles import grounding

        return grounding(self._program, question, self._chosen)

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        remaining = self._remaining(puzzle, timeout)
        if remaining is None:
            return None
        cells: list[set[int]] = [set() for _ in puzzle.digits]
        for row, column, digit in remaining[0]:
            cells[(row - 1) * puzzle.size + column - 1].add(digit)
        return cells


class ClingoBackend(ClingoProgramBackend):
    """clingo on ``encodings/sudoku.lp``, which it keeps ground."""

    name = "clingo"
    knows = frozenset({"regions", "marks", "rules", "programs"})

    def __init__(self) -> None:
        self._idle = shelf(list[LayoutProgram])
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
        return self._stream(lambda session: self._every_solution(session, puzzle), timeout)

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

    def candidate_counts(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> dict[Placement, int]:
        def numbers(program: LayoutProgram, puzzle: Grid | Puzzle) -> list[dict[int, int]]:
            return program.candidate_counts(puzzle, limit)

        counts_by_cell = zip(puzzle.cells, self._ask(puzzle, timeout, numbers), strict=True)
        return {
            Placement(*cell, digit): number
            for cell, counts in counts_by_cell
            for digit, number in counts.items()
        }

    def prove(self, claim: Claim, timeout: float | None = None) -> Proof:
        from .prover import prove

        budget = Budget(self.name, timeout)
        if claim.demands is None:
            budget.turn_to("saying the rules in clauses")
            beyond = tuple(("rule", rule) for rule in claim.puzzle.layout.rules)
            # If clauses cannot express a rule, nothing is searched.
            budget.spend(lambda _seconds_left: claim._replace(demands=beyond).rule_clauses())
            budget.turn_to("looking for solutions")
            solutions = budget.spend(lambda seconds_left: self._two(claim.puzzle, seconds_left))
            if len(solutions) == 2:
                return Proof(solutions, ())
            claim = claim._replace(solution=next(iter(solutions), None))
        budget.turn_to("ruling out other solutions")
        stop = threading.Event()
        lemmas = self._workers.call(lambda: prove(claim, stop.is_set), budget, stop.set)
        return Proof((claim.solution,) if claim.solution else (), lemmas)

    def _two(self, puzzle: Grid | Puzzle, timeout: float | None) -> tuple[Grid, ...]:
        """Up to two solutions, independent of earlier questions."""
        if ground_once.with_few_givens(puzzle):
            solutions = self._stream(lambda session: self._by_layout(session, [], puzzle), timeout)
        else:
            solutions = self._stream(lambda session: self._by_puzzle(session, puzzle), timeout)
        with closing(solutions):
            return tuple(islice(solutions, 2))

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        from .rulebook import demand_solver

        all_demands = with_cells(checked_demands(layout, demands))
        with demand_solver(layout, Budget(self.name, timeout)) as solver:
            return solver.unsat_core(solver.literals(all_demands)) is None

    def removals(
        self, puzzle: Grid | Puzzle, query: tuple[int, int, int], timeout: float | None = None
    ) -> Generator[Removed]:
        """Every smallest set of givens that must go so that a grid can have this placement."""
        make = partial(Removals, puzzle, query)
        return self._stream(lambda session: session.answers([], make), timeout)

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
        session = Session(self._workers, Budget(self.name, timeout))
        layout = puzzle.layout
        settings: Sequence[str] = ground_once.LONG
        with session.borrowed(self._idle(layout), partial(LayoutProgram, layout)) as program:
            ask = partial(question, program, puzzle)
            brief = ground_once.BRIEF // puzzle.size**2
            program.allow(brief, brief // 5 + 1)
            with suppress(Unfinished):
                return defer_signals(lambda: session.ask_here(program.control, ask))
            program.allow_until_hard(puzzle, self._threads)
            try:
                return session.ask(program.control, ask)
            except TooManyModels:
                settings = ground_once.LISTING
            except Unfinished:
                pass
        with session.borrowed([], partial(PuzzleProgram, puzzle, self._threads, settings)) as own:
            return session.ask(own.control, partial(question, own, puzzle))

    def _every_solution(self, session: Session, puzzle: Grid | Puzzle) -> Generator[Grid]:
        """Every solution once, by the program of the layout; if that takes long, of the puzzle."""
        grids_so_far = set[Grid]()
        first = self._by_layout(session, self._idle(puzzle.layout), puzzle)
        try:
            with closing(first):
                for grid in first:
                    grids_so_far.add(grid)
                    yield grid
            return
        except Unfinished:
            if not session.sound:
                raise
        with closing(self._by_puzzle(session, puzzle)) as own:
            yield from (grid for grid in own if grid not in grids_so_far)

    def _by_layout(
        self, session: Session, idle: list[LayoutProgram], puzzle: Grid | Puzzle
    ) -> Generator[Grid]:
        """The solutions by a program of the layout; Unfinished if that takes long."""

        def search(program: LayoutProgram) -> clingo.SolveHandle:
            return program.search(puzzle, self._threads)

        return session.answers(idle, partial(LayoutProgram, puzzle.layout), search)

    def _by_puzzle(self, session: Session, puzzle: Grid | Puzzle) -> Generator[Grid]:
        """The solutions by a program of the puzzle alone."""
        make = partial(PuzzleProgram, puzzle, self._threads, ground_once.LISTING)
        return session.answers([], make)
