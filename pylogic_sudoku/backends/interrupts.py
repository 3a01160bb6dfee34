"""Ctrl-C kept out of calls that must not be interrupted.

clingo runs some Python of its own in every search. An exception that a signal raises there ends
the whole process ("error in SolveEventHandler::on_statistics going to terminate").
"""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Callable
from typing import TypeVar

__all__ = ["undisturbed"]

T = TypeVar("T")


def undisturbed(function: Callable[[], T], delay: float = 0.0) -> T:
    """What the function returns or raises; Ctrl-C meanwhile counts when it has ended.

    `delay` is for a function that Python may call where it ignores exceptions, as when it
    collects garbage: the seconds after which it should be elsewhere. Only the main thread gets
    Ctrl-C, and only a handler that was set in Python can be put back.
    """
    handler = signal.getsignal(signal.SIGINT)
    if not callable(handler) or threading.current_thread() is not threading.main_thread():
        return function()
    came: list[int] = []
    signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        return function()
    finally:
        signal.signal(signal.SIGINT, handler)
        if came and delay:
            again = threading.Timer(delay, _interrupt)
            again.daemon = True
            again.start()
        elif came:
            handler(signal.SIGINT, None)


def _interrupt() -> None:
    if hasattr(signal, "pthread_kill"):
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
    else:
        _thread.interrupt_main()  # which does not wake it
