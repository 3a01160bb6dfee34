"""The strings of the Interactive Sudoku Solver (ISS), such as ``.Thermo~R1C1~R1C2``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from .._geometry import disjoint_groups, windows
from .._layout import Box, Cell, checked_regions, usual_box
from ..errors import InvalidPuzzle, shown
from ..grid import MAX_SIZE, Grid
from ..puzzle import Puzzle
from ._iss_frame import IGNORED, Frame, Item
from ._iss_kinds import COMPOSITES, GRID, KINDS
from ._made import made

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["puzzle_of"]

_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})")


def puzzle_of(text: str, box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a string; InvalidPuzzle, which names the constraint, if it cannot be read."""
    items, _ = _items(_pieces(text), 0, "")
    return _Reader(items, box).puzzle()


class _Piece(NamedTuple):
    name: str
    arguments: tuple[str, ...]


def _pieces(text: str) -> list[_Piece]:
    bare = "".join(text.split())
    if bare[:1] != ".":
        raise InvalidPuzzle(f"{bare[:20]!r} is not a constraint string; expected one from a dot on")
    found = []
    for part in bare[1:].split("."):
        name, *arguments = part.split("~")
        found.append(_Piece(name or "Given", tuple(arguments)))
    return found


def _items(pieces: list[_Piece], at: int, inside: str) -> tuple[list[Item], int]:
    """The constraints up to the End of this composite, each with those within it."""
    found: list[Item] = []
    while at < len(pieces):
        name, arguments = pieces[at]
        at += 1
        if name == "End":
            if not inside:
                raise InvalidPuzzle(".End has no .Or or .And before it")
            return found, at
        within: list[Item] = []
        if name in COMPOSITES:
            within, at = _items(pieces, at, name)
        elif name not in GRID and name not in KINDS and name not in IGNORED:
            raise InvalidPuzzle(
                f"no rule {shown(name)} here; of the constraints of ISS, expected one of"
                f" {', '.join(sorted({*GRID, *KINDS, *COMPOSITES} - {'Given'}))}"
            )
        found.append(Item(name, arguments, tuple(within)))
    if inside:
        raise InvalidPuzzle(f".{inside} has no .End")
    return found, at


class _Reader:
    """A string while it is read."""

    def __init__(self, items: list[Item], box: Box | None) -> None:
        self.items = items
        n = self._size()
        boxed = usual_box(n)
        if box and box[0] * box[1] == n:
            boxed = box
        self.default = boxed
        self.frame = Frame(n, items, KINDS)
        self.digits: dict[Cell, int] = {}
        self.marks: dict[Cell, set[int]] = {}

    def _size(self) -> int:
        for item in self.named("Shape"):
            shape, *more = item.arguments or ("",)
            found = _SHAPE.fullmatch(shape)
            if found is None or found[1] != found[2] or not 1 <= int(found[1]) <= MAX_SIZE:
                raise InvalidPuzzle(f".Shape: {shown(shape)} is not a square such as 6x6")
            if more and more[0] not in ("", found[1], f"1-{found[1]}"):
                raise InvalidPuzzle(
                    f".Shape: digits {more[0]} are not read; expected 1 to {found[1]}"
                )
            if more[1:] and more[1] not in ("", "Sudoku"):
                raise InvalidPuzzle(f".Shape: the grid {shown(more[1])} is not read")
            return int(found[1])
        return 9

    def named(self, name: str) -> Iterator[Item]:
        return (item for item in self.items if item.name == name)

    def puzzle(self) -> Grid | Puzzle:
        rules: list[Rule] = []
        regions = self._regions(rules)
        for item in self.items:
            if item.name == "Given":
                self._givens(item)
            elif item.name not in IGNORED and item.name not in GRID:
                rules += self.frame.rules(item)
            elif item.name == "Windoku":
                rules += [
                    made("different", cells=cells, name="windoku")
                    for cells in windows(self.default)
                ]
            elif item.name == "DisjointSets" and self.default[0] > 1:
                for cells in disjoint_groups(self.default):
                    rules.append(made("different", cells=cells, name="disjoint group"))
        boxes = self.default if regions or not any(self.named("NoBoxes")) else (1, self.frame.size)
        grid = Grid.of([(*cell, digit) for cell, digit in self.digits.items()], boxes)
        puzzle = Puzzle(grid, regions, self.marks, rules)
        return puzzle.grid if puzzle.is_plain else puzzle

    def _givens(self, item: Item) -> None:
        for argument in item.arguments:
            cell, digits = self.frame.given(argument)
            allowed = self.marks.get(cell, set(digits)) & set(digits)
            if cell in self.digits:
                allowed &= {self.digits[cell]}
            if not allowed:
                raise InvalidPuzzle(f"{cell} can hold no digit, as its givens say different ones")
            if len(allowed) == 1:
                self.digits[cell] = min(allowed)
                self.marks.pop(cell, None)
            else:
                self.marks[cell] = allowed

    def _regions(self, rules: list[Rule]) -> Any:
        """The regions if they replace the boxes; beside boxes, regions become rules."""
        n = self.frame.size
        for item in self.named("RegionSize"):
            if item.arguments != (str(n),):
                raise InvalidPuzzle(f".RegionSize: expected {n}, not {'~'.join(item.arguments)}")
        jigsaws = list(self.named("Jigsaw"))
        regions: Any = None
        for item in jigsaws:
            labels = item.arguments[-1] if item.arguments else ""
            if len(set(labels)) == 1 < n and len(labels) == n * n:
                continue
            found = checked_regions(labels, n)
            if regions is None and any(self.named("NoBoxes")):
                regions = found
            else:
                rules += [made("different", cells=cells, name="region") for cells in found]
        return regions
