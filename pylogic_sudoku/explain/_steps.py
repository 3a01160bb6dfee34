"""From the givens to the solution, the simplest step first; and how hard that is for a person.

The scale is that of HoDoKu: the number is the sum of the weights of the steps, and the level is
that of the hardest step, or a higher one if the number is over the limit of that level.

HoDoKu has no minimal sets of rules, which are the steps if no technique with a name applies, and
no rules beyond plain sudoku. For puzzles that need these, the scale is ours alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from typing import Any

from .._api import PuzzleLike
from .._demands import SudokuRule, beyond
from ..engines.budget import Budget, Progress
from ..errors import InvalidPuzzle, SolveTimeout, counted
from ..formats import as_puzzle
from ..grid import Candidates, Grid, Layout, Placement, candidate_rows
from ..puzzle import Puzzle
from ..techniques._addition import every_placement, met
from ..techniques._areas import areas_of, in_areas
from ..techniques._table import RANK, TECHNIQUES, Found
from ._explanation import grid_of
from ._minimal_sets import OneRule, granted, name_of, refuted_by_set
from ._removed import checked_removed, possible
from ._step import Step, step_of
from ._walk import SOLVED, Rating, Walk, rated

__all__ = ["Steps", "hint", "pencil_marks", "rate", "steps", "taken_by"]

KINDS = {"box": 1, "region": 1, "row": 2, "column": 3}
"""The order in which people look at houses."""


def steps(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Steps:
    """The way to the solution, each step found when it is asked for, always the simplest there is.

    If no technique that has a name applies, the step is a minimal set of rules that contradict a
    candidate. Singles, locked candidates and sets know the cells that a rule beyond plain sudoku
    makes all different, such as a diagonal or a cage. What else follows from one such rule alone,
    such as the combinations of a cage, comes after singles and locked candidates, and before the
    other techniques.

    A puzzle with several solutions is followed until nothing more is sure; then every candidate
    that is left holds in some solution, and `Steps.outcome` says so. A placed digit is removed from
    the candidates of its houses without a step of its own.

    `removed` are candidates that earlier steps have removed, such as `Step.removed`; no step
    removes them again. Each is a row, a column and a digit.

    `timeout` is in seconds, over 0, for all steps together; None means no limit. `progress` is
    called with what is being done, in words, whenever that changes. Raises NoSolution if there is
    no solution, InvalidPuzzle, also if no solution is left without `removed`, and ValueError or
    TypeError for an impossible timeout; SolveTimeout or BackendFailure, also while iterating.

    >>> way = steps("4......3...13...")
    >>> print(next(way))
    r1c4 is 2, as no other digit is left for it.
    >>> len(list(way)), way.outcome()
    (11, 'The puzzle is solved.')
    """
    return Steps(as_puzzle(puzzle), timeout, removed, progress)


def hint(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Step | None:
    """The next of `steps`; None if every cell is filled in or nothing more is sure.

    The arguments and the errors are those of `steps`.
    """
    return next(steps(puzzle, timeout, removed, progress), None)


def rate(
    puzzle: PuzzleLike,
    timeout: float | None = None,
    removed: Iterable[tuple[int, int, int]] = (),
    progress: Progress | None = None,
) -> Rating:
    """How hard the puzzle is for a person who takes `steps`, always the simplest.

    The arguments and the errors are those of `steps`; InvalidPuzzle also if there are several
    solutions, since no steps lead to one of them.

    >>> print(rate("4......3...13..."))
    easy (48, naked single)
    """
    way = steps(puzzle, timeout, removed, progress)
    taken = list(way)
    if 0 in way.grid.digits:
        raise InvalidPuzzle(
            "the puzzle has several solutions, so it has no rating; ask for its ambiguity to see"
            " what they leave open"
        )
    return rated([step.weighed for step in taken])


class Steps(Iterator[Step]):
    """Steps, found as they are asked for, and how far they have come."""

    def __init__(
        self,
        puzzle: Grid | Puzzle,
        timeout: float | None,
        removed: Iterable[tuple[int, int, int]] = (),
        progress: Progress | None = None,
    ) -> None:
        from ..engines.clingo.techniques import Position

        gone = checked_removed(removed, puzzle.size)
        self._again = partial(type(self), puzzle, timeout, gone, progress)
        self._budget = budget = Budget("clingo", timeout, progress)
        budget.turn_to("looking for the digits that each cell holds in some solution")
        self._possible = possible(puzzle, gone, budget)
        self.puzzle = puzzle
        self.grid = grid_of(puzzle)
        """The digits so far."""
        self._left = pencil_marks(puzzle) - gone
        self._position = Position(puzzle.layout, self._left, budget, puzzle.givens)
        areas = {area.rule for area in areas_of(puzzle.layout) if area.alone}
        self._one_rule = OneRule([rule for rule in beyond(puzzle.layout) if rule not in areas])
        self._one_area = OneRule(areas)
        self._techniques = [
            key for key, technique in TECHNIQUES.items() if technique.program != "singles"
        ]
        self._ended = False
        self._taken = 0

    def up_to(self, technique: str) -> None:
        """Use no harder technique than this key of `TECHNIQUES`, except minimal sets."""
        self._techniques = [key for key in self._techniques if RANK[key] <= RANK[technique]]

    @property
    def candidates(self) -> Candidates:
        """Rows of sets: the digits that each empty cell may still hold."""
        cells: list[set[int]] = [set() for _ in self.grid.digits]
        for placement in self._left:
            cells[placement.cell.offset(self.grid.size)].add(placement.digit)
        return candidate_rows(cells, self.grid.size)

    def outcome(self) -> str:
        """How far the steps have come, in a sentence."""
        if 0 not in self.grid.digits:
            return SOLVED
        if self._ended:
            return f"Nothing more is sure: {self._empty()} left, as there are several solutions."
        return f"{self._empty()} left."

    def __repr__(self) -> str:
        return f"<Steps: {self._empty()}>"

    def _empty(self) -> str:
        return counted(self.grid.digits.count(0), "empty cell")

    def walk(self) -> Walk:
        """All steps that are left, as a list through which one can walk in a notebook.

        If time runs out, the list has the steps that were found, and its outcome says so. Raises
        the other errors of iterating.
        """
        found: list[Step] = []
        try:
            found.extend(self)
        except SolveTimeout as error:
            return Walk(tuple(found), f"{error}.", solved=False)
        return Walk(tuple(found), self.outcome(), 0 not in self.grid.digits)

    def _repr_html_(self) -> str:
        """All steps from the start, found again, so that this iterator does not move."""
        return self._again().walk()._repr_html_()

    def __next__(self) -> Step:
        with self._budget:
            found = self._simplest() if 0 in self.grid.digits else None
        if found is None:
            self._ended = True
            raise StopIteration
        return self._take(found)

    def _turn_to(self, techniques: str) -> None:
        self._budget.turn_to(f"looking for {techniques}", f"at step {self._taken + 1}")

    def _simplest(self) -> Found | None:
        """A step by the easiest technique; of several, the one that does most."""
        self._turn_to("singles and locked candidates")
        found = self._position.at_once(self._left)
        for technique in ("hidden_single", "pointing", "claiming"):
            found += self._in_areas(technique)
        if not found and self._left <= self._possible:
            return None  # every candidate holds in some solution
        if not found and (by_rule := self._by_one(self._one_rule)):
            return by_rule  # it weighs less than any of the other techniques
        easiest = min((RANK[each.technique] for each in found), default=len(RANK))
        for technique in self._techniques:
            if easiest <= RANK[technique]:
                break
            if more := self._by(technique):
                found = [*found, *more]
                break
        if found:
            return min(found, key=self._preference)
        if by_area := self._by_one(self._one_area):
            return by_area
        self._turn_to("a minimal set of rules")
        return self._minimal_set(refuted_by_set)

    def _by(self, technique: str) -> list[Found]:
        """Steps by a technique."""
        self._turn_to(f"the technique {TECHNIQUES[technique].name}")
        if TECHNIQUES[technique].program:
            in_houses = self._position.by(technique, self._left, shortest=True)
            return [*in_houses, *self._in_areas(technique)]
        return []

    def _preference(self, found: Found) -> tuple[Any, ...]:
        """The least is the step to take: the easiest, then the one that does most."""
        kinds = [KINDS.get(str(rule[1]), 0) for rule in found.must]
        rules = len(found.must) + len(found.most)
        harder = RANK[found.technique], len(found.chain)
        return *harder, -len(found.removed), rules, kinds, *map(_in_order, found[1:3])

    def _in_areas(self, technique: str) -> list[Found]:
        return in_areas(technique, self.puzzle.layout, self._left, self.grid.givens)

    def _by_one(self, one_rule: OneRule) -> Found | None:
        """What one rule beyond plain sudoku refutes, if one refutes anything."""
        if not one_rule.rules:
            return None
        self._turn_to("what one rule excludes")
        return self._minimal_set(one_rule.refuted)

    def _minimal_set(self, refuted: Callable[..., Any]) -> Found | None:
        """Rules that refute a candidate, or one rule beyond plain sudoku that refutes several."""
        reasons, left, layout = self._position.reasons(), self._left, self.puzzle.layout
        sure = granted(reasons, layout, self._position.candidates, left, self.grid.givens)
        wrong = left - self._possible
        answer = reasons.run(lambda: refuted(reasons, layout, left, sure, wrong))
        if answer is None:
            return None
        removed, found = answer
        must = tuple(rule for rule in found if rule[0] in ("filled", "somewhere"))
        most = tuple(rule for rule in found if rule not in must)
        alone = len(found) == 1 and found[0].beyond
        return Found(name_of(found[0]) if alone else "minimal_set", must, most, None, removed)

    def _take(self, found: Found) -> Step:
        self._taken += 1
        step = step_of(found, self.puzzle, self.grid, self.candidates)
        self._left = self._left.difference(found.removed)
        if found.placed:
            self.grid = self.grid.with_(found.placed)
            self._left -= taken_by(found.placed, self.puzzle.layout)
        return step


def _in_order(several: Sequence[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    """Rules as tuples that can be compared."""
    return [(each[0], str(each[1])) if each[0] == "rule" else each for each in several]


def pencil_marks(puzzle: Grid | Puzzle) -> frozenset[Placement]:
    """The candidates that no given and no mark rules out."""
    taken = (taken_by(given, puzzle.layout) for given in puzzle.givens)
    return every_placement(puzzle.size).difference(puzzle.excluded, *taken)


@cache
def taken_by(placement: Placement, layout: Layout) -> frozenset[Placement]:
    """The placement itself, and all that cannot stand beside it."""
    once = [
        SudokuRule(("once", house.kind, house.number, placement.digit))
        for house in layout.houses
        if placement.cell in house.cells
    ]
    areas = [area.cells for area in areas_of(layout) if placement.cell in area.cells]
    beside = {Placement(*cell, placement.digit) for cells in areas for cell in cells}
    return met([SudokuRule(("single", *placement.cell)), *once], layout) | beside
