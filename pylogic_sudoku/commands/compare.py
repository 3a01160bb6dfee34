"""The command ``compare``: the engines compared on whole collections."""

from __future__ import annotations

import os
import sys
from array import array
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from statistics import median, quantiles
from typing import Any, NoReturn

import click

from .._compare import CrossCheck, cross_check
from .._output import check_output
from ..engines import names
from ..engines.signals import undisturbed
from ..errors import BackendFailure, Disagreement, InvalidPuzzle, SolveTimeout
from ..grid import Box, Grid
from ._records import OUTCOMES, Log
from ._run import BOX, FROM, JOBS, TIMEOUT, Run, Whole, say
from ._tables import print_table
from ._values import Source


class _Tally:
    """What has been found so far: a few numbers a puzzle, no puzzles."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.seconds: dict[str, array[float]] = {}
        self.worst: dict[str, tuple[float, str]] = {}

    def add(self, record: dict[str, Any]) -> None:
        self.outcomes[record["outcome"]] += 1
        for name, seconds in record["seconds"].items():
            self.seconds.setdefault(name, array("d")).append(seconds)
            self.worst[name] = max(self.worst.get(name, (0.0, "")), (seconds, record["puzzle"]))

    def summary(self) -> dict[str, Any]:
        times = {}
        for name, seconds in self.seconds.items():
            worst, puzzle = self.worst[name]
            p95 = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else worst
            times[name] = {
                "median": median(seconds),
                "p95": p95,
                "worst": worst,
                "worst puzzle": puzzle,
            }
        counts = {outcome: self.outcomes[outcome] for outcome in OUTCOMES}
        return {"puzzles": self.outcomes.total(), **counts, "seconds": times}


def _record(number: int, where: str, check: CrossCheck) -> dict[str, Any]:
    """What is kept of one puzzle, as JSON."""
    grid, comparison = check.puzzle, check.comparison
    record: dict[str, Any] = {
        "number": number,
        "where": where,
        "box": grid.box,
        "puzzle": str(grid),
        "seconds": comparison.timings if comparison else {},
    }
    if comparison is None:
        late = isinstance(check.error, SolveTimeout)
        return record | {"outcome": "timed out" if late else "error", "error": str(check.error)}
    record["counts"] = {name: len(answer.solutions) for name, answer in comparison.answers.items()}
    if not comparison.agree:
        only = {name: sorted(map(str, grids)) for name, grids in comparison.only.items()}
        return record | {"outcome": "disagreement", "only": only}
    outcome = {0: "none", 1: "unique"}.get(len(comparison.solutions), "several")
    return record | {"outcome": outcome}


def _tell_disagreement(where: str, check: CrossCheck) -> None:
    """The puzzle in the forms that can be pasted, and the grids that only one engine has."""
    grid, comparison = check.puzzle, check.comparison
    assert comparison is not None
    (r, c), rows = grid.box, grid.format("prolog").replace("\n", "")
    facts = grid.format("facts").replace("\n", " ")
    say(f"{where}: the engines disagree")
    for name, answer in comparison.answers.items():
        say(f"  {name}: {len(answer.solutions)} solutions")
        for solution in sorted(comparison.only[name], key=str)[:3]:
            say(f"    only {name} has {solution}")
    say(f"  pylogic-sudoku solve -n 0 -b all --box {r}x{c} '{grid}'")
    say(f"  echo '{facts}' | python -m clingo encodings/sudoku.lp - 0")
    say(f"  swipl prolog/sudoku.pl   ?- Rows = {rows}, sudoku(Rows, {r}-{c}).")


def _print_summary(summary: dict[str, Any]) -> None:
    headings = ("puzzles", *OUTCOMES[:4], "errors", "disagreements")
    print_table(headings, [[str(summary[key]) for key in ("puzzles", *OUTCOMES)]])
    if summary["seconds"]:
        kinds = ("median", "p95", "worst")
        rows = [
            (name, *(f"{seconds[kind] * 1e3:.2f}" for kind in kinds))
            for name, seconds in summary["seconds"].items()
        ]
        print_table(("ms a puzzle", *kinds), rows)
        for name, seconds in summary["seconds"].items():
            click.echo(f"worst for {name}: {seconds['worst puzzle']}")


@click.command()
@click.option("--fail-fast", is_flag=True, help="Stop at the first disagreement.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Continue the run that wrote this file with --json: append to it what is missing.",
)
@click.option(
    "--json",
    "log",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write a JSON object a puzzle to this file, and then a summary. The file must be new or"
    " empty.",
)
@JOBS
@click.option(
    "-n",
    "limit",
    type=Whole(0),
    default=50,
    show_default=True,
    help="Compare up to so many solutions of a puzzle; 0 for all.",
)
@TIMEOUT
@FROM
@BOX
@click.argument("file", nargs=-1, required=True, type=Source())
def compare(
    file: tuple[str, ...],
    box: Box | None,
    source_format: str | None,
    timeout: float | None,
    limit: int,
    jobs: int,
    log: str | None,
    resume: str | None,
    fail_fast: bool,
) -> NoReturn:
    """Compare the engines on every puzzle of FILE.

    FILE is a file with one or many puzzles, a puzzle, or - for standard input. Every engine must
    find the same solutions; if -n stops them, each must accept those of the others. Ends with
    a table. Exit code 5 if they differ, 4 if only time ran out, 2 for puzzles that cannot be read,
    6 if the output cannot be written.

    The file of --json only grows: even a run that is killed loses no record. Each run with
    --resume adds a summary of all records; the last one counts.

    \b
    pylogic-sudoku compare puzzles.txt
    pylogic-sudoku compare --jobs 2 -t 10 --json log.jsonl puzzles.txt
    pylogic-sudoku compare --jobs 2 -t 10 --resume log.jsonl puzzles.txt
    """
    if log and resume:
        raise click.UsageError("--resume FILE appends to FILE; it does not go with --json")
    path = resume or log
    check_output(path, *file)
    run = Run(file, source_format, box)
    puzzles = run.puzzles()
    tally = _Tally()
    with Log(path, resume is not None) as records, _way_to_continue(path, records):
        if resume:
            for record in records.earlier():
                grid = _same(record, puzzles, resume)
                tally.add(record)
                _remember(run, grid, record)
        try:
            _compare(run, puzzles, tally, records, fail_fast, limit or None, timeout, jobs)
        finally:
            summary = tally.summary()
            try:
                if summary["puzzles"]:
                    records.write({"summary": summary})
            finally:
                _print_summary(summary)
    run.end()


@contextmanager
def _way_to_continue(path: str | None, records: Log) -> Iterator[None]:
    """Says after an interrupt how the run can be continued."""
    try:
        yield
    except KeyboardInterrupt:
        if path is None:
            say("No record of this run is kept. With --json FILE it could be continued.")
        elif records.can_be_resumed:
            say(f"To continue this run: --resume {path}")
        raise


def _same(record: dict[str, Any], puzzles: Iterator[tuple[str, Grid]], path: str) -> Grid:
    """The next puzzle, if the record is about it."""
    _, grid = next(puzzles, ("", None))
    if grid is None or [str(grid), list(grid.box)] != [record["puzzle"], record["box"]]:
        here = f"it is {_with_box(grid, grid.box)}" if grid else "there are fewer puzzles"
        raise InvalidPuzzle(
            f"{path} is about other puzzles: its number {record['number']} is"
            f" {_with_box(record['puzzle'], record['box'])}, and here {here}"
        )
    return grid


def _remember(run: Run, grid: Grid, record: dict[str, Any]) -> None:
    """Lets an earlier record count for the exit code, as it does for the table."""
    match record["outcome"]:
        case "disagreement":
            run.remember(Disagreement(grid, {}))
        case "timed out":
            run.remember(SolveTimeout("an engine", 0))
        case "error":
            run.remember(BackendFailure("an engine broke"))


def _with_box(puzzle: object, box: Iterable[int]) -> str:
    return f"{puzzle} with {'x'.join(map(str, box))} boxes"


def _compare(
    run: Run,
    puzzles: Iterator[tuple[str, Grid]],
    tally: _Tally,
    records: Log,
    fail_fast: bool,
    limit: int | None,
    timeout: float | None,
    jobs: int,
) -> None:
    places: deque[str] = deque()

    def grids() -> Iterator[Grid]:
        for where, grid in puzzles:
            places.append(where)
            yield grid

    with closing(cross_check(grids(), names(), limit, timeout, jobs)) as checks:
        for check in _with_progress(checks, tally.outcomes.total(), run):
            where = places.popleft()
            record = _record(tally.outcomes.total() + 1, where, check)
            # Or else, after Ctrl-C between the two, the table and the file would differ.
            undisturbed(partial(_keep, record, tally, records))
            if check.error:
                run.fail(where, check.error)
            elif check.comparison and not check.comparison.agree:
                _tell_disagreement(where, check)
                run.remember(Disagreement(check.puzzle, record["counts"]))
                if fail_fast:
                    return


def _keep(record: dict[str, Any], tally: _Tally, records: Log) -> None:
    records.write(record)
    tally.add(record)


def _with_progress(checks: Iterator[CrossCheck], done: int, run: Run) -> Iterator[CrossCheck]:
    """The checks, with a bar on standard error where that is a terminal."""
    if not sys.stderr.isatty():
        yield from checks
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True, color_system=None if os.environ.get("NO_COLOR") else "auto")
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=run.number_of_puzzles(), completed=done, rate="")
        for check in checks:
            speed = progress.tasks[0].finished_speed or progress.tasks[0].speed
            progress.update(task, advance=1, rate=f"{speed:.0f}/s" if speed else "")
            yield check
