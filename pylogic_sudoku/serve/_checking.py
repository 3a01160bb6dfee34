"""Whether the digits that a person has filled in are right, and which are not."""

from __future__ import annotations

from .. import _api as api
from ..engines.budget import Budget
from ..errors import SolveTimeout
from ..grid import Cell, Grid, Placement
from ..puzzle import Puzzle
from ._questions import Answer, Source, placements

__all__ = ["check"]


def check(
    source: Source,
    entries: list[list[int | None]],
    removed: list[tuple[str, int]],
    timeout: float,
) -> Answer:
    """The verdict, and the cells that are wrong, that clash or lack their digit; see `Checked`.

    clingo is asked. Nothing is called wrong that is in some solution. InvalidPuzzle if the entries
    do not fit the puzzle.
    """
    puzzle = source.parse()
    gone = placements(removed, puzzle)
    asked = _Check(puzzle, _filled(puzzle, entries), gone, Budget("clingo", timeout))
    stopped = None
    try:
        asked.run()
    except SolveTimeout:
        stopped = "time"
    return {
        "verdict": asked.verdict,
        "wrong": [str(entry.cell) for entry in asked.wrong],
        "clash": [str(entry.cell) for entry in asked.clash],
        "needed": [{"cell": str(each.cell), "digit": each.digit} for each in asked.needed],
        "stopped": stopped,
    }


def _filled(puzzle: Puzzle, entries: list[list[int | None]]) -> list[Placement]:
    """The digits in cells without a given."""
    grid = Grid.from_rows(entries, puzzle.box)
    return [entry for entry in grid.givens if not puzzle.grid[entry.cell]]


class _Check:
    """One check; all of its questions share a time limit, and what is found before it counts."""

    def __init__(
        self,
        puzzle: Puzzle,
        filled: list[Placement],
        gone: tuple[Placement, ...],
        budget: Budget,
    ) -> None:
        self._puzzle = puzzle
        self._filled = filled
        self._gone = gone
        self._budget = budget
        self.verdict = "unknown"
        self.wrong: list[Placement] = []
        self.clash: list[Placement] = []
        self.needed: list[Placement] = []

    def run(self) -> None:
        """Find out as much as can be; SolveTimeout if that takes too long."""
        if self._stand(self._filled):
            whole = 0 not in self._puzzle.with_(*self._filled).digits
            self.verdict = "solved" if whole else "right"
            if self._gone:
                self.needed = self._without_alternative()
            return
        self.verdict = "impossible"
        number = self._budget.spend(lambda left: api.count(self._puzzle, "clingo", 2, left))
        self.verdict = ("none", "wrong", "several")[number]
        if number:
            possible = self._possible(self._puzzle)
            self.wrong = [
                entry for entry in self._filled if entry.digit not in possible[entry.cell]
            ]
            self.clash = [] if self.wrong else self._least_clash()

    def _stand(self, entries: list[Placement]) -> bool:
        """True if some solution has all of these."""
        whole = self._puzzle.with_(*entries)
        return self._budget.spend(lambda left: api.solve(whole, "clingo", left)) is not None

    def _possible(self, puzzle: Puzzle) -> dict[Cell, frozenset[int] | set[int]]:
        """For each cell the digits that it has in some solution."""
        rows = self._budget.spend(lambda left: api.candidates(puzzle, "clingo", left))
        return dict(zip(puzzle.cells, (digits for row in rows for digits in row), strict=True))

    def _without_alternative(self) -> list[Placement]:
        """The candidates that are gone, though every solution has them."""
        possible = self._possible(self._puzzle)
        return [each for each in self._gone if possible[each.cell] == {each.digit}]

    def _least_clash(self) -> list[Placement]:
        """Entries that no solution has together, none of which is redundant."""
        kept = self._filled
        for entry in self._filled:
            fewer = [other for other in kept if other != entry]
            if not self._stand(fewer):
                kept = fewer
        return kept
