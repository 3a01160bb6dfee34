"""The questions awaited: the event loop goes on, and a cancelled task stops its engine."""

from __future__ import annotations

import asyncio
import inspect
from contextvars import ContextVar, copy_context
from itertools import count
from threading import Event
from time import process_time

import pytest
from helpers.processes import asynchronous, run, soon
from helpers.puzzles import EMPTY, PRINTED, SEVERAL
from helpers.puzzles import SMALL as EASY

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, aio
from pylogic_sudoku.engines.prolog import search as prolog_search
from pylogic_sudoku.engines.sudoku import get
from pylogic_sudoku.running.workers import Stopped, stop_event
from pylogic_sudoku.techniques import position as techniques

PUZZLE, ANSWER = next(iter(PRINTED.items()))
SMALL = "." * 16
FULL = [[(row // 4 + row * 4 + column) % 16 + 1 for column in range(16)] for row in range(16)]


def busy() -> list[str]:
    """The threads that run an engine or wait for one."""
    ours = (get("clingo")._workers, prolog_search.workers, get("sat")._workers)
    pools = (*ours, techniques._workers, aio._workers)
    return [pool._name for pool in pools for _ in tuple(pool._running)]


async def until(condition) -> None:
    """Wait while the event loop goes on."""
    assert await asyncio.to_thread(soon, condition)


async def idle() -> None:
    """Wait until every engine is free."""
    await until(lambda: not busy())


def searching(backend: str) -> bool:
    return any(backend in name for name in busy())


def prolog_searches() -> int:
    """The number of Prolog engines that we have created."""
    goal = "aggregate_all(count, pls_bridge:search(_, _), Answer)"
    budget = prolog_search.Budget("prolog", None)
    return prolog_search.workers.call(lambda: prolog_search.prolog.ask(goal), budget, lambda: None)


async def still_answers(backend: str) -> None:
    assert await aio.count(SMALL, backend) == 288
    assert str(await aio.solve(PUZZLE, backend)) == ANSWER


# --- answers -----------------------------------------------------------------------------


@asynchronous
async def test_they_answer_as_the_functions_of_the_same_names_do(backend):
    for puzzle, number in {"12..34......4321": 2, "1..4............": 24, EASY: 1}.items():
        assert await aio.count(puzzle, backend, limit=1000) == number
        assert await aio.is_unique(puzzle, backend) is (number == 1)
        assert await aio.candidates(puzzle, backend) == pls.candidates(puzzle, backend)
        counts = await aio.candidate_counts(puzzle, backend, 1)
        assert counts == pls.candidate_counts(puzzle, backend, 1)
        found = [grid async for grid in aio.solutions(puzzle, backend)]
        assert len(found) == number
        assert set(found) == set(pls.solutions(puzzle, backend))
        if backend == "clingo":  # the others make no proofs
            assert await aio.certify(puzzle, backend) == pls.certify(puzzle, backend)
    assert [grid async for grid in aio.solutions(EMPTY, backend, limit=0)] == []
    assert len({grid async for grid in aio.solutions(EMPTY, backend, limit=50)}) == 50


@asynchronous
async def test_explanations_too():
    assert (await aio.compare(SEVERAL)).solutions == set(pls.solutions(SEVERAL))
    assert str(await aio.why(EASY, "r1c2", smallest=True)) == str(
        pls.why(EASY, "r1c2", smallest=True)
    )
    assert (await aio.why_not(EASY, "r2c1", 2)).givens == pls.why_not(EASY, "r2c1", 2).givens
    assert await aio.conflicts(SMALL) is not None
    assert await aio.ambiguity(SEVERAL) == pls.ambiguity(SEVERAL)
    assert await aio.redundant(EASY) == pls.redundant(EASY)
    assert await aio.hint(EASY) == pls.hint(EASY)
    assert await aio.rate(EASY) == pls.rate(EASY)
    assert [step async for step in aio.steps(EASY)] == list(pls.steps(EASY))
    assert await aio.call((await aio.why(EASY, "r1c2")).verify, "prolog") is None
    assert (await aio.steps_to(EASY, "r2c1")).steps == pls.steps_to(EASY, "r2c1").steps


@asynchronous
async def test_an_engine_at_work_too():
    for engine in ("clingo", "prolog"):
        assert await aio.propagate(SEVERAL, engine) == pls.propagate(SEVERAL, engine)
        assert (await aio.measure(SEVERAL, engine)).choices == pls.measure(SEVERAL, engine).choices
        events = [event async for event in aio.trace(SEVERAL, engine)]
        assert events == list(pls.trace(SEVERAL, engine))


@asynchronous
async def test_many_puzzles_too():
    puzzles = [EASY, SEVERAL, EASY]
    assert [grid async for grid in aio.solve_many(puzzles)] == list(pls.solve_many(puzzles))
    checks = [check async for check in aio.cross_check(puzzles)]
    assert [each.comparison.solutions for each in checks] == [
        each.comparison.solutions for each in pls.cross_check(puzzles)
    ]


def test_every_question_is_there():
    homes = ("questions", "questions.many", "questions.comparison", "explain", "proofs")
    homes = {f"pylogic_sudoku.{home}" for home in (*homes, "techniques.way", "explain.cell")}
    homes |= {f"pylogic_sudoku.explain.{home}" for home in ("faults", "redundancy")}
    homes.add("pylogic_sudoku.reasons.refusal")
    asked = {
        name
        for name in pls.__all__
        if inspect.isfunction(found := getattr(pls, name)) and found.__module__ in homes
    }
    assert set(aio.__all__) - {"call"} == asked


def test_they_take_what_the_functions_take():
    for name in set(aio.__all__) - {"call"}:
        asked = getattr(aio, name)
        assert inspect.signature(asked) == inspect.signature(getattr(pls, name))
        assert inspect.iscoroutinefunction(asked) or inspect.isasyncgenfunction(asked)
        assert inspect.getdoc(asked).startswith(inspect.getdoc(getattr(pls, name)).split("\n\n")[0])


@pytest.mark.slow
@asynchronous
async def test_errors_are_raised_where_one_waits(backend, clock):
    with pytest.raises(pls.InvalidPuzzle):
        await aio.solve("53", backend)
    with pytest.raises(ValueError, match="limit"):
        await anext(aio.solutions(SMALL, backend, limit=-1))
    with pytest.raises(pls.BackendUnavailable):
        await aio.solve(SMALL, "foo")
    clock.over = True
    with pytest.raises(pls.SolveTimeout, match=f"{backend} gave no answer within 0.05 s"):
        await aio.count(EMPTY, backend, timeout=0.05)
    clock.over = False
    seen = []
    with pytest.raises(pls.SolveTimeout):  # noqa: PT012
        async for grid in aio.solutions(EMPTY, backend, timeout=60):
            seen.append(grid.is_solution_of(Grid.parse(EMPTY)))
            clock.over = True
    assert seen
    assert all(seen)
    await still_answers(backend)


@asynchronous
async def test_any_function_can_be_called():
    variable = ContextVar("variable", default="of the thread")
    variable.set("of the task")
    assert await aio.call(variable.get) == "of the task"
    with pytest.raises(RuntimeError, match="StopIteration"):
        await aio.call(next, iter(()))
    with pytest.raises(KeyError):
        await aio.call({}.__getitem__, 1)


@pytest.mark.slow
@asynchronous
async def test_ten_at_once(backend):
    answers = await asyncio.gather(*(aio.count(SMALL, backend) for _ in range(10)))
    assert answers == [288] * 10
    endless = [asyncio.create_task(aio.count(EMPTY, backend)) for _ in range(10)]
    await until(lambda: sum(backend in name for name in busy()) >= 10)
    await still_answers(backend)
    assert not any(task.done() for task in endless)
    for task in endless:
        task.cancel()
    await asyncio.wait(endless)
    assert all(task.cancelled() for task in endless)
    await idle()


# --- stopping ----------------------------------------------------------------------------


@asynchronous
async def test_a_cancelled_task_stops_its_search_and_the_loop_runs_meanwhile(backend):
    for _ in range(3):
        task = asyncio.create_task(aio.count(EMPTY, backend))
        await until(lambda: searching(backend))
        for _ in range(20):
            await asyncio.sleep(0)
        assert not task.done()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await idle()
        await still_answers(backend)


LONG = {
    "candidates": lambda: aio.candidates(Grid((0,) * 30**2, (5, 6)), "prolog"),
    "candidate_counts": lambda: aio.candidate_counts(EMPTY, limit=None),
    "certify": lambda: aio.certify(Grid((0,) * 30**2, (5, 6))),
    "compare": lambda: aio.compare(EMPTY, limit=None),
    "why": lambda: aio.why(list(PRINTED)[3], "r1c3", smallest=True),
    "why_not": lambda: aio.why_not(FULL, "r1c1", FULL[0][0] % 16 + 1),
    "ambiguity": lambda: aio.ambiguity(Grid((0,) * 16**2, (4, 4))),
    "rate": lambda: aio.rate(Grid((0,) * 16**2, (4, 4))),
    "short ones for ever": lambda: aio.call(lambda: [pls.solve(PUZZLE) for _ in count()]),
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ask", LONG.values(), ids=LONG)
@asynchronous
async def test_every_question_can_be_stopped_at_any_time(ask):
    for moment in ("before it begins", "begun", "later"):
        start = process_time()
        task = asyncio.create_task(ask())
        if moment != "before it begins":
            await until(busy)
        if moment == "later":
            await until(lambda start=start: process_time() > start + 0.1)
        task.cancel()
        await asyncio.wait([task])
        assert task.cancelled()
        await idle()
    await still_answers("clingo")


@asynchronous
async def test_an_enumeration_that_is_closed_early_lets_the_engine_go(backend):
    found = aio.solutions(EMPTY, backend)
    assert len({await anext(found) for _ in range(5)}) == 5
    await found.aclose()
    await idle()
    async for _ in aio.solutions(EMPTY, backend):
        break
    await idle()
    await still_answers(backend)


@asynchronous
async def test_a_cancelled_enumeration_lets_the_engine_go(backend):
    async def read():
        async for _ in aio.solutions(EMPTY, backend):
            started.set()

    started = asyncio.Event()
    task = asyncio.create_task(read())
    await started.wait()
    task.cancel()
    await asyncio.wait([task])
    assert task.cancelled()
    await idle()
    if backend == "prolog":
        await until(lambda: prolog_searches() == 0)
    await still_answers(backend)


def test_nothing_begins_in_a_thread_that_was_stopped(backend):
    stopped = copy_context()
    stop = Event()
    stop.set()
    stopped.run(stop_event.set, stop)
    for ask in (pls.solve, pls.count, pls.candidates, lambda *a: next(pls.solutions(*a))):
        with pytest.raises(Stopped):
            stopped.run(ask, SMALL, backend)
    assert pls.count(SMALL, backend) == 288


@pytest.mark.slow
def test_a_loop_that_ends_and_a_program_that_ends_stop_what_is_under_way(backend):
    ended = run(
        f"""
        import asyncio
        from pylogic_sudoku import aio

        async def main():
            await aio.solve(PUZZLE, {backend!r})
            task = asyncio.create_task(aio.count(EMPTY, {backend!r}))
            found = aio.solutions(EMPTY, {backend!r})
            await anext(found)

        asyncio.run(main())
        loop = asyncio.new_event_loop()
        loop.create_task(aio.count(EMPTY, {backend!r}))
        loop.call_later(0.1, loop.stop)
        loop.run_forever()
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout) == (0, "end\n")
    assert "Traceback" not in ended.stderr
