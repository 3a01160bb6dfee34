"""A wheel with SWI-Prolog inside, installed where nothing else of Prolog is to be found.

The first run of these builds SWI-Prolog, in some minutes; it is kept in build/wheel.
"""

from __future__ import annotations

import faulthandler
import os
import re
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest
from helpers.processes import ended
from helpers.puzzles import PRINTED
from test_toplevel import PROMPT, Toplevel

ROOT = Path(__file__).resolve().parent.parent
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
PROGRAM = """
:- use_module(library(clpfd)).
sudoku(Rows) :- append(Rows, Vs), Vs ins 1..9, maplist(all_distinct, Rows),
    transpose(Rows, Columns), maplist(all_distinct, Columns), Rows = [A,B,C,D,E,F,G,H,I],
    boxes(A, B, C), boxes(D, E, F), boxes(G, H, I), label(Vs).
boxes([], [], []).
boxes([A,B,C|X], [D,E,F|Y], [G,H,I|Z]) :- all_distinct([A,B,C,D,E,F,G,H,I]), boxes(X, Y, Z).
"""

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    faulthandler.cancel_dump_traceback_later()  # a build may take longer than a test
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder]
    environ = {**os.environ, "HATCH_BUILD_HOOK_ENABLE_CUSTOM": "true"}
    done = ended(*command, cwd=ROOT, env=environ, timeout=None)
    assert done.returncode == 0, done.stdout + done.stderr
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def python(wheel, tmp_path_factory) -> Path:
    """A Python that has the wheel, and what it needs but Prolog."""
    folder = tmp_path_factory.mktemp("installed") / "venv with a space"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    python = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", python, "--disable-pip-version-check"]
    subprocess.run([*pip, "install", "--no-index", "--no-deps", "-q", wheel], check=True)
    # clingo, click and rich; there is a janus too, which must not disturb.
    (site,) = folder.glob("lib/python*/site-packages")
    (site / "others.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return python


@pytest.fixture
def home(python) -> Path:
    """The home of the SWI-Prolog inside."""
    (found,) = python.parent.parent.glob("lib/*/site-packages/pylogic_sudoku/_swipl/home")
    return found


def swipl(home: Path, goal: str) -> subprocess.CompletedProcess[str]:
    (program,) = home.glob("bin/*/swipl")
    return ended(program, "-f", "none", "-g", goal, "-t", "halt", env={})


@pytest.fixture(params=["nothing else", "another Prolog"])
def environ(request, python, tmp_path) -> dict[str, str]:
    environ = {"PATH": str(python.parent), "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    if request.param == "another Prolog":
        other = str(Path(sys.executable).parent)
        (tmp_path / "home").mkdir()  # without a library, Prolog would end the process
        environ |= {"PATH": f"{python.parent}{os.pathsep}{other}", "SWIPL": f"{other}/swipl"}
        environ["SWI_HOME_DIR"] = str(tmp_path / "home")
    return environ


def run(environ: dict[str, str], *arguments: object, code: int = 0) -> str:
    program = Path(environ["PATH"].split(os.pathsep)[0]) / "pylogic-sudoku"
    done = ended(program, *arguments, cwd="/", env=environ)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_what_the_wheel_holds(wheel):
    assert wheel.stat().st_size < 6e6
    with zipfile.ZipFile(wheel) as file:
        contents = {name: file.read(name) for name in file.namelist()}
    own = str(ROOT).encode()
    # A compiled file of Prolog holds its old path, but does not need it.
    assert not [name for name, text in contents.items() if own in text and name[-4:] != ".qlf"]
    notices = contents["pylogic_sudoku/_swipl/NOTICES.txt"].decode()
    for holder in ("SWI-Prolog Solutions b.v.", "Fabrice Bellard", "Lucent", "Brian Gladman"):
        assert holder in notices
    assert re.search(r"-cp3\d+-cp3\d+-[a-z]+_", wheel.name)


def test_both_engines(environ):
    said = run(environ, "doctor")
    assert re.search(r"prolog +│ SWI-Prolog │ \d+\.\d+\.\d+ +│ ready", said)
    assert re.search(r"SWI-Prolog: .*/_swipl/home \(inside the package\)", said)
    assert re.search(r"swipl: .*/_swipl/home/bin/.*/swipl\n", said)
    said = run(environ, "solve", "-b", "all", "-f", "line", "--time", PUZZLE)
    assert SOLUTION in said
    assert "engines agree." in said


def test_only_free_components(home):
    done = swipl(home, "license")
    assert done.returncode == 0
    assert "only components covered by permissive license" in done.stdout + done.stderr


def test_every_library_loads(home):
    files = [*home.glob("library/*.pl"), *home.glob("library/ext/*/*.pl")]
    names = [f"'{file}'" for file in files if file.name not in ("INDEX.pl", "backcomp.pl")]
    goal = f"forall(member(F, [{','.join(names)}]), load_files(F, [imports([]), if(not_loaded)]))"
    done = swipl(home, goal)
    assert (done.returncode, "ERROR" in done.stderr) == (0, False), done.stderr


def test_the_grader(environ, tmp_path):
    program = tmp_path / "my.pl"
    program.write_text(PROGRAM)
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(PUZZLE)
    said = run(environ, "check", "-e", program, "-i", puzzles)
    assert "1 of 1" in said


def test_the_prompt(environ):
    program = environ["PATH"].split(os.pathsep)[0] + "/pylogic-sudoku"
    command = (program, "program", "prolog", "--open", "1..4.....3......")
    prompt = Toplevel(*command, env=environ)
    assert "1 2 | 3 4" in prompt.ask("puzzle(R), sudoku(R), !, print_grid(R).")
    assert "_swipl/home" in prompt.ask("current_prolog_flag(home, Home).")
    assert "160693804425899" in prompt.ask("X is 2**200.")
    # clingo, through the Python in which this prompt runs
    assert "true." in prompt.ask("use_module(library(sudoku_asp)).")
    assert "1 2 | 3 4" in prompt.ask("puzzle(R), asp_sudoku(R), !, print_grid(R).")
    prompt.child.sendline("print(searching), nl, repeat, fail.")
    prompt.child.expect("searching")
    prompt.child.sendintr()
    prompt.child.expect("Action")
    prompt.child.send("a")
    prompt.child.expect(PROMPT)
    assert prompt.halt() == 0
