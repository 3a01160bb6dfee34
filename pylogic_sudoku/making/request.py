"""The request to `generate` and its result: a checked `Request`, and `MadePuzzles`."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from functools import cache
from itertools import count, product
from operator import index
from secrets import token_hex
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from ..engines.sudoku import SudokuEngine
from ..errors import (
    InvalidPuzzle,
    LogicError,
    NotGenerated,
    counted,
    listed,
    shown,
)
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Layout, checked_box, checked_regions
from ..questions.many import InOrder
from ..running.workers import Progress
from ..techniques.table import Level

if TYPE_CHECKING:
    from ..rules import Rule


NameT = TypeVar("NameT", bound=str)

TRIES = 1000
"""The number of full grids that are dug for one puzzle unless `tries` differs."""
FEWEST = 17
"""No 9x9 sudoku with fewer givens has one solution (McGuire, Tugemann and Civario, 2012)."""


@dataclass(frozen=True, slots=True)
class Request:
    """The demands on each puzzle; it can be pickled if its backend can."""

    seed: str
    empty: Grid | Puzzle
    """The layout, with its rules and without givens."""
    solution: Grid | None
    kinds: tuple[str, ...]
    """The kinds of rules that are laid over each full grid."""
    minimal: bool
    givens: tuple[int, int] | None
    symmetry: Symmetry | None
    level: Level | None
    backend: str | SudokuEngine
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
    full: Grid | None, box: Box | None, regions: Iterable[Any] | None
) -> Grid | Puzzle:
    """The puzzle without givens; its boxes are those of its solution `full` unless stated."""
    if box is not None and regions is not None:
        raise ValueError("box and regions exclude each other: regions replace the boxes")
    if regions is not None:
        areas = checked_regions(regions, full.size if full else None)
        return Puzzle(("." * len(areas) + "\n") * len(areas), areas)
    shape = checked_box(box or (full.box if full else (3, 3)))
    return Grid((0,) * (shape[0] * shape[1]) ** 2, shape)


def checked_givens(givens: Any, empty: Grid | Puzzle) -> tuple[int, int] | None:
    """The least and the greatest number of givens; ValueError unless some puzzle has as many."""
    if givens is None:
        return None
    plain = isinstance(empty, Grid)
    fewest = FEWEST if plain and empty.box == (3, 3) else empty.size - 1 if plain else 0
    cells = len(empty.digits)
    try:
        least, most = map(index, givens if isinstance(givens, tuple | list) else (givens, givens))
    except (TypeError, ValueError):
        least, most = 0, -1
    if not (0 <= least <= most and fewest <= most <= cells):
        raise ValueError(
            f"givens must be a whole number from {fewest} to {cells} in {empty.layout}, or the"
            f" least and the greatest, not {shown(givens)}"
        )
    return least, most


def checked_name(name: str, value: NameT | None, known: Iterable[NameT]) -> NameT | None:
    """The value of a parameter that takes one of these names or None; ValueError for another."""
    known = list(known)
    if value is None or value in known:
        return value
    raise ValueError(f"{name} must be None, {listed(map(repr, known), 'or')}, not {shown(value)}")


# --- symmetries of the pattern of givens ---------------------------------------------------

Move = Callable[[int, int, int], tuple[int, int]]

Symmetry = Literal[
    "rotation",
    "quarter",
    "mirror",
    "flip",
    "diagonal",
    "antidiagonal",
    "mirrors",
    "diagonals",
    "full",
]

_MOVES: dict[Symmetry, Move] = {
    "rotation": lambda last, row, column: (last - row, last - column),
    "quarter": lambda last, row, column: (column, last - row),
    "mirror": lambda last, row, column: (row, last - column),
    "flip": lambda last, row, column: (last - row, column),
    "diagonal": lambda last, row, column: (column, row),
    "antidiagonal": lambda last, row, column: (last - column, last - row),
}
"""Symmetries of the pattern of givens: a half turn, a quarter turn, left and right exchanged, top
and bottom, either diagonal as a mirror. Each maps a cell to another, from the last row and the
cell's row and column, which count from 0."""

SYMMETRIES: dict[Symmetry, tuple[Move, ...]] = {
    **{name: (move,) for name, move in _MOVES.items()},
    "mirrors": (_MOVES["mirror"], _MOVES["flip"]),
    "diagonals": (_MOVES["diagonal"], _MOVES["antidiagonal"]),
    "full": (_MOVES["mirror"], _MOVES["diagonal"]),
}


@cache
def groups(size: int, symmetry: Symmetry | None) -> tuple[int, ...]:
    """The sets of cells that are given together or not at all, as sums of 2**offset."""
    moves = SYMMETRIES[symmetry] if symmetry else ()
    orbits: list[set[tuple[int, int]]] = []
    for start in product(range(size), range(size)):
        if any(start in group for group in orbits):
            continue
        group, new = set(), {start}
        while new:
            group |= new
            new = {move(size - 1, *cell) for move in moves for cell in new} - group
        orbits.append(group)
    return tuple(sum(1 << row * size + column for row, column in group) for group in orbits)


# --- the puzzles that are made on demand, none of them twice ------------------------------

REPEATS = 300
"""Puzzles in a row that may be the same as earlier ones."""


class Made(NamedTuple):
    """A puzzle, and what it took."""

    puzzle: Grid | Puzzle
    tried: int
    """The full grids that were dug for it."""


Outcomes = Generator[tuple[object, Made | LogicError]]


SHOWN = 6
"""Puzzles that a notebook draws."""


class MadePuzzles(InOrder[Grid | Puzzle]):
    """New puzzles, made on demand.

    A notebook draws the next ones, which are still there to be taken afterwards.
    """

    def __init__(
        self, outcomes: Generator[tuple[Any, Grid | Puzzle | LogicError]], seed: str
    ) -> None:
        super().__init__(outcomes)
        self._ahead: list[Grid | Puzzle | LogicError] = []
        self.seed = seed
        """The seed, drawn at random unless it was given: with it, `generate` makes the same puzzles
        again."""

    def __next__(self) -> Grid | Puzzle:
        outcome = self._ahead.pop(0) if self._ahead else super().__next__()
        if isinstance(outcome, LogicError):
            raise outcome
        return outcome

    def __repr__(self) -> str:
        return f"<MadePuzzles: seed {self.seed!r}, {self._index + 1 - len(self._ahead)} so far>"

    def _repr_html_(self) -> str:
        from ..draw import Picture
        from ..notebook import html_part

        with suppress(StopIteration):
            while len(self._ahead) < SHOWN:
                try:
                    self._ahead.append(super().__next__())
                except LogicError as error:  # raised in its turn
                    self._ahead.append(error)
        pictures = [Picture(each) for each in self._ahead if not isinstance(each, LogicError)]
        errors = [f"; {each}" for each in self._ahead if isinstance(each, LogicError)]
        what = f"The next {counted(len(pictures), 'puzzle')}" if pictures else "No more puzzles"
        text = f"{what}; the seed {self.seed} makes the same again{''.join(errors)}"
        return html_part(text, *pictures)


def no_two_equal(
    outcomes: Callable[[Iterable[int]], Outcomes],
    wanted: int | None,
    distinct: bool,
    progress: Progress | None,
) -> Generator[tuple[object, Grid | Puzzle | LogicError]]:
    """Puzzles or why there is none; what is dropped is replaced in a further round."""
    total, tried, first, missing, repeats = 0, 0, 0, wanted, 0
    texts_so_far = set[str]()
    while missing != 0:
        numbers = count(first) if missing is None else range(first, first + missing)
        with closing(outcomes(numbers)) as results:
            for number, outcome in results:
                first += 1
                if isinstance(outcome, Made):
                    tried += outcome.tried
                    text = str(outcome.puzzle) if distinct else str(total)
                    repeats = repeats + 1 if text in texts_so_far else 0
                    if 0 < repeats < REPEATS:
                        continue
                    if repeats:
                        same = f"{repeats} puzzles in a row were the same as earlier ones"
                        yield number, NotGenerated(f"{same}; there may be no more than {total}")
                        return
                    total += 1
                    texts_so_far |= {text} if distinct else set()
                    if progress:
                        of = "" if wanted is None else f" of {wanted}"
                        progress(f"{total}{of} made, {counted(tried, 'full grid')} tried")
                missing = None if missing is None else missing - 1
                yield number, outcome.puzzle if isinstance(outcome, Made) else outcome
