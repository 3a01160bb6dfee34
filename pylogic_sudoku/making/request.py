"""What `generate` is asked for and what it gives: a checked `Request`, and `MadePuzzles`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import count
from operator import index
from secrets import token_hex
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engines import Backend
from ..engines.running import Progress
from ..errors import (
    InvalidPuzzle,
    NotGenerated,
    SudokuError,
    counted,
    listed,
    shown,
)
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Layout, checked_box, checked_regions

if TYPE_CHECKING:
    from ..rules import Rule


TRIES = 1000
"""How many full grids are dug for one puzzle unless `tries` says otherwise."""
FEWEST = 17
"""No 9x9 sudoku with fewer givens has one solution (McGuire, Tugemann and Civario, 2012)."""


@dataclass(frozen=True, slots=True)
class Request:
    """What each puzzle must be; it can be pickled if its backend can."""

    seed: str
    empty: Grid | Puzzle
    """The layout, with its rules and without givens."""
    solution: Grid | None
    kinds: tuple[str, ...]
    """The kinds of rules that are laid over each full grid."""
    minimal: bool
    givens: tuple[int, int] | None
    symmetry: str | None
    level: str | None
    backend: str | Backend
    certify: bool
    tries: int | None
    timeout: float | None

    @property
    def layout(self) -> Layout:
        """The houses and the rules."""
        return self.empty.layout

    def with_rules(self, rules: Iterable[Rule]) -> Request:
        """The request for puzzles with these rules too."""
        if not self.kinds:
            return self
        empty = self.empty
        ruled = Puzzle(empty.grid, empty.regions, rules=(*empty.rules, *rules))
        return replace(self, empty=ruled)


def checked_seed(seed: Any) -> str:
    """The seed as text, a new one for None; TypeError for anything but a number or text."""
    try:
        return token_hex(8) if seed is None else seed if isinstance(seed, str) else str(index(seed))
    except TypeError:
        raise TypeError(f"seed must be a whole number, text or None, not {shown(seed)}") from None


def checked_solution(solution: PuzzleLike, box: Box | None) -> Grid:
    """The full grid that a puzzle holds; InvalidPuzzle if it has empty cells."""
    grid = as_puzzle(solution).grid
    if 0 in grid.digits:
        raise InvalidPuzzle("solution must be a full grid, but it has empty cells")
    return Grid(grid.digits, checked_box(box or grid.box))


def empty_puzzle(
    full: Grid | None,
    box: Box | None,
    regions: Iterable[Any] | None,
    rules: Iterable[Rule | Mapping[str, Any]],
) -> Grid | Puzzle:
    """The puzzle without givens; its boxes are those of its solution `full` unless stated."""
    if box is not None and regions is not None:
        raise ValueError("box and regions exclude each other: regions replace the boxes")
    if regions is not None:
        found = checked_regions(regions, full.size if full else None)
        return Puzzle(("." * len(found) + "\n") * len(found), found, rules=rules)
    shape = checked_box(box or (full.box if full else (3, 3)))
    grid = Grid((0,) * (shape[0] * shape[1]) ** 2, shape)
    puzzle = Puzzle(grid, rules=rules)
    return grid if puzzle.is_plain else puzzle


def checked_givens(givens: Any, empty: Grid | Puzzle) -> tuple[int, int] | None:
    """The least and the greatest number of givens; ValueError unless some puzzle has as many."""
    if givens is None:
        return None
    try:
        least, most = givens if isinstance(givens, tuple | list) else (givens, givens)
        right = 0 <= index(least) <= index(most)
    except (TypeError, ValueError):
        right = False
    if not right:
        expected = "a whole number from 0, or the least and the greatest"
        raise ValueError(f"givens must be {expected}, not {shown(givens)}")
    cells = len(empty.digits)
    if most > cells:
        raise ValueError(f"givens must be {cells} or less in {empty.layout}, not {most}")
    plain = isinstance(empty, Grid)
    fewest = FEWEST if plain and empty.box == (3, 3) else empty.size - 1 if plain else 0
    if most < fewest:
        raise ValueError(
            f"givens must be {fewest} or more in {empty.layout}, not {most}:"
            " with fewer there are always several solutions"
        )
    return index(least), index(most)


def checked_name(name: str, value: str | None, known: Iterable[str]) -> str | None:
    """The value of a parameter that takes one of these names or None; ValueError for another."""
    known = list(known)
    if value is None or value in known:
        return value
    raise ValueError(f"{name} must be None, {listed(map(repr, known), 'or')}, not {shown(value)}")


# --- symmetries of the pattern of givens ---------------------------------------------------

Move = Callable[[int, int, int], tuple[int, int]]


_MOVES: dict[str, Move] = {
    "rotation": lambda last, row, column: (last - row, last - column),
    "quarter": lambda last, row, column: (column, last - row),
    "mirror": lambda last, row, column: (row, last - column),
    "flip": lambda last, row, column: (last - row, column),
    "diagonal": lambda last, row, column: (column, row),
    "antidiagonal": lambda last, row, column: (last - column, last - row),
}
"""Where a cell comes to, by the last row and its own row and column, which count from 0."""

SYMMETRIES: dict[str, tuple[Move, ...]] = {
    **{name: (move,) for name, move in _MOVES.items()},
    "mirrors": (_MOVES["mirror"], _MOVES["flip"]),
    "diagonals": (_MOVES["diagonal"], _MOVES["antidiagonal"]),
    "full": (_MOVES["mirror"], _MOVES["diagonal"]),
}
"""By name, what leaves the pattern of givens as it is: a half turn, a quarter turn, left and right
exchanged, top and bottom, either diagonal as a mirror, two mirrors, and all of them."""


@cache
def groups(size: int, symmetry: str | None) -> tuple[int, ...]:
    """The sets of cells that are given together or not at all, as sums of 2**offset."""
    moves = SYMMETRIES[symmetry] if symmetry else ()
    found: list[int] = []
    seen: set[tuple[int, int]] = set()
    for start in ((row, column) for row in range(size) for column in range(size)):
        group = {start} - seen
        new = list(group)
        while new:
            cell = new.pop()
            images = {move(size - 1, *cell) for move in moves} - group
            group |= images
            new += images
        if group:
            seen |= group
            found.append(sum(1 << row * size + column for row, column in group))
    return tuple(found)


# --- the puzzles that are made, as they are asked for, and none of them twice -------------

REPEATS = 300
"""Puzzles in a row that may be the same as earlier ones."""


class Made(NamedTuple):
    """A puzzle, and what it took."""

    puzzle: Grid | Puzzle
    tried: int
    """The full grids that were dug for it."""


Outcomes = Generator[tuple[object, Made | SudokuError]]


class Tally(NamedTuple):
    """How far the making of puzzles has come."""

    made: int
    """Puzzles so far."""
    wanted: int | None
    """How many there will be; None for no end."""
    tried: int
    """Full grids that were dug."""
    repeated: int
    """Puzzles that were dropped as they were the same as an earlier one."""

    def __str__(self) -> str:
        of = "" if self.wanted is None else f" of {self.wanted}"
        return f"{self.made}{of} made, {counted(self.tried, 'full grid')} tried"


class MadePuzzles(Iterator[Grid | Puzzle]):
    """New puzzles, made as they are asked for.

    If a puzzle cannot be made, its error is raised in its place, with its number (from 0) as
    `index`. It ends a ``for`` loop but not this iterator: `next` goes on with the next puzzle.
    """

    def __init__(
        self,
        outcomes: Callable[[Iterable[int]], Outcomes],
        wanted: int | None,
        distinct: bool,
        progress: Progress | None,
    ) -> None:
        self.tally = Tally(0, wanted, 0, 0)
        """How far it has come."""
        self._distinct = distinct
        self._seen = set[str]()
        """The puzzles so far as text, if they must be distinct."""
        self._progress = progress
        self._found = self._outcomes(outcomes)
        self._index = -1

    def _outcomes(
        self, outcomes: Callable[[Iterable[int]], Outcomes]
    ) -> Generator[Grid | Puzzle | SudokuError]:
        """Puzzles or why there is none; what is dropped is replaced in a further round."""
        first, missing, repeats = 0, self.tally.wanted, 0
        while missing != 0:
            numbers = count(first) if missing is None else range(first, first + missing)
            with closing(outcomes(numbers)) as found:
                for _, outcome in found:
                    first += 1
                    if isinstance(outcome, SudokuError):
                        yield outcome
                    elif self._is_new(outcome):
                        yield outcome.puzzle
                    elif (repeats := repeats + 1) < REPEATS:
                        continue
                    else:
                        yield NotGenerated(
                            f"{repeats} puzzles in a row were the same as earlier ones;"
                            f" there may be no more than {self.tally.made}"
                        )
                        return
                    repeats = 0
                    missing = None if missing is None else missing - 1

    def _is_new(self, outcome: Made) -> bool:
        """Count the puzzle; false if it is to be dropped, as there was the same one."""
        text = str(outcome.puzzle) if self._distinct else ""
        new = text not in self._seen
        if self._distinct:
            self._seen.add(text)
        made, wanted, tried, repeated = self.tally
        self.tally = Tally(made + new, wanted, tried + outcome.tried, repeated + (not new))
        if self._progress:
            self._progress(str(self.tally))
        return new

    def __next__(self) -> Grid | Puzzle:
        outcome = next(self._found)
        self._index += 1
        if isinstance(outcome, SudokuError):
            outcome.index = self._index
            raise outcome
        return outcome

    def close(self) -> None:
        """Stop all work on further puzzles."""
        self._found.close()
