"""What the reproductions share."""

from __future__ import annotations

import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path


def report(present: bool) -> None:
    """Say whether the defect is there."""
    print("present" if present else "gone")


def ends_well(code: str) -> bool:
    """True if a Python process with this code ends with exit code 0."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, timeout=60).returncode == 0


def growth(action: Callable[[int], object], times: int) -> float:
    """The kilobytes that the process needs more after it has done this many times more."""
    for number in range(times // 10):
        action(-number - 1)
    before = _kilobytes()
    for number in range(times):
        action(number)
    return _kilobytes() - before


def _kilobytes() -> float:
    with suppress(OSError):
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024  # the most so far, on macOS


def breaks() -> Iterator[int]:
    """One number, and then an error."""
    yield 1
    raise ValueError("broken")
