"""The command ``compare``: the engines compared on whole collections."""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing
from functools import partial
from statistics import median, quantiles
from typing import Any, NoReturn, TypeVar

import click

from .. import _compare
from .._compare import Comparison
from ..engines import asked
from ..engines.programs import is_pattern
from ..engines.signals import undisturbed
from ..errors import (
    BackendUnavailable,
    Disagreement,
    SolveTimeout,
    SudokuError,
    counted,
)
from ..formats import as_puzzle
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ..rules._sources import families
from ._options import BACKENDS, BOX, FROM, JOBS, RULE, TIMEOUT, Source, limit
from ._output import check_output, print_table, say
from ._records import OUTCOMES, Log
from ._run import Run
from ._waiting import progress

T = TypeVar("T")


class _Tally:
    """What has been found so far: a few numbers for each puzzle, but only the worst puzzles."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.seconds: dict[str, array[float]] = {}
        self.worst: dict[str, dict[str, Any]] = {}

    def add(self, record: dict[str, Any]) -> None:
        self.outcomes[record["outcome"]] += 1
        if alone := record.get("alone"):
            self.alone[alone] += 1
        for name, seconds in record["seconds"].items():
            self.seconds.setdefault(name, array("d")).append(seconds)
            if name not in self.worst or seconds > self.worst[name]["seconds"][name]:
                self.worst[name] = record

    def summary(self) -> dict[str, Any]:
        times = {}
        for name, seconds in self.seconds.items():
            record = self.worst[name]
            worst = record["seconds"][name]
            p95 = quantiles(seconds, n=20, method="inclusive")[-1] if len(seconds) > 1 else worst
            times[name] = {
                "median": median(seconds),
                "p95": p95,
                "worst": worst,
                "worst puzzle": record["puzzle"],
                "worst where": record["where"],
            }
        counts = {outcome: self.outcomes[outcome] for outcome in OUTCOMES}
        total = self.outcomes.total()
        return {"puzzles": total, **counts, "alone": dict(self.alone), "seconds": times}


def _written(puzzle: Grid | Puzzle) -> str | dict[str, Any]:
    """The puzzle as JSON has it beside its box: a line, or an object if a line cannot hold it."""
    plain = as_puzzle(puzzle)
    if isinstance(plain, Grid):
        return str(plain)
    return {key: part for key, part in plain.to_json().items() if key not in ("title", "author")}


def _line(puzzle: str | dict[str, Any]) -> str:
    """A puzzle of a record as text that can be pasted."""
    return puzzle if isinstance(puzzle, str) else json.dumps(puzzle)


def _record(
    number: int, where: str, puzzle: Grid | Puzzle, outcome: Comparison | SudokuError
) -> dict[str, Any]:
    """What is kept of one puzzle, as JSON."""
    record: dict[str, Any] = {
        "number": number,
        "where": where,
        "box": puzzle.box,
        "puzzle": _written(puzzle),
        "seconds": {} if isinstance(outcome, SudokuError) else outcome.timings,
    }
    if isinstance(outcome, SudokuError):
        late = isinstance(outcome, SolveTimeout)
        return record | {"outcome": "timed out" if late else "error", "error": str(outcome)}
    record["counts"] = {name: len(answer.solutions) for name, answer in outcome.answers.items()}
    if outcome.outcome == "checked":
        return record | {"outcome": "checked", "late": list(outcome.late)}
    if not outcome.agree:
        only = {name: sorted(map(str, grids)) for name, grids in outcome.only.items()}
        return record | {"outcome": "disagreement", "alone": outcome.alone, "only": only}
    kind = {0: "none", 1: "unique"}.get(len(outcome.solutions), "several")
    return record | {"outcome": kind}


def _print_summary(summary: dict[str, Any]) -> None:
    headings = ("puzzles", *OUTCOMES[:-2], "errors", "disagree")
    print_table(headings, [[str(summary[key]) for key in ("puzzles", *OUTCOMES)]])
    for name, number in summary["alone"].items():
        click.echo(f"{name} stands alone: {counted(number, 'puzzle')}")
    if summary["seconds"]:
        kinds = ("median", "p95", "worst")
        rows = [
            (name, *(f"{seconds[kind] * 1e3:.2f}" for kind in kinds))
            for name, seconds in summary["seconds"].items()
        ]
        print_table(("ms a puzzle", *kinds), rows)
        for name, seconds in summary["seconds"].items():
            puzzle = seconds["worst puzzle"]  # if it is not a line, it is long
            text = puzzle if isinstance(puzzle, str) else seconds["worst where"]
            click.echo(f"worst for {name}: {text}")


@click.command()
@click.option("--fail-fast", is_flag=True, help="Stop at the first disagreement.")
@click.option(
    "--json",
    "log",
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write a JSON object for each puzzle to this file, and then a summary. The file must be"
    " new or empty.",
)
@BACKENDS
@JOBS
@limit("The most solutions of a puzzle to compare; 0 for all.", default=50)
@TIMEOUT
@FROM
@RULE
@BOX
@click.argument("file", nargs=-1, required=True, type=Source())
def compare(
    file: tuple[str, ...],
    box: Box | None,
    source_format: str | None,
    timeout: float | None,
    limit: int,
    jobs: int,
    engines: tuple[str, ...],
    log: str | None,
    fail_fast: bool,
) -> NoReturn:
    """Compare the engines on every puzzle of FILE.

    FILE is a file with one or many puzzles, a puzzle, or - for standard input. Every engine must
    find the same solutions; if -n stops them, each must accept those of the others. If one engine
    differs from two or more that agree, it "stands alone". A puzzle is "checked" if the time of one
    engine ran out, but it accepts what another one found. A table follows. Exit code 5 if the
    engines differ, 4 if nothing is known of a puzzle as time ran out, 2 for puzzles that cannot be
    read, 6 if the output cannot be written.

    The file of --json only grows: even a run that is killed loses no record.

    \b
    pylogic-sudoku compare puzzles.txt
    pylogic-sudoku compare -b 'prolog:*' -b clingo:pairwise puzzles.txt
    pylogic-sudoku compare --jobs 2 -t 10 --json log.jsonl puzzles.txt
    """
    if len(engines) < 2 and not is_pattern(engines[0]):
        raise click.UsageError(f"-b {engines[0]} needs another -b to be compared with")
    check_output(log, *file)
    run = Run(file, source_format, box, engines=engines, timeout=timeout, jobs=jobs)
    tally = _Tally()
    ask = partial(_ask, backends=engines, limit=limit or None, timeout=timeout)
    with Log(log) as records:
        try:
            _compare_all(run, run.answers(ask, run.puzzles()), tally, records, fail_fast)
        finally:
            summary = tally.summary()
            try:
                if summary["puzzles"]:
                    records.write({"summary": summary})
            finally:
                _print_summary(summary)
    run.end()


def _compare_all(
    run: Run,
    answers: Generator[tuple[str, Grid | Puzzle, Iterator[Comparison]]],
    tally: _Tally,
    records: Log,
    fail_fast: bool,
) -> None:
    with closing(answers):
        for where, puzzle, answer in _with_progress(answers, run):
            outcome = _outcome(answer)
            record = _record(tally.outcomes.total() + 1, where, puzzle, outcome)
            _report(run, where, outcome)
            # Otherwise, after Ctrl-C between the two, the table and the file would differ.
            undisturbed(partial(_keep, record, tally, records))
            if fail_fast and record["outcome"] == "disagreement":
                return


def _ask(
    puzzle: Grid | Puzzle, backends: tuple[str, ...], limit: int | None, timeout: float | None
) -> Iterator[Comparison]:
    yield _compare.compare(puzzle, asked(backends, puzzle), limit, timeout)


def _outcome(answer: Iterator[Comparison]) -> Comparison | SudokuError:
    """The answer, or the error instead; BackendUnavailable propagates."""
    try:
        return next(answer)
    except BackendUnavailable:
        raise
    except SudokuError as error:
        return error


def _report(run: Run, where: str, outcome: Comparison | SudokuError) -> None:
    """Say what is wrong, and remember it for the exit code."""
    if isinstance(outcome, SudokuError):
        run.fail(where, outcome)
    elif outcome.outcome == "disagree":
        _report_disagreement(where, outcome)
        run.remember(Disagreement(outcome.puzzle, {}))
    elif outcome.outcome == "checked":
        say(f"{where}: {outcome}")


def _report_disagreement(where: str, comparison: Comparison) -> None:
    """Report the puzzle in forms that can be pasted, and the grids that some engine rejects."""
    puzzle = comparison.puzzle
    (r, c), facts = puzzle.box, puzzle.format("facts").replace("\n", " ")
    say(f"{where}: {comparison}")
    for name, answer in comparison.answers.items():
        say(f"  {name}: {len(answer.solutions)} solutions")
        for solution in sorted(comparison.only[name], key=str)[:3]:
            against = [other for other, grids in comparison.rejected.items() if solution in grids]
            if len(against) == len(comparison.answers) - 1:
                say(f"    only {name} has {solution}")
            else:
                say(f"    {name} has {solution}, but not {' or '.join(against)}")
    if not isinstance(puzzle, Grid):
        say(f"  pylogic-sudoku solve -n 0 -b all '{_line(_written(puzzle))}'")
    else:
        say(f"  pylogic-sudoku solve -n 0 -b all --box {r}x{c} '{puzzle}'")
    sections = "".join(f" encodings/rules/{name}.lp" for name in families(puzzle.layout.rules))
    say(f"  echo '{facts}' | python -m clingo encodings/sudoku.lp{sections} - 0")
    if isinstance(puzzle, Grid):
        rows = puzzle.format("prolog").replace("\n", "")
        say(f"  swipl prolog/sudoku.pl   ?- Rows = {rows}, sudoku(Rows, {r}-{c}).")


def _keep(record: dict[str, Any], tally: _Tally, records: Log) -> None:
    records.write(record)
    tally.add(record)


def _with_progress(answers: Iterator[T], run: Run) -> Iterator[T]:
    """The answers, with a progress bar on standard error if that is a terminal."""
    with progress(run.number_of_puzzles) as advance:
        for answer in answers:
            yield answer
            advance()
