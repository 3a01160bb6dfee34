"""A sudoku grid as a value.

Words: a *grid* has n x n *cells*; a *house* is a row, a column, a *box* or a *region*, and holds
each *digit* 1..n once; a *given* is a digit that a puzzle starts with. Boxes have r rows and c
columns with r * c = n. Rows and columns are counted from 1: ``r3c2`` is row 3, column 2.

`Grid.parse` and `Grid.to_svg` are here for convenience; they import `formats` and `draw` when they
are called. A `Puzzle` is a grid with further rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from itertools import combinations
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any

from ._layout import (
    MAX_SIZE,
    Box,
    Cell,
    CellLike,
    House,
    Layout,
    cells_of,
    checked_box,
    square_box,
)
from ._placement import Candidates, Duplicate, Placement, candidate_rows
from .errors import InvalidPuzzle, counted, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import DTypeLike, NDArray

    from .draw import Highlight
    from .puzzle import Puzzle

__all__ = ["MAX_SIZE", "Box", "Candidates", "Cell", "CellLike", "Duplicate", "Grid", "House"]
__all__ += ["Layout", "Placement", "candidate_rows", "cells_of"]


class Board:
    """What a `Grid` and a `Puzzle` have in common."""

    __slots__ = ()

    if TYPE_CHECKING:

        @property
        def digits(self) -> tuple[int, ...]: ...

        @property
        def box(self) -> Box: ...

        @property
        def layout(self) -> Layout: ...

        def format(self, format: str = ...) -> str: ...

        def to_svg(self) -> str: ...

    @property
    def size(self) -> int:
        """n: the number of rows, of columns and of digits."""
        return self.box[0] * self.box[1]

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows from top to bottom, 0 for an empty cell."""
        n = self.size
        return tuple(self.digits[start : start + n] for start in range(0, n * n, n))

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the order of `digits`."""
        return cells_of(self.size)

    @property
    def houses(self) -> tuple[House, ...]:
        """Every row, column, and box or region."""
        return self.layout.houses

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The digit of every cell that is not empty."""
        pairs = zip(self.cells, self.digits, strict=True)
        return tuple(Placement(*cell, digit) for cell, digit in pairs if digit)

    def duplicates(self) -> tuple[Duplicate, ...]:
        """Every pair of cells that share a house and a digit: with one, there is no solution.

        >>> print(*Grid.parse("11..............").duplicates())
        r1c1 and r1c2 both hold 1 (row 1, box 1)
        """
        found: dict[tuple[int, int], list[str]] = {}
        for house, offsets in zip(self.houses, self.layout.offsets, strict=True):
            filled = sorted(at for at in offsets if self.digits[at])
            for pair in combinations(filled, 2):
                if self.digits[pair[0]] == self.digits[pair[1]]:
                    found.setdefault(pair, []).append(str(house))
        cells = self.cells
        return tuple(
            Duplicate(self.digits[one], (cells[one], cells[other]), tuple(names))
            for (one, other), names in sorted(found.items())
        )

    def __getitem__(self, cell: CellLike) -> int:
        return self.digits[self._offset(cell)]

    def _offset(self, cell: object) -> int:
        return Cell.of(cell, self.size).offset(self.size)

    def __format__(self, spec: str) -> str:
        with suppress(ValueError):
            return format(str(self), spec)
        return self.format(spec)

    def _repr_svg_(self) -> str:
        return self.to_svg()


@dataclass(frozen=True, slots=True, repr=False)
class Grid(Board):
    """A puzzle or a solution: a frozen, comparable, hashable, picklable value.

    Make one with `parse` or `from_rows`; the constructor takes the digits row by row.
    ``grid[3, 2]`` or ``grid["r3c2"]`` is the digit of a cell, 0 if it is empty; ``for row in
    grid`` and ``numpy.asarray(grid)`` give the rows; ``f"{grid:pretty}"`` is the text in a format.

    >>> grid = Grid.from_rows([[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]])
    >>> grid
    Grid.parse('1..4.....3......')
    >>> grid.size, grid.box, grid.rows[0], grid[3, 2]
    (4, (2, 2), (1, 0, 0, 4), 3)
    """

    digits: tuple[int, ...]
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
        digits = self.digits
        if type(digits) is not tuple or [*map(type, digits)].count(int) < len(digits):
            digits = _digits(digits, n)
            object.__setattr__(self, "digits", digits)
        if len(digits) != n * n:
            cells = counted(n * n, "cell")
            raise InvalidPuzzle(f"a {n}x{n} grid has {cells}, this one has {len(digits)}")
        if not frozenset(range(n + 1)).issuperset(digits):
            cell = next(i for i, digit in enumerate(digits) if not 0 <= digit <= n)
            raise InvalidPuzzle(
                f"{cells_of(n)[cell]} holds {digits[cell]}; expected 1 to {n}, or 0 for empty"
            )

    @classmethod
    def parse(cls, text: str, format: str | None = None, box: Box | None = None) -> Grid:
        """The one puzzle that a text holds, in any known format (`formats` lists them).

        If an answer set, table or program holds several puzzles, the first is returned; several
        lines or blocks of rows raise InvalidPuzzle. `format` names the format instead of
        detecting it; `box` is the box shape if the text does not show it (a 6x6 grid may have 2x3
        or 3x2 boxes). InvalidPuzzle says where the text is wrong and what was expected.

        >>> Grid.parse("[[1,_],[_]]")
        Traceback (most recent call last):
        pylogic_sudoku.errors.InvalidPuzzle: row 2 has 1 cell, expected 2 as there are 2 rows
        >>> Grid.parse("1.....2.....3.....4.....5.....6.....", box=(2, 3)).size
        6
        """
        from . import formats

        return formats.as_grid(formats.parse(text, format, box))

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Any]], box: Box | None = None) -> Grid:
        """The grid of nested rows, or of a list of lines; numpy arrays and data frames too.

        A cell is a whole number or its text, such as ``"5"``; 0, None, NaN and ``"."`` are empty.

        >>> Grid.from_rows([["1", "."], [2, None]], box=(1, 2)).rows
        ((1, 0), (2, 0))
        >>> print(Grid.from_rows(["1..4", "....", ".3..", "...."]))
        1..4.....3......
        """
        from .formats import _cells as values

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
        return cls(tuple(values.digits_of(cells)), shape)

    @property
    def layout(self) -> Layout:
        """Which cells make up its houses."""
        return Layout(self.box)

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """Digits that a mark keeps out of a cell: none, since marks are for a `Puzzle`."""
        return ()

    @classmethod
    def of(cls, placements: Iterable[tuple[int, int, int]], box: Box) -> Grid:
        """The grid with these placements, as row, column and digit, and nothing else.

        IndexError for a cell that the grid does not have, InvalidPuzzle for such a digit.

        >>> Grid.of([(1, 1, 1), (1, 4, 4)], (2, 2))
        Grid.parse('1..4............')
        """
        rows, columns = checked_box(box)
        empty = cls((0,) * (rows * columns) ** 2, (rows, columns))
        digits = list(empty.digits)
        for row, column, digit in placements:
            digits[empty._offset((row, column))] = digit
        return cls(tuple(digits), empty.box)

    @classmethod
    def from_json(cls, value: Any, box: Box | None = None) -> Grid:
        """The grid that a value of JSON holds: the rows of `to_json`, or what `Puzzle` writes.

        The rows do not show their boxes: without `box` these are square. InvalidPuzzle if the value
        is not a puzzle, or has more than a grid.

        >>> grid = Grid.parse("1....6" + "." * 30, box=(2, 3))
        >>> Grid.from_json(grid.to_json(), grid.box) == grid
        True
        """
        from . import formats

        return formats.as_grid(formats.from_json(value, box))

    def to_json(self) -> list[list[int | None]]:
        """Rows of digits, None for an empty cell: how every JSON of ours has a grid.

        `from_json` reads it.
        """
        return [[digit or None for digit in row] for row in self.rows]

    def format(self, format: str = "line", *, removable: bool = False) -> str:
        """The grid as text, without a final newline; ValueError for an unknown format.

        With `removable`, for ``facts`` only, every given has the comment that lets asplain
        remove it.
        """
        from . import formats

        return formats.write(self, format, removable)

    def with_(self, *placements: tuple[int, int, int], **digits: int) -> Grid:
        """A copy with these digits: by cell name, or as row, column and digit; 0 empties a cell.

        IndexError for a cell that the grid does not have, InvalidPuzzle for such a digit.

        >>> Grid.parse("1..4.....3......").with_((1, 2, 2), r3c2=0)
        Grid.parse('12.4............')
        """
        changed = list(self.digits)
        for placement in placements:
            if not isinstance(placement, tuple) or len(placement) != 3:
                raise TypeError(f"expected r3c2=5 or (row, column, digit), not {placement!r}")
            changed[self._offset(placement[:2])] = placement[2]
        for name, digit in digits.items():
            changed[self._offset(name)] = digit
        return Grid(tuple(changed), self.box)

    def without(self, *cells: CellLike | tuple[int, int, int]) -> Grid:
        """A copy in which these cells are empty; a digit after row and column does not matter."""
        empty = {self._offset(cell[:2] if isinstance(cell, tuple) else cell) for cell in cells}
        kept = (0 if offset in empty else digit for offset, digit in enumerate(self.digits))
        return Grid(tuple(kept), self.box)

    def transposed(self) -> Grid:
        """Its rows as columns: r3c2 becomes r2c3, and boxes of 2x3 cells become 3x2."""
        columns = zip(*self.rows, strict=True)
        return Grid(tuple(digit for column in columns for digit in column), self.box[::-1])

    def relabelled(self, digits: Mapping[int, int] | Sequence[int]) -> Grid:
        """A copy with other digits: a dict of old and new ones, or a list of the new 1 to n.

        Digits that are not in the dict stay. ValueError unless the new ones are 1 to n, each once.
        """
        same = {digit: digit for digit in range(1, self.size + 1)}
        new = {**same, **digits} if isinstance(digits, Mapping) else dict(enumerate(digits, 1))
        if not same.keys() == new.keys() == set(new.values()):
            raise ValueError(f"{digits!r} does not give each digit from 1 to {self.size} once")
        return Grid(tuple(digit and new[digit] for digit in self.digits), self.box)

    def to_numpy(self) -> NDArray[Any]:
        """The rows as an n x n array of ints; it needs numpy."""
        return self.__array__()

    def is_solution_of(self, puzzle: Grid | Puzzle) -> bool:
        """True if this grid is full, keeps every given and mark, and obeys every house and rule.

        Plain Python that knows no engine: the oracle of the test suite.
        """
        digits = set(range(1, self.size + 1))
        jigsaw = puzzle.layout.regions is not None  # in which the box shape does not count
        return (
            (self.box == puzzle.box or (jigsaw and self.size == puzzle.size))
            and all(
                given in (0, digit) for given, digit in zip(puzzle.digits, self.digits, strict=True)
            )
            and all({self.digits[at] for at in house} == digits for house in puzzle.layout.offsets)
            and not any(self[each.cell] == each.digit for each in puzzle.excluded)
            and self._obeys(puzzle.layout)
        )

    def _obeys(self, layout: Layout) -> bool:
        if not layout.rules:
            return True
        from .rules import Digits

        digits = Digits(self.digits, layout)
        return all(rule.holds(digits) for rule in layout.rules)

    def to_svg(
        self,
        puzzle: Grid | Puzzle | None = None,
        candidates: Candidates | None = None,
        highlights: tuple[Highlight, ...] = (),
        title: str = "",
    ) -> str:
        """A picture of the grid; the digits of `puzzle` are drawn as givens.

        `draw.Picture` explains the other parts, and makes other kinds of pictures.
        """
        from .draw import Picture

        return Picture(self, puzzle, candidates, highlights, title).to_svg()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self.rows)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a grid cannot become an array without a copy")
        import numpy

        return numpy.array(self.rows, dtype)

    def __str__(self) -> str:
        return self.format("line")

    def __repr__(self) -> str:
        n = self.size
        side = isqrt(n)
        shape = "" if self.box == (side, side) else f", box={self.box}"
        return f"Grid.parse({self.format('line')!r}{shape})"


def _digits(cells: Any, size: int) -> tuple[int, ...]:
    """The cells as ints, 0 for None; InvalidPuzzle for what is not a whole number."""
    if isinstance(cells, str | bytes) or not hasattr(cells, "__iter__"):
        raise InvalidPuzzle(f"the grid is {shown(cells)}; expected a list of digits")
    found: list[int] = []
    for cell, value in enumerate(cells):
        if isinstance(value, bool) or not (value is None or hasattr(value, "__index__")):
            raise InvalidPuzzle(
                f"{cells_of(size)[cell]} holds {shown(value)}; expected a whole number, or 0 for"
                " an empty cell"
            )
        found.append(0 if value is None else index(value))
    return tuple(found)
