"""What every explanation can do: be read, be drawn, be checked."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..draw import Picture
    from ..engines import Backend
    from ..grid import Grid

__all__ = ["Explanation"]


class Explanation(ABC):
    """The answer to a question about a puzzle, with its reasons: a frozen value."""

    puzzle: Grid
    """What the question was about."""

    @abstractmethod
    def text(self) -> str:
        """The explanation as a person would tell it, without a final newline."""

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The explanation as numbers, texts, lists and dicts, ready for `json.dumps`."""

    @abstractmethod
    def picture(self) -> Picture:
        """The grid with all that matters highlighted."""

    @abstractmethod
    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks by an engine that the explanation is right; Disagreement if it is not."""

    def __str__(self) -> str:
        return self.text()
