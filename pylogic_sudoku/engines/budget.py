"""Time limits: what is accepted as one, and how much of it is left."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from types import TracebackType
from typing import TypeVar

from ..errors import SolveTimeout

__all__ = ["LONGEST", "Budget", "seconds"]

T = TypeVar("T")

LONGEST = 1_000_000
"""Seconds; some system calls cannot wait longer, since they count milliseconds in 32 bits."""


def seconds(timeout: float | None, name: str = "timeout") -> float | None:
    """The limit in seconds, or None for no limit, also if it is longer than a clock can wait.

    TypeError if it is not a number, ValueError unless it is positive; both name it by its `name`.
    """
    if timeout is None:
        return None
    from numbers import Real  # which takes half a millisecond

    if isinstance(timeout, bool) or not isinstance(timeout, Real):
        raise TypeError(f"{name} must be a number of seconds or None, not {timeout!r}")
    if not timeout > 0:
        raise ValueError(f"{name} must be over 0 seconds, not {timeout!r}")
    return float(timeout) if timeout <= LONGEST else None


class Budget:
    """Seconds that an engine may still use; the clock runs only inside its ``with`` block."""

    def __init__(self, backend: str, timeout: float | None) -> None:
        self.backend = backend
        self.seconds = self._left = seconds(timeout)
        self._start: float | None = None

    @property
    def left(self) -> float | None:
        """The seconds left, 0.0 if none are; None for no limit."""
        if self._left is None or self._start is None:
            return self._left
        return max(0.0, self._left - (perf_counter() - self._start))

    def remaining(self) -> float | None:
        """The seconds left, for the next of several questions; SolveTimeout if none are."""
        left = self.left
        if left == 0.0:
            raise self.exceeded()
        return left

    def exceeded(self) -> SolveTimeout:
        """The error to raise when nothing is left."""
        return SolveTimeout(self.backend, self.seconds or 0.0)

    def spend(self, ask: Callable[[float | None], T]) -> T:
        """What a question returns that is given the seconds left; its timeouts name the limit."""
        try:
            with self:
                return ask(self.remaining())
        except SolveTimeout:
            raise self.exceeded() from None

    def __enter__(self) -> None:
        if self._left is not None:
            self._start = perf_counter()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._left, self._start = self.left, None
