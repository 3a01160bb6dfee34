"""Facts as the instances in a problem's folder have them: the values, and what is alike."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from .atoms import Signature
from .facts import read_answer
from .folder import Problem

__all__ = ["Seen", "among", "seen_in", "singles", "values_in"]

Seen = defaultdict[Signature, list[tuple[Any, ...]]]
"""By predicate, the arguments of its facts."""


def seen_in(problem: Problem) -> list[Seen]:
    """The arguments of the facts of each instance in the folder."""
    found = []
    for name, instance in problem.instances.items():
        facts: Seen = defaultdict(list)
        for atom in read_answer(" ".join(f"{fact.text}." for fact in instance.facts), name):
            facts[atom.signature].append(atom.arguments)
        found.append(facts)
    return found


def values_in(seen: Sequence[Seen], problem: Problem) -> dict[Signature, list[set[Any]]]:
    """The values of each argument of the inputs, in all instances."""
    everything: Seen = defaultdict(list)
    for facts in seen:
        for signature, values in facts.items():
            everything[signature] += values
    inputs = problem.inputs
    return {
        signature: [set(column) for column in zip(*rows, strict=True)]
        for signature, rows in everything.items()
        if signature in inputs or not inputs
    }


def among(signature: Signature, at: int, seen: Sequence[Seen]) -> Signature | None:
    """A predicate with one argument among whose values those of an argument always are."""
    others = sorted({each for facts in seen for each in facts if each[1] == 1} - {signature})
    for other in others if signature[1] > 1 else ():
        if all(
            {row[at] for row in facts[signature]} <= {x for (x,) in facts[other]} for facts in seen
        ):
            return other
    return None


def singles(arguments: Sequence[Signature], seen: Sequence[Seen]) -> set[Signature]:
    """The predicates of which each instance has one fact."""
    return {each for each in arguments if seen and all(len(facts[each]) == 1 for facts in seen)}
