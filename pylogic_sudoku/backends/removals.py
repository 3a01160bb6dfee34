"""What clingo is asked for `why_not`: the fewest givens that have to go, and all sets of as few."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, NamedTuple

import clingo

from ..errors import BackendFailure
from ..grid import Grid
from .ground import encoding, grounded
from .workers import Budget, Workers

__all__ = ["Removed", "removals"]

Placement = tuple[int, int, int]

OPTIONS = ("--opt-strategy=usc", "--opt-mode=optN", "--project", "--models=0")
"""The fewest by cores of what clashes, then every set of as few, once."""


class Removed(NamedTuple):
    """One of the smallest sets of givens that have to go."""

    givens: tuple[Placement, ...]
    grid: Grid
    """A full grid that has the other givens, and what was asked for."""


def removals(
    workers: Workers, puzzle: Grid, query: Placement, budget: Budget
) -> Generator[Removed]:
    """Every smallest set of givens that have to go for the query, found as it is asked for."""
    search = _Search(puzzle, query)
    return workers.stream(search.next, budget, search.interrupt, search.close)


class _Search:
    """One program, ground for a puzzle and a query, and the search on it."""

    def __init__(self, puzzle: Grid, query: Placement) -> None:
        self._puzzle = puzzle
        self._query = query
        self._control: clingo.Control | None = None
        self._handle: Any = None

    def next(self) -> Removed | None:
        """The next set; None when there is no other."""
        try:
            if self._handle is None:
                self._start()
            else:
                self._handle.resume()
            # On its way to the optimum it meets others.
            while (model := self._handle.model()) and not model.optimality_proven:
                self._handle.resume()
            return self._read(model) if model else None
        except RuntimeError as error:
            raise BackendFailure(f"clingo: {error}") from None

    def interrupt(self) -> None:
        """Makes the running call return soon."""
        if self._control:
            self._control.interrupt()

    def close(self) -> None:
        """Lets the search go."""
        if self._handle:
            self._handle.__exit__(None, None, None)

    def _start(self) -> None:
        facts = [f"removable{given}." for given in self._puzzle.givens]
        program = [encoding("sudoku"), encoding("why_not"), *facts, f"query{self._query}."]
        self._control = grounded("\n".join(program), self._puzzle.box, OPTIONS)
        self._handle = self._control.solve(yield_=True)

    def _read(self, model: clingo.Model) -> Removed:
        size = self._puzzle.size
        cells = [0] * size * size
        removed = []
        for symbol in model.symbols(shown=True):
            row, column, digit = (argument.number for argument in symbol.arguments)
            if symbol.name == "removed":
                removed.append((row, column, digit))
            else:
                cells[(row - 1) * size + column - 1] = digit
        return Removed(tuple(sorted(removed)), Grid(tuple(cells), self._puzzle.box))
