"""A position on the way to the solution, and the steps that are possible in it: asked of clingo.

The techniques are programs in ``encodings/techniques/``. Singles are asked for at every step, and
locked candidates where there is none, so these are ground once for each puzzle, for the candidates
that it starts with, and those that are left are assumed. The other programs are asked for rarely.
They are ground for the candidates that are left, which are few then.

It takes 5 to 60 ms to ground such a program, and most techniques do not apply to most positions. So
necessary conditions are checked first: there are sets with as many digits as cells, a wing ends in
cells with two candidates, a technique about one digit removes a candidate that is in no template of
its digit, and a chain is a walk along links. They are not sufficient; only the program shows
whether there is a step, and which.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial, reduce
from itertools import combinations, permutations
from operator import or_
from typing import Any

import clingo

from ..engines.clingo.kept import OPTIONS, grounded, placement_of
from ..engines.clingo.rulebook import DemandSolver, Rulebook
from ..engines.clingo.session import Session
from ..engines.running import Budget, Unfinished, Workers
from ..files import encoding
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Cell, Layout, Placement, candidates_of
from ..rules.demands import SudokuRule, hard_rules
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
"""For programs with ``#project``: one answer set for each way in which these atoms can hold. To
start again after each took a fifth of the time for grouped chains. The heuristic is VSIDS, except
that a program may say what to choose first: that took half the time for chains."""

_workers = Workers("pylogic_sudoku techniques")

Make = Callable[..., Step]
"""Makes a step of its truths, its links, and what else it has, in their order."""


class Position:
    """A position, which starts as that of a puzzle with some candidates and moves with each step.

    Its methods find steps, and leave the position as it is, except `take`.
    """

    def __init__(
        self, puzzle: Grid | Puzzle, candidates: frozenset[Placement], budget: Budget
    ) -> None:
        self.puzzle = puzzle
        self.layout = puzzle.layout
        self.grid = puzzle.grid
        """The digits so far."""
        self.left = self._start = candidates
        """The candidates that are left."""
        self.candidates = candidates_of(candidates, puzzle.size)
        """The same as rows of sets."""
        self._budget = budget
        self._sets = different_sets(self.layout)
        self._session = Session(_workers, budget)
        self._kept: dict[str, _Program] = {}
        """Ground for the candidates at the start."""
        self._here: dict[str, _Program | None] = {}
        """Ground for those that are left, by program, or by technique if that is "sets"; None if
        it need not be asked."""
        self._outside: Collection[Placement] | None = None
        self._areas: Sequence[tuple[Links, Links]] | None = None
        self._solvers: dict[str, DemandSolver] = {}

    def take(self, step: Step) -> None:
        """Go on to the position after the step."""
        self.left -= removed_by(step)
        if step.placed:
            self.grid = self.grid.with_(step.placed)
        self.candidates = candidates_of(self.left, self.grid.size)
        self._here.clear()
        self._outside = self._areas = None

    def by(self, technique: str, shortest: bool = False) -> list[Step]:
        """Every step by a technique: a key of `TECHNIQUES` that has a program.

        Of chains that do the same, only one of the shortest; if `shortest`, only chains that are as
        short as any by this technique.
        """
        program = TECHNIQUES[technique].program
        if program in AT_ONCE:
            return [step for step in self._seen(program) if step.technique == _name(technique)]
        self._mend()
        chains = program in LONGEST
        answers = self._chains(technique, shortest) if chains else self._ask_here(technique)
        found: dict[tuple[Any, ...], Step] = {}
        for answer in answers:
            step = step_in(answer, partial(self._make, _name(technique)), self._sets)
            does = step.removed if chains else (step.truths, step.links, step.removed)
            found.setdefault(does, step)
        return [*found.values()]

    def at_once(self) -> list[Step]:
        """Every single; if there is none, all locked candidates."""
        return self._seen("singles") or self._seen("locked")

    def _seen(self, name: str) -> list[Step]:
        """Every step by a program that is ground for the candidates at the start."""
        self._mend()
        if name not in self._kept:
            choice = "; ".join(f"candidate{tuple(each)}" for each in sorted(self._start))
            self._kept[name] = self._ground(name, f"{{{choice}}}.")
        program = self._kept[name]
        ((*answer,),) = self._session.ask(
            program.control, lambda: program.answers(assume=program.only(self.left))
        )
        found: dict[tuple[clingo.Symbol, ...], list[Placement]] = defaultdict(list)
        for symbol in answer:
            found[tuple(symbol.arguments[:-3])].append(placement_of(symbol))
        steps = []
        for why, placements in found.items():
            rules = [_rule(each, self._sets) for each in why[-2:]]
            if name == "singles":
                called = name_of_single(rules[0], self.layout, self.grid)
                steps.append(self._make(called, (*rules,), (), *placements, ()))
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
        held = self.grid.givens if self.layout.rules else ()
        removed = self._start.difference(self.left, held)
        hard = solver.literals([*hard_rules(self.layout), *held])
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
        found: list[list[clingo.Symbol]] = []
        name = TECHNIQUES[technique].program
        candidates = self._worth_asking(technique)
        facts = _facts("candidate", candidates)
        for length, worth in ChainFilter(technique, self.layout, candidates).worth(LONGEST[name]):
            program = self._ground(
                name, f"{facts}{_facts('worth', worth)}#const longest = {length}. [override]"
            )
            ask = partial(program.answers, technique, str(length))
            found += self._session.ask(program.control, ask)
            if found and shortest:
                break
        return found

    def _worth_asking(self, technique: str) -> Collection[Placement]:
        """The candidates with which a technique may apply; none if it does not."""
        program = TECHNIQUES[technique].program
        if ONE_DIGIT & {program, technique}:
            digits = {placement.digit for placement in self._outside_templates()}
            return [placement for placement in self.left if placement.digit in digits]
        if program == "sets":
            return self.left if self._has_set(technique) else ()
        if program == "wings":
            return self.left if self._has_wing() else ()
        return self.left

    def _has_set(self, technique: str) -> bool:
        """True if there may be such a set or fish, and it may remove a candidate."""
        kind, _, word = technique.rpartition("_")
        size = SIZES.get(technique) or SIZES[word]
        if technique in SIZES:
            return any(
                next(closed_sets(lines, size), None)
                for digit in range(1, self.layout.size + 1)
                for lines in both_ways((x, y) for x, y, each in self.left if each == digit)
            )
        found = Counter(
            keys
            for by_cell, by_digit in self._held()
            for keys in closed_sets(by_digit if kind == "hidden" else by_cell, size)
        )
        return max(found.values(), default=0) >= (2 if kind == "locked" else 1)

    def _has_wing(self) -> bool:
        """True if there may be a wing, which begins and ends in cells with two candidates.

        These share a digit that a cell sees in both. Their other digits are those of a pivot, or
        they are equal, and in some house this digit is only where the two cells see it.
        """
        cells = [digits for row in self.candidates for digits in row]
        see = _sight(self.layout)
        _, places = both_ways((at, digit) for at, held in enumerate(cells) for digit in held)
        two = [at for at, held in enumerate(cells) if len(held) == 2]
        for one, other in combinations(two, 2):
            seen, ends = see[one] & see[other], cells[one] ^ cells[other]
            for digit in cells[one] & cells[other]:
                removable = seen & places[digit]
                if removable and ends:
                    three = ends | {digit}
                    tied = any(
                        cells[pivot] == ends or (cells[pivot] == three and removable & see[pivot])
                        for pivot in _members(seen)
                    )
                elif removable:
                    (tie,) = cells[one] - {digit}
                    pairs = (by_digit.get(tie, 0) for _, by_digit in self._held())
                    tied = any(_divided(pair, see[one], see[other]) for pair in pairs)
                if removable and tied:
                    return True
        return False

    def _held(self) -> Sequence[tuple[Links, Links]]:
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
            removed = solver.literals(sorted(self._start - self.left))
            self._outside = self.left - solver.possible([*demands, *(-each for each in removed)])
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
            self._kept.clear()
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
        self._chosen = {
            str(atom.symbol.arguments[0]): atom.literal
            for name in ("technique", "length")
            for atom in atoms.by_signature(name, 1)
        }
        """The assumptions for a technique, and for a length of a chain."""

    def only(self, left: Collection[Placement]) -> list[int]:
        """The assumptions by which these candidates are left, and no others."""
        return [each if place in left else -each for place, each in self._candidate.items()]

    def answers(self, *chosen: str, assume: Iterable[int] = ()) -> list[list[clingo.Symbol]]:
        """The shown atoms of each answer set, by this technique or with chains of this length."""
        if not self._chosen.keys() >= {*chosen}:
            return []
        assumed = [*assume, *(self._chosen[each] for each in chosen)]
        with self.control.solve(assumptions=assumed, yield_=True) as handle:
            found = [list(model.symbols(shown=True)) for model in handle]
            if not handle.get().exhausted:
                raise Unfinished
            return found


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


# --- sets of as many digits as cells, or of as many lines as cross lines ---

Links = Mapping[int, int]
"""The links of some numbers: bits of other numbers."""


def both_ways(pairs: Iterable[tuple[int, int]]) -> tuple[Links, Links]:
    """For each first number of a pair the second ones, and for each second one the first ones."""
    there, back = defaultdict[int, int](int), defaultdict[int, int](int)
    for one, other in pairs:
        there[one] |= 1 << other
        back[other] |= 1 << one
    return there, back


def closed_sets(links: Links, size: int) -> Iterator[tuple[int, ...]]:
    """Sets of `size` numbers with `size` others between them, one of which another number has."""
    few = sorted(each for each, others in links.items() if others.bit_count() <= size)
    for several in combinations(few, size):
        others = reduce(or_, map(links.__getitem__, several))
        if others.bit_count() == size and any(
            others & links[each] for each in links if each not in several
        ):
            yield several


@lru_cache(64)
def _sight(layout: Layout) -> list[int]:
    """For each cell, the cells that it sees in its houses."""
    found = [0] * len(layout.cells)
    for offsets in layout.offsets:
        for at, other in permutations(offsets, 2):
            found[at] |= 1 << other
    return found


def _divided(pair: int, one: int, other: int) -> bool:
    """True if it is two cells, and each of two others sees one of them."""
    parts = pair & one, pair & other
    return pair.bit_count() == 2 and all(parts) and parts[0] | parts[1] == pair


# --- chains ---
#
# Sets of candidates and of nodes are integers, with a bit for each member.


class ChainFilter:
    """Candidates that a chain may use, since a walk that would remove a candidate goes over them.

    A walk follows strong and weak links in turn, and may visit a candidate twice, a chain only
    once. `technique` is a key of `TECHNIQUES`: an X-chain has one digit, an XY-chain goes through
    cells with two candidates, and only nodes of a grouped AIC are groups.
    """

    def __init__(self, technique: str, layout: Layout, left: Collection[Placement]) -> None:
        self._places = places = sorted(left)
        bit = {place: 1 << number for number, place in enumerate(places)}
        cells: dict[Cell, int] = defaultdict(int)
        houses: dict[tuple[int, int], int] = defaultdict(int)
        numbers: dict[Cell, list[int]] = defaultdict(list)
        for number, house in enumerate(layout.houses):
            for cell in house.cells:
                numbers[cell].append(number)
        for place in places:
            cells[place.cell] |= bit[place]
            for number in numbers[place.cell]:
                houses[number, place.digit] |= bit[place]

        # A node is a set of candidates, and it clashes with what clashes with all of them.
        groups = _groups(layout, houses) if technique == "grouped_aic" else set()
        self._nodes = nodes = [*bit.values(), *groups]
        in_houses = {
            one: _union(houses[number, place.digit] for number in numbers[place.cell]) & ~one
            for place, one in bit.items()
        }
        through_cells = technique in ("aic", "grouped_aic")
        self._clash = []
        for node in nodes:
            common = -1
            for number in _members(node):
                common &= in_houses[1 << number]
            if through_cells and node.bit_count() == 1:
                common |= cells[places[node.bit_length() - 1].cell] & ~node
            self._clash.append(common)

        truths = [] if technique == "xy_chain" else [*houses.values()]
        truths += [] if technique == "x_chain" else [*cells.values()]
        index = {node: number for number, node in enumerate(nodes)}
        from_first: dict[int, list[int]] = defaultdict(list)
        for node in nodes:
            from_first[node & -node].append(node)
        self._strong = [0] * len(nodes)
        for truth in {*truths}:
            for node in (each for first in _members(truth) for each in from_first[1 << first]):
                if not node & ~truth and truth & ~node in index:
                    self._strong[index[node]] |= 1 << index[truth & ~node]

        # The nodes that clash with a candidate: an end of a chain that removes it, or, for each
        # candidate of a node, the other end of a weak link.
        self._against = [0] * len(places)
        for number, strong in enumerate(self._strong):
            for candidate in _members(self._clash[number]) if strong else ():
                self._against[candidate] |= 1 << number
        self._weak = [-1 if strong else 0 for strong in self._strong]
        for number, node in enumerate(nodes):
            for candidate in _members(node):
                self._weak[number] &= self._against[candidate]

    def worth(self, longest: int) -> Iterator[tuple[int, list[Placement]]]:
        """Yield numbers of strong links, from 2, with the candidates on walks up to that length.

        Numbers without such walks are left out.
        """
        reaches = [_Reach(ends) for ends in self._against if ends]
        for number in range(longest):
            for reach in reaches:
                reach.extend(self._strong, self._weak)
            if returned := [reach for reach in reaches if reach.returned]:
                nodes = _union(reach.nodes(number) for reach in returned)
                candidates = _union(self._nodes[node] for node in _members(nodes))
                if number:
                    yield number + 1, [self._places[each] for each in _members(candidates)]
            elif not any(reach.off[-1] for reach in reaches):
                return


class _Reach:
    """The nodes on walks from those that clash with a candidate, which are off if it is true."""

    def __init__(self, ends: int) -> None:
        self._ends = ends
        self.off = [ends]
        """For each number of pairs of links, the nodes that are first off after them."""
        self.on: list[int] = []
        """The nodes that are first on one strong link later."""
        self._known_off, self._known_on = ends, 0

    def extend(self, strong: Sequence[int], weak: Sequence[int]) -> None:
        """Follow one more strong link, then one more weak link."""
        self.on.append(_union(strong[node] for node in _members(self.off[-1])) & ~self._known_on)
        self._known_on |= self.on[-1]
        self.off.append(_union(weak[node] for node in _members(self.on[-1])) & ~self._known_off)
        self._known_off |= self.off[-1]

    @property
    def returned(self) -> bool:
        """True if a node that clashes with the candidate is on, which is a contradiction."""
        return bool(self._known_on & self._ends)

    def nodes(self, number: int) -> int:
        """The nodes on walks that return after a strong link and up to `number` pairs of links."""
        found = known = 0
        for off, on in zip(self.off[number::-1], self.on, strict=False):
            known |= on
            found |= off & known
        return found


def _groups(layout: Layout, houses: dict[tuple[int, int], int]) -> set[int]:
    """The candidates of a digit where a line crosses a box or region, and all but one of them.

    The one that is left out is in such a group of another line, so there is a strong link.
    """
    found: set[int] = set()
    lines = [at for at, house in enumerate(layout.houses) if house.kind in ("row", "column")]
    areas = [at for at, house in enumerate(layout.houses) if house.kind in ("box", "region")]
    for area, digit in ((area, digit) for area, digit in houses if area in areas):
        whole = {houses.get((line, digit), 0) & houses[area, digit] for line in lines}
        several = {node for node in whole if node.bit_count() > 1}
        found |= several
        for one, other in permutations(several, 2):
            if (one & other).bit_count() == 1 and one.bit_count() > 2:
                found.add(one & ~other)
    return found


def _members(mask: int) -> Iterator[int]:
    """The numbers of the bits that are set."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _union(masks: Iterable[int]) -> int:
    return reduce(or_, masks, 0)
