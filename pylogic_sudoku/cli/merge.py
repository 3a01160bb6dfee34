"""The command ``merge``: one result of the records of all shares."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, NoReturn

import click

from ..questions.shares import InvalidRecords, merged
from . import options as opt
from .output import check_output

_MODULES = {"compare": "questions", "check": "check", "coverage": "coverage", "class": "marks"}
"""The modules of the commands that have shares; ``merge_compare`` merges those of ``compare``."""
_OF_ONE = {
    ("log", "--json"): "compare",
    ("reports", "--report"): "check",
    ("brief", "--brief"): "check",
    ("suggests", "--suggest"): "coverage",
}
"""The options that one command has, with its name."""
_FORMS = {"coverage": ("text", "html", "cobertura", "json"), "class": ("text", "json")}
_OTHERS = ("text", "json", "lines")
"""The forms of a command's output: those of other commands."""


@opt.command(
    epilog="""\
Exit codes: those of a run without shares; 2 if the records are not those of all shares of one
run.""",
)
@opt.output_format(
    *("text", "json", "lines", "html", "cobertura"), help="The output, as the command prints it."
)
@opt.printing
@opt.option(
    *("--json", "log"),
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Of compare: write its records to this file.",
)
@opt.several(
    "--report", "reports", metavar="FORMAT=FILE", help="Of check: a report; may be repeated."
)
@opt.flag("--brief", help="Of check: one line for each instance.")
@opt.flag("--suggest", "suggests", help="Of coverage: look for the smallest instances.")
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False))
def merge(files: tuple[str, ...], form: str, **options: Any) -> NoReturn:
    """Merge the records of all shares of a run.

    FILE is what a command with --shard K/N has written. The result is what the command would have
    written without --shard. Shares and items that are missing or come twice are errors, and so are
    shares of different runs. For `class` the result is a record, for `class --record`.

    \b
    pylogic-sudoku compare --shard 1/2 -o 1.jsonl puzzles.txt  # here
    pylogic-sudoku compare --shard 2/2 -o 2.jsonl puzzles.txt  # elsewhere
    pylogic-sudoku merge 1.jsonl 2.jsonl
    """
    try:
        found = merged(files)
    except InvalidRecords as error:
        raise click.ClickException(str(error)) from None
    module = _MODULES.get(found.command)
    if module is None:
        raise click.ClickException(
            f"{files[0]} is a record of {found.command}, which this command cannot merge"
        )
    for (name, option), command in _OF_ONE.items():
        if command != found.command and options.pop(name):
            raise click.UsageError(f"{option} is of {command}, not of {found.command}")
    if form not in _FORMS.get(found.command, _OTHERS):
        raise click.UsageError(f"-f {form} is not a format of {found.command}")
    for file in filter(None, [options.get("log")]):
        check_output(file, *files)
    merge_one: Callable[..., int] = getattr(
        import_module(f".{module}", __package__), f"merge_{found.command}"
    )
    try:
        code = merge_one(found, form, **options)
    except (KeyError, TypeError, IndexError) as error:
        raise click.ClickException(
            f"{files[0]} is not a record of {found.command}: {type(error).__name__}: {error}"
        ) from None
    sys.exit(code)
