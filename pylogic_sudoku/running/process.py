"""A foreign program in a process group of its own, within limits on what it may use and write.

It is stopped with all its children.
"""

from __future__ import annotations

import math
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from time import perf_counter, sleep
from typing import Any, NamedTuple, Self

from ._limited import end_descendants
from .workers import LONGEST, defer_signals

_LIMITED = Path(__file__).with_name("_limited.py")
MESSAGE_BYTES = 20_000
"""Bytes of messages that are kept; those that are shown are chosen from these."""
WIDTH = 500
"""Characters of a line of a program that are shown."""
WATCHING = "pylogic-sudoku end of a program"
"""The name of a thread that waits for one."""
MAX_OUTPUT = 256
"""Megabytes: they hold 200,000 answers of 9x9."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The resources that a program may use for one instance."""

    seconds: float
    megabytes: int
    """0 for no limit, also of its output."""
    folder: str | None = None
    """Where temporary files go, if not to the usual place."""
    max_output: int = MAX_OUTPUT
    """Megabytes of its answers, of its messages, and of any file that it writes."""


class Ended(NamedTuple):
    """The end of a program."""

    code: int | None
    """The exit code; below 0 for a signal; None if it was stopped."""
    seconds: float
    errors: str
    """The beginning of its standard error."""
    written: int = 0
    """The bytes of its standard error."""


class Feed:
    """The input of a program: texts, one after the other, of any length.

    A thread writes them, since a pipe holds little. At the end of the ``with`` block the program
    must be dead.
    """

    def __init__(self) -> None:
        self.reader, self._writer = os.pipe()
        self._texts: SimpleQueue[str | None] = SimpleQueue()
        self._thread = Thread(target=self._write, daemon=True)

    def send(self, text: str) -> None:
        """Let the program read this next."""
        self._texts.put(text)

    def started(self) -> None:
        """Leave the reading end to the program."""
        if self.reader >= 0:
            os.close(self.reader)
            self.reader = -1

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self.started()
        self._texts.put(None)
        self._thread.join(1)  # a process that got away may still hold the other end

    def _write(self) -> None:
        with open(self._writer, "wb", buffering=0) as pipe, suppress(BrokenPipeError):
            while (text := self._texts.get()) is not None:
                rest = memoryview(text.encode())
                while rest:
                    rest = rest[pipe.write(rest) :]


def limits_memory() -> bool:
    """True if this system can limit memory: all but macOS."""
    return sys.platform != "darwin"


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process, where the system can."""
    with suppress(ImportError, OSError, ValueError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        most = megabytes << 20
        soft = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))


def run(
    command: list[str],
    limits: Limits,
    cwd: Path,
    errors: Path,
    decided: Callable[[], bool] = lambda: False,
    **settings: Any,
) -> Ended:
    """Run the command in the folder `cwd`; its standard error goes to the file `errors`.

    Its output is discarded unless the `settings`, those of `started`, redirect it. `decided` is
    called every few milliseconds; the command is stopped once it returns True. Its seconds are not
    those of the command: this takes note of when that ends. The command and its
    children are dead when this returns or raises, even after Ctrl-C; if this process dies, they die
    with it.
    """
    backstop = math.ceil(min(limits.seconds, LONGEST)) + 2
    numbers = (backstop, limits.megabytes, limits.max_output)
    # The program may write to the folder of this file, so it is never opened by its name again.
    with errors.open("w+b") as file:
        start = perf_counter()
        process = started(command, numbers, stderr=file, cwd=cwd, **settings)
        try:
            end = _End(process)
            ended = _wait(process, start, limits.seconds, decided)
            passed = (end.moment() if ended else perf_counter()) - start
        finally:
            kill(process)
        code = process.returncode if ended else None
        written = os.fstat(file.fileno()).st_size
        text = os.pread(file.fileno(), MESSAGE_BYTES, 0).decode(errors="replace")
    return Ended(code, passed, text, written)


def started(
    command: list[str],
    limits: tuple[int, int, int] = (0, 0, 0),
    processes: int = 0,
    user: str = "",
    plan: str = "",
    feed: Feed | None = None,
    **settings: Any,
) -> subprocess.Popen[bytes]:
    """Start the command in a process group of its own that ends with this process.

    The group also ends when the `stdin` of the returned process is closed. The `limits` are seconds
    of processor time, megabytes of memory and of a file; without memory there are none. There are
    at most `processes` of them, if a number is given; then those that leave the group are ended
    as well, on Linux. It runs as this `user`, in namespaces after this `plan` of `sandbox`. Its
    input is the `feed`, or else empty. The `settings` are those of Popen.
    """
    numbers = map(str, (*limits, processes))
    reader = [feed.reader] if feed else []
    limited = [sys.executable, "-I", "-S", str(_LIMITED), *numbers, user, plan]
    limited.append("".join(map(str, reader)))
    pipes = [*reader, *settings.pop("pass_fds", ())]
    process = defer_signals(
        lambda: subprocess.Popen(
            [*limited, *command],
            stdin=subprocess.PIPE,
            start_new_session=True,
            pass_fds=pipes,
            **{"stdout": subprocess.DEVNULL, **settings},
        )
    )
    if feed:
        feed.started()
    return process


def _wait(
    process: subprocess.Popen[bytes], start: float, seconds: float, decided: Callable[[], bool]
) -> bool:
    """Return True once it has ended, or False if the time is over or the result is decided.

    Popen.wait polls every 50 ms, which would distort the times of small programs.
    """
    while not has_ended(process):
        passed = perf_counter() - start
        if passed >= seconds or decided():
            return False
        sleep(min(max(0.001, passed / 50), 0.05, seconds - passed))
    return True


class _End:
    """The moment at which a process ends, which a thread takes: the others may be judging then."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self._moment: float | None = None
        self._thread = Thread(target=self._watch, name=WATCHING, daemon=True)
        self._thread.start()

    def moment(self) -> float:
        """Return it, for a process that has ended; now, where the system does not tell."""
        self._thread.join(1)
        return perf_counter() if self._moment is None else self._moment

    def _watch(self) -> None:
        if hasattr(os, "waitid"):
            with suppress(ChildProcessError):  # somebody else has waited for it
                os.waitid(os.P_PID, self._process.pid, os.WEXITED | os.WNOWAIT)
                self._moment = perf_counter()


def has_ended(process: subprocess.Popen[bytes]) -> bool:
    """True if it has ended; if possible without taking note, so that its number stays its own."""
    if process.returncode is None and hasattr(os, "waitid"):
        options = os.WEXITED | os.WNOHANG | os.WNOWAIT
        with suppress(ChildProcessError):  # somebody else has waited for it
            return os.waitid(os.P_PID, process.pid, options) is not None
    return process.poll() is not None


def exit_code(process: subprocess.Popen[bytes]) -> int:
    """The exit code of a process that has ended, which can be killed with its group even then."""
    if process.returncode is None and hasattr(os, "waitid"):
        with suppress(ChildProcessError):  # somebody else has waited for it
            ended = os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
            if ended is not None:
                return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status
    return process.wait()


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kill what `started` returned and all its children; Ctrl-C is held back meanwhile."""
    defer_signals(lambda: _kill(process))


def _kill(process: subprocess.Popen[bytes]) -> None:
    if not has_ended(process):
        # Those that have left the group are still known as its children, or adopted.
        end_descendants(process.pid)
    if process.returncode is None:  # or its number may be another's by now
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    if process.stdin:
        process.stdin.close()
