"""The instances, by family and group.

A group is a function of the folder of the collections. It yields instances that have a solution as
a rule, the same ones each time; OSError if its file is not there. Each family has groups that are
made from seeds, so a run needs no collection; those of collections are further ones. The family
`PROBLEM` has the problems that come with the package, and their instances.
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
from pylogic_sudoku.problem import Instance
from pylogic_sudoku.problem.folder import Problem, bundled
from pylogic_sudoku.rules import Greater

from ..race.sets import image, made_set
from ..variants import Published, jigsaws, killers

AnyInstance = Grid | Puzzle | Instance
Instances = Iterator[AnyInstance]

HARD = Path(__file__).resolve().parents[1] / "hard.txt"
PROBLEM = "problem"
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
    instances: Callable[[Path], Instances]
    every: bool = False
    """True if all solutions are asked for: there are several, and not too many for everybody."""
    easier: tuple[str, ...] = ()
    """Easier groups of the same kind: a contestant that fails there fails here."""


def groups(seed: str = "study") -> list[Group]:
    """Every group of every family.

    Another seed makes other instances, and takes those of the collections in another order.
    """

    def one(family: str, name: str, make: Callable[..., Instances], **options: Any) -> Group:
        return Group(family, name, partial(make, seed, **options))

    large = one("sudoku", "made, 25x25", _images, made="made-25x25")
    hard = one("sudoku", "made, hard", _of_file, file=HARD)
    smaller: list[str] = []
    orders: list[Group] = []
    for order in ORDERS:
        name = f"order {order}, {PEAK} % holes"
        make = partial(_quasi, seed, order, PEAK)
        every = order <= MIDDLE
        orders.append(Group("quasigroup", name, make, every, tuple(smaller)))
        smaller.append(name)
    return [
        *(one("futoshiki", f"{n}x{n}", _futoshiki, n=n) for n in (5, 6, 7, 8, 9)),
        one("jigsaw", "made", _made_jigsaws),
        one("jigsaw", "published layouts", _jigsaws),
        one("killer", "made", _made, rules=("killer_cage",)),
        one("killer", "published", _killers),
        *orders,
        *(
            Group("quasigroup", f"order {MIDDLE}, {holes} % holes", make)
            for holes in HOLES
            if holes != PEAK
            for make in [partial(_quasi, seed, MIDDLE, holes)]
        ),
        one("sudoku", "made, easy", _made, level="easy"),
        one("sudoku", "made, minimal", _made, minimal=True),
        one("sudoku", "made, extreme", _made, level="extreme"),
        one("sudoku", "made, 16x16", _made, box=(4, 4), givens=112),
        large._replace(easier=("made, 16x16",)),
        hard._replace(easier=("made, 16x16", "made, 25x25")),
        one("sudoku", "newspaper", _of_file, file="random-10k.txt"),
        one("sudoku", "17 clues", _of_file, file="17-clue.txt"),
        one("sudoku", "hard", _of_file, file="hard-375.txt"),
        one("sudoku", "16x16", _of_file, file="16x16-sample.txt"),
        *(Group(PROBLEM, each.name, partial(_instances, each), every=True) for each in bundled()),
    ]


def _made(seed: str, _folder: Path, **options: Any) -> Instances:
    """Puzzles of `generate` with these options."""
    yield from generate(None, seed=seed, **options)


def _images(seed: str, _folder: Path, made: str) -> Instances:
    """Puzzles of a set of the race, with digits, rows and columns permuted."""
    chance = Random(seed)
    for grid in made_set(made, 60).puzzles:
        yield image(grid, chance)


def _made_jigsaws(seed: str, _folder: Path) -> Instances:
    """Random regions, and givens that leave one solution."""
    for number in count():
        regions = random_regions(9, Random(f"{seed} {number}"))
        with suppress(NoSolution, NotGenerated):  # some regions have no grid
            yield from generate(1, minimal=True, seed=f"{seed} {number}", regions=regions)


def _of_file(seed: str, folder: Path, file: str | Path) -> Instances:
    """The puzzles of a collection, or of a file of ours, in a random order."""
    found = list(read_puzzles(folder / file))
    yield from Random(f"{Path(file).name} {seed}").sample(found, len(found))


def _jigsaws(seed: str, folder: Path) -> Instances:
    """Published layouts, and givens that leave one solution."""
    layouts = [puzzle.regions for _, exists, puzzle in jigsaws(folder / "variants") if exists]
    for number, regions in enumerate(Random(seed).sample(layouts, len(layouts))):
        yield from generate(1, minimal=True, seed=f"{seed} {number}", regions=regions)


def _killers(seed: str, folder: Path) -> Instances:
    """Published puzzles, hard ones among them."""
    found = [each.puzzle for each in killers(folder / "variants") if isinstance(each, Published)]
    yield from Random(seed).sample(found, len(found))


def _instances(problem: Problem, _folder: Path) -> Instances:
    """The instances of a problem; some have no answer."""
    yield from problem.instances.values()


def _quasi(seed: str, order: int, percent: int, _folder: Path) -> Instances:
    """Random Latin squares with holes, so each has a solution.

    The share of holes decides how hard it is. Achlioptas, Gomes, Kautz and Selman ("Generating
    satisfiable problem instances", 2000) found the hardest near 42 % for large orders.
    """
    for number in count():
        chance = Random(f"{seed} {order} {percent} {number}")
        square = latin_square(order, chance)
        holes = chance.sample(square.cells, round(order**2 * percent / 100))
        yield square.without(*holes)


def _futoshiki(seed: str, _folder: Path, n: int) -> Instances:
    """Latin squares with signs between neighbours, and as few givens as that needs."""
    for number in count():
        chance = Random(f"{seed} futoshiki {n} {number}")
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
