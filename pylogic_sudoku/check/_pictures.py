"""Pictures of answers: the broken rule is marked, and nothing else."""

from __future__ import annotations

from dataclasses import replace

from ..draw import Highlight, Picture, mistakes
from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Puzzle

__all__ = ["picture"]


def picture(grid: Grid, puzzle: Grid | Puzzle, rule: str, title: str = "") -> Picture | None:
    """Return the answer in its puzzle, with the broken rule; None if it cannot be drawn."""
    try:
        return Picture(grid, puzzle, highlights=_broken(grid, puzzle, rule), title=title or rule)
    except InvalidPuzzle:  # a rule of the teacher's own
        return None


def _broken(grid: Grid, puzzle: Grid | Puzzle, rule: str) -> tuple[Highlight, ...]:
    """Return what shows the rule: of a digit that is there twice, these two cells and the house."""
    filled = replace(puzzle, grid=grid) if isinstance(puzzle, Puzzle) else grid
    for duplicate in filled.duplicates():
        if str(duplicate) == rule:
            houses = [house for house in puzzle.layout.houses if str(house) in duplicate.houses]
            cells = tuple(cell for house in houses for cell in house.cells)
            return (
                Highlight(rule, "conflict", duplicate.cells),
                Highlight(", ".join(duplicate.houses), "house", cells),
            )
    empty = tuple(cell for cell in grid.cells if not grid[cell])
    if empty and "empty" in rule:
        return (Highlight("empty", "difference", empty),)
    return mistakes(grid, puzzle)[:1] if rule else ()
