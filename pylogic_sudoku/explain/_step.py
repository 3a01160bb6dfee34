"""One step on the way to the solution."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..engines import Backend, Checker, checker
from ..errors import Disagreement
from ..grid import Candidates, Grid
from ._explanation import Explanation
from ._questions import json_givens, json_grid, json_puzzle, told
from ._rules import Placement, Rule, counted
from ._techniques import BY_NAME, EXTREME, MINIMAL_SET, met
from ._telling import tell

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Step", "standing"]


@dataclass(frozen=True, slots=True)
class Step(Explanation):
    """A digit that is placed, or candidates that are removed, by one technique."""

    puzzle: Grid
    grid: Grid
    """The puzzle and all that was filled in before."""
    candidates: Candidates
    """Rows of sets: what each empty cell could still hold before."""
    technique: str
    """Such as ``"hidden single"``; ``"minimal set"`` where it has no name."""
    must: tuple[Rule, ...]
    """Rules that must be met, and whose candidates are the reason."""
    most: tuple[Rule, ...]
    """Rules that are met at most once, and with which the others use them up or clash."""
    placed: Placement | None
    """Row and column from 1, and the digit that goes there."""
    removed: tuple[Placement, ...]
    """The candidates that go, where nothing is placed."""

    @property
    def weight(self) -> int:
        """How hard it is, on the scale of `techniques`."""
        weight = BY_NAME[self.technique].weight
        return weight * len(self.rules) if self.technique == MINIMAL_SET else weight

    @property
    def level(self) -> str:
        """The difficulty of a puzzle that takes nothing harder, on the same scale."""
        unfair = self.technique == MINIMAL_SET and self.weight < EXTREME
        return "unfair" if unfair else BY_NAME[self.technique].level

    @property
    def rules(self) -> tuple[Rule, ...]:
        """All rules that it rests on; the step follows from them and the candidates."""
        return (*self.must, *self.most)

    def __repr__(self) -> str:
        gone = f"removes {counted(len(self.removed), 'candidate')}"
        return f"<Step: {self._claim() if self.placed else f'{self.technique} {gone}'}>"

    def text(self) -> str:
        return tell(self)

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("step", self.puzzle),
            "grid": json_grid(self.grid),
            "candidates": [[sorted(digits) for digits in row] for row in self.candidates],
            "technique": self.technique,
            "weight": self.weight,
            "placed": json_givens([self.placed])[0] if self.placed else None,
            "removed": json_givens(self.removed),
            "rules": [list(rule) for rule in self.rules],
            "text": self.text(),
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        layout = self.grid.layout
        reason = met(self.must, layout) & standing(self.candidates) - {self.placed, *self.removed}
        houses = {rule[1:3] for rule in self.rules if rule[0] in ("somewhere", "once")}
        if self.placed:
            label = f"{self.placed[2]} goes here"
            highlights = [Highlight(label, "target", (self.placed[:2],), (self.placed,))]
        else:
            highlights = [Highlight("what goes", "removed", candidates=tuple(sorted(self.removed)))]
        if reason:
            highlights.append(Highlight("why", "reason", candidates=tuple(sorted(reason))))
        for house in self.grid.houses if self.technique != MINIMAL_SET else ():
            if (house.kind, house.number) in houses:
                highlights.append(Highlight(str(house), "house", house.cells))
        return Picture(self.grid, self.puzzle, self.candidates, tuple(highlights), self.technique)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Checks that the step follows from its rules and the candidates before it.

        For a minimal set also that it does not follow without one of the rules.
        """
        left = standing(self.candidates)
        if not left.issuperset(self.removed or [self.placed]):
            raise Disagreement(self.grid, {"step": self._claim(), "candidates": "there is none"})
        self._check(checker(backend), self.rules, False)
        for spared in self.rules if self.technique == MINIMAL_SET else ():
            self._check(checker(backend), [rule for rule in self.rules if rule != spared], True)

    def _check(self, engine: Checker, rules: Collection[Rule], expected: bool) -> None:
        """Checks whether the opposite of the step is consistent with these rules."""
        layout = self.grid.layout
        # Only what meets a rule that must be met can keep rules from being contradicted.
        lacks = met(self.must, layout) - standing(self.candidates)
        opposites: list[tuple[list[Placement], frozenset[Placement]]]
        opposites = [([gone], lacks) for gone in self.removed]
        if self.placed:
            opposites.append(([], lacks | {self.placed}))
        for holds, absent in opposites:
            if engine.consistent(layout, rules, holds, absent) is not expected:
                claim = f"{self._claim()} by {len(rules)} of {len(self.rules)} rules"
                raise Disagreement(self.grid, {"step": claim, engine.name: "that is wrong"})

    def _claim(self) -> str:
        if self.placed:
            return f"{self.technique} places {told([self.placed])}"
        return f"{self.technique} removes {told(self.removed)}"


def standing(candidates: Candidates) -> frozenset[Placement]:
    """Candidates as placements."""
    return frozenset(
        Placement(x, y, digit)
        for x, row in enumerate(candidates, 1)
        for y, digits in enumerate(row, 1)
        for digit in digits
    )
