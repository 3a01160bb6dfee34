"""Techniques that assume one solution: against plain Python, and what they must not do."""

from __future__ import annotations

import random

import pytest
from helpers.jigsaws import KEEP, REGIONS, jigsaw
from helpers.oracle import all_solutions, full_grid
from helpers.positions import positions
from helpers.techniques_unique import rectangles, techniques

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle
from pylogic_sudoku.engines.budget import Budget
from pylogic_sudoku.engines.clingo.techniques import Position
from pylogic_sudoku.techniques import TECHNIQUES

NAMES = [key for key, each in TECHNIQUES.items() if each.assumes_unique]
SHAPES = [(2, 2), (2, 3), (3, 2), (1, 5), (3, 3), (2, 4), *REGIONS]


def position(shape, seed: int):
    """A grid partly filled in, which of these are givens, and candidates with a likely pattern."""
    rng = random.Random(f"{shape} {seed}")
    regions = REGIONS.get(shape) if isinstance(shape, int) else None
    grid = next(all_solutions(jigsaw(shape, KEEP[shape], seed))) if regions else None
    grid = grid or full_grid(shape, seed)
    cells, n = list(grid.cells), grid.size
    kept = set(rng.sample(cells, len(cells) * rng.choice([1, 3, 5]) // 10))
    given = set(rng.sample(sorted(kept), len(kept) // 2))
    share = rng.choice([1, 5, 20, 50])
    marks = {
        cell: {grid[cell], *(d for d in range(1, n + 1) if rng.randrange(100) < share)}
        for cell in cells
    }
    for corners in rng.sample([*rectangles(Puzzle(grid, regions=regions))], 3):
        pair = set(rng.sample(range(1, n + 1), 2))
        extra, number = rng.sample(range(1, n + 1), 2), rng.choice([1, 2, 2, 3])
        if rng.randrange(3):
            kept.difference_update(corners)
        for corner in corners:
            marks[corner] = set(pair)
        for corner in rng.sample(corners, number):
            marks[corner].update(rng.choice([extra[:1], extra, rng.sample(extra, 1)]))
    marks = {tuple(cell): marks[cell] for cell in cells if cell not in kept}
    puzzle = Puzzle(grid.without(*(cell for cell in cells if cell not in kept)), regions=regions)
    return puzzle, marks, {tuple(cell) for cell in given & kept}


def check(shape, seed: int) -> None:
    puzzle, marks, given = position(shape, seed)
    left = frozenset(pls.Placement(*cell, digit) for cell in marks for digit in marks[cell])
    givens = [each for each in puzzle.givens if tuple(each.cell) in given]
    asked = Position(puzzle.layout, left, Budget("clingo", None), givens)
    for key, oracle in techniques(given).items():
        found = {frozenset(each.removed) for each in asked.by(key, left, puzzle.givens)}
        assert found == {*oracle(puzzle, marks)} - {frozenset()}, key


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_asp_finds_what_plain_python_finds(shape):
    for seed in range(2):
        check(shape, seed)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_asp_finds_what_plain_python_finds_often(shape):
    for seed in range(100, 125):
        check(shape, seed)


def crossed() -> list[list[set[int]]]:
    """Four corners with 1 and 2; in their rows and columns 1 fits nowhere else."""
    rows = [[set(range(1, 10)) for _ in range(9)] for _ in range(9)]
    for row in range(9):
        for column in range(9):
            if row < 2 or column in (0, 3):
                rows[row][column].discard(1)
    rows[0][0], rows[0][3], rows[1][0], rows[1][3] = {1, 2}, {1, 2, 3}, {1, 2, 4}, {1, 2}
    return rows


def test_a_rectangle_that_rows_and_columns_confine_is_one_step():
    (step,) = pls.techniques.find("." * 81, crossed(), "unique rectangle 6")
    assert [str(rule) for rule in step.must[4:]] == [
        "row 1 must hold a 1",
        "row 2 must hold a 1",
    ]


def test_a_naked_set_beside_a_rectangle_names_its_house():
    for labelled in positions():
        if labelled.technique == "unique rectangle 3":
            found = pls.techniques.find(*labelled[1:3], labelled.technique, labelled.givens)
            (text,) = [str(each) for each in found if labelled.removed == {*each.removed}]
            assert " In row 2, that cell and " in text or " In column 1, that cell and " in text
