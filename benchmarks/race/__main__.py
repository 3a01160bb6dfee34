"""The command ``python -m benchmarks.race``."""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rich.table import Table

from pylogic_sudoku import SudokuError
from pylogic_sudoku.files import check_target, save
from pylogic_sudoku.puzzle.cells import Box

from . import report
from .measure import SetResult, measure
from .peers import contestants
from .sets import MADE, PuzzleSet, made_set, read_sets
from .solvers import Contestant
from .turns import in_turns

DESCRIPTION = """\
Race the engines against their peers.

SET is a file of puzzles, a folder of such .txt files, or the name of a set that is made here;
without any, all sets that are made here. Each contestant has a process of its own, in which it
solves many puzzles in a row; with --turns they are also timed in one process, puzzle by puzzle.
Their answers are checked. Contestants that are not installed are skipped:
pip install -r benchmarks/requirements.txt installs all of them.

  python -m benchmarks.race --list
  python -m benchmarks.race --contestant clingo --contestant ortools puzzles.txt
  python -m benchmarks.race --json all.json puzzles.txt made-16x16"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the race; the exit code is 1 if an answer was wrong or a promise is broken."""
    parser = _parser()
    options = parser.parse_args(arguments)
    everyone = contestants(options.clingo_option)
    if options.list:
        _print_list(everyone)
        return 0
    results: list[SetResult] = []
    interrupted = False
    try:
        with _progress() as progress:
            try:
                _check_output(options.json)
                taking_part = _chosen(everyone, options.contestant)
                progress("making the puzzles")
                sets = list(_sets(options))
            except (SudokuError, ValueError) as error:
                parser.error(str(error))
            except OSError as error:
                parser.error(f"{error.filename}: {error.strerror}")
            for puzzles in sets:

                def note(what: str, name: str = puzzles.name) -> None:
                    progress(f"{name}: {what}")

                for way in (measure, in_turns) if options.turns else (measure,):
                    times = options.rounds, options.timeout
                    results.append(way(puzzles, taking_part, *times, note, cpu=options.cpu))
    except KeyboardInterrupt:
        interrupted = True
    failed = bool(results) and _report(results, options)
    if interrupted:
        print("Interrupted.", file=sys.stderr)
        return 130
    return 1 if failed else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.race",
        description=DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = parser.add_argument
    add("sets", metavar="SET", nargs="*")
    add("--list", action="store_true", help="list the contestants and the sets made here")
    add("--check", action="store_true", help="check our promises; exit code 1 if one is broken")
    add("--json", type=Path, metavar="FILE", help="write all figures to this .json file")
    add(
        "--clingo-option",
        action="append",
        default=[],
        metavar="OPTIONS",
        help="one more contestant: clingo with options such as --configuration=crafty",
    )
    add(
        "--contestant",
        action="append",
        default=[],
        metavar="NAME",
        help="only this one takes part, or all that match a pattern such as 'clingo*'; repeatable",
    )
    add(
        *("-t", "--timeout"),
        type=_seconds,
        default=5.0,
        metavar="SECONDS",
        help="time for each contestant and set (default: 5)",
    )
    add("--turns", action="store_true", help="also time them in one process, puzzle by puzzle")
    add("--cpu", action="store_true", help="take processor time")
    add("-r", "--rounds", type=_whole, default=5, help="number of rounds (default: 5)")
    add(
        "--puzzles",
        type=_whole,
        default=200,
        metavar="NUMBER",
        help="puzzles in a set (default: 200)",
    )
    add("--box", type=_box, metavar="RxC", help="box shape, if the files leave it open")
    return parser


def _whole(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number over 0")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds <= 1e6:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds up to 1000000")
    return seconds


def _box(text: str) -> Box:
    rows, _, columns = text.partition("x")
    return _whole(rows), _whole(columns)


def _print_list(everyone: Sequence[Contestant]) -> None:
    for heading, rows in (
        ("contestant", {contestant.name: contestant.settings for contestant in everyone}),
        ("set", MADE),
    ):
        table = Table(heading, "what it is")
        for row in rows.items():
            table.add_row(*row)
        report.console().print(table)


def _chosen(everyone: Sequence[Contestant], patterns: Sequence[str]) -> list[Contestant]:
    for pattern in patterns:
        if not any(fnmatchcase(contestant.name, pattern) for contestant in everyone):
            names = ", ".join(contestant.name for contestant in everyone)
            raise ValueError(f"there is no contestant {pattern!r}; expected one of {names}")
    return [
        contestant
        for contestant in everyone
        if not patterns or any(fnmatchcase(contestant.name, pattern) for pattern in patterns)
    ]


def _check_output(path: Path | None) -> None:
    """Fail early if the file cannot be written, or has a name that puzzles may have."""
    if path:
        if path.suffix != ".json":
            raise ValueError(f"{path} does not end in .json")
        check_target(path)


def _sets(options: Any) -> Iterator[PuzzleSet]:
    for source in options.sets or MADE:
        if os.path.exists(source):
            yield from read_sets(source, options.puzzles, options.box)
        elif source in MADE:
            yield made_set(source, options.puzzles)
        else:
            raise ValueError(
                f"{source} is not a file, a folder, or one of the sets {', '.join(MADE)}"
            )


@contextmanager
def _progress() -> Iterator[Callable[[str], object]]:
    """Show on standard error what is going on, if that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _what: None
        return
    # A fast spinner would take time from what is measured.
    with report.console(stderr=True).status("", refresh_per_second=0.5) as status:
        yield status.update


def _report(results: Sequence[SetResult], options: Any) -> bool:
    """Print and write everything; True if an answer was wrong or a promise is broken."""
    verdicts = list(report.verdicts(results)) if options.check else []
    report.console().print(report.table(results, options.cpu))
    for note in report.notes(results):
        print(note)
    for verdict in verdicts:
        print(f"{'kept' if verdict.kept else 'BROKEN'}: {verdict}")
    if options.json:
        settings = {name: getattr(options, name) for name in ("rounds", "timeout", "cpu")}
        figures = report.as_json(results, verdicts, **settings)
        save(options.json, json.dumps(figures, indent=1) + "\n")
    wrong = any(row.wrong for result in results for row in result.results)
    return wrong or not all(verdict.kept for verdict in verdicts)


if __name__ == "__main__":
    sys.exit(main())
