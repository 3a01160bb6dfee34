"""Processes that share the work on many items, answers in order, part by part.

A worker sends the parts of an answer as they come, and waits while its pipe is full; so memory
stays bounded. It ends when its pipe is closed: a worker never outlives the process that started
it, however that process ends. Workers share no lock or semaphore, so there is none to leak.

What runs in a worker comes first, down to `_listen`.
"""

from __future__ import annotations

import atexit
import os
import pickle
import signal
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from itertools import islice
from multiprocessing import current_process, get_context
from multiprocessing.connection import Connection, Pipe, wait
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import Any, NamedTuple, TypeVar

from ._batch import BATCH, SECONDS, WAITING, next_size
from .engines.signals import undisturbed
from .errors import BackendFailure, SudokuError

__all__ = ["Pool"]

T = TypeVar("T")
R = TypeVar("R")

NAME = "pylogic_sudoku worker"
HELD = 5000
"""Unread parts above which only the worker whose answer is wanted is read."""
STARTS = 3
"""How many workers in a row may be killed while they start."""
UNPICKLABLE = "expected a backend and puzzles that can be pickled, of classes in a module"


class _Mark(NamedTuple):
    """Stands for a part whose computation raised an error; without one, ends an answer."""

    error: Any = None


class _Outbox:
    """What a worker has to send; no part waits longer than `SECONDS` for the next one."""

    def __init__(self, pipe: Connection) -> None:
        self._pipe = pipe
        self._lock = Lock()
        self._parts: list[object] = []
        self._filled = Event()
        Thread(target=self._send_what_waits, daemon=True).start()

    def put(self, part: object) -> None:
        with self._lock:
            self._parts.append(part)
            if len(self._parts) >= BATCH:
                self._send(None)
        if not self._filled.is_set():
            self._filled.set()

    def end(self, ended: tuple[int, float] | Exception | None) -> None:
        """Send everything, and how the batch ended: its items and seconds, or an error."""
        with self._lock:
            self._send(ended)

    def _send_what_waits(self) -> None:
        while True:
            self._filled.wait()
            self._filled.clear()
            sleep(SECONDS)
            with self._lock:
                if self._parts:
                    self._send(None)

    def _send(self, ended: object) -> None:
        parts, self._parts = self._parts, []
        try:
            message = pickle.dumps((parts, ended))
        except Exception:
            message = pickle.dumps(([_sendable(part) for part in parts], ended))
        try:
            self._pipe.send_bytes(message)
        except OSError:
            os._exit(1)


def _sendable(part: object) -> object:
    try:
        pickle.dumps(part)
    except Exception as error:
        return _Mark(TypeError(f"an answer cannot be sent to another process: {error}"))
    return part


def _portable(error: Exception) -> Exception:
    """The error in a form that can be sent, with its traceback in a note."""
    if not isinstance(error, SudokuError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return BackendFailure(f"{type(error).__name__}: {error}")
    return error


def _work(pipe: Connection) -> None:
    """Answer until the pipe is closed."""
    # Ctrl-C in a terminal reaches all processes; the one that started this one decides.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    inbox: SimpleQueue[bytes] = SimpleQueue()
    Thread(target=_listen, args=(pipe, inbox), daemon=True).start()
    outbox = _Outbox(pipe)
    outbox.end(None)
    while True:
        message = inbox.get()
        try:
            function, items = pickle.loads(message)
        except Exception as error:
            outbox.end(TypeError(f"a worker process cannot read its work: {error}; {UNPICKLABLE}"))
            continue
        start = perf_counter()
        for item in items:
            try:
                for part in function(item):
                    outbox.put(part)
            except Exception as error:
                outbox.put(_Mark(_portable(error)))
            outbox.put(_Mark())
        outbox.end((len(items), perf_counter() - start))


def _listen(pipe: Connection, inbox: SimpleQueue[bytes]) -> None:
    """Receive at any time, so that the sender never waits for the work."""
    try:
        while True:
            inbox.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)  # even in the middle of a search


@contextmanager
def _ctrl_c_blocked() -> Iterator[None]:
    """Block Ctrl-C in a process that starts here until it ignores it: no traceback is printed."""
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
    """One item under way, with the parts of its answer that have arrived but not been read."""

    __slots__ = ("again", "dropped", "ended", "number", "parts", "value", "was_read", "worker")

    def __init__(self, number: int, value: Any) -> None:
        self.number = number
        self.value = value
        self.parts: deque[Any] = deque()
        self.worker: _Worker | None = None
        self.was_read = self.ended = self.dropped = self.again = False


class _Worker:
    """A spawned process, and its unfinished items, in order."""

    def __init__(self) -> None:
        self.ready = False
        self.items: deque[_Item] = deque()
        self.pipe, theirs = Pipe()
        with theirs:
            self.process = get_context("spawn").Process(target=_work, args=(theirs,), name=NAME)
            try:
                with _ctrl_c_blocked():
                    self.process.start()
            except RuntimeError:
                if current_process().name == NAME:
                    os._exit(1)  # a worker runs the script again: `_check_start` reports it
                raise
            except OSError as error:
                raise BackendFailure(f"a worker process cannot be started: {error}") from error

    def give(self, function: Callable[[Any], object], batch: list[_Item]) -> None:
        """Send it the items, to be worked on after those that it has."""
        try:
            message = pickle.dumps((function, [item.value for item in batch]))
        except Exception as error:
            text = f"the work cannot be sent to another process: {error}; {UNPICKLABLE}"
            raise TypeError(text) from error
        for item in batch:
            item.worker = self
        self.items.extend(batch)
        with suppress(OSError):  # if it has died, `_hear` notices
            self.pipe.send_bytes(message)

    def end(self) -> None:
        """End the process, whatever it is doing."""
        self.pipe.close()
        self.process.kill()
        self.process.join()


class Pool:
    """A limited number of worker processes, replaced when they die; to be ended with `end`.

    They start when there is work for them, and work on one collection of items at a time.
    """

    def __init__(self, jobs: int) -> None:
        self._owner = os.getpid()
        self._jobs = jobs
        self._workers: list[_Worker] = []
        self._starts = 0
        self._held = 0
        atexit.register(self.end)

    def end(self) -> None:
        """End the processes now."""
        if os.getpid() == self._owner:  # a fork has a copy of this pool, but not its processes
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
        self,
        function: Callable[[T], Iterable[R]],
        items: Iterable[T],
        unread: list[tuple[T, list[R]]] | None = None,
    ) -> Iterator[tuple[T, Iterator[R]]]:
        """Each item, with the parts of its answer as they come; unread parts are dropped.

        At the end those that are still there are added to `unread`.

        The parts end with the error that the function raised. An item whose process died is tried
        once more, alone, unless parts of its answer were read; then they end with BackendFailure.
        """
        self._function, self._source, self._size = function, enumerate(items), 1
        self._order = order = deque[_Item]()
        self._again: list[_Item] = []
        self._exhausted = False
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
                item = order.popleft()
                if unread is not None:
                    parts = [part for part in item.parts if not isinstance(part, _Mark)]
                    unread.append((item.value, parts))
                self._drop(item)

    def _parts(self, item: _Item) -> Iterator[Any]:
        while True:
            while item.parts:
                part = item.parts.popleft()
                self._held -= 1
                item.was_read = True
                if isinstance(part, _Mark):
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
        """Give the worker one more batch; False if it has enough, or there is none.

        Slow items are handed out one by one, so that none waits behind another.
        """
        ahead = 0 if self._again else (WAITING - 1) * (self._size - 1)
        batch = self._batch() if len(worker.items) <= ahead else []
        if batch:
            worker.give(self._function, batch)
        return bool(batch)

    def _grow(self) -> bool:
        """Start one more process; False if there are enough, or there is no batch for it."""
        batch = self._batch() if len(self._workers) < self._jobs else []
        if batch:
            undisturbed(lambda: self._workers.append(_Worker()))
            self._workers[-1].give(self._function, batch)
        return bool(batch)

    def _batch(self) -> list[_Item]:
        """The next items to work on; none if too many answers wait to be read."""
        if self._again:
            return [self._again.pop(0)]
        if len(self._order) >= WAITING * self._size * self._jobs:
            return []
        batch = [_Item(*numbered) for numbered in islice(self._source, self._size)]
        self._exhausted = len(batch) < self._size
        self._order.extend(batch)
        return batch

    def _listen(self) -> None:
        """Wait until a worker has sent something, and receive it."""
        self._hand_out()
        workers = {worker.pipe: worker for worker in self._workers}
        asked = self._order[0].worker if self._order else None
        for pipe in wait([asked.pipe] if asked and self._held >= HELD else list(workers)):
            self._hear(workers[pipe])  # type: ignore[index]

    def _hear(self, worker: _Worker) -> None:
        message = None
        with suppress(EOFError, OSError):
            message = worker.pipe.recv_bytes()
        if message is None:  # it has died
            return self._replace(worker)
        worker.ready = True
        parts, ended = pickle.loads(message)
        for part in parts:
            item = worker.items[0]
            if isinstance(part, _Mark) and not part.error:
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
        """Replace a worker that has died, and try its items again."""
        worker.process.join(5)
        self._check_start(worker)
        for item in worker.items:
            item.worker = None
            if not item.dropped and (item.was_read or item.again):
                twice = "" if item.was_read else ", twice"
                failure = BackendFailure(f"the process that worked on it died{twice}")
                item.parts.append(_Mark(failure))
                self._held += 1
                item.ended = True
            elif not item.dropped:
                self._drop(item)
                item.dropped, item.again = False, True
                self._again.append(item)
        self._again.sort(key=lambda item: item.number)
        place = self._workers.index(worker)
        worker.end()
        undisturbed(lambda: self._workers.__setitem__(place, _Worker()))

    def _check_start(self, worker: _Worker) -> None:
        """BackendFailure if workers cannot start here."""
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
