"""The command line, run as people and scripts run it: in its own process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from helpers.puzzles import FOUR, PRINTED

__all__ = ["FOUR", "MODULE", "PUZZLE", "ROOT", "SOLUTION", "environment", "run"]

ROOT = Path(__file__).resolve().parents[2]
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
