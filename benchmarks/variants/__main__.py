"""The command ``python -m benchmarks.variants``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from time import perf_counter

import pylogic_sudoku as pls

from .corpus import FOLDER, Published, Unread, jigsaws, killers, published

BACKENDS = ("clingo", "prolog")


def main() -> int:
    """Print the figures; the exit code is 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.variants", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=FOLDER, help="the folder of the puzzles")
    parser.add_argument("-t", "--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("-b", "--backend", action="append", choices=BACKENDS)
    options = parser.parse_args()
    if not options.corpus.is_dir():
        parser.error(f"no folder {options.corpus}")
    wrong = 0
    for title, found in (
        ("published puzzles", list(published(options.corpus))),
        ("hard killers", list(killers(options.corpus))),
    ):
        puzzles = [each for each in found if isinstance(each, Published)]
        unread = Counter(each.reason for each in found if isinstance(each, Unread))
        print(f"\n{title}: {len(puzzles)} of {len(found)} are read whole")
        for reason, number in unread.most_common():
            print(f"  {number} not: {reason}")
        for backend in options.backend or BACKENDS:
            wrong += solved(puzzles, backend, options.timeout)
    for backend in options.backend or BACKENDS:
        wrong += layouts(options.corpus, backend, options.timeout)
    return 1 if wrong else 0


def solved(puzzles: Iterable[Published], backend: str, limit: float) -> int:
    """Print what an engine finds out about the puzzles; how often it was wrong."""
    times: list[float] = []
    names: dict[str, list[str]] = {"out of time": [], "wrong": []}
    counts: Counter[int] = Counter()
    checked: list[bool] = []
    for name, puzzle, solution in puzzles:
        start = perf_counter()
        try:
            found = list(pls.solutions(puzzle, backend, limit=2, timeout=limit))
        except pls.SolveTimeout:
            names["out of time"].append(name)
        else:
            times.append(perf_counter() - start)
            counts[len(found)] += 1
            proper = [grid for grid in found if grid.is_solution_of(puzzle)]
            if proper != found or (solution is not None and found[1:] == [] != found != [solution]):
                names["wrong"].append(name)
        if solution is not None:
            full = puzzle.with_(*solution.givens)
            checked.append(pls.solve(full, backend, timeout=60) == solution)
    middle = 1000 * median(times or [0])
    print(
        f"  {backend}: {counts[1]} have one solution, {counts[2]} several, {counts[0]} none, in"
        f" {limit:g} s each; {len(names['out of time'])} ran out of time; median {middle:.0f} ms\n"
        f"    {sum(checked)} of {len(checked)} recorded solutions are accepted;"
        f" {len(names['wrong'])} wrong answers"
    )
    for what, those in names.items():
        if those:
            print(f"    {what}: {', '.join(those)}")
    return len(names["wrong"]) + checked.count(False)


def layouts(folder: Path, backend: str, limit: float) -> int:
    """Print which layouts of a jigsaw have a grid; how many answers were wrong."""
    found: dict[str, Counter[str]] = {}
    for heading, exists, puzzle in jigsaws(folder):
        tally = found.setdefault(heading, Counter())
        try:
            has_one = pls.solve(puzzle, backend, timeout=limit) is not None
        except pls.SolveTimeout:
            tally["out of time"] += 1
        else:
            tally["right" if has_one == exists else "wrong"] += 1
    print(f"\njigsaw layouts, with or without a grid, {backend}:")
    for heading, tally in found.items():
        print(f"  {heading}: {', '.join(f'{number} {what}' for what, number in tally.items())}")
    return sum(tally["wrong"] for tally in found.values())


if __name__ == "__main__":
    sys.exit(main())
