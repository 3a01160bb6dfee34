"""What is particular to the clingo engine: it grounds once per layout and fails cleanly."""

from __future__ import annotations

import pickle
import threading
from itertools import product

import pytest
from helpers.jigsaws import jigsaw
from helpers.puzzles import EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import Grid
from pylogic_sudoku.engines.budget import Budget, now_doing
from pylogic_sudoku.engines.clingo import ClingoBackend, program, rulebook

FIRST, ANSWER = next(iter(PRINTED.items()))


@pytest.fixture
def grounded(monkeypatch):
    """The box shapes of ``sudoku.lp`` and ``demands.lp`` as they were ground, in order."""
    shapes = []

    def counted(text, layout, *options):
        shapes.append(layout.box)
        return real(text, layout, *options)

    real = program.grounded
    monkeypatch.setattr(program, "grounded", counted)
    monkeypatch.setattr(rulebook, "grounded", counted)
    return shapes


def test_a_shape_is_grounded_once(grounded):
    engine = ClingoBackend()
    for _ in range(3):
        for puzzle in (FIRST, "." * 16):
            grid = Grid.parse(puzzle)
            assert engine.solve(grid)
            assert engine.count(grid, limit=2)
            assert len(list(engine.solutions(Grid.parse(ANSWER)))) == 1
            assert engine.candidates(grid)
    assert grounded == [(3, 3), (2, 2)]


def test_each_open_enumeration_has_a_program_until_it_ends(grounded):
    engine = ClingoBackend()
    for _ in range(2):
        readers = [engine.solutions(Grid.parse("." * 16)) for _ in range(3)]
        assert all(next(reader) for reader in readers)
        for reader in readers:
            assert len(list(reader)) == 287
    assert grounded == [(2, 2)] * 3


def test_an_interrupted_program_is_not_used_again(grounded, monkeypatch, clock):
    def count(self, *arguments):
        clock.over = threading.current_thread() is not threading.main_thread()  # in a worker
        return real(self, *arguments)

    real = program.Program.count
    monkeypatch.setattr(program.Program, "count", count)
    monkeypatch.setattr(program, "HARD", 10**9)  # it gets no program of its own
    engine = ClingoBackend()
    for _ in range(3):
        clock.over = False
        with pytest.raises(pls.SolveTimeout):
            engine.count(Grid.parse(EMPTY), timeout=60)
        assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
    # The last solve had to ground anew.
    assert grounded == [(3, 3)] * 4


def test_a_search_that_is_given_up_before_it_begins_grounds_nothing(grounded):
    grid = Grid.parse(FIRST)
    search = ClingoBackend()._search(grid)
    search.interrupt()
    search.close()
    with pytest.raises(program.Unfinished):
        search.ask(lambda made: made.first(grid))
    assert grounded == []


@pytest.mark.parametrize(
    ("text", "complaint"),
    [("digit(1..", "syntax error"), ("digit(X).", "unsafe variables"), ("a(1/0).", "")],
)
def test_a_broken_encoding_is_an_error_and_not_printed(monkeypatch, capfd, text, complaint):
    monkeypatch.setattr(program, "encoding", lambda _name: text)
    if complaint:
        with pytest.raises(pls.BackendFailure, match=complaint):
            ClingoBackend().solve(Grid.parse(FIRST))
    else:
        assert ClingoBackend().count(Grid.parse("1")) == 1  # only a warning
    assert capfd.readouterr() == ("", "")


def test_short_questions_are_answered_in_the_callers_thread(monkeypatch):
    engine = ClingoBackend()
    engine.solve(Grid.parse(FIRST))  # grounds

    def never(*_arguments):
        raise AssertionError("a worker was asked")

    monkeypatch.setattr(engine._workers, "call", never)
    assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
    assert engine.count(Grid.parse(FIRST)) == 1
    assert engine.count(Grid.parse(EMPTY), limit=150) == 150
    with pytest.raises(AssertionError, match="a worker"):
        engine.count(Grid.parse(EMPTY))
    assert str(engine.solve(Grid.parse(FIRST))) == ANSWER


def test_layouts_with_other_regions_are_other_programs(grounded):
    engine = ClingoBackend()
    for _ in range(2):
        for puzzle in (Grid.parse("." * 16), jigsaw(4, 2, 1), jigsaw(4, 2, 2, marked=4)):
            assert engine.solve(puzzle)
    assert grounded == [(2, 2)] * 2


# --- sessions ----------------------------------------------------------------------------

LAYOUT = Grid.parse("." * 16).layout


def test_a_loop_of_questions_runs_in_one_worker(monkeypatch):
    engine = ClingoBackend()
    calls = []
    real = engine._workers.call
    monkeypatch.setattr(engine._workers, "call", lambda *a: calls.append(a) or real(*a))
    with engine.reasons(LAYOUT) as reasons:
        calls.clear()  # of grounding

        def loop():
            threads = set()
            for literal in map(reasons.literal, product(range(1, 5), repeat=3)):
                assert reasons.refute([literal]) is None
                assert reasons.stands([literal])
                threads.add(threading.current_thread().name)
            choice = reasons.choice([1, 2, 3])
            choice.some([2])
            assert choice.smallest() == {2}
            return threads

        assert reasons.run(loop) == {"pylogic_sudoku clingo"}
    assert len(calls) == 1


def test_an_error_of_the_loop_itself_costs_no_rulebook(grounded):
    engine = ClingoBackend()
    for _ in range(3):
        with pytest.raises(ValueError, match="has no"), engine.reasons(LAYOUT) as reasons:
            reasons.run(lambda: reasons.literal((5, 5, 5)))
    assert grounded == [(2, 2)]


def test_a_broken_rulebook_is_not_used_again(grounded, monkeypatch):
    def broken(*_arguments, **_named):
        raise RuntimeError("broken")

    engine = ClingoBackend()
    for _ in range(2):
        with monkeypatch.context() as patched, engine.reasons(LAYOUT) as reasons:
            patched.setattr("clingo.SolveHandle.model", broken)
            with pytest.raises(pls.BackendFailure, match="clingo: broken"):
                reasons.refute([])
    assert grounded == [(2, 2)] * 2


def test_a_budget_counts_only_inside_its_block(clock):
    budget = Budget("clingo", 3.0)
    with budget:
        clock.now += 1
        assert budget.left == budget.remaining() == 2.0
    clock.now += 5
    assert budget.remaining() == 2.0
    with budget:
        clock.now += 5
        assert budget.left == 0.0
    with pytest.raises(pls.SolveTimeout, match="clingo gave no answer within 3 s"):
        budget.remaining()
    assert Budget("clingo", None).remaining() is None


def test_a_budget_tells_what_is_done_and_its_error_says_what_took_longest(monkeypatch):
    now, told = [0.0], []
    monkeypatch.setattr("pylogic_sudoku.engines.budget.perf_counter", lambda: now[0])
    budget = Budget("clingo", 10.0, told.append)
    for what, where, seconds in (("digging", "here", 2), ("rating", "", 5), ("digging", "", 3)):
        budget.turn_to(what, where)
        now[0] += 100  # outside of the block, nothing counts
        assert now_doing() == ""
        with budget, Budget("prolog", None), budget:
            now[0] += seconds
            assert now_doing() == told[-1]
    with Budget("prolog", None):
        assert now_doing() == "prolog is searching"
    assert told == ["digging here", "rating", "digging"]
    with pytest.raises(pls.SolveTimeout) as late:
        budget.remaining()
    assert str(late.value) == "clingo gave no answer within 10 s, while digging"
    budget = Budget("clingo", 10.0)
    budget.turn_to("rating", "the first")
    with budget:
        now[0] += 8
        budget.turn_to("counting")

        def out_of_time(left):
            inner = Budget("clingo", left)
            inner.turn_to("looking at r1c1")
            raise inner.exceeded()

        with pytest.raises(pls.SolveTimeout) as late:
            budget.spend(out_of_time)
    assert str(late.value) == (
        "clingo gave no answer within 10 s, while counting, looking at r1c1;"
        " rating took longest, 8.0 s"
    )
    assert str(pickle.loads(pickle.dumps(late.value))) == str(late.value)
