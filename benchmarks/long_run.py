"""Solve many puzzles in one process, check each solution, and watch the memory.

    python -m benchmarks.long_run ../shared/corpora/17-clue.txt clingo 300000
    python -m benchmarks.long_run ../shared/corpora/17-clue.txt prolog 100000
    python -m benchmarks.long_run ../shared/corpora/17-clue.txt clingo 300000 --many

The first 5,000 puzzles of the file are solved again and again, and `Grid.is_solution_of`, which
knows no engine, checks the solutions. A line for every 5,000 has the resident memory in megabytes.
The exit code is 1 if a solution is wrong. Linux only.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path

import pylogic_sudoku as pls

PUZZLES = 5_000


def main() -> int:
    """Print the memory as it goes, and then the number of solutions that were right."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("file", metavar="FILE", type=Path, help="puzzles, one a line")
    parser.add_argument("engine", metavar="ENGINE")
    parser.add_argument("number", metavar="N", type=int, help="puzzles to solve")
    parser.add_argument("--many", action="store_true", help="by solve_many, not by solve")
    asked = parser.parse_args()
    lines = asked.file.read_text(encoding="utf-8").splitlines()[:PUZZLES]
    puzzles = [pls.Grid.parse(line) for line in lines]
    repeated = islice(cycle(puzzles), asked.number)
    if asked.many:
        solutions: Iterator[pls.Grid | None] = pls.solve_many(repeated, asked.engine)
    else:
        solutions = (pls.solve(puzzle, asked.engine) for puzzle in repeated)
    right = 0
    for count, (solution, puzzle) in enumerate(zip(solutions, cycle(puzzles), strict=False), 1):
        right += solution is not None and solution.is_solution_of(puzzle)
        if count % PUZZLES == 0:
            print(f"{count:,} solved: {resident():.1f} MB", flush=True)
    print(f"{right:,} of {asked.number:,} right")
    return int(right < asked.number)


def resident() -> float:
    """The resident memory of this process in megabytes."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    sys.exit(main())
