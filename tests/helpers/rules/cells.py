"""Random cells: on a line, in a cage, anywhere."""

from __future__ import annotations

import random

from pylogic_sudoku import Cell, Grid


def touching(cell: Cell, grid: Grid, diagonal: bool = True) -> list[Cell]:
    """The neighbours of a cell, also those that touch it at a corner if `diagonal`."""
    return [
        other
        for other in grid.cells
        if other != cell
        and max(abs(other.row - cell.row), abs(other.column - cell.column)) == 1
        and (diagonal or other.row == cell.row or other.column == cell.column)
    ]


def line(rng: random.Random, grid: Grid, least: int = 2, most: int = 5) -> tuple[Cell, ...]:
    """A line that does not meet itself, of at most so many cells and at least `least`."""
    wanted = rng.randint(least, most)
    while True:
        cells = [rng.choice(grid.cells)]
        while len(cells) < wanted:
            free = [cell for cell in touching(cells[-1], grid) if cell not in cells]
            if not free:
                break
            cells.append(rng.choice(free))
        if len(cells) >= least:
            return tuple(cells)


def cage(rng: random.Random, grid: Grid, least: int = 2, most: int = 4) -> tuple[Cell, ...]:
    """Cells that hang together by their sides."""
    wanted = rng.randint(least, most)
    cells = [rng.choice(grid.cells)]
    while len(cells) < wanted:
        near = {each for cell in cells for each in touching(cell, grid, False)} - set(cells)
        cells.append(rng.choice(sorted(near)))
    return tuple(cells)


def some(rng: random.Random, grid: Grid, least: int = 2, most: int = 4) -> tuple[Cell, ...]:
    """Different cells anywhere."""
    return tuple(rng.sample(grid.cells, rng.randint(least, most)))
