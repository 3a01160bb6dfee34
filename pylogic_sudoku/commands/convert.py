"""The command ``convert``: puzzles from any format to any other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import click

from .._saving import save
from ..formats import FORMATS
from ..grid import Box
from ._options import BOX, FROM, OUTPUT, PUZZLES, RULE, output_format
from ._output import Printer, check_output
from ._run import Run

_BY_ENDING = {
    **{f".{name}": name for name in ("ss", "sdk", "csv", "json", "dzn", "opensudoku")},
    **{".txt": "line", ".sdm": "line", ".lp": "facts", ".pl": "prolog", ".jsonl": "json"},
}
"""The format of a file, by the ending of its name."""


@click.command()
@FROM
@RULE
@BOX
@OUTPUT
@click.option(
    "--removable", is_flag=True, help="With -f facts: mark every given as removable for asplain."
)
@output_format(*FORMATS, default=None, help="The format to write; -o FILE may name it, too.")
@PUZZLES
def convert(
    puzzle: tuple[str, ...],
    form: str | None,
    output: Path | None,
    box: Box | None,
    source_format: str | None,
    removable: bool,
) -> NoReturn:
    """Convert puzzles to another format.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku convert -f pretty 1..4.....3......
    pylogic-sudoku convert -o puzzles.csv puzzles.txt more.sdk
    pylogic-sudoku convert --from line --box 2x3 -f json - < puzzles.txt
    """
    form = form or (_BY_ENDING.get(output.suffix.lower()) if output else None)
    if form is None:
        raise click.UsageError(
            f"give -f FORMAT, or -o FILE with one of the endings {', '.join(_BY_ENDING)}"
        )
    check_output(output, *puzzle)
    run = Run(puzzle, source_format, box)
    pieces = _pieces(run, Printer(form, removable))
    if output is None:
        for piece in pieces:
            click.echo(piece)
    elif text := "".join(f"{piece}\n" for piece in pieces):
        save(output, text)
    run.end()


def _pieces(run: Run, printer: Printer) -> Iterator[str]:
    """The text of all readable puzzles, piece by piece."""
    for where, puzzle in run.puzzles():
        with run.reporting(where):
            yield from printer.pieces(puzzle)
    yield from printer.end()
