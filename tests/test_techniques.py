"""The techniques in ASP against the same in plain Python, and one example of each."""

from __future__ import annotations

import subprocess
import sys

import clingo
import pytest
from helpers import technique_oracle
from helpers.jigsaws import REGIONS
from helpers.programs import resource
from helpers.technique_oracle import by_cell, random_position, rows
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid
from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.clingo.techniques import Position
from pylogic_sudoku.explain import Step
from pylogic_sudoku.explain._step import step_of
from pylogic_sudoku.techniques import TECHNIQUES
from pylogic_sudoku.techniques._table import Found

Placements = frozenset[tuple[int, int, int]]

KNOWN = [key for key, each in TECHNIQUES.items() if each.name in technique_oracle.TECHNIQUES]


def step(found: Found, left: Placements, grid: Grid) -> Step:
    return step_of(found, grid, grid, rows(left, grid))


def found_by(technique: str, position: Position, left: Placements) -> list[Found]:
    return position.by(technique, left)


# --- every position of which a full grid is a part ----------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("technique", KNOWN)
@settings(max_examples=8, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    shape=st.sampled_from([(2, 2), (2, 3), (3, 2), (1, 5), (2, 4), *REGIONS, *REGIONS]),
    seed=st.integers(0, 10**6),
    share=st.integers(0, 70),
    extra=st.integers(5, 60),
)
def test_asp_finds_what_plain_python_finds(technique, shape, seed, share, extra):
    puzzle, left = random_position(shape, seed, share, extra)
    found = found_by(technique, Position(puzzle.layout, left, Budget("clingo", None)), left)
    steps = [step(each, left, puzzle.grid) for each in found]
    marks = by_cell(left)
    expected = set(technique_oracle.TECHNIQUES[TECHNIQUES[technique].name](puzzle, marks))
    assert {technique_oracle.what(each) for each in steps} == expected - {frozenset()}


# --- one example of each ------------------------------------------------------------------------

EMPTY = Grid((0,) * 81, (3, 3))
ALL = frozenset((x, y, d) for x in range(1, 10) for y in range(1, 10) for d in range(1, 10))


def only(digits: dict[str, set[int]]) -> Placements:
    """All candidates but in some cells, which have only these."""
    return frozenset((x, y, d) for x, y, d in ALL if d in digits.get(f"r{x}c{y}", {d}))


def nowhere(lines: dict[tuple[int, int], set[int]]) -> Placements:
    """All candidates, but in (row, digit) the digit is only in these columns."""
    return frozenset((x, y, d) for x, y, d in ALL if y in lines.get((x, d), {y}))


EXAMPLES = {
    "naked_single": (
        only({"r3c2": {5}}),
        "r3c2 is 5, as no other digit is left for it.",
    ),
    "full_house": (
        frozenset({(3, 2, 5)}),
        "Row 3 has one empty cell left, so r3c2 is 5.",
    ),
    "hidden_single": (
        nowhere({(3, 8): {2}}),
        "Row 3 must hold an 8, and r3c2 is the only cell left for it.",
    ),
    "pointing": (
        frozenset(ALL - {(x, y, 5) for x in (1, 2) for y in (1, 2, 3)}),
        "In box 1, 5 fits only where row 3 crosses it, so it goes from the rest of row 3: 5 from"
        " r3c4, r3c5, r3c6, r3c7, r3c8 and r3c9.",
    ),
    "claiming": (
        nowhere({(3, 5): {1, 3}}),
        "In row 3, 5 fits only where box 1 crosses it, so it goes from the rest of box 1: 5 from"
        " r1c1, r1c2, r1c3, r2c1, r2c2 and r2c3.",
    ),
    "naked_pair": (
        only({"r3c1": {2, 5}, "r3c4": {2, 5}}),
        "r3c1 and r3c4 hold 2 and 5 between them, so these go from the rest of row 3: 2 and 5 from"
        " r3c2, r3c3, r3c5, r3c6, r3c7, r3c8 and r3c9.",
    ),
    "hidden_pair": (
        nowhere({(3, 2): {1, 4}, (3, 5): {1, 4}}),
        "In row 3, 2 and 5 fit only in r3c1 and r3c4, so all else goes from there: 1, 3, 4, 6, 7,"
        " 8 and 9 from r3c1 and r3c4.",
    ),
    "naked_triple": (
        only({"r3c1": {2, 5}, "r3c4": {5, 7}, "r3c7": {2, 7}}),
        "r3c1, r3c4 and r3c7 hold 2, 5 and 7 between them, so these go from the rest of row 3: 2, 5"
        " and 7 from r3c2, r3c3, r3c5, r3c6, r3c8 and r3c9.",
    ),
    "hidden_triple": (
        nowhere({(3, 2): {1, 4}, (3, 5): {4, 7}, (3, 7): {1, 7}}),
        "In row 3, 2, 5 and 7 fit only in r3c1, r3c4 and r3c7, so all else goes from there: 1, 3,"
        " 4, 6, 8 and 9 from r3c1, r3c4 and r3c7.",
    ),
    "naked_quad": (
        only({"r3c1": {1, 2}, "r3c4": {2, 3}, "r3c7": {3, 4}, "r3c8": {1, 4}}),
        "r3c1, r3c4, r3c7 and r3c8 hold 1, 2, 3 and 4 between them, so these go from the rest of"
        " row 3: 1, 2, 3 and 4 from r3c2, r3c3, r3c5, r3c6 and r3c9.",
    ),
    "hidden_quad": (
        nowhere({(3, 1): {1, 4}, (3, 2): {4, 7}, (3, 3): {7, 8}, (3, 4): {1, 8}}),
        "In row 3, 1, 2, 3 and 4 fit only in r3c1, r3c4, r3c7 and r3c8, so all else goes from"
        " there: 5, 6, 7, 8 and 9 from r3c1, r3c4, r3c7 and r3c8.",
    ),
    "x_wing": (
        nowhere({(2, 5): {3, 8}, (7, 5): {3, 8}}),
        "In rows 2 and 7, 5 fits only in columns 3 and 8, so it goes from the rest of these: 5 from"
        " r1c3, r1c8, r3c3, r3c8, r4c3, r4c8, r5c3, r5c8, r6c3, r6c8, r8c3, r8c8, r9c3 and r9c8.",
    ),
    "swordfish": (
        nowhere({(1, 5): {2, 5}, (4, 5): {5, 8}, (7, 5): {2, 8}}),
        "In rows 1, 4 and 7, 5 fits only in columns 2, 5 and 8, so it goes from the rest of these:"
        " 5 from r2c2, r2c5, r2c8, r3c2, r3c5, r3c8, r5c2, r5c5, r5c8, r6c2, r6c5, r6c8, r8c2,"
        " r8c5, r8c8, r9c2, r9c5 and r9c8.",
    ),
    "jellyfish": (
        nowhere({(1, 5): {2, 5}, (4, 5): {5, 8}, (7, 5): {8, 9}, (8, 5): {2, 9}}),
        "In rows 1, 4, 7 and 8, 5 fits only in columns 2, 5, 8 and 9, so it goes from the rest of"
        " these: 5 from r2c2, r2c5, r2c8, r2c9, r3c2, r3c5, r3c8, r3c9, r5c2, r5c5, r5c8, r5c9,"
        " r6c2, r6c5, r6c8, r6c9, r9c2, r9c5, r9c8 and r9c9.",
    ),
    "xy_wing": (
        only({"r1c1": {1, 2}, "r1c5": {1, 7}, "r4c1": {2, 7}}),
        "r1c1 is 1 or 2: if it is 1, then r1c5 is 7; if it is 2, then r4c1 is 7. Either way 7 goes"
        " from r4c5, which both see.",
    ),
}


def test_there_is_an_example_of_each():
    assert EXAMPLES.keys() == {*KNOWN}


@pytest.mark.parametrize("technique", EXAMPLES)
def test_example_is_found_described_and_right(technique, backend):
    left, text = EXAMPLES[technique]
    position = Position(EMPTY.layout, left, Budget("clingo", None))
    found = [step(each, left, EMPTY) for each in found_by(technique, position, left)]
    (said,) = [each for each in found if each.text() == text]
    said.verify(backend)


# --- by hand --------------------------------------------------------------------------------------


def run_by_hand(tmp_path, encoding: str, left: Placements, *options: str) -> str:
    position = tmp_path / "position.lp"
    position.write_text("".join(f"candidate{placement}.\n" for placement in sorted(left)))
    path = resource(f"encodings/{encoding}.lp")
    done = subprocess.run(
        [sys.executable, "-m", "clingo", str(path), str(position), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    return done.stdout


def test_techniques_by_hand(tmp_path):
    said = run_by_hand(
        tmp_path, "techniques/sets", EXAMPLES["x_wing"][0], "-c", "technique=x_wing", "0"
    )
    assert "technique(x_wing)" in said
    assert "remove(9,8,5)" in said
    assert "Models       : 1\n" in said


def test_all_techniques_by_hand(tmp_path):
    left = EXAMPLES["x_wing"][0]
    assert "technique(x_wing)" in run_by_hand(tmp_path, "techniques/sets", left, "0")


def test_singles_and_wings_by_hand(tmp_path):
    said = run_by_hand(tmp_path, "techniques/singles", EXAMPLES["hidden_single"][0])
    assert "place(hidden_single,somewhere(row,3,8),3,2,8)" in said
    assert "technique(xy_wing)" in run_by_hand(
        tmp_path, "techniques/wings", EXAMPLES["xy_wing"][0], "0"
    )


def test_the_encodings_say_nothing_on_standard_error_for_any_shape():
    for encoding in ("techniques/singles", "techniques/sets", "techniques/wings"):
        messages: list[str] = []
        control = clingo.Control(
            ["-cbox_rows=2", "-cbox_columns=3"],
            logger=lambda _, message, kept=messages: kept.append(message),
        )
        control.load(str(resource(f"encodings/{encoding}.lp")))
        control.ground()
        assert messages == []
