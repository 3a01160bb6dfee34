"""Slow questions wait for each other; quick ones do not wait, and abandoned ones are stopped."""

from __future__ import annotations

import os
from pathlib import Path
from threading import Event

import anyio
import pytest
from helpers.processes import PATIENCE, asynchronous, soon
from helpers.puzzles import EMPTY

import pylogic_sudoku as pls
from pylogic_sudoku.page import app as lanes_module
from pylogic_sudoku.page.app import Busy, Lanes, make_app


@pytest.fixture(autouse=True)
def patient_lanes(monkeypatch) -> None:
    """A process may take its time to start."""
    monkeypatch.setattr(lanes_module, "GRACE", PATIENCE)


def answer(value, _seconds):
    return value


def endless(note, _seconds):
    """Note the process and run for ever, whatever the time limit."""
    until_stopped(note, float("inf"))


def until_stopped(note, seconds):
    """Note the process and run as long as it may, as an engine does."""
    with open(note, "a") as file:
        file.write(f"{os.getpid()}\n")
    Event().wait(None if seconds == float("inf") else seconds)
    raise pls.SolveTimeout("the engine", seconds)


def slow(seconds):
    """Return the time limit, if it is longer than that of a quick question."""
    if seconds <= lanes_module.QUICK:
        raise pls.SolveTimeout("the engine", seconds)
    return seconds


def given(seconds):
    return seconds


def after_all(note, number, seconds):
    """The same, but only when that many have been tried."""
    with open(note, "a") as file:
        file.write("0\n")
    answer = slow(seconds)
    assert soon(lambda: len(pids(note)) >= number)
    return answer


def die(_seconds):
    os._exit(1)


def half_a_second():
    Event().wait(0.5)


def pids(note: Path) -> list[int]:
    return [int(line) for line in note.read_text().split()] if note.exists() else []


async def until(condition) -> None:
    """Wait while the event loop goes on."""
    assert await anyio.to_thread.run_sync(soon, condition)


async def gone(pid: int) -> None:
    await until(lambda: not Path(f"/proc/{pid}").exists())


@asynchronous
async def test_a_slow_question_is_asked_again_with_all_its_time():
    lanes = Lanes(300)
    assert await lanes.ask("a", None, slow) == 300
    assert await lanes.ask("a", 100, slow) == 100
    assert await lanes.ask("a", 1000, slow) == 300
    with pytest.raises(pls.SolveTimeout):
        await lanes.ask("a", 0.1, slow)


@asynchronous
async def test_a_question_that_says_more_with_more_time_has_all_of_it_at_once():
    lanes = Lanes(300)
    assert await lanes.ask("a", None, given) == lanes_module.QUICK
    assert await lanes.ask("a", None, given, quick=False) == 300
    assert await lanes.ask("a", 100, given, quick=False) == 100


@pytest.mark.slow
@asynchronous
async def test_quick_ones_pass_while_every_slow_place_is_taken(tmp_path):
    """A search that hangs does not hold up a hint, even if the same client asks for both."""
    note = tmp_path / "pids"
    lanes = Lanes(600, places=2)
    await lanes.start()
    async with anyio.create_task_group() as group:
        for _ in range(3):
            group.start_soon(lanes.ask, "a", None, until_stopped, str(note))
        # Three quick tries, and two with all their time.
        await until(lambda: len(pids(note)) == 5)
        with anyio.fail_after(PATIENCE):
            assert [await lanes.ask("a", None, answer, n) for n in range(20)] == [*range(20)]
        assert len(pids(note)) == 5  # the third still waits
        group.cancel_scope.cancel()
    for pid in pids(note)[-2:]:
        await gone(pid)


@asynchronous
async def test_clients_take_turns(tmp_path):
    """The slow questions of one client do not all come before the first of another."""
    order = []
    lanes = Lanes(PATIENCE, places=1)

    async def ask(client):
        await lanes.ask(client, None, after_all, tmp_path / "tried", 6)
        order.append(client)

    async with anyio.create_task_group() as group:
        for client in "aaaab":
            group.start_soon(ask, client)
    assert order.index("b") in (1, 2)


@asynchronous
async def test_a_question_that_overruns_its_time_is_killed(tmp_path, monkeypatch):
    note = tmp_path / "pids"
    lanes = Lanes(0.2, places=1)
    await lanes.start()
    monkeypatch.setattr(lanes_module, "GRACE", 0.1)
    with pytest.raises(pls.SolveTimeout):
        await lanes.ask("a", None, endless, str(note))
    for pid in pids(note):
        await gone(pid)


@pytest.mark.slow
@asynchronous
async def test_what_prepares_a_process_does_not_count():
    lanes = Lanes(0.1, places=1, prepare=half_a_second)
    assert await lanes.ask("a", None, answer, 7) == 7


@pytest.mark.slow
@asynchronous
async def test_a_process_that_dies_costs_one_answer_and_too_many_are_sent_away(monkeypatch):
    lanes = Lanes(PATIENCE)
    with pytest.raises(pls.BackendFailure):
        await lanes.ask("a", None, die)
    assert await lanes.ask("a", None, answer, 7) == 7
    monkeypatch.setattr(lanes_module, "WAITING", 0)
    with pytest.raises(Busy):
        await lanes.ask("a", None, answer, 1)


@pytest.mark.slow
@asynchronous
async def test_a_request_is_dropped_if_its_client_disconnects():
    """The search would take an hour."""
    app = make_app(3600)
    body = b'{"puzzle": "%s", "limit": 1000000000}' % EMPTY.encode()
    messages = [{"type": "http.request", "body": body}]
    sent = []

    async def receive():
        if messages:
            return messages.pop()
        await until(lambda: app.state.lanes._slow.borrowed_tokens)  # it is searched for
        return {"type": "http.disconnect"}

    async def send(message):
        sent.append(message.get("status"))

    scope = {
        "type": "http",
        "method": "POST",
        "path": "/api/count",
        "query_string": b"",
        "headers": [(b"content-type", b"application/json")],
    }
    async with app.router.lifespan_context(app):
        await app(scope, receive, send)
    assert sent[0] == 499
