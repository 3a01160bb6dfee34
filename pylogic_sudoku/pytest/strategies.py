"""Instances for Hypothesis: `instances` makes a strategy of a problem.

They are those that ``instances.lp`` describes, or have facts with arguments of known types. Either
way a simpler instance is one with fewer facts, and smaller numbers, so Hypothesis shrinks to it.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import Any

try:
    from hypothesis import strategies as st
except ImportError:  # pragma: no cover
    raise ImportError("instances needs Hypothesis: pip install hypothesis") from None

from ..errors import InvalidProblem, choice, listed, shown
from ..problem import Answer, Atom, Fact, Instance
from ..problem.atoms import Signature, signature_of
from ..problem.facts import read_answer
from ..problem.folder import Problem
from ..problem.seen import Seen, among, seen_in, singles, values_in
from ..questions.comparison import instances_by_size
from .agreement import named_problem

__all__ = ["instances"]

MOST = 1_000
"""Instances of ``instances.lp`` that a strategy chooses from, the smallest ones."""
FACTS = 6
"""Facts of one predicate, at most, if no instance of the folder has more."""


def instances(
    problem: Problem | str | os.PathLike[str],
    types: Mapping[str, Any] | None = None,
    *,
    single: Collection[str] | None = None,
    most: int = MOST,
) -> st.SearchStrategy[Instance]:
    """A strategy for instances of a problem.

    Without `types` they are the smallest answers of ``instances.lp``, if the folder has such a
    program. Otherwise they have facts of the problem's inputs, whose arguments have `types`; those
    of other predicates are taken from the instances in the folder: the names that are there, and
    numbers up to the largest one. An argument whose values are always among those of another
    predicate, as the nodes of an edge are, has that as its type.

    Args:
        problem: A `Problem`, its folder, or the name of a bundled one. The folder is looked for as
            that of the mark ``logic``: beside the file that calls this, below pytest's root, and in
            the current folder.
        types: For a predicate the type of its argument, or a tuple of several:
            ``{"slots/1": range(1, 4), "talk/1": ["ada", "bob"], "before/2": ("talk/1",
            "talk/1")}``. A type is a range, a list of values, a strategy of Hypothesis, or a
            predicate with one argument.
        single: The predicates of which there is always one fact. Without it, those of which each
            instance of the folder has one.
        most: The number of answers of ``instances.lp`` to choose from.

    Raises:
        InvalidProblem: If there is no such problem. All else is raised when the first instance is
            made: a type that cannot be read, or nothing to make instances from.
    """
    if isinstance(problem, Problem):
        found = problem
    else:
        caller = sys._getframe(1).f_globals.get("__file__")
        found = named_problem(problem, Path(caller).absolute().parent if caller else None)
    return st.deferred(lambda: _strategy(found, types, single, most))


def _strategy(
    problem: Problem, types: Mapping[str, Any] | None, single: Collection[str] | None, most: int
) -> st.SearchStrategy[Instance]:
    if types is None and (problem.folder / "instances.lp").is_file():
        return _from_program(problem, most)
    return _from_types(problem, types or {}, single)


# --- from instances.lp ---


def _from_program(problem: Problem, most: int) -> st.SearchStrategy[Instance]:
    """Choose among the smallest instances, fact by fact.

    A fact is in or out as long as some instance has it and another one has not; out is simpler. The
    larger facts come first, so that the simplest choice of one among several is the smallest. Each
    fact is asked about, even if there is no choice: so a choice stays where it is when an earlier
    one changes.
    """
    pool = list(islice(instances_by_size(problem), most))
    if not pool:
        raise InvalidProblem(f"{problem.folder / 'instances.lp'} has no answer, so no instance")
    having: dict[Fact, int] = defaultdict(int)
    for number, instance in enumerate(pool):
        for fact in instance.facts:
            having[fact] |= 1 << number
    masks = [having[fact] for fact in sorted(having, key=_weight, reverse=True)]

    @st.composite
    def choose(draw: st.DrawFn) -> Instance:
        left = (1 << len(pool)) - 1
        for mask in masks:
            wanted = draw(st.booleans())
            with_it, without = left & mask, left & ~mask
            left = (with_it if wanted else without) or with_it or without
        return pool[left.bit_length() - 1]

    return choose()


def _weight(fact: Fact) -> tuple[int, str]:
    """A key by which facts with large numbers come last."""
    (atom,) = read_answer(f"{fact.text}.", "instances.lp")
    return sum(abs(each) for each in atom.arguments if isinstance(each, int)), fact.text


# --- from types ---


def _from_types(
    problem: Problem, types: Mapping[str, Any], single: Collection[str] | None
) -> st.SearchStrategy[Instance]:
    """Make facts of each predicate whose arguments have known types."""
    seen = seen_in(problem)
    given = {_signature(name): _types_of(name, value) for name, value in types.items()}
    known = problem.inputs
    for signature in given:
        if known and signature not in known:
            wanted = [f"{name}/{arity}" for name, arity in known]
            raise InvalidProblem(
                f"{problem.name} takes no {signature[0]}/{signature[1]};"
                f" {choice(f'{signature[0]}/{signature[1]}', wanted)}"
            )
    arguments = {**_inferred(seen, problem), **given}
    if not arguments:
        raise InvalidProblem(
            f"{problem.folder} has neither instances.lp nor instances; give types, such as"
            " {'size/1': range(1, 5)}"
        )
    alone = singles([*arguments], seen) if single is None else set(map(_signature, single))
    most = {each: max([FACTS, *(len(x[each]) for x in seen)]) for each in arguments}
    order = _in_order(arguments)

    @st.composite
    def make(draw: st.DrawFn) -> Instance:
        drawn: dict[Signature, list[tuple[Any, ...]]] = {}
        for signature in order:
            parts = [_values(each, drawn) for each in arguments[signature]]
            if any(each is None for each in parts):
                drawn[signature] = []
                continue
            facts = st.tuples(*(each for each in parts if each is not None))
            if signature in alone:
                drawn[signature] = [draw(facts)]
            else:
                drawn[signature] = draw(st.lists(facts, unique=True, max_size=most[signature]))
        atoms = (Atom(name, each) for (name, _), facts in drawn.items() for each in facts)
        return _instance(problem, atoms)

    return make()


def _instance(problem: Problem, atoms: Iterable[Atom]) -> Instance:
    return Instance(
        problem, tuple(Fact(str(atom), atom.signature) for atom in sorted(Answer(atoms)))
    )


def _signature(name: object) -> Signature:
    try:
        return signature_of(name)
    except ValueError as error:
        raise InvalidProblem(f"types: {error}") from None


def _types_of(name: str, value: Any) -> tuple[Any, ...]:
    """The types of the arguments of a predicate: strategies, or predicates of other facts."""
    arity = _signature(name)[1]
    parts = value if arity > 1 or isinstance(value, tuple) else (value,)
    if not isinstance(parts, tuple) or len(parts) != arity:
        raise InvalidProblem(f"types: {name} is {shown(value)}; expected a tuple of {arity} types")
    return tuple(_type(name, each) for each in parts)


def _type(name: str, value: Any) -> st.SearchStrategy[Any] | Signature:
    if isinstance(value, st.SearchStrategy):
        return value
    if isinstance(value, str):
        other = _signature(value)
        if other[1] != 1:
            raise InvalidProblem(
                f"types: {name}: {value} cannot be a type; expected a predicate with one argument"
            )
        return other
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    if isinstance(value, list | range) and value:
        return st.sampled_from(value)
    raise InvalidProblem(
        f"types: {name} has {shown(value)}; expected a range, a list of values, a strategy, or a"
        " predicate such as 'talk/1'"
    )


def _values(
    kind: st.SearchStrategy[Any] | Signature, drawn: Mapping[Signature, list[tuple[Any, ...]]]
) -> st.SearchStrategy[Any] | None:
    """The values of a type; None if it is a predicate without facts."""
    if isinstance(kind, st.SearchStrategy):
        return kind
    facts = drawn.get(kind, [])
    return st.sampled_from([value for (value,) in facts]) if facts else None


def _in_order(arguments: Mapping[Signature, tuple[Any, ...]]) -> list[Signature]:
    """The predicates, those that are types of others before them."""
    for (name, arity), kinds in arguments.items():
        for kind in kinds:
            if isinstance(kind, tuple) and kind not in arguments:
                raise InvalidProblem(f"types: {name}/{arity} needs a type of {kind[0]}/{kind[1]}")
    order: list[Signature] = []
    waiting = sorted(arguments)
    while waiting:
        ready = [
            each
            for each in waiting
            if not any(kind in waiting for kind in arguments[each] if isinstance(kind, tuple))
        ]
        if not ready:
            used = {kind for each in waiting for kind in arguments[each]} & {*waiting}
            names = listed(f"{name}/{arity}" for name, arity in sorted(used))
            raise InvalidProblem(f"types: {names} are types of each other")
        order += ready
        waiting = [each for each in waiting if each not in ready]
    return order


def _inferred(seen: list[Seen], problem: Problem) -> dict[Signature, tuple[Any, ...]]:
    """The types of the arguments of facts, as far as the instances in the folder show them."""
    return {
        signature: tuple(
            among(signature, at, seen) or _like(values) for at, values in enumerate(columns)
        )
        for signature, columns in values_in(seen, problem).items()
    }


def _like(values: set[Any]) -> st.SearchStrategy[Any]:
    """Values such as these: whole numbers up to the largest, or the same ones."""
    if all(isinstance(each, int) for each in values):
        return st.integers(min(0, *values), max(0, *values))
    return st.sampled_from(sorted(values, key=str))
