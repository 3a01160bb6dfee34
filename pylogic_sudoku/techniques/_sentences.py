"""The sentence of a step, without its full stop."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import _ahead, _als, _areas, _basic, _chains, _colours, _fish, _turbot, _uniqueness, _wings
from ._table import key_of

if TYPE_CHECKING:
    from ..explain import Step

__all__ = ["sentence"]

_SENTENCES = (
    _basic.SENTENCES
    | _ahead.SENTENCES
    | _turbot.SENTENCES
    | _wings.SENTENCES
    | _uniqueness.SENTENCES
    | _fish.SENTENCES
    | _colours.SENTENCES
    | _chains.SENTENCES
    | _als.SENTENCES
)


def sentence(step: Step) -> str:
    """What follows, and from what."""
    key = key_of(step.technique)
    in_area = key in _areas.SENTENCES and any(rule.beyond for rule in step.rules)
    return (_areas.SENTENCES if in_area else _SENTENCES)[key](step)
