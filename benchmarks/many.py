"""How much a second process speeds up `solve_many`, and whether memory stays flat.

    python benchmarks/many.py [FOLDER OF PUZZLES] [PUZZLES FOR THE MEMORY]

The puzzles are those of 17-clue.txt in the folder. Each run is a new process, timed twice: with the
start of its engines, and from the first answer on. The limit is the speed-up of two processes that
share nothing on this machine. The output has the medians of several rounds.
"""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import pylogic_sudoku as pls

ROUNDS = 7

Times = tuple[float, float]  # seconds for all answers: from the start, from the first answer


def resident() -> float:
    """Megabytes of this process."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def timed(folder: Path, backend: str, number: int, jobs: int) -> None:
    """Print the seconds that the puzzles take."""
    puzzles = list(islice(pls.read_puzzles((folder / "17-clue.txt").open()), number))
    start = perf_counter()
    answers = pls.solve_many(puzzles, backend, jobs)
    solutions = [next(answers)]
    first = perf_counter()
    solutions += answers
    end = perf_counter()
    print(end - start, end - first)
    for puzzle, solution in zip(puzzles, solutions, strict=True):
        assert solution is not None
        assert solution.is_solution_of(puzzle)


def begun(*arguments: object) -> subprocess.Popen[str]:
    command = [sys.executable, __file__, "--timed", *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def ended(process: subprocess.Popen[str]) -> Times:
    whole, later = process.communicate()[0].split()
    return float(whole), float(later)


def a_round(folder: Path, backend: str, number: int) -> tuple[Times, Times, float]:
    """Times of one process, of two that share, and half the time of two that each solve all."""
    one = ended(begun(folder, backend, number, 1))
    two = ended(begun(folder, backend, number, 2))
    apart = [begun(folder, backend, number, 1) for _ in range(2)]
    return one, two, max(ended(process)[1] for process in apart) / 2


def main() -> None:
    if sys.argv[1:2] == ["--timed"]:
        place, backend, amount, jobs = sys.argv[2:]
        timed(Path(place), backend, int(amount), int(jobs))
        return
    from statistics import median  # not needed in the processes

    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora")
    if not (folder / "17-clue.txt").exists():
        sys.exit(f"{folder} has no 17-clue.txt; {__doc__}")
    for backend, number in (("clingo", 20_000), ("prolog", 400)):
        rounds = [a_round(folder, backend, number) for _ in range(ROUNDS)]
        whole = median(one[0] / two[0] for one, two, _ in rounds)
        later = median(one[1] / two[1] for one, two, _ in rounds)
        limit = median(one[1] / apart for one, _, apart in rounds)
        print(
            f"{backend}, {number:,} puzzles: one process {median(r[0][0] for r in rounds):.2f} s,"
            f" two {median(r[1][0] for r in rounds):.2f} s, {whole:.2f} times as fast;"
            f" from the first answer on {later:.2f} times; the limit is {limit:.2f} times",
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
