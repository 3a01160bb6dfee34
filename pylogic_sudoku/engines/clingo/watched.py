"""A program for clingo, ground for one puzzle, and what a propagator sees of its search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from queue import Empty, Full, Queue
from time import perf_counter
from typing import Any

import clingo

from ...errors import BackendFailure
from ...grid import Grid, Placement
from ...puzzle import Puzzle
from ..base import Event, Measurement
from ..programs import Program, vocabulary
from .program import OPTIONS, grounded, placement_of, translated, with_rules

__all__ = ["Events", "Stated"]

WATCHED = (*OPTIONS, "--sat-prepro=no")
"""As the engine searches, but no variable is eliminated: a propagator could not see it."""
AHEAD = 256
"""Events that a search may be ahead of its reader."""


class Stated:
    """A program, ground with the givens of one puzzle."""

    def __init__(self, program: Program, puzzle: Grid | Puzzle) -> None:
        start = perf_counter()
        given, self._answer = vocabulary(program)
        self._puzzle = puzzle
        facts = [f"{given}({x},{y},{n})." for x, y, n in puzzle.givens]
        facts += [f"excluded({x},{y},{n})." for x, y, n in puzzle.excluded]
        layout = puzzle.layout
        options = [*WATCHED, f"-csubgrid_size={layout.box[0]}"]
        if "rules" in program.knows and layout.rules:
            facts.insert(0, with_rules(program.path.stem, layout))
            self.control = grounded("\n".join(facts), layout, options)
        else:
            self.control = grounded("\n".join(facts), layout, options, program.path)
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._name = program.name
        self.grounding = perf_counter() - start

    def interrupt(self) -> None:
        """Make the running search return soon."""
        self.control.interrupt()

    def enumerate(self, _puzzle: Grid | Puzzle) -> clingo.SolveHandle:
        """A handle on all solutions, to be read one by one."""
        return self.control.solve(yield_=True)

    def read(self, handle: clingo.SolveHandle) -> Grid | None:
        """The solution that a search has reached, or None when there are no more."""
        model = handle.model()
        return self._grid(model) if model else None

    def _grid(self, model: clingo.Model) -> Grid:
        puzzle = self._puzzle
        digits = [0] * len(puzzle.digits)
        for symbol in model.symbols(atoms=True):
            if symbol.match(self._answer, 3):
                row, column, digit = placement_of(symbol)
                offset = (row - 1) * puzzle.size + column - 1
                if digits[offset] not in (0, digit):
                    raise BackendFailure(f"{self._name} puts two digits in r{row}c{column}")
                digits[offset] = digit
        if 0 in digits:
            cell = puzzle.cells[digits.index(0)]
            raise BackendFailure(
                f"{self._name} leaves {cell} open: no atom {self._answer}/3 is there"
            )
        return Grid(tuple(digits), puzzle.box)

    def left(self) -> list[set[int]] | None:
        """For each cell the digits that are left before any choice; None if none may be there."""
        watch = _Left(self._atoms())
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        with translated():
            self.control.solve()
        return None if watch.open is None else self._sets(watch.open)

    def _atoms(self) -> list[tuple[int, Placement]]:
        """The literals of the answer's atoms, and what they say."""
        found = self.control.symbolic_atoms.by_signature(self._answer, 3)
        return [(atom.literal, placement_of(atom.symbol)) for atom in found]

    def _sets(self, placements: Iterable[Placement]) -> list[set[int]]:
        size = self._puzzle.size
        cells: list[set[int]] = [set() for _ in self._puzzle.digits]
        for row, column, digit in placements:
            cells[(row - 1) * size + column - 1].add(digit)
        return cells

    def measured(self) -> Measurement:
        """The first solution, and the work that it took."""
        watch = _Clock()
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        start = perf_counter()
        self._settings.models = 1
        with translated(), self.control.solve(yield_=True) as handle:
            found = self.read(handle)
        end = perf_counter()
        solvers = self.control.statistics["solving"]["solvers"]
        settled = watch.settled or end
        return Measurement(
            found,
            setup=self.grounding,
            propagation=settled - start,
            search=end - settled,
            choices=int(solvers["choices"]),
            conflicts=int(solvers["conflicts"]),
        )


class _Clock:
    """When propagation first came to rest."""

    settled: float | None = None

    def init(self, init: clingo.PropagateInit) -> None:
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def check(self, _control: clingo.PropagateControl) -> None:
        self.settled = self.settled or perf_counter()


class _Left:
    """The placements that are possible when propagation first comes to rest."""

    def __init__(self, atoms: Sequence[tuple[int, Placement]]) -> None:
        self._atoms = atoms
        self.open: list[Placement] | None = None

    def init(self, init: clingo.PropagateInit) -> None:
        self._literals = [(init.solver_literal(atom), what) for atom, what in self._atoms]
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def check(self, control: clingo.PropagateControl) -> None:
        value = control.assignment.value
        if self.open is None:
            self.open = [what for literal, what in self._literals if value(literal) is not False]
        control.add_clause([])  # that is all: the search ends


class Events:
    """The events of the search for one solution: `next` runs in a worker."""

    def __init__(self, make: Callable[[], Stated]) -> None:
        self._make = make
        self._stated: Stated | None = None
        self._handle: clingo.SolveHandle | None = None
        self._events: Queue[Event | BaseException | None] = Queue(AHEAD)
        self._stopped = False

    def next(self) -> Event | None:
        """The next event, or None when the search is over."""
        if self._stated is None:
            self._stated = self._make()
            self._begin(self._stated)
        while True:
            try:
                event = self._events.get(timeout=0.1)
            except Empty:
                if self._stopped:
                    return None
                continue
            if isinstance(event, BaseException):
                raise event
            return event

    def _begin(self, stated: Stated) -> None:
        watch = _Watch(stated._atoms(), stated._puzzle.givens, self._put)
        stated._settings.models = 1
        stated.control.register_propagator(watch)  # type: ignore[arg-type]

        def on_model(model: clingo.Model) -> None:
            try:
                watch.solved(stated._grid(model))
            except BackendFailure as error:
                self._put(error)

        def on_finish(result: clingo.SolveResult) -> None:
            if result.unsatisfiable:
                watch.refuted()
            self._put(None)

        with translated():
            self._handle = stated.control.solve(async_=True, on_model=on_model, on_finish=on_finish)

    def _put(self, event: Event | BaseException | None) -> None:
        while not self._stopped:
            try:
                return self._events.put(event, timeout=0.1)
            except Full:
                pass

    def interrupt(self) -> None:
        """Make the running call of `next` return soon."""
        self._stopped = True
        if self._stated:
            self._stated.interrupt()

    def close(self) -> None:
        """End the search."""
        self._stopped = True
        if self._handle:
            self._handle.cancel()
            self._handle = None


class _Watch:
    """Reports choices, what follows, and where the search goes back.

    clingo shows a propagator a state only when propagation has come to rest. So conflicts that
    follow each other with no such state between them are one event. All choices are seen.
    """

    def __init__(
        self,
        atoms: Sequence[tuple[int, Placement]],
        givens: Iterable[Placement],
        put: Callable[[Event], None],
    ) -> None:
        self._atoms = atoms
        self._givens = frozenset(givens)
        self._put = put
        self._changes: list[int] = []
        self._says: dict[int, list[Placement]] = {}
        self._root = 0
        self._level = 0

    def init(self, init: clingo.PropagateInit) -> None:
        for atom, placement in self._atoms:
            literal = init.solver_literal(atom)
            self._says.setdefault(literal, []).append(placement)
            init.add_watch(literal)
            init.add_watch(-literal)
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def propagate(self, control: clingo.PropagateControl, changes: Sequence[int]) -> None:
        self._arrive(control.assignment.decision_level, conflict=True)
        self._changes += changes

    def check(self, control: clingo.PropagateControl) -> None:
        level = control.assignment.decision_level
        if self._level == 0:
            self._root = max(self._root, level)
        self._arrive(level, conflict=True)
        self._flush()

    def decide(self, _thread: int, assignment: clingo.Assignment, literal: int) -> int:
        self._arrive(assignment.decision_level, conflict=False)
        self._level += 1
        placed = tuple(self._says.get(literal, ()))
        excluded = tuple(self._says.get(-literal, ()))
        self._put(Event("choice", self._level, placed, excluded))
        return 0

    def _arrive(self, decision_level: int, conflict: bool) -> None:
        level = max(0, decision_level - self._root)
        if level < self._level:
            self._changes.clear()
            if conflict:  # else it starts anew
                self._put(Event("conflict", self._level))
            self._put(Event("back", level))
            self._level = level

    def _flush(self) -> None:
        if self._changes:
            changes, self._changes = self._changes, []
            placed = {p for each in changes for p in self._says.get(each, ())} - self._givens
            cells = {p[:2] for p in placed | self._givens}
            excluded = {p for each in changes for p in self._says.get(-each, ())}
            excluded = {p for p in excluded if p[:2] not in cells}
            if placed or excluded:
                self._put(
                    Event("implied", self._level, tuple(sorted(placed)), tuple(sorted(excluded)))
                )

    def solved(self, grid: Grid) -> None:
        """Report the solution."""
        self._flush()
        self._put(Event("solution", self._level, solution=grid))

    def refuted(self) -> None:
        """Report that there is none."""
        self._put(Event("conflict", 0))
