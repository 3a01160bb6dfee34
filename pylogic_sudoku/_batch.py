"""Many puzzles in several processes, in order and with bounded memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from ._api import PuzzleLike, processes, seconds, solve
from .engines import Backend
from .errors import BackendFailure, InvalidPuzzle, SudokuError
from .formats import as_grid, many
from .grid import Grid

if TYPE_CHECKING:
    from ._pool import Pool

__all__ = ["SolvedPuzzles", "map_in_order", "solve_many", "stream_in_order"]

T = TypeVar("T")
R = TypeVar("R")
_Done = tuple[list[R], float]  # results, and the seconds that they took

BATCH = 64
"""Items that go to a process at once, at most."""
SECONDS = 0.03
"""How long a batch should take: long beside the half millisecond that it takes to send it there
and back, short enough that no process has a batch left to do when all others have ended."""
WAITING = 3
"""Batches a process that are under way, or done and not yet asked for."""


class SolvedPuzzles(Iterator[Grid | None]):
    """The answers to many puzzles, in their order: a solution, or None if there is none.

    The error of a puzzle is raised in its place, with the puzzle's number (from 0) as `index`.
    It ends a ``for`` loop, but not this iterator: `next` goes on with the puzzle after it.
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
        """Stops all work on the puzzles that are left."""
        close = getattr(self._answers, "close", None)
        if close:
            close()


def solve_many(
    puzzles: Iterable[PuzzleLike],
    backend: str | Backend = "clingo",
    workers: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
) -> SolvedPuzzles:
    """A solution of each puzzle, or None, in their order; read and solved as they are asked for.

    `workers` processes share the work, or those of `executor`, any executor in the manner of
    ``concurrent.futures`` whose workers can import this package; `workers` then says how many
    it has, if not as many as this machine has processors. `timeout` holds for each puzzle.
    Memory does not grow with the number of puzzles. A script that uses `workers` needs its
    ``if __name__ == "__main__":``, as always where processes are spawned.

    >>> [str(grid) for grid in solve_many(["4......3...13...", "4......3...13..1"])]
    ['4312124324313124', 'None']
    """
    workers = processes(workers, ours=executor is None)
    ask = partial(_solve, backend=backend, timeout=seconds(timeout))
    grids = map(readable, many(puzzles, "solve_many"))
    return SolvedPuzzles(map_in_order(ask, grids, workers, lost, executor))


def readable(puzzle: PuzzleLike) -> Grid | InvalidPuzzle:
    """The puzzle, or why it is none: a worker reads ahead, and an error must come in its turn."""
    try:
        return as_grid(puzzle)
    except InvalidPuzzle as error:
        return error


def _solve(
    puzzle: Grid | InvalidPuzzle, backend: str | Backend, timeout: float | None
) -> Grid | SudokuError | None:
    if isinstance(puzzle, InvalidPuzzle):
        return puzzle
    try:
        return solve(puzzle, backend, timeout)
    except SudokuError as error:
        return error


def lost(_puzzle: object, error: BackendFailure) -> BackendFailure:
    """The answer to a puzzle whose process died."""
    return error


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T],
    processes: int | None,
    lost: Callable[[T, BackendFailure], R],
    executor: Executor | None = None,
) -> Iterator[R]:
    """What `function` returns for each item, in the order of the items, read as they are needed.

    With more than one of `processes`, or an `executor` of others, `function` and the items must
    be picklable. Our processes are spawned, since an engine does not survive a fork, and end
    with the iterator. When one of them dies, it is replaced and its items are tried once more,
    one at a time; an item that brings down its process again is answered by `lost`.
    """
    if executor:
        yield from _by(executor, function, items, processes or os.cpu_count() or 1, lost)
    elif processes is None or processes == 1:
        yield from map(function, items)
    else:
        with _pool(processes) as pool:
            yield from pool.map(function, items, lost)


def stream_in_order(
    function: Callable[[T], Iterable[R]], items: Iterable[T], processes: int
) -> Generator[Iterator[R]]:
    """The answer of `function` to each item as it comes, to be read before the next one.

    With more than one of `processes`, it is like `map_in_order`; but an answer of which a part
    was read already is not begun again if its process dies: it ends with BackendFailure.
    """
    if processes == 1:
        yield from (iter(function(item)) for item in items)
        return
    with _pool(processes) as pool:
        for _, parts in pool.stream(function, items):
            yield parts


@contextmanager
def _pool(processes: int) -> Iterator[Pool]:
    from ._pool import Pool  # takes longer to import than all the rest of the package

    pool = Pool(processes)
    try:
        yield pool
    finally:
        pool.end()


def next_size(size: int, done: int, seconds: float) -> int:
    """How many items the next batch should have, when `done` of them took so many seconds."""
    return max(1, min(2 * size, BATCH, int(done * SECONDS / (seconds or SECONDS))))


def _by(
    executor: Executor,
    function: Callable[[T], R],
    items: Iterable[T],
    processes: int,
    lost: Callable[[T, BackendFailure], R],
) -> Iterator[R]:
    """`map_in_order` by somebody else's executor."""
    borrowed = _Borrowed(executor)
    under_way: deque[tuple[list[T], Future[_Done[R]]]] = deque()
    rest = iter(items)
    size = 1
    try:
        while True:
            while len(under_way) < WAITING * processes and (batch := list(islice(rest, size))):
                under_way.append((batch, borrowed.submit(function, batch)))
            if not under_way:
                return
            batch, future = under_way.popleft()
            try:
                results, seconds = future.result()
                size = next_size(size, len(batch), seconds)
            except Exception:
                results = _one_by_one(borrowed, function, batch, lost)
                borrowed.check()
            yield from results
    finally:
        borrowed.end()


def _one_by_one(
    borrowed: _Borrowed,
    function: Callable[[T], R],
    batch: list[T],
    lost: Callable[[T, BackendFailure], R],
) -> list[R]:
    """The same for a batch that a process died of: only the item that did it is lost."""
    results: list[R] = []
    for item in batch:
        borrowed.check()
        try:
            results += borrowed.submit(function, [item]).result()[0]
        except Exception as error:
            results.append(lost(item, BackendFailure(f"the executor could not do it: {error!r}")))
    return results


class _Borrowed:
    """Somebody else's executor: not ours to replace or to end.

    It may have ways of its own to say that a worker died, or cannot do the work at all.
    """

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._futures: deque[Future[Any]] = deque(maxlen=1000)

    def submit(self, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
        """The results of one batch, later; an error, later, if the executor does not take it."""
        future: Future[_Done[R]]
        try:
            future = self._executor.submit(_all, function, batch)
        except Exception as error:
            future = Future()
            future.set_exception(error)
        self._futures.append(future)
        return future

    def check(self) -> None:
        """BackendFailure if it does no work any more."""
        try:
            self._executor.submit(int).result()
        except Exception as error:
            raise BackendFailure(f"the executor broke: {error!r}") from error

    def end(self) -> None:
        for future in self._futures:
            future.cancel()


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start
