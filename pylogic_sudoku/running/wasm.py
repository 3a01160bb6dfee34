"""SWI-Prolog as WebAssembly: processes of our own with V8 in them, and the calls of them.

No compiler and no Prolog is needed: mini-racer has V8, and the folder `DATA` SWI-Prolog, which is
in a wheel, or which `make wasm` puts there. A call waits for its answer; another thread, or the end
of this process, stops it and the search. A process that breaks, runs out of memory or does not stop
is replaced by another one; the next question does not notice.

Nothing here needs a POSIX system.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from typing import Any

from ..errors import BackendFailure, BackendUnavailable
from ..files import checkout, install_command, resource
from . import prolog
from .workers import Unfinished, defer_signals

DATA = Path(__file__).resolve().parents[1] / "_wasm"
"""The files of SWI-Prolog as WebAssembly."""
MEGABYTES = 1024
"""The most memory that Prolog may use in one process."""
IDLE = 2
"""Processes that wait for another question."""
_SCRIPT = Path(__file__).with_name("isolate.py")
_BROKEN = {
    "halt": "it seems to call halt, which ends Prolog before an answer can be read; remove it",
    "": "the process of SWI-Prolog has ended, perhaps because it needed more memory than there is",
}


def is_installed() -> bool:
    """True if this Prolog is here, whether it works or not."""
    return (DATA / "swipl-web.wasm").is_file() and find_spec("py_mini_racer") is not None


def stands_in() -> bool:
    """True if it answers in place of a native Prolog, since none is installed."""
    return not prolog.is_installed() and is_installed()


def installing() -> str:
    """Instructions for installing it."""
    if not (DATA / "swipl-web.wasm").is_file():
        if folder := checkout():
            return f'Run "make wasm" in {folder}, which fetches it with npm.'
        return "Install a wheel of the package that holds it; `make wheel` builds one."
    return f"Install V8: {install_command('wasm')}"


class Isolate:
    """A process with a Prolog, which answers one call at a time."""

    def __init__(self) -> None:
        if not is_installed():
            raise BackendUnavailable("SWI-Prolog as WebAssembly is not installed", installing())
        self.state: str | None = None
        """The key of what is in its memory, and nothing else; None if that is not known."""
        self.hears: Callable[..., object] = _nothing
        """Called with what a search has found on its way: its number, and two values."""
        self.lives = True
        self.stopped = False
        """True until it is taken back, once a call was stopped."""
        self._numbers = count(1)
        self._number = 0
        self._lock = threading.Lock()
        self._process = defer_signals(self._started)
        self._write(
            {
                "path": [os.path.abspath(each) for each in sys.path],
                "data": str(DATA),
                "prolog": str(resource("prolog")),
                "megabytes": MEGABYTES,
            }
        )
        outcome = self._outcome(0)
        if outcome is None or "broken" in outcome:
            self.end()
            why = outcome["broken"] if outcome else "its process has ended"
            raise BackendUnavailable(
                f"SWI-Prolog as WebAssembly does not start: {why}", installing()
            )

    def _started(self) -> subprocess.Popen[bytes]:
        try:
            return subprocess.Popen(
                [sys.executable, "-I", "-S", str(_SCRIPT)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C is for this process; so it is on Windows by this:
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0),
            )
        except (OSError, TypeError) as error:  # there may be no sys.executable
            raise BackendFailure(f"cannot start {sys.executable}: {error}") from error

    def call(self, function: str, *arguments: object) -> Any:
        """The outcome of a function of ``isolate.js``.

        BackendFailure if the process has ended instead, or can no longer be used; Unfinished after
        `stop`.
        """
        with self._lock:
            if self.stopped:
                raise Unfinished
            self._number = number = next(self._numbers)
        try:
            self._write([number, function, *arguments])
            outcome = self._outcome(number)
        except BaseException:
            self.end()  # its answer would be taken for that to another call
            raise
        finally:
            with self._lock:
                self._number = 0
        if isinstance(outcome, dict) and "broken" in outcome:
            self.end()
            why = outcome["broken"]
            raise BackendFailure(f"SWI-Prolog: {_BROKEN.get(why, why)}")
        return outcome

    def ask(self, goal: str, inputs: Mapping[str, object]) -> dict[str, Any]:
        """The outcome of a goal: its ``answer``, unless it fails, or the ``error``; see `call`."""
        outcome = self.call("ask", json.dumps({"goal": goal, "inputs": inputs}, default=_term))
        for told in outcome.get("told", ()):
            self.hears(*told)
        if text := outcome.get("printed"):
            sys.stderr.write(text)
        return outcome  # type: ignore[no-any-return]

    def stop(self) -> None:
        """Let the call that runs in another thread end soon, and allow no other."""
        with self._lock:
            self.stopped = True
            if self._number:
                self._write(["stop", self._number])

    def end(self) -> None:
        """End the process, whatever it does."""
        self.lives = False
        self._process.kill()
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]
        self._process.wait()

    def forget(self) -> None:
        """Leave the process to the one that has started it: this one is its fork."""
        self.lives = False
        self._process.returncode = 0  # or its end would be waited for here
        if self._number:  # a thread that is not here has locked its pipes for ever
            _left.append(self)
            return
        for end in (self._process.stdin, self._process.stdout):
            end.close()  # type: ignore[union-attr]

    def _write(self, message: object) -> None:
        try:
            self._process.stdin.write(json.dumps(message).encode() + b"\n")  # type: ignore[union-attr]
            self._process.stdin.flush()  # type: ignore[union-attr]
        except (OSError, ValueError):  # it has ended, which reading shows
            pass

    def _outcome(self, number: int) -> Any:
        for line in self._process.stdout:  # type: ignore[union-attr]
            of, *answer = json.loads(line)
            if answer[0] == "told":
                for told in answer[1]:
                    self.hears(*told)
            elif of == number:
                return answer[0]
        return {"broken": ""}


def _nothing(*_: object) -> None:
    """Hear nothing."""


def _term(value: object) -> object:
    raise TypeError(f"{value!r} cannot be passed to Prolog")


_left: list[Isolate] = []
"""Those that answered a question when this process was forked; they are never touched again."""


class Isolates:
    """The processes, each lent to one search at a time."""

    def __init__(self) -> None:
        self._idle: list[Isolate] = []
        self._lent: list[Isolate] = []
        atexit.register(self.end)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self._forget)

    def lend(self) -> Isolate:
        """A process that nobody uses."""
        isolate = None
        while isolate is None:
            try:
                isolate = self._idle.pop()
            except IndexError:
                isolate = Isolate()
            if not isolate.lives:
                isolate = None
        self._lent.append(isolate)
        return isolate

    def take_back(self, isolate: Isolate) -> None:
        """Keep a process for the next search, unless it has ended."""
        isolate.hears, isolate.stopped = _nothing, False
        with suppress(ValueError):
            self._lent.remove(isolate)
        if isolate.lives:
            if len(self._idle) < IDLE:
                self._idle.append(isolate)
            else:
                isolate.end()

    @contextmanager
    def lent(self) -> Iterator[Isolate]:
        """A process for the length of the block."""
        isolate = self.lend()
        try:
            yield isolate
        finally:
            self.take_back(isolate)

    def pids(self) -> list[int]:
        """The numbers of those that run."""
        return [each._process.pid for each in (*self._idle, *self._lent) if each.lives]

    def end(self) -> None:
        """End all processes."""
        for each in (*self._idle, *self._lent):
            each.end()
        self._idle.clear()

    def _forget(self) -> None:
        for each in (*self._idle, *self._lent):
            each.forget()
        self._idle.clear()
        self._lent.clear()


ISOLATES = Isolates()
"""Those of this process."""
