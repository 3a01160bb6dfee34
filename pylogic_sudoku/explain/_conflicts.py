"""What is wrong with a puzzle without a solution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Any, ClassVar

from .._api import PuzzleLike
from .._demands import (
    SudokuRule,
    beyond,
    cells_in,
    exclusions,
    house_rules,
    in_words,
    listed,
    said,
    said_marks,
)
from ..engines import Backend
from ..engines.budget import Budget, Progress
from ..errors import Disagreement, counted
from ..formats import as_puzzle
from ..grid import Grid, Placement
from ..puzzle import Puzzle
from ._cores import Core, Question, asking, smaller
from ._explanation import (
    CoreExplanation,
    Explanation,
    grid_of,
    json_cells,
    json_placements,
    json_puzzle,
    json_rules,
    of_rules,
    shown,
)

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from ..draw import Picture
    from ..engines.clingo.rulebook import Reasons

__all__ = ["Clash", "Solvable", "conflicts"]


def conflicts(
    puzzle: PuzzleLike,
    smallest: bool = False,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Clash | Solvable:
    """Givens, marks and rules that no solution can obey together, with no redundant member.

    The rules are those beyond plain sudoku. If there are several such sets, one with fewer of these
    is preferred.

    ``smallest=True`` returns a set of minimum size; this can be slow. If time runs out, it returns
    the smallest set so far, whose text says what is known. `Clash.all` gives every set with no
    redundant member. If the puzzle has a solution, the answer is `Solvable`, with that solution.

    `timeout` is in seconds, over 0; None means no limit. `progress` is called with what is being
    done, in words, whenever that changes, perhaps in another thread. Raises InvalidPuzzle,
    SolveTimeout or BackendFailure, and ValueError or TypeError for an impossible timeout.

    >>> print(conflicts("1.....1....2.2.3", smallest=True))
    The puzzle has no solution, because these givens clash:
      r2c3 = 1, r3c4 = 2 and r4c4 = 3
    No fewer than these 3 givens clash.
    """
    asked = as_puzzle(puzzle)
    budget = Budget("clingo", timeout, progress)
    return budget.spend(lambda left: _answer(asked, smallest, budget, left))


def _answer(
    puzzle: Grid | Puzzle, smallest: bool, budget: Budget, limit: float | None
) -> Clash | Solvable:
    budget.turn_to("looking for a solution, or for a clash")
    with asking(puzzle.layout, limit) as reasons:
        core = reasons.run(_question(reasons, puzzle).core)
        if core is None:
            return Solvable(puzzle, reasons.grid())
        return Clash(puzzle, smaller(reasons, core, budget) if smallest else core)


def _question(reasons: Reasons, puzzle: Grid | Puzzle) -> Question:
    # Deletion begins with the last, so a clash of givens and marks alone is found first.
    maybe = (*puzzle.givens, *exclusions(puzzle), *beyond(puzzle.layout))
    return Question(reasons, house_rules(puzzle.layout), maybe)


def _clashes(
    puzzle: Grid | Puzzle, asked: AbstractContextManager[Reasons], budget: Budget
) -> Iterator[Clash]:
    with asked as reasons:
        cores = _question(reasons, puzzle).every_core()
        for number in count():
            budget.turn_to("looking for all clashes", f"({number} so far)")
            core = budget.spend(lambda _left: reasons.run(lambda: next(cores, None)))
            if core is None:
                return
            yield Clash(puzzle, core)


@dataclass(frozen=True, slots=True)
class Clash(CoreExplanation):
    """Givens, marks and rules that no solution can obey together."""

    puzzle: Grid | Puzzle
    core: Core
    solution: ClassVar[None] = None

    def kinds(self) -> list[str]:
        """What clashes: some of ``"givens"``, ``"marks"`` and ``"rules"``."""
        return CoreExplanation.kinds(self) + ["rules"] * bool(self.rules)

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every clash without a redundant member, once; `timeout` is in seconds.

        They are found as they are asked for, in no particular order.
        """
        budget = Budget("clingo", timeout)
        return _clashes(self.puzzle, asking(self.puzzle.layout, timeout), budget)

    def __repr__(self) -> str:
        return f"<Clash: {', '.join(self.core.counts()) or 'the rules alone'}>"

    def text(self) -> str:
        if not self.core.members:
            return "The puzzle has no solution whatever its givens: its regions allow no grid."
        number = len(self.core.members)
        kinds = self.kinds()
        these = str(number) if self.excluded or kinds[1:] else f"{number} {kinds[0]}"
        reason = f"these {listed(kinds)} clash"
        if number == 1:
            reason, claim = f"one {kinds[0][:-1]} alone rules it out", "Nothing else is needed."
        elif self.smallest:
            claim = f"No fewer than these {these} clash."
        else:
            claim = f"None of these {number} can be spared: without any one, the others can stand."
            claim += self.bound()
        return "\n".join(
            [
                f"The puzzle has no solution, because {reason}:",
                *([f"  {in_words(self.givens)}"] if self.givens else []),
                *(f"  {sentence}" for sentence in said_marks(self.excluded)),
                *(f"  {sentence}" for sentence in said(self.rules)),
                *(f"  {each}" for each in self._duplicates()),
                claim,
            ]
        )

    def _duplicates(self) -> Iterator[object]:
        cells = cells_in(self.givens)
        return (each for each in self.puzzle.duplicates() if set(each.cells) <= set(cells))

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "clash",
            "givens": json_placements(self.givens),
            "excluded": json_cells(self.excluded),
            "rules": json_rules(self.rules),
            "smallest": self.smallest,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        cells = cells_in((*self.givens, *self.excluded))
        kinds = [kind for kind in self.kinds() if kind != "rules"]
        label = f"{listed(kinds)} that clash"
        highlights = [Highlight(label, "conflict", cells)] if cells else []
        highlights += of_rules(self.rules)
        grid, title = grid_of(self.puzzle), "Why there is no solution"
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=title)


@dataclass(frozen=True, slots=True)
class Solvable(Explanation):
    """A puzzle in which nothing clashes, as a solution shows."""

    puzzle: Grid | Puzzle
    solution: Grid
    givens: ClassVar[tuple[Placement, ...]] = ()
    """No givens clash."""
    excluded: ClassVar[tuple[Placement, ...]] = ()
    """No marks clash."""
    rules: ClassVar[tuple[SudokuRule, ...]] = ()
    """No rules clash."""
    smallest: ClassVar[bool] = True

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every clash: there is none."""
        return iter(())

    def __repr__(self) -> str:
        return f"<Solvable: {counted(len(self.puzzle.givens), 'given')}, no clash>"

    def text(self) -> str:
        return f"{self.short()[:-1]}:\n{shown(self.solution, self.puzzle)}"

    def short(self) -> str:
        return "No givens clash, as a solution shows."

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "no clash",
            "solution": self.solution.to_json(),
        }

    def picture(self) -> Picture:
        from ..draw import Picture

        return Picture(self.solution, self.puzzle, title="No givens clash")

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check, without an engine, that it is a solution."""
        if not self.solution.is_solution_of(self.puzzle):
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})
