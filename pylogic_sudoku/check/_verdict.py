"""A verdict: what a program answers, compared with what is right."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ..grid import Grid
from ._answers import Answer, broken_rule
from ._programs import Run
from ._reference import Reference

__all__ = ["Outcome", "Verdict", "is_wrong", "judge"]

Outcome = Literal["success", "failure", "timeout", "error"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """How a program did on one instance."""

    instance: str
    outcome: Outcome
    milliseconds: int
    """From the start of its process to its end, grounding or loading included."""
    answers: int = 0
    """Different answers that were looked at."""
    missing: int = 0
    """Reference solutions that are none of its answers; 0 if it is not `exhausted`."""
    extra: int = 0
    """Answers that are not solutions; there may be more unless it is `exhausted`."""
    missing_grid: Grid | None = None
    """One that is missing."""
    extra_grid: Grid | None = None
    """One that is wrong; empty where the program filled in nothing."""
    rule: str = ""
    """The rule that it breaks, such as ``r1c1 and r1c2 both hold 5 (row 1)``, if it breaks one."""
    message: str = ""
    """Errors, warnings, and why the run was stopped."""
    exhausted: bool = False
    """True if the program has ended and has no other answers."""
    graded: bool = True
    """False if the instance or its reference is at fault, and not the program."""

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.outcome == "success"


def judge(name: str, run: Run, reference: Reference) -> Verdict:
    """The verdict on a run.

    If one side was stopped at the limit, its answers are not all: then an answer that the
    reference lacks is right if it is a solution by the rules, and none counts as missing.
    """
    milliseconds = round(run.seconds * 1000)
    number = len(run.answers)
    extra = [answer for answer in run.answers if is_wrong(answer, reference)]
    lacking = reference.solutions.difference(
        answer.grid for answer in run.answers if not answer.fault
    )
    missing = lacking if run.exhausted else frozenset[Grid]()
    outcome: Outcome = "success"
    if extra or missing:
        outcome = "failure"
    elif run.stopped:
        outcome = "error" if run.stopped == "error" else "timeout"
    wrong, rule = _worst(extra, reference.puzzle)
    said = [run.ending, run.repeats]
    if outcome == "timeout" and reference.complete and reference.solutions and not lacking:
        said.insert(1, "these are all the solutions, but the program did not stop")
    if outcome == "failure":
        said = [_none(run, reference), _cut_off(run), run.repeats, _incomplete(extra, reference)]
    if outcome != "success":
        said += [run.notes, run.message]
    return Verdict(
        name,
        outcome,
        milliseconds,
        number,
        len(missing),
        len(extra),
        min(missing, key=lambda grid: grid.digits, default=None),
        wrong and wrong.grid,
        rule,
        "\n".join(filter(None, said)),
        run.exhausted,
    )


def is_wrong(answer: Answer, reference: Reference) -> bool:
    """True if the answer is not one of the right ones."""
    if answer.fault:
        return True
    if answer.grid in reference.solutions:
        return False
    return reference.complete or not answer.grid.is_solution_of(reference.puzzle)


def _worst(extra: list[Answer], puzzle: Grid) -> tuple[Answer | None, str]:
    """The first answer that breaks a rule, and the rule; else the first, and nothing."""
    broken = ((answer, broken_rule(answer, puzzle)) for answer in extra)
    first = (extra[0], "") if extra else (None, "")
    return next((pair for pair in broken if pair[1]), first)


def _none(run: Run, reference: Reference) -> str:
    if run.answers or not run.exhausted:
        return ""
    number = len(reference.solutions)
    least = "" if reference.complete else "at least "
    solutions = "1 solution" if number == 1 else f"{number} solutions"
    return f"the program has no answer, though the puzzle has {least}{solutions}"


def _cut_off(run: Run) -> str:
    if run.exhausted or run.ending:
        return run.ending
    return f"stopped after {len(run.answers)} answers, so that missing ones are not counted"


def _incomplete(extra: list[Answer], reference: Reference) -> str:
    number = sum(answer.grid.is_solution_of(reference.puzzle) for answer in extra)
    if not number:
        return ""
    return (
        f"{number} of them break no rule of sudoku, but {reference.source} does not have them:"
        " is it complete?"
    )
