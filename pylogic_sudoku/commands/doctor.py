"""The command ``doctor``."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from ..engines import backends
from ..engines.prolog import swipl
from ._output import print_table


@click.command()
def doctor() -> NoReturn:
    """Report which engines work and how to get the others.

    Exit code 3 if an engine is missing.
    """
    infos = backends()
    rows = [
        (info.name, info.engine, info.version, "ready" if info.available else "missing")
        for info in infos
    ]
    print_table(("backend", "engine", "version", "state"), rows)
    for label, value in swipl.details().items():
        click.echo(f"{label}: {value}")
    missing = [info for info in infos if not info.available]
    for info in missing:
        click.echo(f"\n{info.name}: {info.why}\n{info.cure}")
    sys.exit(3 if missing else 0)
