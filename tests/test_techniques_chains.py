"""Chains in ASP against every path that plain Python walks."""

from __future__ import annotations

import pytest
from helpers import techniques_chains
from helpers.jigsaws import REGIONS
from helpers.positions import positions
from helpers.technique_oracle import by_cell, random_position
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_techniques import step

from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.clingo.techniques import Position
from pylogic_sudoku.techniques import find
from pylogic_sudoku.techniques._addition import standing

MOST = {False: 4, True: 3}
"""Strong links of the chains that are compared, without groups and with them."""


@pytest.mark.slow
@pytest.mark.parametrize("technique", techniques_chains.TECHNIQUES)
@settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 3), *REGIONS, *REGIONS]),
    seed=st.integers(0, 10**6),
    share=st.integers(30, 70),
    extra=st.integers(5, 30),
)
def test_asp_finds_what_plain_python_finds(technique, shape, seed, share, extra):
    puzzle, left = random_position(shape, seed, share, extra)
    found = Position(puzzle.layout, left, Budget("clingo", None)).by(technique, left)
    for each in found[:20]:
        step(each, left, puzzle).verify("clingo")
    marks = by_cell(left)
    oracle, groups = techniques_chains.TECHNIQUES[technique]
    expected = {*oracle(techniques_chains.Links(puzzle, marks, groups), MOST[groups])}
    short = technique == "remote_pair" or 2 * MOST[groups]
    got = {frozenset(each.removed) for each in found if short is True or len(each.chain) <= short}
    assert got == {frozenset(map(tuple, each)) for each in expected} - {frozenset()}


# --- in words -----------------------------------------------------------------------------------

KNOWN = {str(position): position for position in positions()}


def shortest(technique: str):
    position = KNOWN[technique]
    found = find(position.grid, position.candidates, technique)
    found = [step for step in found if {*step.removed} == position.removed]
    return min(found, key=lambda step: (len(step.chain), step.removed))


def test_a_chain_alternates_and_ends_with_a_digit_that_holds():
    said = shortest("XY-chain")
    assert said.text() == (
        "If r6c5 is not 1, then r6c5 is 7, so r5c4 is not 7, so r5c4 is 9, so r5c1 is not 9, so"
        " r5c1 is 5, so r9c1 is not 5, so r9c1 is 1. So r6c5 is 1, or r9c1 is 1, or both, and"
        " whatever clashes with both goes: 1 from r9c5."
    )
    assert said.adds_up()


def test_a_group_is_several_cells():
    said = shortest("grouped AIC")
    assert "so 8 is in r8c8 or r9c8, so 8 is not in r7c7 or r7c9, so r7c2 is 8" in said.text()


def test_steps_take_the_shortest_chain():
    position = KNOWN["XY-chain"]
    left = standing(position.candidates)
    asked = Position(position.grid.layout, left, Budget("clingo", None))
    every = asked.by("xy_chain", left)
    first = asked.by("xy_chain", left, shortest=True)
    least = min(len(each.chain) for each in every)
    assert {len(each.chain) for each in first} == {least}
    assert {each.removed for each in first} == {
        each.removed for each in every if len(each.chain) == least
    }
