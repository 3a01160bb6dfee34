"""What a second process is worth to `solve_many`, and whether memory stays flat.

    python benchmarks/many.py [FOLDER OF PUZZLES] [PUZZLES FOR THE MEMORY]

Ratios are of one run, with the puzzles of 17-clue.txt in the folder. Every time is taken in a new
process and holds the start of its engines, of one as of two.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import pylogic_sudoku as pls

ROUNDS = 5


def resident() -> float:
    """Megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def timed(folder: Path, backend: str, number: int, workers: int) -> None:
    """Prints the seconds that the puzzles take."""
    puzzles = list(islice(pls.read_puzzles((folder / "17-clue.txt").open()), number))
    start = perf_counter()
    solutions = list(pls.solve_many(puzzles, backend, workers))
    print(perf_counter() - start)
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert solution is not None
        assert solution.is_solution_of(puzzle)


def seconds(*arguments: object) -> float:
    command = [sys.executable, __file__, "--timed", *map(str, arguments)]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    if sys.argv[1:2] == ["--timed"]:
        place, backend, amount, workers = sys.argv[2:]
        timed(Path(place), backend, int(amount), int(workers))
        return
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora")
    if not (folder / "17-clue.txt").exists():
        sys.exit(f"{folder} has no 17-clue.txt; {__doc__}")
    for backend, number in (("clingo", 20_000), ("prolog", 400)):
        times = [
            [seconds(folder, backend, number, workers) for workers in (1, 2)] for _ in range(ROUNDS)
        ]
        one, two = (statistics.median(column) for column in zip(*times, strict=True))
        ratio = statistics.median(first / second for first, second in times)
        print(
            f"{backend}, {number:,} puzzles: one process {one:.2f} s, two {two:.2f} s,"
            f" {ratio:.2f} times as fast",
            flush=True,
        )
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    puzzles = list(pls.read_puzzles((folder / "17-clue.txt").open()))
    before = 0.0
    for count, solution in enumerate(pls.solve_many(islice(cycle(puzzles), number)), 1):
        assert solution is not None
        if count == number // 100:
            before = resident()
        if count % (number // 5) == 0:
            grown = resident() - before
            print(
                f"{count:,} puzzles: {grown:+.1f} MB since the first {number // 100:,}", flush=True
            )


if __name__ == "__main__":
    main()
