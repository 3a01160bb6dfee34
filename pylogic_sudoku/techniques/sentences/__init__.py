"""The sentence of a step: what follows, and from what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .._table import key_of
from . import _als, _basic, _chains, _fish
from ._words import gone

if TYPE_CHECKING:
    from ...explain import Step

__all__ = ["gone", "sentence"]

_SENTENCES = _basic.SENTENCES | _fish.SENTENCES | _chains.SENTENCES | _als.SENTENCES


def sentence(step: Step) -> str:
    """The sentence, without its full stop."""
    key = key_of(step.technique)
    in_area = key in _basic.IN_AREAS and any(rule.beyond for rule in step.rules)
    return (_basic.IN_AREAS if in_area else _SENTENCES)[key](step)
