"""How the command ``check`` makes exercises, and says which wrong programs pass them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import click

from ..check import Exercise, Grader, Vocabulary
from ..check._exercise import PUZZLES, check_new, write_exercise
from ..check._typical import Caught, typical
from ..grid import Grid
from ._output import say
from ._run import AnyPuzzle, Run

__all__ = ["make", "set_up"]

QUICK = 20.0
"""Seconds for a typical wrong program on an instance."""


def make(folder: Path, run: Run, limit: int, words: Vocabulary) -> NoReturn:
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


def set_up(folder: Path, run: Run, grader: Grader, language: str, own: bool) -> NoReturn:
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
