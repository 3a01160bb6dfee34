"""The command ``show``: a picture of a puzzle, in the terminal or in a file."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any

import click

from .. import questions as api
from ..draw import ROLES, Highlight, Picture, mistakes, pencil_marks, require
from ..errors import InvalidPuzzle
from ..formats import FORMATS, as_grid
from ..puzzle.cells import Candidates, Cell, Placement
from . import AnyPuzzle, Run, puzzle_in
from . import options as opt
from .output import EXIT_CODES, check_output, print_picture, printing_grids, waiting


@click.command(epilog=EXIT_CODES)
@opt.on_puzzles(opt.TIMEOUT)
@opt.backend("The engine that --solve and --candidates ask.")
@click.option("--title", default="", help="A line above the picture.")
@opt.several(
    *("--highlight", "chosen"),
    metavar="[ROLE:]WHAT",
    help=f"Mark r3c2, its candidate r3c2=5, box 4, or every 7. ROLE is one of {', '.join(ROLES)}.",
)
@opt.option(
    *("--candidates", "small"),
    type=click.Choice(["pencil", "exact", "propagated"]),
    help="Small digits: that no house of the cell holds yet, that the cell has in a solution, or"
    " that an engine leaves before any guess.",
)
@opt.option("--solution", metavar="GRID", type=opt.Source(), help="Draw this solution.")
@opt.flag("--solve", help="Find a solution and draw it, unless there is --solution.")
@opt.picture()
def show(run: Run, output: Path | None, **options: Any) -> None:
    """Draw puzzles, in the terminal or into a file.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. GRID is a puzzle or a
    file. Digits that break a rule are marked.

    \b
    pylogic-sudoku show 1..4.....3......
    pylogic-sudoku show --solve -o puzzle.svg puzzle.txt
    pylogic-sudoku show --candidates pencil --highlight removed:r1c2=3 1..4.....3......
    """
    check_output(output, *opt.files_read())
    if output:
        require(output.suffix.lower())
    for number, (where, found) in enumerate(run.puzzles("-o" if output else "")):
        with run.reporting(where):
            with waiting(where):
                picture = _picture(run, where, found, **options)
            if output is not None:
                picture.save(output)
                continue
            if number:
                click.echo()
            print_picture(picture)


def _picture(
    run: Run,
    where: str,
    puzzle: AnyPuzzle,
    small: str | None,
    solve: bool,
    solution: str | None,
    chosen: tuple[str, ...],
    title: str,
    backend: str,
) -> Picture:
    """The picture that the options ask for."""
    grid = full = puzzle.grid
    if solution is not None:
        full = as_grid(puzzle_in("--solution", solution, puzzle.box))
    elif solve:
        found = api.solve(puzzle, backend, run.timeout)
        if found is None:
            run.no_solution(where, puzzle)
        full = found or grid
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
    highlights = [*mistakes(full, puzzle), *(_highlight(text, filled, marks) for text in chosen)]
    title = title or getattr(puzzle, "title", "")
    return Picture(full, puzzle, marks, tuple(highlights), title)


def _highlight(text: str, puzzle: AnyPuzzle, marks: Candidates | None) -> Highlight:
    role, colon, what = text.rpartition(":")
    if colon and role not in ROLES:
        raise InvalidPuzzle(f"--highlight {text!r}: ROLE is one of {', '.join(ROLES)}")
    houses = {f"{house.kind}{house.number}": house.cells for house in puzzle.houses}
    digits = {str(digit) for digit in range(1, puzzle.size + 1)}
    cells: list[Cell] = []
    candidates: list[Placement] = []
    for part in what.split(","):
        word = part.replace(" ", "").lower()
        name, _, digit = word.partition("=")
        if word in houses:
            role = role or "house"
            cells += houses[word]
        elif word in digits:
            candidates += _every(int(word), puzzle, marks)
        elif digit in digits:
            candidates.append(Placement(*_cell(name, puzzle), int(digit)))
        else:
            cells.append(_cell(word, puzzle))
    return Highlight(what.strip(), role or "target", tuple(cells), tuple(candidates))


def _every(digit: int, puzzle: AnyPuzzle, marks: Candidates | None) -> list[Placement]:
    """The cells that hold the digit, also as one of the small digits."""
    digits = chain.from_iterable(marks or ((frozenset(),) * puzzle.size,) * puzzle.size)
    each = zip(puzzle.cells, puzzle.digits, digits, strict=True)
    return [Placement(*cell, digit) for cell, own, small in each if digit in (own, *small)]


def _cell(name: str, puzzle: AnyPuzzle) -> Cell:
    n = puzzle.size
    try:
        return Cell.of(name, n)
    except IndexError:
        area = puzzle.houses[-1].kind
        raise InvalidPuzzle(
            f"{name!r} is not in this grid; expected r1c1 (to r{n}c{n}), r1c1=2 for a"
            f" candidate, row 1, column 1, {area} 1, or a digit"
        ) from None


# --- convert ---


@click.command()
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
    write = printing_grids(form)
    for where, puzzle in run.puzzles():
        with run.reporting(where):
            write(puzzle)
