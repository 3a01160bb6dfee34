"""Work on many puzzles in several processes, in order and with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor
from itertools import islice
from multiprocessing import get_context
from typing import Any, TypeVar

from .errors import BackendFailure

__all__ = ["map_in_order"]

T = TypeVar("T")
R = TypeVar("R")

BATCH = 16
"""Items that go to a process at once: few enough that none waits long for a slow neighbour."""
WAITING = 3
"""Batches a process that are under way, or done and not yet asked for."""


def map_in_order(
    function: Callable[[T], R],
    items: Iterable[T],
    processes: int | None,
    lost: Callable[[T, BackendFailure], R],
) -> Iterator[R]:
    """What `function` says of each item, in the order of the items, read as they are needed.

    With more than one of `processes`, `function` and the items must be picklable; the processes
    are spawned, since an engine does not survive a fork, and end with the iterator. When one of
    them dies, it is replaced and its items are tried once more, one at a time; an item that
    brings down its process again is answered by `lost`.
    """
    if processes is None or processes == 1:
        yield from map(function, items)
        return
    pool = _Pool(processes)
    under_way: deque[tuple[list[T], Future[list[R]]]] = deque()
    rest = iter(items)
    try:
        while True:
            while len(under_way) < WAITING * processes and (batch := list(islice(rest, BATCH))):
                under_way.append((batch, pool.submit(function, batch)))
            if not under_way:
                return
            batch, future = under_way.popleft()
            try:
                results = future.result()
            except BrokenExecutor:
                results = _one_by_one(pool, function, batch, lost)
                pool.replace()
                under_way = deque((other, pool.submit(function, other)) for other, _ in under_way)
            yield from results
    finally:
        pool.end()


def _one_by_one(
    pool: _Pool,
    function: Callable[[T], R],
    batch: list[T],
    lost: Callable[[T, BackendFailure], R],
) -> list[R]:
    """The same for a batch that a process died of: only the item that did it is lost."""
    results: list[R] = []
    for item in batch:
        pool.replace()
        try:
            results += pool.submit(function, [item]).result()
        except BrokenExecutor:
            results.append(lost(item, BackendFailure("the process that worked on it died, twice")))
    return results


class _Pool:
    """Spawned processes that are replaced when one has died, and ended whatever they do."""

    def __init__(self, processes: int) -> None:
        self._processes = processes
        self._executor = self._new()

    def submit(self, function: Callable[[T], R], batch: list[T]) -> Future[list[R]]:
        """The results of one batch, later; broken from the start if a process has died."""
        try:
            return self._executor.submit(_all, function, batch)
        except BrokenExecutor as error:
            broken: Future[list[R]] = Future()
            broken.set_exception(error)
            return broken

    def replace(self) -> None:
        """Begins with new processes if one has died."""
        try:
            self._executor.submit(int).result()
        except BrokenExecutor:
            self.end()
            self._executor = self._new()

    def end(self) -> None:
        """Ends the processes now. Python before 3.14 has no public way to do that."""
        processes: dict[int, Any] = dict(getattr(self._executor, "_processes", None) or {})
        self._executor.shutdown(wait=False, cancel_futures=True)
        for process in processes.values():
            process.terminate()

    def _new(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._processes, mp_context=get_context("spawn"))


def _all(function: Callable[[T], R], batch: list[T]) -> list[R]:
    return [function(item) for item in batch]
