"""Words for the parts of steps."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..._demands import cells_in
from ...errors import listed
from ...grid import Cell, Placement

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["cell_of", "cells", "digits", "digits_in", "gone", "house", "houses", "where"]

Rule = tuple[Any, ...]


def gone(step: Step) -> str:
    """What goes from where: ``2 from r3c7 and r3c9, 2 and 5 from r3c8``."""
    by_cell: dict[Cell, list[int]] = {}
    for placement in step.removed:
        by_cell.setdefault(placement.cell, []).append(placement.digit)
    by_digits: dict[str, list[Cell]] = {}
    for cell, removed in by_cell.items():
        by_digits.setdefault(listed(removed), []).append(cell)
    return "; ".join(f"{removed} from {listed(where)}" for removed, where in by_digits.items())


def house(rule: Rule) -> str:
    """The house that a rule is about."""
    return f"{rule[1]} {rule[2]}"


def houses(rules: Iterable[Rule]) -> str:
    """The houses of one kind that rules are about."""
    kinds = [(rule[1], rule[2]) for rule in rules]
    return f"{kinds[0][0]}s {listed(number for _, number in kinds)}"


def digits(rules: Iterable[Rule]) -> str:
    """The digits that rules of houses are about."""
    return listed(rule[3] for rule in rules)


def cell_of(rule: Rule) -> Cell:
    """The cell that a rule is about."""
    return Cell(int(rule[1]), int(rule[2]))


def cells(rules: Iterable[Rule]) -> str:
    """The cells that rules are about."""
    return listed(map(cell_of, rules))


def where(candidates: Iterable[Placement], word: str = "and") -> str:
    """The cells of candidates."""
    return listed(cells_in(candidates), word)


def digits_in(candidates: Iterable[Placement]) -> list[int]:
    """The digits of candidates, each once."""
    return sorted({each.digit for each in candidates})
