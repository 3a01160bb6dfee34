"""Sentences for locked sets and for fish with fins."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..._demands import cells_in
from ...errors import listed
from ...grid import Cell
from .._addition import Rule, meeting
from .._table import TECHNIQUES
from ._words import cells, gone, house, houses

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]


def _locked_set(step: Step) -> str:
    digits = sorted({rule[3] for rule in step.most})
    where = dict.fromkeys(house(rule) for rule in step.most)
    return (
        f"{cells(step.must)} hold {listed(digits)} between them, so these go from the rest of"
        f" {listed(where)}: {gone(step)}"
    )


def _fish(step: Step) -> str:
    digit, cover = step.must[0][3], _cover(step)
    fins = cells_in(dict(step.roles)["fin"])
    they, one = ("the fins", "one of the fins") if len(fins) > 1 else ("the fin", "the fin")
    return (
        f"in {houses(step.must)}, {digit} fits only in {houses(cover)}, but for {they}"
        f" {listed(fins)}.{_single(step, they, fins)}"
        f" Either {one} is {digit}, or {digit} goes from the rest of {houses(cover)}."
        f" In both cases this goes: {gone(step)}"
    )


def _single(step: Step, they: str, fins: tuple[Cell, ...]) -> str:
    """That a house of a sashimi fish has one candidate left without the fins."""
    if not step.technique.startswith("sashimi"):
        return ""
    left = {house(rule): sorted(_candidates(step, rule).difference(fins)) for rule in step.must}
    alone = [f"{where} has only {found[0]}" for where, found in left.items() if len(found) == 1]
    return f" Without {they}, {listed(alone)}."


def _cover(step: Step) -> tuple[Rule, ...]:
    """The lines across those of the base: the other links connect fins with what goes."""
    (line,) = {rule[1] for rule in step.must}
    fins = cells_in(dict(step.roles)["fin"])
    across = [rule for rule in step.most if rule[1] == ("row" if line == "column" else "column")]
    return tuple(rule for rule in across if not _candidates(step, rule).intersection(fins))


def _candidates(step: Step, rule: Rule) -> set[Cell]:
    """The cells where the digit of a rule can be."""
    return {
        each.cell
        for each in meeting(rule, step.puzzle.layout)
        if each.digit in step.candidates[each.row - 1][each.column - 1]
    }


SENTENCES: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(("locked_pair", "locked_triple"), _locked_set),
    **{key: _fish for key, technique in TECHNIQUES.items() if technique.program == "fish"},
}
