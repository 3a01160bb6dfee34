"""What a contestant can be asked: see `Solver`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from .._batch import SolvedPuzzles
from ..grid import Box, Grid

__all__ = ["Contestant", "Solver", "Unfit"]


class Unfit(Exception):
    """The contestant cannot do this at all; the message says why."""


class Solver:
    """One way to solve puzzles of one box shape, with all that it needs loaded and ready.

    What it does not override it cannot do. An ImportError or BackendUnavailable from the
    constructor means that it is not installed here.
    """

    parallel = False
    """Whether it is asked by `solve_all`."""

    def __init__(self, box: Box) -> None:
        self.box = box

    def solve(self, puzzle: Grid) -> Grid | None:
        """A solution, or None if there is none."""
        raise Unfit("only enumerates")

    def solve_all(self, puzzles: Sequence[Grid]) -> SolvedPuzzles:
        """A solution of each, by several processes."""
        raise Unfit("solves one at a time")

    def solutions(self, puzzle: Grid, limit: int | None) -> Iterable[Any]:
        """Every solution once, or `limit` of them, in whatever form costs least; see `read`."""
        raise Unfit("cannot enumerate")

    def read(self, solution: Any) -> Grid:
        """The grid that an item of `solutions` is, where it is no grid yet."""
        return Grid(tuple(solution), self.box)

    def count(self, puzzle: Grid) -> int:
        """The number of solutions, without reading them."""
        raise Unfit("cannot count without enumerating")


class Contestant(NamedTuple):
    """Somebody who takes part."""

    name: str
    make: Callable[[Box], Solver]
    """Picklable, as it is called in the contestant's own process."""
    package: str
    """The distribution that it needs, whose version is told."""
    settings: str
    """What is run, and how, in a few words."""
