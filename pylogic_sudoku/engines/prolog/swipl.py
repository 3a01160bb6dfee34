"""An interactive SWI-Prolog with the program loaded, and where things are."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

from ..._resources import resource
from ...errors import BackendUnavailable
from ...grid import Grid
from .. import get
from .start import INSTALL

__all__ = ["asp_solutions", "places", "run", "swipl"]


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
    if sys.prefix != sys.base_prefix:
        os.environ["VIRTUAL_ENV"] = sys.prefix  # where library(janus) looks for Python's packages
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(program, command)
    sys.exit(subprocess.run(command, check=False).returncode)


def asp_solutions(digits: list[int], box_rows: int, box_columns: int) -> Iterator[list[int]]:
    """The cells of every solution that clingo finds: for ``prolog/sudoku_asp.pl`` to call."""
    # A missing clingo is an error here; janus takes one that is raised while iterating for the end.
    found = get("clingo").solutions(Grid(tuple(digits), (box_rows, box_columns)))
    return (list(solution.digits) for solution in found)


def places() -> dict[str, str]:
    """What people ask for in a report: versions and paths."""
    return {
        "Python": f"{platform.python_version()} ({sys.executable})",
        "swipl": str(swipl() or "none"),
        "Prolog program": str(resource("prolog/sudoku.pl")),
        "ASP encoding": str(resource("encodings/sudoku.lp")),
    }


def _welcome(puzzle: Grid | None) -> str:
    """A goal that makes puzzle/1 and library(sudoku_asp) known, and tells what can be asked."""
    if puzzle is None:
        rows, shape, fact = "problem(1, Rows)", "", "true"
    else:
        text, (r, c) = puzzle.format("prolog").replace("\n", ""), puzzle.box
        rows, shape = "puzzle(Rows)", "" if r == c else f", {r}-{c}"
        fact = f"assertz(user:puzzle({text}))"
    queries = (
        f"{rows}, sudoku(Rows{shape}), print_grid(Rows{shape}).",
        f"{rows}, candidates(Rows{shape}, Candidates).",
        f"{rows}, explain(Rows{shape}, cell(1,2), Reason).",
        "use_module(library(sudoku_asp)).",
        f"{rows}, asp_sudoku(Rows{shape}).",
    )
    lines = "".join(f"  ?- {query}~n" for query in queries)
    folder = str(resource("prolog/sudoku.pl").parent).replace("\\", "\\\\").replace("'", "\\'")
    library = f"assertz(user:file_search_path(library, '{folder}'))"
    return f'{library}, {fact}, format("What can be asked:~n{lines}  ?- halt.~n~n")'
