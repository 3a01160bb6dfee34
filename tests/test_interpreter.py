"""Why a Prolog program loses an answer, by running its clauses: of lists, without any cell."""

from __future__ import annotations

import json

import pytest
from helpers.programs import prolog, resource

from pylogic_sudoku.check.explained import explained
from pylogic_sudoku.running.process import Ended, Limits

HEAD = """\
:- use_module(library(clpfd)).
:- use_module(library(lists)).
"""
RIGHT = """\
back([], []).
back([X|Xs], Ys) :-
    back(Xs, Zs),
    last_of(Zs, X, Ys).

last_of([], X, [X]).
last_of([Y|Ys], X, [Y|Zs]) :-
    last_of(Ys, X, Zs).
"""
ASK = """\
:- use_module({host}/clauses).
:- use_module({host}/interpreter).
:- use_module({host}/repair).
:- use_module({host}/runner).

main :-
    read_program('{program}', [], load_files('{program}', [])),
    Question = question(user:({goal}), R, {wanted}, values-3, 1_000_000, none),
    forall(interpreted(Question, Failed, Blame), told(Failed, Blame)),
    (   suspect(finds(Question), \\+ user:({wrong}), 1_000_000, [["",0]], Place)
    ->  write_json(user_output, [place|Place])
    ;   true
    ).

told(Failed, blame(How, Why, Rows)) :-
    write_json(user_output, [Failed, How, Why, Rows]).
told(Failed, nothing) :-
    write_json(user_output, [Failed]).
"""


def lines(folder, text, goal, wanted, wrong="fail"):
    """The attempts that tell something, each as a list, and where a change helps."""
    program = folder / "my.pl"
    program.write_text(HEAD + text)
    host = f"'{resource('prolog/host')}'"
    ask = ASK.format(host=host, program=program, goal=goal, wanted=wanted, wrong=wrong)
    (folder / "ask.pl").write_text(ask)
    ended = prolog("-g", "main", "-t", "halt", str(folder / "ask.pl"))
    assert ended.stderr == ""
    return [json.loads(line) for line in ended.stdout.splitlines()]


def test_a_right_program_has_no_goal_to_blame(tmp_path):
    assert lines(tmp_path, RIGHT, "back([1,2,3], R)", "[3,2,1]")[0] == ["tracked"]


@pytest.mark.parametrize(
    ("old", "new", "how", "line", "text"),
    [
        pytest.param(
            *("last_of(Zs, X, Ys).", "Ys = [X|Zs].", "fails", 6, "Ys = [X|Zs]"),
            marks=pytest.mark.slow,
        ),
        ("back(Xs, Zs),", "back([X|Xs], Zs),", "loops", 5, "back([X|Xs], Zs)"),
        (
            "last_of([Y|Ys], X, [Y|Zs]) :-\n    last_of(Ys, X, Zs).",
            "last_of([_|_], X, [_,_,X]).",
            "unbound",
            3,
            "back([], [])",
        ),
        (
            "last_of([], X, [X]).",
            "last_of([], X, _) :- atom_length(Y, X), Y > 0.",
            "raises",
            8,
            None,
        ),
    ],
)
def test_the_goal_is_named_whatever_the_values_are(tmp_path, old, new, how, line, text):
    assert old in RIGHT
    found = lines(tmp_path, RIGHT.replace(old, new), "back([1,2,3], R)", "[3,2,1]")
    (*_, [_, found_how, _, [first, *_]]) = (each for each in found if each[0] != "place")
    assert (found_how, first[1]) == (how, line)
    assert text in (None, first[3])


def test_variables_within_a_value_are_guided(tmp_path):
    """An answer that comes first is none: the list is made before its members are known."""
    text = (
        "pair(R) :-\n    R = [A,B],\n    var(A),\n    A in 1..9,\n    B #= A + 2,\n    label(R).\n"
    )
    blame, *_ = lines(tmp_path, text, "pair(R)", "[3,4]")
    assert blame[:2] == ["bound", "fails"]
    assert blame[3][0][3] == "var(A)"
    found = lines(tmp_path, text.replace("    var(A),\n", ""), "pair(R)", "[3,4]")
    assert found[0][3][0][3] == "B #= A + 2"
    assert found[-1] == ["place", "my.pl", 6, 5, "B #= A + 2"]


def test_a_change_has_to_pass_all_tests(tmp_path):
    text = "small(R) :-\n    R in 1..9,\n    R #< 3.\n"
    asked = tmp_path, text, "small(R)", "3"
    assert lines(*asked)[-1] == ["place", "my.pl", 5, 5, "R #< 3."]
    assert lines(*asked, "small(4)")[-1] == ["place", "my.pl", 5, 5, "R #< 3."]
    assert [each[0] for each in lines(*asked, "small(3)")] == ["bound"]


ROW = ["", 7, 5, "fail", "fails: fail"]
OTHER = ["", 3, 1, "true", "with a small change"]


@pytest.mark.parametrize(
    ("told", "kind", "summary", "named"),
    [
        ([["blame", "fails", "", [ROW]]], "goal", "the program loses an answer in line 7", [7]),
        (
            [["blame", "loops", "", [ROW]], ["blame", "fails", "which is so", [ROW]]],
            *("goal", "the program loses an answer in line 7, which is so", [7]),
        ),
        (
            [["blame", "raises", "no", [ROW]], ["likelier", OTHER]],
            "error",
            "the program raises an error in line 7: no; the mistake is more likely in line 3",
            [3, 7],
        ),
        ([["likelier", OTHER]], "stopped", "the program ended before", []),
        ([["blame", "odd", "", [ROW]], ["blame", "fails", 7, [ROW]]], "stopped", "the program", []),
        ([["failed", "memory", ""]], "stopped", "the explanation needs more than 9 MB", []),
        ([["nothing"], ["failed", "memory", ""]], "none", "", []),
    ],
)
def test_the_last_line_counts_of_sudoku_and_of_any_problem(told, kind, summary, named):
    found = explained(told, Ended(0, 1.0, ""), Limits(1, 9), "my.pl")
    assert found.kind == kind
    assert found.summary.startswith(summary)
    assert [place.line for place in found.places] == named
    assert {place.file for place in found.places} <= {"my.pl"}
