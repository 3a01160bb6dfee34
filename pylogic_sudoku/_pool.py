"""Processes that share the work on many items, answers in order, part by part.

A worker sends the parts of an answer as they come and waits while its pipe is full, so that memory
stays bounded. It ends when its pipe is closed: a worker never outlives the process that started
it, however that process ends. Workers share no lock or semaphore, so there is none to leak.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing import current_process, get_context
from multiprocessing.connection import Pipe, wait
from typing import Any, TypeVar

from ._batch import WAITING, next_size
from ._worker import UNPICKLABLE, Mark, Raised, work
from .engines.signals import undisturbed
from .errors import BackendFailure

__all__ = ["Pool"]

T = TypeVar("T")
R = TypeVar("R")

NAME = "pylogic_sudoku worker"
HELD = 5000
"""Unread parts above which only the worker whose answer is wanted is read."""
STARTS = 3
"""Workers in a row that may be killed while they start."""


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """A process started here blocks Ctrl-C until it ignores it; it would print a traceback."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it starts with the first worker, and unblocks Ctrl-C then
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Item:
    """One item on its way: what has come of its answer and was not asked for yet."""

    __slots__ = ("again", "dropped", "ended", "number", "parts", "told", "value", "worker")

    def __init__(self, number: int, value: Any) -> None:
        self.number = number
        self.value = value
        self.parts: deque[Any] = deque()
        self.worker: _Worker | None = None
        self.told = self.ended = self.dropped = self.again = False


class _Worker:
    """A spawned process, and the items that it was given and has not ended, in order."""

    def __init__(self) -> None:
        self.ready = False
        self.items: deque[_Item] = deque()
        self.pipe, theirs = Pipe()
        with theirs:
            self.process = get_context("spawn").Process(target=work, args=(theirs,), name=NAME)
            self._start()

    def _start(self) -> None:
        try:
            with _ctrl_c_blocked():
                self.process.start()
        except RuntimeError:
            if current_process().name == NAME:
                os._exit(1)  # we are a worker that runs the script again: `_check_start` says so
            raise
        except OSError as error:
            raise BackendFailure(f"a worker process cannot be started: {error}") from error

    def give(self, function: Callable[[Any], object], batch: list[_Item]) -> None:
        """Sends it the items, to be worked on after those that it has."""
        try:
            message = pickle.dumps((function, [item.value for item in batch]))
        except Exception as error:
            text = f"the work cannot be sent to another process: {error}; {UNPICKLABLE}"
            raise TypeError(text) from error
        for item in batch:
            item.worker = self
        self.items.extend(batch)
        with suppress(OSError):  # if it has died, `_hear` finds that out
            self.pipe.send_bytes(message)

    def hear(self) -> bytes | None:
        """What it has sent; None if it has died."""
        try:
            return self.pipe.recv_bytes()
        except (EOFError, OSError):
            return None

    def end(self) -> None:
        """Ends the process, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Pool:
    """Up to so many worker processes, replaced when they die; to be ended with `end`.

    They start when there is work for them, and work on one collection of items at a time.
    """

    def __init__(self, processes: int) -> None:
        self._owner = os.getpid()
        self._processes = processes
        self._workers: list[_Worker] = []
        self._starts = 0
        self._held = 0
        self._order: deque[_Item] = deque()
        self._again: list[_Item] = []
        self._exhausted = False
        atexit.register(self.end)

    def end(self) -> None:
        """Ends the processes now."""
        if os.getpid() != self._owner:
            return  # in a fork, which has a copy of us: the processes are not its own
        atexit.unregister(self.end)
        undisturbed(self._end)

    def _end(self) -> None:
        while self._workers:
            self._workers.pop().end()

    def map(
        self, function: Callable[[T], R], items: Iterable[T]
    ) -> Iterator[tuple[T, R | BackendFailure]]:
        """Each item with what the function returns, or BackendFailure if its process died twice."""
        for item, parts in self.stream(partial(_only, function), items):
            try:
                yield item, next(parts)
            except BackendFailure as error:
                yield item, error

    def stream(
        self, function: Callable[[T], Iterable[R]], items: Iterable[T]
    ) -> Iterator[tuple[T, Iterator[R]]]:
        """Each item, with the parts of its answer as they come; those not read are dropped.

        The parts end with the error that the function raised. An item whose process died is tried
        once more, alone, unless parts of its answer were told; then they end with BackendFailure.
        """
        self._function, self._source, self._size = function, enumerate(items), 1
        self._order = order = deque[_Item]()
        self._again, self._exhausted = [], False
        try:
            self._hand_out()
            while order and not any(worker.ready for worker in self._workers):
                self._listen()
            while True:
                self._hand_out()
                while not order and not self._exhausted:
                    self._listen()  # the workers still have items of earlier work
                if not order:
                    return
                yield order[0].value, self._parts(order[0])
                self._drop(order.popleft())
        finally:
            while order:
                self._drop(order.popleft())

    def _parts(self, item: _Item) -> Iterator[Any]:
        while True:
            while item.parts:
                part = item.parts.popleft()
                self._held -= 1
                item.told = True
                if isinstance(part, Raised):
                    raise part.error
                yield part
            if item.ended or item.dropped:
                return
            self._listen()

    def _drop(self, item: _Item) -> None:
        item.dropped = True
        self._held -= len(item.parts)
        item.parts.clear()

    def _hand_out(self) -> None:
        while sum(map(self._give, self._workers)) or self._grow():
            pass

    def _give(self, worker: _Worker) -> bool:
        """True if the worker could take one more batch, and there was one.

        Slow items are given out one by one, so that none waits behind another.
        """
        ahead = 0 if self._again else (WAITING - 1) * (self._size - 1)
        batch = self._batch() if len(worker.items) <= ahead else []
        if batch:
            worker.give(self._function, batch)
        return bool(batch)

    def _grow(self) -> bool:
        """True if there was a batch for one more process."""
        batch = self._batch() if len(self._workers) < self._processes else []
        if batch:
            undisturbed(lambda: self._workers.append(_Worker()))
            self._workers[-1].give(self._function, batch)
        return bool(batch)

    def _batch(self) -> list[_Item]:
        """The next items to be worked on; none if too many wait to be asked for."""
        if self._again:
            return [self._again.pop(0)]
        if len(self._order) >= WAITING * self._size * self._processes:
            return []
        batch = [_Item(*numbered) for numbered in islice(self._source, self._size)]
        self._exhausted = len(batch) < self._size
        self._order.extend(batch)
        return batch

    def _listen(self) -> None:
        """Waits until a worker has sent something, and takes it in."""
        self._hand_out()
        workers = {worker.pipe: worker for worker in self._workers}
        asked = self._order[0].worker if self._order else None
        heard = wait([asked.pipe] if asked and self._held >= HELD else list(workers))
        for pipe in heard:
            self._hear(workers[pipe])  # type: ignore[index]

    def _hear(self, worker: _Worker) -> None:
        message = worker.hear()
        if message is None:
            self._replace(worker)
            return
        worker.ready = True
        parts, ended = pickle.loads(message)
        for part in parts:
            item = worker.items[0]
            if part is Mark.END:
                item.ended = True
                worker.items.popleft()
            elif not item.dropped:
                item.parts.append(part)
                self._held += 1
        if isinstance(ended, Exception):
            self._workers.remove(worker)  # it may have more of this work
            worker.end()
            raise ended
        if ended:
            self._starts = 0
            self._size = next_size(self._size, *ended)

    def _replace(self, worker: _Worker) -> None:
        """A new worker in place of one that has died, whose items are tried again."""
        worker.process.join(5)
        self._check_start(worker)
        for item in worker.items:
            item.worker = None
            if item.dropped:
                continue
            if item.told or item.again:
                twice = "" if item.told else ", twice"
                failure = BackendFailure(f"the process that worked on it died{twice}")
                item.parts.append(Raised(failure))
                self._held += 1
                item.ended = True
            else:
                self._drop(item)
                item.dropped, item.again = False, True
                self._again.append(item)
        self._again.sort(key=lambda item: item.number)
        place = self._workers.index(worker)
        worker.end()
        undisturbed(lambda: self._workers.__setitem__(place, _Worker()))

    def _check_start(self, worker: _Worker) -> None:
        """BackendFailure if workers do not start here."""
        self._starts += not worker.ready
        code = worker.process.exitcode
        if worker.ready or (code is not None and code < 0 and self._starts <= STARTS):
            return
        raise BackendFailure(
            f"a worker process ended while it started, with exit code {code}. Python runs a script"
            ' again in each worker: put what it does under `if __name__ == "__main__":`'
        )


def _only(function: Callable[[T], R], item: T) -> Iterator[R]:
    yield function(item)
