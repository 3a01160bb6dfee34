"""The command ``asp``."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from .._programs import asp_text
from ..grid import Box
from ._options import BOX, FROM, RULE, Source
from ._run import Run


@click.command()
@FROM
@RULE
@BOX
@click.argument("puzzle", type=Source())
def asp(puzzle: str, box: Box | None, source_format: str | None) -> NoReturn:
    """Print the whole ASP program for a puzzle.

    It is one text: the encoding, the sections of the rules, and the puzzle as facts.

    \b
    pylogic-sudoku asp 1..4.....3...... | python -m clingo - 0

    With rules such as cages, give clingo the option --eq=0 too.
    """
    for _, found in Run((puzzle,), source_format, box).puzzles():
        click.echo(asp_text(found), nl=False)
        sys.exit(0)
    sys.exit(2)
