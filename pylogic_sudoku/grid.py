"""A sudoku grid as a value, its shape and its houses.

Words: a *grid* has n x n *cells*; a *house* is a row, a column or a *box*, and holds each
*digit* 1..n once; a *given* is a digit that a puzzle starts with. Boxes have r rows and c
columns with r * c = n. Rows and columns are counted from 1: ``r3c2`` is row 3, column 2.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from .errors import InvalidPuzzle, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

    from .draw import Highlight
    from .engines.base import Candidates

__all__ = ["MAX_SIZE", "Box", "Cell", "Conflict", "Grid", "House"]
__all__ += ["cell_at", "cell_name", "houses"]

MAX_SIZE = 36

Box = tuple[int, int]
"""Rows and columns of a box."""

Cell = str | tuple[int, int]
"""A cell as people give it: ``"r3c2"``, or row and column from 1."""


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
    """The name of the cell at this place in `Grid.cells`: ``r3c2`` is row 3, column 2."""
    return f"r{cell // size + 1}c{cell % size + 1}"


def cell_at(cell: object, size: int) -> int:
    """Where this cell stands in `Grid.cells`; IndexError if an n x n grid does not have it."""
    pair: Any = cell
    expected = f"a row and a column from 1 to {size}"
    if isinstance(cell, str):
        found = re.fullmatch(r"\s*r(\d{1,9})c(\d{1,9})\s*", cell, re.ASCII | re.IGNORECASE)
        pair = found and tuple(map(int, found.groups()))
        expected = f"r1c1 to r{size}c{size}"
    with suppress(TypeError, ValueError):
        row, column = map(index, pair)
        if 1 <= row <= size and 1 <= column <= size and bool not in map(type, pair):
            return (row - 1) * size + column - 1
    raise IndexError(f"{cell!r} is not a cell of a {size}x{size} grid; expected {expected}")


def square_box(size: int) -> Box:
    """The square box shape of an n x n grid; InvalidPuzzle, with the choices, if there is none."""
    if not 1 <= size <= MAX_SIZE:
        raise InvalidPuzzle(f"a grid has 1 to {MAX_SIZE} rows, this one has {size}")
    side = isqrt(size)
    if side * side == size:
        return (side, side)
    boxes = tuple((rows, size // rows) for rows in range(1, size + 1) if size % rows == 0)
    *names, last = (f"{rows}x{columns}" for rows, columns in boxes)
    example = boxes[len(boxes) // 2 - 1]
    raise InvalidPuzzle(
        f"a {size}x{size} grid leaves its box shape open: choose {', '.join(names)} or {last}, for"
        f" example by Grid.from_rows(rows, box={example}), Grid.parse(text, box={example}) or"
        f" --box {example[0]}x{example[1]}"
    )


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

    Make one with `parse` or `from_rows`; the constructor takes the cells row by row.
    ``grid[3, 2]`` or ``grid["r3c2"]`` is the digit of a cell, 0 if it is empty; ``for row in
    grid`` and ``numpy.asarray(grid)`` give the rows; ``f"{grid:pretty}"`` is the text in a format.

    >>> grid = Grid.from_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]])
    >>> grid
    Grid.parse('1..4.....3......')
    >>> grid.size, grid.box, grid.rows[0], grid[3, 2]
    (4, (2, 2), (1, 0, 0, 4), 3)
    """

    cells: tuple[int, ...]
    """n * n digits, row by row; 0 is an empty cell."""
    box: Box
    """Rows and columns of a box."""

    def __post_init__(self) -> None:
        # Whatever it is made of, it holds tuples of ints: otherwise it could not be hashed.
        if type(self.box) is not tuple or [*map(type, self.box)] != [int, int]:
            object.__setattr__(self, "box", checked_box(self.box))
        n = self.size
        if not 1 <= n <= MAX_SIZE or self.box[0] < 1:
            checked_box(self.box)
        if type(self.cells) is not tuple or [*map(type, self.cells)].count(int) < len(self.cells):
            object.__setattr__(self, "cells", _digits(self.cells, n))
        if len(self.cells) != n * n:
            raise InvalidPuzzle(f"a {n}x{n} grid has {n * n} cells, this one has {len(self.cells)}")
        if not frozenset(range(n + 1)).issuperset(self.cells):
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
        from .formats import _values as values

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

    def with_(self, *placements: tuple[int, int, int], **digits: int) -> Grid:
        """A copy with these digits: by cell name, or as row, column and digit; 0 empties a cell.

        IndexError for a cell that the grid does not have, InvalidPuzzle for such a digit.

        >>> Grid.parse("1..4.....3......").with_((1, 2, 2), r3c2=0)
        Grid.parse('12.4............')
        """
        cells = list(self.cells)
        for placement in placements:
            if not isinstance(placement, tuple) or len(placement) != 3:
                raise TypeError(f"expected r3c2=5 or (row, column, digit), not {placement!r}")
            cells[cell_at(placement[:2], self.size)] = placement[2]
        for name, digit in digits.items():
            cells[cell_at(name, self.size)] = digit
        return Grid(tuple(cells), self.box)

    def without(self, *cells: Cell | tuple[int, int, int]) -> Grid:
        """A copy in which these cells are empty; a digit after row and column does not matter."""
        pairs = (cell if isinstance(cell, str) else cell[:2] for cell in cells)
        empty = {cell_at(pair, self.size) for pair in pairs}
        kept = (0 if cell in empty else digit for cell, digit in enumerate(self.cells))
        return Grid(tuple(kept), self.box)

    def transposed(self) -> Grid:
        """Its rows as columns: r3c2 becomes r2c3, and boxes of 2x3 cells become 3x2."""
        columns = zip(*self.rows, strict=True)
        return Grid(tuple(digit for column in columns for digit in column), self.box[::-1])

    def relabelled(self, digits: Mapping[int, int] | Sequence[int]) -> Grid:
        """A copy with other digits: what each of some becomes, or a list of what 1 to n become.

        ValueError if two digits would become one.
        """
        same = {digit: digit for digit in range(1, self.size + 1)}
        new = {**same, **digits} if isinstance(digits, Mapping) else dict(enumerate(digits, 1))
        if not same.keys() == new.keys() == set(new.values()):
            raise ValueError(f"{digits!r} does not give each digit from 1 to {self.size} once")
        return Grid(tuple(digit and new[digit] for digit in self.cells), self.box)

    def to_numpy(self) -> NDArray[Any]:
        """The rows as an n x n array of ints; it needs numpy."""
        return self.__array__()

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

    def __getitem__(self, cell: Cell) -> int:
        return self.cells[cell_at(cell, self.size)]

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self.rows)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a grid cannot become an array without a copy")
        import numpy

        return numpy.array(self.rows, dtype)

    def __str__(self) -> str:
        return self.format("line")

    def __format__(self, spec: str) -> str:
        with suppress(ValueError):
            return format(str(self), spec)
        return self.format(spec)

    def __repr__(self) -> str:
        n = self.size
        side = isqrt(n)
        shape = "" if self.box == (side, side) else f", box={self.box}"
        return f"Grid.parse({self.format('line')!r}{shape})"


def _digits(cells: Any, size: int) -> tuple[int, ...]:
    """The cells as ints, 0 for None; InvalidPuzzle for what is not a whole number."""
    if isinstance(cells, str | bytes) or not hasattr(cells, "__iter__"):
        raise InvalidPuzzle(f"the grid is {shown(cells)}; expected a list of cells")
    found: list[int] = []
    for cell, value in enumerate(cells):
        if isinstance(value, bool) or not (value is None or hasattr(value, "__index__")):
            raise InvalidPuzzle(
                f"{cell_name(cell, size)} holds {shown(value)}; expected a whole number, or 0 for"
                " an empty cell"
            )
        found.append(0 if value is None else index(value))
    return tuple(found)
