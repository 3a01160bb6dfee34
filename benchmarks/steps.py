"""The ways of people through collections of puzzles: techniques, steps without a name, and time.

python -m benchmarks.steps --verify --jobs 2 --puzzles 200 top-95.txt 17-clue.txt random-10k.txt
"""

from __future__ import annotations

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.questions.many import map_in_order
from pylogic_sudoku.techniques.table import MINIMAL_SET, TECHNIQUES


class Way(NamedTuple):
    """One puzzle on the way to its solution."""

    seconds: float
    """Of processor time, so that other work on the machine matters less."""
    techniques: Counter[str]
    wrong: list[str]
    """Steps that differ from the solution, or that Prolog refutes."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each file; the exit code is 1 if a step is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.steps",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", type=Path, help="puzzles, one or many")
    add("--puzzles", type=int, metavar="N", help="only a random sample of this size")
    add("--seed", type=int, default=1, metavar="N", help="for the sample (default: 1)")
    add("--jobs", type=int, default=1, metavar="N", help="processes that share the work")
    add("--verify", action="store_true", help="let Prolog confirm each step")
    options = parser.parse_args(arguments)
    wrong = 0
    for file in options.files:
        ways = [*_ways(file, options)]
        _print(file.name, ways, options.verify)
        wrong += sum(len(way.wrong) for way in ways)
    return int(wrong > 0)


def _ways(file: Path, options: argparse.Namespace) -> Iterator[Way]:
    puzzles = [str(puzzle) for puzzle in pls.read_puzzles(file)]
    if options.puzzles and options.puzzles < len(puzzles):
        puzzles = random.Random(options.seed).sample(puzzles, options.puzzles)
    ask = partial(_way, verify=options.verify)
    for puzzle, way in map_in_order(ask, puzzles, options.jobs):
        if isinstance(way, pls.LogicError):
            raise SystemExit(f"{puzzle}: {way}")
        yield way


def _way(puzzle: str, verify: bool) -> Way:
    start = process_time()
    steps = list(pls.steps(puzzle))
    seconds = process_time() - start
    solution = pls.solve(puzzle)
    assert solution
    held = set(solution.givens)
    wrong = []
    for step in steps if verify else ():
        if held.intersection(step.removed) or step.placed not in {None, *held}:
            wrong.append(f"{step}, but the solution differs")
            continue
        try:
            step.verify("prolog")
        except pls.Disagreement as error:
            wrong.append(str(error))
    return Way(seconds, Counter(step.technique for step in steps), wrong)


def _print(name: str, ways: Sequence[Way], verified: bool) -> None:
    used: Counter[str] = Counter()
    for way in ways:
        used.update(way.techniques)
    steps = used.total()
    print(f"\n{name}: {len(ways):,} puzzles, {steps:,} steps")
    for technique in (each.name for each in TECHNIQUES.values()):
        if used[technique]:
            print(f"  {technique:32}{used[technique]:8,}{used[technique] / steps:9.2%}")
    share = used[MINIMAL_SET.name] / steps
    without = sum(not way.techniques[MINIMAL_SET.name] for way in ways)
    print(f"  minimal sets: {share:.2%} of the steps; {without:,} puzzles need none")
    seconds = sorted(way.seconds for way in ways)
    longest = seconds[-1]
    print(f"  processor seconds for a way: median {median(seconds):.2f}, longest {longest:.1f}")
    if verified:
        wrong = [each for way in ways for each in way.wrong]
        print("\n    ".join((f"  wrong: {len(wrong)}", *wrong[:10])))
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
