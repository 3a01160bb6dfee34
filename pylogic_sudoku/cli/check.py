"""The command ``check``: verdicts on programs, and reports; ``exercise``: what it grades with."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, suppress
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, NoReturn

import click

from ..check import (
    VOCABULARIES,
    Bounds,
    Exercise,
    Grader,
    Points,
    Report,
    Result,
    Verdict,
    vocabulary_of,
)
from ..check.exercise import (
    ATOM_OPTIONS,
    LANGUAGES,
    PUZZLES,
    Caught,
    Settings,
    check_new,
    settings_in,
    try_mistakes,
    write_exercise,
)
from ..check.instances import Instance
from ..check.programs import PROGRAM_FILES, Submission, checked_constants
from ..check.reports import (
    CLASS,
    FORMATS,
    brief,
    ending,
    lines,
    mark,
    record,
    total,
    totals,
    write,
)
from ..check.verdict import NOT_RUN
from ..engines.process import BOUNDS, limits_memory
from ..errors import SudokuError
from ..files import is_regular, save
from ..puzzle import Grid
from . import AnyPuzzle, Run
from .options import (
    BOX,
    FROM,
    RULE,
    BackendName,
    Option,
    Seconds,
    Source,
    Whole,
    flag,
    limit,
    on_puzzles,
    option,
    output_format,
    printing,
    processes,
    refusing,
    several,
    timeout,
    with_options,
)
from .output import EXIT_CODES, OutputLost, check_output, echo, print_table, progress, say

# --- how the programs of other people are run: of ``check`` and the notebook ------------------

DEFAULTS = Grader()
FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


def _setting(name: str, help: str, **more: Any) -> Option:
    """The option for a field of `Grader`, which says its default."""
    return option(f"--{name}", default=getattr(DEFAULTS, name), help=help, **more)


def _constants(_context: Any, parameter: Any, values: tuple[str, ...]) -> tuple[str, ...]:
    with refusing(parameter):
        return checked_constants(values)


MEMORY = _setting("memory", "Megabytes that the program may use.", type=Whole(1), metavar="MB")
PREDICATE = _setting("predicate", "Predicate of a Prolog program.", metavar="NAME")
VOCABULARY = click.option(
    "--vocabulary",
    type=click.Choice(list(VOCABULARIES)),
    default="initial",
    metavar="NAME",
    help="Atoms of ASP: initial (default), sudoku, numberAt.",
)
CONSTANTS = several(
    *("-c", "--const", "constants"),
    callback=_constants,
    metavar="NAME=VALUE",
    help="A constant for clingo; may be repeated.",
)
ALLOW_SCRIPTS = flag("--allow-scripts", help="Run #script, which may do anything.")

LIMIT = limit("The most answers to compare; 0 for all.", default=DEFAULTS.limit)
TOTAL = _setting("total", "Time limit for all instances of a program.", type=Seconds())
ATOMS = (
    VOCABULARY,
    option("--input-atom", metavar="NAME", help="Name of the atoms of givens."),
    option("--output-atom", metavar="NAME", help="Name of the atoms of a solution."),
)


def _with_vocabulary(options: dict[str, Any]) -> dict[str, Any]:
    """The options, with one `Vocabulary` for those that name atoms; UsageError for wrong names."""
    names = [options.pop(name) for name in ATOM_OPTIONS]
    with refusing():
        return options | {"vocabulary": vocabulary_of(*names)}


# --- the command --------------------------------------------------------------------------


@click.command(
    epilog="""\
Exit codes: 0 SUCCESS, 1 FAILURE, 2 bad usage or input, 3 no engine, 6 the output cannot be written,
130 interrupted (143 by TERM, 129 by HUP).""",
)
@with_options(
    several(
        *("-e", "--encoding", "programs"),
        type=click.Path(),
        metavar="FILE",
        help="A program, a folder or a pattern; may be repeated.",
    ),
    option(
        *("-i", "--instances"),
        type=click.Path(),
        help="An exercise, a folder of *.lp files, or puzzles.",
    ),
    option(
        *("-s", "--solutions"),
        type=FOLDER,
        metavar="DIR",
        help="Solutions: for x.lp the file x.json of clingo --outf=2.",
    ),
    _setting("against", "Without -s: an engine, or all.", type=BackendName("all")),
    *(FROM, RULE, BOX, PREDICATE, *ATOMS, CONSTANTS, ALLOW_SCRIPTS),
    timeout("Time limit for each instance.", DEFAULTS.timeout),
    TOTAL,
    _setting("deadline", "Time limit for all programs, in equal shares.", type=Seconds()),
    *(LIMIT, MEMORY),
    several(
        "--bound", "bounds", metavar="NAME=NUMBER", help=f"Another bound: {', '.join(BOUNDS)}."
    ),
    processes("Processes that share the programs."),
    output_format("text", "json", help="Lines, or JSON objects."),
)
@click.pass_context
@printing
@several(
    "--report", "reports", metavar="FORMAT=FILE", help=f"Write a report: {', '.join(FORMATS)}."
)
@several(
    "--points", metavar="NAME=NUMBER", help="Points, such as instance=10, ex004=20 or missing=0.5."
)
@flag("--brief", help="One line for each instance.")
@flag("--no-times", help="Print nothing that differs from run to run.")
@flag("--show-hidden", help="Show hidden instances, for teachers.")
@click.argument("puzzles", nargs=-1, type=Source(), metavar="[PUZZLE]...")
def check(context: click.Context, /, source_format: str | None, **given: Any) -> NoReturn:
    """Grade ASP or Prolog programs on instances. `exercise` prepares these.

    \b
    pylogic-sudoku check -e my.lp puzzles.txt
    pylogic-sudoku check -e my.lp -i instances -s solutions -t 100
    pylogic-sudoku check -e submissions/*.lp -i exercise --jobs 2 --report html=class.html
    """
    grade(Sheet(context, format=source_format, **given))


# --- exercise ---

NEW = click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
QUICK = 20.0
"""Seconds for a typical wrong program on an instance."""


@click.group()
def exercise() -> None:
    """Prepare exercises for `check`.

    \b
    pylogic-sudoku exercise new week3
    pylogic-sudoku exercise solutions week4 4......3...13...
    """


@exercise.command(epilog=EXIT_CODES)
@option(
    "--language",
    type=click.Choice(list(LANGUAGES)),
    default="asp",
    help="The language of the students.",
)
@with_options(
    timeout(f"Time limit for each instance.  [default: {QUICK:g}; for its solutions: none]"),
    *(TOTAL, LIMIT, MEMORY, PREDICATE, *ATOMS, FROM, RULE, BOX, NEW),
)
@on_puzzles(required=False)
def new(run: Run, folder: Path, language: str, **options: Any) -> None:
    """Make a whole exercise in FOLDER, with files for platforms.

    It has the instances and their solutions, a start for the students, and a reference program. It
    is made from PUZZLE: puzzles, files with one or many, or - for standard input; without any, from
    five of ours. Then typical wrong programs are run, and the instances that catch each are listed.

    \b
    pylogic-sudoku exercise new week3
    pylogic-sudoku exercise new week4 --language prolog puzzles.txt
    """
    options = _with_vocabulary(options)
    check_new(folder)
    with refusing():
        grader = Grader(timeout=run.timeout or QUICK, **options)
    made = Exercise(folder, limit=grader.limit, timeout=run.timeout, vocabulary=grader.vocabulary)
    ours = ((remark, Grid.parse(text)) for remark, text in PUZZLES.items())
    _add(made, run, run.puzzles() if run.puzzle else ours)
    if any(made.instances.iterdir()):
        for file in write_exercise(made, grader, language):
            click.echo(file)
        heading = "\nTypical wrong programs, and the instances that catch each:\n"
        for each in _typical(made, grader):
            click.echo(f"{heading}  {each}")
            heading = ""
        if heading:
            click.echo("\nThe typical wrong programs are for plain sudoku, so none was run.")


@exercise.command(epilog=EXIT_CODES)
@with_options(
    timeout("Time limit for the solutions of each puzzle."),
    *(LIMIT, *ATOMS, FROM, RULE, BOX, NEW),
)
@on_puzzles()
def solutions(run: Run, folder: Path, limit: int, **atoms: Any) -> None:
    """Write FOLDER/instances and FOLDER/solutions, and nothing else.

    PUZZLE is a puzzle, a file with one or many, or - for standard input. Typical wrong programs
    that pass all instances are reported.

    \b
    pylogic-sudoku exercise solutions week3 12..34......4321 4......3...13...
    pylogic-sudoku exercise solutions week4 -n 0 puzzles.txt
    """
    words = _with_vocabulary(atoms)
    made = Exercise(folder, limit=limit, timeout=run.timeout, **words)
    _add(made, run, run.puzzles())
    grader = Grader(limit=limit, timeout=QUICK, **words)
    passing = [each for each in _typical(made, grader, first=True) if not each.instances]
    if passing:
        say("These typical wrong programs pass:")
    for each in passing:
        say(f"  {each.mistake} ({each.language}); add {each.fix}")


def _add(made: Exercise, run: Run, puzzles: Iterable[tuple[str, AnyPuzzle]]) -> None:
    for where, puzzle in puzzles:
        with run.reporting(where):
            click.echo(made.add(puzzle, where))


def _typical(made: Exercise, grader: Grader, first: bool = False) -> Iterable[Caught]:
    if any(made.instances.glob("*.lp")):
        yield from try_mistakes(made.instances, made.solutions, grader, first)


# --- what the command ``check`` is to grade, and how it prints and writes the verdicts ---

MAGIC = set("*?[")


class Sheet:
    """Everything that a call of the command gives, with what ``exercise.toml`` adds."""

    def __init__(
        self,
        context: click.Context,
        programs: tuple[str, ...],
        instances: str | None,
        solutions: Path | None,
        puzzles: tuple[str, ...],
        points: tuple[str, ...],
        reports: tuple[str, ...],
        bounds: tuple[str, ...],
        no_times: bool,
        show_hidden: bool,
        jobs: int,
        brief: bool,
        form: str,
        **options: Any,  # the fields of Grader
    ) -> None:
        options = _with_vocabulary(options)
        texts, sources = _sorted_out(programs, instances, puzzles)
        self.programs = _program_files(texts)
        self.names = _names(self.programs)
        self.form = form
        self.brief = brief
        self.jobs = jobs
        self._printed: Counter[str] = Counter()
        self._width = max(map(len, self.names.values()))
        exercise = _exercise(sources)
        settings = exercise or Settings(Path(), None, "Sudoku", {}, Points(), Bounds())
        said = _said(context)
        options |= {name: value for name, value in settings.options.items() if name not in said}
        self.title = settings.title
        self.sources = [Path(each) if os.path.exists(each) else each for each in sources]
        if exercise:
            self.sources = [exercise.instances]
        self.folder = solutions or (None if "against" in said else settings.solutions)
        with refusing():
            self.points = settings.points.with_(points)
            bound = settings.bounds.with_(bounds)
            self.grader = Grader(**options, bounds=bound, hidden=self.points.hidden)
            if len(self.programs) == 1:
                self.grader.program(self.programs[0])
        self.with_points = bool(points) or exercise is not None
        self.mark = partial(mark, points=self.points, times=not no_times, show_hidden=show_hidden)
        read = [*map(str, self.programs), *map(str, self.sources)]
        self.reports = _reports(reports, self.names.values(), read)
        if not limits_memory():
            say("This system cannot limit memory: --memory has no effect.")

    def instances(self) -> list[Instance]:
        """Return the instances; UsageError for points of an instance that is not there."""
        with refusing():
            sources = [sys.stdin.read() if each == "-" else each for each in self.sources]
            found = list(self.grader.instances(sources, self.folder))
            self.points.check_names(instance.name for instance in found)
            return found

    @property
    def as_table(self) -> bool:
        """True if the results are printed at the end, as a table."""
        return len(self.programs) > 1 and self.form == "text" and not self.brief

    def progress(self) -> AbstractContextManager[Callable[[], None]]:
        """A progress bar for several programs, unless lines on the terminal show the progress."""
        shown = len(self.programs) == 1 or (not self.as_table and sys.stdout.isatty())
        return progress(lambda: len(self.programs), shown)

    def verdicts(
        self, instances: list[Instance], unread: list[tuple[Submission, list[Verdict]]]
    ) -> Generator[tuple[Path, Iterator[Verdict]]]:
        """Yield each program with its verdicts; see `Grader.each`."""
        if len(self.programs) > 1:
            yield from self.grader.each(self.programs, instances, self.folder, self.jobs, unread)
            return
        (path,) = self.programs
        program = self.grader.program(path)
        program.check()
        with closing(self.grader.verdicts(program, instances, self.folder)) as verdicts:
            yield path, verdicts

    def report(
        self, found: dict[Path, list[Verdict]], instances: list[Instance], why: str = ""
    ) -> Report:
        """Return the report on all verdicts; if some are missing, it is incomplete."""
        results: list[Result] = []
        done = 0
        for path in filter(found.get, self.programs):
            verdicts = found[path]
            rest = [_not_run(each, why) for each in instances[len(verdicts) :]]
            results += self.mark(self.names[path], [*verdicts, *rest])
            done += len(verdicts) if len(self.programs) == 1 else not rest
        every, what = len(self.programs), "programs"
        if every == 1:
            every, what = len(instances), "instances"
        incomplete = f"{why} after {done} of {every} {what}" if done < every else ""
        return Report(tuple(results), self.title, self.with_points, incomplete)

    def print(self, result: Result) -> None:
        """Print a result, unless a table follows."""
        if self.form == "json":
            echo(json.dumps(record(result)))
        elif self.brief:
            name = f"{result.program:<{self._width}}  " if len(self.programs) > 1 else ""
            echo(name + brief(result, self.with_points))
        elif not self.as_table:
            for line in lines(result, self.with_points):
                echo(line)
        self._printed[result.program] += 1

    def print_end(self, report: Report) -> None:
        """Print what is about all results, and those that were not printed as they came."""
        for program, one in report.programs.items():
            for result in one.results[self._printed[program] :]:
                if result.was_run or self.form == "json":
                    self.print(result)
        if self.form == "json":
            echo(json.dumps(total(report)))
            return
        if self.as_table:
            rows = [
                [program, *(result.cell for result in one.results), one.score]
                for program, one in report.programs.items()
            ]
            print_table(["program", *report.instances, "points"], rows)
        for line in totals(report) if self.brief else ending(report):
            echo(line)

    def writers(self, report: Report) -> Iterator[Callable[[], None]]:
        """Yield a function that writes one file, for each file of each report."""
        for form, file, name in self.reports:
            if name in ("", *report.programs):
                part = report.programs[name] if name else report
                yield partial(_write, file, part, form)


def _write(file: str, report: Report, form: str) -> None:
    save(file, write(report, form))


def _not_run(instance: Instance, why: str) -> Verdict:
    return Verdict(instance.name, "stopped", 0, message=f"{NOT_RUN}: {why}")


def _said(context: click.Context) -> set[str]:
    """The settings of `Grader` that the command line names; an exercise does not change them."""
    default = (None, click.core.ParameterSource.DEFAULT)
    said = {name for name in context.params if context.get_parameter_source(name) not in default}
    return said | {"vocabulary"} if said & set(ATOM_OPTIONS) else said


def _exercise(sources: tuple[str, ...]) -> Settings | None:
    """Return the exercise that is the only source of instances, if it is one."""
    folder = Path(sources[0])
    return settings_in(folder) if len(sources) == 1 and os.path.isdir(folder) else None


def _sorted_out(
    programs: tuple[str, ...], instances: str | None, others: tuple[str, ...]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the programs and the sources of instances.

    A shell that expands -e submissions/*.lp leaves all files but the first to the arguments.
    """
    if programs and instances is not None:
        if not os.path.exists(instances):
            raise click.UsageError(f"-i {instances!r} does not exist")
        for other in others:
            if not other.endswith(PROGRAM_FILES):
                raise click.UsageError(f"{other}: with -i, expected programs (*.lp, *.pl)")
        return (*programs, *others), (instances,)
    if not programs or not others:
        raise click.UsageError(
            "expected -e ENCODING and -i INSTANCES or puzzles; `exercise new` makes instances"
        )
    more = tuple(each for each in others if each.endswith(PROGRAM_FILES) and len(others) > 1)
    puzzles = tuple(each for each in others if each not in more)
    if not puzzles:
        raise click.UsageError("there are only programs; give the instances with -i")
    return (*programs, *more), puzzles


def _program_files(texts: tuple[str, ...]) -> list[Path]:
    """Return the files, each once; a folder or a pattern stands for the programs in it."""
    found: dict[Path, None] = {}
    for text in texts:
        path = Path(text)
        if path.is_dir():
            files = sorted(each for each in path.iterdir() if each.suffix.lower() in PROGRAM_FILES)
        elif not path.exists() and MAGIC & set(text):
            files = sorted(map(Path, glob(text, recursive=True)))
        else:
            files = [path]
        if not files or not files[0].is_file():
            raise click.BadParameter(
                f"{text!r} does not exist, or has no programs", param_hint="-e"
            )
        found |= dict.fromkeys(files)
    return list(found)


def _names(paths: list[Path]) -> dict[Path, str]:
    """Return a short name for each program: without the folders that all share."""
    if len({path.name for path in paths}) == len(paths):
        return {path: path.name for path in paths}
    common = os.path.commonpath([path.parent.absolute() for path in paths])
    return {path: os.path.relpath(path.absolute(), common) for path in paths}


def _reports(
    texts: tuple[str, ...], names: Collection[str], sources: Iterable[str]
) -> list[tuple[str, str, str]]:
    """Return format, file and program of each report, "" for all; missing folders are made.

    UsageError for what makes no sense, such as a file that is read or that is there twice, OSError
    for a file that cannot be written.
    """
    found = []
    for text in texts:
        form, equals, file = text.partition("=")
        if form not in FORMATS or not equals or not file:
            raise click.UsageError(
                f"--report {text}: expected FORMAT=FILE, and a FORMAT of {', '.join(FORMATS)}"
            )
        if len(names) > 1 and form not in CLASS and "{}" not in file:
            raise click.UsageError(
                f"--report {form} is for one program; {{}} in the name of the file, as in"
                f" {form}={{}}.{file.rpartition('.')[2]}, makes one for each"
            )
        for name in names if "{}" in file else [""]:
            found.append((form, file.replace("{}", name.replace(os.sep, "-")), name))
    used: set[str] = set()
    for _, file, _ in found:
        with suppress(FileExistsError):  # it is not a folder, as the next line says
            os.makedirs(os.path.dirname(file) or os.curdir, exist_ok=True)
        check_output(file, *sources)
        if is_regular(file) or not os.path.exists(file):
            if (real := os.path.realpath(file)) in used:
                raise click.UsageError(f"two reports would be written to {file}")
            used.add(real)
    return found


def grade(sheet: Sheet) -> NoReturn:
    """Grade the programs. However the run ends, what is graded is printed and written."""
    instances = sheet.instances()
    found: dict[Path, list[Verdict]] = {}
    unread: list[tuple[Submission, list[Verdict]]] = []
    try:
        with sheet.progress() as advance, closing(sheet.verdicts(instances, unread)) as programs:
            for path, verdicts in programs:
                own = found[path] = []
                for result in sheet.mark(sheet.names[path], _kept(verdicts, own)):
                    sheet.print(result)
                advance()
    except BaseException as error:
        for program, more in unread:
            found.setdefault(program.path, []).extend(more)
        if any(found.values()):
            _say_all(_finish(sheet, sheet.report(found, instances, _why(error))))
        raise
    report = sheet.report(found, instances)
    if failures := _finish(sheet, report):
        # A signal decides on the exit code; otherwise the first failure does.
        failures.sort(key=lambda failure: isinstance(failure, Exception))
        _say_all(failures[1:])
        raise failures[0]
    sys.exit(0 if report.passed else 1)


def _kept(verdicts: Iterator[Verdict], own: list[Verdict]) -> Iterator[Verdict]:
    for verdict in verdicts:
        own.append(verdict)
        yield verdict


def _why(error: BaseException) -> str:
    """Why the run ended early."""
    if isinstance(error, KeyboardInterrupt):
        return "interrupted"
    if isinstance(error, SudokuError | OutputLost):
        return f"stopped ({str(error).partition(chr(10))[0]})"
    return f"stopped by an internal error ({type(error).__name__})"


def _finish(sheet: Sheet, report: Report) -> list[BaseException]:
    """Print the end and write every report. Return the failures; none of them stops the rest.

    A step that a signal interrupts is repeated once; a second signal ends the run.
    """
    failures: list[BaseException] = []
    works: deque[Callable[[], None]] = deque([partial(sheet.print_end, report)])
    works.extend(sheet.writers(report))
    while works:
        try:
            works[0]()
        except KeyboardInterrupt as error:
            if any(isinstance(failure, KeyboardInterrupt) for failure in failures):
                raise
            failures.append(error)
            continue
        except OSError as error:
            failures.append(error if error.filename is None else OutputLost(error))
        except Exception as error:
            failures.append(error)
        works.popleft()
    return failures


def _say_all(failures: Iterable[BaseException]) -> None:
    for failure in failures:
        if isinstance(failure, Exception):
            kind = "" if isinstance(failure, OutputLost) else f"{type(failure).__name__}: "
            say(f"Error: {kind}{failure}")
