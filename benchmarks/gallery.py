"""What each encoding of the gallery costs, compared with ``encodings/sudoku.lp``.

    python benchmarks/gallery.py [FOLDER] [NUMBER]

FOLDER has random-10k.txt and hard-375.txt, with a 9x9 puzzle on each line. NUMBER puzzles (100)
are drawn from each; the Prolog programs get a tenth of the hard ones. The encodings take turns,
puzzle by puzzle. Each puzzle gets a fresh `Control`, like one run of clingo on a file, so the time
is loading, grounding and the first answer. All figures are medians, the ratio to sudoku.lp that of
the ratios puzzle by puzzle.
"""

from __future__ import annotations

import random
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import NamedTuple

import clingo

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku._resources import resource

HERE = Path(__file__).resolve().parent
GALLERY = ("sudoku", "pairwise", "numbered_box", "subgrid_labels", "cardinality")
GIVENS = {"pairwise": "sudoku", "numbered_box": "numberAt"}
"""The predicate of the givens if it is not initial/3."""


class Cost(NamedTuple):
    """The cost of one puzzle."""

    atoms: float
    rules: float
    ground: float
    """Seconds for loading and grounding."""
    total: float
    """Seconds until the first answer."""


def lines(path: Path) -> int:
    """Lines that are neither comments nor empty."""
    text = path.read_text(encoding="utf-8")
    return sum(1 for line in text.splitlines() if line.strip() and not line.startswith("%"))


def run(name: str, puzzle: Grid) -> Cost:
    given = GIVENS.get(name, "initial")
    facts = " ".join(f"{given}({x},{y},{n})." for x, y, n in puzzle.givens)
    start = perf_counter()
    control = clingo.Control()
    control.load(str(resource(f"encodings/{name}.lp")))
    control.add("base", [], facts)
    control.ground()
    grounded = perf_counter()
    result = control.solve()
    end = perf_counter()
    assert result.satisfiable
    size = control.statistics["problem"]["lp"]
    return Cost(size["atoms"], size["rules"], grounded - start, end - start)


def asp(puzzles: list[Grid]) -> None:
    costs: dict[str, list[Cost]] = {name: [] for name in GALLERY}
    for puzzle in puzzles:
        for name in GALLERY:
            costs[name].append(run(name, puzzle))
    print("| encoding | lines | atoms | rules | ground ms | ms a puzzle | beside sudoku.lp |")
    print("|---|---|---|---|---|---|---|")
    for name in sorted(GALLERY, key=lambda name: statistics.median(c.total for c in costs[name])):
        atoms, rules, ground, total = (
            statistics.median(column) for column in zip(*costs[name], strict=True)
        )
        ratio = statistics.median(
            cost.total / base.total for cost, base in zip(costs[name], costs["sudoku"], strict=True)
        )
        print(
            f"| {name}.lp | {lines(resource(f'encodings/{name}.lp'))} | {atoms:,.0f}"
            f" | {rules:,.0f} | {1e3 * ground:.1f} | {1e3 * total:.1f} | {ratio:.2f} |"
        )


def prolog_solvers() -> dict[str, Callable[[Grid], None]]:
    """The programs in one Prolog, from text to the first solution."""
    pls.solve("4......3...13...", "prolog")
    import janus_swi

    janus_swi.query_once(
        "use_module(File, [])", {"File": str(resource("prolog/classic_sudoku.pl"))}
    )

    def solver(goal: str) -> Callable[[Grid], None]:
        def solve(puzzle: Grid) -> None:
            query = f"term_to_atom(_Rows, Text), once({goal})"
            assert janus_swi.query_once(query, {"Text": puzzle.format("prolog")})["truth"]

        return solve

    return {
        "sudoku": solver("(sudoku:sudoku_rules(_Rows), sudoku:sudoku_search(_Rows))"),
        "classic_sudoku": solver("classic_sudoku:sudoku(_Rows)"),
    }


def prolog(puzzles: list[Grid]) -> None:
    solvers = prolog_solvers()
    times: dict[str, list[float]] = {name: [] for name in solvers}
    for puzzle in puzzles:
        for name, solve in solvers.items():
            start = perf_counter()
            solve(puzzle)
            times[name].append(perf_counter() - start)
    print("| program | ms a puzzle | beside sudoku.pl |")
    print("|---|---|---|")
    for name, found in times.items():
        ratio = statistics.median(a / b for a, b in zip(found, times["sudoku"], strict=True))
        print(f"| {name}.pl | {1e3 * statistics.median(found):.1f} | {ratio:.2f} |")


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else HERE.parent.parent / "shared" / "corpora")
    number = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    if not (folder / "random-10k.txt").exists():
        sys.exit(f"{folder} has no random-10k.txt; {__doc__}")
    for info in pls.backends():
        print(f"{info.name}: {info.engine} {info.version}")
    for name, share in (("random-10k.txt", 1), ("hard-375.txt", 10)):
        corpus = (folder / name).read_text(encoding="ascii").split()
        puzzles = [Grid.parse(line) for line in random.Random(1).sample(corpus, number)]
        print(f"\n{number} puzzles of {name}\n")
        asp(puzzles)
        print(f"\n{number // share} of them in Prolog\n")
        prolog(puzzles[: number // share])


if __name__ == "__main__":
    main()
