"""The puzzles: from files, or made here from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any, NamedTuple

from pylogic_sudoku import Grid, InvalidPuzzle, generate, read_puzzles
from pylogic_sudoku.formats import as_grid
from pylogic_sudoku.puzzle.cells import Box

DIABOLICAL = (
    "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..",
    ".9...328.5.....39...6......6..8..4.5.5.7...3...9.46.......2.5...8.6............28",
    "..6...9.....6...75.58..7.14.6..1..57...75..6.......3.....1..783.1...3.4.....6.5..",
)
"""Called diabolical by a web site; they are also in ``prolog/sudoku/puzzles.pl``."""


@dataclass(frozen=True)
class PuzzleSet:
    """Puzzles of one box shape."""

    name: str
    puzzles: tuple[Grid, ...]

    @property
    def box(self) -> Box:
        return self.puzzles[0].box

    def rounds(self, number: int) -> list[tuple[Grid, ...]]:
        """Return the puzzles of each round, a share of them."""
        return [self.puzzles[start::number] for start in range(min(number, len(self.puzzles)))]


def trivial(box: Box) -> Grid:
    """Return a grid that lacks only its first row, which every contestant fills at once."""
    rows, columns = box
    n = rows * columns
    # Each row is the one above shifted by a box, and each band by one more.
    digits = (
        (columns * (row % rows) + row // rows + column) % n + 1
        for row in range(1, n)
        for column in range(n)
    )
    return Grid((0,) * n + tuple(digits), box)


def image(grid: Grid, chance: random.Random) -> Grid:
    """Return the grid with its digits, bands, stacks, rows and columns permuted."""

    def shuffled(items: range) -> list[int]:
        return chance.sample(items, len(items))

    (height, width), size = grid.box, grid.size
    digits = (0, *shuffled(range(1, size + 1)))
    rows = [
        height * band + row for band in shuffled(range(width)) for row in shuffled(range(height))
    ]
    columns = [
        width * stack + column
        for stack in shuffled(range(height))
        for column in shuffled(range(width))
    ]
    return Grid(
        tuple(digits[grid.digits[size * row + column]] for row in rows for column in columns),
        grid.box,
    )


class Made(NamedTuple):
    """A set that needs no file: images of a few puzzles."""

    text: str
    different: int
    options: dict[str, Any]
    """The options of `generate` for these; empty if they are `DIABOLICAL`."""


MADE = {
    "easy": Made("9x9 with 32 givens", 20, {"givens": 32}),
    "minimal": Made("9x9, no given can be removed", 20, {"minimal": True}),
    "diabolical": Made("9x9, images of three that a web site calls diabolical", 3, {}),
    "made-16x16": Made("with 112 givens", 5, {"box": (4, 4), "givens": 112}),
    "made-25x25": Made("with 320 givens", 3, {"box": (5, 5), "givens": 320}),
}
"""By name."""


def made_set(name: str, number: int) -> PuzzleSet:
    """Return this many puzzles of the set of this name, the same each time."""
    _, different, options = MADE[name]
    made = generate(min(number, different), seed=name, **options) if options else ()
    bases = list(map(as_grid, made)) or list(map(Grid.parse, DIABOLICAL))
    chance = random.Random(name)
    return PuzzleSet(name, tuple(image(base, chance) for base in islice(cycle(bases), number)))


def read_sets(source: str, number: int, box: Box | None) -> Iterator[PuzzleSet]:
    """Yield a set for each box shape in a file, or in each text file of a folder.

    A larger collection is reduced to a sample of `number` puzzles, the same each time.
    """
    path = Path(source)
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    if not files:
        raise InvalidPuzzle(f"{source} has no files that end in .txt")
    for file in files:
        shapes: dict[Box, list[Grid]] = {}
        for grid in map(as_grid, read_puzzles(file, box=box)):
            shapes.setdefault(grid.box, []).append(grid)
        for (rows, columns), grids in shapes.items():
            name = file.stem if len(shapes) == 1 else f"{file.stem} {rows}x{columns}"
            chosen = random.Random(1).sample(grids, min(number, len(grids)))
            yield PuzzleSet(name, tuple(chosen))
