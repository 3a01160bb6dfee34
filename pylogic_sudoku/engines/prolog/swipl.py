"""The interactive SWI-Prolog with the program loaded, and what `doctor` shows of it."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

from ...errors import BackendUnavailable
from ...files import resource
from ...problem import Instance
from ...problem.text import read_text
from ...puzzle import Grid, Puzzle
from ...rules.base import shape_term, term
from .. import get
from . import PrologBackend, own_kinds
from .start import home, inside, installing, prompt


def swipl() -> Path | None:
    """The swipl of the Prolog that janus runs, or else the one next to this Python, of $SWIPL, or
    on the path.
    """
    if (folder := home()) and (program := next(folder.glob("bin/*/swipl"), None)):
        return program
    beside = Path(sys.executable).parent / "swipl"
    path = shutil.which(str(beside)) or shutil.which(os.environ.get("SWIPL") or "swipl")
    return Path(path) if path else None


def command() -> list[str]:
    """The program swipl, with its home if we know it: SWI_HOME_DIR may name another Prolog's."""
    program = swipl()
    if program is None:
        raise BackendUnavailable("there is no swipl", installing())
    folder = home()
    return [str(program), f"--home={folder}"] if folder in program.parents else [str(program)]


def run(puzzle: Grid | Puzzle | None) -> NoReturn:
    """Start a swipl in which puzzle/1 gives the puzzle's rows.

    puzzle/2 gives their shape too, and puzzle/3 the rules beyond plain sudoku.

    It replaces this process, or is this process if SWI-Prolog is inside the package.
    """
    # The file must be last: the arguments after it are not options of swipl.
    _start("-q", "-g", _welcome(puzzle), str(resource("prolog/sudoku_prompt.pl")))


def run_problem(path: Path, instance: Instance) -> NoReturn:
    """The same with a problem's program and the facts of an instance."""
    program = read_text(path)
    query = "answer(Atoms)."
    if match := re.search(r"^model\(\w+(, *\w+)?\)", program, re.MULTILINE):
        search = "labeling([min(Cost)], Values)" if match[1] else "label(Values)"
        arguments = "Pairs, Cost" if match[1] else "Pairs"
        query = f"model({arguments}), pairs_values(Pairs, Values), {search}."
    # In a file, since an argument may be too long for the system.
    handle, name = tempfile.mkstemp(suffix=".pl", prefix="instance-")
    with open(handle, "w", encoding="utf-8") as facts:
        facts.write(instance_text(instance))
    file = quoted(name)
    loads = (
        f"open({file}, read, In, [encoding(utf8)]), load_files(user:instance, [stream(In)]),"
        f" close(In), delete_file({file})"
    )
    welcome = f'{loads}, format("A query to try:~n  ?- {query}~n  ?- halt.~n~n")'
    _start("-q", "-g", welcome, str(path))


def instance_text(instance: Instance) -> str:
    """The facts of an instance as clauses; an input predicate without facts fails."""
    known = {fact.signature for fact in instance.clauses} | instance.problem.inputs
    declared = (f":- dynamic {name}/{arity}.\n" for name, arity in sorted(known))
    clauses = (f"{fact.text}.\n" for fact in instance.clauses)
    return "".join((*declared, *clauses))


def _start(*arguments: str) -> NoReturn:
    program = command()
    if inside():
        sys.stdout.flush()
        prompt(*arguments)
    if sys.prefix != sys.base_prefix:
        os.environ["VIRTUAL_ENV"] = sys.prefix  # where library(janus) looks for Python's packages
    sys.stdout.flush()
    os.execv(program[0], [*program, *arguments])


def asp_solutions(
    allowed: list[list[int]], box_rows: int, box_columns: int, regions: list[list[int]]
) -> Iterator[list[int]]:
    """The digits of every solution that clingo finds: for ``prolog/sudoku_asp.pl`` to call.

    `allowed` are the digits that each cell may hold; `regions` are rows of labels, or empty.
    """
    digits = tuple(each[0] if len(each) == 1 else 0 for each in allowed)
    grid = Grid(digits, (box_rows, box_columns))
    marks: Any = {
        cell: each for cell, each in zip(grid.cells, allowed, strict=True) if len(each) != 1
    }
    labels: Any = regions or None
    # A missing clingo must be an error here: janus takes one raised while iterating for the end.
    solutions = get("clingo").solutions(Puzzle(grid, labels, marks))
    return (list(solution.digits) for solution in solutions)


def details() -> dict[str, str]:
    """The details that a bug report needs: versions and paths."""
    return {
        "Python": f"{platform.python_version()} ({sys.executable})",
        "SWI-Prolog": _running(),
        "swipl": str(swipl() or "none"),
        "Prolog program": str(resource("prolog/sudoku.pl")),
        "ASP encoding": str(resource("encodings/sudoku.lp")),
    }


def _running() -> str:
    try:
        folder = PrologBackend().home()
    except BackendUnavailable:
        return "none"
    return f"{folder} ({'inside the package' if inside() else 'on this machine'})"


def _welcome(puzzle: Grid | Puzzle | None) -> str:
    """A goal that makes puzzle/1,2,3 and library(sudoku_asp) known, and shows what to ask."""
    rows, shape, rules, texts = "problem(1, Rows)", "", "", dict[str, str]()
    if puzzle is not None:
        texts = {kind.kind: kind.prolog or "" for kind in own_kinds(puzzle.layout.rules)}
        texts["puzzle"] = f"{prolog_goal(puzzle)}{_SHORTER}"
        rows = "puzzle(Rows)"
        if puzzle.layout.regions or puzzle.box[0] != puzzle.box[1]:
            rows, shape = "puzzle(Rows, Shape)", ", Shape"
        if puzzle.layout.rules:
            rows, shape, rules = "puzzle(Rows, Shape, Rules)", ", Shape", ", Rules"
    more = shape + rules
    queries = [
        f"{rows}, sudoku(Rows{more}), print_grid(Rows{shape}).",
        f"{rows}, candidates(Rows{more}, Candidates).",
        f"{rows}, explain(Rows{more}, cell(1,2), Reason).",
        f"{rows}, trace_sudoku(Rows{more}).",
    ]
    if not rules:  # it takes none
        queries += ["use_module(library(sudoku_asp)).", f"{rows}, asp_sudoku(Rows{more})."]
    lines = "".join(f"  ?- {query}~n" for query in queries)
    folder = quoted(str(resource("prolog/sudoku.pl").parent))
    library = f"assertz(user:file_search_path(library, {folder}))"
    known = "".join(
        f"open_string({quoted(text)}, In_{name}), load_files(user:{name}, [stream(In_{name})]), "
        for name, text in texts.items()
    )
    return f'{library}, {known}format("Queries to try:~n{lines}  ?- halt.~n~n")'


_SHORTER = """
puzzle(Rows) :- puzzle(Rows, _, _).
puzzle(Rows, Shape) :- puzzle(Rows, Shape, _).
"""


def prolog_goal(puzzle: Grid | Puzzle, arity: int = 3) -> str:
    """Clauses of puzzle/3, which is the puzzle, and of solution/1, which solves it by a sudoku
    of this arity."""
    names = {mark.cell: f"R{mark.cell.row}C{mark.cell.column}" for mark in puzzle.marks}
    cells = [
        str(digit or names.get(cell, "_"))
        for cell, digit in zip(puzzle.cells, puzzle.digits, strict=True)
    ]
    goals = [f"Rows = {_listed(cells, puzzle.size, 11)}"]
    for cell, digits in puzzle.marks:  # each allows some digits; without any, nothing fits
        domain = f"{cells[cell.offset(puzzle.size)]} in " + " \\/ ".join(map(str, sorted(digits)))
        goals.append(domain if digits else "fail")
    shape, rules = shape_term(puzzle.layout), "[]"
    if puzzle.layout.regions:
        labels = [str(label) for row in puzzle.layout.labels for label in row]
        rows = _listed(labels, puzzle.size, 20)
        goals.append(f"Shape = regions({rows})")
        shape = "Shape"
    if puzzle.layout.rules:
        terms = ",\n             ".join(map(term, puzzle.layout.rules))
        goals.append(f"Rules = [{terms}]")
        rules = "Rules"
    body = ",\n    ".join(goals)
    used = ", ".join(("Rows", "Shape", "Rules")[:arity])
    bound = ", ".join(("Rows", "Shape", "Rules")[:arity] + ("_",) * (3 - arity))
    return f"""\
puzzle(Rows, {shape}, {rules}) :-
    {body}.

solution(Rows) :-
    puzzle({bound}),
    sudoku({used}).
"""


def _listed(cells: list[str], size: int, indent: int) -> str:
    """A Prolog list of rows, a line for each."""
    rows = (cells[at : at + size] for at in range(0, len(cells), size))
    return "[" + f",\n{' ' * (indent + 1)}".join(f"[{','.join(row)}]" for row in rows) + "]"


def quoted(text: str) -> str:
    """The text as a Prolog atom."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n")
    return f"'{escaped}'"
