"""Locked sets and fish with fins: what they find, and what they say."""

from __future__ import annotations

import re

import pytest
from helpers import techniques_fish
from helpers.technique_oracle import by_cell, random_position, rows, what
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from test_techniques import EMPTY, Placements, only, run_by_hand

import pylogic_sudoku as pls
from pylogic_sudoku.techniques import TECHNIQUES, find

ORACLE = techniques_fish.TECHNIQUES
FISH = [each.name for each in TECHNIQUES.values() if each.program == "fish"]
MARKS = {"locked pair", "locked triple"}


def pattern(text: str, digit: int = 5) -> Placements:
    """This digit where the text has an x, and no candidates of others: they do not matter."""
    here = [divmod(index, 9) for index, mark in enumerate("".join(text.split())) if mark == "x"]
    return frozenset((row + 1, column + 1, digit) for row, column in here)


def pair() -> Placements:
    """A locked pair, and the candidates in its houses."""
    cells = only({"r3c1": {2, 5}, "r3c2": {2, 5}})
    return frozenset((x, y, d) for x, y, d in cells if x == 3 or (x < 3 and y < 4))


def found(technique: str, left: Placements) -> list[pls.Step]:
    return find(EMPTY, rows(left, EMPTY), technique)


def gone(steps: list[pls.Step]) -> set:
    return {what(step) for step in steps}


# --- every position of which a full grid is a part ------------------------------------------------


def check(technique: str, shape, seed: int, share: int, extra: int) -> int:
    """The number of different steps that there are."""
    puzzle, left = random_position(shape, seed, share, extra)
    marks = by_cell(left)
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


# --- what it says ---------------------------------------------------------------------------------

# In rows 2 and 7, the digit is in columns 3 and 8, and in row 2 also in column 9.
FINNED = pattern(
    """
    xxxxxxxxx
    --x----xx
    xxxxxxxxx
    xxxxxxxxx
    xxxxxxxxx
    xxxxxxxxx
    --x----x-
    xxxxxxxxx
    xxxxxxxxx
    """
)
SASHIMI = FINNED - {(2, 8, 5)}
SENTENCES = {
    "locked pair": (
        pair(),
        "r3c1 and r3c2 hold 2 and 5 between them, so these go from the rest of box 1 and row 3: 2"
        " and 5 from r1c1, r1c2, r1c3, r2c1, r2c2, r2c3, r3c3, r3c4, r3c5, r3c6, r3c7, r3c8 and"
        " r3c9.",
    ),
    "finned X-wing": (
        FINNED,
        "In rows 2 and 7, 5 fits only in columns 3 and 8, but for the fin r2c9. Either the fin is"
        " 5, or 5 goes from the rest of columns 3 and 8. In both cases this goes: 5 from r1c8 and"
        " r3c8.",
    ),
    "sashimi X-wing": (
        SASHIMI,
        "In rows 2 and 7, 5 fits only in columns 3 and 8, but for the fin r2c9. Without the fin,"
        " row 2 has only r2c3. Either the fin is 5, or 5 goes from the rest of columns 3 and 8. In"
        " both cases this goes: 5 from r1c8 and r3c8.",
    ),
}


@pytest.mark.parametrize("technique", SENTENCES)
def test_step_is_described_and_right(technique):
    left, text = SENTENCES[technique]
    steps = found(technique, left)
    assert text in [step.text() for step in steps]
    for step in steps:
        step.verify("prolog")


def test_a_fish_whose_fins_are_in_one_box_adds_up():
    for left, technique in ((FINNED, "finned X-wing"), (SASHIMI, "sashimi X-wing")):
        assert all(step.adds_up() for step in found(technique, left))


def test_fins_have_a_role():
    (roles,) = {step.roles for step in found("finned X-wing", FINNED)}
    assert roles == (("fin", (pls.Placement(2, 9, 5),)),)


def test_finned_is_not_sashimi_and_sashimi_not_finned():
    assert found("sashimi X-wing", FINNED) == []
    assert found("finned X-wing", SASHIMI) == []


def test_a_fish_with_fins_needs_a_fin():
    assert found("finned X-wing", FINNED - {(2, 9, 5)}) == []


def test_a_locked_pair_removes_candidates_in_both_houses():
    line = {(3, y, d) for y in range(4, 10) for d in (2, 5)}
    box = {(x, y, d) for x in (1, 2, 3) for y in (1, 2, 3) for d in (2, 5)} - {
        (3, y, d) for y in (1, 2) for d in (2, 5)
    }
    assert len(found("locked pair", pair())) == 1
    assert found("locked pair", pair() - line) == []
    assert found("locked pair", pair() - box) == []


# --- by hand --------------------------------------------------------------------------------------


def by_hand(tmp_path, encoding: str, left: Placements, *options: str) -> set[frozenset]:
    """The removals of each answer that clingo prints."""
    said = run_by_hand(tmp_path, f"techniques/{encoding}", left, *options, "0")
    marks = [re.findall(r"remove\((\d),(\d),(\d)\)", line) for line in said.splitlines()]
    return {frozenset(tuple(map(int, mark)) for mark in each) for each in marks if each}


def test_fish_by_hand_try_every_candidate(tmp_path):
    answers = by_hand(tmp_path, "fish", FINNED, "-c", "technique=finned_x_wing")
    assert answers == gone(found("finned X-wing", FINNED))
