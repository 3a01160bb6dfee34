"""Why a cell holds its digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from .._api import PuzzleLike
from .._demands import (
    CELLS,
    Demand,
    Grain,
    SudokuRule,
    all_rules,
    anyway,
    as_cell,
    cells_in,
    exclusions,
    in_words,
    listed,
    rules,
    said,
    said_marks,
)
from ..engines import Backend
from ..errors import Disagreement
from ..formats import as_puzzle
from ..grid import Cell, CellLike, Grid, Placement
from ..puzzle import Mark, Puzzle
from ._cores import Core, Question, asking, literals
from ._explanation import (
    CoreExplanation,
    Explanation,
    grid_of,
    json_cells,
    json_placements,
    json_puzzle,
    json_rules,
    no_solution,
    of_rules,
    shown,
)

if TYPE_CHECKING:
    from ..draw import Picture
    from ..engines.clingo.rulebook import Reasons
    from ..proofs import Certificate

__all__ = ["Forced", "Given", "Open", "why"]

FAR = 3
"""The greatest distance of a demand from what it may explain."""
MANY = 6
"""A picture with more houses than this highlights none of them."""


def why(
    puzzle: PuzzleLike,
    cell: CellLike,
    smallest: bool = False,
    grain: Grain = "rule",
    timeout: float | None = None,
) -> Given | Forced | Open:
    """Why this cell holds the digit that it holds in every solution.

    The answer is `Forced`: a set of rules, givens and marks that forces the digit and has no
    redundant member. There may be several such sets, and which one is returned can depend on
    earlier calls. ``smallest=True`` returns one of minimum size; this can be slow. The grain of the
    rules is ``"rule"`` ("row 3 must hold a 5") or ``"house"`` ("row 3 holds every digit once"). A
    rule beyond plain sudoku, such as a cage, is one rule at both; then it is taken for granted that
    every cell holds one digit. If
    the cell is not forced, the answer is `Open`: two solutions that differ there. If the cell is a
    given, the answer is `Given`.

    `timeout` is in seconds, over 0; None means no limit. Raises NoSolution if the puzzle has no
    solution, InvalidPuzzle if it has no such cell, SolveTimeout or BackendFailure, and ValueError
    or TypeError for an unknown grain or an impossible timeout.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(why(puzzle, "r5c5"))
    r5c5 is 5, because:
      r5c5 must hold a digit
      row 5 holds 1, 3, 4 and 8 only once
      column 5 holds 2, 6, 7 and 9 only once
      r1c5 = 7, r2c5 = 9, r4c5 = 6, r5c1 = 4, r5c4 = 8, r5c6 = 3, r5c9 = 1 and r6c5 = 2 are given
    None of these can be spared: 9 rules and 8 givens.
    """
    asked = as_puzzle(puzzle)
    where = as_cell(cell, asked)
    every_rule = rules(asked.layout, grain)
    given = asked[where]
    if given:
        return Given(asked, where, given)
    with asking(asked.layout, timeout) as reasons:
        granted = anyway(asked.layout, grain)
        return reasons.run(lambda: _explained(reasons, asked, where, granted, every_rule, smallest))


def _explained(
    reasons: Reasons,
    puzzle: Grid | Puzzle,
    cell: Cell,
    granted: tuple[SudokuRule, ...],
    every_rule: list[SudokuRule],
    smallest: bool,
) -> Forced | Open:
    facts = (*puzzle.givens, *exclusions(puzzle))
    known = literals(reasons, (*all_rules(puzzle.layout), *facts))
    if reasons.refute(known) is not None:
        raise no_solution("nothing follows from it")
    solution = reasons.grid()
    target = Placement(*cell, solution[cell])
    opposite = ("excluded", *target)
    if reasons.refute([*known, *literals(reasons, [opposite])]) is None:
        return Open(puzzle, cell, (solution, reasons.grid()))
    sure = (opposite, *granted)
    demands = [*every_rule, *facts]
    if smallest:
        core = Question(reasons, sure, demands).core(smallest=True)
    else:
        core = nearest(reasons, sure, demands, distance(puzzle, target))
    assert core is not None  # as the solution is the only one there
    return Forced(puzzle, cell, target.digit, core)


def distance(puzzle: Grid | Puzzle, target: Placement) -> Callable[[Demand], int]:
    """How far a demand is from what decides about a placement: 0 to 3."""
    houses = [house for house in puzzle.houses if target.cell in house.cells]
    names = {(house.kind, house.number) for house in houses}
    seen = {cell for house in houses for cell in house.cells}

    def far(demand: Demand) -> int:
        match demand:
            case ("filled" | "single", int(row), int(column)):
                return 0 if (row, column) in seen else 1
            case ("excluded", int(row), int(column), _):
                return 0 if (row, column) in seen else 1
            case ("rule", rule):
                cells = set(rule.cells_used())
                return 0 if target.cell in cells else 1 if cells & seen or not cells else 2
            case ("somewhere" | "once", kind, number, digit):
                if digit == target.digit:
                    return int((kind, number) not in names)
                # The digits that the cell sees come before where else these digits could go.
                return 2 if demand[0] == "once" and (kind, number) in names else FAR
            case (str(), kind, number):
                return int((kind, number) not in names)
            case (int(row), int(column), _):
                return 0 if (row, column) in seen else 1
        return FAR

    return far


def nearest(
    reasons: Reasons, sure: tuple[Demand, ...], demands: list[Demand], far: Callable[[Demand], int]
) -> Core | None:
    """A core of nearby demands if there is one: such cores are short, and found quickly."""
    demands = sorted(demands, key=far)
    for most in range(FAR):
        core = Question(reasons, sure, [d for d in demands if far(d) <= most]).core()
        if core:
            return core
    return Question(reasons, sure, demands).core()


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
class Forced(CoreExplanation):
    """Rules, givens and marks that force a digit into a cell."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    core: Core
    """What contradicts that the cell holds another digit."""

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
        return f"{claim}: {listed(self.core.counts())}."

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
        }

    def picture(self) -> Picture:
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

    def text(self) -> str:
        one, other = self.digits
        lines = [f"{self.cell} is not forced: it is {one} in one solution and {other} in another."]
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
