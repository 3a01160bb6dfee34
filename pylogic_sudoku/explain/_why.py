"""Why a cell holds its digit."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from .._api import PuzzleLike
from .._demands import Grain, SudokuRule, all_rules, anyway, as_cell, exclusions, in_words, rules
from ..engines import Backend
from ..engines.budget import Budget, Progress
from ..errors import Disagreement
from ..formats import as_puzzle
from ..grid import Cell, CellLike, Grid, Placement
from ..puzzle import Puzzle
from ._cores import asking, literals, smaller
from ._explanation import Explanation, grid_of, json_puzzle, no_solution, shown
from ._forced import Forced
from ._near import distance, nearest

if TYPE_CHECKING:
    from ..draw import Picture
    from ..engines.clingo.rulebook import Reasons
    from ..proofs import Certificate

__all__ = ["Given", "Open", "why"]


def why(
    puzzle: PuzzleLike,
    cell: CellLike,
    smallest: bool = False,
    grain: Grain = "rule",
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Given | Forced | Open:
    """Why this cell holds the digit that it holds in every solution.

    The answer is `Forced`: a set of rules, givens and marks that forces the digit and has no
    redundant member. There may be several such sets, and which one is returned can depend on
    earlier calls. If the set is too large to read, `Forced.steps` finds the steps of a person that
    lead to the digit. If the cell is not forced, the answer is `Open`: two solutions that differ
    there. If the cell is a given, the answer is `Given`.

    ``smallest=True`` returns a set of minimum size; this can be slow. If time runs out, it returns
    the smallest set so far, whose text says what is known. The grain of the rules is ``"rule"``
    ("row 3 must hold a 5") or ``"house"`` ("row 3 holds every digit once"). A rule beyond plain
    sudoku, such as a cage, is one rule at both; then it is taken for granted that every cell holds
    one digit.

    `timeout` is in seconds, over 0, for all together; None means no limit. `progress` is called
    with what is being done, in words, whenever that changes, perhaps in another thread. Raises
    NoSolution if the puzzle has no solution, InvalidPuzzle if it has no such cell, SolveTimeout or
    BackendFailure, and ValueError or TypeError for an unknown grain or an impossible timeout.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(why(puzzle, "r5c5"))
    r5c5 is 5, because:
      r5c5 must hold a digit
      row 5 holds 1, 3, 4 and 8 only once
      column 5 holds 2, 6, 7 and 9 only once
      r1c5 = 7, r2c5 = 9, r4c5 = 6, r5c1 = 4, r5c4 = 8, r5c6 = 3, r5c9 = 1 and r6c5 = 2 are given
    None of these can be spared: 9 rules and 8 givens.
    >>> for step in why(puzzle, "r1c7").steps():
    ...     print(step)
    Column 8 must hold a 1, and r1c8 is the only cell left for it.
    Row 1 must hold a 9, and r1c7 is the only cell left for it.
    """
    asked = as_puzzle(puzzle)
    where = as_cell(cell, asked)
    rules(asked.layout, grain)  # ValueError for another grain
    given = asked[where]
    if given:
        return Given(asked, where, given)
    budget = Budget("clingo", timeout, progress)
    return budget.spend(lambda left: _forced(asked, where, grain, smallest, budget, left))


def _forced(
    puzzle: Grid | Puzzle,
    cell: Cell,
    grain: Grain,
    smallest: bool,
    budget: Budget,
    limit: float | None,
) -> Forced | Open:
    """The answer for an empty cell."""
    with asking(puzzle.layout, limit) as reasons:
        answer = reasons.run(lambda: _explained(reasons, puzzle, cell, grain, budget))
        if smallest and isinstance(answer, Forced):
            answer = replace(answer, core=smaller(reasons, answer.core, budget))
    return answer


def _explained(
    reasons: Reasons, puzzle: Grid | Puzzle, cell: Cell, grain: Grain, budget: Budget
) -> Forced | Open:
    facts = (*puzzle.givens, *exclusions(puzzle))
    known = literals(reasons, (*all_rules(puzzle.layout), *facts))
    budget.turn_to("looking for a solution")
    if reasons.refute(known) is not None:
        raise no_solution("nothing follows from it")
    solution = reasons.grid()
    target = Placement(*cell, solution[cell])
    opposite = ("excluded", *target)
    budget.turn_to("looking for another solution")
    if reasons.refute([*known, *literals(reasons, [opposite])]) is None:
        return Open(puzzle, cell, (solution, reasons.grid()))
    budget.turn_to(f"looking for rules and givens that force {in_words([target])}")
    sure = (opposite, *anyway(puzzle.layout, grain))
    demands = [*rules(puzzle.layout, grain), *facts]
    core = nearest(reasons, sure, demands, distance(puzzle, target))
    assert core is not None  # as the solution is the only one there
    return Forced(puzzle, cell, target.digit, replace(core, maybe=tuple(demands)))


@dataclass(frozen=True, slots=True)
class Given(Explanation):
    """A digit that needs no reason."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    rules: ClassVar[tuple[SudokuRule, ...]] = ()
    """A given needs no rule."""
    excluded: ClassVar[tuple[Placement, ...]] = ()
    """A given needs no mark."""
    smallest: ClassVar[bool] = True

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The given itself."""
        return (Placement(*self.cell, self.digit),)

    def __repr__(self) -> str:
        return f"<Given {in_words(self.givens)}>"

    def text(self) -> str:
        return f"{self.cell} is {self.digit} because it is given."

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": str(self.cell),
            "answer": "given",
            "digit": self.digit,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        target = Highlight(self.text().rstrip("."), "target", (self.cell,))
        title = f"Why {self.cell} is {self.digit}"
        return Picture(grid_of(self.puzzle), self.puzzle, highlights=(target,), title=title)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check, without an engine, that the puzzle has the given."""
        found = self.puzzle[self.cell]
        if found != self.digit:
            raise Disagreement(self.puzzle, {"explanation": self.text(), "puzzle": found})


@dataclass(frozen=True, slots=True)
class Open(Explanation):
    """A cell that is not forced: two solutions show it."""

    puzzle: Grid | Puzzle
    cell: Cell
    solutions: tuple[Grid, Grid]

    digit: ClassVar[None] = None
    rules: ClassVar[tuple[SudokuRule, ...]] = ()
    """Nothing forces a digit here."""
    givens: ClassVar[tuple[Placement, ...]] = ()
    excluded: ClassVar[tuple[Placement, ...]] = ()
    smallest: ClassVar[bool] = True

    @property
    def digits(self) -> tuple[int, int]:
        """The digits of the two solutions in the cell."""
        one, other = self.solutions
        return one[self.cell], other[self.cell]

    def __repr__(self) -> str:
        one, other = self.digits
        return f"<Open {self.cell}: {one} or {other}>"

    def short(self) -> str:
        one, other = self.digits
        return f"{self.cell} is not forced: it is {one} in one solution and {other} in another."

    def text(self) -> str:
        lines = [self.short()]
        for solution in self.solutions:
            lines += ["", shown(solution, self.puzzle)]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": str(self.cell),
            "answer": "not forced",
            "digits": list(self.digits),
            "solutions": [solution.to_json() for solution in self.solutions],
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        one, other = self.digits
        label = f"{self.cell} is {one} or {other}"
        here, there = self.solutions
        differing = tuple(given for given in there.givens if given.digit != here[given.cell])
        highlights = (
            Highlight(label, "target", (self.cell,)),
            Highlight("another solution", "difference", candidates=differing),
        )
        return Picture(
            self.solutions[0], self.puzzle, highlights=highlights, title=f"{label}: not forced"
        )

    def certificate(
        self, backend: str | Backend = "clingo", timeout: float | None = None
    ) -> Certificate:
        """The two solutions as a `Certificate` that there are several; it needs no engine."""
        from ..proofs import Certificate

        return Certificate(self.puzzle, self.solutions, (), "pylogic_sudoku.why")

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check, without an engine, that both are solutions and differ in the cell."""
        right = all(solution.is_solution_of(self.puzzle) for solution in self.solutions)
        if not right or len(set(self.digits)) < 2:
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})
