"""An interactive SWI-Prolog with the program loaded, and where things are."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

from .backends.prolog import INSTALL
from .errors import BackendUnavailable
from .grid import Grid
from .resources import resource

__all__ = ["places", "run", "swipl"]


def swipl() -> Path | None:
    """The swipl beside this Python, else that of $SWIPL, else the one on the path."""
    beside = Path(sys.executable).parent / "swipl"
    found = shutil.which(str(beside)) or shutil.which(os.environ.get("SWIPL") or "swipl")
    return Path(found) if found else None


def run(puzzle: Grid | None) -> NoReturn:
    """Becomes (elsewhere than on Windows) a swipl where puzzle/1 gives the puzzle's rows."""
    program = swipl()
    if program is None:
        raise BackendUnavailable("there is no swipl here", INSTALL)
    # What stands after the file is no option of swipl any more.
    command = [str(program), "-q", "-g", _welcome(puzzle), str(resource("prolog/sudoku.pl"))]
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(program, command)
    sys.exit(subprocess.run(command, check=False).returncode)


def places() -> dict[str, str]:
    """What people ask for in a report: versions and paths."""
    return {
        "Python": f"{platform.python_version()} ({sys.executable})",
        "swipl": str(swipl() or "none"),
        "Prolog program": str(resource("prolog/sudoku.pl")),
        "ASP encoding": str(resource("encodings/sudoku.lp")),
    }


def _welcome(puzzle: Grid | None) -> str:
    """A goal: digits and underscores are all that it has of the puzzle."""
    if puzzle is None:
        query, fact = "problem(1, Rows), sudoku(Rows), print_grid(Rows).", "true"
    else:
        rows, (r, c) = puzzle.format("prolog").replace("\n", ""), puzzle.box
        shape = "" if r == c else f", {r}-{c}"
        query = f"puzzle(Rows), sudoku(Rows{shape}), print_grid(Rows{shape})."
        fact = f"assertz(user:puzzle({rows}))"
    return f'{fact}, format("Try:   ?- {query}~nLeave: ?- halt.~n~n")'
