"""How long `Grid.canonical` takes: ms of processor time for a grid, median and most.

    python benchmarks/canonical.py LINES...

Of each file with a puzzle a line, it takes 200 puzzles and their solutions. Then come the full grid
with the most automorphisms, and what is left of it with fewer and fewer digits.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time

import pylogic_sudoku as pls

MOST_CANONICAL = "123456789456789123789123456231564897564897231897231564312645978645978312978312645"


def dug(line: str, keep: int) -> Iterable[pls.Grid]:
    """Fifty grids with so many of the digits."""
    for seed in range(50):
        kept = {*random.Random(seed).sample(range(81), keep)}
        yield pls.Grid.parse("".join(d if at in kept else "." for at, d in enumerate(line)))


def row(name: str, grids: Iterable[pls.Grid]) -> None:
    times = []
    for grid in grids:
        start = process_time()
        grid.canonical()
        times.append(1000 * (process_time() - start))
    print(f"| {name} | {median(times):.1f} | {max(times):.1f} |", flush=True)


def main() -> None:
    print("| grids | median | most |\n|---|---|---|")
    for name in sys.argv[1:]:
        puzzles = list(islice(pls.read_puzzles(name), 200))
        row(Path(name).stem, puzzles)
        row(f"{Path(name).stem}, solutions", filter(None, map(pls.solve, puzzles)))
    row("most automorphisms", dug(MOST_CANONICAL, 81))
    for keep in (60, 40, 20, 10, 5, 2, 0):
        row(f"of these, {keep} digits", dug(MOST_CANONICAL, keep))


if __name__ == "__main__":
    main()
