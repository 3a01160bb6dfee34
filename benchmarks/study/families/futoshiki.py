"""Futoshiki: Latin squares with signs between neighbours, and as few givens as that needs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from pylogic_sudoku import Cell, Grid, Puzzle, is_unique
from pylogic_sudoku.rules import Greater

from . import latin_square

SIZES = (5, 6, 7, 8, 9)
SIGNS = 0.3
"""Of all places between neighbours."""


def _futoshiki(n: int, _folder: Path) -> Iterator[Grid | Puzzle]:
    for number in count():
        chance = Random(f"futoshiki {n} {number}")
        square = latin_square(n, chance)
        pairs = [
            (cell, beside)
            for cell in square.cells
            for beside in (Cell(cell.row, cell.column + 1), Cell(cell.row + 1, cell.column))
            if beside.row <= n and beside.column <= n
        ]
        signs = [
            Greater(sorted(pair, key=lambda cell: -square[cell]))
            for pair in chance.sample(pairs, round(SIGNS * len(pairs)))
        ]
        puzzle = Puzzle(square.without(*square.cells), rules=signs)
        for cell in chance.sample(square.cells, n * n):
            if is_unique(puzzle):
                break
            puzzle = puzzle.with_((*cell, square[cell]))
        yield puzzle


GROUPS = {f"{n}x{n}": partial(_futoshiki, n) for n in SIZES}
