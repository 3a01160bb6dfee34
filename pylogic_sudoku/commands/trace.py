"""The command ``trace``: a search, event by event."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NoReturn

import click

from .. import _work
from ..engines.base import Event
from ..errors import counted
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._options import BOX, FROM, PUZZLES, RULE, TIMEOUT, backend, limit, output_format
from ._output import say
from ._run import EXIT_CODES, Run


@click.command(epilog=EXIT_CODES)
@output_format("text", "json", help="An indented tree, or a JSON object a line for each event.")
@limit("Stop printing after so many events; 0 prints all.", default=2_000)
@FROM
@RULE
@BOX
@TIMEOUT
@backend("The engine or the program to watch.")
@PUZZLES
def trace(
    puzzle: tuple[str, ...],
    backend: str,
    timeout: float | None,
    box: Box | None,
    source_format: str | None,
    form: str,
    limit: int,
) -> NoReturn:
    """Show how an engine searches, event by event.

    A choice is a guess; the lines below it say what follows, and where the search goes back.

    \b
    pylogic-sudoku trace -b prolog puzzle.txt
    pylogic-sudoku trace -b prolog:different -n 100 puzzle.txt
    """
    import json

    run = Run(puzzle, source_format, box, form, (backend,), timeout)

    def show(where: str, puzzle: Grid | Puzzle, answer: Iterator[Event | dict[str, int]]) -> None:
        solved = shown = 0
        for part in answer:
            if isinstance(part, Event):
                solved, shown = part.kind == "solution", shown + 1
                text = json.dumps(_work.to_json(part)) if form == "json" else _work.line(part)
                click.echo(text)
            elif (total := sum(part.values())) > shown:
                say(f"{where}: these are the first {shown:,} of {total:,} events; -n 0 prints all")
                solved = bool(part.get("solution"))
                say(f"{where}: {counted(part.get('choice', 0), 'choice')} in all")
        if not solved:
            run.no_solution(where, puzzle)

    run.each(partial(_events, backend=backend, limit=limit or None, timeout=timeout), show)
    run.end()


def _events(
    puzzle: Grid | Puzzle, backend: str, limit: int | None, timeout: float | None
) -> Iterator[Event | dict[str, int]]:
    """The events up to the limit, and then how many there were of each kind."""
    events = _work.trace(puzzle, backend, limit, timeout)
    try:
        yield from events
        yield events.counts
    finally:
        events.close()
