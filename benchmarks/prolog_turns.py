"""Our Prolog program beside that of tutorials: how many times as fast it is.

    python -m benchmarks.prolog_turns [FOLDER OF PUZZLES]

Both run in one process and one Prolog and take turns, puzzle by puzzle, in processor time. Both
are asked for the first solution: ``classic_sudoku.pl`` through janus, ours by ``pls.solve``. Ours
is also asked by the goal ``sudoku/1``, as at the prompt, which finds out whether there is another
solution. Every answer is checked. The folder holds random-10k.txt, 17-clue.txt and hard-375.txt.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from time import process_time

import pylogic_sudoku as pls
from benchmarks.race.solvers import ClassicProlog
from pylogic_sudoku._resources import resource
from pylogic_sudoku.engines.prolog.start import import_janus

RUNS = 3
PUZZLES = {"random-10k": 200, "17-clue": 200, "hard-375": 50}
"""How many of each set, spread over it."""


def asked() -> Callable[[pls.Grid], pls.Grid]:
    """The goal sudoku/1 of our program, as at the prompt."""
    pls.solve("1...............", "prolog")  # which loads the program
    janus = import_janus()
    janus.query_once("use_module(File, [])", {"File": str(resource("prolog/sudoku.pl"))})

    def solve(puzzle: pls.Grid) -> pls.Grid:
        goal = "term_to_atom(_Rows, Text), once(sudoku:sudoku(_Rows)), append(_Rows, Cells)"
        answer = janus.query_once(goal, {"Text": puzzle.format("prolog")})
        return pls.Grid(tuple(answer["Cells"]), puzzle.box)

    return solve


def spread(file: Path, number: int) -> list[pls.Grid]:
    """That many puzzles of the file, at equal distances."""
    lines = file.read_text().splitlines()
    return [pls.Grid.parse(line) for line in islice(lines[:: len(lines) // number], number)]


def turns(
    contestants: dict[str, Callable[[pls.Grid], pls.Grid | None]], puzzles: list[pls.Grid]
) -> dict[str, float]:
    """The seconds that each takes for all puzzles."""
    taken = dict.fromkeys(contestants, 0.0)
    for puzzle in puzzles:
        for name, solve in contestants.items():
            start = process_time()
            solution = solve(puzzle)
            taken[name] += process_time() - start
            if solution is None or not solution.is_solution_of(puzzle):
                sys.exit(f"{name} has not solved {puzzle}")
    return taken


def main() -> None:
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "../shared/corpora")
    if not (folder / "hard-375.txt").exists():
        sys.exit(f"{folder} has no hard-375.txt; {__doc__}")
    sets = {name: spread(folder / f"{name}.txt", number) for name, number in PUZZLES.items()}
    contestants = {
        "classic": ClassicProlog((3, 3)).solve,
        "pls.solve": lambda puzzle: pls.solve(puzzle, "prolog"),
        "sudoku/1": asked(),
    }
    turns(contestants, sets["random-10k"][:5])
    print(f"{'ms a puzzle; times as fast':28}" + "".join(f"{name:>20}" for name in contestants))
    for run in range(1, RUNS + 1):
        for name, puzzles in sets.items():
            taken = turns(contestants, puzzles)
            columns = (
                f"{seconds / len(puzzles) * 1000:.2f} ({taken['classic'] / seconds:.1f})"
                for seconds in taken.values()
            )
            found = "".join(f"{each:>20}" for each in columns)
            print(f"{run}  {name:12}{len(puzzles):10}   {found}", flush=True)


if __name__ == "__main__":
    main()
