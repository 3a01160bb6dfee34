"""Programs whose grounding has no end: the page names the rule in the place of a wait."""

from __future__ import annotations

import pytest
from helpers.processes import PATIENCE
from helpers.puzzles import PRINTED

from pylogic_sudoku.check.programs import Output
from pylogic_sudoku.errors import InvalidProblem
from pylogic_sudoku.formats import as_puzzle
from pylogic_sudoku.page import questions
from pylogic_sudoku.page.endless import endless_rules, must_end
from pylogic_sudoku.page.problems import InstanceSource

ENDLESS = [
    "p(0).\np(X+1) :- p(X).",
    "p(a).\np(f(X)) :- p(X).",
    "p(0).\np(Y) :- p(X), Y = X+1.",
    "p(0). q(X) :- p(X).\np(2*X) :- q(X).",
    "p(0).\n{ p(X-1) } :- p(X).",
    "p(0).\np(X+1) ; q :- p(X).",
]
ENDING = [
    "p(0). p(X+1) :- p(X), X < 9.",
    "p(0). p(X+1) :- p(X), q(X).",
    "p(X+1) :- q(X). q(1).",
    "p(X) :- p(X).",
    "at(A,T+1) :- at(A,T), time(T+1). time(0..9).",
    "p(0). p(X+1) :- p(X), X != 9.",
    "p(X+1) :- p(X), not q(X).",
    "p(",
]
SLOWER = "p(0).\n% A comment.\np(X+1) :- p(X).\n#show p/1.\n"
OWN = {"problem": "", "instance": "n(1).", "texts": {"clingo": SLOWER}}


@pytest.mark.parametrize("text", ENDLESS)
def test_a_rule_that_grows_is_suspect(text):
    (found,) = endless_rules({"mine.lp": text})
    assert (found.file, found.line) == ("mine.lp", 2)
    assert found.text.startswith("grounding does not end: this rule derives another p/1 from each")


@pytest.mark.parametrize("text", ENDING)
def test_a_rule_that_is_bounded_is_not(text):
    assert endless_rules({"mine.lp": text}) == []


@pytest.mark.parametrize(
    ("stopped", "ending", "refused"),
    [
        ("timeout", "stopped while grounding", True),
        ("timeout", "stopped while searching", False),
        (None, "", False),
    ],
)
def test_only_a_run_that_still_grounds_shows_that_it_does_not_end(stopped, ending, refused):
    asked = []

    def run(seconds):
        asked.append(seconds)
        if len(asked) == 1:
            return Output(stopped="timeout", ending="stopped while loading")
        return Output(stopped=stopped, ending=ending)

    if refused:
        with pytest.raises(InvalidProblem, match=r"^mine\.lp:2: grounding does not end") as caught:
            must_end({"mine.lp": ENDLESS[0]}, 10, run)
        assert [each.line for each in caught.value.messages] == [2]
    else:
        must_end({"mine.lp": ENDLESS[0]}, 10, run)
    assert asked == [1, 2]
    must_end({"mine.lp": ENDLESS[0]}, 0.5, run)  # the question comes again, with more time
    must_end({"mine.lp": ENDING[0]}, 10, run)
    assert asked == [1, 2]


@pytest.mark.slow
def test_both_questions_name_the_rule():
    source = InstanceSource(**OWN)
    with source.put_to("clingo", None) as program, pytest.raises(InvalidProblem) as caught:
        program.solve(2, PATIENCE)
    assert [(each.file, each.line) for each in caught.value.messages] == [("mine.lp", 3)]
    puzzle = as_puzzle(list(PRINTED)[-1])
    files = {"sudoku.lp": "up(0).\nup(X+1) :- up(X).\n"}
    with pytest.raises(InvalidProblem, match=r"^sudoku\.lp:2: grounding does not end"):
        questions.run(puzzle, PATIENCE, engine="clingo", files=files, place=None)
