"""The rules that digits break, and where that is said."""

from __future__ import annotations

import pytest

from pylogic_sudoku import Puzzle
from pylogic_sudoku.draw import mistakes
from pylogic_sudoku.rules import KINDS, KillerCage, Thermometer
from pylogic_sudoku.rules._broken import broken_rules


@pytest.mark.parametrize("kind", KINDS)
def test_they_are_those_of_the_oracle_and_none_with_cells_empty_that_may_be_right(kind):
    fields, good, bad = KINDS[kind].example
    rule = KINDS[kind](**fields)
    right, wrong = (Puzzle(text.replace(" ", ""), rules=[rule]) for text in (good, bad))
    assert list(broken_rules(right)) == []
    assert list(broken_rules(wrong)) == [rule]
    for cell in right.cells:
        assert list(broken_rules(right.without(cell))) == []
    assert list(broken_rules(right.without(*right.cells))) == []


def test_mistakes_mark_the_cells_of_broken_rules():
    puzzle = Puzzle("." * 16, rules=[Thermometer("r1c1 r1c2"), KillerCage("r4c3 r4c4", sum=3)])
    [found] = mistakes(puzzle.with_(r1c1=2, r1c2=1, r4c3=1).grid, puzzle)
    assert (found.label, found.role) == ("broken: thermometer at r1c1 and r1c2", "conflict")
    assert found.cells == ((1, 1), (1, 2))
    labels = [each.label for each in mistakes(puzzle.with_(r4c3=1, r4c4=3).grid, puzzle)]
    assert labels == ["broken: killer cage (sum 3) at r4c3 and r4c4"]
    assert mistakes(puzzle.with_(r1c1=1, r1c2=2, r4c3=1).grid, puzzle) == ()
