"""Why a cell holds its digit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from .._api import PuzzleLike, seconds
from ..engines import Backend
from ..errors import Disagreement
from ..formats import as_grid
from ..grid import Cell, CellLike, Grid
from ._explanation import Explanation
from ._questions import (
    all_houses,
    as_cell,
    cells_of_givens,
    indented,
    json_givens,
    json_grid,
    json_puzzle,
    no_solution,
    told,
)
from ._reason import Core, Question, asking, literals
from ._rules import CELLS, Demand, Grain, Placement, Rule, counted, rules, said

if TYPE_CHECKING:
    from ..draw import Picture
    from ..engines.clingo.rulebook import Reasons

__all__ = ["Forced", "Given", "Open", "why"]

FAR = 3
"""The greatest distance of a demand from what it may explain."""
MANY = 6
"""A picture with more houses than this highlights none."""


def why(
    puzzle: PuzzleLike,
    cell: CellLike,
    smallest: bool = False,
    grain: Grain = "rule",
    timeout: float | None = None,
) -> Given | Forced | Open:
    """Why this cell holds the digit that it holds in every solution.

    The answer is `Forced`: a set of rules and givens that forces the digit and has no redundant
    member. There may be several such sets, and which one is returned can depend on earlier calls.
    ``smallest=True`` returns one of minimum size; this can be slow. The grain of the rules is
    ``"rule"`` ("row 3 must hold a 5") or ``"house"`` ("row 3 holds every digit once"). If the cell
    is not forced, the answer is `Open`: two solutions that differ there. If the cell is a given,
    the answer is `Given`.

    `timeout` is in seconds. NoSolution if the puzzle has no solution, InvalidPuzzle if it has no
    such cell, SolveTimeout.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(why(puzzle, "r5c5"))
    r5c5 is 5, because:
      r5c5 must hold a digit
      row 5 holds 1, 3, 4 and 8 only once
      column 5 holds 2, 6, 7 and 9 only once
      r1c5 = 7, r2c5 = 9, r4c5 = 6, r5c1 = 4, r5c4 = 8, r5c6 = 3, r5c9 = 1 and r6c5 = 2 are given
    None of these 9 rules and 8 givens can be spared.
    """
    grid = as_grid(puzzle)
    where = as_cell(cell, grid)
    every_rule = rules(grid.layout, grain)
    given = grid[where]
    if given:
        return Given(grid, where, given)
    with asking(grid.layout, seconds(timeout)) as reasons:
        return reasons.run(lambda: _explained(reasons, grid, where, every_rule, smallest))


def _explained(
    reasons: Reasons,
    grid: Grid,
    cell: Cell,
    every_rule: list[Rule],
    smallest: bool,
) -> Forced | Open:
    known = literals(reasons, (*all_houses(grid.layout), *grid.givens))
    if reasons.refute(known) is not None:
        raise no_solution("nothing follows from it")
    solution = reasons.grid()
    target = Placement(*cell, solution[cell])
    opposite = ("lacks", *target)
    if reasons.refute([*known, *literals(reasons, [opposite])]) is None:
        return Open(grid, cell, (solution, reasons.grid()))
    sure = (opposite, CELLS) if every_rule[0][0] == "house" else (opposite,)
    demands = [*every_rule, *grid.givens]
    if smallest:
        core = Question(reasons, sure, demands).core(smallest=True)
    else:
        core = _near(reasons, sure, demands, distance(grid, target))
    assert core is not None  # as the solution is the only one there
    return Forced(grid, cell, target[2], core)


def distance(grid: Grid, target: Placement) -> Callable[[Demand], int]:
    """How far a rule or a given is from what decides about a placement: 0 to 3."""
    houses = [house for house in grid.houses if target[:2] in house.cells]
    names = {(house.kind, house.number) for house in houses}
    seen = {cell for house in houses for cell in house.cells}

    def far(demand: Demand) -> int:
        match demand:
            case ("filled" | "single", int(row), int(column)):
                return 0 if (row, column) in seen else 1
            case ("somewhere" | "once", kind, number, digit):
                if digit == target[2]:
                    return int((kind, number) not in names)
                # The other digits that a cell sees are thought of before their other places.
                return 2 if demand[0] == "once" and (kind, number) in names else FAR
            case (str(), kind, number):
                return int((kind, number) not in names)
            case (int(row), int(column), _):
                return 0 if (row, column) in seen else 1
        return FAR

    return far


def _near(
    reasons: Reasons, sure: tuple[Demand, ...], demands: list[Demand], far: Callable[[Demand], int]
) -> Core | None:
    """A core of what is near, as far as that goes: people find it small, and it is found soon."""
    demands = sorted(demands, key=far)
    for most in range(FAR):
        core = Question(reasons, sure, [d for d in demands if far(d) <= most]).minimal()
        if core:
            return core
    return Question(reasons, sure, demands).minimal()


@dataclass(frozen=True, slots=True)
class Given(Explanation):
    """A digit that needs no reason."""

    puzzle: Grid
    cell: Cell
    """Row and column, from 1."""
    digit: int
    rules: ClassVar[tuple[Rule, ...]] = ()
    """A given needs no rule."""
    smallest: ClassVar[bool] = True

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The given itself."""
        return (Placement(*self.cell, self.digit),)

    def __repr__(self) -> str:
        return f"<Given {told(self.givens)}>"

    def text(self) -> str:
        return f"{_name(self.cell)} is {self.digit} because it is given."

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": _name(self.cell),
            "answer": "given",
            "digit": self.digit,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        target = Highlight(self.text().rstrip("."), "target", (self.cell,))
        return Picture(
            self.puzzle, highlights=(target,), title=f"Why {_name(self.cell)} is {self.digit}"
        )

    def verify(self, backend: str | Backend = "clingo") -> None:
        found = self.puzzle[self.cell]
        if found != self.digit:
            raise Disagreement(self.puzzle, {"explanation": self.text(), "puzzle": found})


@dataclass(frozen=True, slots=True)
class Forced(Explanation):
    """Rules and givens that force a digit into a cell."""

    puzzle: Grid
    cell: Cell
    """Row and column, from 1."""
    digit: int
    core: Core
    """What contradicts that the cell holds another digit."""

    @property
    def rules(self) -> tuple[Rule, ...]:
        return self.core.rules

    @property
    def givens(self) -> tuple[Placement, ...]:
        return self.core.placements

    @property
    def smallest(self) -> bool:
        """True if no explanation has fewer rules and givens; none can be spared in any case."""
        return self.core.met is not None

    def __repr__(self) -> str:
        size = f"{counted(len(self.rules), 'rule')}, {counted(len(self.givens), 'given')}"
        return f"<Forced {_name(self.cell)} = {self.digit}: {size}>"

    def text(self) -> str:
        lines = [f"{_name(self.cell)} is {self.digit}, because:"]
        lines += [f"  {sentence}" for sentence in said(self.rules)]
        if self.givens:
            verb = "is" if len(self.givens) == 1 else "are"
            lines.append(f"  {told(self.givens)} {verb} given")
        return "\n".join([*lines, self._size()])

    def _size(self) -> str:
        sizes = [(len(self.rules), "rule"), (len(self.givens), "given")]
        these = " and ".join(counted(n, name) for n, name in sizes if n)
        if len(self.core.members) == 1:
            return "Nothing else is needed."
        if self.smallest:
            return f"No explanation has fewer rules and givens than these {these}."
        return f"None of these {these} can be spared."

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": _name(self.cell),
            "answer": "forced",
            "digit": self.digit,
            "rules": [{"rule": list(rule), "text": str(rule)} for rule in self.rules],
            "givens": json_givens(self.givens),
            "smallest": self.smallest,
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        digit = f"{_name(self.cell)} is {self.digit}"
        named = {rule[1:3] for rule in self.rules if rule[0] in ("somewhere", "house")}
        houses = [house for house in self.puzzle.houses if (house.kind, house.number) in named]
        highlights = [Highlight(digit, "target", (self.cell,))]
        if self.givens:
            reasons = cells_of_givens(self.givens)
            highlights.append(Highlight("givens that matter", "reason", reasons))
        if len(houses) <= MANY:
            highlights += [Highlight(str(house), "house", house.cells) for house in houses]
        grid = self.puzzle.with_(Placement(*self.cell, self.digit))
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=f"Why {digit}")

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks that the rules and givens force the digit, and that none can be spared.

        Of a smallest set also that every set that forces it has one of each of certain rules and
        givens, and that no fewer make one of each; the latter is counted by clingo.
        """
        self.core.verify(self.puzzle, backend)


@dataclass(frozen=True, slots=True)
class Open(Explanation):
    """A cell that is not forced: two solutions show it."""

    puzzle: Grid
    cell: Cell
    """Row and column, from 1."""
    solutions: tuple[Grid, Grid]

    digit: ClassVar[None] = None
    rules: ClassVar[tuple[Rule, ...]] = ()
    """No rules and givens force a digit here."""
    givens: ClassVar[tuple[Placement, ...]] = ()
    smallest: ClassVar[bool] = True

    @property
    def digits(self) -> tuple[int, int]:
        """What the solutions have there."""
        one, other = self.solutions
        return one[self.cell], other[self.cell]

    def __repr__(self) -> str:
        one, other = self.digits
        return f"<Open {_name(self.cell)}: {one} or {other}>"

    def text(self) -> str:
        one, other = self.digits
        lines = [
            f"{_name(self.cell)} is not forced: it is {one} in one solution and {other} in another."
        ]
        for solution in self.solutions:
            lines += ["", indented(solution.format("pretty"))]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("why", self.puzzle),
            "cell": _name(self.cell),
            "answer": "not forced",
            "digits": list(self.digits),
            "solutions": [json_grid(solution) for solution in self.solutions],
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        one, other = self.digits
        label = f"{_name(self.cell)} is {one} or {other}"
        here, there = self.solutions
        differing = [given for given in there.givens if given.digit != here[given.cell]]
        highlights = (
            Highlight(label, "target", (self.cell,)),
            Highlight("another solution", "difference", candidates=tuple(differing)),
        )
        return Picture(
            self.solutions[0], self.puzzle, highlights=highlights, title=f"{label}: not forced"
        )

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks, without an engine, that both are solutions and differ in the cell."""
        right = all(solution.is_solution_of(self.puzzle) for solution in self.solutions)
        if not right or len(set(self.digits)) < 2:
            raise Disagreement(self.puzzle, {"explanation": self.text(), "rules": "that is wrong"})


def _name(cell: Cell) -> str:
    return f"r{cell[0]}c{cell[1]}"
