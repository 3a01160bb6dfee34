"""How often the grader names the wrong line of a program that has one.

    python -m benchmarks.faults [-v]

Each program of ``faults.toml`` is graded on puzzles until it loses a solution, and that loss is
explained. The right programs are explained too, and must name no line. With -v every diagnosis is
printed.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import clingo
from clingo.ast import AST, parse_files

import pylogic_sudoku as pls
from pylogic_sudoku.check import Diagnosis, Grader, Vocabulary
from pylogic_sudoku.engines.process import Limits

HERE = Path(__file__).parent
ENCODINGS = HERE.parent / "encodings"
FAULTS = HERE / "faults.toml"
NINE = pls.Grid.parse(
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
)
SIX = pls.Grid.parse("...26..4..1..3...2.6214.1...2.......", box=(2, 3))
FOUR = pls.Grid.parse("4......3...13...")
VOCABULARY = Vocabulary("initial", "sudoku")
GRADER = Grader(timeout=60)
VOCABULARIES = {
    "numbered_box": Vocabulary("numberAt", "numberAt"),
    "pairwise": Vocabulary("sudoku", "sudoku"),
}


class Fault(NamedTuple):
    """A program with one wrong line."""

    language: str
    program: str
    old: str
    new: str


class Asp(NamedTuple):
    """An encoding, and the puzzles that it is graded on."""

    name: str

    @property
    def grader(self) -> Grader:
        vocabulary = VOCABULARIES.get(self.name, VOCABULARY)
        constants = ["givens=4"] if self.name == "unique_by_rule" else []
        return replace(GRADER, vocabulary=vocabulary, constants=constants)

    @property
    def puzzles(self) -> Sequence[pls.Grid]:
        """Puzzles with one solution, until one shows the fault."""
        if self.name == "unique_by_rule":
            return (FOUR,)
        return (NINE,) if self.name == "subgrid_labels" else (NINE, SIX)

    def written(self, folder: Path, old: str = "", new: str = "") -> tuple[Path, str, int]:
        """Write the program with a change; return it, and the file and line of the change."""
        program, where, line = folder / f"{self.name}.lp", "", 0
        for path in (ENCODINGS / f"{self.name}.lp", ENCODINGS / "houses.lp"):
            text = path.read_text("utf-8")
            if not where and old and old in text:
                at = text.index(old)
                text = text.replace(old, new, 1)
                where, line = path.name, text[:at].count("\n") + 1
            (folder / path.name).write_text(text, "utf-8")
        return program, where, statement_at(folder / where, line) if where else 0


def statement_at(file: Path, line: int) -> int:
    """Return the line in which the statement at a line begins."""
    begins = [1]

    def take(statement: AST) -> None:
        begin = statement.location.begin
        if Path(begin.filename).name == file.name and begin.line <= line:
            begins.append(begin.line)

    parse_files([str(file)], take)
    return max(begins)


class Measured(NamedTuple):
    """What the grader says of a program on a puzzle."""

    seconds: float
    """For the run that is graded."""
    diagnosis: Diagnosis


def faults() -> list[Fault]:
    """Return the faulty programs."""
    return [Fault(*row) for row in tomllib.loads(FAULTS.read_text("utf-8"))["faults"]]


def measured(program: Path, base: Asp, puzzle: pls.Grid) -> Measured | None:
    """Return why the program loses the solution of the puzzle; None if it does not."""
    grader = base.grader
    made = grader.program(program)
    (instance,) = grader.instances(puzzle, None)
    reference = grader.reference(instance, None)
    (solution,) = reference.solutions
    limits = Limits(grader.timeout, grader.memory)
    run = made.run(instance, puzzle, 100, limits)
    if not loses(program, grader, puzzle, solution):
        return None
    return Measured(run.seconds, made.explain(instance, puzzle, solution, limits))


def loses(program: Path, grader: Grader, puzzle: pls.Grid, solution: pls.Grid) -> bool:
    """True if the solution is no answer, by clingo alone."""
    constants = (part for each in grader.constants for part in ("-c", each))
    control = clingo.Control([*constants], logger=lambda _code, _message: None)
    given, atom = grader.vocabulary
    facts = puzzle.format("facts").replace("initial(", f"{given}(")
    wanted = " ".join(f":- not {atom}({x},{y},{n})." for x, y, n in solution.givens)
    control.add("base", [], f'#include "{program}". #program base. {facts} {wanted}')
    control.ground()
    return bool(control.solve().unsatisfiable)


class Row(NamedTuple):
    """A faulty program, and where it is found to be wrong."""

    fault: Fault
    wrong: tuple[str, int]
    """The file and the line that is wrong."""
    found: Measured | None
    """None if it loses no solution."""

    @property
    def first(self) -> bool:
        """True if the wrong line is named first."""
        places = self.found.diagnosis.places if self.found else ()
        return bool(places) and (places[0].file, places[0].line) == self.wrong


def rows(chosen: Iterable[Fault], folder: Path) -> Iterator[Row]:
    """Yield what the grader says of each program."""
    for fault in chosen:
        base = Asp(fault.program)
        program, file, line = base.written(folder, fault.old, fault.new)
        if not line:
            raise ValueError(f"{fault.program} has no {fault.old!r}")
        tried = (measured(program, base, puzzle) for puzzle in base.puzzles)
        yield Row(fault, (file, line), next(filter(None, tried), None))


def blamed_though_right(names: Iterable[str], folder: Path) -> list[str]:
    """Return the right programs of which a line is named."""
    wrong = []
    for name in names:
        base = Asp(name)
        program, *_ = base.written(folder)
        grader = base.grader
        made = grader.program(program)
        for puzzle in base.puzzles:
            (instance,) = grader.instances(puzzle, None)
            (solution,) = grader.reference(instance, None).solutions
            limits = Limits(grader.timeout, grader.memory)
            diagnosis = made.explain(instance, puzzle, solution, limits)
            if diagnosis.kind != "none" or diagnosis.places:
                wrong.append(name)
    return wrong


def main() -> None:
    """Print the table."""
    chosen = faults()
    grading, explaining, first = [], [], 0
    with TemporaryDirectory() as name:
        folder = Path(name)
        for row in rows(chosen, folder):
            fault, (file, line), found = row
            change = f"{fault.old} -> {fault.new}"
            if found is None:
                print(f"  {fault.program:15} {file}:{line:<3} {change}: loses no solution")
                continue
            first += row.first
            grading.append(found.seconds)
            explaining.append(found.diagnosis.seconds)
            print(f"{'+' if row.first else '-'} {fault.program:15} {file}:{line:<3} {change}")
            if not row.first or "-v" in sys.argv:
                print("      " + str(found.diagnosis).replace("\n", "\n      "))
        names = sorted({fault.program for fault in chosen})
        blamed = blamed_though_right(names, folder)
    print(f"{len(chosen)} faulty programs, of which {len(grading)} lose a solution")
    print(f"the wrong line is named first: {first} ({100 * first / len(grading):.0f} %)")
    print(f"right programs of which a line is named: {len(blamed)} of {len(names)}")
    for what, seconds in (("grading", grading), ("explaining", explaining)):
        print(f"{what:10} median {median(seconds):.2f} s, longest {max(seconds):.2f} s")


if __name__ == "__main__":
    main()
