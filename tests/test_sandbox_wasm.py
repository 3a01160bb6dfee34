"""Submissions that run as WebAssembly: graded as anywhere, with no way out, and ended in time."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from helpers import attacks
from helpers.check_programs import RIGHT
from helpers.processes import LINUX
from helpers.programs import resource
from helpers.puzzles import SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku.check import Verdict, grade
from pylogic_sudoku.check.trial import trial
from pylogic_sudoku.running import children, sandbox, wasm

pytestmark = [
    LINUX,
    pytest.mark.skipif(
        not wasm.is_installed(), reason=f"no SWI-Prolog as WebAssembly here: {wasm.installing()}"
    ),
]


def graded(folder: Path, text: str, *sources: Any, **settings: Any) -> Verdict:
    """The verdict on a program in a folder of its own."""
    program = folder / "own" / "program.pl"
    attacks.write(program.parent, {program.name: text})
    (verdict,) = grade(program, *(sources or (SEVERAL,)), sandbox="wasm", **settings)
    return verdict


# --- what is right and wrong ---


def test_a_grid_is_judged(tmp_path):
    right = f"{attacks.RIGHT}\nsudoku(Rows) :- right(Rows).\n"
    assert graded(tmp_path, right, memory=512).outcome == "success"
    wrong = graded(tmp_path, "sudoku(Rows) :- maplist([Row]>>maplist(=(1), Row), Rows).\n")
    assert (wrong.outcome, wrong.missing_answer is not None) == ("failure", True)


@pytest.mark.slow
def test_an_answer_to_an_instance_is_judged_and_a_line_is_named(tmp_path):
    text = resource("problems/queens/queens.pl").read_text()
    assert graded(tmp_path, text, "size=4", problem="queens").outcome == "success"
    changed = text.replace("Column - Row", "Column - Column")
    assert changed != text
    verdict = graded(tmp_path, changed, "size=4", problem="queens")
    assert (verdict.outcome, bool(verdict.diagnosis.places)) == ("failure", True)


GOALS = {
    "cases.pl": "case(twice, double(2, X)).\nthrows(text, double(a, _), error(_, _)).\n",
    "reference.pl": "double(X, Y) :- Y is 2*X.\n",
}


def test_the_solutions_of_goals_are_judged(tmp_path):
    attacks.write(tmp_path / "goals", GOALS)
    program = tmp_path / "own" / "program.pl"
    for text, expected in ((GOALS["reference.pl"], "success"), ("double(X, X).\n", "failure")):
        attacks.write(program.parent, {program.name: text})
        verdicts = grade(program, (), problem=tmp_path / "goals", sandbox="wasm")
        assert {each.outcome for each in verdicts} == {expected}, verdicts


@pytest.mark.slow
def test_a_program_of_several_files_and_messages(tmp_path):
    attacks.write(tmp_path / "own", attacks.PARTS)
    assert graded(tmp_path, attacks.HONEST["honest.pl"]).outcome == "success"
    verdict = graded(tmp_path, "sudoku(Rows) :- foo(Rows.\n")
    assert (verdict.outcome, verdict.flawed) == ("error", True)
    assert "program.pl:1:" in verdict.message


def test_programs_of_clingo_have_limits_alone_and_no_scripts(tmp_path):
    (tmp_path / "own.lp").write_text(RIGHT)
    assert grade(tmp_path / "own.lp", SEVERAL, sandbox="wasm")
    with pytest.raises(ValueError, match="cannot hold scripts"):
        grade(tmp_path / "own.lp", SEVERAL, sandbox="wasm", allow_scripts=True)


# --- a whole exercise, a whole class ---

IN_WASM = "current_prolog_flag(emscripten, true)"
"""A goal that is true in WebAssembly alone."""
DOUBLES = {
    "anywhere": "double(X, Y) :- Y is 2*X.\n",
    "wasm": f"double(X, Y) :- {IN_WASM}, Y is 2*X.\n",
    "native": f"double(X, Y) :- \\+ {IN_WASM}, Y is 2*X.\n",
    "foreign": ":- use_module(library(process)).\ndouble(X, Y) :- Y is 2*X.\n",
}


@pytest.mark.slow
def test_the_file_of_an_exercise_chooses_it_and_an_option_wins(tmp_path, command):
    attacks.write(tmp_path / "week", {**GOALS, "exercise.toml": 'sandbox = "wasm"\n'})
    attacks.write(tmp_path / "own", {"own.pl": DOUBLES["wasm"]})
    asked = ("check", "-e", tmp_path / "own" / "own.pl", "-p", tmp_path / "week")
    code, out, err = command(*asked)
    assert (code, out.splitlines()[-2:], err) == (0, ["2 of 2 passed", "SUCCESS"], "")
    if children.swipl():
        code, out, _ = command(*asked, "--sandbox=off")
        assert (code, out.splitlines()[-1:]) == (1, ["FAILURE"])


@pytest.mark.slow
def test_a_class_is_marked_there(tmp_path, command):
    attacks.write(tmp_path / "goals", GOALS)
    attacks.write(tmp_path / "sent", {f"{name}/my.pl": text for name, text in DOUBLES.items()})
    marks = tmp_path / "marks.csv"
    asked = ("class", tmp_path / "sent", "-p", tmp_path / "goals", "--csv", marks)
    code, out, _ = command(*asked, "--sandbox=wasm", "--jobs=2")
    assert (code, out.splitlines()[-1]) == (0, "4 students: 2 passed")
    _, *rows = csv.reader(marks.read_text().splitlines())
    assert {row[0]: (row[2], row[4]) for row in rows} == {
        "anywhere": ("2", "success"),
        "wasm": ("2", "success"),
        "native": ("0", "failure"),
        "foreign": ("0", "failure"),
    }


@pytest.mark.slow
def test_it_grades_where_no_other_prolog_is(tmp_path, monkeypatch):
    monkeypatch.setattr(children, "swipl", lambda: None)
    monkeypatch.setattr(sandbox, "_swipl", list)
    program = tmp_path / "own.pl"
    program.write_text(f"{attacks.RIGHT}\nsudoku(Rows) :- right(Rows).\n")
    assert grade(program, SEVERAL, sandbox="off")


def test_where_it_is_missing_it_is_no_choice(tmp_path, monkeypatch):
    monkeypatch.setattr(wasm, "DATA", tmp_path)
    with pytest.raises(pls.BackendUnavailable, match="WebAssembly is not installed"):
        sandbox.sandbox("wasm")


def test_the_work_of_a_program_is_not_shown_there(tmp_path):
    with pytest.raises(ValueError, match="sandbox must be one of"), trial(choice="wasm"):
        pass


# --- what a program cannot do ---

UNREAL = {"root", "processes"}
"""Attacks that notice processes, and none is there: `commands` has others."""
COMMANDS = {
    "command": "shell('echo done > done'), exists_file(done)",
    "pipe": "open(pipe('echo done'), read, In), read_string(In, _, Text), Text \\== \"\"",
    "process": "use_module(library(process)), process_create(path(true), [], [])",
    "fork": "use_module(library(unix)), fork(_)",
    "thread": "thread_create(true, Thread), thread_join(Thread)",
    "library": "open_shared_object('/lib/x86_64-linux-gnu/libc.so.6', _)",
}
JAVASCRIPT = {
    "value": "wasm:(X := location.pathname), nonvar(X)",
    "call": 'wasm:(_ := eval("1"))',
    "method": 'wasm:(_ := prolog.query("true"))',
    "setter": 'wasm:(location.pathname := "/x")',
    "our call": "wasm:(true := isStopped())",
    "our other call": 'wasm:(true := tell(1, "better", []))',
    "foreign": "system:'$js_call'([location,pathname], _)",
    "script": 'wasm:js_script("Date.now = () => 0", []), get_time(T), T < 1000',
    "foreign script": 'system:js_run_script("Date.now = () => 0"), get_time(T), T < 1000',
    "fetch": 'wasm:fetch("http://127.0.0.1/", text, _)',
    "promise": "wasm:await(x, _)",
    "query": 'wasm:wasm_call_string("X := location.pathname", _, Result), Result \\== false',
    "address": "load_files('https://127.0.0.1/x.pl')",
}
TIMES = ("directive", "question")


def attacking(given: dict[str, str], told: str) -> str:
    """A program that raises the names of the attacks that succeed, and is right if none does."""
    clauses = "".join(f"attack('{name}') :- {attack}.\n" for name, attack in given.items())
    successes = "findall(N, (clause(attack(N), Do), catch(once(Do), _, fail)), Names)"
    raised = f"{successes}, ( Names == [] -> true ; throw(done(Names)) )"
    if told == "directive":
        more = f":- {raised}.\nsudoku(Rows) :- right(Rows).\n"
    else:
        more = f"sudoku(Rows) :- {raised}, right(Rows).\n"
    uses = ":- use_module(library(wasm)).\n" if given is JAVASCRIPT else ""
    return f"{uses}{attacks.RIGHT}\n{clauses}{more}"


@pytest.mark.one_in(4)
@pytest.mark.parametrize("when", TIMES)
@pytest.mark.parametrize("given", [COMMANDS, JAVASCRIPT], ids=["commands", "javascript"])
def test_no_command_and_no_javascript_is_reached(given, when, tmp_path):
    verdict = graded(tmp_path, attacking(given, when))
    assert verdict.outcome == "success", verdict.message


@pytest.mark.slow
def test_an_attack_that_succeeds_would_be_named(tmp_path):
    verdict = graded(tmp_path, attacking({"none": "fail", "all": "true"}, "question"))
    assert "throws done([all])" in verdict.message


def test_nothing_of_this_system_is_seen(tmp_path, monkeypatch):
    monkeypatch.setenv(attacks.TOKEN, "secret")
    with attacks.place() as folder:
        week = attacks.exercise(folder)
        given = attacks.prolog_attacks(week, 1)
        # What they write is in the memory of the process.
        for name in (*UNREAL, "report", "neighbour", "temporary"):
            wrote = given.pop(name)
            given |= {} if name in UNREAL else {name: f"{wrote}, fail"}
        files = {"ours": "exists_file('/prolog/sudoku.pl') ; exists_file('/encodings/sudoku.lp')"}
        text = attacking(given | files, "question")
        attacks.write(folder / "class", {"own/own.pl": text})
        program = folder / "class" / "own" / "own.pl"
        verdicts = list(grade(program, week / "instances", sandbox="wasm"))
        assert [each.outcome for each in verdicts] == ["success"] * 2, verdicts
        assert not Path(f"/tmp/{folder.name}-forged").exists()
        assert not any(
            each.read_text() == "forged" for each in folder.rglob("*.*") if each.is_file()
        )


FORGED = {
    "verdict": """['"success"']""",
    "end": """['["ready"]','["end",true,0]']""",
    "answer": """['["ready"]','["answer",[[1,1,1]],""]','["end",true,1]']""",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FORGED)
def test_forged_results_are_no_success(name, tmp_path):
    text = f""":- current_prolog_flag(argv, Argv), nth1(2, Argv, File), open(File, append, Out),
   forall(member(Line, {FORGED[name]}), (write(Out, Line), nl(Out))), close(Out), halt.
"""
    assert graded(tmp_path, text).outcome in ("failure", "error")


@pytest.mark.slow
def test_predicates_of_the_grader_that_are_changed_make_no_success(tmp_path):
    text = """
:- use_module(library(prolog_wrap)).
sudoku(_) :- fail.
:- wrap_predicate(sudoku_grading:answer_line(_, Line), mine, _, Line = '["answer",[[1,1,1]],""]').
:- abolish(sudoku_grading:goal/5), assertz((sudoku_grading:goal(_, _, _, true, ""))).
:- redefine_system_predicate(write(_, _)).
"""
    assert graded(tmp_path, text).outcome in ("failure", "error")


@pytest.mark.slow
@pytest.mark.parametrize("look", ["arguments", "frames", "input"])
def test_no_message_on_a_hidden_instance_tells_anything_of_it(look, tmp_path):
    from test_sandbox import HIDDEN, LOOKS

    folder = tmp_path / "exercise"
    text = "answer([told(N)]) :- hides(N)."
    files = {"exercise.pl": text, "problem.toml": 'output = ["told/1"]\ninput = ["hides/1"]'}
    attacks.write(folder, files | {"instances/hidden.lp": f"hides({HIDDEN})."})
    verdict = graded(tmp_path, LOOKS[look], "hidden", problem=folder)
    assert verdict.outcome == "error"
    assert str(HIDDEN) not in json.dumps(verdict.message) or look == "input"


# --- what ends ---

LONG = 'format(Out, "~`a~t~100000|", [])'
OPEN = "open(File, write, Out, [type(binary)])"
ENDLESS = {
    "loop": "repeat, fail",
    "recursion": "deep(a)",
    "clauses": "between(1, inf, N), assertz(fact(N)), fail",
    "atoms": f"between(1, inf, N), {LONG.replace('Out', 'atom(A)')}, assertz(fact(N-A)), fail",
    "integers": "X is 7**(7**8), between(1, inf, N), Y is X**N, Y < 0",
    "file": f"open('/tmp/file', write, Out), repeat, {LONG}, fail",
    "hole": f"File = hole, {OPEN}, seek(Out, 2_000_000_000, bof, _), put_byte(Out, 1), close(Out)",
    "files": f"between(1, inf, N), atom_concat('/tmp/', N, File), {OPEN}, close(Out), fail",
    "messages": f"Out = user_error, repeat, {LONG}, fail",
}


@pytest.mark.slow
@pytest.mark.parametrize("name", ENDLESS)
def test_a_program_without_end_is_ended_and_the_next_one_is_graded(name, tmp_path):
    text = f":- dynamic fact/1.\ndeep(X) :- deep(s(X)), fact(X).\nsudoku(_) :- {ENDLESS[name]}.\n"
    limits = {"memory": 256, "max_output": 8, "timeout": 20}
    assert graded(tmp_path, text, **limits).outcome in ("error", "timeout")
    right = f"{attacks.RIGHT}\nsudoku(Rows) :- right(Rows).\n"
    assert graded(tmp_path, right, memory=256).outcome == "success"
