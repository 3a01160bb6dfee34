"""Ways to carry a puzzle to another one, and its solutions to the solutions of that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from hypothesis import strategies as st

from helpers.jigsaws import jigsaw
from helpers.oracle import dig, full_grid
from helpers.rules import MAKERS, fitting
from pylogic_sudoku import Cell, Grid, Puzzle
from pylogic_sudoku.rules import Rule

Box = tuple[int, int]


@dataclass(frozen=True)
class Symmetry:
    """The digit d becomes ``digits[d - 1]``, row r becomes row ``rows[r - 1]``; so with columns.

    Then rows become columns if `transposed`.
    """

    digits: tuple[int, ...]
    rows: tuple[int, ...]
    columns: tuple[int, ...]
    transposed: bool = False

    def cell(self, cell: Cell) -> Cell:
        row, column = self.rows[cell.row - 1], self.columns[cell.column - 1]
        return Cell(column, row) if self.transposed else Cell(row, column)

    def __call__(self, puzzle: Grid | Puzzle) -> Any:
        """The grid or puzzle carried over."""
        box = puzzle.box[::-1] if self.transposed else puzzle.box
        givens = ((*self.cell(given.cell), self.digits[given.digit - 1]) for given in puzzle.givens)
        grid = Grid.of(givens, box)
        if isinstance(puzzle, Grid):
            return grid
        marks = {
            self.cell(mark.cell): [self.digits[digit - 1] for digit in mark.digits]
            for mark in puzzle.marks
        }
        return Puzzle(grid, self._carried(puzzle.regions), marks, self._carried(puzzle.rules))

    def _carried(self, value: Any) -> Any:
        """The value with its cells carried over, and those of rules in it."""
        if isinstance(value, Cell):
            return self.cell(value)
        if isinstance(value, tuple):
            return tuple(map(self._carried, value))
        if isinstance(value, Rule):
            fields = {name: self._carried(getattr(value, name)) for name in value.types}
            return type(value)(**fields)
        return value


def _lines(size: int, height: int) -> st.SearchStrategy[tuple[int, ...]]:
    """Where each line goes: bands of this height move, and lines within them."""
    bands = st.permutations(range(0, size, height))
    within = st.tuples(*[st.permutations(range(1, height + 1))] * (size // height))
    return st.builds(
        lambda starts, orders: tuple(
            start + line for start, order in zip(starts, orders, strict=True) for line in order
        ),
        bands,
        within,
    )


def symmetries(puzzle: Grid | Puzzle) -> st.SearchStrategy[Symmetry]:
    """Those that carry the solutions of the puzzle over.

    Boxes stay boxes. With rules, no digit may change, and the grid is only turned or mirrored.
    """
    size, same = puzzle.size, tuple(range(1, puzzle.size + 1))
    if puzzle.layout.rules:
        turned = st.sampled_from([same, same[::-1]])
        return st.builds(Symmetry, st.just(same), turned, turned, st.booleans())
    digits = st.permutations(same).map(tuple)
    height, width = (size, size) if puzzle.layout.regions else puzzle.box
    return st.builds(Symmetry, digits, _lines(size, height), _lines(size, width), st.booleans())


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Dug from full grids, some with a digit changed: one, many or no solutions."""
    box = draw(st.sampled_from([(2, 2), (1, 4), (2, 3), (3, 2), (2, 4), (4, 2), (3, 3)]))
    n = box[0] * box[1]
    least = {4: 2, 6: 13, 8: 32, 9: 34}[n]
    seed = draw(st.integers(0, 10**6))
    puzzle = dig(full_grid(box, seed), draw(st.integers(least, n * n - 1)), seed)
    if draw(st.integers(0, 3)) == 0:
        cell, digit = draw(st.integers(0, n * n - 1)), draw(st.integers(1, n))
        puzzle = Grid((*puzzle.digits[:cell], digit, *puzzle.digits[cell + 1 :]), box)
    return puzzle


@st.composite
def jigsaws(draw: st.DrawFn) -> Puzzle:
    """With regions and marks."""
    size = draw(st.sampled_from([4, 5, 6]))
    keep = draw(st.integers({4: 2, 5: 6, 6: 14}[size], size**2 - 1))
    return jigsaw(size, keep, draw(st.integers(0, 100)), marked=draw(st.integers(0, size)))


@st.composite
def ruled(draw: st.DrawFn) -> Puzzle:
    """4x4, with a rule that may be broken."""
    kind, seed = draw(st.sampled_from(sorted(MAKERS))), draw(st.integers(0, 10**6))
    solution = fitting(kind, (2, 2), seed) or full_grid((2, 2), seed)
    rule = MAKERS[kind](draw(st.randoms(use_true_random=False)), solution)
    return Puzzle(dig(solution, draw(st.integers(0, 12)), seed), rules=[rule])
