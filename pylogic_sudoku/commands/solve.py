"""The command ``solve``."""

from __future__ import annotations

from typing import NoReturn

import click

from ..formats import FORMATS
from . import _solving
from ._options import limit, on_puzzles, output_format
from ._run import EXIT_CODES, Run


@click.command(epilog=EXIT_CODES)
@on_puzzles
@click.option("-q", "--quiet", is_flag=True, help="Print no note about further solutions.")
@click.option("--time", "timed", is_flag=True, help="Report each engine's version and time.")
@click.option("--stats", is_flag=True, help="Report the work of each engine for one solution.")
@output_format(*FORMATS, default="pretty", help="How the solutions are written.")
@limit("How many solutions; 0 for all. Default: one and, up to 9x9, a note if there are more.")
def solve(run: Run, limit: int | None, timed: bool, quiet: bool, stats: bool) -> NoReturn:
    """Solve puzzles.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku solve 1..4.....3......               the first solution found
    pylogic-sudoku solve -n 0 -f line 1..4.....3......  all of them, one a line
    pylogic-sudoku solve -b all --time puzzles.txt      by every engine, compared
    pylogic-sudoku solve -b all --stats puzzles.txt     and how much work that was
    pylogic-sudoku solve --jobs 4 -f line puzzles.txt   by four processes, in the same order
    pylogic-sudoku solve --box 2x3 -f json -            from standard input, as JSON
    """
    if stats and limit not in (None, 1):
        raise click.UsageError("--stats is about one solution, and -n asks for more")
    _solving.solve(run, limit, timed, quiet, stats)
