"""The interface of an engine.

An `Engine` takes questions and gives answers; it knows no text, no terminal and no other engine.
Only `version` and `solutions` must be written. `solve` and `count` follow from `solutions`, and an
engine that can do better overrides them. The other methods are for engines whose work can be seen.

A `ProblemEngine` takes the instances of a problem, the `SudokuEngine` of ``sudoku/base.py``
sudokus.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, Self, TypeVar

from ..errors import BackendUnavailable, SolveTimeout
from ..running.workers import Budget
from .registry import able

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator

    from ..problem import Answer, Atom, Instance, Remaining
    from ..problem.atoms import Written

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")
P = TypeVar("P")


class Engine(ABC, Generic[Q, A, P]):
    """One engine, which takes questions Q, and gives answers A that consist of placements P.

    Every method may be called from any thread, while other searches are open. `timeout` is in
    seconds and counts the time spent waiting for the engine, not the time that the caller
    takes between two answers. Raises BackendUnavailable, SolveTimeout or BackendFailure; after
    any of them, and after a KeyboardInterrupt, the engine can be used again.
    """

    name: str
    engine: str
    """The name of the program behind it, as people know it."""

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if cls.__module__.startswith(f"{__package__}."):
            return
        from .guarded import guard  # which our own engines do without

        public = (name for base in cls.__mro__[1:] for name in vars(base) if name[0] != "_")
        guard(cls, {"__init__", *public})

    @abstractmethod
    def version(self) -> str:
        """The engine's version.

        Raises:
            BackendUnavailable: If it cannot be used here.
        """

    def portable(self) -> str | Engine[Q, A, P]:
        """The name of the engine if that stands for it elsewhere, since names can be pickled."""
        return self

    def with_threads(self, threads: int) -> Self:
        """The engine with this number of threads for a long search; itself if it uses only one."""
        return self

    def with_limit(self, limit: int | None) -> Self:
        """The engine for a caller who takes this number of answers; itself if it needs no number.

        Args:
            limit: The number of answers; None for all.
        """
        return self

    @abstractmethod
    def solutions(self, question: Q, timeout: float | None = None) -> Generator[A]:
        """Every answer once, found on demand.

        The search ends when the generator ends, is closed or is collected.
        """

    def solve(self, question: Q, timeout: float | None = None) -> A | None:
        """An answer, or None if there is none."""
        with closing(self.solutions(question, timeout)) as solutions:
            return next(solutions, None)

    def count(self, question: Q, limit: int | None = None, timeout: float | None = None) -> int:
        """The number of answers, or `limit` if there are at least that many.

        `SolveTimeout.found` is the number found in time.
        """
        number = 0
        with closing(self.solutions(question, timeout)) as solutions:
            try:
                for _ in islice(solutions, limit):
                    number += 1
            except SolveTimeout as error:
                error.found = number
                raise
        return number

    def confirms(self, question: Q, answer: A, timeout: float | None = None) -> bool:
        """True if this is an answer, which is found out without a search for it where possible."""
        with closing(self.solutions(question, timeout)) as solutions:
            return answer in solutions

    def enumerates(self, question: Q, timeout: float | None = None) -> bool:
        """True if only a search through all answers shows whether something is one of them."""
        return type(self).confirms is Engine.confirms

    def rejected(
        self, question: Q, answers: Iterable[A], timeout: float | None = None
    ) -> frozenset[A]:
        """Those of these that are no answers; `timeout` is for all of them."""
        if self.enumerates(question, timeout):
            with closing(self.solutions(question, timeout)) as solutions:
                return not_found(answers, solutions)
        budget = Budget(self.name, timeout)

        def confirms(answer: A) -> bool:
            return budget.spend(lambda seconds_left: self.confirms(question, answer, seconds_left))

        return frozenset(answer for answer in answers if not confirms(answer))

    def lacks(
        self, question: Q, answers: Iterable[A], timeout: float | None = None
    ) -> frozenset[A]:
        """The answers among these that the program lacks at their cost; others may cost less.

        `timeout` is for all of them.
        """
        return self.rejected(question, answers, timeout)

    def measure(self, question: Q, timeout: float | None = None) -> Measurement[A]:
        """The first answer, and the work that it took."""
        raise self._cannot("show its work", able("measure"))

    def trace(self, question: Q, timeout: float | None = None) -> Generator[Event[P, A]]:
        """The events of the search for one answer, as they are asked for."""
        raise self._cannot("show its search", able("trace"))

    def _cannot(self, what: str, instead: str) -> BackendUnavailable:
        return BackendUnavailable(f"the {self.name} engine cannot {what}", f"Choose {instead}.")


def not_found(answers: Iterable[A], solutions: Iterator[A]) -> frozenset[A]:
    """Those of these answers that are none of the solutions, which are read as far as needed."""
    left = set(answers)
    while left and (answer := next(solutions, None)) is not None:
        left.discard(answer)
    return frozenset(left)


def or_proved(ask: Callable[[], A | None]) -> A | None:
    """The result of a search for the best answer, even if time ran out just as it was proved."""
    try:
        return ask()
    except SolveTimeout as error:
        if error.proved is None:
            raise
        return error.proved  # type: ignore[no-any-return]


def with_proved(answers: Generator[T], read: Callable[[Answer], T] | None = None) -> Generator[T]:
    """All answers; before the error, one that was proved to be the best just as time ran out.

    `read` makes of that one what the others are. They are found on demand.
    """
    with closing(answers):
        try:
            for first in answers:
                yield first
                break
        except SolveTimeout as error:
            if error.proved is not None:
                yield read(error.proved) if read else error.proved
            raise
        yield from answers


def as_text(answer: Answer) -> Written:
    """The text of an answer to an instance, and its costs."""
    from ..problem.atoms import Written  # which sudokus do without

    return Written(str(answer), answer.cost)


class ProblemEngine(Engine["Instance", "Answer", "Atom"]):
    """An engine with a program that states a problem, which takes its instances."""

    def portable(self) -> str | ProblemEngine:
        return self.name if type(self).__module__.startswith(f"{__package__}.") else self

    def propagate(self, question: Instance, timeout: float | None = None) -> Remaining | None:
        """The atoms that may be true before any choice; None if it finds a contradiction.

        Args:
            question: The instance.
            timeout: In seconds, over 0; None means no limit.
        """
        raise self._cannot("show its work", able("propagate"))

    def written(self, question: Instance, timeout: float | None = None) -> Generator[Written]:
        """All answers as texts.

        Args:
            question: The instance.
            timeout: In seconds, over 0; None means no limit.
        """
        with closing(self.solutions(question, timeout)) as solutions:
            yield from map(as_text, solutions)

    def candidates(self, question: Instance, timeout: float | None = None) -> frozenset[Atom]:
        """The atoms that are in at least one answer.

        Args:
            question: The instance.
            timeout: In seconds, over 0; None means no limit.
        """
        atoms: set[Atom] = set()
        with closing(self.solutions(question, timeout)) as solutions:
            for answer in solutions:
                atoms |= answer
        return frozenset(atoms)

    def candidate_counts(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> dict[Atom, int]:
        """The number of answers with each candidate, or `limit` if there are at least that many.

        Args:
            question: The instance.
            limit: The number up to which answers are counted.
            timeout: In seconds, over 0; None means no limit.
        """
        numbers: Counter[Atom] = Counter()
        with closing(self.solutions(question, timeout)) as solutions:
            for answer in solutions:
                numbers.update(answer)
        return {atom: min(numbers[atom], limit or numbers[atom]) for atom in sorted(numbers)}


class Measurement(NamedTuple, Generic[A]):
    """The first solution that an engine finds, and the work that it took; None if unknown.

    Times are in seconds, and those of one search: the solution is its result.
    """

    solution: A | None
    """None if there is none; a `Grid`, or an `Answer` to an instance."""
    setup: float | None = None
    """Grounding the program, posting the constraints, or making the clauses."""
    propagation: float | None = None
    """Propagation before the first choice. clpfd propagates while it posts, so setup has that."""
    search: float | None = None
    """Everything after the propagation."""
    choices: int | None = None
    """Digits tried in Prolog while the cell could hold another one; decisions of a SAT solver."""
    conflicts: int | None = None
    """Dead ends, in Prolog."""
    inferences: int | None = None
    chosen: tuple[str, ...] = ()
    """The options with which the program searched, of an instance; none if it was the usual way."""

    @property
    def stats(self) -> dict[str, float]:
        """The known measures of the work, by name."""
        known = self._asdict()
        return {name: known[name] for name in self._fields[1:-1] if known[name] is not None}

    def __str__(self) -> str:
        seconds = {"setup": "set-up", "propagation": "propagation", "search": "search"}
        parts = [
            f"{seconds[name]} {number * 1e3:.1f} ms"
            if name in seconds
            else f"{number:,} {name if number != 1 else name.removesuffix('s')}"
            for name, number in self.stats.items()
        ]
        return "; ".join(filter(None, (", ".join(parts), " ".join(self.chosen))))


class Event(NamedTuple, Generic[P, A]):
    """One thing that happens in a search. The level is the number of choices that are open.

    Of a sudoku, what is placed or excluded is a `Placement`; of an instance, an `Atom`.
    """

    kind: Literal["choice", "implied", "conflict", "back", "solution"]
    level: int
    """For ``"back"``: the choices above this level are undone."""
    placed: tuple[P, ...] = ()
    """Of a choice, the placement that is tried; of what is implied, every new placement. A choice
    without a placement is about another atom of the program."""
    excluded: tuple[P, ...] = ()
    """The same of digits that a cell does not hold; not those of cells that are filled in."""
    solution: A | None = None
    """In an optimization, each one is better than the one before."""
