"""The command ``show``: a picture of a puzzle, in the terminal or in a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from .. import questions as api
from ..draw import Picture, Sheet, difference, mistakes, pencil_marks, require
from ..formats import FORMATS, as_grid
from . import AnyPuzzle, Run, puzzle_in
from . import options as opt
from .output import EXIT_CODES, GridPrinter, check_output, print_picture, waiting


@opt.command(epilog=EXIT_CODES)
@opt.on_puzzles(opt.TIMEOUT)
@opt.backend("The engine that --solve and --candidates ask.")
@click.option("--title", default="", help="A line above the picture.")
@opt.option(
    *("--candidates", "small"),
    type=click.Choice(["pencil", "exact", "propagated"]),
    help="Small digits: not yet in a house of the cell, in some solution, or left by an engine"
    " before any guess.",
)
@opt.option("--solution", metavar="GRID", type=opt.Source(), help="Draw this solution.")
@opt.option(
    *("--difference", "other"),
    metavar="GRID",
    type=opt.Source(),
    help="Mark the cells in which this other grid differs.",
)
@opt.flag("--solve", help="Find a solution and draw it, unless there is --solution.")
@opt.picture()
def show(run: Run, output: Path | None, **options: Any) -> None:
    """Draw puzzles, in the terminal or into a file.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. GRID is a puzzle or a
    file. Digits that break a rule are marked. Several puzzles are drawn on a sheet to print.

    \b
    pylogic-sudoku show 1..4.....3......
    pylogic-sudoku show --solve -o puzzle.svg puzzle.txt
    pylogic-sudoku show -o sheet.html puzzles.txt
    pylogic-sudoku show --candidates pencil 1..4.....3......
    """
    check_output(output, *opt.files_read())
    if output:
        require(output.suffix.lower())
    drawn: list[Picture] = []
    for where, puzzle in run.puzzles():
        with run.reporting(where):
            with waiting(where):
                picture = _picture(run, where, puzzle, **options)
            if output is None:
                if drawn:
                    click.echo()
                print_picture(picture)
            drawn.append(picture)
    if output is not None and drawn:
        (drawn[0] if len(drawn) == 1 else Sheet(drawn)).save(output)


def _picture(
    run: Run,
    where: str,
    puzzle: AnyPuzzle,
    small: str | None,
    solve: bool,
    solution: str | None,
    title: str,
    backend: str,
    other: str | None,
) -> Picture:
    """The picture that the options ask for."""
    grid = full = puzzle.grid
    if solution is not None:
        full = as_grid(puzzle_in("--solution", solution, puzzle.box))
    elif solve:
        full_grid = api.solve(puzzle, backend, run.timeout)
        if full_grid is None:
            run.no_solution(where, puzzle)
        full = full_grid or grid
    filled = puzzle.with_grid(full)
    marks = None
    if small == "pencil":
        marks = pencil_marks(filled)
    elif small == "exact":
        marks = api.candidates(filled, backend, run.timeout)
    elif small == "propagated":
        marks = api.propagate(filled, backend, run.timeout)
        if marks is None:
            run.no_solution(where, puzzle)
    title = title or getattr(puzzle, "title", "")
    marked = list(mistakes(full, puzzle))
    if other is not None:
        theirs = puzzle_in("--difference", other, puzzle.box)
        marked.append(difference(full, theirs, "differs; small: the other grid's digit"))
    return Picture(full, puzzle, marks, tuple(marked), title)


# --- convert ---


@opt.command()
@opt.printing
@opt.on_puzzles()
@opt.output_format(*FORMATS, default=None, help="The format to write; -o FILE may name it, too.")
def convert(run: Run) -> None:
    """Convert puzzles to another format.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku convert -f pretty 1..4.....3......
    pylogic-sudoku convert -o puzzles.csv puzzles.txt more.sdk
    pylogic-sudoku convert --from line -f json - < puzzles.txt
    """
    form, run.form = run.form, "text"  # an unreadable puzzle has no answer to print
    if form is None:
        endings = ", ".join(each for each, named in opt.ENDINGS.items() if named in FORMATS)
        raise click.UsageError(f"give -f FORMAT, or -o FILE with one of the endings {endings}")
    with GridPrinter(form) as write:
        for where, puzzle in run.puzzles():
            with run.reporting(where):
                write(puzzle)
