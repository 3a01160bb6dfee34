"""The interactive SWI-Prolog with the program loaded, and what `doctor` shows of it."""

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
from ...grid import Cell, Grid
from ...puzzle import Puzzle
from .. import get
from .start import INSTALL

__all__ = ["asp_solutions", "places", "run", "swipl"]


def swipl() -> Path | None:
    """The swipl beside this Python, else that of $SWIPL, else the one on the path."""
    beside = Path(sys.executable).parent / "swipl"
    found = shutil.which(str(beside)) or shutil.which(os.environ.get("SWIPL") or "swipl")
    return Path(found) if found else None


def run(puzzle: Grid | Puzzle | None) -> NoReturn:
    """Start a swipl in which puzzle/1 gives the puzzle's rows, and puzzle/2 their shape too.

    It replaces this process, except on Windows.
    """
    program = swipl()
    if program is None:
        raise BackendUnavailable("there is no swipl", INSTALL)
    # The file comes last: what follows it is not an option of swipl.
    command = [str(program), "-q", "-g", _welcome(puzzle), str(resource("prolog/sudoku.pl"))]
    if sys.prefix != sys.base_prefix:
        os.environ["VIRTUAL_ENV"] = sys.prefix  # where library(janus) looks for Python's packages
    sys.stdout.flush()
    if os.name == "posix":
        os.execv(program, command)
    sys.exit(subprocess.run(command, check=False).returncode)


def asp_solutions(
    allowed: list[list[int]], box_rows: int, box_columns: int, regions: list[list[int]]
) -> Iterator[list[int]]:
    """The digits of every solution that clingo finds: for ``prolog/sudoku_asp.pl`` to call.

    `allowed` are the digits that each cell may hold; `regions` are rows of labels, or empty.
    """
    digits = tuple(each[0] if len(each) == 1 else 0 for each in allowed)
    grid = Grid(digits, (box_rows, box_columns))
    marks = {cell: each for cell, each in zip(grid.cells, allowed, strict=True) if len(each) != 1}
    # A missing clingo must be an error here: janus takes one raised while iterating for the end.
    found = get("clingo").solutions(Puzzle(grid, regions or None, marks))
    return (list(solution.digits) for solution in found)


def places() -> dict[str, str]:
    """What people ask for in a report: versions and paths."""
    return {
        "Python": f"{platform.python_version()} ({sys.executable})",
        "swipl": str(swipl() or "none"),
        "Prolog program": str(resource("prolog/sudoku.pl")),
        "ASP encoding": str(resource("encodings/sudoku.lp")),
    }


def _welcome(puzzle: Grid | Puzzle | None) -> str:
    """A goal that makes puzzle/1,2 and library(sudoku_asp) known, and shows what to ask."""
    rows, shape, known = "problem(1, Rows)", "", "true"
    if puzzle is not None:
        known = f"assertz((user:{_clause(puzzle)})), assertz((user:puzzle(R) :- puzzle(R, _)))"
        rows = "puzzle(Rows)"
        if puzzle.layout.regions or puzzle.box[0] != puzzle.box[1]:
            rows, shape = "puzzle(Rows, Shape)", ", Shape"
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
    return f'{library}, {known}, format("Queries to try:~n{lines}  ?- halt.~n~n")'


def _clause(puzzle: Grid | Puzzle) -> str:
    """puzzle(Rows, Shape), and below it a domain for every cell with a mark."""
    excluded: dict[Cell, set[int]] = {}
    for row, column, digit in puzzle.excluded:
        excluded.setdefault(Cell(row, column), set()).add(digit)
    terms = [
        str(digit) if digit else f"R{cell.row}C{cell.column}" if cell in excluded else "_"
        for cell, digit in zip(puzzle.cells, puzzle.digits, strict=True)
    ]
    domains = []
    for cell, digits in excluded.items():
        left = [str(digit) for digit in range(1, puzzle.size + 1) if digit not in digits]
        term = terms[cell.offset(puzzle.size)]
        domains.append(f"{term} in " + " \\/ ".join(left) if left else "fail")
    regions, (rows, columns) = puzzle.layout.regions, puzzle.box
    shape = f"{rows}-{columns}"
    if regions:
        labels = {cell: str(label) for label, region in enumerate(regions, 1) for cell in region}
        shape = f"regions({_rows([labels[cell] for cell in puzzle.cells], puzzle.size)})"
    head = f"puzzle({_rows(terms, puzzle.size)}, {shape})"
    return f"({head} :- {', '.join(domains)})" if domains else head


def _rows(terms: list[str], size: int) -> str:
    rows = (terms[at : at + size] for at in range(0, len(terms), size))
    return "[" + ",".join(f"[{','.join(row)}]" for row in rows) + "]"
