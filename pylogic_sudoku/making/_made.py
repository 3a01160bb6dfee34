"""The puzzles that are made, as they are asked for, and none of them twice."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import count
from typing import NamedTuple

from ..engines.budget import Progress
from ..errors import NotGenerated, SudokuError, counted
from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["Made", "MadePuzzles", "Tally"]

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
                    if isinstance(outcome, Made) and self._is_known(outcome.puzzle):
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

    def _is_known(self, puzzle: Grid | Puzzle) -> bool:
        before = len(self._seen)
        if self._distinct:
            self._seen.add(str(puzzle))
        return self._distinct and len(self._seen) == before

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
