"""Many puzzles in several processes, in order and with bounded memory."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from ._api import PuzzleLike, solve, whole
from .engines import Backend
from .engines.budget import seconds
from .errors import BackendFailure, InvalidPuzzle, SudokuError
from .formats import as_puzzle, many
from .grid import Grid
from .puzzle import Puzzle

if TYPE_CHECKING:
    from concurrent.futures import Executor, Future

    from ._pool import Pool

__all__ = ["MOST_JOBS", "SolvedPuzzles", "checked_jobs", "map_in_order", "readable"]
__all__ += ["solve_many", "stream_in_order"]

T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[list[R | SudokuError], float]
"""Outcomes, and the seconds that they took."""

MOST_JOBS = 61 if sys.platform == "win32" else 1000
"""Processes that may share the work; Windows cannot wait for more than 61."""
BATCH = 64
"""The most items that go to a process at once."""
SECONDS = 0.03
"""How long a batch should take: long compared with the half millisecond that sending it there and
back takes, but so short that no process is left with a batch when all others have finished."""
WAITING = 3
"""Batches per process that are under way, or done and not yet asked for."""


class SolvedPuzzles(Iterator[Grid | None]):
    """The answers to many puzzles, in their order: a solution, or None if there is none.

    The error of a puzzle is raised in its place, with the puzzle's number (from 0) as `index`.
    It ends a ``for`` loop but not this iterator: `next` goes on with the puzzle after it.
    """

    def __init__(self, answers: Iterator[Grid | SudokuError | None]) -> None:
        self._answers = answers
        self._index = -1

    def __next__(self) -> Grid | None:
        answer = next(self._answers)
        self._index += 1
        if isinstance(answer, SudokuError):
            answer.index = self._index
            raise answer
        return answer

    def close(self) -> None:
        """Stop all work on the remaining puzzles."""
        close = getattr(self._answers, "close", None)
        if close:
            close()


def solve_many(
    puzzles: Iterable[PuzzleLike],
    backend: str | Backend = "clingo",
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles:
    """Solve puzzles in order, lazily: a solution of each, or None if it has none.

    `jobs` processes share the work. They are spawned, so a script that uses them needs
    ``if __name__ == "__main__":``. Instead of our processes, `executor` may be any executor like
    those of ``concurrent.futures`` whose workers can import this package; `jobs` is then the
    number of its workers (default: the number of processors here). `timeout` is in seconds, over
    0, for each puzzle. Memory does not grow with the number of puzzles.

    Iterating raises the error of a puzzle in its place, with the number of the puzzle as
    ``error.index``: InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure; `next`
    then continues with the following puzzle. Raises ValueError or TypeError at once for an
    impossible timeout or number of jobs.

    >>> [str(grid) for grid in solve_many(["4......3...13...", "4......3...13..1"])]
    ['4312124324313124', 'None']
    """
    jobs = checked_jobs(jobs, ours=executor is None)
    ask = partial(solve, backend=backend, timeout=seconds(timeout))
    outcomes = map_in_order(ask, map(readable, many(puzzles, "solve_many")), jobs, executor)
    return SolvedPuzzles(_closing(outcomes))


def _closing(outcomes: Generator[tuple[Any, R]]) -> Generator[R]:
    try:
        for _, outcome in outcomes:
            yield outcome
    finally:
        outcomes.close()


def readable(puzzle: PuzzleLike) -> Grid | Puzzle | InvalidPuzzle:
    """The puzzle, or why it cannot be read: puzzles are read ahead, errors raised in turn."""
    try:
        return as_puzzle(puzzle)
    except InvalidPuzzle as error:
        return error


def checked_jobs(jobs: int | None, ours: bool = True) -> int | None:
    """The number of processes; TypeError or ValueError if it is impossible for `ours`."""
    number = whole("jobs", jobs, 1)
    if ours and number is not None and number > MOST_JOBS:
        raise ValueError(f"jobs must be {MOST_JOBS} or less, not {number}")
    return number


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T | InvalidPuzzle],
    jobs: int | None,
    executor: Executor | None = None,
) -> Generator[tuple[T | InvalidPuzzle, R | SudokuError]]:
    """Each item with its outcome, in order; items are read as they are needed.

    The outcome is what `function` returns or the SudokuError that it raises; an item that is an
    InvalidPuzzle is its own outcome.

    With more than one of `jobs`, or an `executor`, `function` and the items must be picklable. Our
    processes are spawned, since an engine does not survive a fork, and end with the iterator. If
    one of them dies, it is replaced and its items are tried once more, one at a time; the outcome
    of an item that kills its process again is a BackendFailure.
    """
    attempt = partial(_attempt, function)
    if executor:
        yield from _by(executor, attempt, items, jobs or os.cpu_count() or 1)
    elif jobs is None or jobs == 1:
        yield from ((item, attempt(item)) for item in items)
    else:
        with _pool(jobs) as pool:
            yield from pool.map(attempt, items)


def _attempt(function: Callable[[T], R], item: T | InvalidPuzzle) -> R | SudokuError:
    if isinstance(item, InvalidPuzzle):
        return item
    try:
        return function(item)
    except SudokuError as error:
        return error


def stream_in_order(
    function: Callable[[T], Generator[R]],
    items: Iterable[T],
    jobs: int,
    unread: list[tuple[T, list[R]]] | None = None,
) -> Generator[tuple[T, Iterator[R]]]:
    """Each item with the parts of its answer as they come, to be read before the next item.

    With more than one of `jobs`, it is like `map_in_order`; but an answer that has been read in
    part is not restarted if its process dies: it ends with BackendFailure. Parts that have arrived
    before the reader stops, or an error stops it, are added to `unread`.
    """
    if jobs == 1:
        for item in items:
            with closing(function(item)) as parts:
                yield item, parts
        return
    with _pool(jobs) as pool:
        yield from pool.stream(function, items, unread)


@contextmanager
def _pool(jobs: int) -> Iterator[Pool]:
    from ._pool import Pool  # takes longer to import than all the rest of the package

    pool = Pool(jobs)
    try:
        yield pool
    finally:
        pool.end()


def next_size(size: int, done: int, seconds: float) -> int:
    """How many items the next batch should have, when `done` of them took so many seconds."""
    return max(1, min(2 * size, BATCH, int(done * SECONDS / (seconds or SECONDS))))


def _by(
    executor: Executor, function: Callable[[T], R], items: Iterable[T], jobs: int
) -> Iterator[tuple[T, R | SudokuError]]:
    """`map_in_order` by an executor that is not ours to replace or to end.

    It may have its own ways to report that a worker died, or that it cannot do the work at all.
    """
    under_way: deque[tuple[list[T], Future[_Done[R]]]] = deque()
    rest = iter(items)
    size = 1
    try:
        while True:
            while len(under_way) < WAITING * jobs and (batch := list(islice(rest, size))):
                under_way.append((batch, _submit(executor, function, batch)))
            if not under_way:
                return
            batch, future = under_way[0]
            try:
                outcomes, seconds = future.result()
                size = next_size(size, len(batch), seconds)
            except Exception:
                outcomes = [_alone(executor, function, item) for item in batch]
                _check(executor)
            under_way.popleft()
            yield from zip(batch, outcomes, strict=True)
    finally:
        for _, future in under_way:
            future.cancel()


def _alone(executor: Executor, function: Callable[[T], R], item: T) -> R | SudokuError:
    """The outcome of an item whose batch failed: only the item that caused it is lost."""
    _check(executor)
    try:
        return _submit(executor, function, [item]).result()[0][0]
    except Exception as error:
        return BackendFailure(f"the executor could not do it: {error!r}")


def _submit(executor: Executor, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
    """The future of a batch; it fails later, not now, if the executor rejects the batch."""
    from concurrent.futures import Future  # a tenth of the time to import the package

    try:
        return executor.submit(_all, function, batch)
    except Exception as error:
        future: Future[_Done[R]] = Future()
        future.set_exception(error)
        return future


def _check(executor: Executor) -> None:
    """BackendFailure if the executor no longer does any work."""
    try:
        executor.submit(int).result()
    except Exception as error:
        raise BackendFailure(f"the executor broke: {error!r}") from error


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start
