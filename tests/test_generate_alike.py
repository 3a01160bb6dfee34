"""Which made puzzles are the same up to symmetry and other digits."""

from __future__ import annotations

from collections import Counter
from functools import partial
from random import Random

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku._symmetry import Symmetry
from pylogic_sudoku.making._made import trait


@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3)])
def test_symmetry_does_not_change_the_trait_of_a_puzzle(box):
    random = Random(1)
    for puzzle in pls.generate(3, True, seed=1, box=box):
        size, (rows, columns) = puzzle.size, box
        digits = tuple(random.sample(range(1, size + 1), size))
        moved = Symmetry(
            digits, shuffled(size, rows, random), shuffled(size, columns, random), rows == columns
        )(puzzle)
        assert moved != puzzle
        assert trait(moved) == trait(puzzle)


def shuffled(size: int, height: int, random: Random) -> tuple[int, ...]:
    """The lines of a grid in another order that keeps the bands."""
    bands = [[*range(first, first + height)] for first in range(1, size + 1, height)]
    random.shuffle(bands)
    return tuple(line for band in bands for line in random.sample(band, height))


def test_all_minimal_puzzles_with_4x4_cells_are_found_once():
    """It is known that there are 13, 22 and 1 with 4, 5 and 6 givens; the one is rare."""
    made = pls.generate(None, True, seed=1, box=(2, 2))
    found = []
    with pytest.raises(pls.NotGenerated):
        found.extend(iter(partial(next, made), None))
    assert Counter(len(puzzle.givens) for puzzle in found) == {4: 13, 5: 22, 6: 1}
    assert len({puzzle.canonical() for puzzle in found}) == 36
    assert len({trait(puzzle) for puzzle in found}) < 36


def test_of_many_puzzles_hardly_any_have_the_same_trait():
    """So canonical forms are seldom needed."""
    assert len({trait(puzzle) for puzzle in pls.generate(50, seed=1)}) == 50
