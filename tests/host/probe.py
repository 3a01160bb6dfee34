"""What the reproductions share."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path


def report(present: bool) -> None:
    """Say whether the defect is there."""
    print("present" if present else "gone")


def ended(code: str, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """How a Python process with this code ends, and what it writes."""
    command, environ = [sys.executable, "-c", code], {**os.environ, **environment}
    return subprocess.run(command, env=environ, capture_output=True, timeout=60)


def ends_well(code: str, **environment: str) -> bool:
    """True if it ends with exit code 0."""
    return ended(code, **environment).returncode == 0


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
