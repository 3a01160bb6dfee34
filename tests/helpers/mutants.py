"""Mutants of an encoding, the battery of instances for it, and the judgement on all mutants.

The mutants are made from the parsed programs, so a new rule is broken without anybody's help.
What the battery cannot notice, because it means the same, is listed with the reason; a mutant
that is listed and noticed after all is a failure too. A file is mutated without what it includes.
"""

from __future__ import annotations

import faulthandler
import fnmatch
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

import clingo
import pytest
from clingo.ast import (
    AST,
    ASTType,
    BinaryOperator,
    ComparisonOperator,
    Sign,
    parse_string,
)

from helpers.gallery import SMALL, Encoding, answers
from helpers.oracle import all_solutions, dig, full_grid
from helpers.puzzles import COUNTS, PRINTED
from pylogic_sudoku import Grid


class Mutant(NamedTuple):
    name: str
    """The first line of the statement that is broken, and how."""
    program: str
    statement: str
    """The whole statement as it was."""


QUIET = {ASTType.Program, ASTType.Comment}
OTHER_COMPARISONS = {
    ComparisonOperator.NotEqual: [ComparisonOperator.LessThan, ComparisonOperator.Equal],
    ComparisonOperator.LessThan: [ComparisonOperator.LessEqual, ComparisonOperator.GreaterThan],
    ComparisonOperator.Equal: [ComparisonOperator.LessEqual, ComparisonOperator.GreaterEqual],
    ComparisonOperator.LessEqual: [ComparisonOperator.LessThan, ComparisonOperator.GreaterEqual],
    ComparisonOperator.GreaterThan: [ComparisonOperator.GreaterEqual, ComparisonOperator.LessThan],
    ComparisonOperator.GreaterEqual: [ComparisonOperator.GreaterThan, ComparisonOperator.LessEqual],
}
OTHER_OPERATIONS = {
    BinaryOperator.Minus: BinaryOperator.Plus,
    BinaryOperator.Plus: BinaryOperator.Minus,
    BinaryOperator.Multiplication: BinaryOperator.Plus,
    BinaryOperator.Division: BinaryOperator.Modulo,
    BinaryOperator.Modulo: BinaryOperator.Division,
    BinaryOperator.Power: BinaryOperator.Multiplication,
    BinaryOperator.Or: BinaryOperator.And,
}
OTHER_NAMES = {"box_rows": "box_columns", "box_columns": "box_rows"}


def nodes(node: AST, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], AST]]:
    """Every node of a tree, with the steps that lead to it."""
    yield path, node
    for key in node.child_keys:
        child = getattr(node, key)
        if isinstance(child, AST):
            yield from nodes(child, (*path, key))
        elif child is not None:
            for place, item in enumerate(child):
                yield from nodes(item, (*path, key, place))


def replaced(tree: AST, path: tuple[Any, ...], new: AST) -> AST:
    """The tree with another node at the end of this path. Nothing is changed in place: copies
    of clingo's trees share their branches."""
    if not path:
        return new
    key, *rest = path
    child = getattr(tree, key)
    if isinstance(child, AST):
        return tree.update(**{key: replaced(child, tuple(rest), new)})
    place, *rest = rest
    items = list(child)
    items[place] = replaced(items[place], tuple(rest), new)
    return tree.update(**{key: items})


def without(items: Any, place: int) -> list[AST]:
    return [item for other, item in enumerate(items) if other != place]


def changes(node: AST) -> Iterator[AST]:
    """Other nodes that could stand in the place of this one."""
    kind = node.ast_type
    if kind == ASTType.Comparison:
        (guard,) = node.guards
        for other in OTHER_COMPARISONS[ComparisonOperator(guard.comparison)]:
            yield node.update(guards=[guard.update(comparison=other)])
    elif kind == ASTType.Literal and node.sign == Sign.Negation:
        yield node.update(sign=Sign.NoSign)
    elif kind == ASTType.BinaryOperation:
        yield node.left
        yield node.right
        yield node.update(operator_type=OTHER_OPERATIONS[BinaryOperator(node.operator_type)])
    elif kind == ASTType.UnaryOperation:
        yield node.argument
    elif kind == ASTType.Pool:
        for place in range(len(node.arguments)):
            yield node.update(arguments=without(node.arguments, place))
    elif kind == ASTType.SymbolicTerm:
        name = str(node.symbol)
        if name in OTHER_NAMES:
            yield from _terms(OTHER_NAMES[name])
        elif name.isdigit():
            yield from _terms(str(int(name) + 1))


def _terms(text: str) -> list[AST]:
    found: list[AST] = []
    parse_string(f"t({text}).", found.append)
    return list(found[-1].head.atom.symbol.arguments)


def weakened(statement: AST) -> Iterator[tuple[str, AST]]:
    """The statement with one thing changed, and what that is."""
    if statement.ast_type == ASTType.Rule:
        for place, literal in enumerate(statement.body):
            yield f"without {literal}", statement.update(body=without(statement.body, place))
    for path, node in nodes(statement):
        if node.ast_type in (ASTType.ConditionalLiteral, ASTType.BodyAggregateElement):
            for place, literal in enumerate(node.condition):
                shorter = node.update(condition=without(node.condition, place))
                yield f"without {literal} after the colon", replaced(statement, path, shorter)
        if node.ast_type == ASTType.BodyAggregateElement:
            for place, term in enumerate(node.terms):
                if place:  # the first is what is added up
                    shorter = node.update(terms=without(node.terms, place))
                    yield f"without {term} before the colon", replaced(statement, path, shorter)
        if node.ast_type in (ASTType.Aggregate, ASTType.BodyAggregate):
            for change, new in other_guards(node):
                yield change, replaced(statement, path, new)
        for new in changes(node):
            yield f"{node} -> {new}", replaced(statement, path, new)


def other_guards(node: AST) -> Iterator[tuple[str, AST]]:
    """The aggregate with another bound, or without one, and what that is."""
    guard, other = node.left_guard, node.right_guard
    # What stands right of the braces in the file comes as its left guard.
    if guard and ComparisonOperator(guard.comparison) == ComparisonOperator.Equal:
        for change, new in [
            ("<=", node.update(left_guard=None, right_guard=at_most(guard))),
            (">=", node.update(left_guard=at_most(guard))),
            ("without", node.update(left_guard=None)),
        ]:
            yield f"{{ ... }} = {guard.term} -> {change}", new
    elif guard:
        yield f"without {guard.term} at the left of the braces", node.update(left_guard=None)
    if other:
        yield f"without {other.term} at the right of the braces", node.update(right_guard=None)


def at_most(guard: AST) -> AST:
    return guard.update(comparison=ComparisonOperator.LessEqual)


def mutants_of_encoding(source: str) -> Iterator[Mutant]:
    statements: list[AST] = []
    parse_string(source, statements.append)
    lines = source.splitlines()
    for place, statement in enumerate(statements):
        if statement.ast_type in QUIET:
            continue
        before, after = statements[:place], statements[place + 1 :]
        first, last = statement.location.begin.line, statement.location.end.line
        whole = "\n".join(lines[first - 1 : last])
        label = lines[first - 1].strip()
        broken = weakened(statement) if statement.ast_type != ASTType.Defined else ()
        for change, mutant in [("dropped", None), *broken]:
            program = [*before, *([] if mutant is None else [mutant]), *after]
            text = "\n".join(str(part) for part in program if part.ast_type not in QUIET)
            yield Mutant(f"{label} | {change}", text, whole)


# --- the files of an encoding -------------------------------------------------------------

INCLUDE = re.compile(r'^#include "([^"]+)"\.$', re.MULTILINE)


@cache
def closure(path: Path) -> tuple[Path, ...]:
    """The file and what it includes, each once."""
    included = (
        closure((path.parent / name).resolve()) for name in INCLUDE.findall(path.read_text())
    )
    return tuple(dict.fromkeys((path, *chain(*included))))


@cache
def alone(path: Path) -> str:
    """The text of a file without what it includes."""
    return INCLUDE.sub("", path.read_text())


def mutants_of_file(path: Path) -> Iterator[Mutant]:
    seen = {alone(path)}
    for mutant in mutants_of_encoding(alone(path)):
        # That one says what is `#defined` is noticed by a test that clingo has nothing to say.
        if mutant.program not in seen and not mutant.name.startswith("#defined"):
            seen.add(mutant.program)
            yield mutant


class TooLarge(Exception):
    """The mutant grounds to far more rules than the program, perhaps without end."""


class Size(clingo.Observer):
    """Counts ground rules; those of a mutant, if the program's number is given."""

    def __init__(self, program: int | None = None) -> None:
        self.rules = 0
        self._most = 10**9 if program is None else 10 * program + 10_000

    def rule(self, *_: object) -> None:
        self.rules += 1
        if self.rules > self._most:
            raise TooLarge


def why_equivalent(mutant: Mutant, equivalent: dict[str, list[str]]) -> str | None:
    """The reason that has a pattern of the mutant's name."""
    patterns = ((why, each) for why, some in equivalent.items() for each in some)
    return next((why for why, each in patterns if fnmatch.fnmatchcase(mutant.name, each)), None)


class Share(NamedTuple):
    """Every how manieth of the mutants of a file, from which one on, and how many survive."""

    path: Path
    first: int
    step: int
    survivors: int


def shares(
    folder: Path, files: Iterable[Path], survivors: dict[str, int | tuple[int, ...]]
) -> list[Any]:
    """The parameters of the tests of all mutants of these files.

    A file has as many tests as `survivors` has numbers for it, so that none takes too long.
    """
    found = []
    for path in files:
        name = path.relative_to(folder)
        numbers = survivors[name.with_suffix("").as_posix()]
        each = numbers if isinstance(numbers, tuple) else (numbers,)
        for first, number in enumerate(each):
            label = name.as_posix() + (f"-{first + 1}" if len(each) > 1 else "")
            found.append(pytest.param(Share(path, first, len(each), number), id=label))
    return found


@pytest.mark.slow
class OfFiles:
    """The tests of all files of a folder, each of which is the `path` of a test.

    Its mutants are those of one or several tests, each with a `share` of them.
    """

    files: list[Path]
    equivalent: dict[str, list[str]]
    """Mutants that cannot be noticed: the reason, and patterns of their names."""
    uncounted = ""
    """The reason of those that are not counted."""
    instances: Callable[[Path, Mutant], Iterable[Any]]
    """Those that run the file."""
    noticed: Callable[[Path, str, Any], bool]
    """True if an instance has other answers when a file has this text."""

    def is_noticed(self, path: Path, mutant: Mutant) -> bool:
        return any(
            self.noticed(path, mutant.program, each) for each in self.instances(path, mutant)
        )

    def test_every_mutant_is_noticed(self, share):
        faulthandler.cancel_dump_traceback_later()  # this may take longer than a test
        mutants = islice(mutants_of_file(share.path), share.first, None, share.step)
        left = (each for each in mutants if not self.is_noticed(share.path, each))
        alive = [(mutant.name, why_equivalent(mutant, self.equivalent)) for mutant in left]
        assert [name for name, why in alive if why is None] == []
        counted = [name for name, why in alive if why != self.uncounted]
        assert len(counted) == share.survivors, counted

    def test_some_mutants_are_noticed_and_what_is_right_is_not(self, path):
        mutants = mutants_of_file(path)
        some = [mutant for mutant in mutants if not why_equivalent(mutant, self.equivalent)]
        assert self.is_noticed(path, some[0])
        assert self.is_noticed(path, some[-1])
        for each in islice(self.instances(path, some[0]), 3):
            assert not self.noticed(path, alone(path), each)

    def test_each_reason_is_about_some_mutant(self):
        names = [mutant.name for path in self.files for mutant in mutants_of_file(path)]
        for pattern in chain(*self.equivalent.values()):
            assert fnmatch.filter(names, pattern), pattern


# --- the battery, and the judgement ------------------------------------------------------


def several(box: tuple[int, int], keep: int) -> Grid:
    return dig(full_grid(box, 5), keep, 5)


BATTERY = [
    Grid((0,) * 16, SMALL),
    several(SMALL, 4),
    full_grid(SMALL, 5),
    several((2, 3), 12),
    several((3, 2), 12),
    several((1, 4), 6),
    several((4, 1), 6),
    Grid((0,), (1, 1)),
    Grid.parse(next(iter(COUNTS))),
    Grid.parse(next(iter(PRINTED))),
]


@cache
def solutions(puzzle: Grid) -> frozenset[Grid]:
    """From the oracle, which knows no engine."""
    return frozenset(all_solutions(puzzle))


def grounds(program: str, encoding: Encoding) -> bool:
    """False if clingo refuses it: then nobody needs a test to see that it is broken."""
    try:
        answers(program, encoding.givens(BATTERY[1]), encoding.options(SMALL), limit=1)
    except RuntimeError:
        return False
    return True


def judged(killed: list[str], alive: list[str], equivalent: dict[str, str]) -> None:
    """Fails unless exactly the equivalent mutants are alive."""

    def reason(name: str) -> str | None:
        return next((why for p, why in equivalent.items() if fnmatch.fnmatchcase(name, p)), None)

    assert [name for name in alive if reason(name) is None] == [], "nobody noticed these"
    assert [name for name in killed if reason(name)] == [], "these are not equivalent"
    unused = [p for p in equivalent if not any(fnmatch.fnmatchcase(n, p) for n in alive)]
    assert unused == [], "no mutant has such a name"
    assert len(killed) > 4 * len(alive)
