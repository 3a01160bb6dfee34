"""The bounds on a submission: its time and memory, and how much of its output is read.

Every bound is here, and each can be set. The teacher's files have none.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from math import isfinite
from typing import Any

__all__ = ["BOUNDS", "Bounds", "Limits", "is_number", "named_numbers"]


def named_numbers(texts: Iterable[str], what: str, example: str) -> dict[str, float]:
    """Return the numbers of texts such as ``output=1024``; ValueError for other texts."""
    found: dict[str, float] = {}
    for text in texts:
        name, _, number = map(str.strip, text.partition("="))
        try:
            found[name] = float(number)
        except ValueError:
            raise ValueError(
                f"{text!r} does not set {what}; expected NAME=NUMBER, such as {example}"
            ) from None
    return found


def is_number(value: Any) -> bool:
    """True for a finite number that is not a truth value."""
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


MOST = 10**6
"""No bound is larger: systems take no larger sizes of files, and lines are kept in memory."""


@dataclass(frozen=True, slots=True)
class Bounds:
    """How much of the output of a program is read; ValueError for an impossible number."""

    output: int = 256
    """Megabytes of its answers, of its messages, and of any file that it writes. They hold
    200,000 answers."""
    atoms: int = 3000
    """Atoms of one answer: over twice as many as the largest grid has cells."""
    lines: int = 20
    """Lines of its messages."""
    width: int = 500
    """Characters of a line."""
    grace: float = 1
    """Seconds that it may run after a wrong answer. Most programs end by then."""

    def __post_init__(self) -> None:
        for name in BOUNDS:
            value = getattr(self, name)
            if name == "grace":
                right, expected = is_number(value) and value >= 0, "seconds, 0 or more"
            else:
                whole = is_number(value) and isinstance(value, int)
                right, expected = whole and 0 < value <= MOST, f"a whole number from 1 to {MOST:,}"
            if not right:
                raise ValueError(f"{name} = {value!r}: expected {expected}")

    def with_(self, texts: Iterable[str]) -> Bounds:
        """Return bounds with changes such as ``output=1024``; ValueError for other texts."""
        changes: dict[str, Any] = named_numbers(texts, "a bound", "output=1024")
        for name in changes:
            if name not in BOUNDS:
                raise ValueError(f"there is no bound {name!r}; the names are {', '.join(BOUNDS)}")
        whole = {name: int(number) for name, number in changes.items() if number.is_integer()}
        return replace(self, **changes | whole)

    @property
    def result_bytes(self) -> int:
        """Bytes of one line of results: no runner writes a longer one."""
        return 10_000 + 2_000 * self.atoms

    @property
    def message_bytes(self) -> int:
        """Bytes of messages that are kept; those that are shown are chosen from these."""
        return 2 * self.lines * self.width


BOUNDS = tuple(field.name for field in fields(Bounds))


@dataclass(frozen=True, slots=True)
class Limits:
    """What a program may use for one instance."""

    seconds: float
    megabytes: int
    """0 for no limit, also of its output."""
    folder: str | None = None
    """Where temporary files go, if not to the usual place."""
    bounds: Bounds = Bounds()
