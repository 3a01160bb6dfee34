"""Many questions to clingo under one time limit, nearly all of them short.

They are all asked by a worker: Ctrl-C in the thread that runs a search may reach it within a
callback of clingo's, which then ends the program. A loop over many questions is best run by one
worker as a whole, as each change of threads takes time on a busy machine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import clingo

from ...errors import BackendFailure
from ..budget import Budget
from ..threads import Workers

__all__ = ["Asker", "Unfinished", "translated"]

T = TypeVar("T")

BRIEF = 500
"""Conflicts after which a search is given up that need not succeed: some ten milliseconds."""


class Unfinished(Exception):
    """The search ended before it had an answer."""


@contextmanager
def translated() -> Iterator[None]:
    """Raises clingo's own errors as BackendFailure."""
    try:
        yield
    except RecursionError:  # a RuntimeError, but the caller's
        raise
    except (RuntimeError, MemoryError) as error:
        raise BackendFailure(f"clingo: {error}") from None


class Asker:
    """Asks with a budget of time for all questions together."""

    def __init__(self, workers: Workers, budget: Budget) -> None:
        self._workers = workers
        self._budget = budget
        self.sound = True
        """False once a question was broken off: its control may be busy, or stop the next one."""
        self._inside = False
        self._stopped = False
        self._control: clingo.Control | None = None

    def run(self, loop: Callable[[], T]) -> T:
        """What a function returns that asks many questions, all in the thread of one worker."""

        def inside() -> T:
            self._inside = True
            try:
                return loop()
            finally:
                self._inside = False

        return self._call(inside, self._stop)

    def ask(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The answer to a question that solves with this control."""
        return self._ask(control, question, "umax")

    def try_to_ask(self, control: clingo.Control, question: Callable[[], T]) -> T:
        """The same, but Unfinished where that takes more than some milliseconds.

        The question itself raises it when its search was cut short.
        """
        return self._ask(control, question, str(BRIEF))

    def wait_for(self, make: Callable[[], T]) -> T:
        """What `make` grounds: that cannot be cut short, but Ctrl-C and time limits are heeded."""
        return self._call(make, lambda: None)

    def _ask(self, control: clingo.Control, question: Callable[[], T], conflicts: str) -> T:
        settings: Any = control.configuration.solve
        settings.solve_limit = f"{conflicts},umax"
        if not self._inside:
            return self._call(question, control.interrupt)
        self._control = control
        if self._stopped:
            raise Unfinished
        return question()

    def _stop(self) -> None:
        # First the one, then the other: so none is missed of the questions that follow.
        self._stopped = True
        if self._control:
            self._control.interrupt()

    def _call(self, function: Callable[[], T], interrupt: Callable[[], None]) -> T:
        if self._inside:
            return function()
        if self._budget.left == 0.0:
            raise self._budget.exceeded()
        try:
            with translated():
                return self._workers.call(function, self._budget, interrupt)
        except Unfinished:
            raise
        except BaseException:
            self.sound = False
            raise
