"""The command ``coverage``: the parts of a problem's programs that no instance notices."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import closing
from typing import Any, NoReturn

import click

from ..coverage.cobertura import as_cobertura
from ..coverage.html import as_html
from ..coverage.plan import Plan, covered, plan_of
from ..coverage.result import Coverage
from ..coverage.trials import LIMIT, TIMEOUT, Trial
from ..errors import LogicError
from ..problem import Instance
from ..problem.folder import Problem
from . import options as opt
from .output import echo, progress, say

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
    programs: tuple[str, ...],
    instances: tuple[str, ...],
    constants: tuple[tuple[str, str], ...],
    limit: int,
    timeout: float,
    jobs: int,
    form: str,
) -> NoReturn:
    """Find the parts of a problem's programs that no instance notices.

    Each statement of an ASP program, and each clause and goal of a Prolog program, is left out in
    turn. An INSTANCE notices it if the answers are others, or cost something else; if the program
    fails; or, counted apart, if it does not end in time. INSTANCE is a name, a file or facts;
    without any, all in the folder are tried.

    \b
    pylogic-sudoku coverage -p hitori
    pylogic-sudoku coverage -p set_cover --jobs 2 -o coverage.html
    pylogic-sudoku coverage -p hitori -b clingo -f cobertura -o coverage.xml
    """
    posed = read_instances(problem, instances, constants)
    plan = plan_of(problem, posed, programs or None, limit or None, timeout)
    found: list[tuple[str, Trial]] = []
    try:
        for each in watched(plan, jobs):
            found.append(each)
    except BaseException as error:
        if found:
            print_coverage(covered(plan, found, why(error)), form)
        raise
    measured = covered(plan, found)
    print_coverage(measured, form)
    sys.exit(1 if measured.missed else 4 if measured.unknown else 0)


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


def watched(plan: Plan, jobs: int) -> Iterator[tuple[str, Trial]]:
    """Try the edits of a plan, and show how far they are."""
    with progress(lambda: plan.number) as advance, closing(plan.run(jobs)) as trials:
        for each in trials:
            yield each
            advance()


def why(error: BaseException) -> str:
    """The reason why a run ended early."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    first = str(error).partition("\n")[0]
    return f"stopped ({first})" if isinstance(error, LogicError) else "stopped by an error"


def print_coverage(measured: Coverage, form: str) -> None:
    """Print the report."""
    texts: dict[str, Any] = {
        "html": lambda: as_html(measured),
        "cobertura": lambda: as_cobertura(measured),
        "json": lambda: json.dumps(measured.to_json(), indent=1),
    }
    echo(texts.get(form, lambda: str(measured))().rstrip("\n"))
    if form != "text":
        say(measured.summary)
        if measured.incomplete:
            say(f"INCOMPLETE: {measured.incomplete}")
