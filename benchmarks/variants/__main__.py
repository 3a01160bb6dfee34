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
from pylogic_sudoku import Puzzle
from pylogic_sudoku.engines import get

from .corpus import FOLDER, Published, Unread, jigsaws, killers, published

BACKENDS = ("clingo", "prolog")

ROUNDS = 3
"""Each puzzle of the race is timed so often, by each in turn, unless it takes a second; its time is
the median."""


def main() -> int:
    """Print the figures; the exit code is 1 if an answer was wrong."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.variants", description=__doc__)
    parser.add_argument("--corpus", type=Path, default=FOLDER, help="the folder of the puzzles")
    parser.add_argument("-t", "--timeout", type=float, default=10, metavar="SECONDS")
    parser.add_argument("-b", "--backend", action="append", choices=BACKENDS)
    parser.add_argument("--rivals", action="store_true", help="only race OR-tools CP-SAT")
    options = parser.parse_args()
    if not options.corpus.is_dir():
        parser.error(f"no folder {options.corpus}")
    if options.rivals:
        return race(options.corpus, options.timeout)
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
    late: list[str] = []
    counts: Counter[int] = Counter()
    checked: list[bool] = []
    wrong: list[str] = []
    for name, puzzle, solution in puzzles:
        start = perf_counter()
        try:
            found = list(pls.solutions(puzzle, backend, limit=2, timeout=limit))
        except pls.SolveTimeout:
            late.append(name)
        else:
            times.append(perf_counter() - start)
            counts[len(found)] += 1
            proper = [grid for grid in found if grid.is_solution_of(puzzle)]
            if proper != found or (solution is not None and found[1:] == [] != found != [solution]):
                wrong.append(name)
        if solution is not None:
            full = puzzle.with_(*solution.givens)
            checked.append(pls.solve(full, backend, timeout=60) == solution)
    print(
        f"  {backend}: {counts[1]} have one solution, {counts[2]} several, {counts[0]} none, in"
        f" {limit:g} s each; {len(late)} ran out of time; median {1000 * middle(times):.0f} ms\n"
        f"    {sum(checked)} of {len(checked)} recorded solutions are accepted;"
        f" {len(wrong)} wrong answers"
    )
    if late:
        print(f"    out of time: {', '.join(late)}")
    if wrong:
        print(f"    wrong: {', '.join(wrong)}")
    return len(wrong) + checked.count(False)


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


def race(folder: Path, limit: float) -> int:
    """Print the times to a proof that the solution is the only one, ours beside CP-SAT's."""
    try:
        from . import cpsat
    except ImportError:
        sys.exit("OR-tools is missing: pip install -r benchmarks/requirements.txt")
    entries = [each for each in (*published(folder), *killers(folder)) if is_for(each, cpsat.KINDS)]
    puzzles = {each.puzzle: each.name for each in entries if isinstance(each, Published)}
    ours: list[float] = []
    theirs: list[float] = []
    for puzzle, name in puzzles.items():
        mine, other = [], []
        for _ in range(ROUNDS):
            mine.append(timed_clingo(puzzle, limit))
            start = perf_counter()
            unique = cpsat.is_unique(puzzle, limit)
            other.append(perf_counter() - start if unique is not None else limit)
            if mine[0] + other[0] > 1:
                break
        ours.append(median(mine))
        theirs.append(median(other))
        print(f"  {name}: clingo {ours[-1]:.3f} s, CP-SAT {theirs[-1]:.3f} s", flush=True)
    for name, times in (("clingo", ours), ("CP-SAT", theirs)):
        late = sum(each >= limit for each in times)
        print(
            f"{name}: median {1000 * middle(times):.0f} ms, in all {sum(times):.1f} s,"
            f" {late} of {len(times)} out of time"
        )
    ratios = [other / mine for mine, other in zip(ours, theirs, strict=True)]
    print(f"clingo is {middle(ratios):.1f} times as fast (median over the puzzles)")
    return 0


def is_for(entry: Published | Unread, kinds: Iterable[str]) -> bool:
    """True for a puzzle with rules that are all of these kinds."""
    if isinstance(entry, Unread) or not entry.puzzle.rules:
        return False
    return {rule.kind for rule in entry.puzzle.rules} <= set(kinds)


def timed_clingo(puzzle: Puzzle, limit: float) -> float:
    """Seconds of an engine that has prepared nothing."""
    engine = type(get("clingo"))()
    start = perf_counter()
    try:
        pls.count(puzzle, engine, limit=2, timeout=limit)
    except pls.SolveTimeout:
        return limit
    return perf_counter() - start


def middle(times: list[float]) -> float:
    """The median; 0 of nothing."""
    return median(times) if times else 0.0


if __name__ == "__main__":
    sys.exit(main())
