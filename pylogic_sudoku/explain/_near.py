"""Cores of what is near to a placement: they are short, and found quickly."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .._demands import Demand
from ..grid import Grid, Placement
from ..puzzle import Puzzle
from ._cores import Core, Question

if TYPE_CHECKING:
    from ..engines.clingo.rulebook import Reasons

__all__ = ["distance", "nearest"]

FAR = 3
"""The greatest distance of a demand from what it may explain."""


def distance(puzzle: Grid | Puzzle, target: Placement) -> Callable[[Demand], int]:
    """How far a demand is from what decides about a placement: 0 to 3."""
    houses = [house for house in puzzle.houses if target.cell in house.cells]
    names = {(house.kind, house.number) for house in houses}
    seen = {cell for house in houses for cell in house.cells}

    def far(demand: Demand) -> int:
        match demand:
            case ("filled" | "single", int(row), int(column)):
                return 0 if (row, column) in seen else 1
            case ("excluded", int(row), int(column), _):
                return 0 if (row, column) in seen else 1
            case ("rule", rule):
                cells = set(rule.cells_used())
                return 0 if target.cell in cells else 1 if cells & seen or not cells else 2
            case ("somewhere" | "once", kind, number, digit):
                if digit == target.digit:
                    return int((kind, number) not in names)
                # First which digits the cell sees, then where else these could go.
                return 2 if demand[0] == "once" and (kind, number) in names else FAR
            case (str(), kind, number):
                return int((kind, number) not in names)
            case (int(row), int(column), _):
                return 0 if (row, column) in seen else 1
        return FAR

    return far


def nearest(
    reasons: Reasons, sure: tuple[Demand, ...], demands: list[Demand], far: Callable[[Demand], int]
) -> Core | None:
    """A core of nearby demands if there is one: such cores are short, and found quickly."""
    demands = sorted(demands, key=far)
    for most in range(FAR):
        core = Question(reasons, sure, [d for d in demands if far(d) <= most]).core()
        if core:
            return core
    return Question(reasons, sure, demands).core()
