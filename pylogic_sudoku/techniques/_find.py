"""Every step by one technique in a position."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from operator import index
from typing import TYPE_CHECKING, Any

from .._api import PuzzleLike
from ..engines.budget import Budget
from ..errors import InvalidPuzzle, shown
from ..formats import as_puzzle
from ..grid import Grid, Layout, Placement, candidate_rows
from ..puzzle import Puzzle
from ._addition import standing
from ._areas import in_areas
from ._table import MINIMAL_SET, TECHNIQUES, Found, key_of

if TYPE_CHECKING:
    from ..engines.clingo.techniques import Position
    from ..explain import Step

__all__ = ["find"]


def find(
    grid: PuzzleLike,
    candidates: Sequence[Any],
    technique: str,
    timeout: float | None = None,
) -> list[Step]:
    """Every step by this technique in a position, also if there is an easier one.

    `grid` holds the digits so far, and `candidates` are rows of the digits that each empty cell may
    still hold, or one list of them for all cells; up to 9x9, text such as ``"247"`` will do for a
    cell. Those of filled cells do not count. `technique` is one of the names in
    `TECHNIQUES`.

    `timeout` is in seconds, over 0; None means no limit. Raises InvalidPuzzle if the candidates do
    not fit the grid, ValueError for an unknown technique or a minimal set, SolveTimeout or
    BackendFailure.
    """
    from ..engines.clingo.techniques import Position
    from ..explain._step import step_of

    puzzle = as_puzzle(grid)
    key = key_of(technique)
    if TECHNIQUES[key] is MINIMAL_SET:
        raise ValueError("minimal sets are found by `steps`, if no technique with a name applies")
    rows = candidate_rows(_cells(puzzle, candidates), puzzle.size)
    digits = puzzle.grid if isinstance(puzzle, Puzzle) else puzzle
    left = standing(rows)
    position = Position(puzzle.layout, left, Budget("clingo", timeout), puzzle.givens)
    if key in ("cage_combinations", "one_rule"):
        found = _by_one_rule(position, key, puzzle.layout, left, digits.givens)
    else:
        found = position.by(key, left)
        found += in_areas(key, puzzle.layout, left, digits.givens)
    return [step_of(each, puzzle, digits, rows) for each in found]


def _by_one_rule(
    position: Position,
    technique: str,
    layout: Layout,
    left: Collection[Placement],
    filled: Collection[Placement],
) -> list[Found]:
    from ..explain._minimal_sets import by_one_rule, granted

    reasons = position.reasons()
    sure = granted(reasons, layout, position.candidates, left, filled)
    answers = reasons.run(lambda: [*by_one_rule(reasons, technique, layout, left, sure)])
    return [Found(technique, (), tuple(rules), None, gone) for gone, rules in answers]


def _cells(puzzle: Grid | Puzzle, candidates: Any) -> list[list[int]]:
    """The candidates of each cell, row by row; none for a filled cell."""
    n = puzzle.size
    try:
        rows = [[*row] for row in candidates]
        flat = len(rows) == n * n and n > 1
        found = [sorted({*map(_digit, cell)}) for row in ([rows] if flat else rows) for cell in row]
    except (TypeError, ValueError):
        found = []
    if not found or (not flat and (len(rows) != n or {*map(len, rows)} != {n})):
        raise InvalidPuzzle(
            f"the candidates are {n} rows of {n} sets of digits, or {n * n} sets, not"
            f" {shown(candidates)}"
        )
    for cell, filled, digits in zip(puzzle.cells, puzzle.digits, found, strict=True):
        if wrong := [digit for digit in digits if not 1 <= digit <= n]:
            raise InvalidPuzzle(f"the candidates: {cell} has {wrong[0]}; expected 1 to {n}")
        if filled:
            digits.clear()
    return found


def _digit(value: Any) -> int:
    """A whole number, also as text; TypeError or ValueError."""
    return int(value) if isinstance(value, str) else index(value)
