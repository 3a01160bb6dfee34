"""The commands ``solve``, ``count``, ``propagate``, ``trace`` and ``compare``."""

from __future__ import annotations

import json
import os
import shlex
from array import array
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from operator import ne
from time import perf_counter
from typing import TYPE_CHECKING, Any, BinaryIO, NamedTuple

import click

from .. import questions as api
from ..engines import comparable, is_pattern
from ..engines.base import Event
from ..errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    LogicError,
    Message,
    SolveTimeout,
    counted,
    listed,
    shortened,
)
from ..files import append_to, is_regular, part_of
from ..formats import FORMATS
from ..formats.rows import ruled
from ..problem import Atom, Instance, Remaining
from ..puzzle import Grid
from ..puzzle.cells import Candidates, Placement
from ..questions.comparison import (
    Comparison,
    by_size,
    ending,
    instances_by_size,
    odd_one_out,
    solution_text,
)
from ..questions.comparison import compare as compare_one
from ..running.workers import defer_signals
from . import AnyPuzzle, Run, error_fields, located_errors, not_proved, reported
from . import options as opt
from . import solve as print_solutions
from .output import EXIT_CODES, check_output, echo, print_table, progress, say

if TYPE_CHECKING:
    from ..questions.shares import Merged, Share

AnyComparison = Comparison[Any, Any]
ASKED = (opt.PROBLEM, opt.ENGINES, opt.TIMEOUT, opt.JOBS, opt.THREADS)


@opt.command(epilog=EXIT_CODES)
@opt.printing
@opt.on_puzzles(*ASKED)
@opt.flag("--time", "timed", help="Report each engine's version and time.")
@opt.flag("--stats", help="Report the work of each engine for one solution.")
@opt.output_format(*FORMATS, default="pretty", help="How the solutions are written.")
@opt.limit("How many solutions; 0 for all. Default: one and, up to 9x9, a note if there are more.")
@opt.flag("-q", "--quiet", help="Do not look for more solutions, and do not mention them.")
def solve(run: Run, limit: int | None, stats: bool, quiet: bool, **options: Any) -> None:
    """Solve puzzles, or instances of a problem.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku solve 1..4.....3......               # the first solution found
    pylogic-sudoku solve -n 0 -f line 1..4.....3......  # all of them, one a line
    pylogic-sudoku solve -b all --time puzzles.txt      # by every engine, compared
    pylogic-sudoku solve --jobs 4 -o solved.csv puzzles.txt  # each puzzle beside its solution
    """
    if stats and limit not in (None, 1):
        raise click.UsageError("--stats is about one solution, and -n asks for more")
    most = 1 if quiet and limit is None else limit
    print_solutions(run, limit=most, stats=stats, **options)


# --- count ---


@opt.command(epilog=EXIT_CODES)
@opt.printing
@opt.on_puzzles(*ASKED)
@opt.output_format("text", "json", help="A number for each puzzle, or a JSON object.")
@opt.flag("--by-candidate", help="Count the solutions with each candidate, up to -n of each.")
@opt.limit("Stop counting here; 0 counts all, the default. With --by-candidate, it is 10.")
def count(run: Run, limit: int | None, by_candidate: bool, **options: Any) -> None:
    """Count the solutions, one number a line.

    PUZZLE is a puzzle, a file with one or many, or - for standard input.

    \b
    pylogic-sudoku count 1..4............
    pylogic-sudoku count -n 2 puzzles.txt  # 1 means: exactly one solution
    pylogic-sudoku count --by-candidate puzzle.txt  # of each digit in each cell
    pylogic-sudoku count --jobs 4 puzzles.txt
    """

    def show(where: str, puzzle: AnyPuzzle, answer: Iterator[tuple[Any, dict[str, float]]]) -> None:
        ((result, seconds),) = answer
        if run.form == "json":
            counts = {"count": result} if not by_candidate else {"candidates": _counts(result)}
            run.print_json(where, puzzle, **counts, seconds=seconds)
        elif by_candidate:
            for line in _count_lines(puzzle, result):
                click.echo(line)
        else:
            click.echo(result)
        if not result:
            run.no_solution(where, puzzle)

    question: Callable[..., Any] = api.candidate_counts if by_candidate else api.count
    most = (api.COUNTED if by_candidate else None) if limit is None else limit or None
    run.each(partial(_count, question, limit=most, timeout=run.timeout, **options), show)


def _count(
    question: Callable[..., Any],
    puzzle: AnyPuzzle,
    engines: tuple[str, ...],
    limit: int | None,
    timeout: float | None,
    threads: int,
) -> Iterator[tuple[Any, dict[str, float]]]:
    """The number, or the numbers, that all engines find, and the seconds of each."""
    engines = comparable(engines, puzzle)
    counts: dict[str, Any] = {}
    seconds: dict[str, float] = {}
    for engine in engines:
        start = perf_counter()
        counts[engine] = question(puzzle, engine, limit, timeout, threads)
        seconds[engine] = perf_counter() - start
    if any(each != counts[engines[0]] for each in counts.values()):
        alone = odd_one_out(engines, lambda one, other: counts[one] == counts[other])
        raise Disagreement(puzzle, counts, alone)
    yield counts[engines[0]], seconds


def _counts(by_candidate: Mapping[Placement | Atom, int]) -> list[dict[str, Any]]:
    """The numbers of solutions with each candidate as JSON."""
    return [
        {**(_placed(each) if isinstance(each, Placement) else {"atom": str(each)}), "count": number}
        for each, number in by_candidate.items()
    ]


def _placed(placement: Placement) -> dict[str, Any]:
    return {"cell": str(placement.cell), "digit": placement.digit}


def _count_lines(puzzle: AnyPuzzle, by_candidate: Mapping[Placement | Atom, int]) -> Iterator[str]:
    """A line for each cell that is not given, or for each atom of an instance."""
    cells: dict[str, list[str]] = {}
    for each, number in by_candidate.items():
        if isinstance(each, Atom):
            yield f"{each}: {number}"
        elif not puzzle[each.cell]:
            cells.setdefault(str(each.cell), []).append(f"{each.digit} ({number})")
    for cell, numbers in cells.items():
        yield f"{cell}: {', '.join(numbers)}"


# --- propagate ---

Left = dict[str, Candidates | Remaining | None]


@opt.command(epilog=EXIT_CODES)
@opt.output_format("text", "json", help="Grids of digits, or a JSON object for each puzzle.")
@opt.printing
@opt.on_puzzles(opt.PROBLEM, opt.TIMEOUT, opt.BACKENDS)
def propagate(run: Run, engines: tuple[str, ...]) -> None:
    """Show what is left of a puzzle before any guess.

    Propagation alone removes digits from cells; where it is not enough, an engine has to search.
    Engines and programs that leave the same are shown together. `show --candidates propagated`
    draws it.

    \b
    pylogic-sudoku propagate 1..4.....3......
    pylogic-sudoku propagate -b prolog -b prolog:classic puzzle.txt
    """

    def show(where: str, puzzle: AnyPuzzle, answer: Iterator[Left | str]) -> None:
        remaining: Left = {}
        for part in answer:
            if isinstance(part, str):
                say(f"{where}: {part}")
            else:
                remaining |= part
        if run.form == "json":
            lists = {
                name: None if each is None else _lists(each) for name, each in remaining.items()
            }
            certain = {
                name: [atom.to_json() for atom in sorted(each.certain)]
                for name, each in remaining.items()
                if isinstance(each, Remaining)
            }
            more = {"certain": certain} if certain else {}
            run.print_json(where, puzzle, left=lists, **more)
        else:
            click.echo("\n\n".join(_texts(puzzle, remaining)))

    _say_of_threads(run, engines)
    run.each(partial(_remaining, engines=engines, timeout=run.timeout), show)


def _say_of_threads(run: Run, engines: Iterable[str]) -> None:
    """Say which engines search with one thread, since they are watched."""
    if not run.problem:
        return
    from ..problem.search import in_one_thread

    for name in engines:
        search = run.problem.search(name)
        if in_one_thread(search) != search:
            say(f"{name}: with one thread, so that its search can be watched")


def _remaining(
    puzzle: AnyPuzzle, engines: tuple[str, ...], timeout: float | None
) -> Iterator[Left | str]:
    """For each engine its candidates, or the reason why it cannot be asked if others can."""
    chosen = comparable(engines, puzzle)
    for name in chosen:
        try:
            yield {name: api.propagate(puzzle, name, timeout)}
        except BackendUnavailable as error:
            if len(chosen) == 1:
                raise
            yield error.why
        except BackendFailure as error:
            if len(chosen) == 1 or {each.kind for each in error.messages} != {"own-search"}:
                raise
            yield str(error)


def _lists(remaining: Candidates | Remaining) -> list[Any]:
    """The candidates as JSON: rows of lists, or atoms."""
    if isinstance(remaining, frozenset):
        return [atom.to_json() for atom in sorted(remaining)]
    return [[sorted(cell) for cell in row] for row in remaining]


def _texts(puzzle: AnyPuzzle, remaining: Left) -> Iterator[str]:
    """The candidates, once for all engines that agree, in the order of the engines."""
    if puzzle.has_atoms:
        yield from _texts_of_atoms(remaining)
        return
    first: Any = next(iter(remaining.values()), None)
    between = "" if puzzle.size <= 9 else ","
    each: Any
    for each in dict.fromkeys(remaining.values()):
        names = listed([name for name, other in remaining.items() if other == each])
        if each is None:
            yield f"{names}: there is no solution"
            continue
        cells = [cell for row in each for cell in row]
        known = sum(len(cell) == 1 for cell in cells)
        title = f"{names}: {known} of {len(cells)} cells are known"
        title += f", {counted(sum(map(len, cells)), 'candidate')} are left"
        if each is not first and first is not None:
            differ = sum(map(ne, cells, sum(first, ())))
            title += f"; {counted(differ, 'cell')} differ from the first"
        texts = [between.join(map(str, sorted(cell))) for cell in cells]
        width = max(map(len, texts))
        lines = ruled([text.ljust(width) for text in texts], puzzle.box)
        yield "\n".join((title, *(line.rstrip() for line in lines)))


def _texts_of_atoms(remaining: Left) -> Iterator[str]:
    """The same of an instance: atoms that differ in their last argument alone are on one line.

    Those that are certain are apart.
    """
    alike: dict[Any, list[str]] = {}
    for name, each in remaining.items():
        certain = each.certain if isinstance(each, Remaining) else frozenset()
        alike.setdefault(None if each is None else (each, certain), []).append(name)
    first: Any = next(iter(alike), None)
    for atoms, engines in alike.items():
        names = listed(engines)
        if atoms is None:
            yield f"{names}: there is no solution"
            continue
        left, certain = atoms
        title = (
            f"{names}: {counted(len(left), 'candidate')} {'is' if len(left) == 1 else 'are'} left"
        )
        title += f", {len(certain)} of them certain" if certain else ""
        if atoms is not first and first is not None:
            differ = len((left ^ first[0]) | (certain ^ first[1]))
            title += f"; {differ} {'differs' if differ == 1 else 'differ'} from the first"
        lines: dict[str, list[str]] = {}
        for atom in sorted(left):
            *start, last = [*map(str, atom.arguments)] or [""]
            key = f"{atom.name}({','.join((*start, '_'))})" if atom.arguments else atom.name
            lines.setdefault(f"{key}, certain" if atom in certain else key, []).append(last)
        texts = (f"{key}: {' '.join(last)}".rstrip(": ") for key, last in lines.items())
        yield "\n".join((title, *texts))


# --- trace ---


@opt.command(epilog=EXIT_CODES)
@opt.output_format("text", "json", help="An indented tree, or a JSON object a line for each event.")
@opt.option(
    "--events", type=opt.whole(0), default=2_000, help="The most events to print; 0 for all."
)
@opt.printing
@opt.on_puzzles(opt.PROBLEM, opt.TIMEOUT, opt.backend("The engine or the program to watch."))
def trace(run: Run, backend: str, events: int) -> None:
    """Show how an engine searches, event by event.

    A choice is a guess; the lines below it say what follows, and where the search goes back.

    \b
    pylogic-sudoku trace -b prolog puzzle.txt
    pylogic-sudoku trace -b prolog:different --events 100 puzzle.txt
    """

    def show(
        where: str, puzzle: AnyPuzzle, answer: Iterator[Event[Any, Any] | dict[str, int]]
    ) -> None:
        solved = shown = 0
        for part in answer:
            if isinstance(part, Event):
                # In an optimization, others are refuted after the best one.
                solved, shown = solved or part.kind == "solution", shown + 1
                as_json = run.form == "json"
                click.echo(json.dumps(api.to_json(part)) if as_json else api.line(part))
            elif (total := sum(part.values())) > shown:
                number = f"the first {shown:,} of {total:,} events"
                say(f"{where}: these are {number}; --events 0 prints all")
                solved = bool(part.get("solution"))
                say(f"{where}: {counted(part.get('choice', 0), 'choice')} in all")
        if not solved:
            run.no_solution(where, puzzle)

    _say_of_threads(run, (backend,))
    run.each(partial(_events, backend=backend, limit=events or None, timeout=run.timeout), show)


def _events(
    puzzle: AnyPuzzle, backend: str, limit: int | None, timeout: float | None
) -> Iterator[Event[Any, Any] | dict[str, int]]:
    """The events up to the limit, and then how many there were of each kind."""
    events = api.trace(puzzle, backend, limit, timeout)
    try:
        yield from events
        yield events.counts
    finally:
        events.close()


# --- compare ---

REASONS = 10
"""The most answers for which a record has the reasons of a program: each takes about as long as an
answer."""
LIKELY = 3
"""The most lines that are named for a refusal, unless more exclude the answer together."""
OUTCOMES = ("unique", "several", "none", "confirmed", "timed out", "error", "disagreement")
"""The first three are what engines that agree have found."""


class _Tally:
    """The results so far: a few numbers for each puzzle, and in full only the worst puzzles."""

    def __init__(self, things: str) -> None:
        self.things = things
        self.outcomes: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self.seconds: defaultdict[str, array[float]] = defaultdict(lambda: array("d"))
        self.worst: dict[str, dict[str, Any]] = {}
        self.timed = False
        """True if some record has times, or would have them."""

    def add(self, record: dict[str, Any]) -> None:
        self.outcomes[record["outcome"]] += 1
        self.timed |= "seconds" in record
        if alone := record.get("alone"):
            self.alone[alone] += 1
        for name, seconds in record.get("seconds", {}).items():
            self.seconds[name].append(seconds)
            if name not in self.worst or seconds > self.worst[name]["seconds"][name]:
                self.worst[name] = record

    def summary(self) -> dict[str, Any]:
        from statistics import median

        times = {}
        for name, seconds in self.seconds.items():
            worst = self.worst[name]
            times[name] = {
                "median": median(seconds),
                "p95": sorted(seconds)[-1 - len(seconds) // 20],
                "worst": worst["seconds"][name],
                "worst puzzle": worst["puzzle"],
                "worst where": worst["where"],
            }
        counts = {outcome: self.outcomes[outcome] for outcome in OUTCOMES}
        total = self.outcomes.total()
        timed = {"seconds": times} if self.timed else {}
        return {self.things: total, **counts, "alone": dict(self.alone), **timed}


def _record(
    where: str, puzzle: AnyPuzzle, outcome: Comparison[Any, Any] | LogicError, no_times: bool
) -> dict[str, Any]:
    """The record of one puzzle, as JSON, without its number."""
    record: dict[str, Any] = {"where": where, **puzzle.record()}
    record |= {} if no_times else {"seconds": {}}
    if isinstance(outcome, SolveTimeout):
        known = outcome.best is not None
        best = {"best": {outcome.backend: _best(outcome)}} if known else {}
        return record | {"outcome": "timed out", **error_fields(outcome), **best}
    if isinstance(outcome, LogicError):
        return record | {"outcome": "error", **error_fields(outcome)}
    counts = {name: len(answer.solutions) for name, answer in outcome.answers.items()}
    record |= {"counts": counts} if no_times else {"seconds": outcome.timings, "counts": counts}
    costs = {name: list(answer.cost) for name, answer in outcome.answers.items() if answer.cost}
    record |= {"costs": costs} if costs else {}
    best = {name: _best(answer) for name, answer in outcome.answers.items() if answer.bests}
    record |= {"best": best} if best else {}
    if outcome.outcome == "confirmed":
        return record | {"outcome": "confirmed", "timed_out": list(outcome.timed_out)}
    if not outcome.agree:
        only = {name: sorted(map(str, grids)) for name, grids in outcome.only.items()}
        record |= {"outcome": "disagreement", "alone": outcome.alone, "only": only}
        if puzzle.has_atoms:
            record["refusals"] = {
                name: [
                    {"answer": str(answer), **refusals[answer].to_json()}
                    for answer in islice(refusals, REASONS)
                ]
                for name, refusals in outcome.refusals.items()
            }
        return record
    return record | {"outcome": ("none", "unique", "several")[min(len(outcome.solutions), 2)]}


def _best(found: Any) -> dict[str, Any]:
    """The best answer so far of an engine, or of a SolveTimeout, as JSON."""
    return {"answer": str(found.best), "cost": list(found.best.cost), **not_proved(found)}


def _print_summary(summary: dict[str, Any], things: str) -> None:
    thing = things.removesuffix("s")
    *agreed, differ = OUTCOMES
    columns = [things, *(outcome for outcome in agreed if summary[outcome]), differ]
    print_table(
        ["disagree" if column == differ else column for column in columns],
        [[str(summary[column]) for column in columns]],
    )
    for name, number in summary["alone"].items():
        click.echo(f"{name} stands alone: {counted(number, thing)}")
    if summary.get("seconds"):
        kinds = ("median", "p95", "worst")
        rows = [
            (name, *(f"{seconds[kind] * 1e3:.2f}" for kind in kinds))
            for name, seconds in summary["seconds"].items()
        ]
        print_table((f"ms {'an' if thing[0] == 'i' else 'a'} {thing}", *kinds), rows)
        for name, seconds in summary["seconds"].items():
            puzzle = seconds["worst puzzle"]  # if it is not a line, it is long
            short = isinstance(puzzle, str) and things == "puzzles"
            text = puzzle if short else seconds["worst where"]
            click.echo(f"worst for {name}: {text}")


@opt.command()
@opt.option(
    *("--json", "log"),
    type=click.Path(dir_okay=False, writable=True),
    metavar="FILE",
    help="Write a JSON object for each puzzle to this file, and then a summary. The file must be"
    " new or empty.",
)
@opt.output_format(
    *("text", "json", "lines"),
    help="Differences and a table.",
)
@opt.printing
@opt.on_puzzles(
    opt.PROBLEM,
    opt.BACKENDS,
    opt.JOBS,
    opt.SHARD,
    opt.TIMEOUT,
    opt.limit("The most solutions of a puzzle to compare; 0 for all.", default=50),
)
@opt.flag("--no-times", help="Write nothing that differs from run to run.")
@opt.flag("--fail-fast", help="Stop at the first puzzle on which the engines differ.")
@opt.flag("--smallest", help="With -p: look for the smallest instance on which they differ.")
@opt.option(
    "--tries",
    type=opt.whole(0),
    default=1_000,
    help="The most instances that --smallest tries; 0: all.",
)
def compare(
    run: Run,
    engines: tuple[str, ...],
    limit: int,
    log: str | None,
    share: Share | None,
    no_times: bool,
    fail_fast: bool,
    smallest: bool,
    tries: int,
) -> None:
    """Compare the answers of the engines, and their times.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Every engine must find the
    same solutions; if -n stops them, each must accept those of the others. If one engine differs
    from two or more that agree, it "stands alone". A puzzle is "confirmed" if the time of one
    engine ran out, but it accepts what another one found. Exit code 5 if the engines differ, 4 if
    time ran out before anything was known, 2 for puzzles that cannot be read, 6 if the output
    cannot be written. The file of --json only grows: even a run that is killed loses no record.

    With -p, a difference is explained by the line that refuses an answer; in JSON, "refusals" has
    the reasons of each program for up to ten answers. --smallest tries the answers of instances.lp
    in the problem's folder.

    \b
    pylogic-sudoku compare -b 'prolog:*' -b clingo:pairwise puzzle.txt
    pylogic-sudoku compare --jobs 2 -t 10 --json log.jsonl puzzles.txt
    pylogic-sudoku compare -p queens --smallest --tries 5
    """
    if run.problem and len(engines) < 2 and not is_pattern(engines[0]):
        have = ", ".join(run.problem.paths)
        raise click.UsageError(
            f"there is nothing to compare {listed(engines)} with: {run.problem.name} has {have};"
            " give another -b, such as -b prolog:my.pl for a file"
        )
    if len(engines) < 2 and not is_pattern(engines[0]):
        raise click.UsageError(f"-b {engines[0]} needs another -b to be compared with")
    if share:
        opt.check_shard()
    check_output(log, *run.puzzle)
    if log and is_regular(log) and os.path.getsize(log):
        raise click.ClickException(f"{log}: it exists and is not empty; give another name")
    if not smallest and opt.is_given("tries"):
        raise click.UsageError("--tries is how many instances --smallest tries: give both")
    if smallest:
        if not run.problem or run.puzzle:
            raise click.UsageError(
                "--smallest goes with -p PROBLEM, and chooses the instances itself"
            )
        untried = instances_by_size(run.problem)
        run.instances = islice(untried, tries or None)
    ask = partial(_ask, backends=engines, limit=limit or None, timeout=run.timeout)
    if share:
        _compare_share(run, share, ask, engines, no_times)
        return
    things = "instances" if run.problem else "puzzles"
    with (
        _writing(run.form, log, things) as result,
        closing(run.answers(ask)) as answers,
        progress(run.number_of_puzzles) as advance,
    ):
        for where, puzzle, answer in answers:
            outcome = _outcome(answer)
            _show(run, where, outcome)
            record = _record(where, puzzle, outcome, no_times) | run.warned()
            # Otherwise, after Ctrl-C between the two, the table and the file would differ.
            defer_signals(partial(result.keep, record))
            advance()
            if (fail_fast or smallest) and record["outcome"] == "disagreement":
                break
    if smallest:
        say(_ending(result.tally, untried))


class _Result:
    """The records of a comparison, which go to a file and to the output, and their summary."""

    def __init__(self, form: str, file: BinaryIO, things: str) -> None:
        self.tally = _Tally(things)
        self._form = form
        self._file = file

    def keep(self, record: dict[str, Any]) -> None:
        """Write the record of the next puzzle."""
        self._write({"number": self.tally.outcomes.total() + 1, **record})
        self.tally.add(record)

    def _write(self, record: dict[str, Any]) -> None:
        line = json.dumps(record)
        self._file.write(line.encode() + b"\n")
        if self._form == "json":
            echo(line)

    def end(self) -> None:
        """Write the summary."""
        things = self.tally.things
        summary = self.tally.summary()
        try:
            if summary[things]:
                self._write({"summary": summary})
        finally:
            if self._form == "text":
                _print_summary(summary, things)


@contextmanager
def _writing(form: str, log: str | None, things: str) -> Iterator[_Result]:
    """Open the file of the records, and write a summary at the end, however that comes."""
    with append_to(log or os.devnull) as file:
        result = _Result(form, file, things)
        try:
            yield result
        finally:
            result.end()


# --- compare: shares ---


def _compare_share(
    run: Run,
    share: Share,
    ask: Callable[[AnyPuzzle], Iterator[Comparison[Any, Any]]],
    engines: tuple[str, ...],
    no_times: bool,
) -> None:
    """Compare the puzzles of a share, and print its record."""
    from ..questions.shares import Sharing  # which a run without shares does without

    run.form = "json"  # messages go to standard error
    puzzles = run.all_puzzles()
    items = [(_key(puzzle), where) for where, puzzle in puzzles]
    sharing = Sharing(share, "compare", _question(run, engines), items, echo)
    readable = []
    for at in sharing.positions:
        where, puzzle = puzzles[at]
        if isinstance(puzzle, LogicError):
            run.report(where, puzzle)
            printed = {"where": where, **error_fields(puzzle)}
            said = [reported(where, puzzle)]
            sharing.add(at, code=puzzle.exit_code, said=said, printed=printed)
        else:
            readable.append(at)
    run.ask_about([puzzles[at] for at in readable])
    places = iter(readable)
    with closing(run.answers(ask)) as answers, progress(run.number_of_puzzles) as advance:
        for where, puzzle, answer in answers:
            outcome = _outcome(answer)
            _show(run, where, outcome)
            fields: dict[str, Any] = {**_shown(where, outcome)._asdict(), "warned": run.warnings()}
            fields = {name: each for name, each in fields.items() if each}
            record = _record(where, puzzle, outcome, no_times)
            sharing.add(next(places), **fields, record=record)
            advance()
    if not sharing.positions:
        say(f"share {share} is empty: there are fewer {_things(run)} than shares")


def _things(run: Run) -> str:
    return "instances" if run.problem else "puzzles"


def _key(puzzle: AnyPuzzle) -> str:
    """A text that only this puzzle has; of one that cannot be read, the reason."""
    return str(puzzle) if isinstance(puzzle, LogicError) else json.dumps(puzzle.record())


def _question(run: Run, engines: tuple[str, ...]) -> dict[str, Any]:
    """The common part of all shares of a comparison, as JSON."""
    from ..problem.text import read_text
    from ..questions.shares import digest

    question = opt.question_of_run() | {"things": _things(run), "engines": engines}
    if problem := run.problem:
        names = [name for name, path in problem.paths.items() if path.is_file()]
        texts = {name: digest(read_text(problem.path(name)))[:16] for name in names}
        question |= {"programs": texts}
    return question


def merge_compare(found: Merged, form: str, log: str | None) -> int:
    """Print the records of all shares as one run would have; the exit code of that run."""
    run = Run((), form=form)
    seen: set[tuple[Any, ...]] = set()
    with _writing(form, log, found.question["things"]) as result:
        for each in found.records:
            run.remember_code(each.get("code", 0))
            warned = [each for each in map(tuple, each.get("warned", ())) if each not in seen]
            seen.update(warned)  # each share has said what a run says once
            for message in warned:
                run.show_warning(Message(*message))
            for line in each.get("lines" if form == "lines" else "differences", ()):
                (say if form == "json" else echo)(line)
            if form != "lines" or not each.get("lines"):
                for line in each.get("said", ()):
                    say(line)
            if form == "json" and "printed" in each:
                echo(json.dumps(each["printed"]))
            if "record" in each:
                result.keep(each["record"] | run.warned())
    return run.code


def _ending(tally: _Tally, untried: Iterator[Instance]) -> str:
    """The number of instances that --smallest has tried, and why it tries no more, in words."""
    late = tally.outcomes["timed out"] + tally.outcomes["confirmed"]
    differs = bool(tally.outcomes["disagreement"])
    more = not differs and next(untried, None) is not None
    return ending(tally.outcomes.total(), late, differs, more, "--tries")


def _ask(
    puzzle: AnyPuzzle, backends: tuple[str, ...], limit: int | None, timeout: float | None
) -> Iterator[Comparison[Any, Any]]:
    yield compare_one(puzzle, comparable(backends, puzzle), limit, timeout)


def _outcome(answer: Iterator[Comparison[Any, Any]]) -> Comparison[Any, Any] | LogicError:
    """The comparison or the error; BackendUnavailable is raised."""
    try:
        return next(answer)
    except BackendUnavailable:
        raise
    except LogicError as error:
        return error


class _Shown(NamedTuple):
    """The messages about a puzzle."""

    code: int = 0
    """The exit code of a run in which nothing else happens."""
    differences: Iterable[str] = ()
    """Lines of text about a difference."""
    lines: Iterable[str] = ()
    """The same as compilers print it, or an error with a place."""
    said: Iterable[str] = ()
    """Lines about anything else."""


def _shown(where: str, outcome: Comparison[Any, Any] | LogicError) -> _Shown:
    if isinstance(outcome, LogicError):
        lines, said = located_errors(outcome), [reported(where, outcome)]
        return _Shown(outcome.exit_code, lines=lines, said=said)
    if outcome.outcome == "disagree":
        lines = list(dict.fromkeys(_located(where, outcome)))
        code = Disagreement(outcome.puzzle, {}).exit_code
        return _Shown(code, list(_difference(where, outcome)), lines)
    if outcome.outcome == "confirmed":
        return _Shown(said=[f"{where}: {outcome}"])
    return _Shown()


def _show(run: Run, where: str, outcome: Comparison[Any, Any] | LogicError) -> None:
    """Print the messages about a puzzle, and remember the exit code."""
    if isinstance(outcome, LogicError):
        run.report(where, outcome)
    elif outcome.outcome == "disagree" and run.form == "lines":
        for line in dict.fromkeys(_located(where, outcome)):
            echo(line)
        run.remember(Disagreement(outcome.puzzle, {}))
    elif outcome.outcome == "disagree":
        tell = say if run.form == "json" else echo
        for line in _difference(where, outcome):
            tell(line)
        run.remember(Disagreement(outcome.puzzle, {}))
    elif outcome.outcome == "confirmed":
        say(f"{where}: {outcome}")


def _again(instance: Instance, backends: list[str]) -> str:
    """The command that compares all answers of the same programs to the same instance."""
    from ..problem.search import choice_text  # which sudokus do without

    known = instance.problem.instances.get(instance.name) == instance
    words = ["pylogic-sudoku", "compare", "-p", str(instance.problem.folder), "-n", "0"]
    words += [word for name in backends for word in ("-b", name)]
    chosen = instance.problem.chosen_search.items()
    words += [word for each in chosen for word in ("--search", choice_text(*each))]
    return shlex.join((*words, instance.name if known else str(instance)))


def _located(where: str, comparison: AnyComparison) -> Iterator[str]:
    """The lines of programs that refuse an answer of others, as compilers print them."""
    if not any(comparison.refusals.values()):
        file, _, line = where.rpartition(":")
        place = Message(comparison.summary, file=file or where)
        yield place._replace(line=int(line) if file and line.isdigit() else None).located("error")
    from ..engines.command.named import is_command  # which sudokus do without

    for name, refusals in comparison.refusals.items():
        for answer, refusal in islice(refusals.items(), 1):
            problem = comparison.puzzle.problem
            path = where if is_command(name) else os.path.relpath(problem.path(name))
            words = f"{where}: {refusal} ({shortened(solution_text(answer))})"
            lines = refusal.lines[: max(refusal.together, LIKELY)] or (None,)
            for number, each in enumerate(lines):
                joined = "together with" if number < refusal.together else "next likely"
                text = f"{joined}: {each.shown}" if each and number else words
                message = Message(text, file=path)
                if each and (file := part_of(path, each.file)):
                    message = message._replace(
                        file=file, line=each.number, column=each.column or None
                    )
                yield message.located("note" if number else "error")


def _difference(where: str, comparison: AnyComparison) -> Iterator[str]:
    """The answers that some engine rejects, why, and the command that compares again, as lines."""
    puzzle = comparison.puzzle
    yield f"{where}: {comparison.summary}"
    for name, answer in comparison.answers.items():
        yield f"  {name}: {answer.number}"
        for solution in sorted(comparison.only[name], key=by_size)[:3]:
            against = [other for other, grids in comparison.rejected.items() if solution in grids]
            yield f"    {name} has {solution_text(solution)}, but not {' or '.join(against)}"
    if puzzle.has_atoms:
        for refusals in comparison.refusals.values():
            yield from (f"  {refusal}" for refusal in islice(refusals.values(), 1))
        yield f"  {_again(puzzle, list(comparison.answers))}"
        return
    text = puzzle.record()["puzzle"]
    text = text if isinstance(text, str) else json.dumps(text)
    box = "--box {}x{} ".format(*puzzle.box) if isinstance(puzzle, Grid) else ""
    yield f"  pylogic-sudoku solve -n 0 -b all {box}'{text}'"
