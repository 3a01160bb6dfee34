"""Measure two checkouts of this project in turns: the start, and what users ask most.

    python -m benchmarks.turns OLD [--new NEW] [--corpora FOLDER] [--turns N] [--question TEXT]…

Each question runs in a fresh process of the Python that runs this, once on the old checkout and
once on the new one, and so on; NEW is this checkout if it is not named. The figures are the medians
of the processor time (user and system, with all processes that it started) in seconds, and the
median of the ratios of pairs. `git worktree add --detach OLD COMMIT` makes an old checkout.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from types import MappingProxyType

HERE = Path(__file__).resolve().parents[1]
PUZZLE = "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43.."
FIRST = f"import pylogic_sudoku as pls; pls.solve({PUZZLE!r}, backend='{{}}')"
SOLVE = """
from itertools import islice
import pylogic_sudoku as pls
lines = (line[:81] for line in open('{}') if len(line) > 80 and line[0] in '.0123456789')
assert len([pls.solve(each, backend='{}') for each in islice(lines, {})]) == {}"""
QUEENS = "import pylogic_sudoku as pls; queens = pls.Problem('queens').instance('size({}).')\n"
QUESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "import": "import pylogic_sudoku",
        "first answer, clingo": FIRST.format("clingo"),
        "first answer, prolog": FIRST.format("prolog"),
        "600 of 17 clues, clingo": SOLVE.format("17-clue.txt", "clingo", 600, 600),
        "40 of 17 clues, prolog": SOLVE.format("17-clue.txt", "prolog", 40, 40),
        "600 of random-10k, clingo": SOLVE.format("random-10k.txt", "clingo", 600, 600),
        "40 of random-10k, prolog": SOLVE.format("random-10k.txt", "prolog", 40, 40),
        "300 hard ones, clingo": SOLVE.format("hard-375.txt", "clingo", 300, 300),
        "why": f"import pylogic_sudoku as pls; pls.why({PUZZLE!r}, 'r1c2')",
        "first answer of queens, clingo": QUEENS.format(8) + "pls.solve(queens, 'clingo')",
        "first answer of queens, prolog": QUEENS.format(8) + "pls.solve(queens, 'prolog')",
        "compare queens of 8": QUEENS.format(8) + "assert pls.compare(queens).agree",
        "a class of 30": "from benchmarks.classroom import main; main()",
    }
)


def seconds(code: str, tree: Path, corpora: Path) -> float:
    """The processor time of a program with the package of a checkout."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {**os.environ, "PYTHONPATH": str(tree)}
    code = f"import os, sys; sys.path.insert(0, {str(tree)!r})\n{code}"
    done = subprocess.run(
        [sys.executable, "-P", "-c", code],
        env=environment,
        cwd=corpora,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        raise SystemExit(f"{tree} cannot answer this:\n{code}\n{done.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("old", type=Path, metavar="OLD", help="a checkout of this project")
    add(
        *("-q", "--question"),
        action="append",
        choices=QUESTIONS,
        metavar="TEXT",
        help=f"one of these (default: all): {', '.join(QUESTIONS)}",
    )
    add("--new", type=Path, default=HERE, help="another checkout (default: this one)")
    add("--corpora", type=Path, default=HERE.parent / "shared" / "corpora", help="puzzles in files")
    add("--turns", type=int, default=5, help="of each checkout (default: 5)")
    asked = parser.parse_args()
    for tree in (asked.old, asked.new):
        if not (tree / "pylogic_sudoku").is_dir():
            parser.error(f"{tree} lacks pylogic_sudoku; expected a checkout of this project")
    if asked.turns < 1:
        parser.error("expected at least one turn")
    if not asked.corpora.is_dir():
        parser.error(f"{asked.corpora} is missing: name a folder with --corpora")
    old, new = asked.old.resolve(), asked.new.resolve()
    print(f"{'processor time, medians':<32}{'old':>9}{'new':>9}   new/old in pairs")
    for name in asked.question or QUESTIONS:
        pairs = []
        for _ in range(asked.turns):
            pairs.append([seconds(QUESTIONS[name], each, asked.corpora) for each in (old, new)])
        before, after = (median(each) for each in zip(*pairs, strict=True))
        ratio = median(second / first for first, second in pairs)
        print(f"{name:<32}{before:>9.3f}{after:>9.3f}{ratio:>9.2f}", flush=True)


if __name__ == "__main__":
    main()
