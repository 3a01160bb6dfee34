"""Sentences for techniques that assume one solution."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..._demands import cells_in
from ...errors import listed
from ...grid import Cell, Placement
from ._words import digits_in, gone, house, where

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]


def _part(step: Step, role: str) -> tuple[Placement, ...]:
    """The candidates that play a part."""
    return dict(step.roles).get(role, ())


def _roof(step: Step) -> list[Cell]:
    """The corners that may hold a third digit."""
    return list(cells_in(_part(step, "extra")))


def _danger(step: Step) -> str:
    """Which pattern must not come about."""
    rectangle = _part(step, "rectangle")
    return (
        f"if {where(rectangle)} held only {listed(digits_in(rectangle))}, these could be"
        " swapped, and there would be two solutions"
    )


def _third(step: Step) -> str:
    return listed(digits_in(_part(step, "extra")), "or")


def _1(step: Step) -> str:
    (roof,) = _roof(step)
    return f"{_danger(step)}; so {roof} is {_third(step)}, and this goes: {gone(step)}"


def _2(step: Step) -> str:
    return (
        f"{_danger(step)}; so {listed(_roof(step), 'or')} is {_third(step)}, which goes from"
        f" {where(step.removed)}, which {_see(step)}"
    )


def _see(step: Step) -> str:
    see = "sees" if len(cells_in(step.removed)) == 1 else "see"
    return f"{see} {'both' if len(_roof(step)) == 2 else 'all of them'}"


def _3(step: Step) -> str:
    subset = _part(step, "subset")
    digits = sorted({*digits_in(subset), *digits_in(_part(step, "extra"))})
    together = {*_roof(step), *cells_in(subset)}
    within = [each for each in step.puzzle.houses if together.issubset(each.cells)]
    return (
        f"{_danger(step)}; so {listed(_roof(step), 'or')} is {_third(step)}. In {listed(within)},"
        f" that cell and {where(subset)} use up {listed(digits)}, so these go from other cells:"
        f" {gone(step)}"
    )


def _4(step: Step) -> str:
    (rule,) = _strong(step)
    return (
        f"{_danger(step)}. In {house(rule)}, {rule[3]} fits only in {listed(_roof(step), 'or')}, so"
        f" neither of them is {step.removed[0].digit}: {gone(step)}"
    )


def _strong(step: Step) -> list[tuple[object, ...]]:
    return [rule for rule in step.must if rule[0] == "somewhere"]


def _6(step: Step) -> str:
    one, other = _strong(step)
    digit, (first, second) = one[3], _roof(step)
    return (
        f"{_danger(step)}. In {house(one)} and {house(other)}, {digit} fits only in these cells, so"
        f" {first} and {second} are both {digit}, or neither is. With both, the others would be"
        f" {_other(step, digit)}; so neither is {digit}: {gone(step)}"
    )


def _other(step: Step, digit: object) -> int:
    (other,) = {*digits_in(_part(step, "rectangle"))} - {digit}
    return int(str(other))


def _hidden(step: Step) -> str:
    one, other = _strong(step)
    (removed,) = step.removed
    return (
        f"{_danger(step)}. In {house(one)} and {house(other)}, {one[3]} fits only in these cells."
        f" With {removed.digit} in {removed.cell}, both corners beside it would be {one[3]}, and"
        f" the opposite one {removed.digit}; so {removed.digit} goes from {removed.cell}"
    )


def _avoidable(step: Step) -> str:
    rectangle = _part(step, "rectangle")
    filled = [each.cell for each in rectangle if step.grid[each.cell]]
    return (
        f"{listed(filled)} are not given; {_danger(step).replace(' only', '', 1)};"
        f" so {_why_avoided(step)}"
    )


def _why_avoided(step: Step) -> str:
    if not _part(step, "extra"):
        return f"this goes: {gone(step)}"
    return (
        f"{listed(_roof(step), 'or')} is {_third(step)}, which goes from"
        f" {where(step.removed)}, which {_see(step)}"
    )


def _grave(step: Step) -> str:
    (extra,) = _part(step, "extra")
    return (
        f"without {extra.digit} in {extra.cell}, each cell would have two candidates and each digit"
        " two places in its houses; all could be swapped, and there would be two solutions. So"
        f" {extra.cell} is {extra.digit}, and this goes: {gone(step)}"
    )


SENTENCES: dict[str, Callable[[Step], str]] = {
    "unique_rectangle_1": _1,
    "unique_rectangle_2": _2,
    "unique_rectangle_3": _3,
    "unique_rectangle_4": _4,
    "unique_rectangle_5": _2,
    "unique_rectangle_6": _6,
    "hidden_rectangle": _hidden,
    "avoidable_rectangle_1": _avoidable,
    "avoidable_rectangle_2": _avoidable,
    "bug_plus_1": _grave,
}
