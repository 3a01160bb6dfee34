"""Sentences for chains of all kinds: turbot fish, wings, colours and chains."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from ...errors import listed
from ...grid import Placement
from .._addition import meeting
from ._words import cell_of, digits_in, gone, house, where

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["SENTENCES"]

Node = tuple[Placement, ...]


# --- turbot fish ---


def _turbot(step: Step) -> str:
    if not step.chain:
        return _dual_kite(step)
    (first,), (one,), (other,), (last,) = step.chain
    pairs = ((first, one), (other, last))
    links = [f"{_link(step, *pair)} only in {where(sorted(pair))}" for pair in pairs]
    return (
        f"{first.digit} fits in {listed(links, 'and in')}. {_touching(step, one, other)}. Hence"
        f" {first.cell} or {last.cell} is {first.digit}, and {first.digit} goes from"
        f" {where(step.removed)}, which both see"
    )


def _dual_kite(step: Step) -> str:
    kites = [set(candidates) for _, candidates in step.roles]
    one, other = sorted(kites[0] & kites[1])
    pairs = [where(sorted(kite - {one, other}), "or") for kite in kites]
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
    corner = f"in {house(box)}, {digit} is left only in {where(rectangle)}"
    if not step.chain:
        links = [f"in {_link(step, *link)} only in {where(link)}" for link in roles.values()]
        return f"{corner}; {listed(links)}. Two empty rectangles remove this: {gone(step)}"
    part, _, (near,), (far,) = step.chain
    return (
        f"{corner}, and in {_link(step, near, far)} only in {where(sorted((near, far)))}. If"
        f" {far.cell} is not {digit}, then {near.cell} is, and {house(box)} holds it in"
        f" {where(part, 'or')}. Either way {digit} goes from {where(step.removed)}"
    )


def _link(step: Step, one: Placement, other: Placement) -> str:
    """The house in which two candidates make a strong link."""
    layout = step.puzzle.layout
    return house(next(rule for rule in step.must if {one, other} <= meeting(rule, layout)))


def _touching(step: Step, one: Placement, other: Placement) -> str:
    layout = step.puzzle.layout
    touch = next(rule for rule in step.most if {one, other} <= meeting(rule, layout))
    return f"{one.cell} and {other.cell} are both in {house(touch)}, so they do not both hold it"


# --- wings ---


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
        f" Either way {gone} goes from {where(step.removed)}, which both see"
    )


def _xyz_wing(step: Step) -> str:
    roles, gone = dict(step.roles), step.removed[0].digit
    pivot = roles["pivot"][0].cell
    digits = digits_in(roles["pivot"])
    ways = [
        f"if it is {each.digit}, then {each.cell} is {gone}"
        for each in sorted(roles["pincer"], key=lambda each: each.digit)
        if each.digit != gone
    ]
    return (
        f"{pivot} is {listed(digits, 'or')}: {'; '.join(ways)}. In any case {gone} goes from"
        f" {where(step.removed)}, which all three see"
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
        f" {where(step.removed)}, which both see"
    )


# --- colours ---


def _simple_colours(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    said = f"by strong links, {digit} is in {_either(colours)}"
    if set(step.removed) <= set(colours["1a"]):
        return (
            f"{said}. Two of {where(step.removed)} see each other, so {digit} goes from all of"
            " these"
        )
    return f"{said}. So it goes from {where(step.removed)}, which {_see(step)} both"


def _multi_colours(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    first, second = ({each: colours[each] for each in (f"{n}a", f"{n}b")} for n in (1, 2))
    said = f"by strong links, {digit} is in {_either(first)}, and it is in {_either(second)}"
    if set(step.removed) == set(colours["1a"]):
        return (
            f"{said}. Of {where(step.removed)}, some see {_all(colours['2a'])} and some"
            f" {_all(colours['2b'])}, so {digit} goes from all of these"
        )
    return (
        f"{said}. It cannot be in {_all(colours['1a'])} and in {_all(colours['2a'])} at once, as"
        f" two of these cells see each other. Hence it is in {_all(colours['1b'])} or in"
        f" {_all(colours['2b'])}, and it goes from {where(step.removed)}, which {_see(step)} both"
    )


def _colours(step: Step) -> dict[str, tuple[Placement, ...]]:
    return {role.removeprefix("colour "): candidates for role, candidates in step.roles}


def _either(colours: dict[str, tuple[Placement, ...]]) -> str:
    return " or in ".join(map(_all, colours.values()))


def _see(step: Step) -> str:
    return "see" if len(step.removed) > 1 else "sees"


def _all(colour: tuple[Placement, ...]) -> str:
    return f"all of {where(colour)}" if len(colour) > 1 else where(colour)


# --- chains ---


def _holds(node: Node, on: bool) -> str:
    """That a node holds or not."""
    digit, cells = node[0].digit, [each.cell for each in node]
    if len(node) == 1:
        return f"{cells[0]} is {digit}" if on else f"{cells[0]} is not {digit}"
    several = listed(cells, "or")
    return f"{digit} is in {several}" if on else f"{digit} is not in {several}"


def _told(chain: Sequence[Node]) -> str:
    """``if r1c2 is not 5, then r1c7 is 5, so r4c7 is not 5, so r4c3 is 5``."""
    first, second, *rest = [_holds(node, number % 2 == 1) for number, node in enumerate(chain)]
    return ", so ".join([f"if {first}, then {second}", *rest])


def _chain(step: Step) -> str:
    first, last = step.chain[0], step.chain[-1]
    return (
        f"{_told(step.chain)}. So {_holds(first, True)}, or {_holds(last, True)}, or both, and"
        f" whatever clashes with both goes: {gone(step)}"
    )


def _remote_pair(step: Step) -> str:
    cells = [node[0].cell for node in step.chain[::2]]
    one, other = sorted(step.chain[i][0].digit for i in (0, 1))
    return (
        f"{listed(cells)} hold only {one} or {other}, and each sees the next, so the two digits"
        f" take turns. Two of the cells that are an odd number of turns apart hold both digits"
        f" between them, so these go from cells that see both: {gone(step)}"
    )


SENTENCES: dict[str, Callable[[Step], str]] = {
    **dict.fromkeys(("skyscraper", "two_string_kite", "turbot_fish"), _turbot),
    "empty_rectangle": _empty_rectangle,
    "w_wing": _w_wing,
    "xy_wing": _xy_wing,
    "xyz_wing": _xyz_wing,
    "simple_colours": _simple_colours,
    "multi_colours": _multi_colours,
    "remote_pair": _remote_pair,
    **dict.fromkeys(("x_chain", "xy_chain", "aic", "grouped_aic"), _chain),
}
