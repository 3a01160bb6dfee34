"""Explanations of the digit of a cell, and of what would have to change for it to hold another."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from ..draw import Highlight, Picture
from ..engines.sudoku import SudokuEngine, get
from ..errors import NoSolution, SolveTimeout, listed
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Mark, Puzzle
from ..puzzle.cells import Cell, CellLike, Placement
from ..rules.demands import (
    CELLS,
    Demand,
    Detail,
    all_rules,
    as_cell,
    as_digit,
    cells_in,
    exclusions,
    hard_rules,
    in_words,
    mark_sentences,
    rules,
    sentences,
)
from ..running.workers import Budget, Progress
from .answer import (
    Explanation,
    Mus,
    MusExplanation,
    Witnessed,
    fewest,
    json_placements,
    json_puzzle,
    no_solution,
    rule_highlights,
)
from .mus import MusSearch, shrink

if TYPE_CHECKING:
    from ..engines.sudoku.clingo import ClingoBackend
    from ..engines.sudoku.rulebook import DemandSolver


def why(
    puzzle: PuzzleLike,
    cell: CellLike,
    smallest: bool = False,
    detail: Detail = "rule",
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Given | Forced | Open:
    """Explain why this cell holds the digit that it holds in every solution.

    The answer is `Forced`: a set of rules, givens and marks that forces the digit and has no
    redundant member. There may be several such sets, and which one is returned can depend on
    earlier calls. If the set is too large to read, `steps_to` finds the steps of a person that lead
    to the digit. If the cell is not forced, the answer is `Open`: two solutions that differ there.
    If the cell is a given, the answer is `Given`.

    A rule beyond plain sudoku, such as a cage, is one rule whatever the `detail`; then it is taken
    for granted that every cell holds one digit.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        cell: A name such as ``"r3c2"``, a `Cell`, or row and column, each from 1.
        smallest: True for a set of minimum size, which can be slow. If time runs out, the answer is
            the smallest set so far, whose text says what is known.
        detail: The size of the rules: ``"rule"`` ("row 3 must hold a 5") or ``"house"`` ("row 3
            holds every digit once").
        timeout: In seconds, over 0, for all together; None means no limit.
        progress: Called with a description of the work whenever it changes, perhaps in another
            thread.

    Raises:
        NoSolution: If the puzzle has no solution.
        InvalidPuzzle: If the input is not a puzzle, or has no such cell.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: For an unknown detail, or if the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> puzzle = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    >>> print(why(puzzle, "r5c5"))
    r5c5 is 5, because:
      r5c5 must hold a digit
      row 5 holds 1, 3, 4 and 8 only once
      column 5 holds 2, 6, 7 and 9 only once
      r1c5 = 7, r2c5 = 9, r4c5 = 6, r5c1 = 4, r5c4 = 8, r5c6 = 3, r5c9 = 1 and r6c5 = 2 are given
    None of these can be spared: 9 rules and 8 givens.
    """
    from ..engines.sudoku.rulebook import demand_solver

    question = as_puzzle(puzzle)
    where = as_cell(cell, question)
    rules(question.layout, detail)  # ValueError for another
    if question[where]:
        return Given(question, where, question[where])
    budget = Budget("clingo", timeout, progress)
    with demand_solver(question.layout, budget) as solver:
        answer = solver.run(lambda: _explain(solver, question, where, detail, budget))
        if smallest and isinstance(answer, Forced):
            return replace(answer, mus=shrink(solver, answer.mus, budget))
        return answer


def _explain(
    solver: DemandSolver, puzzle: Grid | Puzzle, cell: Cell, detail: Detail, budget: Budget
) -> Forced | Open:
    """The answer for an empty cell."""
    facts = (*puzzle.givens, *exclusions(puzzle))
    known = solver.literals((*all_rules(puzzle.layout), *facts))
    budget.turn_to("looking for a solution")
    solution = solver.solve(known)
    if not isinstance(solution, Grid):
        raise no_solution("nothing follows from it")
    target = Placement(*cell, solution[cell])
    opposite = ("excluded", *target)
    budget.turn_to("looking for another solution")
    another = solver.solve([*known, solver.literal(opposite)])
    if isinstance(another, Grid):
        return Open(puzzle, cell, (solution, another))
    budget.turn_to(f"looking for rules and givens that force {in_words([target])}")
    hard = (opposite, *hard_rules(puzzle.layout, detail))
    soft = (*rules(puzzle.layout, detail), *facts)
    mus = nearest_mus(solver, hard, soft, distance(puzzle, target))
    return Forced(puzzle, cell, target.digit, mus)


# --- a MUS of what is near to a placement: it is short, and found quickly ---

FAR = 3
"""The greatest distance of a demand from what it may explain."""


def distance(puzzle: Grid | Puzzle, target: Placement) -> Callable[[Demand], int]:
    """Return the distance of a demand from those that decide about a placement: 0 to 3."""
    houses = [house for house in puzzle.houses if target.cell in house.cells]
    names = {(house.kind, house.number) for house in houses}
    visible_cells = {cell for house in houses for cell in house.cells}

    def far(demand: Demand) -> int:
        match demand:
            case (
                ("filled" | "single", int(row), int(column))
                | ("excluded", int(row), int(column), _)
                | (int(row), int(column), _)
            ):
                return 0 if (row, column) in visible_cells else 1
            case ("rule", rule):
                cells = set(rule.cells_used())
                return 0 if target.cell in cells else 1 if cells & visible_cells or not cells else 2
            case ("at_least_once" | "at_most_once", kind, number, digit):
                if digit == target.digit:
                    return int((kind, number) not in names)
                # First which digits the cell sees, then where else these could go.
                return 2 if demand[0] == "at_most_once" and (kind, number) in names else FAR
            case (str(), kind, number):
                return int((kind, number) not in names)
        return FAR

    return far


def nearest_mus(
    solver: DemandSolver,
    hard: tuple[Demand, ...],
    soft: Sequence[Demand],
    far: Callable[[Demand], int],
) -> Mus:
    """A MUS of nearby soft demands if there is one, else one of them all; they contradict."""
    for most in range(FAR + 1):
        near = sorted((demand for demand in soft if far(demand) <= most), key=far)
        if mus := MusSearch(solver, hard, near).mus():
            return replace(mus, soft=tuple(soft))
    raise AssertionError("the demands do not contradict each other")


# --- the answers ---


def _json(answer: Given | Open | Forced, kind: str, **more: Any) -> dict[str, Any]:
    known = {"cell": str(answer.cell), "answer": kind}
    return {**json_puzzle("why", answer.puzzle), **known, **more}


@dataclass(frozen=True, slots=True, repr=False)
class Given(Explanation):
    """A digit that needs no reason."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    smallest: ClassVar[bool] = True

    def text(self) -> str:
        return f"{self.cell} is {self.digit} because it is given."

    def to_json(self) -> dict[str, Any]:
        return _json(self, "given", digit=self.digit)

    def picture(self) -> Picture:
        target = Highlight(self.text().rstrip("."), "target", (self.cell,))
        title = f"Why {self.cell} is {self.digit}"
        return Picture(self.puzzle.grid, self.puzzle, highlights=(target,), title=title)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that the puzzle has the given.

        Args:
            backend: Not used: this takes no engine.
        """
        self.require(self.puzzle[self.cell] == self.digit, judge="puzzle")


@dataclass(frozen=True, slots=True, repr=False)
class Open(Witnessed):
    """A cell that is not forced: two solutions show it."""

    puzzle: Grid | Puzzle
    cell: Cell
    solutions: tuple[Grid, Grid]

    digit: ClassVar[None] = None
    smallest: ClassVar[bool] = True

    @property
    def grids(self) -> tuple[Grid, ...]:
        return self.solutions

    @property
    def digits(self) -> tuple[int, int]:
        """The digits of the two solutions in the cell."""
        one, other = self.solutions
        return one[self.cell], other[self.cell]

    def short(self) -> str:
        one, other = self.digits
        return f"{self.cell} is not forced: it is {one} in one solution and {other} in another."

    def to_json(self) -> dict[str, Any]:
        solutions = [solution.to_json() for solution in self.solutions]
        return _json(self, "not forced", digits=list(self.digits), solutions=solutions)

    def picture(self) -> Picture:
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

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that both are solutions and differ in the cell.

        Args:
            backend: Not used: this takes no engine.
        """
        self.require(all(solution.is_solution_of(self.puzzle) for solution in self.solutions))
        self.require(len(set(self.digits)) == 2)


# --- a digit that is forced by a set of rules and givens ---

MANY = 6
"""A picture with more houses than this highlights none of them."""


@dataclass(frozen=True, slots=True)
class Forced(MusExplanation):
    """Rules, givens and marks that force a digit into a cell."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    mus: Mus
    """The demands that contradict another digit in the cell."""

    @property
    def refuted(self) -> Puzzle:
        """The puzzle with a mark that excludes the digit from the cell: it has no solution."""
        puzzle = self.puzzle.to_puzzle()
        others = frozenset(range(1, puzzle.size + 1)) - {self.digit}
        return replace(puzzle, marks=(*puzzle.marks, Mark(self.cell, others)))

    def __repr__(self) -> str:
        return f"<Forced {self.cell} = {self.digit}: {', '.join(self.mus.counts())}>"

    def text(self) -> str:
        return "\n".join([f"{self.cell} is {self.digit}, because:", *self.reasons()])

    def reasons(self) -> list[str]:
        """The lines of the text that say why, without the first."""
        rules = self.rules if self.mus.members else (CELLS,)
        lines = [
            f"  {sentence}" for sentence in (*sentences(rules), *mark_sentences(self.excluded))
        ]
        if self.givens:
            verb = "is" if len(self.givens) == 1 else "are"
            lines.append(f"  {in_words(self.givens)} {verb} given")
        return [*lines, self.size()]

    def to_json(self) -> dict[str, Any]:
        return _json(self, "forced", digit=self.digit, **self.json_members())

    def picture(self) -> Picture:
        """The grid with the givens and houses of the set highlighted."""
        digit = f"{self.cell} is {self.digit}"
        named = {rule[1:3] for rule in self.rules if rule[0] in ("at_least_once", "house")}
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
        highlights += rule_highlights(self.rules)
        grid = self.puzzle.grid.with_(Placement(*self.cell, self.digit))
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=f"Why {digit}")


# --- what would have to go so that a cell could hold another digit ---


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

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        cell: A name such as ``"r3c2"``, a `Cell`, or row and column, each from 1.
        digit: From 1 to n.
        timeout: In seconds, over 0; None means no limit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If regions, marks or rules exclude the digit whichever givens go; the message
            names them.
        InvalidPuzzle: If the input is not a puzzle, or has no such cell or digit.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> answer = why_not("4......3...13...", "r2c1", 2)
    >>> len(answer.givens), len(list(answer.all())), answer.witness.rows[1][0]
    (1, 3, 2)
    """
    question = as_puzzle(puzzle)
    target = Placement(*as_cell(cell, question), as_digit(digit, question))
    budget = Budget("clingo", timeout, progress)
    with closing(_removals(question, target, budget)) as removals:
        for removal in removals:
            return removal
    reason = "its mark excludes it"
    if target not in question.excluded:
        budget.turn_to("looking for the rules that exclude it")
        try:
            mus = refute_placement(question, target, budget)
            reason = "; ".join((*sentences(mus.rules), *mark_sentences(mus.excluded)))
        except SolveTimeout:
            reason = "no grid obeys the rest"
    raise NoSolution(f"{target.cell} cannot be {digit} whichever givens go: {reason}")


def refute_placement(puzzle: Grid | Puzzle, target: Placement, budget: Budget) -> Mus:
    """Rules and marks that exclude a placement whichever givens go, none of them redundant."""
    from ..engines.sudoku.rulebook import demand_solver

    hard = (CELLS, target)
    soft = (*rules(puzzle.layout, "house"), *exclusions(puzzle))
    with demand_solver(puzzle.layout, budget) as solver:
        return solver.run(lambda: nearest_mus(solver, hard, soft, distance(puzzle, target)))


def _removals(puzzle: Grid | Puzzle, target: Placement, budget: Budget) -> Generator[Removal]:
    engine: ClingoBackend = get("clingo")  # type: ignore[assignment]
    budget.turn_to(f"looking for the fewest givens that must go for {in_words([target])}")
    with closing(engine.removals(puzzle, target, budget.seconds)) as removals:
        while removed := budget.spend(lambda _seconds_left: next(removals, None)):
            yield Removal(puzzle, target.cell, target.digit, *removed)


@dataclass(frozen=True, slots=True, repr=False)
class Removal(Witnessed):
    """Givens without which a cell can hold a digit: no smaller set will do."""

    puzzle: Grid | Puzzle
    cell: Cell
    digit: int
    givens: tuple[Placement, ...] = field()  # a base class has a property of this name
    """Those that must go."""
    witness: Grid
    """A full grid with the digit in the cell and all other givens."""

    @property
    def target(self) -> Placement:
        """The digit in the cell that the question was about."""
        return Placement(*self.cell, self.digit)

    def all(self, timeout: float | None = None) -> Iterator[Removal]:
        """Every set of minimum size, once, found on demand.

        Args:
            timeout: In seconds, over 0; None means no limit.
        """
        return _removals(self.puzzle, self.target, Budget("clingo", timeout))

    @property
    def grids(self) -> tuple[Grid, ...]:
        return (self.witness,)

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
        label = in_words([self.target])
        highlights = [Highlight(label, "target", (self.cell,))]
        if self.givens:
            # They are shown next to the digits that the grid has there now.
            highlights.append(Highlight("givens that must go", "removed", (), self.givens))
        title = f"What {label} takes"
        return Picture(self.witness, self.puzzle, highlights=tuple(highlights), title=title)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check the witness, and that no fewer givens will do.

        This claim rests on sets of givens that clash: at least one given of each must go. Finding
        these sets can take much longer than the answer took. The engine checks that they clash;
        clingo finds the size of their smallest hitting set.

        Args:
            backend: The name of an engine, or a backend object.
        """
        from ..engines.sudoku.rulebook import demand_solver

        self.require(self.witness[self.cell] == self.digit)
        self.require(self.witness.is_solution_of(self.puzzle.without(*self.givens)))
        hard = (*all_rules(self.puzzle.layout), *exclusions(self.puzzle), self.target)
        with demand_solver(self.puzzle.layout, Budget("clingo", None)) as solver:
            muses = solver.run(MusSearch(solver, hard, self.puzzle.givens).muses_to_hit)
        engine = get(backend)
        for mus in muses:
            clash = not engine.consistent(self.puzzle.layout, (*hard, *mus))
            self.require(clash, f"one of {in_words(mus)} must go", engine.name)
        least = len(self.givens)
        self.require(fewest(self.puzzle, muses) >= least, f"no fewer than {least} are enough")
