"""The time that an engine may still use."""

from __future__ import annotations

from time import perf_counter
from types import TracebackType

from ..errors import SolveTimeout

__all__ = ["Budget"]


class Budget:
    """Seconds that an engine may still use; the clock runs only inside its ``with`` block."""

    def __init__(self, backend: str, seconds: float | None) -> None:
        self.backend = backend
        self.seconds = seconds
        self._left = seconds
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
