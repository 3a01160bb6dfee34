"""The options that say how the programs of other people are run: of ``check`` and the notebook."""

from __future__ import annotations

from typing import Any

import click

from ..check import VOCABULARIES, Grader
from ..check._programs import checked_constants
from ._options import Whole

__all__ = ["ALLOW_SCRIPTS", "CONSTANTS", "DEFAULTS", "MEMORY", "PREDICATE", "VOCABULARY"]

DEFAULTS = Grader()


def _constants(_context: Any, parameter: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    try:
        return checked_constants(values)
    except ValueError as error:
        raise click.BadParameter(str(error), param=parameter) from None


MEMORY = click.option(
    "--memory",
    type=Whole(1),
    default=DEFAULTS.memory,
    show_default=True,
    metavar="MB",
    help="Memory limit of the program, in megabytes.",
)
PREDICATE = click.option(
    "--predicate",
    default=DEFAULTS.predicate,
    show_default=True,
    help="The predicate of a Prolog program, called with a list of rows.",
)
VOCABULARY = click.option(
    "--vocabulary",
    type=click.Choice(list(VOCABULARIES)),
    default="initial",
    show_default=True,
    help="Atoms of an ASP program: initial -> sudoku, or one name for givens and solution.",
)
CONSTANTS = click.option(
    *("-c", "--const", "constants"),
    multiple=True,
    callback=_constants,
    metavar="NAME=VALUE",
    help="A constant for clingo; may be repeated.",
)
ALLOW_SCRIPTS = click.option(
    "--allow-scripts", is_flag=True, help="Run #script blocks, which may do anything."
)
