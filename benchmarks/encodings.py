"""The cost of each encoding: ground atoms and rules, and processor time beside sudoku.lp.

    python -m benchmarks.encodings ../shared/corpora/random-10k.txt ../shared/corpora/hard-375.txt
    python -m benchmarks.encodings FILE --encoding my.lp

Each puzzle has a fresh ``Control``, like one run of clingo on a file, and the encodings take turns,
in another order for each puzzle. The figures are medians over the puzzles of a file; *beside
sudoku.lp* is the median ratio for one puzzle. Grounding includes reading the files.
"""

from __future__ import annotations

import argparse
import random
from itertools import islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import NamedTuple

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku.files import resource

OURS = ("sudoku", "subgrid_labels", "cardinality", "numbered_box", "pairwise")
"""The encodings that the package can run for a 9x9 puzzle; the first is that of the engine."""


class Cost(NamedTuple):
    """The cost of one puzzle; times in milliseconds."""

    atoms: float
    rules: float
    grounding: float
    whole: float


def path_of(name: str) -> Path:
    file = "encodings/sudoku.lp" if name == OURS[0] else f"encodings/programs/{name}.lp"
    return Path(resource(file))


def facts(puzzle: pls.Grid, encoding: Path) -> str:
    """The givens, by the name that the encoding has for them."""
    text = encoding.read_text(encoding="utf-8")
    name = next((name for name in ("initial", "numberAt") if f"{name}(" in text), "sudoku")
    return " ".join(f"{name}({row},{column},{digit})." for row, column, digit in puzzle.givens)


def cost(encoding: Path, facts: str) -> Cost:
    """The cost of an answer to a puzzle, and of the proof that there is no other."""
    start = process_time()
    control = clingo.Control(["2"], logger=lambda *_: None)
    control.load(str(encoding))
    control.add("base", [], facts)
    control.ground()
    ground = process_time()
    control.solve()
    end = process_time()
    found = control.statistics["problem"]["lp"]
    return Cost(found["atoms"], found["rules"], 1e3 * (ground - start), 1e3 * (end - start))


def table(file: Path, number: int, encodings: list[Path], seed: int) -> None:
    """Print a row for each encoding."""
    turns = random.Random(seed)
    costs: dict[Path, list[Cost]] = {encoding: [] for encoding in encodings}
    for puzzle in islice(pls.read_puzzles(file), number):
        assert isinstance(puzzle, pls.Grid)
        for encoding in turns.sample(encodings, len(encodings)):
            costs[encoding].append(cost(encoding, facts(puzzle, encoding)))
    print(f"{file.stem}: medians over {len(costs[encodings[0]])} puzzles")
    titles = f"{'atoms':>8}{'rules':>8}{'ground ms':>11}{'ms':>8}{'beside sudoku.lp':>18}"
    print(f"{'encoding':24}{titles}")
    first = costs[encodings[0]]
    for encoding, each in costs.items():
        ratios = [one.whole / other.whole for one, other in zip(each, first, strict=True)]
        atoms, rules, grounding, whole = map(median, zip(*each, strict=True))
        print(f"{encoding.name:24}{atoms:8,.0f}{rules:8,.0f}{grounding:11.1f}", end="")
        print(f"{whole:8.1f}{median(ratios):18.2f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path, help="9x9 puzzles")
    parser.add_argument("--puzzles", type=int, default=200, help="the first of each file")
    parser.add_argument("--encoding", action="append", default=[], type=Path, help="one more")
    parser.add_argument("--seed", type=int, default=1, help="for the order of turns")
    asked = parser.parse_args()
    for file in asked.files:
        table(file, asked.puzzles, [*map(path_of, OURS), *asked.encoding], asked.seed)


if __name__ == "__main__":
    main()
