"""What the command ``check`` is to grade, and how it prints and writes the verdicts."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import fields
from glob import glob
from pathlib import Path
from typing import Any, NoReturn

import click

from .._saving import check_target, save
from ..check import Points, Report, Result, Vocabulary, vocabulary_of
from ..check._grading import PROGRAM_FILES, Grader
from ..check._instances import Instance
from ..check._process import limits_memory
from ..check._result import Marker
from ..check._settings import Settings, settings_in
from ..check.reports import CLASS, FORMATS, write
from ..check.reports._json import record, total
from ..check.reports._text import ending, lines
from ._output import OutputLost, print_table, say
from ._waiting import progress

__all__ = ["Sheet", "grade_all", "grade_one"]

MAGIC = set("*?[")
GRADER = tuple(field.name for field in fields(Grader))


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
        no_times: bool,
        show_hidden: bool,
        jobs: int,
        form: str,
        **options: Any,
    ) -> None:
        texts, sources = _sorted_out(programs, instances, puzzles)
        self.sources = [Path(each) if os.path.exists(each) else each for each in sources]
        self.programs = _program_files(texts)
        self.names = _names(self.programs)
        self.form = form
        self.jobs = jobs
        self.title = "Sudoku"
        self.folder = solutions
        options["timeout"] = options["timeout"] or 100
        settings = _exercise(sources)
        table = Points()
        if settings:
            table = self._use(context, settings, options)
        try:
            self.points = table.with_(points)
            self.grader = Grader(**{name: options[name] for name in GRADER})
            if len(self.programs) == 1:
                self.grader.program(self.programs[0])
        except ValueError as error:
            raise click.UsageError(str(error)) from None
        self.with_points = bool(points) or bool(settings)
        self.marker = Marker(self.points, not no_times, show_hidden)
        self.reports = _targets(reports, len(self.programs))
        if not limits_memory():
            say("This system cannot limit memory: --memory has no effect.")

    def _use(self, context: click.Context, found: Settings, options: dict[str, Any]) -> Points:
        """Take what the exercise sets, unless the command line sets it."""
        said = {
            name
            for name in (*GRADER, "input_atom", "output_atom")
            if context.get_parameter_source(name) not in (None, click.core.ParameterSource.DEFAULT)
        }
        if not said & {"vocabulary", "input_atom", "output_atom"}:
            options["vocabulary"] = _words(found.options, options["vocabulary"])
        for name in set(GRADER) & set(found.options) - said - {"vocabulary"}:
            value = found.options[name]
            options[name] = tuple(value) if name == "constants" else value
        self.sources = [found.instances]
        if self.folder is None and "against" not in said:
            self.folder = found.solutions
        self.title = found.title
        return found.points

    def instances(self) -> Iterator[Instance]:
        """Return the instances, each read when its turn comes; a mistake in the points is told."""
        try:
            sources = [sys.stdin.read() if each == "-" else each for each in self.sources]
            found = self.grader.instances(sources, self.folder)
            if not (self.points.instances or self.points.hidden):
                return found
            all_of_them = list(found)
            self.points.check_names(instance.name for instance in all_of_them)
            return iter(all_of_them)
        except ValueError as error:
            raise click.UsageError(str(error)) from None

    def write_reports(self, report: Report) -> None:
        """Write every report that was asked for."""
        for form, target in self.reports:
            for path, part in _split(target, report):
                try:
                    save(path, write(part, form))
                except OSError as error:
                    raise OutputLost.of_file(error) from None


def _words(options: dict[str, Any], default: Vocabulary) -> Vocabulary:
    if not {"vocabulary", "input_atom", "output_atom"} & set(options):
        return default
    names = (options.get(name) for name in ("input_atom", "output_atom"))
    return vocabulary_of(options.get("vocabulary", "initial"), *names)


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


def _targets(reports: tuple[str, ...], programs: int) -> list[tuple[str, str]]:
    """Return format and file of each report; UsageError for one that cannot be written."""
    targets = []
    for text in reports:
        form, equals, file = text.partition("=")
        if form not in FORMATS or not equals or not file:
            raise click.UsageError(
                f"--report {text}: expected FORMAT=FILE, and a FORMAT of {', '.join(FORMATS)}"
            )
        if programs > 1 and form not in CLASS and "{}" not in file:
            raise click.UsageError(
                f"--report {form} is for one program; {{}} in the name of the file, as in"
                f" {form}={{}}.{file.rpartition('.')[2]}, makes one for each"
            )
        if "{}" not in file and (not os.path.exists(file) or os.path.isfile(file)):
            try:
                check_target(file)
            except OSError as error:
                raise OutputLost.of_file(error) from None
        targets.append((form, file))
    return targets


def _split(target: str, report: Report) -> Iterator[tuple[str, Report]]:
    """Yield the files for a target and what goes into each: one for each program if it has {}."""
    if "{}" not in target:
        yield target, report
        return
    for name in report.programs:
        yield target.replace("{}", name.replace(os.sep, "-")), report.only(name)


def grade_one(sheet: Sheet) -> NoReturn:
    """Grade one program; each verdict is printed as it comes."""
    (path,) = sheet.programs
    program = sheet.grader.program(path)
    program.check()
    verdicts = sheet.grader.verdicts(program, sheet.instances(), sheet.folder)
    results = []
    for result in sheet.marker.results(sheet.names[path], verdicts):
        results.append(result)
        _print(sheet, result)
    _end(sheet, results)


def _print(sheet: Sheet, result: Result) -> None:
    if sheet.form == "json":
        click.echo(json.dumps(record(result)))
        return
    for line in lines(result, sheet.with_points):
        click.echo(line)


def grade_all(sheet: Sheet) -> NoReturn:
    """Grade several programs, and print a table of them."""
    instances = list(sheet.instances())
    results = []
    with progress(lambda: len(sheet.programs)) as advance:
        graded = sheet.grader.each(sheet.programs, instances, sheet.folder, sheet.jobs)
        for path, verdicts in graded:
            found = list(sheet.marker.results(sheet.names[path], verdicts))
            results += found
            advance()
            if sheet.form == "json":
                for result in found:
                    _print(sheet, result)
    _end(sheet, results)


def _end(sheet: Sheet, results: list[Result]) -> NoReturn:
    """Write the reports, and print what is about all results."""
    report = Report(tuple(results), sheet.title, sheet.with_points)
    sheet.write_reports(report)
    if sheet.form == "json":
        click.echo(json.dumps(total(report)))
    else:
        if len(sheet.programs) > 1:
            _print_table(report)
        for line in ending(report):
            click.echo(line)
    sys.exit(0 if report.passed else 1)


def _print_table(report: Report) -> None:
    rows = [
        [program, *(result.outcome for result in found), report.only(program).score]
        for program, found in report.programs.items()
    ]
    print_table(["program", *report.instances, "points"], rows)
