"""Engine calls in threads of their own, so that a caller can time out, be stopped or press Ctrl-C.

A call into C blocks the thread that makes it until it returns, and no Python signal handler
runs meanwhile. So engines run in daemon threads while the caller waits on a queue, which signals
and time limits do interrupt. Waking the caller costs about 50 microseconds, so many solutions
come in one batch. The threads are kept: a thread that has called Prolog cannot end without a leak.
"""

from __future__ import annotations

import atexit
import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from queue import Empty, SimpleQueue
from time import perf_counter, sleep
from typing import Any, Generic, Protocol, TypeVar

from ..errors import BackendFailure
from .budget import Budget
from .signals import undisturbed

__all__ = ["Job", "Search", "Stop", "Stopped", "Workers", "check_stop"]

T = TypeVar("T")
Item_co = TypeVar("Item_co", covariant=True)

BATCH = 0.001
"""Seconds of searching after which a batch of solutions ends with the next one."""
PATIENCE = 0.02
"""Seconds until the caller takes the solutions of a batch that is still growing."""
ATTENTION = 0.1
"""Polling interval in seconds, in case a signal does not wake the caller."""
GRACE = 2.0
"""Seconds that the end of the program waits for engines that still run."""

_local = threading.local()


class Search(Protocol[Item_co]):
    """A search on an engine: `next` runs in a worker, `interrupt` and `close` in any thread."""

    def next(self) -> Item_co | None:
        """The next item, or None when there are no more."""

    def interrupt(self) -> None:
        """Make the running call of `next` return soon."""

    def close(self) -> None:
        """Give the engine back; called once, and never while `next` is running."""


class Stopped(BaseException):
    """The thread was told to stop. A BaseException, so that no `except Exception` catches it."""


class Stop:
    """A switch that ends engine calls inside `run` by raising Stopped.

    Code that calls no engine runs on until it calls one.
    """

    def __init__(self) -> None:
        self.waiting: set[Callable[[], None]] = set()
        """Called to wake the threads that wait for an engine, perhaps twice."""
        self.is_set = False

    def set(self) -> None:
        """Stop the calls; from any thread, any number of times."""
        self.is_set = True  # first, so that a call that begins now is not missed
        for wake in list(self.waiting):
            wake()

    def run(self, function: Callable[[], T]) -> T:
        """What the function returns or raises; Stopped if it was stopped on the way."""
        _local.stop = self
        try:
            return function()
        finally:
            _local.stop = None


def check_stop() -> None:
    """Raise Stopped if this thread was told to stop."""
    stop: Stop | None = getattr(_local, "stop", None)
    if stop and stop.is_set:
        raise Stopped


@contextmanager
def _stoppable(wake: Callable[[], None]) -> Iterator[None]:
    """Call `wake` if this thread is told to stop during the block; Stopped if it already was."""
    stop: Stop | None = getattr(_local, "stop", None)
    if stop is None:
        yield
        return
    stop.waiting.add(wake)
    try:
        check_stop()
        yield
    finally:
        stop.waiting.discard(wake)


class Job(Generic[T]):
    """One call: the function to run, and later its outcome."""

    def __init__(self, function: Callable[[], T], interrupt: Callable[[], None]) -> None:
        self.interrupt = interrupt
        self._function = function
        self._reply: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()
        self._lock = threading.Lock()
        self.finished = False
        self._close: Callable[[], None] | None = None

    def run(self, release: Callable[[], None]) -> None:
        """Run the function and reply; `release` is called when the thread is free again."""
        outcome: tuple[T | None, BaseException | None]
        try:
            outcome = self._function(), None
        except BaseException as error:
            outcome = None, error
        with self._lock:
            self.finished = True
        if self._close:
            self._close()
        release()
        if not self._close:
            self._reply.put(outcome)

    def result(self, seconds: float | None) -> T:
        """What the function returned or raised; queue.Empty if that takes longer."""
        value, error = self._reply.get(timeout=seconds)
        if error is not None:
            raise error
        return value  # type: ignore[return-value]

    def stop(self) -> None:
        """Make `result` raise Stopped in the thread that waits for it."""
        self._reply.put((None, Stopped()))

    def abandon(self, close: Callable[[], None] | None = None) -> None:
        """Interrupt the function, and call `close` once it has returned.

        Does not wait: the caller may be the garbage collector, or the end of the program.
        """
        with self._lock:
            if not self.finished:
                self._close = close or _nothing
                self.interrupt()
                return
        if close:
            undisturbed(close, delay=0.01)


class Workers:
    """As many threads as there are calls at one time, each kept for later calls."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._idle: list[SimpleQueue[Job[Any]]] = []
        self._running: set[Job[Any]] = set()
        self._ended = False
        atexit.register(self._stop)
        if hasattr(os, "register_at_fork"):
            # Threads do not survive a fork.
            os.register_at_fork(after_in_child=self._forget)

    def call(self, function: Callable[[], T], budget: Budget, interrupt: Callable[[], None]) -> T:
        """What `function` returns or raises, run in another thread.

        When the budget is used up (SolveTimeout), when this thread is stopped (Stopped), or on
        Ctrl-C, `interrupt` is called, which must make `function` return soon.
        """
        job = Job(function, interrupt)
        with _stoppable(job.stop):
            try:
                self._start(job)
                while True:
                    try:
                        with budget:
                            return job.result(_least(ATTENTION, budget.left))
                    except Empty:
                        budget.remaining()
            finally:
                job.abandon()

    def stream(self, search: Search[T], budget: Budget) -> Generator[T]:
        """The items of a search, found in another thread.

        The search is closed when all items are read, or the generator is closed or collected.
        """
        found: deque[T] = deque()

        def batch() -> bool:
            start = perf_counter()
            while (item := search.next()) is not None:
                found.append(item)
                if perf_counter() - start > BATCH:
                    return True
            return False

        job = Job(batch, search.interrupt)
        try:
            while True:
                self._start(job)
                waiting = True
                while waiting:
                    try:
                        with budget, _stoppable(job.stop):
                            more = job.result(_least(PATIENCE, budget.left))
                        waiting = False
                    except Empty:
                        if not found:
                            budget.remaining()
                    while found:
                        yield found.popleft()
                if not more:
                    return
                job = Job(batch, search.interrupt)
        finally:
            job.abandon(search.close)

    def send(
        self, function: Callable[[], object], interrupt: Callable[[], None] = lambda: None
    ) -> Job[Any]:
        """Run `function` in another thread without waiting for it; not at all after the end.

        `interrupt` is as for `call`; it is called when the program ends or the job is abandoned.
        """
        job = Job(function, interrupt)
        if not self._ended:  # a thread that is started as Python goes never comes to run
            self._start(job)
        return job

    def _start(self, job: Job[Any]) -> None:
        try:
            jobs = self._idle.pop()
        except IndexError:
            jobs = SimpleQueue()
            thread = threading.Thread(target=self._work, args=(jobs,), name=self._name, daemon=True)
            try:
                thread.start()
            except RuntimeError as error:
                job.finished = True
                raise BackendFailure(f"cannot start a thread for the engine: {error}") from None
        self._running.add(job)
        jobs.put(job)

    def _work(self, jobs: SimpleQueue[Job[Any]]) -> None:
        while True:
            job = jobs.get()
            job.run(lambda: self._idle.append(jobs))
            self._running.discard(job)
            del job  # or it would live on until the next one comes

    def _stop(self) -> None:
        for job in list(self._running):
            job.abandon()
        deadline = perf_counter() + GRACE
        while self._running and perf_counter() < deadline:
            sleep(0.001)
        self._ended = True

    def _forget(self) -> None:
        self._idle.clear()
        self._running.clear()


def _least(seconds: float, other: float | None) -> float:
    return seconds if other is None else min(seconds, other)


def _nothing() -> None:
    pass
