"""The command ``compare``: the engines compared on whole collections."""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Generator, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from statistics import median, quantiles
from typing import Any, NoReturn, TypeVar

import click
from click.core import ParameterSource

from .._compare import Comparison
from .._probe import Probe, probed
from .._trouble import written
from ..engines import asked
from ..engines.signals import undisturbed
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidPuzzle,
    SolveTimeout,
    SudokuError,
    counted,
)
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._options import BACKENDS, BOX, FROM, JOBS, RULE, TIMEOUT, Source, limit
from ._output import check_output, print_table, say
from ._records import OUTCOMES, Log
from ._run import Run
from ._trouble import (
    MUTATE,
    REPLAY,
    SAVE_TROUBLE,
    SEED,
    Troubles,
    line,
    replay,
    report_disagreement,
)
from ._waiting import progress

T = TypeVar("T")


class _Tally:
    """What has been found so far: a few numbers for each puzzle, but only the worst puzzles."""

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.probed: Counter[str] = Counter()
        self.seconds: dict[str, array[float]] = {}
        self.worst: dict[str, dict[str, Any]] = {}

    def add(self, record: dict[str, Any]) -> None:
        self.outcomes[record["outcome"]] += 1
        if alone := record.get("alone"):
            self.alone[alone] += 1
        if "variants" in record:
            self.probed.update(variants=record["variants"], trouble=int("trouble" in record))
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
        found = {"puzzles": total, **counts, **self.probed, "alone": dict(self.alone)}
        return {**found, "seconds": times}


def _record(
    number: int, where: str, puzzle: Grid | Puzzle, outcome: Comparison | SudokuError
) -> dict[str, Any]:
    """What is kept of one puzzle, as JSON."""
    record: dict[str, Any] = {
        "number": number,
        "where": where,
        "box": puzzle.box,
        "puzzle": written(puzzle),
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
    if "variants" in summary:
        probed = ("variants", "trouble")
        print_table(probed, [[str(summary[key]) for key in probed]])
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
@MUTATE
@SEED
@SAVE_TROUBLE
@REPLAY
@click.option("--fail-fast", is_flag=True, help="Stop at the first disagreement or trouble.")
@click.option(
    "--resume",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Resume the run that wrote this file with --json, and append to it.",
)
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
@click.argument("file", nargs=-1, type=Source())
def compare(
    file: tuple[str, ...],
    box: Box | None,
    source_format: str | None,
    timeout: float | None,
    limit: int,
    jobs: int,
    engines: tuple[str, ...],
    log: str | None,
    resume: str | None,
    fail_fast: bool,
    mutate: int | None,
    seed: int,
    folder: Path,
    trouble_file: Path | None,
) -> NoReturn:
    """Compare the engines on every puzzle of FILE.

    FILE is a file with one or many puzzles, a puzzle, or - for standard input. Every engine must
    find the same solutions; if -n stops them, each must accept those of the others. If one engine
    differs from two or more that agree, it "stands alone". A puzzle is "checked" if the time of one
    engine ran out, but it accepts what another one found. A table follows. Exit code 5 if the
    engines differ, 4 if nothing is known of a puzzle as time ran out, 2 for puzzles that cannot be
    read, 6 if the output cannot be written.

    --mutate also asks variants: images, whose solutions must be those of the puzzle carried over,
    and puzzles with a given, mark or rule more or less. If engines differ on one, or contradict
    themselves, that trouble is shrunk to a smallest puzzle and written to a file. Exit code 5.

    The file of --json only grows: even a run that is killed loses no record. Each run with
    --resume adds a summary of all records; the last one counts.

    \b
    pylogic-sudoku compare puzzles.txt
    pylogic-sudoku compare -b prolog -b sat puzzles.txt
    pylogic-sudoku compare --mutate 5 -t 10 puzzles.txt
    pylogic-sudoku compare --replay trouble-1.json
    pylogic-sudoku compare --jobs 2 -t 10 --json log.jsonl puzzles.txt
    pylogic-sudoku compare --jobs 2 -t 10 --resume log.jsonl puzzles.txt
    """
    if log and resume:
        raise click.UsageError("--resume FILE appends to FILE; it does not go with --json")
    path = resume or log
    if trouble_file:
        if file or path or mutate is not None:
            raise click.UsageError("--replay FILE goes with -b, -t and --rule alone")
        replay(trouble_file, engines, timeout)
    if mutate is None:
        _refuse_what_goes_with_mutate()
    if not file:
        raise click.UsageError("Missing argument 'FILE...'.")
    if len(engines) < 2 and not mutate:
        raise click.UsageError(f"-b {engines[0]} needs another -b to be compared with")
    check_output(path, *file)
    run = Run(file, source_format, box, engines=engines, timeout=timeout, jobs=jobs)
    troubles = None if mutate is None else Troubles(folder, timeout)
    puzzles = run.puzzles()
    tally = _Tally()
    with Log(path, resume is not None) as records, _way_to_continue(path, records):
        if resume:
            for record in records.earlier():
                puzzle = _same(record, puzzles, resume)
                tally.add(record)
                _remember(run, puzzle, record)
        try:
            ask = partial(
                _ask,
                backends=engines,
                number=mutate or 0,
                limit=limit or None,
                timeout=timeout,
                seed=seed,
            )
            _compare_all(run, run.answers(ask, puzzles), tally, records, troubles, fail_fast)
        finally:
            summary = tally.summary()
            try:
                if summary["puzzles"]:
                    records.write({"summary": summary})
            finally:
                _print_summary(summary)
    run.end()


def _refuse_what_goes_with_mutate() -> None:
    context = click.get_current_context()
    for name, option in (("seed", "--seed"), ("folder", "--save-trouble")):
        if context.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"{option} goes with --mutate")


@contextmanager
def _way_to_continue(path: str | None, records: Log) -> Iterator[None]:
    """After an interrupt, say how the run can be continued."""
    try:
        yield
    except KeyboardInterrupt:
        if path is None:
            say("No record of this run is kept. With --json FILE it could be continued.")
        elif records.can_be_resumed:
            say(f"To continue this run: --resume {path}")
        raise


def _same(
    record: dict[str, Any], puzzles: Iterator[tuple[str, Grid | Puzzle]], path: str
) -> Grid | Puzzle:
    """The next puzzle, if the record is about it."""
    _, puzzle = next(puzzles, ("", None))
    if puzzle is None or [written(puzzle), list(puzzle.box)] != [record["puzzle"], record["box"]]:
        here = (
            f"it is {_with_box(written(puzzle), puzzle.box)}"
            if puzzle
            else "there are fewer puzzles"
        )
        raise InvalidPuzzle(
            f"{path} is about other puzzles: its number {record['number']} is"
            f" {_with_box(record['puzzle'], record['box'])}, but here {here}"
        )
    return puzzle


def _with_box(written: str | dict[str, Any], box: Any) -> str:
    shape = f" with {'x'.join(map(str, box))} boxes" if isinstance(written, str) else ""
    return f"{line(written)}{shape}"


def _remember(run: Run, puzzle: Grid | Puzzle, record: dict[str, Any]) -> None:
    """Let an earlier record count for the exit code, as it does for the table."""
    match record["outcome"]:
        case "timed out":
            run.remember(SolveTimeout("an engine", 0))
        case "error":
            run.remember(BackendFailure("an engine broke"))
    if record["outcome"] == "disagreement" or "trouble" in record:
        run.remember(Disagreement(puzzle, {}))


def _compare_all(
    run: Run,
    answers: Generator[tuple[str, Grid | Puzzle, Iterator[Probe]]],
    tally: _Tally,
    records: Log,
    troubles: Troubles | None,
    fail_fast: bool,
) -> None:
    with closing(answers):
        for where, puzzle, answer in _with_progress(answers, tally.outcomes.total(), run):
            probe = _probe(puzzle, answer)
            outcome = probe.error or probe.comparison
            assert outcome is not None
            record = _record(tally.outcomes.total() + 1, where, puzzle, outcome)
            _report(run, where, probe)
            try:
                if troubles:
                    troubles.keep(probe, record)
            finally:
                # Otherwise, after Ctrl-C between the two, the table and the file would differ.
                undisturbed(partial(_keep, record, tally, records))
            if probe.trouble and fail_fast:
                return


def _ask(puzzle: Grid | Puzzle, backends: tuple[str, ...], **options: Any) -> Iterator[Probe]:
    yield probed(puzzle, asked(backends, puzzle), **options)


def _probe(puzzle: Grid | Puzzle, answer: Iterator[Probe]) -> Probe:
    """The answer, or one with the error instead; BackendUnavailable propagates."""
    try:
        return next(answer)
    except BackendUnavailable:
        raise
    except SudokuError as error:
        return Probe(puzzle, None, error=error)


def _report(run: Run, where: str, probe: Probe) -> None:
    """Say what is wrong, and remember it for the exit code."""
    comparison = probe.comparison
    if probe.error:
        run.fail(where, probe.error)
    elif comparison and comparison.outcome == "disagree":
        report_disagreement(where, comparison)
    elif probe.trouble:
        say(f"{where}: a variant: {probe.trouble.summary}")
    elif comparison and comparison.outcome == "checked":
        say(f"{where}: {comparison}")
    if probe.trouble:
        run.remember(Disagreement(probe.puzzle, {}))


def _keep(record: dict[str, Any], tally: _Tally, records: Log) -> None:
    records.write(record)
    tally.add(record)


def _with_progress(answers: Iterator[T], done: int, run: Run) -> Iterator[T]:
    """The answers, with a progress bar on standard error if that is a terminal."""
    with progress(run.number_of_puzzles, done) as advance:
        for answer in answers:
            yield answer
            advance()
