"""Sudoku as what programs are graded on: the programs, the grids that they fill in, the solutions.

The atoms of an ASP program have a `Vocabulary`; a Prolog program completes a list of rows.
"""

from __future__ import annotations

import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

from .. import questions as api
from ..draw import Highlight, mistakes
from ..engines import comparable
from ..engines.sudoku import get, names
from ..engines.sudoku.base import SudokuEngine
from ..errors import InvalidPuzzle, LogicError
from ..problem.written import read_output, reading
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Duplicate, cells_of
from ..rules.base import broken_rules, everything, term
from ..running.children import by_prolog, check_prolog, solving, working
from ..running.process import Ended, Limits
from ..running.runs import Child, Files, ask, opened, text_of
from ..running.sandbox import Sandbox
from ..running.workers import Budget
from .cases import Case, Vocabulary
from .diagnosis import STOPPED, Diagnosis, printable
from .explained import explained
from .grids import KINDS, neighbours, violated_kinds, without
from .loops import loop_in
from .programs import Attempt, Fault, Submission
from .puzzles import Source, gather, puzzle_of, text_for
from .tasks import Found, Task, found_by
from .verdict import Reference

MAX_ATOMS = 3000
"""Atoms of one answer that are read: over twice as many as the largest grid has cells."""
_Grids = Mapping[str, Sequence[Grid]]
"""A lost solution under ``""``; under a kind of house, grids that break only such houses."""
_TASKS = {
    "sudoku_grading": ["sudoku/grading"],
    "sudoku_diagnosis": ["sudoku/diagnosis", "sudoku/grading"],
}
"""The files of ``prolog/`` that a module needs, its own first."""
_CELLS = Path(__file__).with_name("_cells.py")
_LOST = "the program loses the solution"
_NOTHING = "the program has no answer at all"


@dataclass(frozen=True, slots=True)
class SudokuProgram(Submission[Grid | Puzzle, Grid]):
    """A program for sudoku, whose instances and answers have these atoms."""

    noun: ClassVar[str] = "grid"

    vocabulary: Vocabulary

    @abstractmethod
    def _question(
        self, files: Files, instance: Case, puzzle: Grid | Puzzle, grids: _Grids
    ) -> Child:
        """Return the child that writes why the program refuses a grid, or which it accepts."""

    def explain(
        self, instance: Case, question: Grid | Puzzle, lost: Grid, limits: Limits
    ) -> Diagnosis:
        """Return why this solution is not among the answers; ``none`` if nothing excludes it.

        ``check/losses.py`` and ``prolog/host/interpreter.pl`` explain how it is found.
        """
        lines, ended = self._ask(instance, question, {"": [lost]}, limits)
        return self._diagnosis(lines, ended, limits)

    def _diagnosis(self, lines: list[Any], ended: Ended, limits: Limits) -> Diagnosis:
        """The diagnosis in what the explaining process has written."""
        return explained(lines, ended, limits, printable(self.path.name), "solution")

    def explain_wrong(
        self,
        instance: Case,
        question: Grid | Puzzle,
        wrong: Attempt[Grid],
        lost: Grid | None,
        right: Grid | None,
        limits: Limits,
    ) -> Diagnosis | None:
        """Return the houses that no constraint is about, or the one that excludes a solution.

        Such a constraint is likely to be the one that should have excluded the answer.
        """
        diagnosis = Diagnosis("none", "")
        if wrong.fault:
            diagnosis = self.unmentioned(instance, question, wrong.value, limits)
            if diagnosis.kind == "house":
                return diagnosis
        late = diagnosis.seconds >= limits.seconds
        stopped = Diagnosis("stopped", STOPPED[True], seconds=diagnosis.seconds) if late else None
        right = lost or right
        if right is None:
            return stopped
        limits = replace(limits, seconds=max(0.1, limits.seconds - diagnosis.seconds))
        loss = self.explain(instance, question, right, limits)
        loss = replace(loss, seconds=loss.seconds + diagnosis.seconds)
        return loss if loss.places or loss.kind == "stopped" else stopped

    def unmentioned(
        self, instance: Case, puzzle: Grid | Puzzle, wrong: Grid, limits: Limits
    ) -> Diagnosis:
        """Return the kind of house that a wrong answer violates and no constraint is about.

        Of that kind, the program accepts any two equal digits, in grids in which all else is right.
        The kind of the diagnosis is ``none`` where this cannot be shown.
        """
        grids_by_kind = {kind: without(kind, puzzle.box) for kind in violated_kinds(wrong, puzzle)}
        grids = {kind: each for kind, each in grids_by_kind.items() if each}
        if not grids:
            return Diagnosis("none", "")
        lines, ended = self._ask(instance, puzzle, grids, limits)
        never = " or ".join(KINDS[kind] for kind in grids if ["accepts", kind] in lines)
        if not never:
            return Diagnosis("none", "", seconds=ended.seconds)
        words = f"no constraint of the program is about {never}"
        return Diagnosis("house", words, seconds=ended.seconds)

    def _ask(
        self, instance: Case, puzzle: Grid | Puzzle, grids: _Grids, limits: Limits
    ) -> tuple[list[Any], Ended]:
        """Ask about grids; return the lines of the answer, even if the time ran out."""
        with opened(limits) as files:
            return ask(files, self._question(files, instance, puzzle, grids), self.sandbox)


@dataclass(frozen=True, slots=True)
class AspProgram(SudokuProgram):
    """A program for clingo."""

    constants: tuple[str, ...] = ()
    allow_scripts: bool = False

    tells_lines = True

    def read(self, question: Grid | Puzzle, *parts: Any) -> Attempt[Grid]:
        return _read(question, *parts, atom=self.vocabulary.solution)

    def child(self, files: Files, instance: Case, question: Grid | Puzzle, most: int) -> Child:
        job = self._job(files, instance) | {"limit": most, "atoms": MAX_ATOMS}
        return solving(files, self.path, self.sandbox, job, _CELLS)

    def _job(self, files: Files, instance: Case) -> dict[str, Any]:
        files.hold(instance.path, text_for(instance, self.vocabulary))
        return {
            "given": self.vocabulary.given,
            "atom": self.vocabulary.solution,
            "constants": self.constants,
            "allow_scripts": self.allow_scripts,
        }

    def _question(
        self, files: Files, instance: Case, puzzle: Grid | Puzzle, grids: _Grids
    ) -> Child:
        job = self._job(files, instance) | {
            "box": puzzle.box,
            "houses": [tuple(map(tuple, house.cells)) for house in puzzle.houses],
            "grids": {
                kind: [list(map(tuple, grid.givens)) for grid in each]
                for kind, each in grids.items()
            },
        }
        return working(files, self.path, self.sandbox, job, f"{__package__}.losses")

    def _diagnosis(self, lines: list[Any], ended: Ended, limits: Limits) -> Diagnosis:
        found = SudokuProgram._diagnosis(self, lines, ended, limits)
        reason = found.reason.partition("; look at ")[0]  # the places tell it in words
        if ["empty"] in lines:
            if found.kind == "stopped":
                return replace(found, summary=f"{_NOTHING}; {found.summary}")
            why = f": {reason}" if reason else ""
            return replace(found, kind="unsatisfiable", summary=_NOTHING + why, reason=reason)
        return replace(found, summary=f"{_LOST}: {reason}", reason=reason) if reason else found


@dataclass(frozen=True, slots=True)
class PrologProgram(SudokuProgram):
    """A program for SWI-Prolog with a predicate that completes a list of rows.

    For puzzles with rules it may have three arguments: rows, box shape and rules.
    """

    predicate: str = "sudoku"

    tells_lines = False

    def read(self, question: Grid | Puzzle, *parts: Any) -> Attempt[Grid]:
        return _read(question, *parts)

    def check_engine(self) -> None:
        check_prolog()

    def child(self, files: Files, instance: Case, question: Grid | Puzzle, most: int) -> Child:
        return self._child(files, "sudoku_grading:grade", question, most, _digits(question))

    def explain_loop(
        self, instance: Case, question: Grid | Puzzle, limits: Limits
    ) -> Diagnosis | None:
        with opened(limits) as files:
            child = self._child(files, "sudoku_diagnosis:loop", question, 0, _digits(question))
            lines, ended = ask(files, child, self.sandbox)
        return loop_in(lines, ended, printable(self.path.name))

    def _child(
        self, files: Files, task: str, puzzle: Grid | Puzzle, most: int, *grids: object
    ) -> Child:
        """Return the child that does a task, ``module:predicate``, with the program."""
        # Lists and texts look alike in JSON and in Prolog.
        request = f"request({json.dumps([puzzle.size, *grids])}, {_rules(puzzle)})"
        arguments = (self.predicate, str(most))
        tasks = _TASKS[task.partition(":")[0]]
        return by_prolog(files, self.path, tasks, task, request, *arguments)

    def _question(
        self, files: Files, instance: Case, puzzle: Grid | Puzzle, grids: _Grids
    ) -> Child:
        if "" in grids:
            ((solution,),) = grids.values()
            near = neighbours(solution, isinstance(puzzle, Grid))
            known = [_digits(puzzle), _digits(solution), *([*map(_digits, each)] for each in near)]
            return self._child(files, "sudoku_diagnosis:explain", puzzle, INFERENCES, *known)
        empty = " ".join("0" * puzzle.size**2)
        kinds = [[kind, [*map(_digits, each)]] for kind, each in grids.items()]
        return self._child(files, "sudoku_diagnosis:accepts", puzzle, INFERENCES, empty, kinds)


def _rules(puzzle: Grid | Puzzle) -> str:
    """Return the box shape and the rules as a Prolog term, or none if there are no rules."""
    rules = puzzle.layout.rules
    rows, columns = puzzle.box
    return f"{rows}-{columns}+[{','.join(map(term, rules))}]" if rules else "none"


def _digits(grid: Grid | Puzzle) -> str:
    return " ".join(map(str, grid.digits))


INFERENCES = 10_000_000
"""Prolog's inferences for one attempt to explain: one or two seconds."""


# --- an answer: which cells it fills ------------------------------------------------------


@dataclass(frozen=True)
class GridFault(Fault):
    """The reason why a grid is not a solution."""

    duplicate: Duplicate | None = None
    """The two cells, if they are the fault."""
    empty: bool = False
    """True if empty cells are the fault."""

    def marks(self, answer: Grid, question: Grid | Puzzle) -> tuple[Highlight, ...]:
        """Return what shows it: of a digit that is there twice, the two cells and the house."""
        if self.duplicate:
            names = self.duplicate.houses
            cells = (cell for each in question.houses if str(each) in names for cell in each.cells)
            return (
                Highlight(self.words, "conflict", self.duplicate.cells),
                Highlight(", ".join(names), "house", tuple(cells)),
            )
        if self.empty:
            empty = tuple(cell for cell in answer.cells if not answer[cell])
            return (Highlight("empty", "difference", empty),)
        return mistakes(answer, question)[:1]


RawPlacement = tuple[int | str, int | str, int | str]
"""Row, column and digit as the program wrote them: text if they are not numbers."""


def _read(
    puzzle: Grid | Puzzle, placements: Sequence[RawPlacement], note: object, *, atom: str = ""
) -> Attempt[Grid]:
    return read_answer(placements, puzzle, text_of(note), atom)


def read_answer(
    placements: Sequence[RawPlacement], puzzle: Grid | Puzzle, note: str = "", atom: str = ""
) -> Attempt[Grid]:
    """Return the answer to the puzzle.

    `note` is the runner's remark on an answer that is not full.
    """
    n = puzzle.size
    filled: dict[int, int] = {}
    outside: Fault | None = None
    twice: Fault | None = None
    for x, y, digit in placements:
        if not all(isinstance(part, int) and 1 <= part <= n for part in (x, y, digit)):
            shown = f"{atom}({x},{y},{digit})" if atom else f"{digit} in row {x}, column {y}"
            words = f"{shown}: expected row, column and digit to be 1 to {n}"
            outside = outside or GridFault(words, "an atom is outside the grid")
            continue
        row, column, number = int(x), int(y), int(digit)
        cell = (row - 1) * n + column - 1
        other = filled.setdefault(cell, number)
        if other != number:
            filled[cell] = min(other, number)
            words = f"{cells_of(n)[cell]} holds both {other} and {number}"
            twice = twice or GridFault(words, "a cell holds two digits")
    grid = Grid(tuple(filled.get(cell, 0) for cell in range(n * n)), puzzle.box)
    return Attempt(grid, outside or twice or _empty(grid, note))


def _empty(grid: Grid, note: str) -> Fault | None:
    if 0 not in grid.digits:
        return None
    number = grid.digits.count(0)
    first = grid.cells[grid.digits.index(0)]
    words = f"{first} is empty" if number == 1 else f"{first} and {number - 1} more cells are empty"
    mistake = "a cell is empty"
    if number == len(grid.digits):
        words, mistake = "every cell is empty", "no digit is shown"
    return GridFault(f"{words} ({note})" if note else words, mistake, empty=True)


def violated_rule(answer: Attempt[Grid], puzzle: Grid | Puzzle) -> Fault | None:
    """Return the first rule that the answer breaks; None if it is a solution."""
    if answer.fault:
        return answer.fault
    for cell, given, value in zip(puzzle.cells, puzzle.digits, answer.value.digits, strict=True):
        if given not in (0, value):
            words = f"{cell} holds {value}, but {given} is given there"
            return GridFault(words, "a given is not kept")
    filled = replace(puzzle, grid=answer.value) if isinstance(puzzle, Puzzle) else answer.value
    for duplicate in filled.duplicates():
        kind = next(each.kind for each in puzzle.houses if str(each) == duplicate.houses[0])
        kind = "box" if kind == "region" else kind
        return GridFault(str(duplicate), f"a digit is twice in a {kind}", duplicate)
    for cell, digit in ((each.cell, each.digit) for each in puzzle.excluded):
        if answer.value[cell] == digit:
            words = f"{cell} holds {digit}, but its mark excludes {digit}"
            return GridFault(words, "a mark is ignored")
    if isinstance(filled, Puzzle):
        for rule in broken_rules(filled):
            return GridFault(f"{rule} is violated", f"{rule.title} is violated")
    return None


# --- the reference: the solutions of a puzzle --------------------------------------------------

_ATOM = re.compile(r"^\s*(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$", re.ASCII | re.M)


class Solutions(Reference[Grid | Puzzle, Grid]):
    """The solutions of a puzzle."""

    instance = "puzzle"
    answer = "solution"

    def is_wrong(self, answer: Attempt[Grid]) -> bool:
        """True if the answer is known to be wrong, without an engine: plain Python checks grids."""
        if super().is_wrong(answer):
            return True
        return answer.value not in self.solutions and self._obeys(answer.value) is False

    def is_open(self, answer: Attempt[Grid]) -> bool:
        return super().is_open(answer) and self._obeys(answer.value) is None

    def _obeys(self, value: Grid) -> bool | None:
        """True for a solution; None if a rule is for engines alone."""
        try:
            return value.is_solution_of(self.question)
        except InvalidPuzzle:
            return None

    def refuted(self, values: Sequence[Grid], seconds: float) -> tuple[set[Grid], str]:
        wrong: set[Grid] = set()
        budget = Budget("clingo", seconds)
        with budget:
            for value in values:
                filled = self.question.with_(*value.givens)
                try:
                    if api.solve(filled, timeout=budget.remaining()) is None:
                        wrong.add(value)
                except LogicError as error:
                    return wrong, f"the rules of the puzzle could not be checked: {error}"
        return wrong, ""

    def worst(self, extra: Sequence[Attempt[Grid]]) -> tuple[Attempt[Grid], Fault | None]:
        for answer in extra:
            if fault := violated_rule(answer, self.question):
                return answer, fault
        return extra[0], None

    def first(self, values: Iterable[Grid]) -> Grid | None:
        return min(values, key=lambda grid: grid.digits, default=None)

    @property
    def asked(self) -> Grid | Puzzle:
        return self.question

    def doubt(self, extra: Sequence[Attempt[Grid]]) -> str:
        if any(not each.fault and self._obeys(each.value) for each in extra):
            return (
                f"some of them violate no rule of sudoku, but {self.source} lacks them:"
                " is it complete?"
            )
        return ""

    @property
    def advice(self) -> str:
        kinds = sorted({rule.kind for rule in everything(self.question.layout.rules)})
        rules = ", ".join(kinds)
        return f"; it has the rules {rules}: does the program know them?" if kinds else ""


def solve_reference(
    puzzle: Grid | Puzzle, who: Sequence[str], limit: int, seconds: float | None
) -> Solutions:
    """Return what these engines find; Disagreement if they differ, SolveTimeout if none ends."""
    found: Found[Grid] = found_by(who, puzzle, limit, seconds, lambda grid: grid.digits)
    return Solutions(puzzle, frozenset(found.answers), found.complete, found.source)


def read_reference(instance: Case, vocabulary: Vocabulary, file: Path, limit: int) -> Solutions:
    """Return what ``clingo --outf=2`` wrote; InvalidPuzzle, with the file's name, for all else."""
    atoms = {vocabulary.solution, "sudoku"}
    with reading(file):
        _, answers, complete = read_output(file, limit)
        placed = [_placements("\n".join(each), atoms) for each in answers]
    puzzle = puzzle_of(instance, vocabulary)
    solutions = set()
    for number, placements in enumerate(placed, 1):
        answer = read_answer(placements, puzzle)
        broken = violated_rule(answer, puzzle)
        if broken:
            raise InvalidPuzzle(
                f"{file}: witness {number} is not a solution of {instance.path.name}: {broken}"
            )
        solutions.add(answer.value)
    return Solutions(puzzle, frozenset(solutions), complete, str(file))


def _placements(text: str, atoms: set[str]) -> list[tuple[int, int, int]]:
    found = _ATOM.findall(text)
    return [(int(x), int(y), int(digit)) for name, x, y, digit in found if name in atoms]


# --- sudoku as a task --------------------------------------------------------------------------


@dataclass(frozen=True)
class Sudoku(Task[Grid | Puzzle, Grid, SudokuProgram]):
    """Sudoku as what programs are graded on, with the fields that a `Grader` has for it."""

    vocabulary: Vocabulary
    predicate: str = "sudoku"
    constants: tuple[str, ...] = ()
    allow_scripts: bool = False
    format: str | None = None
    box: Box | None = None

    def gather(self, sources: Source | Sequence[Source]) -> Iterator[Case]:
        return gather(sources, self.vocabulary, self.format, self.box)

    def for_clingo(self, path: Path, sandbox: Sandbox, alone: bool) -> AspProgram:
        if alone and self.predicate != "sudoku":
            raise ValueError(f"{path} is an ASP program; a predicate is for Prolog programs (*.pl)")
        return AspProgram(
            path, self.vocabulary, self.constants, self.allow_scripts, sandbox=sandbox
        )

    def for_prolog(self, path: Path, sandbox: Sandbox) -> PrologProgram:
        return PrologProgram(path, self.vocabulary, self.predicate, sandbox=sandbox)

    def engines(self, against: str) -> tuple[str, ...]:
        return names() if against == "all" else (against,)

    def engine(self, name: str) -> SudokuEngine:
        return get(name)

    def solve(self, instance: Case, against: str, limit: int, timeout: float) -> Solutions:
        puzzle = puzzle_of(instance, self.vocabulary)
        return solve_reference(puzzle, comparable(self.engines(against), puzzle), limit, timeout)

    def read(self, instance: Case, file: Path, limit: int) -> Solutions:
        return read_reference(instance, self.vocabulary, file, limit)
