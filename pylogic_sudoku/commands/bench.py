"""The command ``bench``: the engines and their peers side by side."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

from .._api import PROCESSES
from .._output import check_output
from .._saving import is_regular, save
from ..errors import InvalidPuzzle
from ..grid import Box
from ._run import BOX, Seconds, Whole
from ._values import Source

if TYPE_CHECKING:
    from ..bench.measure import SetResult
    from ..bench.sets import PuzzleSet
    from ..bench.solver import Contestant

_FIGURES = b'{\n "machine": {'
"""How a file of --json begins."""

# What a run needs is imported when it begins, so that the other commands need not wait for it.


@click.command()
@click.option("--list", "listing", is_flag=True, help="Tell who takes part and what is solved.")
@click.option(
    "--check", is_flag=True, help="Hold the figures against what we promise; exit code 1 if broken."
)
@click.option(
    "--chart", type=click.Path(dir_okay=False, writable=True), help="Draw a .svg, .png or .pdf."
)
@click.option(
    "--json", "log", type=click.Path(dir_okay=False, writable=True), help="Write all figures."
)
@click.option(
    "--growth",
    type=Whole(1),
    metavar="NUMBER",
    help="Also show how time grows with n, with solutions, and with puzzles up to so many.",
)
@click.option(
    "--clingo-option",
    "clingo_options",
    multiple=True,
    metavar="OPTIONS",
    help="One more contestant: clingo with these options, such as --configuration=crafty.",
)
@click.option(
    "--jobs",
    type=Whole(1, PROCESSES),
    default=lambda: os.cpu_count() or 1,
    show_default="processors",
    help="Processes for the contestants that use several.",
)
@click.option(
    "-t",
    "--timeout",
    "seconds",
    type=Seconds(),
    default=5.0,
    show_default=True,
    metavar="SECONDS",
    help="Time for each contestant and set.",
)
@click.option("-r", "--rounds", type=Whole(1), default=5, show_default=True, help="Turns.")
@click.option(
    "-n",
    "number",
    type=Whole(1),
    default=200,
    show_default=True,
    help="Puzzles of a set.",
)
@click.option(
    "-c",
    "--contestant",
    "chosen",
    multiple=True,
    metavar="NAME",
    help="Only these take part; * stands for anything.",
)
@BOX
@click.argument("source", metavar="[SET]...", nargs=-1, type=Source())
def bench(
    source: tuple[str, ...],
    box: Box | None,
    chosen: tuple[str, ...],
    number: int,
    rounds: int,
    seconds: float,
    jobs: int,
    clingo_options: tuple[str, ...],
    growth: int | None,
    log: str | None,
    chart: str | None,
    check: bool,
    listing: bool,
) -> NoReturn:
    """Race the engines against their peers.

    SET is a file of puzzles, a folder of such .txt files, or a set that is made here; without
    any, all that are made here. Every contestant has a process of its own, and they take turns;
    its answers are checked. Those that are not installed are skipped: pip install
    "pylogic-sudoku[bench]" brings them all.

    \b
    pylogic-sudoku bench --list
    pylogic-sudoku bench -c clingo -c ortools puzzles.txt
    pylogic-sudoku bench --json all.json --chart all.svg puzzles.txt made-16x16
    """
    from ..bench.contestants import contestants

    everyone = contestants(jobs, clingo_options)
    if listing:
        _list(everyone)
        sys.exit(0)
    taking_part = _chosen(everyone, chosen)
    _check_outputs(log, chart, source)
    results: list[SetResult] = []
    broken = False
    try:
        with _progress() as tell:
            tell("making the puzzles")
            sets = list(_sets(source, box, number, growth))
            for puzzles in sets:
                results.append(_race(puzzles, taking_part, rounds, seconds, tell))
    finally:
        if results:
            settings = {"rounds": rounds, "seconds": seconds, "jobs": jobs}
            broken = _tell(results, check, log, chart, settings)
    sys.exit(1 if broken else 0)


def _list(everyone: Sequence[Contestant]) -> None:
    from ..bench import report
    from ..bench.sets import MADE

    console = report.console()
    for heading, rows in (
        ("contestant", {contestant.name: contestant.settings for contestant in everyone}),
        ("set", MADE),
    ):
        console.print(report.plain_table((heading, "what it is"), rows.items()))


def _chosen(everyone: Sequence[Contestant], chosen: Sequence[str]) -> list[Contestant]:
    for pattern in chosen:
        if not any(fnmatchcase(contestant.name, pattern) for contestant in everyone):
            names = ", ".join(contestant.name for contestant in everyone)
            raise click.UsageError(f"there is no contestant {pattern!r}; choose of {names}")
    return [
        contestant
        for contestant in everyone
        if not chosen or any(fnmatchcase(contestant.name, pattern) for pattern in chosen)
    ]


def _check_outputs(log: str | None, chart: str | None, sources: Sequence[str]) -> None:
    """Refuses, before the race, files that cannot be written or would destroy something."""
    read = [path for source in sources for path in (source, *Path(source).glob("*.txt"))]
    for path in filter(None, (log, chart)):
        check_output(path, *map(str, read))
    if log and is_regular(log):
        with open(log, "rb") as file:
            if file.read(len(_FIGURES)) not in (b"", _FIGURES):
                raise click.UsageError(f"{log} is not a file of figures; give another name")
    if chart:
        from ..bench.chart import FORMATS, require

        if Path(chart).suffix not in FORMATS:
            raise click.UsageError(f"{chart} ends in none of {', '.join(FORMATS)}")
        require()


def _sets(
    sources: Sequence[str], box: Box | None, number: int, growth: int | None
) -> Iterator[PuzzleSet]:
    from ..bench.sets import MADE, growth_sets, made_set, read_sets

    for source in sources or (() if growth else MADE):
        if os.path.exists(source):
            yield from read_sets(source, number, box)
        elif source in MADE:
            yield made_set(source, number)
        else:
            raise InvalidPuzzle(
                f"{source} is not a file, a folder, or one of the sets {', '.join(MADE)}"
            )
    if growth:
        yield from growth_sets(number, growth)


def _race(
    puzzles: PuzzleSet,
    contestants: Sequence[Contestant],
    rounds: int,
    seconds: float,
    tell: Callable[[str], None],
) -> SetResult:
    from ..bench.measure import measure

    able = [one for one in contestants if one.name in puzzles.only or not puzzles.only]
    return measure(puzzles, able, rounds, seconds, lambda what: tell(f"{puzzles.name}: {what}"))


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """Says on standard error what is going on, where that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _what: None
        return
    from rich.console import Console

    console = Console(stderr=True, color_system=None if os.environ.get("NO_COLOR") else "auto")
    # An animated spinner would take time from what is measured.
    with console.status("", refresh_per_second=0.5) as status:
        yield status.update


def _tell(
    results: Sequence[SetResult],
    check: bool,
    log: str | None,
    chart: str | None,
    settings: dict[str, float],
) -> bool:
    """Prints and writes all; whether an answer was wrong, or a promise was checked and broken."""
    from ..bench import report
    from ..bench.claims import verdicts

    found = list(verdicts(results)) if check else []
    report.console().print(report.table(results))
    for note in report.notes(results):
        click.echo(note)
    for verdict in found:
        click.echo(f"{'kept' if verdict.kept else 'BROKEN'}: {verdict}")
    if log:
        figures = report.as_json(results, found, **settings)
        save(log, json.dumps(figures, indent=1) + "\n")
    if chart:
        from ..bench.chart import save as save_chart

        save_chart(results, Path(chart))
    wrong = any(row.wrong for result in results for row in result.results)
    return wrong or not all(verdict.kept for verdict in found)
