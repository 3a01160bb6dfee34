"""Programs with a search and costs of their own: ``answer(Atoms, Cost)``."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, written

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom
from pylogic_sudoku.engines import engine_for
from pylogic_sudoku.engines.clingo.instances import ClingoInstances

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
    engines = [word for name in ("clingo", "prolog", "prolog:sack_plain") for word in ("-b", name)]
    done = run("compare", "-p", sack.problem.folder, *engines, ITEMS)
    assert done.returncode == 5
    said = "the answers of clingo and prolog have a cost, those of prolog:sack_plain have none"
    assert f"prolog:sack_plain stands alone: {said}" in done.stdout + done.stderr


# A program that notes each time that it is asked: only a search through all of its answers, which
# come in this order, shows whether something is one of them.
NOTES = """\
noted :- open('{file}', append, Stream), writeln(Stream, asked), close(Stream).
{head} :- noted, member(X, [6,5,4,3,2,1]).
"""


def asked(file: Path) -> int:
    """The number of times that such a program was asked since the last look."""
    times = file.read_text().count("asked")
    file.unlink()
    return times


@pytest.mark.parametrize("head", ["answer([p(X)])", "answer([p(X)], 3)"])
def test_a_comparison_goes_on_with_its_search(tmp_path, head):
    file = tmp_path / "asked.txt"
    texts = {"mine_lp": "{ p(1;7) } = 1. #show p/1.", "mine_pl": NOTES.format(file=file, head=head)}
    instance = written(tmp_path / "mine", **texts).instance("")
    comparison = pls.compare(instance, limit=3)
    assert {str(each) for each in comparison.rejected["prolog"]} == {"p(7)."}
    assert {str(each) for each in comparison.rejected["clingo"]} == {"p(4).", "p(5).", "p(6)."}
    assert asked(file) == 1
    given = [Answer([Atom("p", (number,))]) for number in (1, 4, 7, 8)]
    assert engine_for("prolog", instance).rejected(instance, given) == set(given[2:])
    assert asked(file) == 1


def test_so_it_does_where_answers_are_shown_terms(tmp_path, monkeypatch):
    begun = []
    solutions = ClingoInstances.solutions

    def noted(engine, *arguments):
        begun.append(engine.name)
        return solutions(engine, *arguments)

    monkeypatch.setattr(ClingoInstances, "solutions", noted)
    terms = "{ q(1..9) } = 1. #show p(X) : q(X). #show."
    texts = {"mine_lp": terms, "mine_pl": "answer([p(X)]) :- member(X, [1,9])."}
    comparison = pls.compare(written(tmp_path / "mine", **texts).instance(""), limit=3)
    clingo, prolog = (comparison.answers[name].solutions for name in ("clingo", "prolog"))
    assert prolog - clingo
    assert comparison.rejected == {"clingo": frozenset(), "prolog": clingo - prolog}
    assert begun == ["clingo"]


@pytest.mark.parametrize("ways", ["true", "( B = 0 ; B = 1 )"], ids=["one way", "two ways"])
def test_the_best_is_found_once_for_all_answers_to_confirm(tmp_path, ways):
    file = tmp_path / "asked.txt"
    body = f"noted, X in 1..5, B in 0..1, {ways}, X #\\= 3, C #= max(X, 2)."
    text = NOTES.partition("{head}")[0].format(file=file) + f"model([p-X,q-B], C) :- {body}"
    instance = written(tmp_path / "mine", mine_pl=CLPFD + text).instance("")
    given = [Answer([Atom("p", (x,)), Atom("q", (b,))]) for x in range(1, 5) for b in range(3)]
    engine = engine_for("prolog", instance)
    best = {each for each in given if engine.confirms(instance, each)}
    assert best == set(pls.solutions(instance, "prolog")) == {given[n] for n in (0, 1, 3, 4)}
    asked(file)
    assert engine.rejected(instance, given) == set(given) - best
    assert asked(file) == (1 if ways == "true" else 2)
