"""Whether a puzzle is as hard as it was asked to be."""

from __future__ import annotations

from math import inf
from typing import NamedTuple

from ..engines.budget import Budget
from ..engines.clingo.techniques import Position
from ..explain import steps
from ..grid import Grid
from ..puzzle import Puzzle
from ..techniques._table import LEVELS, RANK, TECHNIQUES, key_of
from ._look import Look
from ._make import Tried
from ._request import Request

__all__ = ["judged"]

RANKS = {level: rank for rank, level in enumerate(LEVELS)}
LIMITS = list(LEVELS.values())
HARDEST = [
    [key for key, technique in TECHNIQUES.items() if RANKS[technique.level] <= rank][-1]
    for rank in range(len(LEVELS))
]
"""For each level, the last technique in the table that is not harder."""
HARD = RANKS["hard"]


LOOKS = [
    (RANK[key], largest, fish)
    for key, largest, fish in (
        ("hidden_single", 0, 0),
        ("hidden_triple", 3, 0),
        ("hidden_quad", 4, 0),
        ("x_wing", 4, 2),
        ("swordfish", 4, 3),
        ("jellyfish", 4, 4),
    )
]
"""The last technique that a `Look` uses with such sets and fish."""


class Verdict(NamedTuple):
    """How hard a puzzle is beside what was asked for."""

    harder: int
    """0 if it is as hard as it should be, -1 if it is easier, 1 if it is harder; 2 if it is harder
    but takes the technique on the way."""
    open: int = -1
    """For a harder one, the cells in which a given could make it easier; -1 for any."""


RIGHT, EASIER, HARDER = Verdict(0), Verdict(-1), Verdict(1)


def judged(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> Verdict:
    """Whether the puzzle is as hard as it should be; if not, that is noted."""
    found = RIGHT
    if request.technique:
        found = _by_technique(request.technique, puzzle, budget)
        if found.harder:
            name = TECHNIQUES[request.technique].name
            tried.note(f"{'beyond' if found.harder > 0 else 'without'} {name}")
    if found.harder < 1 and (request.level or request.rating):
        other = _by_rating(request, puzzle, budget, tried)
        found = other if other.harder else found
    return found


def _by_technique(key: str, puzzle: Grid | Puzzle, budget: Budget) -> Verdict:
    """Whether the techniques up to this one solve the puzzle, and those before it do not.

    `steps` takes the easiest step that there is. So when it first takes this technique, the easier
    ones can do no more.
    """
    if not puzzle.layout.rules:
        found = _soon(key, puzzle, budget)
        if found.harder:
            return found
    return budget.spend(lambda left: _by_steps(key, puzzle, left))


def _by_steps(key: str, puzzle: Grid | Puzzle, left: float | None) -> Verdict:
    way = steps(puzzle, left)
    way.up_to(key)
    needed = False
    for step in way:
        rank = RANK[key_of(step.technique)]
        if rank > RANK[key]:
            return HARDER
        needed = needed or rank == RANK[key]
    return RIGHT if needed else EASIER


def _soon(key: str, puzzle: Grid | Puzzle, budget: Budget) -> Verdict:
    """The same without steps and so much sooner; `RIGHT` also if only they can say."""
    look = Look(puzzle.layout, puzzle.givens)
    for last, largest, fish in LOOKS:
        before = [*look.cells]
        solved = look.settle(largest, fish)
        if RANK[key] <= last:
            return RIGHT if solved else Verdict(1 + (look.cells != before), look.open)
        if solved:
            return EASIER
    return budget.spend(lambda left: _beyond(key, puzzle, look, Budget("clingo", left)))


def _beyond(key: str, puzzle: Grid | Puzzle, look: Look, budget: Budget) -> Verdict:
    """The same, from where the techniques up to fish end."""
    position = Position(puzzle.layout, look.left, budget, puzzle.givens)
    keys = [each for each in TECHNIQUES if LOOKS[-1][0] < RANK[each] <= RANK[key]]
    if not all(TECHNIQUES[each].program for each in keys):
        return RIGHT
    used = False
    while not look.solved:
        left = look.left
        for each in keys:
            if found := position.by(each, left, shortest=True):
                look.take(found)
                used = used or each == key
                break
        else:
            return Verdict(1 + used, look.open)
        look.settle(4, 4)
    return RIGHT if used else EASIER


def _by_rating(request: Request, puzzle: Grid | Puzzle, budget: Budget, tried: Tried) -> Verdict:
    """Whether it has the level and the points; nearly always, a `Look` sees a lower level."""
    look = None
    if request.level and not puzzle.layout.rules:
        wanted, look = RANKS[request.level], Look(puzzle.layout, puzzle.givens)
        level = 0 if look.settle(0) else 1 if wanted and look.settle(3) else HARD
        if level < min(wanted, HARD):
            tried.note([*LEVELS][level])
            return EASIER
        if level > wanted:
            tried.note(f"harder than {request.level}")
            return Verdict(1, look.open)
    found = budget.spend(lambda left: _by_points(request, puzzle, left, tried))
    return found._replace(open=look.open) if look and not request.rating else found


def _by_points(
    request: Request, puzzle: Grid | Puzzle, left: float | None, tried: Tried
) -> Verdict:
    """The same as by `rate`, but the way ends where the puzzle turns out to be too hard."""
    wanted = RANKS[request.level] if request.level else len(RANKS) - 1
    least, most = request.rating or (0, inf)
    way = steps(puzzle, left)
    way.up_to(HARDEST[wanted])
    number, level = 0.0, 0
    for step in way:
        number += step.weight
        level = max(level, RANKS[step.level])
        while number > LIMITS[level]:
            level += 1
        if level > wanted:
            tried.note(f"harder than {request.level}")
            return HARDER
        if number > most:
            tried.note(f"with more than {most} points")
            return HARDER
    if request.level and level < wanted:
        tried.note([*LEVELS][level])
        return EASIER
    if number < least:
        tried.near("points", int(number), (least, int(min(most, number + least))))
        return EASIER
    return RIGHT
