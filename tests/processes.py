"""Python code run in a process of its own, where it may break, be interrupted or end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap

PREAMBLE = """\
import sys, threading, time
import pylogic_sudoku as pls
EMPTY = "." * 81
PUZZLE = "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43.."
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
