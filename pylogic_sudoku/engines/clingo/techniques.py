"""The questions that steps ask clingo: which techniques apply to the candidates of a puzzle.

The techniques are programs in ``encodings/techniques/``. Singles and locked candidates are asked
for at every step, so they are ground once for each puzzle, for the candidates that it starts with,
and those that are left are assumed. The other programs are asked for rarely. They are ground for
the candidates that are left, which are few then, and only if the technique has a chance at all.

A program that has atoms ``length(K)`` is asked for each length in turn, the shortest first.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from typing import Any

import clingo

from ...grid import Layout, Placement
from ...techniques._prospects import Chances, Walks
from ...techniques._table import TECHNIQUES, Found
from ..budget import Budget
from ..threads import Workers
from .program import OPTIONS, Unfinished, encoding, grounded, placement_of
from .rulebook import Reasons, Rulebook, Session

__all__ = ["Position"]

Rule = tuple[Any, ...]

LONGEST = {"chains": 8, "grouped_chains": 7}
"""The most strong links of a chain, as in the programs of these names."""

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
        self._singles: _Program | None = None
        """Ground for the candidates of the puzzle."""
        self._here: dict[str, _Program] = {}
        """Ground for the candidates that are left, by program; by technique if it is "sets"."""
        self._left: Collection[Placement] = ()
        """The candidates of these programs."""
        self._chances = Chances(layout, ())
        """Which techniques may apply to these candidates."""
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
        self._mend()
        if left != self._left:
            self._here.clear()
            self._left, self._chances = left, Chances(self._layout, left)
        if program in LONGEST:
            answers = self._ask_for_chains(program, technique, shortest)
        else:
            answers = self._ask_here(program, technique, shortest)
        found = [each for answer in answers for each in _found(technique, answer)]
        if program in LONGEST or technique == "remote_pair":
            found.sort(key=lambda each: len(each.must))
            return list({each[3:5]: each for each in reversed(found)}.values())[::-1]
        return list({each[1:5]: each for each in found}.values())

    def at_once(self, left: Collection[Placement]) -> list[Found]:
        """Every single and all locked candidates."""
        self._mend()
        if self._singles is None:
            choice = "; ".join(f"candidate{tuple(each)}" for each in sorted(self.candidates))
            self._singles = self._ground("singles", f"{{{choice}}}.")
        program = self._singles
        ((*answer,),) = self._session.ask(
            program.control, lambda: program.answers(assume=program.only(left))
        )
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

    def _ask_here(self, name: str, technique: str, shortest: bool) -> list[list[clingo.Symbol]]:
        """The answers of a program that is ground for the candidates that are left."""
        candidates = self._chances.candidates(technique)
        if not candidates:
            return []
        key = technique if name == "sets" else name
        program = self._here.get(key)
        if program is None:
            facts = _facts("candidate", candidates)
            if name == "sets":  # one technique at a time is ground in half the time
                facts += f"#const technique = {technique}. [override]"
            elif name == "fish":
                facts += _facts("outside", self._chances.outside_templates)
            program = self._here[key] = self._ground(name, facts)
        ask = partial(program.by_length, technique, shortest)
        if not program.lengths:
            ask = partial(program.answers, technique)
        return self._session.ask(program.control, ask)

    def _ask_for_chains(
        self, name: str, technique: str, shortest: bool
    ) -> list[list[clingo.Symbol]]:
        """The answers of a program for chains, ground for their possible nodes if `shortest`."""
        facts = _facts("candidate", self._left)
        walks = Walks(technique, self._layout, self._left).worth(LONGEST[name])
        if not shortest:
            if not any(walks):
                return []
            program = self._ground(name, facts)
            every = partial(program.by_length, technique, shortest=False)
            return self._session.ask(program.control, every)
        for length, worth in walks:
            program = self._ground(
                name, f"{facts}{_facts('worth', worth)}#const longest = {length}. [override]"
            )
            only = partial(program.answers, technique, (program.lengths[length],))
            if answers := self._session.ask(program.control, only):
                return answers
        return []

    def _ground(self, name: str, more: str) -> _Program:
        return self._session.make(
            lambda: _Program(f"{encoding(f'techniques/{name}')}\n{more}", self._layout)
        )

    def _mend(self) -> None:
        """Start again if programs may still be busy, or stop at the next question."""
        if not self._session.sound:
            self._session = Session(_workers, self._budget)
            self._singles = None
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

    def only(self, left: Collection[Placement]) -> list[int]:
        """What to assume if these candidates are left, and no others."""
        absent = [-literal for place, literal in self._candidate.items() if place not in left]
        return [*absent, *(self._candidate[place] for place in left)]

    def answers(
        self, technique: str = "", assume: Collection[int] = (), one: bool = False
    ) -> list[list[clingo.Symbol]]:
        """What each answer set shows; `one` if the first is enough."""
        assumed = [*assume]
        if technique:
            if technique not in self._technique:
                return []
            assumed.append(self._technique[technique])
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            found = [list(model.symbols(shown=True)) for model in handle]
            if not (handle.get().exhausted or (one and found)):
                raise Unfinished
            return found


def _facts(name: str, placements: Collection[Placement]) -> str:
    return "".join(f"{name}{tuple(each)}.\n" for each in sorted(placements))


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


@lru_cache(10_000)
def _rule(symbol: clingo.Symbol) -> Rule:
    number = clingo.SymbolType.Number
    return (
        symbol.name,
        *(each.number if each.type is number else each.name for each in symbol.arguments),
    )
