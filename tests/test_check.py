"""The grader's verdicts on right, wrong and broken programs, asked from Python."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers.grading import NUMBERS, UNIQUE_SOLUTION, one, verdicts

from pylogic_sudoku import Grid
from pylogic_sudoku.check import Vocabulary, grade
from pylogic_sudoku.engines.prolog.swipl import swipl

pytestmark = pytest.mark.usefixtures("patient")

# --- right programs ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (programs.PAIRWISE, {"vocabulary": "sudoku"}),
        (programs.PAIRWISE.replace("sudoku", "numberAt"), {"vocabulary": "numberAt"}),
        ("\ufeff" + programs.RIGHT.replace("\n", "\r\n"), {}),
        (programs.RIGHT.replace("1..9", "1..size"), {"constants": ["size=9"]}),
        (programs.RIGHT + "#show initial/3. #show digit/1. #show seven : digit(7).", {}),
    ],
    ids=["sudoku", "numberAt", "mark and CRLF", "constant", "more shown"],
)
def test_right_asp(program, exercise, text, options):
    verdict = one(program(text), exercise, **options)
    assert (verdict.outcome, verdict.answers, verdict.message) == ("success", NUMBERS[0], "")


@pytest.mark.parametrize(
    ("text", "name"), [(programs.RIGHT, "my.lp"), (programs.PROLOG, "my.pl")], ids=["asp", "prolog"]
)
def test_a_right_program_on_every_instance(program, exercise, text, name):
    found = verdicts(program(text, name), exercise)
    assert [verdict.instance for verdict in found] == ["ex001", "ex002", "ex003", "ex004", "ex005"]
    assert [(v.outcome, v.answers, v.message) for v in found] == [
        ("success", number, "") for number in NUMBERS
    ]


def test_a_predicate_of_another_name(program, exercise):
    text = programs.PROLOG.replace("sudoku(", "solve(")
    assert one(program(text, "my.pl"), exercise, predicate="solve").passed


@pytest.mark.parametrize("against", ["clingo", "prolog", "all"])
def test_our_own_engines_are_the_reference(program, exercise, against):
    file = program(programs.RIGHT)
    found = list(grade(file, exercise / "instances", against=against))
    assert [(v.outcome, v.answers) for v in found] == [("success", number) for number in NUMBERS]


def test_a_program_that_includes_another_and_names_that_clash(program, exercise, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rules.lp").write_text(programs.RIGHT)
    (tmp_path / "clingo.py").write_text("raise SystemExit('not what the grader imports')")
    assert one(program('#include "parts/rules.lp".'), exercise).passed
    assert one(program('\ufeff#include "parts/rules.lp".', "marked.lp"), exercise).passed


def test_other_names_of_atoms(program, exercise, tmp_path):
    file = program(programs.RIGHT.replace("initial", "hint").replace("sudoku", "place"))
    words = {"vocabulary": Vocabulary("hint", "place")}
    assert one(file, exercise, **words).passed, "the instance is renamed"
    instance = tmp_path / "ex001.lp"
    instance.write_text(
        (exercise / "instances" / "ex001.lp").read_text().replace("initial", "hint")
    )
    (verdict,) = grade(file, instance, exercise / "solutions", **words)
    assert verdict.passed, "the instance is as the program wants it"


# --- wrong ones -------------------------------------------------------------------------


def test_missing_boxes(program, exercise):
    text = programs.CHOICE + programs.GIVENS + programs.ROWS + programs.COLUMNS + programs.SHOW
    verdict = one(program(text), exercise, 4)
    assert (verdict.outcome, verdict.answers) == ("failure", 925)
    assert verdict.message == "stopped after 925 answers, so missing ones are not counted"
    assert verdict.extra in (924, 925)
    assert verdict.missing == 0, "not known, as the answers were cut off"
    assert verdict.extra_grid is not None
    first = verdict.extra_grid.duplicates()[0]
    assert verdict.rule == str(first)
    assert [house.split()[0] for house in first.houses] == ["box"]


@pytest.mark.parametrize(
    ("parts", "kinds"),
    [
        ([programs.GIVENS, programs.COLUMNS, programs.BOXES], {"row"}),
        ([programs.GIVENS, programs.ROWS, programs.BOXES], {"column"}),
    ],
)
def test_missing_rows_or_columns(program, exercise, parts, kinds):
    verdict = one(program(programs.CHOICE + "".join(parts) + programs.SHOW), exercise, 4)
    assert verdict.outcome == "failure"
    assert verdict.extra_grid is not None
    houses = {house for conflict in verdict.extra_grid.duplicates() for house in conflict.houses}
    assert {house.split()[0] for house in houses} == kinds


def test_lost_solutions(program, exercise):
    text = programs.RIGHT + ":- sudoku(1,1,N), sudoku(1,2,M), N > M.\n"
    right = [Grid.parse(line) for line in solutions_of(exercise, 2)]
    kept = [grid for grid in right if grid.rows[0][0] < grid.rows[0][1]]
    assert 0 < len(kept) < 125
    verdict = one(program(text), exercise, 2)
    assert (verdict.outcome, verdict.answers) == ("failure", len(kept))
    assert (verdict.missing, verdict.extra) == (125 - len(kept), 0)
    assert verdict.missing_grid == min(set(right) - set(kept), key=lambda grid: grid.digits)
    assert (verdict.extra_grid, verdict.rule) == (None, "")


def solutions_of(exercise: Path, number: int) -> list[str]:
    output = json.loads((exercise / "solutions" / f"ex{number:03}.json").read_text())
    return ["".join(atom[-2] for atom in w["Value"]) for w in output["Call"][-1]["Witnesses"]]


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (programs.RIGHT.replace(programs.GIVENS, ""), "is given there"),
        ("sudoku(1,1,five).", "sudoku(1,1,five): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,0,5).", "sudoku(1,0,5): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,1,(1..2)).", "r1c1 holds both 1 and 2"),
        ("sudoku(1,1,2).", "r1c2 and 79 more cells are empty"),
        ("sudoku(1,1).", "every cell is empty (no sudoku/3 is shown, but sudoku/2)"),
        ("place(1,1,2).", "every cell is empty (no sudoku/3 is shown, but place/3)"),
        (programs.RIGHT.replace("show sudoku/3", "show digit/1"), "(#show hides sudoku/3)"),
    ],
)
def test_what_is_wrong_with_an_answer(program, exercise, text, rule):
    verdict = one(program(text), exercise, 4)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert verdict.extra > 0
    if verdict.answers < 925:
        assert (verdict.missing, str(verdict.missing_grid)) == (1, UNIQUE_SOLUTION)


@pytest.mark.parametrize("kind", ["my.lp", "my.pl"])
def test_repeated_solutions_are_reported(program, exercise, kind):
    twice = {
        "my.lp": programs.RIGHT + "{ more }.",
        "my.pl": programs.PROLOG.replace("label(Cells)", "label(Cells), member(_, [a,b])"),
    }
    verdict = one(program(twice[kind], kind), exercise)
    assert verdict.outcome == "success"
    how = {
        "my.lp": "answer sets with the same grid differ in more/0",
        "my.pl": "the same grid comes again on backtracking",
    }
    assert verdict.message == f"4 answers, but only 2 different grids: {how[kind]}"


def test_warnings_are_reported_if_a_program_fails(program, exercise):
    verdict = one(program(programs.RIGHT.replace("1..9", "1..size")), exercise)
    assert (verdict.outcome, verdict.answers, verdict.missing) == ("failure", 0, 2)
    assert "my.lp:1:7-14: info: interval undefined:" in verdict.message


# --- errors -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a :- b\nc.", ":10:1-2: error: syntax error, unexpected <IDENTIFIER>"),
        ("a(X) :- not b.", ":9:1-15: error: unsafe variables in:\n  a(X)"),
        ('#include "nowhere.lp".', "error: file could not be opened:\n  nowhere.lp"),
        ("#script(python)\nx = 1\n#end.", ":9:1: #script is not run without --allow-scripts"),
        ('#include "script.lp".', "script.lp:1:1: #script is not run"),
        ("#minimize { N : sudoku(1,1,N) }.", ":9:13: #minimize, #maximize and weak constraints"),
        (":~ sudoku(1,1,N). [N]", ":9:1: #minimize, #maximize and weak constraints"),
    ],
)
def test_errors_of_asp_programs(program, exercise, tmp_path, text, message):
    (tmp_path / "script.lp").write_text("#script(python)\nx = 1\n#end.\n")
    file = program(programs.RIGHT + text)
    verdict = one(file, exercise)
    assert (verdict.outcome, verdict.answers) == ("error", 0)
    assert message in verdict.message
    if message[0] == ":":
        assert verdict.message.startswith(f"{file}{message}")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (programs.PROLOG + "foo(X :- .\n", ":21:9: Syntax error: Unexpected end of clause"),
        (":- use_module(library(nowhere)).", "`library(nowhere)' does not exist"),
        ("solve(_).", "there is no sudoku/1"),
        (programs.PROLOG.replace("label(", "lable("), "Unknown procedure: lable/1"),
        ("sudoku(_) :- _ is foo + 1.", "`foo/0' is not a function"),
        ("sudoku(_) :- throw(oops).", "the program throws oops"),
        ("sudoku(_) :- halt(0).", "the program exited with code 0 before finishing"),
        (":- halt(3).", "the program exited with code 3 before finishing"),
    ],
)
def test_errors_of_prolog_programs(program, exercise, text, message):
    verdict = one(program(text, "my.pl"), exercise)
    assert (verdict.outcome, verdict.answers) == ("error", 0)
    assert message in verdict.message


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        (programs.PROLOG.replace("    maplist(all_distinct, Boxes),\n", ""), "(box "),
        (programs.PROLOG.replace(",\n    label(Cells)", ""), "label/1 is missing)"),
        ("sudoku(_).", "(the program leaves a variable there)"),
        ("sudoku([[a-b|_]|_]).", "a-b in row 1, column 1: expected row, column and digit"),
        ("sudoku([[X|_]|_]) :- X = f(X).", "in row 1, column 1: expected row, column and digit"),
    ],
)
def test_wrong_answers_of_prolog_programs(program, exercise, text, rule):
    verdict = one(program(text, "my.pl"), exercise, 2)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert verdict.extra == verdict.answers > 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("foo", "'foo' is not a constant; expected NAME=VALUE, such as dim=3"),
        ("=9", "'' is not a name of a constant"),
        ("Dim=9", "'Dim' is not a name of a constant"),
        ("not=9", "'not' is not a name of a constant"),
        ("dím=9", "'dím' is not a name of a constant"),
        ("dim=", "dim=: '' is not a value that clingo can read"),
        ("dim=N", "dim=N: 'N' is not a value that clingo can read"),
        ("dim=1..3", "'1..3' is not a value that clingo can read"),
        ("dim=é", "'é' is not a value that clingo can read"),
        ("dim=1\0", "is not a value that clingo can read"),
        ("dim=" + "(" * 100_000, "is not a value that clingo can read"),
        ("dim=9999999999", "dim=9999999999: the value is over 2147483647"),
    ],
)
def test_a_constant_that_clingo_rejects_is_reported_at_the_call(program, exercise, text, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        grade(program(programs.RIGHT), exercise / "instances", constants=[text])


def test_a_constant_has_one_value(program, exercise):
    with pytest.raises(ValueError, match="the constant size has two values; expected one"):
        grade(program(programs.RIGHT), exercise / "instances", constants=["size=9", "size = 8"])


@pytest.mark.parametrize("value", ["9", "3*3", " 9 ", "0x9", "|-9|"])
def test_a_constant_may_be_any_term(program, exercise, value):
    text = programs.RIGHT.replace("1..9", "1..size")
    assert one(program(text), exercise, constants=[f"size={value}"]).passed


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("my.pl", {"constants": ["dim=3"]}, "constants and scripts are for clingo"),
        ("my.pl", {"allow_scripts": True}, "constants and scripts are for clingo"),
        ("my.lp", {"predicate": "solve"}, "a predicate is for Prolog programs"),
        (
            "my.lp",
            {"against": "all", "reference": "."},
            "solutions or an engine, not both",
        ),
    ],
)
def test_an_argument_without_effect_is_an_error(program, exercise, name, options, message):
    with pytest.raises(ValueError, match=message):
        grade(program(programs.RIGHT, name), exercise / "instances", **options)


def test_an_unknown_setting_is_an_error_of_python(program, exercise):
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        grade(program(programs.RIGHT), exercise / "instances", speed=1)


def test_our_part_in_prolog_has_no_undefined_predicate():
    command = [str(swipl()), "--on-error=status", "--on-warning=status", "-g", "check"]
    file = str(Path(__file__).parents[1] / "prolog" / "grader.pl")
    ended = subprocess.run([*command, "-t", "halt", file], capture_output=True, text=True)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.parametrize(
    "options",
    [{"limit": -1}, {"timeout": 0}, {"memory": 0}, {"predicate": "a, halt"}, {"vocabulary": "x"}],
)
def test_wrong_arguments_are_reported_at_the_call(program, exercise, options):
    with pytest.raises(ValueError, match=r"limit|timeout|memory|predicate|vocabulary"):
        grade(program(programs.RIGHT), exercise / "instances", **options)
