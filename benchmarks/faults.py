"""The share of faulty programs in which the grader names the wrong line.

    python -m benchmarks.faults [-v] [--problem] [asp] [prolog]

Each program of ``faults.toml`` is graded on puzzles until it loses a solution, and that loss is
explained. The right programs are explained too, and must name no line. With -v every diagnosis is
printed. With --problem they are programs for a problem like any other, ``problems/sudoku`` with an
adapter, and are explained as such.
"""

from __future__ import annotations

import argparse
import json
import re
import tomllib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from shutil import copytree
from statistics import median
from tempfile import TemporaryDirectory
from typing import ClassVar, NamedTuple

import clingo
from clingo.ast import AST, parse_files

import pylogic_sudoku as pls
from pylogic_sudoku.check import Diagnosis, Grader, Vocabulary, grade
from pylogic_sudoku.check.exercise import program_text
from pylogic_sudoku.check.programs import Output
from pylogic_sudoku.running.process import Limits

HERE = Path(__file__).parent
ENCODINGS = HERE.parent / "encodings"
PROLOG = HERE.parent / "prolog/programs"
FAULTS = HERE / "faults.toml"
STUDENTS = HERE / "students"
LESSONS = HERE.parent / "pylogic_sudoku/page/static/lessons"
NINE = pls.Grid.parse(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
OPEN = pls.Grid.parse(
    ".3..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5........."
)
"""The same with fewer givens."""
SIX = pls.Grid.parse("...26..4..1..3...2.6214.1...2.......", box=(2, 3))
FOUR = pls.Grid.parse("4......3...13...")
FOUR_OPEN = pls.Grid.parse("1...............")
GRADER = Grader(timeout=10, allow_read=[PROLOG.parent])
ADAPTER = """\
answer(Atoms) :-
    box_rows(P), box_columns(Q), S is P*Q,
    findall(Row, ( between(1, S, _), length(Row, S) ), Rows),
    findall(X-Y-N, initial(X, Y, N), Givens),
    maplist([X-Y-N]>>( nth1(X, Rows, Row), nth1(Y, Row, N) ), Givens),
    sudoku(Rows),
    findall(sudoku(X,Y,N), ( nth1(X, Rows, Row), nth1(Y, Row, N) ), Atoms).
"""
LIMITS = Limits(10, 2048)
ANSWERS = 1000


class Fault(NamedTuple):
    """A program with one wrong line."""

    language: str
    program: str
    old: str
    new: str


@dataclass(frozen=True)
class Base(ABC):
    """A right program, and the puzzles that its faulty versions are graded on."""

    name: str

    @property
    @abstractmethod
    def puzzles(self) -> Sequence[pls.Grid]:
        """Puzzles until one shows the fault."""

    @abstractmethod
    def texts(self) -> dict[str, str]:
        """Return its files; the first one is the program."""

    @abstractmethod
    def wrong(self, file: Path, first: int, last: int) -> range:
        """Return the lines that count as wrong if these were changed."""

    @abstractmethod
    def lost(self, program: Path, puzzle: pls.Grid, run: Output[pls.Grid]) -> pls.Grid | None:
        """Return a solution that a run of the program has lost, if any."""

    @property
    def grader(self) -> Grader:
        """The grader of these programs."""
        return GRADER

    def written(self, folder: Path, old: str = "", new: str = "") -> tuple[Path, str, range]:
        """Write it with a change; return the program, and the file and the lines of the change."""
        place, where, lines = folder / self.name, "", range(0)
        place.mkdir(exist_ok=True)
        texts = self.texts()
        for name, text in texts.items():
            if old and not where and old in text:
                where, at = name, text.index(old)
                first = text.count("\n", 0, at) + 1
                (place / name).write_text(text.replace(old, new, 1), "utf-8")
                lines = range(first, first + new.count("\n") + 1)
            else:
                (place / name).write_text(text, "utf-8")
        if where:
            lines = self.wrong(place / where, lines[0], lines[-1])
        elif old:
            raise ValueError(f"{self.name} has no {old!r}")
        return place / next(iter(texts)), where, lines


class Asp(Base):
    """One of ``encodings/``."""

    VOCABULARIES: ClassVar = {
        "numbered_box": Vocabulary("numberAt", "numberAt"),
        "pairwise": Vocabulary("sudoku", "sudoku"),
    }

    @property
    def puzzles(self) -> Sequence[pls.Grid]:
        if self.name == "unique_by_rule":
            return (FOUR,)
        return (NINE,) if self.name == "subgrid_labels" else (NINE, SIX)

    @property
    def grader(self) -> Grader:
        vocabulary = self.VOCABULARIES.get(self.name, GRADER.vocabulary)
        constants = ["givens=4"] if self.name == "unique_by_rule" else []
        return replace(GRADER, vocabulary=vocabulary, constants=constants)

    def texts(self) -> dict[str, str]:
        """The program first, and what it may include."""
        names = (f"{self.name}.lp", f"programs/{self.name}.lp", "houses.lp")
        files = [ENCODINGS / name for name in names if (ENCODINGS / name).exists()]
        return {file.name: file.read_text("utf-8") for file in files}

    def wrong(self, file: Path, first: int, last: int) -> range:
        """Return the line in which the statement begins."""
        begins = [1]

        def take(statement: AST) -> None:
            begin = statement.location.begin
            if Path(begin.filename).name == file.name and begin.line <= first:
                begins.append(begin.line)

        parse_files([str(file)], take)
        return range(max(begins), max(begins) + 1)

    def lost(self, program: Path, puzzle: pls.Grid, run: Output[pls.Grid]) -> pls.Grid | None:
        """Return the solution unless it is an answer, by clingo alone."""
        solution = pls.solve(puzzle)
        assert solution is not None
        constants = (part for each in self.grader.constants for part in ("-c", each))
        control = clingo.Control([*constants], logger=lambda _code, _message: None)
        given, atom = self.grader.vocabulary
        facts = puzzle.format("facts").replace("initial(", f"{given}(")
        wanted = " ".join(f":- not {atom}({x},{y},{n})." for x, y, n in solution.givens)
        control.add("base", [], f'#include "{program}". #program base. {facts} {wanted}')
        control.ground()
        return solution if control.solve().unsatisfiable else None


class Prolog(Base):
    """One of ``prolog/programs/``, a student's, a lesson's, the tutorial's or the exercises'."""

    @property
    def puzzles(self) -> Sequence[pls.Grid]:
        return (FOUR_OPEN, FOUR) if self.name == "tutorial" else (NINE, OPEN)

    def texts(self) -> dict[str, str]:
        return {f"{self.name}.pl": self._text}

    @cached_property
    def _text(self) -> str:
        if self.name == "exercise":
            return program_text("Prolog", (3, 3), Grader())
        if self.name == "tutorial":
            notebook = (HERE.parent / "docs/tutorial.ipynb").read_text("utf-8")
            texts = ("".join(cell["source"]) for cell in json.loads(notebook)["cells"])
            return next(each for each in texts if "side_by_side(Upper" in each).partition("\n")[2]
        if (student := STUDENTS / f"{self.name}.pl").exists():
            return student.read_text("utf-8")
        if (lesson := LESSONS / f"{self.name}.pl").exists():
            text = lesson.read_text("utf-8").replace("[sudoku/3]", "[sudoku/1]")
            return f"{text}\nsudoku(Rows) :- sudoku(Rows, 3-3, []).\n"
        text = (PROLOG / f"{self.name}.pl").read_text("utf-8")
        text = text.replace("'../sudoku/", f"'{PROLOG.parent}/sudoku/")
        if self.name == "classic":
            return text
        text = re.sub(r"\[sudoku/2.*\]", "[sudoku/1]", text, count=1)
        return f"{text}\nsudoku(Rows) :- sudoku(Rows, 3-3).\n"

    def wrong(self, file: Path, first: int, last: int) -> range:
        """Return the lines; if text is missing there, those of its paragraph."""
        lines = ["", *file.read_text("utf-8").split("\n"), ""]
        if len("\n".join(lines)) >= len(self._text):
            return range(first, last + 1)
        while lines[first - 1].strip():
            first -= 1
        while lines[last].strip():
            last += 1
        return range(first, last + 1)

    def lost(self, program: Path, puzzle: pls.Grid, run: Output[pls.Grid]) -> pls.Grid | None:
        """Return the first solution that is not among the answers, if these are all there are."""
        found = {each.value for each in run.answers}
        if not run.exhausted and not run.stopped:
            return None
        return next((each for each in pls.solutions(puzzle, limit=100) if each not in found), None)


LANGUAGES: dict[str, type[Base]] = {"asp": Asp, "prolog": Prolog}


class Measured(NamedTuple):
    """The grader's report on a program that loses a solution."""

    seconds: float
    """For the run that is graded."""
    diagnosis: Diagnosis


class Row(NamedTuple):
    """A faulty program, and where it is found to be wrong."""

    fault: Fault
    file: str
    wrong: range
    """The lines that count as wrong."""
    found: Measured | None
    """None if it loses no solution, or cannot be loaded: then the compiler names the line."""

    @property
    def first(self) -> bool:
        """True if a wrong line is named first."""
        return self.named[:1] == [True]

    @property
    def named(self) -> list[bool]:
        """For each line that is named, whether it is a wrong one."""
        places = self.found.diagnosis.places if self.found else ()
        return [each.file == self.file and each.line in self.wrong for each in places]

    def __str__(self) -> str:
        mark = " " if self.found is None else "-+"[self.first]
        change = " -> ".join(" ".join(text.split()) for text in self.fault[2:])
        place = f"{self.file}:{self.wrong[0]}"
        return f"{mark} {place:22} {change}" + ("" if self.found else ": loses no solution")


def faults(table: str = "faults") -> list[Fault]:
    """Return the faulty programs of a table: those of the tuning, or ``unseen``."""
    return [Fault(*row) for row in tomllib.loads(FAULTS.read_text("utf-8"))[table]]


Measure = Callable[[Path, Base, pls.Grid], Measured | None]


def rows(chosen: Iterable[Fault], folder: Path, measure: Measure) -> Iterator[Row]:
    """Yield what the grader says of each program."""
    for fault in chosen:
        base = LANGUAGES[fault.language](fault.program)
        program, file, lines = base.written(folder, fault.old, fault.new)
        tried = (measure(program, base, puzzle) for puzzle in base.puzzles)
        yield Row(fault, file, lines, next(filter(None, tried), None))


def of_problem(folder: Path) -> Measure:
    """Write a problem with an adapter; return how programs are graded on it."""
    problem = folder / "problem" / "sudoku"
    copytree(HERE.parent / "problems/sudoku", problem)
    (problem / "adapter.pl").write_text(ADAPTER, "utf-8")

    def measure(path: Path, base: Base, puzzle: pls.Grid) -> Measured | None:
        rows, columns = puzzle.box
        givens = " ".join(f"initial({x},{y},{n})." for x, y, n in puzzle.givens)
        facts = f"box_rows({rows}). box_columns({columns}). {givens}"
        allowed = [PROLOG.parent]
        (verdict,) = grade(
            path, facts, problem=problem, allow_read=allowed, timeout=LIMITS.seconds, limit=ANSWERS
        )
        if verdict.missing_answer is None or verdict.diagnosis is None:
            return None
        return Measured(verdict.milliseconds / 1000, verdict.diagnosis)

    return measure


def of_sudoku(path: Path, base: Base, puzzle: pls.Grid) -> Measured | None:
    """Grade a program on a puzzle; None if it loses no solution."""
    program = base.grader.program(path)
    (instance,) = base.grader.instances(puzzle, None)
    run = program.run(instance, puzzle, ANSWERS, LIMITS)
    lost = None if run.flawed else base.lost(path, puzzle, run)
    if lost is None:
        return None
    return Measured(run.seconds, program.explain(instance, puzzle, lost, LIMITS))


def blamed_though_right(chosen: Iterable[Fault], folder: Path) -> list[str]:
    """Return the right programs in which a line is named."""
    wrong = []
    for language, name in sorted({(fault.language, fault.program) for fault in chosen}):
        base = LANGUAGES[language](name)
        program = base.grader.program(base.written(folder)[0])
        for puzzle in base.puzzles:
            (instance,) = base.grader.instances(puzzle, None)
            if program.explain(instance, puzzle, next(pls.solutions(puzzle)), LIMITS).places:
                wrong.append(name)
    return wrong


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    add = parser.add_argument
    add("languages", nargs="*", metavar="LANGUAGE", help=f"of {' and '.join(LANGUAGES)}; else both")
    add("-v", action="store_true", help="print every diagnosis")
    add("--problem", action="store_true", help="grade them like programs for any problem")
    asked = parser.parse_args()
    if unknown := {*asked.languages} - {*LANGUAGES}:
        parser.error(f"{unknown.pop()!r} is not one of {', '.join(LANGUAGES)}")
    for language in asked.languages or LANGUAGES:
        unseen = [fault for fault in faults("unseen") if fault.language == language]
        chosen = [fault for fault in faults() if fault.language == language] + unseen
        lost: list[Row] = []
        with TemporaryDirectory() as folder:
            measure = of_problem(Path(folder)) if asked.problem else of_sudoku
            for row in rows(chosen, Path(folder), measure):
                print(row, flush=True)
                if row.found:
                    lost.append(row)
                    if not row.first or asked.v:
                        print("      " + str(row.found.diagnosis).replace("\n", "\n      "))
            blamed = [] if asked.problem else blamed_though_right(chosen, Path(folder))
        first = sum(row.first for row in lost)
        print(f"{language}: {len(chosen)} faulty programs; {len(lost)} lose a solution")
        print(f"  the wrong line is named first: {first} ({100 * first / len(lost):.0f} %)")
        print(f"  it is among the lines that are named: {sum(any(row.named) for row in lost)}")
        if unseen:
            new = [row.first for row in lost if row.fault in unseen]
            print(f"    of those that were written afterwards: {sum(new)} of {len(new)}")
        if not asked.problem:
            print(f"  right programs in which a line is named: {len(blamed)}")
        for what, seconds in (
            ("grading", [row.found.seconds for row in lost if row.found]),
            ("explaining", [row.found.diagnosis.seconds for row in lost if row.found]),
        ):
            print(f"  {what:10} median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
