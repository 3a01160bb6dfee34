"""The geometry of a grid: cells, houses, layouts, and the cells that rules are about.

A `Layout` has boxes of r x c cells, or regions of any shape. A `Placement` is a digit in a cell.
`row`, `diagonals`, `diagonal_from` and others find the cells of a rule; `pylogic_sudoku.rules` has
their public names, formats use all of them.

>>> from pylogic_sudoku.rules import Different, Sandwich
>>> [str(Different(cells)) for cells in diagonals(2)]
['different at r1c1 and r2c2', 'different at r1c2 and r2c1']
>>> print(Sandwich(row(2, 4, reverse=True), sum=3))
sandwich (sum 3) at r2c4, r2c3, r2c2 and r2c1

Everything here is counted from 1, except an *offset*: the position of a cell when the grid is
read row by row, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, lru_cache
from itertools import islice, product
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidPuzzle, counted, shown

if TYPE_CHECKING:
    from ..rules import Rule


MAX_SIZE = 36

Box = tuple[int, int]
"""Rows and columns of a box. A box of one row would be that row, and one of a single column that
column: a grid of such a shape has no boxes. Grids of a prime size never have any."""

CellLike = str | tuple[int, int]
"""A cell as people write it: ``"r3c2"``, or row and column from 1, such as a `Cell`."""


class Cell(NamedTuple):
    """Row and column, both from 1; its text is ``r3c2``.

    >>> print(Cell(3, 2), Cell.of("r3c2", 9) == (3, 2))
    r3c2 True
    """

    row: int
    column: int

    @classmethod
    def of(cls, cell: object, size: int) -> Cell:
        """The cell of that name or those numbers.

        Args:
            cell: A name such as ``"r3c2"``, a `Cell`, or row and column, each from 1.
            size: The number n of an n x n grid.

        Raises:
            IndexError: If the grid does not have the cell.
        """
        pair: Any = cell
        expected = f"a row and a column from 1 to {size}"
        if isinstance(cell, str):
            match = re.fullmatch(r"\s*r(\d{1,9})c(\d{1,9})\s*", cell, re.ASCII | re.IGNORECASE)
            pair = match and tuple(map(int, match.groups()))
            expected = f"r1c1 to r{size}c{size}"
        with suppress(TypeError, ValueError):
            row, column = map(index, pair)
            if 1 <= row <= size and 1 <= column <= size and bool not in map(type, pair):
                return cls(row, column)
        raise IndexError(f"{cell!r} is not a cell of a {size}x{size} grid; expected {expected}")

    def offset(self, size: int) -> int:
        """Its position in `Grid.digits`."""
        return (self.row - 1) * size + self.column - 1

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}"


@cache
def cells_of(size: int) -> tuple[Cell, ...]:
    """The cells of an n x n grid, row by row."""
    numbers = range(1, size + 1)
    return tuple(Cell(row, column) for row in numbers for column in numbers)


Regions = tuple[tuple[Cell, ...], ...]
"""n sets of n cells, which replace the boxes."""


class House(NamedTuple):
    """A row, column, box or region: n cells that hold every digit once."""

    kind: str
    """``"row"``, ``"column"``, ``"box"`` or ``"region"``."""
    number: int
    """Counted from 1; boxes and regions from left to right, then down."""
    cells: tuple[Cell, ...]

    def __str__(self) -> str:
        return f"{self.kind} {self.number}"

    def __repr__(self) -> str:
        return f"<House {self}: {len(self.cells)} cells>"


class Layout(NamedTuple):
    """The cells of the houses of a grid, and its other rules: all but givens and marks.

    An engine prepares each layout once.

    >>> [len(Layout(box).houses) for box in [(2, 3), (1, 6)]]  # the latter has no boxes
    [18, 12]
    """

    box: Box
    """Rows and columns of a box; with regions, only their product counts."""
    regions: Regions | None = None
    """n sets of n cells instead of the boxes."""
    rules: tuple[Rule, ...] = ()
    """Rules beyond the houses."""

    @property
    def size(self) -> int:
        """n: the number of rows, of columns and of digits."""
        return self.box[0] * self.box[1]

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, row by row."""
        return cells_of(self.size)

    @property
    def houses(self) -> tuple[House, ...]:
        """Every row, then every column, then every box or region."""
        return _houses(self.box, self.regions)

    @property
    def blocks(self) -> tuple[House, ...]:
        """Every box or region; none if the grid has no boxes."""
        return self.houses[2 * self.size :]

    @property
    def labels(self) -> list[list[int]]:
        """The number of the region of each cell, from 1, row by row; the layout has regions."""
        number = {cell: n for n, region in enumerate(self.regions or (), 1) for cell in region}
        labels, n = [number[cell] for cell in self.cells], self.size
        return [labels[at : at + n] for at in range(0, n * n, n)]

    @property
    def offsets(self) -> tuple[tuple[int, ...], ...]:
        """The offsets of the cells of each of its houses."""
        return _offsets(self.box, self.regions)

    def __str__(self) -> str:
        more = f" and {counted(len(self.rules), 'rule')}" if self.rules else ""
        if self.regions:
            return f"a {self.size}x{self.size} grid with regions{more}"
        if not self.blocks:
            return f"a {self.size}x{self.size} grid without boxes{more}"
        return f"a grid with {self.box[0]}x{self.box[1]} boxes{more}"


@lru_cache(256)
def _houses(box: Box, regions: Regions | None) -> tuple[House, ...]:
    rows, columns = box
    n = rows * columns
    cells = cells_of(n)
    corners = product(range(1, n + 1, rows), range(1, n + 1, columns)) if min(box) > 1 else ()
    areas = regions or [_block(*corner, box) for corner in corners]
    groups = {
        "row": [cells[at : at + n] for at in range(0, n * n, n)],
        "column": [cells[at::n] for at in range(n)],
        "box" if regions is None else "region": areas,
    }
    return tuple(
        House(kind, number, tuple(each))
        for kind, members in groups.items()
        for number, each in enumerate(members, 1)
    )


def _block(top: int, left: int, box: Box) -> tuple[Cell, ...]:
    """The cells of a rectangle of this shape, row by row."""
    down, right = range(top, top + box[0]), range(left, left + box[1])
    return tuple(Cell(row, column) for row in down for column in right)


@lru_cache(256)
def _offsets(box: Box, regions: Regions | None) -> tuple[tuple[int, ...], ...]:
    n = box[0] * box[1]
    houses = _houses(box, regions)
    return tuple(tuple(cell.offset(n) for cell in house.cells) for house in houses)


class OpenShape(InvalidPuzzle):
    """A grid whose boxes may have several shapes, with no hint which of these is meant."""

    size: int = 0
    """Its number of rows."""
    ways: str = ""
    """The end of the message: how a shape is given in Python, and on the command line."""
    option: str = ""
    """Such an end for the command line alone."""


def square_box(size: int) -> Box:
    """The square box shape of an n x n grid; OpenShape, with the choices, if there is none."""
    if not 1 <= size <= MAX_SIZE:
        raise InvalidPuzzle(f"a grid has 1 to {MAX_SIZE} rows, this one has {size}")
    side = isqrt(size)
    if side * side == size:
        return (side, side)
    *names, last = (f"{rows}x{columns}" for rows, columns in _boxes(size))
    example = usual_box(size)
    option = f"--box {example[0]}x{example[1]}"
    ways = f"by Grid.from_rows(rows, box={example}), Grid.parse(text, box={example}) or {option}"
    error = OpenShape(
        f"a {size}x{size} grid leaves its box shape open: choose {', '.join(names)} or {last}, for"
        f" example {ways}"
    )
    error.size, error.ways, error.option = size, ways, option
    raise error


def usual_box(size: int) -> Box:
    """The squarest box of an n x n grid, with no more rows than columns: 2x3 for 6x6."""
    return usual_first(size)[0]


def usual_first(size: int) -> list[Box]:
    """Every box shape that an n x n grid may have, the squarest first."""
    return sorted(_boxes(size), key=lambda box: (abs(box[0] - box[1]), box[0] > box[1]))


def _boxes(size: int) -> list[Box]:
    """Every box shape that an n x n grid may have, the flattest first."""
    return [(rows, size // rows) for rows in range(1, size + 1) if size % rows == 0]


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


def checked_regions(regions: Any, size: int | None = None) -> Regions:
    """The n regions of n cells, in reading order; InvalidPuzzle, with what is wrong, otherwise.

    `regions` are n collections of cells, or a label for each cell: n rows of labels, or one text
    with them all. `size` is n if it is known.
    """
    try:
        rows = _rows_of(regions, size)
        n, are_cells = len(rows), _is_cell(next(iter(rows[0]), None) if rows else None)
        if n != (size or n) or not 1 <= n <= MAX_SIZE:
            what = "regions" if are_cells else "rows of labels"
            raise InvalidPuzzle(f"the regions: {n} {what}, expected {size or f'1 to {MAX_SIZE}'}")
        by_label: dict[Any, list[Cell]] = {}
        for number, row in enumerate(rows, 1):
            for column, each in enumerate(row, 1):
                if are_cells:
                    by_label.setdefault(number, []).append(Cell.of(each, n))
                else:
                    by_label.setdefault(each, []).append(Cell(number, column))
    except IndexError as error:
        raise InvalidPuzzle(f"the regions: {error}") from None
    except TypeError:
        raise InvalidPuzzle(
            f"the regions are {shown(regions)}; expected sets of cells, or a label for each cell"
        ) from None
    for region in by_label.values():
        if len(region) != n:
            many = counted(len(region), "cell")
            raise InvalidPuzzle(f"the region of {region[0]} has {many}, expected {n}")
    if len(by_label) != n:
        raise InvalidPuzzle(f"the regions: {len(by_label)} that have cells, expected {n}")
    cells = [cell for region in by_label.values() for cell in region]
    if {*cells} != {*cells_of(n)}:
        wrong = next(cell for cell in cells if cells.count(cell) > 1 or max(cell) > n)
        raise InvalidPuzzle(f"the regions: {wrong} is in two, or twice in one")
    return tuple(sorted(tuple(sorted(region)) for region in by_label.values()))


def _rows_of(regions: Any, size: int | None) -> list[Any]:
    """The regions, or the rows of labels; one text is cut into rows."""
    if not isinstance(regions, str):
        whole = islice(regions, MAX_SIZE + 1)
        rows = [row if isinstance(row, str) else list(islice(row, MAX_SIZE + 1)) for row in whole]
        return [row.split() if isinstance(row, str) and " " in row else row for row in rows]
    words = regions.split()
    for labels in ("".join(words), words):  # labels of several characters are separated
        n = isqrt(len(labels))
        if 0 < n * n == len(labels) and n == (size or n) and (n > 1 or labels != words):
            return [labels[at : at + n] for at in range(0, n * n, n)]
    wanted = f"{size * size}, one" if size else "one"
    count = counted(len("".join(words)), "label")
    raise InvalidPuzzle(f"the regions: {count}, expected {wanted} for each cell")


def _is_cell(value: object) -> bool:
    if isinstance(value, str):
        return re.fullmatch(r"\s*r\d+c\d+\s*", value, re.IGNORECASE) is not None
    return isinstance(value, tuple | list)


def box_of(regions: Regions) -> Box | None:
    """The box shape if these regions are the boxes of a grid; None if they are not."""
    n = len(regions)
    for box in _boxes(n):
        if tuple(house.cells for house in Layout(box).blocks) == regions:
            return box
    return None


# --- digits in cells ---

Candidates = tuple[tuple[frozenset[int], ...], ...]
"""Rows of cells, and for each cell a set of digits."""


class Placement(NamedTuple):
    """A digit in a cell: row and column, from 1, and the digit; its text is ``r3c2=5``."""

    row: int
    column: int
    digit: int

    @property
    def cell(self) -> Cell:
        """The cell that holds the digit."""
        return Cell(self.row, self.column)

    def __str__(self) -> str:
        return f"r{self.row}c{self.column}={self.digit}"


class Duplicate(NamedTuple):
    """Two cells of at least one house that hold the same digit."""

    digit: int
    cells: tuple[Cell, Cell]
    houses: tuple[str, ...]
    """Every house that has both, such as ``("row 1", "box 1")``."""

    def __str__(self) -> str:
        one, other = self.cells
        return f"{one} and {other} both hold {self.digit} ({', '.join(self.houses)})"


def candidate_rows(cells: Sequence[Iterable[int]], size: int) -> Candidates:
    """Candidates from the digits of each cell, row by row."""
    frozen = [frozenset(digits) for digits in cells]
    return tuple(tuple(frozen[start : start + size]) for start in range(0, size * size, size))


def placements_in(candidates: Candidates) -> frozenset[Placement]:
    """Candidates as placements."""
    return frozenset(
        Placement(row, column, digit)
        for row, cells in enumerate(candidates, 1)
        for column, digits in enumerate(cells, 1)
        for digit in digits
    )


def candidates_of(placements: Iterable[Placement], size: int) -> Candidates:
    """Placements as candidates."""
    cells: list[set[int]] = [set() for _ in range(size * size)]
    for row, column, digit in placements:
        cells[(row - 1) * size + column - 1].add(digit)
    return candidate_rows(cells, size)


# --- the cells of a diagonal, of an extra region, of a clue outside the grid ---

Cells = tuple[Cell, ...]
"""Cells in an order, such as those of a line; in JSON and in code also ``"r1c1 r1c2"``."""
DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
"""Rows and columns of a step: up or down, left or right."""


def row(number: int, size: int, reverse: bool = False) -> Cells:
    """The cells of a row from left to right, or from right to left."""
    return view((_line(number, size), 0), (0, 1), size)[:: -1 if reverse else 1]


def column(number: int, size: int, reverse: bool = False) -> Cells:
    """The cells of a column from top to bottom, or from bottom to top."""
    return view((0, _line(number, size)), (1, 0), size)[:: -1 if reverse else 1]


def diagonals(size: int) -> tuple[Cells, Cells]:
    r"""The two long diagonals: ``\`` and then ``/``, both from the first row."""
    return view((0, 0), DIRECTIONS["DR"], size), view((0, size + 1), DIRECTIONS["DL"], size)


def windoku(size: int = 9) -> tuple[Cells, ...]:
    """The extra regions of a windoku: boxes one cell apart, and one cell from the edges.

    >>> [str(cells[0]) for cells in windoku()]
    ['r2c2', 'r2c6', 'r6c2', 'r6c6']
    """
    side = next((each for each in range(2, 7) if each * each == size), 0)
    if not side:
        raise InvalidPuzzle(
            f"a windoku has square boxes, and a grid with {shown(size)} rows has none"
        )
    return windows((side, side))


def windows(box: Box) -> tuple[Cells, ...]:
    """Boxes of any shape that lie as the extra regions of a windoku do; none without boxes."""
    rows, columns = box
    if min(box) == 1:
        return ()
    size = rows * columns
    return tuple(
        _block(top, left, box)
        for top in range(2, size - rows + 1, rows + 1)
        for left in range(2, size - columns + 1, columns + 1)
    )


def disjoint_groups(box: Box) -> tuple[Cells, ...]:
    """For each place in a box, the cells at that place of all boxes; none if there are no boxes.

    >>> [str(cell) for cell in disjoint_groups((2, 2))[1]]
    ['r1c2', 'r1c4', 'r3c2', 'r3c4']
    """
    return same_places(house.cells for house in Layout(checked_box(box)).blocks)


def same_places(blocks: Iterable[Cells]) -> tuple[Cells, ...]:
    """For each place in a block, in reading order, the cells at that place of all blocks."""
    return tuple(zip(*blocks, strict=True))


def diagonal_from(clue: tuple[int, int], direction: str, size: int) -> Cells:
    """The cells of a diagonal, in the order in which a clue outside the grid sees them.

    Args:
        clue: The row and column of the clue, where 0 and n + 1 are beside the grid.
        direction: ``"UL"``, ``"UR"``, ``"DL"`` or ``"DR"``: up or down, and left or right.
        size: The number n of an n x n grid.

    >>> [str(cell) for cell in diagonal_from((0, 3), "DL", 4)]
    ['r1c2', 'r2c1']
    """
    step = DIRECTIONS.get(str(direction).upper())
    if step is None:
        raise InvalidPuzzle(
            f"the direction is {shown(direction)}; expected one of {', '.join(DIRECTIONS)}"
        )
    place = _place(clue)
    if not {0, size + 1}.intersection(place):
        raise InvalidPuzzle(f"a clue at {shown(clue)} is not beside a {size}x{size} grid")
    cells = view(place, step, size)
    if not cells:
        raise InvalidPuzzle(f"a clue at {shown(clue)} sees no cell in the direction {direction}")
    return cells


def edge_line(clue: tuple[int, int], size: int) -> Cells:
    """The cells of a row or column, in the order in which a clue at its end sees them.

    Args:
        clue: The row and column of the clue: row 0 is above the grid, column n + 1 right of it.
        size: The number n of an n x n grid.

    >>> [str(cell) for cell in edge_line((5, 2), 4)]
    ['r4c2', 'r3c2', 'r2c2', 'r1c2']
    """
    cells = beside(_place(clue), size)
    if not cells:
        raise InvalidPuzzle(f"a clue at {shown(clue)} is not beside a {size}x{size} grid")
    return cells


def view(place: tuple[int, int], step: tuple[int, int], size: int) -> Cells:
    """The cells after a place, which may be outside the grid, in one direction."""
    cells = []
    at_row, at_column = place[0] + step[0], place[1] + step[1]
    while 1 <= at_row <= size and 1 <= at_column <= size:
        cells.append(Cell(at_row, at_column))
        at_row, at_column = at_row + step[0], at_column + step[1]
    return tuple(cells)


def beside(place: tuple[int, int], size: int) -> Cells:
    """The cells of the row or column that a place is at the end of; none if it is not."""
    down, right = ((at == 0) - (at == size + 1) for at in place)
    return () if down and right else view(place, (down, right), size) if down or right else ()


def places(size: int) -> Iterator[tuple[int, int]]:
    """Every place around the grid, corners too."""
    for at in range(size + 2):
        yield from {(0, at), (size + 1, at), (at, 0), (at, size + 1)}


def slopes(size: int) -> Iterator[tuple[tuple[int, int], str, Cells]]:
    """Every diagonal line of cells: the place outside the grid, the direction and the cells."""
    for place in places(size):
        for name, step in DIRECTIONS.items():
            if cells := view(place, step, size):
                yield place, name, cells


def neighbours(one: Cell, other: Cell) -> bool:
    """True if the two cells share a side."""
    return abs(one[0] - other[0]) + abs(one[1] - other[1]) == 1


def touch(one: Cell, other: Cell) -> bool:
    """True if the two cells share a side or a corner."""
    return max(abs(one.row - other.row), abs(one.column - other.column)) == 1


def sides(cell: Cell, size: int) -> Iterator[Cell]:
    """The cells of an n x n grid that share a side with this one, row by row."""
    row, column = cell
    for other in ((row - 1, column), (row, column - 1), (row, column + 1), (row + 1, column)):
        if 1 <= min(other) <= max(other) <= size:
            yield Cell(*other)


def _line(number: int, size: int) -> int:
    if not 1 <= number <= size:
        raise InvalidPuzzle(f"{shown(number)} is not a row or column from 1 to {size}")
    return index(number)


def _place(clue: tuple[int, int]) -> tuple[int, int]:
    try:
        at_row, at_column = map(index, clue)
    except (TypeError, ValueError):
        raise InvalidPuzzle(
            f"a clue is at {shown(clue)}; expected its row and column, such as (0, 3)"
        ) from None
    return at_row, at_column
