"""All images of a grid under the symmetries of its box shape, and random ones, in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import permutations, product

from pylogic_sudoku import Grid, Symmetry


def orders(size: int, height: int) -> Iterator[list[int]]:
    """Every order of the lines, from 0, that keeps bands of this height together."""
    bands = [range(start, start + height) for start in range(0, size, height)]
    for chosen in permutations(bands):
        for lines in product(*map(permutations, chosen)):
            yield [line for band in lines for line in band]


def images(grid: Grid) -> Iterator[list[int]]:
    """The cells of every image whose digits are named in the order of their appearance.

    All relabellings of these are images too, but none of them is less.
    """
    height, width = grid.box
    turned = [list(zip(*grid.rows, strict=True))] if height == width else []
    for rows in [list(grid.rows), *turned]:
        for order in orders(grid.size, height):
            for columns in orders(grid.size, width):
                names = {0: 0}
                yield [
                    names.setdefault(rows[row][column], len(names))
                    for row in order
                    for column in columns
                ]


def least_image(grid: Grid) -> Grid:
    """What `Grid.canonical` is to find, by trying everything."""
    return Grid(tuple(min(images(grid))), grid.box)


def random_symmetry(box: tuple[int, int], rng: random.Random) -> Symmetry:
    height, width = box
    size = height * width

    def lines(height: int) -> tuple[int, ...]:
        bands = [range(start + 1, start + height + 1) for start in range(0, size, height)]
        return tuple(
            line for band in rng.sample(bands, len(bands)) for line in rng.sample(band, height)
        )

    digits = tuple(rng.sample(range(1, size + 1), size))
    return Symmetry(digits, lines(height), lines(width), height == width and rng.random() < 0.5)
