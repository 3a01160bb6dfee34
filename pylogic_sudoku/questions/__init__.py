"""Questions about one puzzle, or one instance of any problem, to the engine of your choice.

`solve`, `solutions`, `count`, `is_unique` and `candidates` are about the puzzle; `propagate`,
`measure` and `trace` are about the engine at work on it. Each checks its arguments, reads the
puzzle, and leaves the rest to an engine. `many` and `comparison` build on these. A puzzle has grids
as solutions, and an `Instance` has answers, which are sets of atoms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from itertools import islice
from math import inf
from operator import index
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

from ..engines import AnyEngine, engine_for
from ..engines.base import Event, Measurement
from ..errors import counted, listed
from ..problem import Answer, Atom, Instance, Remaining
from ..problem.atoms import Written
from ..question import Question, as_question
from ..running.workers import checked_timeout

if TYPE_CHECKING:
    from ..formats import PuzzleLike
    from ..puzzle import Grid
    from ..puzzle.cells import Candidates, Placement

__all__ = [
    "Trace",
    "candidate_counts",
    "candidates",
    "count",
    "is_unique",
    "measure",
    "propagate",
    "solutions",
    "solve",
    "trace",
]

MAX_THREADS = 64
"""The most threads that clingo can use."""
COUNTED = 10
"""Solutions of each candidate that are counted by default."""
UNREACHED = 10**18
"""More solutions than any engine finds in a lifetime."""

P = TypeVar("P")
A = TypeVar("A")


@overload
def solve(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Answer | None: ...
@overload
def solve(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Grid | None: ...
def solve(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Grid | Answer | None:
    """A solution of the puzzle, or None if there is none.

    That of an `Instance` is an `Answer`: a best one, with its cost, if something is minimized.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        timeout: In seconds, over 0, of the time that the engine works; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here.
        BackendFailure: If the engine breaks, or cannot answer the question.
        SolveTimeout: If the time is used up. Its `best` is the best answer found in time, as that
            of a KeyboardInterrupt that ends an optimization.
        ValueError: If the timeout or the number of threads is out of range.
        TypeError: If the timeout is not a number, or the number of threads is not whole.

    >>> print(solve("4......3...13..."))
    4312124324313124
    """
    question, engine = _read(puzzle, backend, threads)
    answer: Grid | Answer | None = engine.solve(question, checked_timeout(timeout))
    return answer


@overload
def solutions(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> Iterator[Answer]: ...
@overload
def solutions(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> Iterator[Grid]: ...
def solutions(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> Iterator[Any]:
    """Every solution once, in no particular order, searched for only on demand.

    Of an instance where something is to be as small as possible, these are all best answers.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        limit: The number of solutions to end after, a whole number from 0; None means all.
        timeout: In seconds, over 0, of the time that the engine works in the whole search, not
            between two solutions; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: At once, if the input is not a puzzle.
        BackendUnavailable: At once, if the engine cannot be used here; while iterating, if it does
            not start.
        ValueError: At once, if the limit, the timeout or the number of threads is out of range.
        TypeError: At once, if the timeout is not a number, or the limit or the number of threads is
            not whole.
        SolveTimeout: If the time is used up. Raised while iterating.
        BackendFailure: If the engine breaks, or cannot answer the question. Raised while iterating.

    >>> len(set(solutions("1..4............")))
    24
    """
    question, engine = _read(puzzle, backend, threads)
    most = checked_limit(limit)
    return _islice(engine.with_limit(most).solutions(question, checked_timeout(timeout)), most)


def written(
    instance: Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> Iterator[Written]:
    """The texts of all answers, as `solutions` finds them."""
    question, engine = _read(instance, backend, threads)
    most = checked_limit(limit)
    return _islice(engine.with_limit(most).written(question, checked_timeout(timeout)), most)


def _islice(stream: Any, limit: int | None) -> Iterator[Any]:
    try:
        yield from islice(stream, limit)
    finally:
        stream.close()


def count(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> int:
    """The number of solutions; `limit` if there are that many or more.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        limit: The number to count up to, a whole number from 0; None means no limit.
        timeout: In seconds, over 0; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here.
        BackendFailure: If the engine breaks, or cannot answer the question.
        SolveTimeout: If the time is used up. Its `found` is the number of solutions found in time.
        ValueError: If the limit, the timeout or the number of threads is out of range.
        TypeError: If the timeout is not a number, or the limit or the number of threads is not
            whole.

    >>> count("." * 16), count("." * 16, limit=100)
    (288, 100)
    """
    question, engine = _read(puzzle, backend, threads)
    return int(engine.count(question, checked_limit(limit), checked_timeout(timeout)))


def is_unique(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> bool:
    """True if the puzzle has exactly one solution.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        timeout: In seconds, over 0; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout or the number of threads is out of range.
        TypeError: If the timeout is not a number, or the number of threads is not whole.

    >>> is_unique("4......3...13..."), is_unique("1..4.....3......"), is_unique("." * 16)
    (True, False, False)
    """
    return count(puzzle, backend, 2, timeout, threads) == 1


@overload
def candidates(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> frozenset[Atom]: ...
@overload
def candidates(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Candidates: ...
def candidates(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Candidates | frozenset[Atom]:
    """For each cell the digits that it has in at least one solution, as rows of sets.

    All sets are empty if there is no solution. Of an instance, the atoms of all answers together.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        timeout: In seconds, over 0, for all cells together; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout or the number of threads is out of range.
        TypeError: If the timeout is not a number, or the number of threads is not whole.

    >>> [sorted(digits) for digits in candidates("12..34......4321")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    question, engine = _read(puzzle, backend, threads)
    possible = engine.candidates(question, checked_timeout(timeout))
    shown: Candidates | frozenset[Atom] = question.known(possible)
    return shown


@overload
def candidate_counts(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = COUNTED,
    timeout: float | None = None,
    threads: int = 1,
) -> dict[Atom, int]: ...
@overload
def candidate_counts(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    limit: int | None = COUNTED,
    timeout: float | None = None,
    threads: int = 1,
) -> dict[Placement, int]: ...
def candidate_counts(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = COUNTED,
    timeout: float | None = None,
    threads: int = 1,
) -> dict[Placement, int] | dict[Atom, int]:
    """For each candidate the number of solutions that have it; `limit` if that many or more do.

    The candidates are placements in reading order; of an instance, the atoms of all answers. clingo
    finds the numbers of a puzzle in one search, which ends when each has reached the limit or is
    exact.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        limit: The number to count up to, a whole number from 1; None means no limit.
        timeout: In seconds, over 0; None means no limit.
        threads: From 1 to 64: how many threads may share the search of a hard puzzle. clingo uses
            them, other engines use one.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the limit, the timeout or the number of threads is out of range.
        TypeError: If the timeout is not a number, or the limit or the number of threads is not
            whole.

    >>> numbers = candidate_counts("12..3.......4...")
    >>> numbers[3, 3, 1], numbers[3, 3, 3], numbers[3, 3, 4]
    (1, 2, 3)
    """
    question, engine = _read(puzzle, backend, threads)
    counts: dict[Placement, int] | dict[Atom, int]
    counts = engine.candidate_counts(question, checked_limit(limit, 1), checked_timeout(timeout))
    return counts


def _read(
    puzzle: PuzzleLike | Instance, backend: str | AnyEngine, threads: int = 1
) -> tuple[Any, Any]:
    """The question, and the engine with this number of threads; errors if it cannot answer it."""
    question = as_question(puzzle)
    number = checked_whole("threads", threads, 1, MAX_THREADS)
    engine = engine_for(backend, question)
    return question, engine if number == 1 else engine.with_threads(number)


# --- how an engine works ---


@overload
def propagate(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
) -> Remaining | None: ...
@overload
def propagate(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
) -> Candidates | None: ...
def propagate(
    puzzle: PuzzleLike | Instance, backend: str | AnyEngine = "clingo", timeout: float | None = None
) -> Candidates | Remaining | None:
    """For each cell the digits that propagation alone leaves, as rows of sets.

    None if it finds that there is no solution. Every digit of a solution is among them. In clingo
    they are those that may hold before the first choice, in Prolog what the constraints leave in
    the domains before labeling. Of an instance, these are atoms, and `Remaining.certain` are those
    that are known to be in every answer.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        timeout: In seconds, over 0; None means no limit.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here, or cannot be asked this.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> [sorted(digits) for digits in propagate("12..34......4321", "prolog")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    question, engine = _read(puzzle, backend)
    remaining = engine.propagate(question, checked_timeout(timeout))
    shown: Candidates | Remaining | None = None if remaining is None else question.left(remaining)
    return shown


@overload
def measure(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
) -> Measurement[Answer]: ...
@overload
def measure(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    timeout: float | None = None,
) -> Measurement[Grid]: ...
def measure(
    puzzle: PuzzleLike | Instance, backend: str | AnyEngine = "clingo", timeout: float | None = None
) -> Measurement[Any]:
    """The first solution of the puzzle, and the work that it took the engine.

    The program is ground or posted anew, so a first call is not slower than a second.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        timeout: In seconds, over 0; None means no limit.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        BackendUnavailable: If the engine cannot be used here, or cannot be asked this.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> measure("4......3...13...", "clingo").choices
    0
    """
    question, engine = _read(puzzle, backend)
    measurement: Measurement[Any] = engine.measure(question, checked_timeout(timeout))
    return measurement


@overload
def trace(
    puzzle: Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = 2_000,
    timeout: float | None = None,
) -> Trace[Atom, Answer]: ...
@overload
def trace(
    puzzle: PuzzleLike,
    backend: str | AnyEngine = "clingo",
    limit: int | None = 2_000,
    timeout: float | None = None,
) -> Trace[Placement, Grid]: ...
def trace(
    puzzle: PuzzleLike | Instance,
    backend: str | AnyEngine = "clingo",
    limit: int | None = 2_000,
    timeout: float | None = None,
) -> Trace[Any, Any]:
    """The search for one solution as events, found on demand.

    If `Trace.counts` is used, the search continues to its end even after the last event.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, nested rows, or an `Instance` of a
            `Problem`.
        backend: The name of an engine (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another
            package adds), or a backend object.
        limit: The number of events that are given, a whole number from 1; None means all.
        timeout: In seconds, over 0, for the search; None means no limit.

    Raises:
        InvalidPuzzle: At once, if the input is not a puzzle.
        BackendUnavailable: At once, if the engine cannot be used here, or cannot be asked this.
        ValueError: At once, if the limit or the timeout is out of range.
        TypeError: At once, if the timeout is not a number, or the limit is not whole.
        SolveTimeout: If the time is used up. Raised while iterating.
        BackendFailure: If the engine breaks, or cannot answer the question. Raised while iterating.

    >>> [event.kind for event in trace("1..4.....3......", "prolog")]
    ['implied', 'choice', 'implied', 'choice', 'implied', 'solution']
    """
    limit, timeout = checked_limit(limit, least=1), checked_timeout(timeout)
    question, engine = _read(puzzle, backend)
    return Trace(engine, question, limit, timeout)


class Trace(Iterator[Event[P, A]], Generic[P, A]):
    """The events of a search, one by one.

    ``str`` of it is the rest of them as an indented tree, ``to_json`` the rest as JSON. A copy,
    even one that is pickled for another process, searches again and resumes at the same event.
    """

    def __init__(
        self,
        engine: AnyEngine,
        puzzle: Question,
        limit: int | None,
        timeout: float | None,
        passed: int = 0,
    ) -> None:
        self.backend = engine.name
        self.puzzle = puzzle
        self._engine = engine
        self._limit = limit
        self._timeout = timeout
        self._events: Generator[Event[P, A]] = engine.trace(puzzle, timeout)
        self._yielded = 0
        self._passed = passed
        self._counts: Counter[str] = Counter()

    def __next__(self) -> Event[P, A]:
        while self._yielded < self._passed:
            self._next()
        return self._next()

    def _next(self) -> Event[P, A]:
        if self._yielded == self._limit:
            raise StopIteration
        event = next(self._events)
        self._counts[event.kind] += 1
        self._yielded += 1
        return event

    def __reduce__(self) -> tuple[Any, ...]:
        engine = self._engine.portable()
        passed = max(self._yielded, self._passed)  # a copy may not have caught up yet
        return _again, (engine, self.puzzle, self._limit, self._timeout, passed)

    @property
    def counts(self) -> dict[str, int]:
        """The number of events of each kind in the whole search, which is run to its end."""
        for event in self._events:
            self._counts[event.kind] += 1
        return dict(self._counts)

    def close(self) -> None:
        """End the search."""
        self._events.close()

    def lines(self) -> Iterator[str]:
        """The rest of the events as text, a line each, indented by their level."""
        for event in self:
            yield line(event)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Trace: {self.backend}, {self._counts.total()} events so far>"

    def _repr_html_(self) -> str:
        """The tree from the start, searched again, so that this iterator does not move."""
        again = Trace[P, A](self._engine, self.puzzle, self._limit, self._timeout)
        lines = "\n".join(again.lines())
        again.close()
        number = again._counts
        counts = ", ".join(counted(number[kind], kind) for kind in ("choice", "conflict"))
        first = f"{self.backend}: {counted(number.total(), 'event')}, {counts}"
        more = "" if number["solution"] else "; there may be more"
        from ..notebook import html_part

        return html_part(f"{first}{more}\n{lines}")

    def to_json(self) -> dict[str, Any]:
        """The puzzle, the rest of the events, and how many the whole search has."""
        events = [to_json(event) for event in self]
        return {
            "backend": self.backend,
            "puzzle": self.puzzle.to_json(),
            "events": events,
            "counts": self.counts,
        }


def _again(
    engine: str | AnyEngine,
    puzzle: Question,
    limit: int | None,
    timeout: float | None,
    passed: int,
) -> Trace[Any, Any]:
    """The trace that was pickled after this many events."""
    return Trace(engine_for(engine, puzzle), puzzle, limit, timeout, passed)


def to_json(event: Event[Any, Any]) -> dict[str, Any]:
    """An event as JSON: a placement is a list [row, column, digit], an atom its text."""
    fields: dict[str, Any] = {"kind": event.kind, "level": event.level}
    if event.placed:
        fields["placed"] = [_json(each) for each in event.placed]
    if event.excluded:
        fields["excluded"] = [_json(each) for each in event.excluded]
    if event.solution is not None:
        fields["solution"] = str(event.solution)
    return fields


def _json(what: Placement | Atom) -> object:
    return str(what) if isinstance(what, Atom) else list(what)


def line(event: Event[Any, Any]) -> str:
    """An event as a line of text, indented by its level."""
    indent = "  " * event.level
    if event.kind == "choice":
        return f"{indent}{_tried(event)}?"
    if event.kind == "implied":
        placed = ", ".join(map(_atom_text, event.placed))
        removed = len(event.excluded)
        removal = f"{removed} candidate{'s go' if removed != 1 else ' goes'}" if removed else ""
        return f"{indent}  follows: {', and '.join(filter(None, (placed, removal)))}"
    if event.kind == "conflict":
        return f"{indent}  conflict"
    if event.kind == "back":
        return f"{indent}back to level {event.level}"
    cost = getattr(event.solution, "cost", ())
    return f"solution{f' of cost {listed(cost)}' if cost else ''}: {event.solution}"


def _tried(event: Event[Any, Any]) -> str:
    texts = [_atom_text(each) for each in event.placed]
    texts += [_atom_text(each, " is not") for each in event.excluded]
    return " and ".join(texts) or "another atom of the program"


def _atom_text(what: Placement | Atom, equals: str = " =") -> str:
    if isinstance(what, Atom):
        return str(what) if equals == " =" else f"not {what}"
    row, column, digit = what
    return f"r{row}c{column}{equals} {digit}"


# --- arguments ---


def checked_limit(limit: int | None, least: int = 0) -> int | None:
    """The limit, or None for no limit, even if there cannot be that many solutions.

    TypeError if it is not a whole number, ValueError if it is less than `least`.
    """
    number = checked_optional("limit", limit, least)
    return None if number is None or number > UNREACHED else number


def checked_optional(name: str, value: Any, least: int, most: float = inf) -> int | None:
    """The value of the parameter `name` as an int, or None; numpy's integers too."""
    return None if value is None else checked_whole(name, value, least, most, " or None")


def checked_whole(name: str, value: Any, least: int, most: float = inf, else_: str = "") -> int:
    """The same for a parameter that must not be None; messages end with `else_`."""
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number{else_}, not {value!r}")
    if number < least:
        raise ValueError(f"{name} must be {least} or more{else_ and ','}{else_}, not {number}")
    if number > most:
        raise ValueError(f"{name} must be {most} or less, not {number}")
    return number
