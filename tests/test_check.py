"""The grader's verdicts on right, wrong and broken programs, asked from Python, and its limits."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers.grading import NUMBERS, PUZZLES, UNIQUE_SOLUTION, one, verdicts
from helpers.processes import LINUX, MARK, PATIENCE, left_of
from helpers.programs import prolog, resource

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.check import VOCABULARIES, grade
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.sudoku import AspProgram
from pylogic_sudoku.running.process import Limits

pytestmark = pytest.mark.usefixtures("patient")

# --- right programs ---------------------------------------------------------------------


@pytest.mark.one_in(3)
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
def test_right_asp(write_program, exercise, text, options):
    verdict = one(write_program(text), exercise, **options)
    assert (verdict.outcome, verdict.answers, verdict.message) == ("success", NUMBERS[0], "")


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "reference"),
    [
        ("my.lp", ""),
        ("my.pl", ""),
        ("my.lp", "clingo"),
        ("my.lp", "prolog"),
        pytest.param("my.lp", "all", marks=pytest.mark.slow),
    ],
)
def test_a_right_program_on_every_instance(write_program, exercise, name, reference):
    """The reference is a folder of solutions, or our own engines."""
    file = write_program(programs.RIGHT if name == "my.lp" else programs.PROLOG, name)
    known = {"against": reference} if reference else {"reference": exercise / "solutions"}
    found = grade(file, exercise / "instances", **known)
    assert [(v.instance, v.outcome, v.answers, v.message) for v in found] == [
        (f"ex00{at}", "success", number, "") for at, number in enumerate(NUMBERS, 1)
    ]


def test_a_program_that_includes_another_and_names_that_clash(write_program, exercise, tmp_path):
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "rules.lp").write_text(programs.RIGHT)
    (tmp_path / "clingo.py").write_text("raise SystemExit('not what the grader imports')")
    assert one(write_program('#include "parts/rules.lp".'), exercise).passed
    assert one(write_program('\ufeff#include "parts/rules.lp".', "marked.lp"), exercise).passed


# --- wrong ones -------------------------------------------------------------------------


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("house", "rule"),
    [("row", programs.ROWS), ("column", programs.COLUMNS), ("box", programs.BOXES)],
)
def test_a_forgotten_house(write_program, exercise, house, rule):
    verdict = one(write_program(programs.RIGHT.replace(rule, "")), exercise, 4)
    assert (verdict.outcome, verdict.answers) == ("failure", 925)
    assert verdict.message == "stopped after 925 answers, so missing ones are not counted"
    assert verdict.extra in (924, 925)
    assert verdict.missing == 0, "not known, as the answers were cut off"
    assert verdict.extra_grid is not None
    conflicts = verdict.extra_grid.duplicates()
    assert verdict.rule == str(conflicts[0])
    assert {each.split()[0] for conflict in conflicts for each in conflict.houses} == {house}


def test_lost_solutions(write_program, exercise):
    text = programs.RIGHT + ":- sudoku(1,1,N), sudoku(1,2,M), N > M.\n"
    right = list(pls.solutions(PUZZLES[1]))
    kept = [grid for grid in right if grid.rows[0][0] < grid.rows[0][1]]
    assert 0 < len(kept) < 125
    verdict = one(write_program(text), exercise, 2)
    assert (verdict.outcome, verdict.answers) == ("failure", len(kept))
    assert (verdict.missing, verdict.extra) == (125 - len(kept), 0)
    assert verdict.missing_grid == min(set(right) - set(kept), key=lambda grid: grid.digits)
    assert (verdict.extra_grid, verdict.rule) == (None, "")


WRONG = {
    "my.lp": [
        (programs.RIGHT.replace(programs.GIVENS, ""), "is given there"),
        ("sudoku(1,1,five).", "sudoku(1,1,five): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,0,5).", "sudoku(1,0,5): expected row, column and digit to be 1 to 9"),
        ("sudoku(1,1,(1..2)).", "r1c1 holds both 1 and 2"),
        ("sudoku(1,1,2).", "r1c2 and 79 more cells are empty"),
        ("place(1,1,2).", "every cell is empty (no sudoku/3 is shown, but place/3)"),
        ("sudoku(1,2). solution(1,2,3).", "but sudoku/2 and solution/3)"),
        ("a. b(1). c(1,1,1). d(1). #show 5 : a. #show (1,2) : a.", "but c/3 and a/0 and b/1)"),
        ("a. #show.", "(no sudoku/3 is shown)"),
        (programs.RIGHT.replace("show sudoku/3", "show digit/1"), "(#show hides sudoku/3)"),
    ],
    "my.pl": [
        (programs.PROLOG.replace("    maplist(all_distinct, Boxes),\n", ""), "(box "),
        (programs.PROLOG.replace(",\n    label(Cells)", ""), "label/1 is missing)"),
        ("sudoku(_).", "(the program leaves a variable there)"),
        ("sudoku([[a-b|_]|_]).", "a-b in row 1, column 1: expected row, column and digit"),
        ("sudoku([[X|_]|_]) :- X = f(X).", "in row 1, column 1: expected row, column and digit"),
    ],
}
"""The fault of their first wrong answer, by the text of a program."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("name", "text", "rule"), [(name, *case) for name, cases in WRONG.items() for case in cases]
)
def test_what_is_wrong_with_an_answer(write_program, exercise, name, text, rule):
    verdict = one(write_program(text, name), exercise, 4 if name == "my.lp" else 2)
    assert verdict.outcome == "failure"
    assert rule in verdict.rule
    assert verdict.answers >= verdict.extra > 0
    if name == "my.lp" and verdict.answers < 925:
        assert (verdict.missing, str(verdict.missing_grid)) == (1, UNIQUE_SOLUTION)


def test_warnings_are_reported_if_a_program_fails(write_program, exercise):
    verdict = one(write_program(programs.RIGHT.replace("1..9", "1..size")), exercise)
    assert (verdict.outcome, verdict.answers, verdict.missing) == ("failure", 0, 2)
    assert "my.lp:1:7-14: info: interval undefined:" in verdict.message


# --- errors -----------------------------------------------------------------------------

SCRIPT = "#script(python)\nx = 1\n#end.\n"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("my.lp", "a b.", "{}:1:3-4: error: syntax error, unexpected <IDENTIFIER>"),
        ("my.lp", "a(X) :- not b.", "{}:1:1-15: error: unsafe variables in:\n  a(X)"),
        (
            "my.lp",
            "#domain digit(X).",
            "#domain is of gringo 3, and clingo no longer has it",
        ),
        (
            "my.lp",
            "a(X) :- b(Y), X = #abs(Y).\n#nothing a.",
            "#abs is of gringo 3, and clingo no longer has it: write |X|",
        ),
        ("my.lp", '#include "nowhere.lp".', "error: file could not be opened:\n  nowhere.lp"),
        ("my.lp", SCRIPT, "{}:1:1: #script is not run without --allow-scripts"),
        ("my.lp", '#include "script.lp".', "script.lp:1:1: #script is not run"),
        ("my.lp", "#minimize { 1 : a }.", "{}:1:13: #minimize, #maximize and weak constraints"),
        ("my.lp", ":~ a. [1]", "{}:1:1: #minimize, #maximize and weak constraints"),
        ("my.lp", b" \n", "{}: the file is empty"),
        ("my.lp", programs.RIGHT.encode("utf-16"), "{}: the file is not text in UTF-8"),
        ("my.pl", "foo(X :- .\n", "{}:1:10: Syntax error: Unexpected end of clause"),
        ("my.pl", "a b.", "{}:1:3: Syntax error: Operator expected"),
        ("my.pl", ":- use_module(library(nowhere)).", "`library(nowhere)' does not exist"),
        ("my.pl", "solve(_,_).", "there is no sudoku/1"),
        ("my.pl", "sudoku(_,_).", "there is no sudoku/1, but there is sudoku/2"),
        ("my.pl", "solve(_).\nhelp(_,_).", "there is no sudoku/1, but there is solve/1"),
        ("my.pl", ":- module(m, []).\nsudoku(_).", "the module m does not export sudoku/1"),
        ("my.pl", b"", "{}: the file is empty"),
    ],
)
def test_a_fault_of_the_program_itself_is_reported_once(
    write_program, exercise, name, text, message
):
    write_program(SCRIPT, "script.lp")
    file = write_program("", name)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    first, *others = verdicts(file, exercise)
    assert (first.outcome, first.answers) == ("error", 0)
    assert message.format(file) in first.message
    assert [(each.outcome, each.message) for each in others] == [
        ("error", "not run: the program itself is at fault, as said before")
    ] * 4


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param(
            *(programs.PROLOG.replace("label(", "lable("), "Unknown procedure: lable/1"),
            marks=pytest.mark.slow,
        ),
        ("sudoku(_) :- _ is foo + 1.", "`foo/0' is not a function"),
        ("sudoku(_) :- throw(oops).", "the program throws oops"),
        (
            "sudoku(_) :- halt(0).",
            "the program exited with code 0 before finishing: it seems to call halt, which ends",
        ),
        (":- halt(3).", "the program exited with code 3 before finishing"),
    ],
)
def test_errors_of_a_run(write_program, exercise, text, message):
    verdict = one(write_program(text, "my.pl"), exercise)
    assert (verdict.outcome, verdict.answers) == ("error", 0)
    assert message in verdict.message


@pytest.mark.one_in(3)
@pytest.mark.parametrize("value", ["9", "3*3", " 9 ", "0x9", "|-9|"])
def test_a_constant_may_be_any_term(write_program, exercise, value):
    text = programs.RIGHT.replace("1..9", "1..size")
    assert one(write_program(text), exercise, constants=[f"size={value}"]).passed


def test_an_unknown_setting_is_an_error_of_python(write_program, exercise):
    with pytest.raises(TypeError, match="unexpected keyword argument 'speed'"):
        grade(write_program(programs.RIGHT), exercise / "instances", speed=1)


def test_our_part_in_prolog_has_no_undefined_predicate():
    file = resource("prolog/sudoku/grading.pl")
    ended = prolog("--on-error=status", "--on-warning=status", "-g", "check", file)
    assert ended.returncode == 0, ended.stderr


DEEP = "(" * 100_000
CONSTANTS = ["foo", "=9", "Dim=9", "not=9", "dím=9", "dim=", "dim=N", "dim=1..3", "dim=é"]
CONSTANTS += ["dim=1\0", f"dim={DEEP}", "dim=9999999999"]


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        *(
            ("my.lp", {"constants": [text]}, f"{text!r} is not a constant; expected NAME=VALUE")
            for text in CONSTANTS
        ),
        ("my.pl", {"constants": ["dim=3"]}, "constants and scripts are for clingo"),
        ("my.pl", {"allow_scripts": True}, "constants and scripts are for clingo"),
        ("my.lp", {"predicate": "solve"}, "a predicate is for Prolog programs"),
        ("my.pl", {"predicate": "a, halt"}, "predicate"),
        ("my.lp", {"against": "all", "reference": "."}, "solutions or an engine, not both"),
        ("my.lp", {"vocabulary": "x"}, "vocabulary"),
        *(("my.lp", {name: 0}, name) for name in ("timeout", "memory", "max_output")),
        ("my.lp", {"limit": -1}, "limit"),
    ],
)
def test_wrong_arguments_are_reported_at_the_call(write_program, exercise, name, options, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        grade(write_program(programs.RIGHT, name), exercise / "instances", **options)


# === How the grader limits answers, time and memory, and what no graded program may do ============

# --- the limit --------------------------------------------------------------------------


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("limit", "answers"), [(10, 10), (124, 124), (125, 125), (0, 125)])
@pytest.mark.parametrize("from_engines", [False, True])
def test_limit(write_program, exercise, limit, answers, from_engines):
    file = write_program(programs.RIGHT)
    solutions = None if from_engines else exercise / "solutions"
    (verdict,) = grade(file, exercise / "instances" / "ex002.lp", solutions, limit=limit)
    assert (verdict.outcome, verdict.answers) == ("success", answers)


def test_one_more_answer_than_there_are_solutions_is_seen(write_program, exercise):
    instance = exercise / "instances" / "ex004.lp"
    (verdict,) = grade(write_program(programs.RIGHT), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("success", 1)
    (verdict,) = grade(write_program(programs.RIGHT.replace(programs.BOXES, "")), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("failure", 2)


@pytest.mark.slow
def test_reference_cut_off_at_a_limit(write_program, exercise, tmp_path):
    output = json.loads((exercise / "solutions" / "ex002.json").read_text())
    del output["Call"][-1]["Witnesses"][10:]
    output["Models"] = {"Number": 10, "More": "yes"}
    (tmp_path / "ex002.json").write_text(json.dumps(output))
    instance = exercise / "instances" / "ex002.lp"
    (verdict,) = grade(write_program(programs.RIGHT), instance, tmp_path)
    assert (verdict.outcome, verdict.answers) == ("success", 125)
    (verdict,) = grade(
        write_program(programs.RIGHT.replace(programs.BOXES, "")), instance, tmp_path
    )
    assert verdict.outcome == "failure"
    assert "(box " in verdict.rule
    (verdict,) = grade(write_program(programs.RIGHT + "a. :- a."), instance, tmp_path)
    assert (verdict.outcome, verdict.missing) == ("failure", 10)


# --- what a program gives out -------------------------------------------------------------


def test_megabytes_of_answers(write_program):
    puzzle = Grid.parse("." * 81)
    asked = Case("empty", Path("empty.lp"), "", puzzle)
    limits = Limits(60, 2048, max_output=1)
    run = AspProgram(write_program(programs.RIGHT), VOCABULARIES["initial"]).run(
        asked, puzzle, 0, limits
    )
    assert len(run.answers) > 1000
    assert run.ending == f"{len(run.answers)} answers fill 1 MB of output; see limit and max_output"


def test_constants_of_any_length(write_program, exercise):
    file = write_program(programs.RIGHT + "#const words=1.\nsaid(words).\n")
    assert one(file, exercise, 4, constants=[f'words="{"a" * 200_000}"']).passed


# --- time, memory, and what a program may not do ----------------------------------------

ENDLESS = programs.RIGHT + "count(0). count(X+1) :- count(X).\n"
HOG = programs.RIGHT + "n(1..5000). { q(X,Y,Z) } :- n(X), n(Y), n(Z).\n"
PROLOG_HOGS = (  # of the stack, and of clauses
    "sudoku(_) :- more([]). more(List) :- more([a,b,c|List]).",
    ":- dynamic f/2.\nsudoku(_) :- more(1).\n"
    "more(N) :- length(L, 1000), assertz(f(N, L)), M is N+1, more(M).\n",
)


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    ("name", "text", "stage"),
    [
        ("my.lp", ENDLESS, "grounding"),
        ("my.lp", programs.RIGHT + "{ more(1..40) }.", "searching"),
        ("my.pl", programs.PROLOG.replace("label(Cells)", "label(Cells), repeat, fail"), "search"),
        ("my.pl", ":- repeat, fail.", "loading"),
    ],
    ids=["grounding", "enumeration", "search", "loading"],
)
def test_time_is_limited(write_program, exercise, name, text, stage):
    message, limit = "", 0.2
    while not message.startswith(f"stopped while {stage}"):  # in time it comes to that
        limit *= 2
        verdict = one(write_program(text, name), exercise, timeout=limit)
        assert (verdict.outcome, verdict.missing, verdict.extra) == ("timeout", 0, 0)
        assert verdict.milliseconds >= 1000 * limit
        message = verdict.message


@pytest.mark.parametrize(
    ("name", "text", "megabytes"),
    [
        ("my.lp", programs.RIGHT, 8),  # too little to start
        ("my.pl", programs.PROLOG, 8),
        *(pytest.param("my.lp", text, 256, marks=pytest.mark.slow) for text in (HOG, ENDLESS)),
        *(pytest.param("my.pl", text, 256, marks=pytest.mark.slow) for text in PROLOG_HOGS),
    ],
)
def test_memory_is_limited(write_program, exercise, name, text, megabytes):
    verdict = one(write_program(text, name), exercise, timeout=PATIENCE, memory=megabytes)
    said = f"out of memory (the limit is {megabytes} MB)"
    assert (verdict.outcome, verdict.message) == ("error", said)


def test_scripts_run_if_allowed(write_program, exercise):
    text = "#script(python)\nimport clingo\ndef top(): return clingo.Number(9)\n#end.\n"
    text += programs.RIGHT.replace("1..9", "1..@top()")
    assert one(write_program(text), exercise, allow_scripts=True).passed
    text = f"#script(python)\ndef main(control): pass\n#end.\n{programs.RIGHT}"
    verdict = one(write_program(text), exercise, allow_scripts=True)
    assert (verdict.outcome, verdict.message) == (
        "error",
        "a #script defines main(), but the grader grounds and solves itself",
    )


SPOILT = ["[]", "7", '["answer"]', '["answer", [[1]], ""]', '["failed", 1, 2]', '["end"]', "{}"]
SPOILT += ['["what"]', '["stage", "x"]', '["found", 1e999, ""]', "[" * 100_000, "no JSON"]
SPOILT += ['["answer",[],""]\\n' * 9]  # more than the limit


@pytest.mark.one_in(10)
@pytest.mark.parametrize("first", ["", "sudoku(Rows) :- maplist(maplist(=(1)), Rows).\n"])
@pytest.mark.parametrize("line", SPOILT)
def test_results_that_a_program_has_spoilt(write_program, exercise, first, line):
    """Also after an answer that is wrong."""
    text = f"""{first}
        sudoku(_) :-
            current_prolog_flag(argv, Argv),
            append(_, [_, Results, _, _], Argv),
            open(Results, append, Out), format(Out, '~w~n', ['{line}']), close(Out), halt.
    """
    verdict = one(write_program(text, "my.pl"), exercise, limit=5)
    assert (verdict.outcome, verdict.message) == (
        "error",
        "the program has tampered with the grader's result file",
    )


@pytest.fixture
def marked(monkeypatch, tmp_path) -> str:
    """The mark of all processes that this one starts."""
    monkeypatch.setenv(MARK, str(tmp_path))
    return str(tmp_path)


@pytest.mark.slow
@LINUX
def test_nothing_is_left_running(write_program, exercise, marked):
    start = "import subprocess\nsubprocess.Popen(['sleep', '1000'])\n"
    text = f"#script(python)\n{start}#end.\n{ENDLESS}"
    assert one(write_program(text), exercise, timeout=1, allow_scripts=True).outcome == "timeout"
    text = f"#script(python)\n{start}#end.\n{programs.RIGHT}"
    assert one(write_program(text), exercise, allow_scripts=True).outcome == "success"
    assert left_of(marked) == {}


@LINUX
def test_verdicts_that_are_not_read_to_the_end_leave_nothing(write_program, exercise, marked):
    found = grade(write_program(programs.RIGHT), exercise / "instances", exercise / "solutions")
    assert next(found).passed
    found.close()
    assert list(found) == []
    assert left_of(marked) == {}
