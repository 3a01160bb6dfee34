"""The SAT engine: CaDiCaL on the clauses of ``rules/clauses.py``, through python-sat.

With a third engine, a disagreement has a majority. It is optional, and nothing else imports
python-sat. Givens and marks are assumptions, so a solver is kept for each layout and used again. A
hard puzzle gets a solver of its own, in which its givens are clauses.

python-sat cannot interrupt CaDiCaL, and no other Python code runs meanwhile. So a search is cut
into short ones by limits on conflicts. CaDiCaL keeps what it has learned, so that costs nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from importlib.metadata import PackageNotFoundError, version
from itertools import count
from math import inf
from time import perf_counter
from typing import TYPE_CHECKING, ClassVar, TypeVar

from ...errors import BackendFailure, BackendUnavailable
from ...files import install_command
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Candidates, Layout, candidate_rows
from ...rules.base import Digits
from ...rules.clauses import Clause, literal, negated, of_demand
from ...rules.demands import Demand, all_rules
from ...rules.own import is_program
from ...running.workers import Budget, Unfinished, Workers, shelf
from ..base import Measurement
from .base import SudokuEngine, checked_demands, hard_after, with_cells

if TYPE_CHECKING:
    from ...puzzle.cells import Cell
    from ...rules import Rule


try:
    from pysat.solvers import Cadical195, Minisat22
except ImportError as error:
    raise BackendUnavailable(
        f"the sat engine needs python-sat, which cannot be imported: {error}",
        f"Install it: {install_command('sat')}",
    ) from None

OPTIONS = {"lucky": 0, "inprocessing": 0}
"""Do not rewrite the clauses between searches: that takes longer than most puzzles, and now and
then a tenth of a second in which nothing else runs (``benchmarks/NOTES.md``)."""
CONFLICTS = 8_100
"""Conflicts, times the cells of the grid, between two looks at whether to go on: 100 for a 9x9
puzzle, a few milliseconds."""
OWN = 500
"""The same for a solver of one hard question, a tenth of a second with 25x25."""
HARD = 1_000
"""Conflicts after which a question gets a solver of its own, unless its grid is large and loose.
With 25x25 they take half as long as making one."""
WORN = 1_000
"""The clauses of past searches after which a solver is replaced; a new one takes 20 ms."""

T = TypeVar("T")


class SatBackend(SudokuEngine):
    """CaDiCaL on the clauses of a puzzle."""

    name = "sat"
    engine = "CaDiCaL"
    knows = frozenset({"regions", "marks", "rules"})
    _workers = Workers("pylogic_sudoku sat")

    def __init__(self) -> None:
        self._shelf = shelf(_Solvers)

    def version(self) -> str:
        try:
            return f"1.9.5 (python-sat {version('python-sat')})"
        except PackageNotFoundError:
            return "1.9.5"

    def solutions(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Generator[Grid]:
        stop = threading.Event()
        stream = self._every_solution(puzzle, stop)
        return self._workers.stream(stream, Budget(self.name, timeout), stop.set)

    def solve(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Grid | None:
        def first(solver: LayoutSolver) -> Grid | None:
            model = solver.solve(assumptions(puzzle))
            return Grid(solver.digits(model), puzzle.box) if model else None

        return self._ask(puzzle, timeout, first)

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        size = puzzle.size
        unseen = dict.fromkeys(range(1, size**3 + 1))
        cells: list[set[int]] = [set() for _ in puzzle.digits]

        def others(model: list[int]) -> Iterable[int]:
            for each in model:
                unseen.pop(each, None)
            return unseen

        def look(solver: LayoutSolver) -> None:
            with closing(solver.answers(assumptions(puzzle), others)) as answers:
                for model in answers:
                    for digits, digit in zip(cells, solver.digits(model), strict=True):
                        digits.add(digit)

        self._ask(puzzle, timeout, look)
        return candidate_rows(cells, size)

    def propagate(
        self, puzzle: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        """Unit propagation, by MiniSat, since python-sat has none for CaDiCaL."""
        return self._call(lambda _stop: propagated(puzzle), timeout)

    def measure(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Measurement[Grid]:
        def work(stop: threading.Event) -> Measurement[Grid]:
            start = perf_counter()
            solver = LayoutSolver(puzzle.layout, {}, stop)
            built = perf_counter()
            model = solver.solve(assumptions(puzzle))
            choices, conflicts = solver.work()
            return Measurement(
                Grid(solver.digits(model), puzzle.box) if model else None,
                setup=built - start,
                search=perf_counter() - built,
                choices=choices,
                conflicts=conflicts,
            )

        return self._call(work, timeout)

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        all_demands = with_cells(checked_demands(layout, demands))
        return self._call(
            lambda stop: self.own(layout, stop, all_demands).solve([]) is not None, timeout
        )

    @contextmanager
    def borrowed(self, puzzle: Grid | Puzzle, stop: threading.Event) -> Iterator[LayoutSolver]:
        """A solver for questions about a puzzle, in the length of the block, within a worker."""
        solvers = self._shelf(puzzle.layout)
        try:
            solver = solvers.idle.pop()
            solver.stop = stop
        except IndexError:
            solver = LayoutSolver(puzzle.layout, solvers.learned, stop)
        solver.max_conflicts = hard_after(HARD, puzzle)
        try:
            yield solver
        finally:
            if not solver.is_worn:
                solvers.idle.append(solver)

    def own(
        self, layout: Layout, stop: threading.Event, demands: Iterable[Demand] | None = None
    ) -> HardSolver:
        """A solver for one hard question; to be called in a worker."""
        return HardSolver(layout, self._shelf(layout).learned, stop, demands)

    def _every_solution(self, puzzle: Grid | Puzzle, stop: threading.Event) -> Generator[Grid]:
        grids_so_far = set[Grid]()

        def all_by(solver: LayoutSolver) -> Generator[Grid]:
            with closing(solver.answers(assumptions(puzzle), negated)) as answers:
                for model in answers:
                    yield Grid(solver.digits(model), puzzle.box)

        with (
            suppress(Hard),
            self.borrowed(puzzle, stop) as solver,
            closing(all_by(solver)) as grids,
        ):
            for grid in grids:
                if solver.max_conflicts < inf:  # it may still become hard
                    grids_so_far.add(grid)
                yield grid
            return
        with closing(all_by(self.own(puzzle.layout, stop))) as grids:
            yield from (grid for grid in grids if grid not in grids_so_far)

    def _ask(
        self,
        puzzle: Grid | Puzzle,
        timeout: float | None,
        question: Callable[[LayoutSolver], T],
    ) -> T:
        def ask(stop: threading.Event) -> T:
            with suppress(Hard), self.borrowed(puzzle, stop) as solver:
                return question(solver)
            return question(self.own(puzzle.layout, stop))

        return self._call(ask, timeout)

    def _call(self, function: Callable[[threading.Event], T], timeout: float | None) -> T:
        """Run a function in a worker; return its result. It must end soon after the event."""
        stop = threading.Event()
        return self._workers.call(lambda: function(stop), Budget(self.name, timeout), stop.set)


# --- solvers ---

Learned = dict["Rule", set[Clause]]
"""The lessons about rules that are checked in Python: sets of placements that break them."""


class _Solvers:
    """The solvers of a layout that are not in use, and what all of them have learned."""

    def __init__(self) -> None:
        self.idle: list[LayoutSolver] = []
        self.learned: Learned = {}


class Hard(Exception):
    """The search for one answer took more conflicts than `LayoutSolver.max_conflicts`."""


class _Solver(Cadical195):  # type: ignore[misc]  # python-sat has no types
    def __del__(self) -> None:
        try:
            super().__del__()
        except TypeError:  # when Python ends, python-sat has lost its functions by now
            pass


class LayoutSolver:
    """Clauses in a solver; one search at a time.

    They express the `demands`, or else all rules of the layout. Rules that clauses cannot express
    are checked in Python on each grid that is found; `learned` has the clauses from those checks.
    """

    options: ClassVar[dict[str, int]] = OPTIONS

    def __init__(
        self,
        layout: Layout,
        learned: Learned,
        stop: threading.Event,
        demands: Iterable[Demand] | None = None,
    ) -> None:
        self.stop = stop
        """Set from another thread, it ends the search."""
        self.max_conflicts = inf
        """Conflicts that a search may take for one answer; with more it is Hard. A search that has
        already had this many answers is never Hard."""
        self._layout = layout
        self._size = layout.size
        self._literals = self._size**3
        self._learned = learned
        self._checked: list[Rule] = []
        """The rules that are checked in Python."""
        self._fresh = count(self._literals + 1)
        self._worn = 0
        self._conflicts = max(1, CONFLICTS // len(layout.cells))
        self._solver = _Solver()
        self._solver.configure(self.options)
        for demand in all_rules(layout) if demands is None else demands:
            self._add(demand)

    @property
    def is_worn(self) -> bool:
        """True if past searches have left much behind."""
        return self._worn > WORN

    def solve(self, assumed: Sequence[int]) -> list[int] | None:
        """The placements that are true in some solution, as literals; None if there is none."""
        held = self._hold(assumed)
        conflicts = 0
        while True:
            if self.stop.is_set():
                raise Unfinished
            if conflicts >= self.max_conflicts:
                raise Hard
            self._solver.conf_budget(self._conflicts)
            answer = self._solver.solve_limited(assumptions=held)
            if answer is False:
                return None
            if answer:
                model = self._solver.get_model()
                true_literals = [each for each in model[: self._literals] if each > 0]
                if not self._checked or self._obeyed(true_literals):
                    return true_literals
            else:
                conflicts += self._conflicts

    def work(self) -> tuple[int, int]:
        """The choices and the conflicts of all searches so far."""
        done = self._solver.accum_stats()
        return done["decisions"], done["conflicts"]

    def answers(
        self, assumed: Iterable[int], another: Callable[[list[int]], Iterable[int]]
    ) -> Generator[list[int]]:
        """Solutions one by one; each must satisfy the clauses that `another` makes of those before.

        Close it when done; from then on these clauses do not count.
        """
        active = next(self._fresh)
        assumed = [*assumed, active]
        try:
            number = 0
            while (model := self.solve(assumed)) is not None:
                yield model
                number += 1
                if number > self.max_conflicts:  # a search from the beginning would cost too much
                    self.max_conflicts = inf
                self._worn += 1
                self._solver.add_clause([-active, *another(model)])
        finally:
            self._worn += 1
            self._solver.add_clause([-active])

    def digits(self, model: list[int]) -> tuple[int, ...]:
        """The digit of each cell, in a solution in which each has one."""
        return tuple((each - 1) % self._size + 1 for each in model)

    def _hold(self, assumed: Sequence[int]) -> Sequence[int]:
        """The literals of a question's assumptions that the solver needs each time."""
        return assumed

    def _add(self, demand: Demand) -> None:
        if demand[0] == "rule":
            clauses = self._of_rule(demand[1])
        else:
            clauses = of_demand(self._layout, demand)
        for number, clause in enumerate(clauses):
            if not number % 1000 and self.stop.is_set():
                raise Unfinished
            self._solver.add_clause(list(clause))

    def _of_rule(self, rule: Rule) -> Iterable[Clause]:
        """Its clauses; if they cannot be written, those that past grids have taught."""
        if rule not in self._learned:  # what clauses cannot express need not be tried again
            try:
                return list(of_demand(self._layout, ("rule", rule)))
            except BackendFailure:
                if is_program(rule):
                    why = "this rule is not written in Python"
                    raise BackendFailure(f"sat: {rule}: {why}") from None
        self._checked.append(rule)
        return list(self._learned.setdefault(rule, set()))

    def _obeyed(self, model: list[int]) -> bool:
        """True if the grid obeys the rules that are checked in Python; if not, it learns why."""
        digits = self.digits(model)
        broken = []
        for rule in self._checked:
            tracked_digits = _TrackedDigits(digits, self._layout)
            if not rule.holds(tracked_digits):
                placements = ((*cell, tracked_digits[cell]) for cell in tracked_digits.cells)
                clause = negated(literal(self._size, each) for each in placements)
                self._learned[rule].add(clause)
                broken.append(clause)
        for clause in broken:
            self._solver.add_clause(list(clause))
        return not broken


class HardSolver(LayoutSolver):
    """A solver for one hard question, in which what the question assumes are clauses.

    CaDiCaL simplifies the other clauses by them, which it cannot do with assumptions: a hard 25x25
    puzzle takes a tenth to a fifth of the time (``benchmarks/NOTES.md``). Each of its searches must
    assume the same.
    """

    options: ClassVar[dict[str, int]] = {}
    _held: Sequence[int] | None = None

    def _hold(self, assumed: Sequence[int]) -> Sequence[int]:
        if self._held is None:
            self._held, self._conflicts = assumed, OWN
            self._solver.append_formula([[each] for each in assumed])
        assert assumed == self._held
        return []


class _TrackedDigits(Digits):
    """The digits of a grid, which remember which cells were read."""

    __slots__ = ("cells",)

    def __init__(self, digits: Sequence[int], layout: Layout) -> None:
        super().__init__(digits, layout)
        self.cells: dict[Cell, None] = {}

    def __getitem__(self, cell: Cell) -> int:
        self.cells[cell] = None
        return super().__getitem__(cell)


def assumptions(puzzle: Grid | Puzzle) -> list[int]:
    """The givens and marks of a puzzle."""
    size = puzzle.size
    holds = [n * size + digit for n, digit in enumerate(puzzle.digits) if digit]
    return [*holds, *(-literal(size, each) for each in puzzle.excluded)]


def propagated(puzzle: Grid | Puzzle) -> list[set[int]] | None:
    """For each cell the digits that unit propagation leaves; None if it ends in a contradiction."""
    size = puzzle.size
    with Minisat22() as solver:
        for demand in all_rules(puzzle.layout):
            for clause in of_demand(puzzle.layout, demand):
                solver.add_clause(list(clause))
        possible, literals = solver.propagate(assumptions(puzzle))
    if not possible:
        return None
    removed = {-each for each in literals if each < 0}
    return [
        {digit for digit in range(1, size + 1) if cell * size + digit not in removed}
        for cell in range(size * size)
    ]
