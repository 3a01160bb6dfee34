"""clingo and sat beside bare CaDiCaL on hard puzzles: each is solved, and counted to two.

    python -m benchmarks.hard                       the puzzles of this folder
    python -m benchmarks.hard FILE                  other puzzles, one a line
    python -m benchmarks.hard --make 4x4 0          make the puzzle of a seed again
    python -m benchmarks.hard --make 5x5 32 --harder

``grids.txt`` holds 16x16 puzzles of the seeds 0 to 2, then 25x25 ones of the seeds 0 to 31, and of
the seeds 32 to 38 with ``--harder``. All have one solution.

Times are seconds of processor time, or with several threads by the clock. The contestants take
turns, puzzle by puzzle, in one process. The engines clingo and sat are asked twice: `pls.solve`,
and `pls.count` up to two. CaDiCaL 1.9.5 gets the plain clauses and the givens as clauses of one
literal, and goes on from its first answer. What a layout needs once is not counted: the engines'
programs for all puzzles, and the list of clauses. What a puzzle needs is: clingo's grounding, and
loading the clauses into a new CaDiCaL.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from time import perf_counter, process_time

from pysat.solvers import Cadical195

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, SolveTimeout
from pylogic_sudoku.rules.clauses import negated, of_layout

from . import making

CONFLICTS = 2_000
"""Conflicts of CaDiCaL between two looks at the clock."""
GRIDS = Path(__file__).with_name("grids.txt")

Seconds = tuple[float | None, float | None]


def engine(name: str, puzzle: Grid, limit: float, threads: int) -> Seconds:
    """The seconds until a solution is known, and until two or no more are; None if out of time."""
    clock = process_time if threads == 1 else perf_counter

    def taken(ask: Callable[..., object]) -> float | None:
        start = clock()
        try:
            ask(puzzle, name, timeout=limit, threads=threads)
        except SolveTimeout:
            return None
        return clock() - start

    return taken(pls.solve), taken(partial(pls.count, limit=2))


def cadical(puzzle: Grid, limit: float, loading: list[float]) -> Seconds:
    """The same for CaDiCaL; the seconds until it has its clauses are added to `loading`."""
    rules = of_layout(puzzle.layout)
    start = process_time()
    literals = [place * puzzle.size + digit for place, digit in enumerate(puzzle.digits) if digit]
    with Cadical195(bootstrap_with=rules) as solver:
        solver.append_formula([[literal] for literal in literals])
        loading.append(process_time() - start)
        times = list[float]()
        while len(times) < 2 and process_time() - start <= limit:
            solver.conf_budget(CONFLICTS)
            found = solver.solve_limited()
            if found is False:
                times.append(process_time() - start)
                return times[0], times[-1]
            if found:
                times.append(process_time() - start)
                held = [each for each in solver.get_model()[: puzzle.size**3] if each > 0]
                solver.add_clause(negated(held))
        first, second = (*times, None, None)[:2]
        return first, second


def grids(files: list[Path]) -> Iterator[tuple[str, Grid]]:
    """The puzzles, with their names."""
    for file in files or [GRIDS]:
        for number, line in enumerate(file.read_text().split(), 1):
            yield f"{file.stem} {number}", Grid.parse(line)


def race(files: list[Path], limit: float, threads: int) -> None:
    """Print a line for each puzzle, and the summary."""
    loading: list[float] = []
    contestants: dict[str, Callable[[Grid], Seconds]] = {
        "clingo": lambda puzzle: engine("clingo", puzzle, limit, threads),
        "CaDiCaL": lambda puzzle: cadical(puzzle, limit, loading),
        "sat": lambda puzzle: engine("sat", puzzle, limit, threads),
    }
    results: dict[str, list[Seconds]] = {who: [] for who in contestants}
    print(f"puzzle, givens: solved, counted by {', '.join(contestants)}", flush=True)
    for number, (name, puzzle) in enumerate(grids(files)):
        for each in ("clingo", "sat"):
            pls.solve("." * puzzle.size**2, each)  # makes the program of the layout
        for who in contestants if number % 2 else reversed(contestants):
            results[who].append(contestants[who](puzzle))
        times = (_text(each) for who in results for each in results[who][-1])
        print(f"{name}, {len(puzzle.givens)}:", "  ".join(times), flush=True)
    for who, found in results.items():
        for at, what in enumerate(("solved", "counted to two")):
            times = [each[at] for each in found]
            done = sum(each is not None for each in times)
            middle = median(limit if each is None else each for each in times)
            print(f"{who}: {what} {done} of {len(times)}, median {middle:.2f} s")
    print(f"CaDiCaL: of these, loading takes {median(loading):.2f} s")


def _text(seconds: float | None) -> str:
    return "-" if seconds is None else f"{seconds:.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="benchmarks.hard", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", nargs="*", type=Path)
    parser.add_argument("--limit", type=float, default=30, help="seconds a question (30)")
    parser.add_argument("--threads", type=int, default=1, help="of clingo (1)")
    parser.add_argument("--make", nargs=2, metavar=("BOX", "SEED"))
    parser.add_argument("--harder", action="store_true", help="make it with more patience")
    options = parser.parse_args()
    if options.make:
        rows, columns = map(int, options.make[0].split("x"))
        print(making.dug((rows, columns), int(options.make[1]), options.harder).format("line"))
    else:
        race(options.files, options.limit, options.threads)


if __name__ == "__main__":
    main()
