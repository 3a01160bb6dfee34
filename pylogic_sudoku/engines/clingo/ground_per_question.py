"""A program, ground with the facts of one question: its answers, and its search for them.

Nothing here knows a cell. `FreshEngine` asks such programs; `puzzles` and `instances` next door
make them, and their decoders.
"""

from __future__ import annotations

import threading
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from copy import copy
from queue import Empty, Full, Queue
from time import perf_counter
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

import clingo

from ...errors import BackendFailure
from ...running.workers import Budget, Workers
from ..base import Engine, Event, Measurement, or_proved, with_proved
from .decoding import Decoder
from .session import GroundProgram, Session

AHEAD = 256
"""Events that a search may be ahead of its reader."""

if TYPE_CHECKING:
    from ...running.foreign import ForkServer

Q = TypeVar("Q")
A = TypeVar("A")
P = TypeVar("P")
T = TypeVar("T")


class FreshProgram(GroundProgram[A], Generic[P, A]):
    """A program, ground with the facts of one question.

    `seconds` is the time that it took. In an optimization, only the best answers count.
    """

    def __init__(self, decoder: Decoder[P, A], seconds: float, optimizes: bool) -> None:
        self.control = control = decoder.control
        self.decoder = decoder
        self.seconds = seconds
        self.optimizes = optimizes
        configuration: Any = control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        self._bound: tuple[int, ...] | None = None

    def read(self, handle: clingo.SolveHandle) -> A | None:
        """The answer that a search has reached, or None when there are no more."""
        model = self.model(handle)
        return self.decoder.answer(model) if model else None

    def model(self, handle: clingo.SolveHandle) -> clingo.Model | None:
        """The model that a search has reached; of an optimization, the next that is a best one."""
        model = handle.model()
        while model and not self.counts(model):
            handle.resume()
            model = handle.model()
        if self.optimizes and not model:
            self._proved()
        return model

    def counts(self, model: clingo.Model) -> bool:
        """True if a model is an answer; if it is only better than those before it, tell so."""
        if self.optimizes and not model.optimality_proven:
            self._improved(model)
            return False
        if self.optimizes:
            self._proved()
        return True

    def _improved(self, model: clingo.Model) -> None:
        """Tell that this answer is better than those before it.

        One that cannot be read is an error only if it is a best one.
        """
        if self.budget:
            with suppress(BackendFailure):
                self.budget.improve(self.decoder.answer(model), self._bound)

    def _proved(self) -> None:
        """Tell that no answer is better than the last one."""
        if self.budget and self.budget.best is not None:
            self.budget.improve(None, None)

    def search(self) -> clingo.SolveHandle:
        """A search for the answers, one by one, during which a bound of their costs may be found.

        clingo finds one with ``--opt-strategy=usc``.
        """
        return self.control.solve(yield_=True, on_unsat=self._bounded)

    def _bounded(self, bound: Sequence[int]) -> None:
        self._bound = tuple(bound)
        if self.budget:
            self.budget.improve(self.budget.best, self._bound)

    def remaining(self) -> tuple[list[P], list[P]] | None:
        """The atoms that may be true before any choice, and those of them that are true.

        None if no answer may be there.

        If the remaining atoms are not whole, the search continues, since the answer then raises its
        own error.
        """
        watch = _Rest(self.decoder.literals, self.decoder.is_whole)
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        with self.search() as handle:
            self.read(handle)
        return (
            (watch.remaining, watch.certain)
            if watch.remaining is not None and self.decoder.is_whole(watch.remaining)
            else None
        )

    def measured(self) -> Measurement[A]:
        """The first answer, or the best one, and the work that it took."""
        watch = _Rest[P]()
        self.control.register_propagator(watch)  # type: ignore[arg-type]
        start = perf_counter()
        self.stop_at_first()
        with self.search() as handle:
            answer = self.read(handle)
        end = perf_counter()
        solvers = self.control.statistics["solving"]["solvers"]
        settled = watch.settled or end
        return Measurement(
            answer,
            setup=self.seconds,
            propagation=settled - start,
            search=end - settled,
            choices=int(solvers["choices"]),
            conflicts=int(solvers["conflicts"]),
        )

    def search_all(
        self, limit: int | None, on_model: Callable[[clingo.Model], None] | None
    ) -> clingo.SolveHandle:
        """A search of its own for all models, up to `limit` answers (not 0), which reads none."""
        self._settings.models = limit or 0
        return self.control.solve(async_=True, on_model=on_model)

    @property
    def counted(self) -> int:
        """The number of models that the last search has found; of an optimization, of best ones."""
        kind = "optimal" if self.optimizes else "enumerated"
        return int(self.control.statistics["summary"]["models"][kind])

    def first(self) -> A | None:
        """The first answer, or the best one."""
        with self.search() as handle:
            return self.read(handle)

    def stop_at_first(self) -> None:
        """Let the search end at its first answer; an optimization ends at its best."""
        if not self.optimizes:
            self._settings.models = 1

    def stop_at_best(self) -> None:
        """Let the search end at its first answer, or when none is better than the last one."""
        self.stop_at_first()
        if self.optimizes:
            self._settings.opt_mode = "opt"


class FreshEngine(Engine[Q, A, P]):
    """clingo on a program that is ground anew for each question."""

    engine = "clingo"
    is_foreign = False
    """True for programs that are not ours: each question is answered in a process of its own."""
    _workers = Workers("pylogic_sudoku clingo")
    search: tuple[str, ...] = ()
    """Options of clingo that somebody has chosen for the search."""

    @abstractmethod
    def grounding(self, question: Q) -> Grounding[P, A]:
        """Return a function that grounds the program with the facts of the question."""

    def version(self) -> str:
        return str(clingo.__version__)

    def solve(self, question: Q, timeout: float | None = None) -> A | None:
        return or_proved(lambda: self._ask_fresh(question, timeout, FreshProgram.first))

    def solutions(self, question: Q, timeout: float | None = None) -> Generator[A]:
        return with_proved(self._stream_fresh(question, timeout, answers))

    def measure(self, question: Q, timeout: float | None = None) -> Measurement[A]:
        alone = self._in_one_thread()
        measured = alone._ask_fresh(question, timeout, FreshProgram.measured)
        one = () if alone is self else ("with one thread",)
        return measured._replace(chosen=(*alone.search, *one))

    def trace(self, question: Q, timeout: float | None = None) -> Generator[Event[P, A]]:
        return self._in_one_thread()._stream_fresh(question, timeout, events)

    def _remaining(self, question: Q, timeout: float | None) -> tuple[list[P], list[P]] | None:
        return self._in_one_thread()._ask_fresh(question, timeout, FreshProgram.remaining)

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The options of the search; of threads only where the search has its own process.

        clingo may crash when the search of several threads is cancelled. A process is killed.
        """
        return self.search if self._foreign() else self._in_one_thread().search

    def _in_one_thread(self) -> Self:
        """The engine without threads, where the search is watched."""
        if not self.search:
            return self
        from ...problem.search import in_one_thread

        if (search := in_one_thread(self.search)) == self.search:
            return self
        alone = copy(self)
        alone.search = search
        return alone

    def _ask_fresh(
        self, question: Q, timeout: float | None, ask: Callable[[FreshProgram[P, A]], T]
    ) -> T:
        budget, make = Budget(self.name, timeout), self.grounding(question)
        if foreign := self._foreign():
            return foreign.call(budget, _ask_here, make, ask)  # type: ignore[no-any-return]
        return _ask(Session(self._workers, budget), make, ask)

    def _stream_fresh(
        self,
        question: Q,
        timeout: float | None,
        items: Callable[[Session, Grounding[P, A]], Generator[T]],
    ) -> Generator[T]:
        make = self.grounding(question)
        if foreign := self._foreign():
            return foreign.stream(Budget(self.name, timeout), stream_here, items, make)
        return self._stream(lambda session: items(session, make), timeout)

    def _foreign(self) -> ForkServer | None:
        """The processes for a program that is not ours, if there can be any."""
        if not self.is_foreign:
            return None
        from ...running.foreign import is_possible  # our own programs do without
        from ..servers import SERVERS

        return SERVERS["clingo"] if is_possible() else None

    def _stream(
        self, items: Callable[[Session], Generator[T]], timeout: float | None
    ) -> Generator[T]:
        """The items of a generator, which a worker runs."""
        budget = Budget(self.name, timeout)
        session = Session(self._workers, budget, inside=True)
        return self._workers.stream(items(session), budget, session.interrupt)


# --- programs that are not ours ---

Grounding = Callable[[], FreshProgram[P, A]]
"""Grounds a program with the facts of one question. It can be sent to another process."""


def session_here() -> Session:
    """A session in a process that exists for one question."""
    return Session(FreshEngine._workers, Budget("clingo", None), inside=True)


def stream_here(
    items: Callable[[Session, Grounding[P, A]], Generator[T]], make: Grounding[P, A]
) -> Generator[T]:
    """The items of a generator about a program that is ground here."""
    yield from items(session_here(), make)


def _ask_here(make: Grounding[P, A], ask: Callable[[FreshProgram[P, A]], T]) -> T:
    return _ask(session_here(), make, ask)


def _ask(session: Session, make: Grounding[P, A], ask: Callable[[FreshProgram[P, A]], T]) -> T:
    with session.borrowed([], make) as program:
        return session.ask(program.control, lambda: ask(program))


def answers(session: Session, make: Grounding[P, A]) -> Generator[A]:
    """Every answer of a program."""
    return session.answers([], make, FreshProgram.search)


# --- the search as a propagator sees it ---


class _Rest(Generic[P]):
    """The time at which propagation first came to rest, and the atoms that remained then.

    The search ends there if `ends` is true of these atoms.
    """

    def __init__(
        self,
        atoms: Iterable[tuple[int, P]] = (),
        ends: Callable[[Sequence[P]], bool] = lambda _remaining: False,
    ) -> None:
        self._atoms = atoms
        self._ends = ends
        self._ended = False
        self.remaining: list[P] | None = None
        self.certain: list[P] = []
        self.settled: float | None = None

    def init(self, init: clingo.PropagateInit) -> None:
        self._literals = [(init.solver_literal(atom), what) for atom, what in self._atoms]
        init.check_mode = clingo.PropagatorCheckMode.Fixpoint

    def check(self, control: clingo.PropagateControl) -> None:
        if self.settled is None:
            self.settled = perf_counter()
            value = control.assignment.value
            self.remaining = [
                what for literal, what in self._literals if value(literal) is not False
            ]
            self.certain = [what for literal, what in self._literals if value(literal)]
            self._ended = self._ends(self.remaining)
        if self._ended:
            control.add_clause([])


def events(session: Session, make: Grounding[P, A]) -> Generator[Event[P, A]]:
    """The events of the search for one answer, by a program."""
    queue: Queue[Event[P, A] | BaseException | None] = Queue(AHEAD)
    closed = threading.Event()

    def put(event: Event[P, A] | BaseException | None) -> None:
        while session.sound and not closed.is_set():
            try:
                return queue.put(event, timeout=0.1)
            except Full:
                pass

    def on_model(model: clingo.Model) -> None:
        try:
            watch.solved(program.decoder.answer(model))
        except BackendFailure as error:
            put(error)

    def on_finish(result: clingo.SolveResult) -> None:
        if result.unsatisfiable:
            watch.refuted()
        put(None)

    def begin() -> clingo.SolveHandle:
        program.control.register_propagator(watch)  # type: ignore[arg-type]
        program.stop_at_best()
        return program.control.solve(async_=True, on_model=on_model, on_finish=on_finish)

    with session.borrowed([], make) as program:
        watch = session.make(lambda: _Watch(program.decoder, put))
        handle = session.ask(program.control, begin)
        try:
            while session.sound:
                try:
                    event = queue.get(timeout=0.1)
                except Empty:
                    if handle.wait(0) and queue.empty():  # it ended without a word
                        handle.get()
                        return
                    continue
                if isinstance(event, BaseException):
                    raise event
                if event is None:
                    return
                yield event
        finally:
            closed.set()
            handle.cancel()


class _Watch(Generic[P, A]):
    """Reports choices, their consequences, and backtracking.

    clingo shows a propagator a state only when propagation has come to rest. So conflicts that
    follow each other with no such state between them are one event. All choices are seen.
    """

    def __init__(
        self,
        decoder: Decoder[P, A],
        put: Callable[[Event[P, A]], None],
    ) -> None:
        self._decoder = decoder
        self._atoms = decoder.literals
        self._put = put
        self._changes: list[int] = []
        self._says: dict[int, list[P]] = {}
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
            true = {p for each in changes for p in self._says.get(each, ())}
            false = {p for each in changes for p in self._says.get(-each, ())}
            placed, excluded = self._decoder.news(true, false)
            if placed or excluded:
                self._put(Event("implied", self._level, placed, excluded))

    def solved(self, answer: A) -> None:
        """Report the answer."""
        self._flush()
        self._put(Event("solution", self._level, solution=answer))

    def refuted(self) -> None:
        """Report that there is none."""
        self._put(Event("conflict", 0))
