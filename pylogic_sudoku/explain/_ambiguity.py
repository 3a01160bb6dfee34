"""What a puzzle with several solutions leaves open, and what would settle it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from itertools import islice
from time import perf_counter
from typing import TYPE_CHECKING, Any

from .._api import PuzzleLike, at_most, seconds
from ..engines import Backend, get
from ..errors import Disagreement, SolveTimeout
from ..formats import as_grid
from ..grid import Candidates, Cell, Grid, candidate_rows
from ._explanation import Explanation
from ._questions import json_givens, json_puzzle, no_solution, told
from ._reason import clingo
from ._rules import Placement, counted, listed

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Ambiguity", "ambiguity"]

LIMIT = 1_000
"""With more solutions than this, extra givens are sought of which there may be too many."""

NAMED = 12
"""More cells than these are counted in the text, not named."""

SAMPLE = 10
"""How many solutions are looked at for a cell in which they differ."""


def ambiguity(
    puzzle: PuzzleLike, limit: int | None = LIMIT, timeout: float | None = None
) -> Ambiguity:
    """The cells that differ between solutions, and the fewest extra givens that leave only one.

    Of a puzzle with more than `limit` solutions they need not be the fewest, but none of them can
    be spared. NoSolution if there is none.

    >>> answer = ambiguity("12..34......4321")
    >>> answer.cells, len(answer.extra)
    (((1, 3), (1, 4), (3, 3), (3, 4)), 1)
    """
    grid = as_grid(puzzle)
    limit = at_most(limit, least=2)
    clock = _Clock(seconds(timeout))
    try:
        return _ambiguity(grid, limit, clock)
    except SolveTimeout:
        raise clock.exceeded() from None


def _ambiguity(grid: Grid, limit: int | None, clock: _Clock) -> Ambiguity:
    solutions = _solutions(grid, limit and limit + 1, clock)
    if not solutions:
        raise no_solution("nothing is open")
    if limit and len(solutions) > limit:
        extra = _irredundant(grid, clock)
        return Ambiguity(grid, clingo().candidates(grid, clock.left()), extra, None)
    extra = tuple(clingo().tell_apart(solutions, clock.left()))
    return Ambiguity(grid, _digits(solutions), extra, tuple(solutions))


@dataclass(frozen=True, slots=True)
class Ambiguity(Explanation):
    """What several solutions leave open, and extra givens that leave one of them."""

    puzzle: Grid
    candidates: Candidates
    """For every cell the digits that it holds in some solution."""
    extra: tuple[Placement, ...]
    """Givens that leave one solution; none of them can be spared."""
    solutions: tuple[Grid, ...] | None
    """All of them, where `extra` are the fewest; None where there are too many."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that differ between solutions."""
        return tuple(
            Cell(row, column)
            for row, cells in enumerate(self.candidates, 1)
            for column, digits in enumerate(cells, 1)
            if len(digits) > 1
        )

    @property
    def smallest(self) -> bool:
        """True if no fewer extra givens leave one solution."""
        return self.solutions is not None

    def __repr__(self) -> str:
        cells, extra = counted(len(self.cells), "cell"), counted(len(self.extra), "extra given")
        return f"<Ambiguity: {cells} open, {extra}>"

    def text(self) -> str:
        if not self.cells:
            return "Nothing is open: the puzzle has one solution."
        known = self.solutions
        number = f"{len(known)} solutions" if known else "more solutions than were counted"
        names = [f"r{row}c{column}" for row, column in self.cells]
        where = listed(names) if len(names) <= NAMED else f"{len(names)} cells"
        more = len(self.extra)
        claim = "This given leaves" if more == 1 else f"These {more} givens leave"
        fewest = "no fewer do" if known else "none can be spared, though fewer others may do"
        return "\n".join(
            [
                f"The puzzle has {number}, which differ in {where}.",
                f"{claim} only one, and {fewest}:" if more > 1 else f"{claim} only one:",
                f"  {told(self.extra)}",
            ]
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("ambiguity", self.puzzle),
            "solutions": None if self.solutions is None else len(self.solutions),
            "cells": [
                {"cell": f"r{row}c{column}", "digits": sorted(self.candidates[row - 1][column - 1])}
                for row, column in self.cells
            ],
            "extra": json_givens(self.extra),
            "smallest": self.smallest,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        highlights = [Highlight("cells that differ", "difference", self.cells)]
        if self.extra:
            highlights.append(Highlight("enough to know", "target", candidates=self.extra))
        return Picture(
            self.puzzle.with_(*self._settled()),
            self.puzzle,
            self.candidates,
            tuple(highlights) if self.cells else (),
            "What the puzzle leaves open",
        )

    def _settled(self) -> Iterator[Placement]:
        for row, cells in enumerate(self.candidates, 1):
            for column, digits in enumerate(cells, 1):
                if len(digits) == 1:
                    yield Placement(row, column, min(digits))

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks the cells, that one solution is left, and that no extra given can be spared.

        Where all solutions are known, the engine counts them, and that no fewer givens would do
        is clingo's word.
        """
        engine = get(backend)
        given = self.puzzle.with_(*self.extra)
        right = {"one solution is left": engine.count(given, limit=2) == 1}
        for spared in self.extra:
            less = self.puzzle.with_(*(other for other in self.extra if other != spared))
            right[f"{told([spared])} cannot be spared"] = engine.count(less, limit=2) == 2
        if self.solutions is None:
            right["these are the candidates"] = engine.candidates(self.puzzle) == self.candidates
        else:
            known = self.solutions
            right["these are all solutions"] = (
                all(solution.is_solution_of(self.puzzle) for solution in known)
                and engine.count(self.puzzle, limit=len(known) + 1) == len(set(known)) == len(known)
                and self.candidates == _digits(known)
            )
            fewest = len(clingo().tell_apart(known))
            right["no fewer leave one solution"] = fewest == len(self.extra)
        for claim, holds in right.items():
            if not holds:
                answers = {"explanation": claim, engine.name: "that is wrong"}
                raise Disagreement(self.puzzle, answers)


def _irredundant(grid: Grid, clock: _Clock) -> tuple[Placement, ...]:
    """Extra givens that leave one solution, and none of which can be spared."""
    extra: list[Placement] = []
    while len(some := _solutions(grid.with_(*extra), SAMPLE, clock)) > 1:
        # A cell in which many differ from the first settles most.
        votes = [
            sum(a != b for b in rest) for a, *rest in zip(*(s.digits for s in some), strict=True)
        ]
        at = max(range(len(votes)), key=votes.__getitem__)
        extra.append(Placement(*grid.cells[at], some[0].digits[at]))
    for given in list(extra):
        rest = [other for other in extra if other != given]
        if len(_solutions(grid.with_(*rest), 2, clock)) == 1:
            extra = rest
    return tuple(sorted(extra))


def _digits(solutions: Sequence[Grid]) -> Candidates:
    """For every cell the digits that it holds in one of these."""
    cells = [set(digits) for digits in zip(*(s.digits for s in solutions), strict=True)]
    return candidate_rows(cells, solutions[0].size)


def _solutions(grid: Grid, limit: int | None, clock: _Clock) -> list[Grid]:
    with closing(clingo().solutions(grid, clock.left())) as found:
        return list(islice(found, limit))


class _Clock:
    """Shares one limit in seconds among questions."""

    def __init__(self, seconds: float | None) -> None:
        self._seconds = seconds
        self._start = perf_counter()

    def left(self) -> float | None:
        """How many are left; SolveTimeout if none are."""
        if self._seconds is None:
            return None
        left = self._seconds - (perf_counter() - self._start)
        if left <= 0:
            raise self.exceeded()
        return left

    def exceeded(self) -> SolveTimeout:
        """The error to raise when none are left."""
        return SolveTimeout("clingo", self._seconds or 0.0)
