"""Programs for any problem, graded as those for sudoku are: all answers, the line, the reports."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
from helpers import command_line
from helpers.problems import written
from helpers.processes import PATIENCE

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom, InvalidProblem
from pylogic_sudoku.check import Grader, Verdict, explain, grade
from pylogic_sudoku.check.cases import Case
from pylogic_sudoku.check.comments import comment_above
from pylogic_sudoku.check.diagnosis import Diagnosis
from pylogic_sudoku.check.judging import judged
from pylogic_sudoku.check.problem_programs import Posed
from pylogic_sudoku.check.problems import ProblemTask
from pylogic_sudoku.check.programs import Attempt
from pylogic_sudoku.problem.folder import Problem, bundled
from pylogic_sudoku.running.process import Limits
from pylogic_sudoku.running.sandbox import sandbox

QUEENS = Problem("queens")
ASP = QUEENS.paths["clingo"].read_text(encoding="utf-8")
PROLOG = QUEENS.paths["prolog"].read_text(encoding="utf-8")
HELPED = """\
row(1..N) :- size(N).
column(1..N-1) :- size(N).
{ queen(R,C) : column(C) } = 1 :- row(R).
:- queen(R,C), queen(S,C), R < S.
:- queen(R,C), queen(S,D), R < S, |C-D| = S-R.
#show queen/2.
"""
ANSWERS_OF_4 = {
    frozenset(Atom("queen", each) for each in enumerate(columns, 1))
    for columns in ((2, 4, 1, 3), (3, 1, 4, 2))
}
DIAGONALS = "no two queens are on a diagonal. R+C is the same along it, or else R-C"


def run(*arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
    return command_line.run(*arguments, cwd=cwd)


@pytest.fixture
def program(tmp_path):
    """Writes a program, and returns its file."""

    def write(text: str, name: str) -> Path:
        path = tmp_path / "submission" / name
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    return write


def graded(path: Path, *instances: str, problem: object = QUEENS, **more: object) -> list[Verdict]:
    return list(grade(path, instances, problem=problem, **more))


# --- right programs ---


@pytest.mark.one_in(16, 5)
@pytest.mark.parametrize("problem", bundled(), ids=lambda problem: problem.name)
def test_the_bundled_programs_pass_and_no_line_of_them_is_named(problem):
    for name, path in problem.paths.items():
        if name.startswith("clingcon"):
            continue
        for verdict in graded(path, problem=problem, limit=500):
            assert verdict.passed, (name, verdict)
            assert verdict.diagnosis is None


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize(
    ("name", "text"), [("queens.lp", ASP), ("queens.pl", PROLOG)], ids=["asp", "prolog"]
)
def test_answers_are_counted_exactly(program, name, text):
    found = graded(program(text, name), "size=4", "size(5).", "6", "3")
    assert [(each.instance, each.answers) for each in found] == [
        *(("size=4", 2), ("size(5).", 10), ("6", 4), ("3", 0))
    ]
    assert all(each.passed and each.exhausted for each in found)
    assert [each.solvable for each in found] == [True, True, True, False]


# --- a lost answer ---


def test_a_statement_that_excludes_an_answer_is_named(program):
    wrong = ASP.replace("} > 1.", "} > 0.", 1)
    (found,) = graded(program(wrong, "my.lp"), "size=4")
    assert (found.way, found.missing, found.answers) == ("nothing", 2, 0)
    assert found.missing_answer in ANSWERS_OF_4
    assert found.facts == "size(4)."
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "} > 0" in text)
    assert (found.diagnosis.kind, found.diagnosis.places[0].line) == ("constraint", line)
    assert found.diagnosis.summary == (
        f"the program loses an answer: my.lp, line {line} excludes it"
    )


@pytest.mark.slow
def test_a_lost_atom_is_followed_into_its_definition(program):
    (found,) = graded(program(HELPED, "my.lp"), "size=4")
    assert found.diagnosis.kind == "underived"
    assert found.diagnosis.places[0].line == 2
    assert "no rule derives queen(" in found.diagnosis.summary


def test_a_definition_is_compared_with_that_of_the_reference(program, tmp_path):
    folder = tmp_path / "paths"
    (folder / "instances").mkdir(parents=True)
    (folder / "instances" / "1.lp").write_text("edge(a,b). edge(b,c). edge(c,d).\n")
    rules = "reach(X,Y) :- edge(X,Y).\nreach(X,Z) :- reach(X,Y), edge(Y,Z).\n"
    pick = "{ pick(X) : edge(X,_) } = 1.\n:- pick(X), not reach(X,d).\n#show pick/1.\n"
    (folder / "paths.lp").write_text(rules + pick)
    wrong = rules.replace("edge(Y,Z)", "edge(Z,Y)") + pick
    (found,) = graded(program(wrong, "my.lp"), problem=folder)
    assert found.way == "missing"
    assert found.diagnosis.places[0].line == 2


def test_a_goal_that_excludes_an_answer_is_named(program):
    wrong = PROLOG.replace("Columns ins 1..N", "Columns ins 2..N")
    (found,) = graded(program(wrong, "my.pl"), "size=4")
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "ins 2..N" in text)
    assert (found.way, found.diagnosis.places[0].line) == ("nothing", line)


# --- an extra answer ---


@pytest.mark.slow
def test_an_extra_answer_breaks_what_the_comment_of_the_reference_says(program):
    wrong = PROLOG.replace("    all_distinct(Sums),\n", "")
    (found,) = graded(program(wrong, "my.pl"), "size=4")
    assert (found.way, found.extra, found.answers) == ("wrong", 5, 7)
    assert found.extra_answer not in ANSWERS_OF_4
    assert found.rule == DIAGONALS


@pytest.mark.slow
def test_the_statement_that_tries_to_say_it_is_named(program):
    wrong = ASP.replace("D = 1-N..N-1", "D = 0..N-1")
    (found,) = graded(program(wrong, "my.lp"), "size=4")
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if "D = 0..N-1" in text)
    assert found.rule == DIAGONALS
    assert [place.line for place in found.diagnosis.places] == [line]


@pytest.mark.slow
def test_check_lp_says_what_is_violated_in_the_teachers_words(program, tmp_path):
    folder = tmp_path / "queens"
    shutil.copytree(QUEENS.folder, folder)
    (folder / "check.lp").write_text(
        'violated("two queens attack each other") :- queen(R,C), queen(S,D), R<S, |C-D| = S-R.\n'
    )
    wrong = PROLOG.replace("    all_distinct(Sums),\n", "")
    (found,) = graded(program(wrong, "my.pl"), "size=4", problem=folder)
    assert found.rule == "two queens attack each other"
    (folder / "check.lp").write_text("violated(X :- queen.\n")
    with pytest.raises(InvalidProblem, match=r"check\.lp"):
        graded(program(wrong, "my.pl"), "size=4", problem=folder)


def test_comments_are_found_on_the_line_or_above_its_paragraph(tmp_path):
    path = tmp_path / "x.lp"
    path.write_text("a.\n\n% Test: no two are alike.\n:- b.\n:- c.\n\n:- d.  % never d\n\n:- e.\n")
    assert [comment_above(path, line) for line in (4, 5, 7, 9)] == [
        *("no two are alike", "no two are alike", "never d", "")
    ]


COLOURS = """\
{ colour(X,1..K) } = 1 :- node(X), colours(K).
% Neighbours differ.
differ(X,Y) :- edge(X,Y), colour(X,C), colour(Y,D), C != D.
:- edge(X,Y), not differ(X,Y).
:- colour(X,C), colour(Y,D), X < Y, C > D + 2.
#show colour/2.
"""
GRAPH = "node(1..3). edge(1,2). edge(2,3). colours(4)."


def coloured(program, tmp_path, old, new):
    folder = tmp_path / "colours"
    folder.mkdir()
    (folder / "colours.lp").write_text(COLOURS)
    path = program(COLOURS.replace(old, new), "my.lp")
    (found,) = graded(path, GRAPH, problem=folder, limit=500)
    return found


@pytest.mark.slow
def test_predicates_that_no_statement_relates_are_named(program, tmp_path):
    found = coloured(program, tmp_path, ":- edge(X,Y), not differ(X,Y).\n", "")
    assert (found.way, found.diagnosis.kind) == ("wrong", "too many")
    assert found.diagnosis.summary == "no constraint relates edge/2 and colour/2"
    assert not found.diagnosis.places


@pytest.mark.slow
def test_a_conjunct_is_named_without_which_the_answer_is_accepted(program, tmp_path):
    ok = "ok :-\n  { edge(X,Y) : not differ(X,Y) } = 0,\n  not colour(1,1).\n:- not ok.\n"
    found = coloured(program, tmp_path, ":- edge(X,Y), not differ(X,Y).\n", ok)
    assert found.diagnosis.places[0][1:4] == (6, 3, "not colour(1,1)")
    assert found.diagnosis.summary == "the program loses an answer: my.lp, line 6 excludes it"


@pytest.mark.slow
def test_a_bound_is_named_that_is_too_small_for_the_instance(program, tmp_path):
    found = coloured(program, tmp_path, "1..K", "1..2")
    assert [place.line for place in found.diagnosis.places] == [1]


RIGHT = "1 { at(X) : n(X) } 1.\nto(X+1) :- at(X).\n#show to/1.\n"
# Predicates of other arities, so that no name in place of another one helps.
TWICE = "1 { at(X) : n(X) } 1.\nby(X+1,0) :- at(X).\nto(X+1) :- by(X,0).\n#show to/1.\n"
LATER = TWICE.replace("to(X+1) :- by(X,0).", "up(X+1,0,0) :- by(X,0).\nto(X) :- up(X,0,0).")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "words", "lines"),
    [
        (TWICE, "this line derives to(5); about as likely: line 2", [3]),
        (
            LATER,
            "this line derives to(5); the mistake is likely to be in line 3; about as likely:"
            " line 2",
            [3, 4],
        ),
    ],
    ids=["named already", "the nearer one first"],
)
def test_lines_with_as_many_changes_that_make_the_program_right_are_about_as_likely(
    program, tmp_path, text, words, lines
):
    folder = tmp_path / "next"
    folder.mkdir()
    (folder / "next.lp").write_text(RIGHT)
    (found,) = graded(program(text, "my.lp"), "n(1..3).", problem=folder)
    assert found.diagnosis.summary == words
    assert [place.line for place in found.diagnosis.places] == lines


def test_the_clause_is_named_that_does_not_call_a_predicate(program, tmp_path):
    folder = tmp_path / "pick"
    folder.mkdir()
    text = "answer([pick(X,Y)]) :-\n    member(X, [1,2,3]),\n    member(Y, [1,2,3]){}.\n"
    (folder / "pick.pl").write_text(text.format(", X =\\= Y"))
    own = text.format("") + "least(_, []).\nunlike(X, Y) :-\n    X =\\= Y.\n"
    (found,) = graded(program(own, "my.pl"), "", problem=folder)
    assert found.diagnosis.summary == "the mistake is likely to be in line 3"
    assert [place.line for place in found.diagnosis.places] == [3]


EVEN = """\
answer([even(N)]) :- most(M), between(0, M, N), even(N).
even(0).
even(N) :-
    N > 1,
    M is N-2,
    even(M).
"""
WORK = """\
answer([far(N)]) :-
    between(1, 4, N),
    N > 2,
    numlist(1, 200000, Ns),
    forall(member(X, Ns), X > 0).
"""


@pytest.mark.parametrize(
    ("right", "old", "new", "facts", "line"),
    [
        pytest.param(EVEN, " N > 1", " \\+ N > 1", "most(3).", 4, id="no end"),
        pytest.param(
            *(WORK, "N > 2", "N > 1", "", 3), id="many inferences", marks=pytest.mark.slow
        ),
        pytest.param(
            *(EVEN, "even(0)", "even(9)", "most(3).", 2), id="a far number", marks=pytest.mark.slow
        ),
    ],
)
def test_the_line_of_a_change_that_makes_a_prolog_program_right_comes_first(
    program, tmp_path, right, old, new, facts, line
):
    folder = tmp_path / "right"
    folder.mkdir()
    # Helpers of other names, so that the reference says nothing of those of the program.
    (folder / "right.pl").write_text(right.replace("even(", "step(").replace("[step(", "[even("))
    (folder / "problem.toml").write_text('input = ["most/1"]\n')
    assert right.count(old) == 1
    path = program(right.replace(old, new), "my.pl")
    task = ProblemTask(Problem(folder))
    (instance,) = task.gather(facts)
    known = task.solve(instance, "prolog", 100, PATIENCE)
    mine = task.program(path, sandbox("off"), alone=True)
    limits = Limits(PATIENCE, 2048)
    if new.startswith(" \\+"):
        found = mine.explain_loop(instance, known.question, limits)
    elif right == WORK:
        wrong = Attempt(Answer([Atom("far", (2,))]))
        found = mine.explain_wrong(instance, known.question, wrong, None, None, limits)
    else:
        lost = max(known.solutions, key=sorted)
        found = mine.explain(instance, known.question, lost, limits)
    assert found.summary.endswith(f"the mistake is likely to be in line {line}")
    assert found.places[0].line == line


# --- optima ---


def test_the_best_answers_and_their_cost_are_compared(program):
    knapsack = Problem("knapsack")
    right = knapsack.paths["clingo"].read_text(encoding="utf-8")
    name = next(iter(knapsack.instances))
    (found,) = graded(program(right, "my.lp"), name, problem=knapsack)
    assert found.passed
    kept = [line for line in right.splitlines() if not line.startswith(("#maximize", "#minimize"))]
    (found,) = graded(program("\n".join(kept), "all.lp"), name, problem=knapsack)
    assert found.way == "wrong"


# --- programs that cannot be graded as they are ---


def test_a_program_without_the_output_predicate_is_told_so(program):
    (found,) = graded(program("{ q(R,1..2) } = 1 :- size(N), R = 1..N.\n", "my.lp"), "size=4")
    assert found.way == "error"
    assert "no rule derives queen/2" in found.message
    assert "the program derives q" in found.message


def test_a_predicate_of_another_arity_is_not_the_one_asked_for(program):
    (found,) = graded(program("{ queen(1..N) } = 1 :- size(N).\n", "my.lp"), "size=4")
    assert "no rule derives queen/2" in found.message
    assert "the program derives queen/1" in found.message


def test_terms_that_are_shown_are_answers(program):
    shown = ASP.replace("queen(", "q(").replace("#show queen/2.", "#show queen(R,C) : q(R,C).")
    found = graded(program(shown, "my.lp"), "size=4", "size=5")
    assert [(each.way, each.answers) for each in found] == [("", 2), ("", 10)]


def test_arithmetic_that_nobody_computed_is_said_to_be_no_value(program):
    text = "answer([queen(1,1+1)]) :- size(_).\n"
    (found,) = graded(program(text, "my.pl"), "size=4")
    assert found.way == "wrong"
    assert "compute numbers with is/2" in found.rule


def test_instances_of_one_name_are_kept_apart(program, tmp_path):
    for folder, size in (("a", 4), ("b", 5)):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "1.lp").write_text(f"size({size}).\n")
    found = graded(program(ASP, "my.lp"), tmp_path / "a" / "1.lp", tmp_path / "b" / "1.lp")
    assert [(each.instance, each.answers) for each in found] == [("1", 2), ("1 (2)", 10)]


def test_facts_may_be_longer_than_the_name_of_a_file(program):
    facts = "size(4)." + " size(4)." * 100
    (found,) = graded(program(ASP, "my.lp"), facts)
    assert found.answers == 2


@pytest.mark.slow
def test_a_huge_program_is_not_changed(program):
    long = PROLOG + "".join(f"p{n} :- q, r.\n" for n in range(3000))
    wrong = long.replace("Columns ins 1..N", "Columns ins 2..N")
    (found,) = graded(program(wrong, "my.pl"), "size=4")
    assert found.way == "nothing"


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("queens(N) :- size(N).\n", "there is no predicate model/1 or model/2 or answer/1"),
        ("model(P) :- size(N), X #< N, P = [queen(1)-X].\n", "Operator expected"),
        (
            ":- use_module(library(clpfd)).\nmodel([queen(1)-X]) :- size(N), X #< N.\n",
            "no finite domain",
        ),
        ("model([queen(1)-X]) :- sise(N), X = N.\n", "there is no predicate sise/1"),
        ("model(P) :- halt, size(P).\n", "it seems to call halt"),
        ("", "the file is empty"),
    ],
)
def test_what_is_wrong_with_a_prolog_program_is_said(program, text, said):
    (found,) = graded(program(text, "my.pl"), "size=4")
    assert found.way == "error"
    assert said in found.message


def test_a_call_of_a_predicate_that_is_not_there_needs_no_explanation(program):
    file = program(PROLOG.replace("all_distinct(Columns)", "all_distinkt(Columns)"), "my.pl")
    (found,) = graded(file, "size=4")
    (message,) = found.errors
    assert (message.kind, found.diagnosis) == ("no-predicate", None)
    (place,) = explain(file, "size=4", problem="queens").places
    assert (place.line, str(place)) == (message.line, f"my.pl, line {place.line}: {message.words}")


@pytest.mark.slow
def test_an_adapter_makes_answers_of_what_students_define(program, tmp_path):
    folder = tmp_path / "queens"
    shutil.copytree(QUEENS.folder, folder)
    (folder / "adapter.pl").write_text(
        "answer(Atoms) :- size(N), queens(N, Qs),\n"
        "    findall(queen(R,C), nth1(R, Qs, C), Atoms).\n"
    )
    mine = """\
:- use_module(library(clpfd)).
queens(N, Qs) :- length(Qs, N), Qs ins 1..N, safe(Qs), label(Qs).
safe([]).
safe([Q|Qs]) :- apart(Qs, Q, 1), safe(Qs).
apart([], _, _).
apart([P|Ps], Q, D) :- Q #\\= P, Q #\\= P + D, Q #\\= P - D, E is D+1, apart(Ps, Q, E).
"""
    (found,) = graded(program(mine, "my.pl"), "size=5", problem=folder)
    assert (found.way, found.answers) == ("", 10)
    wrong = mine.replace("Qs ins 1..N", "Qs ins 2..N")
    (found,) = graded(program(wrong, "my.pl"), "size=5", problem=folder)
    assert found.way == "nothing"
    assert 2 in [place.line for place in found.diagnosis.places]


SCHEDULE = """\
:- use_module(library(clpfd)).
schedule(Ds, Order, Max, Begins) :-
    same_length(Ds, Begins),
    same_length(Ds, Ends),
    Begins ins 0..Max,
    Ends ins 0..Max,
    ends(Begins, Ds, Ends),
    maplist(in_order(Begins, Ends), Order).

ends([], [], []).
ends([Begin|Begins], [D|Ds], [End|Ends]) :-
    End #= Begin + D,
    ends(Begins, Ds, Ends).

in_order(Begins, Ends, A-B) :-
    element(A, Ends, EndA),
    element(B, Begins, BeginB),
    EndA #=< BeginB.
"""


@pytest.mark.slow
def test_the_search_of_an_adapter_begins_with_the_values_of_the_answer(program, tmp_path):
    problem = written(
        tmp_path / "tasks",
        tasks_pl=SCHEDULE + ":- include(adapter).\n",
        adapter_pl="answer([begins(Begins)]) :- findall(D, task(_, D), Ds), most(Max),\n"
        "    findall(A-B, before(A, B), Order), schedule(Ds, Order, Max, Begins), label(Begins).\n",
        problem_toml='output = ["begins/1"]\ninput = ["task/2", "before/2", "most/1"]\n',
    )
    wrong = program(SCHEDULE.replace("EndA #=< BeginB", "EndA + 3 #=< BeginB"), "my.pl")
    facts = "task(1,8). task(2,7). task(3,9). before(1,2). before(2,3). most(24)."
    (found,) = graded(wrong, facts, problem=problem.folder)
    assert found.way == "nothing"
    assert found.diagnosis.places[0].text == "EndA + 3 #=< BeginB"


ADAPTER = "answer(Atoms) :- size(N), queens(N, Qs), findall(queen(R,C), nth1(R, Qs, C), Atoms).\n"


@pytest.fixture
def adapted(tmp_path):
    folder = tmp_path / "queens"
    shutil.copytree(QUEENS.folder, folder)
    (folder / "adapter.pl").write_text("% The teacher's own.\n" * 40 + ADAPTER)
    return folder


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "queens(Qs) :- Qs = [2,4,1,3].",
            "{}: there is no predicate queens/2; there is queens/1",
        ),
        (
            "queens(_, [f(X),2,2,3]) :- X = 1.5.",
            "my.pl: what the exercise makes of it: answer/1 gives queen(1,f(1.5)), where 1.5 cannot"
            " be part of an atom; expected an integer, a name, a text or a term",
        ),
        ("queens(N, Qs) :- places(N, Qs).", "my.pl:1: there is no predicate places/2"),
    ],
)
def test_a_student_reads_nothing_of_the_teachers_files(adapted, program, text, message):
    path = program(text, "my.pl")
    (found,) = graded(path, "size=4", problem=adapted)
    assert found.way == "error"
    assert found.message.startswith(message.format(path))
    assert not re.search(r"adapter|problem\.toml|:4\d", found.message)


def test_an_adapter_that_cannot_be_loaded_is_the_teachers_mistake(adapted, program):
    (adapted / "adapter.pl").write_text(ADAPTER.replace("queens(N, Qs)", "queens(N Qs)"))
    with pytest.raises(InvalidProblem, match=r"adapter\.pl:1:.*Syntax error"):
        graded(program("queens(_, [1]).", "my.pl"), "size=4", problem=adapted)


# --- included files ---

INCLUDED = {
    "main.pl": """\
:- use_module(library(clpfd)).
:- include(rules).
model(Pairs) :-
    size(N),
    findall(queen(R)-_, between(1, N, R), Pairs),
    pairs_values(Pairs, Vs), Vs ins 1..N, all_distinct(Vs), safe(Vs).
""",
    "rules.pl": """\
% This file
% is included.

safe([]).
safe([V|Vs]) :- apart(V, Vs, 1), safe(Vs).
apart(_, [], _).
apart(V, [W|Ws], D) :-
    V #\\= W + D, V #\\= W - D,
    V #\\= W + D + 1,
    D1 is D + 1, apart(V, Ws, D1).
""",
    "main.lp": """\
#include "parts.lp".
{ queen(R,1..N) } = 1 :- size(N), R = 1..N.
#show queen/2.
""",
    "parts.lp": """\
% included
:- queen(R,C), queen(S,C), R < S.
:- queen(R,C), queen(S,D), R < S, |C-D| = S-R.

:- queen(R,C), queen(S,D), R < S, C = 2, D = 4.
""",
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "where"),
    [
        ("main.pl", ("rules.pl", 9, "V #\\= W + D + 1")),
        ("main.lp", ("parts.lp", 5, INCLUDED["parts.lp"].splitlines()[-1])),
    ],
)
def test_an_included_line_is_told_with_its_file(tmp_path, name, where):
    write_files(tmp_path, INCLUDED)
    (found,) = graded(tmp_path / name, "size=4")
    assert found.way in ("missing", "nothing")
    first = found.diagnosis.places[0]
    assert (first.file, first.line, first.text) == where
    files = {each.file: (tmp_path / each.file).read_text() for each in found.diagnosis.places}
    for each in found.diagnosis.places:
        line = files[each.file].splitlines()[each.line - 1]
        assert each.text.splitlines()[0] in line
    backend = f"{'prolog' if name.endswith('.pl') else 'clingo'}:{tmp_path / name}"
    reason = pls.refusal(QUEENS.instance("size=4"), found.missing_answer, backend)
    assert (reason.lines[0].file, reason.lines[0].number) == where[:2]


def test_the_head_of_the_reference_is_no_rule(tmp_path):
    path = tmp_path / "a.lp"
    path.write_text("% Queens: no two attack each other.\n% Input: size/1\n{ a }.\n:- a.\n:- b.\n")
    assert comment_above(path, 4) == ""
    path.write_text("% No a.\n:- a.\n\n% No b.\n:- b,\n   c.\n:- b.\n")
    assert (comment_above(path, 2), comment_above(path, 7)) == ("No a", "No b")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("% Both.\n:- a.\n:- b.\n", ["Both", "Both"]),
        ("% Both.\n:- a,\n   b.\n:- c,\n   d.\n", ["Both", "Both"]),
        ("% All.\n:- a.\n:- b.  % Not b.\n:- c.\n", ["All", "Not b.", ""]),
        ("% One.\n:- a.\n% Two.\n:- b.\n:- c.\n\n:- d.\n", ["One", "Two", "Two", ""]),
        ("% One.\n:- a,\n   % A part.\n   b.\n:- c.\n", ["One", ""]),
        ("% One.\n:- a,\n   b.  % b\n:- c.\n", ["One", ""]),
        (":- a,\n   b.  % Not both.\n:- c.\n", ["Not both.", ""]),
        (":- a,  % a\n   b.  % b\n", [""]),
        ('% One.\n:- a("5 % b").\n:- b.\n', ["One", "One"]),
        ("% One.\n:~ a. [1@2]\n:~ b. [1@2]\n", ["One", "One"]),
    ],
)
def test_a_comment_is_about_statements_until_the_next_comment(tmp_path, text, told):
    path = tmp_path / "a.lp"
    path.write_text(f"a.\n\n{text}")
    lines = enumerate(path.read_text().splitlines(), 1)
    assert [comment_above(path, n) for n, line in lines if line.startswith(":")] == told


def test_a_percent_sign_in_a_text_is_no_comment(tmp_path):
    path = tmp_path / "a.pl"
    path.write_text("% A head.\n\na :-\n    X = 0'%,\n    Y = ' %', b(X, Y).  % both\n")
    assert [comment_above(path, line) for line in (4, 5)] == ["", "both"]


def test_a_comment_above_a_choice_is_not_about_the_constraint_below_it(tmp_path):
    path = tmp_path / "a.lp"
    path.write_text("a.\n\n% Each node has one.\n{ b : c } = 1.\n1 { b } 1 :- d.\n:- b.\n")
    words = "Each node has one"
    assert [comment_above(path, line) for line in (4, 5, 6)] == [words, words, ""]


# --- cheats ---


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("x.lp", '#include "{folder}/queens.lp".\n'),
        ("x.pl", ":- use_module('{folder}/queens.pl').\n"),
        ("x.pl", ":- consult('{folder}/queens.pl').\nmodel(P) :- fail.\n"),
    ],
)
def test_a_program_does_not_see_the_reference(program, tmp_path, name, text):
    folder = tmp_path / "queens"
    shutil.copytree(QUEENS.folder, folder)
    path = program(text.format(folder=folder), name)
    found = graded(path, "size=4", problem=folder)
    assert not any(each.passed for each in found)


# --- recorded answers, and the command ---


def test_without_a_program_answers_that_are_not_recorded_are_not_graded(tmp_path, program):
    folder = tmp_path / "recorded"
    shutil.copytree(QUEENS.folder / "instances", folder / "instances")
    (folder / "problem.toml").write_text('output = ["queen/2"]')
    one = [str(atom) for atom in min(ANSWERS_OF_4, key=sorted)]
    output = {"Result": "SATISFIABLE", "Models": {"Number": 1, "More": "yes"}}
    output["Call"] = [{"Witnesses": [{"Value": one}]}]
    (folder / "solutions").mkdir()
    (folder / "solutions" / "4.json").write_text(json.dumps(output))
    path = program(ASP, "a.lp")
    settings = {"problem": folder, "reference": folder / "solutions"}
    (verdict,) = graded(path, "4", **settings)
    assert (verdict.graded, verdict.passed, verdict.answers) == (False, False, 2)
    assert verdict.message.startswith("not graded: it is not known whether 1 answer is right: ")
    assert verdict.message.endswith(
        "recorded.lp or recorded.pl, a check.lp that derives violated(Text) from a wrong answer, or"
        " all answers"
    )
    known = "".join(f"{atom}.\n" for atom in one) + "#show queen/2.\n"
    (verdict,) = graded(program(known, "known.lp"), "4", **settings)
    assert verdict.passed
    (folder / "recorded.lp").write_text(ASP)
    (verdict,) = graded(path, "4", **settings)
    assert verdict.passed


# --- answers that only Prolog has ---

VALUES = """\
answer([holds(1, V)]) :- value(V).
value(V) :- V is 2 ** 31.
value(V) :- V is -(2 ** 100).
value([]).
value([1, [a, "b"], f([c])]).
value("two words").
value('It''s "so"\\\\n').
value('Odd'(-(x), 1 + 2)).
value((a, b)).
"""


@pytest.fixture
def values(tmp_path):
    folder = tmp_path / "values"
    write_files(folder, {"values.pl": VALUES, "problem.toml": 'output = ["holds/2"]'})
    write_files(folder, {"instances/a.lp": "here.\n"})
    return folder


def write_files(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@pytest.mark.slow
def test_answers_hold_what_prolog_has_if_nothing_is_in_asp(values, program, tmp_path):
    path = program(VALUES, "my.pl")
    (verdict,) = graded(path, problem=values)
    assert (verdict.way, verdict.message, verdict.answers) == ("", "", 8)
    (verdict,) = graded(program(VALUES.replace("[c]", "[d]"), "my.pl"), problem=values)
    assert (verdict.way, verdict.missing, verdict.extra) == ("wrong", 1, 1)
    assert str(verdict.missing_answer) == "holds(1,[1,[a,b],f([c])])."
    assert str(verdict.extra_answer) == "holds(1,[1,[a,b],f([d])])."
    made = run("exercise", "new", "week", "-p", values, cwd=tmp_path)
    assert (made.returncode, made.stderr) == (0, "")
    recorded = {"problem": values, "reference": tmp_path / "week" / "solutions"}
    assert [each.passed for each in graded(program(VALUES, "my.pl"), **recorded)] == [True]


def test_values_that_asp_lacks_are_named_if_there_is_a_program_in_asp(values, program):
    (values / "values.lp").write_text("holds(1,1). #show holds/2.")
    (verdict,) = graded(program("answer([holds(1, [2])]).", "my.pl"), problem=values)
    words = "holds(1,[2]) is not an atom of ASP; compute numbers with is/2"
    assert (verdict.way, verdict.rule) == ("wrong", words)


HUGE = "answer([holds(1, V)]) :- V is 10 ** 4300."


@pytest.mark.slow
def test_a_number_that_is_too_large_is_nobodys_tampering(values, program):
    (verdict,) = graded(program(HUGE, "my.pl"), problem=values)
    words = "an answer has a number of more than 4300 digits, which is too large"
    assert (verdict.way, verdict.message) == ("error", words)
    (values / "values.pl").write_text(HUGE)
    (verdict,) = graded(program(VALUES, "my.pl"), problem=values)
    words = "the reference has an answer with a number of more than 4300 digits, which is too large"
    assert (verdict.way, verdict.message) == ("ungraded", f"not graded: a: {words}")


# --- answers that the reference does not list ---


COUNTING = """\
answer([n(X), m(Y)]) :- between(1, inf, X), Y is X + 1, AFTER.
"""


@pytest.fixture
def counting(tmp_path):
    """Makes a problem whose reference fails, after its first answers, in some way."""

    def made(after: str) -> Path:
        folder = tmp_path / "counting"
        folder.mkdir(exist_ok=True)
        (folder / "counting.pl").write_text(COUNTING.replace("AFTER", after))
        (folder / "problem.toml").write_text('output = ["n/1", "m/1"]')
        return folder

    return made


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("after", "reason"),
    [
        ("( X =< 9999 -> true ; throw(lost(X)) )", "lost(10000)"),
        ("( X =< 9999 -> true ; _ is 1 / (X - 10000) )", "zero_divisor"),
        ("( X =< 9999 -> true ; current_prolog_flag(pid, P), process_kill(P, 9) )", "ended by"),
    ],
)
def test_if_the_reference_cannot_judge_an_answer_it_is_not_graded(counting, program, after, reason):
    folder = counting(f"use_module(library(process)), {after}")
    text = "{ n(FROM..TO; 20000) } = 1. m(X+1) :- n(X). #show n/1. #show m/1."
    path = program(text.replace("FROM..TO", "1..3"), "my.lp")
    (verdict,) = graded(path, "", problem=folder, limit=4)
    assert (verdict.way, verdict.passed) == ("ungraded", False)
    begin = "not graded: the reference, prolog, could not judge 1 answer: "
    assert verdict.message.startswith(begin)
    assert reason in verdict.message
    path = program(text.replace("FROM..TO; 20000", "1..4"), "known.lp")
    assert graded(path, "", problem=folder, limit=4)[0].passed


@pytest.mark.slow
def test_a_reference_that_takes_too_long_judges_nothing(counting):
    problem = Problem(counting("true"))
    facts = problem.instance("")
    answers = [Answer([Atom("n", (each,)), Atom("m", (6,))]) for each in (5, 7)]
    results, why = judged("prolog", facts, answers, 4)
    assert results == [True]
    assert why == "the reference, prolog, could not judge 1 answer: it needs more than 4 s"


@pytest.mark.slow
def test_one_grounding_judges_all_answers(program, tmp_path):
    """The reference is ground anew neither for an answer nor within the program's own time."""
    folder = tmp_path / "subsets"
    (folder / "instances").mkdir(parents=True)
    (folder / "subsets.lp").write_text(
        "{ p(1..9) }.\n% p(1) and p(2) exclude each other\n:- p(1), p(2).\n#show p/1.\n"
    )
    (folder / "instances" / "a.lp").write_text("nothing.\n")
    right = program("{ p(3..9) }. p(1). #show p/1.", "my.lp")
    (verdict,) = graded(right, "a", problem=folder, limit=100)
    assert (verdict.passed, verdict.answers) == (True, 100)
    wrong = program("{ p(3..9) }. p(1). { p(2) }. #show p/1.", "wrong.lp")
    (verdict,) = graded(wrong, "a", problem=folder, limit=200)
    assert (verdict.way, verdict.answers) == ("wrong", 200)
    assert verdict.rule == "p(1) and p(2) exclude each other"


@pytest.mark.parametrize(
    ("witness", "why"),
    [
        ({"Value": "queen(1,1)"}, 'each with a list of atoms as "Value"'),
        ({"Value": [], "Costs": 5}, 'witness 1: "Costs" must be a list of integers'),
        ({"Value": [], "Costs": ["5"]}, 'witness 1: "Costs" must be a list of integers'),
        ({"Value": ["queen(1,"]}, 'witness 1: "Value" has something other than an atom'),
        ({"Value": [], "Atoms": 5}, 'witness 1: "Atoms" has something other than an atom'),
        (
            {"Value": [], "Atoms": [["q", {}]]},
            'witness 1: "Atoms" has something other than an atom',
        ),
    ],
)
def test_recorded_answers_that_are_none_are_named(tmp_path, program, witness, why):
    (tmp_path / "solutions").mkdir()
    output = {"Result": "SATISFIABLE", "Call": [{"Witnesses": [witness]}]}
    (tmp_path / "solutions" / "4.json").write_text(json.dumps(output))
    path = program(ASP, "a.lp")
    (verdict,) = graded(path, "4", reference=tmp_path / "solutions")
    assert verdict.way == "ungraded"
    assert verdict.message.endswith(why)
    assert str(tmp_path / "solutions" / "4.json") in verdict.message


@pytest.mark.slow
def test_an_exercise_is_made_graded_and_given_away(tmp_path, program):
    made = run("exercise", "new", "week5", "-p", "queens", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    folder = tmp_path / "week5"
    assert {"week5.lp", "week5.pl", "exercise.toml", "problem.toml", "pack.sh"} <= {
        each.name for each in folder.iterdir()
    }
    recorded = json.loads((folder / "solutions" / "6.json").read_text())
    assert recorded["Models"] == {"Number": 4, "More": "no"}
    program(ASP, "right.lp")
    program(HELPED, "wrong.lp")
    program(PROLOG, "right.pl")
    done = run(*("check", "-e", "submission", "-i", "week5", "--no-times", "--brief"), cwd=tmp_path)
    assert done.returncode == 1
    assert "right.lp  hidden 1     success" in done.stdout
    assert done.stdout.splitlines()[-2:] == ["2 of 3 programs passed", "FAILURE"]
    for more in ((), ("4",), ("size=9",)):  # the last is none of the folder
        same = run("check", "-e", "submission/right.lp", "-p", "week5", *more, cwd=tmp_path)
        assert same.returncode == 0, same.stdout
    # A student has no program of ours.
    shutil.copytree(folder / "student", tmp_path / "student")
    student = tmp_path / "student"
    assert not [*student.rglob("week5.*")]
    (student / "queens.lp").write_text(ASP)
    own = run("check", "-e", "queens.lp", "-i", "exercise", cwd=student)
    assert own.returncode == 0, own.stdout + own.stderr
    (student / "queens.lp").write_text(ASP.replace("D = 1-N..N-1", "D = 0..N-1"))
    own = run("check", "-e", "queens.lp", "-i", "exercise", cwd=student)
    assert own.returncode == 1
    assert "extra: 2 of 4 answers for size(4), such as" in own.stdout
    assert "Traceback" not in own.stderr
    (student / "queens.lp").write_text(HELPED)
    own = run("check", "-e", "queens.lp", "-i", "exercise", cwd=student)
    assert own.returncode == 1
    assert "queens.lp, line 2: `column(1..N-1) :- size(N).`" in own.stdout


@pytest.mark.slow
def test_the_table_groups_programs_by_what_they_break(tmp_path, program):
    program(PROLOG.replace("    all_distinct(Sums),\n", ""), "a.pl")
    program(ASP.replace("D = 1-N..N-1", "D = 0..N-1"), "b.lp")
    done = run("check", "-e", "submission", "-p", "queens", "size=4", cwd=tmp_path)
    assert f"2 programs: {DIAGONALS} (size=4)" in done.stdout
    assert "Traceback" not in done.stderr


def test_reports_have_the_answers_as_atoms(tmp_path, program):
    program(HELPED, "a.lp")
    reports = [f"--report={form}=out.{form}" for form in ("html", "json", "gradescope", "junit")]
    done = run("check", "-e", "submission/a.lp", "-p", "queens", "4", *reports, cwd=tmp_path)
    assert done.returncode == 1
    first, _ = map(json.loads, (tmp_path / "out.json").read_text().splitlines())
    assert first["missing_answer"]["atoms"][0][0] == "queen"
    assert first["diagnosis"]["places"][0]["line"] == 2
    for form in ("html", "gradescope", "junit"):
        text = (tmp_path / f"out.{form}").read_text()
        assert "queen(1," in text
        assert "column(1..N-1)" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("-p", "quens"), "did you mean 'queens'?"),
        (("-p", "queens", "--vocabulary", "sudoku"), "--vocabulary is about sudokus"),
        (("-p", "queens", "--predicate", "p"), "--predicate is about sudokus"),
        (("-p", "queens", "nine"), "queens has no instance 'nine'"),
        (("-p", "queens", "--against", "prolog:none"), "no program prolog:none"),
    ],
)
def test_what_makes_no_sense_is_refused(tmp_path, program, arguments, said):
    program(ASP, "a.lp")
    done = run("check", "-e", "submission/a.lp", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert "Traceback" not in done.stderr


# A walk over a line of nodes: a constant of the instance says in how many steps, and a rule which
# nodes are next to each other.
WALK_ASP = """\
time(0..steps).
{ at(N,T) : node(N) } = 1 :- time(T).
% A step leads to the next node.
:- at(M,T), at(N,T+1), not beside(M,N).
#show at/2.
"""
WALK_PROLOG = """\
answer(Atoms) :-
    constant(steps, Last),
    numlist(0, Last, Times),
    walk(Times, _, Atoms).
walk([T], N, [at(N,T)]) :-
    node(N).
walk([T,U|Times], M, [at(M,T)|Atoms]) :-
    beside(M, N),
    walk([U|Times], N, Atoms).
"""
WALKS = {  # two steps over five nodes
    frozenset(Atom("at", (node + time, time)) for time in range(3)) for node in range(1, 4)
}


@pytest.fixture
def walk(tmp_path):
    folder = tmp_path / "walk"
    (folder / "instances").mkdir(parents=True)
    (folder / "walk.lp").write_text(WALK_ASP)
    (folder / "walk.pl").write_text(WALK_PROLOG)
    (folder / "instances" / "two.lp").write_text(
        "#const steps = 4 / 2.\nnode(1..5).\nbeside(N,N+1) :- node(N), node(N+1).\n"
    )
    return Problem(folder)


@pytest.mark.one_in(2, 1)
@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_constants_and_rules_of_an_instance_reach_both_programs(walk, program, backend):
    assert set(pls.solutions(walk.instance("two"), backend=backend)) == WALKS
    text = walk.path(backend).read_text()
    path = program(text, walk.path(backend).name)
    assert [each.passed for each in graded(path, problem=walk)] == [True]
    old, new = ("time(0..steps)", "time(0..steps-1)"), ("constant(steps, Last)", "Last = 1")
    wrong = program(text.replace(*old).replace(*new), walk.path(backend).name)
    (verdict,) = graded(wrong, problem=walk)
    assert (verdict.way, verdict.missing, verdict.extra) == ("wrong", 3, 4)
    assert verdict.facts.startswith("#const steps=2. node(1).")


@pytest.mark.slow
def test_the_line_is_named_where_a_constant_is_needed(walk, program):
    wrong = program(f"{WALK_ASP}:- at(N,T), N + steps - T > 4.\n", "a.lp")
    (verdict,) = graded(wrong, problem=walk)
    assert verdict.diagnosis is not None
    assert verdict.diagnosis.places[0].line == 6


def test_an_instance_that_is_no_fact_is_not_the_programs_fault(tmp_path, program):
    (tmp_path / "odd.lp").write_text("{ size(4) }.\n")
    done = run(*("check", "-e", program(ASP, "a.lp"), "-p", "queens", "-i", "odd.lp"), cwd=tmp_path)
    assert "not graded" in done.stdout
    assert "odd.lp:1" in done.stdout


def test_a_folder_with_neither_programs_nor_outputs_is_no_problem(tmp_path):
    (tmp_path / "empty").mkdir()
    with pytest.raises(InvalidProblem, match="has no program"):
        Grader(problem=tmp_path / "empty")


def test_the_time_limit_ends_a_program(program):
    endless = ":- use_module(library(clpfd)).\nmodel(P) :- model(P).\n"
    (found,) = graded(program(endless, "my.pl"), "size=4", timeout=0.3)
    assert found.outcome in ("timeout", "error")


@pytest.mark.slow
def test_a_program_that_has_answered_and_hangs_as_it_halts_passes(program):
    hanging = f"{PROLOG}\n:- at_halt((repeat, fail)).\n"
    (found,) = graded(program(hanging, "my.pl"), "size=4", timeout=PATIENCE)
    assert found.passed


@pytest.mark.slow
@pytest.mark.parametrize(
    ("reach", "way", "settings"),
    [
        # It takes no more memory however long it runs. The search for the goals has the same time
        # again, many times what it needs.
        ("reach(X, Z) :- next(X, Y), reach(Y, Z).\nnext(2, 1).", "timeout", {"timeout": 20}),
        # It takes more and more, and comes to its limit long before its time is over.
        ("reach(X, Z) :- reach(X, Y), next(Y, Z).", "error", {"timeout": 100, "memory": 200}),
    ],
    ids=["time", "memory"],
)
def test_a_program_that_does_not_end_is_cut_down_to_the_goals_that_loop(
    program, reach, way, settings
):
    endless = PROLOG.replace("    size(N),\n", "    size(N),\n    reach(1, N),\n", 1) + (
        f"\nreach(X, X).\nnext(1, 2).\n{reach}\n"
    )
    (found,) = graded(program(endless, "my.pl"), "size=4", **settings)
    lines = endless.splitlines()
    assert found.way == way
    assert found.message.startswith("out of memory") == (way == "error")
    assert found.diagnosis.kind == "loop"
    named = {lines[place.line - 1] for place in found.diagnosis.places}
    assert {reach.partition("\n")[0], "    reach(1, N),"} <= named


# Queens without a library's model: a constraint on each two, and a place for a mistake.
PAIRS = """\
:- use_module(library(clpfd)).
answer(Atoms) :-
    size(N),
    length(Columns, N),
    Columns ins 1..N,
    all_distinct(Columns),
    SAFE,
    label(Columns),
    numlist(1, N, Rows),
    maplist(atom, Rows, Columns, Atoms).
atom(R, C, queen(R,C)).
safe([]).
safe([C|Columns]) :-
    apart(Columns, C, 1),
    safe(Columns).
apart([], _, _).
apart([D|Columns], C, Rows) :-
    Rows #\\= abs(C-D),
    Next is Rows+1,
    apart(Columns, C, Next).
two(Columns, C, D, Rows) :-
    nth1(I, Columns, C), nth1(J, Columns, D), I < J, Rows is J-I.
apart(C/D/Rows) :-
    apart([D], C, Rows).
"""
FORGETFUL = {
    "findall(C/D/R, two(Columns, C, D, R), Pairs), maplist(apart, Pairs)": "copies of the",
    "copy_term(Columns, Others), safe(Others)": "copies of the variables",
    "forall(two(Columns, C, D, R), R #\\= abs(C-D))": "undoes the constraints",
    "forall(two(Columns, C, D, R), apart([D], C, R))": "undoes the constraints",
}


@pytest.mark.slow
@pytest.mark.parametrize(("goal", "said"), FORGETFUL.items())
def test_constraints_that_are_forgotten_are_found(program, goal, said):
    (found,) = graded(program(PAIRS.replace("SAFE", goal), "my.pl"), "size=4")
    assert (found.way, found.extra) == ("wrong", 22)
    assert said in found.diagnosis.summary
    assert [place.line for place in found.diagnosis.places] == [7]
    right = program(PAIRS.replace("SAFE", "safe(Columns)"), "my.pl")
    assert [each.passed for each in graded(right, "size=4")] == [True]


def test_both_tasks_tell_of_the_engines_that_only_confirm(monkeypatch):
    queen, full = Answer([Atom("queen", (1, 1))]), pls.Grid((1,), (1, 1))
    tasks = {ProblemTask(QUEENS): ("size(1).", queen), Grader().task: ("sudoku(1,1,1).", full)}
    for task, (text, answer) in tasks.items():
        answers = SimpleNamespace(
            check=lambda: None,
            finished=("clingo",),
            timed_out=("prolog",),
            solutions=frozenset([answer]),
        )
        monkeypatch.setattr("pylogic_sudoku.check.tasks.compare", lambda *_, of=answers: of)
        right = task.solve(Case("i", Path("i.lp"), text, (1, 1)), "all", 5, 1.0)
        assert right.source == "clingo, confirmed by prolog"
        assert (right.solutions, right.complete) == (frozenset([answer]), True)
        answers.finished = ()
        with pytest.raises(pls.SolveTimeout):
            task.solve(Case("i", Path("i.lp"), text, (1, 1)), "all", 5, 1.0)


def loop_of(path: Path) -> Diagnosis:
    """The goals that keep a program from ending, however long the search for them takes."""
    task = ProblemTask(QUEENS)
    (instance,) = task.gather("size=14")
    posed = Posed(QUEENS.instance("size=14"), QUEENS.outputs)
    asked = task.program(path, sandbox("off"), alone=True)
    found = asked.explain_loop(instance, posed, Limits(240, 2048))
    assert found is not None
    return found


def test_a_search_before_the_constraints_is_said(program):
    text = PAIRS.replace(
        "    SAFE,\n    label(Columns),", "    label(Columns),\n    safe(Columns),"
    )
    found = loop_of(program(text, "my.pl"))
    assert "it searches before the constraint in line 8 is posted" in found.summary
    assert found.places[0].line == 7


@pytest.mark.slow
def test_orders_that_are_made_in_full_are_said(program):
    text = PAIRS.replace("length(Columns, N)", "numlist(1, N, All), permutation(All, Columns)")
    found = loop_of(program(text.replace("SAFE", "safe(Columns)"), "my.pl"))
    assert "it makes every order in full" in found.summary
    assert found.places[0].line == 4


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("adapted", [False, True])
def test_the_constraint_is_named_where_a_program_searches_on_its_own(program, tmp_path, adapted):
    text = PAIRS.replace("SAFE", "safe(Columns)").replace("Rows #\\=", "Rows+1 #\\=")
    problem: object = QUEENS
    if adapted:
        problem = tmp_path / "adapted"
        shutil.copytree(QUEENS.folder, problem)
        (problem / "adapter.pl").write_text(
            "answer(Atoms) :- size(N), queens(N, Columns), label(Columns),"
            " findall(queen(R,C), nth1(R, Columns, C), Atoms).\n"
        )
        text = text.replace("answer(Atoms)", "queens(N, Columns)").replace("    size(N),\n", "")
        text = re.sub(r",\n    label.*?Atoms\)\.", ".", text, count=1, flags=re.DOTALL)
    (found,) = graded(program(text, "my.pl"), "size=5", problem=problem)
    assert found.missing
    line = next(n for n, each in enumerate(text.splitlines(), 1) if "Rows+1" in each)
    assert found.diagnosis.places[0].line == line


@pytest.mark.slow
@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("between(1, N, Row)", "between(2, N, Row)"),
        ("Columns ins 1..N", "Columns ins 2..N"),
        ("all_distinct(Columns)", "all_distinct(Sums)"),
    ],
)
def test_a_change_of_a_token_shows_where_the_fault_is(program, old, new):
    wrong = PROLOG.replace(old, new)
    (found,) = graded(program(wrong, "my.pl"), "size=4")
    line = next(n for n, text in enumerate(wrong.splitlines(), 1) if new in text)
    assert line == found.diagnosis.places[0].line


@pytest.mark.slow
def test_a_variable_that_occurs_once_is_named(program):
    (found,) = graded(program(PAIRS.replace("SAFE", "safe(Column)"), "my.pl"), "size=4")
    assert found.extra
    assert found.diagnosis.places[0].line == 7
    assert found.diagnosis.places[0].words == "Column occurs only once in its clause"
    assert found.diagnosis.summary == "Column occurs only once in its clause, see line 7"


@pytest.mark.slow
def test_a_goal_that_refuses_an_answer_leads_a_variable_that_occurs_once(program):
    text = PAIRS.replace("SAFE", "safe(Columns)").replace("Rows #\\=", "Rows+1 #\\=")
    text = text.replace("safe([]).", "safe([]) :- size(Any).")
    (found,) = graded(program(text, "my.pl"), "size=5")
    line = next(n for n, each in enumerate(text.splitlines(), 1) if "Rows+1" in each)
    assert found.diagnosis.places[0].line == line
    assert any("Any occurs only once" in place.words for place in found.diagnosis.places)


def own_problem(folder, reference, settings="", name="own.pl"):
    """A problem of its own, with this reference."""
    folder = folder / name.partition(".")[0]
    folder.mkdir()
    (folder / name).write_text(reference, encoding="utf-8")
    (folder / "problem.toml").write_text(settings, encoding="utf-8")
    return folder


def test_an_empty_answer_that_is_lost_is_explained_beside_a_wrong_one(program, tmp_path):
    problem = own_problem(tmp_path, "{ a(1..2) }.\n:- a(2).\n#show a/1.\n", name="own.lp")
    text = "{ a(1..2) }.\nsome :- a(_).\n:- not some.\n#show a/1.\n"
    (found,) = graded(program(text, "my.lp"), "", problem=problem)
    assert "the program loses an answer" in found.diagnosis.summary
    assert found.diagnosis.places[0][1:4] == (2, 9, "a(_)")


ITEMS = 'output = ["pick/1"]\ninput = ["item/2"]\n'


def test_characters_beyond_the_first_plane_reach_prolog_whole(program, tmp_path):
    problem = own_problem(tmp_path, "answer([pick(X)]) :- item(X, _).\n", ITEMS)
    text = "answer([pick(X)]) :-\n    item(X, N),\n    N < 3.\n"
    (found,) = graded(program(text, "my.pl"), 'item("\U0001f600",3). item("x",1).', problem=problem)
    assert found.missing == 1
    assert found.diagnosis.places[0].line == 3


@pytest.mark.slow
def test_a_line_ends_where_prolog_ends_it(program, tmp_path):
    problem = own_problem(tmp_path, "answer([pick(X)]) :- item(X, _).\n", ITEMS)
    text = "% one\ftwo\x85three\nidle(Once).\nanswer([pick(X)]) :-\n    item(X, N),\n    N > 3.\n"
    (found,) = graded(program(text, "my.pl"), "item(1,3). item(2,4).", problem=problem)
    last = found.diagnosis.places[-1]
    assert (last.line, last.words) == (2, "Once occurs only once in its clause")


@pytest.mark.slow
def test_few_variables_that_occur_once_are_named(program, tmp_path):
    problem = own_problem(tmp_path, "answer([pick(X)]) :- item(X, _).\n", ITEMS)
    text = "".join(f"idle{number}(Once{number}).\n" for number in range(40))
    text += "answer([pick(X)]) :- item(X, _).\nanswer([pick(9)]).\n"
    (found,) = graded(program(text, "my.pl"), "item(1,3).", problem=problem)
    assert found.extra == 1
    assert found.diagnosis.summary.count("occurs only once") <= 3


@pytest.mark.slow
def test_several_lines_that_are_as_likely_are_named_together(program, tmp_path):
    right = "1 { at(X) : n(X) } 1.\nto(X+2) :- at(X).\n#show to/1.\n"
    problem = own_problem(tmp_path, right, name="own.lp")
    text = (
        "1 { at(X) : n(X) } 1.\nby(X+1,0) :- at(X).\nup(X+1,0,0) :- by(X,0).\n"
        "to(X+1) :- up(X,0,0).\n#show to/1.\n"
    )
    (found,) = graded(program(text, "my.lp"), "n(1..3).", problem=problem)
    assert found.diagnosis.summary.endswith("; about as likely: lines 2, 3")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "line", "words"),
    [
        # The predicate that is wanted has another name: of as many arguments, and nothing calls it.
        ("% mine\nplace(N, Xs) :- numlist(1, N, Xs), ok(Xs).\nok(_).\n", 2, "place/2 is here"),
        ("places(N, Xs) :- numlist(1, N, Xs).\nok(_, _).\n", None, "there is ok/2 and places/2"),
        ("ok(X, Y) :- ok(Y, X).\n", 1, "ok/2 is here"),
        ("ok(_).\n", None, "there is ok/1"),
        ("main(X) :- ok(X, X).\nok(_, _).\n", None, "there is main/1 and ok/2"),
    ],
)
def test_a_predicate_that_may_be_meant_has_its_line(tmp_path, program, line, words):
    folder = tmp_path / "pick"
    (folder / "instances").mkdir(parents=True)
    (folder / "instances" / "three.lp").write_text("size(3).\n")
    (folder / "problem.toml").write_text('output = ["pick/1"]\n')
    (folder / "adapter.pl").write_text("answer([pick(X)]) :- size(N), select_all(N, X).\n")
    (folder / "pick.lp").write_text("{ pick(1..N) } = 1 :- size(N).\n#show pick/1.\n")
    file = tmp_path / "my.pl"
    file.write_text(program)
    (found,) = grade(file, (), problem=folder)
    assert found.way == "error"
    assert words in found.message
    (message,) = found.errors
    assert (message.line, message.kind == "no-predicate") == (line, line is not None)
