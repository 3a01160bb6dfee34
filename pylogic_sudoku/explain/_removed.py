"""Candidates that are gone before the first step, since earlier steps have removed them."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from ..engines.budget import Budget
from ..errors import InvalidPuzzle, shown
from ..grid import Grid, Placement
from ..puzzle import Mark, Puzzle
from ..techniques._addition import standing
from ._cores import clingo
from ._explanation import no_solution

__all__ = ["checked_removed", "possible"]


def checked_removed(removed: Iterable[tuple[int, int, int]], size: int) -> frozenset[Placement]:
    """The candidates as placements; InvalidPuzzle unless each is a row, a column and a digit."""
    numbers = range(1, size + 1)
    found = set()
    for each in removed:
        fits = isinstance(each, tuple | list) and len(each) == 3
        if not fits or not all(isinstance(part, int) and part in numbers for part in each):
            raise InvalidPuzzle(
                f"a removed candidate is {shown(tuple(each) if fits else each)}; expected (row,"
                f" column, digit), each from 1 to {size}"
            )
        found.add(Placement(*each))
    return frozenset(found)


def possible(
    puzzle: Grid | Puzzle, removed: Collection[Placement], budget: Budget
) -> frozenset[Placement]:
    """The candidates that hold in some solution without the removed ones.

    NoSolution if the puzzle has no solution at all; InvalidPuzzle if it has none without these.
    """
    left = _candidates(_without(puzzle, removed) if removed else puzzle, budget)
    if left:
        return left
    before = _candidates(puzzle, budget) if removed else left
    if not before:
        raise no_solution("no step leads to one")
    cells = [each.cell for each in before]
    needed = [each for each in sorted(before.intersection(removed)) if cells.count(each.cell) == 1]
    if needed:
        raise InvalidPuzzle(
            f"{needed[0].cell} can only be {needed[0].digit}, so this candidate cannot be removed"
        )
    raise InvalidPuzzle("every solution needs some of the removed candidates")


def _candidates(puzzle: Grid | Puzzle, budget: Budget) -> frozenset[Placement]:
    return standing(budget.spend(lambda left: clingo().candidates(puzzle, left)))


def _without(puzzle: Grid | Puzzle, removed: Iterable[Placement]) -> Puzzle:
    """The puzzle with marks that exclude these candidates."""
    every = frozenset(range(1, puzzle.size + 1))
    marks = [Mark(each.cell, every - {each.digit}) for each in removed]
    if isinstance(puzzle, Grid):
        return Puzzle(puzzle, marks=marks)
    return Puzzle(puzzle.grid, puzzle.regions, [*puzzle.marks, *marks], puzzle.rules)
