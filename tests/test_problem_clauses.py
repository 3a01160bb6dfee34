"""Instances that are written as facts of Prolog."""

from __future__ import annotations

import shutil

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku import InvalidProblem
from pylogic_sudoku.check import grade
from pylogic_sudoku.problem.clauses import read_clauses
from pylogic_sudoku.problem.facts import read_facts
from pylogic_sudoku.problem.folder import Problem


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("size(4).", ["size(4)"]),
        ("% of a graph\nedge(a, b).  edge(b,c). /* no\nmore */ node.\n", None),
        ("p('A b', \"c d\", 'it''s', 'a\\nb').", ['p("A b","c d","it\'s","a\\nb")']),
        ("p([a,[B1],[]]).".replace("B1", "'B'"), ['p([a,["B"],[]])']),
        ("p([1,2|[3]]). p([]).", ["p([1,2,3])", "p([])"]),
        ("e(a-b). e(1-2-3). e(x:y:z).", ["e(-(a,b))", "e(-(-(1,2),3))", "e(:(x,:(y,z)))"]),
        ("e(-3, 4 - 1, f(-3)).", ["e(-3,-(4,1),f(-3))"]),
        ("t((a,b)). t((a)).", ["t((a,b))", "t(a)"]),
        ("p(1). p(2). p(1).", ["p(1)", "p(2)"]),
        ("p('größe', größe).", ['p("größe","größe")']),
        ("", []),
    ],
)
def test_facts_of_prolog(text, facts):
    found = read_clauses(text, "x.pl")
    if facts is None:
        assert set(found) == set(read_facts("edge(a,b). edge(b,c). node.", "x.lp").facts)
    else:
        assert [each.text for each in found] == facts
    assert all(each.signature[0].isidentifier() for each in found)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("size(4).\n\na(X).", "x.pl:3: X is a variable"),
        ("a(_).", "_ is a variable"),
        ("a(Ö).", "Ö is a variable"),
        ("a :- b.", "x.pl:1: there is a rule"),
        ("s --> t.", "there is a rule"),
        (":- dynamic p/1.", "a directive is not run"),
        ("a(1.5).", "1.5 is not a value"),
        ("a(0x1F).", "0x1F is not a value"),
        ("a(b", "x.pl:1: the end of the text stands where ) should"),
        ("a(b) c(d).", "c stands where . should"),
        ("a('b).", "'b is not a value"),
        ("'A'(1).", "'A' with arguments is not a value"),
        ("a('B'(1)).", "'B' with arguments is not a value"),
        ("a - b.", "a fact needs a plain name"),
        ("a([b|c]).", "a list must have an end"),
        ("a(,).", ", is not a value"),
        (f"a({'[' * 200}{']' * 200}).", "nested more than"),
    ],
)
def test_what_is_no_fact_is_refused_with_its_line(text, words):
    with pytest.raises(InvalidProblem) as caught:
        read_clauses(text, "x.pl")
    assert words in str(caught.value)


@pytest.fixture
def lists(tmp_path):
    folder = tmp_path / "lists"
    (folder / "instances").mkdir(parents=True)
    text = "answer([flat(X)]) :- list(L), flatten(L, X).\n"
    (folder / "lists.pl").write_text(text, "utf-8")
    (folder / "problem.toml").write_text('output = ["flat/1"]\n', "utf-8")
    (folder / "instances" / "one.pl").write_text("list([a,['B c',[3]],[]]).\n", "utf-8")
    return folder


@pytest.mark.slow
def test_an_instance_with_a_list_is_answered_by_prolog_and_refused_for_clingo(lists):
    problem = Problem(lists)
    assert list(problem.instances) == ["one"]
    for which in ("one", lists / "instances" / "one.pl"):
        assert str(pls.solve(problem.instance(which), "prolog")) == 'flat([a,"B c",3]).'
    assert problem.inputs == {("list", 1)}
    both = shutil.copytree(lists, lists.parent / "both" / "lists")
    (both / "lists.lp").write_text("flat(1).\n#show flat/1.\n", "utf-8")
    with pytest.raises(InvalidProblem, match="is not a fact of ASP"):
        pls.solve(Problem(both).instances["one"], "clingo")
    assert pls.solve(Problem(both).instances["one"], "prolog")


@pytest.mark.slow
def test_facts_of_prolog_are_an_instance_for_both_engines(tmp_path):
    file = tmp_path / "four.pl"
    file.write_text("% four\nsize(4).\n", "utf-8")
    instance = Problem("queens").instance(file)
    assert instance == Problem("queens").instance("size=4")
    assert pls.compare(instance).agree


def test_two_instances_of_one_name_are_refused(lists):
    shutil.copy(lists / "instances" / "one.pl", lists / "instances" / "one.lp")
    with pytest.raises(InvalidProblem, match="two instances of one name"):
        list(Problem(lists).instances)


@pytest.mark.slow
def test_programs_are_graded_on_facts_of_prolog_without_an_option(lists, tmp_path):
    mine = tmp_path / "my.pl"
    mine.write_text("answer([flat(X)]) :-\n    list(L),\n    X = L.\n", "utf-8")
    (found,) = grade(mine, (), problem=lists)
    assert (found.way, str(found.missing_answer)) == ("wrong", 'flat([a,"B c",3]).')
    assert found.diagnosis.places[0].line == 3
