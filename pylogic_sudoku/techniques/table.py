"""Every technique that has a name, from the easiest to the hardest, and how hard it is.

The order, the levels and the weights are those of HoDoKu (Bernhard Hobiger,
hodoku.sourceforge.net). It has no minimal sets; ours weigh 50 for each of their rules.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from math import inf
from typing import Literal, NamedTuple

from ..errors import shown

Level = Literal["easy", "medium", "hard", "unfair", "extreme"]
LEVELS: dict[Level, float] = {
    "easy": 800,
    "medium": 1000,
    "hard": 1600,
    "unfair": 1800,
    "extreme": inf,
}
"""The highest number of a puzzle of each level."""

EXTREME = 500
"""Minimal sets that weigh less are unfair, not extreme."""


class Technique(NamedTuple):
    """A way to make a step."""

    name: str
    """Such as ``"hidden single"``."""
    program: str
    """The file in ``encodings/techniques/`` that finds it; empty if Python finds it alone."""
    level: Level
    """The difficulty of a puzzle that takes nothing harder."""
    weight: int
    """The weight of one step on HoDoKu's scale; for a minimal set, of each rule in it."""
    others: tuple[str, ...] = ()
    """Other names that people use."""


def _identifier(name: str) -> str:
    """The name as an ASP constant, which does not begin with a digit: ``two_string_kite``."""
    words = re.findall("[a-z0-9]+", name.lower().replace("color", "colour"))
    return "_".join(["two" if words[:1] == ["2"] else words[0], *words[1:]]) if words else ""


TECHNIQUES = {
    _identifier(each.name): each
    for each in (
        Technique("full house", "singles", "easy", 4, ("last digit",)),
        Technique("naked single", "singles", "easy", 4, ("sole candidate",)),
        Technique("hidden single", "singles", "easy", 14, ("unique candidate",)),
        Technique("locked pair", "sets", "medium", 40),
        Technique("locked triple", "sets", "medium", 60),
        Technique("pointing", "locked", "medium", 50, ("locked candidates type 1",)),
        Technique("claiming", "locked", "medium", 50, ("locked candidates type 2",)),
        Technique("cage combinations", "", "medium", 50, ("killer combinations",)),
        Technique("one rule", "", "medium", 50, ("rule combinations",)),
        Technique("naked pair", "sets", "medium", 60),
        Technique("naked triple", "sets", "medium", 80, ("naked triplet",)),
        Technique("hidden pair", "sets", "medium", 70),
        Technique("hidden triple", "sets", "medium", 100, ("hidden triplet",)),
        Technique("naked quad", "sets", "hard", 120, ("naked quadruple",)),
        Technique("hidden quad", "sets", "hard", 150, ("hidden quadruple",)),
        Technique("X-wing", "sets", "hard", 140),
        Technique("swordfish", "sets", "hard", 150),
        Technique("jellyfish", "sets", "hard", 160),
        Technique("skyscraper", "turbot", "hard", 130),
        Technique("2-string kite", "turbot", "hard", 150, ("two-string kite",)),
        Technique("turbot fish", "turbot", "hard", 120),
        Technique("empty rectangle", "turbot", "hard", 120),
        Technique("W-wing", "wings", "hard", 150),
        Technique("XY-wing", "wings", "hard", 160, ("Y-wing",)),
        Technique("XYZ-wing", "wings", "hard", 180),
        Technique("finned X-wing", "fish", "hard", 130),
        Technique("sashimi X-wing", "fish", "hard", 150),
        Technique("finned swordfish", "fish", "unfair", 200),
        Technique("sashimi swordfish", "fish", "unfair", 240),
        Technique("finned jellyfish", "fish", "unfair", 250),
        Technique("sashimi jellyfish", "fish", "unfair", 260),
        Technique("simple colours", "colours", "hard", 150, ("simple colouring",)),
        Technique("multi-colours", "colours", "hard", 200, ("multi-colouring",)),
        Technique("X-chain", "chains", "unfair", 260),
        Technique("XY-chain", "chains", "unfair", 260),
        Technique("AIC", "chains", "unfair", 280, ("alternating inference chain", "nice loop")),
        Technique("grouped AIC", "grouped_chains", "unfair", 300, ("grouped nice loop",)),
        Technique("ALS-XZ", "als", "unfair", 300, ("almost locked set XZ-rule",)),
        Technique("minimal set", "", "extreme", 50),
    )
}
"""By the names that the encodings give them, from the easiest to the hardest."""

AT_ONCE = ("singles", "locked")
"""Programs that show all their steps in one answer."""
MINIMAL_SET = TECHNIQUES["minimal_set"]
BY_NAME = {technique.name: technique for technique in TECHNIQUES.values()}
RANK = {name: rank for rank, name in enumerate(BY_NAME)}
_KEYS = {
    _identifier(name): key
    for key, technique in TECHNIQUES.items()
    for name in (technique.name, *technique.others)
}


def key_of(name: str) -> str:
    """The technique of that name in `TECHNIQUES`, in capitals or not, with hyphens or not.

    ValueError, with the nearest name, if there is none.
    """
    if not isinstance(name, str):
        raise TypeError(f"a technique is a name, such as 'XY-wing', not {shown(name)}")
    key = _KEYS.get(_identifier(name))
    if key is None:
        near = get_close_matches(_identifier(name), _KEYS, 1)
        hint = f"; did you mean {TECHNIQUES[_KEYS[near[0]]].name!r}?" if near else ""
        raise ValueError(
            f"{name!r} is not the name of a technique{hint}"
            " (docs/techniques.md lists them, and so does pylogic_sudoku.techniques.TECHNIQUES)"
        )
    return key


def weight_of(technique: Technique, rules: int) -> int:
    """The weight of a step that rests on this many rules."""
    return technique.weight * (rules if technique is MINIMAL_SET else 1)


def level_of(technique: Technique, weight: int) -> Level:
    """The level of a step of this weight."""
    return "unfair" if technique is MINIMAL_SET and weight < EXTREME else technique.level
