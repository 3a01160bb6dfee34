"""Candidates that a minimal set of rules refutes: the steps that no other technique makes.

A set of one rule beyond plain sudoku has a name: a cage's combinations, or just one rule.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from .._demands import SudokuRule, anyway, beyond, cell_rules, rules
from ..grid import Cell, Layout, Placement
from ..rules import KillerCage, LittleKiller, Total
from ..techniques._addition import meeting
from ._cores import literals, minimal

if TYPE_CHECKING:
    from ..engines.clingo.rulebook import Reasons

__all__ = ["OneRule", "by_one_rule", "granted", "name_of", "refuted_by_set"]

LOOKED_AT = 20
"""For a minimal set: the number of candidates that are tried first, those with the fewest
alternatives, since most follows once they are gone. With 40, and 4 minimal sets, eight very hard
puzzles needed 126 such steps instead of 65, and twice the time."""
TRIED = 2
"""How many of these get a minimal set: those refuted by the fewest rules at first sight."""


def refuted_by_set(
    reasons: Reasons,
    layout: Layout,
    left: Collection[Placement],
    sure: list[int],
    wrong: Collection[Placement],
) -> tuple[tuple[Placement, ...], list[SudokuRule]]:
    """One of the wrong candidates, and rules that refute it, none of them redundant.

    `left` are the candidates, and `sure` says so. Few rules refute that candidate, but perhaps
    fewer rules refute another one.
    """
    rule_of = {reasons.literal(rule): rule for rule in rules(layout)}
    # What is taken for granted is never named, but it links rules.
    link_of = {reasons.literal(rule): rule for rule in cell_rules(layout)} | rule_of
    reach = {demand: _reach(rule, layout, left) for demand, rule in link_of.items()}
    network = _Network({demand: candidates for demand, candidates in reach.items() if candidates})

    def at_first_sight(candidate: Placement) -> list[int]:
        # clingo adds demands one by one until they contradict, so near ones come first.
        near = network.from_near_to_far(candidate)
        demands = [demand for demand in near if demand in rule_of]
        core = reasons.refute([*sure, reasons.literal(candidate), *demands]) or ()
        return [demand for demand in demands if demand in core]

    first = heapq.nsmallest(LOOKED_AT, sorted(wrong), key=network.alternatives)
    near = {candidate: at_first_sight(candidate) for candidate in first}
    smallest = {
        candidate: minimal(reasons, [*sure, reasons.literal(candidate)], near[candidate]) or []
        for candidate in heapq.nsmallest(TRIED, near, key=lambda each: len(near[each]))
    }
    candidate = min(smallest, key=lambda each: len(smallest[each]))
    order = {rule: number for number, rule in enumerate(rule_of.values())}
    found = (rule_of[demand] for demand in smallest[candidate])

    def place(rule: SudokuRule) -> tuple[Any, ...]:
        return (rule[0], order[rule]) if rule.beyond else rule

    return (candidate,), sorted(found, key=place)


class OneRule:
    """What single rules beyond plain sudoku refute.

    A rule is asked again only when there are fewer candidates in its cells.
    """

    def __init__(self, rules: Collection[SudokuRule]) -> None:
        self.rules = rules
        self._known: dict[SudokuRule, tuple[frozenset[Placement], frozenset[Placement]]] = {}

    def refuted(
        self,
        reasons: Reasons,
        layout: Layout,
        left: Collection[Placement],
        sure: list[int],
        wrong: Collection[Placement],
    ) -> tuple[tuple[Placement, ...], list[SudokuRule]] | None:
        """The wrong candidates that one rule refutes: the rule that refutes most."""
        nothing: tuple[frozenset[Placement], frozenset[Placement]] = (frozenset(), frozenset())
        here = {rule: _in_cells(rule, left) for rule in self.rules}
        asked = []
        for rule, candidates in here.items():
            before, gone = self._known.get(rule, nothing)
            gone &= candidates  # what a rule has refuted, it refutes from then on
            self._known[rule] = candidates, gone
            if candidates != before and not gone.issuperset(candidates.intersection(wrong)):
                asked.append(rule)
        for several in _apart(asked):
            refuted = frozenset().union(*(self._known[rule][1] for rule in several))
            demands = [*sure, *literals(reasons, several)]
            demands += [-literal for literal in literals(reasons, sorted(refuted))]
            possible = reasons.possible(demands)
            for rule in several:
                self._known[rule] = here[rule], here[rule].intersection(wrong) - possible
        # Rules with no cell in common may yet be linked, as not all name each cell they are about.
        sound: set[SudokuRule] = set()
        while here:
            rule = max(here, key=lambda each: len(self._known[each][1]))
            if not (gone := self._known[rule][1]):
                break
            if rule in sound:
                return tuple(sorted(gone)), [rule]
            asking = [*sure, reasons.literal(rule)]
            self._known[rule] = (
                here[rule],
                frozenset(
                    each
                    for each in gone
                    if reasons.refute([*asking, reasons.literal(each)]) is not None
                ),
            )
            sound.add(rule)
        return None


def by_one_rule(
    reasons: Reasons,
    technique: str,
    layout: Layout,
    left: Collection[Placement],
    sure: Sequence[int],
) -> Iterator[tuple[tuple[Placement, ...], list[SudokuRule]]]:
    """For each rule that this technique is about, the candidates in its cells that it refutes."""
    for rule in beyond(layout):
        if name_of(rule) == technique:
            possible = reasons.possible([*sure, reasons.literal(rule)])
            if gone := _in_cells(rule, left) - possible:
                yield tuple(sorted(gone)), [rule]


def name_of(rule: SudokuRule) -> str:
    """The technique by which one rule beyond plain sudoku refutes candidates."""
    each = rule.beyond
    sums = isinstance(each, Total | LittleKiller) or (
        isinstance(each, KillerCage) and each.sum is not None
    )
    return "cage_combinations" if sums else "one_rule"


def granted(
    reasons: Reasons,
    layout: Layout,
    start: Collection[Placement],
    left: Collection[Placement],
    filled: Collection[Placement],
) -> list[int]:
    """That these cells are filled, and nothing else is left of the candidates at the start."""
    held = filled if layout.rules else ()
    gone = frozenset(start).difference(left, held)
    sure = literals(reasons, [*anyway(layout), *held])
    return sure + [-literal for literal in literals(reasons, sorted(gone))]


def _in_cells(rule: SudokuRule, left: Collection[Placement]) -> frozenset[Placement]:
    cells = set(rule[1].cells_used())
    return frozenset(each for each in left if each.cell in cells)


def _apart(several: Sequence[SudokuRule]) -> Iterator[list[SudokuRule]]:
    """The rules in groups in which no two have a cell in common."""
    while several:
        group: list[SudokuRule] = []
        later: list[SudokuRule] = []
        taken: set[Cell] = set()
        for rule in several:
            cells = set(rule[1].cells_used())
            (later if cells & taken else group).append(rule)
            taken |= cells
        yield group
        several = later


def _reach(rule: SudokuRule, layout: Layout, left: Collection[Placement]) -> frozenset[Placement]:
    """The candidates that a rule is about: those in the cells of a rule beyond plain sudoku.

    If there is none in its cells, or it names no cell, the rule may be about any candidate.
    """
    if rule.beyond is None:
        return meeting(rule, layout._replace(rules=())).intersection(left)
    return _in_cells(rule, left) or frozenset(left)


class _Network:
    """Rules, and the candidates that they have in common."""

    def __init__(self, candidates_of: dict[int, frozenset[Placement]]) -> None:
        self._candidates_of = candidates_of
        self._rules_of: dict[Placement, list[int]] = {}
        for rule, candidates in candidates_of.items():
            for candidate in candidates:
                self._rules_of.setdefault(candidate, []).append(rule)

    def alternatives(self, candidate: Placement) -> list[int]:
        """How many candidates there are for each of its rules, the fewest first."""
        return sorted(len(self._candidates_of[rule]) for rule in self._rules_of[candidate])

    def from_near_to_far(self, candidate: Placement) -> list[int]:
        """The rules by the number of others between them and the candidate."""
        order: list[int] = []
        seen: set[int] = set()
        reached = newest = {candidate}
        while newest:
            found = set().union(*map(self._rules_of.__getitem__, newest)) - seen
            order += sorted(found)
            seen |= found
            newest = set().union(*map(self._candidates_of.__getitem__, found)) - reached
            reached = reached | newest
        return order
