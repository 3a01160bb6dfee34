"""Models whose pairs are atoms that are there or not: ``Atom #<==> Variable``."""

from __future__ import annotations

from itertools import chain, combinations

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, written

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom

ENGINES = ("clingo", "prolog")
FACTS = "item(a;b;c;d). must(c). clash(a,b)."
LP = """\
#defined item/1. #defined must/1. #defined clash/2.
{ select(X) : item(X) }.
:- must(X), not select(X).
:- clash(X,Y), select(X), select(Y).
#show select/1.
"""
PL = f"""\
{CLPFD}model(Pairs) :-
    findall(select(X) #<==> _, item(X), Pairs),
    maplist(of_two, Pairs),
    forall_posted(must(X), X, chosen(Pairs)),
    forall_posted(clash(X, Y), X-Y, apart(Pairs)).
of_two(_ #<==> B) :- B in 0..1.
forall_posted(Goal, X, Post) :- findall(X, Goal, Xs), maplist(Post, Xs).
chosen(Pairs, X) :- memberchk(select(X) #<==> B, Pairs), B #= 1.
apart(Pairs, X-Y) :-
    memberchk(select(X) #<==> A, Pairs), memberchk(select(Y) #<==> B, Pairs), A + B #=< 1.
"""
COSTED = PL.replace("model(Pairs) :-", "model(Pairs, Cost) :-").replace(
    "apart(Pairs)).",
    """apart(Pairs)),
    findall(W, (item(X), weight(X, W)), Ws), findall(B, member(_ #<==> B, Pairs), _),
    maplist([_ #<==> B,B]>>true, Pairs, Bs), scalar_product(Ws, Bs, #=, Sum), Cost #= -Sum.""",
)


def selected(*items: str) -> Answer:
    return Answer([Atom("select", (each,)) for each in items])


def expected() -> set[Answer]:
    """All sets with c, and not both a and b."""
    sets = chain.from_iterable(combinations("abcd", size) for size in range(5))
    return {selected(*each) for each in sets if "c" in each and not {"a", "b"} <= {*each}}


@pytest.fixture
def chosen(tmp_path) -> pls.Instance:
    return written(tmp_path / "pick", pick_lp=LP, pick_pl=PL).instance(FACTS)


@pytest.mark.parametrize("backend", ENGINES)
def test_answers_are_the_sets(chosen, backend):
    found = list(pls.solutions(chosen, backend))
    assert len(found) == len(expected()) == 6
    assert set(found) == expected()
    assert pls.count(chosen, backend) == 6
    assert pls.count(chosen, backend, 4) == 4
    assert pls.candidates(chosen, backend) == selected(*"abcd")
    assert pls.measure(chosen, backend).solution in expected()


@pytest.mark.parametrize("backend", ENGINES)
def test_what_is_certain_is_apart_from_what_is_possible(chosen, backend):
    left = pls.propagate(chosen, backend)
    assert left == selected(*"abcd")
    assert left.certain == selected("c")
    done = run("propagate", "-p", chosen.problem.folder, "-b", backend, FACTS)
    assert done.stdout == (
        f"{backend}: 4 candidates are left, 1 of them certain\n"
        "select(_): a b d\nselect(_), certain: c\n"
    )


def test_engines_that_are_certain_of_others_differ(chosen):
    (chosen.problem.folder / "pick_open.pl").write_text(PL.replace("B #= 1", "B #>= B * B"))
    done = run("propagate", "-p", chosen.problem.folder, FACTS, "-b", "prolog:*")
    first, second = done.stdout.split("\n\n")
    assert first.startswith("prolog: 4 candidates are left, 1 of them certain\n")
    assert second.startswith("prolog:pick_open: 4 candidates are left; 1 differs from the first\n")


@pytest.mark.parametrize("backend", ENGINES)
def test_the_search_says_what_is_there_and_what_is_not(chosen, backend):
    events = list(pls.trace(chosen, backend))
    first = events[0]
    assert (first.kind, first.placed, first.excluded) == ("implied", tuple(selected("c")), ())
    assert events[-1].solution in expected()
    choices = [each for each in events if each.kind == "choice"]
    assert choices
    assert all(len(each.placed) + len(each.excluded) == 1 for each in choices)
    absent = {atom for each in events for atom in each.excluded}
    assert absent == selected(*"abcd") - events[-1].solution


@pytest.mark.parametrize("backend", ENGINES)
def test_each_set_is_confirmed_or_refused(chosen, backend):
    sets = [selected(*each) for size in range(5) for each in combinations("abcd", size)]
    engine = pls.engines.engine_for(backend, chosen)
    assert engine.rejected(chosen, sets) == set(sets) - expected()
    assert all(engine.confirms(chosen, each) == (each in expected()) for each in sets)


@pytest.mark.parametrize(
    ("backend", "items", "said"),
    [
        ("prolog", "ab", "pick.pl:11 fails: A + B #=< 1"),
        ("prolog", "abc", "pick.pl:11 fails: A + B #=< 1"),
        ("prolog", "", "pick.pl:9 fails: B #= 1"),
        ("prolog", "ce", "model gives no pair for select(e)"),
        ("clingo", "ad", "pick.lp:3 excludes it: :- must(X), not select(X)."),
        ("clingo", "abc", "pick.lp:4 excludes it: :- clash(X,Y), select(X), select(Y)."),
    ],
)
def test_the_line_that_refuses_a_set_is_named(chosen, backend, items, said):
    assert str(pls.refusal(chosen, selected(*items), backend)).startswith(
        f"{backend} refuses it: {said}"
    )


def test_an_answer_that_is_there_is_accepted(chosen):
    assert pls.refusal(chosen, selected("c", "d"), "prolog").kind == "accepted"


def test_the_engines_agree(chosen):
    comparison = pls.compare(chosen, limit=None)
    assert (comparison.outcome, comparison.solutions) == ("agree", expected())
    few = pls.compare(chosen, limit=2)
    assert few.outcome == "agree"


def test_the_best_sets_have_a_cost(tmp_path):
    lp = LP + "#maximize { W,X : select(X), weight(X,W); 0 }.\n"
    problem = written(tmp_path / "pick", pick_lp=lp, pick_pl=COSTED)
    instance = problem.instance(f"{FACTS} weight(a,3). weight(b,3). weight(c,1). weight(d,0).")
    best = {selected(*each) for each in ("ac", "bc", "acd", "bcd")}
    for backend in ENGINES:
        found = list(pls.solutions(instance, backend))
        assert (set(found), len(found)) == (best, 4)
        assert {each.cost for each in found} == {(-4,)}
        assert pls.candidates(instance, backend) == selected(*"abcd")
    assert pls.compare(instance).outcome == "agree"
    why = pls.refusal(instance, selected("c"), "prolog")
    assert str(why) == "prolog refuses it: its cost is -1, and the best is -4"


MIXED_LP = """\
#defined item/1.
{ open(X) : item(X) }. { at(X,1..2) } = 1 :- open(X).
{ at(X,3) } = 1 :- item(X), not open(X).
#show open/1. #show at/2.
"""
MIXED_PL = f"""\
{CLPFD}model(Pairs) :-
    findall(X, item(X), Xs), maplist(of_item, Xs, Lists), append(Lists, Pairs).
of_item(X, [at(X)-V, open(X) #<==> B]) :- V in 1..3, B #<==> V #< 3.
"""


def test_both_kinds_of_pairs_are_mixed(tmp_path):
    problem = written(tmp_path / "mixed", mixed_lp=MIXED_LP, mixed_pl=MIXED_PL)
    instance = problem.instance("item(a;b).")
    assert pls.count(instance, "prolog") == pls.count(instance, "clingo") == 9
    assert pls.compare(instance, limit=None).outcome == "agree"
    assert pls.compare(instance, limit=1).outcome == "agree"
    at = Atom("at", ("a", 1)), Atom("at", ("b", 3))
    assert pls.refusal(instance, Answer([*at, Atom("open", ("a",))]), "prolog").kind == "accepted"
    refused = pls.refusal(instance, Answer(at), "prolog")
    assert str(refused) == "prolog refuses it: mixed.pl:4 fails: B #<==> V #< 3"


def test_atoms_that_are_not_shown_do_not_make_more_answers(tmp_path):
    text = MIXED_PL.replace("B #<==> V #< 3", "B in 0..1")
    problem = written(
        tmp_path / "mixed", mixed_lp=MIXED_LP.replace("#show open/1. ", ""), mixed_pl=text
    )
    instance = problem.instance("item(a;b).")
    assert pls.count(instance, "prolog") == len(list(pls.solutions(instance, "prolog"))) == 9
    assert pls.compare(instance, limit=1).outcome == "agree"


def test_a_model_with_several_ways_gives_each_set_once(tmp_path):
    text = f"{CLPFD}model([s(a)#<==>B,s(b)#<==>C]) :- [B,C] ins 0..1, (B #= 1 ; C #= 1)."
    instance = written(tmp_path / "ways", ways_pl=text).instance("")
    assert pls.count(instance, "prolog") == 3
    left = pls.propagate(instance, "prolog")
    assert {str(each) for each in left} == {"s(a)", "s(b)"}
    assert left.certain == frozenset()


def test_an_atom_of_one_way_alone_is_not_certain(tmp_path):
    text = f"{CLPFD}model([s(a)#<==>1]).\nmodel([s(b)#<==>B]) :- B in 0..1."
    instance = written(tmp_path / "ways", ways_pl=text).instance("")
    assert pls.count(instance, "prolog") == 3
    left = pls.propagate(instance, "prolog")
    assert ({str(each) for each in left}, left.certain) == ({"s(a)", "s(b)"}, frozenset())


def test_atoms_without_arguments_and_negated_ones(tmp_path):
    text = f"{CLPFD}model([win#<==>B, -on(1)#<==>C]) :- B in 0..1, C #= 1 - B."
    lp = "{ win }. -on(1) :- not win. #show win/0. #show -on/1."
    instance = written(tmp_path / "sign", sign_lp=lp, sign_pl=text).instance("")
    assert sorted(map(str, pls.solutions(instance, "prolog"))) == ["-on(1).", "win."]
    assert pls.compare(instance).outcome == "agree"
    wrong = Answer([Atom("-on", (1,)), Atom("win")])
    assert str(pls.refusal(instance, wrong, "prolog")).endswith("sign.pl:2 fails: C #= 1 - B")


def test_what_answers_consist_of_is_read_from_the_pairs(tmp_path):
    lp = "{ s(a;b); t(a) }."
    text = f"{CLPFD}model([s(a)#<==>B, s(b) #<==> C]) :- [B,C] ins 0..1."
    instance = written(tmp_path / "read", read_lp=lp, read_pl=text).instance("")
    assert pls.count(instance, "clingo") == pls.count(instance, "prolog") == 4


def test_variables_of_clpb_are_0_or_1(tmp_path):
    text = """\
:- use_module(library(clpfd)).
:- use_module(library(clpb)).
model([s(a)#<==>B, s(b)#<==>C, t-D, s(c)#<==>E]) :- sat(B + C), sat(D =:= B * C), sat(E * _ + C).
"""
    lp = """\
{ s(a;b;c) }. :- not s(a), not s(b). :- not s(c), not s(b).
t(1) :- s(a), s(b). t(0) :- not t(1).
#show s/1. #show t/1.
"""
    instance = written(tmp_path / "sat", sat_lp=lp, sat_pl=text).instance("")
    assert pls.compare(instance, limit=None).outcome == "agree"
    assert pls.count(instance, "prolog") == 5
    assert {str(each) for each in pls.propagate(instance, "prolog")} == {
        *("s(a)", "s(b)", "s(c)", "t(0)", "t(1)")
    }
