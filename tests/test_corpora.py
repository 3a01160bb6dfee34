"""Collections of real puzzles, if they are there beside the checkout."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from test_steps import walk

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, formats

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


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("17-clue.txt", 49_151),
        ("random-10k.txt", 10_000),
        ("hard-375.txt", 375),
        ("top-95.txt", 95),
    ],
)
def test_collections_are_read(name, number):
    grids = puzzles(name)
    assert len(grids) == number
    assert {grid.box for grid in grids} == {(3, 3)}


@pytest.mark.parametrize("name", ["17-clue.txt", "random-10k.txt", "hard-375.txt", "top-95.txt"])
def test_every_puzzle_has_one_solution(backend, name):
    check(puzzles(name, 375 if backend == "clingo" else 8), backend)


def test_16x16(backend):
    grids = puzzles("16x16-sample.txt")
    assert [grid.box for grid in grids] == [(4, 4)] * 8
    check(grids, backend)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["17-clue.txt", "random-10k.txt", "hard-375.txt", "top-95.txt"])
def test_more_puzzles_have_one_solution(backend, name):
    check(puzzles(name, 10_000 if backend == "clingo" else 200), backend)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "number"), [("top-95.txt", 12), ("17-clue.txt", 20), ("16x16-sample.txt", 2)]
)
def test_steps_end_in_the_solution(name, number):
    for puzzle in puzzles(name, number):
        walk(puzzle, [pls.solve(puzzle)])
