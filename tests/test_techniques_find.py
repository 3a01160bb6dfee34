"""What `techniques.find` takes for a position, and what it refuses."""

from __future__ import annotations

import re

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku.techniques import find

PUZZLE = "1..4.....3......"
GRID = pls.Grid.parse(PUZZLE)
MARKS = pls.draw.pencil_marks(GRID)
CELLS = [digits for row in MARKS for digits in row]


def test_candidates_are_rows_or_one_list_and_text_will_do_for_a_cell():
    texts = ["".join(map(str, digits)) for digits in CELLS]
    rows = [texts[start : start + 4] for start in range(0, 16, 4)]
    steps = find(PUZZLE, MARKS, "hidden single")
    assert steps
    for candidates in (CELLS, texts, rows, iter(CELLS)):
        assert find(PUZZLE, candidates, "hidden single") == steps


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"candidates": [[{1.5}] * 4] * 4}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": None}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": CELLS[1:]}, "4 rows of 4 sets of digits, or 16 sets"),
        ({"candidates": [{5}] * 16}, "r1c1 has 5; expected 1 to 4"),
    ],
)
def test_what_does_not_fit_is_refused(change, message):
    asked = {"candidates": MARKS, "technique": "naked pair", **change}
    with pytest.raises(pls.InvalidPuzzle, match=re.escape(message)):
        find(PUZZLE, **asked)


def test_a_technique_is_a_name():
    with pytest.raises(TypeError, match="not 5"):
        find(PUZZLE, MARKS, 5)
