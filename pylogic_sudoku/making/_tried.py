"""What was tried for a puzzle, for the message that says that there is none."""

from __future__ import annotations

from collections import Counter

from ..errors import NotGenerated, counted

__all__ = ["Tried"]


class Tried:
    """The puzzles that were not what was asked for, and why."""

    def __init__(self) -> None:
        self.number = 0
        """Full grids that were dug."""
        self._reasons: Counter[str] = Counter()
        self._nearest: dict[str, tuple[int, int]] = {}

    def note(self, reason: str) -> None:
        """A puzzle was rejected for a reason such as ``"easy"``."""
        self._reasons[reason] += 1

    def near(self, name: str, value: int, wanted: tuple[int, int]) -> None:
        """A puzzle had a number that is out of range; the nearest one is kept."""
        least, most = wanted
        self.note(f"with {'too few' if value < least else 'too many'} {name}")
        off = max(least - value, value - most)
        self._nearest[name] = min(self._nearest.get(name, (off, value)), (off, value))

    def error(self, limit: str) -> NotGenerated:
        """The error that says so; `limit` names the bound that ended it."""
        said = [f"{number} {reason}" for reason, number in self._reasons.most_common()]
        said += [f"the nearest had {value} {name}" for name, (_, value) in self._nearest.items()]
        more = f" ({', '.join(said)})" if said else ""
        tried = counted(self.number, "puzzle")
        return NotGenerated(
            f"no puzzle was found that is what was asked for: {tried} tried within {limit}{more}"
        )
