"""Sudoku's own programs, asked as those of any problem, answer as the engines of sudoku do."""

import pytest
from helpers.puzzles import COUNTS, IMPOSSIBLE, PRINTED

import pylogic_sudoku as pls
from benchmarks.bundled import plain_sudoku, same_by_both_roads

SUDOKUS = [text for text in (*PRINTED, *COUNTS) if len(text) == 81 and text != IMPOSSIBLE]
"""Not the one that sudoku's own search in Prolog refutes, and first fail alone does not."""


@pytest.fixture(scope="module")
def problem(tmp_path_factory):
    return plain_sudoku(tmp_path_factory.mktemp("road"))


@pytest.mark.one_in(4)
@pytest.mark.parametrize("backend", ["clingo", "prolog"])
@pytest.mark.parametrize("text", SUDOKUS)
def test_both_roads_have_the_same_answers_counts_and_candidates(problem, backend, text):
    assert same_by_both_roads(problem, pls.Grid.parse(text), backend)


def test_a_difference_between_the_roads_is_seen(problem):
    (problem.folder / "other.lp").write_text(
        (problem.folder / "plain_sudoku.lp").read_text() + ":- sudoku(1,1,_).\n"
    )
    instance = problem.instance(pls.Grid.parse("." * 81).format("facts"))
    assert pls.solve(instance, "clingo:other") is None
