"""Almost locked sets, death blossom and Sue de Coq against plain Python."""

from __future__ import annotations

import pytest
from helpers import techniques_als
from helpers.jigsaws import REGIONS
from helpers.positions import positions
from helpers.technique_oracle import by_cell, random_position, rows, what
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls


def both(technique, shape, seed, share, extra):
    """What `find` and the oracle remove in a random position."""
    puzzle, left = random_position(shape, seed, share, extra)
    steps = pls.techniques.find(puzzle, rows(left, puzzle.grid), technique)
    marks = by_cell(left)
    expected = {*techniques_als.TECHNIQUES[technique](puzzle, marks)} - {frozenset()}
    return steps, expected


@pytest.mark.slow
@pytest.mark.parametrize("technique", techniques_als.TECHNIQUES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (1, 5), *REGIONS]),
    seed=st.integers(0, 10**6),
    share=st.integers(50, 75),
    extra=st.integers(5, 35),
)
def test_asp_finds_what_plain_python_finds(technique, shape, seed, share, extra):
    steps, expected = both(technique, shape, seed, share, extra)
    assert {what(step) for step in steps} == expected
    for step in steps[:3]:
        step.text()
        step.verify("prolog")


POSITIONS = [each for each in positions() if each.technique in techniques_als.TECHNIQUES]


def test_there_is_a_position_of_each():
    assert {each.technique for each in POSITIONS} == techniques_als.TECHNIQUES.keys()


@pytest.mark.parametrize(
    ("technique", "shape", "seed"),
    [
        *(("ALS-XZ", 5, seed) for seed in (1, 2, 3)),
        *(("Sue de Coq", 5, seed) for seed in (1, 2, 3)),
        *(("ALS-XY-wing", 5, seed) for seed in (1, 5)),
        *(("ALS-XY-chain", (2, 2), seed) for seed in (1, 5)),
        *(("death blossom", 5, seed) for seed in (1, 5)),
    ],
)
def test_some_steps_are_those_of_plain_python(technique, shape, seed):
    steps, expected = both(technique, shape, seed, 40, 30)
    assert {what(step) for step in steps} == expected
