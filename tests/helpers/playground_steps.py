"""The answers of the playground about steps and reasons, as values of the package."""

from __future__ import annotations

from typing import Any

from pylogic_sudoku import Grid, Placement, Puzzle, Step
from pylogic_sudoku.explain._step import step_of
from pylogic_sudoku.techniques._table import Found, key_of

MUST = ("filled", "somewhere")
"""The names of rules that must be met."""


def placement(json: dict[str, Any]) -> Placement:
    row, column = json["cell"][1:].split("c")
    return Placement(int(row), int(column), json["digit"])


def placements(several: list[dict[str, Any]]) -> tuple[Placement, ...]:
    return tuple(map(placement, several))


def step(answer: dict[str, Any], puzzle: Grid | Puzzle) -> Step:
    """The step as Python has it, made of its rules, candidates and parts alone."""
    data = answer["explanation"]
    rules = [tuple(rule) for rule in data["rules"]]
    found = Found(
        key_of(data["technique"]),
        tuple(rule for rule in rules if rule[0] in MUST),
        tuple(rule for rule in rules if rule[0] not in MUST),
        data["placed"] and placement(data["placed"]),
        placements(data["removed"]),
        tuple(map(placements, data["chain"])),
        tuple((role, placements(part)) for role, part in data["roles"].items()),
    )
    candidates = tuple(tuple(map(frozenset, row)) for row in data["candidates"])
    return step_of(found, puzzle, Grid.from_rows(data["grid"], puzzle.box), candidates)
