"""What a run of a program is worth: a verdict on its answers, and points for the verdict."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from .. import _api as api
from ..errors import InvalidPuzzle, counted
from ..grid import Grid
from ..puzzle import Puzzle
from ..rules._rule import everything
from ._answers import Answer, Fault, Reference, alike, broken_rule
from ._process import is_number, named_numbers
from ._programs import Run

__all__ = ["AT_FAULT", "PARTS", "Outcome", "Points", "Verdict", "Way", "is_wrong", "judge"]

Outcome = Literal["success", "failure", "timeout", "error"]
Way = Literal["", "wrong", "nothing", "missing", "symmetric", "timeout", "error", "stopped"]
"""A way of failing: an answer is wrong; there is no answer, though there are solutions; solutions
are missing; all that is missing is symmetric to answers; out of time; an error; or the program was
not run, because the grading was stopped."""
PARTS: tuple[Way, ...] = ("wrong", "nothing", "missing", "symmetric", "timeout", "error")
"""The ways of failing, each of which may keep a part of the points."""
AT_FAULT = "not run: the program itself is at fault, see {}"
"""The message of a verdict that refers to another one; see `Verdict.see`."""


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
    fault: Fault | None = None
    """What is wrong with the wrong answer: the `rule` with its parts."""
    steady: str = ""
    """The message without what the clock decides, if it was `cut`."""
    see: str = ""
    """The instance whose verdict says why the program was not run on this one."""

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
    extra = [answer for answer in run.answers if is_wrong(answer, reference)]
    lacking = reference.solutions.difference(
        answer.grid for answer in run.answers if not answer.fault
    )
    missing = lacking if run.exhausted else frozenset[Grid]()
    way = _way(run, reference, extra, missing)
    outcome: Outcome = "failure"
    if way in ("", "timeout", "error"):
        outcome = way or "success"
    wrong, fault = _worst(extra, reference.puzzle)
    cut = run.stopped in ("decided", "timeout")
    all_found = reference.complete and bool(reference.solutions) and not lacking
    obedient = sum(not each.fault and _obeys(each.grid, reference.puzzle) for each in extra)

    def message(counted: bool) -> str:
        """What there is to say; unless `counted`, without what depends on the clock."""
        ending = run.ending if counted else run.steady
        repeats = run.repeats
        if repeats and not counted:
            repeats = f"answers come again: {run.again}"
        parts = [ending, repeats]
        if outcome == "timeout" and all_found:
            parts.insert(1, "it found all solutions, but did not stop")
        if outcome == "failure":
            incomplete = _incomplete(f"{obedient}" if counted else "some", reference)
            ending = ending or _cut_off(run)
            parts = [_none(run, reference), ending, repeats, incomplete if obedient else ""]
        if outcome != "success":
            parts += [run.notes, run.message]
        return "\n".join(filter(None, parts))

    return Verdict(
        name,
        outcome,
        round(run.seconds * 1000),
        len(run.answers),
        len(missing),
        len(extra),
        min(missing, key=lambda grid: grid.digits, default=None),
        wrong and wrong.grid,
        fault.words if fault else "",
        message(counted=True),
        run.exhausted,
        way=way,
        cut=cut,
        puzzle=reference.puzzle,
        flawed=run.flawed,
        fault=fault,
        steady=message(counted=False) if cut else "",
    )


def _way(run: Run, reference: Reference, extra: list[Answer], missing: frozenset[Grid]) -> Way:
    if extra:
        return "wrong"
    if missing:
        found = [answer.grid for answer in run.answers]
        if not found:
            return "nothing"
        return "symmetric" if alike(missing, found, reference.puzzle) else "missing"
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
        if fault := broken_rule(answer, puzzle):
            return answer, fault
    return extra[0] if extra else None, None


def _none(run: Run, reference: Reference) -> str:
    if run.answers or not run.exhausted:
        return ""
    least = "" if reference.complete else "at least "
    solutions = counted(len(reference.solutions), "solution")
    kinds = sorted({rule.kind for rule in everything(reference.puzzle.layout.rules)})
    rules = f"; it has the rules {', '.join(kinds)}: does the program know them?" if kinds else ""
    return f"the program has no answer, but the puzzle has {least}{solutions}{rules}"


def _cut_off(run: Run) -> str:
    if run.exhausted:
        return ""
    return f"stopped after {len(run.answers)} answers, so missing ones are not counted"


def _incomplete(number: str, reference: Reference) -> str:
    return (
        f"{number} of them break no rule of sudoku, but {reference.source} lacks them:"
        " is it complete?"
    )


@dataclass(frozen=True, slots=True)
class Points:
    """What instances are worth, and the part of it, from 0 to 1, for each way of failing.

    ValueError for a number that cannot be.
    """

    instance: float = 1
    """For an instance that is not in `instances`."""
    wrong: float = 0
    """An answer is wrong."""
    nothing: float = 0
    """There is no answer, though there are solutions."""
    missing: float = 0
    """Some solutions are missing."""
    symmetric: float = 0
    """The missing solutions are answers in another guise: turned, or with other digits."""
    timeout: float = 0
    error: float = 0
    instances: Mapping[str, float] = field(default_factory=dict)
    """Other points for some instances, by name."""
    hidden: frozenset[str] = frozenset()
    """Instances that a student sees as a number only."""

    def __post_init__(self) -> None:
        for way in PARTS:
            part = getattr(self, way)
            if not is_number(part) or not 0 <= part <= 1:
                raise ValueError(f"{way} = {part!r}: expected a part from 0 to 1, such as 0.5")
        for name, worth in {"instance": self.instance, **self.instances}.items():
            if not is_number(worth) or worth < 0:
                raise ValueError(f"{name} = {worth!r}: expected points, 0 or more")

    def with_(self, texts: Iterable[str]) -> Points:
        """Return points with changes such as ``missing=0.5``, ``instance=10`` or ``ex003=20``.

        ValueError for a text of another form.
        """
        changes = named_numbers(texts, "points", "missing=0.5")
        own: dict[str, Any] = {
            name: changes.pop(name) for name in ("instance", *PARTS) if name in changes
        }
        return replace(self, **own, instances={**self.instances, **changes})

    def check_names(self, names: Iterable[str]) -> None:
        """ValueError, which lists the names there are, if points name another instance."""
        known = list(names)
        for name in (*self.instances, *sorted(self.hidden)):
            if name not in known:
                raise ValueError(
                    f"there is no instance {name!r}; the names are {', '.join(known[:10])}"
                    + ("..." if len(known) > 10 else "")
                )

    def worth(self, verdict: Verdict) -> float:
        """Return the points that can be earned; 0 if the instance itself is at fault."""
        if not verdict.graded:
            return 0
        return self.instances.get(verdict.instance, self.instance)

    def earned(self, verdict: Verdict) -> float:
        """Return the points for this verdict."""
        part = {"": 1, "stopped": 0}.get(verdict.way)
        if part is None:
            part = getattr(self, verdict.way)
        return round(self.worth(verdict) * part, 4)
