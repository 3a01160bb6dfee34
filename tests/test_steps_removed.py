"""Steps that start without the candidates that earlier steps have removed."""

from __future__ import annotations

import re

import pytest
from helpers.puzzles import IMPOSSIBLE, LOOSE, PRINTED

import pylogic_sudoku as pls
from pylogic_sudoku import InvalidPuzzle, Puzzle
from pylogic_sudoku.techniques._addition import standing

HARD, _, MIDDLING, _ = PRINTED
JIGSAW = Puzzle("1..4.......3....", "1112122233343444", {"r1c2": "even", "r2c3": [1, 4]})


def followed(puzzle, most=28):
    """The steps that one gets by asking for a hint after each."""
    grid, removed = pls.Puzzle(puzzle) if isinstance(puzzle, str) else puzzle, set()
    for _ in range(most):
        step = pls.hint(grid, removed=removed)
        if step is None:
            return
        yield step
        removed.update(step.removed)
        if step.placed:
            grid = grid.with_(step.placed)


@pytest.mark.parametrize("puzzle", [HARD, LOOSE, JIGSAW])
def test_hints_go_on_where_the_last_one_ended(puzzle):
    way = pls.steps(puzzle)
    removed = set()
    for step in followed(puzzle):
        step.verify()
        assert removed.isdisjoint(step.removed)
        assert removed.isdisjoint(standing(step.candidates))
        removed.update(step.removed)
        known = next(way)
        assert (step.placed, step.removed) == (known.placed, known.removed)
        assert step.candidates == known.candidates
    assert removed or puzzle is JIGSAW


def test_removed_candidates_may_decide_between_solutions():
    several = "12..34......4321"
    assert pls.hint(several, removed=[]) is not None
    assert len(list(pls.solutions(several))) > 1
    one = next(iter(pls.solutions(several)))
    removed = [
        (row, column, digit)
        for row, cells in enumerate(pls.candidates(several), 1)
        for column, digits in enumerate(cells, 1)
        for digit in digits - {one[row, column]}
    ]
    way = pls.steps(several, removed=removed)
    assert [*way][-1].placed
    assert way.grid == one
    assert pls.rate(several, removed=removed).level == "easy"


def test_the_digit_of_the_only_solution_must_stay():
    solution = pls.solve(MIDDLING)
    cell = next(cell for cell in solution.cells if not pls.Grid.parse(MIDDLING)[cell])
    digit = solution[cell]
    with pytest.raises(InvalidPuzzle, match=f"{cell} can only be {digit}, so"):
        pls.hint(MIDDLING, removed=[(*cell, digit)])
    with pytest.raises(InvalidPuzzle, match="every solution needs some of the removed candidates"):
        pls.hint("." * 16, removed=[(1, 1, digit) for digit in (1, 2, 3, 4)])
    with pytest.raises(pls.NoSolution, match="the puzzle has no solution"):
        pls.hint(IMPOSSIBLE, removed=[(1, 1, 1)])


@pytest.mark.parametrize("removed", [(1, 2), (0, 1, 1), (1, 1, 10), (1.0, 1, 1), "r1c1"])
def test_candidates_are_a_row_a_column_and_a_digit(removed):
    expected = f"{removed!r}; expected (row, column, digit), each from 1 to 9"
    with pytest.raises(InvalidPuzzle, match=re.escape(expected)):
        pls.hint(MIDDLING, removed=[removed])
