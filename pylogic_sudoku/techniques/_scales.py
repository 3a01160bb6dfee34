"""Two scales of difficulty: that of HoDoKu, and that of Sudoku Explainer.

HoDoKu (Bernhard Hobiger) gives each technique a weight; a puzzle's number is the sum over all
steps. Sudoku Explainer (Nicolas Juillerat) gives each step a rating; a puzzle's number is that of
its hardest step. On that scale singles, locked candidates and hidden sets are easier if they place
a digit at once, and a chain is harder by a tenth for each class of length.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from math import inf
from typing import Any, Literal, NamedTuple, Protocol

from ..grid import Layout, Placement
from ._addition import meeting
from ._table import MINIMAL_SET, RANK, TECHNIQUES

__all__ = ["SCALES", "Scale", "ScaleName", "scale_of"]

ScaleName = Literal["hodoku", "se"]

Rule = tuple[Any, ...]

EXTREME = 500
"""The weight of HoDoKu's forcing chains: lighter minimal sets count as unfair, not extreme."""

DIRECT = {"pointing": 1.7, "claiming": 1.9, "hidden_pair": 2.0, "hidden_triple": 2.5}
"""Ratings of techniques if a digit has only one place after the step."""

BOTH = 7.0
"""The rating of the shortest chain through cells with two candidates and digits with two places."""

BY_LENGTH = (
    *("turbot_fish", "skyscraper", "two_string_kite", "empty_rectangle", "remote_pair"),
    *("x_chain", "xy_chain"),
)
"""Chains of one kind; their ratings depend on nothing but the length."""

MIXED = (
    *("continuous_nice_loop", "discontinuous_nice_loop", "aic"),
    *("grouped_continuous_nice_loop", "grouped_discontinuous_nice_loop", "grouped_aic"),
)


class Shape(Protocol):
    """What a rating depends on: a step, or what an engine has found of it."""

    @property
    def must(self) -> tuple[Rule, ...]: ...
    @property
    def most(self) -> tuple[Rule, ...]: ...
    @property
    def removed(self) -> tuple[Placement, ...]: ...
    @property
    def chain(self) -> tuple[tuple[Placement, ...], ...]: ...
    @property
    def roles(self) -> tuple[tuple[str, tuple[Placement, ...]], ...]: ...


Hardness = Callable[[str, Shape, Layout, Collection[Placement]], float]
"""Of a step by the technique with this key, from the candidates before it."""


class Scale(NamedTuple):
    """How hard steps and puzzles are."""

    name: ScaleName
    levels: dict[str, float]
    """The highest number of each level."""
    least: dict[str, float]
    """In what order techniques are tried, the least first."""
    rank: Hardness
    """Where a step stands in that order; never before its technique."""
    weight: Hardness
    """The weight or the rating of a step."""
    whole: Callable[[list[float]], float]
    """The number of a puzzle, from its steps."""
    level: Callable[[str, float], str]
    """The level of a step, from its technique and its weight."""


def scale_of(name: str) -> Scale:
    """The scale of that name; ValueError if there is none."""
    for scale in SCALES:
        if scale.name == name:
            return scale
    raise ValueError(f"scale must be 'hodoku' or 'se', not {name!r}")


# --- HoDoKu ---


def _weight(key: str, found: Shape, _layout: Layout, _left: Collection[Placement]) -> int:
    weight = TECHNIQUES[key].weight
    if TECHNIQUES[key] is MINIMAL_SET:
        return weight * (len(found.must) + len(found.most))
    return weight


def _level(technique: str, weight: float) -> str:
    light = TECHNIQUES[technique] is MINIMAL_SET and weight < EXTREME
    return "unfair" if light else TECHNIQUES[technique].level


# --- Sudoku Explainer ---


def _rating(key: str, found: Shape, layout: Layout, left: Collection[Placement]) -> float:
    least = TECHNIQUES[key].se
    if key == "hidden_single":
        return least if found.must[0][1] not in ("row", "column") else 1.5
    if key in DIRECT:
        return DIRECT[key] if _places(key, found, layout, left) else least
    if key in ("forcing_chain", "forcing_net"):
        return _longer(least, 2 * len(found.must))
    if key in BY_LENGTH:
        return _longer(least, len(found.chain))
    if key in MIXED:
        return _longer(least if _one_kind(found.chain) else BOTH, len(found.chain))
    return least


def _longer(least: float, length: int) -> float:
    """The rating of a chain: a tenth more for each of 4, 6, 8, 12, 16, 24 … that is exceeded."""
    classes, limit = 0, 4
    while length > limit:
        classes += 1
        limit += limit // (2 if classes % 2 else 3)
    return round(least + classes / 10, 1)


def _one_kind(chain: tuple[tuple[Placement, ...], ...]) -> bool:
    """True for a chain about one digit, or one whose strong links are cells."""
    strong = zip(chain[::2], chain[1::2], strict=False)
    return len({each[2] for node in chain for each in node}) == 1 or all(
        len({each[:2] for each in (*one, *other)}) == 1 for one, other in strong
    )


def _places(key: str, found: Shape, layout: Layout, left: Collection[Placement]) -> bool:
    """True if, after the step, one of its digits has one place in one of the houses concerned."""
    after = frozenset(left).difference(found.removed)
    own = found.must[0][1:3] if key.startswith("hidden") else None
    houses = [house for house in layout.houses if own in (None, house[:2])]
    return any(
        len(after & meeting(("somewhere", *house[:2], gone.digit), layout)) == 1
        for house in houses
        for gone in found.removed
        if gone.cell in house.cells
    )


def _level_by(levels: dict[str, float]) -> Callable[[str, float], str]:
    return lambda _technique, rating: next(name for name in levels if rating <= levels[name])


HODOKU_LEVELS = {"easy": 800, "medium": 1000, "hard": 1600, "unfair": 1800, "extreme": inf}
SE_LEVELS = {"easy": 1.2, "medium": 1.5, "hard": 2.5, "fiendish": 6.0, "diabolical": inf}

SCALES = (
    Scale(
        "hodoku",
        HODOKU_LEVELS,
        {key: float(rank) for key, rank in RANK.items()},
        lambda key, _found, _layout, _left: RANK[key],
        _weight,
        sum,
        _level,
    ),
    Scale(
        "se",
        SE_LEVELS,
        {key: DIRECT.get(key, each.se) for key, each in TECHNIQUES.items()},
        _rating,
        _rating,
        lambda ratings: max(ratings, default=0),
        _level_by(SE_LEVELS),
    ),
)
