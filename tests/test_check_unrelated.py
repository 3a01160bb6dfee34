"""Predicates of the instance that no goal of a Prolog program relates to an answer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from helpers.problems import written
from helpers.programs import prolog, resource

from pylogic_sudoku.check import explain
from pylogic_sudoku.check.comments import comment_above
from pylogic_sudoku.problem import Instance
from pylogic_sudoku.problem.folder import Problem, bundled

COLOURING = """\
:- use_module(library(clpfd)).
model(Pairs) :-
    colours(K),
    findall(colour(V)-_, node(V), Pairs),
    pairs_values(Pairs, Colours),
    % Colours have numbers.
    Colours ins 1..K,
    findall(V-W, edge(V, W), Edges),
    % Neighbours differ.
    maplist(different(Pairs), Edges).

different(Pairs, V-W) :-
    memberchk(colour(V)-A, Pairs),
    memberchk(colour(W)-B, Pairs),
    A #\\= B.
"""
INPUTS = "node/1,edge/2,colours/1"
EDGES = "    findall(V-W, edge(V, W), Edges),\n"
LAST = "    maplist(different(Pairs), Edges)."
FREE = COLOURING.replace(EDGES, "").replace(LAST, "    true.")


def ending(goals: str, more: str = "") -> str:
    """The program with other goals that might relate edges and colours."""
    return FREE.replace("    true.", f"    {goals}.") + more


PROGRAMS = {
    "whole": (COLOURING, "[]"),
    "no edges": (FREE, "[edge/2]"),
    "edges fetched": (COLOURING.replace(LAST, "    length(Edges, _)."), "[edge/2]"),
    "edges tested": (ending("forall(edge(V, W), ( node(V), node(W) ))"), "[edge/2]"),
    "edges fetched by a helper": (
        ending("pairs(_)", "pairs(Edges) :- findall(V-W, edge(V, W), Edges).\n"),
        "[edge/2]",
    ),
    "another name": (FREE.replace("colours(K)", "K = 3"), "[colours/1,edge/2]"),
    "a condition": (ending("( edge(a, b) -> Colours = [A,B|_], A #\\= B ; true )"), "[]"),
    "a negation": (
        ending(
            "label(Colours), \\+ ( edge(V, W), memberchk(colour(V)-A, Pairs),"
            " memberchk(colour(W)-A, Pairs) )"
        ),
        "[]",
    ),
    "a closure": (ending("foldl([X,_,_]>>edge(X, _), Pairs, [], _)"), "[]"),
    "several clauses": (
        ending("Colours = [A|_], far(A)", "far(1) :- edge(a, b), !.\nfar(_).\n"),
        "[]",
    ),
    "recursion": (
        ending("all(Pairs)", "all([]).\nall([_|Ps]) :- edge(_, _), all(Ps).\n"),
        "[]",
    ),
    "a body of a grammar": (
        ending("phrase(( arcs(Pairs), [] ), _)", "arcs(_) --> { edge(_, _) }.\n"),
        "unknown",
    ),
    "a call that only a run shows": (ending("G =.. [edge,a,b], ( G -> true ; true )"), "unknown"),
    "rules with a store": (
        ending(
            "forall(edge(_, _), true), maplist([colour(V)-C]>>has(V, C), Pairs)",
            ":- use_module(library(chr)).\n:- chr_constraint arc/2, has/2.\n"
            "arc(V, W), has(V, A), has(W, B) ==> A #\\= B.\n",
        ),
        "unknown",
    ),
    "a helper that doubles": (
        ending("h0(_)", "".join(f"h{n}(X) :- h{n + 1}(X), h{n + 1}(X).\n" for n in range(19)))
        + "h19(_).\n",
        "unknown",
    ),
    "a value without variables": (
        ending(
            "forall(edge(V, W), assertz(arc(V, W))), arcs(Pairs)",
            ":- dynamic arc/2.\narcs(Ps) :- forall(arc(V, W), differ(V, W, Ps)).\n"
            "differ(V, W, Ps) :- memberchk(colour(V)-A, Ps), memberchk(colour(W)-B, Ps),"
            " A #\\= B.\n",
        ),
        "unknown",
    ),
}
"""Programs, and the predicates that are apart."""
TRIED = """\
:- use_module('{module}').
:- initialization(forall(program(Number, Text, Inputs, Instances),
                        tried(Number, Text, Inputs, Instances))).
tried(Number, Text, Inputs, Instances) :-
    atom_concat(pls_tried, Number, Module),
    atom_concat('/tried', Number, File),
    pls_grading:prepared(Module, File, Text, []),
    pls_instances:instance(Module, facts([], Inputs), [], [], Instance),
    ( pls_mentions:unrelated(Instance, Apart) -> true ; Apart = unknown ),
    print(Apart),
    (   Apart \\== unknown,
        member(Predicate, Apart),
        member(Facts, Instances),
        exclude([Fact]>>( functor(Fact, N, A), N/A == Predicate ), Facts, Rest),
        maplist(answers(Module, Inputs), [Facts,Rest], [[A1|As],[B1|Bs]]),
        [A1|As] \\== [B1|Bs]
    ->  print(' wrong about '(Predicate))
    ;   true
    ),
    nl.
answers(Module, Inputs, Facts, Answers) :-
    pls_instances:instance(Module, facts(Facts, Inputs), [], [], Instance),
    catch(call_with_inference_limit(
              findall(Answer, limit(500, pls_instances:answer(Instance, Answer)), Answers0),
              3_000_000, Limit),
          _, fail),
    Limit \\== inference_limit_exceeded,
    sort(Answers0, Answers).
"""


def apart(tmp_path: Path, programs: list[tuple[str, str, str]]) -> list[str]:
    """The predicates that are apart in each of the programs: text, inputs, facts of instances.

    With "wrong about" if the answers to an instance are others without the facts of one.
    """
    facts = [
        f"program({number}, {json.dumps(text)}, [{inputs}], [{instances}]).\n"
        for number, (text, inputs, instances) in enumerate(programs)
    ]
    script = tmp_path / "tried.pl"
    begin = TRIED.format(module=resource("prolog/host/grading.pl"))
    script.write_text(":- set_prolog_flag(double_quotes, string).\n" + "".join(facts) + begin)
    done = prolog("-q", str(script))
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_only_what_has_no_way_to_an_answer_is_apart(tmp_path):
    found = apart(tmp_path, [(text, INPUTS, "") for text, _ in PROGRAMS.values()])
    told = {
        name: sorted(words.strip("[]").split(","))
        for name, words in zip(PROGRAMS, found, strict=True)
    }
    assert told == {name: words.strip("[]").split(",") for name, (_, words) in PROGRAMS.items()}


@pytest.fixture
def exercise(tmp_path: Path) -> Problem:
    """Colouring, with a reference for Prolog."""
    settings = 'output = ["colour/2"]\ninput = ["node/1", "edge/2", "colours/1"]\n'
    return written(tmp_path / "maps", maps_pl=COLOURING, problem_toml=settings)


GRAPH = "node(a). node(b). edge(a,b). colours(2)."


def told(problem: Problem, folder: Path, text: str, facts: str = GRAPH) -> tuple[str, list[int]]:
    """The summary and the lines."""
    program = folder / "mine.pl"
    program.write_text(text, "utf-8")
    found = explain(program, facts, problem=problem, timeout=60)
    return found.summary, [place.line for place in found.places]


def test_an_extra_answer_is_explained_by_what_nothing_relates(exercise, tmp_path, monkeypatch):
    monkeypatch.setattr(
        "pylogic_sudoku.check.problem_programs.CHANGED", 0
    )  # no change helps, anyway
    words = "an answer is wrong: Neighbours differ; no constraint relates edge/2 and colour/2"
    assert told(exercise, tmp_path, FREE) == (words, [])


@pytest.mark.slow
def test_a_variable_that_is_left_over_follows(exercise, tmp_path):
    text = COLOURING.replace(LAST, "    true.")
    words, lines = told(exercise, tmp_path, text)
    assert "no constraint relates edge/2 and colour/2; Edges occurs only once" in words
    assert lines == [8]


@pytest.mark.slow
def test_the_statement_of_a_reference_for_clingo_tells_what_is_needed(tmp_path):
    # Without edges no two nodes are adjacent: the answer would be wrong all the more.
    problem = Problem("clique")
    text = (
        problem.paths["prolog"]
        .read_text("utf-8")
        .replace("    adjacent(Pairs).\n\n", "    true.\n\n")
    )
    words, _ = told(problem, tmp_path, text, "node(a). node(b). node(c). edge(a,b). size(2).")
    assert "no constraint relates clique/1 and edge/2" in words


@pytest.mark.slow
def test_a_constant_in_place_of_a_fact_is_what_nothing_relates(exercise, tmp_path):
    words, _ = told(exercise, tmp_path, COLOURING.replace("colours(K)", "K = 3"))
    assert "no constraint relates colours/1 and colour/2" in words


@pytest.mark.slow
def test_a_predicate_that_can_be_done_without_is_not_blamed(exercise, tmp_path):
    # The edges tell the nodes. The mistake is in the last line.
    nodes = "    setof(V, W^( edge(V, W) ; edge(W, V) ), Nodes),\n"
    text = COLOURING.replace("    findall(colour", nodes + "    findall(colour")
    text = text.replace("node(V), Pairs", "member(V, Nodes), Pairs")
    words, _ = told(exercise, tmp_path, text.replace("A #\\= B", "A #\\= B+5"))
    assert "an answer is wrong: Neighbours differ" in words
    assert "no constraint" not in words


@pytest.mark.slow
def test_a_predicate_that_the_program_does_relate_is_not_blamed(exercise, tmp_path):
    words, _ = told(exercise, tmp_path, COLOURING.replace("A #\\= B", "A #>= B"))
    assert "no constraint" not in words


@pytest.mark.slow
def test_what_the_teachers_file_hands_over_is_related(tmp_path):
    reference = "paired(Xs, A-B) :- member(A, Xs), member(B, Xs), A < B, ok(A, B).\n"
    problem = written(
        tmp_path / "pairs",
        pairs_pl=reference + ":- include(adapter).\n",
        adapter_pl="answer([pair(A, B)]) :- findall(X, n(X), Xs), paired(Xs, A-B).\n",
        problem_toml='output = ["pair/2"]\ninput = ["n/1", "ok/2"]\n',
    )
    words, _ = told(problem, tmp_path, reference.replace(", ok(A, B)", ""), "n(1..3). ok(1,2).")
    assert "no constraint relates ok/2 and pair/2" in words


def test_a_comment_in_prolog_is_about_the_goal_or_the_clause_below_it(tmp_path):
    path = tmp_path / "a.pl"
    path.write_text(
        "% All of it.\n% More.\n\nmodel(X) :-\n    % About a.\n    a(X),\n    b(X).\n\n"
        "% Two of it.\np(1) :-\n    % About c.\n    c.\np(2) :-\n    d.\nq(1) :-\n    d.\n"
    )
    told = {line: comment_above(path, line) for line in (4, 6, 7, 10, 12, 14, 16)}
    both = "Two of it"
    assert told == {4: "", 6: "About a", 7: "", 10: both, 12: "About c", 14: both, 16: ""}


GOAL = re.compile(r"    [a-zA-Z\[].*[,.]")


def goals(text: str) -> Iterator[int]:
    """The lines that are a goal, and one that can be left out."""
    for number, line in enumerate(text.split("\n")):
        if GOAL.fullmatch(line) and all(line.count(a) == line.count(b) for a, b in ("()", "[]")):
            yield number


def without(text: str, number: int) -> str:
    """The program with `true` in place of the goal in a line."""
    lines = text.split("\n")
    lines[number] = "    true" + lines[number][-1]
    return "\n".join(lines)


def small(problem: Problem) -> list[Instance]:
    """The instances with the fewest facts."""
    return sorted(problem.instances.values(), key=lambda each: len(each.facts))[:3]


@pytest.mark.slow
def test_no_predicate_is_apart_that_makes_a_difference(tmp_path):
    programs, names = [], []
    for problem in bundled():
        used = {fact.signature for each in problem.instances.values() for fact in each.clauses}
        inputs = ",".join(f"{name}/{arity}" for name, arity in sorted(used | problem.inputs))
        instances = ",".join(
            f"[{','.join(fact.text for fact in each.clauses)}]" for each in small(problem)
        )
        for name, path in problem.paths.items():
            if path.suffix == ".pl":
                text = path.read_text("utf-8")
                for changed in [text, *(without(text, line) for line in goals(text))]:
                    programs.append((changed, inputs, instances))
                    names.append((name, changed == text))
    found = apart(tmp_path, programs)
    assert not [each for each in found if "wrong" in each]
    assert {words for words, (_, whole) in zip(found, names, strict=True) if whole} == {"[]"}
    some = sum(words not in ("[]", "unknown") for words in found)
    print(f"of {len(found)} programs, {some} have predicates that are apart")
    assert some >= 60
