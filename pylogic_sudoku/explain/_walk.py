"""Steps as a list through which one can walk: every line with its picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import counted
from ..techniques._words import gone
from ._step import Step
from ._steps import Rating, rated

__all__ = ["Walk", "line"]


def line(step: Step) -> str:
    """What the step does, in a few words: ``XY-wing: removes 2 from r3c7 and r3c9``."""
    done = str(step.placed) if step.placed else f"removes {gone(step)}"
    return f"{step.technique}: {done}"


@dataclass(frozen=True, slots=True)
class Walk(Sequence[Step]):
    """Steps in order. A notebook shows them as a list, with the picture of the chosen step."""

    steps: tuple[Step, ...]
    outcome: str
    """How far they lead, in a sentence."""
    solved: bool
    """True if every cell is filled in after them."""

    def __len__(self) -> int:
        return len(self.steps)

    def __getitem__(self, index: Any) -> Any:
        return self.steps[index]

    @property
    def rating(self) -> Rating | None:
        """The rating of the position from which they start; None if they do not solve it."""
        return (
            rated(self.steps, self.steps[0].scale if self.steps else "hodoku")
            if self.solved
            else None
        )

    @property
    def head(self) -> str:
        """How many steps there are, and how hard they are."""
        return f"{counted(len(self), 'step')}{f': {self.rating}' if self.solved else ''}"

    def __repr__(self) -> str:
        return f"<Walk: {self.head}>"

    def __str__(self) -> str:
        lines = (f"{number}. {line(step)}" for number, step in enumerate(self, 1))
        return "\n".join((self.head, *lines, self.outcome))

    def to_html(self) -> str:
        """A part of an HTML page: the list, and the picture of its chosen line.

        It has no scripts, so it works in an exported notebook too.
        """
        from ..draw._pages import Shown, walk

        shown = [Shown(line(step), step.text(), step.picture()) for step in self]
        return walk(shown, f"{self.head}. {self.outcome}")

    def _repr_html_(self) -> str:
        return self.to_html()
