"""The instances, by family and group.

A group is a function of the folder of the collections. It yields puzzles with at least one
solution, the same ones each time; OSError if its file is not there. Each family has groups that are
made from seeds, so a run needs no collection; those of collections are further ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from pylogic_sudoku import (
    Cell,
    Grid,
    NoSolution,
    NotGenerated,
    Puzzle,
    generate,
    is_unique,
    read_puzzles,
)
from pylogic_sudoku.rules import Greater

from ..race.sets import made_set
from ..variants import Published, jigsaws, killers

Puzzles = Iterator[Grid | Puzzle]

SIGNS = 0.3
"""The share of all places between neighbours that have a sign."""
ORDERS = (10, 15, 20, 25, 30, 35)
HOLES = (30, 36, 42, 48, 55)
PEAK, MIDDLE = 42, 20
"""Percent of holes for all orders, and the order for all percentages."""


class Group(NamedTuple):
    """Instances that are alike."""

    family: str
    name: str
    puzzles: Callable[[Path], Puzzles]


def groups() -> list[Group]:
    """Every group of every family."""
    return [
        *(Group("futoshiki", f"{n}x{n}", partial(_futoshiki, n)) for n in (5, 6, 7, 8, 9)),
        Group("jigsaw", "made", partial(_made_jigsaws, 9)),
        Group("jigsaw", "published layouts", _jigsaws),
        Group("killer", "made", partial(_made, rules=("killer_cage",))),
        Group("killer", "published", _killers),
        *(
            Group("quasigroup", f"order {order}, {holes} % holes", partial(_quasi, order, holes))
            for order in ORDERS
            for holes in HOLES
            if holes == PEAK or order == MIDDLE
        ),
        Group("sudoku", "made, easy", partial(_made, level="easy")),
        Group("sudoku", "made, minimal", partial(_made, minimal=True)),
        Group("sudoku", "made, hard", partial(_made, level="extreme")),
        Group("sudoku", "made, 16x16", partial(_made, box=(4, 4), givens=112)),
        Group("sudoku", "made, 25x25", lambda _folder: iter(made_set("made-25x25", 60).puzzles)),
        Group("sudoku", "newspaper", partial(_of_file, "random-10k.txt")),
        Group("sudoku", "17 clues", partial(_of_file, "17-clue.txt")),
        Group("sudoku", "hard", partial(_of_file, "hard-375.txt")),
        Group("sudoku", "16x16", partial(_of_file, "16x16-sample.txt")),
    ]


def _made(_folder: Path, **options: Any) -> Puzzles:
    """Puzzles of `generate` with these options."""
    yield from generate(None, seed="study", **options)


def _made_jigsaws(n: int, _folder: Path) -> Puzzles:
    """Random regions, and givens that leave one solution."""
    for number in count():
        regions = random_regions(n, Random(f"jigsaw {n} {number}"))
        with suppress(NoSolution, NotGenerated):  # some regions have no grid
            yield from generate(1, minimal=True, seed=number, regions=regions)


def _of_file(name: str, folder: Path) -> Puzzles:
    """The puzzles of a collection in a random order."""
    found = list(read_puzzles(folder / name))
    yield from Random(name).sample(found, len(found))


def _jigsaws(folder: Path) -> Puzzles:
    """Published layouts, and givens that leave one solution."""
    layouts = [puzzle.regions for _, exists, puzzle in jigsaws(folder / "variants") if exists]
    for seed, regions in enumerate(Random(1).sample(layouts, len(layouts))):
        yield from generate(1, minimal=True, seed=seed, regions=regions)


def _killers(folder: Path) -> Puzzles:
    """Published puzzles, hard ones among them."""
    found = [each.puzzle for each in killers(folder / "variants") if isinstance(each, Published)]
    yield from Random(1).sample(found, len(found))


def _quasi(order: int, percent: int, _folder: Path) -> Puzzles:
    """Random Latin squares with holes, so each has a solution.

    The share of holes decides how hard it is. Achlioptas, Gomes, Kautz and Selman ("Generating
    satisfiable problem instances", 2000) found the hardest near 42 % for large orders.
    """
    for number in count():
        chance = Random(f"{order} {percent} {number}")
        square = latin_square(order, chance)
        holes = chance.sample(square.cells, round(order**2 * percent / 100))
        yield square.without(*holes)


def _futoshiki(n: int, _folder: Path) -> Puzzles:
    """Latin squares with signs between neighbours, and as few givens as that needs."""
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


def random_regions(n: int, chance: Random) -> str:
    """The labels of n connected regions of n cells each: columns, then cells exchanged at random.

    Of two regions each gives a cell to the other, unless one of them would fall apart.
    """
    label = {(r, c): c for r in range(n) for c in range(n)}
    exchanged = 0
    while exchanged < n * n:
        one, other = chance.sample(sorted(label), 2)
        a, b = label[one], label[other]
        label[one], label[other] = b, a
        if a != b and all(_connected({at for at in label if label[at] == each}) for each in (a, b)):
            exchanged += 1
        else:
            label[one], label[other] = a, b
    return "".join(str(label[r, c] + 1) for r in range(n) for c in range(n))


def _connected(cells: set[tuple[int, int]]) -> bool:
    """True if one can walk between any two of the cells."""
    reached, ahead = set(), [min(cells)]
    while ahead:
        r, c = here = ahead.pop()
        if here in cells and here not in reached:
            reached.add(here)
            ahead += [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return reached == cells


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
