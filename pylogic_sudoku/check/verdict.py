"""Verdicts: the answers of a program to one instance, judged by its solutions.

`judge` makes a `Verdict` of an output and a `Reference`, which a `Task` of `tasks` has.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass
from enum import StrEnum
from math import inf
from pathlib import Path
from typing import Any, ClassVar, Generic, Literal

from ..errors import InvalidPuzzle, Message, counted
from ..question import Question
from .diagnosis import Diagnosis
from .programs import Attempt, Fault, Output, Q, V


class Outcome(StrEnum):
    """The outcome of a program on an instance."""

    SUCCESS = "success"
    FAILURE = "failure"
    TIMEOUT = "timeout"
    ERROR = "error"
    UNGRADED = "not graded"


Way = Literal["", "wrong", "nothing", "missing", "timeout", "error", "ungraded", "stopped"]
"""A way of failing; empty for a success.

It is ``ungraded`` if the instance or its reference is at fault, not the program, and ``stopped`` if
the grading was stopped before.
"""
REFERENCE_TIMEOUT = 60.0
"""Minimum seconds for our own engines on an instance, however short the program's limit."""
NOT_RUN = "not run"
WAYS: dict[Way, tuple[Outcome, str]] = {
    "": (Outcome.SUCCESS, "a success"),
    "wrong": (Outcome.FAILURE, "an answer is wrong"),
    "nothing": (Outcome.FAILURE, "there is no answer, but there are solutions"),
    "missing": (Outcome.FAILURE, "solutions are missing"),
    "timeout": (Outcome.TIMEOUT, "out of time"),
    "error": (Outcome.ERROR, "an error"),
    "ungraded": (Outcome.UNGRADED, "not graded"),
    "stopped": (Outcome.ERROR, NOT_RUN),
}
"""The outcome of each, and it in a few words."""
AT_FAULT = "not run: the program itself is at fault, as said before"


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a program on one instance."""

    instance: str
    way: Way
    """The kind of failure; empty for a success."""
    milliseconds: int
    """From the start of its process to its end, with grounding or loading."""
    answers: int = 0
    """Different answers that were compared."""
    missing: int = 0
    """Reference solutions that are not among its answers; 0 unless it is `exhausted`."""
    extra: int = 0
    """Answers that are not solutions; there may be more unless it is `exhausted`."""
    missing_answer: Any = None
    """One that is missing: of a sudoku a `Grid`, of any other problem an `Answer`."""
    extra_answer: Any = None
    """A wrong one; a grid is empty where the program filled in nothing."""
    message: str = ""
    """Errors, warnings, and why the run was stopped."""
    error: str = ""
    """The first error on one line, without its place; empty where an earlier verdict has it."""
    errors: tuple[Message, ...] = ()
    """The errors that the engine has named, with their places."""
    warnings: tuple[Message, ...] = ()
    """Oddities that the engine has found in the program, even if it passes."""
    exhausted: bool = False
    """True if the program has ended and has no other answers."""
    question: Question | None = None
    """The instance itself, if it could be read: a `Grid`, a `Puzzle` or an `Instance`."""
    at_fault: bool = False
    """True if the program itself is at fault, so that it can be tried on no instance."""
    fault: Fault | None = None
    """The fault of the wrong answer, if it breaks a rule."""
    diagnosis: Diagnosis | None = None
    """Why it failed; None for a success, and for an instance that fails as one before it did."""
    warning: str = ""
    """A doubt about the reference, for the teacher."""
    solvable: bool = True
    """False if the instance has no solution, so that a program without any answer passes."""

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def outcome(self) -> Outcome:
        """``success``, ``failure``, ``timeout``, ``error`` or ``not graded``."""
        return WAYS[self.way][0]

    @property
    def graded(self) -> bool:
        """False if the instance or its reference is at fault, not the program."""
        return self.way != "ungraded"

    @property
    def passed(self) -> bool:
        """True for a success."""
        return not self.way

    @property
    def has_atoms(self) -> bool:
        """True if answers are sets of atoms, as they are unless it is about a sudoku."""
        return self.question is None or self.question.has_atoms

    @property
    def missing_grid(self) -> Any:
        """`missing_answer` of a sudoku; None of any other problem."""
        return None if self.has_atoms else self.missing_answer

    @property
    def extra_grid(self) -> Any:
        """`extra_answer` of a sudoku; None of any other problem."""
        return None if self.has_atoms else self.extra_answer

    @property
    def puzzle(self) -> Any:
        """`question` of a sudoku; None of any other problem."""
        return None if self.has_atoms else self.question

    @property
    def facts(self) -> str:
        """`question` of any other problem than sudoku: its facts, on one line."""
        return str(self.question) if self.question is not None and self.has_atoms else ""

    @property
    def flawed(self) -> bool:
        """The same as `at_fault`."""
        return self.at_fault

    @property
    def rule(self) -> str:
        """The rule it breaks, such as ``r1c1 and r1c2 both hold 5 (row 1)``, if any."""
        return self.fault.words if self.fault else ""


# --- points: what a verdict is worth ---

EACH = "instance"
"""The name of the points of each instance that has no points of its own."""
PARTS = tuple(way for way in WAYS if way not in ("", "ungraded", "stopped"))
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


def judge(
    name: str, run: Output[V], reference: Reference[Any, V], seconds: float = REFERENCE_TIMEOUT
) -> Verdict:
    """Return the verdict on a run; the reference may take this time to judge its answers.

    If the limit stopped one side, its answers are incomplete: an answer that is not in the
    reference is then right if it obeys the rules, and no solution counts as missing. If that cannot
    be found out, and nothing else is wrong, the run is not graded.
    """
    open_values = [each.value for each in run.answers if reference.is_open(each)]
    refuted, doubt = reference.refuted(open_values, seconds) if open_values else (set(), "")
    extra = [each for each in run.answers if reference.is_wrong(each) or each.value in refuted]
    lacking = reference.lacking({each.value for each in run.answers if not each.fault})
    missing = lacking if run.exhausted else frozenset[V]()
    way = _way(run, extra, missing)
    if not way and doubt:
        took, words = round(run.seconds * 1000), f"not graded: {doubt}"
        return Verdict(name, "ungraded", took, len(run.answers), message=words)
    wrong, fault = reference.worst(extra) if extra else (None, None)
    remarks = [run.ending, *run.remarks, run.repeats]
    if way == "timeout" and reference.complete and reference.solutions and not lacking:
        remarks.insert(1, "it found all solutions, but did not stop")
    if WAYS[way][0] == Outcome.FAILURE:
        limited = f"stopped after {len(run.answers)} answers, so missing ones are not counted"
        remarks = [_none(run, reference), run.ending or ("" if run.exhausted else limited)]
        remarks += [*run.remarks, run.repeats]
        remarks.append(reference.doubt(extra))
    if way:
        remarks += [*run.notes, run.message]
    return Verdict(
        name,
        way,
        round(run.seconds * 1000),
        len(run.answers),
        len(missing),
        len(extra),
        message="\n".join(filter(None, remarks)),
        error=_first_error(run) if way == "error" else "",
        errors=tuple(run.messages),
        warnings=tuple(dict.fromkeys(run.warnings)),
        exhausted=run.exhausted,
        missing_answer=reference.first(missing),
        extra_answer=wrong.value if wrong else None,
        question=reference.asked,
        at_fault=run.flawed,
        fault=fault,
        warning=reference.warning,
        solvable=bool(reference.solutions),
    )


def _way(run: Output[V], extra: list[Attempt[V]], missing: frozenset[V]) -> Way:
    if extra:
        return "wrong"
    if missing:
        return "missing" if run.answers else "nothing"
    if run.stopped:
        return "error" if run.stopped == "error" else "timeout"
    return ""


def _first_error(run: Output[V]) -> str:
    placed = next((each.text for each in run.messages if each.file), "")
    texts = (run.ending, run.repeats, *run.notes, placed, run.message, WAYS["error"][1])
    return first_line(next(filter(None, texts)))


def first_line(text: str) -> str:
    """The first line of a text; empty if it has none."""
    return next(iter(text.splitlines()), "")


def _none(run: Output[V], reference: Reference[Any, V]) -> str:
    if run.answers or not run.exhausted:
        return ""
    return (
        f"the program has no answer, but the {reference.instance} has {reference.number}"
        f"{reference.advice}"
    )


# --- the reference: the right answers, from a file that clingo wrote or from our engines -------


@dataclass(frozen=True)
class Reference(ABC, Generic[Q, V]):
    """The right answers to a question; that of an instance."""

    question: Q
    solutions: frozenset[V]
    complete: bool
    """True if these are all of them."""
    source: str
    """A file, or the engines."""
    warning: str = ""
    """A doubt about it, for the teacher."""

    instance: ClassVar[str] = "instance"
    """The word for what is asked about, and the one for a right answer."""
    answer: ClassVar[str] = "answer"

    @property
    def number(self) -> str:
        """The number of right answers, in words."""
        least = "" if self.complete else "at least "
        return f"{least}{counted(len(self.solutions), self.answer)}"

    def is_wrong(self, answer: Attempt[V]) -> bool:
        """True if the answer is known to be wrong. This asks no engine."""
        return bool(answer.fault) or (self.complete and answer.value not in self.solutions)

    def is_open(self, answer: Attempt[V]) -> bool:
        """True if it must be found out whether the answer is right."""
        return not self.is_wrong(answer) and answer.value not in self.solutions

    def lacking(self, values: Set[V]) -> frozenset[V]:
        """Return the right answers that a program with these answers has not found."""
        return self.solutions - values

    @abstractmethod
    def refuted(self, values: Sequence[V], seconds: float) -> tuple[set[V], str]:
        """Return those of the open answers that are wrong, and why some could not be judged."""

    def beside(self, passed: Sequence[Q]) -> Reference[Q, V]:
        """Return this for a question that tells, too, which others the program has passed."""
        return self

    @abstractmethod
    def worst(self, extra: Sequence[Attempt[V]]) -> tuple[Attempt[V], Fault | None]:
        """Return the wrong answer that shows best what is wrong, and that, if it is known."""

    @abstractmethod
    def first(self, values: Iterable[V]) -> V | None:
        """Return the first of some answers, in an order that does not change."""

    @property
    @abstractmethod
    def asked(self) -> Question:
        """The question as users know it."""

    def doubt(self, extra: Sequence[Attempt[V]]) -> str:
        """Return a remark if the reference may be at fault; empty if not."""
        return ""

    @property
    def advice(self) -> str:
        """A remark to a program without any answer; empty if there is none."""
        return ""


def check_folder(folder: Path) -> None:
    """InvalidPuzzle if the folder has no reference solutions at all."""
    if not any(folder.glob("*.json")):
        raise InvalidPuzzle(
            f"{folder}: there are no solutions; expected files *.json in this folder"
        )
