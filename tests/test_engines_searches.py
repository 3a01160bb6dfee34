"""What every engine must do with searches: side by side, left alone, and stopped."""

from __future__ import annotations

import gc
import pickle
import threading

import pytest
from helpers.puzzles import COUNTS, EMPTY, PRINTED, SEVERAL

import pylogic_sudoku as pls
from pylogic_sudoku import Grid

FIRST = next(iter(PRINTED))


def test_arguments_are_checked_at_the_call(backend):
    with pytest.raises(pls.InvalidPuzzle):
        pls.solutions("53", backend)
    with pytest.raises(ValueError, match="timeout"):
        pls.solutions(EMPTY, backend, timeout=0)
    with pytest.raises(ValueError, match="limit"):
        pls.count(EMPTY, backend, limit=-1)


def test_limit_of_nothing(backend):
    assert list(pls.solutions(EMPTY, backend, limit=0)) == []
    assert pls.count(EMPTY, backend, limit=0) == 0


def test_enumeration_is_lazy(backend):
    found = pls.solutions(EMPTY, backend)
    assert len({next(found) for _ in range(5)}) == 5


def test_open_enumerations_interleave(backend):
    small = set(pls.solutions("." * 16, backend))
    readers = [pls.solutions("." * 16, backend) for _ in range(3)]
    endless = pls.solutions(EMPTY, backend)
    seen = [set() for _ in readers]
    while len(seen[0]) < 288:
        for reader, grids in zip(readers, seen, strict=True):
            grids.add(next(reader))
        if len(seen[0]) % 32 == 0:
            assert next(endless).is_solution_of(Grid.parse(EMPTY))
            assert pls.solve(FIRST, backend) is not None
    assert all(grids == small for grids in seen)
    assert [next(reader, None) for reader in readers] == [None] * 3


def test_enumeration_is_read_and_closed_in_other_threads(backend):
    found = pls.solutions("." * 16, backend)
    seen = [next(found)]

    def read():
        seen.extend(next(found) for _ in range(100))

    for _ in range(2):
        thread = threading.Thread(target=read)
        thread.start()
        thread.join()
    assert len(set(seen)) == 201
    thread = threading.Thread(target=found.close)
    thread.start()
    thread.join()
    assert pls.count("." * 16, backend) == 288


def test_many_threads_at_once(backend):
    answers = []

    def work():
        for puzzle, number in list(COUNTS.items())[:3]:
            answers.append(pls.count(puzzle, backend) == number)
            answers.append(len(list(pls.solutions(puzzle, backend))) == number)

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert answers == [True] * 36


def test_abandoned_enumerations_are_let_go(backend):
    for _ in range(10):
        found = pls.solutions(EMPTY, backend)
        next(found)
        del found
    gc.collect()
    assert str(pls.solve(FIRST, backend)) == PRINTED[FIRST]


def test_unread_enumeration_costs_nothing(backend):
    pls.solutions(EMPTY, backend)
    assert pls.count("." * 16, backend) == 288


@pytest.mark.parametrize(
    "ask",
    [
        lambda backend: pls.count(EMPTY, backend, timeout=0.1),
        lambda backend: sum(1 for _ in pls.solutions(EMPTY, backend, timeout=0.1)),
    ],
    ids=["count", "solutions"],
)
def test_time_limit_ends_an_endless_search(backend, ask):
    for _ in range(3):
        with pytest.raises(pls.SolveTimeout, match=f"{backend} gave no answer within 0.1 s"):
            ask(backend)
        assert pls.count("." * 16, backend) == 288
        assert str(pls.solve(FIRST, backend)) == PRINTED[FIRST]


def test_time_limit_of_candidates_is_for_all_of_them(backend):
    with pytest.raises(pls.SolveTimeout, match=r"within 0.0001 s"):
        pls.candidates(Grid((0,) * 36**2, (6, 6)), backend, timeout=0.0001)


def test_a_count_out_of_time_knows_how_far_it_came(backend):
    found, timeout = 0, 0.1
    while not found:  # a busy machine has not even started an engine in a short time
        with pytest.raises(pls.SolveTimeout) as caught:
            pls.count(EMPTY, backend, timeout=timeout)
        found, timeout = caught.value.found, 2 * timeout
    assert pls.count("." * 16, backend, timeout=60) == 288
    assert pls.count("." * 16, backend, timeout=60, limit=77) == 77


class Slow(pls.Backend):
    """Finds three solutions in its time."""

    name = engine = "slow"

    def version(self):
        return "1"

    def solutions(self, puzzle, timeout=None):
        yield from pls.solutions(puzzle, limit=3)
        raise pls.SolveTimeout("slow", 1.0)


def test_every_backend_counts_so_far():
    with pytest.raises(pls.SolveTimeout, match="at least 3 solutions so far") as caught:
        pls.count(EMPTY, Slow())
    assert pickle.loads(pickle.dumps(caught.value)).found == 3
    with pytest.raises(pls.SolveTimeout, match=r"within 1 s$"):
        list(pls.solutions(EMPTY, Slow()))


def test_time_limit_counts_only_the_engine(backend, clock):
    found = pls.solutions("." * 16, backend, timeout=5)
    for _ in range(3):
        next(found)
        clock.now += 60  # while nobody waits for the engine
    assert len(list(found)) == 285


def test_solutions_found_before_the_time_limit_are_not_lost(backend, clock):
    found = pls.solutions(EMPTY, backend, timeout=60)
    seen = [next(found)]
    clock.over = True
    with pytest.raises(pls.SolveTimeout):
        seen.extend(found)
    assert all(grid.is_solution_of(Grid.parse(EMPTY)) for grid in seen)


def test_backend_objects_of_ones_own(engine):
    assert str(pls.solve(FIRST, engine)) == PRINTED[FIRST]
    assert engine.version() in {info.version for info in pls.backends()}
    assert next(iter(pls.solutions(SEVERAL, engine))).is_solution_of(Grid.parse(SEVERAL))
