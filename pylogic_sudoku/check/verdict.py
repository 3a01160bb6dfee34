"""A verdict: what a program answers, held against what is right."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from ..grid import Grid
from .answers import Answer, broken_rule
from .programs import Run
from .reference import Reference

__all__ = ["Outcome", "Verdict", "judge"]

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
    """Reference solutions that are none of its answers."""
    extra: int = 0
    """Answers that are no solutions."""
    missing_grid: Grid | None = None
    """One that is missing."""
    extra_grid: Grid | None = None
    """One that is wrong; empty where the program filled in nothing."""
    rule: str = ""
    """The rule that it breaks, such as ``r1c1 and r1c2 both hold 5 (row 1)``, if it breaks one."""
    message: str = ""
    """What else is to say: errors, warnings, and why the run was stopped."""

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.outcome == "success"


def judge(name: str, run: Run, reference: Reference) -> Verdict:
    """The verdict on a run.

    Where one side was stopped at the limit, its answers are not all: then an answer that the
    reference lacks is right if it is a solution by the rules, and none counts as missing.
    """
    milliseconds = round(run.seconds * 1000)
    number = len(run.answers)
    if run.stopped:
        return Verdict(name, run.stopped, milliseconds, number, message=run.message)
    grids = {answer.grid for answer in run.answers if not answer.fault}
    extra = [answer for answer in run.answers if not _right(answer, reference)]
    missing = reference.solutions - grids if run.exhausted else frozenset()
    if not extra and not missing:
        return Verdict(name, "success", milliseconds, number, message=_repeats(run))
    wrong = min(extra, key=lambda answer: (answer.grid.cells, answer.fault), default=None)
    return Verdict(
        name,
        "failure",
        milliseconds,
        number,
        len(missing),
        len(extra),
        _first(missing),
        wrong and wrong.grid,
        broken_rule(wrong, reference.puzzle) if wrong else "",
        "\n".join(part for part in (_cut_off(run), _repeats(run), run.message) if part),
    )


def _right(answer: Answer, reference: Reference) -> bool:
    if answer.fault:
        return False
    if answer.grid in reference.solutions:
        return True
    return not reference.complete and answer.grid.is_solution_of(reference.puzzle)


def _first(grids: Iterable[Grid]) -> Grid | None:
    """The same one at each run."""
    return min(grids, key=lambda grid: grid.cells, default=None)


def _cut_off(run: Run) -> str:
    if run.exhausted:
        return ""
    return f"stopped after {len(run.answers)} answers, so that missing ones are not counted"


def _repeats(run: Run) -> str:
    if run.found <= len(run.answers):
        return ""
    return f"{run.found} answers, but only {len(run.answers)} different ones"
