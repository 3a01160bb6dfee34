"""What all explanations share: the interface, and parts of texts, JSON and pictures."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from ..errors import NoSolution
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Placement
from ..rules.clauses import Claim

if TYPE_CHECKING:
    from ..draw import Highlight, Picture
    from ..engines import Backend
    from ..proofs import Certificate
    from ..rules.demands import SudokuRule
    from .mus import Core


class Explanation(ABC):
    """The answer to a question about a puzzle, with its reasons: a frozen value."""

    puzzle: Grid | Puzzle
    """What the question was about."""

    @abstractmethod
    def text(self) -> str:
        """The explanation as a person would give it, without a final newline."""

    def short(self) -> str:
        """The text without what a page shows beside it: full grids."""
        return self.text()

    @abstractmethod
    def to_json(self) -> dict[str, Any]:
        """The explanation as numbers, texts, lists and dicts, ready for `json.dumps`."""

    @abstractmethod
    def picture(self) -> Picture:
        """The grid with all that matters highlighted."""

    @abstractmethod
    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check with an engine that the explanation is right; Disagreement if it is not.

        BackendUnavailable if that engine cannot check explanations.
        """

    def __str__(self) -> str:
        return self.text()


class CoreExplanation(Explanation):
    """An explanation whose reason is a core."""

    core: Core

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """The rules that matter."""
        return self.core.rules

    @property
    def givens(self) -> tuple[Placement, ...]:
        """The givens that matter."""
        return self.core.givens

    @property
    def excluded(self) -> tuple[Placement, ...]:
        """The marks that matter, as digits that a cell may not hold."""
        return self.core.excluded

    @property
    def smallest(self) -> bool:
        """True if no such explanation has fewer members; in any case none is redundant."""
        return self.core.smallest

    @property
    def least(self) -> int:
        """No such explanation has fewer members; 0 if that was not asked for."""
        return self.core.least

    def bound(self) -> str:
        """If time ran out, a sentence on how small a set can be; else ""."""
        if self.core.met is None or self.smallest:
            return ""
        known = f", though none with fewer than {self.least} members" if self.least > 1 else ""
        return f" Time ran out: there may be a smaller set{known}."

    def kinds(self) -> list[str]:
        """What matters beside the rules: ``"givens"``, ``"marks"``, or both."""
        return ["givens"] * bool(self.givens) + ["marks"] * bool(self.excluded)

    @property
    def refuted(self) -> Grid | Puzzle:
        """The puzzle that has no solution, as these members show."""
        return self.puzzle

    def certificate(
        self, backend: str | Backend = "clingo", timeout: float | None = None
    ) -> Certificate:
        """A proof that `refuted` has no solution, from these rules, givens and marks alone.

        It does not prove that none of these is redundant; `verify` checks that. `timeout` is in
        seconds, over 0. Raises the errors of `certify`, and Disagreement if the engine finds that
        they do not contradict each other.
        """
        from ..proofs import proved

        demands = (*self.core.sure, *self.core.members)
        return proved(Claim(self.refuted, demands=tuple(map(tuple, demands))), backend, timeout)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check that the members of the core contradict, and that none is redundant.

        For a smallest core, also check the proof: correction sets that every core must hit; clingo
        finds the size of their smallest hitting set.
        """
        self.core.verify(self.puzzle, backend)


def no_solution(consequence: str) -> NoSolution:
    """The error for a question that makes sense only if the puzzle has a solution."""
    return NoSolution(
        f"the puzzle has no solution, so {consequence}; ask for its conflicts to see what clashes"
    )


def grid_of(puzzle: Grid | Puzzle) -> Grid:
    """The grid alone, for a picture or to be filled in."""
    return puzzle.grid if isinstance(puzzle, Puzzle) else puzzle


def json_puzzle(question: str, puzzle: Grid | Puzzle) -> dict[str, Any]:
    """The beginning of the JSON of every explanation."""
    whole = puzzle if isinstance(puzzle, Puzzle) else Puzzle(puzzle)
    return {"question": question, "puzzle": whole.to_json()}


def json_placements(placements: Iterable[tuple[int, int, int]]) -> list[dict[str, Any]]:
    """Placements with their cells by name."""
    return [{"cell": f"r{row}c{column}", "digit": digit} for row, column, digit in placements]


def json_rules(rules: Iterable[SudokuRule]) -> list[dict[str, Any]]:
    """The rules with their texts; one beyond plain sudoku has the keys of its own JSON."""
    found = []
    for rule in rules:
        parts = rule.to_json()
        whole = parts if isinstance(parts, dict) else {"rule": parts}
        found.append({**whole, "text": str(rule)})
    return found


def of_rules(rules: Iterable[SudokuRule]) -> list[Highlight]:
    """The cells of each rule beyond plain sudoku, to be highlighted."""
    from ..draw import Highlight

    several = [rule.beyond for rule in rules if rule.beyond is not None]
    return [
        Highlight(str(rule), "house", tuple(dict.fromkeys(rule.cells_used()))) for rule in several
    ]


def json_cells(placements: Iterable[Placement]) -> dict[str, list[int]]:
    """The digits of each cell, by its name."""
    found: dict[str, list[int]] = {}
    for placement in sorted(placements):
        found.setdefault(str(placement.cell), []).append(placement.digit)
    return found
