"""Solve many puzzles in one process, check each solution, and watch the memory.

    python -m benchmarks.long_run ../shared/corpora/17-clue.txt clingo 300000
    python -m benchmarks.long_run ../shared/corpora/17-clue.txt prolog 100000

The first 5,000 puzzles of the file are solved again and again, and `Grid.is_solution_of`, which
knows no engine, checks the solutions. A line for every 5,000 has the resident memory in megabytes.
The exit code is 1 if a solution is wrong. Linux only.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pylogic_sudoku as pls

PUZZLES = 5_000


def main(file: str, engine: str, number: str) -> int:
    """Print the memory as it goes, and then how many solutions were right."""
    lines = Path(file).read_text(encoding="utf-8").splitlines()[:PUZZLES]
    puzzles = [pls.Grid.parse(line) for line in lines]
    right = 0
    for count in range(1, int(number) + 1):
        puzzle = puzzles[count % len(puzzles)]
        solution = pls.solve(puzzle, backend=engine)
        right += solution is not None and solution.is_solution_of(puzzle)
        if count % PUZZLES == 0:
            print(f"{count:,} solved: {resident():.1f} MB", flush=True)
    print(f"{right:,} of {int(number):,} right")
    return int(right < int(number))


def resident() -> float:
    """The resident memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
