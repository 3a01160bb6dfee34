"""The clause of a Prolog program that the reference shows to be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.problems import written
from helpers.programs import prolog, resource

from pylogic_sudoku.check import explain, grade
from pylogic_sudoku.problem.folder import Problem

pytestmark = pytest.mark.usefixtures("unhurried")

REFERENCE = """\
lined(Items, Row) :-
    ordered(Items, Row),
    \\+ clash(Row).

ordered([], []).
ordered(Items, [Item|Row]) :-
    picked(Item, Items, Others),
    ordered(Others, Row).

picked(Item, [Item|Items], Items).
picked(Item, [First|Items], [First|Others]) :-
    picked(Item, Items, Others).

clash([A,B|_]) :- foe(A, B).
clash([A,B|_]) :- foe(B, A).
clash([_|Row]) :- clash(Row).

:- include(adapter).
"""
ADAPTER = """\
answer([row(Row)]) :-
    findall(Item, item(Item), Items),
    lined(Items, Row).
"""
FACTS = "item(a). item(b). item(c). foe(a,b)."


@pytest.fixture(scope="module")
def exercise(tmp_path_factory: pytest.TempPathFactory) -> Problem:
    """An exercise with a reference for Prolog."""
    folder = tmp_path_factory.mktemp("rows") / "rows"
    folder.mkdir()
    (folder / "rows.pl").write_text(REFERENCE, "utf-8")
    (folder / "adapter.pl").write_text(ADAPTER, "utf-8")
    settings = 'output = ["row/1"]\ninput = ["item/1", "foe/2"]\n'
    (folder / "problem.toml").write_text(settings, "utf-8")
    return Problem(folder)


def told(exercise: Problem, tmp_path: Path, text: str) -> tuple[str, str]:
    """The text of the first line that is named, and the summary."""
    program = tmp_path / "program" / "mine.pl"
    program.parent.mkdir()
    text = text.replace(":- include(adapter).\n", "")
    program.write_text(text, "utf-8")
    diagnosis = explain(program, FACTS, problem=exercise, timeout=60)
    line = diagnosis.places[0].line if diagnosis.places else 0
    return (text.splitlines()[line - 1] if line else "", diagnosis.summary)


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("ordered([], []).\n", "", "ordered(Items, [Item|Row]) :-", "no clause of ordered/2 fits"),
        (
            "ordered([], [])",
            "ordered(nil, nil)",
            "ordered(nil, nil).",
            "no clause of ordered/2 fits",
        ),
        (
            "picked(Item, [Item|Items], Items).",
            "picked(Item, [Item|Items], Items) :- !.",
            "picked(Item, [Item|Items], Items) :- !.",
            "a cut, or a condition that is true once",
        ),
        (
            "    ordered(Items, Row),\n    \\+ clash(Row).",
            "    \\+ clash(Row),\n    ordered(Items, Row).",
            "    \\+ clash(Row),",
            "a variable of clash(_) is unbound",
        ),
        (
            "    \\+ clash(Row).",
            "    ( clash(Row) -> fail ).",
            "    ( clash(Row) -> fail ).",
            "an if-then without else",
        ),
        (
            "picked(Item, [First|Items], [First|Others]) :-\n    picked(Item, Items, Others).\n",
            "",
            "picked(Item, [Item|Items], Items).",
            "no clause of picked/3 fits",
        ),
        (
            "clash([A,B|_]) :- foe(B, A).\n",
            "",
            "clash([A,B|_]) :- foe(A, B).",
            "clash([b,a]) is missing: foe(b,a) fails",
        ),
    ],
)
def test_a_missing_answer_leads_to_its_clause(exercise, tmp_path, old, new, line, words):
    assert REFERENCE.count(old) == 1
    named, summary = told(exercise, tmp_path, REFERENCE.replace(old, new))
    assert (named, words in summary) == (line, True), summary


@pytest.mark.slow
def test_a_variable_that_stays_unbound_leads_to_its_clause(tmp_path):
    reference = "turned([], []).\nturned([X|Xs], [-X|Ys]) :-\n    turned(Xs, Ys).\n"
    problem = written(
        tmp_path / "turned",
        turned_pl=reference + ":- include(adapter).\n",
        adapter_pl="answer([turned(Ys)]) :- findall(X, item(X), Xs), turned(Xs, Ys).\n",
        problem_toml='output = ["turned/1"]\ninput = ["item/1"]\n',
    )
    program = tmp_path / "mine.pl"
    program.write_text(reference.replace("turned(Xs, Ys).", "is_list(Xs)."))
    diagnosis = explain(program, "item(a). item(b).", problem=problem, timeout=60)
    words = "turned([a,b],[-a,-b]) is missing: turned([a,b],[-a|_]) leaves a variable unbound"
    assert words in diagnosis.summary, diagnosis.summary
    assert diagnosis.places[0].line == 3


@pytest.mark.slow
def test_a_pair_that_is_twice_the_same_leads_to_its_clause(tmp_path):
    reference = "related(A, B) :-\n    parent(P, A),\n    parent(P, B),\n    A \\== B.\n"
    problem = written(
        tmp_path / "related",
        related_pl=reference + ":- include(adapter).\n",
        adapter_pl="answer([pair(A, B)]) :- related(A, B).\n",
        problem_toml='output = ["pair/2"]\ninput = ["parent/2"]\n',
    )
    program = tmp_path / "mine.pl"
    program.write_text(reference.replace(",\n    A \\== B", ""), "utf-8")
    diagnosis = explain(program, "parent(a,b). parent(a,c).", problem=problem, timeout=60)
    assert "related(b,b) holds, and should not" in diagnosis.summary
    assert [place.line for place in diagnosis.places] == [2, 3, 1]


def test_helpers_of_its_own_are_followed(exercise, tmp_path):
    text = """\
lined(Items, Row) :- shuffled(Items, Row), fine(Row).

shuffled([], []).
shuffled([X|Xs], Ys) :- shuffled(Xs, Zs), put(X, Zs, Ys).

put(X, Ys, [X|Ys]).
put(X, [Y|Ys], [Y|Zs]) :- put(X, Ys, Zs).

fine([A,B|Row]) :- \\+ foe(A, B), \\+ foe(B, A), fine([B|Row]).
"""
    named, summary = told(exercise, tmp_path, text)
    assert named.startswith("fine([A,B|Row])")
    assert "no clause of fine/1 fits fine([" in summary


def test_exchanged_arguments_are_told(exercise, tmp_path):
    text = """\
lined(Items, Row) :- sorted(Items, [], Row), fine(Row).

sorted([], Row, Row).
sorted([X|Xs], Row0, Row) :-
    put(X, Row0, Row1),
    sorted(Xs, Row1, Row).

put([], X, [X]).
put([Y|Ys], X, [X,Y|Ys]).
put([Y|Ys], X, [Y|Zs]) :- put(Ys, X, Zs).

fine(Row) :- \\+ ( append(_, [A,B|_], Row), ( foe(A, B) ; foe(B, A) ) ).
"""
    named, summary = told(exercise, tmp_path, text)
    assert named == "    put(X, Row0, Row1),"
    assert "but one fits put([],a," in summary


@pytest.mark.slow
def test_a_name_of_a_library_is_a_name_of_the_program(exercise, tmp_path):
    text = REFERENCE.replace("clash([A,B|_]) :- foe(B, A).\nclash([_|Row]) :- clash(Row).\n", "")
    text = text.replace(
        "clash([A,B|_]) :- foe(A, B).", "clash(Row) :- neighbours(A, B, Row), foe(A, B)."
    )
    text += "neighbours(A, B, [A,B|_]).\n"
    named, summary = told(exercise, tmp_path, text)
    assert named != ""
    assert "ended before" not in summary


@pytest.mark.slow
def test_a_helper_of_another_meaning_is_no_oracle(exercise, tmp_path):
    text = """\
lined(Items, Row) :- ordered(Items, Row), \\+ clash(Row).

ordered([], []).
ordered(Items, [Item|Row]) :- picked(Items, Item, Others), ordered(Others, Row).

picked([Item|Items], Item, Items).
picked([First|Items], Item, [First|Others]) :- picked(Items, Item, Others).

clash([A,B|_]) :- foe(A, B) ; foe(B, A).
clash([_|Row]) :- !, fail, clash(Row).
"""
    named, _ = told(exercise, tmp_path, text)
    assert named.startswith("clash(")


TURNED = """\
lined(Items, Row) :-
    permutation(Items, Row),
    \\+ clash(Row),
    \\+ turned(Row).

clash([A,B|_]) :- foe(A, B).
clash([_|Row]) :- clash(Row).

turned([A,B|_]) :- foe(B, A).
"""
"""Here clash/1 is about foes in one order only, and the mistake is in turned/1."""


@pytest.mark.one_in(3, first=1)
@pytest.mark.parametrize(
    ("passed", "hidden", "words"),
    [
        (False, [], "clash([c,b]) is missing"),
        (True, [], "lined([a,b,c],[a,c,b]) holds, and should not"),
        (True, ["two"], "clash([c,b]) is missing"),
    ],
    ids=["no instance passes", "an instance passes", "one that is hidden does"],
)
def test_a_helper_that_differs_where_the_program_passes_is_no_oracle(
    exercise, tmp_path, monkeypatch, passed, hidden, words
):
    monkeypatch.setattr("pylogic_sudoku.check.problem_programs.CHANGED", 0)
    (tmp_path / "mine.pl").write_text(TURNED, "utf-8")
    (tmp_path / "two.lp").write_text("item(a). item(b). foe(a,b).")
    (tmp_path / "three.lp").write_text("item(a). item(b). item(c). foe(a,b). foe(b,c).")
    instances = [tmp_path / f"{name}.lp" for name in ("two", "three") if passed or name != "two"]
    *others, wrong = grade(tmp_path / "mine.pl", instances, problem=exercise, hidden=hidden)
    assert all(each.passed for each in others)
    assert words in wrong.diagnosis.summary


@pytest.mark.slow
def test_an_instance_without_an_explanation_leaves_it_to_the_next(tmp_path):
    # With one number the answer is found before the error, and so none is lost.
    reference = "sorted(L, S) :-\n    permutation(L, S),\n    ordered(S).\n"
    reference += "ordered([]).\nordered([_]).\nordered([A,B|L]) :- A =< B, ordered([B|L]).\n"
    problem = written(
        tmp_path / "sorted",
        sorted_pl=reference + ":- include(adapter).\n",
        adapter_pl="answer([sorted(S)]) :- findall(X, item(X), L), sorted(L, S).\n",
        problem_toml='output = ["sorted/1"]\ninput = ["item/1"]\n',
    )
    program = tmp_path / "mine.pl"
    turned = "sorted(L, S) :-\n    ordered(S),\n    permutation(L, S).\n"
    program.write_text(turned + reference.partition("ordered(S).\n")[2])
    instances = []
    for facts in ("item(1).", "item(2). item(1).", "item(3). item(1). item(2)."):
        instances.append(tmp_path / f"a{len(instances)}.lp")
        instances[-1].write_text(facts)
    one, two, three = grade(program, instances, problem=problem)
    assert [each.way for each in (one, two, three)] == ["error"] * 3
    assert one.diagnosis is three.diagnosis is None
    assert two.diagnosis.places[0].line == 2


LEAKS = """\
:- dynamic found/1.
show(nothing).

leak(module) :- hidden(_).
leak(name) :- current_atom(Name), sub_atom(Name, 0, _, After, fit_), After > 0.
leak(text) :- hidden(Head), atom_concat(cla, use, Read), catch(call(Read, Head, _), _, fail).
leak(code) :- hidden(Head), nth_clause(Head, _, Clause), '$fetch_vm'(Clause, 0, _, _).
leak(size) :- hidden(Head), predicate_property(Head, size(_)).
leak(copy) :-
    hidden(Head),
    functor(Copy, copied, 1),
    dynamic(copied/1),
    catch(copy_predicate_clauses(Head, Copy), _, fail).
leak(memory) :-
    read_file_to_string('/proc/self/maps', Maps, []),
    split_string(Maps, "\\n", "", Lines),
    member(Line, Lines),
    sub_string(Line, _, _, 0, "[heap]"),
    split_string(Line, " ", "", [Range|_]),
    split_string(Range, "-", "", [From,To]),
    maplist([Text,Number]>>( string_concat("0x", Text, Hex), number_string(Number, Hex) ),
            [From,To], [Begin,End]),
    Length is End-Begin,
    setup_call_cleanup(
        open('/proc/self/mem', read, In, [type(binary)]),
        ( seek(In, Begin, bof, _), catch(read_string(In, Length, Bytes), _, fail) ),
        close(In)),
    sub_string(Bytes, At, _, _, "fit_"),
    Next is At+4,
    sub_string(Bytes, Next, 4, _, "4711").
leak(child) :-
    current_prolog_flag(pid, Own),
    format(string(Children), "/proc/~d/task/~d/children", [Own,Own]),
    catch(read_file_to_string(Children, Text, []), _, fail),
    split_string(Text, " ", " ", Numbers),
    member(Number, Numbers),
    Number \\== "",
    format(string(Memory), "/proc/~s/mem", [Number]),
    catch(setup_call_cleanup(open(Memory, read, In), true, close(In)), _, fail).

hidden(Module:Head) :-
    current_module(Module),
    current_predicate(Name, Module:Head),
    sub_atom(Name, 0, _, After, fit_),
    After > 0.

:- findall(Leak, catch(leak(Leak), _, fail), Leaks),
   sort(Leaks, Different),
   assertz(found(Different)).
"""
"""A program that looks for what only the reference has, a predicate fit_4711/1."""


def test_the_reference_is_out_of_sight(tmp_path, monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.check.grading.SECONDS", 60.0)
    hidden = ":- dynamic fit_4711/1.\nfit_4711(_) :- fit_4712.\nfit_4712.\n"
    problem = written(
        tmp_path / "rows",
        rows_pl=REFERENCE + hidden,
        adapter_pl=ADAPTER,
        problem_toml='output = ["row/1"]\ninput = ["item/1", "foe/2"]\n',
    )
    end = "    \\+ clash(Row).\n"
    text = REFERENCE.replace(end, "    \\+ clash(Row),\n    found(Leaks),\n    show(Leaks).\n")
    named, summary = told(problem, tmp_path, text + LEAKS)
    assert (named, "fits show([])" in summary) == ("show(nothing).", True), summary


def test_a_goal_that_takes_too_long_is_unknown_and_not_wrong():
    goal = "forall(between(1, inf, X), X > 0)"
    step = f"step({goal}, none, in(user,user,none,[],[]), state(0,best(-1,none,[]),[],none), [])"
    ask = f"pls_oracle:found_within(pls_oracle:{step}, Found), print(Found)"
    done = prolog("-g", f"use_module('{resource('prolog/host/oracle')}'), {ask}")
    assert done.stdout == "unknown"


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "more",
    ["% The base clause comes first.\n", ":- use_module(library(clpfd)).\n"],
    ids=["a word in a comment", "a library that is loaded"],
)
def test_the_reference_is_asked_whatever_else_stands_in_the_text(exercise, tmp_path, more):
    text = REFERENCE.replace("[Item|Items], Items).", "[Item|Items], Items) :- !.")
    named, summary = told(exercise, tmp_path, more + text)
    assert named == "picked(Item, [Item|Items], Items) :- !."
    assert "a cut, or a condition that is true once" in summary


def told_of(folder, reference, facts, text):
    """The places and the summary for a program of a problem of its own: what, in answer/1, top."""
    problem, program = folder / "x", folder / "program" / "mine.pl"
    problem.mkdir()
    program.parent.mkdir()
    (problem / "x.pl").write_text(f"{reference}\n:- include(adapter).\n", "utf-8")
    (problem / "adapter.pl").write_text("answer([top(X)]) :- top(X).\n", "utf-8")
    inputs = '"person/1", "beats/2", "most/1"'
    (problem / "problem.toml").write_text(f'output = ["top/1"]\ninput = [{inputs}]\n', "utf-8")
    program.write_text(text, "utf-8")
    found = explain(program, facts, problem=problem, timeout=60)
    return [place.line for place in found.places], found.summary


@pytest.mark.slow
def test_a_variable_that_only_a_negation_has_may_be_any(tmp_path):
    reference = """\
top(X) :- person(X), \\+ over(_, X), fine(X).
over(P, X) :- person(P), beats(P, X).
fine(X) :- X \\== d.
"""
    facts = "person(a). person(b). person(c). beats(a,c)."
    wrong = reference.replace("beats(P, X)", "X == b")
    lines, summary = told_of(tmp_path, reference, facts, wrong)
    assert lines[0] == 2
    assert "over(_,b) holds, and should not" in summary


@pytest.mark.slow
def test_a_recursion_that_a_cut_ends_is_run(tmp_path):
    reference = """\
top(S) :- most(N), sums(N, S).
sums(0, 0).
sums(N, S) :- N > 0, M is N-1, sums(M, T), S is T+N.
"""
    own = """\
top(S) :- most(N), low(N, T), S is T+1.
low(0, 0) :- !.
low(N, S) :- M is N-1, low(M, T), S is T+N.
"""
    lines, summary = told_of(tmp_path, reference, "most(3).", own)
    assert lines[0] == 1
    assert "top(6) is missing: 6 is 6+1 fails" in summary


FIBONACCI = """\
answer([f(N,F)]) :- n(N), fib(N, F).
fib(0, 0).
fib(1, 1).
fib(N, F) :- N > 1, A is N-1, B is N-2, fib(A, X), fib(B, Y), F is X+Y.
"""


@pytest.mark.slow
def test_the_module_of_a_submission_is_in_no_message(tmp_path):
    folder = tmp_path / "numbers"
    (folder / "instances").mkdir(parents=True)
    (folder / "instances" / "one.lp").write_text("n(1).\n")
    (folder / "numbers.pl").write_text(FIBONACCI)
    file = tmp_path / "my.pl"
    file.write_text(FIBONACCI.replace("fib(1, 1).", "fob(1, 1)."))
    (found,) = grade(file, (), problem=folder)
    assert "Clauses of fib/2 are not together" in found.message
    assert "pls_own" not in repr(found)
