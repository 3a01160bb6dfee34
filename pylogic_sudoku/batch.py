"""Work on many puzzles in several processes, in order and with bounded memory."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import chain, islice
from multiprocessing import get_context
from typing import Any, TypeVar

__all__ = ["map_in_order"]

T = TypeVar("T")
R = TypeVar("R")

BATCH = 16
"""Items that go to a process at once: few enough that none waits long for a slow neighbour."""
WAITING = 3
"""Batches a process that are under way or done and not yet asked for."""


def map_in_order(
    function: Callable[[T], R], items: Iterable[T], processes: int | None = None
) -> Iterator[R]:
    """What `function` says of each item, in the order of the items, read as they are needed.

    With more than one of `processes`, `function` and the items must be picklable; the processes
    are spawned, since an engine does not survive a fork. They end with the iterator.
    """
    if processes is None or processes == 1:
        yield from map(function, items)
        return
    executor = ProcessPoolExecutor(processes, mp_context=get_context("spawn"))
    under_way: deque[Future[list[R]]] = deque()
    try:
        rest = iter(items)
        while batch := list(islice(rest, BATCH)):
            under_way.append(executor.submit(_all, function, batch))
            if len(under_way) >= WAITING * processes:
                yield from under_way.popleft().result()
        yield from chain.from_iterable(future.result() for future in under_way)
    finally:
        _end(executor)


def _all(function: Callable[[T], R], batch: Iterable[T]) -> list[R]:
    return [function(item) for item in batch]


def _end(executor: ProcessPoolExecutor) -> None:
    """Ends the processes now, whatever they do."""
    running: dict[int, Any] = dict(getattr(executor, "_processes", None) or {})
    executor.shutdown(wait=False, cancel_futures=True)
    for process in running.values():
        process.terminate()
