"""A program graded on a folder of instances: a verdict for each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from .. import _api as api
from .._api import at_most
from ..engines import get
from ..engines.budget import seconds
from ..errors import BackendUnavailable, InvalidPuzzle, SudokuError
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ..rules._rule import everything
from ._answers import Answer, broken_rule
from ._instances import (
    Instance,
    Reference,
    Vocabulary,
    check_folder,
    engines,
    find_instances,
    from_engines,
    from_file,
    vocabulary_of,
)
from ._programs import AspProgram, Limits, Program, PrologProgram, Run, checked_constants

__all__ = ["Outcome", "Verdict", "grade"]

PROLOG_FILES = (".pl", ".pro", ".prolog")

Outcome = Literal["success", "failure", "timeout", "error"]


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

    def __repr__(self) -> str:
        wrong = f", missing {self.missing}, extra {self.extra}" if self.missing + self.extra else ""
        return f"<Verdict {self.instance}: {self.outcome}{wrong}, {self.milliseconds} ms>"

    @property
    def passed(self) -> bool:
        """True for a success."""
        return self.outcome == "success"


def grade(
    program: str | Path,
    instances: str | Path,
    reference: str | Path | None = None,
    *,
    against: str = "clingo",
    limit: int = 925,
    timeout: float = 100,
    memory: int = 2048,
    predicate: str = "sudoku",
    vocabulary: str | Vocabulary = "initial",
    constants: Sequence[str] = (),
    allow_scripts: bool = False,
    format: str | None = None,
    box: Box | None = None,
) -> Iterator[Verdict]:
    """Yield a verdict on the program for each instance, as soon as it is known.

    `program` is a file for clingo, or for SWI-Prolog if its name ends in ``.pl``, ``.pro`` or
    ``.prolog``. `instances` is a folder of ``*.lp`` files with givens as facts, or one file of
    puzzles in any known format; `format` and `box` are as for `Grid.parse`. `reference` is a folder
    with the output of ``clingo --outf=2`` for each instance, under the same name with ``.json``.
    Without it, an engine solves the instances: `against` is its name, or ``"all"`` for all engines,
    which must agree. `limit` is the number of different answers that are compared, 0 for all.
    `timeout` is in seconds for each instance, `memory` in megabytes. `vocabulary` is for the atoms
    of an ASP program, `predicate` is the predicate of a Prolog program. `constants` are for clingo,
    each ``name=value``.

    Raises ValueError for a mistake in the arguments, InvalidPuzzle if a file or folder cannot be
    used, BackendUnavailable if an engine is missing; an error in one instance becomes its verdict.
    Each run has a process of its own, but this is not a sandbox: a Prolog program, or an ASP
    program with `allow_scripts`, has all rights of its user.
    """
    limit = at_most(limit) or 0
    seconds(timeout)
    if memory <= 0:
        raise ValueError(f"memory must be over 0 megabytes, not {memory}")
    if reference is not None and against != "clingo":
        raise ValueError("expected a folder of solutions or an engine, not both")
    path = Path(program)
    words = vocabulary_of(vocabulary) if isinstance(vocabulary, str) else vocabulary
    made: Program
    if path.suffix.lower() in PROLOG_FILES:
        if constants or allow_scripts:
            raise ValueError(f"{path} is a Prolog program; constants and scripts are for clingo")
        made = PrologProgram(path, words, _checked_predicate(predicate))
    else:
        if predicate != "sudoku":
            raise ValueError(f"{path} is an ASP program; a predicate is for Prolog programs (*.pl)")
        made = AspProgram(path, words, checked_constants(constants), allow_scripts)
    made.check()
    folder = None if reference is None else Path(reference)
    if folder:
        check_folder(folder)
    else:
        for name in engines(against):
            get(name).version()
    found = find_instances(Path(instances), words, format, box)
    return _verdicts(made, found, folder, against, limit, Limits(timeout, memory))


def _checked_predicate(name: str) -> str:
    if not re.fullmatch(r"[a-z]\w*", name):
        raise ValueError(f"{name!r} is not a name of a predicate; expected a name such as sudoku")
    return name


def _verdicts(
    program: Program,
    instances: Iterator[Instance],
    folder: Path | None,
    against: str,
    limit: int,
    limits: Limits,
) -> Iterator[Verdict]:
    flawed = ""
    for instance in instances:
        if flawed:
            message = f"not run: the program itself is at fault, see {flawed}"
            yield Verdict(instance.name, "error", 0, message=message)
            continue
        try:
            if folder is None:
                right = from_engines(instance, program.vocabulary, against, limit, limits.seconds)
            else:
                file = folder / f"{instance.name}.json"
                right = from_file(instance, program.vocabulary, file, limit)
        except BackendUnavailable:
            raise
        except SudokuError as error:
            message = f"not graded: {error}"
            yield Verdict(instance.name, "error", 0, message=message, graded=False)
            continue
        if isinstance(right.puzzle, Puzzle) and not program.atom:
            message = "not graded: a Prolog program gets rows of digits, and no other rules"
            yield Verdict(instance.name, "error", 0, message=message, graded=False)
            continue
        wrong = partial(is_wrong, reference=right)
        run = program.run(instance, right.puzzle, _most(right, limit), limits, wrong)
        if run.flawed:
            flawed = instance.name
        yield judge(instance.name, run, right)


def _most(reference: Reference, limit: int) -> int:
    """Return how many answers to ask for: one more if only that can show a surplus."""
    return limit + (reference.complete and 0 < limit == len(reference.solutions))


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
    )


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
