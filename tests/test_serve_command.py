"""``pylogic-sudoku serve``, as people start and end it."""

from __future__ import annotations

import contextlib
import json
import logging
import signal
import socket
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from urllib.request import urlopen
from uuid import uuid4

import pytest
from helpers.command_line import run
from helpers.processes import LINUX, MARK, PATIENCE, left_of
from helpers.puzzles import EMPTY, PRINTED
from helpers.serving import ask, served

from pylogic_sudoku._resources import install_command
from pylogic_sudoku.serve._server import Server

PUZZLE, SOLUTION = next(iter(PRINTED.items()))


def solve(address, engine="clingo"):
    status, answer = ask(address, "solve", puzzle=PUZZLE, engine=engine)
    assert status == 200, answer
    return "".join(str(digit) for row in answer["solutions"][0] for digit in row)


def test_the_page_and_its_questions_are_at_the_address(address, backend):
    assert address.startswith("http://127.0.0.1:")
    assert b"<title>" in urlopen(address).read()
    assert solve(address, backend) == SOLUTION


@pytest.mark.slow
def test_endless_puzzles_are_cut_off_while_others_are_served():
    """Ctrl-C ends it quietly, even during a search."""
    endless = {"puzzle": EMPTY, "limit": 10**9}
    with (
        ThreadPoolExecutor() as askers,
        served("--host", "0.0.0.0", "--timeout", "600") as (address, process),
    ):
        address = address.replace("0.0.0.0", "127.0.0.1")
        for_ever = askers.submit(ask, address, "count", **endless)
        too_long = askers.submit(ask, address, "count", **endless, timeout=2, engine="prolog")
        solved = [askers.submit(solve, address) for _ in range(20)]
        assert [each.result() for each in solved] == [SOLUTION] * 20
        code, answer = too_long.result()
        assert code == 200
        assert answer["stopped"] == "time"
        assert solve(address, "prolog") == SOLUTION
        assert not for_ever.done()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
        assert for_ever.exception() or for_ever.result()[0] >= 499
        assert process.stdout.read() == ""
        said = ["Everyone who can reach this machine can use it.", "Interrupted."]
        assert process.stderr.read().split("\n\n") == [said[0], said[1] + "\n"]


@LINUX
@pytest.mark.parametrize("sent", [signal.SIGHUP, signal.SIGKILL], ids=lambda sent: sent.name)
def test_its_engines_end_with_it(monkeypatch, sent):
    mark = str(uuid4())
    monkeypatch.setenv(MARK, mark)
    with ThreadPoolExecutor() as askers, served("--timeout", "600") as (address, process):
        askers.submit(ask, address, "count", puzzle=EMPTY, limit=10**9)
        assert solve(address) == SOLUTION
        process.send_signal(sent)
        process.wait(PATIENCE)
        monkeypatch.delenv(MARK)
        assert left_of(mark) == {}
        if sent == signal.SIGHUP:
            assert (process.returncode, process.stderr.read()) == (129, "\nTerminated.\n")


def test_a_worker_that_ended_unseen_is_not_reported(monkeypatch, caplog):
    asyncio_log = logging.getLogger("asyncio")
    monkeypatch.setattr(asyncio_log, "level", logging.NOTSET)
    server = Server("127.0.0.1", 0, 1)
    monkeypatch.setattr(server._server, "run", lambda sockets: asyncio_log.warning("unknown"))
    with contextlib.closing(server._socket):
        server.run()
    assert caplog.messages == []
    asyncio_log.setLevel(logging.NOTSET)


def test_a_port_in_use_is_reported():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        ended = run("serve", "--port", port)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"cannot listen at 127.0.0.1, port {port}: Address already in use" in ended.stderr


def test_a_bad_address_is_refused():
    ended = run("serve", "--host", "nowhere.invalid")
    assert ended.returncode == 2
    assert "cannot listen at nowhere.invalid" in ended.stderr


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn"])
def test_without_the_extra_it_says_how_to_install_it(missing):
    code = (
        f"import sys; sys.modules[{missing!r}] = None; sys.argv[1:] = ['serve']\n"
        "from pylogic_sudoku.commands._main import main; main()"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.returncode == 3
    assert f"needs {missing}" in ended.stderr
    assert f"Install it: {install_command('serve')}\n" in ended.stderr


def test_the_command_alone_loads_nothing_of_it():
    code = (
        "import sys, pylogic_sudoku.commands.serve;"
        " print({'fastapi', 'uvicorn'} & set(sys.modules))"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert ended.stdout == "set()\n"


def test_each_limit_can_be_set_and_is_kept_by_the_processes_that_answer():
    with served("--bound", "size=25", "--bound", "solutions=2") as (address, _):
        with urlopen(f"{address}api") as about:
            assert {"size": 25, "solutions": 2}.items() <= json.load(about).items()
        status, answer = ask(address, "read", text="." * 625)
        assert (status, len(answer["puzzles"][0]["grid"])) == (200, 25)
        assert ask(address, "solve", puzzle="." * 16, limit=3)[0] == 422


@pytest.mark.parametrize(
    ("limit", "complaint"),
    [
        ("size", "--bound size: expected NAME=N, such as size=25"),
        ("size=0", "--bound size=0: expected NAME=N"),
        (f"size={'9' * 5000}", "expected NAME=N"),
        ("seconds=3", "--bound seconds: choose one of size, bytes, puzzles, "),
    ],
)
def test_a_bad_limit_is_refused(limit, complaint):
    ended = run("serve", "--bound", limit)
    assert ended.returncode == 2
    assert complaint in ended.stderr
