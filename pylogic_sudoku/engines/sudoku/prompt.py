"""The interactive SWI-Prolog with a puzzle, and the goal that states it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NoReturn

from ...files import resource
from ...puzzle import Grid, Puzzle
from ...rules.base import shape_term, term
from ..prolog.swipl import quoted, start
from . import get
from .prolog import own_kinds


def run(puzzle: Grid | Puzzle | None) -> NoReturn:
    """Start a swipl in which puzzle/1 gives the puzzle's rows.

    puzzle/2 gives their shape too, and puzzle/3 the rules beyond plain sudoku.

    It replaces this process, or is this process if SWI-Prolog is inside the package.
    """
    # The file must be last: the arguments after it are not options of swipl.
    start("-q", "-g", _welcome(puzzle), str(resource("prolog/sudoku_prompt.pl")))


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
