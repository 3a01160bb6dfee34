"""The command ``python -m benchmarks.race``."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from pylogic_sudoku import LogicError
from pylogic_sudoku.cli.options import BOX_SHAPE, SECONDS, flag, option, several, whole
from pylogic_sudoku.cli.output import check_output
from pylogic_sudoku.files import save
from pylogic_sudoku.puzzle.cells import Box

from . import report
from .measure import SetResult, measure
from .sets import MADE, PuzzleSet, made_set, read_sets
from .solvers import Contestant, contestants


@click.command("python -m benchmarks.race")
@click.argument("sources", nargs=-1, metavar="[SET]...")
@flag("--list", "listed", help="List the contestants and the sets made here.")
@flag("--check", help="Check our promises; exit code 1 if one is broken.")
@option(
    *("--json", "file"),
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write all figures to this .json file.",
)
@several(
    *("--contestant", "patterns"),
    metavar="NAME",
    help="Only this one takes part, or all that match, such as 'clingo*'; may be repeated.",
)
@option("-t", "--timeout", type=SECONDS, default=5.0, help="Time for each contestant and set.")
@flag("--cpu", help="Take processor time.")
@option("-r", "--rounds", type=whole(1), default=5, help="Number of rounds.")
@option("--puzzles", type=whole(1), default=200, help="Puzzles in a set.")
@option("--box", type=BOX_SHAPE, help="Box shape, if the files leave it open.")
def main(
    sources: Sequence[str],
    listed: bool,
    check: bool,
    file: Path | None,
    patterns: Sequence[str],
    puzzles: int,
    box: Box | None,
    **settings: Any,
) -> None:
    """Race the engines against their peers.

    SET is a file of puzzles, a folder of such .txt files, or the name of a set that is made here;
    without any, all sets that are made here. Each contestant has a process of its own, in which it
    solves many puzzles in a row. Their answers are checked. Contestants that are not installed are
    skipped: pip install -r benchmarks/requirements.txt installs all of them. The exit code is 1 if
    an answer was wrong or a promise is broken.

    \b
    python -m benchmarks.race --list
    python -m benchmarks.race --contestant clingo --contestant ortools puzzles.txt
    python -m benchmarks.race --json all.json puzzles.txt made-16x16
    """
    everyone = contestants()
    if listed:
        _print_list(everyone)
        return
    results: list[SetResult] = []
    interrupted = False
    try:
        # A fast spinner would take time from what is measured.
        with report.console(stderr=True).status("", refresh_per_second=0.5) as status:
            try:
                if file and file.suffix != ".json":  # nor the name of a file of puzzles
                    raise ValueError(f"{file} does not end in .json")
                check_output(file)
                taking_part = _chosen(everyone, patterns)
                status.update("making the puzzles")
                sets = list(_sets(sources, puzzles, box))
            except (LogicError, ValueError) as error:
                raise click.UsageError(str(error)) from None
            except OSError as error:
                raise click.UsageError(f"{error.filename}: {error.strerror}") from None
            for each in sets:

                def note(what: str, name: str = each.name) -> None:
                    status.update(f"{name}: {what}")

                results.append(measure(each, taking_part, note, **settings))
    except KeyboardInterrupt:
        interrupted = True
    verdicts = list(report.verdicts(results)) if check else []
    if results:
        report.console().print(report.table(results, settings["cpu"]))
        for line in (*report.notes(results), *verdicts):
            print(line)
        if file:
            save(file, json.dumps(report.as_json(results, settings), indent=1) + "\n")
    if interrupted:
        print("Interrupted.", file=sys.stderr)
        sys.exit(130)
    wrong = any(row.wrong for result in results for row in result.results)
    sys.exit(wrong or not all(verdict.kept for verdict in verdicts))


def _print_list(everyone: Sequence[Contestant]) -> None:
    for heading, rows in (
        ("contestant", {contestant.name: contestant.settings for contestant in everyone}),
        ("set", {name: made.text for name, made in MADE.items()}),
    ):
        table = Table(heading, "what it is")
        for row in rows.items():
            table.add_row(*row)
        report.console().print(table)


def _chosen(everyone: Sequence[Contestant], patterns: Sequence[str]) -> list[Contestant]:
    """Those whose name matches a pattern, or all; ValueError for a pattern that nobody matches."""
    for pattern in patterns:
        if not any(fnmatchcase(contestant.name, pattern) for contestant in everyone):
            names = ", ".join(contestant.name for contestant in everyone)
            raise ValueError(f"there is no contestant {pattern!r}; expected one of {names}")
    return [
        contestant
        for contestant in everyone
        if any(fnmatchcase(contestant.name, pattern) for pattern in patterns or "*")
    ]


def _sets(sources: Sequence[str], number: int, box: Box | None) -> Iterator[PuzzleSet]:
    for source in sources or MADE:
        if os.path.exists(source):
            yield from read_sets(source, number, box)
        elif source in MADE:
            yield made_set(source, number)
        else:
            raise ValueError(
                f"{source} is not a file, a folder, or one of the sets {', '.join(MADE)}"
            )


if __name__ == "__main__":
    main()
