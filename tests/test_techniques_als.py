"""Almost locked sets, death blossom and Sue de Coq against plain Python."""

from __future__ import annotations

import pytest
from helpers import techniques_als
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from helpers.technique_oracle import what
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_techniques import random_position, rows

import pylogic_sudoku as pls


def both(technique, shape, seed, share, extra):
    """What `find` and the oracle remove in a random position."""
    if isinstance(shape, int):
        grid, regions = next(all_solutions(jigsaw(shape, KEEP[shape], seed % 100))), REGIONS[shape]
    else:
        grid, regions = full_grid(shape, seed), None
    puzzle, left = random_position(grid, regions, seed, share, extra)
    steps = pls.techniques.find(puzzle, rows(left, puzzle.grid), technique)
    marks = {}
    for x, y, digit in left:
        marks.setdefault((x, y), set()).add(digit)
    expected = {*techniques_als.TECHNIQUES[technique](puzzle, marks)} - {frozenset()}
    return steps, expected


@pytest.mark.slow
@pytest.mark.parametrize("technique", techniques_als.TECHNIQUES)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (3, 2), (1, 5), (2, 4), *REGIONS, *REGIONS]),
    seed=st.integers(0, 10**6),
    share=st.integers(30, 70),
    extra=st.integers(5, 40),
)
def test_asp_finds_what_plain_python_finds(technique, shape, seed, share, extra):
    steps, expected = both(technique, shape, seed, share, extra)
    assert {what(step) for step in steps} == expected
    for step in steps[:3]:
        step.text()
        step.verify("prolog")
