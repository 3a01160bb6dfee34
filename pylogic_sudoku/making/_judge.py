"""Whether a puzzle is as hard as it was asked to be."""

from __future__ import annotations

from typing import NamedTuple

from ..engines.budget import Budget
from ..explain import steps
from ..grid import Grid
from ..puzzle import Puzzle
from ..techniques._table import LEVELS, TECHNIQUES
from ._look import Look
from ._make import Tried

__all__ = ["judged"]

RANKS = {level: rank for rank, level in enumerate(LEVELS)}
LIMITS = list(LEVELS.values())
HARDEST = [
    [key for key, technique in TECHNIQUES.items() if RANKS[technique.level] <= rank][-1]
    for rank in range(len(LEVELS))
]
"""For each level, the last technique in the table that is not harder."""
HARD = RANKS["hard"]


class Verdict(NamedTuple):
    """How hard a puzzle is beside what was asked for."""

    harder: int
    """0 if it is as hard as it should be, -1 if it is easier, 1 if it is harder."""
    open: int = -1
    """For a harder one, the cells in which a given could make it easier; -1 for any."""


RIGHT, EASIER, HARDER = Verdict(0), Verdict(-1), Verdict(1)


def judged(level: str, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> Verdict:
    """Whether the puzzle has this level; if not, that is noted. A `Look` nearly always tells."""
    wanted, look = RANKS[level], None
    if not puzzle.layout.rules:
        look = Look(puzzle.layout, puzzle.givens)
        least = 0 if look.settle(0) else 1 if wanted and look.settle(3) else HARD
        if least < min(wanted, HARD):
            tried.note([*LEVELS][least])
            return EASIER
        if least > wanted:
            tried.note(f"harder than {level}")
            return Verdict(1, look.open)
    found = budget.spend(lambda left: _by_steps(wanted, puzzle, left, tried))
    return found._replace(open=look.open) if look else found


def _by_steps(wanted: int, puzzle: Grid | Puzzle, left: float | None, tried: Tried) -> Verdict:
    """The same by `rate`, but the way ends where the puzzle turns out to be too hard."""
    way = steps(puzzle, left)
    way.up_to(HARDEST[wanted])
    number, level = 0, 0
    for step in way:
        number += step.weight
        level = max(level, RANKS[step.level])
        while number > LIMITS[level]:
            level += 1
        if level > wanted:
            tried.note(f"harder than {[*LEVELS][wanted]}")
            return HARDER
    if level < wanted:
        tried.note([*LEVELS][level])
        return EASIER
    return RIGHT
