"""Sentences for locked sets, for fish with fins or boxes, and for templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from typing import TYPE_CHECKING

from ..._demands import cells_in
from ...errors import listed
from ...grid import Cell
from .._addition import Rule, meeting
from .._table import TECHNIQUES
from ._words import cells, gone, house

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]

_PLURALS = {"row": "rows", "column": "columns", "box": "boxes", "region": "regions"}


def _locked_set(step: Step) -> str:
    digits = sorted({rule[3] for rule in step.most})
    where = dict.fromkeys(house(rule) for rule in step.most)
    return (
        f"{cells(step.must)} hold {listed(digits)} between them, so these go from the rest of"
        f" {listed(where)}: {gone(step)}"
    )


def _fish(step: Step) -> str:
    digit, (base, cover) = step.must[0][3], _sides(step)
    start = f"in {_several(step.must)}, {digit} fits only in {_several(cover)}"
    if not step.roles:
        twice = [each.cell for each in step.removed if each.cell in base]
        also = f". {listed(twice)} would use up two of these houses at once" if twice else ""
        return f"{start}, so it goes from the rest of these: {gone(step)}{also}"
    fins = [cell for _, several in step.roles for cell in cells_in(several)]
    they, one = ("the fins", "one of the fins") if len(fins) > 1 else ("the fin", "the fin")
    return (
        f"{start}, but for {they} {listed(fins)}.{_endo(step)}{_single(step, they, fins)}"
        f" Either {one} is {digit}, or {digit} goes from the rest of {_several(cover)}."
        f" In both cases this goes: {gone(step)}"
    )


def _endo(step: Step) -> str:
    """Why a candidate is a fin, though it may be in the cover."""
    endo = cells_in(dict(step.roles).get("endo fin", ()))
    both = {
        cell: [f"in {house(rule)}" for rule in step.must if cell in _candidates(step, rule)]
        for cell in endo
    }
    return "".join(f" {cell} counts as one, as it is {listed(both[cell])}." for cell in endo)


def _single(step: Step, they: str, fins: list[Cell]) -> str:
    """That a house of a sashimi fish has one candidate left without the fins."""
    if not step.technique.startswith("sashimi"):
        return ""
    left = {house(rule): sorted(_candidates(step, rule).difference(fins)) for rule in step.must}
    alone = [f"{where} has only {found[0]}" for where, found in left.items() if len(found) == 1]
    return f" Without {they}, {listed(alone)}."


def _sides(step: Step) -> tuple[set[Cell], tuple[Rule, ...]]:
    """The cells of the base, and the cover: the other links connect fins with what goes."""
    base = set().union(*(_candidates(step, rule) for rule in step.must))
    fins = {each.cell for _, several in step.roles for each in several}
    outside = {each.cell for each in dict(step.roles).get("fin", ())}
    for cover in combinations(step.most, len(step.must)):
        covered = [cell for rule in cover for cell in _candidates(step, rule)]
        enough = all(covered.count(cell) > (cell in base) for cell in cells_in(step.removed))
        if enough and base - fins <= {*covered} and outside.isdisjoint(covered):
            return base, cover
    raise ValueError(f"{step!r} is not a fish")


def _candidates(step: Step, rule: Rule) -> set[Cell]:
    """The cells where the digit of a rule can be."""
    return {
        each.cell
        for each in meeting(rule, step.puzzle.layout)
        if each.digit in step.candidates[each.row - 1][each.column - 1]
    }


def _several(rules: Iterable[Rule]) -> str:
    """The houses of any kinds that rules are about: ``rows 2 and 5 and box 9``."""
    numbers: dict[str, list[int]] = {"row": [], "column": []}  # lines first
    for rule in rules:
        numbers.setdefault(rule[1], []).append(rule[2])
    return listed(
        f"{_PLURALS[kind] if len(several) > 1 else kind} {listed(several)}"
        for kind, several in numbers.items()
        if several
    )


def _template_set(step: Step) -> str:
    assert step.placed
    cell, digit = step.placed.cell, step.placed.digit
    return f"{cell} is {digit}, as every way to place the missing {digit}s puts one there"


def _template_delete(step: Step) -> str:
    digit = step.must[0][3]
    return f"no way to place the missing {digit}s puts one in any of these cells: {gone(step)}"


SENTENCES: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(("locked_pair", "locked_triple"), _locked_set),
    **{key: _fish for key, technique in TECHNIQUES.items() if technique.program == "fish"},
    "template_set": _template_set,
    "template_delete": _template_delete,
}
