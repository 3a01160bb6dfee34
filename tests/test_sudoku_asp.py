"""The answer set engine asked from swipl, through janus; and what a swipl without janus says."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from helpers.programs import prolog
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid

ROOT = Path(__file__).resolve().parent.parent
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
ROWS = Grid.parse(PUZZLE).format("prolog").replace("\n", "")
EMPTY = "[[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]]"
SIX = "[[1,2,3,4,5,6],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_]]"
REGIONS = "regions([[a,a,a,b],[a,b,b,b],[c,c,c,d],[c,d,d,d]])"


def counted(goal: str) -> str:
    return f"aggregate_all(count, ({goal}), A)"


def both(rows: str, shape: str) -> str:
    """A goal with an answer if both engines find the same grids."""
    ours, theirs = (f"({rows}, {name}(Rows, {shape}))" for name in ("asp_sudoku", "sudoku"))
    return f"setof(Rows, {ours}, All), setof(Rows, {theirs}, All), A = same"


GOALS = {
    "it solves": (
        f"Rows = {ROWS}, asp_sudoku(Rows), append(Rows, Cells), atomic_list_concat(Cells, A)",
        SOLUTION,
    ),
    "it enumerates on backtracking": (counted(f"asp_sudoku({EMPTY})"), "288"),
    "what the other engine finds": (both(f"Rows = {EMPTY}", "2-2"), "same"),
    "searches interleave": (counted(f"Rows = {EMPTY}, asp_sudoku(Rows), asp_sudoku(Rows)"), "288"),
    "a cell is bound by a constraint": (
        counted(f"Rows = {EMPTY}, Rows = [[X|_]|_], X #= 3, asp_sudoku(Rows)"),
        "72",
    ),
    "a constraint on two cells holds": (
        counted(f"Rows = {EMPTY}, Rows = [[X,Y|_]|_], X #> Y, asp_sudoku(Rows)"),
        "144",
    ),
    "other boxes": (counted(f"limit(5, asp_sudoku({SIX}, 2-3))"), "5"),
    "no solution": (counted("asp_sudoku([[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]])"), "0"),
    "regions and marks": (both(f"Rows = {EMPTY}, Rows = [[X|_]|_], X in 1\\/3", REGIONS), "same"),
    "a real jigsaw": (
        "problem(jigsaw, Rows, Shape), asp_sudoku(Rows, Shape), sudoku(Rows, Shape), A = same",
        "same",
    ),
    # Without the marks, clingo would list very many grids before the last cells are even.
    "clingo knows the marks": (
        "length(Rows, 9), maplist(same_length(Rows), Rows), last(Rows, [X,Y,Z,V|_]),"
        " [X,Y,Z,V] ins 2\\/4\\/6\\/8, X #> Y, asp_sudoku(Rows), A = found",
        "found",
    ),
}
WRONG = ["foo", "[[1,2],[3]]", "[[a]]", "[[_,_],[_,_]]"]
"""Terms that are not grids."""


def asked(*goals: str) -> subprocess.CompletedProcess[str]:
    """Ask a swipl that finds library(sudoku_asp) as in a pack; it prints the A of each goal."""
    library = f"assertz(user:file_search_path(library, '{ROOT / 'prolog'}'))"
    load = "use_module(library(sudoku_prompt)), use_module(library(sudoku_asp))"
    tried = (
        f"catch(({goal}), E, (print_message(error, E), A = error)), write(A), nl" for goal in goals
    )
    options = [part for goal in (f"{library}, {load}", *tried) for part in ("-g", goal)]
    return prolog("-q", "-f", "none", *options, env={**os.environ, "VIRTUAL_ENV": sys.prefix})


@pytest.fixture(scope="module")
def answers() -> subprocess.CompletedProcess[str]:
    return asked(
        "exists_source(library(janus)) -> A = yes ; A = no", *(g for g, _ in GOALS.values())
    )


@pytest.mark.parametrize("name", GOALS)
def test_it_is_the_same_relation_as_sudoku(answers, name):
    janus, *found = answers.stdout.splitlines()
    if janus == "yes":  # as in the swipl that `make setup` builds
        assert answers.stderr == ""
        assert found[list(GOALS).index(name)] == GOALS[name][1]
    else:
        said = "library `janus' does not exist (this swipl was built without Python)"
        assert answers.stderr.count(said) == len(GOALS)


def test_what_is_not_a_grid_is_an_error():
    done = asked(*(f"asp_sudoku({rows})" for rows in WRONG))
    assert done.stdout == "error\n" * len(WRONG)
    assert "janus" not in done.stderr
