"""The puzzles: from files, or made here from a seed."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path

from pylogic_sudoku import Grid, InvalidPuzzle, is_unique, read_puzzles
from pylogic_sudoku.formats import as_grid
from pylogic_sudoku.puzzle.cells import Box

DIABOLICAL = (
    "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43..",
    ".9...328.5.....39...6......6..8..4.5.5.7...3...9.46.......2.5...8.6............28",
    "..6...9.....6...75.58..7.14.6..1..57...75..6.......3.....1..783.1...3.4.....6.5..",
)
"""Called diabolical by a web site; they are also in ``prolog/sudoku/problems.pl``."""


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


def constructed(box: Box) -> Grid:
    """Return the full grid whose rows are 1..n, each shifted by a box, each band by one more."""
    rows, columns = box
    size = rows * columns
    return Grid(
        tuple(
            (columns * (row % rows) + row // rows + column) % size + 1
            for row in range(size)
            for column in range(size)
        ),
        box,
    )


def trivial(box: Box) -> Grid:
    """Return a full grid without its first row, which every contestant solves at once."""
    full = constructed(box)
    return Grid((0,) * full.size + full.digits[full.size :], box)


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


def dug(grid: Grid, givens: int, chance: random.Random) -> Grid:
    """Return a puzzle whose only solution is this full grid, with at least this many givens.

    Cells are emptied in a random order, each unless a second solution appears. The search
    empties many at once and halves their number if that fails.
    """
    puzzle = grid
    order = chance.sample(range(len(grid.digits)), len(grid.digits))
    while order and (surplus := sum(map(bool, puzzle.digits)) - givens) > 0:
        puzzle = _emptied(puzzle, order[:surplus])
        del order[:surplus]
    return puzzle


def _emptied(puzzle: Grid, places: list[int]) -> Grid:
    emptied = Grid(
        tuple(0 if place in places else digit for place, digit in enumerate(puzzle.digits)),
        puzzle.box,
    )
    if is_unique(emptied):
        return emptied
    half = len(places) // 2
    return _emptied(_emptied(puzzle, places[:half]), places[half:]) if half else puzzle


def _dug(box: Box, givens: int, different: int, number: int) -> tuple[Grid, ...]:
    """Return this many puzzles: images of a few different ones."""
    chance = random.Random(f"{box} {givens}")
    full = constructed(box)
    bases = [dug(image(full, chance), givens, chance) for _ in range(min(number, different))]
    return _images(bases, number, chance)


def _images(bases: Sequence[Grid], number: int, chance: random.Random) -> tuple[Grid, ...]:
    return tuple(image(base, chance) for base in islice(cycle(bases), number))


MADE = {
    "easy": "9x9 with 32 givens",
    "minimal": "9x9, no given can be removed",
    "diabolical": "9x9, images of three that a web site calls diabolical",
    "made-16x16": "with 112 givens",
    "made-25x25": "with 320 givens",
}
"""The sets that need no file."""

_DUG = {
    "easy": ((3, 3), 32, 20),
    "minimal": ((3, 3), 0, 20),
    "made-16x16": ((4, 4), 112, 5),
    "made-25x25": ((5, 5), 320, 3),
}
"""For some of them: box shape, givens, and the number of puzzles that are not images."""


def made_set(name: str, number: int) -> PuzzleSet:
    """Return this many puzzles of the set of this name, the same each time."""
    if name in _DUG:
        return PuzzleSet(name, _dug(*_DUG[name], number))
    bases = [Grid.parse(puzzle) for puzzle in DIABOLICAL]
    return PuzzleSet(name, _images(bases, number, random.Random(name)))


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
