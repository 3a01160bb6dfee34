"""The questions that steps ask clingo: which techniques apply to the candidates of a puzzle.

The techniques are rules in ``encodings/``. They are ground once for each puzzle, for the candidates
that it starts with, and those that are left are assumed. Grounding takes about 15 ms and a question
less than 1 ms; ground for any puzzle of a layout, it took 60 ms and 3 ms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from typing import Any, NamedTuple

import clingo

from ...grid import Layout, Placement
from ..budget import Budget
from ..threads import Workers
from .program import Unfinished, encoding, grounded, placement_of
from .rulebook import Reasons, Rulebook, Session

__all__ = ["Found", "Position"]

Rule = tuple[Any, ...]

ENCODINGS = {
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), ("techniques", "naked")),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), ("techniques", "hidden")),
    **dict.fromkeys(("x_wing", "swordfish", "jellyfish"), ("techniques", "fish")),
    "xy_wing": ("xy_wing", "any"),
}
"""For each technique that has a question of its own: its encoding, and its family there."""

SIZES = {
    **dict.fromkeys(("naked_pair", "hidden_pair", "x_wing", "xy_wing"), 2),
    **dict.fromkeys(("naked_triple", "hidden_triple", "swordfish"), 3),
    **dict.fromkeys(("naked_quad", "hidden_quad", "jellyfish"), 4),
}
"""The most candidates with which a rule that must be met can be part of such a technique."""

_workers = Workers("pylogic_sudoku techniques")


class Found(NamedTuple):
    """One step."""

    technique: str
    must: tuple[Rule, ...]
    """Rules that must be met."""
    most: tuple[Rule, ...]
    """Rules that are met at most once."""
    placed: Placement | None
    removed: tuple[Placement, ...]


class Position:
    """Questions about what is left of the candidates that one puzzle starts with."""

    def __init__(
        self,
        layout: Layout,
        candidates: frozenset[Placement],
        budget: Budget,
        givens: Collection[Placement] = (),
    ) -> None:
        self._layout = layout
        self._givens = givens
        self.candidates = candidates
        self._budget = budget
        self._session = Session(_workers, budget)
        self._programs: dict[tuple[str, str], _Program] = {}
        self._houses: dict[tuple[int, int], list[int]] = {cell: [] for cell in layout.cells}
        for number, house in enumerate(layout.houses):
            for cell in house.cells:
                self._houses[cell].append(number)
        self._reasons: Reasons | None = None

    def at_once(self, left: Collection[Placement]) -> list[Found]:
        """Every single and all locked candidates."""
        (answer,) = self._ask("first_steps", "any", left)
        removed: dict[tuple[str, Rule, Rule], list[Placement]] = {}
        found = []
        for symbol in answer:
            technique, must, *most = symbol.arguments[:-3]
            placement = placement_of(symbol)
            if most:
                key = technique.name, _rule(must), _rule(most[0])
                removed.setdefault(key, []).append(placement)
            else:
                found.append(Found(technique.name, (_rule(must),), (), placement, ()))
        for (name, one, other), gone in removed.items():
            found.append(Found(name, (one,), (other,), None, tuple(sorted(gone))))
        return found

    def by(self, technique: str, left: Collection[Placement]) -> list[Found]:
        """Every step by one of the other techniques."""
        found: list[Found] = []
        if self._fewest(ENCODINGS[technique], left) > SIZES[technique]:
            return found  # in a puzzle without givens, that saves most of the time
        for answer in self._ask(*ENCODINGS[technique], left, technique):
            must = sorted(_rule(s.arguments[0]) for s in answer if s.name == "must")
            most = sorted(_rule(s.arguments[0]) for s in answer if s.name == "most")
            gone = sorted(placement_of(s) for s in answer if s.name == "remove")
            found.append(Found(technique, tuple(must), tuple(most), None, tuple(gone)))
        return found

    def _fewest(self, program: tuple[str, str], left: Collection[Placement]) -> int:
        """The fewest candidates that a cell has, or a digit in a house."""
        if program[1] in ("naked", "any"):
            found = Counter((x, y) for x, y, _ in left)
        else:
            found = Counter((house, digit) for x, y, digit in left for house in self._houses[x, y])
        return min(found.values(), default=0)

    def reasons(self) -> Reasons:
        """What contradicts what, if only the candidates of this puzzle can hold at all.

        The program is fresh, so equal puzzles get equal answers.
        """
        if self._reasons is None:
            rulebook = self._session.make(self._rulebook)
            self._reasons = Reasons(self._session, rulebook)
        return self._reasons

    def _rulebook(self) -> Rulebook:
        rulebook = Rulebook(self._layout)
        # A rule beyond plain sudoku needs the givens too; the houses are done with them.
        could = (*self.candidates, *(self._givens if self._layout.rules else ()))
        possible = {f"sudoku({x},{y},{digit})" for x, y, digit in could}
        with rulebook.control.backend() as backend:
            for atom, literal in rulebook.literal.items():
                if atom.startswith("sudoku") and atom not in possible:
                    backend.add_rule([], [literal])
        return rulebook

    def _ask(
        self, name: str, family: str, left: Collection[Placement], technique: str = ""
    ) -> list[list[clingo.Symbol]]:
        if not self._session.sound:  # its programs may still be busy, or stop at the next question
            self._session = Session(_workers, self._budget)
            self._programs.clear()
            self._reasons = None
        program = self._programs.get((name, family))
        if program is None:
            program = self._session.make(
                lambda: _Program(name, family, self._layout, self.candidates)
            )
            self._programs[name, family] = program
        return self._session.ask(program.control, lambda: program.answers(left, technique))


class _Program:
    """An encoding, ground for the candidates that a puzzle starts with."""

    def __init__(
        self, name: str, family: str, layout: Layout, candidates: Collection[Placement]
    ) -> None:
        choice = "; ".join(f"candidate{tuple(placement)}" for placement in sorted(candidates))
        self.control = grounded(
            f"{encoding(name)}\n#const technique = {family}. [override]\n{{ {choice} }}.",
            layout,
        )
        self.control.configuration.solve.models = 0  # type: ignore[union-attr]
        atoms = self.control.symbolic_atoms
        self._candidate = {
            tuple(argument.number for argument in atom.symbol.arguments): atom.literal
            for atom in atoms.by_signature("candidate", 3)
        }
        self._technique = {
            atom.symbol.arguments[0].name: atom.literal
            for atom in atoms.by_signature("technique", 1)
        }

    def answers(self, left: Collection[Placement], technique: str) -> list[list[clingo.Symbol]]:
        """What each answer set shows when these candidates are left."""
        assumed = [
            literal if placement in left else -literal
            for placement, literal in self._candidate.items()
        ]
        if technique:
            assumed.append(self._technique[technique])
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            found = [list(model.symbols(shown=True)) for model in handle]
            if not handle.get().exhausted:
                raise Unfinished
            return found


def _rule(symbol: clingo.Symbol) -> Rule:
    number = clingo.SymbolType.Number
    return (
        symbol.name,
        *(each.number if each.type is number else each.name for each in symbol.arguments),
    )
