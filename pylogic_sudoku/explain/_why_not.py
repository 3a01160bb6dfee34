"""What would have to go so that a cell could hold another digit."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._api import PuzzleLike, seconds
from ..engines import Backend
from ..errors import Disagreement
from ..formats import as_grid
from ..grid import Cell, CellLike, Grid
from ._explanation import Explanation
from ._questions import (
    all_houses,
    as_cell,
    as_digit,
    cells_of_givens,
    indented,
    json_givens,
    json_grid,
    json_puzzle,
    told,
)
from ._reason import Question, asking, clingo
from ._rules import Placement, counted

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Removal", "why_not"]


def why_not(
    puzzle: PuzzleLike, cell: CellLike, digit: int, timeout: float | None = None
) -> Removal:
    """The fewest givens that must go so that the cell can hold the digit, and a grid that shows it.

    None must go where some solution has the digit there. `Removal.all` has every other set of as
    few givens.

    >>> answer = why_not("4......3...13...", "r2c1", 2)
    >>> len(answer.givens), len(list(answer.all())), answer.witness.rows[1][0]
    (1, 3, 2)
    """
    grid = as_grid(puzzle)
    target = Placement(*as_cell(cell, grid), as_digit(digit, grid))
    return next(_removals(grid, target, seconds(timeout)))


def _removals(grid: Grid, target: Placement, timeout: float | None) -> Iterator[Removal]:
    with closing(clingo().removals(grid, target, timeout)) as found:
        for givens, witness in found:
            yield Removal(grid, target.cell, target.digit, givens, witness)


@dataclass(frozen=True, slots=True)
class Removal(Explanation):
    """Givens without which a cell can hold a digit: no set with fewer will do."""

    puzzle: Grid
    cell: Cell
    """Row and column, from 1."""
    digit: int
    givens: tuple[Placement, ...]
    """Those that must go."""
    witness: Grid
    """A full grid with the digit in the cell and all other givens."""

    def all(self, timeout: float | None = None) -> Iterator[Removal]:
        """Every set of as few givens, once, found as it is asked for."""
        return _removals(self.puzzle, Placement(*self.cell, self.digit), seconds(timeout))

    def __repr__(self) -> str:
        target = told([Placement(*self.cell, self.digit)])
        return f"<Removal for {target}: {counted(len(self.givens), 'given')}>"

    def text(self) -> str:
        row, column = self.cell
        what = f"r{row}c{column} can be {self.digit}"
        if not self.givens:
            first = f"{what}: no given has to go. A solution that shows it:"
        elif len(self.givens) == 1:
            first = f"{what} once {told(self.givens)} is no longer given. A grid that shows it:"
        else:
            first = (
                f"{what} once {told(self.givens)} are no longer given; with fewer than"
                f" {len(self.givens)} givens gone it cannot. A grid that shows it:"
            )
        return f"{first}\n{indented(self.witness.format('pretty'))}"

    def to_json(self) -> dict[str, Any]:
        row, column = self.cell
        return {
            **json_puzzle("why_not", self.puzzle),
            "cell": f"r{row}c{column}",
            "digit": self.digit,
            "remove": json_givens(self.givens),
            "witness": json_grid(self.witness),
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        row, column = self.cell
        label = f"r{row}c{column} = {self.digit}"
        highlights = [Highlight(label, "target", (self.cell,))]
        if self.givens:
            highlights.append(
                Highlight(
                    "givens that must go",
                    "removed",
                    cells_of_givens(self.givens),
                    self.givens,
                )
            )
        title = f"What {label} takes"
        return Picture(self.witness, self.puzzle, highlights=tuple(highlights), title=title)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks the witness, that all of the givens must go together, and that no fewer will do.

        The last by sets of givens that clash, one of each of which must go. They are found anew,
        which can take much longer than the answer; the engine checks that they clash, and how
        many givens make one of each is counted by clingo.
        """
        shown = self.witness[self.cell] == self.digit
        if not (shown and self.witness.is_solution_of(self.puzzle.without(*self.givens))):
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})
        target = Placement(*self.cell, self.digit)
        with asking(self.puzzle.layout, None) as reasons:
            question = Question(
                reasons, (*all_houses(self.puzzle.layout), target), self.puzzle.givens
            )
            proof = reasons.run(question.remedy)
        assert proof is not None  # the witness is a grid with the digit there
        replace(proof, members=self.givens).verify(self.puzzle, backend)
