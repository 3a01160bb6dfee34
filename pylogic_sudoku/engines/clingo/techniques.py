"""The questions that steps ask clingo: which techniques apply to the candidates of a puzzle.

The techniques are programs in ``encodings/techniques/``. Singles and sets are asked for at almost
every step, so they are ground once for each puzzle, for the candidates that it starts with, and
those that are left are assumed. Grounding takes about 15 ms and a question less than 1 ms; ground
for any puzzle of a layout, it took 60 ms and 3 ms. The other programs are asked for rarely. They
are ground for the candidates that are left, which are few then.

A program that has atoms ``length(K)`` is asked for each length in turn, the shortest first.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import clingo

from ...grid import Layout, Placement
from ...techniques._table import TECHNIQUES, Found
from ..budget import Budget
from ..threads import Workers
from .program import OPTIONS, Unfinished, encoding, grounded, placement_of
from .rulebook import Reasons, Rulebook, Session

__all__ = ["Position"]

Rule = tuple[Any, ...]

FAMILIES = {
    **dict.fromkeys(("locked_pair", "locked_triple"), "locked"),
    **dict.fromkeys(("naked_pair", "naked_triple", "naked_quad"), "naked"),
    **dict.fromkeys(("hidden_pair", "hidden_triple", "hidden_quad"), "hidden"),
    **dict.fromkeys(("x_wing", "swordfish", "jellyfish"), "fish"),
}
"""The techniques of ``sets.lp``, which is ground for one family at a time."""

SIZES = {
    **dict.fromkeys(("locked_pair", "naked_pair", "hidden_pair", "x_wing"), 2),
    **dict.fromkeys(("locked_triple", "naked_triple", "hidden_triple", "swordfish"), 3),
    **dict.fromkeys(("naked_quad", "hidden_quad", "jellyfish"), 4),
}
"""The most candidates with which a rule that must be met can be part of such a technique."""

PROJECTED = (
    "--project",
    "--configuration=frumpy",
    "--heuristic=domain",
    "--restart-on-model",
)
"""For programs with ``#project``: one answer set for each way in which these atoms can hold. To
start again after each took a fifth of the time for grouped chains. The heuristic is VSIDS, except
that a program may say what to choose first: that took half the time for chains."""

_workers = Workers("pylogic_sudoku techniques")


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
        """Ground for the candidates of the puzzle, by name and family."""
        self._here: dict[str, _Program] = {}
        """Ground for the candidates that are left, by name."""
        self._left: Collection[Placement] = ()
        """Those candidates."""
        self._templates_of: Collection[Placement] = ()
        self._deleted: tuple[Placement, ...] = ()
        """Those of these candidates that are in no template of their digit."""
        self._houses: dict[tuple[int, int], list[int]] = {cell: [] for cell in layout.cells}
        for number, house in enumerate(layout.houses):
            for cell in house.cells:
                self._houses[cell].append(number)
        self._reasons: Reasons | None = None

    def by(
        self,
        technique: str,
        left: Collection[Placement],
        shortest: bool = False,
    ) -> list[Found]:
        """Every step by a technique, if these candidates are left.

        Of chains that do the same, only one of the shortest; if `shortest`, only chains that are as
        short as any by this technique.
        """
        program = TECHNIQUES[technique].program
        if program == "singles":
            return [found for found in self.at_once(left) if found.technique == technique]
        if program == "fish" and not self._outside(left):
            return []
        if technique not in FAMILIES:
            answers = self._ask_here(program, technique, left, shortest)
        elif self._fewest(FAMILIES[technique], left) > SIZES[technique]:
            return []  # in a puzzle without givens, that saves most of the time
        else:
            answers = self._ask(program, FAMILIES[technique], left, technique)
        found = [each for answer in answers for each in _found(technique, answer)]
        if self._has_lengths(program):
            found.sort(key=lambda each: len(each.must))
            return list({each[3:5]: each for each in reversed(found)}.values())[::-1]
        return list({each[1:5]: each for each in found}.values())

    def _outside(self, left: Collection[Placement]) -> tuple[Placement, ...]:
        """The candidates in no template of their digit: no fish removes any other."""
        if left != self._templates_of:
            deleted = self.by("template_delete", left)
            self._templates_of = left
            self._deleted = tuple(placement for each in deleted for placement in each.removed)
        return self._deleted

    def _has_lengths(self, name: str) -> bool:
        return name in self._here and bool(self._here[name].lengths)

    def at_once(self, left: Collection[Placement]) -> list[Found]:
        """Every single and all locked candidates."""
        (answer,) = self._ask("singles", "any", left)
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

    def _fewest(self, family: str, left: Collection[Placement]) -> int:
        """The fewest candidates that a cell has, or a digit in a house."""
        if family in ("naked", "locked"):
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
        """The answers of a program that is ground for the puzzle."""
        self._mend()
        program = self._programs.get((name, family))
        if program is None:
            choice = "; ".join(f"candidate{tuple(each)}" for each in sorted(self.candidates))
            program = self._ground(name, f"#const technique = {family}. [override]\n{{{choice}}}.")
            self._programs[name, family] = program
        return self._session.ask(program.control, lambda: program.answers(technique, left))

    def _ask_here(
        self,
        name: str,
        technique: str,
        left: Collection[Placement],
        shortest: bool,
    ) -> list[list[clingo.Symbol]]:
        """The answers of a program that is ground for the candidates that are left."""
        self._mend()
        if left != self._left:
            self._here.clear()
            self._left = left
        program = self._here.get(name)
        if program is None:
            outside = self._outside(left) if name == "fish" else ()
            facts = [
                f"{predicate}{tuple(each)}."
                for predicate, several in (("candidate", left), ("outside", outside))
                for each in sorted(several)
            ]
            program = self._here[name] = self._ground(name, "\n".join(facts))
        ask = partial(program.by_length, technique, shortest)
        if not program.lengths:
            ask = partial(program.answers, technique)
        return self._session.ask(program.control, ask)

    def _ground(self, name: str, more: str) -> _Program:
        return self._session.make(
            lambda: _Program(f"{encoding(f'techniques/{name}')}\n{more}", self._layout)
        )

    def _mend(self) -> None:
        """Start again if programs may still be busy, or stop at the next question."""
        if not self._session.sound:
            self._session = Session(_workers, self._budget)
            self._programs.clear()
            self._here.clear()
            self._reasons = None


class _Program:
    """A program for the techniques of one file, ground."""

    def __init__(self, text: str, layout: Layout) -> None:
        projected = "#project" in text
        self.control = grounded(text, layout, PROJECTED if projected else OPTIONS)
        configuration: Any = self.control.configuration
        self._settings = configuration.solve
        self._settings.models = 0
        atoms = self.control.symbolic_atoms
        self._candidate = {
            tuple(argument.number for argument in atom.symbol.arguments): atom.literal
            for atom in atoms.by_signature("candidate", 3)
        }
        self._technique = {
            atom.symbol.arguments[0].name: atom.literal
            for atom in atoms.by_signature("technique", 1)
        }
        self._parts = [atom.literal for atom in atoms.by_signature("part", 1)]
        """If there are any, a step is what all answer sets with one of these have in common."""
        self.lengths = {
            atom.symbol.arguments[0].number: atom.literal
            for atom in atoms.by_signature("length", 1)
        }
        """What to assume for each length of a chain."""

        self._remove = {atom.symbol: atom.literal for atom in atoms.by_signature("remove", 3)}

    def by_length(self, technique: str, shortest: bool) -> list[list[clingo.Symbol]]:
        """What each answer set shows, the shortest chains first, and perhaps only these.

        Of chains that remove the same candidates, only those of one length.
        """
        with self.control.backend() as backend:
            asked = backend.add_atom()
            backend.add_rule([asked], choice=True)
        found: list[list[clingo.Symbol]] = []
        self._settings.models = 1  # to ask for each length is slow if there is no chain at all
        try:
            lengths = sorted(self.lengths) if self.answers(technique, one=True) else []
        finally:
            self._settings.models = 0
        for length in lengths:
            found += (more := self.answers(technique, assume=(self.lengths[length], asked)))
            if found and shortest:
                break
            self._block(asked, more)
        return found

    def _block(self, asked: int, answers: Iterable[Sequence[clingo.Symbol]]) -> None:
        """As long as an atom is assumed, find nothing that removes just what one of these does."""
        with self.control.backend() as backend:
            for answer in answers:
                gone = {symbol for symbol in answer if symbol.name == "remove"}
                these = [each if symbol in gone else -each for symbol, each in self._remove.items()]
                backend.add_rule([], [asked, *these])

    def answers(
        self,
        technique: str,
        left: Collection[Placement] | None = None,
        assume: Collection[int] = (),
        one: bool = False,
    ) -> list[list[clingo.Symbol]]:
        """What each answer set shows; with `left`, if only these candidates are left.

        `one` if the limit on models is one.
        """
        assumed = [*assume]
        if left is not None:
            assumed += [
                literal if placement in left else -literal
                for placement, literal in self._candidate.items()
            ]
        if technique:
            if technique not in self._technique:
                return []
            assumed.append(self._technique[technique])
        if self._parts:
            return [found for part in self._parts for found in self._common([*assumed, part])]
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            found = [list(model.symbols(shown=True)) for model in handle]
            if not (handle.get().exhausted or (one and found)):
                raise Unfinished
            return found

    def _common(self, assumed: Sequence[int]) -> list[list[clingo.Symbol]]:
        """What all answer sets show, as if it were one answer set; none if there are none."""
        self._settings.enum_mode = "cautious"
        common = None
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            for model in handle:
                common = list(model.symbols(shown=True))
            if not handle.get().exhausted:
                raise Unfinished
        return [] if common is None else [common]


def _found(technique: str, answer: Collection[clingo.Symbol]) -> Iterator[Found]:
    """The steps that an answer set shows: one for each placement, or one that removes."""
    rules: dict[str, list[Rule]] = {"must": [], "most": []}
    placements: dict[str, list[Placement]] = {"place": [], "remove": []}
    nodes: dict[int, list[Placement]] = {}
    roles: dict[str, list[Placement]] = {}
    for symbol in answer:
        if symbol.name in rules:
            rules[symbol.name].append(_rule(symbol.arguments[0]))
        elif symbol.name in placements:
            placements[symbol.name].append(placement_of(symbol))
        elif symbol.name == "node":
            nodes.setdefault(symbol.arguments[0].number, []).append(placement_of(symbol))
        elif symbol.name == "role":
            role = str(symbol.arguments[0]).replace("_", " ")
            roles.setdefault(role, []).append(placement_of(symbol))
    removed = tuple(sorted(placements["remove"]))
    nothing: list[Placement | None] = [None] if removed else []
    for placed in sorted(placements["place"]) or nothing:
        yield Found(
            technique,
            tuple(sorted(rules["must"])),
            tuple(sorted(rules["most"])),
            placed,
            removed,
            tuple(tuple(sorted(nodes[number])) for number in sorted(nodes)),
            tuple((role, tuple(sorted(roles[role]))) for role in sorted(roles)),
        )


def _rule(symbol: clingo.Symbol) -> Rule:
    number = clingo.SymbolType.Number
    return (
        symbol.name,
        *(each.number if each.type is number else each.name for each in symbol.arguments),
    )
