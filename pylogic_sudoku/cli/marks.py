"""The command ``class``: the marks of a class, from what a platform makes of its submissions."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

import click

from ..check.marks import Marking, Marks, table_of, write_pages
from ..check.results import Result, number_text
from ..check.stored import from_stored
from ..check.students import LAYOUTS, checked_layout, expected, gathered, read_roster
from ..check.verdict import NOT_RUN
from ..errors import counted, listed, shortened
from ..files import save
from ..questions.shares import Merged, Share, digest
from ..running.workers import defer_signals
from . import options as opt
from .check import INSTANCES, JOBS, POINTS, prepared, say_all, why_ended
from .output import OutputLost, check_output, echo, patient, print_table, progress, say

_COLUMNS = ("id", "name", "points", "feedback")
_WIDTH = 40
"""Characters of feedback in the table on the terminal."""
_NAMED = 5
"""Files that a message names, at most."""
FILE = click.Path(exists=True, dir_okay=False, path_type=Path)


@opt.command(
    "class",
    epilog="""\
Exit codes: 0 there are marks, 1 some instance is not graded, 2 bad usage or input, 3 no engine or
sandbox, 6 the output cannot be written, 130 interrupted (143 by TERM, 129 by HUP).""",
)
@opt.with_options(
    *INSTANCES,
    JOBS,
    opt.SHARD,
    POINTS,
    opt.option(
        "--students",
        type=FILE,
        metavar="CSV",
        help="The roster: who sent nothing has a row, too.",
    ),
    opt.option(
        "--layout",
        type=opt.Value("LAYOUT", checked_layout),
        default="",
        help=f"{', '.join(LAYOUTS)}, or {{name}}_{{id}}/{{file}}.",
    ),
    opt.option("--program", default="", metavar="NAME", help="The program that counts."),
    opt.option(
        "--csv",
        "csv_file",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write the marks as CSV.",
    ),
    opt.option(
        "--pages",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Write a page for each student.",
    ),
    opt.option(
        "--record",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Write results here, and go on from those that are there.",
    ),
)
@click.pass_context
@opt.printing
@click.argument("submissions", type=click.Path(exists=True, path_type=Path), metavar="SUBMISSIONS")
def command(
    context: click.Context,
    /,
    submissions: Path,
    instances: str | None,
    solutions: Path | None,
    points: tuple[tuple[str, float], ...],
    source_format: str | None,
    jobs: int,
    students: Path | None,
    layout: str,
    program: str,
    csv_file: Path | None,
    pages: Path | None,
    record: Path | None,
    share: Share | None,
    **options: Any,  # the other fields of Grader
) -> NoReturn:
    """Grade the submissions of a class, from a ZIP to marks.

    SUBMISSIONS is the ZIP that Moodle, Canvas or Gradescope makes, or a folder. If a
    student sent several programs, the one named as in the exercise counts, or else the latest.

    \b
    pylogic-sudoku class submissions.zip -i exercise --csv marks.csv --pages feedback
    pylogic-sudoku class submissions.zip -i exercise --students roster.csv --record class.jsonl
    """
    if share:
        opt.check_shard()
    if instances is None and options["problem"] is None:
        raise click.UsageError("expected -i INSTANCES, or -p PROBLEM")
    files = [each for each in (csv_file, record) if each is not None]
    read = [str(submissions), *([str(students)] if students else [])]
    for number, each in enumerate(files):
        check_output(each, *read, *map(str, files[:number]))
    if pages:
        pages.mkdir(parents=True, exist_ok=True)
        check_output(pages / "student.html")
    roster = read_roster(students) if students else None
    sources = () if instances is None else (instances,)
    whole = prepared(
        context, sources, solutions, points, source_format, options, lambda *_all: None
    )
    names, languages = expected(whole.grader.problem, _folders(instances))
    chosen = [program] if program else names
    with gathered(submissions, roster, layout, chosen, languages) as (found, left):
        if left:
            more = [f"{len(left) - _NAMED} more"] if len(left) > _NAMED else []
            say(f"These files belong to no student: {listed([*left[:_NAMED], *more])}.")
        marking = Marking(
            found, whole.grader, whole.instances, whole.folder, whole.title, whole.with_points
        )
        if share:
            _run_share(marking, share, jobs)
            failures = []
        else:
            finish = partial(_finish, marking, csv_file, pages)
            _run(marking, jobs, record, finish)
            failures = defer_signals(finish)
    if failures:
        say_all(failures[1:])
        raise failures[0]
    context.exit(_exit_code(each for own in marking.results.values() for each in own))


def _exit_code(results: Iterable[Result]) -> int:
    """The exit code: 1 if some instance is not graded."""
    return 0 if all(each.graded for each in results) else 1


def _run_share(marking: Marking, share: Share, jobs: int) -> None:
    """Grade a share of the programs, and print its record."""
    own = {each.name: digest(each.text)[:16] for each in marking.instances}
    question = {**opt.question_of_run(), "instances": own}  # wherever their folder is
    graded = marking.run_share(share, question, echo, jobs)
    number = next(graded)
    with progress(lambda: number, True) as advance:
        for _ in patient(graded, "the class"):
            advance()
    if not number:
        say(f"share {share} is empty: there are fewer programs than shares")


def merge_class(found: Merged, form: str) -> int:
    """Print the record of all shares, which ``class --record`` reads; its exit code."""
    for each in found.records:
        echo(json.dumps({name: each[name] for name in ("marks", "results", "warnings")}))
    return _exit_code(from_stored(each) for one in found.records for each in one["results"])


def _folders(instances: str | None) -> list[Path]:
    """Return the folders in which the exercise may be."""
    if instances is None or not os.path.isdir(instances):
        return []
    return [Path(instances), Path(instances).resolve().parent]


def _run(
    marking: Marking, jobs: int, record: Path | None, finish: Callable[..., list[Exception]]
) -> None:
    """Grade the programs. If the run ends early, the marks so far are printed and written."""
    total = len(marking.programs)
    try:
        with progress(lambda: total) as advance:
            for _ in patient(marking.run(jobs, record), "the class"):
                advance()
    except BaseException as error:
        if marking.results:
            done = f"{len(marking.results)} of {counted(total, 'program')}"
            say_all(defer_signals(partial(finish, f"{why_ended(error)} after {done}")))
            if record:
                say("The same command goes on from there.")
        raise


def _finish(
    marking: Marking, csv_file: Path | None, pages: Path | None, incomplete: str = ""
) -> list[Exception]:
    """Print and write the marks; return what has failed."""
    marks = marking.marks()
    works: list[Callable[[], object]] = [partial(_print, marking, marks, incomplete)]
    if csv_file:
        works.append(partial(save, csv_file, table_of(marks, incomplete)))
    if pages:
        ready = [each for each in marks if each.outcome != NOT_RUN]
        works.append(partial(write_pages, ready, pages, marking.title))
    failures: list[Exception] = []
    for work in works:
        try:
            work()
        except OSError as error:
            failures.append(error if error.filename is None else OutputLost(error))
        except Exception as error:
            failures.append(error)
    return failures


def _print(marking: Marking, marks: Sequence[Marks], incomplete: str) -> None:
    """Print the table, the mistakes that programs share, and the numbers."""
    rows = []
    for each in marks:
        score = f"{number_text(each.points)}/{number_text(each.most)}"
        score = "" if each.outcome == NOT_RUN else score
        rows.append([each.id, each.name, score, shortened(each.feedback, _WIDTH)])
    print_table(_COLUMNS, rows)
    for lines in marking.report(incomplete).common:
        echo("\n    ".join(lines))
    for warning in marking.warnings:
        say(f"Warning: {warning}.")
    passed = sum(each.outcome == "success" for each in marks)
    lacking = sum(each.outcome == "no program" for each in marks)
    more = f", {lacking} without a program" if lacking else ""
    echo(f"{counted(len(marks), 'student')}: {passed} passed{more}")
    if incomplete:
        echo(f"INCOMPLETE: {incomplete}")
