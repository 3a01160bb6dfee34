"""Programs graded on instances with rules beyond plain sudoku."""

from __future__ import annotations

from pathlib import Path

import pytest

from pylogic_sudoku import Puzzle, rules
from pylogic_sudoku.check import VOCABULARIES, Exercise, grade
from pylogic_sudoku.check._exercise import write_exercise
from pylogic_sudoku.check._grading import Grader
from pylogic_sudoku.check._instances import Instance
from pylogic_sudoku.check._process import Limits
from pylogic_sudoku.check._programs import PrologProgram
from pylogic_sudoku.check._typical import typical
from pylogic_sudoku.rules import Contains, KillerCage, define

ENCODINGS = Path(__file__).parent.parent / "encodings"
CAGE = "kind(killer_cage). different(R,cells) :- rule(R,killer_cage).\n"
SUM = "broken(R) :- value(R,sum,1,S), not S = #sum { N,I : holds(R,cells,I,N) }.\n"


@pytest.fixture
def program(tmp_path):
    """A file with our encoding and a section of somebody else."""

    def write(section: str) -> Path:
        files = ("sudoku", "rules", "kernels/different")
        ours = "".join(f'#include "{ENCODINGS}/{name}.lp".\n' for name in files)
        path = tmp_path / "program.lp"
        path.write_text(ours + section)
        return path

    return write


@pytest.fixture
def instance(tmp_path):
    puzzle = Puzzle("1" + "." * 15, rules=[KillerCage("r1c2 r1c3", sum=5)])
    path = tmp_path / "instance.lp"
    path.write_text(puzzle.format("facts"))
    return path


def test_a_section_is_graded_beside_our_encoding(program, instance):
    (verdict,) = grade(program(CAGE + SUM), instance)
    assert verdict.passed, verdict


@pytest.mark.parametrize("limit", [0, 2])
def test_the_rule_that_an_answer_breaks_is_named(program, instance, limit):
    (verdict,) = grade(program(CAGE), instance, limit=limit)
    assert verdict.outcome == "failure"
    assert verdict.rule == "killer cage (sum 5) at r1c2 and r1c3 is broken"


def test_a_program_without_answers_may_not_know_the_rules(instance):
    (verdict,) = grade(ENCODINGS / "sudoku.lp", instance)
    assert verdict.message.startswith("the program has no answer, but the puzzle has ")
    assert "; it has the rules killer_cage: does the program know them?" in verdict.message


def test_puzzles_in_json_are_instances(program, tmp_path):
    path = tmp_path / "puzzle.json"
    path.write_text(Puzzle("." * 16, rules=[KillerCage("r1c2 r1c3", sum=5)]).format("json"))
    (verdict,) = grade(program(CAGE + SUM), path)
    assert verdict.passed, verdict


def test_an_engine_checks_a_rule_that_python_cannot(program, tmp_path):
    section = "kind(low). broken(R) :- rule(R,low), holds(R,cells,_,N), N > 2.\n"
    made = define("low", section)
    path = tmp_path / "own.lp"
    path.write_text(Puzzle("." * 16, rules=[made("r1c1")]).format("facts"))
    try:
        (right,) = grade(program(section), path, limit=3)
        (wrong,) = grade(program("kind(low).\n"), path)
    finally:
        del rules.KINDS["low"]
    assert (right.outcome, wrong.outcome) == ("success", "failure")


OURS = f":- use_module('{ENCODINGS.parent}/prolog/sudoku').\n"


def test_a_prolog_program_gets_the_box_shape_and_the_rules(instance, tmp_path):
    path = tmp_path / "program.pl"
    path.write_text(OURS)
    (verdict,) = grade(path, instance)
    assert (verdict.outcome, verdict.message) == ("success", "")
    path.write_text("solve(Rows, 2-2, [_|_]) :- fail.\n")
    (verdict,) = grade(path, instance, predicate="solve")
    assert verdict.way == "nothing"


def test_a_prolog_program_gets_any_number_of_rules(tmp_path):
    path = tmp_path / "program.pl"
    path.write_text("sudoku(_, 2-2, Rules) :- length(Rules, N), throw(N).\n")
    puzzle = Puzzle("." * 16, rules=[KillerCage("r1c1 r1c2 r1c3 r1c4", sum=10)] * 5000)
    asked = Instance("many", tmp_path / "many.lp", "", puzzle)
    run = PrologProgram(path, VOCABULARIES["initial"]).run(asked, puzzle, 0, Limits(60, 2048))
    assert run.message == f"the program throws {len(puzzle.rules)}"


def test_a_prolog_program_with_one_argument_does_not_see_the_rules(instance, tmp_path):
    path = tmp_path / "program.pl"
    path.write_text(OURS + "solve(Rows) :- sudoku(Rows).\n")
    (verdict,) = grade(path, instance, predicate="solve")
    assert verdict.way == "wrong"
    assert verdict.rule == "killer cage (sum 5) at r1c2 and r1c3 is broken"
    assert "there is no solve/3, so the program does not get the rules" in verdict.message
    path.write_text("other(_).\n")
    (verdict,) = grade(path, instance)
    assert verdict.message.startswith("there is no sudoku/1")


def test_contains_is_known_by_its_facts(tmp_path):
    path = tmp_path / "whole.lp"
    path.write_text(
        "".join(f'#include "{ENCODINGS}/{name}.lp".\n' for name in ("sudoku", "rules/counts"))
    )
    puzzle = tmp_path / "puzzle.lp"
    rule = Contains("r2c2 r2c3 r3c2 r3c3", [4, 4])
    puzzle.write_text(Puzzle("." * 16, rules=[rule]).format("facts"))
    (verdict,) = grade(path, puzzle)
    assert verdict.passed


def test_an_exercise_may_have_rules(program, tmp_path):
    killer = Puzzle("1" + "." * 15, rules=[KillerCage("r1c2 r1c3", sum=5)])
    made = Exercise(tmp_path / "made")
    made.add(killer, "a cage")
    write_exercise(made, Grader())
    assert grade(program(CAGE + SUM), made.instances, made.solutions)
    (verdict,) = grade(program(CAGE), made.instances, made.solutions)
    assert verdict.way == "wrong"
    assert not (tmp_path / "made" / "reference").exists()
    assert list(typical(made.instances, made.solutions, Grader())) == []
