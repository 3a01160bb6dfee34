"""A grid, and a puzzle with further rules, as values.

Words: a *grid* has n x n *cells*; a *house* is a row, a column, a *box* or a *region*, and holds
each *digit* 1..n once; a *given* is a digit that a puzzle starts with. Boxes have r rows and c
columns with r * c = n. Rows and columns are counted from 1: ``r3c2`` is row 3, column 2.

A `Puzzle` is a grid with regions instead of boxes, marks in cells, and rules of any kind; what it
has in common with a `Grid` is a `Board`. `Grid.parse` and `Grid.to_svg` are here for convenience;
they import `formats` and `draw` when they are called. `cells` has what both are made of.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import combinations
from math import isqrt
from operator import index
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self, cast

from ..errors import InvalidPuzzle, counted, shown
from ..question import Question
from .cells import (
    MAX_SIZE,
    Box,
    Candidates,
    Cell,
    CellLike,
    Duplicate,
    House,
    Layout,
    Placement,
    Regions,
    box_of,
    candidate_rows,
    cells_of,
    checked_box,
    checked_regions,
    usual_box,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import DTypeLike, NDArray

    from ..draw import Highlight
    from ..rules import Rule

__all__ = ["Grid", "Mark", "Puzzle", "PuzzleLike", "board_of", "grid_of", "pencil_marks"]


class Board(Question):
    """The common part of a `Grid` and a `Puzzle`."""

    __slots__ = ()

    choice = "pylogic_sudoku.engines.sudoku.choice"

    if TYPE_CHECKING:

        @property
        def digits(self) -> tuple[int, ...]: ...

        @property
        def box(self) -> Box: ...

        @property
        def layout(self) -> Layout: ...

        def format(self, format: str = ...) -> str: ...

        def to_svg(self) -> str: ...

        def with_grid(self, grid: PuzzleLike) -> Self: ...

        def to_puzzle(self) -> Puzzle: ...

    @classmethod
    def parse(cls, text: str, format: str | None = None, box: Box | None = None) -> Self:
        """The one puzzle that a text holds, in any known format (`formats` lists them).

        If an answer set, table or program holds several puzzles, the first is returned. Of the
        formats, ``json`` and ``facts`` can hold all of a `Puzzle`, and several others rules.

        Args:
            text: The text of the puzzle.
            format: The name of the format, to read no other.
            box: The box shape if the text does not show it (a 6x6 grid may have 2x3 or 3x2 boxes).

        Raises:
            InvalidPuzzle: If the text is not a puzzle: the message says where it is wrong and what
                was expected. Also for several lines or blocks of rows, and as a `Grid` for a text
                that holds more than a grid.

        >>> Grid.parse("[[1,_,_,_],[_,_,_,_],[_,_,9,_],[_,_,_,_]]")
        Traceback (most recent call last):
        pylogic_sudoku.errors.InvalidPuzzle: r3c3 holds 9; expected 1 to 4, or 0 for empty
        >>> Grid.parse("1.....2.....3.....4.....5.....6.....", box=(2, 3)).size
        6
        """
        from .. import formats

        return cls._of_any(formats.parse(text, format, box))

    @classmethod
    def from_json(cls, value: Any, box: Box | None = None) -> Self:
        """The puzzle that a value of JSON holds: what `to_json` of a `Grid` or a `Puzzle` gives.

        Args:
            value: An object, rows, or a text.
            box: The box shape, which the rows of a grid do not show; without it, boxes are square.

        Raises:
            InvalidPuzzle: If the value is not a puzzle, or has more than a grid where a `Grid` is
                wanted.

        >>> grid = Grid.parse("1....6" + "." * 30, box=(2, 3))
        >>> Grid.from_json(grid.to_json(), grid.box) == grid
        True
        >>> puzzle = Puzzle("1..2" * 4, marks={"r1c2": {3}})
        >>> Puzzle.from_json(puzzle.to_json()) == puzzle
        True
        """
        from .. import formats

        return cls._of_any(formats.from_json(value, box))

    @classmethod
    def _of_any(cls, parsed: Grid | Puzzle) -> Self:
        from .. import formats

        board = parsed.to_puzzle() if issubclass(cls, Puzzle) else formats.as_grid(parsed)
        return cast("Self", board)

    @property
    def is_quick(self) -> bool:
        return self.size <= 9

    def fields(self) -> dict[str, Any]:
        return {"puzzle": self.to_puzzle().to_json()}

    def record(self) -> dict[str, Any]:
        """The puzzle with its box: a line, or an object if a line cannot hold it."""
        plain, names = self.asked(), ("title", "author", "unread")
        if isinstance(plain, Grid):
            return {"box": self.box, "puzzle": str(plain)}
        parts = {key: part for key, part in plain.to_json().items() if key not in names}
        return {"box": self.box, "puzzle": parts}

    def flaw(self) -> str:
        return str(next(iter(self.duplicates()), ""))

    def known(self, found: Any) -> Rows:
        return Rows(found, self)  # type: ignore[arg-type]

    def left(self, found: Any) -> Rows:
        return self.known(candidate_rows(found, self.size))

    def lacking(self, number: int) -> str:
        return f"{number} of the reference solutions"

    def lines(self, answer: Any) -> list[str]:
        """The grid; nothing if no cell is filled."""
        return answer.format("pretty").splitlines() if answer.givens else []

    def pictures(self, answers: Iterable[Any]) -> list[Any]:
        from ..draw import Picture

        return [Picture(each, self) for each in answers]  # type: ignore[arg-type]

    def drawn(self, answer: Any, marks: tuple[Any, ...] = (), title: str = "") -> Any:
        from ..draw import Picture

        try:
            return Picture(answer, self, highlights=marks, title=title)  # type: ignore[arg-type]
        except InvalidPuzzle:  # a rule of the user's own
            return None

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
        clashes: dict[tuple[int, int], list[str]] = {}
        for house, offsets in zip(self.houses, self.layout.offsets, strict=True):
            filled = sorted(at for at in offsets if self.digits[at])
            for pair in combinations(filled, 2):
                if self.digits[pair[0]] == self.digits[pair[1]]:
                    clashes.setdefault(pair, []).append(str(house))
        cells = self.cells
        return tuple(
            Duplicate(self.digits[one], (cells[one], cells[other]), tuple(names))
            for (one, other), names in sorted(clashes.items())
        )

    def with_(self, *placements: tuple[int, int, int], **digits: int) -> Self:
        """A copy with these digits: by cell name, or as row, column and digit; 0 empties a cell.

        Args:
            placements: Each a row, a column and a digit.
            digits: The digits, by the names of their cells.

        Raises:
            IndexError: For a cell that the grid does not have.
            InvalidPuzzle: For a digit that the grid cannot have.

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
        return self.with_grid(Grid(tuple(changed), self.box))

    def without(self, *cells: CellLike | tuple[int, int, int]) -> Self:
        """A copy in which these cells are empty; a digit after row and column does not matter."""
        empty = {self._offset(cell[:2] if isinstance(cell, tuple) else cell) for cell in cells}
        digits = (0 if offset in empty else digit for offset, digit in enumerate(self.digits))
        return self.with_grid(Grid(tuple(digits), self.box))

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


@dataclass(frozen=True, slots=True, repr=False, eq=False)
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
    """Rows and columns of a box. With a single row or column there are no boxes, and such grids are
    equal."""

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

    def _value(self) -> tuple[tuple[int, ...], Box]:
        return self.digits, self.box if min(self.box) > 1 else (1, self.size)

    def __eq__(self, other: object) -> bool:
        return self._value() == other._value() if isinstance(other, Grid) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._value())

    @classmethod
    def from_rows(cls, rows: Iterable[Iterable[Any]], box: Box | None = None) -> Grid:
        """The grid of nested rows, or of a list of lines; numpy arrays and data frames too.

        A cell is a whole number or its text, such as ``"5"``; 0, None, NaN and ``"."`` are empty.

        >>> Grid.from_rows([["1", "."], [2, None]], box=(1, 2)).rows
        ((1, 0), (2, 0))
        >>> print(Grid.from_rows(["1..4", "....", ".3..", "...."]))
        1..4.....3......
        """
        from .. import formats

        return formats.from_rows(rows, box)

    # The other fields of a `Puzzle`, so that callers need not know which of the two a puzzle is.

    @property
    def grid(self) -> Grid:
        """The grid itself, as `Puzzle.grid`."""
        return self

    regions: ClassVar[None] = None
    marks: ClassVar[tuple[Mark, ...]] = ()
    rules: ClassVar[tuple[Rule, ...]] = ()
    excluded: ClassVar[tuple[Placement, ...]] = ()
    unread: ClassVar[tuple[str, ...]] = ()
    is_plain: ClassVar[bool] = True

    @property
    def layout(self) -> Layout:
        """The cells of its houses."""
        return Layout(self.box)

    def to_puzzle(self) -> Puzzle:
        """A `Puzzle` with this grid and nothing else."""
        return Puzzle(self)

    def with_grid(self, grid: PuzzleLike) -> Self:
        """The other grid; see `Puzzle.with_grid`."""
        return cast("Self", grid_of(grid, self.box))

    @property
    def columns(self) -> tuple[tuple[int, ...], ...]:
        """The columns from left to right, 0 for an empty cell."""
        return tuple(zip(*self.rows, strict=True))

    @property
    def boxes(self) -> tuple[tuple[int, ...], ...]:
        """The boxes from left to right and down, each row by row; 0 for an empty cell.

        >>> Grid.parse("12..34......4321").boxes
        ((1, 2, 3, 4), (0, 0, 0, 0), (0, 0, 4, 3), (0, 0, 2, 1))
        """
        return tuple(
            tuple(self.digits[at] for at in sorted(offsets))
            for house, offsets in zip(self.houses, self.layout.offsets, strict=True)
            if house.kind == "box"
        )

    def transposed(self) -> Grid:
        """Return the grid with its rows as columns: r3c2 becomes r2c3, and 2x3 boxes become 3x2.

        >>> Grid.parse("12..34......4321").transposed()
        Grid.parse('13.424.3...2...1')
        """
        return Grid.from_rows(self.columns, self.box[::-1])

    def relabelled(self, digits: Mapping[int, int] | Sequence[int]) -> Grid:
        """Return a copy with other digits.

        Args:
            digits: A dict from old to new, where digits that it lacks stay; or the new ones of 1 to
                n.

        Raises:
            ValueError: Unless the new digits are 1 to n, each once.

        >>> Grid.parse("12..34......4321").relabelled({1: 2, 2: 1})
        Grid.parse('21..34......4312')
        """
        same = {digit: digit for digit in range(1, self.size + 1)}
        new = {**same, **digits} if isinstance(digits, Mapping) else dict(enumerate(digits, 1))
        if not same.keys() == new.keys() == set(new.values()):
            expected = f"each digit from 1 to {self.size} once"
            raise ValueError(f"{shown(digits)} does not give {expected}")
        return Grid(tuple(digit and new[digit] for digit in self.digits), self.box)

    def to_numpy(self, dtype: DTypeLike | None = None) -> NDArray[Any]:
        """Return the rows as an n x n array, as ``numpy.asarray(grid)`` does; it needs numpy."""
        return self.__array__(dtype)

    @classmethod
    def of(cls, placements: Iterable[tuple[int, int, int]], box: Box) -> Grid:
        """The grid with these placements and nothing else.

        Args:
            placements: Each a row, a column and a digit.
            box: The rows and columns of a box.

        Raises:
            IndexError: For a cell that the grid does not have.
            InvalidPuzzle: For a digit that the grid cannot have.

        >>> Grid.of([(1, 1, 1), (1, 4, 4)], (2, 2))
        Grid.parse('1..4............')
        """
        rows, columns = checked_box(box)
        empty = cls((0,) * (rows * columns) ** 2, (rows, columns))
        digits = list(empty.digits)
        for row, column, digit in placements:
            digits[empty._offset((row, column))] = digit
        return cls(tuple(digits), empty.box)

    def to_json(self) -> list[list[int | None]]:
        """Rows of digits, None for an empty cell: how every JSON of ours has a grid.

        `from_json` reads it.
        """
        return [[digit or None for digit in row] for row in self.rows]

    def format(self, format: str = "line", *, removable: bool = False) -> str:
        """The grid as text, without a final newline; `str` is the line alone.

        A comment states the box shape where a text of lines or rows would be read with another.

        Args:
            format: The name of the format.
            removable: True, for ``facts`` only, to give every given the comment that lets asplain
                remove it.

        Raises:
            ValueError: For an unknown format.
        """
        from .. import formats

        return formats.write(self, format, removable)

    def is_solution_of(self, puzzle: PuzzleLike) -> bool:
        """True if this grid is full, keeps every given and mark, and obeys every house and rule.

        Plain Python that knows no engine: the oracle of the test suite.

        Args:
            puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.

        >>> Grid.parse("4312124324313124").is_solution_of("4......3...13...")
        True
        """
        puzzle = board_of(puzzle, self.box)
        digits = set(range(1, self.size + 1))
        jigsaw = puzzle.layout.regions is not None  # in which the box shape does not count
        return (
            self.size == puzzle.size
            and (jigsaw or self.layout.blocks == Layout(puzzle.box).blocks)
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
        from ..rules import Digits

        digits = Digits(self.digits, layout)
        return all(rule.holds(digits) for rule in layout.rules)

    def to_svg(
        self,
        puzzle: PuzzleLike | None = None,
        candidates: Candidates | None = None,
        highlights: tuple[Highlight, ...] = (),
        title: str = "",
    ) -> str:
        """A picture of the grid; `draw.Picture` makes other kinds of pictures.

        Args:
            puzzle: The puzzle whose digits are drawn as givens: a `Grid`, a `Puzzle`, text in any
                known format, or nested rows.
            candidates: The digits that are drawn small in each empty cell, as rows of sets.
            highlights: The cells and digits that are marked, each by a `draw.Highlight`.
            title: The title, for those who cannot see the picture.
        """
        from ..draw import Picture

        return Picture(self, puzzle, candidates, highlights, title).to_svg()

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        return iter(self.rows)

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> NDArray[Any]:
        if copy is False:
            raise ValueError("a grid cannot become an array without a copy")
        import numpy

        return numpy.array(self.rows, dtype)

    def __str__(self) -> str:
        from .. import formats

        return formats.cells_in_line(self)

    def __repr__(self) -> str:
        n = self.size
        side = isqrt(n)
        shape = "" if self.box == (side, side) and n > 1 else f", box={self.box}"
        return f"Grid.parse({str(self)!r}{shape})"


def _digits(cells: Any, size: int) -> tuple[int, ...]:
    """The cells as ints, 0 for None; InvalidPuzzle for what is not a whole number."""
    if isinstance(cells, str | bytes) or not hasattr(cells, "__iter__"):
        raise InvalidPuzzle(f"the grid is {shown(cells)}; expected a list of digits")
    digits: list[int] = []
    for cell, value in enumerate(cells):
        if isinstance(value, bool) or not (value is None or hasattr(value, "__index__")):
            raise InvalidPuzzle(
                f"{cells_of(size)[cell]} holds {shown(value)}; expected a whole number, or 0 for"
                " an empty cell"
            )
        digits.append(0 if value is None else index(value))
    return tuple(digits)


# --- beyond plain sudoku ---


class Mark(NamedTuple):
    """A cell that may hold only some digits, such as the even ones."""

    cell: Cell
    digits: frozenset[int]

    def __str__(self) -> str:
        return f"{self.cell} in {{{', '.join(map(str, sorted(self.digits)))}}}"


@dataclass(frozen=True, slots=True, repr=False, init=False)
class Puzzle(Board):
    """A grid with further rules: a frozen, comparable, hashable, picklable value.

    Every function that takes a `Grid` takes a Puzzle; its solutions are grids.

    >>> puzzle = Puzzle("." * 25, regions="11122 11322 43332 44355 44555", marks={"r1c1": "odd"})
    >>> puzzle.size, len(puzzle.regions)
    (5, 5)
    >>> print(*puzzle.regions[0])
    r1c1 r1c2 r1c3 r2c1 r2c2
    >>> print(*puzzle.marks)
    r1c1 in {1, 3, 5}
    """

    grid: Grid
    """The givens. With regions its boxes do not count: they are the squarest that there are."""
    regions: Regions | None
    """n sets of n cells instead of the boxes, in reading order, as in a jigsaw; None if the boxes
    of the grid count."""
    marks: tuple[Mark, ...]
    """Cells that may hold only some digits, in reading order."""
    rules: tuple[Rule, ...]
    """Rules beyond these, such as cages and thermometers; see `pylogic_sudoku.rules`."""
    title: str = field(compare=False)
    author: str = field(compare=False)
    unread: tuple[str, ...] = field(compare=False)
    """The parts of its text that are drawn or stated, but not read, such as ``"2 drawn lines"`` and
    its rules in words. They may mean rules."""

    def __init__(
        self,
        grid: PuzzleLike,
        regions: Iterable[Any] | None = None,
        marks: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (),
        rules: Iterable[Rule | Mapping[str, Any]] = (),
        title: str = "",
        author: str = "",
        unread: Iterable[str] = (),
    ) -> None:
        """Put a puzzle together.

        Args:
            grid: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
            regions: Sets of cells, or a label for each cell: rows of labels, or one text with them
                all. If they are boxes, the boxes of the grid become these.
            marks: A dict or pairs: a cell, and its digits, ``"odd"`` or ``"even"``.
            rules: Those of `pylogic_sudoku.rules`, or their JSON.
            title: The title of the puzzle.
            author: The name of its author.
            unread: The parts of its text that are not read, such as ``"2 drawn lines"``.

        Raises:
            InvalidPuzzle: If the parts do not fit together; the message has the reason.
        """
        size = grid.size if isinstance(grid, Grid) else None
        areas = None if regions is None else checked_regions(regions, size)
        box = None if areas is None else box_of(areas)
        if areas is not None and box is None:
            box = usual_box(len(areas))
        else:
            areas = None
        if isinstance(grid, str):
            grid = Grid.parse(grid, box=box)
        elif isinstance(grid, Puzzle | Mapping):
            grid = grid_of(grid)
        elif not isinstance(grid, Grid):
            grid = Grid.from_rows(grid, box)
        grid = Grid(grid.digits, box or grid.box)
        for what, name in (("title", title), ("author", author)):
            if not isinstance(name, str):
                raise InvalidPuzzle(f"the {what} is {shown(name)}; expected text")
        notes = () if isinstance(unread, str) or not isinstance(unread, Iterable) else tuple(unread)
        if (unread and not notes) or not all(isinstance(each, str) for each in notes):
            raise InvalidPuzzle(f"unread is {shown(unread)}; expected a list of texts")
        values = {
            "grid": grid,
            "regions": areas,
            "marks": _checked_marks(marks, grid.size),
            "rules": _checked_rules(rules, Layout(grid.box, areas)),
            "title": title,
            "author": author,
            "unread": notes,
        }
        for field_name, value in values.items():
            object.__setattr__(self, field_name, value)

    def asked(self) -> Grid | Puzzle:
        return self.grid if self.is_plain else self

    @property
    def is_plain(self) -> bool:
        """True if it has no more rules than its grid."""
        return self.regions is None and not self.marks and not self.rules

    @property
    def box(self) -> Box:
        """Rows and columns of a box of its grid."""
        return self.grid.box

    @property
    def digits(self) -> tuple[int, ...]:
        """n * n digits, row by row; 0 is an empty cell."""
        return self.grid.digits

    @property
    def layout(self) -> Layout:
        """The cells of its houses, and its other rules."""
        return Layout(self.grid.box, self.regions, self.rules)

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """The digits that a mark excludes from its cell."""
        return tuple(
            Placement(*mark.cell, digit)
            for mark in self.marks
            for digit in range(1, self.size + 1)
            if digit not in mark.digits
        )

    def holds(self, grid: PuzzleLike) -> bool:
        """True if a grid is a solution, as ``grid.is_solution_of(puzzle)``.

        Args:
            grid: The grid. Text and rows that do not state their box shape have that of the puzzle.

        Raises:
            InvalidPuzzle: For a grid of the same size with other boxes.
        """
        solution = grid_of(grid, self.box)
        same = self.regions or solution.layout.blocks == Layout(self.box).blocks
        if solution.size == self.size and not same:
            ours, other = ("{}x{}".format(*each.box) for each in (self, solution))
            raise InvalidPuzzle(
                f"the grid has {other} boxes, but the puzzle has {ours} boxes: read it with"
                f" box={self.box} or --box {ours}"
            )
        return solution.is_solution_of(self)

    def to_puzzle(self) -> Puzzle:
        """The puzzle itself; see `Grid.to_puzzle`."""
        return self

    def with_grid(self, grid: PuzzleLike) -> Self:
        """A copy with another grid, such as a solution, under the same rules."""
        return replace(self, grid=grid_of(grid, self.box))

    def to_json(self) -> dict[str, Any]:
        """The puzzle as an object of the format ``json``; `from_json` reads it.

        >>> Puzzle("1..2" * 4, marks={"r1c2": {3}}).to_json()["marks"]
        {'r1c2': [3]}
        """
        document: dict[str, Any] = {"box": list(self.box), "grid": self.grid.to_json()}
        if self.regions is not None:
            document["regions"] = self.layout.labels
        if self.marks:
            document["marks"] = {str(mark.cell): sorted(mark.digits) for mark in self.marks}
        if self.rules:
            document["rules"] = [rule.to_json() for rule in self.rules]
        document |= {key: text for key in ("title", "author") if (text := getattr(self, key))}
        return document | ({"unread": list(self.unread)} if self.unread else {})

    def format(self, format: str = "json", *, removable: bool = False) -> str:
        """The puzzle as text, without a final newline.

        ``json`` holds all of it, ``facts`` all but the title and what is unread, ``prolog`` its
        regions and rules, and ``fpuzzles`` and ``fpuzzles-link`` the rules that f-puzzles knows;
        ``pretty`` draws it.

        Args:
            format: The name of the format.
            removable: True, for ``facts`` only, to give every given the comment that lets asplain
                remove it.

        Raises:
            ValueError: If the format cannot hold the puzzle, or is unknown.
        """
        if format == "pretty" and not (removable or self.is_plain):
            from ..draw import Picture

            return Picture(self.grid, self, title=self.title).to_text()
        from .. import formats

        return formats.write(self, format, removable)

    def to_svg(
        self,
        candidates: Candidates | None = None,
        highlights: tuple[Highlight, ...] = (),
        title: str = "",
    ) -> str:
        """A picture of the puzzle; `draw.Picture` makes other kinds of pictures."""
        from ..draw import Picture

        return Picture(self.grid, self, candidates, highlights, title or self.title).to_svg()

    # Its rows alone would be another puzzle; Python would try to iterate by __getitem__.
    __iter__ = None

    def __str__(self) -> str:
        return self.format("json")

    def __repr__(self) -> str:
        parts = [str(self.grid)]
        parts += [counted(len(self.regions), "region")] if self.regions else []
        parts += [counted(len(self.marks), "mark")] if self.marks else []
        parts += [counted(len(self.rules), "rule")] if self.rules else []
        parts += [repr(self.title)] if self.title else []
        return f"<Puzzle {', '.join(parts)}>"


PuzzleLike = Grid | Puzzle | str | Mapping[str, Any] | Iterable[Iterable[Any]]
"""Values that represent a puzzle: text in any known format, JSON as `to_json` has it, nested rows
such as lists and numpy arrays."""


class Rows(tuple[tuple[frozenset[int], ...], ...]):
    """Rows of sets of digits, which a notebook draws as pencil marks."""

    puzzle: Grid | Puzzle

    def __new__(cls, rows: Candidates, puzzle: Grid | Puzzle) -> Rows:
        self = super().__new__(cls, rows)
        self.puzzle = puzzle
        return self

    def __getnewargs__(self) -> tuple[Any, ...]:
        return tuple(self), self.puzzle

    def _repr_svg_(self) -> str:
        from ..draw import Picture

        grid = self.puzzle.grid
        cells = zip(grid.cells, grid.digits, (each for row in self for each in row), strict=True)
        alone = [
            Placement(*cell, min(digits))
            for cell, digit, digits in cells
            if not digit and len(digits) == 1
        ]
        return Picture(grid.with_(*alone), self.puzzle, tuple(self)).to_svg()


def board_of(puzzle: PuzzleLike, box: Box | None = None) -> Grid | Puzzle:
    """Return the puzzle that a user passes, whatever its kind; see `formats.as_puzzle`."""
    if isinstance(puzzle, Grid | Puzzle):
        return puzzle
    from .. import formats

    return formats.as_puzzle(puzzle, box)


def grid_of(puzzle: PuzzleLike, box: Box | None = None) -> Grid:
    """Return the grid that a user passes; InvalidPuzzle for what has more than a grid."""
    if isinstance(puzzle, Grid):
        return puzzle
    from .. import formats

    return formats.as_grid(puzzle, box)


def _checked_rules(rules: Any, layout: Layout) -> tuple[Rule, ...]:
    """The rules, each possible in a grid of this layout."""
    if isinstance(rules, tuple | list) and not rules:
        return ()
    from ..rules import Rule, from_json

    if isinstance(rules, str | Mapping | Rule) or not hasattr(rules, "__iter__"):
        raise InvalidPuzzle(f"the rules are {shown(rules)}; expected a list of rules")
    checked = tuple(each if isinstance(each, Rule) else from_json(each) for each in rules)
    for each in checked:
        each.check(layout)
    return checked


def _checked_marks(marks: Any, size: int) -> tuple[Mark, ...]:
    """The marks in reading order, one for a cell, without those that allow every digit."""
    try:
        by_cell: dict[Cell, frozenset[int]] = {}
        for where, allowed in marks.items() if isinstance(marks, Mapping) else marks:
            cell = Cell.of(where, size)
            digits = _checked_digits(cell, allowed, size)
            by_cell[cell] = by_cell.get(cell, digits) & digits
    except InvalidPuzzle:
        raise
    except IndexError as error:
        raise InvalidPuzzle(f"the marks: {error}") from None
    except (TypeError, ValueError):
        raise InvalidPuzzle(
            f"the marks are {shown(marks)}; expected cells with the digits that they may hold,"
            " such as {'r1c2': [2, 4]}"
        ) from None
    return tuple(Mark(cell, by_cell[cell]) for cell in sorted(by_cell) if len(by_cell[cell]) < size)


def _checked_digits(cell: Cell, allowed: Any, size: int) -> frozenset[int]:
    every = range(1, size + 1)
    if isinstance(allowed, str):
        if allowed not in ("odd", "even"):
            raise InvalidPuzzle(
                f"the mark of {cell} is {shown(allowed)}; expected 'odd', 'even' or digits"
            )
        return frozenset(digit for digit in every if digit % 2 == (allowed == "odd"))
    digits = list(allowed) if hasattr(allowed, "__iter__") else [allowed]
    for digit in digits:
        if isinstance(digit, bool) or not hasattr(digit, "__index__") or index(digit) not in every:
            raise InvalidPuzzle(
                f"the mark of {cell} has {shown(digit)}; expected digits from 1 to {size}"
            )
    return frozenset(map(index, digits))


def pencil_marks(grid: PuzzleLike) -> Candidates:
    """For every empty cell the digits that no house of it holds yet and no mark excludes.

    Cells that hold a digit have none.

    >>> [sorted(digits) for digits in pencil_marks(Grid.parse("1..4.....3......"))[0]]
    [[], [2], [2, 3], []]
    """
    grid = board_of(grid)
    n = grid.size
    free = [set() if digit else set(range(1, n + 1)) for digit in grid.digits]
    for house in grid.layout.offsets:
        for at in house:
            free[at] -= {grid.digits[other] for other in house}
    for row, column, digit in grid.excluded:
        free[Cell(row, column).offset(n)].discard(digit)
    return candidate_rows(free, n)
