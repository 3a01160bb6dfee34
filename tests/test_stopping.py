"""Ctrl-C, the end of the program, and forks, in the middle of a search."""

from __future__ import annotations

import signal
import threading

import pytest
from helpers.processes import PATIENCE, interrupted, run

import pylogic_sudoku as pls
from pylogic_sudoku.engines.clingo import _Enumeration
from pylogic_sudoku.engines.clingo.program import Program

ASK = (
    "pls.count(EMPTY, BACKEND)",
    "list(None for _ in pls.solutions(EMPTY, BACKEND))",
    "pls.candidates(pls.Grid((0,) * 30**2, (5, 6)), BACKEND)",
)


def test_ctrl_c_stops_every_search_and_leaves_the_engine_usable(backend):
    ended = interrupted(
        f"""
        BACKEND = {backend!r}
        pls.solve(PUZZLE, BACKEND)
        for ask in ({", ".join(f"lambda: {question}" for question in ASK)}):
            try:
                ready()
                ask()
            except KeyboardInterrupt:
                pass
            print(pls.solve(PUZZLE, BACKEND) is not None, pls.count("." * 16, BACKEND))
        """,
        times=len(ASK),
    )
    assert ended.stdout == "True 288\n" * len(ASK)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_uncaught_ctrl_c_ends_the_program_as_usual(backend):
    ended = interrupted(f"ready(); pls.count(EMPTY, {backend!r})")
    assert ended.stderr.rstrip().endswith("KeyboardInterrupt")
    assert ended.returncode != 0


def test_program_ends_quietly_with_enumerations_open(backend):
    ended = run(
        f"""
        begun, well_on = (pls.solutions(EMPTY, {backend!r}) for _ in range(2))
        next(begun)
        for _ in range(50):
            next(well_on)
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")


def test_program_ends_quietly_with_a_search_running_in_a_thread(backend):
    ended = run(
        f"""
        pls.solve(PUZZLE, {backend!r})
        threading.Thread(target=pls.count, args=(EMPTY, {backend!r}), daemon=True).start()
        ready().join()
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "ready\n", "")


def test_forked_process(backend):
    """clingo and CaDiCaL go on in the child; Prolog cannot, and says what to do instead."""
    ended = run(
        f"""
        import os
        pls.solve(PUZZLE, {backend!r})
        child = os.fork()
        if child == 0:
            try:
                print(pls.count("." * 16, {backend!r}), flush=True)
            except pls.BackendUnavailable as error:
                print(error, flush=True)
            os._exit(0)
        os.waitpid(child, 0)
        print(pls.count("." * 16, {backend!r}))
        """,
        PYTHONWARNINGS="ignore",  # newer Pythons warn of any fork of a process with threads
    )
    child, parent = ended.stdout.rsplit("\n", 2)[0:2]
    assert child == "288" if backend != "prolog" else '("spawn")' in child
    assert (parent, ended.stderr) == ("288", "")


def test_spawned_processes(backend):
    ended = run(
        f"""
        from concurrent.futures import ProcessPoolExecutor
        from functools import partial
        from multiprocessing import get_context
        pls.solve(PUZZLE, {backend!r})
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            print(list(pool.map(partial(pls.count, backend={backend!r}), ["." * 16] * 2)))
        """
    )
    assert ended.stdout == "[288, 288]\n", ended.stderr


def test_ctrl_c_in_a_short_search_waits_for_its_end(monkeypatch):
    done = []

    def first(_program, _puzzle):
        signal.raise_signal(signal.SIGINT)
        done.append("searched")

    pls.solve("." * 16)  # grounds
    monkeypatch.setattr(Program, "first", first)
    with pytest.raises(KeyboardInterrupt):
        pls.solve("." * 16)
    assert done == ["searched"]


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGHUP], ids=lambda sent: sent.name)
def test_the_same_holds_for_other_signals_that_a_program_handles(monkeypatch, sent):
    done = []

    def handle(number, _frame):
        done.append(signal.Signals(number))

    def first(_program, _puzzle):
        signal.raise_signal(sent)
        done.append("searched")

    pls.solve("." * 16)
    monkeypatch.setattr(Program, "first", first)
    before = signal.signal(sent, handle)
    try:
        pls.solve("." * 16)
        assert signal.getsignal(sent) is handle
    finally:
        signal.signal(sent, before)
    assert done == ["searched", sent]


def test_ctrl_c_while_an_enumeration_is_closed_comes_a_moment_later(monkeypatch):
    done = []
    close = _Enumeration.close

    def interrupted_close(search):
        signal.raise_signal(signal.SIGINT)
        close(search)
        done.append("closed")

    monkeypatch.setattr(_Enumeration, "close", interrupted_close)
    found = pls.solutions("." * 16)
    next(found)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012  the moment is part of it
        found.close()
        done.append("went on")
        threading.Event().wait(PATIENCE)
        done.append("waited")
    assert done == ["closed", "went on"]


ABANDONED = {
    "solutions": "pls.solutions('.' * 16)",
    "conflicts": "pls.conflicts('11' + '.' * 14).all()",
    "why_not": "pls.why_not('1..4.....3......', 'r1c1', 2).all()",
}


@pytest.mark.parametrize("search", ABANDONED.values(), ids=ABANDONED)
def test_a_search_in_a_garbage_cycle_leaves_the_engine_usable(search):
    """The collector may free clingo's control first, as it finalizes a cycle in any order."""
    ended = run(
        f"""
        import gc
        def abandon():
            found = {search}
            next(found)
            cycle = [found]
            cycle.append(cycle)
        for _ in range(20):
            abandon()
            gc.collect()
            assert pls.count("." * 16) == 288
            assert len(pls.conflicts("11" + "." * 14).givens) == 2
        print("end")
        """
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "end\n", "")
