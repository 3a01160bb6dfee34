"""Puzzles by a rule of the program, beside puzzles by a loop: ms of processor time.

    python benchmarks/unique_by_rule.py [SECONDS]

The program is ``encodings/unique_by_rule.lp``, run anew with random choices for each puzzle; the
loop is `pylogic_sudoku.generate`. Each gets so many seconds (10), in turns.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from statistics import median
from time import process_time

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku.engines.clingo.program import encoding

BY_RULE = [
    (2, 2, 4),
    (2, 2, 5),
    (2, 2, 6),
    (2, 3, 12),
    (2, 3, 10),
    (3, 3, 36),
    (3, 3, 30),
    (3, 3, 27),
]
"""Rows and columns of a box, and the number of givens."""


def by_rule(rows: int, columns: int, givens: int, seed: int) -> bool:
    """Whether there was a puzzle within a minute."""
    constants = [f"-cbox_rows={rows}", f"-cbox_columns={columns}", f"-cgivens={givens}"]
    random = ["--rand-freq=1", "--sign-def=rnd", f"--seed={seed}"]
    control = clingo.Control([*constants, *random, "1"])
    control.add("base", [], encoding("unique_by_rule"))
    control.ground()
    with control.solve(async_=True) as handle:
        if not handle.wait(60):
            handle.cancel()
            return False
        return bool(handle.get().satisfiable)


def by_loop(rows: int, columns: int, givens: int, seed: int) -> bool:
    return bool(next(pls.generate(seed=seed, box=(rows, columns), givens=givens)))


def measured(make: Callable[[int], bool], seconds: float) -> str:
    times: list[float] = []
    start = process_time()
    for seed in count(1):
        begun = process_time()
        if not make(seed):
            return "none in a minute"
        times.append(1000 * (process_time() - begun))
        if process_time() - start > seconds:
            break
    return f"{median(times):.1f} (most {max(times):.1f}, {len(times)} puzzles)"


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    print("| box | givens | by rule, ms | by loop, ms |\n|---|---|---|---|")
    for shape in BY_RULE:
        rule = measured(partial(by_rule, *shape), seconds)
        loop = measured(partial(by_loop, *shape), seconds)
        print(f"| {shape[0]}x{shape[1]} | {shape[2]} | {rule} | {loop} |", flush=True)


if __name__ == "__main__":
    main()
