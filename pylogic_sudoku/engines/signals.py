"""Signals that stop the program, and calls that no signal may interrupt.

clingo runs Python code of its own in every search. If a signal handler raises an exception there,
such as KeyboardInterrupt, clingo may end the whole process ("error in
SolveEventHandler::on_statistics going to terminate").
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.getsignal is ten times slower
import _thread
import signal
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from time import monotonic
from typing import Any, TypeVar

__all__ = ["heed_stops", "stopped", "undisturbed"]

T = TypeVar("T")

STOPS: tuple[signal.Signals, ...] = tuple(
    getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)
)
"""Ctrl-C, a polite request to end, and a closed terminal, a signal that Windows does not have."""
AGAIN = 1.0
"""Seconds after a signal in which another is ignored: the program is already ending."""

_SIGNALS = sorted(map(int, signal.valid_signals()))


def undisturbed(function: Callable[[], T], delay: float = 0.0) -> T:
    """What the function returns or raises; signals that arrive meanwhile are handled afterwards.

    With `delay`, they are handled so many seconds later. That is for calls from places where
    Python ignores exceptions, such as garbage collection. Only the main thread runs signal
    handlers, and only a handler that was set in Python can be put back.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    handlers = {n: handler for n in _SIGNALS if callable(handler := _signal.getsignal(n))}
    held: list[int] = []
    over = False

    def hold(number: int, frame: Any) -> None:
        if over:  # an exception may have kept us from restoring this handler
            handlers[number](number, frame)
        else:
            held.append(number)

    try:
        for number in handlers:
            signal.signal(number, hold)
        return function()
    finally:
        over = True
        try:
            if delay:
                _send_later(held, delay)
            else:
                _handle(held, handlers)
        finally:
            for number, handler in handlers.items():
                signal.signal(number, handler)


def _handle(signals: Sequence[int], handlers: Mapping[int, Any]) -> None:
    """Call the handlers in order, each even if one before it raises."""
    with ExitStack() as rest:
        for number in reversed(signals):
            rest.callback(handlers[number], number, None)


def _send_later(signals: Sequence[int], delay: float) -> None:
    for number in signals:
        timer = threading.Timer(delay, _send, [number])
        timer.daemon = True
        timer.start()


def _send(number: int) -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, number)
    else:
        _thread.interrupt_main(signal.Signals(number))  # this does not wake it


class _Stop:
    """The signal handler of the command line: raises KeyboardInterrupt."""

    def __init__(self) -> None:
        self.number: int | None = None
        """The first signal that arrived."""
        self._last = float("-inf")

    def __call__(self, number: int, _frame: object) -> None:
        if monotonic() - self._last >= AGAIN:
            self._last = monotonic()
            self.number = self.number or number
            raise KeyboardInterrupt


_stop = _Stop()


@contextmanager
def heed_stops() -> Iterator[None]:
    """Make every signal that stops raise KeyboardInterrupt; `stopped` returns the one that came.

    A signal that is ignored, as after ``nohup``, stays ignored. Only the command line uses this: a
    program that imports the package sets its own handlers.
    """
    before = {number: signal.getsignal(number) for number in STOPS}
    for number, handler in before.items():
        if handler is not signal.SIG_IGN:
            signal.signal(number, _stop)
    _stop.number = None
    try:
        yield
    finally:
        if _stop.number is None:
            for number, handler in before.items():
                signal.signal(number, handler)


def stopped() -> int | None:
    """The signal that stopped the program, or None; if one did, further ones are ignored."""
    if _stop.number is not None:
        for number in STOPS:
            signal.signal(number, signal.SIG_IGN)
    return _stop.number
