"""Time limits: which are accepted, how much time is left, and where it went."""

from __future__ import annotations

from collections.abc import Callable
from operator import itemgetter
from time import perf_counter
from types import TracebackType
from typing import TypeVar

from ..errors import SolveTimeout

__all__ = ["LONGEST", "Budget", "Progress", "now_doing", "seconds"]

T = TypeVar("T")

Progress = Callable[[str], object]
"""Called, perhaps in another thread, with what is being done whenever that changes: a phrase such
as ``"looking for a solution"``."""

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


_running: dict[Budget, None] = {}


def now_doing() -> str:
    """What is being done under the budgets whose clock runs; "" if there are none."""
    running = list(_running)
    words = ", ".join(each.doing for each in running if each.doing)
    return words or next((f"{each.backend} is searching" for each in running), "")


class Budget:
    """Seconds that an engine may still use; the clock runs only inside its ``with`` block.

    `progress` is called with each new activity.
    """

    def __init__(
        self, backend: str, timeout: float | None, progress: Progress | None = None
    ) -> None:
        self.backend = backend
        self.seconds = self._left = seconds(timeout)
        self._start: float | None = None
        self._depth = 0
        self._progress = progress
        self._doing = self._where = ""
        self._spent: dict[str, float] = {}
        """Seconds by activity."""
        self._turned = self.seconds or 0.0
        """The seconds that were left when the activity began."""

    @property
    def left(self) -> float | None:
        """The seconds left, 0.0 if none are; None for no limit."""
        if self._left is None or self._start is None:
            return self._left
        return max(0.0, self._left - (perf_counter() - self._start))

    @property
    def doing(self) -> str:
        """The activity in words."""
        return f"{self._doing} {self._where}".strip()

    def turn_to(self, what: str, where: str = "") -> None:
        """Begin an activity, such as ``"looking for pairs"``, ``"at step 3"``."""
        self._note()
        self._doing, self._where = what, where
        if self._progress:
            self._progress(self.doing)

    def remaining(self) -> float | None:
        """The seconds left, for the next of several questions; SolveTimeout if none are."""
        left = self.left
        if left == 0.0:
            raise self.exceeded()
        return left

    def exceeded(self, within: str = "") -> SolveTimeout:
        """The error to raise when nothing is left; it says what was being done, and what took most.

        `within` is the same from a question within this one.
        """
        self._note()
        error = SolveTimeout(self.backend, self.seconds or 0.0)
        error.doing = ", ".join(filter(None, (self.doing, within)))
        longest, most = max(self._spent.items(), key=itemgetter(1), default=("", 0.0))
        if longest not in ("", self._doing):
            error.doing += f"; {longest} took longest, {most:.1f} s"
        return error

    def spend(self, ask: Callable[[float | None], T]) -> T:
        """What a question returns that is given the seconds left; its timeouts name the limit."""
        try:
            with self:
                return ask(self.remaining())
        except SolveTimeout as error:
            raise self.exceeded(error.doing) from None

    def __enter__(self) -> None:
        if not self._depth:
            _running[self] = None
            if self._left is not None:
                self._start = perf_counter()
        self._depth += 1

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._depth -= 1
        if not self._depth:
            del _running[self]
            self._left, self._start = self.left, None

    def _note(self) -> None:
        """Count the time since the last turn."""
        left = self.left or 0.0
        self._spent[self._doing] = self._spent.get(self._doing, 0.0) + self._turned - left
        self._turned = left
