"""The answer set engine asked from swipl, through janus; and what a swipl without janus says."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from helpers.programs import prolog
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid

ROOT = Path(__file__).resolve().parent.parent
PUZZLE, SOLUTION = next(iter(PRINTED.items()))
ROWS = Grid.parse(PUZZLE).format("prolog").replace("\n", "")
EMPTY = "[[_,_,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]]"


def ask(goal: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """What the goal prints in a swipl that finds library(sudoku_asp) as in a pack."""
    library = f"assertz(user:file_search_path(library, '{ROOT / 'prolog'}'))"
    load = "use_module(library(prompt)), use_module(library(sudoku_asp))"
    kept = {key: value for key, value in os.environ.items() if key != "VIRTUAL_ENV"}
    asked = ("-g", f"{library}, {load}", "-g", goal)
    return prolog("-q", "-f", "none", *asked, env={**kept, **environment})


@pytest.fixture(scope="module")
def janus() -> bool:
    """True if this swipl can call Python; the one that `make setup` builds can."""
    return "yes" in ask("(exists_source(library(janus)) -> write(yes) ; true)").stdout


def answers(goal: str, janus: bool) -> str | None:
    """What it prints; None from a swipl without janus, which must say just that."""
    done = ask(goal)
    if not janus:
        assert "library `janus' does not exist (this swipl was built without Python)" in done.stderr
        return None
    assert done.stderr == ""
    return done.stdout


def test_it_solves(janus):
    goal = f"Rows = {ROWS}, asp_sudoku(Rows), append(Rows, Cells), atomic_list_concat(Cells, A)"
    assert answers(f"{goal}, write(A)", janus) in (SOLUTION, None)


def test_it_enumerates_on_backtracking_what_the_other_engine_finds(janus):
    goal = f"aggregate_all(count, (Rows = {EMPTY}, asp_sudoku(Rows)), N), write(N)"
    assert answers(goal, janus) in ("288", None)
    goal = f"setof(Rows, (Rows = {EMPTY}, asp_sudoku(Rows)), Ours)"
    goal += f", setof(Rows, (Rows = {EMPTY}, sudoku(Rows)), Theirs), Ours == Theirs, write(same)"
    assert answers(goal, janus) in ("same", None)


def test_two_searches_interleave(janus):
    goal = f"findall(x, (Rows = {EMPTY}, asp_sudoku(Rows), asp_sudoku(Rows)), L), length(L, N)"
    assert answers(f"{goal}, write(N)", janus) in ("288", None)


def test_constraints_on_the_cells_hold(janus):
    goal = f"aggregate_all(count, (Rows = {EMPTY}, Rows = [[A|_]|_], A #= 3, asp_sudoku(Rows)), N)"
    assert answers(f"{goal}, write(N)", janus) in ("72", None)
    goal = (
        f"aggregate_all(count, (Rows = {EMPTY}, Rows = [[A,B|_]|_], A #> B, asp_sudoku(Rows)), N)"
    )
    assert answers(f"{goal}, write(N)", janus) in ("144", None)


def test_other_boxes_and_no_solution(janus):
    rows = "[[1,2,3,4,5,6],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_],[_,_,_,_,_,_]]"
    goal = f"aggregate_all(count, limit(5, asp_sudoku({rows}, 2-3)), N), write(N)"
    assert answers(goal, janus) in ("5", None)
    none = "[[1,1,_,_],[_,_,_,_],[_,_,_,_],[_,_,_,_]]"
    assert answers(f"(asp_sudoku({none}) -> write(yes) ; write(no))", janus) in ("no", None)


def test_regions_and_marks(janus):
    shape = "regions([[a,a,a,b],[a,b,b,b],[c,c,c,d],[c,d,d,d]])"
    marked = f"Rows = {EMPTY}, Rows = [[A|_]|_], A in 1\\/3"
    goal = f"setof(Rows, ({marked}, asp_sudoku(Rows, {shape})), Ours)"
    goal += f", setof(Rows, ({marked}, sudoku(Rows, {shape})), Theirs)"
    assert answers(f"{goal}, Ours == Theirs, write(same)", janus) in ("same", None)
    goal = "problem(jigsaw, Rows, Shape), asp_sudoku(Rows, Shape), sudoku(Rows, Shape), write(same)"
    assert answers(goal, janus) in ("same", None)
    # Without the marks, clingo would list very many grids before the last cells are even.
    goal = "length(Rows, 9), maplist(same_length(Rows), Rows), last(Rows, [A,B,C,D|_])"
    goal += ", [A,B,C,D] ins 2\\/4\\/6\\/8, A #> B, once(asp_sudoku(Rows)), write(found)"
    assert answers(goal, janus) in ("found", None)


@pytest.mark.parametrize("rows", ["foo", "[[1,2],[3]]", "[[a]]", "[[_,_],[_,_]]"])
def test_what_is_not_a_grid_is_an_error(rows):
    done = ask(f"asp_sudoku({rows})")
    assert "error" in done.stderr
    assert "janus" not in done.stderr
