"""The package starts the Prolog that janus is linked with, whatever else is on the machine."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest
from helpers.processes import ended, run
from test_toplevel import Toplevel

from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.exercise import program_text
from pylogic_sudoku.running import prolog as start

PUZZLE, SOLUTION = "4......3...13...", "4312124324313124"
LINUX = pytest.mark.skipif(
    sys.platform != "linux", reason="only Linux looks for libraries in LD_LIBRARY_PATH"
)
COMMAND = Path(sys.executable).with_name("pylogic-sudoku")


@pytest.fixture
def foreign(tmp_path) -> Path:
    """The folder of a program swipl that is no SWI-Prolog, with a home that holds nothing."""
    folder = tmp_path / "foreign"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(shutil.which("true") or "/bin/true", folder / "bin" / "swipl")
    (folder / "swipl.home").write_text(".\n")
    return folder


@pytest.fixture(params=["on the path", "by SWI_HOME_DIR", "an empty environment"])
def environ(request, foreign, tmp_path) -> dict[str, str]:
    """An environment that leads to another Prolog, or to none."""
    return {
        "on the path": {"PATH": f"{foreign / 'bin'}:/usr/bin:/bin", "HOME": str(tmp_path)},
        "by SWI_HOME_DIR": {**os.environ, "SWI_HOME_DIR": str(foreign)},
        "an empty environment": {},
    }[request.param]


@pytest.mark.one_in(3)
def test_the_engine_starts(environ):
    done = ended(COMMAND, "solve", "-b", "prolog", "-f", "line", PUZZLE, env=environ)
    assert (done.stdout, done.stderr, done.returncode) == (f"{SOLUTION}\n", "", 0)


@pytest.mark.one_in(3)
def test_the_doctor_finds_the_program_of_the_engine(environ):
    done = ended(COMMAND, "doctor", env=environ)
    home = start.home()
    assert home is not None
    assert f"SWI-Prolog: {home} (" in done.stdout
    assert f"swipl: {home}/bin/" in done.stdout
    assert done.returncode == 0


@pytest.mark.one_in(3)
def test_worker_processes_start_it(environ):
    done = ended(
        *(COMMAND, "solve", "-b", "prolog", "--jobs", 2, "-f", "line"), *3 * [PUZZLE], env=environ
    )
    assert (done.stdout, done.stderr, done.returncode) == (f"{SOLUTION}\n" * 3, "", 0)


@pytest.mark.one_in(3)
def test_the_grader_runs_it(environ, tmp_path):
    (tmp_path / "my.pl").write_text(program_text("Prolog", (2, 2), Grader()))
    (tmp_path / "puzzles.txt").write_text(f"{PUZZLE}\n")
    done = ended(*(COMMAND, "check", "-e", "my.pl", "-i", "puzzles.txt"), env=environ, cwd=tmp_path)
    assert "1 of 1 passed" in done.stdout
    assert done.returncode == 0


@pytest.mark.one_in(3)
def test_the_prompt_is_its_own(environ):
    program = (str(COMMAND), "program", "prolog", "--open", PUZZLE)
    prompt = Toplevel(*program, env={"TERM": "dumb", **environ})
    assert str(start.home()) in prompt.ask("current_prolog_flag(home, Home).")
    assert "4 3 | 1 2" in prompt.ask("puzzle(R), sudoku(R), !, print_grid(R).")
    assert prompt.halt() == 0


# --- libraries in a place of their own --------------------------------------------------------


@pytest.fixture
def moved(tmp_path) -> Path:
    """A copy of SWI-Prolog's library that janus takes, away from its home, as in a distribution."""
    spec = start._spec()
    assert spec is not None
    janus = start._library(spec)
    assert janus is not None
    library = start._library_of_prolog(janus)
    assert library is not None
    folder = tmp_path / "lib"
    folder.mkdir()
    (name,) = {
        each.name for each in library.parent.glob("libswipl.so.*") if each.name.count(".") == 2
    }
    return Path(shutil.copy(library, folder / name))


@LINUX
def test_a_library_away_from_its_home_is_asked_for_it(moved, foreign):
    done = run(
        "print(pls.solve('4......3...13...', 'prolog'))",
        LD_LIBRARY_PATH=str(moved.parent),
        SWI_HOME_DIR=str(foreign),
        PATH=str(foreign / "bin"),
    )
    assert (done.stdout, done.stderr) == (f"{SOLUTION}\n", "")


@LINUX
def test_a_prolog_that_would_end_the_process_is_an_error(moved):
    home = os.fsencode(str(start.home()))
    text = moved.read_bytes()
    assert home in text
    moved.write_bytes(text.replace(home, b"/" + b"n" * (len(home) - 1)))
    done = run(
        """
        for _ in range(2):
            try:
                pls.solve(PUZZLE, "prolog")
            except pls.BackendUnavailable as error:
                print(error.why)
        print(pls.count("." * 16))
        """,
        LD_LIBRARY_PATH=str(moved.parent),
    )
    first, second, number = done.stdout.splitlines()
    assert first == second
    assert first.startswith("SWI-Prolog does not start: ")
    assert "resources" in first
    assert number == "288"
    assert done.stderr == ""


def test_the_program_of_the_home_comes_first(foreign, monkeypatch):
    """Before the one of $SWIPL and the path, and it is told its home."""
    monkeypatch.setenv("PATH", str(foreign / "bin"))
    monkeypatch.setenv("SWIPL", str(foreign / "bin" / "swipl"))
    home = start.home()
    assert home is not None
    program, option = start.command()
    assert home in Path(program).parents
    assert option == f"--home={home}"


def test_without_a_bridge_the_program_on_the_path_is_used(foreign, monkeypatch):
    monkeypatch.setattr(start, "_spec", lambda: None)
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.delenv("SWIPL", raising=False)
    monkeypatch.setenv("PATH", str(foreign / "bin"))
    assert start.home() is None
    assert start.command() == [str(foreign / "bin" / "swipl")]
