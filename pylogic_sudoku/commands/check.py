"""The command ``check``: verdicts on programs, and exercises for them."""

from __future__ import annotations

import json
import sys
from collections import Counter
from dataclasses import asdict
from pathlib import Path
from typing import Any, NoReturn

import click

from ..check import Exercise, Verdict, Vocabulary, grade, vocabulary_of
from ..check._process import limits_memory
from ..grid import Box, Grid
from ._options import (
    ALLOW_SCRIPTS,
    BOX,
    CONSTANTS,
    FROM,
    MEMORY,
    PREDICATE,
    RULE,
    VOCABULARY,
    BackendName,
    Source,
    limit,
    output_format,
    timeout,
)
from ._output import say
from ._run import Run

FILE = click.Path(exists=True, dir_okay=False, path_type=Path)
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _vocabulary(name: str, given: str | None, solution: str | None) -> Vocabulary:
    try:
        return vocabulary_of(name, given, solution)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


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
@click.option("-e", "--encoding", type=FILE, help="The program to grade: ASP, or Prolog (*.pl).")
@click.option(
    "-i",
    "--instances",
    type=click.Path(exists=True, path_type=Path),
    help="Folder of *.lp files with givens as facts; or one file of puzzles in any format.",
)
@click.option(
    "-s",
    "--solutions",
    type=FOLDER,
    help="Folder of reference solutions: x.json holds what clingo --outf=2 prints for x.lp.",
)
@timeout("Time limit for each instance. Default: 100; with --make-solutions: no limit.")
@limit("The most answers of an instance to compare; 0 for all.", default=925)
@click.option(
    "--against",
    type=BackendName("all"),
    default="clingo",
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
    "--make-solutions",
    "exercise",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Write FOLDER/instances and FOLDER/solutions from PUZZLES, and grade nothing.",
)
@FROM
@RULE
@BOX
@output_format("text", "json", help="Lines to read, or a JSON object for each instance.")
@click.argument("puzzles", nargs=-1, type=Source())
def check(
    encoding: Path | None,
    instances: Path | None,
    solutions: Path | None,
    timeout: float | None,
    vocabulary: str,
    input_atom: str | None,
    output_atom: str | None,
    limit: int,
    exercise: Path | None,
    puzzles: tuple[str, ...],
    source_format: str | None,
    box: Box | None,
    form: str,
    **options: Any,
) -> NoReturn:
    """Grade an ASP or Prolog program on a folder of instances.

    \b
    pylogic-sudoku check -e my.lp -i instances -s solutions -t 100
    pylogic-sudoku check -e my.pl -i instances --against all
    pylogic-sudoku check --make-solutions exercise puzzles.txt
    """
    words = _vocabulary(vocabulary, input_atom, output_atom)
    if exercise is not None:
        if encoding or instances or solutions or not puzzles:
            raise click.UsageError("--make-solutions takes puzzles, and none of -e, -i and -s")
        _make(exercise, Run(puzzles, source_format, box, timeout=timeout), limit, words)
    if encoding is None or instances is None or puzzles:
        raise click.UsageError("expected -e ENCODING and -i INSTANCES (or --make-solutions)")
    if not limits_memory():
        say("This system cannot limit memory: --memory has no effect.")
    try:
        verdicts = grade(
            encoding,
            instances,
            solutions,
            limit=limit,
            timeout=timeout or 100,
            vocabulary=words,
            format=source_format,
            box=box,
            **options,
        )
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    outcomes: Counter[str] = Counter()
    ungraded = 0
    for verdict in verdicts:
        outcomes[verdict.outcome] += 1
        ungraded += not verdict.graded
        if form == "json":
            click.echo(json.dumps(_plain(verdict)))
        else:
            _print(verdict)
    number, passed = outcomes.total(), outcomes["success"]
    word = "SUCCESS" if passed == number else "FAILURE"
    if form == "json":
        counts = {"instances": number, "passed": passed, "not_graded": ungraded}
        click.echo(json.dumps({"verdict": word, **counts, **outcomes}))
    else:
        more = f", {ungraded} not graded" if ungraded else ""
        click.echo(f"{passed} of {number} passed{more}\n{word}")
    sys.exit(0 if word == "SUCCESS" else 1)


def _make(folder: Path, run: Run, limit: int, words: Vocabulary) -> NoReturn:
    made = Exercise(folder, limit=limit, timeout=run.timeout, vocabulary=words)
    for where, grid in run.puzzles():
        with run.reporting(where):
            click.echo(made.add(grid, where))
    run.end()


def _plain(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON: grids as rows."""
    fields = asdict(verdict)
    for name in ("missing_grid", "extra_grid"):
        grid: Grid | None = getattr(verdict, name)
        fields[name] = grid and grid.to_json()
    return fields


def _print(verdict: Verdict) -> None:
    """Print one line, with the reason indented below it."""
    click.echo(f"{verdict.instance:<12} {verdict.outcome:<7} {verdict.milliseconds:>7} ms")
    if verdict.missing_grid:
        _indent(f"missing: {verdict.missing} of the reference solutions, such as")
        _indent(verdict.missing_grid.format("pretty"), 8)
    if verdict.extra_grid:
        extra, number = verdict.extra, verdict.answers
        answers = "1 answer" if number == 1 else f"{number} answers"
        exact, least = f"{extra} of {answers}", f"at least {extra} ({answers} until then)"
        _indent(f"extra: {exact if verdict.exhausted else least}, such as")
        if verdict.extra_grid.givens:
            _indent(verdict.extra_grid.format("pretty"), 8)
        _indent(verdict.rule, 8)
    _indent(verdict.message)


def _indent(text: str, by: int = 4) -> None:
    """Print lines in which a program can fake neither a verdict nor terminal control codes."""
    for line in text.splitlines():
        safe = "".join(each if each.isprintable() else "?" for each in line.expandtabs())
        click.echo(" " * by + safe)
