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
from collections.abc import Collection, Iterable, Set
from functools import cache
from itertools import product
from typing import Any

from ..grid import Candidates, Layout, Placement

__all__ = ["adds_up", "every_placement", "meeting", "met", "standing"]

Rule = tuple[Any, ...]
"""A rule of a cell or a house, as ``_demands.py`` lists them."""


def adds_up(
    layout: Layout,
    must: Collection[Rule],
    most: Collection[Rule],
    candidates: Collection[Placement],
    placed: Placement | None,
    removed: Collection[Placement],
) -> bool:
    """True if adding up these rules proves that `placed` holds, or that all of `removed` go.

    If one sum does not prove all of `removed`, each of them may have a sum of its own, of fewer
    links. False proves nothing: some steps need a rule twice, or more than addition.
    """
    if any(rule[0] == "rule" for rule in (*must, *most)):
        return False
    surplus = Counter(dict.fromkeys(candidates, 0))
    met_by = {rule: meeting(rule, layout) & surplus.keys() for rule in (*must, *most)}
    for rules, sign in ((most, 1), (must, -1)):
        for rule in rules:
            surplus.update(dict.fromkeys(met_by[rule], sign))
    rank = len(most) - len(must)
    if placed:  # without it, the sum would be at least 0
        surplus.pop(placed, None)
        return rank < 0 and min(surplus.values(), default=0) >= 0
    if min(surplus.values(), default=0) < 0:
        return False
    links = [met_by[rule] for rule in most]
    return all(surplus[each] > rank or _spared(each, links, surplus) > rank for each in removed)


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
        case ("somewhere" | "once", str(kind), int(number), int(digit)):
            house = next(each for each in layout.houses if each[:2] == (kind, number))
            return frozenset(Placement(*cell, digit) for cell in house.cells)
    raise ValueError(f"{rule!r} is not a rule that one placement can meet")


def met(rules: Collection[Rule], layout: Layout) -> frozenset[Placement]:
    """The placements that meet any of the rules; none meets a rule beyond plain sudoku."""
    return frozenset().union(*(meeting(rule, layout) for rule in rules if rule[0] != "rule"))
