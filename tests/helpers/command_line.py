"""The command line, in a process of its own (`run`) or in this one (`invoke`)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from click.testing import CliRunner, Result

from helpers.puzzles import FOUR, PRINTED
from pylogic_sudoku.commands._app import cli, loaded

__all__ = ["COMMANDS", "FOUR", "MODULE", "PUZZLE", "ROOT", "SOLUTION"]
__all__ += ["cli", "environment", "invoke", "run"]

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = {name: loaded(name) for name in cli.commands}
MODULE = [sys.executable, "-m", "pylogic_sudoku"]

PUZZLE, SOLUTION = list(PRINTED.items())[-1]


def environment(*folders: Path, **settings: str) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if key != "NO_COLOR"}
    path = os.pathsep.join(map(str, (*folders, ROOT)))
    return {**inherited, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8", **settings}


def run(
    *arguments: object, stdin: str = "", env: dict[str, str] | None = None, cwd: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """Run the command; whatever happens, it must not show a traceback."""
    done = subprocess.run(
        [*MODULE, *map(str, arguments)],
        input=stdin,
        env=env or environment(),
        cwd=cwd,
        capture_output=True,
        encoding="utf-8",
    )
    assert "Traceback" not in done.stderr
    return done


def invoke(*arguments: object, stdin: str = "", env: dict[str, str] | None = None) -> Result:
    """Run the command in this process: much faster, but without what `main` adds."""
    return CliRunner().invoke(cli, list(map(str, arguments)), input=stdin, env=env)
