"""Rules beyond plain sudoku as the page shows them, and the kinds that it can set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any

from ..draw._rules import PAGE, Rules, rules_svg
from ..errors import InvalidPuzzle
from ..puzzle import Puzzle
from ..rules import (
    KINDS,
    Cells,
    Different,
    Numbers,
    Options,
    Rule,
    diagonals,
    disjoint_groups,
    nonconsecutive,
    windoku,
)
from ..rules._broken import broken_rules
from ..rules._fields import FIELDS
from ._bounds import CELLS, DEPTH, RULES

__all__ = ["check", "kinds", "sets", "shown"]

SIDE = 40
"""The width of a cell in the drawing."""

_INPUTS = {
    FIELDS[Cells]: "cells",
    FIELDS[Numbers]: "numbers",
    FIELDS[int]: "number",
    FIELDS[int | None]: "number",
    FIELDS[bool]: "flag",
    FIELDS[str]: "text",
}
"""What a person enters for a field of each type; the page has nothing for the others."""


def check(rules: tuple[Rule, ...]) -> None:
    """InvalidPuzzle if these are more rules than the page takes, or in too many others."""
    number, level = 0, list(rules)
    for _ in range(DEPTH):
        number += len(level)
        level = [part for rule in level for part in _within(rule)]
    if level:
        raise InvalidPuzzle(f"the page takes rules within rules up to {DEPTH} deep")
    if number > RULES:
        raise InvalidPuzzle(f"the page takes up to {RULES} rules, this puzzle has {number}")
    cells = sum(1 for rule in rules for _ in rule.cells_used())
    if cells > CELLS:
        raise InvalidPuzzle(f"the page takes rules on up to {CELLS} cells, these name {cells}")


def _within(rule: Rule) -> Iterator[Rule]:
    for name, field in rule.types.items():
        if field is FIELDS[Options]:
            for option in getattr(rule, name):
                yield from option


def kinds() -> list[dict[str, Any]]:
    """Every kind of rule, with the fields that a person enters.

    A kind cannot be set on the page if it needs a field of another type.
    """
    return [
        {
            "kind": kind,
            "title": made.title,
            "text": _text(made),
            "line": made.line,
            "settable": all(
                field in _INPUTS for name, field in made.types.items() if name not in made.defaults
            ),
            "fields": [
                {
                    "name": name,
                    "type": _INPUTS[field],
                    "required": name not in made.defaults,
                    "default": made.defaults.get(name) or None,
                }
                for name, field in made.types.items()
                if field in _INPUTS
            ],
        }
        for kind, made in sorted(KINDS.items(), key=lambda each: each[1].title.lower())
    ]


def sets(puzzle: Puzzle) -> list[dict[str, Any]]:
    """Rules for the whole grid that a person switches on together, if this grid can have them."""
    n, jigsaw = puzzle.size, puzzle.regions is not None
    named: list[tuple[str, Callable[[], Iterable[Rule]]]] = [
        ("diagonal \\", lambda: [Different(diagonals(n)[0], name="diagonal")]),
        ("diagonal /", lambda: [Different(diagonals(n)[1], name="diagonal")]),
        ("windoku", lambda: [Different(cells, name="windoku") for cells in windoku(n)]),
        ("disjoint groups", lambda: [] if jigsaw else map(_disjoint, disjoint_groups(puzzle.box))),
        ("nonconsecutive", lambda: [nonconsecutive()]),
    ]
    named += [(made.title, lambda made=made: [made()]) for made in KINDS.values() if not made.types]  # type: ignore[misc]
    found = []
    for title, make in sorted(named, key=lambda each: each[0].lower()):
        with suppress(InvalidPuzzle):
            rules = list(make())
            for rule in rules:
                rule.check(puzzle.layout)
            if rules:
                found.append({"title": title, "rules": [rule.to_json() for rule in rules]})
    return found


def _disjoint(cells: Cells) -> Rule:
    return Different(cells, name="disjoint group")


def _text(kind: type[Rule]) -> str:
    """What the kind of rule means, in a sentence."""
    return " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split())


def shown(puzzle: Puzzle) -> dict[str, Any]:
    """The rules in words, with their cells, and drawn."""
    broken = set(broken_rules(puzzle))
    return {
        "rules": [
            {
                "text": str(rule),
                "cells": [str(cell) for cell in dict.fromkeys(rule.cells_used())],
                "broken": rule in broken,
            }
            for rule in puzzle.rules
        ],
        **_drawing(puzzle),
    }


def _drawing(puzzle: Puzzle) -> dict[str, Any]:
    """The rules as SVG, with the colours of the page, and the room for clues outside, in cells."""
    drawn = Rules(puzzle.rules, puzzle.size, SIDE)
    return {
        "svg": rules_svg(puzzle, SIDE, PAGE),
        "room": {side: width / SIDE for side, width in drawn.room._asdict().items()},
        "labels": drawn.labels,
    }
