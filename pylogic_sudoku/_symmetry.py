"""Symmetries: ways to carry a puzzle to another one, and its solutions to the solutions of that."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ._layout import Cell, Layout, cells_of
from .grid import Grid
from .puzzle import Puzzle

if TYPE_CHECKING:
    from .rules import Rule

__all__ = ["Symmetry"]

AnyPuzzle = Grid | Puzzle
Numbers = tuple[int, ...]


@dataclass(frozen=True, slots=True, repr=False)
class Symmetry:
    """Digits relabelled, rows and columns moved: a way to carry a grid to another one.

    The digit d becomes ``digits[d - 1]``, and row r becomes row ``rows[r - 1]``; so with columns.
    Then rows become columns if `transposed`. Calling it with a puzzle gives the image; `keeps` says
    which puzzles it may be called with. ValueError unless `digits`, `rows` and `columns` are each
    the numbers from 1 to n in some order.

    >>> mirrored = Symmetry((1, 2, 3, 4), (1, 2, 3, 4), (4, 3, 2, 1))
    >>> print(mirrored(Grid.parse("12.4............")), "with", mirrored)
    4.21............ with the columns in reverse order
    """

    digits: Numbers
    rows: Numbers
    columns: Numbers
    transposed: bool = False

    def __post_init__(self) -> None:
        for numbers in (self.digits, self.rows, self.columns):
            if sorted(numbers) != list(range(1, len(self.digits) + 1)):
                raise ValueError(f"{numbers} are not the numbers from 1 to {len(self.digits)}")

    @classmethod
    def identity(cls, size: int) -> Symmetry:
        """The symmetry that changes nothing."""
        same = tuple(range(1, size + 1))
        return cls(same, same, same)

    @property
    def inverse(self) -> Symmetry:
        """The symmetry that undoes this one."""
        digits, rows, columns = map(_inverse, (self.digits, self.rows, self.columns))
        if self.transposed:
            rows, columns = columns, rows
        return Symmetry(digits, rows, columns, self.transposed)

    def cell(self, cell: Cell) -> Cell:
        """Where the content of a cell goes."""
        row, column = self.rows[cell.row - 1], self.columns[cell.column - 1]
        return Cell(column, row) if self.transposed else Cell(row, column)

    def moved(self, digits: Sequence[int]) -> Numbers:
        """The digits of a grid, row by row with 0 for an empty cell, carried over."""
        size = len(self.digits)
        found = [0] * len(digits)
        for cell, digit in zip(cells_of(size), digits, strict=True):
            found[self.cell(cell).offset(size)] = digit and self.digits[digit - 1]
        return tuple(found)

    def keeps(self, layout: Layout) -> bool:
        """True if the image of every puzzle with this layout has the solutions carried over.

        Boxes must stay boxes; regions may become any others. With rules beyond plain sudoku, no
        digit may change, and the grid may only be turned or mirrored.
        """
        if layout.size != len(self.digits):
            return False
        lines = (self.rows, self.columns)
        if layout.rules:
            same = tuple(range(1, layout.size + 1))
            return self.digits == same and {*lines} <= {same, same[::-1]} and _movable(layout.rules)
        return layout.regions is not None or all(map(_keeps_bands, lines, layout.box))

    def __call__(self, puzzle: AnyPuzzle) -> AnyPuzzle:
        """The puzzle carried over; ValueError unless this `keeps` its layout."""
        layout = puzzle.layout
        if not self.keeps(layout):
            raise ValueError(f"{self}: not a symmetry of {layout}")
        box = layout.box[::-1] if self.transposed else layout.box
        grid = Grid(self.moved(puzzle.digits), box)
        if isinstance(puzzle, Grid):
            return grid
        marks = [
            (self.cell(mark.cell), [self.digits[digit - 1] for digit in mark.digits])
            for mark in puzzle.marks
        ]
        return Puzzle(grid, self._carried(puzzle.regions), marks, self._carried(puzzle.rules))

    def _carried(self, value: Any) -> Any:
        """The value with its cells carried over, and those of rules in it."""
        from .rules import Rule

        if isinstance(value, Cell):
            return self.cell(value)
        if isinstance(value, tuple):
            return tuple(map(self._carried, value))
        if isinstance(value, Rule):
            fields = {name: self._carried(getattr(value, name)) for name in value.types}
            return type(value)(**fields)
        return value

    def simpler(self) -> Iterator[Symmetry]:
        """Symmetries that do less: with one change left out, or only two numbers swapped.

        Some of them may not keep a layout that this one keeps.
        """
        same = tuple(range(1, len(self.digits) + 1))
        if self.transposed:
            yield replace(self, transposed=False)
        for name in ("digits", "rows", "columns"):
            moved = _moved_by(getattr(self, name))
            for numbers in [same] * bool(moved) + [*_swaps(same)] * (len(moved) > 2):
                less: dict[str, Any] = {name: numbers}
                yield replace(self, **less)

    def to_json(self) -> dict[str, Any]:
        """Its fields; `Symmetry` takes them again as tuples."""
        numbers = {name: list(getattr(self, name)) for name in ("digits", "rows", "columns")}
        return {**numbers, "transposed": self.transposed}

    def __str__(self) -> str:
        said = [
            f"the {name} {_said(getattr(self, name))}"
            for name in ("digits", "rows", "columns")
            if _moved_by(getattr(self, name))
        ]
        return ", ".join(said + ["transposed"] * self.transposed) or "nothing changed"

    def __repr__(self) -> str:
        return f"<Symmetry: {self!s:.150}>"


def _inverse(numbers: Numbers) -> Numbers:
    return tuple(numbers.index(each) + 1 for each in range(1, len(numbers) + 1))


def _moved_by(numbers: Numbers) -> list[int]:
    return [number for number, new in enumerate(numbers, 1) if new != number]


def _swaps(numbers: Numbers) -> Iterator[Numbers]:
    for one, other in combinations(numbers, 2):
        swapped = {one: other, other: one}
        yield tuple(swapped.get(number, number) for number in numbers)


def _said(numbers: Numbers) -> str:
    old = _moved_by(numbers)
    if len(old) == 2:
        return f"{old[0]} and {old[1]} swapped"
    if list(numbers) == sorted(numbers, reverse=True):
        return "in reverse order"
    new = (numbers[number - 1] for number in old)
    return f"{' '.join(map(str, old))} made {' '.join(map(str, new))}"


def _keeps_bands(lines: Numbers, height: int) -> bool:
    bands = (lines[at : at + height] for at in range(0, len(lines), height))
    return all(len({(line - 1) // height for line in band}) == 1 for band in bands)


def _movable(rules: Iterable[Rule]) -> bool:
    """True if these rules are about the cells that they name, or about the whole grid.

    All rules of ours are. A rule of one's own may be about row 1 without naming its cells.
    """
    from .rules._rule import everything

    return all(each.asp is None and each.prolog is None for each in everything(rules))
