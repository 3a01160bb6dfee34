"""The command ``propagate``: what is left before any guess, side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import NoReturn

import click

from .. import _work
from ..engines import asked
from ..errors import BackendUnavailable, counted, listed
from ..grid import Box, Candidates, Grid
from ..puzzle import Puzzle
from ._options import BACKENDS, BOX, FROM, PUZZLES, RULE, TIMEOUT, output_format
from ._output import say
from ._run import EXIT_CODES, Run

Left = dict[str, Candidates | None]


@click.command(epilog=EXIT_CODES)
@output_format("text", "json", help="Grids of digits, or a JSON object for each puzzle.")
@FROM
@RULE
@BOX
@TIMEOUT
@BACKENDS
@PUZZLES
def propagate(
    puzzle: tuple[str, ...],
    engines: tuple[str, ...],
    timeout: float | None,
    box: Box | None,
    source_format: str | None,
    form: str,
) -> NoReturn:
    """Show what is left of a puzzle before any guess.

    Propagation alone removes digits from cells; where it is not enough, an engine has to search.
    Engines and programs that leave the same are shown together. `show --propagated` draws it.

    \b
    pylogic-sudoku propagate 1..4.....3......
    pylogic-sudoku propagate -b prolog -b prolog:classic puzzle.txt
    """
    run = Run(puzzle, source_format, box, form, engines, timeout)

    def show(where: str, puzzle: Grid | Puzzle, answer: Iterator[Left | str]) -> None:
        left: Left = {}
        for part in answer:
            if isinstance(part, str):
                say(f"{where}: {part}")
            else:
                left |= part
        if form == "json":
            lists = {
                name: each and [[sorted(cell) for cell in row] for row in each]
                for name, each in left.items()
            }
            run.print_json(where, puzzle, left=lists)
        else:
            click.echo("\n\n".join(_texts(puzzle, left)))

    run.each(partial(_left, engines=engines, timeout=timeout), show)
    run.end()


def _left(
    puzzle: Grid | Puzzle, engines: tuple[str, ...], timeout: float | None
) -> Iterator[Left | str]:
    """What each engine leaves, or why it cannot be asked, if others can."""
    chosen = asked(engines, puzzle)
    for name in chosen:
        try:
            yield {name: _work.propagate(puzzle, name, timeout)}
        except BackendUnavailable as error:
            if len(chosen) == 1:
                raise
            yield error.why


def _texts(puzzle: Grid | Puzzle, left: Left) -> Iterator[str]:
    """What is left, once for all engines that leave the same; the first comes first."""
    first = next(iter(left.values()), None)
    for each in dict.fromkeys(left.values()):
        names = listed([name for name, other in left.items() if other == each])
        if each is None:
            yield f"{names}: there is no solution"
            continue
        cells = [cell for row in each for cell in row]
        known = sum(len(cell) == 1 for cell in cells)
        title = f"{names}: {known} of {len(cells)} cells are known"
        title += f", {counted(sum(map(len, cells)), 'candidate')} are left"
        if each is not first and first is not None:
            differ = sum(one != other for one, other in zip(cells, sum(first, ()), strict=True))
            title += f"; {counted(differ, 'cell')} differ from the first"
        yield "\n".join((title, *_rows(puzzle, each)))


def _rows(puzzle: Grid | Puzzle, left: Candidates) -> Iterator[str]:
    between = "" if puzzle.size <= 9 else ","
    texts = [[between.join(map(str, sorted(cell))) for cell in row] for row in left]
    width = max(len(text) for row in texts for text in row)
    height, across = puzzle.box
    for number, row in enumerate(texts):
        stacks = (row[at : at + across] for at in range(0, len(row), across))
        line = " | ".join(" ".join(f"{text:<{width}}" for text in stack) for stack in stacks)
        if number and not number % height:
            yield "-+-".join("-" * ((width + 1) * across - 1) for _ in range(len(row) // across))
        yield line.rstrip()
