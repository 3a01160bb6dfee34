"""The command ``python -m benchmarks.generate``."""

from __future__ import annotations

import argparse
import json
import sys
from itertools import islice
from pathlib import Path
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku._saving import check_target

from . import qqwing
from .checking import wrong
from .spread import DEVIATION, MEAN, MILLION, spread, table

DESCRIPTION = """\
Make minimal puzzles on one core, in turns with qqwing if it is installed; compare their numbers of
givens with Berthier's; and with --check ask engines whether each is unique and minimal.

  python -m benchmarks.generate --puzzles 1000
  python -m benchmarks.generate --puzzles 10000 --check both --jobs 2 --json made.json"""

ROUNDS = 5
"""The puzzles are made in so many parts, in turns with qqwing."""


def main() -> int:
    """Print the figures; the exit code is 1 if a puzzle is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.generate",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--puzzles", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    add("--seed", type=int, default=1, metavar="N", help="of the first puzzle (default: 1)")
    add("--check", choices=("clingo", "prolog", "both"), help="who checks every puzzle again")
    add("--jobs", type=int, default=1, metavar="N", help="processes for the checks (default: 1)")
    add("--json", type=Path, metavar="FILE", help="write the figures to this file")
    options = parser.parse_args()
    if options.puzzles < 100:
        parser.error("--puzzles must be 100 or more")
    if options.json:
        try:
            check_target(options.json)
        except OSError as error:
            parser.error(f"{error.filename}: {error.strerror}")
    found, puzzles = race(options.puzzles, options.seed)
    faults = check(puzzles, options.check, options.jobs, found)
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")
    return 1 if faults else 0


def race(number: int, seed: int) -> tuple[dict[str, Any], list[pls.Grid]]:
    """Make the puzzles, and print how fast that is and how the givens spread."""
    made = pls.generate(number, minimal=True, seed=seed)
    ours: list[float] = []
    theirs: list[float] = []
    others: list[pls.Grid] = []
    puzzles: list[Any] = []
    next(pls.generate(seed=0))  # it starts the engine
    part = number // ROUNDS
    for _ in range(ROUNDS):
        start = process_time()
        puzzles += islice(made, part)
        ours.append(part / (process_time() - start))
        if qqwing.program():
            seconds, by_qqwing = qqwing.made(max(20, part // 10))
            theirs.append(len(by_qqwing) / seconds)
            others += by_qqwing
    found = spread(len(puzzle.givens) for puzzle in puzzles)
    found["puzzles_per_processor_second"] = median(ours)
    found["repeated"] = made.tally.repeated
    print(f"{found['puzzles']:,} minimal puzzles, {median(ours):.0f} in a second of one core")
    if theirs:
        found["qqwing_per_processor_second"] = median(theirs)
        faults = wrong(others[:100], "clingo", 1)
        found["qqwing_not_minimal_of_100"] = len(faults)
        print(
            f"qqwing, in turns: {len(others):,} puzzles, {median(theirs):.0f} in a second of one"
            f" core, {fmean(len(puzzle.givens) for puzzle in others):.2f} givens on average;"
            f" {len(faults)} of the first {len(others[:100])} are not unique and minimal"
        )
    else:
        print(qqwing.MISSING)
    print(
        f"givens: {found['mean']:.3f} ± {found['deviation']:.3f}"
        f" (standard error {found['standard_error']:.3f}); Berthier: {MEAN} ± {DEVIATION}\n"
        f"null hypothesis: the numbers are as in Berthier's million (standard error"
        f" {DEVIATION / MILLION**0.5:.4f})\nthe same mean? z = {found['z']:+.2f},"
        f" p = {found['p']:.2g}; the same variance? chi-square"
        f" {found['variance_chi_square']:.0f} for {found['puzzles'] - 1},"
        f" p = {found['variance_p']:.2g}\nshape beside the normal distribution: chi-square"
        f" {found['shape_chi_square']:.1f} for {found['shape_freedom']}\n{table(found)}",
        flush=True,
    )
    return found, puzzles


def check(puzzles: list[pls.Grid], by: str | None, jobs: int, found: dict[str, Any]) -> list[str]:
    """Print what the engines find wrong; it is noted in `found`."""
    faults: list[str] = []
    for backend in {"both": ("clingo", "prolog"), None: ()}.get(by, (by or "",)):
        start = perf_counter()
        here = wrong(puzzles, backend, jobs)
        found[f"wrong_by_{backend}"] = len(here)
        print(
            f"{backend}: {len(here)} of {len(puzzles):,} are not unique and minimal"
            f" ({perf_counter() - start:.0f} s)",
            *here,
            sep="\n",
            flush=True,
        )
        faults += here
    return faults


if __name__ == "__main__":
    sys.exit(main())
