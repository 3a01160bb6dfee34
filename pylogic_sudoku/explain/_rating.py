"""How hard a puzzle is for a person, from the steps to its solution.

The scale is that of HoDoKu (Bernhard Hobiger, hodoku.sourceforge.net): every step has the weight of
its technique, and the number is the sum of the weights. The level is that of the hardest step, or a
higher one if the number is over the limit of that level. (Sudoku Explainer by Nicolas Juillerat,
the other known scale, looks at the hardest step alone.)

HoDoKu knows many more techniques than we do. In their place we have minimal sets of rules, so the
two numbers differ for puzzles that need more than our techniques.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from math import inf

from .._api import PuzzleLike
from ..errors import InvalidPuzzle
from ._step import BY_NAME
from ._steps import steps

__all__ = ["LEVELS", "Rating", "rate"]

LEVELS = {"easy": 800, "medium": 1000, "hard": 1600, "unfair": 1800, "extreme": inf}
"""The levels of difficulty, and the highest number of each."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a puzzle is."""

    level: str
    """One of `LEVELS`."""
    number: int
    """The sum of the weights of the steps."""
    hardest: str | None
    """The technique of the step with the greatest weight; None if there is no step."""
    techniques: dict[str, int] = field(hash=False)
    """How many steps each technique takes, the easiest technique first."""

    def __repr__(self) -> str:
        return f"<Rating: {self}>"

    def __str__(self) -> str:
        return f"{self.level} ({self.number}{f', {self.hardest}' if self.hardest else ''})"


def rate(puzzle: PuzzleLike, timeout: float | None = None) -> Rating:
    """How hard the puzzle is for a person who takes `steps`, always the simplest.

    `timeout` is in seconds, for all steps together. Raises NoSolution if there is no solution,
    InvalidPuzzle if there are several, since no steps lead to one of them, and SolveTimeout.

    >>> print(rate("4......3...13..."))
    easy (48, naked single)
    """
    way = steps(puzzle, timeout)
    taken = list(way)
    if 0 in way.grid.digits:
        raise InvalidPuzzle(
            "the puzzle has several solutions, so it has no rating; ask for its ambiguity to see"
            " what they leave open"
        )
    used = Counter(step.technique for step in taken)
    number = sum(step.weight for step in taken)
    hardest = max(taken, key=lambda step: step.weight, default=None)
    names = list(LEVELS)
    least = max((names.index(step.level) for step in taken), default=0)
    level = next(name for name in names[least:] if number <= LEVELS[name])
    return Rating(
        level,
        number,
        hardest.technique if hardest else None,
        {name: used[name] for name in BY_NAME if name in used},
    )
