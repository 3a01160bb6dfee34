"""Slow questions wait for each other, quick ones for nobody, and nobody for what nobody wants."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from pathlib import Path

import anyio
import pytest
from helpers.processes import run
from helpers.puzzles import EMPTY

import pylogic_sudoku as pls
from pylogic_sudoku.serve import _lanes as lanes_module
from pylogic_sudoku.serve import _limits as limits
from pylogic_sudoku.serve._app import make_app
from pylogic_sudoku.serve._lanes import Busy, Lanes


def answer(value, _seconds):
    return value


def endless(note, _seconds):
    """Note the process and go on for ever, whatever the time."""
    with open(note, "a") as file:
        file.write(f"{os.getpid()}\n")
    while True:
        time.sleep(1)


def deaf(note, seconds):
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])
    endless(note, seconds)


def slow(seconds):
    """Work, for longer than a quick question may."""
    start = time.process_time()
    while time.process_time() - start < 4 * limits.QUICK:
        pass
    return seconds


def die(_seconds):
    os._exit(1)


def pids(note: Path) -> list[int]:
    return [int(line) for line in note.read_text().split()] if note.exists() else []


async def appear(note: Path, number: int) -> None:
    while len(pids(note)) < number:
        await anyio.sleep(0.01)


async def gone(pid: int) -> None:
    while Path(f"/proc/{pid}").exists():
        await anyio.sleep(0.01)


def test_a_slow_question_is_asked_again_with_all_its_time():
    async def work():
        lanes = Lanes(300)
        assert await lanes.ask("a", None, slow) == 300
        assert await lanes.ask("a", 100, slow) == 100
        assert await lanes.ask("a", 1000, slow) == 300
        with pytest.raises(pls.SolveTimeout):
            await lanes.ask("a", 0.1, endless, os.devnull)

    anyio.run(work)


def test_quick_ones_pass_while_every_slow_place_is_taken(tmp_path):
    note = tmp_path / "pids"

    async def work():
        lanes = Lanes(60, places=2)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(lanes._ask_slowly, "a", 60, endless, (str(note),))
            await appear(note, 2)
            with anyio.fail_after(20):
                assert [await lanes.ask("b", None, answer, n) for n in range(20)] == [*range(20)]
            assert len(pids(note)) == 2  # the third still waits
            group.cancel_scope.cancel()
        for pid in pids(note):
            await gone(pid)

    anyio.run(work)


def test_clients_take_turns(tmp_path):
    """One that asks a lot does not keep the others waiting behind all that."""
    order = []

    async def work():
        lanes = Lanes(60, places=1)

        async def ask(client):
            await lanes._ask_slowly(client, 60, answer, (client,))
            order.append(client)

        async with anyio.create_task_group() as group:
            for client in "aaaab":
                group.start_soon(ask, client)

    anyio.run(work)
    assert order.index("b") == 1


def test_a_question_that_does_not_keep_its_time_is_stopped(tmp_path):
    async def work():
        lanes = Lanes(0.2, places=1)
        with pytest.raises(pls.SolveTimeout):
            await lanes.ask("a", None, endless, str(tmp_path / "pids"))
        assert await lanes.ask("a", None, answer, 7) == 7

    anyio.run(work)


def test_time_that_runs_out_within_a_search_of_clingo_is_a_timeout():
    """The signal may come while clingo runs Python of its own, which no error may leave."""
    ended = run(
        """
        from pylogic_sudoku.serve import _lanes as lanes

        def ask(seconds):
            while True:
                pls.count("12..34......4321")

        pls.count("12..34......4321")
        for number in range(100):
            try:
                lanes._in_time(None, 60, 0.004 + number % 7 * 0.0003, ask)
            except pls.SolveTimeout as error:
                assert (error.backend, error.seconds) == ("the engine", 60)
        print("end")
        """
    )
    assert (ended.stdout, ended.stderr, ended.returncode) == ("end\n", "", 0)


def test_a_process_that_cannot_be_stopped_is_killed(tmp_path, monkeypatch):
    note = tmp_path / "pids"

    async def work():
        lanes = Lanes(0.2, places=1)
        await lanes.start()
        monkeypatch.setattr(lanes_module, "GRACE", 0.5)
        with pytest.raises(pls.SolveTimeout):
            await lanes.ask("a", None, deaf, str(note))
        await gone(pids(note)[0])

    anyio.run(work)


def test_what_prepares_a_process_takes_nobodys_time():
    async def work():
        lanes = Lanes(0.1, places=1, prepare=partial(slow, 0))
        assert await lanes.ask("a", None, answer, 7) == 7

    anyio.run(work)


def test_a_process_that_dies_costs_one_answer():
    async def work():
        lanes = Lanes(5)
        with pytest.raises(pls.BackendFailure):
            await lanes.ask("a", None, die)
        assert await lanes.ask("a", None, answer, 7) == 7

    anyio.run(work)


def test_too_many_are_sent_away(monkeypatch):
    monkeypatch.setattr(lanes_module, "WAITING", 0)

    async def work():
        with pytest.raises(Busy):
            await Lanes().ask("a", None, answer, 1)

    anyio.run(work)


def test_a_request_that_was_left_is_dropped():
    """The search would go on for a minute; nobody waits for it."""
    body = b'{"puzzle": "%s", "limit": 1000000000}' % EMPTY.encode()
    messages = [{"type": "http.request", "body": body}]
    sent = []

    async def receive():
        if messages:
            return messages.pop()
        await anyio.sleep(0.5)
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message.get("status"))

    async def work():
        app = make_app(60)
        scope = {
            "type": "http",
            "method": "POST",
            "path": "/api/count",
            "query_string": b"",
            "headers": [(b"content-type", b"application/json")],
        }
        with anyio.fail_after(30):
            async with app.router.lifespan_context(app):
                await app(scope, receive, send)

    anyio.run(work)
    assert sent[0] == 499
