"""Python code in its own process, where it may break, be interrupted or exit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.puzzles import DIABOLICAL

PREAMBLE = f"""\
import sys, threading, time
import pylogic_sudoku as pls
EMPTY = "." * 81
PUZZLE = "{DIABOLICAL}"
"""


def run(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What the code prints and how it ends; at most a minute."""
    return subprocess.run(
        [sys.executable, "-c", PREAMBLE + textwrap.dedent(code)],
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def interrupted(code: str) -> subprocess.CompletedProcess[str]:
    """The same, with Ctrl-C (SIGINT) sent half a second after the code prints "ready"."""
    process = subprocess.Popen(
        [sys.executable, "-c", PREAMBLE + textwrap.dedent(code)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()
    try:
        process.wait(0.5)
    except subprocess.TimeoutExpired:
        process.send_signal(signal.SIGINT)
    try:
        output, errors = process.communicate(timeout=60)
    finally:
        process.kill()
    return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


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
    """The processes with this mark that do not soon end by themselves; they are killed here."""
    deadline = time.monotonic() + 15
    while (left := marked(mark)) and time.monotonic() < deadline:
        time.sleep(0.02)
    for process in left:
        os.kill(process, signal.SIGKILL)
    return left


def soon(true: Callable[[], bool]) -> bool:
    """Whether it becomes true while the test can wait."""
    for _ in range(600):
        if true():
            return True
        time.sleep(0.05)
    return False
