"""What clingo is asked for `why_not`: the fewest givens that have to go, and all sets of as few."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress
from typing import Any, NamedTuple

import clingo

from ...grid import Grid, Placement
from ...puzzle import Puzzle
from ..budget import Budget
from ..threads import Workers
from .ground import encoding, grounded
from .rulebook import placement_of
from .session import Unfinished, translated

__all__ = ["Removed", "removals"]

OPTIONS = ("--opt-strategy=usc", "--opt-mode=optN", "--project", "--models=0")
"""The fewest by cores of what clashes, then every set of as few, once."""


class Removed(NamedTuple):
    """One of the smallest sets of givens that have to go."""

    givens: tuple[Placement, ...]
    grid: Grid
    """A full grid that has the other givens, and what was asked for."""


def removals(
    workers: Workers, puzzle: Grid | Puzzle, query: tuple[int, int, int], budget: Budget
) -> Generator[Removed]:
    """Every smallest set of givens that have to go for the query, found as it is asked for."""
    search = _Search(puzzle, query)
    return workers.stream(search.next, budget, search.interrupt, search.close)


class _Search:
    """One program, ground for a puzzle and a query, and the search on it."""

    def __init__(self, puzzle: Grid | Puzzle, query: tuple[int, int, int]) -> None:
        self._puzzle = puzzle
        self._query = query
        self._control: clingo.Control | None = None
        self._handle: Any = None
        self._interrupted = False

    def next(self) -> Removed | None:
        """The next set; None when there is no other."""
        with translated():
            if self._handle is None:
                self._start()
            else:
                self._handle.resume()
            # On its way to the optimum it meets others.
            while (model := self._handle.model()) and not model.optimality_proven:
                self._handle.resume()
            return self._read(model) if model else None

    def interrupt(self) -> None:
        """Makes the running call return soon."""
        self._interrupted = True
        if self._control:
            self._control.interrupt()

    def close(self) -> None:
        """Lets the search go."""
        if self._handle:
            with suppress(RuntimeError):  # it would hide what broke the search
                self._handle.__exit__(None, None, None)

    def _start(self) -> None:
        facts = [f"removable{tuple(given)}." for given in self._puzzle.givens]
        program = [encoding("sudoku"), encoding("why_not"), *facts, f"query{tuple(self._query)}."]
        self._control = grounded("\n".join(program), self._puzzle.box, OPTIONS)
        if self._interrupted:  # while it was ground
            raise Unfinished
        self._handle = self._control.solve(yield_=True)

    def _read(self, model: clingo.Model) -> Removed:
        held: list[Placement] = []
        removed: list[Placement] = []
        for symbol in model.symbols(shown=True):
            (removed if symbol.name == "removed" else held).append(placement_of(symbol))
        return Removed(tuple(sorted(removed)), Grid.of(held, self._puzzle.box))
