"""What making puzzles asks clingo: a full grid, and whether some givens leave another solution.

The rules of a layout are ground once. A worker digs a puzzle as a whole, since that asks some fifty
short questions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from ...grid import Layout
from ..budget import Budget
from ..threads import Workers
from .program import Program, Unfinished, grounded, in_use, translated, with_rules

__all__ = ["Maker", "asked"]

T = TypeVar("T")

MOST_LAYOUTS = 8
"""Layouts whose programs are kept."""

_workers = Workers("pylogic_sudoku making")
_idle: dict[Layout, list[Maker]] = {}


class Maker(Program):
    """``sudoku.lp``, ground for one layout, with questions about givens as sets of cells.

    A set of cells is a whole number: the cell with offset i adds 2**i.
    """

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self._layout = layout
        self._settings.models = 2
        self._stopped = False
        self._asked = self.control

    def stop(self) -> None:
        """Make the running question raise Unfinished, and all that follow."""
        self._stopped = True
        self._asked.interrupt()

    def grid(self, seed: int) -> tuple[int, ...] | None:
        """The digits of a full grid, found by a search with random choices; None if there is none.

        It depends on the seed alone, as the program is ground for this search.
        """
        options = ("--rand-freq=1", "--sign-def=rnd", f"--seed={seed}", "--models=1")
        self._asked = grounded(with_rules("sudoku", self._layout), self._layout, options)
        try:
            if self._stopped:
                raise Unfinished
            with self._asked.solve(yield_=True) as handle:
                model = handle.model()
                if model is None and not handle.get().exhausted:
                    raise Unfinished
                return self._grid(model).digits if model else None
        finally:
            self._asked = self.control

    def another(self, digits: tuple[int, ...], kept: int) -> int:
        """Where another solution differs from `digits`, if the cells `kept` are given; 0 if none.

        `digits` must be a solution.
        """
        if self._stopped:
            raise Unfinished
        cells = zip(self._literal, digits, range(len(digits)), strict=True)
        givens = [literal[digit] for literal, digit, cell in cells if kept >> cell & 1]
        with self.control.solve(assumptions=givens, yield_=True) as handle:
            for model in handle:
                found = self._shown(model)
                if differs := sum(1 << cell for cell, digit in found if digits[cell] != digit):
                    return differs
            if not handle.get().exhausted:
                raise Unfinished
        return 0


def asked(layout: Layout, budget: Budget, question: Callable[[Maker], T]) -> T:
    """What a function of the layout's program returns, run by a worker."""

    def stop() -> None:
        for maker in taken:
            maker.stop()

    with _taken(layout) as taken:

        def run() -> T:
            with translated():
                maker = taken[0] if taken else Maker(layout)
                taken[:] = [maker]
                in_use.add(maker)
                return question(maker)

        return _workers.call(run, budget, stop)


@contextmanager
def _taken(layout: Layout) -> Iterator[list[Maker]]:
    """A list with an idle program of the layout, or empty; what it holds then is idle again."""
    idle = _idle.setdefault(layout, [])
    while len(_idle) > MOST_LAYOUTS:
        _idle.pop(next(iter(_idle)), None)
    taken = [idle.pop()] if idle else []
    try:
        yield taken
        idle += taken  # not if it was interrupted, or broke
    finally:
        in_use.difference_update(taken)
