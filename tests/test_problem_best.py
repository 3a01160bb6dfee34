"""The best answer so far of an optimum that is stopped before it is proved."""

from __future__ import annotations

import asyncio
import json
import pickle
from collections.abc import Callable
from contextlib import suppress

import pytest
from helpers.command_line import MODULE
from helpers.problems import CLPFD, written
from helpers.processes import PATIENCE, terminal

import pylogic_sudoku as pls
from pylogic_sudoku import aio
from pylogic_sudoku.engines.prolog.instances import PrologInstances
from pylogic_sudoku.engines.registry import BUILT_IN
from pylogic_sudoku.questions.comparison import answer_of
from pylogic_sudoku.questions.many import _Processes
from pylogic_sudoku.running import foreign
from pylogic_sudoku.running.workers import Budget, now_doing

# An answer is w(1), w(2) or w(3). The first two are found at once. No engine ever finds out that
# w(3) is none: for clingo it has twelve pigeons in eleven holes.
LP = """\
{{ w(1..3) }} = 1.
{{ p(P,1..11) }} = 1 :- P = 1..12, w(3).
:- p(P,H), p(Q,H), P < Q.
{minimize}
#show w/1.
"""
PL = """\
model([w-W], {cost}) :-
    W in 1..3,
    {constraint},
    freeze(W, ( W =:= 3 -> repeat, fail ; true )).
"""
# What is minimized by clingo, and by Prolog, the costs of w(2), and a bound that Prolog knows.
COSTS = {
    "least": ("#minimize { 4-X: w(X) }.", "C", "C #= 4 - W", (2,), (1,)),
    "most": ("#maximize { X: w(X) }.", "C", "C #= -W", (-2,), (-3,)),
    "levels": (
        "#minimize { 5@2: w(_); 4-X@1: w(X) }.",
        "[5,C]",
        "C #= 4 - W",
        (5, 2),
        (5, 1),
    ),
}
ENGINES = ("clingo", "prolog")
BEST = "w(2)."


def program(which: str) -> dict[str, str]:
    minimize, cost, constraint, _, _ = COSTS[which]
    return {
        "mine_lp": LP.format(minimize=minimize),
        "mine_pl": CLPFD + PL.format(cost=cost, constraint=constraint),
    }


@pytest.fixture
def make(tmp_path) -> Callable[..., pls.Instance]:
    return lambda which="least", **files: written(
        tmp_path / "mine", **{**program(which), **files}
    ).instance()


@pytest.fixture
def late(monkeypatch, clock) -> set[str]:
    """Lets the time of a search by these engines run out when it has found w(2)."""
    engines = {"clingo", "prolog", "clingcon"}
    improve, exceeded = Budget.improve, Budget.exceeded

    def improved(budget, best, bound):
        improve(budget, best, bound)
        clock.over = str(best) == BEST and budget.backend in engines

    def out_of_time(budget, within=""):
        clock.over = False
        return exceeded(budget, within)

    monkeypatch.setattr(Budget, "improve", improved)
    monkeypatch.setattr(Budget, "exceeded", out_of_time)
    # The clock of a child process is out of reach.
    monkeypatch.delitem(BUILT_IN, "prolog-wasm")
    return engines


QUESTIONS: dict[str, Callable[..., object]] = {
    "solve": pls.solve,
    "solutions": lambda *asked, **more: list(pls.solutions(*asked, **more)),
    "count": pls.count,
    "measure": pls.measure,
    "awaited": lambda *asked, **more: asyncio.run(aio.solve(*asked, **more)),
    "many": lambda instance, *asked, **more: list(pls.solve_many([instance], *asked, **more)),
}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("which", COSTS)
@pytest.mark.parametrize("backend", ENGINES)
def test_a_timeout_has_the_best_answer_so_far(make, late, backend, which):
    *_, cost, bound = COSTS[which]
    for question in QUESTIONS.values():
        with pytest.raises(pls.SolveTimeout) as raised:
            question(make(which), backend, timeout=1)
        for error in (raised.value, pickle.loads(pickle.dumps(raised.value))):
            assert (str(error.best), error.best.cost) == (BEST, cost)
            assert error.bound == (bound if backend == "prolog" else None)
            costs = ", ".join(map(str, cost))
            assert (
                f"did not prove an answer to be the best within 1 s; the best so far costs {costs}"
                in str(error)
            )


@pytest.mark.parametrize("backend", ENGINES)
def test_it_is_kept_where_a_program_has_no_process_of_its_own(make, late, monkeypatch, backend):
    monkeypatch.setattr(foreign, "FORKS", False)
    with pytest.raises(pls.SolveTimeout) as raised:
        pls.solve(make(), backend, timeout=1)
    assert (str(raised.value.best), raised.value.best.cost) == (BEST, (2,))


def test_clingcon_has_it_too(make, late):
    theory = "\n&dom{1..1} = q. &show{q}."
    instance = make(mine_clingcon_lp=program("least")["mine_lp"] + theory)
    with pytest.raises(pls.SolveTimeout) as raised:
        pls.solve(instance, "clingcon", timeout=1)
    assert (str(raised.value.best), raised.value.best.cost) == (BEST, (2,))


def test_a_program_that_searches_on_its_own_has_it_too(make, late):
    text = "answer([w(W)], C) :- member(W, [1,2]), C is 4 - W.\nanswer([], 0) :- repeat, fail.\n"
    with pytest.raises(pls.SolveTimeout) as raised:
        pls.solve(make(mine_pl=text), "prolog", timeout=1)
    error = raised.value
    assert (str(error.best), error.best.cost, error.bound) == (BEST, (2,), None)


def test_a_bound_is_that_of_all_models(make, late):
    """A second way to state the model may have answers that cost less than the first allows."""
    text = program("least")["mine_pl"] + "model([w-1], 0).\n"
    with pytest.raises(pls.SolveTimeout) as raised:
        pls.solve(make(mine_pl=text), "prolog", timeout=1)
    assert (raised.value.best.cost, raised.value.bound) == ((2,), None)


def test_clingo_knows_a_bound_by_unsatisfiable_cores(make, monkeypatch):
    """Each of three sets of two costs at least 1."""
    bounds = []
    improve = Budget.improve

    def improved(budget, best, bound):
        improve(budget, best, bound)
        bounds.append(bound)

    monkeypatch.setattr(Budget, "improve", improved)
    text = "{ w(1..6) }. :- not w(I), not w(I+1), I = (1;3;5). #minimize { 1,I: w(I) }. #show w/1."
    instance = make(mine_lp=text)
    engine = pls.engines.engine_for("clingo", instance)
    assert engine.solve(instance).cost == (3,)
    engine.options = ("--opt-strategy=usc",)
    assert engine.solve(instance).cost == (3,)
    assert max(filter(None, bounds)) == (3,)


@pytest.mark.parametrize("backend", ENGINES)
def test_a_proved_answer_is_no_longer_the_best_so_far(make, clock, backend):
    """Time runs out while another answer that is as good is looked for."""
    instance = make(
        mine_lp="{ w(1..2) } = 1. { p(P,1..11) } = 1 :- P = 1..12, w(2)."
        " :- p(P,H), p(Q,H), P < Q. #minimize { 1,x: w(1) }. #minimize { 1,x: w(2) }. #show w/1.",
        mine_pl=f"{CLPFD}model([w-W], 1) :- W in 1..2, freeze(W, (W = 1 ; repeat, fail)).",
    )
    found = pls.solutions(instance, backend, timeout=1)
    assert str(next(found)) == "w(1)."
    clock.over = True
    with pytest.raises(pls.SolveTimeout) as raised:
        next(found)
    assert (raised.value.best, raised.value.bound) == (None, None)


@pytest.fixture
def proved(monkeypatch, clock):
    """Lets the time of a search run out when an answer is proved, before that answer has come."""
    improve = Budget.improve

    def improved(budget, best, bound):
        clock.over = best is None and budget.best is not None
        improve(budget, best, bound)

    monkeypatch.setattr(Budget, "improve", improved)
    return clock


SHORT = {
    "mine_lp": "{ w(1..2) } = 1. #minimize { 4-X: w(X) }. #show w/1.",
    "mine_clingcon_lp": "{ w(1..2) } = 1. #minimize { 4-X: w(X) }. &dom{1..1} = q. &show{q}.",
    "mine_pl": f"{CLPFD}model([w-W], C) :- W in 1..2, C #= 4 - W.",
    "mine_own_pl": "answer([w(W)], C) :- member(W, [1,2]), C is 4 - W.",
}


@pytest.mark.parametrize("forks", [True, False])
@pytest.mark.parametrize("backend", [*ENGINES, "prolog:mine_own", "clingcon"])
def test_an_answer_that_is_proved_just_as_time_runs_out_is_kept(
    make, proved, monkeypatch, command, backend, forks
):
    monkeypatch.setattr(foreign, "FORKS", forks)
    instance = make(**SHORT)
    best = pls.solve(instance, backend, timeout=1)
    assert (str(best).startswith("w(2)."), best.cost) == (True, (2,))
    proved.over = False
    found = []
    with suppress(pls.SolveTimeout):  # the only one may have come after all
        for each in pls.solutions(instance, backend, timeout=1):
            found.append(each)
    assert found == [best]
    proved.over = False
    code, out, _ = command("solve", "-p", instance.problem.folder, "-b", backend, "-t", 1, "")
    assert (code, out) == (0, f"{best}  % cost 2\n")


# --- the command ---


@pytest.mark.parametrize("backend", ENGINES)
def test_the_command_prints_it(make, late, command, backend):
    where = make().problem.folder
    known = "; none can cost less than 1" if backend == "prolog" else ""
    says = (
        f"mine: {backend} did not prove an answer to be the best within 1 s;"
        f" the best so far costs 2{known}\n"
    )
    for form in ("facts", "line"):
        code, out, err = command("solve", "-p", where, "-b", backend, "-t", 1, "-f", form, "")
        assert (code, out) == (4, f"{BEST}  % cost 2, not proved\n")
        assert err.endswith(says.removeprefix("mine: "))
    code, out, _ = command("solve", "-p", where, "-b", backend, "-t", 1, "-f", "json", "")
    record = json.loads(out)
    assert (code, record["proved"]) == (4, False)
    assert record["solutions"] == [{"atoms": [["w", 2]], "cost": [2]}]
    assert record.get("bound") == ([1] if backend == "prolog" else None)
    assert "the best so far costs 2" in record["error"]
    code, out, _ = command("count", "-p", where, "-b", backend, "-t", 1, "-f", "json", "")
    record = json.loads(out)
    assert (code, record["at_least"], record["proved"]) == (4, 0, False)
    assert record["best"] == {"atoms": [["w", 2]], "cost": [2]}


@pytest.mark.parametrize("backend", ENGINES)
def test_a_proved_optimum_says_so(command, backend):
    asked = ("solve", "-p", "knapsack", "-b", backend, "tea")
    code, out, _ = command(*asked, "-f", "json")
    assert (code, json.loads(out)["proved"]) == (0, True)
    code, out, _ = command(*asked)
    assert (code, out.endswith("  % cost -29\n")) == (0, True)


def test_proved_answers_are_kept_if_there_is_no_time_for_the_others(command, monkeypatch):
    best = pls.Answer([pls.Atom("take", ("tea", 2))], (-29,))

    def solutions(*_asked):
        yield best
        raise pls.SolveTimeout("clingo", 1)

    monkeypatch.setattr("pylogic_sudoku.questions.solutions", solutions)
    code, out, _ = command("solve", "-p", "knapsack", "-n", 0, "-f", "json", "tea")
    record = json.loads(out)
    assert (code, record["proved"], record["solutions"]) == (4, True, [best.to_json()])
    assert record["error"] == "clingo gave no answer within 1 s"


def test_lines_pair_with_instances(make, command):
    where = make(mine_lp="{ w(1..2) } = 1. :- n(X), X > 2. #show w/1.").problem.folder
    code, out, _ = command("solve", "-p", where, "-f", "line", "-b", "clingo", "n(1).", "n(3).")
    assert (code, len(out.split("\n"))) == (1, 3)
    assert out.endswith(".\n\n")


@pytest.fixture
def interrupted(monkeypatch) -> list[str]:
    """Lets Ctrl-C come when a search has found w(2); the activity at that time."""
    doing = []
    remaining = Budget.remaining

    def stop(budget):
        if str(budget.best) == BEST:
            doing.append(now_doing())
            raise KeyboardInterrupt
        return remaining(budget)

    monkeypatch.setattr(Budget, "remaining", stop)
    return doing


@pytest.mark.parametrize("backend", ENGINES)
def test_ctrl_c_prints_it(make, interrupted, command, backend):
    where = make().problem.folder
    asked = ("solve", "-p", where, "-b", backend)
    code, out, err = command(*asked, "")
    assert (code, out) == (130, f"{BEST}  % cost 2, not proved\n")
    assert err.endswith("Interrupted.\n")
    code, out, _ = command(*asked, "-f", "json", "")
    record = json.loads(out)
    assert (code, record["proved"], record["solutions"][0]["cost"]) == (130, False, [2])
    assert set(interrupted) == {f"{backend} is searching, best cost so far 2"}


@pytest.mark.parametrize("backend", ENGINES)
def test_ctrl_c_in_python_keeps_it(make, interrupted, backend):
    with pytest.raises(KeyboardInterrupt) as raised:
        pls.solve(make(), backend)
    assert (str(raised.value.best), raised.value.best.cost) == (BEST, (2,))
    assert raised.value.__notes__ == [f"The best answer so far, of cost 2, not proved: {BEST}"]


def test_ctrl_c_keeps_that_of_a_search_within_another():
    best = pls.Answer((), (1,))
    outer, inner = Budget("prolog", None), Budget("prolog", None)
    inner.improve(best, None)
    with pytest.raises(KeyboardInterrupt) as raised, outer, inner:
        raise KeyboardInterrupt
    assert raised.value.best is best


@pytest.mark.parametrize("backend", ENGINES)
def test_ctrl_c_keeps_that_of_another_process(make, monkeypatch, command, backend):
    look = _Processes.look

    def looks_or_stops(ours, seconds=0.0):
        if any(str(each.known.best) == BEST for each in ours._processes):
            raise KeyboardInterrupt
        look(ours, seconds)

    monkeypatch.setattr(_Processes, "look", looks_or_stops)
    instance = make()
    with pytest.raises(KeyboardInterrupt) as raised:
        list(pls.solve_many([instance], backend, jobs=2))
    assert (str(raised.value.best), raised.value.best.cost) == (BEST, (2,))
    assert raised.value.__notes__ == [f"The best answer so far, of cost 2, not proved: {BEST}"]
    where = instance.problem.folder
    code, out, _ = command("solve", "-p", where, "-b", backend, "--jobs", 2, "")
    assert (code, out) == (130, f"{BEST}  % cost 2, not proved\n")


@pytest.mark.slow
def test_a_terminal_shows_the_cost_so_far(make):
    where = make().problem.folder
    with terminal(*MODULE, "solve", "-p", str(where), "-b", "prolog") as shown:
        shown.expect("prolog is searching, best cost so far 2", timeout=PATIENCE)
        shown.sendintr()
        shown.expect(r"w\(2\)\.  % cost 2, not proved", timeout=PATIENCE)


# --- comparing ---

RIGHT = "model([w-W], C) :- W in 1..2, C #= 4 - W."


def test_what_is_not_proved_is_not_compared_as_if_it_were(make, late, command):
    late.remove("prolog")
    instance = make(mine_pl=CLPFD + RIGHT)
    comparison = pls.compare(instance, timeout=1)
    assert (comparison.outcome, comparison.timed_out) == ("confirmed", ("clingo",))
    assert not any(comparison.rejected.values())
    clingo = comparison.answers["clingo"]
    assert (clingo.solutions, str(clingo.best), clingo.cost) == (frozenset(), BEST, ())
    assert clingo.number == (
        "an answer of cost 2, not proved to be the best, when its time ran out"
    )
    assert "only prolog has proved that none is better" in str(comparison)
    code, out, err = command("solve", "-p", instance.problem.folder, "-b", "all", "-t", 1, "")
    assert (code, out) == (0, f"{BEST}  % cost 2\n")
    assert "only prolog has proved that none is better" in err


@pytest.mark.parametrize(
    "prolog",
    ["model([w-W], C) :- W in 1..1, C #= 4 - W.", "model([w-W], C) :- W in 1..2, W #> 2, C #= W."],
    ids=["less", "none"],
)
def test_an_answer_that_is_better_than_a_proved_one_is_a_difference(make, late, prolog):
    late.remove("prolog")
    comparison = pls.compare(make(mine_pl=CLPFD + prolog), timeout=1)
    assert comparison.outcome == "disagree"
    assert {str(each) for each in comparison.rejected["prolog"]} == {BEST}
    assert {str(each) for each in comparison.only["clingo"]} == {BEST}
    assert comparison.rejected["clingo"] == frozenset()
    with pytest.raises(pls.Disagreement, match=r"clingo has w\(2\); prolog refuses it: "):
        comparison.check()


@pytest.mark.parametrize(
    ("prolog", "rejected"),
    [
        ("model([w-W], C) :- W in 1..2, C #= 3 - W.", {BEST}),  # at another cost
        ("model([w-W], C) :- W in 4..5, C #= 5 - W.", {"w(5)."}),  # no answer of clingo's
    ],
)
def test_the_one_that_is_late_must_have_the_answers_of_the_other(make, late, prolog, rejected):
    late.remove("prolog")
    comparison = pls.compare(make(mine_pl=CLPFD + prolog), timeout=1)
    assert comparison.outcome == "disagree"
    assert {str(each) for each in comparison.rejected["clingo"]} == rejected


def test_what_several_engines_have_proved_is_in_the_plural():
    best = pls.Answer([pls.Atom("w", (2,))], (2,))
    late = pls.EngineResult(frozenset(), False, 1.0, timed_out=True, best=best)
    done = pls.EngineResult(frozenset([best]), True, 1.0)
    for others, known in (
        ({}, "there may be more"),
        ({"prolog": done}, "only prolog has proved that none is better"),
        ({"prolog": done, "sat": done}, "only prolog and sat have proved that none is better"),
    ):
        answers = {"clingo": late, **others}
        rejected = dict.fromkeys(answers, frozenset())
        comparison = pls.Comparison(None, answers, rejected)
        assert (comparison.outcome, comparison.summary.rpartition("; ")[2]) == ("confirmed", known)


def test_prolog_may_be_the_late_one(make, late):
    late.remove("clingo")
    lp = "{ w(1..2) } = 1. #minimize { 4-X: w(X) }. #show w/1."
    comparison = pls.compare(make(mine_lp=lp), timeout=1)
    assert (comparison.outcome, comparison.timed_out) == ("confirmed", ("prolog",))
    other = pls.compare(make(mine_lp=lp.replace("4-X", "5-X")), timeout=1)
    assert {str(each) for each in other.rejected["prolog"]} == {BEST}


SEARCHES = """\
answer([w(W)], C) :- member(W, [1,2]), C is 4 - W.
answer([], 0) :- repeat, fail.
"""


@pytest.mark.parametrize(
    ("lp", "outcome"),
    [
        ("w(2). #minimize { 2 }.", "confirmed"),  # its best so far
        ("w(2). #minimize { 3 }.", "disagree"),  # which costs less
        ("{ w(2..3) } = 1. #minimize { 2 }.", None),  # w(3) might still come
    ],
)
def test_a_late_search_of_its_own_is_not_begun_again(make, late, monkeypatch, lp, outcome):
    late.remove("clingo")
    questions = []
    search = PrologInstances._search

    def noted(engine, question, *more, **inputs):
        questions.append(question)
        return search(engine, question, *more, **inputs)

    monkeypatch.setattr(PrologInstances, "_search", noted)
    instance = make(mine_lp=f"{lp} #show w/1.", mine_pl=SEARCHES)
    if outcome:
        assert pls.compare(instance, timeout=1).outcome == outcome
    else:
        with pytest.raises(pls.SolveTimeout, match=r"prolog did not prove .* best so far costs 2"):
            pls.compare(instance, timeout=1)
    assert set(questions) <= {"solution", "enumerates"}
    assert questions.count("solution") == 1


def test_an_answer_without_atoms_may_be_the_best_so_far():
    best = pls.Answer((), (1,))
    late = pls.EngineResult(frozenset(), False, 1.0, True, best=best)
    done = pls.EngineResult(frozenset([pls.Answer((), (2,))]), True, 1.0)
    rejected = {"clingo": frozenset(), "prolog": frozenset([best])}
    comparison = pls.Comparison(None, {"clingo": late, "prolog": done}, rejected)
    assert comparison.only["clingo"] == {best}


def test_if_nobody_finishes_the_best_of_all_is_known(make, late, command):
    instance = make()
    with pytest.raises(pls.SolveTimeout) as raised:
        pls.compare(instance, timeout=1)
    assert (str(raised.value.best), raised.value.best.cost) == (BEST, (2,))
    asked = ("-p", instance.problem.folder, "-b", "all", "-t", 1)
    code, out, _ = command("solve", *asked, "")
    assert (code, out) == (4, f"{BEST}  % cost 2, not proved\n")
    code, out, _ = command("compare", *asked, "-f", "json", "")
    record = json.loads(out.splitlines()[0])
    assert (code, record["outcome"]) == (4, "timed out")
    ((name, best),) = record["best"].items()
    assert name in ENGINES
    assert best.items() >= {"answer": BEST, "cost": [2], "proved": False}.items()


def test_a_result_that_is_late_has_the_bound(make, late):
    instance = make()
    result = answer_of(pls.engines.engine_for("prolog", instance), instance, None, 1)
    assert (result.timed_out, str(result.best), result.bound) == (True, BEST, (1,))
