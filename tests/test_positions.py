"""Each technique in positions of our own, in which it is the simplest step."""

from __future__ import annotations

import pytest
from helpers.positions import Labelled, positions

import pylogic_sudoku as pls
from pylogic_sudoku.techniques import TECHNIQUES

POSITIONS = [*positions()]

ALIKE = {
    "AIC": "discontinuous nice loop",
    "grouped AIC": "grouped discontinuous nice loop",
}
"""With every such loop there is a chain that removes one of the candidates next to it in the loop,
and that is a step of its own, as hard as the loop."""


def found(position: Labelled, technique: str) -> list[pls.Step]:
    return pls.techniques.find(
        position.grid, position.candidates, technique, givens=position.givens
    )


@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_the_technique_is_found_with_exactly_what_follows(position):
    expected = (position.placed, position.removed)
    steps = [
        step
        for step in found(position, position.technique)
        if (step.placed, frozenset(step.removed)) == expected
    ]
    assert steps
    for step in steps[:1]:
        assert step.technique == position.technique
        step.text()
        step.picture()
        step.verify("prolog")


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_no_simpler_technique_applies(position):
    for technique in TECHNIQUES.values():
        if technique.name == position.technique:
            return
        if ALIKE.get(technique.name) == position.technique:
            continue
        assert not technique.program or found(position, technique.name) == [], technique.name
