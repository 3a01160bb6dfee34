"""Submissions that are right only if they get at what they must not, and honest ones.

Each is graded by a command of its own, as root or as an ordinary user, at each level of the
sandbox.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from helpers import check_programs as programs
from helpers.processes import PATIENCE
from helpers.programs import no_sandbox
from helpers.puzzles import PRINTED
from pylogic_sudoku import Grid
from pylogic_sudoku.check import Grader
from pylogic_sudoku.check.exercise import Exercise, program_text
from pylogic_sudoku.files import resource
from pylogic_sudoku.running.prolog import swipl

ROOT = Path(__file__).resolve().parents[2]
RIGHT = program_text("Prolog", (3, 3), Grader(predicate="right"))
TOKEN = "PRIVATE_TOKEN"
NOBODY = "nobody"
USERS = ("root", "ordinary") if os.geteuid() == 0 else ("ordinary",)
LEVELS = ("plain", "namespaces", "bwrap")
REFUSED = "there is no sandbox here: "
"""The words of the grader if no sandbox works for this user."""


def after(attack: str) -> str:
    """Return a Prolog program that is right if the attack succeeds."""
    return f"{RIGHT}\nsudoku(Rows) :- attack, right(Rows).\nattack :- {attack}.\n"


def prolog_attacks(week: Path, port: int) -> dict[str, str]:
    """Return attacks on an exercise, and on a server that listens at a port, by name."""

    def reads(path: str) -> str:
        return f'read_file_to_string("{week}/{path}", Text, []), Text \\== ""'

    def writes(path: str) -> str:
        return f'open("{path}", write, Out), write(Out, forged), close(Out)'

    return {
        "solver": f"load_files(solver:'{resource('prolog/sudoku.pl')}', [silent(true)])",
        "encoding": f"read_file_to_string('{resource('encodings/sudoku.lp')}', _, [])",
        "solutions": reads("solutions/ex001.json"),
        "instance": reads("instances/ex002.lp"),
        "reference": reads("reference/sudoku.pl"),
        "new root": f"getenv('TMPDIR', Scratch), atomic_list_concat([Scratch, '/root{week}/"
        'solutions/ex001.json\'], File), read_file_to_string(File, Text, []), Text \\== ""',
        "machine": "exists_directory('/etc/apt') ; exists_directory('/etc/ssl')",
        "network": f"use_module(library(socket)), tcp_connect('127.0.0.1':{port}, S, []), close(S)",
        "report": writes(f"{week}/results.json"),
        "neighbour": writes("neighbour.pl"),
        "temporary": writes(f"/tmp/{week.parent.name}-forged"),
        "token": f"getenv('{TOKEN}', _)",
        "root": "shell('PATH=/usr/bin:/bin; test $(id -u) -eq 0')",
        "processes": "current_prolog_flag(pid, Pid), Pid > 30",
    }


def asp_attacks(week: Path) -> dict[str, str]:
    def includes(path: object) -> str:
        return f'#include "{path}".\n'

    return {
        "include encoding": includes(resource("encodings/sudoku.lp")),
        "include reference": includes(week / "reference/sudoku.lp"),
        "include instance": includes(week / "instances/ex002.lp") + programs.RIGHT,
        "include neighbour": includes("../helper.lp") + programs.RIGHT,
        "include link": includes("link.lp"),
        "include from include": includes("deep/in.lp"),
    }


SCRIPT = """
#script (python)
import os
from clingo import Number
def attack():
    return Number(int(os.path.exists({path!r}) and len(open({path!r}).read()) > 0))
#end.
:- @attack() = 0.
"""

HONEST = {
    "honest.lp": '#include "parts/rules.lp".\n',
    "honest.pl": f"""\
:- use_module(parts/size, [size/1]).
:- include(parts/rules).
{RIGHT}
sudoku(Rows) :-
    read_file_to_string('data.txt', Text, []),
    Text == "nine\\n",
    size(Size), named(Size, Rows),
    right(Rows).
""",
}
PARTS = {
    "parts/rules.lp": programs.RIGHT,
    "parts/size.pl": ":- module(size, [size/1]).\nsize(9).\n",
    "parts/rules.pl": "named(Size, Rows) :- length(Rows, Size).\n",
    "data.txt": "nine\n",
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


@contextmanager
def place() -> Iterator[Path]:
    """Make a folder that everybody can reach."""
    with tempfile.TemporaryDirectory(prefix="attacked-", ignore_cleanup_errors=True) as name:
        folder = Path(name).resolve()
        folder.chmod(0o755)
        yield folder
        Path(f"/tmp/{folder.name}-forged").unlink(missing_ok=True)


def exercise(folder: Path) -> Path:
    """Make an exercise of two instances, with reference programs."""
    made = Exercise(folder / "week")
    for puzzle in list(PRINTED)[:2]:
        made.add(Grid.parse(puzzle))
    write(
        folder / "week",
        {
            "exercise.toml": 'title = "Week"\n',
            "reference/sudoku.lp": programs.RIGHT,
            "reference/sudoku.pl": programs.PROLOG,
        },
    )
    return folder / "week"


def give(folder: Path, user: str) -> None:
    """Let the user who grades own all that is in the folder, and others see no exercise."""
    if user == "submitter":
        subprocess.run(["chmod", "-R", "go=", str(folder / "week")], check=True)
    if os.geteuid() == 0 and user == "ordinary":
        subprocess.run(["chown", "-R", NOBODY, str(folder)], check=True)


def python_for_all() -> tuple[str, dict[str, str]]:
    """Return a Python that every user can run, and variables with which it finds the package."""
    program = Path(sys.executable).resolve()
    if all(each.stat().st_mode & 0o001 for each in program.parents):
        return sys.executable, {}
    version = f"python3.{sys.version_info.minor}"
    found = shutil.which(version, path="/usr/bin:/usr/local/bin")
    assert found, f"{program} is out of reach for other users; install {version}"
    sites = [str(ROOT), *(each for each in sys.path if each.endswith("site-packages"))]
    return found, {"PYTHONPATH": os.pathsep.join(sites), "SWIPL": str(swipl())}


def graded(
    user: str, level: str, folder: Path, *arguments: object, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run ``check`` as this user at this level; for ``submitter``, root does, as on Gradescope."""
    python, variables = (sys.executable, {}) if user == "root" else python_for_all()
    # bwrap is hidden by a path that only has the engines.
    path = os.environ["PATH"] if level == "bwrap" else str(Path(sys.executable).parent)
    if level == "bwrap" and not shutil.which("bwrap"):
        no_sandbox("bubblewrap is missing: apt install bubblewrap")
    sandbox = "off" if level == "plain" else "require"
    command = [python, "-m", "pylogic_sudoku", "check", *arguments, "--sandbox", sandbox]
    command += ["--user", NOBODY] if user == "submitter" else []
    if user == "ordinary" and os.geteuid() == 0:
        setpriv = shutil.which("setpriv")
        assert setpriv, "setpriv of util-linux is missing"
        command = [setpriv, f"--reuid={NOBODY}", "--regid=nogroup", "--clear-groups", *command]
    done = subprocess.run(
        [*map(str, command)],
        cwd=folder,
        env={**os.environ, **variables, "PATH": path, TOKEN: "secret", **environment},
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if REFUSED in done.stderr:
        no_sandbox(done.stderr.partition(REFUSED)[2].splitlines()[0])
    return done


def verdicts(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return the verdicts on the first instance, by the folders of the programs."""
    found = {}
    for line in done.stdout.splitlines():
        record = json.loads(line)
        if record.get("instance") == "ex001":
            found[Path(record["program"]).parent.name or record["program"]] = record
    assert found, (done.stdout, done.stderr)
    return found
