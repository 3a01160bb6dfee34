"""Questions about a puzzle, to the engine of your choice.

A puzzle is a `Grid`, text in any known format, or nested rows. `backend` is a name
(``"clingo"``, ``"prolog"``, or one that another package adds) or a backend object. `timeout` is
in seconds; it counts the time that the engine works.

Every function raises InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from .backends import Backend, get
from .backends.base import Candidates
from .formats import as_grid
from .grid import Grid

__all__ = ["Puzzle", "candidates", "count", "is_unique", "solutions", "solve"]

Puzzle = Grid | str | Sequence[Sequence[Any]]
"""What is taken for a puzzle; numpy arrays too."""


def solve(
    puzzle: Puzzle, backend: str | Backend = "clingo", timeout: float | None = None
) -> Grid | None:
    """A solution of the puzzle, or None if there is none.

    >>> print(solve("4......3...13..."))
    4312124324313124
    """
    return get(backend).solve(as_grid(puzzle), seconds(timeout))


def solutions(
    puzzle: Puzzle,
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
    return _islice(get(backend).solutions(as_grid(puzzle), seconds(timeout)), _number(limit))


def _islice(found: Any, limit: int | None) -> Iterator[Grid]:
    try:
        yield from islice(found, limit)
    finally:
        found.close()


def count(
    puzzle: Puzzle,
    backend: str | Backend = "clingo",
    limit: int | None = None,
    timeout: float | None = None,
) -> int:
    """The number of solutions; `limit` if there are that many or more.

    >>> count("." * 16), count("." * 16, limit=100)
    (288, 100)
    """
    return get(backend).count(as_grid(puzzle), _number(limit), seconds(timeout))


def is_unique(
    puzzle: Puzzle, backend: str | Backend = "clingo", timeout: float | None = None
) -> bool:
    """True if the puzzle has exactly one solution.

    >>> is_unique("1..4.....3......"), is_unique("." * 16)
    (False, False)
    """
    return count(puzzle, backend, limit=2, timeout=timeout) == 1


def candidates(
    puzzle: Puzzle, backend: str | Backend = "clingo", timeout: float | None = None
) -> Candidates:
    """For every cell the digits that it holds in at least one solution: rows of sets.

    All sets are empty if there is no solution.

    >>> [sorted(digits) for digits in candidates("12..34......4321")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    return get(backend).candidates(as_grid(puzzle), seconds(timeout))


def seconds(timeout: float | None) -> float | None:
    """The time limit; ValueError if it is none."""
    if timeout is not None and not timeout > 0:
        raise ValueError(f"timeout must be over 0 seconds, not {timeout!r}")
    return timeout


def _number(limit: int | None) -> int | None:
    if limit is not None and limit < 0:
        raise ValueError(f"limit must be 0 or more, not {limit!r}")
    return limit
