"""A position on the way to the solution, and the steps that clingo finds in it.

The techniques are programs in ``encodings/techniques/``. Singles are asked for at every step, and
locked candidates wherever there is no single. These two are ground once for each puzzle, with the
candidates that it starts with, and the remaining ones are assumed. The other programs are asked
rarely. They are ground with the remaining candidates, which are few by then.

It takes 5 to 60 ms to ground such a program, and most techniques do not apply to most positions. So
the necessary conditions of ``conditions.py`` are checked first, and one more: a technique about one
digit removes a candidate that is in no template of its digit.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache, partial
from itertools import combinations
from typing import Any

import clingo

from ..engines.clingo.session import Session
from ..engines.sudoku.ground_once import OPTIONS, grounded, placement_of
from ..engines.sudoku.rulebook import DemandSolver, Rulebook
from ..files import encoding
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Cell, Layout, Placement, candidates_of
from ..rules.demands import SudokuRule, hard_rules
from ..running.workers import Budget, Unfinished, Workers
from .conditions import ChainFilter, Links, both_ways, closed_sets, divided, members, sight
from .step import (
    DifferentSet,
    Step,
    different_sets,
    name_of_single,
    removed_by,
)
from .table import AT_ONCE, TECHNIQUES

ONE_DIGIT = {"turbot", "fish", "colours", "x_chain"}
"""Programs for techniques that are about one digit, and such a technique of another program."""
SIZES = {"pair": 2, "triple": 3, "quad": 4, "x_wing": 2, "swordfish": 3, "jellyfish": 4}
"""The number of cells, digits or lines in such a set."""
LONGEST = {"chains": 8, "grouped_chains": 7}
"""The most strong links of a chain, as in the programs of these names."""

PROJECTED = (
    "--project",
    "--configuration=frumpy",
    "--heuristic=domain",
    "--restart-on-model",
)
"""For programs with ``#project``: one answer set for each way in which these atoms can hold.
Restarting after each is five times as fast for grouped chains. The heuristic is VSIDS, except that
a program may name what to choose first, which is twice as fast for chains."""

_workers = Workers("pylogic_sudoku techniques")

Make = Callable[..., Step]
"""Makes a step from its truths, its links, and its other fields, in their order."""


class Position:
    """A position, which starts as that of a puzzle with some candidates and moves with each step.

    Its methods find steps. Only `take` changes the position.
    """

    def __init__(
        self, puzzle: Grid | Puzzle, candidates: frozenset[Placement], budget: Budget
    ) -> None:
        self.puzzle = puzzle
        self.layout = puzzle.layout
        self.grid = puzzle.grid
        """The digits so far."""
        self.remaining = self._start = candidates
        """The candidates that are left."""
        self.candidates = candidates_of(candidates, puzzle.size)
        """The same as rows of sets."""
        self._budget = budget
        self._sets = different_sets(self.layout)
        self._session = Session(_workers, budget)
        self._start_programs: dict[str, _Program] = {}
        """Ground for the candidates at the start."""
        self._here: dict[str, _Program | None] = {}
        """Ground for the remaining ones, by program, or by technique if that is "sets"; None if it
        need not be asked."""
        self._outside: Collection[Placement] | None = None
        self._areas: Sequence[tuple[Links, Links]] | None = None
        self._solvers: dict[str, DemandSolver] = {}

    def take(self, step: Step) -> None:
        """Move to the position after the step."""
        self.remaining -= removed_by(step)
        if step.placed:
            self.grid = self.grid.with_(step.placed)
        self.candidates = candidates_of(self.remaining, self.grid.size)
        self._here.clear()
        self._outside = self._areas = None

    def by(self, technique: str, shortest: bool = False) -> list[Step]:
        """Every step by a technique: a key of `TECHNIQUES` that has a program.

        Of chains that do the same, only one of the shortest; if `shortest`, only chains that are as
        short as any by this technique.
        """
        program = TECHNIQUES[technique].program
        if program in AT_ONCE:
            return [step for step in self._steps_by(program) if step.technique == _name(technique)]
        self._mend()
        chains = program in LONGEST
        answers = self._chains(technique, shortest) if chains else self._ask_here(technique)
        by_effect: dict[tuple[Any, ...], Step] = {}
        for answer in answers:
            step = step_in(answer, partial(self._make, _name(technique)), self._sets)
            effect = step.removed if chains else (step.truths, step.links, step.removed)
            by_effect.setdefault(effect, step)
        return [*by_effect.values()]

    def at_once(self) -> list[Step]:
        """Every single; if there is none, all locked candidates."""
        return self._steps_by("singles") or self._steps_by("locked")

    def _steps_by(self, name: str) -> list[Step]:
        """Every step by a program that is ground for the candidates at the start."""
        self._mend()
        if name not in self._start_programs:
            choice = "; ".join(f"candidate{tuple(each)}" for each in sorted(self._start))
            self._start_programs[name] = self._ground(name, f"{{{choice}}}.")
        program = self._start_programs[name]
        ((*answer,),) = self._session.ask(
            program.control, lambda: program.answers(assume=program.only(self.remaining))
        )
        by_reason: dict[tuple[clingo.Symbol, ...], list[Placement]] = defaultdict(list)
        for symbol in answer:
            by_reason[tuple(symbol.arguments[:-3])].append(placement_of(symbol))
        steps = []
        for why, placements in by_reason.items():
            rules = [_rule(each, self._sets) for each in why[-2:]]
            if name == "singles":
                technique = name_of_single(rules[0], self.layout, self.grid)
                steps.append(self._make(technique, (*rules,), (), *placements, ()))
            else:
                (truth, link), removed = rules, tuple(sorted(placements))
                steps.append(self._make(_name(why[0].name), (truth,), (link,), None, removed))
        return steps

    def solver(self, purpose: str = "refute") -> DemandSolver:
        """A solver that finds contradictions, if only this puzzle's candidates can hold at all.

        The program is fresh, and another one for each purpose, so equal puzzles get equal answers.
        """
        self._mend()
        if purpose not in self._solvers:
            rulebook = self._session.make(self._rulebook)
            self._solvers[purpose] = DemandSolver(self._session, rulebook)
        return self._solvers[purpose]

    def hard(self, solver: DemandSolver) -> list[int]:
        """Literals for: every cell is filled, if need be, and only these candidates remain."""
        givens = self.grid.givens if self.layout.rules else ()
        removed = self._start.difference(self.remaining, givens)
        hard = solver.literals([*hard_rules(self.layout), *givens])
        return hard + [-literal for literal in solver.literals(sorted(removed))]

    def _within(self, cells: Iterable[Cell]) -> list[Placement]:
        """The candidates in these cells."""
        return [
            Placement(*cell, digit)
            for cell in cells
            for digit in self.candidates[cell.row - 1][cell.column - 1]
        ]

    def _rulebook(self) -> Rulebook:
        rulebook = Rulebook(self.layout)
        # A rule beyond plain sudoku needs the givens too; the houses are done with them.
        could = (*self._start, *(self.puzzle.givens if self.layout.rules else ()))
        possible = {f"sudoku({x},{y},{digit})" for x, y, digit in could}
        with rulebook.control.backend() as backend:
            for atom, literal in rulebook.literal.items():
                if atom.startswith("sudoku") and atom not in possible:
                    backend.add_rule([], [literal])
        return rulebook

    def removal(
        self, technique: str, rules: Iterable[SudokuRule], removed: Iterable[Placement]
    ) -> Step:
        """The step that removes these candidates, as the rules allow none of them."""
        truths: list[SudokuRule] = []
        links: list[SudokuRule] = []
        for rule in rules:
            (truths if rule[0] in ("filled", "at_least_once") else links).append(rule)
        parts = tuple(truths), tuple(links), None, tuple(sorted(removed))
        return self._make(_name(technique), *parts)

    def _make(self, name: str, *parts: Any) -> Step:
        """A step in this position, by the technique of that name."""
        return Step(self.puzzle, self.grid, self.candidates, name, *parts)

    def _ask_here(self, technique: str) -> list[list[clingo.Symbol]]:
        """The answers of a program that is ground for the candidates that are left."""
        name = TECHNIQUES[technique].program
        key = technique if name == "sets" else name
        if key not in self._here:
            candidates = self._worth_asking(technique)
            facts = _facts("candidate", candidates)
            if name == "sets":  # one technique at a time is ground in half the time
                facts += f"#const technique = {technique}. [override]"
            elif name == "fish":
                facts += _facts("outside", self._outside_templates())
            self._here[key] = self._ground(name, facts) if candidates else None
        program = self._here[key]
        if program is None:
            return []
        return self._session.ask(program.control, lambda: program.answers(technique))

    def _chains(self, technique: str, shortest: bool) -> list[list[clingo.Symbol]]:
        """The chains, the shortest first, by a program that is ground for the nodes of a length."""
        chains: list[list[clingo.Symbol]] = []
        name = TECHNIQUES[technique].program
        candidates = self._worth_asking(technique)
        facts = _facts("candidate", candidates)
        for length, worth in ChainFilter(technique, self.layout, candidates).worth(LONGEST[name]):
            program = self._ground(
                name, f"{facts}{_facts('worth', worth)}#const longest = {length}. [override]"
            )
            ask = partial(program.answers, technique, str(length))
            chains += self._session.ask(program.control, ask)
            if chains and shortest:
                break
        return chains

    def _worth_asking(self, technique: str) -> Collection[Placement]:
        """The candidates with which a technique may apply; none if it does not."""
        program = TECHNIQUES[technique].program
        if ONE_DIGIT & {program, technique}:
            digits = {placement.digit for placement in self._outside_templates()}
            return [placement for placement in self.remaining if placement.digit in digits]
        if program == "sets":
            return self.remaining if self._has_set(technique) else ()
        if program == "wings":
            return self.remaining if self._has_wing() else ()
        return self.remaining

    def _has_set(self, technique: str) -> bool:
        """True if there may be such a set or fish, and it may remove a candidate."""
        kind, _, word = technique.rpartition("_")
        size = SIZES.get(technique) or SIZES[word]
        if technique in SIZES:
            return any(
                next(closed_sets(lines, size), None)
                for digit in range(1, self.layout.size + 1)
                for lines in both_ways((x, y) for x, y, each in self.remaining if each == digit)
            )
        counts = Counter(
            keys
            for by_cell, by_digit in self._area_links()
            for keys in closed_sets(by_digit if kind == "hidden" else by_cell, size)
        )
        return max(counts.values(), default=0) >= (2 if kind == "locked" else 1)

    def _has_wing(self) -> bool:
        """True if there may be a wing, which begins and ends in cells with two candidates.

        These share a digit that a cell sees in both. Their other digits are those of a pivot, or
        they are equal, and in some house this digit is only where the two cells see it.
        """
        cells = [digits for row in self.candidates for digits in row]
        see = sight(self.layout)
        _, places = both_ways((at, digit) for at, digits in enumerate(cells) for digit in digits)
        two = [at for at, digits in enumerate(cells) if len(digits) == 2]
        for one, other in combinations(two, 2):
            common, ends = see[one] & see[other], cells[one] ^ cells[other]
            for digit in cells[one] & cells[other]:
                removable = common & places[digit]
                if removable and ends:
                    three = ends | {digit}
                    tied = any(
                        cells[pivot] == ends or (cells[pivot] == three and removable & see[pivot])
                        for pivot in members(common)
                    )
                elif removable:
                    (tie,) = cells[one] - {digit}
                    pairs = (by_digit.get(tie, 0) for _, by_digit in self._area_links())
                    tied = any(divided(pair, see[one], see[other]) for pair in pairs)
                if removable and tied:
                    return True
        return False

    def _area_links(self) -> Sequence[tuple[Links, Links]]:
        """For each house and each set, the digits of its cells, and the cells of its digits."""
        if self._areas is None:
            cells = [digits for row in self.candidates for digits in row]
            sets = ([cell.offset(self.layout.size) for cell in each.cells] for each in self._sets)
            self._areas = [
                both_ways((at, digit) for at in area for digit in cells[at])
                for area in (*self.layout.offsets, *sets)
            ]
        return self._areas

    def _outside_templates(self) -> Collection[Placement]:
        """The candidates in no template of their digit.

        A template is a way to place a digit in every house that lacks it. A technique about one
        digit removes no candidate of a template.
        """
        if self._outside is None:
            solver = self.solver("templates")
            lacking = {
                (house.kind, house.number, each.digit)
                for house in self.layout.houses
                for each in self._within(house.cells)
            }
            demands = solver.literals(
                (word, *each)
                for word in ("at_least_once", "at_most_once")
                for each in sorted(lacking)
            )
            removed = solver.literals(sorted(self._start - self.remaining))
            self._outside = self.remaining - solver.possible(
                [*demands, *(-each for each in removed)]
            )
        return self._outside

    def _ground(self, name: str, more: str) -> _Program:
        sets = (
            f"different{(number, *cell)}."
            for number, each in enumerate(self._sets)
            for cell in sorted(each.cells)
        )
        text = "\n".join((encoding(f"techniques/{name}"), more, *sets))
        return self._session.make(lambda: _Program(text, self.layout))

    def _mend(self) -> None:
        """Start again if programs may still be busy, or stop at the next question."""
        if not self._session.sound:
            self._session = Session(_workers, self._budget)
            self._start_programs.clear()
            self._here.clear()
            self._solvers.clear()


class _Program:
    """A program for the techniques of one file, ground."""

    def __init__(self, text: str, layout: Layout) -> None:
        self.control = grounded(text, layout, PROJECTED if "#project" in text else OPTIONS)
        configuration: Any = self.control.configuration
        configuration.solve.models = 0
        atoms = self.control.symbolic_atoms
        self._candidate = {
            tuple(argument.number for argument in atom.symbol.arguments): atom.literal
            for atom in atoms.by_signature("candidate", 3)
        }
        self._assumptions = {
            str(atom.symbol.arguments[0]): atom.literal
            for name in ("technique", "length")
            for atom in atoms.by_signature(name, 1)
        }
        """The assumptions for a technique, and for a length of a chain."""

    def only(self, remaining: Collection[Placement]) -> list[int]:
        """The assumptions by which these candidates are left, and no others."""
        return [each if place in remaining else -each for place, each in self._candidate.items()]

    def answers(self, *choices: str, assume: Iterable[int] = ()) -> list[list[clingo.Symbol]]:
        """The shown atoms of each answer set, by this technique or with chains of this length."""
        if not self._assumptions.keys() >= {*choices}:
            return []
        assumed = [*assume, *(self._assumptions[each] for each in choices)]
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            models = [list(model.symbols(shown=True)) for model in handle]
            if not handle.get().exhausted:
                raise Unfinished
            return models


def _name(technique: str) -> str:
    return TECHNIQUES[technique].name


def _facts(name: str, placements: Collection[Placement]) -> str:
    return "".join(f"{name}{tuple(each)}.\n" for each in sorted(placements))


def step_in(answer: Iterable[clingo.Symbol], make: Make, sets: Sequence[DifferentSet]) -> Step:
    """The step that an answer set shows; `sets` are those that its program knows."""
    rules: dict[str, set[SudokuRule]] = {"truth": set(), "link": set()}
    removed: list[Placement] = []
    nodes: dict[int, list[Placement]] = defaultdict(list)
    roles: dict[str, list[Placement]] = defaultdict(list)
    for symbol in answer:
        match symbol.name:
            case "truth" | "link":
                rules[symbol.name].add(_rule(symbol.arguments[0], sets))
            case "remove":
                removed.append(placement_of(symbol))
            case "node":
                nodes[symbol.arguments[0].number].append(placement_of(symbol))
            case "role":
                roles[symbol.arguments[0].name.replace("_", " ")].append(placement_of(symbol))
    return make(
        tuple(sorted(rules["truth"])),
        tuple(sorted(rules["link"])),
        None,
        tuple(sorted(removed)),
        tuple(tuple(sorted(nodes[number])) for number in sorted(nodes)),
        tuple((role, tuple(sorted(roles[role]))) for role in sorted(roles)),
    )


def _rule(symbol: clingo.Symbol, sets: Sequence[DifferentSet]) -> SudokuRule:
    """The rule of that name; for a set of different cells the whole rule behind it."""
    demand = _demand(symbol)
    return sets[demand[2]].rule if demand[1] == "different" else demand


@lru_cache(10_000)
def _demand(symbol: clingo.Symbol) -> SudokuRule:
    number = clingo.SymbolType.Number
    arguments = (each.number if each.type is number else each.name for each in symbol.arguments)
    return SudokuRule((symbol.name, *arguments))
