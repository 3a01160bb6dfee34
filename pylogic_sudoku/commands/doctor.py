"""The command ``doctor``."""

from __future__ import annotations

import sys
from typing import NoReturn

import click

from ..engines import BackendInfo, backends
from ..engines.prolog import swipl
from ._output import print_table


@click.command()
def doctor() -> NoReturn:
    """Report which engines work and how to get the others.

    Exit code 3 if an engine is missing; the optional ones need not be there.
    """
    infos = backends()
    rows = [(info.name, info.engine, info.version, _state(info)) for info in infos]
    print_table(("backend", "engine", "version", "state"), rows)
    for label, value in swipl.details().items():
        click.echo(f"{label}: {value}")
    missing = [info for info in infos if not info.available]
    for info in missing:
        click.echo(f"\n{info.name}: {info.why}\n{info.cure}")
    sys.exit(3 if any(not info.optional for info in missing) else 0)


def _state(info: BackendInfo) -> str:
    if info.available:
        return "ready"
    return "missing, optional" if info.optional else "missing"
