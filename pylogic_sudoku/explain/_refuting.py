"""The step that has no name: a small set of rules that one candidate contradicts."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from ..grid import Layout
from ._minimal import minimal
from ._rules import Placement, Rule, rules
from ._techniques import meeting

if TYPE_CHECKING:
    from ..engines.clingo.rulebook import Reasons

__all__ = ["refuted"]

LOOKED_AT = 40
"""How many candidates are looked at: those that have the fewest beside them in a cell or a house,
as most follows once they are gone. With more of them the sets get somewhat smaller, and the steps
more and slower.
"""
TRIED = 4
"""For how many of these, refuted by the fewest rules at first sight, a minimal set is sought."""


def refuted(
    reasons: Reasons,
    layout: Layout,
    left: Collection[Placement],
    gone: Collection[Placement],
    wrong: Collection[Placement],
) -> tuple[Placement, list[Rule]]:
    """One of the wrong candidates and rules that refute it, none of which can be spared.

    `left` are the candidates that there are, and `gone` others that `reasons` does not know to be
    gone. Few rules refute that candidate, but it is not proved that none is refuted by fewer.
    """
    rule_of = {
        reasons.literal(rule): rule
        for rule in rules(layout)
        if not meeting(rule, layout).isdisjoint(left)
    }
    network = _Network({n: meeting(rule, layout).intersection(left) for n, rule in rule_of.items()})
    sure = [-reasons.literal(placement) for placement in sorted(gone)]

    def refuting(candidate: Placement) -> Sequence[int]:
        # clingo takes demands one by one until they contradict: so these are near.
        demands = network.from_near_to_far(candidate)
        core = reasons.refute([*sure, reasons.literal(candidate), *demands]) or ()
        return [demand for demand in demands if demand in core]

    most_telling = heapq.nsmallest(LOOKED_AT, sorted(wrong), key=network.alternatives)
    near = {candidate: refuting(candidate) for candidate in most_telling}
    smallest = {
        candidate: minimal(reasons, [*sure, reasons.literal(candidate)], near[candidate]) or []
        for candidate in heapq.nsmallest(TRIED, near, key=lambda each: len(near[each]))
    }
    candidate = min(smallest, key=lambda each: len(smallest[each]))
    return candidate, sorted(rule_of[demand] for demand in smallest[candidate])


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
            rules = set().union(*map(self._rules_of.__getitem__, newest)) - seen
            order += sorted(rules)
            seen |= rules
            newest = set().union(*map(self._candidates_of.__getitem__, rules)) - reached
            reached = reached | newest
        return order
