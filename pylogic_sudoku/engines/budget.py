"""The time that an engine may still use."""

from __future__ import annotations

from time import perf_counter
from types import TracebackType

from ..errors import SolveTimeout

__all__ = ["Budget"]


class Budget:
    """Seconds that an engine may still use; runs only inside its ``with`` block."""

    def __init__(self, backend: str, seconds: float | None) -> None:
        self.backend = backend
        self.seconds = seconds
        self.left = seconds

    def __enter__(self) -> None:
        if self.left is not None:
            self._start = perf_counter()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self.left is not None:
            self.left = max(0.0, self.left - (perf_counter() - self._start))

    def exceeded(self) -> SolveTimeout:
        """The error to raise when nothing is left."""
        return SolveTimeout(self.backend, self.seconds or 0.0)
