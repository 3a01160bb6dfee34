"""The steps on which the digit of one cell depends, and no others.

The steps of `steps` are followed backwards from the one that fills the cell: which candidates must
be gone for it to be right, which steps removed these, and so on. If several steps or houses exclude
a candidate, the one that needs the fewest steps before it is taken.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from .._demands import SudokuRule, anyway
from ..engines.budget import Progress
from ..grid import Cell, Grid, Layout, Placement, candidate_rows
from ..puzzle import Puzzle
from ..techniques._addition import every_placement, met, standing
from ..techniques._table import MINIMAL_SET
from ._explanation import grid_of
from ._step import Step
from ._steps import Steps, pencil_marks, taken_by
from ._walk import Walk

__all__ = ["way_to"]


def way_to(
    puzzle: Grid | Puzzle, cell: Cell, timeout: float | None, progress: Progress | None = None
) -> Walk | None:
    """The steps that lead to the digit of a cell; None if it is given, or not forced.

    Each shows the position to which those before it lead, so more candidates are left than in
    `steps`. Errors as for `steps`.
    """
    taken: list[Step] = []
    if puzzle[cell]:
        return None
    for step in Steps(puzzle, timeout, progress=progress):
        taken.append(step)
        if step.placed and step.placed.cell == cell:
            outcome = f"{cell} is {step.placed.digit}."
            return Walk(tuple(_replayed(puzzle, _needed(puzzle, taken))), outcome, solved=False)
    return None


def _needed(puzzle: Grid | Puzzle, taken: list[Step]) -> list[Step]:
    """The steps that the last one needs, in order, and itself."""
    layout, start = puzzle.layout, pencil_marks(puzzle)
    true = {*puzzle.givens, *(step.placed for step in taken if step.placed)}
    gone_by: dict[Placement, list[int]] = {}
    needs: list[set[int]] = []
    chosen: list[Step] = []

    def needed_for(gone: Collection[Placement]) -> set[int]:
        """The numbers of few steps after which these candidates have gone."""
        fewest = {each: min(len(needs[by]) for by in gone_by[each]) for each in gone}
        found: set[int] = set()
        for candidate in sorted(gone, key=lambda each: (fewest[each], each)):
            found |= min((needs[by] for by in gone_by[candidate]), key=lambda by: len(by - found))
        return found

    for number, step in enumerate(taken):
        left = standing(step.candidates)
        ways = [
            (each, needed_for((_concerned(each) - left) & gone_by.keys()))
            for each in _ways(step, left)
        ]
        best, before = min(ways, key=lambda way: len(way[1]))
        chosen.append(best)
        needs.append(before | {number})
        for candidate in (_gone_after(step, layout) & start) - true:
            gone_by.setdefault(candidate, []).append(number)
    return [chosen[number] for number in sorted(needs[-1])]


def _ways(step: Step, left: Collection[Placement]) -> Iterator[Step]:
    """The step, and if it is a single, the same by each other rule that allows nothing else."""
    yield step
    if step.placed is None or any(rule.beyond for rule in step.rules):
        return
    layout, (row, column, digit) = step.puzzle.layout, step.placed
    rules = [SudokuRule(("filled", row, column))]
    rules += [
        SudokuRule(("somewhere", house.kind, house.number, digit))
        for house in layout.houses
        if (row, column) in house.cells
    ]
    for rule in rules:
        if met([rule], layout).intersection(left) == {step.placed}:
            yield replace(step, must=(rule,))


def _concerned(step: Step) -> frozenset[Placement]:
    """The candidates that make a difference to the step if they are left."""
    layout = step.puzzle.layout
    whole = step.technique == MINIMAL_SET.name or any(rule.beyond for rule in step.rules)
    if whole and anyway(layout):  # every cell holds one digit, so any candidate can
        return every_placement(layout.size)
    return met(step.must, layout)


def _gone_after(step: Step, layout: Layout) -> frozenset[Placement]:
    """The candidates that are not left after a step."""
    return taken_by(step.placed, layout) if step.placed else frozenset(step.removed)


def _replayed(puzzle: Grid | Puzzle, several: Iterable[Step]) -> Iterator[Step]:
    """Each step in the position to which those before it lead."""
    grid, left = grid_of(puzzle), pencil_marks(puzzle)
    for step in several:
        cells: list[set[int]] = [set() for _ in grid.digits]
        for placement in left:
            cells[placement.cell.offset(grid.size)].add(placement.digit)
        moved = replace(step, grid=grid, candidates=candidate_rows(cells, grid.size))
        yield replace(moved, technique=_single(moved)) if step.placed else moved
        left -= _gone_after(step, puzzle.layout)
        if step.placed:
            grid = grid.with_(step.placed)


def _single(step: Step) -> str:
    """The name of a single in the position of the step."""
    (rule,) = step.must
    if rule.beyond:
        return step.technique
    if rule[0] == "filled":
        return "naked single"
    houses = [house for house in step.puzzle.layout.houses if house[:2] == rule[1:3]]
    empty = [cell for house in houses for cell in house.cells if not step.grid[cell]]
    return "full house" if len(empty) == 1 else "hidden single"
