"""A puzzle whose rules are more than a grid with boxes says: regions, and marks in cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from ._layout import Box, Cell, CellLike, House, Layout, checked_regions
from .errors import InvalidPuzzle, shown
from .grid import Duplicate, Grid, Placement, duplicates

if TYPE_CHECKING:
    from .draw import Highlight
    from .grid import Candidates

__all__ = ["Mark", "Puzzle"]


class Mark(NamedTuple):
    """A cell that may hold only some digits, such as the even ones."""

    cell: Cell
    digits: frozenset[int]

    def __str__(self) -> str:
        return f"{self.cell} in {{{', '.join(map(str, sorted(self.digits)))}}}"


@dataclass(frozen=True, slots=True, repr=False)
class Puzzle:
    """A grid with further rules: a frozen, comparable, hashable, picklable value.

    Every function that takes a `Grid` takes a Puzzle; its solutions are grids. `regions` and
    `marks` are taken in several forms, and kept in one. InvalidPuzzle if they do not fit the grid.

    >>> puzzle = Puzzle(Grid.parse("." * 16), regions="1112122233434344", marks={"r1c1": "odd"})
    >>> puzzle.regions[0]
    (Cell(row=1, column=1), Cell(row=1, column=2), Cell(row=1, column=3), Cell(row=2, column=1))
    >>> print(*puzzle.marks)
    r1c1 in {1, 3}
    """

    grid: Grid
    """The givens, and the number of rows; its boxes count only without `regions`."""
    regions: tuple[tuple[Cell, ...], ...] | None = None
    """n sets of n cells instead of the boxes (a jigsaw). Taken as such, or as a label for each
    cell: n rows of labels, or one text of n * n characters."""
    marks: tuple[Mark, ...] = ()
    """Cells that may hold only some digits, in reading order. Taken as such, or as a dict from a
    cell to its digits, to ``"odd"`` or to ``"even"``."""
    rules: tuple[()] = ()
    """For rules beyond these; there are none yet."""
    title: str = field(default="", compare=False)
    author: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.grid, Grid):
            raise InvalidPuzzle(f"the grid of a puzzle is a Grid, not {shown(self.grid)}")
        if self.regions is not None:
            regions = checked_regions(self.regions, self.size)
            object.__setattr__(self, "regions", regions)
        object.__setattr__(self, "marks", _checked_marks(self.marks, self.size))
        if tuple(self.rules) != ():
            raise InvalidPuzzle(f"no rules are known yet, so expected (), not {shown(self.rules)}")

    @classmethod
    def parse(cls, text: str, format: str | None = None, box: Box | None = None) -> Puzzle:
        """The one puzzle that a text holds; see `Grid.parse`.

        Of the formats, ``json`` and ``facts`` have regions and marks.
        """
        from . import formats

        found = formats.parse_puzzle(text, format, box)
        return found if isinstance(found, Puzzle) else cls(found)

    @property
    def is_plain(self) -> bool:
        """True if its grid alone says as much."""
        return self.regions is None and not self.marks and not self.rules

    @property
    def size(self) -> int:
        """n: the number of rows, of columns and of digits."""
        return self.grid.size

    @property
    def box(self) -> Box:
        """Rows and columns of a box of its grid."""
        return self.grid.box

    @property
    def digits(self) -> tuple[int, ...]:
        """n * n digits, row by row; 0 is an empty cell."""
        return self.grid.digits

    @property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows from top to bottom, 0 for an empty cell."""
        return self.grid.rows

    @property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell, in the order of `digits`."""
        return self.grid.cells

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The digit of every cell that is not empty."""
        return self.grid.givens

    @property
    def layout(self) -> Layout:
        """Which cells make up its houses."""
        return Layout(self.grid.box, self.regions)

    @property
    def houses(self) -> tuple[House, ...]:
        """Every row, column, and box or region."""
        return self.layout.houses

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """Digits that a mark keeps out of a cell."""
        every = range(1, self.size + 1)
        return tuple(
            Placement(*mark.cell, digit)
            for mark in self.marks
            for digit in every
            if digit not in mark.digits
        )

    def with_(self, *placements: tuple[int, int, int], **digits: int) -> Puzzle:
        """A copy with these digits; see `Grid.with_`."""
        return replace(self, grid=self.grid.with_(*placements, **digits))

    def without(self, *cells: CellLike | tuple[int, int, int]) -> Puzzle:
        """A copy in which these cells are empty; see `Grid.without`."""
        return replace(self, grid=self.grid.without(*cells))

    def duplicates(self) -> tuple[Duplicate, ...]:
        """Every pair of cells that share a house and a digit; see `Grid.duplicates`."""
        return duplicates(self)

    def to_json(self) -> dict[str, Any]:
        """What the format ``json`` has of it; `parse` reads that.

        >>> Puzzle(Grid.parse("1..2"*4), marks={"r1c2": {3}}).to_json()["marks"]
        {'r1c2': [3]}
        """
        found: dict[str, Any] = {"box": list(self.box), "grid": self.grid.to_json()}
        if self.regions is not None:
            number = {cell: n for n, region in enumerate(self.regions, 1) for cell in region}
            labels = [number[cell] for cell in self.cells]
            found["regions"] = [
                labels[at : at + self.size] for at in range(0, len(labels), self.size)
            ]
        if self.marks:
            found["marks"] = {str(mark.cell): sorted(mark.digits) for mark in self.marks}
        found |= {key: text for key in ("title", "author") if (text := getattr(self, key))}
        return found

    def format(self, format: str = "json") -> str:
        """The puzzle as text, without a final newline; ValueError if the format cannot hold it."""
        from . import formats

        return formats.write(self, format)

    def to_svg(
        self,
        candidates: Candidates | None = None,
        highlights: tuple[Highlight, ...] = (),
        title: str = "",
    ) -> str:
        """A picture of the puzzle; `draw.Picture` makes other kinds of pictures."""
        from .draw import Picture

        return Picture(self.grid, self, candidates, highlights, title or self.title).to_svg()

    def _repr_svg_(self) -> str:
        return self.to_svg()

    def __getitem__(self, cell: CellLike) -> int:
        return self.grid[cell]

    def __str__(self) -> str:
        return self.title or self.format("json")

    def __repr__(self) -> str:
        more = [f"title={self.title!r}"] if self.title else []
        more += [f"{len(self.regions)} regions"] if self.regions else []
        more += [f"{len(self.marks)} mark{'s' * (len(self.marks) != 1)}"] if self.marks else []
        return f"<Puzzle {', '.join([str(self.grid), *more])}>"


def _checked_marks(marks: Any, size: int) -> tuple[Mark, ...]:
    """The marks in reading order, one a cell; those that allow every digit are left out."""
    try:
        pairs = list(marks.items() if isinstance(marks, Mapping) else marks)
        found: dict[Cell, frozenset[int]] = {}
        for pair in pairs:
            given, allowed = pair
            cell = Cell.of(tuple(given) if isinstance(given, list) else given, size)
            digits = _checked_digits(cell, allowed, size)
            found[cell] = found.get(cell, digits) & digits
    except IndexError as error:
        raise InvalidPuzzle(f"in the marks, {error}") from None
    except (TypeError, ValueError) as error:
        if isinstance(error, InvalidPuzzle):
            raise
        raise InvalidPuzzle(
            f"marks are cells with the digits that they may hold, such as {{'r1c2': [2, 4]}},"
            f" not {shown(marks)}"
        ) from None
    return tuple(Mark(cell, found[cell]) for cell in sorted(found) if len(found[cell]) < size)


def _checked_digits(cell: Cell, allowed: Any, size: int) -> frozenset[int]:
    every = range(1, size + 1)
    if isinstance(allowed, str):
        if allowed not in ("odd", "even"):
            raise InvalidPuzzle(f"{cell} is marked {shown(allowed)}; expected odd, even or digits")
        return frozenset(digit for digit in every if digit % 2 == (allowed == "odd"))
    digits = [allowed] if hasattr(allowed, "__index__") else list(allowed)
    for digit in digits:
        if isinstance(digit, bool) or index(digit) not in every:
            raise InvalidPuzzle(f"{cell} is marked {shown(digit)}; expected digits 1 to {size}")
    return frozenset(map(index, digits))
