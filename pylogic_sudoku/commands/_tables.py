"""Tables on standard output, readable in a terminal of any width."""

from __future__ import annotations

import os
from collections.abc import Sequence

import click

__all__ = ["print_table"]


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str | None]]) -> None:
    """Prints a table; if it is wider than the terminal, each field on a line of its own."""
    from rich.console import Console
    from rich.table import Table

    console = Console(color_system=None if os.environ.get("NO_COLOR") else "auto")
    table = Table(*headings)
    for row in rows:
        table.add_row(*row)
    natural = console.measure(table, options=console.options.update(width=10_000)).maximum
    if natural <= console.width:
        console.print(table)
        return
    for row in rows:
        for heading, value in zip(headings, row, strict=True):
            click.echo(f"{heading}: {value or ''}")
        click.echo()
