"""What the package costs beyond solving: start-up, import and memory.

python benchmarks/footprint.py
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from pathlib import Path
from time import perf_counter

import pylogic_sudoku as pls

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
LOADED = "import sys, pylogic_sudoku; print({'clingo', 'janus_swi'} & {*sys.modules} or 'none')"


def processes() -> None:
    """Time whole processes, and list the engines that an import loads."""

    def seconds(*command: str) -> float:
        start = perf_counter()
        subprocess.run([sys.executable, *command], check=True, stdout=subprocess.DEVNULL)
        return perf_counter() - start

    nothing, imported, solved = (
        statistics.median(seconds(*command) for _ in range(9))
        for command in (
            ("-c", "pass"),
            ("-c", "import pylogic_sudoku"),
            ("-m", "pylogic_sudoku", "solve", "-b", "clingo", PUZZLE),
        )
    )
    loaded = subprocess.check_output([sys.executable, "-c", LOADED], text=True).strip()
    print(f"import pylogic_sudoku: {(imported - nothing) * 1e3:.0f} ms; engines loaded: {loaded}")
    print(f"pylogic-sudoku solve -b clingo, the whole process: {solved:.2f} s")


def memory() -> None:
    """Measure how resident memory grows over 9,000 easy solves, after the first 1,000."""

    def resident() -> float:
        return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")

    for backend in ("clingo", "prolog"):
        for _ in range(1_000):
            pls.solve(PUZZLE, backend)
        before = resident()
        for _ in range(9_000):
            pls.solve(PUZZLE, backend)
        grown = (resident() - before) / 1e6
        print(f"10,000 solves by {backend}: {grown:+.1f} MB after the first 1,000")


if __name__ == "__main__":
    processes()
    memory()
