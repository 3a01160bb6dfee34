"""Whether the digits that a person has filled in are right, and which are not."""

from __future__ import annotations

from typing import Any

from .. import _api as api
from ..engines.budget import Budget
from ..errors import SolveTimeout
from ..grid import Grid, Placement
from ..puzzle import Puzzle
from ._questions import Source

__all__ = ["check"]

Answer = dict[str, Any]


def check(source: Source, entries: list[list[int | None]], timeout: float) -> Answer:
    """The verdict, the cells that are wrong, and those that clash; see `_schema.Checked`.

    clingo is asked. Nothing is called wrong that is in some solution. InvalidPuzzle if the entries
    do not fit the puzzle.
    """
    puzzle = source.parse()
    asked = _Check(puzzle, _filled(puzzle, entries), Budget("clingo", timeout))
    stopped = None
    try:
        asked.run()
    except SolveTimeout:
        stopped = "time"
    wrong, clash = ([str(entry.cell) for entry in found] for found in (asked.wrong, asked.clash))
    return {"verdict": asked.verdict, "wrong": wrong, "clash": clash, "stopped": stopped}


def _filled(puzzle: Puzzle, entries: list[list[int | None]]) -> list[Placement]:
    """The digits in cells without a given."""
    grid = Grid.from_rows(entries, puzzle.box)
    return [entry for entry in grid.givens if not puzzle.grid[entry.cell]]


class _Check:
    """One check; all of its questions share a time limit, and what is found before it counts."""

    def __init__(self, puzzle: Puzzle, filled: list[Placement], budget: Budget) -> None:
        self._puzzle = puzzle
        self._filled = filled
        self._budget = budget
        self.verdict = "unknown"
        self.wrong: list[Placement] = []
        self.clash: list[Placement] = []

    def run(self) -> None:
        """Find out as much as can be; SolveTimeout if that takes too long."""
        if self._stand(self._filled):
            whole = 0 not in self._puzzle.with_(*self._filled).digits
            self.verdict = "solved" if whole else "right"
            return
        self.verdict = "impossible"
        number = self._budget.spend(lambda left: api.count(self._puzzle, "clingo", 2, left))
        self.verdict = ("none", "wrong", "several")[number]
        if number:
            possible = self._budget.spend(lambda left: api.candidates(self._puzzle, "clingo", left))
            self.wrong = [
                entry
                for entry in self._filled
                if entry.digit not in possible[entry.row - 1][entry.column - 1]
            ]
            self.clash = [] if self.wrong else self._least_clash()

    def _stand(self, entries: list[Placement]) -> bool:
        """True if some solution has all of these."""
        whole = self._puzzle.with_(*entries)
        return self._budget.spend(lambda left: api.solve(whole, "clingo", left)) is not None

    def _least_clash(self) -> list[Placement]:
        """Entries that no solution has together, none of which is redundant."""
        kept = self._filled
        for entry in self._filled:
            fewer = [other for other in kept if other != entry]
            if not self._stand(fewer):
                kept = fewer
        return kept
