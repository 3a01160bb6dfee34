"""The puzzles that are made, as they are asked for, and none of them twice.

The canonical form of a puzzle takes about as long as making it. So puzzles are first compared by
their *trait*: a number that is the same for puzzles that are alike, and nearly never for others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from hashlib import blake2b
from itertools import count
from typing import NamedTuple

from ..engines.budget import Progress
from ..errors import NotGenerated, SudokuError, counted
from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["Made", "MadePuzzles", "Seen", "Tally", "trait"]

REPEATS = 300
"""Puzzles in a row that may be the same as earlier ones."""


class Made(NamedTuple):
    """A puzzle, and what it took."""

    puzzle: Grid | Puzzle
    tried: int
    """The full grids that were dug for it."""
    trait: int
    """The same for puzzles that are the same up to symmetry and other digits."""


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
        seen: Seen | None,
        progress: Progress | None,
    ) -> None:
        self.tally = Tally(0, wanted, 0, 0)
        """How far it has come."""
        self._seen = seen
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
                    if isinstance(outcome, Made) and self._is_known(first - 1, outcome):
                        repeats += 1
                        self._count(outcome.tried, repeated=1)
                        if repeats < REPEATS:
                            continue
                        yield NotGenerated(
                            f"{repeats} puzzles in a row were the same as earlier ones;"
                            f" there may be no more than {self.tally.made}"
                        )
                        return
                    repeats = 0
                    missing = None if missing is None else missing - 1
                    if isinstance(outcome, Made):
                        self._count(outcome.tried, made=1)
                        yield outcome.puzzle
                    else:
                        yield outcome

    def _is_known(self, number: int, made: Made) -> bool:
        return self._seen is not None and not self._seen.is_new(number, made.puzzle, made.trait)

    def _count(self, tried: int, made: int = 0, repeated: int = 0) -> None:
        before = self.tally
        self.tally = Tally(
            before.made + made, before.wanted, before.tried + tried, before.repeated + repeated
        )
        if self._progress:
            self._progress(str(self.tally))

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


# --- puzzles that are alike ---------------------------------------------------------------


class Seen:
    """The puzzles so far, by number; `remake` makes one of them again."""

    def __init__(self, remake: Callable[[int], Grid | Puzzle]) -> None:
        self._remake = remake
        # By trait: the number of the only puzzle, or else the canonical forms of them all.
        self._found: dict[int, int | set[int]] = {}

    def is_new(self, number: int, puzzle: Grid | Puzzle, its_trait: int) -> bool:
        """True unless an earlier puzzle is the same; this one is added."""
        earlier = self._found.get(its_trait)
        if earlier is None:
            self._found[its_trait] = number
            return True
        if isinstance(earlier, int):
            earlier = self._found[its_trait] = {_form(self._remake(earlier))}
        before = len(earlier)
        earlier.add(_form(puzzle))
        return len(earlier) > before


def trait(puzzle: Grid | Puzzle) -> int:
    """For each digit, how many givens the row, the column and the box have of each of its cells."""
    if isinstance(puzzle, Puzzle):  # the same only if equal
        return _hash(str(puzzle))
    size, (height, width) = puzzle.size, puzzle.box
    places = [
        (digit, ("row", row), ("column", column), ("box", row // height, column // width))
        for row, digits in enumerate(puzzle.rows)
        for column, digit in enumerate(digits)
        if digit
    ]
    number = Counter(house for _, *houses in places for house in houses)
    cells: list[list[tuple[int, ...]]] = [[] for _ in range(size)]
    for digit, row, column, box in places:
        lines = number[row], number[column]
        cells[digit - 1].append((*sorted(lines), number[box]))
    return _hash(repr(sorted(map(sorted, cells))))


def _form(puzzle: Grid | Puzzle) -> int:
    return _hash(str(puzzle.canonical() if isinstance(puzzle, Grid) else puzzle))


def _hash(text: str) -> int:
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
