"""Quasigroup completion: random Latin squares with holes, so each has a solution.

The share of holes decides how hard it is. Achlioptas, Gomes, Kautz and Selman ("Generating
satisfiable problem instances", 2000) found the hardest near 42 % for large orders.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from pathlib import Path
from random import Random

from pylogic_sudoku import Grid, Puzzle

from . import latin_square

ORDERS = (10, 15, 20, 25, 30, 35)
HOLES = (30, 36, 42, 48, 55)
PEAK, MIDDLE = 42, 20
"""Percent of holes for all orders, and the order for all percentages."""


def _with_holes(order: int, percent: int, _folder: Path) -> Iterator[Grid | Puzzle]:
    for number in count():
        chance = Random(f"{order} {percent} {number}")
        square = latin_square(order, chance)
        holes = chance.sample(square.cells, round(order**2 * percent / 100))
        yield square.without(*holes)


GROUPS = {
    f"order {order}, {percent} % holes": partial(_with_holes, order, percent)
    for order in ORDERS
    for percent in HOLES
    if percent == PEAK or order == MIDDLE
}
