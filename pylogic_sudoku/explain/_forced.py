"""A digit that is forced: by a set of rules and givens, and by the steps that lead to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._demands import CELLS, cells_in, in_words, listed, said, said_marks
from ..engines import Backend
from ..errors import counted
from ..grid import Cell, Grid, Placement
from ..puzzle import Mark, Puzzle
from ._cores import Core
from ._explanation import (
    CoreExplanation,
    grid_of,
    json_cells,
    json_placements,
    json_puzzle,
    json_rules,
    of_rules,
)
from ._walk import Walk
from ._way import check_way

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Forced"]

MANY = 6
"""A picture with more houses than this highlights none of them."""


@dataclass(frozen=True, slots=True)
class Forced(CoreExplanation):
    """Rules, givens and marks that force a digit into a cell."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    core: Core
    """What contradicts that the cell holds another digit: the set."""
    way: Walk | None = None
    """The steps of `steps` on which the digit depends, none of them redundant; None without them.

    Each shows the position to which those before it lead, and removes only what others need."""

    @property
    def refuted(self) -> Puzzle:
        """The puzzle with a mark that excludes the digit from the cell: it has no solution."""
        puzzle = self.puzzle if isinstance(self.puzzle, Puzzle) else Puzzle(self.puzzle)
        others = frozenset(range(1, puzzle.size + 1)) - {self.digit}
        return replace(puzzle, marks=(*puzzle.marks, Mark(self.cell, others)))

    def __repr__(self) -> str:
        return f"<Forced {self.cell} = {self.digit}: {', '.join(self.core.counts())}>"

    def text(self) -> str:
        if self.way is None:
            return self.set_text()
        steps = [f"{number:3}. {step}" for number, step in enumerate(self.way, 1)]
        return "\n".join([f"{self._head()}:", *steps, self._behind()])

    def short(self) -> str:
        return self.set_text() if self.way is None else f"{self._head()}."

    def _head(self) -> str:
        number = len(self.way or ())
        verb = "leads" if number == 1 else "lead"
        return f"{self.cell} is {self.digit}. {counted(number, 'step')} {verb} there"

    def _behind(self) -> str:
        return f"The digit follows from {listed(self.core.counts())}, none of which can be spared."

    def set_text(self) -> str:
        """The set in words; `text` is about the steps if there are any."""
        lines = [f"{self.cell} is {self.digit}, because:"]
        rules = self.rules if self.core.members else (CELLS,)
        lines += [f"  {sentence}" for sentence in (*said(rules), *said_marks(self.excluded))]
        if self.givens:
            verb = "is" if len(self.givens) == 1 else "are"
            lines.append(f"  {in_words(self.givens)} {verb} given")
        return "\n".join([*lines, self._size()])

    def _size(self) -> str:
        if len(self.core.members) <= 1:
            return "Nothing else is needed."
        claim = "No explanation needs fewer" if self.smallest else "None of these can be spared"
        return f"{claim}: {listed(self.core.counts())}.{self.bound()}"

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": str(self.cell),
            "answer": "forced",
            "digit": self.digit,
            "steps": None if self.way is None else [step.to_json() for step in self.way],
            "rules": json_rules(self.rules),
            "givens": json_placements(self.givens),
            "excluded": json_cells(self.excluded),
            "smallest": self.smallest,
            "least": self.least,
        }

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check the set and the steps: that each suffices, and that no member is redundant.

        For a smallest set, also check the proof: correction sets that every set must hit; clingo
        finds the size of their smallest hitting set.
        """
        CoreExplanation.verify(self, backend)
        if self.way is not None:
            check_way(self.puzzle, Placement(*self.cell, self.digit), self.way, backend)

    def picture(self) -> Picture:
        return self.set_picture() if self.way is None else self._way_picture()

    def _way_picture(self) -> Picture:
        """The digits that the steps fill in, and the candidates that they remove."""
        from ..draw import Highlight, Picture

        assert self.way is not None
        digit = f"{self.cell} is {self.digit}"
        *before, last = self.way
        removed = tuple(dict.fromkeys(each for step in before for each in step.removed))
        highlights = [Highlight(digit, "target", (self.cell,))]
        if cells := cells_in(step.placed for step in before if step.placed):
            highlights.append(Highlight("digits that come first", "reason", cells))
        if removed:
            highlights.append(Highlight("candidates that go first", "removed", (), removed))
        grid = last.grid.with_(Placement(*self.cell, self.digit))
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=f"Why {digit}")

    def set_picture(self) -> Picture:
        """The grid with the givens and houses of the set highlighted."""
        from ..draw import Highlight, Picture

        digit = f"{self.cell} is {self.digit}"
        named = {rule[1:3] for rule in self.rules if rule[0] in ("somewhere", "house")}
        houses = [house for house in self.puzzle.houses if (house.kind, house.number) in named]
        highlights = [Highlight(digit, "target", (self.cell,))]
        if cells := cells_in((*self.givens, *self.excluded)):
            label = f"{listed(self.kinds())} that matter"
            highlights.append(Highlight(label, "reason", cells))
        if len(houses) <= MANY:
            labels = [listed(houses), *[""] * len(houses)]  # they look alike in the legend
            highlights += [
                Highlight(label, "house", house.cells)
                for label, house in zip(labels, houses, strict=False)
            ]
        highlights += of_rules(self.rules)
        grid = grid_of(self.puzzle).with_(Placement(*self.cell, self.digit))
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=f"Why {digit}")
