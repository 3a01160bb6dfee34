"""The command ``coverage``: the parts of a problem's programs that no instance notices."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from ..coverage.cobertura import as_cobertura
from ..coverage.html import as_html
from ..coverage.mutants import Mutants, judged, sampled
from ..coverage.plan import Plan, covered, plan_of
from ..coverage.record import Record
from ..coverage.result import Coverage, line_of
from ..coverage.suggest import TRIES, Suggestion, suggest
from ..coverage.trials import LIMIT, TIMEOUT, Trial
from ..errors import LogicError
from ..problem import Instance
from ..problem.folder import Problem
from . import options as opt
from .output import echo, patient, progress, say, waiting

FORMATS = ("text", "html", "cobertura", "json")
EXIT_CODES = """\
Exit codes: 0 all parts are noticed, 1 some are not, 2 bad usage or bad input, 3 an engine is
missing or broke, 4 not known in time, 6 the output cannot be written, 130 interrupted."""

PROGRAMS = opt.several(
    *("-b", "--backend", "programs"),
    type=opt.BackendName(),
    help="An engine or a program; may be repeated. All without it.",
)


@opt.command(epilog=EXIT_CODES)
@opt.with_options(
    opt.NO_SUDOKU,
    PROGRAMS,
    opt.flag("--suggest", "suggests", help="Look for the smallest instance that notices a part."),
    opt.option("--mutants", type=opt.whole(0), help="Try this many small changes; 0: all."),
    opt.option("--seed", type=opt.whole(0), default=0, help="The same seed, the same --mutants."),
    opt.option(
        "--tries",
        type=opt.whole(0),
        default=TRIES,
        help="The most small instances to try; 0: all.",
    ),
    opt.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write results here, and go on from those that are there.",
    ),
    opt.processes("Processes that share the parts."),
    opt.timeout("Time limit for each program and instance.", TIMEOUT),
    opt.limit("The most answers to an instance to compare; 0 for all.", default=LIMIT),
    opt.CONSTANTS,
)
@opt.output_format(*FORMATS, help="The form of the report.")
@opt.printing
@click.argument("instances", nargs=-1, type=opt.PuzzleSource(), metavar="[INSTANCE]...")
def coverage(
    problem: Problem,
    instances: tuple[str, ...],
    constants: tuple[tuple[str, str], ...],
    programs: tuple[str, ...],
    limit: int,
    timeout: float,
    mutants: int | None,
    seed: int,
    form: str,
    suggests: bool,
    **how: Any,  # jobs, tries, record
) -> NoReturn:
    """Find the parts of a problem's programs that no instance notices.

    Each statement of an ASP program, and each clause and goal of a Prolog program, is left out in
    turn. An INSTANCE notices it if the answers are others, or cost something else; if the program
    fails; or, counted apart, if it does not end in time. INSTANCE is a name, a file or facts;
    without any, all in the folder are tried. --mutants tries small changes instead.

    \b
    pylogic-sudoku coverage -p hitori
    pylogic-sudoku coverage -p hitori --mutants 20 --seed 1 -b clingo equal 5
    pylogic-sudoku coverage -p hitori -b clingo -f cobertura -o coverage.xml
    """
    posed = read_instances(problem, instances, constants)
    plan = plan_of(problem, posed, programs or None, limit or None, timeout)
    run = Work(form=form, **how)
    if mutants is None:
        if opt.is_given("seed"):
            raise click.UsageError("--seed is that of the sample of --mutants: give both")
        sys.exit(run.cover(plan, suggests))
    if form not in ("text", "json"):
        raise click.UsageError(f"-f {form} is about parts left out; with --mutants, choose json")
    if suggests:
        raise click.UsageError("--mutants looks for the smallest instances anyway, as --suggest")
    sys.exit(run.mutate(sampled(plan, mutants or None, seed)))


@dataclass(frozen=True)
class Work:
    """The way in which a plan is carried out, and its results are printed."""

    form: str
    jobs: int
    tries: int
    record: Path | None

    def cover(self, plan: Plan, suggests: bool) -> int:
        """Print the coverage, and the suggestions if they are wanted; return the exit code."""
        found: list[tuple[str, Trial]] = []
        try:
            for each in self.trials(plan):
                found.append(each)
        except BaseException as error:
            if found:
                self._print_coverage(covered(plan, found, why(error)))
            raise
        measured = covered(plan, found)
        self._print_coverage(measured, self._suggestions(plan, found) if suggests else ())
        return 1 if measured.missed else 4 if measured.unknown else 0

    def mutate(self, plan: Plan) -> int:
        """Print the fate of mutants; return the exit code."""
        found: list[tuple[str, Trial]] = []
        try:
            for each in self.trials(plan):
                found.append(each)
            with waiting("trying small instances"):
                measured = judged(plan, found, self.tries or None, self.jobs)
        except BaseException as error:
            if found:
                self._print(judged(plan, found, stopped=why(error)))
            raise
        self._print(measured)
        unknown = any(each.unknown for each in measured.programs)
        return 1 if measured.survived else 4 if unknown else 0

    def trials(self, plan: Plan) -> Iterator[tuple[str, Trial]]:
        """Try the edits of a plan, keep the results, and show how far they are."""
        with ExitStack() as opened:
            record = opened.enter_context(Record(self.record, plan)) if self.record else None
            known = record.known if record else ()
            results = opened.enter_context(closing(plan.run(self.jobs, known)))
            advance = opened.enter_context(progress(lambda: plan.number))
            there = {(name, trial.edit) for name, trial in known}
            for name, trial in results:
                if record and (name, trial.edit) not in there:
                    record.add(name, trial)
                yield name, trial
                advance()

    def _suggestions(self, plan: Plan, found: list[tuple[str, Trial]]) -> Iterator[Suggestion]:
        missed = {(each.edit): (name, each) for name, each in found if each.verdict == "missed"}
        with closing(suggest(plan, [*missed.values()], self.tries or None, self.jobs)) as found_:
            yield from patient(found_, "trying small instances")

    def _print_coverage(self, measured: Coverage, suggested: Iterable[Suggestion] = ()) -> None:
        if self.form in ("text", "json"):
            self._print(measured, suggested)
        else:
            echo((as_html if self.form == "html" else as_cobertura)(measured).rstrip("\n"))
            say(measured.summary)
            for each in suggested:
                say(f"{line_of(each.trial)}\n    {each}")
        if measured.incomplete and self.form != "text":
            say(f"INCOMPLETE: {measured.incomplete}")

    def _print(self, measured: Coverage | Mutants, suggested: Iterable[Suggestion] = ()) -> None:
        if self.form == "json":
            more = [each.to_json() for each in suggested]
            fields = {**measured.to_json(), **({"suggestions": more} if more else {})}
            echo(json.dumps(fields, indent=1))
            say(measured.summary)
            return
        echo(measured)
        for number, each in enumerate(suggested):
            if not number:
                echo("The smallest instances:")
            echo(f"{line_of(each.trial)}\n    {each}")


def read_instances(
    problem: Problem, texts: tuple[str, ...], constants: tuple[tuple[str, str], ...]
) -> list[Instance] | None:
    """The instances that are named, or all with the constants; None if there are neither."""
    given = opt.chosen_constants(problem, constants)
    names = texts or (tuple(problem.instances) if given else ())
    posed = []
    for text in names:
        posed.append(problem.instance(sys.stdin.read() if text == "-" else text, given))
        if text in texts and text != "-" and not posed[-1].name:
            problem.must_read(posed[-1])
    return posed or None


def why(error: BaseException) -> str:
    """The reason why a run ended early."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    first = str(error).partition("\n")[0]
    return f"stopped ({first})" if isinstance(error, LogicError) else "stopped by an error"
