"""One puzzle to order: full grids are dug until what is left is what was asked for."""

from __future__ import annotations

from hashlib import blake2b
from random import Random
from typing import NamedTuple

from ..engines.budget import Budget
from ..errors import NotGenerated
from ..grid import Grid
from ..puzzle import Puzzle
from ._dig import dig
from ._grids import full_grid
from ._patterns import groups
from ._request import Request

__all__ = ["Made", "make"]


class Made(NamedTuple):
    """A puzzle, and what it took."""

    puzzle: Grid | Puzzle
    tried: int
    """The full grids that were dug for it."""
    key: int
    """The same for puzzles that are the same up to symmetry and other digits."""


def make(request: Request, number: int) -> Made:
    """The puzzle of that number, which depends on this and the request alone; NotGenerated."""
    from ..engines.clingo.making import Maker, asked

    random = Random(f"{request.seed}/{number}")
    budget = Budget("clingo", request.timeout)
    tried = 0

    def attempt(maker: Maker) -> Grid | Puzzle:
        full = request.solution or full_grid(request.empty, random, maker.grid)
        order = groups(full.size, request.symmetry)
        random.shuffle(order)
        least = _least(request, random)
        kept = dig(order, least, [], lambda left: maker.another(full.digits, left))
        return _puzzle(request, full, kept)

    while request.tries is None or tried < request.tries:
        tried += 1
        puzzle = asked(request.layout, budget, attempt)
        if _fits(request, puzzle):
            return Made(puzzle, tried, _key(puzzle))
    raise NotGenerated(f"{tried} puzzles tried")


def _least(request: Request, random: Random) -> int:
    """The number of givens at which digging stops."""
    if request.givens is not None:
        return 0 if request.minimal else random.randint(*request.givens)
    return 0 if request.minimal else -(-len(request.empty.digits) // 3)


def _puzzle(request: Request, full: Grid, kept: int) -> Grid | Puzzle:
    grid = Grid(
        tuple(digit if kept >> cell & 1 else 0 for cell, digit in enumerate(full.digits)), full.box
    )
    if isinstance(request.empty, Grid):
        return grid
    return Puzzle(grid, request.empty.regions, rules=request.empty.rules)


def _fits(request: Request, puzzle: Grid | Puzzle) -> bool:
    number = len(puzzle.givens)
    least, most = request.givens or (0, number)
    return least <= number <= most


def _key(puzzle: Grid | Puzzle) -> int:
    canonical = getattr(puzzle, "canonical", None)
    text = str(canonical() if canonical else puzzle)
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest())
