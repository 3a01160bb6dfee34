"""clingo's application in a process of its own, which stays for later runs.

The process does not hear Ctrl-C, ends when this one ends in whatever way, and imports nothing from
the folder where the user happens to be.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import weakref
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from ...errors import BackendFailure
from ..signals import undisturbed

__all__ = ["Application", "waiting"]

_RUNNER = Path(__file__).with_name("_run_application.py")
_DONE = (0, 10, 20, 30)
"""Exit codes for a ground program, a model, no model, and all models; others are errors."""

MOST_WAITING = os.cpu_count() or 1
"""Processes that are kept when there is no work."""

_waiting: list[Application] = []
_started: weakref.WeakSet[Application] = weakref.WeakSet()


class Application:
    """A process that runs clingo's application again and again, in a folder of its own."""

    def __init__(self) -> None:
        self._folder = ""
        try:
            self._folder = tempfile.mkdtemp(prefix="pylogic_sudoku-")
            with Path(self._folder, "errors").open("wb") as errors:
                self._process = subprocess.Popen(
                    [sys.executable, "-P", str(_RUNNER)],
                    bufsize=0,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=errors,
                    cwd=self._folder,
                    start_new_session=True,  # Ctrl-C is for this process
                )
        except OSError as error:
            shutil.rmtree(self._folder, ignore_errors=True)
            raise BackendFailure(f"clingo: its process does not start: {error}") from None
        self.end = weakref.finalize(self, _end, os.getpid(), self._process, self._folder)
        _started.add(self)

    def run(self, options: Sequence[str], program: str) -> str:
        """What clingo prints about a program, with options such as ``--mode=clasp``.

        BackendFailure with clingo's message if it breaks; then this process has ended.
        """
        try:
            Path(self._folder, "program").write_text(program, "utf-8")
            code = self._ask(f"{json.dumps([*options, 'program'])}\n".encode())
            if code in _DONE:
                return self.read("output")
            error = f"it ended with exit code {code}"
        except (OSError, ValueError) as problem:
            error = str(problem)
        error = self._complaint() or error
        self.end()
        raise BackendFailure(f"clingo: {error}")

    def read(self, name: str) -> str:
        """A file that clingo has written to the folder where it runs."""
        return Path(self._folder, name).read_text("utf-8")

    def interrupt(self) -> None:
        """Make the running call of `run` fail at once."""
        self._process.kill()

    def alive(self) -> bool:
        """False once the process has ended."""
        return self._process.poll() is None

    def leave(self) -> None:
        """Close the pipes: the process belongs to the one that this one was forked from."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                pipe.close()

    def _ask(self, request: bytes) -> int:
        """The exit code of a run; ValueError if the process has ended."""
        assert self._process.stdin
        assert self._process.stdout
        self._process.stdin.write(request)
        reply = self._process.stdout.readline()
        if not reply:
            raise ValueError(f"its process ended with exit code {self._process.wait()}")
        return int(reply)

    def _complaint(self) -> str:
        """clingo's first error, or the last line of what Python wrote; may be empty."""
        try:
            lines = self.read("errors").strip().splitlines()
        except (OSError, ValueError):
            return ""
        errors = [line for line in lines if "ERROR: " in line or " error: " in line]
        return (errors or lines[-1:] or [""])[0].removeprefix("*** ERROR: (clingo): ")


def waiting() -> list[Application]:
    """The processes that wait for work, to be taken and given back; surplus ones end."""
    for number, each in enumerate(list(_waiting)):
        if number >= MOST_WAITING or not each.alive():
            with suppress(ValueError):  # another thread did the same
                _waiting.remove(each)
    return _waiting


def _end(owner: int, process: subprocess.Popen[bytes], folder: str) -> None:
    def end() -> None:
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe:
                pipe.close()
        shutil.rmtree(folder, ignore_errors=True)

    if os.getpid() == owner:
        undisturbed(end, delay=0.01)  # the caller may be the garbage collector


def _leave_to_parent() -> None:
    _waiting.clear()
    for each in list(_started):
        each.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_to_parent)
