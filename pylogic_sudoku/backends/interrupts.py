"""Signals that stop the program, and calls that they must not interrupt.

clingo runs some Python of its own in every search. An exception that a signal raises there ends
the whole process ("error in SolveEventHandler::on_statistics going to terminate").
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from time import monotonic
from types import FrameType
from typing import TypeVar

__all__ = ["heed_stops", "stopped", "undisturbed"]

T = TypeVar("T")
_Handler = Callable[[int, FrameType | None], object]

STOPS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, the polite request to end, and the end of the terminal, which Windows does not have."""
AGAIN = 1.0
"""Seconds after a stop in which another one is the same: the program is about to end."""


class _Stops:
    """The handler of a program that leaves stops to us; see `heed_stops`."""

    def __init__(self) -> None:
        self.heeded = False
        self.came: list[int] = []
        self._put_off = False
        self._waiting: list[int] = []
        self._last = float("-inf")

    def __call__(self, number: int, _frame: object) -> None:
        if self._put_off:
            self._waiting.append(number)
        elif monotonic() - self._last >= AGAIN:
            self._last = monotonic()
            self.came.append(number)
            raise KeyboardInterrupt

    def put_off(self, function: Callable[[], T], delay: float) -> T:
        """What the function returns or raises; stops count when it has ended."""
        before = self._put_off
        try:
            self._put_off = True
            return function()
        finally:
            self._put_off = before
            waiting = self._waiting
            if waiting and not before:
                self._waiting = []
                _deliver(self, waiting[0], delay)


_stops = _Stops()


def undisturbed(function: Callable[[], T], delay: float = 0.0) -> T:
    """What the function returns or raises; a signal to stop counts when it has ended.

    `delay` is for a function that Python may call where it ignores exceptions, as when it
    collects garbage: the seconds after which it should be elsewhere. Only the main thread gets
    signals, and only a handler that was set in Python can be put back.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    if _stops.heeded:
        return _stops.put_off(function, delay)
    for number in STOPS:
        handler = signal.getsignal(number)
        if callable(handler):
            function = partial(_put_off, number, handler, function, delay)
    return function()


def _put_off(
    number: signal.Signals, handler: _Handler, function: Callable[[], T], delay: float
) -> T:
    came: list[int] = []
    try:
        signal.signal(number, lambda number, _: came.append(number))
        return function()
    finally:
        signal.signal(number, handler)
        if came:
            _deliver(handler, number, delay)


def _deliver(handler: _Handler, number: int, delay: float) -> None:
    if delay:
        again = threading.Timer(delay, _send, (number,))
        again.daemon = True
        again.start()
    else:
        handler(number, None)


def _send(number: int) -> None:
    """Sends the signal to the main thread."""
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))  # which does not wake it


@contextmanager
def heed_stops() -> Iterator[None]:
    """Has every signal to stop raise KeyboardInterrupt meanwhile; `stopped` says which it was.

    A signal that is ignored, as after ``nohup``, stays so. For the command line alone: a program
    that uses this package decides itself.
    """
    before = {number: signal.getsignal(number) for number in STOPS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _stops)
    _stops.heeded = True
    _stops.came.clear()
    try:
        yield
    finally:
        _stops.heeded = False
        if not _stops.came:
            for number, handler in before.items():
                signal.signal(number, handler)


def stopped() -> int | None:
    """The signal that has stopped the program, if one did; all others are ignored from now on."""
    if _stops.came:
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
    return _stops.came[0] if _stops.came else None
