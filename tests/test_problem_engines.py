"""Every question about an instance, to every engine that takes one."""

from __future__ import annotations

import asyncio
import pickle
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import Any

import pytest
from helpers.command_line import run
from helpers.problems import CLPFD, QUEENS_CLINGCON, QUEENS_LP, QUEENS_PL, queens, written
from helpers.processes import soon

import pylogic_sudoku as pls
from pylogic_sudoku import Answer, Atom, aio
from pylogic_sudoku.engines import engine_for
from pylogic_sudoku.engines.prolog import search as prolog_search

ENGINES = ("clingo", "prolog", "clingcon")
WATCHED = ("clingo", "prolog")

Make = Callable[..., pls.Instance]


@pytest.fixture
def board(tmp_path) -> Callable[[int], pls.Instance]:
    """The queens on a board of this size."""
    problem = written(
        tmp_path / "queens",
        queens_lp=QUEENS_LP,
        queens_pl=QUEENS_PL,
        queens_clingcon_lp=QUEENS_CLINGCON,
    )
    return lambda size: problem.instance(f"size={size}")


@pytest.fixture
def make(tmp_path) -> Make:
    """An instance of a problem with these programs."""

    def made(facts: str = "", **files: str) -> pls.Instance:
        files = {name: CLPFD * name.endswith("pl") + text for name, text in files.items()}
        return written(tmp_path / "mine", **files).instance(facts)

    return made


def lines(instance: pls.Instance, backend: str) -> list[str]:
    """All answers as text, each as often as it is found."""
    return sorted(map(str, pls.solutions(instance, backend)))


# --- the questions -----------------------------------------------------------------------


@pytest.mark.parametrize("backend", ENGINES)
@pytest.mark.parametrize("size", [1, 3, 4, 6])
def test_the_answers_are_those_of_plain_python(board, backend, size):
    instance, expected = board(size), queens(size)
    found = list(pls.solutions(instance, backend))
    assert len(found) == len(expected)
    assert set(found) == expected
    assert all(type(each) is Answer for each in found)
    first = pls.solve(instance, backend)
    assert first in expected if expected else first is None
    assert pls.count(instance, backend) == len(expected)
    assert pls.is_unique(instance, backend) == (len(expected) == 1)
    assert pls.candidates(instance, backend) == frozenset().union(*expected)
    solved = pls.measure(instance, backend).solution
    assert solved in expected if expected else solved is None


@pytest.mark.parametrize("backend", ENGINES)
def test_a_limit_is_kept(board, backend, clock):
    instance = board(6)
    assert [pls.count(instance, backend, limit) for limit in (0, 1, 3, 4, 5)] == [0, 1, 3, 4, 4]
    assert len(list(pls.solutions(instance, backend, limit=3))) == 3
    assert pls.count(instance, backend, limit=3, timeout=1) == 3  # another way, for Prolog


@pytest.mark.parametrize("backend", WATCHED)
def test_propagation_leaves_every_atom_of_an_answer(board, backend):
    everything = {Atom("queen", pair) for pair in product(range(1, 7), repeat=2)}
    assert pls.propagate(board(6), backend) == everything
    assert pls.propagate(board(1), backend) == {Atom("queen", (1, 1))}


def test_propagation_finds_contradictions(make):
    instance = make(
        "n(0).",
        mine_lp="{q(1,1..2)} = 1. :- n(0), q(1,X). #show q/2.",
        mine_pl="model([q(1)-V]) :- V in 1..2, n(N), V #< N.",
    )
    for backend in WATCHED:
        assert pls.propagate(instance, backend) is None
        assert [event.kind for event in pls.trace(instance, backend)] == ["conflict"]
        assert pls.measure(instance, backend).solution is None


@pytest.mark.parametrize("backend", WATCHED)
def test_a_measurement_says_the_work(board, backend):
    work = pls.measure(board(6), backend)
    assert work.setup is not None
    assert work.search is not None
    assert work.choices is not None
    assert work.choices > 0
    assert "choices" in str(work)
    assert pickle.loads(pickle.dumps(work)) == work


@pytest.mark.parametrize("backend", WATCHED)
def test_a_trace_is_a_search_that_can_be_followed(board, backend):
    events = list(pls.trace(board(6), backend, limit=None))
    assert events[-1].kind == "solution"
    assert events[-1].solution in queens(6)
    open_: list[tuple[Atom, bool]] = []
    for event in events:
        if event.kind == "back":
            assert event.level <= len(open_)
            del open_[event.level :]
        elif event.kind == "choice":
            assert event.level == len(open_) + 1
            told = [(each, True) for each in event.placed]
            open_ += told + [(each, False) for each in event.excluded]
        else:
            assert event.level == len(open_)
    assert all((atom in events[-1].solution) == holds for atom, holds in open_)
    atoms = {each for event in events for each in (*event.placed, *event.excluded)}
    assert atoms <= {Atom("queen", pair) for pair in product(range(1, 7), repeat=2)}


@pytest.mark.parametrize("backend", WATCHED)
def test_a_trace_can_be_counted_shown_copied_and_cut(board, backend):
    instance = board(6)
    events = list(pls.trace(instance, backend))
    counts = pls.trace(instance, backend).counts
    assert sum(counts.values()) == len(events)
    assert counts["solution"] == 1
    text = str(pls.trace(instance, backend))
    assert len(text.splitlines()) == len(events)
    assert text.endswith(f"solution: {events[-1].solution}")
    cut = pls.trace(instance, backend, limit=3)
    assert list(cut) == events[:3]
    assert cut.counts == counts
    begun = pls.trace(instance, backend)
    assert next(begun) == events[0]
    copy = pickle.loads(pickle.dumps(begun))
    assert list(copy) == events[1:]
    assert list(begun) == events[1:]
    told = pls.trace(instance, backend, limit=2).to_json()
    assert told["backend"] == backend
    assert told["puzzle"] == {"problem": "queens", "facts": ["size(6)"]}
    assert told["counts"] == counts
    assert [each["kind"] for each in told["events"]] == [event.kind for event in events[:2]]
    assert told["events"][0]["level"] == events[0].level


def test_clingcon_shows_nothing_of_its_work(board):
    for ask in (pls.propagate, pls.trace):
        with pytest.raises(pls.BackendUnavailable, match=r"^the clingcon engine cannot show its"):
            list(ask(board(4), "clingcon"))


# --- several engines, instances, threads -------------------------------------------------


def test_engines_are_compared(board):
    comparison = pls.compare(board(6), ENGINES, limit=None)
    assert comparison.agree
    assert comparison.solutions == queens(6)
    assert comparison.puzzle == board(6)
    assert hash(comparison) is not None
    some = pls.compare(board(6), ENGINES, limit=2)  # each confirms what the others have found
    assert some.agree
    assert 2 <= len(some.solutions) <= 4
    assert str(some) == f"the engines agree: at least {len(some.solutions)} solutions"


@pytest.mark.parametrize("limit", [1, 2, None])
def test_a_wrong_answer_is_not_confirmed(make, limit):
    program = "model([q(1)-V,q(2)-W]) :- [V,W] ins 1..2, V #\\= W{}."
    instance = make(
        mine_lp="{q(I,1..2)} = 1 :- I = 1..2. :- q(1,X), q(2,X). #show q/2.",
        mine_pl=program.format(", V #> W"),
        mine_less_pl=program.format(", V #< W"),
        mine_clingcon_lp="&distinct{q(1);q(2)}. &dom{1..1} = q(1). &dom{1..2} = q(2).",
    )
    first, second = (
        Answer(Atom("q", pair) for pair in enumerate(values, 1)) for values in ((2, 1), (1, 2))
    )
    comparison = pls.compare(instance, ["prolog", "prolog:mine_less"], limit)
    assert comparison.outcome == "disagree"
    assert comparison.only == {"prolog": {first}, "prolog:mine_less": {second}}
    with pytest.raises(
        pls.Disagreement, match=r"q\(1,2\)\. q\(2,1\); .*mine_less\.pl:2 fails: V #< W"
    ):
        comparison.check()
    comparison = pls.compare(instance, ["clingo", "clingcon"], None)
    assert comparison.rejected == {"clingo": set(), "clingcon": {first}}


def test_answers_of_texts_and_terms_are_confirmed(make):
    atoms = ["q(red,1)", 'q("x y",2)', "q(f(-1,g(a)),3)", "q((1,b),4)", "q(-c,5)"]
    pairs = ["q(red)-1", "q('x y')-2", "q(f(-1,g(a)))-3", "q((1,b))-4", "q(-c)-5"]
    instance = make(
        mine_lp=f"1 {{{'; '.join(atoms)}}} 1. #show q/2.",
        mine_pl=f"model([Pair]) :- member(Pair, [{', '.join(pairs)}]).",
        mine_answer_pl=f"answer([q(K,V)]) :- member(q(K)-V, [{', '.join(pairs[::-1])}]).",
    )
    for backend in ("clingo", "prolog", "prolog:mine_answer"):
        assert lines(instance, backend) == sorted(f"{atom}." for atom in atoms)
    for limit in (1, 3, None):
        assert pls.compare(instance, ["clingo", "prolog:*"], limit).agree


def test_many_answers_are_confirmed_by_one_model_and_one_search(make):
    """A program may say each time that it is asked."""
    says = ":- initialization(nb_setval(asked, 0)).\n"
    once = "nb_getval(asked, N), ( N =:= 0 -> nb_setval(asked, 1) ; throw(asked_again) ), "
    instance = make(
        mine_pl=f"{says}model([q(1)-V,q(2)-W]) :- {once}[V,W] ins 1..20.",
        mine_answer_pl=f"{says}answer([q(1,V),q(2,W)]) :- {once}maplist(between(1, 9), [V,W]).",
    )
    for backend, right in {"prolog": 20, "prolog:mine_answer": 9}.items():
        given = [
            pls.Answer([pls.Atom("q", (1, v)), pls.Atom("q", (2, w))])
            for v in range(1, 22)
            for w in (1, 5)
        ]
        engine = engine_for(backend, instance)
        assert len(engine.rejected(instance, given)) == 2 * (21 - right)


def test_answers_of_terms_are_confirmed_by_one_search(make):
    instance = make(mine_lp="{q(1..3)}. #show. #show t(X) : q(X).")
    given = [pls.Answer([pls.Atom("t", (n,)) for n in some]) for some in ((1,), (1, 3), (4,))]
    assert engine_for("clingo", instance).rejected(instance, given) == {given[-1]}


@pytest.mark.slow
def test_many_instances_are_solved_and_checked(board):
    boards = [board(size) for size in (4, 3, 6, 1, 5)]
    numbers = [len(queens(size)) for size in (4, 3, 6, 1, 5)]
    for jobs in (None, 2):
        for backend in WATCHED:
            found = list(pls.solve_many(boards, backend, jobs=jobs))
            assert [answer is not None for answer in found] == [number > 0 for number in numbers]
        checks = list(pls.cross_check(boards, jobs=jobs))
        assert [check.puzzle for check in checks] == boards
        assert [len(check.comparison.solutions) for check in checks] == numbers
        assert all(check.comparison.agree for check in checks)


@pytest.mark.parametrize("backend", ENGINES)
def test_instances_are_asked_in_turn_and_at_once(board, backend):
    four, six = board(4), board(6)
    turns = [pls.solutions(four, backend), pls.solutions(six, backend)]
    found: list[set[Answer]] = [set(), set()]
    for _ in range(5):
        for answers, seen in zip(turns, found, strict=True):
            if (answer := next(answers, None)) is not None:
                seen.add(answer)
            assert pls.count(four, backend) == 2
    assert found == [queens(4), queens(6)]
    with ThreadPoolExecutor(6) as pool:
        counts = list(pool.map(lambda size: pls.count(board(size), backend), [4, 5, 6] * 6))
    assert counts == [2, 10, 4] * 6


@pytest.mark.parametrize("declared", [":- dynamic size/1.", ":- discontiguous size/1.", ""])
def test_facts_are_those_of_one_search(make, declared):
    text = f"{declared}\nmodel([q(1)-V]) :- aggregate_all(max(N), size(N), N), V in 1..N."
    problem = make(mine_pl=text).problem
    instances = [problem.instance(f"size={number}") for number in (2, 3)]
    turns = [pls.solutions(each, "prolog") for each in instances]
    assert [len({next(each) for each in turns}) for _ in range(1)] == [1]
    assert [len(list(each)) for each in turns] == [1, 2]
    with ThreadPoolExecutor(4) as pool:
        counts = list(pool.map(lambda each: pls.count(each, "prolog"), instances * 8))
    assert counts == [2, 3] * 8


def test_the_questions_can_be_awaited(board):
    async def ask() -> list[Any]:
        instance = board(6)
        return [
            await aio.count(instance, "prolog"),
            {answer async for answer in aio.solutions(instance, "clingo")},
            await aio.solve(instance, "prolog"),
            await aio.compare(instance),
            await aio.propagate(instance, "prolog"),
            [event.kind async for event in aio.trace(instance, "clingo", limit=2)],
        ]

    number, found, solved, comparison, left, kinds = asyncio.run(ask())
    assert (number, found) == (4, queens(6))
    assert solved in found
    assert comparison.agree
    assert len(left) == 36
    assert kinds == [event.kind for event in pls.trace(board(6), "clingo", limit=2)]


ENDLESS = {
    "prolog": {"mine_pl": "model([q(1)-V]) :- V in 1..2, repeat, fail."},
    "prolog answer": {"mine_pl": "answer([q(1)]) :- repeat, fail."},
    # length/2 gets a copy of N, so it gives Rows ever new lengths
    "prolog copy": {
        "mine_pl": "model([q(1)-N]) :- maplist([R]>>length(R, N), Rows), Rows = [_], N == 1."
    },
    "clingo": {"mine_lp": "{q(1..9,1..8)}. :- {q(P,H)} = 0, P = 1..9. :- q(P,H), q(R,H), P < R."},
    "clingcon": {
        "mine_lp": "{a(1..64)}. &dom{1..9} = q(X) :- X = 1..64. &show{q(X):X=1..64}. :- a(64)."
    },
}


@pytest.mark.parametrize("which", ENDLESS)
def test_time_runs_out(make, clock, which):
    instance, backend = make(**ENDLESS[which]), which.partition(" ")[0]
    clock.over = True
    with pytest.raises(pls.SolveTimeout, match=rf"^{backend} gave no answer within 1 s"):
        pls.count(instance, backend, timeout=1)
    clock.over = False
    text = {"mine_pl": "answer([q(1)])."} if backend == "prolog" else {"mine_lp": "q(1)."}
    if backend == "clingcon":
        text = {"mine_lp": "&dom{1..1} = q. &show{q}."}
    assert pls.count(make(**text), backend) == 1
    assert soon(lambda: not prolog_search.workers._running)


# --- searches in every order ---

ORDERS = ["", "ff", "ffc", "min", "max", "down", "ffc,down", "ff,step", "min,down"]
OTHERS = ["enum", "bisect", "ffc,bisect"]
"""Their choices are between more than a digit and all others, and are not seen."""
OF_FOUR = """
    L = [X,Y,Z,W], L ins 1..6, Y in 3..5, all_different(L), X+Y #> Z+W, Z #< W, X*2 #\\= W"""


@pytest.mark.one_in(3)
@pytest.mark.parametrize("order", [*ORDERS, *OTHERS])
def test_the_work_of_a_program_that_searches_on_its_own_is_measured(tmp_path, order):
    text = f"{CLPFD}answer([p(X,Y),q(Z,W)]) :- {OF_FOUR}, labeling([{order}], L)."
    instance = written(tmp_path / "mine", mine_pl=text).instance("")
    answers = list(pls.solutions(instance, "prolog"))
    assert len(set(answers)) == 41
    measured = pls.measure(instance, "prolog")
    assert measured.solution == answers[0]
    assert (measured.choices is None) == (order in OTHERS)


def test_label_in_an_answer_is_measured(tmp_path):
    text = f"{CLPFD}answer([p(X)]) :- X in 1..2, label([X])."
    done = run("solve", "--stats", "-p", written(tmp_path / "st", st_pl=text).folder)
    assert (done.returncode, done.stdout) == (0, "p(1).\n")
    assert re.match(r"prolog: set-up .* ms, search .* ms, 1 choice, 0 conflicts, ", done.stderr)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("order", [*ORDERS, *OTHERS])
def test_a_search_in_any_order_is_traced(tmp_path, order):
    (tmp_path / "own.pl").write_text(
        f"""{CLPFD}sudoku(R) :-
            append(R, L), L ins 1..4, maplist(all_different, R), transpose(R, C),
            maplist(all_different, C), labeling([{order}], L)."""
    )
    backend, latin = f"prolog:{tmp_path / 'own.pl'}", "1..4............"
    first = next(iter(pls.solutions(latin, backend)))
    events = list(pls.trace(latin, backend))
    assert [event.solution for event in events if event.kind == "solution"] == [first]
    assert any(event.kind == "choice" for event in events) == (order not in OTHERS)
    placed = {each for event in events for each in event.placed}
    if order not in OTHERS:
        assert set(first.givens) <= placed | set(pls.Grid.parse(latin).givens)


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_the_trace_of_an_optimum_ends_with_an_answer(backend):
    done = run("trace", "-p", "knapsack", "-b", backend)
    assert done.returncode == 0
    assert "no solution" not in done.stderr
    assert "solution of cost" in done.stdout


def test_an_answer_with_names_for_numbers_is_refused_without_a_search(tmp_path):
    model = (
        "model(Ps) :- findall(p(I)-_, between(1, 40, I), Ps), pairs_values(Ps, Vs), Vs ins 0..1."
    )
    instance = written(tmp_path, mine_pl=CLPFD + model).instance()
    names = pls.Answer(pls.Atom("p", (i, "yes" if i > 1 else 1)) for i in range(1, 41))
    short = pls.Answer(pls.Atom("p", (i, 1)) for i in range(1, 40))
    right = pls.Answer(pls.Atom("p", (i, 1)) for i in range(1, 41))
    engine = engine_for("prolog", instance)
    assert engine.rejected(instance, [names, short, right], timeout=30) == {names, short}


def test_an_answer_of_two_pairs_with_one_name_is_accepted(tmp_path):
    model = "model([p-X, p-Y]) :- [X,Y] ins 1..3."
    engine = engine_for("prolog", instance := written(tmp_path, mine_pl=CLPFD + model).instance())
    answers = [
        pls.Answer(pls.Atom("p", (v,)) for v in values) for values in ([1], [1, 3], [1, 2, 3])
    ]
    assert engine.rejected(instance, answers) == {answers[2]}
    assert [engine.confirms(instance, each) for each in answers] == [True, True, False]
