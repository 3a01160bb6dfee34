"""Many puzzles in several processes, in order and with bounded memory."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Executor, Future
from functools import partial
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

from .api import Puzzle, seconds, solve
from .backends import Backend
from .errors import BackendFailure, InvalidPuzzle, SudokuError
from .formats import as_grid, many
from .grid import Grid

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

__all__ = ["SolvedPuzzles", "map_in_order", "solve_many"]

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
    puzzles: Iterable[Puzzle],
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
    if workers is not None and workers < 1:
        raise ValueError(f"workers must be 1 or more, not {workers!r}")
    ask = partial(_solve, backend=backend, timeout=seconds(timeout))
    grids = map(_read, many(puzzles, "solve_many"))
    return SolvedPuzzles(map_in_order(ask, grids, workers, _lost, executor))


def _read(puzzle: Puzzle) -> Grid | InvalidPuzzle:
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


def _lost(_puzzle: object, error: BackendFailure) -> BackendFailure:
    return error


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T],
    processes: int | None,
    lost: Callable[[T, BackendFailure], R],
    executor: Executor | None = None,
) -> Iterator[R]:
    """What `function` says of each item, in the order of the items, read as they are needed.

    With more than one of `processes`, or an `executor` of others, `function` and the items must
    be picklable. Our processes are spawned, since an engine does not survive a fork, and end
    with the iterator. When one of them dies, it is replaced and its items are tried once more,
    one at a time; an item that brings down its process again is answered by `lost`.
    """
    if executor is None and (processes is None or processes == 1):
        yield from map(function, items)
        return
    pool = _Borrowed(executor) if executor else _Pool(processes or 1)
    processes = processes or os.cpu_count() or 1
    under_way: deque[tuple[list[T], Future[_Done[R]]]] = deque()
    rest = iter(items)
    size = 1
    try:
        while True:
            while len(under_way) < WAITING * processes and (batch := list(islice(rest, size))):
                under_way.append((batch, pool.submit(function, batch)))
            if not under_way:
                return
            batch, future = under_way.popleft()
            try:
                results, seconds = future.result()
                size = max(
                    1, min(2 * size, BATCH, int(len(batch) * SECONDS / (seconds or SECONDS)))
                )
            except pool.mishap:
                results = _one_by_one(pool, function, batch, lost)
                if pool.replace():
                    under_way = deque(
                        (items, pool.submit(function, items)) for items, _ in under_way
                    )
            yield from results
    finally:
        pool.end()


def _one_by_one(
    pool: _Pool | _Borrowed,
    function: Callable[[T], R],
    batch: list[T],
    lost: Callable[[T, BackendFailure], R],
) -> list[R]:
    """The same for a batch that a process died of: only the item that did it is lost."""
    results: list[R] = []
    for item in batch:
        pool.replace()
        try:
            results += pool.submit(function, [item]).result()[0]
        except pool.mishap as error:
            results.append(lost(item, pool.explained(error)))
    return results


class _Pool:
    """Spawned processes that are replaced when one has died, and ended whatever they do."""

    mishap: ClassVar[type[Exception]] = BrokenExecutor
    """What a process that died raises in place of its results."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._executor = self._new()

    def submit(self, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
        """The results of one batch, later."""
        return _submitted(self._executor, function, batch)

    def replace(self) -> bool:
        """Begins with new processes if one has died; what was under way is then lost."""
        try:
            self._executor.submit(int).result()
        except BrokenExecutor:
            self.end()
            self._executor = self._new()
            return True
        return False

    def explained(self, _error: Exception) -> BackendFailure:
        return BackendFailure("the process that worked on it died, twice")

    def end(self) -> None:
        """Ends the processes now. Python before 3.14 has no public way to do that."""
        processes: dict[int, Any] = dict(getattr(self._executor, "_processes", None) or {})
        overseer: Any = getattr(self._executor, "_executor_manager_thread", None)
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.terminate()
        if overseer:
            overseer.join(1)  # at Python's exit it would complain that its pipes are closed

    def _new(self) -> ProcessPoolExecutor:
        # Imported here, as it takes longer than all the rest of the package.
        from concurrent.futures import ProcessPoolExecutor
        from multiprocessing import get_context

        return ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))


class _Borrowed:
    """Somebody else's executor: not ours to replace or to end.

    It may have ways of its own to say that a worker died, or cannot do the work at all.
    """

    mishap: ClassVar[type[Exception]] = Exception

    def __init__(self, executor: Executor) -> None:
        self._executor = executor
        self._futures: deque[Future[Any]] = deque(maxlen=1000)

    def submit(self, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
        future = _submitted(self._executor, function, batch)
        self._futures.append(future)
        return future

    def replace(self) -> bool:
        try:
            self._executor.submit(int).result()
        except Exception as error:
            raise BackendFailure(f"the executor broke: {error!r}") from error
        return False

    def explained(self, error: Exception) -> BackendFailure:
        return BackendFailure(f"the executor could not do it: {error!r}")

    def end(self) -> None:
        for future in self._futures:
            future.cancel()


def _submitted(executor: Executor, function: Callable[[T], R], batch: list[T]) -> Future[_Done[R]]:
    """The results of one batch, later; an error, later, if the executor does not take it."""
    try:
        return executor.submit(_all, function, batch)
    except Exception as error:
        refused: Future[_Done[R]] = Future()
        refused.set_exception(error)
        return refused


def _all(function: Callable[[T], R], batch: list[T]) -> _Done[R]:
    start = perf_counter()
    return [function(item) for item in batch], perf_counter() - start
