"""The command ``convert``: puzzles from any format to any other."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from typing import NoReturn

import click

from .._output import check_output
from .._saving import save
from ..formats import FORMATS
from ..grid import Box, Grid
from ._printing import ONE_EACH, Printer
from ._run import BOX, FROM, PUZZLES, Run

_BY_ENDING = {
    **{f".{name}": name for name in ("ss", "sdk", "csv", "json", "dzn", "opensudoku")},
    **{".txt": "line", ".sdm": "line", ".lp": "facts", ".pl": "prolog", ".jsonl": "json"},
}
"""The format of a file, by the ending of its name."""


@click.command()
@FROM
@BOX
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write a file; without it, standard output.",
)
@click.option(
    "-f",
    "--format",
    "form",
    type=click.Choice(list(FORMATS)),
    metavar="FORMAT",
    help=f"The format to write: {', '.join(FORMATS)}. Default: by the ending of FILE.",
)
@PUZZLES
def convert(
    puzzle: tuple[str, ...],
    form: str | None,
    output: Path | None,
    box: Box | None,
    source_format: str | None,
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
    pieces = _pieces(run, form)
    if output is None:
        for piece in pieces:
            click.echo(piece)
    elif text := "".join(f"{piece}\n" for piece in pieces):
        save(output, text)
    run.end()


def _pieces(run: Run, form: str) -> Iterator[str]:
    """The text of all puzzles that can be read, piece by piece."""
    puzzles = run.puzzles()
    if form in ONE_EACH:
        puzzles = _only(puzzles, form)
    printer = Printer(form)
    for _, grid in puzzles:
        yield printer.piece(grid)
    if end := printer.end():
        yield end


def _only(puzzles: Iterator[tuple[str, Grid]], form: str) -> Iterator[tuple[str, Grid]]:
    """The same puzzles; UsageError, before the first, if there are several."""
    first = list(islice(puzzles, 2))
    if len(first) > 1:
        raise click.UsageError(
            f"the format {form} holds one puzzle a file, and here are more; convert them one by one"
        )
    return chain(first, puzzles)
