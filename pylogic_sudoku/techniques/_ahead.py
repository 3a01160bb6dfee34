"""Sentences for forcing chains and forcing nets."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from ..grid import Placement
from ._words import cell_of, house

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["SENTENCES"]


def _ahead(step: Step) -> str:
    (supposed,) = step.removed
    follows = dict(step.roles).get("follows", ())
    *rules, broken = step.must
    told = [_told(*each) for each in zip(rules, follows, strict=True)]
    then = f", then {', '.join(told)}" if told else ""
    return (
        f"if {supposed.cell} were {supposed.digit}{then}, and {_nothing(broken)};"
        f" so {supposed.digit} goes from {supposed.cell}"
    )


def _told(rule: tuple[Any, ...], placement: Placement) -> str:
    if rule[0] == "filled":
        return f"{placement.cell} is {placement.digit}"
    return f"{placement.cell} is {placement.digit} (the last place in {house(rule)})"


def _nothing(rule: tuple[Any, ...]) -> str:
    if rule[0] == "filled":
        return f"nothing is left for {cell_of(rule)}"
    return f"{house(rule)} has no place for {rule[3]}"


SENTENCES: dict[str, Callable[[Step], str]] = {"forcing_chain": _ahead, "forcing_net": _ahead}
