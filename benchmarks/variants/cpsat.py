"""OR-tools CP-SAT on puzzles with cages, arrows, thermometers and little killers."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from ortools.sat.python import cp_model

from pylogic_sudoku import Cell, Puzzle
from pylogic_sudoku.rules import Rule

Variables = dict[Cell, Any]


def _different(model: cp_model.CpModel, at: Variables, rule: Any) -> None:
    model.add_all_different([at[cell] for cell in dict.fromkeys(rule.cells)])


def _sum(model: cp_model.CpModel, at: Variables, rule: Any) -> None:
    model.add(sum(at[cell] for cell in rule.cells) == rule.sum)


def _cage(model: cp_model.CpModel, at: Variables, rule: Any) -> None:
    _different(model, at, rule)
    if rule.sum is not None:
        _sum(model, at, rule)


def _arrow(model: cp_model.CpModel, at: Variables, rule: Any) -> None:
    circle = sum(at[cell] * 10**place for place, cell in enumerate(reversed(rule.circle)))
    model.add(sum(at[cell] for cell in rule.arm) == circle)


def _thermometer(model: cp_model.CpModel, at: Variables, rule: Any) -> None:
    for one, other in pairwise(rule.cells):
        model.add(at[one] + (0 if rule.slow else 1) <= at[other])


KINDS: dict[str, Callable[[cp_model.CpModel, Variables, Rule], None]] = {
    "different": _different,
    "killer_cage": _cage,
    "arrow": _arrow,
    "little_killer": _sum,
    "thermometer": _thermometer,
}
"""What says a rule to a model, by kind."""


def is_unique(puzzle: Puzzle, seconds: float) -> bool | None:
    """Whether there is exactly one solution, by one worker; None if time runs out."""
    n = puzzle.size
    allowed = {cell: range(1, n + 1) for cell in puzzle.cells}
    allowed |= {mark.cell: sorted(mark.digits) for mark in puzzle.marks}  # type: ignore[misc]
    allowed |= {given.cell: [given.digit] for given in puzzle.givens}  # type: ignore[misc]
    model = cp_model.CpModel()
    at = {
        cell: model.new_int_var_from_domain(cp_model.Domain.from_values(digits), str(cell))
        for cell, digits in allowed.items()
    }
    for house in puzzle.layout.houses:
        model.add_all_different([at[cell] for cell in house.cells])
    for rule in puzzle.rules:
        KINDS[rule.kind](model, at, rule)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.max_time_in_seconds = seconds
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return False if status == cp_model.INFEASIBLE else None
    others = []  # another solution differs somewhere
    for variable in at.values():
        other = model.new_bool_var("")
        model.add(variable != solver.value(variable)).only_enforce_if(other)
        others.append(other)
    model.add_bool_or(others)
    solver.parameters.max_time_in_seconds = max(0.01, seconds - solver.wall_time)
    status = solver.solve(model)
    if status == cp_model.INFEASIBLE:
        return True
    return None if status == cp_model.UNKNOWN else False
