"""The techniques by which people solve sudokus: how hard each is, and how one tells it.

What they are is said in ``encodings/first_steps.lp``, ``techniques.lp`` and ``xy_wing.lp``. All
are sets of rules: some that must be met and some that are met at most once. What is placed, or
which candidates go, follows from these rules and the candidates alone.

Weights and levels are those of HoDoKu (Bernhard Hobiger, hodoku.sourceforge.net), which has none
for a minimal set; that weighs 50 for each of its rules.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import cache
from typing import NamedTuple

from ..grid import Layout
from ._rules import Demand, Placement

__all__ = [
    "BY_NAME",
    "BY_SETS",
    "EXTREME",
    "MINIMAL_SET",
    "RANK",
    "TECHNIQUES",
    "Technique",
    "meeting",
    "met",
]


class Technique(NamedTuple):
    """What a step is called."""

    name: str
    level: str
    """The difficulty of a puzzle that takes nothing harder."""
    weight: int
    """Of one step; of a minimal set, for each rule in it."""


# By the names that the encodings give them, from the easiest to the hardest.
TECHNIQUES = {
    "full_house": Technique("full house", "easy", 4),
    "naked_single": Technique("naked single", "easy", 4),
    "hidden_single": Technique("hidden single", "easy", 14),
    "pointing": Technique("pointing", "medium", 50),
    "claiming": Technique("claiming", "medium", 50),
    "naked_pair": Technique("naked pair", "medium", 60),
    "hidden_pair": Technique("hidden pair", "medium", 70),
    "naked_triple": Technique("naked triple", "medium", 80),
    "hidden_triple": Technique("hidden triple", "medium", 100),
    "naked_quad": Technique("naked quad", "hard", 120),
    "x_wing": Technique("X-wing", "hard", 140),
    "hidden_quad": Technique("hidden quad", "hard", 150),
    "swordfish": Technique("swordfish", "hard", 150),
    "jellyfish": Technique("jellyfish", "hard", 160),
    "xy_wing": Technique("XY-wing", "hard", 160),
    "minimal_set": Technique("minimal set", "extreme", 50),
}

BY_NAME = {technique.name: technique for technique in TECHNIQUES.values()}
RANK = {name: rank for rank, name in enumerate(TECHNIQUES)}
BY_SETS = tuple(TECHNIQUES)[5:-1]
"""The techniques that are asked for one by one, where nothing is seen at once."""
MINIMAL_SET = "minimal set"
EXTREME = 500
"""The score of HoDoKu's forcing chains: minimal sets of less are not yet extreme."""


@cache
def _cells(layout: Layout) -> dict[tuple[str, int], list[tuple[int, int]]]:
    """Rows and columns of the cells of each house."""
    return {(house.kind, house.number): [*house.cells] for house in layout.houses}


@cache
def meeting(rule: Demand, layout: Layout) -> frozenset[Placement]:
    """The placements that meet a rule: one of them must, or at most one may."""
    match rule:
        case ("filled" | "single", int(row), int(column)):
            return frozenset(Placement(row, column, digit + 1) for digit in range(layout.size))
        case ("somewhere" | "once", str(kind), int(number), int(digit)):
            return frozenset(
                Placement(row, column, digit) for row, column in _cells(layout)[kind, number]
            )
    raise ValueError(f"{rule!r} is no rule that one placement can meet")


def met(rules: Collection[Demand], layout: Layout) -> frozenset[Placement]:
    """The placements that meet any of the rules."""
    return frozenset().union(*(meeting(rule, layout) for rule in rules))
