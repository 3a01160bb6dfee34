"""How fast minimal puzzles are made, and their numbers of givens beside known ones.

    python -m benchmarks.generate --puzzles 10000 --json made.json

The null hypothesis is that digging here, as in Denis Berthier's program ("Unbiased Statistics of a
CSP", 2009), gives numbers of givens with the mean of his million puzzles, which is a sample too.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from math import erfc, sqrt
from pathlib import Path
from statistics import fmean, stdev
from time import process_time
from typing import Any

import pylogic_sudoku as pls

MEAN, DEVIATION, MILLION = 24.38, 1.12, 1_000_000
"""Of the puzzles that Berthier's top-down generator made."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.generate",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("--puzzles", type=int, default=1000, metavar="N", help="how many (default: 1000)")
    add("--seed", type=int, default=1, metavar="N", help="of the first puzzle (default: 1)")
    add("--json", type=Path, metavar="FILE", help="write the figures to this file")
    options = parser.parse_args(arguments)
    if options.puzzles < 2:
        parser.error("--puzzles must be 2 or more")
    found = figures(options.puzzles, options.seed)
    print(
        f"{found['puzzles']:,} minimal puzzles, {found['puzzles_per_processor_second']:.0f} in a"
        f" second of one core\ngivens: {found['mean']:.3f} ± {found['deviation']:.3f};"
        f" Berthier: {MEAN} ± {DEVIATION}; the same mean? z = {found['z']:+.2f},"
        f" p = {found['p']:.2g}\ngivens    puzzles    share"
    )
    for number, times in found["givens"].items():
        print(f"{number:6} {times:10,} {times / found['puzzles']:8.2%}")
    if options.json:
        options.json.write_text(json.dumps(found, indent=1) + "\n")


def figures(number: int, seed: int) -> dict[str, Any]:
    """Make the puzzles: their rate, and how their givens spread."""
    next(pls.generate(seed=0))  # it starts the engine
    start = process_time()
    every = [len(puzzle.givens) for puzzle in pls.generate(number, minimal=True, seed=seed)]
    rate = number / (process_time() - start)
    mean = fmean(every)
    z = (mean - MEAN) / (DEVIATION * sqrt(1 / number + 1 / MILLION))  # both are samples
    return {
        "puzzles": number,
        "puzzles_per_processor_second": rate,
        "mean": mean,
        "deviation": stdev(every),
        "z": z,
        "p": erfc(abs(z) / sqrt(2)),
        "givens": dict(sorted(Counter(every).items())),
    }


if __name__ == "__main__":
    main()
