"""The command ``show``: a picture of a puzzle, in the terminal or in a file."""

from __future__ import annotations

from itertools import chain
from pathlib import Path
from typing import Any, NoReturn

import click

from .. import _api as api
from .._output import check_output
from ..draw import ROLES, Highlight, Picture, difference, mistakes, pencil_marks
from ..errors import InvalidPuzzle
from ..grid import Box, Candidates, Cell, Grid, Placement
from ._pictures import OUTPUT, for_one_file, print_picture
from ._run import BOX, EXIT_CODES, FROM, PUZZLES, TIMEOUT, BackendName, Run
from ._values import Source


@click.command(epilog=EXIT_CODES)
@FROM
@BOX
@TIMEOUT
@click.option(
    "-b",
    "--backend",
    type=BackendName(),
    default="clingo",
    show_default=True,
    help="The engine that --solve and --possible ask.",
)
@click.option("--title", default="", help="A line to stand above the picture.")
@click.option(
    "--difference",
    "other",
    metavar="GRID",
    type=Source(),
    help="Mark where this other grid differs.",
)
@click.option(
    "--highlight",
    "chosen",
    multiple=True,
    metavar="[ROLE:]WHAT",
    help=f"Mark r3c2, its candidate r3c2=5, box 4, or every 7; ROLE is one of {', '.join(ROLES)}.",
)
@click.option("--possible", is_flag=True, help="Pencil marks: the digits of all solutions.")
@click.option(
    "--candidates", is_flag=True, help="Pencil marks: the digits that no house of a cell holds."
)
@click.option(
    "--solution", metavar="GRID", type=Source(), help="Draw this solution into the puzzle."
)
@click.option("--solve", is_flag=True, help="Find a solution and draw it into the puzzle.")
@OUTPUT
@PUZZLES
def show(
    puzzle: tuple[str, ...],
    source_format: str | None,
    box: Box | None,
    timeout: float | None,
    output: Path | None,
    **options: Any,
) -> NoReturn:
    """Draw puzzles, in the terminal or into a file.

    PUZZLE is a puzzle, a file with one or many, or - for standard input; GRID is a puzzle or a
    file. Digits that break a rule are marked.

    \b
    pylogic-sudoku show 1..4.....3......
    pylogic-sudoku show --solve -o puzzle.svg puzzle.txt
    pylogic-sudoku show --candidates --highlight "row 1" --highlight removed:r1c2=3 1..4.....3......
    pylogic-sudoku show --difference mine.txt theirs.txt
    """
    run = Run(puzzle, source_format, box, timeout=timeout)
    if output is not None:
        check_output(output, *puzzle, options["solution"], options["other"])
        for where, grid in for_one_file(run):
            with run.costing_only_itself(where):
                _picture(run, where, grid, **options).save(output)
        run.end()
    for number, (where, grid) in enumerate(run.puzzles()):
        with run.costing_only_itself(where):
            picture = _picture(run, where, grid, **options)
            if number:
                click.echo()
            print_picture(picture)
    run.end()


def _picture(
    run: Run,
    where: str,
    grid: Grid,
    solve: bool,
    solution: str | None,
    candidates: bool,
    possible: bool,
    chosen: tuple[str, ...],
    other: str | None,
    title: str,
    backend: str,
) -> Picture:
    """The picture that the options ask for."""
    full = grid
    if solution is not None:
        full = _grid("--solution", solution, grid)
    elif solve:
        found = api.solve(grid, backend, run.timeout)
        if found is None:
            run.no_solution(where, grid)
        full = found or grid
    marks = pencil_marks(full) if candidates else None
    if possible:
        marks = api.candidates(full, backend, run.timeout)
    highlights = [*mistakes(full, grid), *(_highlight(text, full, marks) for text in chosen)]
    if other is not None:
        theirs = _grid("--difference", other, grid)
        highlights.append(difference(full, theirs, "differs; small: the other grid's digit"))
    return Picture(full, grid, marks, tuple(highlights), title)


def _grid(option: str, source: str, puzzle: Grid) -> Grid:
    for _, grid in Run((source,), box=puzzle.box).puzzles():
        return grid
    raise InvalidPuzzle(f"{option} takes a grid or a file with one")


def _highlight(text: str, grid: Grid, marks: Candidates | None) -> Highlight:
    role, colon, what = text.rpartition(":")
    if colon and role not in ROLES:
        raise InvalidPuzzle(f"--highlight {text!r}: ROLE is one of {', '.join(ROLES)}")
    houses = {f"{house.kind}{house.number}": house.cells for house in grid.houses}
    cells: list[Cell] = []
    candidates: list[Placement] = []
    for part in what.split(","):
        word = part.replace(" ", "").lower()
        name, _, digit = word.partition("=")
        if word in houses:
            role = role or "house"
            cells += houses[word]
        elif word.isdecimal():
            candidates += _every(int(word), grid, marks)
        elif digit.isdecimal():
            candidates.append(Placement(*_cell(name, grid), int(digit)))
        else:
            cells.append(_cell(word, grid))
    return Highlight(what.strip(), role or "target", tuple(cells), tuple(candidates))


def _every(digit: int, grid: Grid, marks: Candidates | None) -> list[Placement]:
    """The cells that hold the digit, and those that have it as a pencil mark."""
    digits = chain.from_iterable(marks or ((frozenset(),) * grid.size,) * grid.size)
    each = zip(grid.cells, grid.digits, digits, strict=True)
    return [Placement(*cell, digit) for cell, own, small in each if digit in (own, *small)]


def _cell(name: str, grid: Grid) -> Cell:
    try:
        return Cell.of(name, grid.size)
    except IndexError:
        raise InvalidPuzzle(
            f"{name!r} is nothing in this grid; expected r1c1 (to r{grid.size}c{grid.size}), r1c1=2"
            " for a candidate, row 1, column 1, box 1, or a digit"
        ) from None
