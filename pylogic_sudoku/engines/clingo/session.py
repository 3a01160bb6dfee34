"""Many questions to clingo under one time limit, nearly all of them short.

All are asked by a worker: Ctrl-C in the thread that runs a search may arrive within a callback of
clingo's, which then ends the program. A loop over many questions runs in one worker as a whole,
since each change of threads takes time on a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import clingo

from ...errors import BackendFailure
from ..budget import Budget
from ..threads import Workers
from .program import Unfinished, translated

__all__ = ["BRIEF", "Session"]

T = TypeVar("T")

BRIEF = 500
"""Conflicts after which a search that need not succeed is given up: about ten milliseconds."""


class Session:
    """Questions with one budget of time for all of them."""

    def __init__(self, workers: Workers, budget: Budget) -> None:
        self._workers = workers
        self._budget = budget
        self.sound = True
        """False once a question was interrupted or broke: its control may not be used again."""
        self._inside = False
        self._control: clingo.Control | None = None

    def run(self, loop: Callable[[], T]) -> T:
        """What a function that asks many questions returns, run by one worker.

        Unfinished or an error of ours if a question was interrupted or broke.
        """
        if self._inside:
            return loop()
        self._budget.remaining()

        def inside() -> T:
            self._inside = True
            try:
                return loop()
            finally:
                self._inside = False

        return self._workers.call(inside, self._budget, self._interrupt)

    def ask(
        self, control: clingo.Control, question: Callable[[], T], conflicts: int | None = None
    ) -> T:
        """The answer to a question that solves with this control.

        With a limit on conflicts, the search may be cut short: then the question raises Unfinished.
        """

        def limited() -> T:
            settings: Any = control.configuration.solve
            settings.solve_limit = f"{'umax' if conflicts is None else conflicts},umax"
            self._control = control
            if not self.sound:
                raise Unfinished
            return question()

        return self.make(limited)

    def make(self, function: Callable[[], T]) -> T:
        """What a function returns that prepares a program; that cannot be interrupted."""

        def checked() -> T:
            try:
                with translated():
                    return function()
            except BackendFailure:
                self.sound = False
                raise

        return self.run(checked)

    def _interrupt(self) -> None:
        # In this order: a question that follows, or one that is just beginning, is not missed.
        self.sound = False
        if self._control:
            self._control.interrupt()
