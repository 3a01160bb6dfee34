"""Answers without an engine: a small solver in plain Python, and grids made by symmetry."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, Puzzle


def all_solutions(puzzle: Grid | Puzzle) -> Iterator[Grid]:
    """Every solution, by trying each digit that fits in the cell with the fewest of them."""
    houses = puzzle.layout.offsets
    excluded = {(each.cell.offset(puzzle.size), each.digit) for each in puzzle.excluded}
    peers = [
        {other for house in houses if cell in house for other in house if other != cell}
        for cell in range(len(puzzle.digits))
    ]
    possible = [
        {digit for digit in range(1, puzzle.size + 1) if (cell, digit) not in excluded}
        for cell in range(len(puzzle.digits))
    ]
    if puzzle.duplicates() or excluded.intersection(enumerate(puzzle.digits)):
        return

    def fill(cells: list[int]) -> Iterator[Grid]:
        fewest: tuple[int, set[int]] | None = None
        for cell, digit in enumerate(cells):
            if not digit:
                fitting = possible[cell].difference([cells[peer] for peer in peers[cell]])
                if fewest is None or len(fitting) < len(fewest[1]):
                    fewest = cell, fitting
                    if len(fitting) < 2:
                        break
        if fewest is None:
            yield Grid(tuple(cells), puzzle.box)
            return
        cell, fitting = fewest
        for digit in sorted(fitting):
            yield from fill([*cells[:cell], digit, *cells[cell + 1 :]])

    yield from fill(list(puzzle.digits))


def full_grid(box: tuple[int, int], seed: int) -> Grid:
    """A full grid: the cyclic one, with digits, rows in a band and columns in a stack shuffled."""
    shuffle = random.Random(seed).shuffle
    box_rows, box_columns = box
    n = box_rows * box_columns
    digits = list(range(1, n + 1))
    shuffle(digits)

    def order(bands: int, height: int) -> list[int]:
        lines = [list(range(band * height, (band + 1) * height)) for band in range(bands)]
        shuffle(lines)
        for band in lines:
            shuffle(band)
        return [line for band in lines for line in band]

    rows, columns = order(n // box_rows, box_rows), order(n // box_columns, box_columns)
    return Grid.from_rows(
        [
            [
                digits[(row % box_rows * box_columns + row // box_rows + column) % n]
                for column in columns
            ]
            for row in rows
        ],
        box,
    )


def dig(grid: Grid, keep: int, seed: int) -> Grid:
    """The grid with only `keep` of its digits."""
    kept = set(random.Random(seed).sample(range(len(grid.digits)), keep))
    return Grid(tuple(d if c in kept else 0 for c, d in enumerate(grid.digits)), grid.box)


def assert_answers(puzzle: Grid | Puzzle, expected: Collection[Grid], **how: Any) -> None:
    """Every question about the puzzle has the answer that follows from all its solutions."""
    found = list(pls.solutions(puzzle, **how))
    assert len(found) == len(set(found))
    assert set(found) == set(expected)
    assert pls.count(puzzle, **how) == len(expected)
    assert pls.count(puzzle, limit=2, **how) == min(2, len(expected))
    assert pls.count(puzzle, timeout=60, **how) == len(expected)
    assert pls.is_unique(puzzle, **how) is (len(expected) == 1)
    solution = pls.solve(puzzle, **how)
    assert solution in expected if expected else solution is None
    possible = [set(digits) for digits in zip(*(each.digits for each in expected), strict=True)]
    rows = pls.candidates(puzzle, **how)
    assert [len(row) for row in rows] == [puzzle.size] * puzzle.size
    assert [set(digits) for row in rows for digits in row] == (
        possible or [set()] * len(puzzle.digits)
    )
