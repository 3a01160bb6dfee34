"""Published puzzles with rules, if they are there beside the checkout."""

from __future__ import annotations

import pytest

import pylogic_sudoku as pls
from benchmarks.variants.corpus import FOLDER, Published, jigsaws, killers, published

pytestmark = pytest.mark.skipif(
    not FOLDER.is_dir(), reason="the puzzle collections are not part of the repository"
)


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
