"""The instances: a family is a module here that has `GROUPS`.

`GROUPS` gives each group of a family a function. It gets the folder of the collections and yields
puzzles with at least one solution, the same ones each time; OSError if its file is not there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from random import Random
from typing import Any, NamedTuple

from pylogic_sudoku import Grid, Puzzle

Puzzles = Callable[[Path], Iterator[Grid | Puzzle]]


class Group(NamedTuple):
    """Instances that are alike."""

    family: str
    name: str
    puzzles: Puzzles


def groups() -> list[Group]:
    """Every group of every family, in the order of the family's names."""
    modules: list[Any] = [import_module(f"{__name__}.{m.name}") for m in iter_modules(__path__)]
    return [
        Group(module.__name__.rpartition(".")[2], name, puzzles)
        for module in modules
        for name, puzzles in module.GROUPS.items()
    ]


def latin_square(n: int, chance: Random) -> Grid:
    """A Latin square of order n, 2 or more, nearly equally likely to be any.

    The walk of Jacobson and Matthews ("Generating uniformly distributed random Latin squares",
    1996): n * n * n moves from the cyclic square, and on until it is a square again. `count` is 1
    where row, column and digit meet, and -1 at the one place that makes it improper.
    """
    count = [[[int((r + c) % n == d) for d in range(n)] for c in range(n)] for r in range(n)]
    hole: tuple[int, int, int] | None = None
    moves = 0
    while moves < n**3 or hole:
        moves += 1
        if hole:
            r, c, d = hole
        else:
            r, c = chance.randrange(n), chance.randrange(n)
            d = chance.choice([d for d in range(n) if not count[r][c][d]])
        r2 = chance.choice([each for each in range(n) if count[each][c][d] == 1])
        c2 = chance.choice([each for each in range(n) if count[r][each][d] == 1])
        d2 = chance.choice([each for each in range(n) if count[r][c][each] == 1])
        for x in (r, r2):
            for y in (c, c2):
                for z in (d, d2):
                    odd = (x != r) ^ (y != c) ^ (z != d)
                    count[x][y][z] += -1 if odd else 1
        hole = (r2, c2, d2) if count[r2][c2][d2] < 0 else None
    return Grid(tuple(cell.index(1) + 1 for row in count for cell in row), (1, n))
