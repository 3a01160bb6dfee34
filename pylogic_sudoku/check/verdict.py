"""Verdicts: what the answers of a program to one instance are worth, beside its solutions.

`judge` makes a `Verdict` of an output and a `Reference`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import islice
from math import inf
from pathlib import Path
from typing import Any, Literal, NamedTuple

from .. import questions as api
from ..errors import InvalidPuzzle, SolveTimeout, counted
from ..formats.facts import witnesses
from ..formats.lists import load_json
from ..puzzle import Grid, Puzzle
from ..questions.comparison import compare
from ..rules.base import broken_rules, everything
from .diagnosis import Diagnosis
from .instances import Instance, Vocabulary
from .programs import Answer, Fault, Output, read_answer


class Outcome(StrEnum):
    """How a program does on an instance."""

    SUCCESS = "success"
    FAILURE = "failure"
    TIMEOUT = "timeout"
    ERROR = "error"


Way = Literal["", "wrong", "nothing", "missing", "timeout", "error", "stopped"]
"""A way of failing; empty for a success, and ``stopped`` if the grading was stopped before."""
NOT_RUN = "not run"
WAYS: dict[Way, tuple[Outcome, str]] = {
    "": (Outcome.SUCCESS, "a success"),
    "wrong": (Outcome.FAILURE, "an answer is wrong"),
    "nothing": (Outcome.FAILURE, "there is no answer, but there are solutions"),
    "missing": (Outcome.FAILURE, "solutions are missing"),
    "timeout": (Outcome.TIMEOUT, "out of time"),
    "error": (Outcome.ERROR, "an error"),
    "stopped": (Outcome.ERROR, NOT_RUN),
}
"""The outcome of each, and it in a few words."""
AT_FAULT = "not run: the program itself is at fault, as said before"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a program on one instance."""

    instance: str
    way: Way
    """How it failed; empty for a success."""
    milliseconds: int
    """From the start of its process to its end, with grounding or loading."""
    answers: int = 0
    """Different answers that were compared."""
    missing: int = 0
    """Reference solutions that are not among its answers; 0 unless it is `exhausted`."""
    extra: int = 0
    """Answers that are not solutions; there may be more unless it is `exhausted`."""
    missing_grid: Grid | None = None
    """A missing solution."""
    extra_grid: Grid | None = None
    """A wrong answer; empty where the program filled in nothing."""
    message: str = ""
    """Errors, warnings, and why the run was stopped."""
    exhausted: bool = False
    """True if the program has ended and has no other answers."""
    graded: bool = True
    """False if the instance or its reference is at fault, not the program."""
    puzzle: Grid | Puzzle | None = None
    """The puzzle of the instance, if it could be read."""
    flawed: bool = False
    """True if the program cannot run on any instance; then the message is about the program."""
    fault: Fault | None = None
    """What is wrong with the wrong answer, if it breaks a rule."""
    diagnosis: Diagnosis | None = None
    """Why it failed; None for a success, and for an instance that fails as one before it did."""
    solvable: bool = True
    """False if the instance has no solution, so that a program without any answer passes."""

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def outcome(self) -> Outcome:
        """``success``, ``failure``, ``timeout`` or ``error``."""
        return WAYS[self.way][0]

    @property
    def passed(self) -> bool:
        """True for a success."""
        return not self.way

    @property
    def rule(self) -> str:
        """The rule it breaks, such as ``r1c1 and r1c2 both hold 5 (row 1)``, if any."""
        return self.fault.words if self.fault else ""


# --- points: what a verdict is worth ---

EACH = "instance"
"""The name of the points of each instance that has no points of its own."""
PARTS = tuple(way for way in WAYS if way not in ("", "stopped"))
"""The ways of failing, each of which may keep a part of the points."""


def checked_points(points: Any) -> dict[str, float]:
    """Return the points by name: of instances, of each other one, and the parts that are left.

    ValueError for a number that cannot be, TypeError for anything but a table of numbers.
    """
    if not isinstance(points, Mapping):
        raise TypeError(f"points must be a table of names and numbers, not {points!r}")
    for name, number in points.items():
        if isinstance(number, bool) or not isinstance(number, int | float):
            raise TypeError(f"points: {name} must be a number, not {number!r}")
        if name in PARTS and not 0 <= number <= 1:
            raise ValueError(f"points: {name} is {number:g}; expected a part from 0 to 1")
        if not 0 <= number < inf:
            raise ValueError(f"points: {name} is {number:g}; expected 0 or more")
    return dict(points)


def check_points(points: Mapping[str, float], instances: Iterable[str]) -> None:
    """ValueError if the points are those of an instance that is not there."""
    known = {*instances, EACH, *PARTS}
    for name in points:
        if name not in known:
            raise ValueError(
                f"points: there is no instance {name!r}; other names are {EACH} and"
                f" {', '.join(PARTS)}"
            )


def worth(verdict: Verdict, points: Mapping[str, float]) -> float:
    """Return the points of a success; none if the program is not to blame for the result."""
    own = points.get(verdict.instance) if verdict.instance not in (EACH, *PARTS) else None
    return (points.get(EACH, 1) if own is None else own) if verdict.graded else 0


def judge(name: str, run: Output, reference: Reference) -> Verdict:
    """Return the verdict on a run.

    If the limit stopped one side, its answers are incomplete: an answer that is not in the
    reference is then right if it obeys the rules, and no solution counts as missing.
    """
    extra = [answer for answer in run.answers if is_wrong(answer, reference)]
    lacking = reference.solutions.difference(
        answer.grid for answer in run.answers if not answer.fault
    )
    missing = lacking if run.exhausted else frozenset[Grid]()
    way = _way(run, extra, missing)
    wrong, fault = _worst(extra, reference.puzzle)
    said = [run.ending, run.repeats]
    if way == "timeout" and reference.complete and reference.solutions and not lacking:
        said.insert(1, "it found all solutions, but did not stop")
    if WAYS[way][0] == Outcome.FAILURE:
        limited = f"stopped after {len(run.answers)} answers, so missing ones are not counted"
        said = [_none(run, reference), run.ending or ("" if run.exhausted else limited)]
        said.append(run.repeats)
        if any(not each.fault and _obeys(each.grid, reference.puzzle) for each in extra):
            said.append(
                f"some of them violate no rule of sudoku, but {reference.source} lacks them:"
                " is it complete?"
            )
    if way:
        said += [*run.notes, run.message]
    return Verdict(
        name,
        way,
        round(run.seconds * 1000),
        len(run.answers),
        len(missing),
        len(extra),
        min(missing, key=lambda grid: grid.digits, default=None),
        wrong and wrong.grid,
        "\n".join(filter(None, said)),
        run.exhausted,
        puzzle=reference.puzzle,
        flawed=run.flawed,
        fault=fault,
        solvable=bool(reference.solutions),
    )


def _way(run: Output, extra: list[Answer], missing: frozenset[Grid]) -> Way:
    if extra:
        return "wrong"
    if missing:
        return "missing" if run.answers else "nothing"
    if run.stopped:
        return "error" if run.stopped == "error" else "timeout"
    return ""


def is_wrong(answer: Answer, reference: Reference) -> bool:
    """True if the answer is not a solution."""
    if answer.fault:
        return True
    if answer.grid in reference.solutions:
        return False
    return reference.complete or not _obeys(answer.grid, reference.puzzle)


def _obeys(grid: Grid, puzzle: Grid | Puzzle) -> bool:
    """True for a solution; an engine checks a rule that Python cannot."""
    try:
        return grid.is_solution_of(puzzle)
    except InvalidPuzzle:
        return api.solve(puzzle.with_(*grid.givens)) is not None


def _worst(extra: list[Answer], puzzle: Grid | Puzzle) -> tuple[Answer | None, Fault | None]:
    """Return the first answer that breaks a rule, and the rule; else the first answer."""
    for answer in extra:
        if fault := violated_rule(answer, puzzle):
            return answer, fault
    return extra[0] if extra else None, None


def _none(run: Output, reference: Reference) -> str:
    if run.answers or not run.exhausted:
        return ""
    least = "" if reference.complete else "at least "
    solutions = counted(len(reference.solutions), "solution")
    kinds = sorted({rule.kind for rule in everything(reference.puzzle.layout.rules)})
    rules = f"; it has the rules {', '.join(kinds)}: does the program know them?" if kinds else ""
    return f"the program has no answer, but the puzzle has {least}{solutions}{rules}"


def violated_rule(answer: Answer, puzzle: Grid | Puzzle) -> Fault | None:
    """Return the first rule that the answer breaks; None if it is a solution."""
    if answer.fault:
        return answer.fault
    for cell, given, found in zip(puzzle.cells, puzzle.digits, answer.grid.digits, strict=True):
        if given not in (0, found):
            words = f"{cell} holds {found}, but {given} is given there"
            return Fault(words, "a given is not kept")
    filled = replace(puzzle, grid=answer.grid) if isinstance(puzzle, Puzzle) else answer.grid
    for duplicate in filled.duplicates():
        kind = next(each.kind for each in puzzle.houses if str(each) == duplicate.houses[0])
        kind = "box" if kind == "region" else kind
        return Fault(str(duplicate), f"a digit is twice in a {kind}", duplicate)
    for cell, digit in ((each.cell, each.digit) for each in puzzle.excluded):
        if answer.grid[cell] == digit:
            words = f"{cell} holds {digit}, but its mark excludes {digit}"
            return Fault(words, "a mark is ignored")
    if isinstance(filled, Puzzle):
        for rule in broken_rules(filled):
            return Fault(f"{rule} is violated", f"{rule.title} is violated")
    return None


# --- the reference: the solutions, from a file that clingo wrote or from our engines -------

_ATOM = re.compile(r"^\s*(\w+)\(\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*\)\s*$", re.ASCII | re.M)
_Placements = list[tuple[int, int, int]]


class Reference(NamedTuple):
    """The solutions of an instance."""

    puzzle: Grid | Puzzle
    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them."""
    source: str
    """A file, or the engines."""


def check_folder(folder: Path) -> None:
    """InvalidPuzzle if the folder has no reference solutions at all."""
    if not any(folder.glob("*.json")):
        raise InvalidPuzzle(
            f"{folder}: there are no solutions; expected files *.json in this folder"
        )


def solve_reference(
    puzzle: Grid | Puzzle, who: Sequence[str], limit: int, seconds: float | None
) -> Reference:
    """Return what these engines find; Disagreement if they differ, SolveTimeout if none ends."""
    most = limit + 1 if limit else None
    comparison = compare(puzzle, who, most, seconds)
    comparison.check()
    if not comparison.finished:
        raise SolveTimeout(who[0], seconds or 0.0)
    by = " and ".join(comparison.finished)
    if comparison.timed_out:
        by = f"{by}, confirmed by {' and '.join(comparison.timed_out)}"
    found = sorted(comparison.solutions, key=lambda grid: grid.digits)
    complete = not limit or len(found) <= limit
    solutions = frozenset(islice(found, limit or None))
    return Reference(puzzle, solutions, complete, by)


def read_reference(instance: Instance, vocabulary: Vocabulary, file: Path, limit: int) -> Reference:
    """Return what ``clingo --outf=2`` wrote; InvalidPuzzle, with the file's name, for all else."""
    try:
        output = load_json(file.read_bytes().decode("utf-8-sig"))
        answers, complete = _answers_in(output, {vocabulary.solution, "sudoku"}, limit)
    except FileNotFoundError:
        raise InvalidPuzzle(f"{file}: there is no such file") from None
    except (OSError, ValueError) as error:
        raise InvalidPuzzle(f"{file}: {error}") from None
    puzzle = instance.puzzle(vocabulary)
    solutions = set()
    for number, placements in enumerate(answers, 1):
        answer = read_answer(placements, puzzle)
        broken = violated_rule(answer, puzzle)
        if broken:
            raise InvalidPuzzle(
                f"{file}: witness {number} is not a solution of {instance.path.name}: {broken}"
            )
        solutions.add(answer.grid)
    return Reference(puzzle, frozenset(solutions), complete, str(file))


def _answers_in(output: Any, atoms: set[str], limit: int) -> tuple[list[_Placements], bool]:
    """Return the placements of every witness, and whether these are all answer sets."""
    result = output.get("Result") if isinstance(output, dict) else None
    if result == "UNSATISFIABLE":
        return [], True
    if result != "SATISFIABLE":
        raise InvalidPuzzle(
            'expected what clingo --outf=2 writes, with "Result" "SATISFIABLE" or'
            f' "UNSATISFIABLE", not {result!r}'
        )
    answers = [
        [
            (int(x), int(y), int(digit))
            for name, x, y, digit in _ATOM.findall("\n".join(value))
            if name in atoms
        ]
        for value in witnesses(output)
    ]
    if not answers:
        raise InvalidPuzzle('it is satisfiable, but "Witnesses" is empty')
    models = output.get("Models")
    more = models.get("More") if isinstance(models, dict) else None
    return answers, more == "no" if more else len(answers) != limit
