"""Points for verdicts: what an instance is worth, and which part of it a way of failing keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ._bounds import is_number, named_numbers
from ._verdict import Verdict

__all__ = ["PARTS", "Points"]

PARTS = ("wrong", "nothing", "missing", "symmetric", "timeout", "error")
"""The ways of failing, each of which may keep a part of the points."""


@dataclass(frozen=True, slots=True)
class Points:
    """What instances are worth, and the part of it, from 0 to 1, for each way of failing.

    ValueError for a number that cannot be.
    """

    instance: float = 1
    """For an instance that is not in `instances`."""
    wrong: float = 0
    """An answer is wrong."""
    nothing: float = 0
    """There is no answer, though there are solutions."""
    missing: float = 0
    """Some solutions are missing."""
    symmetric: float = 0
    """The missing solutions are answers in another guise: turned, or with other digits."""
    timeout: float = 0
    error: float = 0
    instances: Mapping[str, float] = field(default_factory=dict)
    """Other points for some instances, by name."""
    hidden: frozenset[str] = frozenset()
    """Instances that a student sees as a number only."""

    def __post_init__(self) -> None:
        for name in PARTS:
            part = getattr(self, name)
            if not is_number(part) or not 0 <= part <= 1:
                raise ValueError(f"{name} = {part!r}: expected a part from 0 to 1, such as 0.5")
        for name, worth in {"instance": self.instance, **self.instances}.items():
            if not is_number(worth) or worth < 0:
                raise ValueError(f"{name} = {worth!r}: expected points, 0 or more")

    def with_(self, texts: Iterable[str]) -> Points:
        """Return points with changes such as ``missing=0.5``, ``instance=10`` or ``ex003=20``.

        ValueError for a text of another form.
        """
        changes = named_numbers(texts, "points", "missing=0.5")
        own: dict[str, Any] = {
            name: changes.pop(name) for name in ("instance", *PARTS) if name in changes
        }
        return replace(self, **own, instances={**self.instances, **changes})

    def check_names(self, names: Iterable[str]) -> None:
        """ValueError, which lists the names there are, if points name another instance."""
        known = list(names)
        for name in (*self.instances, *sorted(self.hidden)):
            if name not in known:
                raise ValueError(
                    f"there is no instance {name!r}; the names are {', '.join(known[:10])}"
                    + ("..." if len(known) > 10 else "")
                )

    def worth(self, verdict: Verdict) -> float:
        """Return the points that can be earned; 0 if the instance itself is at fault."""
        if not verdict.graded:
            return 0
        return self.instances.get(verdict.instance, self.instance)

    def earned(self, verdict: Verdict) -> float:
        """Return the points for this verdict."""
        part = {"": 1, "stopped": 0}.get(verdict.way)
        if part is None:
            part = getattr(self, verdict.way)
        return round(self.worth(verdict) * part, 4)
