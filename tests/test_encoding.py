"""``encodings/sudoku.lp`` as a person runs it: by clingo alone, on files of facts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

import pytest
from helpers.gallery import Encoding
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions
from helpers.programs import clingo as by_hand
from helpers.puzzles import CLASSIC, LOOSE_ANSWER, PRINTED

from pylogic_sudoku import Grid

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

# The example run of a blog post, whose program takes the givens as sudoku/3, and what it printed.
BLOG = """
sudoku(2,3,8). sudoku(3,3,9). sudoku(5,4,1). sudoku(6,4,2). sudoku(4,4,3). sudoku(1,4,4).
sudoku(8,4,5). sudoku(7,4,6). sudoku(3,4,7). sudoku(9,4,8). sudoku(2,4,9). sudoku(1,5,1).
sudoku(2,5,2). sudoku(3,5,3). sudoku(7,5,4).
"""


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
        done = by_hand(*files, "--outf=2", *options)
        assert done.stderr == ""
        told = json.loads(done.stdout)
        answers = [found["Value"] for found in told["Call"][0].get("Witnesses", [])]
        models = told["Models"]
        return Run(told["Result"], answers, models["Number"], models["More"] == "yes")

    return run


def test_the_answer_that_the_blog_printed_is_one(clingo):
    answer = Grid.parse(LOOSE_ANSWER)
    assert answer.is_solution_of(Grid.parse(BLOG))
    facts = answer.format("facts").replace("initial", "sudoku")
    assert clingo(BLOG + facts, "0").grids() == [answer]


def test_both_kinds_of_givens_together(clingo):
    first, rest = Grid.parse(CLASSIC).format("facts").split("\n", 1)
    run = clingo(first.replace("initial", "sudoku") + rest, "0")
    assert run.grids() == [Grid.parse(PRINTED[CLASSIC])]


@pytest.mark.parametrize("facts_first", [True, False])
def test_the_facts_may_say_the_shape(clingo, facts_first):
    shape = "#const box_rows=2. [override] #const box_columns=2. [override]"
    assert clingo(shape, "0", "-q", facts_first=facts_first).models == 288


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
def test_includes_are_found_from_any_folder(tmp_path, monkeypatch, encoding):
    monkeypatch.chdir(tmp_path)
    done = by_hand(ENCODING.parent / f"{encoding}.lp", "-q", "-cbox_rows=2")
    assert (done.stderr, "SATISFIABLE" in done.stdout) == ("", True)
