"""Each technique in positions of our own, in which it is the simplest step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from helpers.positions import Labelled, positions

import pylogic_sudoku as pls
from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.clingo.techniques import Position
from pylogic_sudoku.techniques import TECHNIQUES, find
from pylogic_sudoku.techniques._addition import standing

POSITIONS = [*positions()]


def step_of(position: Labelled) -> pls.Step:
    """The step that is expected; fails if it is not found."""
    technique, grid, candidates, *expected = position
    found = find(grid, candidates, technique)
    return next(each for each in found if [each.placed, {*each.removed}] == expected)


def quick() -> Iterator[object]:
    """One position of each technique; the others are marked as slow."""
    seen = set[str]()
    for position in POSITIONS:
        marks = [pytest.mark.slow] if position.technique in seen else []
        seen.add(position.technique)
        yield pytest.param(position, marks=marks, id=position.technique)


def test_every_technique_has_a_position():
    named = {each.name for each in TECHNIQUES.values()} - {"minimal set"}
    assert {each.technique for each in POSITIONS} == named


@pytest.mark.parametrize("position", [*quick()])
def test_the_technique_is_found_with_exactly_what_follows(position):
    step = step_of(position)
    assert step.technique == position.technique
    assert step.text()
    if not step.adds_up():
        step.verify("clingo")


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_prolog_proves_the_step_and_there_is_a_picture(position):
    step = step_of(position)
    step.verify("prolog")
    assert step.picture().to_svg().startswith("<svg")


def simpler(position: Labelled) -> Iterator[str]:
    """The techniques that stand before this one and apply.

    One object answers for all programs, so each is ground once.
    """
    left = standing(position.candidates)
    asked = Position(position.grid.layout, left, Budget("clingo", None))
    for key, technique in TECHNIQUES.items():
        if technique.name == position.technique:
            return
        if technique.program and not position.grid.layout.rules:
            found = asked.by(key, left)
        else:
            found = find(position.grid, position.candidates, key)
        if found:
            yield technique.name


@pytest.mark.slow
@pytest.mark.parametrize("position", POSITIONS, ids=str)
def test_no_simpler_technique_applies(position):
    assert [*simpler(position)] == []
