"""A command of the user's in a process group of its own: what it prints, read while it runs.

It runs with all rights of the user, as at the shell. Nothing here limits it but its time.
"""

from __future__ import annotations

import os
import select
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from shutil import which
from tempfile import TemporaryFile
from time import sleep

from ..errors import BackendFailure, BackendUnavailable
from .process import MESSAGE_BYTES, WIDTH, exit_code, has_ended, kill, started
from .workers import POLLING, Budget, check_stop

__all__ = ["Running", "program_of", "running"]

_AT_ONCE = 1 << 16
"""Bytes that are read at once."""
_LINES = 20
"""Lines of messages that an error shows."""


def program_of(words: Sequence[str]) -> str:
    """The path of the program that a command runs; BackendUnavailable if there is none."""
    if path := which(words[0]):
        return os.path.abspath(path)
    why = f"there is no command {words[0]}"
    if os.path.exists(words[0]):
        why = f"{words[0]} cannot be run"
    raise BackendUnavailable(why, "Install it, or give its path.")


class Running:
    """A command at work."""

    def __init__(self, process: subprocess.Popen[bytes], errors: int, budget: Budget) -> None:
        self._process = process
        self._errors = errors
        self._budget = budget

    def parts(self) -> Iterator[bytes]:
        """The parts of its output until it ends; SolveTimeout if its time runs out."""
        assert self._process.stdout is not None
        pipe = self._process.stdout.fileno()
        while True:
            ended = has_ended(self._process)  # before the pipe is looked at: then all is in it
            if self._is_readable(pipe, 0 if ended else POLLING):
                if not (part := os.read(pipe, _AT_ONCE)):
                    break
                yield part
            elif ended:  # a child that it has left behind may hold the pipe open
                break
        while not has_ended(self._process):
            with self._budget:
                sleep(0.01)
            self._check()

    def _is_readable(self, pipe: int, seconds: float) -> bool:
        with self._budget:
            left = self._budget.seconds_left
            wait = seconds if left is None else min(seconds, left)
            ready, _, _ = select.select([pipe], [], [], wait)
        if not ready:
            self._check()
        return bool(ready)

    def _check(self) -> None:
        check_stop()
        self._budget.remaining()

    @property
    def code(self) -> int:
        """The exit code of a command that has ended; below 0 for a signal."""
        return exit_code(self._process)

    @property
    def message(self) -> str:
        """The beginning of what it has written to standard error."""
        text = os.pread(self._errors, MESSAGE_BYTES, 0).decode(errors="replace")
        lines = text.strip().splitlines()
        if len(lines) > _LINES:
            lines[_LINES:] = [f"... and {len(lines) - _LINES} more lines"]
        return "\n".join(line if len(line) < WIDTH else f"{line[:WIDTH]}..." for line in lines)


@contextmanager
def running(words: Sequence[str], budget: Budget) -> Iterator[Running]:
    """A command for the length of the block; then it and all its children are dead.

    BackendUnavailable if there is no such program, BackendFailure if it cannot be started.
    """
    path = program_of(words)
    with TemporaryFile() as errors:
        try:
            process = started([path, *words[1:]], stdout=subprocess.PIPE, stderr=errors)
        except (OSError, ValueError) as error:
            raise BackendFailure(f"{words[0]} cannot be started: {error}") from None
        try:
            yield Running(process, errors.fileno(), budget)
        finally:
            kill(process)
            if process.stdout:
                process.stdout.close()
