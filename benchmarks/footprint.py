"""What the package costs beyond solving: the start, beside clingo's own, and memory.

python benchmarks/footprint.py [start | memory]
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import pylogic_sudoku as pls
from pylogic_sudoku._resources import resource

PUZZLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROUNDS = 20


def starts() -> None:
    """Time whole processes, in turns, and compare ours with clingo's."""
    with TemporaryDirectory() as folder:
        given = Path(folder, "given.lp")
        given.write_text(pls.Grid.parse(PUZZLE).format("facts"))
        encoding = str(resource("encodings/sudoku.lp"))
        runs = {
            "python -c pass": ("-c", "pass"),
            "import clingo": ("-c", "import clingo"),
            "import pylogic_sudoku": ("-c", "import pylogic_sudoku"),
            "from pylogic_sudoku import solve": ("-c", "from pylogic_sudoku import solve"),
            "python -m clingo sudoku.lp given.lp": ("-m", "clingo", encoding, str(given)),
            "pylogic-sudoku solve": ("-m", "pylogic_sudoku", "solve", PUZZLE),
            "pylogic-sudoku solve -f line": ("-m", "pylogic_sudoku", "solve", "-f", "line", PUZZLE),
            "pylogic-sudoku --help": ("-m", "pylogic_sudoku", "--help"),
        }
        # An installed package has its bytecode; a checkout may not be allowed to write it.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        rounds = [[_times(run, environment) for run in runs.values()] for _ in range(ROUNDS + 1)]
    medians = {
        name: [1e3 * statistics.median(column) for column in zip(*times, strict=True)]
        for name, times in zip(runs, zip(*rounds[1:], strict=True), strict=True)
    }
    print(f"milliseconds, medians of {ROUNDS} in turns: processor, clock, times that of clingo")
    for name, (processor, clock) in medians.items():
        beside = "import clingo" if "import" in name else "python -m clingo sudoku.lp given.lp"
        ratios = (
            ours / theirs for ours, theirs in zip(medians[name], medians[beside], strict=True)
        )
        print(f"{name:<36}{processor:6.1f}{clock:7.1f}   " + " ".join(f"{r:.2f}" for r in ratios))


def _times(arguments: Sequence[str], environment: Mapping[str, str]) -> tuple[float, float]:
    """Seconds of the processor and of the clock that a run of Python takes."""
    start = perf_counter()
    process = subprocess.Popen(
        [sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL
    )
    _, _, used = os.wait4(process.pid, 0)
    process.returncode = 0
    return used.ru_utime + used.ru_stime, perf_counter() - start


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
    if sys.argv[1:] != ["memory"]:
        starts()
    if sys.argv[1:] != ["start"]:
        memory()
