"""Python code in its own process, where it may break, be interrupted or exit."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

import pexpect
import pytest

from helpers.puzzles import DIABOLICAL

PATIENCE = 240
"""Seconds that a test waits for what must happen: far more than a busy machine needs, and fewer
than those after which pytest ends a test."""

PREAMBLE = f"""\
import os, sys, threading, time
import pylogic_sudoku as pls
EMPTY = "." * 81
PUZZLE = "{DIABOLICAL}"

def ready(name=""):
    # Say so when this process has worked a while longer, or has such a file in its TMPDIR.
    def say():
        from pathlib import Path
        from tempfile import gettempdir
        enough = time.process_time() + 0.2
        while not any(Path(gettempdir()).glob(name)) if name else time.process_time() < enough:
            time.sleep(0.01)
        os.write(1, b"ready\\n")  # a thread in print() when the process ends would crash it
    saying = threading.Thread(target=say, daemon=True)
    saying.start()
    return saying
"""


def ended(*command: object, **settings: Any) -> subprocess.CompletedProcess[str]:
    """Run the command to its end; the settings are those of `subprocess.run`."""
    settings = {"capture_output": True, "encoding": "utf-8", "timeout": PATIENCE, **settings}
    return subprocess.run([*map(str, command)], check=False, **settings)


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the code to its end."""
    code = PREAMBLE + textwrap.dedent(code)
    return ended(sys.executable, "-c", code, env={**os.environ, **environment})


def interrupted(code: str, times: int = 1, **environment: str) -> subprocess.CompletedProcess[str]:
    """The same, with Ctrl-C (SIGINT) sent each of the first `times` that the code prints "ready".

    The code calls `ready` just before a search without end, so that Ctrl-C comes in its middle.
    """
    process = subprocess.Popen(
        [sys.executable, "-c", PREAMBLE + textwrap.dedent(code)],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    output = ""
    try:
        for _ in range(times):
            while (line := process.stdout.readline()) != "ready\n":
                assert line, process.communicate(timeout=PATIENCE)
                output += line
            process.send_signal(signal.SIGINT)
        rest, errors = process.communicate(timeout=PATIENCE)
    finally:
        process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, output + rest, errors)


def asynchronous(test: Callable[..., Any]) -> Callable[..., None]:
    """Run a test that is a coroutine."""

    @wraps(test)
    def in_a_loop(*args: Any, **kwargs: Any) -> None:
        asyncio.run(asyncio.wait_for(test(*args, **kwargs), 2 * PATIENCE))

    return in_a_loop


def terminal(command: str, *arguments: str, **settings: Any) -> pexpect.spawn:
    """The command in a terminal of its own; the settings are those of pexpect."""
    return pexpect.spawn(command, list(arguments), timeout=PATIENCE, **settings)


def worked(process: subprocess.Popen[str]) -> bool:
    """True if the process works a while longer: by then it is in the middle of the long part."""

    def ticks() -> int:
        stat = Path(f"/proc/{process.pid}/stat")
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        return int(user) + int(system)

    start = ticks()
    return soon(lambda: ticks() - start > os.sysconf("SC_CLK_TCK") / 5)


def soon(true: Callable[[], object]) -> bool:
    """True as soon as it becomes true while the test can wait: no other test code sleeps."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


MARK = "PYLOGIC_SUDOKU_TEST"
LINUX = pytest.mark.skipif(
    not Path("/proc/self/environ").exists(),
    reason="needs /proc, which only Linux has, to see which processes are left behind",
)


def marked(mark: str) -> dict[int, str]:
    """The processes that have this mark in their environment, by id, with their commands."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if f"{MARK}={mark}\0".encode() in (process / "environ").read_bytes():
                command = (process / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found[int(process.name)] = command
        except OSError:
            continue  # it has ended, or is somebody else's
    return found


def left_of(mark: str) -> dict[int, str]:
    """The processes with this mark that do not end by themselves; they are killed here."""
    if soon(lambda: not marked(mark)):
        return {}
    left = marked(mark)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left
