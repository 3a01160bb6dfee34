"""The ways of people through collections of puzzles: techniques, steps without a name, and time.

python -m benchmarks.steps --verify --jobs 2 --puzzles 200 top-95.txt 17-clue.txt random-10k.txt
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any, NamedTuple

import pylogic_sudoku as pls
from pylogic_sudoku.questions.many import map_in_order
from pylogic_sudoku.techniques.table import MINIMAL_SET, TECHNIQUES


class Way(NamedTuple):
    """One puzzle on the way to its solution."""

    puzzle: str
    seconds: float
    """Of processor time, so that other work on the machine matters less."""
    techniques: Counter[str]
    added: int
    """Steps that are proved by addition."""
    asked: int
    """Steps that Prolog confirmed, as addition does not prove them."""
    wrong: list[str]
    """Steps that nothing confirms."""
    number: float


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the figures of each file; the exit code is 1 if a step is wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.steps",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+", type=Path, help="puzzles, one or many")
    add("--puzzles", type=int, metavar="N", help="only a random sample of so many")
    add("--seed", type=int, default=1, metavar="N", help="for the sample (default: 1)")
    add("--jobs", type=int, default=1, metavar="N", help="processes that share the work")
    add("--verify", action="store_true", help="confirm each step by addition or by Prolog")
    add("--json", type=Path, metavar="FILE", help="write a record for each puzzle to this file")
    options = parser.parse_args(arguments)
    records = options.json.open("w", encoding="utf-8") if options.json else None
    wrong = 0
    for file in options.files:
        ways = []
        for way in _ways(file, options):
            ways.append(way)
            if records:
                print(json.dumps({"file": file.name, **way._asdict()}), file=records, flush=True)
        _print(file.name, ways)
        wrong += sum(len(way.wrong) for way in ways)
    return int(wrong > 0)


def _ways(file: Path, options: argparse.Namespace) -> Any:
    puzzles = [str(puzzle) for puzzle in pls.read_puzzles(file)]
    if options.puzzles and options.puzzles < len(puzzles):
        puzzles = random.Random(options.seed).sample(puzzles, options.puzzles)
    ask = partial(_way, verify=options.verify)
    for puzzle, way in map_in_order(ask, puzzles, options.jobs):
        if isinstance(way, pls.SudokuError):
            raise SystemExit(f"{puzzle}: {way}")
        yield way


def _way(puzzle: str, verify: bool) -> Way:
    start = process_time()
    steps = list(pls.steps(puzzle))
    seconds = process_time() - start
    solution = pls.solve(puzzle)
    assert solution
    held = set(solution.givens)
    added, asked, wrong = 0, 0, []
    for step in steps if verify else ():
        if held.intersection(step.removed) or step.placed not in {None, *held}:
            wrong.append(f"{step}, but the solution differs")
        elif step.adds_up():
            added += 1
        else:
            try:
                step.verify("prolog")
                asked += 1
            except pls.Disagreement as error:
                wrong.append(str(error))
    number = sum(step.weight for step in steps)
    used = Counter(step.technique for step in steps)
    return Way(puzzle, seconds, used, added, asked, wrong, number)


def _print(name: str, ways: Sequence[Way]) -> None:
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
    added, asked = sum(way.added for way in ways), sum(way.asked for way in ways)
    wrong = [each for way in ways for each in way.wrong]
    if added or asked or wrong:
        print(
            f"  proved by addition: {added:,}; confirmed by Prolog: {asked:,}; wrong: {len(wrong)}"
        )
        for each in wrong[:10]:
            print(f"    {each}")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
