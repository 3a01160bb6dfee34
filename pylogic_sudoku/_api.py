"""Questions about a puzzle, to the engine of your choice.

A puzzle is a `Grid`, a `Puzzle`, text in any known format, or nested rows. `backend` is a name
(``"clingo"``, ``"prolog"``, or one that another package adds) or a backend object. `timeout` is
in seconds, over 0; it counts the time that the engine works. `limit` is a whole number; 0 asks for
no solution. For both, None means no limit, and so does a number too large to matter.

Every function raises InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure, and
ValueError or TypeError for an impossible limit, timeout or number of workers.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import islice
from numbers import Real
from operator import index
from threading import TIMEOUT_MAX
from typing import Any

from .engines import Backend, able
from .formats import as_puzzle
from .grid import Candidates, Grid
from .puzzle import Puzzle

__all__ = ["PuzzleLike", "candidates", "count", "is_unique", "solutions", "solve"]

PuzzleLike = Grid | Puzzle | str | Sequence[Sequence[Any]]
"""What is taken for a puzzle; numpy arrays too."""

UNREACHED = 10**18
"""More solutions than any engine finds in a lifetime."""

PROCESSES = 61 if sys.platform == "win32" else 1000
"""Processes that may share the work; Windows waits for no more than 61."""


def solve(
    puzzle: PuzzleLike, backend: str | Backend = "clingo", timeout: float | None = None
) -> Grid | None:
    """A solution of the puzzle, or None if there is none.

    >>> print(solve("4......3...13..."))
    4312124324313124
    """
    question = as_puzzle(puzzle)
    return able(backend, question).solve(question, seconds(timeout))


def solutions(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
) -> Iterator[Grid]:
    """Every solution once, in no particular order and searched for only as it is asked for.

    Ends after `limit` solutions. A wrong puzzle or backend is told at the call, the errors of a
    search while iterating.

    >>> len(set(solutions("1..4............")))
    24
    """
    question = as_puzzle(puzzle)
    found = able(backend, question).solutions(question, seconds(timeout))
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
) -> int:
    """The number of solutions; `limit` if there are that many or more.

    >>> count("." * 16), count("." * 16, limit=100)
    (288, 100)
    """
    question = as_puzzle(puzzle)
    return able(backend, question).count(question, at_most(limit), seconds(timeout))


def is_unique(
    puzzle: PuzzleLike, backend: str | Backend = "clingo", timeout: float | None = None
) -> bool:
    """True if the puzzle has exactly one solution.

    >>> is_unique("1..4.....3......"), is_unique("." * 16)
    (False, False)
    """
    return count(puzzle, backend, limit=2, timeout=timeout) == 1


def candidates(
    puzzle: PuzzleLike, backend: str | Backend = "clingo", timeout: float | None = None
) -> Candidates:
    """For every cell the digits that it holds in at least one solution: rows of sets.

    All sets are empty if there is no solution.

    >>> [sorted(digits) for digits in candidates("12..34......4321")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    question = as_puzzle(puzzle)
    return able(backend, question).candidates(question, seconds(timeout))


def seconds(timeout: float | None) -> float | None:
    """The time limit in seconds; None for no limit, also if it is longer than a clock can wait.

    TypeError if it is not a number, ValueError if it is not over 0.
    """
    if timeout is None:
        return None
    if isinstance(timeout, bool) or not isinstance(timeout, Real):
        raise TypeError(f"timeout must be a number of seconds or None, not {timeout!r}")
    if not timeout > 0:
        raise ValueError(f"timeout must be over 0 seconds, not {timeout!r}")
    return float(timeout) if timeout <= TIMEOUT_MAX else None


def at_most(limit: int | None, least: int = 0) -> int | None:
    """The limit; None for no limit, also if there cannot be that many solutions.

    TypeError if it is not a whole number, ValueError if it is less than `least`.
    """
    number = _whole("limit", limit, least)
    return None if number is None or number > UNREACHED else number


def processes(workers: int | None, ours: bool = True) -> int | None:
    """The number of processes; TypeError or ValueError if there cannot be as many of `ours`."""
    number = _whole("workers", workers, 1)
    if ours and number is not None and number > PROCESSES:
        raise ValueError(f"workers must be {PROCESSES} or less, not {number}")
    return number


def _whole(name: str, value: Any, least: int) -> int | None:
    """The value as an int, numpy's too, or None."""
    if value is None:
        return None
    try:
        number = index(value)
    except TypeError:
        number = None
    if number is None or isinstance(value, bool):
        raise TypeError(f"{name} must be a whole number or None, not {value!r}")
    if number < least:
        raise ValueError(f"{name} must be {least} or more, or None, not {number}")
    return number
