"""The answers to an instance, and the best ones among them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from helpers.problems import CLPFD, written

import pylogic_sudoku as pls
from pylogic_sudoku import Atom

WATCHED = ("clingo", "prolog")

Make = Callable[..., pls.Instance]


@pytest.fixture
def make(tmp_path) -> Make:
    """An instance of a problem with these programs."""

    def made(**files: str) -> pls.Instance:
        files = {name: CLPFD * name.endswith("pl") + text for name, text in files.items()}
        return written(tmp_path / "mine", **files).instance()

    return made


def lines(instance: pls.Instance, backend: str) -> list[str]:
    """All answers as text, each as often as it is found."""
    return sorted(map(str, pls.solutions(instance, backend)))


# --- what counts as an answer ------------------------------------------------------------

# Programs for Prolog, and their answers.
PROGRAMS = {
    "a choice of its own": (
        "model([q(1)-V]) :- V in 1..3.\nmodel([q(1)-V]) :- V in 2..4.",
        ["q(1,1).", "q(1,2).", "q(1,3).", "q(1,4)."],
    ),
    "answers found twice": (
        "answer([q(1),q(1)]).\nanswer([q(2),q(1)]).\nanswer([q(1)]).\nanswer([q(1),q(2)]).",
        ["q(1).", "q(1). q(2)."],
    ),
    "another variable": (
        "model([q(1)-V]) :- V in 1..9, W in 1..2, W * W #= V.",
        ["q(1,1).", "q(1,4)."],
    ),
    "other variables that must differ": (
        "model([q(1)-V]) :- V in 1..9, [W,X] ins 1..2, V #= W + X, W #\\= X.",
        ["q(1,3)."],
    ),
    "another variable that does not matter": (
        "model([q(1)-V]) :- V in 1..2, W in 1..100000, W #\\= V.",
        ["q(1,1).", "q(1,2)."],
    ),
    "a negative atom": ("model([-q(1)-V]) :- V in -1..0.", ["-q(1,-1).", "-q(1,0)."]),
    "values": ("model([q-red,r-\"x y\",s-'1']).", ['q(red). r("x y"). s("1").']),
    "two pairs of one name": (
        "model([q(1)-V,q(1)-W]) :- [V,W] ins 1..2.",
        ["q(1,1).", "q(1,1). q(1,2).", "q(1,2)."],
    ),
    "two names of one text": (
        'model([q(a)-V,q("a")-W]) :- [V,W] ins 1..2.',
        ["q(a,1).", "q(a,1). q(a,2).", "q(a,2)."],
    ),
    "no pairs": ("model([]).", [""]),
    "no model": ("model([q(1)-V]) :- V in 1..3, V #> 3.", []),
    "labeling of its own": (
        "model([q(1)-V,q(2)-W]) :- [V,W] ins 1..3, V #< W, labeling([ff], [W,V]).",
        ["q(1,1). q(2,2).", "q(1,1). q(2,3).", "q(1,2). q(2,3)."],
    ),
    "one answer by labeling of its own": (
        "model([q(1)-V]) :- V in 1..3, once(label([V])).",
        ["q(1,1)."],
    ),
    "pairs after labeling": (
        "model(Pairs) :- V in 1..2, label([V]), Pairs = [q(1)-V].",
        ["q(1,1).", "q(1,2)."],
    ),
    "a module": (
        f":- module(mine, [model/1]).\n{CLPFD}model([q(1)-V]) :- V in 1..2.",
        ["q(1,1).", "q(1,2)."],
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("text", "expected"), PROGRAMS.values(), ids=PROGRAMS)
def test_each_answer_counts_once(tmp_path, text, expected):
    text = text if text.startswith(":-") else CLPFD + text
    instance = written(tmp_path / "mine", mine_pl=text).instance()
    assert lines(instance, "prolog") == expected
    assert pls.count(instance, "prolog") == len(expected)
    assert pls.count(instance, "prolog", limit=2) == min(2, len(expected))
    atoms = {atom for answer in pls.solutions(instance, "prolog") for atom in answer}
    assert pls.candidates(instance, "prolog") == atoms
    assert pls.compare(instance, ["prolog"], limit=None).solutions == set(
        pls.solutions(instance, "prolog")
    )


def test_pairs_that_are_no_output_distinguish_no_answers(make):
    instance = make(
        mine_lp="{q(1,1..2)} = 1. {r(1..2)}. #show q/2.",
        mine_pl="model([r(1)-W,q(1)-V]) :- [V,W] ins 1..2.",
    )
    assert lines(instance, "prolog") == ["q(1,1).", "q(1,2)."]
    assert pls.count(instance, "prolog") == 2
    assert pls.candidates(instance, "prolog") == {Atom("q", (1, 1)), Atom("q", (1, 2))}


COLOURS = 40
"""Things of three colours; neighbours differ, so there are 3 * 2**39 answers."""


@pytest.mark.parametrize(
    ("head", "tail", "colours"),
    [
        ("model(Pairs)", "", {*product(range(1, COLOURS + 1), (1, 2, 3))}),
        (
            "model(Pairs, Cost)",
            ", nth1(1, Cs, First), nth1(3, Cs, Third), Cost #= First + Third",
            {(1, 1), (3, 1), *product((2, 4), (2, 3)), *product(range(5, COLOURS + 1), (1, 2, 3))},
        ),
    ],
    ids=["all", "best"],
)
def test_candidates_need_no_list_of_all_answers(make, head, tail, colours):
    text = f"""{head} :-
        findall(c(I)-_, between(1, {COLOURS}, I), Pairs), pairs_values(Pairs, Cs),
        Cs ins 1..3, differ(Cs){tail}.
    differ([_]).
    differ([A,B|Cs]) :- A #\\= B, differ([B|Cs]).
    """
    instance = make(mine_pl=text)
    assert pls.candidates(instance, "prolog") == {Atom("c", each) for each in colours}
    assert pls.count(instance, "prolog", limit=1000) == 1000


# What cannot be watched, and why.
UNSEEN = {
    "answers found twice": r"^SWI-Prolog: mine\.pl:2: answer/1 searches on its own",
    "pairs after labeling": r"^SWI-Prolog: mine\.pl:2: .* before it is known what is searched for",
}


@pytest.mark.parametrize("which", PROGRAMS)
def test_what_is_left_has_every_atom_of_an_answer(tmp_path, which):
    text = PROGRAMS[which][0]
    text = text if text.startswith(":-") else CLPFD + text
    instance = written(tmp_path / "mine", mine_pl=text).instance()
    if which in UNSEEN:
        with pytest.raises(pls.BackendFailure, match=UNSEEN[which]):
            pls.propagate(instance, "prolog")
        with pytest.raises(pls.BackendFailure, match=UNSEEN[which]):
            list(pls.trace(instance, "prolog"))
    else:
        answers = set(pls.solutions(instance, "prolog"))
        assert (pls.propagate(instance, "prolog") or set()) >= frozenset().union(*answers)
        solutions = [
            each.solution for each in pls.trace(instance, "prolog") if each.solution is not None
        ]
        assert len(solutions) == bool(answers)
        assert answers.issuperset(solutions)


def test_a_choice_of_its_own_is_in_what_is_left(make):
    text = "model([q(1)-V]) :- V in 1..3, V #> 1.\nmodel([q(2)-V]) :- V in 5..9, label([V])."
    left = pls.propagate(make(mine_pl=text), "prolog")
    pairs = {(1, 2), (1, 3), *((2, value) for value in range(5, 10))}
    assert left == {Atom("q", pair) for pair in pairs}


def test_a_trace_tells_of_outputs_only(make):
    instance = make(
        mine_lp="{q(1,1..2)} = 1. {r(1..2)}. #show q/2.",
        mine_pl="model([r(1)-W,q(1)-V]) :- [V,W] ins 1..2, V #\\= W.",
    )
    for backend in WATCHED:
        events = list(pls.trace(instance, backend))
        told = [each for event in events for each in (*event.placed, *event.excluded)]
        assert {each.signature for each in told} == {("q", 2)}
        assert all(event.placed or event.excluded for event in events if event.kind == "implied")
        assert events[-1].solution == pls.solve(instance, backend)


# --- optimum -----------------------------------------------------------------------------

# A program for each engine; the best answers and their cost.
BEST = {
    "one": (
        "{q(1,1..5)} = 1. #minimize{|V-3| : q(1,V)}. #show q/2.",
        "model([q(1)-V], Cost) :- V in 1..5, Cost #= abs(V - 3).",
        {"q(1,3).": (0,)},
    ),
    "several": (
        "{q(1,1..5)} = 1. #minimize{|V-3|+V : q(1,V)}. #show q/2.",
        "model([q(1)-V], Cost) :- V in 1..5, Cost #= max(2 * V, 6) - 3.",
        dict.fromkeys(("q(1,1).", "q(1,2).", "q(1,3)."), (3,)),
    ),
    "maximum": (
        "{q(I,1..3)} = 1 :- I = 1..2. :- q(1,X), q(2,X). #maximize{X,I : q(I,X)}. #show q/2.",
        "model([q(1)-V,q(2)-W], Cost) :- [V,W] ins 1..3, V #\\= W, Cost #= -(V + W).",
        dict.fromkeys(("q(1,2). q(2,3).", "q(1,3). q(2,2)."), (-5,)),
    ),
    "priorities": (
        "{q(I,1..3)} = 1 :- I = 1..2. #minimize{|X-Y|@2 : q(1,X), q(2,Y); -X@1 : q(1,X)}."
        " #show q/2.",
        "model([q(1)-V,q(2)-W], [Far,Low]) :- [V,W] ins 1..3, Far #= abs(V - W), Low #= -V.",
        {"q(1,3). q(2,3).": (0, -3)},
    ),
    "none": (
        "{q(1,1..5)} = 1. :- q(1,X). #minimize{X : q(1,X)}. #show q/2.",
        "model([q(1)-V], V) :- V in 1..5, V * V #= 2.",
        {},
    ),
    "cost of another variable": (
        "{q(1,1..3)} = 1. {w(1..3)} = 1. :- q(1,X), w(X). #minimize{X : w(X)}. #show q/2.",
        "model([q(1)-V], W) :- [V,W] ins 1..3, V #\\= W.",
        dict.fromkeys(("q(1,2).", "q(1,3)."), (1,)),
    ),
    "a choice of its own": (
        "{q(1,(1;4;5;7))} = 1. #minimize{X : q(1,X)}. #show q/2.",
        "model([q(1)-V], V) :- V in 4..5.\nmodel([q(1)-V], V) :- V in 7..7.\nmodel([q(1)-1], 1).",
        {"q(1,1).": (1,)},
    ),
    "as good in each choice": (
        "{q(1,(1;4;7))} = 1. #minimize{4 : q(1,X)}. #show q/2.",
        "model([q(1)-V], C) :- V in 4..5, C #= V.\nmodel([q(1)-V], C) :- V in 1..2, C #= V + 3.\n"
        "model([q(1)-V], C) :- V in 8..9, C #= V.\nmodel([q(1)-V], C) :- V in 7..8, C #= V - 3.",
        dict.fromkeys(("q(1,1).", "q(1,4).", "q(1,7)."), (4,)),
    ),
    "labeling of its own": (
        "{q(I,1..3)} = 1 :- I = 1..2. #minimize{X-Y : q(1,X), q(2,Y)}. #show q/2.",
        "model([q(1)-V,q(2)-W], C) :- [V,W] ins 1..3, C #= V - W, label([V,W]).",
        {"q(1,1). q(2,3).": (-2,)},
    ),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize(("lp", "pl", "best"), BEST.values(), ids=BEST)
def test_the_answers_are_all_that_are_best(make, lp, pl, best):
    instance = make(mine_lp=lp, mine_pl=pl)
    for backend in WATCHED:
        found = list(pls.solutions(instance, backend))
        assert {str(answer): answer.cost for answer in found} == best
        assert len(found) == len(best)
        assert pls.count(instance, backend) == len(best)
        first = pls.solve(instance, backend)
        measured = pls.measure(instance, backend).solution
        assert first in found if best else first is None
        assert measured in found if best else measured is None
        if first and measured:
            assert first.cost == measured.cost == found[0].cost
        assert pls.candidates(instance, backend) == frozenset().union(*found)
        assert (pls.propagate(instance, backend) or set()) >= frozenset().union(*found)
        solutions = [event.solution for event in pls.trace(instance, backend) if event.solution]
        costs = [each.cost for each in solutions]
        assert costs == sorted(set(costs), reverse=True)
        assert (solutions[-1] in found) if best else solutions == []
    for limit in (1, 2, None):
        assert pls.compare(instance, limit=limit).agree


def test_an_answer_that_is_not_the_best_is_not_confirmed(make):
    lp = "{{q(1,1..3)}} = 1. #{}{{X : q(1,X)}}. #show q/2."
    instance = make(
        mine_lp=lp.format("minimize"),
        mine_most_lp=lp.format("maximize"),
        mine_pl="model([q(1)-V], V) :- V in 1..3.",
        mine_most_pl="model([q(1)-V], C) :- V in 1..3, C #= -V.",
    )
    for one, other in product(("clingo", "prolog"), ("clingo:mine_most", "prolog:mine_most")):
        comparison = pls.compare(instance, [one, other], limit=1)
        assert comparison.outcome == "disagree"
        assert {str(each) for each in comparison.rejected[one]} == {"q(1,3)."}
        assert {str(each) for each in comparison.rejected[other]} == {"q(1,1)."}


def test_clingcon_minimizes_about_atoms(make):
    lp = "{a} = 1. {b}. &dom{1..2} = q(1). &show{q(1)}. :- b, &sum{q(1)} > 1."
    instance = make(mine_lp=lp + " #maximize{1 : b}.", problem_toml='output = ["b/0", "q/2"]')
    found = list(pls.solutions(instance, "clingcon"))
    assert {str(each): each.cost for each in found} == {"b. q(1,1).": (-1,)}
    assert pls.solve(instance, "clingcon") == found[0]


def test_equal_answers_of_different_cost_are_a_difference(make):
    instance = make(
        mine_lp="{ take(1..2) } = 1. #minimize { X: take(X) }. #show take/1.",
        mine_pl="model([take-X], Cost) :- X in 1..2, Cost #= X + 1.",
    )
    comparison = pls.compare(instance)
    assert [str(answer) for answer in comparison.solutions] == ["take(1)."]
    assert comparison.outcome == "disagree"
    assert not any(comparison.rejected.values())
    costs = {name: each.cost for name, each in comparison.answers.items()}
    assert costs == {"clingo": (1,), "prolog": (2,)}
    with pytest.raises(pls.Disagreement, match="clingo: 1 solution of cost 1"):
        comparison.check()


JOBS = pls.Problem("job_shop")


@pytest.mark.parametrize(
    ("ask", "error", "said"),
    [
        (
            lambda: pls.solve(JOBS),
            pls.InvalidPuzzle,
            r"one of its instances: pass problem\.instance",
        ),
        (lambda: pls.compare(JOBS), pls.InvalidPuzzle, r"one of its instances: pass problem\.inst"),
        (lambda: pls.is_unique(JOBS), pls.InvalidPuzzle, r"Problem\('job_shop'\), and questions"),
        (lambda: pls.why(JOBS, "r1c1"), pls.InvalidPuzzle, r"Problem\('job_shop'\), and questions"),
        (lambda: pls.solve_many(JOBS), TypeError, r"pass problem\.instances\.values\(\)"),
        (lambda: pls.solve_many(JOBS.instances), TypeError, r"pass problem\.instances\.values\(\)"),
        (lambda: pls.cross_check(JOBS), TypeError, r"cross_check takes several .*values\(\)"),
        (lambda: pls.smallest_difference("jobs"), TypeError, "'jobs' is not a problem"),
        (lambda: pls.smallest_search(JOBS.instance()), TypeError, "is not a problem"),
        (lambda: pls.refusal(JOBS, pls.Answer(), "clingo"), TypeError, "not an instance of a"),
        (lambda: pls.refusal(JOBS.instance(), "p(1).", "clingo"), TypeError, "not an Answer; exp"),
    ],
)
def test_a_problem_in_place_of_an_instance_is_told(ask, error, said):
    with pytest.raises(error, match=said):
        ask()
