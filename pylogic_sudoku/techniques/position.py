"""Necessary conditions for techniques, checked in plain Python before an engine is asked.

Most techniques do not apply to most positions, and it takes 10 to 400 ms to ground a program of
``encodings/techniques/`` only to learn that. These conditions are quick to check: no fish removes a
candidate of a template, and a chain is a walk along links. They are not sufficient; only the engine
shows whether there is a step, and which.

Sets of candidates and of nodes are integers, with a bit for each member.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache, partial
from itertools import combinations, permutations
from typing import Any

import clingo

from ..engines.clingo.program import OPTIONS, Session, Unfinished, grounded, placement_of
from ..engines.clingo.rulebook import DemandSolver, Rulebook
from ..engines.running import Budget, Workers
from ..files import encoding
from ..puzzle.cells import Cell, House, Layout, Placement
from .step import DifferentSet, different_sets
from .table import TECHNIQUES, Found

ONE_DIGIT = ("turbot", "fish", "colours")
"""Programs for techniques that are about one digit."""
MAX_CELLS = 8
"""Of a remote pair, as in its program."""
SETS = {2: "pair", 3: "triple", 4: "quad"}
FISH = {2: "x_wing", 3: "swordfish", 4: "jellyfish"}
TRIED = 20_000
"""Choices in a search for the templates of a digit; after these, the rest counts as outside."""


class Chances:
    """Which techniques may apply to a position, except for chains."""

    def __init__(self, layout: Layout, left: Collection[Placement]) -> None:
        self._layout = layout
        self._left = left
        self._digits: dict[Cell, int] = defaultdict(int)
        """For each cell its digits."""
        for x, y, digit in left:
            self._digits[Cell(x, y)] |= 1 << digit

    def candidates(self, technique: str) -> Collection[Placement]:
        """The candidates with which this key of `TECHNIQUES` may apply; none if it does not."""
        program = TECHNIQUES[technique].program
        if program in ONE_DIGIT:
            digits = {placement.digit for placement in self.outside_templates}
            return [placement for placement in self._left if placement.digit in digits]
        if program == "sets":
            return self._left if technique in self._sets else ()
        if technique == "remote_pair":
            # It is an XY-chain in which all cells hold the same two candidates.
            pairs = Counter(digits for digits in self._digits.values() if digits.bit_count() == 2)
            chains = Walks("xy_chain", self._layout, self._left).worth(MAX_CELLS)
            four = max(pairs.values(), default=0) >= 4
            return self._left if four and next(chains, None) else ()
        return self._left

    @cached_property
    def _sets(self) -> frozenset[str]:
        """The techniques with sets of cells, digits or lines for which there is such a set.

        Its cells hold as many digits as there are cells, and another cell of the house holds one of
        these digits; or the same with digits and cells, or lines and cross lines.
        """
        found = set()
        naked: set[frozenset[Cell]] = set()
        for house in self._layout.houses:
            cells = [cell for cell in house.cells if cell in self._digits]
            masks = [self._digits[cell] for cell in cells]
            for members in _closed_sets(masks):
                found.add(f"naked_{SETS[len(members)]}")
                if (chosen := frozenset(cells[member] for member in members)) in naked:
                    found.add(f"locked_{SETS[len(members)]}")
                naked.add(chosen)
            found |= {f"hidden_{SETS[len(members)]}" for members in _closed_sets(_transpose(masks))}
        for kind in ("row", "column"):
            lines = [house.cells for house in self._layout.houses if house.kind == kind]
            held = [[self._digits.get(cell, 0) for cell in line] for line in lines]
            for digit in range(1, self._layout.size + 1):
                places = [
                    sum((digits >> digit & 1) << at for at, digits in enumerate(line))
                    for line in held
                ]
                found |= {FISH[len(members)] for members in _closed_sets(places)}
        return frozenset(found)

    @cached_property
    def outside_templates(self) -> frozenset[Placement]:
        """The candidates in no template of their digit, and more if the search is cut short.

        A template is a way to place a digit in every house that lacks it. A technique about one
        digit removes no candidate of a template.
        """
        places: dict[int, list[Placement]] = defaultdict(list)
        for placement in sorted(self._left):
            places[placement.digit].append(placement)
        return frozenset(
            each for several in places.values() for each in _outside(several, self._layout)
        )


def _transpose(masks: Sequence[int]) -> list[int]:
    """For each bit in any of these masks, the numbers of those that have it, as a mask."""
    return [
        sum((mask >> bit & 1) << number for number, mask in enumerate(masks))
        for bit in _members(_union(masks))
    ]


def _closed_sets(masks: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The numbers of 2 to 4 masks with as many bits in all, some of which another mask has."""
    for size in (2, 3, 4):
        small = [number for number, mask in enumerate(masks) if 0 < mask.bit_count() <= size]
        for members in combinations(small, size):
            union = _union(masks[member] for member in members)
            others = (mask for number, mask in enumerate(masks) if number not in members)
            if union.bit_count() == size and any(mask & union for mask in others):
                yield members


def _outside(places: Sequence[Placement], layout: Layout) -> list[Placement]:
    """Those of these places for a digit that are in no template."""
    bit = {place.cell: 1 << number for number, place in enumerate(places)}
    houses = [sum(bit.get(cell, 0) for cell in house.cells) for house in layout.houses]
    houses = [house for house in houses if house]
    beside = [_union(house for house in houses if house & one) for one in bit.values()]
    tries = TRIED

    def template(chosen: int, free: int, lacking: list[int]) -> int | None:
        """The chosen places, and more of those that are free, so that no house lacks the digit."""
        nonlocal tries
        if not lacking:
            return chosen
        tries -= 1
        fewest = min((house & free for house in lacking), key=int.bit_count)
        for number in _members(fewest) if tries > 0 else ():
            one = 1 << number
            rest = [house for house in lacking if not house & one]
            if found := template(chosen | one, free & ~beside[number], rest):
                return found
        return None

    covered = 0
    for number in range(len(places)):
        one = 1 << number
        if not covered & one:
            rest = [house for house in houses if not house & one]
            covered |= template(one, ~beside[number], rest) or 0
    return [place for place in places if not covered & bit[place.cell]]


class Walks:
    """Walks along strong and weak links in turn that would remove a candidate if they were chains.

    A walk may visit a candidate twice, a chain only once. `technique` is a key of `TECHNIQUES`:
    an X-chain has one digit, an XY-chain goes through cells with two candidates, and only nodes of
    a grouped AIC are groups.
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
        self._strong = [0] * len(nodes)
        for truth in {*truths}:
            parts = nodes if groups else [1 << number for number in _members(truth)]
            for node in parts:
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
        """Yield numbers of strong links, from 2, with the candidates on walks of at most so many.

        Numbers without such walks are left out.
        """
        walks = [_Walk(ends) for ends in self._against if ends]
        for number in range(longest):
            for walk in walks:
                walk.go_on(self._strong, self._weak)
            if found := [walk for walk in walks if walk.returned]:
                nodes = _union(walk.nodes(number) for walk in found)
                candidates = _union(self._nodes[node] for node in _members(nodes))
                if number:
                    yield number + 1, [self._places[each] for each in _members(candidates)]
            elif not any(walk.off[-1] for walk in walks):
                return


class _Walk:
    """The walks from the nodes that clash with a candidate, which are off if it holds."""

    def __init__(self, ends: int) -> None:
        self._ends = ends
        self.off = [ends]
        """For each number of pairs of links, the nodes that are first off after so many."""
        self.on: list[int] = []
        """The nodes that are first on one strong link later."""
        self._known_off, self._known_on = ends, 0

    def go_on(self, strong: Sequence[int], weak: Sequence[int]) -> None:
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
        """The nodes on walks that return after a strong link and up to so many pairs of links."""
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
    found = 0
    for mask in masks:
        found |= mask
    return found


# --- singles, locked candidates and sets in all-different sets, such as a diagonal ---
#
# With n cells such a set is *full*: it holds every digit, as a house does. The names are those of
# the same steps in houses.

Spots = dict[int, set[Placement]]
"""For each digit, its candidates."""
InHouses = list[tuple[House, Spots]]

SIZES = {word: size for size, word in SETS.items()}


def _hidden_singles(different: DifferentSet, spots: Spots, held: set[int]) -> Iterator[Found]:
    for digit, where in spots.items():
        if len(where) == 1 and digit not in held:
            yield from _make_step("hidden_single", (different.rule,), (), placed=min(where))


def _pointing(different: DifferentSet, in_houses: InHouses, spots: Spots) -> Iterator[Found]:
    """Within a house, a digit is left only in the set, so it goes from the rest of the set."""
    for house, inside in in_houses:
        for digit, where in inside.items():
            if where <= spots.get(digit, set()):
                truth = ("at_least_once", house.kind, house.number, digit)
                yield from _make_step("pointing", (truth,), (different.rule,), spots[digit] - where)


def _claiming(
    different: DifferentSet, in_houses: InHouses, spots: Spots, held: set[int]
) -> Iterator[Found]:
    """Within the set, a digit is left only in one house, so it goes from the rest of the house."""
    for digit, where in spots.items():
        for house, inside in in_houses if digit not in held else ():
            if where <= inside.get(digit, set()):
                link = ("at_most_once", house.kind, house.number, digit)
                yield from _make_step("claiming", (different.rule,), (link,), inside[digit] - where)


def _naked(
    technique: str, different: DifferentSet, candidates: Collection[Placement], size: int
) -> Iterator[Found]:
    """Cells of the set that hold as many digits between them."""
    by_cell = {cell: {each for each in candidates if each.cell == cell} for cell in different.cells}
    few = [cell for cell in sorted(by_cell) if 1 <= len(by_cell[cell]) <= size]
    for cells in combinations(few, size):
        chosen = set().union(*(by_cell[cell] for cell in cells))
        digits = {each.digit for each in chosen}
        if len(digits) == size:
            gone = {each for each in candidates if each.digit in digits} - chosen
            yield from _make_step(technique, (), (different.rule,), gone, chosen)


def _hidden(
    technique: str,
    different: DifferentSet,
    candidates: Collection[Placement],
    size: int,
    held: set[int],
) -> Iterator[Found]:
    """Digits that the set must hold, and holds in as many cells between them."""
    spots = _by_digit(candidates)
    few = [digit for digit in sorted(spots) if len(spots[digit]) <= size and digit not in held]
    for digits in combinations(few, size):
        chosen = set().union(*(spots[digit] for digit in digits))
        cells = {each.cell for each in chosen}
        if len(cells) == size:
            gone = {each for each in candidates if each.cell in cells} - chosen
            yield from _make_step(technique, (different.rule,), (), gone, chosen)


def _by_digit(candidates: Iterable[Placement]) -> Spots:
    found: Spots = {}
    for each in candidates:
        found.setdefault(each.digit, set()).add(each)
    return found


def _make_step(
    technique: str,
    truths: tuple[tuple[Any, ...], ...],
    links: tuple[tuple[Any, ...], ...],
    gone: Iterable[Placement] = (),
    chosen: Iterable[Placement] = (),
    placed: Placement | None = None,
) -> Iterator[Found]:
    """A step, if it does anything."""
    removed = tuple(sorted(gone))
    roles = (("set", tuple(sorted(chosen))),) if chosen else ()
    if removed or placed:
        yield Found(technique, truths, links, placed, removed, (), roles)


# --- which techniques apply to the candidates of a puzzle: questions to clingo ---
#
# The techniques are programs in ``encodings/techniques/``. Singles and locked candidates are asked
# for at every step, so they are ground once for each puzzle, for the candidates that it starts
# with, and those that are left are assumed. The other programs are asked for rarely. They are
# ground for the candidates that are left, which are few then, and only if the technique has a
# chance at all.
#
# A program that has atoms ``length(K)`` is asked for each length in turn, the shortest first.

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
        self._solver: DemandSolver | None = None

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
            found.sort(key=lambda each: len(each.truths))
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
            technique, truth, *links = symbol.arguments[:-3]
            placement = placement_of(symbol)
            if links:
                key = technique.name, _rule(truth), _rule(links[0])
                removed.setdefault(key, []).append(placement)
            else:
                found.append(Found(technique.name, (_rule(truth),), (), placement, ()))
        for (name, one, other), gone in removed.items():
            found.append(Found(name, (one,), (other,), None, tuple(sorted(gone))))
        return found

    def in_sets(
        self, technique: str, left: Collection[Placement], filled: Collection[Placement]
    ) -> list[Found]:
        """Every step by a technique for houses in the all-different sets, for these candidates."""
        layout = self._layout
        if not layout.rules:
            return []
        kind, _, size = technique.partition("_")
        in_cell: dict[tuple[int, int], list[Placement]] = {}
        for each in left:
            in_cell.setdefault(each[:2], []).append(each)

        def within(cells: Iterable[Cell]) -> list[Placement]:
            return [each for cell in cells for each in in_cell.get(cell, ())]

        in_houses = [(house, _by_digit(within(house.cells))) for house in layout.houses]
        found: list[Found] = []
        for different in different_sets(layout):
            candidates = within(different.cells)
            spots = _by_digit(candidates)
            held = {each.digit for each in filled if each.cell in different.cells}
            if technique == "hidden_single" and different.full:
                found += _hidden_singles(different, spots, held)
            elif technique == "pointing":
                found += _pointing(different, in_houses, spots)
            elif technique == "claiming" and different.full:
                found += _claiming(different, in_houses, spots, held)
            elif kind == "naked" and size in SIZES and different.alone:
                found += _naked(technique, different, candidates, SIZES[size])
            elif kind == "hidden" and size in SIZES and different.full:
                found += _hidden(technique, different, candidates, SIZES[size], held)
        return found

    def solver(self) -> DemandSolver:
        """What finds contradictions, if only the candidates of this puzzle can hold at all.

        The program is fresh, so equal puzzles get equal answers.
        """
        if self._solver is None:
            rulebook = self._session.make(self._rulebook)
            self._solver = DemandSolver(self._session, rulebook)
        return self._solver

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
            self._solver = None


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
    rules: dict[str, list[Rule]] = {"truth": [], "link": []}
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
            tuple(sorted(rules["truth"])),
            tuple(sorted(rules["link"])),
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
