"""How the grader limits answers, time and memory, and what no graded program may do."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from helpers import check_programs as programs
from helpers.grading import one
from helpers.processes import LINUX, PATIENCE, running, soon

from pylogic_sudoku import Grid
from pylogic_sudoku.check import VOCABULARIES, Bounds, grade
from pylogic_sudoku.check._instances import Instance
from pylogic_sudoku.check._process import Limits
from pylogic_sudoku.check._programs import AspProgram

pytestmark = pytest.mark.usefixtures("patient")


# --- the limit --------------------------------------------------------------------------


@pytest.mark.parametrize(("limit", "answers"), [(10, 10), (124, 124), (125, 125), (0, 125)])
@pytest.mark.parametrize("from_engines", [False, True])
def test_limit(program, exercise, limit, answers, from_engines):
    file = program(programs.RIGHT)
    solutions = None if from_engines else exercise / "solutions"
    (verdict,) = grade(file, exercise / "instances" / "ex002.lp", solutions, limit=limit)
    assert (verdict.outcome, verdict.answers) == ("success", answers)


def test_one_more_answer_than_there_are_solutions_is_seen(program, exercise):
    instance = exercise / "instances" / "ex004.lp"
    (verdict,) = grade(program(programs.RIGHT), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("success", 1)
    (verdict,) = grade(program(programs.RIGHT.replace(programs.BOXES, "")), instance, limit=1)
    assert (verdict.outcome, verdict.answers) == ("failure", 2)


def test_reference_cut_off_at_a_limit(program, exercise, tmp_path):
    output = json.loads((exercise / "solutions" / "ex002.json").read_text())
    del output["Call"][-1]["Witnesses"][10:]
    output["Models"] = {"Number": 10, "More": "yes"}
    (tmp_path / "ex002.json").write_text(json.dumps(output))
    instance = exercise / "instances" / "ex002.lp"
    (verdict,) = grade(program(programs.RIGHT), instance, tmp_path)
    assert (verdict.outcome, verdict.answers) == ("success", 125)
    (verdict,) = grade(program(programs.RIGHT.replace(programs.BOXES, "")), instance, tmp_path)
    assert verdict.outcome == "failure"
    assert "(box " in verdict.rule
    (verdict,) = grade(program(programs.RIGHT + "a. :- a."), instance, tmp_path)
    assert (verdict.outcome, verdict.missing) == ("failure", 10)


# --- bounds on what a program gives out -------------------------------------------------


def test_atoms_of_an_answer(program, exercise):
    file = program(programs.RIGHT)
    assert one(file, exercise, 4, bounds=Bounds(atoms=81)).passed
    assert one(file, exercise, 4, bounds=Bounds(atoms=80)).rule == "r9c9 is empty"


def test_megabytes_of_answers(program):
    puzzle = Grid.parse("." * 81)
    asked = Instance("empty", Path("empty.lp"), "", puzzle)
    limits = Limits(60, 2048, bounds=Bounds(output=1))
    run = AspProgram(program(programs.RIGHT), VOCABULARIES["initial"]).run(asked, puzzle, 0, limits)
    number = len(run.answers)
    assert number > 1000
    assert (
        run.ending
        == f"{number} answers fill 1 MB of output; set a limit, or raise the bound output"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("output=0", "output = 0: expected a whole number from 1 to 1,000,000"),
        ("lines=1.5", "lines = 1.5: expected a whole number from 1"),
        ("output=1e15", "output = 1000000000000000: expected a whole number from 1"),
        ("grace=-1", "grace = -1: expected seconds, 0 or more"),
        ("speed=1", "there is no bound 'speed'; the names are output, atoms, lines, width, grace"),
        ("lines", "'lines' does not set a bound; expected NAME=NUMBER, such as output=1024"),
    ],
)
def test_impossible_bounds(command, program, text, message):
    code, _, errors = command("check", "-e", program(programs.RIGHT), "--bound", text, "1" * 81)
    assert code == 2
    assert message in errors


def test_constants_of_any_length(program, exercise):
    file = program(programs.RIGHT + "#const words=1.\nsaid(words).\n")
    assert one(file, exercise, 4, constants=[f'words="{"a" * 200_000}"']).passed


# --- time, memory, and what a program may not do ----------------------------------------

ENDLESS = programs.RIGHT + "count(0). count(X+1) :- count(X).\n"
HOG = programs.RIGHT + "n(1..5000). { q(X,Y,Z) } :- n(X), n(Y), n(Z).\n"
PROLOG_HOG = "sudoku(_) :- more([]). more(List) :- more([a,b,c|List])."
PROLOG_HEAP = (
    ":- dynamic f/2.\nsudoku(_) :- more(1).\n"
    "more(N) :- length(L, 1000), assertz(f(N, L)), M is N+1, more(M).\n"
)


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
def test_time_is_limited(program, exercise, name, text, stage):
    message, limit = "", 0.2
    while not message.startswith(f"stopped while {stage}"):  # in time it comes to that
        limit *= 2
        verdict = one(program(text, name), exercise, timeout=limit)
        assert (verdict.outcome, verdict.missing, verdict.extra) == ("timeout", 0, 0)
        assert verdict.milliseconds >= 1000 * limit
        message = verdict.message


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "text"),
    [("my.lp", HOG), ("my.lp", ENDLESS), ("my.pl", PROLOG_HOG), ("my.pl", PROLOG_HEAP)],
    ids=["choices", "endless", "stack", "clauses"],
)
def test_memory_is_limited(program, exercise, name, text):
    verdict = one(program(text, name), exercise, timeout=PATIENCE, memory=256)
    assert (verdict.outcome, verdict.message) == ("error", "out of memory (the limit is 256 MB)")


def test_scripts_run_if_allowed(program, exercise):
    text = "#script(python)\nimport clingo\ndef top(): return clingo.Number(9)\n#end.\n"
    text += programs.RIGHT.replace("1..9", "1..@top()")
    assert one(program(text), exercise, allow_scripts=True).passed
    text = f"#script(python)\ndef main(control): pass\n#end.\n{programs.RIGHT}"
    verdict = one(program(text), exercise, allow_scripts=True)
    assert (verdict.outcome, verdict.message) == (
        "error",
        "a #script defines main(), but the grader grounds and solves itself",
    )


@pytest.mark.parametrize(
    "line",
    [
        "[]",
        "7",
        '["answer"]',
        '["answer", [[1]], ""]',
        '["failed", 1, 2]',
        '["end"]',
        "{}",
        '["what"]',
        '["stage", "x"]',
        '["found", 1e999, ""]',
        "[" * 100_000,
        "no JSON",
    ],
)
def test_results_that_a_program_has_spoilt(program, exercise, line):
    text = f"""
        sudoku(_) :-
            current_prolog_flag(argv, Argv),
            append(_, [_, Results, _, _, _, _, _], Argv),
            open(Results, append, Out), format(Out, '~w~n', ['{line}']), close(Out), halt.
    """
    verdict = one(program(text, "my.pl"), exercise)
    assert (verdict.outcome, verdict.message) == (
        "error",
        "the program has tampered with the grader's result file",
    )


def test_too_little_memory_to_start(program, exercise):
    for name in ("my.lp", "my.pl"):
        text = programs.RIGHT if name == "my.lp" else programs.PROLOG
        verdict = one(program(text, name), exercise, memory=8)
        assert (verdict.outcome, verdict.message) == ("error", "out of memory (the limit is 8 MB)")


@LINUX
def test_nothing_is_left_running(program, exercise):
    start = "import subprocess\nsubprocess.Popen(['sleep', '86.4321'])\n"
    text = f"#script(python)\n{start}#end.\n{ENDLESS}"
    assert one(program(text), exercise, timeout=1, allow_scripts=True).outcome == "timeout"
    text = f"#script(python)\n{start}#end.\n{programs.RIGHT}"
    assert one(program(text), exercise, allow_scripts=True).outcome == "success"
    assert soon(lambda: not running("sleep 86.4321"))


@LINUX
def test_verdicts_that_are_not_read_to_the_end_leave_nothing(program, exercise):
    file = program(programs.RIGHT, "unique-name-of-a-program.lp")
    found = grade(file, exercise / "instances", exercise / "solutions")
    assert next(found).passed
    found.close()
    assert soon(lambda: not running("unique-name-of-a-program"))
