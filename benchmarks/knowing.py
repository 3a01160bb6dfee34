"""What each program knows of a puzzle before its first choice, and the work that it takes.

    python -m benchmarks.knowing FILE... [--puzzles N] [--every] [--program NAME] [--limit SECONDS]

FILE is a collection of puzzles; N of them at equal distances are taken. For each program there is a
line: seconds of the processor (Prolog) or of the clock (clingo) to the first solution, candidates
that propagation leaves, choices and dead ends; each a mean over the puzzles that it solved in time.
With --every, all puzzles are read, and clingo and Prolog are compared by what they leave of each.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from itertools import islice
from statistics import mean
from time import perf_counter

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.questions.many import map_in_order

PAIR = ("clingo", "prolog")


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables; the exit code is 1 if the engines differ somewhere."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.knowing", description=__doc__)
    parser.add_argument("file", nargs="+")
    parser.add_argument("--puzzles", type=int, default=60, metavar="N")
    parser.add_argument("--every", action="store_true")
    parser.add_argument("--program", action="append", help="default: every program")
    parser.add_argument("--limit", type=float, default=10, metavar="SECONDS")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    names = options.program or [program.name for program in pls.programs()]
    differing = 0
    for file in options.file:
        puzzles = list(pls.read_puzzles(file))
        if options.every:
            differing += equal(file, puzzles, options.jobs)
            continue
        step = max(1, len(puzzles) // options.puzzles)
        table(file, puzzles[::step][: options.puzzles], names, options.limit)
    return 1 if differing else 0


def equal(file: str, puzzles: list[Grid | Puzzle], jobs: int) -> int:
    """Print on how many puzzles the two engines leave different candidates."""
    start = perf_counter()
    differ = [puzzle for puzzle, same in map_in_order(leave_the_same, puzzles, jobs) if not same]
    print(
        f"{file}: {len(puzzles)} puzzles, {len(differ)} with other candidates"
        f" ({perf_counter() - start:.0f} s)",
        flush=True,
    )
    for puzzle in islice(differ, 5):
        print(f"  {puzzle}")
    return len(differ)


def leave_the_same(puzzle: Grid | Puzzle) -> bool:
    """True if both engines leave the same candidates."""
    one, other = (pls.propagate(puzzle, name) for name in PAIR)
    return one == other


def table(file: str, puzzles: list[Grid | Puzzle], names: Iterable[str], limit: float) -> None:
    """Print a line for each program."""
    print(f"\n{file}: {len(puzzles)} puzzles")
    print("| program | solved | ms | candidates left | known at once | choices | dead ends |")
    print("|---|---|---|---|---|---|---|")
    for name in names:
        works, left = [], []
        for puzzle in puzzles:
            try:
                works.append(pls.measure(puzzle, name, timeout=limit))
            except pls.SolveTimeout:
                continue
            try:
                found = pls.propagate(puzzle, name)
                left.append(sum(len(cell) for row in found or () for cell in row))
            except pls.BackendUnavailable:
                pass
        seconds = [(w.setup or 0) + (w.propagation or 0) + (w.search or 0) for w in works]
        choices = [w.choices for w in works if w.choices is not None]
        dead = [w.conflicts for w in works if w.conflicts is not None]
        cells = [mean(seconds) * 1e3 if seconds else None, mean(left) if left else None]
        shown = [f"{each:.1f}" if each is not None else "-" for each in cells]
        known = sum(each == puzzle.size**2 for each, puzzle in zip(left, puzzles, strict=False))
        shown.append(str(known) if left else "-")
        shown += [f"{mean(each):.1f}" if each else "-" for each in (choices, dead)]
        print(f"| {name} | {len(works)} | {' | '.join(shown)} |", flush=True)


if __name__ == "__main__":
    sys.exit(main())
