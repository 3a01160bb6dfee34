"""Whether a puzzle is as hard as it was asked to be."""

from __future__ import annotations

from ..engines.budget import Budget
from ..explain._steps import LEVELS, rate, steps
from ..grid import Grid
from ..puzzle import Puzzle
from ..techniques._table import RANK, TECHNIQUES, key_of
from ._request import Request
from ._tried import Tried

__all__ = ["judged"]

RANKS = {level: rank for rank, level in enumerate(LEVELS)}


def judged(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    """0 if the puzzle is as hard as it should be, 1 if it is harder, -1 if it is easier."""
    found = []
    if request.technique:
        found.append(_by_technique(request.technique, puzzle, budget, tried))
    if (request.level or request.rating) and 1 not in found:
        found.append(_by_rating(request, puzzle, budget, tried))
    return max(found, key=abs, default=0) if 1 not in found else 1


def _by_rating(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    rating = budget.spend(lambda left: rate(puzzle, left))
    if request.level and (off := RANKS[rating.level] - RANKS[request.level]):
        tried.note(rating.level)
        return 1 if off > 0 else -1
    if request.rating:
        least, most = request.rating
        if not least <= rating.number <= most:
            tried.near("points", int(rating.number), request.rating)
            return 1 if rating.number > most else -1
    return 0


def _by_technique(key: str, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> int:
    """Whether the techniques up to this one solve the puzzle, and those before it do not.

    `steps` takes the easiest step that there is. So when it first takes this technique, the easier
    ones can do no more.
    """
    technique = TECHNIQUES[key]
    way = budget.spend(lambda left: steps(puzzle, left, technique.assumes_unique))
    needed = False
    for step in way:
        rank = RANK[key_of(step.technique)]
        if rank > RANK[key]:
            tried.note(f"that need more than {technique.name}")
            return 1
        needed = needed or rank == RANK[key]
    if not needed:
        tried.note(f"that do not need {technique.name}")
    return 0 if needed else -1
