"""The marks of a class: a row and a page for each student, from what `students` has found.

A `Marking` grades the programs as any others. Its record has the results of each program under a
key of all that they depend on, so a run that was stopped goes on, and a changed program or exercise
is graded again.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, fields, replace
from functools import partial
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..errors import InvalidProblem, counted
from ..files import save
from ..questions.journal import Journal
from ..questions.shares import Share, Sharing, digest
from .cases import Case, apart
from .grading import Grader
from .reports.page import page
from .reports.table import cell, mistakes
from .results import Report, Result, mark, number_text
from .stored import from_stored, stored
from .students import NOTHING, Sent, Student, expected, gathered, read_roster
from .verdict import NOT_RUN, Verdict, worth

if TYPE_CHECKING:
    from .puzzles import Source

__all__ = ["HEADINGS", "Marking", "Marks", "mark_class", "table_of", "write_pages"]

HEADINGS = ("id", "name", "points", "most points", "outcome", "feedback", "program")
"""The columns of a table of marks."""


@dataclass(frozen=True)
class Marks:
    """The marks of one student."""

    id: str
    name: str
    points: float
    most: float
    """The points of a program without a mistake."""
    outcome: str
    """``success``, ``failure``, ``not graded``, ``no program``, or ``not run`` if the run was
    stopped before."""
    feedback: str
    """The reason for the points, on one line."""
    program: str
    """The program that counts, as the student has called it; empty if there is none."""
    report: Report | None = None
    """The results of the program; None if there is none."""

    @property
    def row(self) -> list[str]:
        """The texts for a table, in the order of `HEADINGS`; no points if it was not run."""
        points = "" if self.outcome == NOT_RUN else number_text(self.points)
        most = number_text(self.most)
        return [self.id, self.name, points, most, self.outcome, self.feedback, self.program]


@dataclass
class Marking:
    """The programs of a class, and their results so far."""

    students: Sequence[Student]
    grader: Grader
    instances: Sequence[Case]
    folder: Path | None
    """A folder of solutions; None to let an engine solve the instances."""
    title: str = ""
    with_points: bool = False

    def __post_init__(self) -> None:
        sent = [each.sent for each in self.students if each.sent]
        own: dict[str, list[str]] = {}
        for student in self.students:
            if student.sent:
                own.setdefault(student.sent.key, []).append(student.id)
        labels = dict(zip(own, apart("+".join(ids) for ids in own.values()), strict=True))
        self.programs: dict[Path, tuple[str, Sent]] = {
            each.program: (labels[each.key], each) for each in sent if each.program
        }
        """The programs, each with a label and its submission; that of a group is there once."""
        self.results: dict[Path, list[Result]] = {}
        """The results of those that are graded."""
        self.warnings: dict[str, None] = {}
        """Doubts about the reference, for the teacher."""

    def run(self, jobs: int = 1, record: Path | None = None) -> Iterator[str]:
        """Grade the programs; yield the label of each when its results are known.

        Args:
            jobs: The number of processes that share the programs.
            record: A file of results. Those that it has are not computed again, and new ones are
                added.

        Raises:
            InvalidProblem: If the file is no such record.
        """
        with ExitStack() as stack:
            journal = stack.enter_context(Journal(record)) if record else None
            keys = self._keys() if journal else {}
            known = {} if journal is None else _known(journal)
            for path, key in keys.items():
                if key in known:
                    label = self._keep(path, known[key]["results"], known[key]["warnings"])
                    yield label
            left = [each for each in self.programs if each not in self.results]
            for path, shown, warnings in stack.enter_context(closing(self._graded(left, jobs))):
                if journal:
                    journal.add({"marks": keys[path], "results": shown, "warnings": warnings})
                yield self._keep(path, json.loads(json.dumps(shown)), warnings)

    def run_share(
        self,
        share: Share,
        question: Mapping[str, Any],
        write: Callable[[str], object],
        jobs: int = 1,
    ) -> Iterator[int]:
        """Grade a share of the programs, and write its record, whose lines are those of `run`.

        Args:
            share: The share of the programs.
            question: What all shares must have in common, as JSON.
            write: A function that takes a line.
            jobs: The number of processes that share the programs.

        Yields:
            The number of programs that the share has, and then that of those that are graded.
        """
        keys, paths = self._keys(), list(self.programs)
        items = [(keys[each], self.programs[each][0]) for each in paths]
        sharing = Sharing(share, "class", question, items, write)
        yield len(sharing.positions)
        mine = [paths[at] for at in sharing.positions]
        with closing(self._graded(mine, jobs)) as graded:
            for number, (path, shown, warnings) in enumerate(graded):
                at = sharing.positions[number]
                sharing.add(at, marks=keys[path], results=shown, warnings=warnings)
                self._keep(path, json.loads(json.dumps(shown)), warnings)
                yield number + 1

    def _graded(
        self, paths: Sequence[Path], jobs: int
    ) -> Generator[tuple[Path, list[dict[str, Any]], list[str]]]:
        """Yield programs with their results, as they are stored, and the doubts."""
        grade = self.grader.each(paths, self.instances, self.folder, jobs, {}, False, True)
        with closing(grade):
            for path, verdicts in grade:
                found = list(verdicts)
                shown = [stored(self._marked(path, each)) for each in found]
                yield (
                    path,
                    shown,
                    list(dict.fromkeys(each.warning for each in found if each.warning)),
                )

    def _marked(self, path: Path, verdict: Verdict) -> Result:
        label, sent = self.programs[path]
        hidden, points = self.grader.hidden, self.grader.points
        return mark(label, verdict, hidden, points=points, times=False, path=sent.shown)

    def _keep(self, path: Path, results: list[dict[str, Any]], warnings: list[str]) -> str:
        """Keep what is known of a program. All is read as from a record, new results as well."""
        label, sent = self.programs[path]
        renamed = partial(replace, program=label, path=sent.shown)
        self.results[path] = [renamed(from_stored(each)) for each in results]
        self.warnings |= dict.fromkeys(warnings)
        return label

    def _keys(self) -> dict[Path, str]:
        """Return for each program a key of all that its results depend on."""
        common = _exercise_key(self.grader, self.instances, self.folder)
        return {
            path: digest(common, sent.shown, *_texts_in(sent.folder or path.parent, path))
            for path, (_, sent) in self.programs.items()
        }

    def report(self, incomplete: str = "") -> Report:
        """Return a report on all programs that are graded."""
        results = [each for own in self.results.values() for each in own]
        return Report(tuple(results), self.title, incomplete, self.with_points)

    def marks(self) -> list[Marks]:
        """Return the marks of all students, in their order."""
        reports = {
            path: Report(tuple(results), self.title, "", self.with_points)
            for path, results in self.results.items()
        }
        # An instance at fault is worth nothing to those without a program either.
        graded = [report.worth for report in reports.values()]
        most = max(graded, default=self._worth())
        return [self._mark(student, reports, most) for student in self.students]

    def _worth(self) -> float:
        points = self.grader.points
        return sum(worth(Verdict(each.name, "error", 0), points) for each in self.instances)

    def _mark(self, student: Student, reports: dict[Path, Report], most: float) -> Marks:
        sent = student.sent
        who = student.id, student.name
        if sent is None or sent.program is None:
            why = sent.why if sent else NOTHING
            words = "; ".join((why, *(sent.notes if sent else ()), *student.notes))
            return Marks(*who, 0, most, "no program", words, "")
        notes = (*sent.notes, *student.notes)
        report = reports.get(sent.program)
        if report is None:
            return Marks(*who, 0, most, NOT_RUN, "; ".join((NOT_RUN, *notes)), sent.shown)
        number = counted(len(report.results), "instance")
        summary = f"{report.successes} of {number} passed"
        words = "; ".join(filter(None, (summary, report.hollow, *mistakes(report), *notes)))
        outcome = report.verdict.lower()
        return Marks(*who, report.points, report.worth, outcome, words, sent.shown, report)


def _exercise_key(grader: Grader, instances: Sequence[Case], folder: Path | None) -> str:
    """Return a key of the exercise and of the settings."""
    settings = {each.name: getattr(grader, each.name) for each in fields(grader)}
    problem = settings.pop("problem")
    texts = [
        version("pylogic-sudoku"),
        *(f"{name}={value!r}" for name, value in sorted(settings.items())),
    ]
    for each in instances:
        texts += [each.name, each.text]
    if problem is not None:
        texts += _texts_of(path for path in sorted(problem.folder.iterdir()) if path.is_file())
    if folder is not None:
        texts += _texts_of(sorted(folder.glob("*.json")))
    return digest(*texts)


def _texts_in(folder: Path, program: Path) -> Iterator[str]:
    """Yield the names and texts of all files of a program, its own name first."""
    yield program.relative_to(folder).as_posix()
    for each in sorted(folder.rglob("*")):
        if each.is_file():
            yield each.relative_to(folder).as_posix()
            yield each.read_bytes().decode("latin-1")


def _texts_of(files: Iterable[Path]) -> Iterator[str]:
    """Yield the names and texts of files."""
    for each in files:
        yield each.name
        yield each.read_bytes().decode("latin-1")


def _known(journal: Journal) -> dict[str, dict[str, Any]]:
    """Return the results in a record, by their keys; InvalidProblem if it is another file's."""
    known = {}
    for line in journal.lines:
        if not {"marks", "results", "warnings"} <= {*line}:
            raise InvalidProblem(
                f"{journal.path} is not a record of marks; give another name, or remove it"
            )
        known[line["marks"]] = line
    return known


# --- what is made of marks ---


def table_of(marks: Sequence[Marks], incomplete: str = "") -> str:
    """Return the marks as CSV, with a last row that says so if the run was stopped."""
    out = StringIO()
    table = csv.writer(out, lineterminator="\n")
    table.writerow(HEADINGS)
    table.writerows([cell(text) for text in each.row] for each in marks)
    if incomplete:
        table.writerow([f"INCOMPLETE: {incomplete}"])
    return out.getvalue()


def write_pages(marks: Sequence[Marks], folder: Path, title: str = "") -> list[Path]:
    """Write a page for each student, with what the student may see; return the files.

    Its name is the id, without what some system does not take.
    """
    folder.mkdir(parents=True, exist_ok=True)
    names = apart(map(_file_name, (each.id for each in marks)))
    files = []
    for each, name in zip(marks, names, strict=True):
        who = f"{each.name} ({each.id})" if each.name else each.id
        heading = ": ".join(filter(None, (title, who)))
        points = f"{number_text(each.points)} of {number_text(each.most)} points"
        summary = "; ".join(filter(None, (each.program, points, each.feedback)))
        save(folder / f"{name}.html", page(heading, summary, each.report))
        files.append(folder / f"{name}.html")
    return files


def _file_name(id_: str) -> str:
    plain = re.sub(r"[^a-z0-9._@+-]+", "-", id_.lower()).strip("-.")
    return plain[:100] or "student"


def mark_class(
    submissions: str | Path,
    instances: Source | Sequence[Source],
    reference: str | Path | None = None,
    *,
    students: str | Path | None = None,
    layout: str = "",
    program: str = "",
    record: str | Path | None = None,
    jobs: int = 1,
    **settings: Any,
) -> list[Marks]:
    """Return the marks of a class, a `Marks` for each student.

    Args:
        submissions: The ZIP that Moodle, Canvas or Gradescope makes of all submissions, or a
            folder.
        instances: As for `grade`.
        reference: A folder of solutions, as for `grade`.
        students: A roster as CSV, whose students have marks even if they sent nothing.
        layout: The layout of the submissions, such as ``"moodle"``, or a pattern such as
            ``"{name}_{id}/{file}"``; by default it is found out.
        program: The name of the program that counts if a student has sent several.
        record: A file of results, from which a run that was stopped goes on.
        jobs: The number of processes that share the programs. They are spawned, so a script that
            uses them needs ``if __name__ == "__main__":``.
        settings: The fields of `Grader`, such as ``limit`` and ``timeout``.

    Raises:
        ValueError: For a mistake in the arguments.
        InvalidPuzzle: If a file or folder cannot be used.
        BackendUnavailable: If an engine is missing.
    """
    grader = Grader(**settings)
    folder = None if reference is None else Path(reference)
    to_grade = list(grader.instances(instances, folder))
    roster = None if students is None else read_roster(Path(students))
    names, languages = expected(grader.problem)
    chosen = [program] if program else names
    with gathered(Path(submissions), roster, layout, chosen, languages) as (found, _):
        marking = Marking(found, grader, to_grade, folder, grader.title, bool(grader.points))
        for _ in marking.run(jobs, None if record is None else Path(record)):
            pass
        return marking.marks()
