"""What an engine has to be able to do.

A backend takes a `Grid` and gives `Grid`s; it knows no text, no terminal and no other backend.
Only `version` and `solutions` must be written; the rest follows from `solutions`, and an engine
that can do better overrides it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import closing
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from ..errors import BackendUnavailable, SolveTimeout
from ..grid import Box, Grid
from .threads import Budget

if TYPE_CHECKING:
    from collections.abc import Generator, Iterable

__all__ = ["Backend", "Candidates"]

Candidates = tuple[tuple[frozenset[int], ...], ...]
"""Rows of cells, and for each cell a set of digits."""


class Backend(ABC):
    """One engine.

    Every method may be called from any thread, while other searches are open. `timeout` is in
    seconds and counts the time spent waiting for the engine, not the time that the caller
    takes between two solutions. Raises BackendUnavailable, SolveTimeout or BackendFailure; after
    any of them, and after a KeyboardInterrupt, the engine can be used again.
    """

    name: ClassVar[str]
    engine: ClassVar[str]
    """The name of the program behind it, as people know it."""

    @abstractmethod
    def version(self) -> str:
        """The engine's version; BackendUnavailable if it cannot be used here."""

    @abstractmethod
    def solutions(self, puzzle: Grid, timeout: float | None = None) -> Generator[Grid]:
        """Every solution once, found as it is asked for.

        The engine is let go when the generator ends, is closed or is collected.
        """

    def solve(self, puzzle: Grid, timeout: float | None = None) -> Grid | None:
        """A solution, or None if there is none."""
        with closing(self.solutions(puzzle, timeout)) as found:
            return next(found, None)

    def count(self, puzzle: Grid, limit: int | None = None, timeout: float | None = None) -> int:
        """The number of solutions, or `limit` if there are at least that many.

        `SolveTimeout.found` says how far it came.
        """
        number = 0
        with closing(self.solutions(puzzle, timeout)) as solutions:
            try:
                for _ in islice(solutions, limit):
                    number += 1
            except SolveTimeout as error:
                error.found = number
                raise
        return number

    def candidates(self, puzzle: Grid, timeout: float | None = None) -> Candidates:
        """For every cell the digits that it holds in at least one solution, exactly.

        Asks for a solution with each digit that no solution so far has shown in its cell.
        """
        budget = Budget(self.name, timeout)
        seen: list[set[int]] = [set() for _ in puzzle.cells]

        def solvable(cells: tuple[int, ...]) -> bool:
            try:
                with budget:
                    found = self.solve(Grid(cells, puzzle.box), budget.left)
            except SolveTimeout:
                raise budget.exceeded() from None
            if found:
                for digits, digit in zip(seen, found.cells, strict=True):
                    digits.add(digit)
            return found is not None

        if solvable(puzzle.cells):
            for cell, given in enumerate(puzzle.cells):
                before, after = puzzle.cells[:cell], puzzle.cells[cell + 1 :]
                for digit in range(1, puzzle.size + 1):
                    if not given and digit not in seen[cell]:
                        solvable((*before, digit, *after))
        return candidate_rows(seen, puzzle.size)

    def consistent(
        self,
        box: Box,
        rules: Iterable[tuple[str | int, ...]],
        holds: Iterable[tuple[int, int, int]],
        lacks: Iterable[tuple[int, int, int]],
        timeout: float | None = None,
    ) -> bool:
        """True if some placements obey the rules, have all of `holds` and none of `lacks`.

        A placement is a row, a column and a digit; the rules are those of `explain.rules`, and
        all others may be broken. With a rule on a whole house, every cell holds one digit.
        ValueError for a rule or a placement that the grid has not.
        """
        raise BackendUnavailable(
            f"the {self.name} engine cannot check explanations", "Choose clingo or prolog."
        )


def candidate_rows(cells: list[set[int]], size: int) -> Candidates:
    """Rows of frozen sets from a flat list of sets."""
    frozen = [frozenset(digits) for digits in cells]
    return tuple(tuple(frozen[start : start + size]) for start in range(0, size * size, size))
