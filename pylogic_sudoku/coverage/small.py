"""Small instances of a problem, the smallest first.

They are the answers of ``instances.lp``. Without it, and at the edge of what it describes, they
have facts of the predicates that the instances in the folder have, with few values.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from ..problem import Atom, Fact, Instance, Signature
from ..problem.folder import Problem
from ..problem.seen import Seen, among, seen_in, singles, values_in
from ..questions.comparison import instances_by_size

__all__ = ["are_described", "at_the_edge", "program_for", "smallest"]

WIDE = 4
"""Numbers that an argument may be, at most."""
LACKING = 60
"""Instances that lack such facts, at most."""
NAMES = 3
"""Names that an argument may be, and sets of constants, at most."""


def are_described(problem: Problem) -> bool:
    """True if the problem has a program that describes its instances."""
    return (problem.folder / "instances.lp").is_file()


def smallest(problem: Problem) -> Iterator[Instance]:
    """Yield the small instances: those of ``instances.lp``, or facts like those in the folder."""
    if are_described(problem):
        yield from instances_by_size(problem)
    else:
        yield from _made(problem)


def at_the_edge(problem: Problem) -> Iterator[Instance]:
    """Yield small sets of facts, whether they make sense or not.

    First some that lack facts which each instance has, then others with odd values.
    """
    yield from islice(_made(problem, is_edge=True, may_lack=True), LACKING)
    yield from _made(problem, is_edge=True)


def _made(problem: Problem, is_edge: bool = False, may_lack: bool = False) -> Iterator[Instance]:
    from ..engines.clingo.instances import answers_by_size

    constants = _constants_in(problem)
    if not (text := program_for(problem, seen_in(problem), is_edge, may_lack)):
        yield from (Instance(problem, (), constants=each) for each in constants)
        return
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        path = Path(folder, "instances.lp")
        path.write_text(text, encoding="utf-8")
        for answer in answers_by_size(path, problem):
            facts = tuple(Fact(str(atom), atom.signature) for atom in sorted(answer))
            yield from (Instance(problem, facts, constants=each) for each in constants)


def _constants_in(problem: Problem) -> list[tuple[tuple[str, str], ...]]:
    """Constants that the instances in the folder have, those with small numbers first."""
    found = {each.constants for each in problem.instances.values()}
    return sorted(found, key=lambda each: (sum(map(_number, each)), each))[:NAMES] or [()]


def _number(constant: tuple[str, str]) -> int:
    return abs(int(constant[1])) if re.fullmatch(r"-?\d{1,9}", constant[1]) else 0


def program_for(
    problem: Problem, seen: list[Seen], is_edge: bool = False, may_lack: bool = False
) -> str:
    """An ASP program whose answers are small instances; empty if no facts are known.

    At the edge arguments have any value. A predicate of which each instance has one fact has one,
    unless it `may_lack` it.
    """
    values = values_in(seen, problem)
    alone = singles([*values], seen)
    lines: list[str] = []
    for signature, columns in sorted(values.items()):
        name, arity = signature
        arguments = [f"X{at}" for at in range(arity)]
        conditions = []
        for at, column in enumerate(columns):
            other = None if is_edge else among(signature, at, seen)
            domain = other[0] if other else f"__value_{len(lines)}_{at}"
            conditions.append(f"{domain}(X{at})")
            if not other:
                lines += [f"{Atom(domain, (each,))}." for each in _few(column)]
        atom = f"{name}({','.join(arguments)})" if arity else name
        bound = (" 1" if may_lack else " = 1") if signature in alone else ""
        lines.append(f"{{ {atom}{' : ' * bool(arity)}{', '.join(conditions)} }}{bound}.")
    shown = (_shown(each) for each in sorted(values))
    return "".join(f"{line}\n" for line in (*lines, *shown))


def _shown(signature: Signature) -> str:
    name, arity = signature
    return f"#show {name}/{arity}."


def _few(values: Iterable[Any]) -> list[Any]:
    """A few values such as these: numbers from 0, and the first of the others."""
    numbers = [each for each in values if isinstance(each, int)]
    others = sorted((each for each in values if not isinstance(each, int)), key=str)[:NAMES]
    if not numbers:
        return others
    least = min(0, *numbers)
    return [*range(least, min(max(numbers), least + WIDE - 1) + 1), *others]
