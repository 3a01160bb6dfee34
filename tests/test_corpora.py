"""Collections of real puzzles, if they are there beside the checkout."""

from __future__ import annotations

import json
from functools import cache
from itertools import islice
from pathlib import Path

import pytest
from test_steps import walk

import pylogic_sudoku as pls
from benchmarks.variants import Published, jigsaws, killers, published
from pylogic_sudoku import Grid, Puzzle, formats
from pylogic_sudoku.engines.sudoku.prolog import PrologBackend

FOLDER = Path(__file__).resolve().parent.parent.parent / "shared" / "corpora"

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the puzzle collections are not part of the repository"
)


def puzzles(name: str, number: int | None = None) -> list[Grid]:
    text = (FOLDER / name).read_text(encoding="utf-8")
    return [Grid.parse(puzzle) for _, puzzle in islice(formats.split(text), number)]


def check(grids: list[Grid], backend: str) -> None:
    """Every puzzle has exactly one solution."""
    for grid in grids:
        found = list(pls.solutions(grid, backend, limit=2))
        assert len(found) == 1
        assert found[0].is_solution_of(grid)


NUMBERS = {"17-clue.txt": 49_151, "random-10k.txt": 10_000, "hard-375.txt": 375, "top-95.txt": 95}


@pytest.mark.parametrize("name", NUMBERS)
def test_collections_are_read(name):
    grids = puzzles(name)
    assert len(grids) == NUMBERS[name]
    assert {grid.box for grid in grids} == {(3, 3)}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize(
    ("by_clingo", "by_others"), [(100, 4), pytest.param(10_000, 200, marks=pytest.mark.slow)]
)
def test_every_puzzle_has_one_solution(backend, name, by_clingo, by_others):
    check(puzzles(name, by_clingo if backend == "clingo" else by_others), backend)


def test_16x16(backend):
    grids = puzzles("16x16-sample.txt")
    assert [grid.box for grid in grids] == [(4, 4)] * 8
    check(grids, backend)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"), [("top-95.txt", 12), ("17-clue.txt", 20), ("16x16-sample.txt", 2)]
)
def test_steps_end_in_the_solution(name, number):
    for puzzle in puzzles(name, number):
        walk(puzzle, [pls.solve(puzzle)])


# === Puzzles with rules, as they were published ===================================================

IN_THE_TEXT = {"The ARt of Sashimi", "Digit Sum Arrows", "XVXV - Episode 4: Renban"}
IN_THE_TEXT |= {"Scatterplot", "WackyWavingInflatableTubeMan!"}
"""Puzzles with a rule that stands only in the text of their documents."""


def content(name: str) -> list[str]:
    lines = (FOLDER / "variants" / name).read_text(encoding="utf-8").splitlines()
    return [line for line in lines if line.strip() and not line.startswith("#")]


@pytest.mark.slow
def test_every_document_of_f_puzzles_is_read_and_has_one_solution():
    read = 0
    for record in map(json.loads, content("fpuzzles.jsonl")):
        puzzle = Puzzle.parse(json.dumps(record["fpuzzles"]))
        text = any(title in record["name"] for title in IN_THE_TEXT)
        read += 1
        for form in ("json", "fpuzzles", "fpuzzles-link"):
            assert Puzzle.parse(puzzle.format(form)).format("fpuzzles") == puzzle.format("fpuzzles")
        found = list(pls.solutions(puzzle, limit=2))
        if record["solution"]:
            assert puzzle.holds(Grid.parse(record["solution"]))
        assert text or len(found) == 1, record["name"]
        assert text or record["solution"] in (None, str(found[0]))
    assert read == 37


def test_every_killer_is_read_and_its_answer_obeys_it():
    answers = 0
    for line in content("killers.txt"):
        puzzle, words = Puzzle.parse(line), line.split()
        assert {rule.kind for rule in puzzle.rules} <= {"killer_cage", "different"}
        if len(words) > 1 and len(words[1]) == 81:
            answers += 1
            assert puzzle.holds(Grid.parse(words[1]))
    assert answers == 15


@pytest.mark.parametrize(("number", "millions"), [(0, 5), (3, 10), (5, 4), (8, 2)])
def test_killers_take_prolog_few_inferences(number, millions):
    """These took 3 to over 60 million before sums of more than five cells were seen."""
    name = f"HS_KILLERS#{number}"
    puzzle = next(each.puzzle for each in killers(FOLDER / "variants") if each.name == name)
    work = PrologBackend().measure(puzzle, timeout=60)
    assert work.inferences < millions * 1_000_000


def test_layouts_of_jigsaws_are_read():
    layouts = content("jigsaw-layouts.txt")
    assert len(layouts) == 776
    for layout in layouts[::9]:
        assert Puzzle.parse(layout, "jigsaw") == Puzzle.parse("." * 81 + layout)
        assert formats.detect(layout) == ("jigsaw" if layout[0].isalpha() else "line")


@cache
def read() -> list[Published]:
    return [each for each in (*published(), *killers()) if isinstance(each, Published)]


def test_the_published_solutions_obey_the_rules():
    solved = [each for each in read() if each.solution]
    assert len(solved) >= 75
    for name, puzzle, solution in solved:
        assert solution.is_solution_of(puzzle), name


def test_the_engines_find_published_solutions(backend):
    """Those of some puzzles that are easy for all; clauses say little of long sums."""
    names = {"Thermo", "Arrow", "Killer sudoku [gaps]", "6x6: Little Killer"}
    names |= {"Classic sudoku, hard", "Pencilmark sudoku 2"}
    if backend != "sat":
        names.add("Little Killer Sudoku")
    chosen = [each for each in read() if each.name in names]
    assert {each.name for each in chosen} == names
    for name, puzzle, solution in chosen:
        assert list(pls.solutions(puzzle, backend, limit=2)) == [solution], name


@pytest.mark.slow
def test_clingo_solves_hard_killers():
    names = {"Killer sudoku [0 cage, hard]", "HS_KILLERS#3", "HS_KILLERS#5", "tarek unsolvable #41"}
    for each in read():
        if each.name in names:
            assert pls.count(each.puzzle, limit=2) == 1, each.name


def test_layouts_without_a_grid_have_no_solution():
    found = [(exists, puzzle) for heading, exists, puzzle in jigsaws() if "EASY" in heading]
    assert found
    for exists, puzzle in found:
        assert (pls.solve(puzzle) is not None) == exists
