"""Many questions to clingo under one time limit, nearly all of them short."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import clingo

from ..errors import BackendFailure
from .workers import Budget, Workers

__all__ = ["Asker", "Unfinished"]

T = TypeVar("T")

BRIEF = 500
"""Conflicts that a search may have in the caller's own thread, deaf to Ctrl-C and time limits."""


class Unfinished(Exception):
    """The search ended before it had an answer."""


class Asker:
    """Asks with a budget of time for all questions together."""

    def __init__(self, workers: Workers, budget: Budget) -> None:
        self._workers = workers
        self._budget = budget
        self.sound = True
        """False once a question was broken off: its control may be busy, or stop the next one."""

    def ask(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The answer to a question that solves with this control: at once if that is short.

        The question raises Unfinished where a search was cut short, and is then asked again by
        a worker.
        """
        try:
            return self.try_to_ask(control, question)
        except Unfinished:
            pass
        settings: Any = control.configuration.solve
        settings.solve_limit = "umax,umax"
        with self._guarded():
            return self._workers.call(question, self._budget, control.interrupt)

    def try_to_ask(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The same, but Unfinished where the answer takes more than some milliseconds."""
        settings: Any = control.configuration.solve
        settings.solve_limit = f"{BRIEF},umax"
        if self._budget.left == 0.0:
            raise self._budget.exceeded()
        with self._guarded(), self._budget:
            return question()

    def wait_for(self, make: Callable[[], T]) -> T:
        """What `make` grounds: that cannot be cut short, but Ctrl-C and time limits are heeded."""
        with self._guarded():
            return self._workers.call(make, self._budget, lambda: None)

    @contextmanager
    def _guarded(self) -> Iterator[None]:
        try:
            yield
        except Unfinished:
            raise
        except BaseException as error:
            self.sound = False
            if isinstance(error, RuntimeError):
                raise BackendFailure(f"clingo: {error}") from None
            raise
