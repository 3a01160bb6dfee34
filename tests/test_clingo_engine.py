"""clingo behind the package: its answers, and its long searches."""

from __future__ import annotations

import pickle
import threading
from functools import partial

import pytest
from helpers.gallery import answers
from helpers.jigsaws import jigsaw
from helpers.kinds import PUZZLES, known
from helpers.oracle import assert_answers
from helpers.puzzles import COUNTS, EMPTY, PRINTED, SMALL, TWO
from helpers.rule_instances import EVERY

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.engines.clingo.session import Session
from pylogic_sudoku.engines.sudoku import choice, ground_once, rulebook
from pylogic_sudoku.engines.sudoku.clingo import ClingoBackend
from pylogic_sudoku.rules import KillerCage
from pylogic_sudoku.running.workers import Budget, Unfinished, Workers, now_doing, shelf

FIRST, ANSWER = next(iter(PRINTED.items()))


@pytest.fixture
def grounded(monkeypatch):
    """The box shapes of ``sudoku.lp`` and ``demands.lp`` as they were ground, in order."""
    shapes = []

    def counted(text, layout, *options):
        shapes.append(layout.box)
        return real(text, layout, *options)

    real = ground_once.grounded
    monkeypatch.setattr(ground_once, "grounded", counted)
    monkeypatch.setattr(rulebook, "grounded", counted)
    monkeypatch.setattr(rulebook, "_idle", shelf(list, 2))
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


def test_a_literal_is_looked_up_once_and_only_for_a_digit_that_is_assumed(monkeypatch):
    def literal(self, *placement):
        looked_up.append(placement)
        return real(self, *placement)

    looked_up = []
    real = ground_once.CellDecoder.literal
    monkeypatch.setattr(ground_once.CellDecoder, "literal", literal)
    engine = ClingoBackend()
    marked = Puzzle("1..............4", marks={"r1c2": [1, 2, 3]})
    for _ in range(2):
        assert engine.count(marked) == sum(grid.is_solution_of(marked) for grid in EVERY)
    assert looked_up == [(0, 1), (15, 4), (1, 4)]


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

    real = ground_once.LayoutProgram.count
    monkeypatch.setattr(ground_once.LayoutProgram, "count", count)
    monkeypatch.setattr(ground_once, "HARD", 10**9)  # it gets no program of its own
    engine = ClingoBackend()
    for _ in range(3):
        clock.over = False
        with pytest.raises(pls.SolveTimeout):
            engine.count(Grid.parse(EMPTY), timeout=60)
        assert str(engine.solve(Grid.parse(FIRST))) == ANSWER
    # The last solve had to ground anew.
    assert grounded == [(3, 3)] * 4


def test_a_search_that_is_given_up_before_it_begins_grounds_nothing(grounded):
    session = Session(Workers("test"), Budget("clingo", None))
    session.interrupt()
    make = partial(ground_once.LayoutProgram, LAYOUT)
    with pytest.raises(Unfinished), session.borrowed([], make):
        pass
    assert grounded == []


def test_what_clingo_says_of_an_encoding_is_not_printed(monkeypatch, capfd):
    monkeypatch.setattr(ground_once, "encoding", lambda _name: "digit(X).")
    with pytest.raises(pls.BackendFailure, match="unsafe variables"):
        ClingoBackend().solve(Grid.parse(FIRST))
    monkeypatch.setattr(ground_once, "encoding", lambda _name: "a(1/0).")
    assert ClingoBackend().count(Grid.parse("1", box=(1, 1))) == 1  # only a warning
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
    for puzzle in [Grid.parse("." * 16), jigsaw(4, 2, 1), jigsaw(4, 2, 2, marked=4)] * 2:
        assert engine.solve(puzzle)
    assert grounded == [(2, 2)] * 2


# --- sessions ----------------------------------------------------------------------------

LAYOUT = Grid.parse("." * 16).layout


def test_an_error_of_the_loop_itself_costs_no_rulebook(grounded):
    for _ in range(3):
        solving = rulebook.demand_solver(LAYOUT, Budget("clingo", None))
        with pytest.raises(KeyError), solving as solver:
            solver.run(lambda: solver.literal((5, 5, 5)))
    assert grounded == [(2, 2)]


def test_a_broken_rulebook_is_not_used_again(grounded, monkeypatch):
    def broken(*_arguments, **_named):
        raise RuntimeError("broken")

    for _ in range(2):
        solving = rulebook.demand_solver(LAYOUT, Budget("clingo", None))
        with monkeypatch.context() as patched, solving as solver:
            patched.setattr("clingo.SolveHandle.model", broken)
            with pytest.raises(pls.BackendFailure, match="clingo: broken"):
                solver.unsat_core([])
    assert grounded == [(2, 2)] * 2


def test_a_budget_counts_only_inside_its_block(clock):
    budget = Budget("clingo", 3.0)
    with budget:
        clock.now += 1
        assert budget.seconds_left == budget.remaining() == 2.0
    clock.now += 5
    assert budget.remaining() == 2.0
    with budget:
        clock.now += 5
        assert budget.seconds_left == 0.0
    with pytest.raises(pls.SolveTimeout, match="clingo gave no answer within 3 s"):
        budget.remaining()
    assert Budget("clingo", None).remaining() is None


def test_a_budget_and_its_error_tell_what_is_done(monkeypatch):
    now, told = [0.0], []
    monkeypatch.setattr("pylogic_sudoku.running.workers.perf_counter", lambda: now[0])
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
    says = "clingo gave no answer within 10 s, while counting, looking at r1c1"
    assert str(late.value) == says
    assert str(pickle.loads(pickle.dumps(late.value))) == str(late.value)


# === Long searches by clingo: a hard puzzle gets a program of its own =============================

# The limits after which a puzzle is hard are lowered here, so that small puzzles are.


@pytest.fixture
def own(monkeypatch):
    """The puzzles that got a program of their own, and the options of each."""
    made = []
    real = ground_once.grounded

    def noted(text, layout, options=ground_once.OPTIONS):
        made.extend(
            [options] * (options not in (ground_once.OPTIONS, ground_once.RULED, ground_once.CAGED))
        )
        return real(text, layout, options)

    monkeypatch.setattr(ground_once, "grounded", noted)
    return made


@pytest.fixture
def hard(monkeypatch, own):
    """The same, if every puzzle is hard."""
    monkeypatch.setattr(ground_once, "BRIEF", 0)
    monkeypatch.setattr(ground_once, "HARD", 0)
    return own


@pytest.mark.one_in(6)
@pytest.mark.parametrize("puzzle", PUZZLES.values(), ids=PUZZLES)
@pytest.mark.parametrize("threads", [1, 2])
def test_every_question_has_the_same_answer(hard, puzzle, threads):
    assert_answers(puzzle, known(puzzle), backend=ClingoBackend(), threads=threads)
    assert len(hard) == (0 if ground_once.with_few_givens(puzzle) else 7)
    assert all(f"--parallel-mode={threads}" in options for options in hard)


def test_settings_are_chosen_by_the_rules(monkeypatch):
    """Crafty searches where more than half of the cells are in cages with sums."""
    chosen = []
    real = ground_once.grounded

    def noted(text, layout, options=ground_once.OPTIONS):
        chosen.append(options)
        return real(text, layout, options)

    monkeypatch.setattr(ground_once, "grounded", noted)
    cages = [KillerCage(f"r{row}c1 r{row}c2", sum=5) for row in (1, 3)]
    for rules in (
        [],
        cages,
        [*cages, KillerCage("r1c3 r2c3 r3c3 r4c3 r4c2")],
        [*cages, KillerCage("r1c3 r2c3 r3c3 r4c3 r4c2", sum=15)],
    ):
        ClingoBackend().count(Puzzle("." * 16, rules=rules))
    assert chosen == [ground_once.OPTIONS, ground_once.RULED, ground_once.RULED, ground_once.CAGED]


@pytest.mark.parametrize("engine", ["clingo", "all"])
def test_the_commands_have_threads(hard, command, monkeypatch, engine):
    monkeypatch.setitem(choice._engines, "clingo", ClingoBackend())
    chosen = "--backend", engine, "--threads", 2
    assert command("solve", "-f", "line", *chosen, SMALL)[:2] == (0, "4312124324313124\n")
    assert command("count", *chosen, TWO)[:2] == (0, "2\n")
    assert len(hard) >= 2
    assert all("--parallel-mode=2" in options for options in hard)
    code, out, err = command("solve", "--threads", "65", TWO)
    assert (code, out) == (2, "")
    assert "--threads" in err
    assert "64" in err


@pytest.mark.parametrize("after", [0, 2, 4, 100])
def test_no_answer_comes_twice_when_an_own_program_takes_over(own, monkeypatch, after):
    monkeypatch.setattr(ground_once, "HARD", after)  # that many answers and one more
    engine = ClingoBackend()
    found = list(pls.solutions("." * 16, engine))
    assert len(found) == len(set(found)) == 288
    assert len(own) == 1
    assert list(pls.solutions(FIRST, engine)) == [Grid.parse(ANSWER)]
    assert len(own) == 1 + (after == 0)


@pytest.mark.parametrize("givens", [0, 3, 4, 8])
def test_a_puzzle_with_rules_stays_in_the_program_of_its_layout_if_few_cells_are_given(
    hard, givens
):
    solution = Grid.parse("4312124324313124")
    rows = [{"rule": "killer_cage", "cells": [f"r1c{n}" for n in (1, 2, 3, 4)], "sum": 10}]
    puzzle = pls.Puzzle(Grid.of(solution.givens[:givens], solution.box), rules=rows)
    engine = ClingoBackend()
    found = list(pls.solutions(puzzle, engine))
    assert set(found) == set(pls.solutions(puzzle.grid, engine))
    hard.clear()
    for threads in (1, 2, 1):
        assert pls.count(puzzle, engine, threads=threads) == len(found) > 0
        (kept,) = engine._idle(puzzle.layout)
        if givens < 4:
            assert kept.control.statistics["summary"]["concurrency"] == threads
    assert len(hard) == (0 if givens < 4 else 3)


def test_variables_are_not_eliminated_if_there_are_many_answers(own, monkeypatch):
    monkeypatch.setattr(ground_once, "BRIEF", 0)
    monkeypatch.setattr(ground_once, "HARD", 1)
    engine = ClingoBackend()
    assert pls.count("." * 16, engine) == len(list(pls.solutions("." * 16, engine))) == 288
    assert pls.solve(list(COUNTS)[9], engine) is None
    assert [options[:-1] for options in own] == [ground_once.LISTING] * 2 + [ground_once.LONG]


def test_a_search_of_many_conflicts_is_handed_over_before_its_first_answer(own, monkeypatch):
    monkeypatch.setattr(ground_once, "HARD", 1)
    solutions = pls.solutions(FIRST, ClingoBackend())
    assert [str(next(solutions)), *solutions] == [ANSWER]
    assert len(own) == 1


@pytest.mark.slow
def test_an_empty_grid_is_not_hard_because_it_is_large(own):
    engine = ClingoBackend()
    assert pls.solve(Grid((0,) * 36**2, (6, 6)), engine).is_solution_of(Grid((0,) * 36**2, (6, 6)))
    assert own == []


def test_ordinary_puzzles_get_no_program_of_their_own(own):
    for puzzle in PRINTED:
        assert pls.is_unique(puzzle)
        assert pls.candidates(puzzle)
        assert len(list(pls.solutions(puzzle))) == 1
    assert all(pls.count(puzzle) == number for puzzle, number in COUNTS.items())
    assert own == []


def test_the_program_of_a_layout_is_kept_and_an_own_one_is_not(hard):
    engine = ClingoBackend()
    for _ in range(3):
        assert pls.count(TWO, engine) == len(list(pls.solutions(TWO, engine))) == 2
    assert len(engine._idle(Grid.parse(TWO).layout)) == 1
    assert len(hard) == 6


@pytest.mark.parametrize("threads", [1, 2])
def test_a_time_limit_holds_in_a_long_count(hard, threads, monkeypatch, clock):
    real = ground_once.PuzzleProgram.count

    def count(self, puzzle, limit, on_model):
        def found(model):
            on_model(model)
            clock.over = True

        return real(self, puzzle, limit, on_model and found)

    monkeypatch.setattr(ground_once.PuzzleProgram, "count", count)
    with pytest.raises(pls.SolveTimeout) as caught:
        pls.count(EMPTY, timeout=60, threads=threads)
    assert caught.value.found > 0
    assert pls.count("." * 16, threads=threads) == 288


@pytest.mark.parametrize(
    "ask", [pls.solve, pls.count, pls.is_unique, pls.candidates, pls.solutions]
)
def test_an_impossible_number_of_threads_is_refused_at_the_call(ask):
    for threads, says in ((0, "1 or more, not 0"), (65, "64 or less, not 65")):
        with pytest.raises(ValueError, match=f"threads must be {says}"):
            ask(TWO, threads=threads)
    for threads in (True, 1.5, None):
        with pytest.raises(TypeError, match=f"threads must be a whole number, not {threads}"):
            ask(TWO, threads=threads)


def test_other_engines_use_one_thread(backend):
    assert pls.count(TWO, backend, threads=2) == 2
    assert len(list(pls.solutions(TWO, backend, threads=64))) == 2


def test_houses_with_many_places_for_a_digit_are_tested_too(hard):
    empty = Grid((0,) * 256, (4, 4))
    found = list(pls.solutions(empty, limit=20))
    assert len(set(found)) == 20
    assert all(grid.is_solution_of(empty) for grid in found)
    assert len(hard) == 1


# --- encodings/one_puzzle.lp, by clingo alone --------------------------------------------


@pytest.mark.parametrize(
    ("facts", "number"),
    [
        ("", 288),
        ("initial(1,1,1).", 72),
        ("initial(1,1,1). excluded(1,2,2).", 48),
        ("initial(1,1,1). initial(1,4,1).", 0),
        ("initial(1,1,1). initial(2,2,1).", 0),
        ("initial(1,1,1). initial(1,1,2).", 0),
        ("initial(1,1,1). excluded(1,1,1).", 0),
        ("initial(1,1,5).", 0),
        ("initial(5,1,1).", 0),
        ("excluded(1,1,1..4).", 0),
        ("rule(1,killer_cage).", 0),
    ],
)
def test_answers_to_facts(facts, number):
    shape = ["-c", "box_rows=2", "-c", "box_columns=2"]
    found, grumbles = answers(ground_once.encoding("one_puzzle"), facts, shape)
    assert (len(found), grumbles) == (number, [])
