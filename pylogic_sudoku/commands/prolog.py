"""The command ``prolog``."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from ..engines.prolog import swipl
from ..grid import Box
from ._options import BOX, FROM, RULE, Source
from ._run import Run


@click.command()
@FROM
@RULE
@BOX
@click.argument("puzzle", required=False, type=Source())
def prolog(puzzle: str | None, box: Box | None, source_format: str | None) -> NoReturn:
    """Open SWI-Prolog with the program loaded.

    \b
    pylogic-sudoku prolog
    ?- problem(1, Rows), sudoku(Rows), print_grid(Rows).
    pylogic-sudoku prolog 1..4.....3......
    ?- puzzle(Rows), sudoku(Rows), print_grid(Rows).

    If the puzzle has rules such as cages, puzzle/3 gives them too:

    \b
    ?- puzzle(Rows, Shape, Rules), sudoku(Rows, Shape, Rules).
    """
    if puzzle is None:
        swipl.run(None)
    for _, found in Run((puzzle,), source_format, box).puzzles():
        swipl.run(found)
    sys.exit(2)
