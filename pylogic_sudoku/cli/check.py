"""The command ``check``: verdicts on programs, and reports; ``exercise``: what it grades with."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import partial
from glob import glob
from itertools import chain, takewhile
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import click

from ..check import Exercise, Grader, Report, Result, Verdict, vocabulary_of
from ..check.cases import VOCABULARIES, Case, Vocabulary, apart
from ..check.diagnosis import printable
from ..check.exercise import PUZZLES, uncaught, write_exercise
from ..check.folder import LANGUAGES, Settings, check_new, settings_in
from ..check.programs import PROGRAM_FILES, checked_constants
from ..check.reports import FORMATS, Streamed, streamed, write
from ..check.results import mark
from ..check.stored import from_stored, stored
from ..check.verdict import NOT_RUN, check_points
from ..errors import LogicError, listed
from ..files import is_regular, save
from ..problem.folder import Problem
from ..puzzle import Grid
from ..questions.shares import Merged, Share, Sharing, digest
from ..running.process import limits_memory
from ..running.sandbox import CHOICES, describe
from ..running.workers import defer_signals
from . import AnyPuzzle, Run
from . import options as opt
from .output import EXIT_CODES, OutputLost, check_output, echo, patient, print_table, progress, say

# --- how the programs of other people are run: of ``check`` and the notebook ------------------

DEFAULTS = Grader()
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)
_WHOLE = [each for each in FORMATS if each not in streamed()]
"""The formats of a report that is written at the end."""


def _setting(name: str, help: str, **more: Any) -> opt.Option:
    """The option for a field of `Grader`, with its default."""
    default = getattr(DEFAULTS, name.replace("-", "_"))
    return opt.option(f"--{name}", default=default, help=help, **more)


MEMORY = _setting("memory", "Megabytes that the program may use.", type=opt.whole(1), metavar="MB")
PREDICATE = _setting("predicate", "Predicate of a Prolog program.", metavar="NAME")
VOCABULARY = opt.option(
    "--vocabulary",
    type=opt.Value("ATOMS", vocabulary_of),
    default="initial",
    help=f"{', '.join(VOCABULARIES)} or, say, hint,place.",
)
CONSTANTS = opt.several(
    *("-c", "--const", "constants"),
    type=opt.Value("NAME=VALUE", lambda text: checked_constants([text])[0]),
    metavar="NAME=VALUE",
    help="A constant for clingo; may be repeated.",
)
ALLOW_READ = opt.several(
    *("--allow-read", "allow_read"),
    type=click.Path(exists=True),
    metavar="PATH",
    help="Let programs read it; may be repeated.",
)
SANDBOX = _setting("sandbox", opt.GRADING_HELP, type=click.Choice(CHOICES), metavar="CHOICE")
USER = _setting("user", "Run programs as this user, for root.", metavar="NAME")
ALLOW_SCRIPTS = opt.flag("--allow-scripts", help="Run #script, which may do anything.")

LIMIT = opt.limit("The most answers to compare; 0 for all.", default=DEFAULTS.limit)
TOTAL = _setting("total", "Time limit for all instances of a program.", type=opt.SECONDS)


def _points(text: str) -> tuple[str, float]:
    name, equals, number = text.rpartition("=")
    with suppress(ValueError):
        if equals and name:
            return name, float(number)
    raise ValueError(f"{text!r} does not set points; expected NAME=NUMBER, such as ex004=20")


INSTANCES = (
    opt.problem("Another problem; see `problems --help`."),
    opt.option(
        *("-i", "--instances"),
        type=click.Path(exists=True),
        help="An exercise, a folder of *.lp, or puzzles.",
    ),
    opt.option(
        *("-s", "--solutions"),
        type=FOLDER,
        metavar="DIR",
        help="x.json for x.lp, as clingo --outf=2 prints.",
    ),
    opt.option(
        "--against",
        type=opt.BackendName("all"),  # the default depends on the problem
        help=f"Without -s: an engine, or all.  [default: {DEFAULTS.against}]",
    ),
    *(opt.FROM, opt.RULE, opt.BOX, PREDICATE, VOCABULARY, CONSTANTS, ALLOW_SCRIPTS),
    *(SANDBOX, ALLOW_READ, USER),
    opt.timeout("Time limit for each instance.", DEFAULTS.timeout),
    TOTAL,
    *(LIMIT, MEMORY),
    _setting("max-output", "Megabytes that a program may write.", type=opt.whole(1), metavar="MB"),
)
"""The options of what programs are graded on, and how."""
JOBS = opt.processes("Processes that share the programs.")
POINTS = opt.several(
    "--points",
    type=opt.Value("NAME=NUMBER", _points),
    metavar="NAME=NUMBER",
    help="instance=10 or missing=0.5; may be repeated.",
)


# --- the command --------------------------------------------------------------------------


@opt.command(
    epilog="""\
Exit codes: 0 SUCCESS, 1 FAILURE or NOT GRADED, 2 bad usage or input, 3 no engine or sandbox, 6 the
output cannot be written, 130 interrupted (143 by TERM, 129 by HUP).""",
)
@opt.with_options(
    opt.several(
        *("-e", "--encoding", "programs"),
        type=click.Path(),
        metavar="FILE",
        help="Program, folder, pattern; may be repeated.",
    ),
    *INSTANCES,
    JOBS,
    opt.SHARD,
    opt.output_format(*streamed(), help="The output."),
)
@click.pass_context
@opt.printing
@opt.several(
    "--report",
    "reports",
    metavar="FORMAT=FILE",
    help=f"A report: as for -f, or {', '.join(_WHOLE)}.",
)
@POINTS
@opt.flag("--brief", help="Print one line for each instance.")
@opt.flag("--no-times", help="Print nothing that differs from run to run.")
@opt.flag("--show-hidden", help="Show hidden instances, for teachers.")
@click.argument("puzzles", nargs=-1, type=opt.PuzzleSource(), metavar="[PUZZLE]...")
def check(
    context: click.Context,
    /,
    programs: tuple[str, ...],
    instances: str | None,
    solutions: Path | None,
    puzzles: tuple[str, ...],
    reports: tuple[str, ...],
    points: tuple[tuple[str, float], ...],
    brief: bool,
    no_times: bool,
    show_hidden: bool,
    jobs: int,
    form: str,
    source_format: str | None,
    share: Share | None,
    **options: Any,  # the other fields of Grader
) -> NoReturn:
    """Grade ASP or Prolog programs on instances or goals. `exercise` prepares these.

    \b
    pylogic-sudoku check -e my.lp puzzles.txt
    pylogic-sudoku check -e submissions/*.lp -i exercise --jobs 2 --report html=class.html
    pylogic-sudoku check -p queens -e queens.lp size=8
    """
    if share:
        opt.check_shard()
    problem = options["problem"]
    texts, sources, chosen = _sorted_out(programs, instances, puzzles, problem)
    paths, absent = _program_files(texts)
    names = _names(paths, absent)

    def targets_of(grader: Grader, places: list[Path | str]) -> list[tuple[str, str, str]]:
        if len(paths) == 1:
            grader.program(paths[0])
        return _reports(reports, names.values(), [*map(str, paths), *map(str, places)])

    whole = prepared(context, sources, solutions, points, source_format, options, targets_of)
    whole = whole.only(chosen)
    grader, to_grade, folder, title, with_points, targets = whole
    marked = partial(
        mark,
        hidden_ones=() if show_hidden else grader.hidden,
        points=grader.points,
        times=not no_times,
    )
    if share:
        question = _question(names, to_grade, title, with_points, folder)
        _grade_share(
            share,
            question,
            names,
            marked,
            partial(
                grader.each,
                instances=to_grade,
                folder=folder,
                jobs=jobs,
                absent=absent,
                alone=len(paths) == 1,
            ),
        )
    streaming = streamed()[form]
    sheet = _Sheet(names, to_grade, marked, title, targets, streaming, with_points, brief)
    _grade(sheet, grader.each(paths, to_grade, folder, jobs, absent))


class Prepared(NamedTuple):
    """A grader, and what it grades on."""

    grader: Grader
    instances: list[Case]
    folder: Path | None
    """A folder of solutions; None if engines solve the instances."""
    title: str
    with_points: bool
    """True if points were set."""
    checked: Any
    """The value of the check that was made before any instance was read."""

    def only(self, names: Collection[str]) -> Prepared:
        """Return this with the instances of these names, or with all; BadParameter for another."""
        known = [each.name for each in self.instances]
        for name in names:
            if name not in known:
                what = "case" if self.grader.problem and self.grader.problem.cases else "instance"
                raise click.BadParameter(
                    f"there is no {what} {name!r}, but {listed(known)}", param_hint="-i"
                )
        chosen = [each for each in self.instances if each.name in names or not names]
        return self._replace(instances=chosen)


def prepared(
    context: click.Context,
    sources: tuple[str, ...],
    solutions: Path | None,
    points: tuple[tuple[str, float], ...],
    source_format: str | None,
    options: dict[str, Any],
    check: Callable[[Grader, list[Path | str]], Any],
) -> Prepared:
    """Return what the options and the settings of an exercise ask for.

    `check` is called with the grader and the sources of instances before these are read.
    """
    problem = options["problem"]
    options = {name: value for name, value in options.items() if value is not None}
    settings = settings_in(Path(sources[0])) if len(sources) == 1 else Settings()
    if problem is not None and not settings.instances:
        settings = settings_in(problem.folder)._replace(instances=None, solutions=None)
    default = (None, click.core.ParameterSource.DEFAULT)
    explicit = {
        name for name in context.params if context.get_parameter_source(name) not in default
    }
    _check_problem(problem or settings.options.get("problem"), explicit)
    options |= {name: value for name, value in settings.options.items() if name not in explicit}
    places = [Path(each) if os.path.exists(each) else each for each in sources]
    if settings.instances:
        places = [settings.instances]
    with opt.refusing():
        worth = {**settings.options.get("points", {}), **dict(points)}
        grader = Grader(**{**options, "points": worth}, format=source_format)
        checked = check(grader, places)
    if missing := describe(grader.rights()):
        say(missing)
    if not limits_memory():
        say("This system cannot limit memory: --memory has no effect.")
    folder = solutions or (None if "against" in explicit else settings.solutions)
    if solutions is None and problem is not None and "against" not in explicit:
        recorded = problem.folder / "solutions"
        own = all(str(each) in problem.instances for each in places)
        if recorded.is_dir() and (own or not problem.references):
            folder = folder or recorded
    with opt.refusing():
        inputs = [sys.stdin.read() if each == "-" else each for each in places]
        to_grade = list(grader.instances(inputs, folder))
        check_points(worth, (each.name for each in to_grade))
    title = settings.title or grader.title
    return Prepared(grader, to_grade, folder, title, bool(worth), checked)


# --- shares ---


def _question(
    names: dict[Path, str], instances: list[Case], title: str, with_points: bool, folder: object
) -> dict[str, Any]:
    """The common part of all shares of a run, as JSON."""
    own = {each.name: digest(each.text)[:16] for each in instances}
    files = [path for path in names if path.is_file()]
    texts = {names[each]: digest(each.read_bytes().decode("latin-1"))[:16] for each in files}
    known = {"instances": own, "programs": texts, "title": title, "with_points": with_points}
    return {**opt.question_of_run(), **known}


def _grade_share(
    share: Share,
    question: dict[str, Any],
    names: dict[Path, str],
    mark: Callable[..., Result],
    graded: Callable[[list[Path]], Generator[tuple[Path, Iterator[Verdict]]]],
) -> NoReturn:
    """Grade a share of the programs, and print its record."""
    paths = list(names)
    sharing = Sharing(share, "check", question, [(names[each],) * 2 for each in paths], echo)
    mine = [paths[at] for at in sharing.positions]
    passed = True
    with progress(lambda: len(mine), True) as advance, closing(graded(mine)) as programs:
        for at, (path, verdicts) in zip(sharing.positions, programs, strict=True):
            found = list(patient(verdicts, names[path]))
            results = [mark(names[path], each, path=str(path)) for each in found]
            warnings = list(dict.fromkeys(each.warning for each in found if each.warning))
            sharing.add(at, results=[stored(each) for each in results], warnings=warnings)
            passed &= all(each.passed for each in results)
            advance()
    if not mine:
        say(f"share {share} is empty: there are fewer programs than shares")
    sys.exit(0 if passed else 1)


def merge_check(found: Merged, form: str, reports: tuple[str, ...], brief: bool) -> int:
    """Print the results of all shares, and write reports, as one run would have; its exit code."""
    graded = [[*map(from_stored, each["results"])] for each in found.records]
    names = {Path(each[0].program): each[0].program for each in graded if each}
    targets = _reports(reports, names.values(), ())
    question = found.question
    instances: list[Any] = list(question["instances"])
    sheet = _Sheet(
        *(names, instances, mark, question["title"], targets),
        *(streamed()[form], question["with_points"], brief),
    )
    for each in found.records:
        sheet.warnings |= dict.fromkeys(each["warnings"])
    for result in chain.from_iterable(graded):
        sheet.by_program[result.program].append(result)
        sheet.print(result)
    report, failures = sheet.finish()
    if failures:
        say_all(failures[1:])
        raise failures[0]
    return 0 if report.passed else 1


# --- exercise ---

NEW = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
QUICK = 20.0
"""Seconds for a typical wrong program on an instance."""


@click.group(cls=opt.Group)
def exercise() -> None:
    """Prepare exercises for `check`.

    \b
    pylogic-sudoku exercise new week3
    pylogic-sudoku exercise solutions week4 4......3...13...
    """


@exercise.command(epilog=EXIT_CODES)
@opt.option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default="asp",
    help="The language of the students.",
)
@opt.problem("Another problem, with all its instances.")
@opt.with_options(
    opt.timeout(f"Time limit for each instance.  [default: {QUICK:g}; for its solutions: none]"),
    *(TOTAL, LIMIT, MEMORY, PREDICATE, VOCABULARY, NEW),
)
@opt.on_puzzles(required=False)
def new(run: Run, folder: Path, language: str, **options: Any) -> None:
    """Make a whole exercise in FOLDER, with files for platforms.

    It has the instances and their solutions, a start for the students, and a reference program. It
    is made from PUZZLE: puzzles, files with one or many, or - for standard input; without any, from
    five of ours. Typical wrong programs that pass all instances are reported.

    \b
    pylogic-sudoku exercise new week3
    pylogic-sudoku exercise new week4 --language prolog puzzles.txt
    pylogic-sudoku exercise new week5 -p queens
    """
    check_new(folder)
    with opt.refusing():
        grader = Grader(timeout=run.timeout or QUICK, problem=run.problem, **options)
    if run.problem is not None:
        from ..check.handout import make_exercise

        if run.puzzle:
            raise click.UsageError("with -p, an exercise has all instances of the problem")

        def warn(words: str) -> None:
            say(f"Warning: {words}.")

        for file in make_exercise(folder, run.problem, grader, language, warn):
            click.echo(file)
        return
    new_exercise = Exercise(
        folder, limit=grader.limit, timeout=run.timeout, vocabulary=grader.vocabulary
    )
    ours = ((remark, Grid.parse(text)) for remark, text in PUZZLES.items())
    _add(new_exercise, run, run.puzzles() if run.puzzle else ours)
    if any(new_exercise.instances.iterdir()):
        for file in write_exercise(new_exercise, grader, language):
            click.echo(file)
        _warn(new_exercise, grader)


@exercise.command(epilog=EXIT_CODES)
@opt.with_options(
    opt.timeout("Time limit for the solutions of each puzzle."),
    *(LIMIT, VOCABULARY, NEW),
)
@opt.on_puzzles()
def solutions(run: Run, folder: Path, limit: int, vocabulary: Vocabulary) -> None:
    """Write FOLDER/instances and FOLDER/solutions, and nothing else.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Typical wrong programs
    that pass all instances are reported.

    \b
    pylogic-sudoku exercise solutions week3 12..34......4321 4......3...13...
    pylogic-sudoku exercise solutions week4 -n 0 puzzles.txt
    """
    new_exercise = Exercise(folder, limit=limit, timeout=run.timeout, vocabulary=vocabulary)
    _add(new_exercise, run, run.puzzles())
    if any(new_exercise.instances.iterdir()):
        _warn(new_exercise, Grader(limit=limit, timeout=QUICK, vocabulary=vocabulary))


def _add(new_exercise: Exercise, run: Run, puzzles: Iterable[tuple[str, AnyPuzzle]]) -> None:
    for where, puzzle in puzzles:
        with run.reporting(where):
            click.echo(new_exercise.add(puzzle, where))


def _warn(new_exercise: Exercise, grader: Grader) -> None:
    """Report the typical wrong programs that pass."""
    heading = "These typical wrong programs pass:\n"
    passing = uncaught(new_exercise.instances, new_exercise.solutions, grader)
    for mistake in patient(passing, "trying typical wrong programs"):
        say(f"{heading}  {mistake}; add {mistake.fix}")
        heading = ""


# --- what the command ``check`` is to grade, and how it prints and writes the verdicts ---

MAGIC = set("*?[")


@dataclass
class _Sheet:
    """The results so far, what is printed of them at once, and what is made of them at the end."""

    names: dict[Path, str]
    instances: list[Case]
    mark: Callable[..., Result]
    title: str
    targets: list[tuple[str, str, str]]
    """Format, file and program of each report."""
    form: Streamed
    with_points: bool = False
    brief: bool = False

    def __post_init__(self) -> None:
        self.by_program: dict[str, list[Result]] = {name: [] for name in self.names.values()}
        self.warnings: dict[str, None] = {}
        self.as_table = len(self.names) > 1 and self.form.as_table and not self.brief
        """True if the results are printed at the end, as a table."""

    def take(self, path: Path, verdict: Verdict) -> Result:
        """Keep the verdict on a program."""
        name = self.names[path]
        if verdict.warning:
            self.warnings[verdict.warning] = None
        self.by_program[name].append(self.mark(name, verdict, path=str(path)))
        return self.by_program[name][-1]

    def print(self, result: Result) -> None:
        """Print the result, unless a table follows."""
        if self.brief:
            _echo(self.form.brief(result, self.with_points, len(self.names) > 1))
        elif not self.as_table:
            _echo(self.form.result(result, self.with_points))

    def finish(self, why: str = "") -> tuple[Report, list[Exception]]:
        """Print the end and write every report, though some verdicts may be missing.

        Return the report and the failures; none of them stops the rest.
        """
        late: list[Result] = []
        every, what = len(self.names), "programs"
        done = sum(len(own) == len(self.instances) for own in self.by_program.values())
        if every == 1:
            every, what = len(self.instances), "instances"
            done = sum(map(len, self.by_program.values()))
        for name, own in self.by_program.items():
            rest = [self.mark(name, _not_run(each, why)) for each in self.instances[len(own) :]]
            if own:
                own += rest
                late += rest if self.form.has_all else []
        results = tuple(chain.from_iterable(self.by_program.values()))
        incomplete = f"{why} after {done} of {every} {what}" if done < every else ""
        report = Report(results, self.title, incomplete, self.with_points)
        works = [partial(self._print_end, report, late)]
        for form, file, name in self.targets:
            if name in ("", *report.programs):
                works.append(partial(_write, file, report.programs[name] if name else report, form))
        failures: list[Exception] = []
        for work in works:
            try:
                work()
            except OSError as error:
                failures.append(error if error.filename is None else OutputLost(error))
            except Exception as error:
                failures.append(error)
        return report, failures

    def _print_end(self, report: Report, late: list[Result]) -> None:
        """Print what is about all results, and those that were not printed as they came."""
        for result in late:
            self.print(result)
        for warning in self.warnings:
            say(f"Warning: {warning}.")
        if self.as_table:
            rows = [
                [program, *(result.cell for result in one.results), one.score]
                for program, one in report.programs.items()
            ]
            last = "points" if self.with_points else "passed"
            print_table(["program", *report.instances, last], rows)
        _echo(self.form.end(report))


def _echo(text: str) -> None:
    """Print the text, if a format has any for this."""
    if text:
        echo(text)


def _write(file: str, report: Report, form: str) -> None:
    save(file, write(report, form))


def _not_run(instance: Case, why: str) -> Verdict:
    return Verdict(instance.name, "stopped", 0, message=f"{NOT_RUN}: {why}")


_OF_SUDOKU = {
    "source_format": "--from",
    "own_rules": "--rule",
    "box": "--box",
    "predicate": "--predicate",
    "vocabulary": "--vocabulary",
}


def _check_problem(problem: object, explicit: Collection[str]) -> None:
    """UsageError for an option that is about sudokus if programs state another problem."""
    for name, option in _OF_SUDOKU.items():
        if problem is not None and name in explicit:
            raise click.UsageError(f"{option} is about sudokus, and -p names another problem")


def _sorted_out(
    programs: tuple[str, ...],
    instances: str | None,
    others: tuple[str, ...],
    problem: Problem | None = None,
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the programs, the sources of instances, and the names of those that are wanted.

    After -i, other arguments than programs are names of instances; without any, all are wanted.
    A shell that expands -e submissions/*.lp leaves all files but the first to the arguments. Of a
    problem, a file is an instance if its folder is called so, or if only the problem has it.
    """
    several = instances is not None or problem is not None or len(others) > 1

    def is_program(text: str) -> bool:
        if not several or not text.endswith(PROGRAM_FILES):
            return False
        if problem is None or instances is not None:
            return True
        own = os.path.exists(text) or not (problem.folder / text).exists()
        return own and Path(text).absolute().parent.name != "instances"

    more = tuple(filter(is_program, others))
    puzzles = tuple(each for each in others if each not in more)
    sources = puzzles if instances is None else (instances,)
    lacking = not sources and problem is None
    if not programs or lacking:
        raise click.UsageError(
            "expected -e ENCODING, and either -i INSTANCES, perhaps with the names of some of them,"
            " or puzzles; `exercise new` makes instances"
        )
    return (*programs, *more), sources, () if instances is None else puzzles


def _program_files(texts: tuple[str, ...]) -> tuple[list[Path], dict[Path, str]]:
    """Return the files, each once, and why students have none.

    A folder or a pattern means the programs in it. A folder without programs means those in its
    folders: one for each student.
    """
    chosen: dict[Path, None] = {}
    absent: dict[Path, str] = {}
    for text in texts:
        path = Path(text)
        lacking: dict[Path, str] = {}
        if path.is_dir():
            files = _programs_in(path.iterdir()) or _programs_in(path.rglob("*"))
            lacking = _without(path, files)
            if not files and len(texts) > 1:
                lacking = {path: _what_is_in(path)}
            absent |= lacking
            files = sorted([*files, *lacking])
        elif not path.exists() and MAGIC & set(text):
            files = sorted(map(Path, _within(text, glob(text, recursive=True))))
        else:
            files = [path]
        if not lacking and not any(each.is_file() for each in files):
            raise click.BadParameter(
                f"{text!r} does not exist, or has no programs", param_hint="-e"
            )
        chosen |= dict.fromkeys(files)
    if not set(chosen) - set(absent):
        where = listed(map(repr, texts))
        raise click.BadParameter(f"{where}: there are no programs; {_EXPECTED}", param_hint="-e")
    return list(chosen), absent


_MISNAMED = re.compile(rf"({'|'.join(map(re.escape, PROGRAM_FILES))})\.\w+", re.IGNORECASE)
_EXPECTED = "the name of a program ends in .lp, or in .pl for Prolog"


def _without(folder: Path, programs: list[Path]) -> dict[Path, str]:
    """Return the files that have the wrong name, and the folders of students without a program."""
    while [*map(Path.is_dir, _visible_in(folder))] == [True]:  # of all students
        (folder,) = _visible_in(folder)
    lacking = {
        each: f"it is not graded: {_EXPECTED}"
        for each in _visible_in(folder)
        if each.is_file() and _MISNAMED.search(each.name)
    }
    if any(each.parent == folder for each in programs):
        return lacking
    own = {each for program in programs for each in program.parents}
    for each in _visible_in(folder):
        if each.is_dir() and each not in own:
            lacking[each] = _what_is_in(each)
    return lacking


def _visible_in(folder: Path) -> list[Path]:
    return sorted(each for each in folder.iterdir() if each.name[0] not in "._")


def _what_is_in(folder: Path) -> str:
    """Say that a folder has no program, and what it has instead."""
    names = [each.name for each in _visible_in(folder)]
    if not names:
        return "there is no program: the folder is empty"
    return f"there is no program, but {listed(names[:3])}: {_EXPECTED}"


def _programs_in(files: Iterable[Path]) -> list[Path]:
    return sorted(
        each
        for each in files
        # Archives made on a Mac have such files with what the system knows about the others.
        if each.suffix.lower() in PROGRAM_FILES and each.name[0] != "."
    )


def _within(pattern: str, names: list[str]) -> Iterator[str]:
    """Yield what is in the folder with which the pattern begins, and not behind a link in it."""
    fixed = list(takewhile(lambda part: not MAGIC & set(part), Path(pattern).parts))
    top = os.path.realpath(os.path.join("", *fixed))
    for each in names:
        if os.path.commonpath([top, os.path.realpath(os.path.dirname(each))]) == top:
            yield each
        else:
            say(f"{printable(each)} is not graded: a link leads to it, out of {top}.")


def _names(paths: list[Path], absent: Collection[Path]) -> dict[Path, str]:
    """Return a short name for each program: without the folders that all share.

    The file alone, unless programs have the same one or each has a folder of its own.
    """
    there = [path for path in paths if path not in absent]
    folders = {path.absolute().parent for path in there}
    if len({path.name for path in there}) == len(there) and len(folders) < max(2, len(there)):
        names = [path.name for path in paths]
    else:
        common = os.path.commonpath([path.absolute().parent for path in paths])
        names = [os.path.relpath(path.absolute(), common) for path in paths]
    return dict(zip(paths, apart(map(printable, names)), strict=True))


def _reports(
    texts: tuple[str, ...], names: Collection[str], sources: Iterable[str]
) -> list[tuple[str, str, str]]:
    """Return format, file and program of each report, "" for all; missing folders are made.

    UsageError for what makes no sense, such as a file that is read or that is there twice, OSError
    for a file that cannot be written.
    """
    reports = []
    for text in texts:
        form, equals, file = text.partition("=")
        if form not in FORMATS or not equals or not file:
            raise click.UsageError(
                f"--report {text}: expected FORMAT=FILE, and a FORMAT of {', '.join(FORMATS)}"
            )
        if len(names) > 1 and not FORMATS[form].holds_many and "{}" not in file:
            raise click.UsageError(
                f"--report {form} is for one program; {{}} in the name of the file, as in"
                f" {form}={{}}.{FORMATS[form].ending}, makes one for each"
            )
        for name in names if "{}" in file else [""]:
            reports.append((form, file.replace("{}", name.replace(os.sep, "-")), name))
    used: set[str] = set()
    for _, file, _ in reports:
        with suppress(FileExistsError):  # it is not a folder, as the next line says
            os.makedirs(os.path.dirname(file) or os.curdir, exist_ok=True)
        check_output(file, *sources)
        if is_regular(file) or not os.path.exists(file):
            if (real := os.path.realpath(file)) in used:
                raise click.UsageError(f"two reports would be written to {file}")
            used.add(real)
    return reports


def _grade(sheet: _Sheet, programs: Generator[tuple[Path, Iterator[Verdict]]]) -> NoReturn:
    """Grade the programs. However the run ends, what is graded is printed and written."""
    number = len(sheet.names)
    # Lines on the terminal show the progress as well.
    shown = number == 1 or (not sheet.as_table and sys.stdout.isatty())
    try:
        with progress(lambda: number, shown) as advance, closing(programs):
            for path, verdicts in programs:
                for verdict in patient(verdicts, sheet.names[path]):
                    sheet.print(sheet.take(path, verdict))
                advance()
    except BaseException as error:
        if any(sheet.by_program.values()):
            say_all(defer_signals(partial(sheet.finish, why_ended(error)))[1])
        raise
    report, failures = defer_signals(sheet.finish)
    if failures:
        say_all(failures[1:])
        raise failures[0]
    sys.exit(0 if report.passed else 1)


def why_ended(error: BaseException) -> str:
    """The reason why the run ended early."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, LogicError | OutputLost):
        return f"stopped ({str(error).partition(chr(10))[0]})"
    return f"stopped by an internal error ({type(error).__name__})"


def say_all(failures: Iterable[Exception]) -> None:
    for failure in failures:
        kind = "" if isinstance(failure, OutputLost) else f"{type(failure).__name__}: "
        say(f"Error: {kind}{failure}")
