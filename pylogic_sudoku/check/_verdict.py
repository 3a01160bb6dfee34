"""What a run of a program is worth: a verdict, by comparing its answers with the reference."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .. import _api as api
from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Puzzle
from ..rules._rule import everything
from ._alike import alike
from ._answers import Answer, broken_rule
from ._instances import Reference
from ._programs import Run

__all__ = ["Outcome", "Verdict", "Way", "is_wrong", "judge"]

Outcome = Literal["success", "failure", "timeout", "error"]
Way = Literal["", "wrong", "nothing", "missing", "symmetric", "timeout", "error", "stopped"]
"""A way of failing: an answer is wrong; there is no answer, though there are solutions; solutions
are missing; all that is missing is symmetric to answers; out of time; an error; or the program was
not run, because the grading was stopped."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of a program on one instance."""

    instance: str
    outcome: Outcome
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
    rule: str = ""
    """The rule it breaks, such as ``r1c1 and r1c2 both hold 5 (row 1)``, if any."""
    message: str = ""
    """Errors, warnings, and why the run was stopped."""
    exhausted: bool = False
    """True if the program has ended and has no other answers."""
    graded: bool = True
    """False if the instance or its reference is at fault, not the program."""
    way: Way = ""
    """How it failed; empty for a success."""
    cut: bool = False
    """True if the clock stopped the run, so that another run may get further."""
    puzzle: Grid | Puzzle | None = None
    """The puzzle of the instance, if it could be read."""
    flawed: bool = False
    """True if the program cannot run on any instance; then the message is about the program."""

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.outcome == "success"


def judge(name: str, run: Run, reference: Reference) -> Verdict:
    """Return the verdict on a run.

    If the limit stopped one side, its answers are incomplete: an answer that is not in the
    reference is then right if it obeys the rules, and no solution counts as missing.
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
    parts = [run.ending, run.repeats]
    if outcome == "timeout" and reference.complete and reference.solutions and not lacking:
        parts.insert(1, "it found all solutions, but did not stop")
    if outcome == "failure":
        parts = [_none(run, reference), _cut_off(run), run.repeats, _incomplete(extra, reference)]
    if outcome != "success":
        parts += [run.notes, run.message]
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
        "\n".join(filter(None, parts)),
        run.exhausted,
        way=_way(outcome, run, reference, extra, missing),
        cut=run.stopped in ("decided", "timeout"),
        puzzle=reference.puzzle,
        flawed=run.flawed,
    )


def _way(
    outcome: Outcome, run: Run, reference: Reference, extra: list[Answer], missing: frozenset[Grid]
) -> Way:
    if outcome == "success":
        return ""
    if outcome == "error" or outcome == "timeout":
        return outcome
    if extra:
        return "wrong"
    found = [answer.grid for answer in run.answers]
    if not found:
        return "nothing"
    return "symmetric" if alike(missing, found, reference.puzzle) else "missing"


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


def _worst(extra: list[Answer], puzzle: Grid | Puzzle) -> tuple[Answer | None, str]:
    """Return the first answer that breaks a rule, and the rule; else the first answer."""
    broken = ((answer, broken_rule(answer, puzzle)) for answer in extra)
    first = (extra[0], "") if extra else (None, "")
    return next((pair for pair in broken if pair[1]), first)


def _none(run: Run, reference: Reference) -> str:
    if run.answers or not run.exhausted:
        return ""
    number = len(reference.solutions)
    least = "" if reference.complete else "at least "
    solutions = "1 solution" if number == 1 else f"{number} solutions"
    kinds = sorted({rule.kind for rule in everything(reference.puzzle.layout.rules)})
    rules = f"; it has the rules {', '.join(kinds)}: does the program know them?" if kinds else ""
    return f"the program has no answer, but the puzzle has {least}{solutions}{rules}"


def _cut_off(run: Run) -> str:
    if run.exhausted or run.ending:
        return run.ending
    return f"stopped after {len(run.answers)} answers, so missing ones are not counted"


def _incomplete(extra: list[Answer], reference: Reference) -> str:
    number = sum(not each.fault and _obeys(each.grid, reference.puzzle) for each in extra)
    if not number:
        return ""
    return (
        f"{number} of them break no rule of sudoku, but {reference.source} lacks them:"
        " is it complete?"
    )
