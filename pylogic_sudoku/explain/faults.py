"""Faults of a puzzle without a solution."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any, ClassVar

from ..draw import Highlight, Picture
from ..engines import engine_for
from ..engines.sudoku import SudokuEngine, get
from ..errors import listed
from ..formats import PuzzleLike, as_puzzle
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Candidates, Cell, Placement, candidate_rows
from ..questions import checked_limit
from ..questions import solutions as solutions_of
from ..rules.demands import (
    all_rules,
    beyond,
    cells_in,
    exclusions,
    house_rules,
    in_words,
    mark_sentences,
    sentences,
)
from ..running.workers import Budget, Progress
from .answer import (
    Explanation,
    Mus,
    MusExplanation,
    Witnessed,
    json_placements,
    json_puzzle,
    no_solution,
    rule_highlights,
)
from .mus import MusSearch, shrink

if TYPE_CHECKING:
    from ..engines.sudoku.rulebook import DemandSolver


def conflicts(
    puzzle: PuzzleLike,
    smallest: bool = False,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Clash | Solvable:
    """Givens, marks and rules that no solution can obey together, with no redundant member.

    The rules are those beyond plain sudoku. If there are several such sets, one with fewer of these
    is preferred. `Clash.all` gives every set with no redundant member. If the puzzle has a
    solution, the answer is `Solvable`, with that solution.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        smallest: True for a set of minimum size, which can be slow. If time runs out, the answer is
            the smallest set so far, whose text says what is known.
        timeout: In seconds, over 0; None means no limit.
        progress: Called with a description of the work whenever it changes, perhaps in another
            thread.

    Raises:
        InvalidPuzzle: If the input is not a puzzle.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the timeout is not over 0.
        TypeError: If the timeout is not a number.

    >>> print(conflicts("1.....1....2.2.3", smallest=True))
    The puzzle has no solution, because these givens clash:
      r2c3 = 1, r3c4 = 2 and r4c4 = 3
    No explanation needs fewer: 3 givens.
    """
    from ..engines.sudoku.rulebook import demand_solver

    question = as_puzzle(puzzle)
    budget = Budget("clingo", timeout, progress)
    with demand_solver(question.layout, budget) as solver:
        answer = solver.run(lambda: _explain(solver, question, budget))
        if smallest and isinstance(answer, Clash):
            return replace(answer, mus=shrink(solver, answer.mus, budget))
        return answer


def _explain(solver: DemandSolver, puzzle: Grid | Puzzle, budget: Budget) -> Clash | Solvable:
    budget.turn_to("looking for a solution, or for a clash")
    if mus := _search(solver, puzzle).mus():
        return Clash(puzzle, mus)
    demands = (*all_rules(puzzle.layout), *puzzle.givens, *exclusions(puzzle))
    solution = solver.solve(solver.literals(demands))
    assert isinstance(solution, Grid)  # as nothing clashes
    return Solvable(puzzle, solution)


def _search(solver: DemandSolver, puzzle: Grid | Puzzle) -> MusSearch:
    # Deletion begins with the last, so a clash of givens and marks alone is found first.
    soft = (*puzzle.givens, *exclusions(puzzle), *beyond(puzzle.layout))
    return MusSearch(solver, house_rules(puzzle.layout), soft)


@dataclass(frozen=True, slots=True)
class Clash(MusExplanation):
    """Givens, marks and rules that no solution can obey together."""

    puzzle: Grid | Puzzle
    mus: Mus
    solution: ClassVar[None] = None

    def kinds(self) -> list[str]:
        """The kinds of demands that clash: some of ``"givens"``, ``"marks"`` and ``"rules"``."""
        return MusExplanation.kinds(self) + ["rules"] * bool(self.rules)

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every clash without a redundant member, once.

        They are found as they are asked for, in no particular order.

        Args:
            timeout: In seconds, over 0; None means no limit.
        """
        from ..engines.sudoku.rulebook import demand_solver

        budget = Budget("clingo", timeout)
        with demand_solver(self.puzzle.layout, budget) as solver:
            every = _search(solver, self.puzzle).every_mus()
            while mus := solver.run(lambda: next(every, None)):
                yield Clash(self.puzzle, mus)

    def __repr__(self) -> str:
        return f"<Clash: {', '.join(self.mus.counts()) or 'the rules alone'}>"

    def text(self) -> str:
        if not self.members:
            return "The puzzle has no solution whatever its givens: its regions allow no grid."
        kinds = self.kinds()
        reason = f"these {listed(kinds)} clash"
        if len(self.members) == 1:
            reason = f"one {kinds[0][:-1]} alone rules it out"
        lines = [in_words(self.givens)] if self.givens else []
        lines += [*mark_sentences(self.excluded), *sentences(self.rules), *self._duplicates()]
        return "\n".join(
            [
                f"The puzzle has no solution, because {reason}:",
                *(f"  {line}" for line in lines),
                self.size(),
            ]
        )

    def _duplicates(self) -> list[str]:
        cells = {*cells_in(self.givens)}
        return [str(each) for each in self.puzzle.duplicates() if cells.issuperset(each.cells)]

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "clash",
            **self.json_members(),
        }

    def picture(self) -> Picture:
        cells = cells_in((*self.givens, *self.excluded))
        label = f"{listed(MusExplanation.kinds(self))} that clash"
        highlights = [Highlight(label, "conflict", cells)] if cells else []
        highlights += rule_highlights(self.rules)
        grid, title = self.puzzle.grid, "Why there is no solution"
        return Picture(grid, self.puzzle, highlights=tuple(highlights), title=title)


@dataclass(frozen=True, slots=True, repr=False)
class Solvable(Witnessed):
    """A puzzle in which nothing clashes, as a solution shows."""

    puzzle: Grid | Puzzle
    solution: Grid
    smallest: ClassVar[bool] = True

    def __bool__(self) -> bool:
        return False

    def all(self, timeout: float | None = None) -> Iterator[Clash]:
        """Every clash: there is none.

        Args:
            timeout: In seconds, over 0; None means no limit.
        """
        return iter(())

    @property
    def grids(self) -> tuple[Grid, ...]:
        return (self.solution,)

    def short(self) -> str:
        return "No givens clash, as a solution shows."

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("conflicts", self.puzzle),
            "answer": "no clash",
            "solution": self.solution.to_json(),
        }

    def picture(self) -> Picture:
        return Picture(self.solution, self.puzzle, title="No givens clash")

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that it is a solution.

        Args:
            backend: Not used: this takes no engine.
        """
        self.require(self.solution.is_solution_of(self.puzzle))


# --- what a puzzle with several solutions leaves open, and what would settle it ---

LIMIT = 1_000
"""Above this number of solutions the fewest extra givens are not sought."""

NAMED = 12
"""The text names up to this many cells, and counts more."""


def ambiguity(
    puzzle: PuzzleLike,
    limit: int | None = LIMIT,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> Ambiguity:
    """The cells that differ between solutions, and the fewest extra givens that leave only one.

    If the puzzle has more than `limit` solutions, the answer has the cells, but no extra givens.

    Args:
        puzzle: A `Grid`, a `Puzzle`, text in any known format, or nested rows.
        limit: A whole number from 2.
        timeout: In seconds, over 0; None means no limit.
        progress: Called with a description of the work whenever it changes.

    Raises:
        NoSolution: If there is no solution.
        InvalidPuzzle: If the input is not a puzzle.
        SolveTimeout: If the time is used up before the answer is known.
        BackendFailure: If the engine breaks, or cannot answer the question.
        ValueError: If the limit or the timeout is out of range.
        TypeError: If the timeout is not a number, or the limit is not whole.

    >>> answer = ambiguity("12..34......4321")
    >>> [str(cell) for cell in answer.cells], len(answer.extra)
    (['r1c3', 'r1c4', 'r3c3', 'r3c4'], 1)
    """
    from ..engines.sudoku.rulebook import tell_apart

    question = as_puzzle(puzzle)
    limit = checked_limit(limit, least=2)
    most = limit and limit + 1
    budget = Budget("clingo", timeout, progress)
    budget.turn_to("looking for all solutions" + (f", up to {limit:,}" if limit else ""))
    solutions = tuple(
        budget.spend(lambda seconds_left: solutions_of(question, "clingo", most, seconds_left))
    )
    if not solutions:
        raise no_solution("nothing is open")
    if len(solutions) == most:
        budget.turn_to("looking for the digits that each cell holds in some solution")
        candidates = budget.spend(
            lambda seconds_left: get("clingo").candidates(question, seconds_left)
        )
        return Ambiguity(question, candidates, (), None, most)
    budget.turn_to("looking for the fewest givens that leave one solution")
    extra = tuple(tell_apart(solutions, budget))
    return Ambiguity(question, _digits(solutions), extra, solutions, len(solutions))


@dataclass(frozen=True, slots=True, repr=False)
class Ambiguity(Explanation):
    """The cells that several solutions leave open, and extra givens that leave one of them."""

    puzzle: Grid | Puzzle
    candidates: Candidates
    """Rows of sets: the digits that each cell holds in some solution."""
    extra: tuple[Placement, ...]
    """The fewest givens that leave one solution; none if not all solutions are known."""
    solutions: tuple[Grid, ...] | None
    """All solutions; None if there were too many to find all."""
    at_least: int
    """No fewer solutions exist."""

    @property
    def cells(self) -> tuple[Cell, ...]:
        """The cells that differ between solutions."""
        return tuple(cell for cell, digits in self._by_cell() if len(digits) > 1)

    def __bool__(self) -> bool:
        return bool(self.cells)

    @property
    def smallest(self) -> bool:
        """True if no fewer extra givens leave one solution."""
        return self.solutions is not None

    def text(self) -> str:
        cells, number = self.cells, f"{self.at_least:,} solutions"
        if not cells:
            return "Nothing is open: the puzzle has one solution."
        where = listed(cells) if len(cells) <= NAMED else f"{len(cells)} cells"
        if not self.smallest:
            return f"The puzzle has at least {number}, which differ in {where}."
        more = len(self.extra)
        claim = f"These {more} givens leave only one, and no fewer do"
        return "\n".join(
            [
                f"The puzzle has {number}, which differ in {where}.",
                f"{claim if more > 1 else 'This given leaves only one'}:",
                f"  {in_words(self.extra)}",
            ]
        )

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("ambiguity", self.puzzle),
            "solutions": self.at_least if self.smallest else None,
            "at_least": self.at_least,
            "cells": [
                {"cell": str(cell), "digits": sorted(digits)}
                for cell, digits in self._by_cell()
                if len(digits) > 1
            ],
            "extra": json_placements(self.extra),
            "smallest": self.smallest,
        }

    def picture(self) -> Picture:
        highlights = [Highlight("cells that differ", "difference", self.cells)]
        if self.extra:
            highlights.append(Highlight("enough to know", "target", candidates=self.extra))
        settled = (Placement(*cell, min(each)) for cell, each in self._by_cell() if len(each) == 1)
        return Picture(
            self.puzzle.grid.with_(*settled),
            self.puzzle,
            self.candidates,
            tuple(highlights) if self.cells else (),
            "What the puzzle leaves open",
        )

    def _by_cell(self) -> Iterator[tuple[Cell, frozenset[int]]]:
        return zip(self.puzzle.cells, chain.from_iterable(self.candidates), strict=True)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check the number of solutions, the cells, and that the extra givens leave one solution.

        That no fewer givens would do is computed by clingo alone.

        Args:
            backend: The name of an engine, or a backend object.
        """
        from ..engines.sudoku.rulebook import tell_apart

        engine, known = engine_for(backend, self.puzzle), self.solutions
        most = self.at_least + self.smallest  # one more, if these are all
        right = {"that many solutions": engine.count(self.puzzle, limit=most) == self.at_least}
        if known is None:
            right["these are the candidates"] = engine.candidates(self.puzzle) == self.candidates
        else:
            right["these are all solutions"] = (
                all(solution.is_solution_of(self.puzzle) for solution in known)
                and len(known) == len(set(known)) == self.at_least
                and self.candidates == _digits(known)
            )
            puzzle = self.puzzle.with_(*self.extra)
            right["one solution is left"] = engine.count(puzzle, limit=2) == 1
            fewest = len(tell_apart(known, Budget("clingo", None)))
            right["no fewer leave one solution"] = fewest == len(self.extra)
        for claim, holds in right.items():
            self.require(holds, claim, engine.name)


def _digits(solutions: Sequence[Grid]) -> Candidates:
    """For every cell the digits that it holds in one of these."""
    cells = [set(digits) for digits in zip(*(s.digits for s in solutions), strict=True)]
    return candidate_rows(cells, solutions[0].size)
