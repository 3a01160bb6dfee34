"""What an engine knows before it guesses, how it searches, and how much work that is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator
from typing import Any

from ._api import PuzzleLike, at_most
from .engines import Backend, able, watched
from .engines.base import Event, Measurement
from .engines.budget import seconds
from .formats import as_puzzle
from .grid import Candidates, Grid, candidate_rows
from .puzzle import Puzzle

__all__ = ["Trace", "line", "measure", "propagate", "to_json", "trace"]


def propagate(
    puzzle: PuzzleLike, backend: str | Backend = "clingo", timeout: float | None = None
) -> Candidates | None:
    """For each cell the digits that propagation alone leaves, as rows of sets.

    None if it finds that there is no solution. Every digit of a solution is among them. In clingo
    they are those that may hold before the first choice, in Prolog what the constraints leave in
    the domains before labeling. `puzzle` and `backend` are as for `solve`; `timeout` is in seconds,
    over 0, and None means no limit.

    Raises InvalidPuzzle, BackendUnavailable (also if the engine cannot be asked this), SolveTimeout
    or BackendFailure, and ValueError or TypeError for an impossible timeout.

    >>> [sorted(digits) for digits in propagate("12..34......4321", "prolog")[2]]
    [[2], [1], [3, 4], [3, 4]]
    """
    question = as_puzzle(puzzle)
    engine = watched(able(backend, question))
    left = engine.propagate(question, seconds(timeout))
    return None if left is None else candidate_rows(left, question.size)


def measure(
    puzzle: PuzzleLike, backend: str | Backend = "clingo", timeout: float | None = None
) -> Measurement:
    """The first solution of the puzzle, and the work that it took the engine.

    Parameters and errors are as for `propagate`. The program is ground or posted anew, so a first
    call is not slower than a second.

    >>> measure("4......3...13...", "clingo").choices
    0
    """
    question = as_puzzle(puzzle)
    return watched(able(backend, question)).measure(question, seconds(timeout))


def trace(
    puzzle: PuzzleLike,
    backend: str | Backend = "clingo",
    limit: int | None = 2_000,
    timeout: float | None = None,
) -> Trace:
    """The search for one solution as events, found as they are asked for.

    `limit` is the number of events that are given, a whole number from 1; None means all. If
    `Trace.counts` is asked for, the search goes on to its end all the same. `puzzle` and `backend`
    are as for `solve`; `timeout` is in seconds, over 0, for the search.

    Raises InvalidPuzzle or BackendUnavailable at the call, and ValueError or TypeError for an
    impossible limit or timeout. Iterating raises SolveTimeout or BackendFailure.

    >>> [event.kind for event in trace("1..4.....3......", "prolog")]
    ['implied', 'choice', 'implied', 'choice', 'implied', 'solution']
    """
    limit, timeout = at_most(limit, least=1), seconds(timeout)
    question = as_puzzle(puzzle)
    engine = watched(able(backend, question))
    return Trace(engine.name, question, engine.trace(question, timeout), limit)


class Trace(Iterator[Event]):
    """The events of a search, one by one.

    ``str`` of it is the rest of them as an indented tree, ``to_json`` the rest as JSON.
    """

    def __init__(
        self,
        backend: str,
        puzzle: Grid | Puzzle,
        events: Generator[Event],
        limit: int | None,
    ) -> None:
        self.backend = backend
        self.puzzle = puzzle
        self._events = events
        self._left = limit
        self._counts: Counter[str] = Counter()

    def __next__(self) -> Event:
        if self._left == 0:
            raise StopIteration
        event = next(self._events)
        self._counts[event.kind] += 1
        if self._left is not None:
            self._left -= 1
        return event

    @property
    def counts(self) -> dict[str, int]:
        """How many events of each kind the whole search has: it is run to its end."""
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

    def to_json(self) -> dict[str, Any]:
        """The puzzle, the rest of the events, and how many the whole search has."""
        events = [to_json(event) for event in self]
        return {
            "backend": self.backend,
            "puzzle": self.puzzle.to_json(),
            "events": events,
            "counts": self.counts,
        }


def to_json(event: Event) -> dict[str, Any]:
    """An event as JSON: a placement is a list [row, column, digit]."""
    found: dict[str, Any] = {"kind": event.kind, "level": event.level}
    if event.placed:
        found["placed"] = [list(each) for each in event.placed]
    if event.excluded:
        found["excluded"] = [list(each) for each in event.excluded]
    if event.solution:
        found["solution"] = str(event.solution)
    return found


def line(event: Event) -> str:
    """An event as a line of text, indented by its level."""
    indent = "  " * event.level
    if event.kind == "choice":
        return f"{indent}{_tried(event)}?"
    if event.kind == "implied":
        placed = ", ".join(f"r{row}c{column} = {digit}" for row, column, digit in event.placed)
        gone = len(event.excluded)
        goes = f"{gone} candidate{'s go' if gone != 1 else ' goes'}" if gone else ""
        return f"{indent}  follows: {', and '.join(filter(None, (placed, goes)))}"
    if event.kind == "conflict":
        return f"{indent}  conflict"
    if event.kind == "back":
        return f"{indent}back to level {event.level}"
    return f"solution: {event.solution}"


def _tried(event: Event) -> str:
    told = [f"r{row}c{column} = {digit}" for row, column, digit in event.placed]
    told += [f"r{row}c{column} is not {digit}" for row, column, digit in event.excluded]
    return " and ".join(told) or "another atom of the program"
