"""Executors that other packages offer: how the work leaves the process, and the machine."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from concurrent.futures import Executor

import pytest
from helpers.puzzles import COUNTS, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku._batch import map_in_order

PUZZLES = [*PRINTED, list(COUNTS)[7], "11.............."] * 10
ANSWERS = [*PRINTED.values(), "None", "None"] * 10


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


@pytest.fixture(params=["cluster", "loky"])
def executor(request: pytest.FixtureRequest) -> Executor:
    return request.getfixturevalue(request.param)


def process_of(_puzzle: object) -> int:
    return os.getpid()


def dies_of_seven(number: int) -> int:
    if number == 7:
        os._exit(1)
    return number


@pytest.mark.slow
def test_it_answers_as_our_own_processes_do(executor, backend):
    answers = pls.solve_many(PUZZLES, backend, executor=executor)
    assert [str(answer) for answer in answers] == ANSWERS


def test_the_work_is_done_elsewhere(executor):
    where = {pid for _, pid in map_in_order(process_of, range(100), 2, executor)}
    assert where
    assert os.getpid() not in where


def test_errors_stand_in_their_place(executor):
    answers = pls.solve_many([PUZZLES[0], "foo", PUZZLES[1]], executor=executor, jobs=2)
    assert str(next(answers)) == ANSWERS[0]
    with pytest.raises(pls.InvalidPuzzle) as caught:
        next(answers)
    assert caught.value.index == 1
    assert [str(answer) for answer in answers] == [ANSWERS[1]]


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
