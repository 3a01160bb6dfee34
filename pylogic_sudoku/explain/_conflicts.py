"""What is wrong with a puzzle without a solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from .._api import PuzzleLike, seconds
from ..engines import Backend
from ..errors import Disagreement
from ..formats import as_grid
from ..grid import Grid
from ._explanation import Explanation
from ._questions import (
    all_houses,
    cells_of_givens,
    indented,
    json_givens,
    json_grid,
    json_puzzle,
    told,
)
from ._reason import Core, Question, asking
from ._rules import Placement, counted

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Clash", "Solvable", "conflicts"]


def conflicts(
    puzzle: PuzzleLike, smallest: bool = False, timeout: float | None = None
) -> Clash | Solvable:
    """Givens that no solution can have together, none of which can be spared for that.

    `smallest` for as few as can be. `Clash.all` has every such set. Of a puzzle that has a
    solution it is that solution.

    >>> print(conflicts("1.....1....2.2.3", smallest=True))
    The puzzle has no solution, because these givens clash:
      r2c3 = 1, r3c4 = 2 and r4c4 = 3
    No fewer than these 3 givens clash.
    """
    grid = as_grid(puzzle)
    with asking(grid.layout, seconds(timeout)) as reasons:
        question = Question(reasons, all_houses(grid.layout), grid.givens)
        core = reasons.run(lambda: question.core(smallest))
        return Solvable(grid, reasons.grid()) if core is None else Clash(grid, core)


@dataclass(frozen=True, slots=True)
class Clash(Explanation):
    """Givens that no solution can have together."""

    puzzle: Grid
    core: Core
    solution: ClassVar[None] = None

    @property
    def givens(self) -> tuple[Placement, ...]:
        return self.core.placements

    @property
    def smallest(self) -> bool:
        """True if no fewer givens clash; none can be spared in any case."""
        return self.core.met is not None

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every set of givens that clash and none of which can be spared, once.

        They are found as they are asked for, in no particular order.
        """
        return _clashes(self.puzzle, seconds(timeout))

    def __repr__(self) -> str:
        return f"<Clash: {counted(len(self.givens), 'given')}>"

    def text(self) -> str:
        number = len(self.givens)
        claim = (
            f"No fewer than these {number} givens clash."
            if self.smallest
            else f"None of these {number} can be spared: without any of them the others can stand."
        )
        return "\n".join(
            [
                "The puzzle has no solution, because these givens clash:",
                f"  {told(self.givens)}",
                *(f"  {each}" for each in self._alone().duplicates()),
                claim,
            ]
        )

    def _alone(self) -> Grid:
        """The puzzle with these givens only."""
        return Grid.of((), self.puzzle.box).with_(*self.givens)

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "clash",
            "givens": json_givens(self.givens),
            "smallest": self.smallest,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        cells = cells_of_givens(self.givens)
        clash = Highlight("givens that clash", "conflict", cells)
        return Picture(self.puzzle, highlights=(clash,), title="Why there is no solution")

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks that the givens clash and that none can be spared.

        Of a smallest set also that every clash has one of each of certain sets of givens, and
        that no fewer make one of each; the latter is counted by clingo.
        """
        self.core.verify(self.puzzle, backend)


@dataclass(frozen=True, slots=True)
class Solvable(Explanation):
    """A puzzle in which nothing clashes, as a solution shows."""

    puzzle: Grid
    solution: Grid
    givens: ClassVar[tuple[Placement, ...]] = ()
    """No givens clash."""
    smallest: ClassVar[bool] = True

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every set of givens that clash: there are none."""
        return iter(())

    def __repr__(self) -> str:
        return f"<Solvable: {counted(len(self.puzzle.givens), 'given')}, no clash>"

    def text(self) -> str:
        return f"No givens clash, as a solution shows:\n{indented(self.solution.format('pretty'))}"

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "no clash",
            "solution": json_grid(self.solution),
        }

    def picture(self) -> Picture:
        from ..draw import Picture

        return Picture(self.solution, self.puzzle, title="No givens clash")

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks, without an engine, that it is a solution."""
        if not self.solution.is_solution_of(self.puzzle):
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})


def _clashes(grid: Grid, timeout: float | None) -> Iterator[Clash]:
    with asking(grid.layout, timeout) as reasons:
        cores = Question(reasons, all_houses(grid.layout), grid.givens).every_minimal()
        while core := reasons.run(lambda: next(cores, None)):
            yield Clash(grid, core)
