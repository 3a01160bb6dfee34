"""A contestant of the study, and our own programs as such."""

from __future__ import annotations

from abc import ABC, abstractmethod
from itertools import islice
from typing import Any

import pylogic_sudoku as pls
from pylogic_sudoku import BackendFailure, BackendUnavailable
from pylogic_sudoku.engines import engine_for, programs
from pylogic_sudoku.engines.base import Measurement
from pylogic_sudoku.engines.sudoku import SudokuEngine, get
from pylogic_sudoku.problem import Instance
from pylogic_sudoku.problem.folder import Problem, bundled

from .families import PROBLEM


class Contestant(ABC):
    """One way to solve instances. Nothing is kept from one to the next, except by `next`.

    The methods take instances of the groups that it takes part in. They raise SolveTimeout when
    their seconds are over, and BackendFailure, which says why, for one that it cannot take.
    """

    name: str
    paradigm: str
    """``"ASP"``, ``"CLP"``, ``"Prolog"``, ``"SAT"``, ``"CP"`` or ``"SMT"``."""
    ingredient = False
    """True if it is there for the experiment alone: a program with another search than its own."""

    def takes_part(self, family: str, group: str) -> bool:
        """True if it is asked about the instances of this group."""
        return family != PROBLEM

    @abstractmethod
    def version(self) -> str:
        """The version of its solver; ImportError or BackendUnavailable if it is not installed."""

    @abstractmethod
    def first(self, instance: Any, seconds: float) -> Measurement[Any]:
        """The first solution, and the work that it took."""

    @abstractmethod
    def solutions(self, instance: Any, most: int, seconds: float) -> list[Any]:
        """All solutions, or `most` if there are more."""

    def left(self, instance: Any, seconds: float) -> int | None:
        """The number of candidates after propagation, before any choice; None if it is unknown."""
        return None

    def next(self, instance: Any, most: int, seconds: float) -> list[Any]:
        """The same as `solutions`, in a stream: what was prepared for others is used."""
        raise BackendFailure("it keeps nothing")


def _paradigms() -> dict[str, str]:
    """The paradigm of each program for sudoku, and of each engine."""
    short = {"answer set programming": "ASP", "constraint logic programming": "CLP"}
    found = {each.name: short.get(each.paradigm, "Prolog") for each in programs()}
    return found | {"clingcon": "ASP", "sat": "SAT"}


SUDOKU = _paradigms()
KEEPING = ("clingo", "sat")
"""The engines that keep what they have prepared for puzzles of one layout."""


class Ours(Contestant):
    """One of our engines, with one of its programs for sudoku or for a bundled problem."""

    def __init__(self, name: str, paradigm: str) -> None:
        self.name, self.paradigm = name, paradigm

    def takes_part(self, family: str, group: str) -> bool:
        if family == PROBLEM:
            return self.name in Problem(group).paths
        return self.name in SUDOKU

    def version(self) -> str:
        return get(self.name.partition(":")[0]).version()

    def first(self, instance: Any, seconds: float) -> Measurement[Any]:
        engine = engine_for(self.name, instance)
        measured: Measurement[Any]
        try:
            measured = engine.measure(instance, seconds)
        except BackendFailure:
            if not isinstance(instance, Instance):
                raise
            # A program that searches on its own has answers, but nobody sees how it finds them.
            measured = Measurement(engine.solve(instance, seconds))
        return measured

    def solutions(self, instance: Any, most: int, seconds: float) -> list[Any]:
        fresh = self._fresh(instance)
        return list(islice(pls.solutions(instance, fresh, most, seconds), most))

    def left(self, instance: Any, seconds: float) -> int | None:
        engine = engine_for(self.name, instance)
        try:
            found: Any = engine.propagate(instance, seconds)
        except (BackendUnavailable, BackendFailure):  # its search has no such moment
            return None
        if isinstance(instance, Instance):
            return len(found or ())
        return sum(map(len, found or ()))

    def next(self, instance: Any, most: int, seconds: float) -> list[Any]:
        if self.name not in KEEPING:
            return super().next(instance, most, seconds)
        return list(islice(pls.solutions(instance, self.name, most, seconds), most))

    def _fresh(self, instance: Any) -> Any:
        """The engine without what it has prepared for other instances."""
        engine = engine_for(self.name, instance)
        keeps = isinstance(engine, SudokuEngine) and self.name in KEEPING
        return type(engine)() if keeps else engine


def ours() -> list[Contestant]:
    """Every program that is listed, and every program of a bundled problem."""
    others = {name for problem in bundled() for name in problem.paths}.difference(SUDOKU)
    paradigms = SUDOKU | {name: SUDOKU[name.partition(":")[0]] for name in sorted(others)}
    return [Ours(*each) for each in paradigms.items()]
