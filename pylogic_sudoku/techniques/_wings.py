"""Sentences for wings."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..errors import listed
from ..explain._explanation import cells_in
from ._words import cell_of, house

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


def _xy_wing(step: Step) -> str:
    gone = step.removed[0].digit
    two = {
        cell_of(rule): step.candidates[cell_of(rule).row - 1][cell_of(rule).column - 1]
        for rule in step.must
    }
    pivot = next(cell for cell, digits in two.items() if gone not in digits)
    ways = [
        f"if it is {digit}, then {cell} is {gone}"
        for digit in sorted(two[pivot])
        for cell, digits in two.items()
        if digits == {digit, gone}
    ]
    return (
        f"{pivot} is {listed(sorted(two[pivot]), 'or')}: {'; '.join(ways)}."
        f" Either way {gone} goes from {listed(cells_in(step.removed))}, which both see"
    )


def _xyz_wing(step: Step) -> str:
    roles, gone = dict(step.roles), step.removed[0].digit
    pivot = roles["pivot"][0].cell
    digits = sorted({each.digit for each in roles["pivot"]})
    ways = [
        f"if it is {each.digit}, then {each.cell} is {gone}"
        for each in sorted(roles["pincer"], key=lambda each: each.digit)
        if each.digit != gone
    ]
    return (
        f"{pivot} is {listed(digits, 'or')}: {'; '.join(ways)}. In any case {gone} goes from"
        f" {listed(cells_in(step.removed))}, which all three see"
    )


def _w_wing(step: Step) -> str:
    (first, other), (near, far) = step.chain[:2], step.chain[2:4]
    cells = [step.chain[0][0].cell, step.chain[-1][0].cell]
    (gone, *_), (linked, *_) = first, other
    strong = next(rule for rule in step.must if rule[0] == "somewhere")
    return (
        f"{listed(cells)} are both {listed(sorted((gone.digit, linked.digit)), 'or')}. In"
        f" {house(strong)}, {linked.digit} fits only in {near[0].cell} and {far[0].cell}, so one of"
        f" the two sees a {linked.digit} and is {gone.digit}: {gone.digit} goes from"
        f" {listed(cells_in(step.removed))}, which both see"
    )


SENTENCES: dict[str, Callable[[Step], str]] = {
    "w_wing": _w_wing,
    "xy_wing": _xy_wing,
    "xyz_wing": _xyz_wing,
}
