"""qqwing, the generator of Debian and others, run as a program."""

from __future__ import annotations

import resource
import shutil
import subprocess

import pylogic_sudoku as pls

__all__ = ["MISSING", "made", "program"]

MISSING = "qqwing is not installed (apt install qqwing), so there is nothing to compare with"


def program() -> str | None:
    return shutil.which("qqwing")


def made(number: int) -> tuple[float, list[pls.Grid]]:
    """The processor seconds that it takes for so many puzzles, and these."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [program() or "qqwing", "--generate", str(number), "--one-line"]
    lines = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return used, [*map(pls.Grid.parse, lines)]
