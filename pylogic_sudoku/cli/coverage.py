"""The command ``coverage``: the parts of a problem's programs that no instance notices."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from ..coverage.cobertura import as_cobertura
from ..coverage.html import as_html
from ..coverage.mutants import Mutants, judged, sampled
from ..coverage.plan import Plan, covered, plan_of
from ..coverage.pool import Pool, differences, lines_about
from ..coverage.record import Record, described, key_of
from ..coverage.result import Coverage, line_of
from ..coverage.suggestions import TRIES, Suggestion, suggest
from ..coverage.trials import LIMIT, TIMEOUT, Trial
from ..errors import LogicError
from ..problem import Instance
from ..problem.folder import Problem, bundled
from . import options as opt
from .output import echo, patient, progress, say, waiting

if TYPE_CHECKING:
    from ..coverage.edits import Edit
    from ..questions.shares import Merged, Share

FORMATS = ("text", "html", "cobertura", "json")
EXIT_CODES = """\
Exit codes: 0 all parts are noticed, 1 some are not, 2 bad usage or bad input, 3 an engine is
missing or broke, 4 some are not known, 6 the output cannot be written, 130 interrupted."""

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
    opt.SHARD,
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
    share: Share | None,
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
    if share:
        opt.check_shard()
    posed = read_instances(problem, instances, constants)
    plan = plan_of(problem, posed, programs or None, limit or None, timeout)
    run = Work(form=form, **how)
    if mutants is None and opt.is_given("seed"):
        raise click.UsageError("--seed is that of the sample of --mutants: give both")
    if share:
        found = plan if mutants is None else sampled(plan, mutants or None, seed)
        question = _question(found, constants, None if mutants is None else [mutants, seed])
        sys.exit(run.cover_share(found, share, question))
    if mutants is None:
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
        return self.print(plan, found, suggests)

    def print(self, plan: Plan, found: list[tuple[str, Trial]], suggests: bool) -> int:
        """Print the coverage that all trials show; return the exit code."""
        measured = covered(plan, found)
        self._print_coverage(measured, self._suggestions(plan, found) if suggests else ())
        return 1 if measured.missed else 4 if measured.unknown else 0

    def mutate(self, plan: Plan) -> int:
        """Print the fate of mutants; return the exit code."""
        found: list[tuple[str, Trial]] = []
        try:
            for each in self.trials(plan):
                found.append(each)
            return self.print_mutants(plan, found)
        except BaseException as error:
            if found:
                self._print(judged(plan, found, stopped=why(error)))
            raise

    def print_mutants(self, plan: Plan, found: list[tuple[str, Trial]]) -> int:
        """Try the mutants that nobody notices on small instances, and print the fate of all."""
        with waiting("trying small instances"):
            measured = judged(plan, found, self.tries or None, self.jobs)
        self._print(measured)
        unknown = any(each.unknown or each.undecided for each in measured.programs)
        return 1 if measured.survived else 4 if unknown else 0

    def cover_share(self, plan: Plan, share: Share, question: dict[str, Any]) -> int:
        """Print the record of a share of the edits; return the exit code."""
        from ..questions.shares import Sharing  # which a run without shares does without

        every = edits_of(plan)
        items = [("\n".join(map(str, key_of(*each))), each[1].shown) for each in every]
        sharing = Sharing(share, "coverage", question, items, echo)
        mine = [every[at] for at in sharing.positions]
        edits = {name: tuple(edit for own, edit in mine if own == name) for name in plan.edits}
        verdicts = set()
        found = self.trials(replace(plan, edits=edits))
        for at, (_, trial) in zip(sharing.positions, found, strict=True):
            sharing.add(at, **trial.to_json())
            verdicts.add(trial.verdict)
        if not mine:
            say(f"share {share} is empty: there are fewer parts than shares")
        return 1 if "missed" in verdicts else 4 if "unknown" in verdicts else 0

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
            suggested = list(suggested)
            for each in suggested:
                say(f"{line_of(each.trial)}\n    {each}")
            for line in lines_about(_differences(suggested)):
                say(line)
        if measured.incomplete and self.form != "text":
            say(f"INCOMPLETE: {measured.incomplete}")

    def _print(self, measured: Coverage | Mutants, suggested: Iterable[Suggestion] = ()) -> None:
        if self.form == "json":
            suggested = list(suggested)
            fields = measured.to_json()
            if suggested:
                fields["suggestions"] = [each.to_json() for each in suggested]
            if pools := _differences(suggested):
                fields["differences"] = [each.to_json() for each in pools]
            echo(json.dumps(fields, indent=1))
            say(measured.summary)
            return
        echo(measured)
        printed: list[Suggestion] = []
        for each in suggested:
            if not printed:
                echo("The smallest instances:")
            echo(f"{line_of(each.trial)}\n    {each}")
            printed.append(each)
        for line in lines_about(_differences(printed)):
            echo(line)


def _differences(suggested: Iterable[Suggestion]) -> tuple[Pool, ...]:
    """The small instances on which two programs differ."""
    return differences(each.pool for each in suggested if each.pool)


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


# --- shares ---


def edits_of(plan: Plan) -> list[tuple[str, Edit]]:
    """All edits of a plan with the names of their programs, in order."""
    return [(name, each) for name, own in plan.edits.items() for each in own]


def _question(
    plan: Plan, constants: tuple[tuple[str, str], ...], sample: list[int] | None
) -> dict[str, Any]:
    """The common part of all shares of a run, as JSON."""
    folder = Path(os.path.relpath(plan.problem.folder)).as_posix()
    where = plan.problem.name if plan.problem in bundled() else folder
    given = {"where": where, "constants": [list(each) for each in constants], "sample": sample}
    return {**opt.question_of_run(), **described(plan), **given}


def merge_coverage(found: Merged, form: str, suggests: bool) -> int:
    """Print the coverage, or the mutants, of all shares, as one run would have."""
    question = found.question
    problem = Problem(question["where"])
    given = opt.chosen_constants(problem, tuple(map(tuple, question["constants"])))
    posed = [
        problem.instance(label if label in problem.instances else facts, given)
        for label, facts in question["instances"].items()
    ]
    programs = list(question["programs"])
    plan = plan_of(problem, posed, programs, question["limit"], question["timeout"])
    if sample := question["sample"]:
        plan = sampled(plan, sample[0] or None, sample[1])
    changed = [name for name, each in described(plan).items() if question[name] != each]
    every = edits_of(plan)
    if changed or len(every) != len(found.records):
        raise click.ClickException(
            f"{question['where']} has changed since the shares ran ({', '.join(changed)}): run them"
            " again, or merge them where the folder is as it was"
        )
    results = [
        (name, Trial(edit, each["outcomes"]))
        for (name, edit), each in zip(every, found.records, strict=True)
    ]
    work = Work(form, 1, TRIES, None)
    return work.print_mutants(plan, results) if sample else work.print(plan, results, suggests)
