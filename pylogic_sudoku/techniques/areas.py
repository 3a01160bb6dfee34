"""Which placements meet a rule, and steps that are checked by addition, without a solver.

A step rests on rules that must be met, the *truths*, and rules that are met at most once, the
*links*. Each solution meets each truth at least once and each link at most once. Count for every
candidate how many more links than truths it meets, its *surplus*. The surpluses of the candidates
in a solution add up to at most ``len(links) - len(truths)``, the *rank*. So if no surplus is
negative, a candidate whose surplus exceeds the rank is in no solution. (Truths and links are Allan
Barker's, from 2008; the argument is the duality of linear programming.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Set
from functools import cache, lru_cache
from itertools import combinations, product
from typing import Any, NamedTuple

from ..puzzle.cells import Candidates, Cell, House, Layout, Placement
from ..rules import Different, KillerCage
from ..rules.demands import SudokuRule, beyond
from .table import Found

Rule = tuple[Any, ...]
"""A rule of a cell or a house, as ``rules/demands.py`` lists them."""


def adds_up(
    layout: Layout,
    truths: Collection[Rule],
    links: Collection[Rule],
    candidates: Collection[Placement],
    placed: Placement | None,
    removed: Collection[Placement],
) -> bool:
    """True if adding up these rules proves that `placed` holds, or that all of `removed` go.

    If one sum does not prove all of `removed`, each of them may have a sum of its own, of fewer
    links. False proves nothing: some steps need a rule twice, or more than addition.
    """
    if any(rule[0] == "rule" for rule in (*truths, *links)):
        return False
    surplus = Counter(dict.fromkeys(candidates, 0))
    met_by = {rule: meeting(rule, layout) & surplus.keys() for rule in (*truths, *links)}
    for rules, sign in ((links, 1), (truths, -1)):
        for rule in rules:
            surplus.update(dict.fromkeys(met_by[rule], sign))
    rank = len(links) - len(truths)
    if placed:  # without it, the sum would be at least 0
        surplus.pop(placed, None)
        return rank < 0 and min(surplus.values(), default=0) >= 0
    if min(surplus.values(), default=0) < 0:
        return False
    in_links = [met_by[rule] for rule in links]
    return all(surplus[each] > rank or _spared(each, in_links, surplus) > rank for each in removed)


def _spared(
    removed: Placement, links: Iterable[Set[Placement]], surplus: Counter[Placement]
) -> int:
    """The surplus of a candidate, and one for each link that its proof does not need.

    Those are links that it does not meet, and without which no surplus becomes negative.
    """
    surplus, spared = Counter(surplus), 0
    for link in links:
        if removed not in link and all(surplus[each] > 0 for each in link):
            surplus.subtract(link)
            spared += 1
    return surplus[removed] + spared


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
def meeting(rule: Rule, layout: Layout) -> frozenset[Placement]:
    """The placements that meet a rule: one of them must, or at most one may."""
    match rule:
        case ("filled" | "single", int(row), int(column)):
            return frozenset(Placement(row, column, digit + 1) for digit in range(layout.size))
        case ("at_least_once" | "at_most_once", str(kind), int(number), int(digit)):
            house = next(each for each in layout.houses if each[:2] == (kind, number))
            return frozenset(Placement(*cell, digit) for cell in house.cells)
    raise ValueError(f"{rule!r} is not a rule that one placement can meet")


def met(rules: Collection[Rule], layout: Layout) -> frozenset[Placement]:
    """The placements that meet any of the rules; none meets a rule beyond plain sudoku."""
    return frozenset().union(*(meeting(rule, layout) for rule in rules if rule[0] != "rule"))


# ----------------------------------------------------------------------
# Singles, locked candidates and sets in the areas of a puzzle's rules.
#
# An *area* is a set of cells whose digits a rule beyond plain sudoku makes all different, such as a
# diagonal or a cage. With n cells it is *full*: it holds every digit, as a house does. The names
# are those of the same steps in houses.
# ----------------------------------------------------------------------

Spots = dict[int, set[Placement]]
"""For each digit, its candidates."""
InHouses = list[tuple[House, Spots]]

SIZES = {"pair": 2, "triple": 3, "quad": 4}


class Area(NamedTuple):
    """The cells of a rule that makes their digits all different."""

    rule: SudokuRule
    cells: frozenset[Cell]
    full: bool
    """True if they hold every digit."""
    alone: bool
    """True if the rule says nothing else."""


@lru_cache(64)
def areas_of(layout: Layout) -> tuple[Area, ...]:
    """The areas of a layout; each set of cells once."""
    found: dict[frozenset[Cell], Area] = {}
    for rule in beyond(layout):
        each = rule.beyond
        if isinstance(each, Different | KillerCage):
            cells = frozenset(each.cells)
            alone = isinstance(each, Different) or each.sum is None
            found.setdefault(cells, Area(rule, cells, len(cells) == layout.size, alone))
    return tuple(found.values())


def in_areas(
    technique: str, layout: Layout, left: Collection[Placement], filled: Collection[Placement]
) -> list[Found]:
    """Every step by a technique for houses in an area, if these candidates are left."""
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
    for area in areas_of(layout):
        marks = within(area.cells)
        spots = _by_digit(marks)
        held = {each.digit for each in filled if each.cell in area.cells}
        if technique == "hidden_single" and area.full:
            found += _hidden_singles(area, spots, held)
        elif technique == "pointing":
            found += _pointing(area, in_houses, spots)
        elif technique == "claiming" and area.full:
            found += _claiming(area, in_houses, spots, held)
        elif kind == "naked" and size in SIZES and area.alone:
            found += _naked(technique, area, marks, SIZES[size])
        elif kind == "hidden" and size in SIZES and area.full:
            found += _hidden(technique, area, marks, SIZES[size], held)
    return found


def _hidden_singles(area: Area, spots: Spots, held: set[int]) -> Iterator[Found]:
    for digit, where in spots.items():
        if len(where) == 1 and digit not in held:
            yield from _found("hidden_single", (area.rule,), (), placed=min(where))


def _pointing(area: Area, in_houses: InHouses, spots: Spots) -> Iterator[Found]:
    """Within a house, a digit is left only in the area, so it goes from the rest of the area."""
    for house, inside in in_houses:
        for digit, where in inside.items():
            if where <= spots.get(digit, set()):
                truth = ("at_least_once", house.kind, house.number, digit)
                yield from _found("pointing", (truth,), (area.rule,), spots[digit] - where)


def _claiming(area: Area, in_houses: InHouses, spots: Spots, held: set[int]) -> Iterator[Found]:
    """Within the area, a digit is left only in one house, so it goes from the rest of the house."""
    for digit, where in spots.items():
        for house, inside in in_houses if digit not in held else ():
            if where <= inside.get(digit, set()):
                link = ("at_most_once", house.kind, house.number, digit)
                yield from _found("claiming", (area.rule,), (link,), inside[digit] - where)


def _naked(technique: str, area: Area, marks: Collection[Placement], size: int) -> Iterator[Found]:
    """Cells of the area that hold as many digits between them."""
    by_cell = {cell: {each for each in marks if each.cell == cell} for cell in area.cells}
    few = [cell for cell in sorted(by_cell) if 1 <= len(by_cell[cell]) <= size]
    for cells in combinations(few, size):
        chosen = set().union(*(by_cell[cell] for cell in cells))
        digits = {each.digit for each in chosen}
        if len(digits) == size:
            gone = {each for each in marks if each.digit in digits} - chosen
            yield from _found(technique, (), (area.rule,), gone, chosen)


def _hidden(
    technique: str, area: Area, marks: Collection[Placement], size: int, held: set[int]
) -> Iterator[Found]:
    """Digits that the area must hold, and holds in as many cells between them."""
    spots = _by_digit(marks)
    few = [digit for digit in sorted(spots) if len(spots[digit]) <= size and digit not in held]
    for digits in combinations(few, size):
        chosen = set().union(*(spots[digit] for digit in digits))
        cells = {each.cell for each in chosen}
        if len(cells) == size:
            gone = {each for each in marks if each.cell in cells} - chosen
            yield from _found(technique, (area.rule,), (), gone, chosen)


def _by_digit(marks: Iterable[Placement]) -> Spots:
    found: Spots = {}
    for each in marks:
        found.setdefault(each.digit, set()).add(each)
    return found


def _found(
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
