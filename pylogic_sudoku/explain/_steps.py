"""From the givens to the solution, the simplest step first."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any

from .._api import PuzzleLike, seconds
from ..engines import get
from ..engines.budget import Budget
from ..formats import as_grid
from ..grid import Candidates, Cell, Grid, Layout, candidate_rows
from ._questions import no_solution
from ._refuting import refuted
from ._rules import Placement, Rule
from ._step import Step, standing
from ._techniques import BY_SETS, RANK, TECHNIQUES, met

if TYPE_CHECKING:
    from ..engines.clingo.techniques import Found

__all__ = ["Steps", "hint", "steps"]

KINDS = {"box": 1, "row": 2, "column": 3}
"""In which order people look at houses."""


def steps(puzzle: PuzzleLike, timeout: float | None = None) -> Steps:
    """The way to the solution, each step found when it is asked for, always the simplest there is.

    Where no technique that has a name applies, the step is a minimal set of rules that contradict
    a candidate. A puzzle with several solutions is followed until nothing more is sure; then every
    candidate that is left holds in some solution, and `Steps.outcome` says so. A digit that is
    placed is no longer a candidate in its houses; that is no step of its own.

    `timeout` is for all steps together. Raises NoSolution if there is none.

    >>> way = steps("4......3...13...")
    >>> print(next(way))
    r1c4 is 2, as no other digit is left for it.
    >>> len(list(way)), way.outcome()
    (11, 'The puzzle is solved.')
    """
    return Steps(as_grid(puzzle), seconds(timeout))


def hint(puzzle: PuzzleLike, timeout: float | None = None) -> Step | None:
    """The next of `steps`; None if every cell is filled in or nothing more is sure."""
    return next(steps(puzzle, timeout), None)


class Steps(Iterator[Step]):
    """Steps, found as they are asked for, and how far they have come."""

    def __init__(self, puzzle: Grid, timeout: float | None) -> None:
        from ..engines.clingo.techniques import Position

        budget = Budget("clingo", timeout)
        with budget:
            self._possible = standing(get("clingo").candidates(puzzle, timeout))
        if not self._possible:
            raise no_solution("no step leads to one")
        self.puzzle = puzzle
        self.grid = puzzle
        """What is filled in so far."""
        self._left = _pencil_marks(puzzle)
        self._marks = Position(puzzle.layout, self._left, budget)
        self._ended = False

    @property
    def candidates(self) -> Candidates:
        """Rows of sets: what each cell that is still empty may hold."""
        cells: list[set[int]] = [set() for _ in self.grid.digits]
        for placement in self._left:
            cells[Cell(*placement[:2]).offset(self.grid.size)].add(placement[2])
        return candidate_rows(cells, self.grid.size)

    def outcome(self) -> str:
        """How far the steps have come, in a sentence."""
        empty = self.grid.digits.count(0)
        if not empty:
            return "The puzzle is solved."
        if self._ended:
            return f"Nothing more is sure: {empty} cells are open, as there are several solutions."
        return f"{empty} cells are still empty."

    def __repr__(self) -> str:
        return f"<Steps: {self.grid.digits.count(0)} cells are empty>"

    def __next__(self) -> Step:
        found = self._simplest() if 0 in self.grid.digits else None
        if found is None:
            self._ended = True
            raise StopIteration
        return self._take(found)

    def _simplest(self) -> Found | None:
        """A step by the easiest technique, of these one that does most."""
        found = self._marks.at_once(self._left)
        if not found and self._left <= self._possible:
            return None  # every candidate holds in some solution
        for technique in BY_SETS:
            found = found or self._marks.by(technique, self._left)
        return min(found, key=_preference) if found else self._minimal_set()

    def _minimal_set(self) -> Found:
        """Rules that refute a candidate, where none of the techniques that have a name applies."""
        from ..engines.clingo.techniques import Found

        marks, left = self._marks, self._left
        gone, wrong = marks.candidates - left, left - self._possible
        candidate, rules = refuted(marks.reasons(), self.grid.layout, left, gone, wrong)
        must = tuple(rule for rule in rules if rule[0] in ("filled", "somewhere"))
        most = tuple(rule for rule in rules if rule not in must)
        return Found("minimal_set", must, most, None, (candidate,))

    def _take(self, found: Found) -> Step:
        """The step, taken."""
        step = Step(
            self.puzzle,
            self.grid,
            self.candidates,
            TECHNIQUES[found.technique].name,
            tuple(map(Rule, found.must)),
            tuple(map(Rule, found.most)),
            found.placed,
            found.removed,
        )
        self._left = self._left.difference(found.removed)
        if found.placed:
            self.grid = self.grid.with_(found.placed)
            self._left -= _excluded(found.placed, self.grid.layout)
        return step


def _preference(found: Found) -> tuple[Any, ...]:
    """The least is the step to take: the easiest, the one that does most, boxes before lines."""
    kinds = [KINDS.get(str(rule[1]), 0) for rule in found.must]
    return RANK[found.technique], -len(found.removed), kinds, found.must, found.most


def _every(layout: Layout) -> frozenset[Placement]:
    digits = range(1, layout.size + 1)
    return frozenset(Placement(*each) for each in product(digits, digits, digits))


def _pencil_marks(puzzle: Grid) -> frozenset[Placement]:
    """What no given excludes."""
    return _every(puzzle.layout).difference(
        *(_excluded(given, puzzle.layout) for given in puzzle.givens)
    )


@cache
def _excluded(placement: Placement, layout: Layout) -> frozenset[Placement]:
    """The placement itself, and all that cannot stand beside it."""
    row, column, digit = placement
    once = [
        Rule(("once", house.kind, house.number, digit))
        for house in layout.houses
        if (row, column) in house.cells
    ]
    return met([Rule(("single", row, column)), *once], layout)
