"""Steps as a list, and how hard they are together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from ..errors import counted
from ..techniques._table import BY_NAME, LEVELS, level_of
from ..techniques.sentences import gone
from ._step import Step

if TYPE_CHECKING:
    from ..draw._pages import Shown

__all__ = ["SOLVED", "Rating", "Walk", "line", "rated", "shown"]

SOLVED = "The puzzle is solved."
"""The outcome of steps that fill in every cell."""


@dataclass(frozen=True, slots=True)
class Rating:
    """How hard a puzzle is."""

    level: str
    """Easy, medium, hard, unfair or extreme."""
    number: int
    """The sum of the weights of the steps."""
    hardest: str | None
    """The technique of the step with the greatest weight; None if there is no step."""
    techniques: dict[str, int] = field(hash=False)
    """How many steps each technique takes, the easiest technique first."""

    def __repr__(self) -> str:
        return f"<Rating: {self}>"

    def __str__(self) -> str:
        return f"{self.level} ({self.number}{f', {self.hardest}' if self.hardest else ''})"


def rated(taken: Sequence[tuple[str, int]]) -> Rating:
    """The rating of a puzzle that steps by these techniques, each with its weight, solve."""
    used = Counter(name for name, _ in taken)
    number = sum(weight for _, weight in taken)
    hardest = max(taken, key=itemgetter(1))[0] if taken else None
    names = list(LEVELS)
    least = max((names.index(level_of(BY_NAME[name], weight)) for name, weight in taken), default=0)
    level = next(name for name in names[least:] if number <= LEVELS[name])
    return Rating(level, number, hardest, {name: used[name] for name in BY_NAME if name in used})


def line(step: Step, width: int = 0) -> str:
    """What the step does, in a few words: ``XY-wing: removes 2 from r3c7 and r3c9``.

    The technique and its colon take at least `width` characters.
    """
    done = str(step.placed) if step.placed else f"removes {gone(step)}"
    return f"{f'{step.technique}:':{width}} {done}"


def shown(step: Step) -> Shown:
    """The step as one of several on an HTML page, with its level and its weight."""
    from ..draw._pages import Shown

    return Shown(line(step), step.text(), step.picture(), f"{step.level}, {step.weight}")


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
        return rated([step.weighed for step in self.steps]) if self.solved else None

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
        from ..draw._pages import walk

        return walk([shown(step) for step in self], f"{self.head}. {self.outcome}")

    def _repr_html_(self) -> str:
        return self.to_html()
