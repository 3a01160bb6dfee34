"""One step on the way to the solution: its technique, its difficulty, and its explanation.

The techniques are logic programs, in ``encodings/techniques/``. Each step is two sets of rules,
those that must be met and those that are met at most once. The placement or the removals follow
from these rules and the candidates alone.

HoDoKu has no minimal sets; on its scale, ours weigh 50 for each of their rules.

The techniques know the houses, and the sets of cells that a rule beyond plain sudoku makes all
different. What follows from another rule is a cage's combinations, one rule, or a minimal set.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from .._demands import SudokuRule, anyway, in_words
from ..engines import Backend, Checker, checker
from ..errors import Disagreement, counted
from ..grid import Candidates, Grid, Placement
from ..puzzle import Puzzle
from ..techniques._addition import adds_up, every_placement, met, standing
from ..techniques._table import BY_NAME, MINIMAL_SET, TECHNIQUES, Found, level_of, weight_of
from ..techniques.sentences import sentence
from ._explanation import Explanation, json_placements, json_puzzle

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["Step", "step_of"]


@dataclass(frozen=True, slots=True)
class Step(Explanation):
    """A digit that is placed, or candidates that are removed, by one technique."""

    puzzle: Grid | Puzzle
    grid: Grid
    """The puzzle's grid with all that was filled in before this step."""
    candidates: Candidates
    """Rows of sets: the digits that each empty cell could still hold before this step."""
    technique: str
    """Such as ``"hidden single"``; ``"minimal set"`` if it has no name."""
    must: tuple[SudokuRule, ...]
    """Rules that must be met; their candidates are the reason."""
    most: tuple[SudokuRule, ...]
    """Rules that are met at most once; the others use them up, or clash with them."""
    placed: Placement | None
    removed: tuple[Placement, ...]
    """The candidates that go, if nothing is placed."""
    chain: tuple[tuple[Placement, ...], ...] = ()
    """The nodes of a chain, in order: candidates, or groups of them. If the first does not hold,
    the second does, then the third does not, and so on."""
    roles: tuple[tuple[str, tuple[Placement, ...]], ...] = ()
    """Candidates that have a part of their own, such as ``"fin"``, ``"pivot"`` or ``"set A"``."""

    @property
    def weight(self) -> int:
        """How hard it is, on HoDoKu's scale."""
        return weight_of(BY_NAME[self.technique], len(self.rules))

    @property
    def weighed(self) -> tuple[str, int]:
        """The technique and the weight."""
        return self.technique, self.weight

    @property
    def level(self) -> str:
        """The difficulty of a puzzle that takes nothing harder."""
        return level_of(BY_NAME[self.technique], self.weight)

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """All rules that it rests on; the step follows from them and the candidates."""
        return (*self.must, *self.most)

    def __repr__(self) -> str:
        gone = f"removes {counted(len(self.removed), 'candidate')}"
        return f"<Step: {self._claim() if self.placed else f'{self.technique} {gone}'}>"

    def text(self) -> str:
        """One or two sentences: what follows, and from what."""
        text = f"{sentence(self)}."
        return text if text.startswith("r") and text[1].isdigit() else text[0].upper() + text[1:]

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("step", self.puzzle),
            "grid": self.grid.to_json(),
            "candidates": [[sorted(digits) for digits in row] for row in self.candidates],
            "technique": self.technique,
            "weight": self.weight,
            "level": self.level,
            "placed": json_placements([self.placed])[0] if self.placed else None,
            "removed": json_placements(self.removed),
            "rules": [rule.to_json() for rule in self.rules],
            "chain": [json_placements(node) for node in self.chain],
            "roles": {role: json_placements(candidates) for role, candidates in self.roles},
            "text": self.text(),
        }

    def picture(self) -> Picture:
        from ._step_picture import picture

        return picture(self)

    def adds_up(self) -> bool:
        """True if the step is proved by addition: no candidate meets more of `must` than of `most`,
        and those that go meet more by over ``len(most) - len(must)``.

        A proof that needs no solver. Most steps have one; False proves nothing.
        """
        left, layout = standing(self.candidates), self.puzzle.layout
        return adds_up(layout, self.must, self.most, left, self.placed, self.removed)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check that the step follows from its rules and the candidates before it.

        For a minimal set, also check that none of its rules is redundant.
        """
        left = standing(self.candidates)
        if not left.issuperset(self.removed or [self.placed]):
            raise Disagreement(self.puzzle, {"step": self._claim(), "candidates": "there is none"})
        engine = checker(backend)
        self._check(engine, self.rules, False)
        for spared in self.rules if self.technique == MINIMAL_SET.name else ():
            self._check(engine, [rule for rule in self.rules if rule != spared], True)

    def _check(
        self,
        engine: Checker,
        rules: Collection[SudokuRule],
        expected: bool,
    ) -> None:
        """Check whether the opposite of the step is consistent with these rules."""
        layout = self.puzzle.layout
        whole = self.technique == MINIMAL_SET.name or any(rule.beyond for rule in self.rules)
        granted = anyway(layout) if whole else ()
        filled = self.grid.givens if granted else ()
        # Only a placement that meets one of the rules that must be met can make a difference; if
        # every cell holds a digit anyway, all can.
        might = every_placement(layout.size) if granted else met(self.must, layout)
        # A digit that is filled in is not a candidate, but it has not gone either.
        gone = might.difference(self.grid.givens, standing(self.candidates))
        opposites: list[tuple[list[Placement], frozenset[Placement]]]
        opposites = [([removed], gone) for removed in self.removed]
        if self.placed:
            opposites.append(([], gone | {self.placed}))
        for holds, excluded in opposites:
            demands = (*granted, *rules)
            if engine.consistent(layout, demands, [*filled, *holds], excluded) is not expected:
                claim = f"{self._claim()} by {len(rules)} of {len(self.rules)} rules"
                raise Disagreement(self.puzzle, {"step": claim, engine.name: "that is wrong"})

    def _claim(self) -> str:
        if self.placed:
            return f"{self.technique} places {in_words([self.placed])}"
        return f"{self.technique} removes {in_words(self.removed)}"


def step_of(found: Found, puzzle: Grid | Puzzle, grid: Grid, candidates: Candidates) -> Step:
    """What an engine has found, as a step."""
    return Step(
        puzzle,
        grid,
        candidates,
        TECHNIQUES[found.technique].name,
        tuple(map(SudokuRule, found.must)),
        tuple(map(SudokuRule, found.most)),
        found.placed,
        found.removed,
        found.chain,
        found.roles,
    )
