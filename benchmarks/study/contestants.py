"""Who takes part: our programs, the engine `sat`, and the modules of `outsiders`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from importlib import import_module
from itertools import islice
from pkgutil import iter_modules

import pylogic_sudoku as pls
from pylogic_sudoku import BackendUnavailable, Grid, Puzzle
from pylogic_sudoku.engines import Backend, able, get, programs
from pylogic_sudoku.engines.base import Measurement

from . import outsiders


class Contestant(ABC):
    """One way to solve puzzles. Nothing is kept from one question to the next.

    A method raises SolveTimeout when its seconds are over, and BackendFailure, which says why, for
    a puzzle that it cannot take.
    """

    name: str
    paradigm: str
    """``"ASP"``, ``"CLP"``, ``"Prolog"``, ``"SAT"``, ``"CP"`` or ``"SMT"``."""

    @abstractmethod
    def version(self) -> str:
        """The version of its solver; ImportError or BackendUnavailable if it is not installed."""

    @abstractmethod
    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement:
        """The first solution, and the work that it took."""

    @abstractmethod
    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        """All solutions, or so many if there are more."""

    def left(self, puzzle: Grid | Puzzle, seconds: float) -> int | None:
        """How many candidates propagation leaves before any choice; None if that is unknown."""
        return None


class Ours(Contestant):
    """One of our engines, with one of its programs."""

    def __init__(self, name: str, paradigm: str) -> None:
        self.name, self.paradigm = name, paradigm

    def version(self) -> str:
        return get(self.name).version()

    def first(self, puzzle: Grid | Puzzle, seconds: float) -> Measurement:
        return self._able(puzzle).measure(puzzle, seconds)

    def solutions(self, puzzle: Grid | Puzzle, most: int, seconds: float) -> list[Grid]:
        return list(islice(pls.solutions(puzzle, self._fresh(puzzle), most, seconds), most))

    def left(self, puzzle: Grid | Puzzle, seconds: float) -> int | None:
        engine = self._able(puzzle)
        try:
            found = engine.propagate(puzzle, seconds)
        except BackendUnavailable:  # a program that does not label has no such moment
            return None
        return sum(map(len, found or ()))

    def _able(self, puzzle: Grid | Puzzle) -> Backend:
        return able(self.name, puzzle)

    def _fresh(self, puzzle: Grid | Puzzle) -> Backend:
        """The engine without what it has prepared for other puzzles."""
        engine = self._able(puzzle)
        return type(engine)() if self.name in ("clingo", "sat") else engine


def contestants() -> list[Contestant]:
    """All of them, our own first."""
    short = {"answer set programming": "ASP", "constraint logic programming": "CLP"}
    ours = [Ours(each.name, short.get(each.paradigm, "Prolog")) for each in programs()]
    names = (module.name for module in iter_modules(outsiders.__path__))
    others = (import_module(f"{outsiders.__name__}.{name}") for name in names)
    return [*ours, Ours("sat", "SAT"), *(other.CONTESTANT for other in others)]
