"""Locked sets, fish with fins or boxes, and templates, against the same in plain Python."""

from __future__ import annotations

import pytest
from helpers import techniques_fish
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from helpers.technique_oracle import what
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_techniques import EMPTY, Placements, only, random_position, rows

import pylogic_sudoku as pls
from pylogic_sudoku.techniques import TECHNIQUES, find

ORACLE = techniques_fish.TECHNIQUES
FISH = [each.name for each in TECHNIQUES.values() if each.program == "fish"]
MARKS = {"locked pair", "locked triple", "template set", "template delete"}


def pattern(text: str, digit: int = 5) -> Placements:
    """All candidates, but this digit only where the text has an x."""
    here = {divmod(index, 9) for index, mark in enumerate("".join(text.split())) if mark == "x"}
    cells = {(row + 1, column + 1) for row, column in here}
    return frozenset((x, y, d) for x, y, d in only({}) if d != digit or (x, y) in cells)


def found(technique: str, left: Placements) -> list[pls.Step]:
    return find(EMPTY, rows(left, EMPTY), technique)


def gone(steps: list[pls.Step]) -> set:
    return {what(step) for step in steps}


# --- every position of which a full grid is a part ------------------------------------------------


def check(technique: str, shape, seed: int, share: int, extra: int) -> int:
    """The number of different steps that there are."""
    if isinstance(shape, int):
        grid, regions = next(all_solutions(jigsaw(shape, KEEP[shape], seed % 100))), REGIONS[shape]
    else:
        grid, regions = full_grid(shape, seed), None
    puzzle, left = random_position(grid, regions, seed, share, extra)
    marks: techniques_fish.Position = {}
    for x, y, digit in left:
        marks.setdefault((x, y), set()).add(digit)
    expected = set(ORACLE[technique](puzzle, marks)) - {frozenset()}
    assert gone(find(puzzle, rows(left, puzzle.grid), technique)) == expected
    return len(expected)


def test_the_oracle_knows_all():
    assert {*ORACLE} == {*FISH} | MARKS


@pytest.mark.parametrize(
    ("technique", "seed"),
    [
        ("locked pair", 5),
        ("finned X-wing", 5),
        ("sashimi swordfish", 5),
        ("finned Franken X-wing", 5),
        ("mutant X-wing", 5),
        ("template set", 5),
        ("template delete", 5),
    ],
)
def test_some_steps_are_those_of_plain_python(technique, seed):
    assert check(technique, (2, 3), seed, 20, 30)


@pytest.mark.slow
@pytest.mark.parametrize("technique", ORACLE)
@settings(max_examples=4, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (3, 2), 4, 5]),
    seed=st.integers(0, 10**6),
    share=st.integers(0, 70),
    extra=st.integers(5, 60),
)
def test_asp_finds_what_plain_python_finds(technique, shape, seed, share, extra):
    check(technique, shape, seed, share, extra)
