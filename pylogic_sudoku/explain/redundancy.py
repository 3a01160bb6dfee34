"""The givens, marks and rules that a puzzle with one solution does not need."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..draw import Highlight, Picture
from ..engines import engine_for
from ..engines.sudoku import SudokuEngine
from ..errors import counted, listed
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Puzzle
from ..questions import solutions as solutions_of
from ..reasons.minimal import minimal as minimal_set
from ..rules.demands import (
    Demand,
    beyond,
    cells_in,
    exclusions,
    house_rules,
    in_words,
    mark_sentences,
    sentences,
    sorted_out,
)
from ..running.workers import Budget, Progress
from .answer import Explanation, json_demands, json_puzzle, no_solution, rule_highlights
from .faults import Ambiguity, ambiguity

if TYPE_CHECKING:
    from ..engines.sudoku.rulebook import DemandSolver


def redundant(
    puzzle: PuzzleLike,
    minimal: bool = False,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Redundancy | Ambiguity:
    """Each given, mark and rule without which the solution stays the only one.

    The rules are those beyond plain sudoku, and equal ones count as one. All that is redundant
    cannot be left out together. If the puzzle has several solutions, the answer is its `Ambiguity`.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        minimal: True to find, too, a puzzle with some of the givens, marks and rules, and the same
            solution, in which nothing is redundant. It keeps rules rather than givens.
        timeout: In seconds, over 0; None means no limit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> answer = redundant("4......3.4.13...", minimal=True)
    >>> print(answer)
    The puzzle still has only one solution without this:
      r3c2 = 4
    >>> print(answer.remainder)
    4......3...13...
    """
    from ..engines.sudoku.rulebook import demand_solver

    question = as_puzzle(puzzle)
    budget = Budget("clingo", timeout, progress)
    budget.turn_to("looking for two solutions")
    solutions = list(
        budget.spend(lambda seconds_left: solutions_of(question, "clingo", 2, seconds_left))
    )
    if not solutions:
        raise no_solution("nothing is redundant")
    if len(solutions) == 2:
        return budget.spend(lambda seconds_left: ambiguity(question, 2, seconds_left))
    with demand_solver(question.layout, budget) as solver:
        return solver.run(lambda: _search(solver, question, solutions[0], minimal, budget))


def _search(
    solver: DemandSolver, puzzle: Grid | Puzzle, solution: Grid, minimal: bool, budget: Budget
) -> Redundancy:
    # Of equal literals one is enough. A minimal set is found by deletion, which begins with the
    # last: givens go first.
    of = {solver.literal(demand): demand for demand in _parts(puzzle)}
    with solver.other_than(solution) as other:
        hard = [*solver.literals(house_rules(puzzle.layout)), other]
        needed = solver.unsat_core([*hard, *of])
        assert needed is not None  # as there is no other solution
        redundant: list[Demand] = []
        for number, (literal, demand) in enumerate(of.items(), 1):
            budget.turn_to("looking for a second solution", f"without {number} of {len(of)}")
            others = [*hard, *(of.keys() - {literal})]
            if literal not in needed or solver.unsat_core(others) is not None:
                redundant.append(demand)
        remainder = None
        if minimal:
            budget.turn_to("looking for a puzzle in which nothing is redundant")
            core = minimal_set(solver, hard, list(of)) or ()
            remainder = with_only(puzzle, [of[literal] for literal in core])
    return Redundancy(puzzle, solution, tuple(redundant), remainder)


def _parts(puzzle: Grid | Puzzle) -> list[Demand]:
    """The rules beyond plain sudoku, what marks exclude, and the givens."""
    return [*beyond(puzzle.layout), *exclusions(puzzle), *puzzle.givens]


def with_only(puzzle: Grid | Puzzle, demands: Iterable[Demand]) -> Grid | Puzzle:
    """The puzzle without the givens, marks and rules that are not among the demands."""
    rules, givens, excluded = sorted_out(demands)
    grid = Grid.of(givens, puzzle.box)
    if isinstance(puzzle, Grid):
        return grid
    every = frozenset(range(1, puzzle.size + 1))
    marks = {
        cell: every - {each.digit for each in excluded if each.cell == cell}
        for cell in cells_in(excluded)
    }
    remaining_rules = {rule.beyond for rule in rules}
    in_order = [rule for rule in dict.fromkeys(puzzle.rules) if rule in remaining_rules]
    regions = puzzle.regions
    return Puzzle(grid, regions, marks, in_order, puzzle.title, puzzle.author, puzzle.unread)


@dataclass(frozen=True, slots=True, repr=False)
class Redundancy(Explanation):
    """The givens, marks and rules without each of which a puzzle keeps its only solution."""

    puzzle: Grid | Puzzle
    solution: Grid
    members: tuple[Demand, ...] = field()
    """The redundant givens, marks and rules: each can go if all the others stay."""
    remainder: Grid | Puzzle | None
    """A puzzle with some of the givens, marks and rules and the same solution, in which nothing is
    redundant; None if it was not requested."""

    def __bool__(self) -> bool:
        return bool(self.members)

    @property
    def omitted(self) -> tuple[Demand, ...]:
        """The givens, marks and rules that `remainder` lacks."""
        if self.remainder is None:
            return ()
        remaining = set(_parts(self.remainder))
        return tuple(
            demand for demand in dict.fromkeys(_parts(self.puzzle)) if demand not in remaining
        )

    def text(self) -> str:
        number = len(self.members)
        if not number:
            parts = {"given": self.puzzle.givens, "mark": self.puzzle.excluded}
            names = [name for name, has in parts.items() if has]
            names += ["rule"] * bool(self.puzzle.layout.rules)
            return (
                f"Nothing is redundant: without any {listed(names, 'or')}, the puzzle has several"
                " solutions."
            )
        without = {1: "this", 2: "either of these"}.get(number, "any one of these")
        lines = [f"The puzzle still has only one solution without {without}:"]
        lines += _sentences(self.members)
        if (omitted := self.omitted) and number > 1:
            these = "this" if len(omitted) == 1 else "these"
            lines += [f"Together, {these} can be left out:", *_sentences(omitted)]
        return "\n".join(lines)

    def to_json(self) -> dict[str, Any]:
        remainder = self.remainder and self.remainder.to_puzzle().to_json()
        return {
            **json_puzzle("redundant", self.puzzle),
            "solution": self.solution.to_json(),
            **json_demands(self),
            "remainder": remainder,
        }

    def picture(self) -> Picture:
        rules, givens, excluded = sorted_out(self.members)
        cells = cells_in((*givens, *excluded))
        highlights = [Highlight("redundant", "target", cells)] if cells else []
        if omitted := cells_in([p for part in sorted_out(self.omitted)[1:] for p in part]):
            highlights.append(Highlight("left out together", "difference", omitted))
        highlights += rule_highlights(rules)
        title = f"{counted(len(self.members), 'redundant part')} of the puzzle"
        return Picture(self.puzzle.grid, self.puzzle, None, tuple(highlights), title)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that an engine counts one solution without what is redundant, and else several.

        Args:
            backend: The name of an engine, or a backend object.
        """
        engine = engine_for(backend, self.puzzle)

        def check(
            puzzle: Grid | Puzzle, demands: Sequence[Demand], alone: Collection[Demand]
        ) -> None:
            self.require(engine.count(puzzle, 2) == 1, "the solution is the only one", engine.name)
            for each in demands:
                rest = with_only(puzzle, [demand for demand in demands if demand != each])
                right = engine.count(rest, 2) == 1 + (each not in alone)
                self.require(right, f"{each} is redundant: {each in alone}", engine.name)

        check(self.puzzle, _parts(self.puzzle), self.members)
        if self.remainder is not None:
            check(self.remainder, _parts(self.remainder), ())


def _sentences(demands: Iterable[Demand]) -> Iterator[str]:
    """The demands as lines of a text."""
    rules, givens, excluded = sorted_out(demands)
    if givens:
        yield f"  {in_words(givens)}"
    yield from (f"  {line}" for line in (*mark_sentences(excluded), *sentences(rules)))
