"""Signals kept out of calls that must not be interrupted.

clingo runs some Python of its own in every search. If a signal handler raises an exception there,
such as KeyboardInterrupt, clingo may end the whole process ("error in
SolveEventHandler::on_statistics going to terminate").
"""

from __future__ import annotations

import _signal  # type: ignore[import-not-found]  # signal.getsignal is ten times slower
import _thread
import signal
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from typing import Any, TypeVar

__all__ = ["undisturbed"]

T = TypeVar("T")

_SIGNALS = sorted(map(int, signal.valid_signals()))


def undisturbed(function: Callable[[], T], delay: float = 0.0) -> T:
    """What the function returns or raises; signals that arrive meanwhile count when it has ended.

    `delay` is for a function that Python may call where it ignores exceptions, as when it
    collects garbage: the seconds after which it should be elsewhere. Only the main thread runs
    signal handlers, and only a handler that was set in Python can be put back.
    """
    if threading.current_thread() is not threading.main_thread():
        return function()
    handlers = {n: handler for n in _SIGNALS if callable(handler := _signal.getsignal(n))}
    held: list[int] = []
    over = False

    def hold(number: int, frame: Any) -> None:
        if over:  # an exception may have kept us from putting back this one
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
    """Calls the handlers in order, each even if one before it raises."""
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
        _thread.interrupt_main(signal.Signals(number))  # which does not wake it
