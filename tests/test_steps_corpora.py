"""The steps of collections of real puzzles, if they are beside the checkout."""

from __future__ import annotations

import pytest
from test_corpora import puzzles, pytestmark
from test_steps import walk

import pylogic_sudoku as pls

__all__ = ["pytestmark"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"), [("top-95.txt", 95), ("17-clue.txt", 20), ("16x16-sample.txt", 2)]
)
def test_steps_end_in_the_solution(name, number):
    for puzzle in puzzles(name, number):
        walk(puzzle, [pls.solve(puzzle)])
