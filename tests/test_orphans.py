"""No process is left behind, however its parent ends."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from contextlib import suppress
from itertools import product
from pathlib import Path
from uuid import uuid4

import pytest
from helpers import check_programs as programs
from helpers.command_line import MODULE, environment
from helpers.processes import LINUX, MARK, PATIENCE, left_of, marked, soon
from helpers.puzzles import EMPTY

from pylogic_sudoku.engines.clingo import application

pytestmark = LINUX

ROUNDS = int(os.environ.get("ROUNDS", "20"))
SEED = int(os.environ.get("SEED", "1"))
LATEST = 4.0
"""Seconds after the start of a command within which the signal comes."""
SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)

SLEEPS = "#script(python)\nimport subprocess\nsubprocess.Popen(['sleep', '1000'])\n#end.\n"
CELL = f"""
from helpers.shells import Shell
Shell().magics["%s"]("{EMPTY} -n 0", '''%s''')
"""
WORKERS = f"""
import pylogic_sudoku as pls
if __name__ == "__main__":
    for check in pls.cross_check(["{EMPTY}"] * 3, limit=None, jobs=2):
        print(check)
"""


@pytest.fixture
def commands(tmp_path) -> dict[str, list[str]]:
    """Everything that starts processes and runs for more than a minute."""

    def file(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    puzzles = file("puzzles.txt", f"{EMPTY}\n" * 9)
    many = file("many.txt", f"{EMPTY}\n" * 9999)
    givens = file("ex001.lp", "initial(1,1,1).")
    endless = programs.RIGHT + "count(0). count(X+1) :- count(X).\n"
    cell = CELL % ("clingo", f"{programs.RIGHT}\ncount(0). count(X+1) :- count(X).")
    check = [*MODULE, "check", "-t", "600", "-i", givens]
    race = [sys.executable, "-m", "benchmarks.race", "-t", "600", "--puzzles", "9999"]
    script = [sys.executable, file("workers.py", WORKERS)]
    asplain = [*MODULE, "explain", "--asplain", "sudoku(1,1,2)", *["1" + "." * 80] * 50]
    jobs = ["--jobs", "2", puzzles]
    return {
        "count": [*MODULE, "count", *jobs],
        "count by Prolog": [*MODULE, "count", "-b", "prolog", *jobs],
        "solve": [*MODULE, "solve", "-n", "0", *jobs],
        "solve by Prolog": [*MODULE, "solve", "-n", "0", "-b", "prolog", *jobs],
        "compare": [*MODULE, "compare", "-n", "0", *jobs],
        "serve": [*MODULE, "serve", "--port", "0"],
        "check": [*check, "--allow-scripts", "-e", file("my.lp", SLEEPS + endless)],
        "check Prolog": [*check, "-e", file("my.pl", ":- repeat, fail.")],
        "race": [*race, "--jobs", "2", "--contestant=clingo*", many],
        "race by Prolog": [*race, "--jobs", "2", "--contestant=prolog*", many],
        "asplain": asplain,
        "script": script,
        "cell": [sys.executable, file("clingo_cell.py", cell)],
        "Prolog cell": [sys.executable, file("cell.py", CELL % ("prolog", ":- repeat, fail."))],
    }


def start(command: list[str], mark: str, **settings: object) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    tests = Path(__file__).parent
    env = environment(tests, **{MARK: mark})
    return subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=pipe, text=True, env=env, **settings
    )


@pytest.mark.slow
@pytest.mark.parametrize("number", range(ROUNDS))
def test_a_command_that_is_ended_at_a_random_moment_leaves_nothing(commands, number):
    """A hundred rounds: ROUNDS=100 python -m pytest -m slow tests/test_orphans.py"""
    chance = random.Random(f"{SEED} {number}")
    cycle, place = divmod(number, len(commands))
    name = list(commands)[place]
    sent = SIGNALS[(cycle + place) % len(SIGNALS)]
    mark = str(uuid4())
    with start(commands[name], mark) as process:
        moment = chance.uniform(0, LATEST)
        with suppress(subprocess.TimeoutExpired):
            process.wait(moment)
        number_of_processes = len(marked(mark))
        process.send_signal(sent)
        try:
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            left = left_of(mark)
    print(f"{name}, {sent.name} after {moment:.2f} s to one of {number_of_processes} processes")
    assert left == {}
    assert process.returncode in (-sent, 128 + sent)
    if sent != signal.SIGKILL:
        assert errors in ("", "\nTerminated.\n")


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        *product(("count", "check", "script"), (signal.SIGTERM, signal.SIGKILL)),
        *product(("solve by Prolog", "cell"), (signal.SIGHUP, signal.SIGKILL)),
    ],
)
def test_all_processes_end_with_the_one_that_started_them(commands, name, sent):
    mark = str(uuid4())
    with start(commands[name], mark) as process:
        try:
            assert soon(lambda: len(marked(mark)) > 2)
            process.send_signal(sent)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            left = left_of(mark)
    assert left == {}
    if sent != signal.SIGKILL and commands[name][1:3] == MODULE[1:]:
        assert (process.returncode, errors) == (128 + sent, "\nTerminated.\n")
    else:
        assert process.returncode == -sent


@pytest.mark.parametrize("name", ["count", "solve"])
def test_ctrl_c_to_all_processes_while_workers_start(commands, name):
    """A terminal sends it to the workers too, which must print nothing."""
    mark = str(uuid4())
    with start(commands[name], mark, start_new_session=True) as process:
        try:
            assert soon(lambda: len(marked(mark)) > 2)
            os.killpg(process.pid, signal.SIGINT)
            _, errors = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
            left = left_of(mark)
    assert (process.returncode, errors, left) == (130, "\nInterrupted.\n", {})


def test_its_folder_goes_even_if_nobody_hears_the_reply(tmp_path):
    folder = tmp_path / "here"
    folder.mkdir()
    for atom in ("first", "second"):
        (folder / atom).write_text(f"{atom}.")
    read, write = os.pipe()
    os.close(read)
    process = subprocess.Popen(
        [sys.executable, "-P", str(application._RUNNER)],
        stdin=subprocess.PIPE,
        stdout=write,
        stderr=subprocess.PIPE,
        cwd=folder,
    )
    os.close(write)
    process.stdin.write(b'["first"]\n["second"]\n')
    process.stdin.flush()
    output = folder / "output"
    assert soon(lambda: output.exists() and "\nsecond\n" in output.read_text())
    _, errors = process.communicate()
    assert errors == b""
    assert not folder.exists()
