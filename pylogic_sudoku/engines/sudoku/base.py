"""The interface of an engine for sudokus.

A `SudokuEngine` takes a `Grid` or a `Puzzle` and returns `Grid`s, and it may prove or check
answers, too. Of a puzzle it reads `size`, `digits`, `layout` (which cells make up the houses, and
the rules beyond them) and `excluded` (digits that a mark keeps out of a cell). A `Grid` has these
too. An engine without regions, marks or rules leaves them out of `knows`, and `engines.engine_for`
refuses such puzzles before they reach it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import lru_cache
from itertools import chain, product
from typing import TYPE_CHECKING, NamedTuple

from ...errors import BackendUnavailable
from ...puzzle import Grid, Puzzle
from ...puzzle.cells import Candidates, Layout, Placement, candidate_rows
from ...running.workers import Budget
from ..base import Engine
from ..registry import able

if TYPE_CHECKING:
    from ...rules.clauses import Claim, Clause
    from ...rules.demands import Demand


def hard_after(conflicts: int, puzzle: Grid | Puzzle) -> int:
    """The conflicts after which a search counts as hard: these, or more in a large, loose grid.

    An empty 36x36 grid takes thousands of conflicts, but no other search would take fewer.
    """
    return conflicts * max(1, puzzle.digits.count(0) * puzzle.size // 8_000) ** 2


class SudokuEngine(Engine[Grid | Puzzle, Grid, Placement]):
    """One engine for sudokus."""

    knows: frozenset[str] = frozenset()
    """Its features beyond a plain grid: ``"regions"``, ``"marks"``, ``"rules"``, and
    ``"programs"``: custom rules that are not written in Python."""
    shapes: str = "boxes of any size"
    """The grids that it takes; ``"9x9"`` or ``"square boxes"`` if it takes no others."""

    def portable(self) -> str | SudokuEngine:
        from . import get

        with suppress(BackendUnavailable):
            if type(get(self.name)) is type(self):
                return self.name
        return self

    def confirms(self, question: Grid | Puzzle, answer: Grid, timeout: float | None = None) -> bool:
        if not answer.is_solution_of(question):
            return False
        return self.solve(question.with_(*answer.givens), timeout) == answer

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        """For every cell the digits that it holds in at least one solution, exactly.

        Looks for a solution with each digit that no solution so far has in its cell.

        Args:
            puzzle: The grid or the puzzle.
            timeout: In seconds, over 0; None means no limit.
        """
        budget = Budget(self.name, timeout)
        possible: list[set[int]] = [set() for _ in puzzle.digits]

        def solvable(puzzle: Grid | Puzzle) -> bool:
            solution = budget.spend(lambda seconds_left: self.solve(puzzle, seconds_left))
            if solution:
                for digits, digit in zip(possible, solution.digits, strict=True):
                    digits.add(digit)
            return solution is not None

        if solvable(puzzle):
            for cell, given, digits in zip(puzzle.cells, puzzle.digits, possible, strict=True):
                for digit in range(1, puzzle.size + 1):
                    if not given and digit not in digits:
                        solvable(puzzle.with_((*cell, digit)))
        return candidate_rows(possible, puzzle.size)

    def candidate_counts(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> dict[Placement, int]:
        """The number of solutions with each candidate, or `limit` if there are at least that many.

        Counts anew for each candidate.

        Args:
            puzzle: The grid or the puzzle.
            limit: The number up to which solutions are counted.
            timeout: In seconds, over 0; None means no limit.
        """
        budget = Budget(self.name, timeout)
        rows = budget.spend(lambda seconds_left: self.candidates(puzzle, seconds_left))
        cells = zip(puzzle.cells, chain.from_iterable(rows), strict=True)
        placements = [Placement(*cell, digit) for cell, every in cells for digit in sorted(every)]

        def number(placement: Placement) -> int:
            return budget.spend(
                lambda seconds_left: self.count(puzzle.with_(placement), limit, seconds_left)
            )

        return {placement: number(placement) for placement in placements}

    # --- what only some engines can do; the others raise BackendUnavailable ---

    def propagate(
        self, question: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        """For each cell the digits left before any choice; None if it finds a contradiction.

        Args:
            question: The grid or the puzzle.
            timeout: In seconds, over 0; None means no limit.
        """
        raise self._cannot("show its work", able("propagate"))

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        """True if some placements meet all demands.

        Any other rule may be broken, even those of the layout beyond plain sudoku: they count only
        if they are demanded. If one of the demands is such a rule or is about a whole house, every
        cell holds one digit.

        Args:
            layout: The boxes or regions of the grid, and its rules.
            demands: The demands, which are those of ``rules/demands.py``.
            timeout: In seconds, over 0; None means no limit.

        Raises:
            ValueError: For a demand that the grid cannot have.
        """
        raise self._cannot("check explanations", "clingo or prolog")

    def prove(self, claim: Claim, timeout: float | None = None) -> Proof:
        """Up to two solutions of the claim, and the lemmas.

        Args:
            claim: The claim that no grid, or no other one, is a solution.
            timeout: In seconds, over 0; None means no limit.

        Raises:
            Disagreement: If the claim is about demands that do not contradict each other.
        """
        raise self._cannot("prove its answers", "clingo")

    def first_refused(
        self, claim: Claim, lemmas: Sequence[Clause], timeout: float | None = None
    ) -> int | None:
        """The number, from 0, of the first lemma that does not follow by unit propagation.

        If each follows but all together do not lead to a contradiction, it is the number of lemmas;
        None if they prove the claim.

        Args:
            claim: The claim that no grid, or no other one, is a solution.
            lemmas: The lemmas, in the order in which they are added.
            timeout: In seconds, over 0; None means no limit.
        """
        raise self._cannot("check certificates", "prolog, or no backend for plain Python")

    def can(self, question: str) -> bool:
        """True if the engine can do what this method is for, such as ``"prove"``."""
        return getattr(type(self), question) is not getattr(SudokuEngine, question)


Backend = SudokuEngine
"""Its older name."""


def checked_demands(layout: Layout, demands: Iterable[Demand]) -> list[Demand]:
    """The demands; ValueError if grids of this layout cannot have one of them."""
    demand_tuples = [tuple(demand) for demand in demands]
    known = _demands(layout)
    for demand in demand_tuples:
        if demand not in known:
            raise ValueError(f"{layout} has no {demand!r}")
    return demand_tuples


@lru_cache(32)
def _demands(layout: Layout) -> frozenset[Demand]:
    from ...rules.demands import known_rules  # which solving does without

    placements = list(product(range(1, layout.size + 1), repeat=3))
    excluded = (("excluded", *placement) for placement in placements)
    return frozenset((*known_rules(layout), *placements, *excluded))


def with_cells(demands: list[Demand]) -> list[Demand]:
    """With the demand that every cell holds one digit, if one of the demands implies it."""
    whole = any(demand[0] in ("house", "rule") for demand in demands)
    return [*demands, ("cells",)] if whole else demands


class Proof(NamedTuple):
    """The answer of an engine, and the lemmas that prove it complete."""

    solutions: tuple[Grid, ...]
    """No grid, the only solution, or two of several."""
    lemmas: tuple[Clause, ...]
    """Each follows by unit propagation from the clauses of the claim, from the clause that excludes
    the only solution, and from the lemmas before it; with them, propagation alone ends in a
    contradiction. Empty if there are two solutions."""
