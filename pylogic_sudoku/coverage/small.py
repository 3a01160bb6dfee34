"""Small instances of a problem, the smallest first.

They are the answers of ``instances.lp``. Without it, and at the edge of what it describes, they
have facts of the predicates that the instances in the folder have, with few values.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from ..problem import Answer, Atom, Fact, Instance, Signature
from ..problem.facts import Constants
from ..problem.folder import Problem
from ..problem.seen import Seen, among, seen_in, singles, values_in
from ..problem.text import read_text
from ..questions.comparison import instances_by_size
from .edits import files_of, one_line

__all__ = ["are_described", "at_the_edge", "constants_of", "program_for", "smallest"]

WIDE = 4
"""Small numbers that an argument may be, at most."""
LACKING = 60
"""Instances that lack such facts, at most."""
NAMES = 3
"""Names that an argument may be, at most."""
SIZES = 4
"""The instances with equally many facts are at most one of this many parts of those that are made:
or else larger ones would never come, and the smallest often have no answer."""
_WORD = re.compile(r"(?<!\w)(?:\d+|[a-z]\w*)(?!\w)|'([^'\n]*)'|\"([^\"\n]*)\"")


def are_described(problem: Problem) -> bool:
    """True if the problem has a program that describes its instances."""
    return (problem.folder / "instances.lp").is_file()


def constants_of(problem: Problem, posed: Iterable[Instance] = ()) -> tuple[Constants, ...]:
    """The constants of the instances, each distinct set of values once.

    Those in the folder count if the instances that are `posed` have none.
    """
    found = tuple(dict.fromkeys(each.constants for each in posed))
    if not any(found):
        found = tuple(dict.fromkeys(each.constants for each in problem.instances.values()))
    return found or ((),)


def smallest(
    problem: Problem, tries: int | None = None, constants: Sequence[Constants] | None = None
) -> Iterator[Instance]:
    """Yield the small instances: those of ``instances.lp``, or facts like those in the folder.

    Args:
        problem: The problem.
        tries: The number of instances that are wanted; None means all. If they are made, some of
            each size are among this many.
        constants: The constants that they may have; those of the folder's instances without it.
    """
    known = constants or constants_of(problem)
    if are_described(problem):
        for each in instances_by_size(problem):
            yield replace(each, constants=known[0])
        return
    numbers = any(_is_number(value) for each in known for _, value in each)
    choices: list[Sequence[Constants]] = [known] if numbers else []
    choices += [[each] for each in known]
    each_size = None if tries is None else max(1, tries // SIZES // len(choices))
    yield from _in_turn([_made(problem, each, each_size) for each in choices])


def _in_turn(streams: list[Iterator[Instance]]) -> Iterator[Instance]:
    """Yield one instance of each stream after another, each instance once."""
    there = set[Instance]()
    while streams:
        for stream in tuple(streams):
            new = next((each for each in stream if each not in there), None)
            if new is None:
                streams.remove(stream)
            else:
                there.add(new)
                yield new


def at_the_edge(problem: Problem, constants: Constants = ()) -> Iterator[Instance]:
    """Yield small sets of facts, whether they make sense or not.

    First some that lack facts which each instance has, then others with odd values.
    """
    yield from islice(_made(problem, [constants], is_edge=True, may_lack=True), LACKING)
    yield from _made(problem, [constants], is_edge=True)


def _made(
    problem: Problem,
    constants: Sequence[Constants],
    each_size: int | None = None,
    is_edge: bool = False,
    may_lack: bool = False,
) -> Iterator[Instance]:
    from ..engines.clingo.instances import answers_by_size

    program = program_for(problem, seen_in(problem), constants, is_edge, may_lack)
    if not program.text:
        yield Instance(problem, (), constants=constants[0])
        return
    with TemporaryDirectory(prefix="pylogic-sudoku-") as folder:
        path = Path(folder, "instances.lp")
        path.write_text(program.text, encoding="utf-8")
        with closing(answers_by_size(path, problem, each_size)) as answers:
            yield from (program.instance(problem, each) for each in answers)


class InstanceProgram(NamedTuple):
    """An ASP program whose answers stand for small instances.

    An argument there is the place of a value in a list, so that the first values come first.
    """

    text: str
    """Empty if no facts are known."""
    values: dict[Signature, list[list[Any]]]
    """The values of each argument of a predicate."""
    fixed: Constants
    chosen: dict[str, list[Any]]
    """The values of constants that an answer chooses."""

    def instance(self, problem: Problem, answer: Answer) -> Instance:
        """The instance that an answer stands for."""
        atoms, constants = [], dict(self.fixed)
        for atom in answer:
            if atom.signature in self.values:
                pairs = zip(self.values[atom.signature], atom.arguments, strict=True)
                atoms.append(Atom(atom.name, tuple(values[at] for values, at in pairs)))
            else:
                name = atom.name.removeprefix(_CHOSEN)
                constants[name] = str(self.chosen[name][atom.arguments[0]])
        facts = (Fact(str(each), each.signature) for each in sorted(atoms))
        in_order = [(name, constants[name]) for name in (*dict(self.fixed), *self.chosen)]
        return Instance(problem, tuple(facts), constants=tuple(in_order))


_CHOSEN = "__constant_"
"""The beginning of the name of a predicate that has the value of a constant."""


def program_for(
    problem: Problem,
    seen: list[Seen],
    constants: Sequence[Constants] = ((),),
    is_edge: bool = False,
    may_lack: bool = False,
) -> InstanceProgram:
    """An ASP program whose answers are small instances.

    At the edge arguments have any value. A predicate of which each instance has one fact has one,
    unless it `may_lack` it. With several sets of constants, or one of numbers, an answer has
    other values of them; of a single set, these.
    """
    columns = values_in(seen, problem)
    alone = singles([*columns], seen)
    words = _mentioned(problem)
    fixed, chosen, lines = _of_constants(constants, words)
    known = {*dict(fixed), *chosen}
    fits = (
        []
        if is_edge
        else [each for each in _fits(problem, seen, [*columns]) if each.constant in known]
    )
    values: dict[Signature, list[list[Any]]] = {
        signature: [
            _few(column, words, any(each.at == (signature, at) for each in fits))
            for at, column in enumerate(own)
        ]
        for signature, own in columns.items()
    }
    for number, signature in enumerate(sorted(columns)):
        name, arity = signature
        conditions = []
        for at in range(arity):
            other = None if is_edge else among(signature, at, seen)
            if other in columns:
                values[signature][at] = values[other][0]
            domain = other[0] if other in columns else f"__value_{number}_{at}"
            conditions.append(f"{domain}(X{at})")
            if other not in columns:
                lines += [f"{domain}({place})." for place in range(len(values[signature][at]))]
            for fit in fits:
                if fit.at == (signature, at):
                    lines += _places(f"__number_{number}_{at}", values[signature][at])
                    conditions.append(f"__number_{number}_{at}(X{at},V{at})")
                    conditions.append(f"__is_{fit.constant}(C{at}), V{at} <= C{at}")
        atom = f"{name}({','.join(f'X{at}' for at in range(arity))})" if arity else name
        bound = (" 1" if may_lack else " = 1") if signature in alone else ""
        lines.append(f"{{ {atom}{' : ' * bool(arity)}{', '.join(conditions)} }}{bound}.")
        variables = ",".join(["0", *(f"X{at}" for at in range(arity))])
        lines += [
            f":- __is_{fit.constant}(N), #count {{ {variables} : {atom} }} != N."
            for fit in fits
            if fit.at == (signature, None)
        ]
    shown = [_shown(each) for each in sorted(columns)]
    shown += [_shown((f"{_CHOSEN}{name}", 1)) for name in chosen]
    text = "".join(f"{line}\n" for line in (*dict.fromkeys(lines), *shown)) if shown else ""
    return InstanceProgram(text, values, fixed, chosen)


def _of_constants(
    constants: Sequence[Constants], words: Collection[str]
) -> tuple[Constants, dict[str, list[Any]], list[str]]:
    """The constants with their only value, those with a choice, and the rules for both."""
    if len(constants) == 1:
        fixed = constants[0]
        return fixed, {}, [f"__is_{name}({value})." for name, value in fixed]
    return (), *_chosen(constants, words)


def _chosen(
    constants: Sequence[Constants], words: Collection[str]
) -> tuple[dict[str, list[Any]], list[str]]:
    """The values of constants among which an answer chooses, and the rules for that."""
    chosen: dict[str, list[Any]] = {}
    lines: list[str] = []
    for name, value in chain(*constants):
        chosen.setdefault(name, []).append(int(value) if _is_number(value) else value)
    for name, values in chosen.items():
        chosen[name] = few = _few(values, words)
        lines.append(f"{{ {_CHOSEN}{name}(0..{len(few) - 1}) }} = 1.")
        lines += _places(f"__number_{name}", few)
        lines.append(f"__is_{name}(V) :- {_CHOSEN}{name}(X), __number_{name}(X,V).")
    return chosen, lines


def _places(name: str, values: list[Any]) -> list[str]:
    """Facts that have the number at each place."""
    return [
        f"{name}({place},{value})." for place, value in enumerate(values) if isinstance(value, int)
    ]


def _is_number(value: str) -> bool:
    return re.fullmatch(r"-?\d+", value) is not None


class _Fit(NamedTuple):
    """A constant that numbers in facts must not exceed, or that is the number of facts."""

    constant: str
    at: tuple[Signature, int | None]
    """A predicate, and the place of an argument; None for the number of its facts."""


def _fits(problem: Problem, seen: list[Seen], signatures: list[Signature]) -> list[_Fit]:
    """The ways in which facts fit the constants in all instances of the folder.

    Numbers fit one that they reach somewhere, such as rows on a board: facts beyond it make no
    sense, and one of two programs may fail on them.
    """
    own = [dict(each.constants) for each in problem.instances.values()]
    names = [name for name in (own[0] if own else ()) if all(name in each for each in own)]
    found: list[_Fit] = []
    for name in names:
        if not all(_is_number(each[name]) for each in own):
            continue
        bounds = [int(each[name]) for each in own]
        for signature in signatures:
            numbers = [len(facts[signature]) for facts in seen]
            if numbers == bounds and len({*bounds}) > 1:  # or else it may well be chance
                found.append(_Fit(name, (signature, None)))
            for at in range(signature[1]):
                columns = [[row[at] for row in facts[signature]] for facts in seen]
                if all(isinstance(each, int) for column in columns for each in column):
                    most = [max(each, default=None) for each in columns]
                    pairs = [
                        (one, bound)
                        for one, bound in zip(most, bounds, strict=True)
                        if one is not None
                    ]
                    if all(a <= b for a, b in pairs) and any(a == b for a, b in pairs):
                        found.append(_Fit(name, (signature, at)))
    return found


def _shown(signature: Signature) -> str:
    name, arity = signature
    return f"#show {name}/{arity}."


def _mentioned(problem: Problem) -> frozenset[str]:
    """The names and numbers in the texts of the programs."""
    files = {file for path in problem.paths.values() for file in files_of(path)}
    texts = (one_line(read_text(file)) for file in files)
    matches = chain.from_iterable(map(_WORD.finditer, texts))
    return frozenset(match[1] or match[2] or match[0] for match in matches)


def _few(values: Iterable[Any], words: Collection[str] = (), begins: bool = False) -> list[Any]:
    """A few values such as these; names that the programs mention come first.

    Numbers are those from 0, or from the least one if that `begins` them. If the programs mention
    a larger one, which is not beyond all values, it comes first with its neighbours.
    """
    numbers = [each for each in values if isinstance(each, int)]
    others = {each for each in values if not isinstance(each, int)}
    names = sorted(others, key=lambda each: (str(each) not in words, str(each)))[:NAMES]
    if not numbers:
        return names
    least, most = min(numbers) if begins else min(0, *numbers), max(numbers)
    small = [*range(least, min(most, least + WIDE - 1) + 1)]
    larger = (int(each) for each in words if each.isdigit())
    if (near := min((each for each in larger if small[-1] < each <= most), default=None)) is None:
        return [*small, *names]
    around = [each for each in (near, near + 1, near - 1) if each <= most]
    return [*dict.fromkeys([*around, *small[: WIDE // 2]]), *names]
