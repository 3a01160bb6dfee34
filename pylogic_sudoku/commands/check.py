"""The command ``check``: verdicts on programs, reports on them, and exercises for them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, NoReturn

import click

from .._batch import MOST_JOBS
from ..check import Exercise, Grader, Vocabulary, vocabulary_of
from ..check._exercise import LANGUAGES, PUZZLES, check_new, write_exercise
from ..check._typical import Caught, typical
from ..check.reports import FORMATS
from ..grid import Box, Grid
from ._grading import Sheet, grade
from ._options import (
    BOX,
    FROM,
    RULE,
    BackendName,
    Seconds,
    Source,
    Whole,
    limit,
    output_format,
    timeout,
)
from ._output import say
from ._program_options import ALLOW_SCRIPTS, CONSTANTS, DEFAULTS, MEMORY, PREDICATE, VOCABULARY
from ._run import AnyPuzzle, Run

FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
NEW = click.Path(file_okay=False, path_type=Path)
QUICK = 20.0
"""Seconds for a typical wrong program on an instance."""


@click.command(
    epilog="""\b
Exit codes:
  0    SUCCESS: every instance is a success
  1    FAILURE
  2    bad usage or bad input
  3    an engine is missing
  6    the output cannot be written
  130  interrupted (143 by TERM, 129 by HUP)"""
)
@click.option(
    *("-e", "--encoding", "programs"),
    multiple=True,
    type=click.Path(),
    metavar="FILE",
    help="A program to grade: ASP, or Prolog (*.pl). May be repeated, a folder, or a pattern.",
)
@click.option(
    *("-i", "--instances"),
    type=click.Path(),
    metavar="PATH",
    help="An exercise, a folder of *.lp files with givens as facts, or a file of puzzles.",
)
@click.option(
    *("-s", "--solutions"),
    type=FOLDER,
    help="Folder of reference solutions: x.json holds what clingo --outf=2 prints for x.lp.",
)
@timeout("Time limit for each instance. Default: 100; --init: 20; --make-solutions: none.")
@click.option(
    "--total",
    type=Seconds(),
    metavar="SECONDS",
    help="Time limit for all instances of a program.",
)
@click.option(
    "--deadline",
    type=Seconds(),
    metavar="SECONDS",
    help="Time limit for the whole run; each of several programs gets an equal share.",
)
@limit("The most answers of an instance to compare; 0 for all.", default=DEFAULTS.limit)
@click.option(
    "--against",
    type=BackendName("all"),
    default=DEFAULTS.against,
    show_default=True,
    help="Without -s: the engine whose solutions are the reference; all = both must agree.",
)
@MEMORY
@PREDICATE
@VOCABULARY
@click.option("--input-atom", metavar="NAME", help="Name of the atoms for givens.")
@click.option("--output-atom", metavar="NAME", help="Name of the atoms for a solution.")
@CONSTANTS
@ALLOW_SCRIPTS
@click.option(
    "--jobs",
    type=Whole(1, MOST_JOBS),
    default=1,
    show_default=True,
    help="Processes that share the programs.",
)
@click.option(
    "--report",
    "reports",
    multiple=True,
    metavar="FORMAT=FILE",
    help=f"Write a report; may be repeated. Missing folders are made. FORMAT is"
    f" {', '.join(FORMATS)}.",
)
@click.option(
    "--points",
    multiple=True,
    metavar="NAME=NUMBER",
    help="Points of an instance by its name, or of each: instance=10. A part of them for a way of"
    " failing: missing=0.5, symmetric, nothing, wrong, timeout, error. May be repeated.",
)
@click.option(
    "--bound",
    "bounds",
    multiple=True,
    metavar="NAME=NUMBER",
    help="How much of the output of a program is read: output=256 (megabytes), atoms=3000 (of an"
    " answer), lines=20 and width=500 (of messages), grace=1 (seconds after a wrong answer). May be"
    " repeated.",
)
@click.option("--no-times", is_flag=True, help="Print nothing that differs from run to run.")
@click.option(
    "--brief", is_flag=True, help="One line for each instance, with the reason if it fails."
)
@click.option("--show-hidden", is_flag=True, help="Show hidden instances, for teachers.")
@click.option(
    "--make-solutions",
    type=NEW,
    metavar="FOLDER",
    help="Write FOLDER/instances and FOLDER/solutions from PUZZLES, and grade nothing.",
)
@click.option(
    "--init",
    type=NEW,
    metavar="FOLDER",
    help="Make a whole exercise, from PUZZLES or from five of ours, with files for platforms.",
)
@click.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default="asp",
    show_default=True,
    help="With --init: the language of the students.",
)
@FROM
@RULE
@BOX
@output_format("text", "json", help="Lines to read, or a JSON object for each instance.")
@click.argument("puzzles", nargs=-1, type=Source())
@click.pass_context
def check(
    context: click.Context,
    /,
    vocabulary: str,
    input_atom: str | None,
    output_atom: str | None,
    make_solutions: Path | None,
    init: Path | None,
    language: str,
    source_format: str | None,
    box: Box | None,
    **given: Any,
) -> NoReturn:
    """Grade ASP or Prolog programs on instances.

    \b
    pylogic-sudoku check -e my.lp puzzles.txt
    pylogic-sudoku check -e my.lp -i instances -s solutions -t 100
    pylogic-sudoku check -e my.pl -i exercise --report gradescope=results.json
    pylogic-sudoku check -e submissions/*.lp -i exercise --jobs 2 --report html=class.html
    pylogic-sudoku check --init exercise
    """
    given.update(vocabulary=_vocabulary(vocabulary, input_atom, output_atom))
    given.update(format=source_format, box=box)
    if init or make_solutions:
        run = Run(given["puzzles"], source_format, box, timeout=given["timeout"])
        _check_setting(init, make_solutions, given)
        if make_solutions:
            _make(make_solutions, run, given["limit"], given["vocabulary"])
        if init:
            _set_up(init, run, _grader(given), language, bool(given["puzzles"]))
    grade(Sheet(context, **given))


def _check_setting(init: Path | None, make_solutions: Path | None, given: dict[str, Any]) -> None:
    """UsageError for options that do not go together, or if there are no puzzles."""
    if init and make_solutions:
        raise click.UsageError("--init makes the solutions too; leave out --make-solutions")
    for_grading = ("programs", "instances", "solutions", "points", "bounds", "reports")
    if any(given[name] for name in for_grading):
        option = "--init" if init else "--make-solutions"
        raise click.UsageError(f"{option} takes none of -e, -i, -s, --points, --bound and --report")
    if make_solutions and not given["puzzles"]:
        raise click.UsageError("--make-solutions takes puzzles, and there are none")


def _grader(given: dict[str, Any]) -> Grader:
    """The grader of a new exercise: quicker than usual, since its instances are chosen so."""
    names = ("limit", "total", "memory", "predicate", "vocabulary")
    try:
        return Grader(timeout=given["timeout"] or QUICK, **{name: given[name] for name in names})
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _vocabulary(name: str, given: str | None, solution: str | None) -> Vocabulary:
    try:
        return vocabulary_of(name, given, solution)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


# --- exercises ---


def _make(folder: Path, run: Run, limit: int, words: Vocabulary) -> NoReturn:
    """Make the instances and the solutions of an exercise."""
    made = Exercise(folder, limit=limit, timeout=run.timeout, vocabulary=words)
    _add(made, run, run.puzzles())
    grader = Grader(limit=limit, timeout=QUICK, vocabulary=words)
    passing = [each for each in _typical(made, grader, first=True) if not each.instances]
    if passing:
        say("These typical wrong programs pass:")
        for each in passing:
            say(f"  {each.mistake} ({each.language}); add {each.cure}")
    run.end()


def _set_up(folder: Path, run: Run, grader: Grader, language: str, own: bool) -> NoReturn:
    """Make a whole exercise, from the puzzles of the user's `own` or from ours."""
    check_new(folder)
    made = Exercise(folder, limit=grader.limit, timeout=run.timeout, vocabulary=grader.vocabulary)
    ours = ((remark, Grid.parse(text)) for remark, text in PUZZLES.items())
    _add(made, run, run.puzzles() if own else ours)
    if not any(made.instances.iterdir()):
        run.end()
    for file in write_exercise(made, grader, language):
        click.echo(file)
    caught = (f"  {each}" for each in _typical(made, grader))
    if first := next(caught, ""):
        click.echo(f"\nTypical wrong programs, and the instances that catch each:\n{first}")
    else:
        click.echo("\nThe typical wrong programs are for plain sudoku, so none was run.")
    for each in caught:
        click.echo(each)
    run.end()


def _add(made: Exercise, run: Run, puzzles: Iterable[tuple[str, AnyPuzzle]]) -> None:
    for where, puzzle in puzzles:
        with run.reporting(where):
            click.echo(made.add(puzzle, where))


def _typical(made: Exercise, grader: Grader, first: bool = False) -> Iterable[Caught]:
    if any(made.instances.glob("*.lp")):
        yield from typical(made.instances, made.solutions, grader, first)
