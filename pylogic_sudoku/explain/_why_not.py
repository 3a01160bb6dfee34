"""What would have to go so that a cell could hold another digit."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from .._api import PuzzleLike
from .._demands import (
    CELLS,
    all_rules,
    as_cell,
    as_digit,
    exclusions,
    in_words,
    rules,
    said,
    said_marks,
)
from ..engines import Backend
from ..engines.budget import Budget, Progress
from ..errors import Disagreement, NoSolution, SolveTimeout, counted
from ..formats import as_puzzle
from ..grid import Cell, CellLike, Grid, Placement
from ..puzzle import Puzzle
from ._cores import Core, Question, asking, clingo
from ._explanation import (
    Explanation,
    json_placements,
    json_puzzle,
    shown,
)
from ._near import distance, nearest

if TYPE_CHECKING:
    from ..draw import Picture
    from ..engines.clingo.program import Removed

__all__ = ["Removal", "why_not"]


def why_not(
    puzzle: PuzzleLike,
    cell: CellLike,
    digit: int,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Removal:
    """The fewest givens that must go so that the cell can hold the digit, and a grid that shows it.

    If a solution has the digit there, no given must go. Regions, marks and rules stay.
    `Removal.all` gives every set of minimum size.

    `timeout` is in seconds, over 0; None means no limit. `progress` is called with what is being
    done, in words, whenever that changes. Raises NoSolution if regions, marks or rules exclude the
    digit whichever givens go, and names them; InvalidPuzzle if the puzzle has no such cell or
    digit, SolveTimeout or BackendFailure, and ValueError or TypeError for an impossible timeout.

    >>> answer = why_not("4......3...13...", "r2c1", 2)
    >>> len(answer.givens), len(list(answer.all())), answer.witness.rows[1][0]
    (1, 3, 2)
    """
    asked = as_puzzle(puzzle)
    target = Placement(*as_cell(cell, asked), as_digit(digit, asked))
    budget = Budget("clingo", timeout, progress)
    with closing(_removals(asked, target, budget)) as found:
        for removal in found:
            return removal
    reason = "its mark excludes it"
    if target not in asked.excluded:
        budget.turn_to("looking for the rules that exclude it")
        try:
            core = budget.spend(lambda left: excluding(asked, target, left))
            reason = "; ".join((*said(core.rules), *said_marks(core.excluded)))
        except SolveTimeout:
            reason = "no grid obeys the rest"
    raise NoSolution(f"{target.cell} cannot be {digit} whichever givens go: {reason}")


def excluding(puzzle: Grid | Puzzle, target: Placement, timeout: float | None) -> Core:
    """Rules and marks that exclude a placement whichever givens go, none of them redundant."""
    sure = (CELLS, target)
    demands = [*rules(puzzle.layout, "house"), *exclusions(puzzle)]
    with asking(puzzle.layout, timeout) as reasons:
        core = reasons.run(lambda: nearest(reasons, sure, demands, distance(puzzle, target)))
    assert core is not None  # as no grid has the digit there
    return core


def _removals(puzzle: Grid | Puzzle, target: Placement, budget: Budget) -> Generator[Removal]:
    several = clingo().removals(puzzle, target, budget.seconds)
    return _removal_of_each(several, puzzle, target, budget)


def _removal_of_each(
    several: Generator[Removed], puzzle: Grid | Puzzle, target: Placement, budget: Budget
) -> Generator[Removal]:
    budget.turn_to(f"looking for the fewest givens that must go for {in_words([target])}")
    with closing(several) as found:
        while removed := budget.spend(lambda _left: next(found, None)):
            givens, witness = removed
            yield Removal(puzzle, target.cell, target.digit, givens, witness)


@dataclass(frozen=True, slots=True)
class Removal(Explanation):
    """Givens without which a cell can hold a digit: no smaller set will do."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    givens: tuple[Placement, ...]
    """Those that must go."""
    witness: Grid
    """A full grid with the digit in the cell and all other givens."""

    @property
    def target(self) -> Placement:
        """What was asked for: the digit in the cell."""
        return Placement(*self.cell, self.digit)

    def all(self, timeout: float | None = None) -> Iterator[Removal]:
        """Every set of minimum size, once, found as it is asked for; `timeout` is in seconds."""
        return _removals(self.puzzle, self.target, Budget("clingo", timeout))

    def __repr__(self) -> str:
        return f"<Removal for {in_words([self.target])}: {counted(len(self.givens), 'given')}>"

    def text(self) -> str:
        what = "grid" if self.givens else "solution"
        return f"{self.short()} A {what} that shows it:\n{shown(self.witness, self.puzzle)}"

    def short(self) -> str:
        what = f"{self.cell} can be {self.digit}"
        if not self.givens:
            return f"{what}: no given has to go."
        if len(self.givens) == 1:
            return f"{what} if {in_words(self.givens)} is removed."
        return (
            f"{what} if {in_words(self.givens)} are removed; removing fewer givens is not enough."
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why_not", self.puzzle),
            "cell": str(self.cell),
            "digit": self.digit,
            "remove": json_placements(self.givens),
            "witness": self.witness.to_json(),
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        label = in_words([self.target])
        highlights = [Highlight(label, "target", (self.cell,))]
        if self.givens:
            # They stand beside the digits that the grid has there now.
            highlights.append(Highlight("givens that must go", "removed", (), self.givens))
        title = f"What {label} takes"
        return Picture(self.witness, self.puzzle, highlights=tuple(highlights), title=title)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check the witness, that all of the givens must go together, and that no fewer will do.

        The last claim rests on sets of givens that clash: at least one given of each must go.
        Finding these sets can take much longer than the answer took. The engine checks that they
        clash; clingo finds the size of their smallest hitting set.
        """
        held = self.witness[self.cell] == self.digit
        if not (held and self.witness.is_solution_of(self.puzzle.without(*self.givens))):
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})
        sure = (*all_rules(self.puzzle.layout), *exclusions(self.puzzle), self.target)
        with asking(self.puzzle.layout, None) as reasons:
            question = Question(reasons, sure, self.puzzle.givens)
            proof = reasons.run(question.smallest_remedy)
        assert proof is not None  # the witness is a grid with the digit there
        replace(proof, members=self.givens).verify(self.puzzle, backend)
