"""Whether a puzzle is as hard as it was asked to be."""

from __future__ import annotations

from math import inf

from ..engines.budget import Budget
from ..explain import steps
from ..grid import Grid
from ..puzzle import Puzzle
from ..techniques._scales import HODOKU_LEVELS
from ..techniques._table import RANK, TECHNIQUES, key_of
from ._make import Tried
from ._request import Request

__all__ = ["judged"]

RANKS = {level: rank for rank, level in enumerate(HODOKU_LEVELS)}
LIMITS = list(HODOKU_LEVELS.values())
HARDEST = [
    [key for key, technique in TECHNIQUES.items() if RANKS[technique.level] <= rank][-1]
    for rank in range(len(HODOKU_LEVELS))
]
"""For each level, the last technique in the table that is not harder."""


def judged(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    """0 if the puzzle is as hard as it should be, 1 if it is harder, -1 if it is easier."""
    found = 0
    if request.technique:
        found = _by_technique(request.technique, puzzle, budget, tried)
    if found != 1 and (request.level or request.rating):
        found = _by_rating(request, puzzle, budget, tried) or found
    return found


def _by_technique(key: str, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    """Whether the techniques up to this one solve the puzzle, and those before it do not.

    `steps` takes the easiest step that there is. So when it first takes this technique, the easier
    ones can do no more.
    """
    technique = TECHNIQUES[key]
    way = budget.spend(lambda left: steps(puzzle, left, technique.assumes_unique))
    way.up_to(key)
    needed = False
    for step in way:
        rank = RANK[key_of(step.technique)]
        if rank > RANK[key]:
            tried.note(f"beyond {technique.name}")
            return 1
        needed = needed or rank == RANK[key]
    if not needed:
        tried.note(f"without {technique.name}")
    return 0 if needed else -1


def _by_rating(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    """The same as by `rate`, but the way ends where the puzzle turns out to be too hard."""
    wanted = RANKS[request.level] if request.level else len(RANKS) - 1
    least, most = request.rating or (0, inf)
    way = budget.spend(lambda left: steps(puzzle, left))
    way.up_to(HARDEST[wanted])
    number, level = 0.0, 0
    for step in way:
        number += step.weight
        level = max(level, RANKS[step.level])
        while number > LIMITS[level]:
            level += 1
        if level > wanted:
            tried.note(f"harder than {request.level}")
            return 1
        if number > most:
            tried.note(f"with more than {most} points")
            return 1
    if request.level and level < wanted:
        tried.note([*HODOKU_LEVELS][level])
        return -1
    if number < least:
        tried.near("points", int(number), (least, int(min(most, number + least))))
        return -1
    return 0
