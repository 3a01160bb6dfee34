"""The command ``count``."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from time import perf_counter
from typing import NoReturn

import click

from .. import _api as api
from .._compare import odd_one_out
from ..engines import asked
from ..errors import Disagreement
from ..grid import Grid
from ..puzzle import Puzzle
from ._options import limit, on_puzzles, output_format
from ._run import EXIT_CODES, Run


@click.command(epilog=EXIT_CODES)
@on_puzzles
@output_format("text", "json", help="A number for each puzzle, or a JSON object.")
@limit("Stop counting here; 0 counts all.", default=0)
def count(run: Run, limit: int) -> NoReturn:
    """Count the solutions of puzzles, one number a line.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku count 1..4............
    pylogic-sudoku count -n 2 puzzles.txt         1 means: exactly one solution
    pylogic-sudoku count --jobs 4 puzzles.txt     by four processes, in the order of the file
    """

    def show(
        where: str, puzzle: Grid | Puzzle, answer: Iterator[tuple[int, dict[str, float]]]
    ) -> None:
        ((found, seconds),) = answer
        if run.form == "json":
            run.print_json(where, puzzle, count=found, seconds=seconds)
        else:
            click.echo(found)
        if not found:
            run.no_solution(where, puzzle)

    ask = partial(
        _count, engines=run.engines, limit=limit or None, timeout=run.timeout, threads=run.threads
    )
    run.each(ask, show)
    run.end()


def _count(
    puzzle: Grid | Puzzle,
    engines: tuple[str, ...],
    limit: int | None,
    timeout: float | None,
    threads: int,
) -> Iterator[tuple[int, dict[str, float]]]:
    """The number of solutions that all engines find, and the seconds of each."""
    engines = asked(engines, puzzle)
    counts: dict[str, int] = {}
    seconds: dict[str, float] = {}
    for engine in engines:
        start = perf_counter()
        counts[engine] = api.count(puzzle, engine, limit, timeout, threads)
        seconds[engine] = perf_counter() - start
    if len(set(counts.values())) > 1:
        alone = odd_one_out(engines, lambda one, other: counts[one] == counts[other])
        raise Disagreement(puzzle, counts, alone)
    yield counts[engines[0]], seconds
