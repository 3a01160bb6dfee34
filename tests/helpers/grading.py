"""Puzzles to grade programs on, and the grader's verdicts, asked from Python."""

from __future__ import annotations

from pathlib import Path

from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED, SEVERAL
from pylogic_sudoku.check import Verdict, grade

MANY = [puzzle for puzzle, number in COUNTS.items() if number > 100]
UNIQUE, UNIQUE_SOLUTION = next(iter(PRINTED.items()))
PUZZLES = [SEVERAL, *MANY, UNIQUE, IMPOSSIBLE]
NUMBERS = [2, 125, 176, 1, 0]


def set_grace(monkeypatch, seconds: float) -> None:
    """Let this be how long a program may run after a wrong answer."""
    monkeypatch.setattr("pylogic_sudoku.running.runs.GRACE", seconds)


def verdicts(program: Path, exercise: Path, **options: object) -> list[Verdict]:
    return list(grade(program, exercise / "instances", exercise / "solutions", **options))


def one(program: Path, exercise: Path, number: int = 1, **options: object) -> Verdict:
    """The verdict on the instance with two solutions, or on another one."""
    instance = exercise / "instances" / f"ex{number:03}.lp"
    (verdict,) = grade(program, instance, exercise / "solutions", **options)
    return verdict
