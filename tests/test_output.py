"""Standard output and standard error that are full, closed or no longer read."""

from __future__ import annotations

import os
import subprocess
import sys
from io import StringIO

import pytest
from helpers.command_line import FOUR, MODULE, environment
from helpers.processes import PATIENCE, soon, terminal
from helpers.puzzles import EMPTY

from pylogic_sudoku.commands import _waiting
from pylogic_sudoku.engines.budget import Budget

FULL = "Error: standard output cannot be written: No space left on device\n"
CLOSED = "Error: standard output cannot be written: Bad file descriptor\n"

COMMANDS = [
    f"solve {FOUR}",
    f"solve -f json {FOUR}",
    "solve --jobs 2 -n 0 -f line ................",
    f"count {FOUR}",
    "certify 4......3...13...",
    f"show {FOUR}",
    "explain --rate 4......3...13...",
    f"compare {FOUR}",
    "doctor",
    "completion bash",
    "--help",
    "--version",
]


def shell(arguments: str, redirections: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """What the command does with its streams redirected like this."""
    return subprocess.run(
        ["bash", "-c", f'"$@" {redirections}', "bash", *MODULE, *arguments.split()],
        env=environment(**settings),
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )


@pytest.mark.parametrize("arguments", COMMANDS)
def test_a_full_disk_is_one_line_and_exit_code_6(arguments):
    done = shell(arguments, "> /dev/full")
    assert (done.returncode, done.stderr) == (6, FULL)


@pytest.mark.parametrize("arguments", [COMMANDS[0], f"show {FOUR}", "--help"])
def test_a_standard_output_that_was_closed_is_the_same(arguments):
    done = shell(arguments, ">&-")
    assert (done.returncode, done.stderr) == (6, CLOSED)


def test_without_buffers_it_is_the_same():
    done = shell(f"solve {FOUR}", "> /dev/full", PYTHONUNBUFFERED="1")
    assert (done.returncode, done.stderr) == (6, FULL)


def test_grading_onto_a_full_disk(program):
    program("initial(1,1,1).", "one.lp")
    file = program("wrong.")
    done = shell(f"check -e {file} -i {file.parent / 'one.lp'}", "> /dev/full")
    assert (done.returncode, done.stderr) == (6, FULL)


@pytest.mark.parametrize("redirection", ["2> /dev/full", "2>&-"])
@pytest.mark.parametrize(
    ("arguments", "code", "answer"),
    [(f"count 12 {FOUR}", 2, "3\n"), ("--nonsense", 2, "")],
)
def test_messages_that_cannot_be_written_change_nothing(arguments, code, answer, redirection):
    done = shell(arguments, redirection)
    assert (done.returncode, done.stdout, done.stderr) == (code, answer, "")


def test_all_streams_closed():
    assert shell(f"solve {FOUR}", "<&- >&- 2>&-").returncode == 6
    done = shell("count -", "<&-")
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be read: Bad file descriptor\n" in done.stderr


def test_no_message_ends_in_a_file_that_took_the_place_of_a_closed_stream(tmp_path):
    log = tmp_path / "log.jsonl"
    done = shell(f"compare --json {log} 12 {FOUR}", "<&- >&- 2>&-")
    assert done.returncode == 6
    lines = log.read_text().splitlines()
    assert [line[:12] for line in lines] == ['{"number": 1', '{"summary": ']


@pytest.mark.parametrize("arguments", ["--help", "doctor", f"solve {FOUR}"])
def test_a_reader_that_has_gone_is_not_an_error(arguments):
    reader, writer = os.pipe()
    os.close(reader)
    with os.fdopen(writer, "wb") as pipe:
        done = subprocess.run(
            [*MODULE, *arguments.split()], env=environment(), stdout=pipe, stderr=subprocess.PIPE
        )
    assert (done.returncode, done.stderr) == (141, b"")


def test_a_slow_reader_of_a_pipe_that_does_not_block_gets_everything():
    code = "import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])"
    solve = ["solve", "-n", "3000", "-f", "json", "--box", "2x3", "." * 36]
    with subprocess.Popen(
        [MODULE[0], "-c", code, *MODULE, *solve],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        out, err = process.communicate(timeout=PATIENCE)
    assert (process.returncode, err, out.count(b"[[")) == (0, b"", 3001)
    assert len(out) > 2**18, "more than a pipe holds"


class Terminal(StringIO):
    def isatty(self) -> bool:
        return True


def test_a_terminal_says_what_takes_long_until_it_has_ended(monkeypatch):
    screen = Terminal()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(_waiting, "PATIENCE", 1e6)
    assert list(_waiting.patient(iter("ab"), "puzzle 1")) == ["a", "b"]
    assert screen.getvalue() == ""
    monkeypatch.setattr(_waiting, "PATIENCE", 0)
    budget = Budget("clingo", None)
    budget.turn_to("looking for pairs")
    with _waiting.waiting("puzzle 2"), budget:
        assert soon(lambda: "puzzle 2: looking for pairs … " in screen.getvalue())
    assert screen.getvalue().endswith("\x1b[2K")


def test_a_command_that_takes_long_says_so_and_ctrl_c_ends_it():
    shown = terminal(*MODULE, "count", EMPTY, env=environment(TERM="xterm"))
    shown.expect("puzzle 1: clingo is searching .* s")
    shown.sendintr()
    assert shown.read().decode().endswith("Interrupted.\r\n")
    shown.wait()
    assert shown.exitstatus == 130
