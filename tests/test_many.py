"""Many puzzles at once: in this process, in several, and in executors that others offer."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from itertools import cycle, islice
from multiprocessing import get_context
from pathlib import Path

import pytest
from helpers.puzzles import EMPTY, PRINTED, REFUTED

import pylogic_sudoku as pls
from pylogic_sudoku.questions.many import map_in_order

PUZZLES = [*PRINTED, REFUTED, "11.............."] * 20
ANSWERS = [*PRINTED.values(), "None", "None"] * 20


@pytest.fixture(scope="module")
def threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as executor:
        yield executor


@pytest.fixture(scope="module")
def processes() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as executor:
        yield executor


@pytest.fixture(scope="module")
def cluster() -> Iterator[Executor]:
    import dask
    from distributed import Client, LocalCluster

    # One death is enough; else Dask would try the same work on three more workers.
    dask.config.set({"distributed.scheduler.allowed-failures": 0})
    shape = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with (
        LocalCluster(**shape, dashboard_address=None, silence_logs="CRITICAL") as local,
        Client(local) as client,
    ):
        # Functions of this file are to be found there too.
        client.run(sys.path.append, os.path.dirname(__file__))
        yield client.get_executor()


@pytest.fixture(scope="module")
def loky() -> Iterator[Executor]:
    from loky import get_reusable_executor

    executor = get_reusable_executor(2)
    yield executor
    executor.shutdown(kill_workers=True)


@pytest.fixture(params=["threads", "processes", "cluster", "loky"])
def executor(request: pytest.FixtureRequest) -> Executor:
    """Of the standard library, and of other packages: work leaves the process, or the machine."""
    return request.getfixturevalue(request.param)


@pytest.fixture(
    params=["one process", "two processes", "loky", pytest.param("cluster", marks=pytest.mark.slow)]
)
def where(request: pytest.FixtureRequest) -> dict[str, object]:
    """Where the work is done, as an argument of `solve_many`."""
    if "process" in request.param:
        return {"jobs": 2 if "two" in request.param else None}
    return {"jobs": 2, "executor": request.getfixturevalue(request.param)}


@pytest.mark.slow
def test_any_executor_will_do(executor, backend):
    answers = pls.solve_many(PUZZLES[:60], backend, executor=executor)
    assert [str(answer) for answer in answers] == ANSWERS[:60]


def test_a_bad_puzzle_costs_only_itself(where):
    answers = pls.solve_many([PUZZLES[0], "foo", PUZZLES[1]], **where)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.InvalidPuzzle) as caught:
        next(answers)
    assert caught.value.index == 1
    assert str(next(answers)) == ANSWERS[1]
    with pytest.raises(StopIteration):
        next(answers)


@pytest.mark.parametrize("jobs", [None, 1, 2])
def test_solve_many_answers_in_order(backend, jobs):
    answers = pls.solve_many(PUZZLES[:24], backend, jobs)
    assert [str(answer) for answer in answers] == ANSWERS[:24]


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


def process_of(_puzzle: object) -> int:
    return os.getpid()


def test_the_work_is_done_elsewhere(where):
    if where["jobs"]:
        found = {pid for _, pid in map_in_order(process_of, range(100), *where.values())}
        assert found
        assert os.getpid() not in found


@pytest.mark.slow
def test_a_time_limit_holds_there_too(executor):
    answers = pls.solve_many(["." * 36 * 36], timeout=0.01, executor=executor)
    with pytest.raises(pls.SolveTimeout):
        next(answers)


@pytest.mark.slow
def test_a_worker_of_dask_that_dies_costs_only_the_item_it_died_of(cluster):
    results = [result for _, result in map_in_order(dies_of_seven, range(20), 2, cluster)]
    assert isinstance(results[7], pls.BackendFailure)
    assert str(results[7]).startswith("the executor could not do it: KilledWorker")
    assert results[:7] + results[8:] == [n for n in range(20) if n != 7]
