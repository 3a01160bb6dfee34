"""Programs with a search and costs of their own: ``answer(Atoms, Cost)``."""

from __future__ import annotations

import pytest
from helpers.command_line import run
from helpers.problems import written

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom

ITEMS = "room(5). item(a,2,3). item(b,3,4). item(c,4,5). item(d,5,7). item(e,0,0)."
LP = """\
#defined item/3.
{ take(I) : item(I,_,_) }.
:- room(R), #sum { W,I : take(I), item(I,W,_) } > R.
#maximize { V,I : take(I), item(I,_,V); 0 }.
#show take/1.
"""
PL = """\
answer(Atoms, Cost) :-
    findall(I-W-V, item(I, W, V), Items),
    room(Room),
    taken(Items, Room, Value, Names),
    findall(take(I), member(I, Names), Atoms),
    Cost is -Value.
taken([], _, 0, []).
taken([I-W-V|Items], Room, Value, Names) :-
    (   W =< Room, Left is Room - W, taken(Items, Left, Value0, Names0),
        Value is Value0 + V, Names = [I|Names0]
    ;   taken(Items, Room, Value, Names)
    ).
"""
BEST = {frozenset(Atom("take", (each,)) for each in names) for names in ("ab", "abe", "d", "de")}


@pytest.fixture
def sack(tmp_path) -> pls.Instance:
    return written(tmp_path / "sack", sack_lp=LP, sack_pl=PL).instance(ITEMS)


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_the_best_answers_of_a_search_of_its_own(sack, backend):
    found = list(pls.solutions(sack, backend))
    assert (set(found), len(found)) == (BEST, 4)
    assert {each.cost for each in found} == {(-7,)}
    assert pls.solve(sack, backend).cost == (-7,)
    assert pls.count(sack, backend) == 4
    assert pls.candidates(sack, backend) == frozenset().union(*BEST)
    assert pls.measure(sack, backend).solution in BEST


def test_the_programs_agree_on_them(sack):
    assert pls.compare(sack).outcome == "agree"
    assert pls.compare(sack, limit=1).outcome == "agree"


def test_another_answer_is_refused_for_its_cost(sack):
    why = pls.refusal(sack, Answer([Atom("take", ("c",))]), "prolog")
    assert (why.kind, str(why)) == (
        "cost",
        "prolog refuses it: its cost is -5, and the best is -7",
    )
    assert pls.refusal(sack, Answer([Atom("take", ("d",))]), "prolog").kind == "accepted"
    heavy = Answer([Atom("take", (each,)) for each in "cd"])
    assert str(pls.refusal(sack, heavy, "prolog")).startswith(
        "prolog refuses it: sack.pl:9 fails: W =< Room"
    )


def test_several_costs_are_compared_in_order(tmp_path):
    text = "answer([p(X,Y)], [Y,X]) :- member(X-Y, [5-2,3-2,3-2,1-3,4-2])."
    instance = written(tmp_path / "two", two_pl=text).instance("")
    (best,) = pls.solutions(instance, "prolog")
    assert (str(best), best.cost) == ("p(3,2).", (2, 3))


def test_a_program_without_answers_has_no_best_one(tmp_path):
    instance = written(tmp_path / "none", none_pl="answer([], 1) :- fail.").instance("")
    assert pls.solve(instance, "prolog") is None
    assert pls.count(instance, "prolog") == 0


def test_answer_2_of_a_program_with_answer_1_is_its_own(tmp_path):
    text = "answer([p(X)]) :- answer(X, 3).\nanswer(X, Y) :- between(1, Y, X)."
    instance = written(tmp_path / "both", both_pl=text).instance("")
    assert pls.count(instance, "prolog") == 3
    assert pls.solve(instance, "prolog").cost == ()


@pytest.mark.parametrize("cost", ["x", "_", "1.5", "[]", "[1,x]"])
def test_a_cost_is_an_integer_or_a_list_of_them(tmp_path, cost):
    instance = written(tmp_path / "mine", mine_pl=f"\nanswer([p], {cost}).").instance("")
    with pytest.raises(pls.BackendFailure, match=r"mine.pl:2: answer/2 gives .* as cost; expected"):
        pls.solve(instance, "prolog")


def test_answers_with_a_cost_are_no_answers_without_one(sack):
    plain = PL.replace("answer(Atoms, Cost)", "answer(Atoms)").replace(
        "Cost is -Value", "Value =:= 7"
    )
    (sack.problem.folder / "sack_plain.pl").write_text(plain)
    comparison = pls.compare(sack, ["clingo", "prolog:sack_plain"])
    assert comparison.rejected == {"clingo": frozenset(), "prolog:sack_plain": frozenset()}
    assert comparison.outcome == "disagree"
    said = "the answers of clingo have a cost, those of prolog:sack_plain have none"
    assert str(comparison) == f"the engines disagree: {said}"
    with pytest.raises(pls.Disagreement, match=f"4 solutions; {said}"):
        comparison.check()
    done = run("compare", "-p", sack.problem.folder, "-b", "all", "-b", "prolog:sack_plain", ITEMS)
    assert done.returncode == 5
    said = "the answers of clingo and prolog have a cost, those of prolog:sack_plain have none"
    assert f"prolog:sack_plain stands alone: {said}" in done.stdout + done.stderr
