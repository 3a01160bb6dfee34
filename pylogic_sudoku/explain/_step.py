"""One step on the way to the solution: its technique, its difficulty, and its explanation.

The techniques themselves are in ``encodings/first_steps.lp``, ``techniques.lp`` and ``xy_wing.lp``.
Each is two sets of rules, those that must be met and those that are met at most once. The placement
or the removals follow from these rules and the candidates alone.

Weights and levels are those of HoDoKu (Bernhard Hobiger, hodoku.sourceforge.net). HoDoKu has no
minimal sets; ours weigh 50 for each of their rules.

The techniques know the houses only. A step that needs a rule beyond plain sudoku is a minimal set.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from ..engines import Backend, Checker, checker
from ..errors import Disagreement, counted
from ..grid import Candidates, Cell, Grid, Layout, Placement
from ..puzzle import Puzzle
from ._demands import Demand, SudokuRule, anyway, in_words, listed, said
from ._explanation import Explanation, cells_in, json_placements, json_puzzle, of_rules

if TYPE_CHECKING:
    from ..draw import Picture

__all__ = ["BY_NAME", "BY_SETS", "MINIMAL_SET", "RANK", "TECHNIQUES", "Step", "Technique"]
__all__ += ["every_placement", "meeting", "met", "standing"]


class Technique(NamedTuple):
    """A way to make a step."""

    name: str
    level: str
    """The difficulty of a puzzle that takes nothing harder."""
    weight: int
    """The weight of one step; for a minimal set, of each rule in it."""


# By the names that the encodings give them, from the easiest to the hardest.
TECHNIQUES = {
    "full_house": Technique("full house", "easy", 4),
    "naked_single": Technique("naked single", "easy", 4),
    "hidden_single": Technique("hidden single", "easy", 14),
    "pointing": Technique("pointing", "medium", 50),
    "claiming": Technique("claiming", "medium", 50),
    "naked_pair": Technique("naked pair", "medium", 60),
    "hidden_pair": Technique("hidden pair", "medium", 70),
    "naked_triple": Technique("naked triple", "medium", 80),
    "hidden_triple": Technique("hidden triple", "medium", 100),
    "naked_quad": Technique("naked quad", "hard", 120),
    "x_wing": Technique("X-wing", "hard", 140),
    "hidden_quad": Technique("hidden quad", "hard", 150),
    "swordfish": Technique("swordfish", "hard", 150),
    "jellyfish": Technique("jellyfish", "hard", 160),
    "xy_wing": Technique("XY-wing", "hard", 160),
    "minimal_set": Technique("minimal set", "extreme", 50),
}

BY_NAME = {technique.name: technique for technique in TECHNIQUES.values()}
RANK = {name: rank for rank, name in enumerate(TECHNIQUES)}
BY_SETS = tuple(TECHNIQUES)[5:-1]
"""The techniques that the engine is asked for one by one."""
MINIMAL_SET = "minimal set"
EXTREME = 500
"""The weight of HoDoKu's forcing chains: lighter minimal sets count as unfair, not extreme."""


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

    @property
    def weight(self) -> int:
        """How hard it is, on HoDoKu's scale."""
        weight = BY_NAME[self.technique].weight
        return weight * len(self.rules) if self.technique == MINIMAL_SET else weight

    @property
    def level(self) -> str:
        """The difficulty of a puzzle that takes nothing harder, on the same scale."""
        unfair = self.technique == MINIMAL_SET and self.weight < EXTREME
        return "unfair" if unfair else BY_NAME[self.technique].level

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """All rules that it rests on; the step follows from them and the candidates."""
        return (*self.must, *self.most)

    def __repr__(self) -> str:
        gone = f"removes {counted(len(self.removed), 'candidate')}"
        return f"<Step: {self._claim() if self.placed else f'{self.technique} {gone}'}>"

    def text(self) -> str:
        """One or two sentences: what follows, and from what."""
        text = f"{_placing(self, self.placed) if self.placed else _removing(self)}."
        return text if text.startswith("r") and text[1].isdigit() else text[0].upper() + text[1:]

    def to_json(self) -> dict[str, Any]:
        return {
            **json_puzzle("step", self.puzzle),
            "grid": self.grid.to_json(),
            "candidates": [[sorted(digits) for digits in row] for row in self.candidates],
            "technique": self.technique,
            "weight": self.weight,
            "placed": json_placements([self.placed])[0] if self.placed else None,
            "removed": json_placements(self.removed),
            "rules": [rule.to_json() for rule in self.rules],
            "text": self.text(),
        }

    def picture(self) -> Picture:
        from ..draw import Highlight, Picture

        layout = self.puzzle.layout
        reason = met(self.must, layout) & standing(self.candidates) - {self.placed, *self.removed}
        houses = {rule[1:3] for rule in self.rules if rule[0] in ("somewhere", "once")}
        if self.placed:
            label = f"{self.placed.digit} goes here"
            highlights = [Highlight(label, "target", (self.placed.cell,), (self.placed,))]
        else:
            highlights = [Highlight("what goes", "removed", candidates=tuple(sorted(self.removed)))]
        if reason:
            highlights.append(Highlight("why", "reason", candidates=tuple(sorted(reason))))
        for house in layout.houses if self.technique != MINIMAL_SET else ():
            if (house.kind, house.number) in houses:
                highlights.append(Highlight(str(house), "house", house.cells))
        highlights += of_rules(self.rules)
        return Picture(self.grid, self.puzzle, self.candidates, tuple(highlights), self.technique)

    def verify(self, backend: str | Backend = "clingo") -> None:
        """Check that the step follows from its rules and the candidates before it.

        For a minimal set, also check that none of its rules is redundant.
        """
        left = standing(self.candidates)
        if not left.issuperset(self.removed or [self.placed]):
            raise Disagreement(self.puzzle, {"step": self._claim(), "candidates": "there is none"})
        self._check(checker(backend), self.rules, False)
        for spared in self.rules if self.technique == MINIMAL_SET else ():
            self._check(checker(backend), [rule for rule in self.rules if rule != spared], True)

    def _check(self, engine: Checker, rules: Collection[SudokuRule], expected: bool) -> None:
        """Check whether the opposite of the step is consistent with these rules."""
        layout = self.puzzle.layout
        granted = anyway(layout) if self.technique == MINIMAL_SET else ()
        filled = self.grid.givens if granted else ()
        # Only a placement that meets one of the rules that must be met can make a difference; if
        # every cell holds a digit anyway, all can.
        might = every_placement(layout.size).difference(filled) if granted else None
        gone = (might or met(self.must, layout)) - standing(self.candidates)
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


@cache
def every_placement(size: int) -> frozenset[Placement]:
    """Every digit in every cell."""
    numbers = range(1, size + 1)
    return frozenset(Placement(*each) for each in product(numbers, numbers, numbers))


def standing(candidates: Candidates) -> frozenset[Placement]:
    """Candidates as placements."""
    return frozenset(
        Placement(row, column, digit)
        for row, cells in enumerate(candidates, 1)
        for column, digits in enumerate(cells, 1)
        for digit in digits
    )


@cache
def meeting(rule: Demand, layout: Layout) -> frozenset[Placement]:
    """The placements that meet a rule: one of them must, or at most one may."""
    match rule:
        case ("filled" | "single", int(row), int(column)):
            return frozenset(Placement(row, column, digit + 1) for digit in range(layout.size))
        case ("somewhere" | "once", str(kind), int(number), int(digit)):
            house = next(each for each in layout.houses if each[:2] == (kind, number))
            return frozenset(Placement(*cell, digit) for cell in house.cells)
    raise ValueError(f"{rule!r} is not a rule that one placement can meet")


def met(rules: Collection[Demand], layout: Layout) -> frozenset[Placement]:
    """The placements that meet any of the rules."""
    return frozenset().union(*(meeting(rule, layout) for rule in rules))


def _placing(step: Step, placed: Placement) -> str:
    what = f"{placed.cell} is {placed.digit}"
    match step.technique:
        case "full house":
            return f"{_house(step.must[0])} has one empty cell left, so {what}"
        case "hidden single":
            return f"{SudokuRule(step.must[0])}, and {placed.cell} is the only cell left for it"
    return f"{what}, as no other digit is left for it"


def _removing(step: Step) -> str:
    must, most = step.must, step.most
    match step.technique:
        case "pointing" | "claiming":
            return (
                f"in {_house(must[0])}, {must[0][3]} fits only where {_house(most[0])} crosses it,"
                f" so it goes from the rest of {_house(most[0])}: {_gone(step)}"
            )
        case "naked pair" | "naked triple" | "naked quad":
            return (
                f"{_cells(must)} hold {_digits(most)} between them, so these go from the rest of"
                f" {_house(most[0])}: {_gone(step)}"
            )
        case "hidden pair" | "hidden triple" | "hidden quad":
            return (
                f"in {_house(must[0])}, {_digits(must)} fit only in {_cells(most)}, so all else"
                f" goes from there: {_gone(step)}"
            )
        case "X-wing" | "swordfish" | "jellyfish":
            return (
                f"in {_houses(must)}, {must[0][3]} fits only in {_houses(most)}, so it goes from"
                f" the rest of these: {_gone(step)}"
            )
        case "XY-wing":
            return _xy_wing(step)
    if len(step.rules) == 1:
        return f"by the {step.rules[0]} alone, this goes: {_gone(step)}"
    (gone,) = step.removed
    return (
        f"{gone.digit} goes from {gone.cell}, as with it not all of these {len(step.rules)} rules"
        f" could be obeyed: {'; '.join(said(step.rules))}"
    )


def _xy_wing(step: Step) -> str:
    gone = step.removed[0].digit
    two = {
        _cell(rule): step.candidates[_cell(rule).row - 1][_cell(rule).column - 1]
        for rule in step.must
    }
    pivot = next(cell for cell, digits in two.items() if gone not in digits)
    ways = [
        f"if it is {digit}, then {cell} is {gone}"
        for digit in sorted(two[pivot])
        for cell, digits in two.items()
        if digits == {digit, gone}
    ]
    return (
        f"{pivot} is {listed(sorted(two[pivot]), 'or')}: {'; '.join(ways)}."
        f" Either way {gone} goes from {listed(cells_in(step.removed))}, which both see"
    )


def _gone(step: Step) -> str:
    """What goes from where: ``2 from r3c7 and r3c9, 2 and 5 from r3c8``."""
    digits: dict[Cell, list[int]] = {}
    for placement in step.removed:
        digits.setdefault(placement.cell, []).append(placement.digit)
    cells: dict[str, list[Cell]] = {}
    for cell, gone in digits.items():
        cells.setdefault(listed(gone), []).append(cell)
    return "; ".join(f"{gone} from {listed(where)}" for gone, where in cells.items())


def _house(rule: Demand) -> str:
    return f"{rule[1]} {rule[2]}"


def _houses(rules: Iterable[Demand]) -> str:
    kinds = [(rule[1], rule[2]) for rule in rules]
    return f"{kinds[0][0]}s {listed(number for _, number in kinds)}"


def _digits(rules: Iterable[Demand]) -> str:
    return listed(rule[3] for rule in rules)


def _cell(rule: Demand) -> Cell:
    return Cell(int(rule[1]), int(rule[2]))


def _cells(rules: Iterable[Demand]) -> str:
    return listed(map(_cell, rules))
