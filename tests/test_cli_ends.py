"""The ends of commands: exit codes, broken engines, Ctrl-C and closed pipes."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from functools import partial
from types import SimpleNamespace

import pytest
from helpers.command_line import FOUR, MODULE, environment, invoke, run, spawned, started
from helpers.fakes import installed
from helpers.processes import PATIENCE, soon, terminal
from helpers.puzzles import EMPTY

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, __main__
from pylogic_sudoku import questions as api

# --- exit codes -------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["clingo", "prolog"])
def test_out_of_time(command, clock, monkeypatch, backend):
    def count(puzzle, *arguments):
        clock.over = str(puzzle) == EMPTY
        return real(puzzle, *arguments)

    real = api.count
    monkeypatch.setattr(api, "count", count)
    code, out, err = command("count", "-t", "60", "-b", backend, EMPTY, FOUR)
    assert (code, out) == (4, "3\n")
    late = rf"puzzle 1: {backend} gave no answer within 60 s(; at least \d+ solutions? so far)?\n"
    assert re.fullmatch(late, err)


@pytest.mark.slow
@pytest.mark.parametrize(("backend", "jobs"), [("clingo", "1"), ("prolog", "1"), ("all", "2")])
def test_a_count_out_of_time_says_how_far_it_came(backend, jobs):
    number, limit = 0, 0.5
    while not number:  # a busy machine has not even started an engine in a short time
        done = run("count", "-t", limit, "-b", backend, "--jobs", jobs, "-f", "json", EMPTY)
        assert done.returncode == 4
        (told,) = map(json.loads, done.stdout.splitlines())
        number, limit = told["at_least"], 2 * limit
    assert done.stderr == f"puzzle 1: {told['error']}\n"
    assert told["error"].endswith(f"; at least {number} solution{'s' * (number != 1)} so far")


BROKEN = """
from pylogic_sudoku import SudokuEngine, BackendUnavailable

class Broken(SudokuEngine):
    name = engine = "broken"
    def version(self):
        raise BackendUnavailable("the broken engine is not here", "Get a whole one.")
    def solutions(self, puzzle, timeout=None):
        yield self.version()
"""


def test_an_engine_that_is_missing(tmp_path):
    env = installed(tmp_path, "broken", BROKEN)
    done = spawned("solve", "-b", "broken", FOUR, env=env)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr == "Error: the broken engine is not here\nGet a whole one.\n"

    done = spawned("doctor", env=env)
    assert done.returncode == 3
    assert re.search(r"broken .* missing", done.stdout)
    assert done.stdout.endswith("\nbroken: the broken engine is not here\nGet a whole one.\n")


# --- memory -----------------------------------------------------------------------------


def test_solutions_that_are_printed_are_not_kept(monkeypatch):
    alive, most = 0, 0

    class Counted(Grid):
        def __del__(self):
            nonlocal alive
            alive -= 1

    def solutions(puzzle, *_settings):
        nonlocal alive, most
        for _ in range(1000):
            alive += 1
            most = max(most, alive)
            yield Counted(puzzle.digits, puzzle.box)

    monkeypatch.setattr(api, "solutions", solutions)
    done = invoke("solve", "-n", "0", "-f", "line", FOUR)
    assert (done.exit_code, done.output.count("\n")) == (0, 1000)
    assert most <= 4


# --- interrupts and closed pipes --------------------------------------------------------


@pytest.mark.parametrize(
    ("command", "first"),
    [
        (["count", "-b", "clingo", FOUR, EMPTY], lambda: [3]),
        (["count", "-b", "prolog", FOUR, EMPTY], lambda: [3]),
        (["generate", "0", "--seed", "1"], lambda: pls.generate(3, seed=1)),
    ],
    ids=["clingo", "prolog", "generate"],
)
@pytest.mark.parametrize(
    ("sent", "said"),
    [
        (signal.SIGINT, "Interrupted."),
        pytest.param(signal.SIGTERM, "Terminated.", marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, "Terminated.", marks=pytest.mark.slow),
    ],
)
def test_signals_may_come_more_than_once(command, first, sent, said):
    with started(*command) as process:
        for answer in first():
            assert process.stdout.readline() == f"{answer}\n"
        assert soon(lambda: process.send_signal(sent) or process.poll() is not None)
        _, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err.strip()) == (128 + sent, said)


def test_a_signal_that_was_ignored_at_the_start_stays_ignored():
    """As after nohup; a program that starts a command in the background may ignore Ctrl-C too."""
    ignored = (signal.SIGHUP, signal.SIGINT)
    before = {number: signal.signal(number, signal.SIG_IGN) for number in ignored}
    try:
        with started("count", FOUR, EMPTY) as process:
            assert process.stdout.readline() == "3\n"
            for number in (*ignored, signal.SIGTERM):
                process.send_signal(number)
            _, err = process.communicate(timeout=PATIENCE)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    assert (process.returncode, err) == (143, "\nTerminated.\n")


@pytest.mark.parametrize("command", ["count", "solve", "compare"])
def test_the_end_of_the_terminal_ends_a_command_that_has_nowhere_to_say_so(command):
    options = [] if command == "count" else ["-n", "0"]
    # Where the tests run without the signal, the command would ignore it, too, as it should.
    heard = partial(signal.signal, signal.SIGHUP, signal.SIG_DFL)
    child = terminal(*MODULE, command, *options, FOUR, EMPTY, env=environment(), preexec_fn=heard)
    child.expect("3\r\n" if command == "count" else "1")
    child.ptyproc.fileobj.close()
    child.closed = True
    _, status = os.waitpid(child.pid, 0)
    assert os.waitstatus_to_exitcode(status) == 129


@pytest.mark.one_in(6)
@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize(
    "command",
    [
        *(f"solve -n 0 -f line -b {name} {EMPTY}" for name in ("clingo", "prolog")),
        "generate 0 --seed 1",
    ],
)
def test_a_reader_that_has_seen_enough_is_not_an_error(command, jobs):
    with started(*command.split(), "--jobs", jobs) as process:
        assert pls.solve(process.stdout.readline().strip())
        process.stdout.close()
        assert process.wait(PATIENCE) == 141
        assert process.stderr.read() == ""


def test_ctrl_c_while_the_command_is_imported(monkeypatch, capsys):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "pylogic_sudoku.cli", raising=False)
    monkeypatch.setattr(sys, "meta_path", [SimpleNamespace(find_spec=interrupted)])
    with pytest.raises(SystemExit) as ended:
        __main__.main()
    assert (ended.value.code, *capsys.readouterr()) == (130, "", "Interrupted.\n")
