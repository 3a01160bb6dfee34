"""From the models of clingo to answers, whether a program is kept or ground for one question.

A `Decoder` interprets the atoms of an answer: as a grid, or as the atoms themselves.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from functools import cached_property
from operator import attrgetter
from typing import Any, Generic, TypeVar

import clingo

P = TypeVar("P")
A = TypeVar("A")

# A symbol's number is a good key; hashing the symbol itself calls into C for each of 81 cells.
_NUMBERED = hasattr(clingo.Number(1), "_rep")
key: Callable[[clingo.Symbol], Any] = attrgetter("_rep") if _NUMBERED else lambda symbol: symbol
"""Stands for a symbol in a dictionary."""


def keys(symbols: Sequence[clingo.Symbol]) -> list[Any]:
    """All keys in one call if clingo exposes the raw array (private; true up to 5.8)."""
    numbers = getattr(symbols, "_p_symbols", None)
    return list(map(key, symbols) if numbers is None else numbers)


class Meanings(dict[Any, P]):
    """The meanings of symbols by their keys; each is found out when it is first met."""

    def __init__(self, meaning: Callable[[clingo.Symbol], P]) -> None:
        super().__init__()
        self._meaning = meaning

    def __missing__(self, key: Any) -> P:
        symbol = clingo.Symbol(key) if _NUMBERED else key  # type: ignore[no-untyped-call]
        meaning = self[key] = self._meaning(symbol)
        return meaning


class Decoder(ABC, Generic[P, A]):
    """The meaning of the atoms of one program, which is ground.

    Each atom of an answer stands for a P.
    """

    def __init__(self, control: clingo.Control) -> None:
        self.control = control

    @abstractmethod
    def answer(self, model: clingo.Model) -> A:
        """The answer in a model; BackendFailure if it is none."""

    @cached_property
    @abstractmethod
    def literals(self) -> list[tuple[int, P]]:
        """The literal of each atom that may be part of an answer, and its meaning."""

    def is_whole(self, _remaining: Sequence[P]) -> bool:
        """True if an answer may consist of the remaining atoms."""
        return True

    def news(self, placed: set[P], excluded: set[P]) -> tuple[tuple[P, ...], tuple[P, ...]]:
        """The changes that are worth reporting: what has become true, and what has become false."""
        return tuple(sorted(placed)), tuple(sorted(excluded))  # type: ignore[type-var]
