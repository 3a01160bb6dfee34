"""The grader in a cell of a notebook, as nbgrader and Otter run it: one assertion."""

from __future__ import annotations

import re

import pytest
from helpers.small_programs import FOUR, PROLOG, RIGHT, UNIQUE, WRONG

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.check import Verdicts, grade


def test_an_assertion_is_the_whole_test():
    assert grade(RIGHT, [UNIQUE, FOUR])
    assert not grade(WRONG, [UNIQUE, FOUR])
    assert grade(PROLOG, UNIQUE), "a text is a Prolog program if it says so"


def test_a_failing_assertion_tells_what_is_wrong():
    verdicts = grade(WRONG, FOUR)
    with pytest.raises(AssertionError) as failed:
        assert verdicts, verdicts
    text = str(failed.value)
    assert re.search(r"^puzzle-1 +failure", text, re.MULTILINE)
    assert re.search(r"r\dc\d and r\dc\d both hold \d \(box \d\)", text)
    assert str(verdicts).endswith("0 of 1 passed\nFAILURE\n")
    assert repr(verdicts) == str(verdicts)
    assert "<td" in verdicts._repr_html_()


def test_verdicts_can_be_read_before_and_after_their_truth_is_asked(program):
    verdicts = grade(program(RIGHT), [UNIQUE, FOUR])
    assert isinstance(verdicts, Verdicts)
    assert next(verdicts).instance == "puzzle-1"
    assert verdicts
    assert [verdict.instance for verdict in verdicts] == ["puzzle-2"]
    assert [verdict.instance for verdict in verdicts.all] == ["puzzle-1", "puzzle-2"]
    assert list(verdicts) == []


def test_puzzles_may_be_values_files_or_text(program, tmp_path):
    file = tmp_path / "mine.txt"
    file.write_text(f"{UNIQUE}\n{FOUR}\n")
    many = grade(program(RIGHT), [Grid.parse(UNIQUE), str(file), FOUR, [[0] * 4] * 4], limit=5)
    names = ["puzzle-1", "mine-1", "mine-2", "puzzle-3", "puzzle-4"]
    assert [verdict.instance for verdict in many] == names
    rows = [[4, 0, 0, 0], [0, 0, 3, 0], [0, 0, 1, 3], [0, 0, 0, 0]]
    assert grade(program(RIGHT), rows)
    facts = "initial(1,1,4). initial(2,3,3). initial(3,3,1). initial(3,4,3). #const dim=2."
    assert grade(program(RIGHT), facts)


@pytest.mark.parametrize("name", ["puzzles.txt", "week-3", "a/b.lp", "no_such.sdk"])
def test_a_file_that_is_not_there_is_told(program, name):
    with pytest.raises(InvalidPuzzle, match=f"{name}: there is no such file or folder"):
        grade(program(RIGHT), name)


def test_names_that_come_again_get_a_number(program, tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "one.txt").write_text(UNIQUE)
    found = grade(program(RIGHT), [tmp_path / "a" / "one.txt", tmp_path / "b" / "one.txt"])
    assert [verdict.instance for verdict in found] == ["one", "one (2)"]


def test_a_closed_grading_ends_its_program(program):
    verdicts = grade(program(RIGHT), [UNIQUE, FOUR])
    next(verdicts)
    verdicts.close()
    assert list(verdicts) == []
