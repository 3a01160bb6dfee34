"""The command ``programs``."""

from __future__ import annotations

import click


@click.command()
@click.argument("name", required=False)
def programs(name: str | None) -> None:
    """List the programs of both engines, or print one.

    A program states sudoku for an engine. Its NAME goes wherever an engine goes: -b prolog:classic.
    So does a file of your own: -b prolog:my.pl, -b clingo:my.lp.

    \b
    pylogic-sudoku programs
    pylogic-sudoku programs prolog:classic
    pylogic-sudoku compare -b 'prolog:*' -b 'clingo:*' puzzles.txt
    """
    from ..engines import programs as known

    if name is not None:
        click.echo(known.program(name).text, nl=False)
        return
    for program in known.programs():
        beyond = ", ".join(sorted(program.knows))
        takes = program.shapes + (f"; {beyond}" if beyond else "")
        click.echo(f"{program.name}: {program.paradigm}; {takes}")
        click.echo(click.wrap_text(program.teaches, 78, "    ", "    "))
