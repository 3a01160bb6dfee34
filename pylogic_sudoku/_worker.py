"""One of the processes of a `Pool`: answers until its pipe is closed, and ends with it."""

from __future__ import annotations

import os
import pickle
import signal
import traceback
from enum import Enum
from multiprocessing.connection import Connection
from queue import SimpleQueue
from threading import Event, Lock, Thread
from time import perf_counter, sleep
from typing import NamedTuple

from ._batch import BATCH, SECONDS
from .errors import BackendFailure, SudokuError

__all__ = ["UNPICKLABLE", "Mark", "Raised", "work"]

UNPICKLABLE = "expected a backend and puzzles that can be pickled, of classes in a module"


class Mark(Enum):
    END = "the answer has no more parts"


class Raised(NamedTuple):
    """Takes the place of a part if computing it raised an error."""

    error: Exception


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
        """Sends all, and how the batch ended: its items and seconds, or an error."""
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
        return Raised(TypeError(f"an answer cannot be sent to another process: {error}"))
    return part


def _raised(error: Exception) -> Raised:
    """The error as it can be sent; another process has no traceback of it, so a note has."""
    if not isinstance(error, SudokuError):
        error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return Raised(BackendFailure(f"{type(error).__name__}: {error}"))
    return Raised(error)


def work(pipe: Connection) -> None:
    """Answers until the pipe is closed."""
    # Ctrl-C in a terminal reaches all processes; the one that started us decides.
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
                outbox.put(_raised(error))
            outbox.put(Mark.END)
        outbox.end((len(items), perf_counter() - start))


def _listen(pipe: Connection, inbox: SimpleQueue[bytes]) -> None:
    """Takes in what is sent at any time, so that the sender never waits for the work."""
    try:
        while True:
            inbox.put(pipe.recv_bytes())
    except (EOFError, OSError):
        os._exit(0)  # in the midst of a search, too
