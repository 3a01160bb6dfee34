"""How one thread stops what an engine does for another thread."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

__all__ = ["Stop", "Stopped", "check_stop", "stoppable"]

T = TypeVar("T")

_thread = threading.local()


class Stopped(BaseException):
    """The thread was told to stop. A BaseException, so that no `except Exception` catches it."""


class Stop:
    """Ends the calls of engines within `run`, with Stopped, once it is set.

    Code that calls no engine runs on until it calls one.
    """

    def __init__(self) -> None:
        self.waiting: set[Callable[[], None]] = set()
        """Called to wake the threads that wait for an engine, perhaps twice."""
        self.is_set = False

    def set(self) -> None:
        """Stops the calls; from any thread, any number of times."""
        self.is_set = True  # first, so that a call that begins now is not missed
        for wake in list(self.waiting):
            wake()

    def run(self, function: Callable[[], T]) -> T:
        """What the function returns or raises; Stopped if it was stopped on the way."""
        _thread.stop = self
        try:
            return function()
        finally:
            _thread.stop = None


def check_stop() -> None:
    """Raises Stopped if this thread was stopped."""
    stop: Stop | None = getattr(_thread, "stop", None)
    if stop and stop.is_set:
        raise Stopped


@contextmanager
def stoppable(wake: Callable[[], None]) -> Iterator[None]:
    """Has `wake` called if this thread is stopped during the block; Stopped if it was before."""
    stop: Stop | None = getattr(_thread, "stop", None)
    if stop is None:
        yield
        return
    stop.waiting.add(wake)
    try:
        check_stop()
        yield
    finally:
        stop.waiting.discard(wake)
