"""How the command ``check`` makes exercises."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import click

from ..check import Exercise, Vocabulary
from ._run import Run

__all__ = ["make", "set_up"]


def make(folder: Path, run: Run, limit: int, words: Vocabulary) -> NoReturn:
    """Make the instances and the solutions of an exercise."""
    made = Exercise(folder, limit=limit, timeout=run.timeout, vocabulary=words)
    for where, grid in run.puzzles():
        with run.reporting(where):
            click.echo(made.add(grid, where))
    run.end()


def set_up(folder: Path, run: Run, limit: int, words: Vocabulary) -> NoReturn:
    """Make a whole exercise."""
    raise click.UsageError("not yet")
