"""Set-up as a program: what it says, that nothing outlives a stop, and that the demo has it all."""

from __future__ import annotations

import faulthandler
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from helpers.documents import check_commands, commands
from helpers.processes import PATIENCE
from helpers.serving import served

import machine
import setup
from pylogic_sudoku.engines.prolog.swipl import swipl

SCRIPTS = Path(setup.__file__).parent


def test_a_missing_compiler_is_reported_first(tmp_path):
    shutil.copytree(SCRIPTS, tmp_path / "scripts")
    shutil.copy(SCRIPTS.parent / "pyproject.toml", tmp_path)
    (tmp_path / "bin").mkdir()
    done = subprocess.run(
        [sys.executable, tmp_path / "scripts" / "setup.py"],
        env={"PATH": str(tmp_path / "bin"), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert done.returncode == 1
    assert "a C compiler" in done.stdout
    assert done.stderr == ""
    assert not (tmp_path / ".venv").exists()


# --- Stopping ---------------------------------------------------------------------------------

RUN = f"""
import os, signal, sys, machine, setup
from pathlib import Path
for number in setup.STOPS:
    signal.signal(number, setup.stop)
end = sys.argv[1]
machine.locks.append(int(end))  # what we run inherits it
def started(*arguments, start=machine.subprocess.Popen, **settings):
    process = start(*arguments, **settings)
    if sys.argv[3] == "starts":
        os.kill(os.getpid(), signal.SIGTERM)
    return process
machine.subprocess.Popen = started
command = f"echo started >&{{end}}; sleep {PATIENCE}; echo outlived >&{{end}}"
setup.run(["bash", "-c", command], Path(sys.argv[2]))
"""


@pytest.mark.parametrize("moment", ["starts", "runs"])
def test_a_stop_while_a_program_starts_or_runs_ends_all_that_it_started(tmp_path, moment):
    """They all hold an end of a pipe open: the other end ends with the last of them."""
    reader, end = os.pipe()
    command = [sys.executable, "-c", RUN, str(end), tmp_path / "log", moment]
    with (
        subprocess.Popen(command, cwd=SCRIPTS, pass_fds=[end], stderr=subprocess.PIPE) as process,
        open(reader) as lines,
    ):
        os.close(end)
        if moment == "runs":
            assert lines.readline() == "started\n"
            process.send_signal(signal.SIGTERM)
        assert "outlived" not in lines.read()
        assert process.stderr
        assert process.stderr.read().endswith(b"setup.Stopped: 15\n")


# --- Progress ---------------------------------------------------------------------------------


class Build:
    """A process that goes one step further each time that we wait for it in vain."""

    def __init__(self, log: Path, *said: str) -> None:
        self._log, self._said = log, list(said)

    def wait(self, timeout: float) -> int:
        if not self._said:
            return 0
        with self._log.open("a") as log:
            log.write(self._said.pop(0))
        raise subprocess.TimeoutExpired("build", timeout)


NINJA = ["\n$ cmake --build\n", *(f"[{n}/40] Building C object {n}\n" for n in range(1, 41))]
MAKE = ["\n$ cmake --build\n", *(f"[{n:3}%] Building C object\n" for n in range(101))]


@pytest.mark.parametrize("said", [NINJA, MAKE], ids=["ninja", "make"])
def test_a_build_says_every_tenth_of_its_way(tmp_path, capsys, said):
    (tmp_path / "log").write_text("\n$ an earlier build\n[9/10] Building\n# 1.0 seconds\n")
    assert machine.wait(Build(tmp_path / "log", *said), tmp_path / "log", 0) == 0
    assert capsys.readouterr().out == "".join(f"  {n} %\n" for n in range(10, 101, 10))


def test_a_program_without_figures_says_nothing_in_a_file(tmp_path, capsys):
    build = Build(tmp_path / "log", "\n$ pip install\n", "Collecting [1/2]\n")
    assert machine.wait(build, tmp_path / "log", 0) == 0
    assert capsys.readouterr().out == ""


def test_a_terminal_shows_progress_in_place_and_clean_afterwards(tmp_path, capsys, monkeypatch):
    build = Build(tmp_path / "log", "\n$ cmake\n", "[1/4] Building\n", "[3/4] Building\n")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert machine.wait(build, tmp_path / "log", 0) == 0
    shown = re.sub(r"\d+ seconds", "0 seconds", capsys.readouterr().out).split("\r")
    assert shown[:-2] == ["", "  0 seconds", "  25 %, 0 seconds", "  75 %, 0 seconds"]
    assert shown[-2].isspace()
    assert shown[-1] == ""


# --- What the demo sets up --------------------------------------------------------------------


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Path:
    """The .venv of a checkout after `make demo`, with the SWI-Prolog of these tests."""
    faulthandler.cancel_dump_traceback_later()  # this may take longer than a test
    root = tmp_path_factory.mktemp("demo") / "check out"
    cached = shutil.ignore_patterns("__pycache__")
    for name in ("scripts", "pylogic_sudoku", "prolog", "encodings"):
        shutil.copytree(SCRIPTS.parent / name, root / name, ignore=cached)
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(SCRIPTS.parent / name, root)
    done = subprocess.run(
        [sys.executable, root / "scripts" / "setup.py", "demo"],
        env={**os.environ, "SWIPL": str(swipl().resolve())},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return root / ".venv"


@pytest.mark.slow
def test_after_the_demo_everything_in_the_readme_runs(demo, tmp_path):
    readme, python = SCRIPTS.parent / "README.md", demo / "bin" / "python"
    (tmp_path / "commands").mkdir()
    check_commands(commands(readme), tmp_path / "commands", demo)
    done = subprocess.run(
        [python, "-m", "doctest", readme], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    with served(python=python) as (address, _), urlopen(address) as page:
        assert b"<title>" in page.read()


@pytest.mark.slow
def test_after_the_demo_the_command_in_an_error_adds_what_is_missing(demo, tmp_path):
    command = [demo / "bin" / "pylogic-sudoku", "show", "-o", "picture.png", "4......3...13..."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 3
    cure = done.stderr.partition("Install it: ")[2]
    done = subprocess.run(cure, cwd=tmp_path, shell=True, capture_output=True, text=True)
    assert done.returncode == 0, cure + done.stdout + done.stderr
    subprocess.run(command, cwd=tmp_path, check=True)
    assert (tmp_path / "picture.png").exists()
