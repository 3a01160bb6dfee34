"""Puzzles with regions and marks, small enough for the oracle."""

from __future__ import annotations

import random
from itertools import islice

from pylogic_sudoku import Grid, Puzzle

from .oracle import all_solutions, dig

REGIONS = {
    4: "1112122233434344",
    5: "1112211222333445334455554",
    6: "111222111223443233443535446555666665",
}
BOX = {4: (2, 2), 5: (1, 5), 6: (2, 3)}


KEEP = {4: 2, 5: 4, 6: 6}
"""Givens for a puzzle with a few solutions."""


def jigsaw(size: int, keep: int, seed: int, marked: int = 0) -> Puzzle:
    """A jigsaw that keeps some digits of a solution; other cells are odd, even or pencilled."""
    rng = random.Random(seed)
    empty = Grid((0,) * size**2, BOX[size])
    row = list(range(1, size + 1))
    rng.shuffle(row)
    first_row = ((1, column, digit) for column, digit in enumerate(row, 1))
    some = Puzzle(empty.with_(*first_row), regions=REGIONS[size])
    full = rng.choice(list(islice(all_solutions(some), 20)))
    puzzle = dig(full, keep, seed)
    marks = {}
    for cell in rng.sample(full.cells, marked):
        others = {rng.randint(1, size) for _ in range(size // 2)}
        parity = {digit for digit in range(1, size + 1) if (digit - full[cell]) % 2 == 0}
        marks[cell] = rng.choice([others | {full[cell]}, parity])
    return Puzzle(puzzle, regions=REGIONS[size], marks=marks)


# "0-indexed: Jigsaw" of the repository sigh/Interactive-Sudoku-Solver (MIT), with digits from 1.
REAL = Puzzle(
    Grid.parse("3.......71.......5....68.....5.19......9.............28....3......235..1.......9."),
    regions="111111123456616123456666223456622223455577323445777333445577778499998888999998888",
)
REAL_ANSWER = "364891527189374265542168739625719843213987456937456182876523914498235671751642398"
