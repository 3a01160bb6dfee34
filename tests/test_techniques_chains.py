"""Chains in ASP against every path that plain Python walks."""

from __future__ import annotations

import pytest
from helpers import techniques_chains
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_techniques import random_position, step

from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.clingo.techniques import Position

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
    if isinstance(shape, int):
        grid, regions = next(all_solutions(jigsaw(shape, KEEP[shape], seed % 100))), REGIONS[shape]
    else:
        grid, regions = full_grid(shape, seed), None
    puzzle, left = random_position(grid, regions, seed, share, extra)
    found = Position(puzzle.layout, left, Budget("clingo", None)).by(technique, left, ())
    for each in found[:20]:
        step(each, left, puzzle).verify("clingo")
    marks = {}
    for x, y, digit in left:
        marks.setdefault((x, y), set()).add(digit)
    oracle, groups = techniques_chains.TECHNIQUES[technique]
    expected = {*oracle(techniques_chains.Links(puzzle, marks, groups), MOST[groups])}
    short = technique == "remote_pair" or 2 * MOST[groups]
    got = {frozenset(each.removed) for each in found if short is True or len(each.chain) <= short}
    assert got == {frozenset(map(tuple, each)) for each in expected} - {frozenset()}
