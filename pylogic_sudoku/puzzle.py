"""A puzzle beyond plain sudoku: regions instead of boxes, marks in cells, and rules of any kind."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import index
from typing import TYPE_CHECKING, Any, NamedTuple

from ._layout import (
    Box,
    Cell,
    CellLike,
    Layout,
    Regions,
    box_of,
    checked_regions,
    usual_box,
)
from .errors import InvalidPuzzle, counted, shown
from .grid import Board, Grid, Placement

if TYPE_CHECKING:
    from .draw import Highlight
    from .grid import Candidates
    from .rules import Rule

__all__ = ["Mark", "Puzzle"]


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

    def __init__(
        self,
        grid: Grid | str | Iterable[Any],
        regions: Iterable[Any] | None = None,
        marks: Mapping[Any, Any] | Iterable[tuple[Any, Any]] = (),
        rules: Iterable[Rule | Mapping[str, Any]] = (),
        title: str = "",
        author: str = "",
    ) -> None:
        """InvalidPuzzle, which says what is wrong, if the parts do not fit together.

        `grid` may be text or rows. `regions` are sets of cells, or a label for each cell: rows of
        labels, or one text with them all. If they are boxes, the boxes of the grid become these.
        `marks` are a dict or pairs: a cell, and its digits, ``"odd"`` or ``"even"``. `rules` are
        those of `pylogic_sudoku.rules`, or their JSON.
        """
        size = grid.size if isinstance(grid, Grid) else None
        found = None if regions is None else checked_regions(regions, size)
        box = None if found is None else box_of(found)
        if found is not None and box is None:
            box = usual_box(len(found))
        else:
            found = None
        if isinstance(grid, str):
            grid = Grid.parse(grid, box=box)
        elif not isinstance(grid, Grid):
            grid = Grid.from_rows(grid, box)
        grid = Grid(grid.digits, box or grid.box)
        for what, name in (("title", title), ("author", author)):
            if not isinstance(name, str):
                raise InvalidPuzzle(f"the {what} is {shown(name)}; expected text")
        values = {
            "grid": grid,
            "regions": found,
            "marks": _checked_marks(marks, grid.size),
            "rules": _checked_rules(rules, Layout(grid.box, found)),
            "title": title,
            "author": author,
        }
        for field_name, value in values.items():
            object.__setattr__(self, field_name, value)

    @classmethod
    def parse(cls, text: str, format: str | None = None, box: Box | None = None) -> Puzzle:
        """The one puzzle that a text holds; see `Grid.parse`.

        Of the formats, ``json`` and ``facts`` can hold all of a puzzle, and several others rules.
        """
        from . import formats

        found = formats.parse(text, format, box)
        return found if isinstance(found, Puzzle) else cls(found)

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
        """Which cells make up its houses, and its other rules."""
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

    def holds(self, grid: Grid) -> bool:
        """True if a grid is a solution: the same as ``grid.is_solution_of(puzzle)``."""
        return grid.is_solution_of(self)

    def with_(self, *placements: tuple[int, int, int], **digits: int) -> Puzzle:
        """A copy with these digits; see `Grid.with_`."""
        return replace(self, grid=self.grid.with_(*placements, **digits))

    def without(self, *cells: CellLike | tuple[int, int, int]) -> Puzzle:
        """A copy in which these cells are empty; see `Grid.without`."""
        return replace(self, grid=self.grid.without(*cells))

    @classmethod
    def from_json(cls, value: Any, box: Box | None = None) -> Puzzle:
        """The puzzle that a value of JSON holds: what `to_json` gives, also of a `Grid`.

        `box` is the box shape of rows alone. InvalidPuzzle if the value is not a puzzle.

        >>> puzzle = Puzzle("1..2" * 4, marks={"r1c2": {3}})
        >>> Puzzle.from_json(puzzle.to_json()) == puzzle
        True
        """
        from . import formats

        found = formats.from_json(value, box)
        return found if isinstance(found, Puzzle) else cls(found)

    def to_json(self) -> dict[str, Any]:
        """What the format ``json`` has of it; `from_json` reads it.

        >>> Puzzle("1..2" * 4, marks={"r1c2": {3}}).to_json()["marks"]
        {'r1c2': [3]}
        """
        found: dict[str, Any] = {"box": list(self.box), "grid": self.grid.to_json()}
        if self.regions is not None:
            number = {cell: n for n, region in enumerate(self.regions, 1) for cell in region}
            labels = [number[cell] for cell in self.cells]
            n = self.size
            found["regions"] = [labels[at : at + n] for at in range(0, n * n, n)]
        if self.marks:
            found["marks"] = {str(mark.cell): sorted(mark.digits) for mark in self.marks}
        if self.rules:
            found["rules"] = [rule.to_json() for rule in self.rules]
        return found | {key: text for key in ("title", "author") if (text := getattr(self, key))}

    def format(self, format: str = "json") -> str:
        """The puzzle as text, without a final newline; ValueError if the format cannot hold it.

        ``json`` holds all of it, ``facts`` all but names, ``prolog`` its regions and rules, and
        ``fpuzzles`` and ``fpuzzles-link`` the rules that f-puzzles knows; ``pretty`` draws it.
        """
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


def _checked_rules(rules: Any, layout: Layout) -> tuple[Rule, ...]:
    """The rules, each possible in a grid of this layout."""
    if isinstance(rules, tuple | list) and not rules:
        return ()
    from .rules import Rule, from_json

    if isinstance(rules, str | Mapping | Rule) or not hasattr(rules, "__iter__"):
        raise InvalidPuzzle(f"the rules are {shown(rules)}; expected a list of rules")
    found = tuple(each if isinstance(each, Rule) else from_json(each) for each in rules)
    for each in found:
        each.check(layout)
    return found


def _checked_marks(marks: Any, size: int) -> tuple[Mark, ...]:
    """The marks in reading order, one for a cell, without those that allow every digit."""
    try:
        found: dict[Cell, frozenset[int]] = {}
        for given, allowed in marks.items() if isinstance(marks, Mapping) else marks:
            cell = Cell.of(tuple(given) if isinstance(given, list) else given, size)
            digits = _checked_digits(cell, allowed, size)
            found[cell] = found.get(cell, digits) & digits
    except InvalidPuzzle:
        raise
    except IndexError as error:
        raise InvalidPuzzle(f"the marks: {error}") from None
    except (TypeError, ValueError):
        raise InvalidPuzzle(
            f"the marks are {shown(marks)}; expected cells with the digits that they may hold,"
            " such as {'r1c2': [2, 4]}"
        ) from None
    return tuple(Mark(cell, found[cell]) for cell in sorted(found) if len(found[cell]) < size)


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
