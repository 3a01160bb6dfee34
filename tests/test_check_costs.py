"""Optima that are graded without costs: any answer within the constraints is right."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.attacks import write

from pylogic_sudoku import InvalidPuzzle
from pylogic_sudoku.check import Verdict, grade
from pylogic_sudoku.check.folder import settings_in
from pylogic_sudoku.check.grading import Grader

REFERENCE = """\
number(1..N) :- size(N).
{ pick(X) : number(X) }.

% Some number is picked.
:- { pick(X) } = 0.
"""
BEST = "#minimize { X : pick(X) }.\n"
PROLOG = """\
answer([pick(1)], 3).
answer([], 2).
answer([pick(1), pick(2)], 1).
"""
FOLDER = {
    "pick.lp": REFERENCE + BEST + "#show pick/1.\n",
    "problem.toml": 'input = ["size/1"]\n',
    "instances/two.lp": "size(2).\n",
    "exercise.toml": 'problem = "."\ncosts = false\n',
}


@pytest.fixture
def pick(tmp_path):
    """The folder of an exercise without costs."""
    write(tmp_path / "pick", FOLDER)
    return tmp_path / "pick"


def graded(pick: Path, text: str, source: str = "two", name: str = "my.lp") -> Verdict:
    write(pick.parent / "own", {name: text})
    (verdict,) = grade(pick.parent / "own" / name, source, problem=pick, costs=False)
    return verdict


def test_with_costs_the_best_answers_alone_are_right(pick):
    write(pick.parent, {"my.lp": REFERENCE})
    (verdict,) = grade(pick.parent / "my.lp", "two", problem=pick)
    assert (verdict.way, verdict.extra) == ("wrong", 2)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("objective", "number"),
    [
        ("", 3),
        (BEST, 1),
        ("#maximize { X : pick(X) }.\n", 1),
        ("#minimize { 1,X : pick(X) }.\n", 2),
    ],
)
def test_every_answer_within_the_constraints_is_right(pick, objective, number):
    verdict = graded(pick, REFERENCE + objective)
    assert (verdict.passed, verdict.answers) == (True, number)


def test_an_answer_that_breaks_a_constraint_is_wrong(pick):
    verdict = graded(pick, REFERENCE.partition("%")[0] + BEST)
    assert (verdict.way, verdict.rule) == ("wrong", "Some number is picked")
    assert (verdict.extra, verdict.missing) == (1, 0)
    assert "cost" not in str(verdict.diagnosis)


def test_a_program_without_an_answer_has_found_nothing(pick):
    verdict = graded(pick, f"{REFERENCE}:- pick(X).\n")
    assert (verdict.way, verdict.missing) == ("nothing", 1)
    assert [each.line for each in verdict.diagnosis.places] == [6]


def test_where_nothing_is_right_no_answer_is_needed(pick):
    assert graded(pick, REFERENCE, "size=0").passed
    assert graded(pick, "pick(1).\n", "size=0").way == "wrong"


@pytest.mark.slow
def test_a_program_in_prolog_may_have_another_cost(pick):
    assert graded(pick, PROLOG, name="my.pl").passed
    verdict = graded(pick, PROLOG.replace("], 2", "], 0"), name="my.pl")
    assert (verdict.way, verdict.rule) == ("wrong", "Some number is picked")


def test_recorded_answers_have_no_cost_either(pick):
    recorded = (
        '{"Result": "OPTIMUM FOUND", "Models": {"Number": 1, "More": "no", "Optimal": 1},'
        ' "Call": [{"Witnesses": [{"Value": ["pick(1)"], "Costs": [1]}]}]}'
    )
    write(pick, {"solutions/two.json": recorded})
    write(pick.parent / "own", {"my.lp": REFERENCE})
    settings = {"reference": pick / "solutions", "problem": pick, "costs": False}
    assert grade(pick.parent / "own" / "my.lp", "two", **settings)


def test_an_instance_that_minimizes_nothing_is_not_graded(pick):
    write(pick, {"pick.lp": REFERENCE})
    verdict = graded(pick, REFERENCE)
    assert verdict.way == "ungraded"
    assert "two: costs = false is for an optimum, and the right answers have no cost" in (
        verdict.message
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("costs = 1", "costs must be true or false, not 1"),
        ("costs = 'no'", "costs must be true or false, not 'no'"),
        ("costs = false", "costs = false is for a problem that minimizes something; sudoku has"),
    ],
)
def test_a_setting_that_cannot_be_is_told(tmp_path, text, message):
    write(tmp_path, {"exercise.toml": f"{text}\n", "instances/a.lp": "initial(1,1,1).\n"})
    with pytest.raises(InvalidPuzzle, match=rf"exercise\.toml: {message}"):
        settings_in(tmp_path)


def test_goals_have_no_cost(tmp_path):
    write(tmp_path / "goals", {"cases.pl": "case(one, atom(a)).\n"})
    with pytest.raises(ValueError, match="goals have no cost"):
        Grader(problem=tmp_path / "goals", costs=False)


def test_the_file_of_an_exercise_chooses_it(pick, command):
    write(pick.parent / "own", {"my.lp": REFERENCE})
    code, out, err = command("check", "-e", pick.parent / "own" / "my.lp", "-p", pick)
    assert (code, out.splitlines()[-1:], err) == (0, ["SUCCESS"], "")


@pytest.mark.slow
def test_a_handout_says_so_and_shows_no_cost(pick, command):
    week = pick.parent / "week"
    code, _, err = command("exercise", "new", week, "-p", pick)
    assert (code, err) == (0, "")
    assert settings_in(week).options["costs"] is False
    assert settings_in(week / "student" / "exercise").options["costs"] is False
    told = " ".join((week / "student" / "README.md").read_text().split())
    assert "Each answer that keeps all rules counts, whatever your program minimizes." in told
    assert "if your program gives an answer, and only answers that keep all rules." in told
    assert "cost" not in told
