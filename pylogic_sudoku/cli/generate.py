"""The command ``generate``: new puzzles, made to order."""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path
from secrets import randbelow
from typing import Any, NoReturn

import click

from ..errors import InvalidPuzzle, listed
from ..formats import FORMATS, HOLD_RULES, names_file
from ..formats.lists import read_rules
from ..making import generate
from ..making.request import SYMMETRIES, TRIES
from ..making.rules import LAID
from ..puzzle.cells import Box
from ..rules import Rule, from_json
from ..rules.own import LANGUAGES, define_files
from ..techniques.table import LEVELS
from . import options as opt
from . import puzzle_in
from .output import ONE_EACH, GridPrinter, exit_codes, patient, progress, say


def _range(text: str) -> tuple[int, int]:
    """The least and the greatest number of texts such as 24 and 22-26."""
    match = re.fullmatch(r"(\d{1,9})(?:-(\d{1,9}))?", text)
    if not match or int(match[1]) > int(match[2] or match[1]):
        raise ValueError(f"{text!r} is not a whole number, or two such as 22-26")
    return int(match[1]), int(match[2] or match[1])


def _text(value: str) -> str:
    """The text of the file, or the value itself if there is no such file."""
    try:
        return Path(value).read_text("utf-8") if Path(value).is_file() else value
    except ValueError as error:
        raise InvalidPuzzle(f"{value}: cannot be read: {error}") from None
    except OSError:  # too long for a file name
        return value


def _rules(_context: Any, parameter: Any, values: tuple[str, ...]) -> list[Rule | str]:
    """The rules of these texts and files, or their names; programs of your own are defined."""
    programs = [Path(value) for value in values if Path(value).suffix.lower() in LANGUAGES]
    with opt.refusing(parameter):
        if programs:
            define_files(programs)
        return [
            rule for value in values if Path(value) not in programs for rule in _read_rules(value)
        ]


def _read_rules(value: str) -> list[Rule | str]:
    text = _text(value)
    is_file = text != value
    if not is_file and Path(value).suffix and names_file(value):
        raise InvalidPuzzle(f"{value}: there is no such file")
    try:
        return [each if isinstance(each, str) else from_json(each) for each in read_rules(text)]
    except InvalidPuzzle as error:
        raise InvalidPuzzle(f"{value}: {error}" if is_file else str(error)) from None


@opt.command(
    "generate",
    epilog=exit_codes("no puzzle meets the request"),
)
@opt.flag("--certify", help="Let clingo and Prolog both count the solutions.")
@opt.option("--seed", type=opt.whole(0), help="Make the puzzles of another run with this seed.")
@opt.processes("Processes that make the same puzzles.")
@opt.option("--tries", type=opt.whole(1), default=TRIES, help="Full grids to try for each puzzle.")
@opt.timeout("Time limit for each puzzle.")
@opt.backend("The engine that decides on uniqueness.")
@opt.option("--solution", type=opt.Source(), metavar="GRID", help="The solution of all puzzles.")
@opt.several(
    *("--kind", "kinds"),
    type=click.Choice(list(LAID)),
    metavar="KIND",
    help=f"Fit rules of this kind to the solution: {', '.join(LAID)}. May be repeated.",
)
@opt.several(
    *("--rule", "rules"),
    metavar="RULE",
    type=opt.Source(),
    callback=_rules,
    help="A rule of all puzzles: a name such as windoku, JSON, a Prolog term, or a file of these or"
    " of your own rule. May be repeated.",
)
@opt.option("--level", type=click.Choice(list(LEVELS)), help="How hard the puzzles are.")
@opt.option("--regions", type=opt.Source(), help="Regions, as a label for each cell, or a file.")
@opt.option("--box", type=opt.BOX_SHAPE, help="Rows and columns of a box.  [default: 3x3]")
@opt.option(
    "--symmetry",
    type=click.Choice(list(SYMMETRIES)),
    metavar="NAME",
    help=f"Symmetry of the pattern of givens: {', '.join(SYMMETRIES)}.",
)
@opt.option("--givens", type=opt.Value("N-M", _range), help="The number of givens: 24, or 22-26.")
@opt.flag("--minimal", help="No given can be removed.")
@opt.output_format(
    *FORMATS, default=None, help="How puzzles are written.  [default: line; json with rules]"
)
@opt.printing
@click.argument("number", type=opt.whole(0), default=1)
def command(
    number: int,
    form: str | None,
    seed: int | None,
    kinds: tuple[str, ...],
    rules: list[Rule | str],
    regions: str | None,
    solution: str | None,
    box: Box | None,
    **wanted: Any,
) -> NoReturn:
    """Make new puzzles, each with exactly one solution.

    NUMBER 0 means until Ctrl-C. Without --seed, one is drawn at random, and printed as a message.

    \b
    pylogic-sudoku generate 10
    pylogic-sudoku generate --minimal --seed 7             # always the same one
    pylogic-sudoku generate --symmetry rotation --level hard
    pylogic-sudoku generate --kind killer_cage --rule anti_knight -f pretty
    """
    is_plain = not (regions or kinds or rules)
    form = form or ("line" if is_plain else "json")
    if not is_plain and form != "pretty" and form not in HOLD_RULES:
        others = listed([*HOLD_RULES, "pretty"], "or")
        raise click.UsageError(f"-f {form} holds a grid alone; use -f {others}")
    if form in ONE_EACH and number != 1:
        raise click.UsageError(f"a file of the format {form} holds one puzzle, not {number}")
    drawn = randbelow(opt.MAX_WHOLE) if seed is None else seed
    most = number or None
    with progress(lambda: most, shown=sys.stdout.isatty()) as advance:
        try:
            puzzles = generate(
                most,
                seed=drawn,
                rules=[*kinds, *rules],
                box=box,
                regions=_text(regions) if regions else None,
                solution=puzzle_in("--solution", solution, box) if solution else None,
                **wanted,
            )
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        if seed is None:
            say(f"--seed {drawn} makes the same puzzles again")
        with closing(puzzles), GridPrinter(form) as show:
            for puzzle in patient(puzzles, "generating"):
                show(puzzle)
                advance()
    sys.exit(0)
