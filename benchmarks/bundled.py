"""The bundled problems by both engines, and sudoku by the general road.

``python -m benchmarks.bundled`` compares all programs of every problem on every instance, all
answers, and prints a row for each problem. With ``--sudokus FILE``, sudoku's own main programs are
asked as the programs of a plain problem, and must give the same answers, counts and candidates as
the engines that know sudoku. ``python -m benchmarks.bundled --left`` prints the table of
``benchmarks/study/problems.md``: the candidates that are left before any guess.
"""

from __future__ import annotations

import argparse
import tempfile
from itertools import islice
from pathlib import Path
from time import perf_counter
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku.files import resource
from pylogic_sudoku.problem.folder import Problem, bundled

MODEL = """
:- use_module('{prolog}').
:- use_module(library(apply)).
:- use_module(library(lists)).

model(Pairs) :-
    findall(given(X,Y,N), initial(X,Y,N), Givens),
    length(Rows, 9),
    maplist([Row]>>length(Row, 9), Rows),
    maplist(given(Rows), Givens),
    sudoku_rules(Rows),
    findall(X-Y, (between(1, 9, X), between(1, 9, Y)), Cells),
    append(Rows, Variables),
    maplist(pair, Cells, Variables, Pairs).

given(Rows, given(X,Y,N)) :-
    nth1(X, Rows, Row),
    nth1(Y, Row, N).

pair(X-Y, Variable, sudoku(X,Y)-Variable).
"""


def plain_sudoku(folder: Path) -> Problem:
    """Sudoku's own programs for 9x9 grids as those of a problem like any other."""
    made = folder / "plain_sudoku"
    made.mkdir()
    encoding = resource("encodings/sudoku.lp").resolve()
    (made / "plain_sudoku.lp").write_text(f'#include "{encoding}".\n')
    model = MODEL.format(prolog=resource("prolog/sudoku.pl").resolve())
    (made / "plain_sudoku.pl").write_text(model)
    (made / "problem.toml").write_text('input = ["initial/3"]\n')
    return Problem(made)


def same_by_both_roads(problem: Problem, puzzle: pls.Grid, backend: str, limit: int = 3) -> bool:
    """True if answers, their number and what propagation leaves are the same by both roads."""
    instance = problem.instance(puzzle.format("facts"))
    grids = {frozenset(_atoms(grid)) for grid in pls.solutions(puzzle, backend, limit)}
    answers = set(pls.solutions(instance, backend, limit))
    many = len(grids) == limit == len(answers)
    left: Any = pls.propagate(puzzle, backend)
    atoms: Any = left and {
        pls.Atom("sudoku", (row, column, digit))
        for row, cells in enumerate(left, 1)
        for column, digits in enumerate(cells, 1)
        for digit in digits
    }
    count = pls.count(puzzle, backend, limit) == pls.count(instance, backend, limit)
    return (many or answers == grids) and count and pls.propagate(instance, backend) == atoms


def _atoms(grid: pls.Grid) -> list[pls.Atom]:
    return [pls.Atom("sudoku", tuple(each)) for each in grid.givens]


def compare_the_box() -> int:
    """Print a row for each problem; the number of differences."""
    total = [0, 0, 0, 0]
    start = perf_counter()
    print(
        f"{'problem':<14}{'programs':>9}{'instances':>10}{'answers':>9}{'differences':>12}{'s':>8}"
    )
    for problem in bundled():
        begin = perf_counter()
        programs = list(problem.paths)
        answers = differences = 0
        for instance in problem.instances.values():
            comparison = pls.compare(instance, programs, limit=None)
            answers += len(comparison.solutions)
            differences += not comparison.agree
        row = [len(programs), len(problem.instances), answers, differences]
        total = [a + b for a, b in zip(total, row, strict=True)]
        _print_row(problem.name, row, perf_counter() - begin)
    _print_row("all", total, perf_counter() - start)
    return total[-1]


def _print_row(name: str, row: list[int], seconds: float) -> None:
    print(f"{name:<14}{row[0]:>9}{row[1]:>10}{row[2]:>9}{row[3]:>12}{seconds:>8.2f}")


def table_of_candidates() -> str:
    """The candidates that each program leaves before any guess, in all instances of its problem."""
    rows = ["| problem | instances | clingo | prolog | other programs |", "| --- |" + " --: |" * 4]
    for problem in bundled():
        left = {name: text for name in problem.paths if (text := _left(problem, name))}
        main = [left.pop(name, "-") for name in ("clingo", "prolog")]
        others = ", ".join(f"{name.partition(':')[2]} {text}" for name, text in left.items())
        cells = (problem.name, str(len(problem.instances)), *main, others)
        rows.append(f"| {' | '.join(cells)} |".replace("|  |", "| |"))
    return "\n".join(rows)


def _left(problem: Problem, name: str) -> str:
    """The candidates that a program leaves; empty if it does not show its work."""
    try:
        found = [pls.propagate(instance, name) for instance in problem.instances.values()]
    except (pls.BackendUnavailable, pls.BackendFailure):
        return ""
    refuted = found.count(None)
    return f"{sum(len(left or ()) for left in found)}" + f" ({refuted} refuted)" * bool(refuted)


def compare_the_roads(files: list[Path], number: int) -> int:
    """Compare both roads on the first puzzles of each file; the number of differences."""
    differences = asked = 0
    with tempfile.TemporaryDirectory() as folder:
        problem = plain_sudoku(Path(folder))
        for file in files:
            for puzzle in islice(pls.read_puzzles(file), number):
                assert isinstance(puzzle, pls.Grid)
                for backend in ("clingo", "prolog"):
                    asked += 1
                    if not same_by_both_roads(problem, puzzle, backend):
                        differences += 1
                        print(f"{backend} differs: {puzzle}")
    print(f"{asked} questions by both roads, {differences} differences")
    return differences


def main() -> None:
    """Run what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sudokus", nargs="+", type=Path, default=[], metavar="FILE")
    parser.add_argument("--puzzles", type=int, default=100, help="puzzles of each file")
    parser.add_argument("--left", action="store_true", help="print the candidates left")
    given = parser.parse_args()
    if given.left:
        print(table_of_candidates())
        return
    found = compare_the_roads(given.sudokus, given.puzzles) if given.sudokus else compare_the_box()
    raise SystemExit(bool(found))


if __name__ == "__main__":
    main()
