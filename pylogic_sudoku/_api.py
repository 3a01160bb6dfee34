"""Questions about one puzzle, to the engine of your choice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from operator import index
from typing import Any

from .engines import Backend, able
from .engines.budget import seconds
from .formats import as_puzzle
from .grid import Candidates, Grid
from .puzzle import Puzzle

__all__ = ["PuzzleLike", "candidates", "count", "is_unique", "solutions", "solve"]

PuzzleLike = Grid | Puzzle | str | Sequence[Sequence[Any]]
"""What is accepted as a puzzle; numpy arrays too."""

MOST_THREADS = 64
"""What clingo can use."""
UNREACHED = 10**18
"""More solutions than any engine finds in a lifetime."""


def solve(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Grid | None:
    """A solution of the puzzle, or None if there is none.

    `puzzle` is a `Grid`, a `Puzzle`, text in any known format, or nested rows. `backend` is a name
    (``"clingo"``, ``"prolog"``, ``"sat"``, or one that another package adds) or a backend object.
    `timeout` is in seconds, over 0, and counts the time that the engine works; None is no limit.
    `threads`, from 1 to 64, is how many threads may share the search of a hard puzzle: clingo uses
    them, other engines use one.

    Raises InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure, and ValueError or
    TypeError for an impossible timeout or number of threads.

    >>> print(solve("4......3...13..."))
    4312124324313124
    """
    question = as_puzzle(puzzle)
    return _engine(backend, question, threads).solve(question, seconds(timeout))


def solutions(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> Iterator[Grid]:
    """Every solution once, in no particular order, searched for only as it is asked for.

    `puzzle`, `backend` and `threads` are as for `solve`. Ends after `limit` solutions, a whole
    number from 0; None means all. `timeout` is in seconds, over 0, and counts the time that the
    engine works in the whole search, not the time between two solutions; None means no limit.

    Raises InvalidPuzzle or BackendUnavailable at the call, and ValueError or TypeError for an
    impossible limit, timeout or number of threads. Iterating raises SolveTimeout, BackendFailure,
    or BackendUnavailable if the engine does not start.

    >>> len(set(solutions("1..4............")))
    24
    """
    question = as_puzzle(puzzle)
    found = _engine(backend, question, threads).solutions(question, seconds(timeout))
    return _islice(found, at_most(limit))


def _islice(found: Any, limit: int | None) -> Iterator[Grid]:
    try:
        yield from islice(found, limit)
    finally:
        found.close()


def count(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
    threads: int = 1,
) -> int:
    """The number of solutions; `limit` if there are that many or more.

    `puzzle`, `backend` and `threads` are as for `solve`. `limit` is a whole number from 0,
    `timeout` is in seconds, over 0; None means no limit.

    Raises InvalidPuzzle, BackendUnavailable, BackendFailure, or SolveTimeout, whose `found` is the
    number of solutions found in time; ValueError or TypeError for an impossible limit, timeout or
    number of threads.

    >>> count("." * 16), count("." * 16, limit=100)
    (288, 100)
    """
    question = as_puzzle(puzzle)
    engine = _engine(backend, question, threads)
    return engine.count(question, at_most(limit), seconds(timeout))


def is_unique(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> bool:
    """True if the puzzle has exactly one solution.

    `puzzle`, `backend` and `threads` are as for `solve`. `timeout` is in seconds, over 0; None
    means no limit.

    Raises InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure, and ValueError or
    TypeError for an impossible timeout or number of threads.

    >>> is_unique("4......3...13..."), is_unique("1..4.....3......"), is_unique("." * 16)
    (True, False, False)
    """
    return count(puzzle, backend, 2, timeout, threads) == 1


def candidates(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    timeout: float | None = None,
    threads: int = 1,
) -> Candidates:
    """For each cell the digits that it has in at least one solution, as rows of sets.

    All sets are empty if there is no solution. `puzzle`, `backend` and `threads` are as for
    `solve`. `timeout` is in seconds, over 0, for all cells together; None means no limit.

    Raises InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure, and ValueError or
    TypeError for an impossible timeout or number of threads.

    >>> [sorted(digits) for digits in candidates("12..34......4321")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    question = as_puzzle(puzzle)
    return _engine(backend, question, threads).candidates(question, seconds(timeout))


def _engine(backend: str | Backend, question: Grid | Puzzle, threads: int) -> Backend:
    """The engine, with so many threads; errors if that is impossible or it cannot solve this."""
    number = needed("threads", threads, 1)
    if number > MOST_THREADS:
        raise ValueError(f"threads must be {MOST_THREADS} or less, not {number}")
    engine = able(backend, question)
    return engine if number == 1 else engine.with_threads(number)


def at_most(limit: int | None, least: int = 0) -> int | None:
    """The limit, or None for no limit, also if there cannot be that many solutions.

    TypeError if it is not a whole number, ValueError if it is less than `least`.
    """
    number = whole("limit", limit, least)
    return None if number is None or number > UNREACHED else number


def whole(name: str, value: Any, least: int) -> int | None:
    """The value of the parameter `name` as an int, or None; numpy's integers too."""
    return None if value is None else needed(name, value, least, " or None")


def needed(name: str, value: Any, least: int, else_: str = "") -> int:
    """The same for a parameter that must not be None; messages say what `else_` is allowed."""
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number{else_}, not {value!r}")
    if number < least:
        raise ValueError(f"{name} must be {least} or more{else_ and ','}{else_}, not {number}")
    return number
