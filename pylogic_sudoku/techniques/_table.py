"""Every technique that has a name, from the easiest to the hardest, and how hard it is.

The order, the levels and the weights are those of HoDoKu (Bernhard Hobiger,
hodoku.sourceforge.net). The ratings are those of Sudoku Explainer (Nicolas Juillerat); a technique
that it does not know has the rating of the more general pattern.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, NamedTuple

from ..errors import shown
from ..grid import Placement

__all__ = ["BY_NAME", "MINIMAL_SET", "RANK", "TECHNIQUES", "Found", "Technique", "key_of"]


class Technique(NamedTuple):
    """A way to make a step."""

    name: str
    """Such as ``"hidden single"``."""
    program: str
    """The file in ``encodings/techniques/`` that finds it; empty for a minimal set."""
    level: str
    """The difficulty of a puzzle that takes nothing harder."""
    weight: int
    """The weight of one step on HoDoKu's scale; for a minimal set, of each rule in it."""
    se: float
    """The rating of Sudoku Explainer; of a chain, that of the shortest."""
    others: tuple[str, ...] = ()
    """Other names that people use."""


class Found(NamedTuple):
    """What a technique has found: a step, but for its puzzle."""

    technique: str
    must: tuple[tuple[Any, ...], ...]
    """Rules that must be met."""
    most: tuple[tuple[Any, ...], ...]
    """Rules that are met at most once."""
    placed: Placement | None
    removed: tuple[Placement, ...]
    chain: tuple[tuple[Placement, ...], ...] = ()
    """See `Step.chain`."""
    roles: tuple[tuple[str, tuple[Placement, ...]], ...] = ()
    """See `Step.roles`."""


def _technique(
    name: str,
    program: str,
    level: str,
    weight: int,
    se: float,
    others: Iterable[str] = (),
) -> tuple[str, Technique]:
    return _identifier(name), Technique(name, program, level, weight, se, tuple(others))


def _identifier(name: str) -> str:
    """The name as an ASP constant, which does not begin with a digit: ``two_string_kite``."""
    words = re.findall("[a-z0-9]+", name.lower().replace("+", " plus ").replace("color", "colour"))
    return "_".join(["two" if words[:1] == ["2"] else words[0], *words[1:]]) if words else ""


TECHNIQUES: dict[str, Technique] = dict(
    (
        _technique("full house", "singles", "easy", 4, 1.0, ["last digit"]),
        _technique("naked single", "singles", "easy", 4, 2.3, ["sole candidate"]),
        _technique("hidden single", "singles", "easy", 14, 1.2, ["unique candidate"]),
        _technique("locked pair", "sets", "medium", 40, 3.0),
        _technique("locked triple", "sets", "medium", 60, 3.6),
        _technique(
            "pointing",
            "singles",
            "medium",
            50,
            2.6,
            [
                "locked candidates 1",
                "locked candidates type 1",
                "locked candidates type 1 (pointing)",
            ],
        ),
        _technique(
            "claiming",
            "singles",
            "medium",
            50,
            2.8,
            [
                "locked candidates 2",
                "locked candidates type 2",
                "locked candidates type 2 (claiming)",
            ],
        ),
        _technique("cage combinations", "", "medium", 50, 2.8, ["killer combinations"]),
        _technique("one rule", "", "medium", 50, 2.8, ["rule combinations"]),
        _technique("naked pair", "sets", "medium", 60, 3.0),
        _technique("naked triple", "sets", "medium", 80, 3.6, ["naked triplet"]),
        _technique("hidden pair", "sets", "medium", 70, 3.4),
        _technique("hidden triple", "sets", "medium", 100, 4.0, ["hidden triplet"]),
        _technique("naked quad", "sets", "hard", 120, 5.0, ["naked quadruple"]),
        _technique("hidden quad", "sets", "hard", 150, 5.4, ["hidden quadruple"]),
        _technique("X-wing", "sets", "hard", 140, 3.2),
        _technique("swordfish", "sets", "hard", 150, 3.8),
        _technique("jellyfish", "sets", "hard", 160, 5.2),
        _technique("remote pair", "remote_pair", "hard", 110, 6.6, ["remote pairs"]),
        _technique("skyscraper", "turbot", "hard", 130, 6.6),
        _technique("2-string kite", "turbot", "hard", 150, 6.6, ["two-string kite"]),
        _technique("turbot fish", "turbot", "hard", 120, 6.6),
        _technique("empty rectangle", "turbot", "hard", 120, 6.6),
        _technique("W-wing", "wings", "hard", 150, 7.1),
        _technique("XY-wing", "wings", "hard", 160, 4.2, ["Y-wing"]),
        _technique("XYZ-wing", "wings", "hard", 180, 4.4),
        _technique("finned X-wing", "fish", "hard", 130, 6.6),
        _technique("sashimi X-wing", "fish", "hard", 150, 6.6),
        _technique("finned swordfish", "fish", "unfair", 200, 7.5),
        _technique("sashimi swordfish", "fish", "unfair", 240, 7.5),
        _technique("finned jellyfish", "fish", "unfair", 250, 7.5),
        _technique("sashimi jellyfish", "fish", "unfair", 260, 7.5),
        _technique("Sue de Coq", "sue_de_coq", "unfair", 250, 7.0, ["two-sector disjoint subset"]),
        _technique(
            "simple colours",
            "colours",
            "hard",
            150,
            6.6,
            ["simple colouring", "simple colours trap", "simple colours wrap"],
        ),
        _technique(
            "multi-colours",
            "colours",
            "hard",
            200,
            6.6,
            ["multi-colouring", "multi-colours 1", "multi-colours 2"],
        ),
        _technique("X-chain", "chains", "unfair", 260, 6.6),
        _technique("XY-chain", "chains", "unfair", 260, 6.6),
        _technique("continuous nice loop", "chains", "unfair", 280, 6.5, ["nice loop"]),
        _technique("AIC", "chains", "unfair", 280, 6.6, ["alternating inference chain"]),
        _technique("discontinuous nice loop", "chains", "unfair", 280, 6.6),
        _technique(
            "grouped continuous nice loop",
            "grouped_chains",
            "unfair",
            300,
            6.5,
            ["grouped nice loop"],
        ),
        _technique("grouped AIC", "grouped_chains", "unfair", 300, 6.6),
        _technique("grouped discontinuous nice loop", "grouped_chains", "unfair", 300, 6.6),
        _technique("ALS-XZ", "als", "unfair", 300, 7.0, ["almost locked set XZ-rule"]),
        _technique("ALS-XY-wing", "als_chains", "unfair", 320, 7.1, ["almost locked set XY-wing"]),
        _technique(
            "ALS-XY-chain",
            "als_chains",
            "unfair",
            340,
            7.1,
            ["ALS chain", "almost locked set XY-chain", "almost locked set chain"],
        ),
        _technique("death blossom", "death_blossom", "unfair", 360, 8.0),
        _technique("Franken X-wing", "fish", "unfair", 300, 7.5),
        _technique("Franken swordfish", "fish", "unfair", 350, 7.5),
        _technique("Franken jellyfish", "fish", "unfair", 370, 7.5),
        _technique("finned Franken X-wing", "fish", "unfair", 390, 7.5),
        _technique("finned Franken swordfish", "fish", "unfair", 410, 7.5),
        _technique("finned Franken jellyfish", "fish", "unfair", 430, 7.5),
        _technique("mutant X-wing", "fish", "unfair", 450, 7.5),
        _technique("mutant swordfish", "fish", "unfair", 450, 7.5),
        _technique("mutant jellyfish", "fish", "unfair", 450, 7.5),
        _technique("finned mutant X-wing", "fish", "unfair", 470, 7.5),
        _technique("finned mutant swordfish", "fish", "unfair", 470, 7.5),
        _technique("finned mutant jellyfish", "fish", "unfair", 470, 7.5),
        _technique("forcing chain", "", "extreme", 500, 8.0),
        _technique("forcing net", "", "extreme", 700, 8.5),
        _technique("template set", "templates", "extreme", 10000, 7.5),
        _technique("template delete", "templates", "extreme", 10000, 7.5),
        _technique("minimal set", "", "extreme", 50, 9.0),
    )
)
"""By the names that the encodings give them, from the easiest to the hardest."""

MINIMAL_SET = TECHNIQUES["minimal_set"]
RANK = {key: rank for rank, key in enumerate(TECHNIQUES)}
BY_NAME = {technique.name: technique for technique in TECHNIQUES.values()}
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
    found = _KEYS.get(_identifier(name))
    if found is None:
        near = get_close_matches(_identifier(name), _KEYS, 1)
        hint = f"; did you mean {TECHNIQUES[_KEYS[near[0]]].name!r}?" if near else ""
        raise ValueError(
            f"{name!r} is not the name of a technique{hint}"
            " (docs/techniques.md lists them, and so does pylogic_sudoku.techniques.TECHNIQUES)"
        )
    return found
