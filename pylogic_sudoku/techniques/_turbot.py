"""Sentences for turbot fish: skyscraper, 2-string kite, and empty rectangle too."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from ..errors import listed
from ..explain._explanation import cells_in
from ..grid import Placement
from ._addition import meeting
from ._words import gone, house

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


def _turbot(step: Step) -> str:
    if not step.chain:
        return _dual_kite(step)
    (first,), (one,), (other,), (last,) = step.chain
    pairs = ((first, one), (other, last))
    links = [f"{_link(step, *pair)} only in {_cells(sorted(pair))}" for pair in pairs]
    return (
        f"{first.digit} fits in {listed(links, 'and in')}. {_touching(step, one, other)}. Hence"
        f" {first.cell} or {last.cell} is {first.digit}, and {first.digit} goes from"
        f" {_cells(step.removed)}, which both see"
    )


def _dual_kite(step: Step) -> str:
    kites = [set(candidates) for _, candidates in step.roles]
    one, other = sorted(kites[0] & kites[1])
    pairs = [_cells(sorted(kite - {one, other}), "or") for kite in kites]
    return (
        f"in {listed(map(house, step.must))}, {one.digit} fits only in two cells each."
        f" {_touching(step, one, other)}. Hence {pairs[0]} is {one.digit}, and so is {pairs[1]}."
        f" It goes from the cells that both of a pair see: {gone(step)}"
    )


def _empty_rectangle(step: Step) -> str:
    roles = dict(step.roles)
    digit, rectangle = step.removed[0].digit, roles.pop("rectangle")
    layout = step.puzzle.layout
    box = next(rule for rule in step.must if set(rectangle) <= meeting(rule, layout))
    corner = f"in {house(box)}, {digit} is left only in {_cells(rectangle)}"
    if not step.chain:
        links = [f"in {_link(step, *link)} only in {_cells(link)}" for link in roles.values()]
        return f"{corner}; {listed(links)}. Two empty rectangles remove this: {gone(step)}"
    part, _, (near,), (far,) = step.chain
    return (
        f"{corner}, and in {_link(step, near, far)} only in {_cells(sorted((near, far)))}. If"
        f" {far.cell} is not {digit}, then {near.cell} is, and {house(box)} holds it in"
        f" {_cells(part, 'or')}. Either way {digit} goes from {_cells(step.removed)}"
    )


def _link(step: Step, one: Placement, other: Placement) -> str:
    """The house in which two candidates make a strong link."""
    layout = step.puzzle.layout
    return house(next(rule for rule in step.must if {one, other} <= meeting(rule, layout)))


def _touching(step: Step, one: Placement, other: Placement) -> str:
    layout = step.puzzle.layout
    touch = next(rule for rule in step.most if {one, other} <= meeting(rule, layout))
    return f"{one.cell} and {other.cell} are both in {house(touch)}, so they do not both hold it"


def _cells(candidates: Iterable[Placement], word: str = "and") -> str:
    return listed(cells_in(candidates), word)


SENTENCES: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(("skyscraper", "two_string_kite", "turbot_fish"), _turbot),
    "empty_rectangle": _empty_rectangle,
}
