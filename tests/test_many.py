"""Many puzzles at once."""

from __future__ import annotations

import os
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

import pytest
from helpers.puzzles import COUNTS, EMPTY, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku._batch import map_in_order

PUZZLES = [*PRINTED, list(COUNTS)[7], "11.............."] * 20
ANSWERS = [*PRINTED.values(), "None", "None"] * 20


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_solve_many_answers_in_order(backend, jobs):
    answers = pls.solve_many(PUZZLES[:60], backend, jobs)
    assert [str(answer) for answer in answers] == ANSWERS[:60]


def test_any_executor_will_do(backend):
    with ThreadPoolExecutor(3) as threads:
        answers = pls.solve_many(PUZZLES[:60], backend, executor=threads)
        assert [str(answer) for answer in answers] == ANSWERS[:60]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        answers = pls.solve_many(PUZZLES[:60], backend, executor=processes)
        assert [str(answer) for answer in answers] == ANSWERS[:60]


@pytest.mark.parametrize("ask", [pls.solve_many, lambda one: list(pls.cross_check(one))])
@pytest.mark.parametrize(
    ("one", "complaint"),
    [
        (PUZZLES[0], "takes several puzzles, not '2.*pass a list of puzzles, or read_puzzles"),
        (PUZZLES[0].encode(), "takes several puzzles, not b'2"),
        (pls.Grid.parse(PUZZLES[0]), "takes several puzzles, not Grid.parse"),
        (Path("many.txt"), r"takes puzzles, not a path: pass read_puzzles\('many.txt'\)"),
    ],
)
def test_one_puzzle_is_not_many(ask, one, complaint):
    with pytest.raises(TypeError, match=complaint):
        ask(one)


@pytest.mark.parametrize("jobs", [None, 2])
def test_a_bad_puzzle_costs_only_itself(jobs):
    answers = pls.solve_many([PUZZLES[0], "foo", PUZZLES[1]], jobs=jobs)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.InvalidPuzzle) as caught:
        next(answers)
    assert caught.value.index == 1
    assert str(next(answers)) == ANSWERS[1]
    with pytest.raises(StopIteration):
        next(answers)


@pytest.mark.slow
def test_a_slow_puzzle_costs_only_itself(engine, clock):
    class Slow(type(engine)):
        def solve(self, puzzle, timeout=None):
            clock.over = not any(puzzle.digits)
            return (
                self.count(puzzle, None, timeout) if clock.over else super().solve(puzzle, timeout)
            )

    answers = pls.solve_many([PUZZLES[0], EMPTY, PUZZLES[1]], Slow(), timeout=60)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.SolveTimeout) as caught:
        next(answers)
    assert caught.value.index == 1
    assert str(next(answers)) == ANSWERS[1]


def test_arguments_are_checked_at_the_call():
    with pytest.raises(ValueError, match="jobs must be 1 or more"):
        pls.solve_many([], jobs=0)
    with pytest.raises(ValueError, match="timeout"):
        pls.solve_many([], timeout=0)


@pytest.mark.parametrize("jobs", [None, 2])
def test_endless_puzzles_are_read_only_as_far_as_needed(jobs):
    read = []

    def endless():
        for puzzle in cycle(PUZZLES):
            read.append(puzzle)
            yield puzzle

    answers = pls.solve_many(endless(), jobs=jobs)
    assert [str(answer) for answer in islice(answers, 20)] == ANSWERS[:20]
    assert len(read) <= 20 + (jobs or 0) * 4 * 64
    answers.close()


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_map_in_order_pairs_each_item_with_its_outcome(jobs):
    assert list(map_in_order(abs, range(-100, 0), jobs)) == [(-n, n) for n in range(100, 0, -1)]
    assert list(map_in_order(abs, [], jobs)) == []


def refuses_seven(number: int) -> int:
    if number == 7:
        raise pls.BackendFailure("not 7")
    return number


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_of_ours_is_an_outcome_and_so_is_what_cannot_be_read(jobs):
    bad = pls.InvalidPuzzle("no puzzle")
    outcomes = [outcome for _, outcome in map_in_order(refuses_seven, [6, 7, bad, 8], jobs)]
    assert list(map(str, outcomes)) == ["6", "not 7", "no puzzle", "8"]
    assert list(map(type, outcomes)) == [int, pls.BackendFailure, pls.InvalidPuzzle, int]


def dies_of_seven(number: int) -> int:
    if number % 100 == 7:
        os._exit(1)
    return number


def test_a_process_that_dies_costs_only_the_item_it_died_of():
    results = [(n, str(result)) for n, result in map_in_order(dies_of_seven, range(150), 2)]
    died = "the process that worked on it died, twice"
    assert results == [(n, died if n in (7, 107) else str(n)) for n in range(150)]


def test_what_a_borrowed_executor_did_before_it_broke_is_not_lost():
    class Full(ThreadPoolExecutor):
        left = 3

        def submit(self, function, /, *arguments):
            if not self.left:
                raise RuntimeError("no more, please")
            self.left -= 1
            return super().submit(function, *arguments)

    done = []
    with (
        Full(1) as executor,
        pytest.raises(pls.BackendFailure, match=r"executor broke.*no more, please"),
    ):
        done.extend(map_in_order(abs, range(150), 1, executor))
    assert done == [(0, 0), (1, 1), (2, 2)]


def test_a_borrowed_executor_that_breaks_is_reported():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as processes:
        results = map_in_order(dies_of_seven, range(150), 2, processes)
        with pytest.raises(pls.BackendFailure, match="executor broke"):
            list(results)
