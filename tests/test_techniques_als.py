"""Almost locked sets against plain Python."""

from __future__ import annotations

import pytest
from helpers import techniques_als
from helpers.jigsaws import REGIONS
from helpers.technique_oracle import by_cell, random_position, rows, what
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import pylogic_sudoku as pls


def both(shape, seed, share, extra):
    """What `find` and the oracle remove in a random position."""
    puzzle, left = random_position(shape, seed, share, extra)
    steps = pls.techniques.find(puzzle, rows(left, puzzle.grid), "ALS-XZ")
    marks = by_cell(left)
    expected = {*techniques_als.als_xz(puzzle, marks)} - {frozenset()}
    return steps, expected


@pytest.mark.slow
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (1, 5), *REGIONS]),
    seed=st.integers(0, 10**6),
    share=st.integers(50, 75),
    extra=st.integers(5, 35),
)
def test_asp_finds_what_plain_python_finds(shape, seed, share, extra):
    steps, expected = both(shape, seed, share, extra)
    assert {what(step) for step in steps} == expected
    for step in steps[:3]:
        step.text()
        step.verify("prolog")


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_some_steps_are_those_of_plain_python(seed):
    steps, expected = both(5, seed, 40, 30)
    assert {what(step) for step in steps} == expected
