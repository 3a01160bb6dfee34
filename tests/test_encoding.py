"""``encodings/sudoku.lp`` as a person runs it: by clingo alone, on files of facts."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.gallery import Encoding
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions
from helpers.puzzles import CLASSIC, PRINTED
from helpers.puzzles import LOOSE_ANSWER as BLOG_ANSWER

from pylogic_sudoku import Grid

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

# The example of a university course on answer set programming, and its answer.
COURSE = """
initial(1,1,5). initial(1,2,3). initial(1,5,7).
initial(2,1,6). initial(2,4,1). initial(2,5,9). initial(2,6,5).
initial(3,2,9). initial(3,3,8). initial(3,8,6).
initial(4,1,8). initial(4,5,6). initial(4,9,3).
initial(5,1,4). initial(5,4,8). initial(5,6,3). initial(5,9,1).
initial(6,1,7). initial(6,5,2). initial(6,9,6).
initial(7,2,6). initial(7,7,2). initial(7,8,8).
initial(8,4,4). initial(8,5,1). initial(8,6,9). initial(8,9,5).
initial(9,5,8). initial(9,8,7). initial(9,9,9).
"""
COURSE_ANSWER = PRINTED[CLASSIC]

# The example run of a blog post, whose program takes the givens as sudoku/3, and what it printed.
BLOG = """
sudoku(2,3,8). sudoku(3,3,9). sudoku(5,4,1). sudoku(6,4,2). sudoku(4,4,3). sudoku(1,4,4).
sudoku(8,4,5). sudoku(7,4,6). sudoku(3,4,7). sudoku(9,4,8). sudoku(2,4,9). sudoku(1,5,1).
sudoku(2,5,2). sudoku(3,5,3). sudoku(7,5,4).
"""

SIX = "1....6" + "." * 24 + "6....1"


class Run(NamedTuple):
    """What clingo said."""

    result: str
    answers: list[list[str]]
    """The atoms of each answer that was printed."""
    models: int
    more: bool

    def grids(self, box: tuple[int, int] = (3, 3)) -> list[Grid]:
        return [Grid.parse(" ".join(atoms), format="facts", box=box) for atoms in self.answers]


@pytest.fixture
def clingo(tmp_path):
    """Runs clingo on the encoding and a file of these facts; it must not complain."""

    def run(facts: str, *options: str, facts_first: bool = False) -> Run:
        given = tmp_path / "given.lp"
        given.write_text(facts)
        files = (given, ENCODING) if facts_first else (ENCODING, given)
        command = [sys.executable, "-m", "clingo", *files, "--outf=2", *options]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.stderr == ""
        told = json.loads(done.stdout)
        answers = [found["Value"] for found in told["Call"][0].get("Witnesses", [])]
        models = told["Models"]
        return Run(told["Result"], answers, models["Number"], models["More"] == "yes")

    return run


def test_shows_every_cell_and_nothing_else(clingo):
    (atoms,) = clingo(COURSE).answers
    assert {atom.split(",")[0] for atom in atoms} == {f"sudoku({row}" for row in range(1, 10)}
    assert len(atoms) == 81


def test_the_one_answer_of_the_course_example(clingo):
    run = clingo(COURSE, "0")
    assert (run.result, run.models, run.more) == ("SATISFIABLE", 1, False)
    (grid,) = run.grids()
    assert grid == Grid.parse(COURSE_ANSWER)
    assert grid.is_solution_of(Grid.parse(COURSE))


@pytest.mark.parametrize("facts_first", [True, False])
def test_the_blog_example_has_more_than_one_answer(clingo, facts_first):
    run = clingo(BLOG, facts_first=facts_first)
    assert (run.result, run.models, run.more) == ("SATISFIABLE", 1, True)
    puzzle = Grid.parse(BLOG)
    assert run.grids()[0].is_solution_of(puzzle)

    run = clingo(BLOG, "5", facts_first=facts_first)
    assert len(set(run.grids())) == 5
    assert all(grid.is_solution_of(puzzle) for grid in run.grids())


def test_the_answer_that_the_blog_printed_is_one(clingo):
    answer = Grid.parse(BLOG_ANSWER)
    assert answer.is_solution_of(Grid.parse(BLOG))
    facts = answer.format("facts").replace("initial", "sudoku")
    assert clingo(BLOG + facts, "0").grids() == [answer]


@pytest.mark.parametrize("name", ["initial", "sudoku"])
def test_givens_are_initial_or_sudoku(clingo, name):
    run = clingo(COURSE.replace("initial", name), "0")
    assert run.grids() == [Grid.parse(COURSE_ANSWER)]


def test_both_kinds_of_givens_together(clingo):
    first, rest = COURSE.strip().split("\n", 1)
    run = clingo(first.replace("initial", "sudoku") + rest, "0")
    assert run.grids() == [Grid.parse(COURSE_ANSWER)]


def test_all_grids_of_4x4(clingo):
    run = clingo("", "0", "-c", "box_rows=2", "-c", "box_columns=2")
    grids = run.grids((2, 2))
    assert (run.models, len(set(grids))) == (288, 288)
    assert all(grid.is_solution_of(Grid((0,) * 16, (2, 2))) for grid in grids)


@pytest.mark.parametrize(
    ("shape", "solutions"),
    [((1, 1), 1), ((1, 3), 12), ((3, 1), 12), ((1, 4), 576), ((4, 1), 576)],
    ids=str,
)
def test_boxes_that_are_rows_or_columns_make_latin_squares(clingo, shape, solutions):
    run = clingo("", "0", "-q", f"-cbox_rows={shape[0]}", f"-cbox_columns={shape[1]}")
    assert run.models == solutions


@pytest.mark.parametrize("box", [(2, 3), (3, 2)], ids=str)
def test_6x6_of_both_shapes(clingo, box):
    puzzle = Grid.parse(SIX, box=box)
    facts = " ".join(f"initial({x},{y},{n})." for x, y, n in puzzle.givens)
    run = clingo(facts, "50", "-c", f"box_rows={box[0]}", "-c", f"box_columns={box[1]}")
    assert len(set(run.grids(box))) == 50
    assert all(grid.is_solution_of(puzzle) for grid in run.grids(box))


@pytest.mark.parametrize("facts_first", [True, False])
def test_the_facts_may_say_the_shape(clingo, facts_first):
    shape = "#const box_rows=2. [override] #const box_columns=2. [override]"
    assert clingo(shape, "0", "-q", facts_first=facts_first).models == 288


@pytest.mark.parametrize(
    "facts",
    [
        pytest.param("initial(1,1,5). initial(1,2,5).", id="twice in a row"),
        pytest.param("initial(1,1,5). initial(9,1,5).", id="twice in a column"),
        pytest.param("initial(1,1,5). initial(2,2,5).", id="twice in a box"),
        pytest.param("initial(1,1,5). initial(1,1,6).", id="two in a cell"),
        pytest.param("sudoku(1,1,5). sudoku(1,1,6).", id="two in a cell, as sudoku/3"),
        pytest.param("initial(10,1,5).", id="no such row"),
        pytest.param("initial(1,0,5).", id="no such column"),
        pytest.param("initial(1,1,10).", id="no such digit"),
        pytest.param("sudoku(10,1,5).", id="no such row, as sudoku/3"),
        pytest.param("sudoku(1,1,0).", id="no such digit, as sudoku/3"),
        pytest.param("initial(1,1,five).", id="no number"),
    ],
)
def test_wrong_givens_have_no_solution(clingo, facts):
    assert clingo(facts) == ("UNSATISFIABLE", [], 0, False)


# --- regions and marks -------------------------------------------------------------------


@pytest.mark.parametrize("size", REGIONS)
@pytest.mark.parametrize("facts_first", [True, False])
def test_regions_and_exclusions(clingo, size, facts_first):
    puzzle = jigsaw(size, KEEP[size], 1, marked=size)
    facts = Encoding("sudoku").givens(puzzle)
    shape = (f"-cbox_rows={puzzle.box[0]}", f"-cbox_columns={puzzle.box[1]}")
    run = clingo(facts, "0", *shape, facts_first=facts_first)
    assert run.models > 0
    assert sorted(map(str, run.grids(puzzle.box))) == sorted(map(str, all_solutions(puzzle)))


def test_an_excluded_given_has_no_solution(clingo):
    assert clingo("initial(1,1,5). excluded(1,1,5).") == ("UNSATISFIABLE", [], 0, False)


@pytest.mark.parametrize(
    "encoding", ["sudoku", "demands", "techniques/singles", "techniques/sets", "techniques/wings"]
)
def test_includes_are_found_from_any_folder(tmp_path, encoding):
    command = [
        sys.executable,
        "-m",
        "clingo",
        ENCODING.parent / f"{encoding}.lp",
        "-q",
        "-cbox_rows=2",
    ]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stderr, "SATISFIABLE" in done.stdout) == ("", True)


def test_a_rule_and_an_exclusion_by_hand(tmp_path):
    """demands.lp refutes that the last cell of row 1 does not hold what the others leave over."""
    reason = tmp_path / "reason.lp"
    facts = "initial(1,1,1). initial(1,2,2). initial(1,3,3). demand(house(row,1)). demand(cells). "
    command = [
        sys.executable,
        "-m",
        "clingo",
        ENCODING.with_stem("demands"),
        reason,
        "-cbox_rows=1",
    ]
    for excluded, result in [("excluded(1,4,4).", "UNSATISFIABLE"), ("excluded(1,4,3).", "\nSAT")]:
        reason.write_text(facts + excluded)
        done = subprocess.run([*command, "-cbox_columns=4"], capture_output=True, text=True)
        assert result in done.stdout
