"""Random propositional answer set programs, and their answer sets by the definition.

A set X of atoms is an answer set of a program if X satisfies its rules, and no proper subset Y of X
makes (Y, X) a model of them in the logic of here-and-there (Pearce 1996; Ferraris 2005). For
aggregates this is the semantics of Abstract Gringo (Gebser, Harrison, Kaminski, Lifschitz, Schaub
2015): an aggregate holds in (Y, X) if it is true of the elements that hold in X, and of those that
hold in (Y, X). Bounds of a choice are about X. No engine is asked here, and every subset is tried.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

ATOMS = "abcdef"
"""The names of atoms; an atom is the place of its name."""

COMPARISONS: Mapping[str, Callable[[int, int], bool]] = MappingProxyType(
    {
        "<": operator.lt,
        "<=": operator.le,
        ">": operator.gt,
        ">=": operator.ge,
        "=": operator.eq,
        "!=": operator.ne,
    }
)
SIGNS = ("", "not ", "not not ")

Pair = tuple[int, int]
"""Y and X as sets of bits; Y is a subset of X."""


@dataclass(frozen=True)
class Literal:
    """An atom, with ``not`` none to two times before it."""

    atom: int
    sign: int = 0

    def __str__(self) -> str:
        return SIGNS[self.sign] + ATOMS[self.atom]

    def holds(self, pair: Pair) -> bool:
        here, there = pair
        if self.sign == 0:
            return bool(here >> self.atom & 1)
        return bool(there >> self.atom & 1) == (self.sign == 2)

    def smaller(self) -> Iterator[Literal]:
        if self.sign == 2:
            yield replace(self, sign=0)


@dataclass(frozen=True)
class Element:
    """An element of an aggregate: it counts once for its weight and tag."""

    weight: int
    tag: int
    literal: Literal

    def smaller(self) -> Iterator[Element]:
        for literal in self.literal.smaller():
            yield replace(self, literal=literal)
        if self.weight not in (0, 1):
            yield replace(self, weight=1)


@dataclass(frozen=True)
class Aggregate:
    """``#count`` or ``#sum`` with a bound, in a body."""

    function: str
    elements: tuple[Element, ...]
    comparison: str
    bound: int
    negated: bool = False

    def __str__(self) -> str:
        if self.function == "#count":
            inner = "; ".join(f"{each.tag} : {each.literal}" for each in self.elements)
        else:
            inner = "; ".join(
                f"{each.weight},{each.tag} : {each.literal}" for each in self.elements
            )
        text = f"{self.function} {{ {inner} }} {self.comparison} {self.bound}"
        return f"not {text}" if self.negated else text

    def holds(self, pair: Pair) -> bool:
        there = self._true((pair[1], pair[1]))
        if self.negated:
            return not there
        return there and self._true(pair)

    def _true(self, pair: Pair) -> bool:
        held = {
            (0 if self.function == "#count" else each.weight, each.tag)
            for each in self.elements
            if each.literal.holds(pair)
        }
        value = len(held) if self.function == "#count" else sum(weight for weight, _ in held)
        return COMPARISONS[self.comparison](value, self.bound)

    def smaller(self) -> Iterator[Aggregate]:
        if len(self.elements) > 1:
            for kept in _without_one(self.elements):
                yield replace(self, elements=kept)
        if self.function == "#sum":
            yield replace(self, function="#count")
        for elements in _with_one_smaller(self.elements):
            yield replace(self, elements=elements)


@dataclass(frozen=True)
class Rule:
    """A rule; its head is a disjunction, or a choice if it has bounds."""

    head: tuple[int, ...]
    body: tuple[Literal | Aggregate, ...]
    bounds: tuple[int | None, int | None] | None = None

    def __str__(self) -> str:
        if self.bounds is None:
            head = " | ".join(ATOMS[each] for each in self.head)
        else:
            low, high = ("" if each is None else str(each) for each in self.bounds)
            head = f"{low} {{ {'; '.join(ATOMS[each] for each in self.head)} }} {high}".strip()
        body = ", ".join(map(str, self.body))
        return f"{head} :- {body}.".strip() if body else f"{head}."

    def satisfied(self, pair: Pair) -> bool:
        if not all(each.holds(pair) for each in self.body):
            return True
        here, there = pair
        if self.bounds is None:
            return any(here >> each & 1 for each in self.head)
        low, high = self.bounds
        chosen = sum(there >> each & 1 for each in set(self.head))
        within = (low is None or low <= chosen) and (high is None or chosen <= high)
        return within and not any((there & ~here) >> each & 1 for each in self.head)

    def smaller(self) -> Iterator[Rule]:
        if len(self.head) > 1 or (self.head and self.bounds is None and self.body):
            for head in _without_one(self.head):
                yield replace(self, head=head)
        if self.bounds and self.bounds != (None, None):
            yield replace(self, bounds=(None, None))
        if self.body and (self.head or len(self.body) > 1):
            for body in _without_one(self.body):
                yield replace(self, body=body)
        for body in _with_one_smaller(self.body):
            yield replace(self, body=body)


@dataclass(frozen=True)
class Cost:
    """An element of ``#minimize``."""

    weight: int
    priority: int
    tag: int
    literal: Literal

    def __str__(self) -> str:
        return f"{self.weight}@{self.priority},{self.tag} : {self.literal}"


@dataclass(frozen=True)
class Program:
    """Rules over the first atoms, and costs."""

    atoms: int
    rules: tuple[Rule, ...]
    costs: tuple[Cost, ...] = ()

    @property
    def text(self) -> str:
        """The program as clingo reads it, a rule a line."""
        lines = [str(each) for each in self.rules]
        if self.costs:
            lines.append(f"#minimize {{ {'; '.join(map(str, self.costs))} }}.")
        return "\n".join(lines) + "\n"

    def answers(self) -> frozenset[tuple[str, ...]]:
        """The answer sets, those of the least cost alone if there are costs."""
        found = [there for there in range(1 << self.atoms) if self._is_stable(there)]
        if self.costs and found:
            least = min(map(self._cost, found))
            found = [there for there in found if self._cost(there) == least]
        return frozenset(
            tuple(ATOMS[each] for each in range(self.atoms) if there >> each & 1) for there in found
        )

    def _is_stable(self, there: int) -> bool:
        if not self._satisfied((there, there)):
            return False
        here = there
        while here:
            here = (here - 1) & there
            if self._satisfied((here, there)):
                return False
        return True

    def _satisfied(self, pair: Pair) -> bool:
        return all(each.satisfied(pair) for each in self.rules)

    def _cost(self, there: int) -> tuple[int, ...]:
        """The costs from the highest priority on."""
        held = {
            (each.weight, each.priority, each.tag)
            for each in self.costs
            if each.literal.holds((there, there))
        }
        priorities = sorted({each.priority for each in self.costs}, reverse=True)
        return tuple(sum(w for w, p, _ in held if p == priority) for priority in priorities)

    def smaller(self) -> Iterator[Program]:
        """The programs that are one step smaller."""
        for rules in _without_one(self.rules):
            yield replace(self, rules=rules)
        for costs in _without_one(self.costs):
            yield replace(self, costs=costs)
        for rules in _with_one_smaller(self.rules):
            yield replace(self, rules=rules)


FRAGMENTS = ("normal", "choices", "disjunctions", "aggregates", "costs", "all")
"""Kinds of programs; the last one mixes the others."""


def random_program(rng: Random, fragment: str) -> Program:
    """A program of a fragment, small enough to try all sets of atoms."""
    atoms = rng.randint(2, len(ATOMS))
    rules = tuple(_rule(rng, atoms, fragment) for _ in range(rng.randint(2, atoms + 3)))
    costs: tuple[Cost, ...] = ()
    if fragment == "costs" or (fragment == "all" and rng.random() < 0.2):
        costs = tuple(
            Cost(rng.randint(-2, 3), rng.randint(1, 2), rng.randint(1, 3), _literal(rng, atoms))
            for _ in range(rng.randint(1, 4))
        )
    return Program(atoms, rules, costs)


def _rule(rng: Random, atoms: int, fragment: str) -> Rule:
    body: list[Literal | Aggregate] = [_literal(rng, atoms) for _ in range(rng.randint(0, 2))]
    if fragment in ("aggregates", "all") and rng.random() < 0.5:
        body.append(_aggregate(rng, atoms))
    shape = rng.random()
    if shape < 0.12 and body:
        return Rule((), tuple(body))
    if fragment in ("choices", "aggregates", "costs", "all") and shape < 0.45:
        head = tuple(rng.sample(range(atoms), rng.randint(1, min(3, atoms))))
        return Rule(head, tuple(body), (_bound(rng), _bound(rng)))
    wide = fragment == "disjunctions" or (fragment == "all" and shape < 0.65)
    head = tuple(rng.sample(range(atoms), rng.randint(1, min(3, atoms)) if wide else 1))
    return Rule(head, tuple(body))


def _bound(rng: Random) -> int | None:
    return rng.randint(0, 2) if rng.random() < 0.3 else None


def _literal(rng: Random, atoms: int) -> Literal:
    return Literal(rng.randrange(atoms), rng.choice((0, 0, 0, 1, 1, 2)))


def _aggregate(rng: Random, atoms: int) -> Aggregate:
    elements = tuple(
        Element(rng.randint(-2, 3), rng.randint(1, 3), _literal(rng, atoms))
        for _ in range(rng.randint(1, 3))
    )
    return Aggregate(
        rng.choice(("#count", "#sum")),
        elements,
        rng.choice(tuple(COMPARISONS)),
        rng.randint(-1, 3),
        rng.random() < 0.25,
    )


class _Smaller(Protocol):
    def smaller(self) -> Iterator[Any]: ...


Item = TypeVar("Item")
Part = TypeVar("Part", bound=_Smaller)


def _without_one(items: tuple[Item, ...]) -> Iterator[tuple[Item, ...]]:
    for at in range(len(items)):
        yield (*items[:at], *items[at + 1 :])


def _with_one_smaller(items: tuple[Part, ...]) -> Iterator[tuple[Part, ...]]:
    for at, item in enumerate(items):
        for each in item.smaller():
            yield (*items[:at], each, *items[at + 1 :])
