"""A digit that is forced by a set of rules and givens; and the steps that lead to it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._demands import CELLS, cells_in, in_words, listed, said, said_marks
from ..engines.budget import Progress
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
from ._way import way_to

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

    def steps(self, timeout: float | None = None, progress: Progress | None = None) -> Walk:
        """Those of `steps` on which the digit depends, for a set that is too large to read.

        Each shows the position to which those before it lead. Every call searches again. Arguments
        and errors are those of `steps`.
        """
        way = way_to(self.puzzle, self.cell, timeout, progress)
        assert way is not None  # as the digit is the same in every solution
        return way

    @property
    def refuted(self) -> Puzzle:
        """The puzzle with a mark that excludes the digit from the cell: it has no solution."""
        puzzle = self.puzzle if isinstance(self.puzzle, Puzzle) else Puzzle(self.puzzle)
        others = frozenset(range(1, puzzle.size + 1)) - {self.digit}
        return replace(puzzle, marks=(*puzzle.marks, Mark(self.cell, others)))

    def __repr__(self) -> str:
        return f"<Forced {self.cell} = {self.digit}: {', '.join(self.core.counts())}>"

    def text(self) -> str:
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
            "rules": json_rules(self.rules),
            "givens": json_placements(self.givens),
            "excluded": json_cells(self.excluded),
            "smallest": self.smallest,
            "least": self.least,
        }

    def picture(self) -> Picture:
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
