"""What the command ``check`` is to grade, and how it prints and writes the verdicts."""

from __future__ import annotations

import json
import os
import sys
from collections import Counter, deque
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing, nullcontext, suppress
from functools import partial
from glob import glob
from pathlib import Path
from typing import Any, NoReturn

import click

from .._saving import is_regular, save
from ..check import Bounds, Grader, Points, Report, Result, Verdict
from ..check._exercise import ATOM_OPTIONS, Settings, settings_in
from ..check._instances import Instance
from ..check._process import limits_memory
from ..check._programs import PROGRAM_FILES, Program
from ..check._result import NOT_RUN, Marker
from ..check.reports import CLASS, FORMATS, write
from ..check.reports._platforms import record, total
from ..check.reports._text import brief, ending, lines, totals
from ..errors import SudokuError
from ._output import OutputLost, check_output, echo, print_table, say
from ._program_options import DEFAULTS
from ._waiting import progress

__all__ = ["Sheet", "grade"]

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
        texts, sources = _sorted_out(programs, instances, puzzles)
        self.sources = [Path(each) if os.path.exists(each) else each for each in sources]
        self.programs = _program_files(texts)
        self.names = _names(self.programs)
        self.form = form
        self.brief = brief
        self.jobs = jobs
        self._printed: Counter[str] = Counter()
        self._width = max(map(len, self.names.values()))
        self.title = "Sudoku"
        self.folder = solutions
        options["timeout"] = options["timeout"] or DEFAULTS.timeout
        settings = _exercise(sources)
        table, bound = Points(), Bounds()
        if settings:
            self._use(context, settings, options)
            table, bound = settings.points, settings.bounds
        try:
            self.points = table.with_(points)
            self.grader = Grader(**options, bounds=bound.with_(bounds))
            if len(self.programs) == 1:
                self.grader.program(self.programs[0])
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        self.with_points = bool(points) or bool(settings)
        self.marker = Marker(self.points, not no_times, show_hidden)
        read = [*map(str, self.programs), *map(str, self.sources)]
        self.reports = _targets(reports, self.names.values(), read)
        if not limits_memory():
            say("This system cannot limit memory: --memory has no effect.")

    def _use(self, context: click.Context, found: Settings, options: dict[str, Any]) -> None:
        """Take what the exercise sets, unless the command line sets it."""
        said = {
            name
            for name in (*options, *ATOM_OPTIONS)
            if context.get_parameter_source(name) not in (None, click.core.ParameterSource.DEFAULT)
        }
        if said & set(ATOM_OPTIONS):
            said.add("vocabulary")
        options |= {name: value for name, value in found.options.items() if name not in said}
        self.sources = [found.instances]
        if self.folder is None and "against" not in said:
            self.folder = found.solutions
        self.title = found.title

    def instances(self) -> list[Instance]:
        """Return the instances; UsageError for points of an instance that is not there."""
        try:
            sources = [sys.stdin.read() if each == "-" else each for each in self.sources]
            found = list(self.grader.instances(sources, self.folder))
            self.points.check_names(instance.name for instance in found)
            return found
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    @property
    def as_table(self) -> bool:
        """True if the results are printed at the end, as a table."""
        return len(self.programs) > 1 and self.form == "text" and not self.brief

    def verdicts(
        self, instances: list[Instance], unread: list[tuple[Program, list[Verdict]]]
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
            results += self.marker.results(self.names[path], [*verdicts, *rest])
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
        for results in report.programs.values():
            for result in results[self._printed[results[0].program] :]:
                if result.was_run or self.form == "json":
                    self.print(result)
        if self.form == "json":
            echo(json.dumps(total(report)))
            return
        if self.as_table:
            _print_table(report)
        for line in totals(report) if self.brief else ending(report):
            echo(line)

    def writers(self, report: Report) -> Iterator[Callable[[], None]]:
        """Yield a function that writes one file, for each file of each report."""
        for form, target in self.reports:
            parts = [(target, report)]
            if "{}" in target:
                parts = [(_file(target, name), report.only(name)) for name in report.programs]
            for file, part in parts:
                yield partial(_write, file, part, form)


def _write(file: str, report: Report, form: str) -> None:
    save(file, write(report, form))


def _not_run(instance: Instance, why: str) -> Verdict:
    return Verdict(instance.name, "error", 0, message=f"{NOT_RUN}: {why}", way="stopped")


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
            "expected -e ENCODING and -i INSTANCES or puzzles (or --make-solutions, --init)"
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


def _targets(
    reports: tuple[str, ...], names: Collection[str], sources: Iterable[str]
) -> list[tuple[str, str]]:
    """Return format and file of each report; missing folders are made.

    UsageError for what makes no sense, OSError for a file that cannot be written.
    """
    targets = []
    for text in reports:
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
        targets.append((form, file))
    _try_all(targets, names, sources)
    return targets


def _try_all(
    targets: Iterable[tuple[str, str]], names: Collection[str], sources: Iterable[str]
) -> None:
    """Make missing folders, and fail if a file cannot be written, is read, or is there twice."""
    used: set[str] = set()
    for _, target in targets:
        for file in [_file(target, name) for name in names] if "{}" in target else [target]:
            with suppress(FileExistsError):  # it is not a folder, as the next line says
                os.makedirs(os.path.dirname(file) or os.curdir, exist_ok=True)
            check_output(file, *sources)
            if is_regular(file) or not os.path.exists(file):
                if (real := os.path.realpath(file)) in used:
                    raise click.UsageError(f"two reports would be written to {file}")
                used.add(real)


def _file(target: str, program: str) -> str:
    """Return the file for a program, whose name takes the place of {}."""
    return target.replace("{}", program.replace(os.sep, "-"))


def grade(sheet: Sheet) -> NoReturn:
    """Grade the programs. However the run ends, what is graded is printed and written."""
    instances = sheet.instances()
    found: dict[Path, list[Verdict]] = {}
    unread: list[tuple[Program, list[Verdict]]] = []
    try:
        with _progress(sheet) as advance, closing(sheet.verdicts(instances, unread)) as programs:
            for path, verdicts in programs:
                own = found[path] = []
                for result in sheet.marker.results(sheet.names[path], _kept(verdicts, own)):
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


def _progress(sheet: Sheet) -> AbstractContextManager[Callable[[], None]]:
    """A progress bar for several programs, unless lines on the terminal show the progress."""
    lines_there = not sheet.as_table and sys.stdout.isatty()
    if len(sheet.programs) == 1 or lines_there:
        return nullcontext(lambda: None)
    return progress(lambda: len(sheet.programs))


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
            failures.append(error if error.filename is None else OutputLost.of_file(error))
        except Exception as error:
            failures.append(error)
        works.popleft()
    return failures


def _say_all(failures: Iterable[BaseException]) -> None:
    for failure in failures:
        if isinstance(failure, Exception):
            kind = "" if isinstance(failure, OutputLost) else f"{type(failure).__name__}: "
            say(f"Error: {kind}{failure}")


def _print_table(report: Report) -> None:
    rows = [
        [program, *(result.cell for result in found), report.only(program).score]
        for program, found in report.programs.items()
    ]
    print_table(["program", *report.instances, "points"], rows)
