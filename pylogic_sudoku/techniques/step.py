"""One step on the way to the solution: its technique, its difficulty, and its explanation.

The techniques are logic programs, in ``encodings/techniques/``. Each step rests on two sets of
rules: its *truths*, which must be met, and its *links*, which are met at most once. The placement
or the removals follow from these rules and the candidates alone.

HoDoKu has no minimal sets; on its scale, ours weigh 50 for each of their rules.

The techniques know the houses, and the sets of cells that a rule beyond plain sudoku makes all
different. What follows from another rule is a cage's combinations, one rule, or a minimal set.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, cycle, pairwise
from typing import Any, NamedTuple

from ..draw import PARTS, Highlight, Link, Picture
from ..engines.sudoku import SudokuEngine, get
from ..errors import Disagreement, counted, listed
from ..explain.answer import Explanation, json_placements, json_puzzle, rule_highlights
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Candidates, Cell, Layout, Placement, placements_in
from ..rules import Different, KillerCage
from ..rules.demands import (
    Demand,
    SudokuRule,
    beyond,
    cells_in,
    every_placement,
    hard_rules,
    in_words,
    placements_of,
    placements_of_all,
    sentences,
)
from .table import (
    BY_NAME,
    MINIMAL_SET,
    TECHNIQUES,
    Level,
    level_of,
    weight_of,
)


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
    truths: tuple[SudokuRule, ...]
    """Rules that must be met; their candidates are the reason."""
    links: tuple[SudokuRule, ...]
    """Rules that are met at most once; the others use them up, or clash with them."""
    placed: Placement | None
    removed: tuple[Placement, ...]
    """The removed candidates, if nothing is placed."""
    chain: tuple[tuple[Placement, ...], ...] = ()
    """The nodes of a chain, in order: candidates, or groups of them. If the first does not hold,
    the second does, then the third does not, and so on."""
    roles: tuple[tuple[str, tuple[Placement, ...]], ...] = ()
    """Candidates with a named part, such as ``"fin"``, ``"pivot"`` or ``"set A"``."""

    @property
    def weight(self) -> int:
        """Its difficulty on HoDoKu's scale."""
        return weight_of(BY_NAME[self.technique], len(self.rules))

    @property
    def weighed(self) -> tuple[str, int]:
        """The technique and the weight."""
        return self.technique, self.weight

    @property
    def level(self) -> Level:
        """The difficulty of a puzzle that takes nothing harder."""
        return level_of(BY_NAME[self.technique], self.weight)

    @property
    def rules(self) -> tuple[SudokuRule, ...]:
        """All rules that it rests on; the step follows from them and the candidates."""
        return (*self.truths, *self.links)

    def __repr__(self) -> str:
        removal = f"removes {counted(len(self.removed), 'candidate')}"
        return f"<Step: {self._claim() if self.placed else f'{self.technique} {removal}'}>"

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
        return picture(self)

    def verify(self, backend: str | SudokuEngine = "clingo") -> None:
        """Check that the step follows from its rules and the candidates before it.

        For a minimal set, also check that none of its rules is redundant.

        Args:
            backend: The name of an engine, or a backend object.
        """
        remaining = placements_in(self.candidates)
        if not remaining.issuperset(self.removed or [self.placed]):
            raise Disagreement(self.puzzle, {"step": self._claim(), "candidates": "there is none"})
        engine = get(backend)
        self._check(engine, self.rules, False)
        for spared in self.rules if self.technique == MINIMAL_SET.name else ():
            self._check(engine, [rule for rule in self.rules if rule != spared], True)

    def relevant(self) -> frozenset[Placement]:
        """The placements that make a difference to the step if they are candidates.

        These are the ones that meet a truth; or all, if every cell must hold a digit anyway.
        """
        layout = self.puzzle.layout
        if self._hard_rules():
            return every_placement(layout.size)
        return placements_of_all(self.truths, layout)

    def _hard_rules(self) -> tuple[SudokuRule, ...]:
        whole = self.technique == MINIMAL_SET.name or any(rule.beyond for rule in self.rules)
        return hard_rules(self.puzzle.layout) if whole else ()

    def _check(
        self,
        engine: SudokuEngine,
        rules: Collection[SudokuRule],
        expected: bool,
    ) -> None:
        """Check whether the opposite of the step is consistent with these rules."""
        hard = self._hard_rules()
        filled = self.grid.givens if hard else ()
        # A digit that is filled in is not a candidate, but it was not removed either.
        excluded = self.relevant().difference(self.grid.givens, placements_in(self.candidates))
        demands = (*hard, *rules, *filled, *(("excluded", *each) for each in excluded))
        opposites: list[Demand] = [*self.removed]
        if self.placed:
            opposites.append(("excluded", *self.placed))
        for opposite in opposites:
            if engine.consistent(self.puzzle.layout, (*demands, opposite)) is not expected:
                claim = f"{self._claim()} by {len(rules)} of {len(self.rules)} rules"
                raise Disagreement(self.puzzle, {"step": claim, engine.name: "that is wrong"})

    def _claim(self) -> str:
        if self.placed:
            return f"{self.technique} places {in_words([self.placed])}"
        return f"{self.technique} removes {in_words(self.removed)}"


# --- all-different sets ---
#
# The cells of a rule beyond plain sudoku, such as a diagonal or a cage.


class DifferentSet(NamedTuple):
    """The cells of a rule that makes their digits all different."""

    rule: SudokuRule
    cells: frozenset[Cell]
    full: bool
    """True if they hold every digit."""
    alone: bool
    """True if the rule demands nothing else."""


@lru_cache(64)
def different_sets(layout: Layout) -> tuple[DifferentSet, ...]:
    """The all-different sets of a layout, each once."""
    sets: dict[frozenset[Cell], DifferentSet] = {}
    for rule in beyond(layout):
        each = rule.beyond
        if isinstance(each, Different | KillerCage):
            cells = frozenset(each.cells)
            alone = isinstance(each, Different) or each.sum is None
            sets.setdefault(cells, DifferentSet(rule, cells, len(cells) == layout.size, alone))
    return tuple(sets.values())


@lru_cache(2_000)
def exclusion_zone(placement: Placement, layout: Layout) -> frozenset[Placement]:
    """The placement itself, and every placement that it excludes."""
    once = [
        SudokuRule(("at_most_once", house.kind, house.number, placement.digit))
        for house in layout.houses
        if placement.cell in house.cells
    ]
    sets = [each.cells for each in different_sets(layout) if placement.cell in each.cells]
    elsewhere = {Placement(*cell, placement.digit) for cells in sets for cell in cells}
    return placements_of_all([SudokuRule(("single", *placement.cell)), *once], layout) | elsewhere


def name_of_single(rule: SudokuRule, layout: Layout, grid: Grid) -> str:
    """The technique that fills what this rule is about, if nothing else meets it."""
    if rule[0] == "filled":
        return "naked single"
    houses = zip(layout.houses, layout.offsets, strict=True)
    cells = [at for house, offsets in houses if house[:2] == rule[1:3] for at in offsets]
    return "full house" if sum(not grid.digits[at] for at in cells) == 1 else "hidden single"


def removed_by(step: Step) -> frozenset[Placement]:
    """The candidates that are not left after a step."""
    if step.placed:
        return exclusion_zone(step.placed, step.puzzle.layout)
    return frozenset(step.removed)


# --- the sentence of a step: what follows, and from what ---

Node = tuple[Placement, ...]

FEW = 4
"""A longer list of combinations would not help anyone."""


def sentence(step: Step) -> str:
    """The sentence, without its full stop."""
    return SENTENCES[step.technique](step)


# --- the parts of steps ---


def removal_text(step: Step) -> str:
    """The removals as text: ``2 from r3c7 and r3c9, 2 and 5 from r3c8``."""
    by_cell: dict[Cell, list[int]] = {}
    for placement in step.removed:
        by_cell.setdefault(placement.cell, []).append(placement.digit)
    by_digits: dict[str, list[Cell]] = {}
    for cell, removed in by_cell.items():
        by_digits.setdefault(listed(removed), []).append(cell)
    return "; ".join(f"{removed} from {listed(where)}" for removed, where in by_digits.items())


def house(rule: Demand) -> str:
    """The house that a rule is about."""
    return f"{rule[1]} {rule[2]}"


def place(rule: Demand) -> str:
    """The house that a rule is about, or the cells whose digits it makes all different."""
    if rule[0] != "rule":
        return house(rule)
    each: Any = rule[1]
    cells = each.cells
    if isinstance(each, Different) and each.name:
        return f"the {each.name} from {cells[0]} to {cells[-1]}"
    what = "cage" if isinstance(each, KillerCage) else "set"
    return f"the {what} of {listed(dict.fromkeys(cells))}"


def houses(rules: Iterable[Demand]) -> str:
    """The houses of one kind that rules are about."""
    kinds = [(rule[1], rule[2]) for rule in rules]
    return f"{kinds[0][0]}s {listed(number for _, number in kinds)}"


def cell_of(rule: Demand) -> Cell:
    """The cell that a rule is about."""
    return Cell(int(rule[1]), int(rule[2]))


def where(candidates: Iterable[Placement], word: str = "and") -> str:
    """The cells of candidates."""
    return listed(cells_in(candidates), word)


def digits_in(candidates: Iterable[Placement]) -> list[int]:
    """The digits of candidates, each once."""
    return sorted({each.digit for each in candidates})


# --- singles, locked candidates, sets, minimal sets ---


def _naked_single(step: Step) -> str:
    return f"{_placement(step)}, as no other digit is left for it"


def _full_house(step: Step) -> str:
    return f"{house(step.truths[0])} has one empty cell left, so {_placement(step)}"


def _hidden_single(step: Step) -> str:
    assert step.placed
    (truth,) = step.truths
    needs = f"{place(truth)} must hold {step.placed.digit}" if truth.beyond else truth
    return f"{needs}, and {step.placed.cell} is the only cell left for it"


def _placement(step: Step) -> str:
    assert step.placed
    return f"{step.placed.cell} is {step.placed.digit}"


def _locked_candidates(step: Step) -> str:
    (truth,), (link,) = step.truths, step.links
    in_set = truth.beyond or link.beyond
    where = f"in cells of {place(link)}" if in_set else f"where {place(link)} crosses it"
    return (
        f"in {place(truth)}, {step.removed[0].digit} fits only {where},"
        f" so it can be removed from the rest of {place(link)}: {removal_text(step)}"
    )


def _naked(step: Step) -> str:
    where = [cell_of(rule) for rule in step.truths]
    digits = {digit for cell in where for digit in step.candidates[cell.row - 1][cell.column - 1]}
    return (
        f"{listed(where)} hold {listed(sorted(digits))} between them, so these can be removed from"
        f" the rest of {listed(dict.fromkeys(map(place, step.links)))}: {removal_text(step)}"
    )


def _hidden(step: Step) -> str:
    where = [cell_of(rule) for rule in step.links]
    inside = {
        Placement(*cell, digit)
        for cell in where
        for digit in step.candidates[cell.row - 1][cell.column - 1]
    }
    return (
        f"in {place(step.truths[0])}, {listed(digits_in(inside.difference(step.removed)))} fit only"
        f" in {listed(where)}, so all else can be removed there: {removal_text(step)}"
    )


def _plain_fish(step: Step) -> str:
    return (
        f"in {houses(step.truths)}, {step.truths[0][3]} fits only in {houses(step.links)}, so it"
        f" can be removed from the rest of these: {removal_text(step)}"
    )


def _minimal_set(step: Step) -> str:
    (removed,) = step.removed
    return (
        f"{removed.digit} can be removed from {removed.cell}, as with it not all of these"
        f" {len(step.rules)} rules could be obeyed: {'; '.join(sentences(step.rules))}"
    )


# --- what follows from one rule beyond plain sudoku ---


def _combinations(step: Step) -> str:
    rule = step.rules[0].beyond
    digit_sets = [*_digit_sets(step, rule)] if isinstance(rule, KillerCage) else []
    if not 1 <= len(digit_sets) <= FEW:
        return _one_rule(step)
    sums = listed((" + ".join(map(str, digits)) for digits in digit_sets), "or")
    return f"the {rule} holds {sums}, so remove {removal_text(step)}"


def _one_rule(step: Step) -> str:
    return f"by the {step.rules[0]} alone, remove {removal_text(step)}"


def _digit_sets(step: Step, cage: KillerCage) -> Iterator[tuple[int, ...]]:
    """The sets of digits that a cage can hold."""
    cells = [
        {step.grid[cell]} if step.grid[cell] else step.candidates[cell.row - 1][cell.column - 1]
        for cell in cage.cells
    ]
    if len({*cage.cells}) < len(cells):
        return  # a cell that counts twice makes no plain sum
    for several in combinations(range(1, step.grid.size + 1), len(cells)):
        if sum(several) == cage.sum and _fit(frozenset(several), sorted(cells, key=len)):
            yield several


def _fit(digits: frozenset[int], cells: list[Any]) -> bool:
    """True if each digit has a cell of its own."""
    if not cells:
        return True
    return any(_fit(digits - {digit}, cells[1:]) for digit in digits & cells[0])


# --- fish with fins ---


def _finned_fish(step: Step) -> str:
    digit, cover = step.truths[0][3], _cover(step)
    fins = cells_in(dict(step.roles)["fin"])
    they, one = ("the fins", "one of the fins") if len(fins) > 1 else ("the fin", "the fin")
    return (
        f"in {houses(step.truths)}, {digit} fits only in {houses(cover)}, but for {they}"
        f" {listed(fins)}.{_single(step, they, fins)}"
        f" Either {one} is {digit}, or {digit} can be removed from the rest of {houses(cover)}."
        f" In both cases, remove {removal_text(step)}"
    )


def _single(step: Step, they: str, fins: tuple[Cell, ...]) -> str:
    """A sentence: a house of a sashimi fish has one candidate left without the fins."""
    if not step.technique.startswith("sashimi"):
        return ""
    places = {house(rule): sorted(_candidates(step, rule).difference(fins)) for rule in step.truths}
    alone = [f"{where} has only {cells[0]}" for where, cells in places.items() if len(cells) == 1]
    return f" Without {they}, {listed(alone)}."


def _cover(step: Step) -> tuple[Demand, ...]:
    """The lines across those of the base: the other links connect fins with what is removed."""
    (line,) = {rule[1] for rule in step.truths}
    fins = cells_in(dict(step.roles)["fin"])
    across = [rule for rule in step.links if rule[1] == ("row" if line == "column" else "column")]
    return tuple(rule for rule in across if not _candidates(step, rule).intersection(fins))


def _candidates(step: Step, rule: Demand) -> set[Cell]:
    """The cells where the digit of a rule can be."""
    return {
        each.cell
        for each in placements_of(rule, step.puzzle.layout)
        if each.digit in step.candidates[each.row - 1][each.column - 1]
    }


# --- an XYZ-wing ---


def _xyz_wing(step: Step) -> str:
    roles, digit = dict(step.roles), step.removed[0].digit
    pivot = roles["pivot"][0].cell
    digits = digits_in(roles["pivot"])
    ways = [
        f"if it is {each.digit}, then {each.cell} is {digit}"
        for each in sorted(roles["pincer"], key=lambda each: each.digit)
        if each.digit != digit
    ]
    return (
        f"{pivot} is {listed(digits, 'or')}: {'; '.join(ways)}. In any case {digit} can be"
        f" removed from {where(step.removed)}, which all three see"
    )


# --- colours ---


def _simple_colours(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    premise = f"by strong links, {digit} is in {_either(colours)}"
    if set(step.removed) <= set(colours["1a"]):
        return (
            f"{premise}. Two of {where(step.removed)} see each other, so {digit} can be removed"
            " from all of these"
        )
    return f"{premise}. So it can be removed from {where(step.removed)}, which {_see(step)} both"


def _multi_colours(step: Step) -> str:
    colours, digit = _colours(step), step.removed[0].digit
    first, second = ({each: colours[each] for each in (f"{n}a", f"{n}b")} for n in (1, 2))
    premise = f"by strong links, {digit} is in {_either(first)}, and it is in {_either(second)}"
    if set(step.removed) == set(colours["1a"]):
        return (
            f"{premise}. Of {where(step.removed)}, some see {_all(colours['2a'])} and some"
            f" {_all(colours['2b'])}, so {digit} can be removed from all of these"
        )
    return (
        f"{premise}. It cannot be in {_all(colours['1a'])} and in {_all(colours['2a'])} at once, as"
        f" two of these cells see each other. Hence it is in {_all(colours['1b'])} or in"
        f" {_all(colours['2b'])}, and it can be removed from {where(step.removed)},"
        f" which {_see(step)} both"
    )


def _colours(step: Step) -> dict[str, tuple[Placement, ...]]:
    return {role.removeprefix("colour "): candidates for role, candidates in step.roles}


def _either(colours: dict[str, tuple[Placement, ...]]) -> str:
    return " or in ".join(map(_all, colours.values()))


def _see(step: Step) -> str:
    return "see" if len(step.removed) > 1 else "sees"


def _all(colour: tuple[Placement, ...]) -> str:
    return f"all of {where(colour)}" if len(colour) > 1 else where(colour)


# --- chains ---


def _node_text(node: Node, on: bool) -> str:
    """A clause: a node holds or does not."""
    digit, cells = node[0].digit, [each.cell for each in node]
    if len(node) == 1:
        return f"{cells[0]} is {digit}" if on else f"{cells[0]} is not {digit}"
    several = listed(cells, "or")
    return f"{digit} is in {several}" if on else f"{digit} is not in {several}"


def _chain(step: Step) -> str:
    """``if r1c2 is not 5, then r1c7 is 5, so r4c7 is not 5, so r4c3 is 5``, and what is removed."""
    first, second, *rest = [
        _node_text(node, on) for node, on in zip(step.chain, cycle((False, True)), strict=False)
    ]
    inference = ", so ".join([f"if {first}, then {second}", *rest])
    ends = ", or ".join(_node_text(step.chain[end], True) for end in (0, -1))
    return f"{inference}. Hence {ends}; remove what clashes with both: {removal_text(step)}"


# --- almost locked sets ---


def _xz(step: Step) -> str:
    (_, one), (_, other) = step.roles
    ties = _restricted_digits(step, one, other)
    start = f"set A is {_set(one)}, set B is {_set(other)}. Each has one digit more than cells"
    if len(ties) > 1:
        return (
            f"{start}. A and B do not both hold {ties[0]}, nor both {listed(ties[1:], 'or')}. So"
            " each holds one of these and all its other digits, so remove"
            f" {removal_text(step)}"
        )
    return (
        f"{start}. A and B do not both hold {ties[0]}, so one of them holds all its other digits."
        f" Remove what sees all cells of its digit in both: {removal_text(step)}"
    )


def _set(candidates: Node) -> str:
    """Cells and what they hold: ``r1c2 and r1c5 (2, 3 and 7)``."""
    return f"{where(candidates)} ({listed(digits_in(candidates))})"


def _restricted_digits(step: Step, one: Node, other: Node) -> list[int]:
    """The restricted digits: all their cells in one set see all their cells in the other."""
    houses = [set(house.cells) for house in step.puzzle.houses]
    pairs = [(a, b) for a in one for b in other if a.digit == b.digit]
    loose = {
        a.digit
        for a, b in pairs
        if a.cell == b.cell or not any({a.cell, b.cell} <= house for house in houses)
    }
    return sorted({a.digit for a, _ in pairs} - loose)


_BY_SHAPE: dict[Callable[[Step], str], tuple[str, ...]] = {
    _full_house: ("full_house",),
    _naked_single: ("naked_single",),
    _hidden_single: ("hidden_single",),
    _locked_candidates: ("pointing", "claiming"),
    _naked: ("naked_pair", "naked_triple", "naked_quad", "locked_pair", "locked_triple"),
    _hidden: ("hidden_pair", "hidden_triple", "hidden_quad"),
    _plain_fish: ("x_wing", "swordfish", "jellyfish"),
    _finned_fish: tuple(key for key, each in TECHNIQUES.items() if each.program == "fish"),
    _xyz_wing: ("xyz_wing",),
    _simple_colours: ("simple_colours",),
    _multi_colours: ("multi_colours",),
    _chain: (
        *(key for key, each in TECHNIQUES.items() if each.program == "turbot"),
        *("xy_wing", "w_wing", "x_chain", "xy_chain", "aic", "grouped_aic"),
    ),
    _xz: ("als_xz",),
    _combinations: ("cage_combinations",),
    _one_rule: ("one_rule",),
    _minimal_set: ("minimal_set",),
}
SENTENCES = {TECHNIQUES[key].name: say for say, keys in _BY_SHAPE.items() for key in keys}
"""The function that words a step, by the name of its technique."""


# --- the picture of a step ---
#
# Each part that candidates play has a look of its own, and a chain is drawn as a chain.

MAX_HOUSES, MAX_BASES = 10, 4
"""With more houses than that, or more that are the reason, outlines would hide what matters."""


def picture(step: Step) -> Picture:
    """The position of the step with all that matters highlighted."""
    highlights = [_what_follows(step), *_roles(step)]
    others = {placement for _, part in step.roles for placement in part}
    others |= {*step.removed, *filter(None, [step.placed])}
    # A rule beyond plain sudoku does not show which of its candidates matter; the links do.
    reasons = step.links if any(rule.beyond for rule in step.truths) else step.truths
    reason = placements_of_all(reasons, step.puzzle.layout) & placements_in(step.candidates)
    reason |= {placement for node in step.chain for placement in node}
    if reason - others:
        highlights.append(_of("why", "reason", reason - others))
    highlights += [*_houses(step), *rule_highlights(step.rules)]
    return Picture(
        step.grid,
        step.puzzle,
        step.candidates,
        tuple(highlights),
        step.technique,
        tuple(_links(step)),
    )


def _what_follows(step: Step) -> Highlight:
    if step.placed is None:
        return _of("removed", "removed", step.removed)
    label = f"{step.placed.digit} goes here"
    return Highlight(label, "target", (step.placed.cell,), (step.placed,))


def _roles(step: Step) -> Iterator[Highlight]:
    """A look for each part, in turn, with the name that the sentence has, such as "set A"."""
    for (name, part), look in zip(step.roles, cycle(PARTS)):
        yield _of(name.replace("set a", "set A").replace("set b", "set B"), look, part)


def _of(label: str, role: str, candidates: Iterable[Placement]) -> Highlight:
    return Highlight(label, role, candidates=tuple(sorted(candidates)))


def _houses(step: Step) -> Iterator[Highlight]:
    """The houses that the step is about, unless they are many or links show them.

    Those that must hold a digit, such as the rows of a fish, and those that hold it at most once,
    such as its columns, have a look and a line in the legend each.
    """
    truths = {rule[1:3] for rule in step.truths if rule[0] == "at_least_once"}
    links = {rule[1:3] for rule in step.links if rule[0] == "at_most_once"} - truths
    too_many = len(truths or links) > MAX_BASES or len(truths | links) > MAX_HOUSES
    if step.technique == MINIMAL_SET.name or step.chain or too_many:
        return
    for role, about in (("house", truths), ("cover", links)) if truths else (("house", links),):
        houses = [each for each in step.puzzle.layout.houses if each[:2] in about]
        for number, house in enumerate(houses):
            label = "" if number else listed(houses)
            yield Highlight(label, role, house.cells)


def _links(step: Step) -> Iterator[Link]:
    """The links of the chain, strong and weak in turn."""
    for at, (one, two) in enumerate(pairwise(step.chain)):
        yield Link(one, two, strong=at % 2 == 0)
