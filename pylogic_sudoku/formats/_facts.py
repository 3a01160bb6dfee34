"""Givens as facts for clingo: plain ones in bulk, all others with clingo's own parser."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, product
from math import prod
from operator import add, mul, sub
from typing import Any

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid
from ..puzzle import Puzzle
from ._answers import LARGEST, NAMES, SHAPE, Givens, needs_shape, read_answer, too_large
from ._rule_facts import RULE_FACTS
from ._text import CODE

__all__ = ["read_facts", "split_facts", "write_facts", "write_removable"]

_TERM = r"\s*(?:\d{1,9}|_*[a-z]\w*)\s*"
_FACT = re.compile(rf"\s*(_*[a-z]\w*)(?:\(({_TERM}(?:[,;]{_TERM})*)\))?\s*\.(?!\.)", re.ASCII)
"""A fact whose arguments are numbers and names; a pool of such arguments stands for several."""
_KNOWN = {*NAMES, *(name for name, _ in RULE_FACTS)}
_STATEMENT = re.compile(r"\s*((?:[^.]++|\.\.)*+)\.?(?:\s*\[[a-z\s]*\])?")
"""Any statement, with what may stand behind its full stop: ``#const dim=2. [override]``."""
_OPERATION = re.compile(r"[-+*/\\^?&~|(]|\.\.")
_MOST_OPERATIONS = 10_000
"""In one statement: clingo's parser overflows its stack on terms nested 100,000 deep."""
_FOREIGN = re.compile(r"#include\b|[^\1-\x7f]")
_DEEPEST = 50
"""The deepest nesting of operations that is computed."""
_MOST_FACTS = MAX_SIZE**3
"""Facts that one statement may stand for: no grid has more candidates."""


def split_facts(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """All facts together, since they are about one puzzle."""
    yield 1, "\n".join(lines)


def read_facts(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    ``region(R,X,Y)`` puts the cell in region R, and ``excluded(X,Y,N)`` excludes N from the cell.
    Rules beyond these are facts ``rule``, ``on``, ``value`` and ``option``.
    Comments, ``#const``, ``#show``, intervals, pools, several facts on a line, and atoms without
    full stops (an answer set) are read; facts of other names are ignored. Nothing is grounded: a
    rule with a body is an error. The box shape is `box`, else what constants say, else that of a
    full grid of this many facts, else the smallest square from 3x3 up.
    """
    code = re.sub(CODE, lambda part: part[0] if part[0][0] == '"' else _blank(part), text)
    bare = re.sub(CODE, _blank, code)
    if bare.strip() and "." not in bare:
        return read_answer(text, box)
    if unreadable := _FOREIGN.search(bare):
        raise InvalidPuzzle(f"{_line(unreadable)}: {unreadable[0]!r} is not read; expected facts")
    givens = Givens()
    rest = _take_plain(bare, code, givens)
    if rest.strip():
        if number := too_large(bare):
            raise InvalidPuzzle(
                f"{_line(number)}: {number[0][:20]} is over {LARGEST}, the largest number of clingo"
            )
        for statement in _parsed(rest):
            _take(statement, givens)
    return givens.puzzle(box)


def _blank(part: re.Match[str]) -> str:
    """As many blanks and lines as the part has."""
    return "\n".join(" " * len(line) for line in part[0].split("\n"))


def _line(found: re.Match[str], group: int | str = 0) -> str:
    return f"line {found.string.count(chr(10), 0, found.start(group)) + 1}"


def _take_plain(bare: str, code: str, givens: Givens) -> str:
    """Add the plain facts, and return the rest of the code in its place.

    clingo's parser makes a tree of each statement, for Python: that takes 100 times as long.
    `bare` is the code without its strings.
    """
    rest: list[str] = []
    read: set[str] = set()
    at = done = 0
    while at < len(bare):
        fact = _FACT.match(bare, at)
        if fact and (fact[0] in read or _is_taken(fact, givens)):
            read.add(fact[0])
            at = fact.end()
            continue
        statement = _STATEMENT.match(bare, at)
        assert statement
        _refuse_deep(statement)
        rest += _blanks(bare, done, at), code[at : statement.end()]
        at = done = statement.end()
    return "".join(rest)


def _blanks(text: str, begin: int, end: int) -> str:
    """Lines and blanks that take the place of a part of the text."""
    last = text.rfind("\n", begin, end)
    return "\n" * text.count("\n", begin, end) + " " * (end - max(begin, last + 1))


def _is_taken(fact: re.Match[str], givens: Givens) -> bool:
    """Add the fact, or ignore one of another name; False if clingo has to read it."""
    name = fact[1]
    if name not in _KNOWN:
        return name != "not"
    for arguments in dict.fromkeys((fact[2] or "").split(";")):
        words = [word.strip() for word in arguments.split(",")]
        numbers = [word for word in words if word.isdecimal()]
        if name in NAMES and len(numbers) < len(words):
            return False
        terms = [int(word) if word in numbers else word for word in words]
        _add(name, terms, lambda: f"{_line(fact, 1)}: {_short(fact[0].strip()[:-1])}", givens)
    return True


def _add(name: str, terms: Sequence[int | str], where: Callable[[], str], givens: Givens) -> None:
    """Add a fact; one of another name is ignored."""
    if (name, len(terms)) in RULE_FACTS:
        givens.rules.add(name, terms, where)
    elif name in NAMES and len(terms) == (1 if name in SHAPE else 3):
        givens.add(name, terms, where)


def _refuse_deep(statement: re.Match[str]) -> None:
    text = statement[1]
    if len(text) > _MOST_OPERATIONS < len(_OPERATION.findall(text)):
        raise InvalidPuzzle(
            f"{_line(statement, 1)}: more than {_MOST_OPERATIONS:,} operations and brackets before"
            " a full stop; expected facts"
        )


def write_facts(puzzle: Grid | Puzzle) -> str:
    """A fact for each given, a line for each row, under the box shape if it is needed."""
    rows = (row for _, row in groupby(puzzle.givens, lambda given: given.row))
    lines = (" ".join(f"initial({x},{y},{n})." for x, y, n in row) for row in rows)
    return "\n".join([*_rules(puzzle), *lines])


def write_removable(puzzle: Grid | Puzzle) -> str:
    """The same, a line for each given, under the comment that lets asplain remove it.

    A square box has its side as ``dim`` too, for asplain's own example and our ``explain.lp``.
    """
    rows, columns = puzzle.box
    dim = [f"#const dim={rows}."] if rows == columns else []
    facts = [f"% @removable\ninitial({x},{y},{n})." for x, y, n in puzzle.givens]
    return "\n".join(dim + _rules(puzzle) + facts)


def _rules(given: Grid | Puzzle) -> list[str]:
    """Lines with the box shape if it is needed, the regions, what marks exclude, and rules."""
    puzzle = given if isinstance(given, Puzzle) else Puzzle(given)
    lines: list[str] = []
    if needs_shape(puzzle):
        names = zip(("box_rows", "box_columns"), puzzle.box, strict=True)
        lines.append(" ".join(f"#const {name}={value}. [override]" for name, value in names))
    for number, region in enumerate(puzzle.layout.regions or (), 1):
        lines.append(" ".join(f"region({number},{x},{y})." for x, y in region))
    for _, excluded in groupby(puzzle.excluded, lambda each: each.cell):
        lines.append(" ".join(f"excluded({x},{y},{n})." for x, y, n in excluded))
    if puzzle.rules:
        from ..rules._rule import facts

        lines += facts(puzzle.rules)
    return lines


def _parsed(text: str) -> list[Any]:
    """The statements of the text as clingo's parser has them."""
    import clingo.ast

    # In an error message clingo may cut a character in two, which ends the process.
    text = text.encode("ascii", "replace").decode("ascii").replace("\0", "?")
    messages: list[str] = []
    statements: list[Any] = []
    try:
        clingo.ast.parse_string(
            text, statements.append, logger=lambda _code, message: messages.append(message)
        )
    except RuntimeError:
        raise InvalidPuzzle(_plain("".join(messages))) from None
    return statements


def _plain(message: str) -> str:
    """clingo's message without its name for the text: ``line 2, column 5: ...``."""
    first = next(iter(message.splitlines()), "clingo cannot read this")
    return re.sub(r"^<string>:(\d+):(\d+)[-\d:]*: error: ", r"line \1, column \2: ", first)


def _take(statement: Any, givens: Givens) -> None:
    """Add the contents of a statement; InvalidPuzzle if it is not a fact."""
    from clingo.ast import ASTType

    where = f"line {statement.location.begin.line}"
    kind = statement.ast_type
    if kind == ASTType.Definition:
        if statement.name in SHAPE:
            values = _Values(where, statement.value).of(statement.value)
            givens.add(statement.name, values, lambda: where)
    elif kind == ASTType.Rule:
        head = statement.head
        if statement.body or head.ast_type != ASTType.Literal or head.sign:
            raise InvalidPuzzle(f"{where}: {_short(statement)} is a rule; expected facts")
        if head.atom.ast_type == ASTType.SymbolicAtom:
            _take_atom(head.atom.symbol, where, givens)
    elif kind not in (ASTType.Program, ASTType.ShowSignature, ASTType.Defined, ASTType.Comment):
        raise InvalidPuzzle(
            f"{where}: {_short(statement)} is not a fact; expected facts such as initial(1,1,5)."
        )


def _take_atom(atom: Any, where: str, givens: Givens) -> None:
    """Add the facts that an atom stands for: several if it has intervals or pools."""
    from clingo.ast import ASTType

    if atom.ast_type == ASTType.Pool:
        for each in atom.arguments:
            _take_atom(each, where, givens)
    elif atom.ast_type == ASTType.Function and (
        atom.name in NAMES or (atom.name, len(atom.arguments)) in RULE_FACTS
    ):
        for terms in _Values(where, atom).of_each(atom.arguments):
            _add(atom.name, terms, lambda: f"{where}: {_short(atom)}", givens)


class _Values:
    """The values of terms, computed here because clingo's numbers would wrap around."""

    def __init__(self, where: str, within: Any) -> None:
        self._where = where
        self._within = within

    def of_each(self, terms: Iterable[Any], depth: int = 0) -> list[tuple[int | str, ...]]:
        """Every choice of one value for each term."""
        values = [self.of(term, depth) for term in terms]
        if prod(map(len, values)) > _MOST_FACTS:
            raise self._wrong(f"stands for more than {_MOST_FACTS:,} facts")
        return list(product(*values))

    def of(self, term: Any, depth: int = 0) -> list[int | str]:
        """The values of a term, each once: numbers, and other symbols as text."""
        from clingo import SymbolType
        from clingo.ast import ASTType, BinaryOperator, UnaryOperator

        if depth > _DEEPEST:
            raise InvalidPuzzle(
                f"{self._where}: more than {_DEEPEST} operations make a number; expected 1 to 36"
            )
        kind = term.ast_type
        if kind == ASTType.SymbolicTerm:
            symbol = term.symbol
            return [symbol.number if symbol.type == SymbolType.Number else str(symbol)]
        found: Iterable[int | str]
        if kind == ASTType.Pool:
            found = chain.from_iterable(self.of(each, depth + 1) for each in term.arguments)
        elif kind == ASTType.Function and not term.external:
            parts = self.of_each(term.arguments, depth + 1)
            found = (f"{term.name}({','.join(map(str, values))})" for values in parts)
        elif kind == ASTType.Interval:
            bounds = self._numbers([term.left, term.right], depth)
            found = chain.from_iterable(self._interval(*pair) for pair in bounds)
        elif kind == ASTType.UnaryOperation and term.operator_type == UnaryOperator.Minus:
            found = (-number for (number,) in self._numbers([term.argument], depth))
        elif kind == ASTType.BinaryOperation and (
            work := {
                BinaryOperator.Plus: add,
                BinaryOperator.Minus: sub,
                BinaryOperator.Multiplication: mul,
            }.get(term.operator_type)
        ):
            found = (work(*pair) for pair in self._numbers([term.left, term.right], depth))
        else:
            raise self._wrong("is not a plain fact; expected numbers")
        return list(dict.fromkeys(found))

    def _numbers(self, terms: Iterable[Any], depth: int) -> Iterator[tuple[int, ...]]:
        for values in self.of_each(terms, depth + 1):
            if not all(isinstance(value, int) for value in values):
                raise self._wrong("is not a plain fact; expected numbers")
            yield values  # type: ignore[misc]

    def _interval(self, first: int, last: int) -> range:
        if last - first >= MAX_SIZE:
            raise self._wrong(f"has {last - first + 1:,} numbers in an interval, over {MAX_SIZE}")
        return range(first, last + 1)

    def _wrong(self, what: str) -> InvalidPuzzle:
        return InvalidPuzzle(f"{self._where}: {_short(self._within)} {what}")


def _short(part: Any) -> str:
    text = str(part).strip()
    return text if len(text) <= 80 else f"{text[:80]}..."
