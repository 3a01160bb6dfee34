"""A sudoku grid as a value, its shape and its houses.

Words: a *grid* has n x n *cells*; a *house* is a row, a column or a *box*, and holds each
*digit* 1..n once; a *given* is a digit that a puzzle starts with. Boxes have r rows and c
columns with r * c = n. Rows and columns are counted from 1: ``r3c2`` is row 3, column 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import InvalidPuzzle

if TYPE_CHECKING:
    from collections.abc import Iterable

    from .backends.base import Candidates
    from .draw import Highlight

__all__ = ["MAX_SIZE", "Box", "Conflict", "Grid", "House", "cell_name", "houses", "shown"]

MAX_SIZE = 36

Box = tuple[int, int]
"""Rows and columns of a box."""


class House(NamedTuple):
    """A row, column or box: cells that hold every digit once."""

    kind: str
    """``"row"``, ``"column"`` or ``"box"``."""
    number: int
    """Counted from 1; boxes from left to right, then down."""
    cells: tuple[int, ...]
    """Where its cells stand in `Grid.cells`."""

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"


class Conflict(NamedTuple):
    """Two cells of at least one house that hold the same digit."""

    digit: int
    cells: tuple[str, str]
    """Names of the two cells, such as ``("r1c3", "r1c7")``."""
    houses: tuple[str, ...]
    """Every house that both stand in, such as ``("row 1", "box 1")``."""

    def __str__(self) -> str:
        return f"{' and '.join(self.cells)} both hold {self.digit} ({', '.join(self.houses)})"


@cache
def houses(box: Box) -> tuple[House, ...]:
    """Every house of a grid with boxes of this shape: n rows, n columns, n boxes.

    >>> [str(house) for house in houses((1, 2))]
    ['row 1', 'row 2', 'column 1', 'column 2', 'box 1', 'box 2']
    """
    box_rows, box_columns = box
    n = box_rows * box_columns
    found: dict[tuple[str, int], list[int]] = {
        (kind, number): [] for kind in ("row", "column", "box") for number in range(1, n + 1)
    }
    for cell in range(n * n):
        row, column = divmod(cell, n)
        band, stack = row // box_rows, column // box_columns
        found["row", row + 1].append(cell)
        found["column", column + 1].append(cell)
        found["box", band * (n // box_columns) + stack + 1].append(cell)
    return tuple(House(kind, number, tuple(cells)) for (kind, number), cells in found.items())


def cell_name(cell: int, size: int) -> str:
    """The name of the cell at this place in `Grid.cells`: ``r3c2`` is row 3, column 2.

    >>> cell_name(19, 9)
    'r3c2'
    """
    return f"r{cell // size + 1}c{cell % size + 1}"


def shown(value: object) -> str:
    """The value as a message shows it: short, however long or deep the value is."""
    try:
        text = " ".join(repr(value).split())
    except (ValueError, RecursionError):  # a number of thousands of digits; lists within lists
        name = type(value).__name__
        text = f"{'an' if name[0] in 'aeiou' else 'a'} {name} too large to show"
    return text if len(text) <= 120 else f"{text[:117]}..."


def square_box(size: int) -> Box:
    """The square box shape of an n x n grid; InvalidPuzzle where n has none."""
    side = isqrt(size)
    if size < 1 or side * side != size:
        shapes = ", ".join(f"{r}x{size // r}" for r in range(1, size + 1) if size % r == 0)
        raise InvalidPuzzle(
            f"a {size}x{size} grid leaves its box shape open: give box=(rows, columns)"
            f" (one of {shapes})"
            if 1 <= size <= MAX_SIZE
            else f"a grid has 1 to {MAX_SIZE} rows, this one has {size}"
        )
    return (side, side)


def checked_box(box: Any) -> Box:
    """The box shape as two ints whose product is a possible size; InvalidPuzzle otherwise."""
    try:
        rows, columns = (index(part) for part in box)
    except (TypeError, ValueError):
        raise InvalidPuzzle(
            f"a box shape is two whole numbers, rows and columns, such as (2, 3), not {shown(box)}"
        ) from None
    if rows < 1 or columns < 1 or rows * columns > MAX_SIZE:
        raise InvalidPuzzle(
            f"a {shown(rows)}x{shown(columns)} box is not possible:"
            f" rows x columns must be 1 to {MAX_SIZE}"
        )
    return rows, columns


@dataclass(frozen=True, slots=True, repr=False)
class Grid:
    """A puzzle or a solution: a frozen, comparable, hashable, picklable value.

    Make one with `parse` or `from_rows`; the constructor takes the cells as they are stored.

    >>> grid = Grid.from_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]])
    >>> grid
    Grid.parse('1..4.....3......')
    >>> grid.size, grid.box, grid.rows[0]
    (4, (2, 2), (1, 0, 0, 4))
    """

    cells: tuple[int, ...]
    """n * n digits, row by row; 0 is an empty cell."""
    box: Box
    """Rows and columns of a box."""

    def __post_init__(self) -> None:
        n = self.size
        if not 1 <= n <= MAX_SIZE or self.box[0] < 1:
            checked_box(self.box)
        if len(self.cells) != n * n:
            raise InvalidPuzzle(f"a {n}x{n} grid has {n * n} cells, this one has {len(self.cells)}")
        if min(self.cells) < 0 or max(self.cells) > n:
            cell = next(i for i, digit in enumerate(self.cells) if not 0 <= digit <= n)
            raise InvalidPuzzle(
                f"{cell_name(cell, n)} holds {self.cells[cell]}; expected 1 to {n}, or 0 for empty"
            )

    @classmethod
    def parse(cls, text: str, format: str | None = None, box: Box | None = None) -> Grid:
        """The one puzzle that a text holds, in any known format (`formats` lists them).

        Of an answer, a table or a program that holds several, it is the first; lines and blocks
        of rows must be one. `format` names the format where detection should not be trusted,
        `box` the box shape where the text leaves it open (a 6x6 grid may have 2x3 or 3x2 boxes).
        Raises InvalidPuzzle, which says where and what was expected.

        >>> Grid.parse("[[1,_],[_]]")
        Traceback (most recent call last):
        pylogic_sudoku.errors.InvalidPuzzle: row 2 has 1 cells, expected 2 as there are 2 rows
        >>> Grid.parse("1.....2.....3.....4.....5.....6.....", box=(2, 3)).size
        6
        """
        from . import formats

        return formats.parse(text, format=format, box=box)

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Any]], box: Box | None = None) -> Grid:
        """The grid of nested rows, or of a list of lines; numpy arrays and data frames too.

        A cell is a whole number or its text, such as ``"5"``; 0, None, NaN and ``"."`` are empty.

        >>> Grid.from_rows([["1", "."], [2, None]], box=(1, 2)).rows
        ((1, 0), (2, 0))
        >>> print(Grid.from_rows(["1..4", "....", ".3..", "...."]))
        1..4.....3......
        """
        from .formats import values

        found = values.items(rows, "the puzzle", "rows")
        if found and all(isinstance(row, str) for row in found):
            return cls.parse("\n".join(found), "rows", box)
        cells = [values.items(row, f"row {number}", "cells") for number, row in enumerate(found, 1)]
        n = len(cells)
        values.check_lengths([len(row) for row in cells])
        shape = square_box(n) if box is None else checked_box(box)
        if shape[0] * shape[1] != n:
            raise InvalidPuzzle(
                f"{shape[0]}x{shape[1]} boxes make a grid of {shape[0] * shape[1]} rows,"
                f" but this one has {n}"
            )
        return cls(tuple(values.digits(cells)), shape)

    @property
    def size(self) -> int:
        """n: the number of rows, of columns and of digits."""
        return self.box[0] * self.box[1]

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows from top to bottom, 0 for an empty cell."""
        n = self.size
        return tuple(self.cells[start : start + n] for start in range(0, n * n, n))

    @property
    def houses(self) -> tuple[House, ...]:
        """Every row, column and box."""
        return houses(self.box)

    @property
    def givens(self) -> tuple[tuple[int, int, int], ...]:
        """Row, column (both from 1) and digit of every cell that is not empty."""
        n = self.size
        return tuple(
            (cell // n + 1, cell % n + 1, digit) for cell, digit in enumerate(self.cells) if digit
        )

    def format(self, format: str = "line", *, removable: bool = False) -> str:
        """The grid as text, without a final newline; ValueError for an unknown format.

        With `removable`, which goes with ``facts`` alone, every given has the comment by which
        asplain may take it away.
        """
        from . import formats

        return formats.write(self, format, removable)

    def conflicts(self) -> tuple[Conflict, ...]:
        """Every pair of cells that share a house and a digit: a grid with one has no solution.

        >>> print(*Grid.parse("11..............").conflicts())
        r1c1 and r1c2 both hold 1 (row 1, box 1)
        """
        found: dict[tuple[int, int], list[str]] = {}
        for house in self.houses:
            filled = [cell for cell in house.cells if self.cells[cell]]
            for pair in combinations(filled, 2):
                if self.cells[pair[0]] == self.cells[pair[1]]:
                    found.setdefault(pair, []).append(str(house))
        n = self.size
        return tuple(
            Conflict(self.cells[a], (cell_name(a, n), cell_name(b, n)), tuple(names))
            for (a, b), names in sorted(found.items())
        )

    def is_solution_of(self, puzzle: Grid) -> bool:
        """True if this grid is full, keeps every given and has each digit once in each house.

        Plain Python that knows no engine: the oracle of the test suite.
        """
        digits = set(range(1, self.size + 1))
        return (
            self.box == puzzle.box
            and all(
                given in (0, digit) for given, digit in zip(puzzle.cells, self.cells, strict=True)
            )
            and all({self.cells[cell] for cell in house.cells} == digits for house in self.houses)
        )

    def to_svg(
        self,
        puzzle: Grid | None = None,
        candidates: Candidates | None = None,
        highlights: tuple[Highlight, ...] = (),
        title: str = "",
    ) -> str:
        """A picture of the grid; `puzzle` tells its givens from its other digits.

        `draw.Picture` says what else it may show, and makes other kinds of pictures.
        """
        from .draw import Picture

        return Picture(self, puzzle, candidates, highlights, title).to_svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __str__(self) -> str:
        return self.format("line")

    def __repr__(self) -> str:
        n = self.size
        side = isqrt(n)
        shape = "" if self.box == (side, side) else f", box={self.box}"
        return f"Grid.parse({self.format('line')!r}{shape})"
