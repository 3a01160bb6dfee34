"""Givens as facts for clingo, read with clingo's own parser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._answers import LARGEST, NAMES, SHAPE, Givens, needs_shape, read_answer, too_large
from ._rule_facts import RULE_FACTS
from ._text import CODE, LONGEST_LINE

__all__ = ["read_facts", "split_facts", "write_facts", "write_removable"]

LONGEST = 10_000
"""Characters of a statement: clingo's parser overflows its stack on deeply nested terms."""
_FOREIGN = re.compile(r"[^\0-\x7f]")
LONGEST_ATOM = 200
"""Characters of an atom of a rule."""
DEEPEST = 50
"""The deepest nesting of operations that is computed."""


def split_facts(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """All facts together, since they are about one puzzle."""
    yield 1, "\n".join(lines)


def read_facts(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle whose givens are facts such as ``initial(X,Y,N)``: row X, column Y holds N.

    ``region(R,X,Y)`` puts the cell in region R, and ``excluded(X,Y,N)`` excludes N from the cell.
    Rules beyond these are facts ``rule``, ``on``, ``value`` and ``option``.
    Comments, ``#const``, ``#show``, several facts on a line, and atoms without full stops (an
    answer set) are read; facts of other names are ignored. Nothing is grounded: a rule with a
    body is an error. The box shape is `box`, else what constants say, else that of a full grid
    of this many facts, else the smallest square from 3x3 up.
    """
    if len(text) > LONGEST_LINE:
        raise InvalidPuzzle(f"there are more than {LONGEST_LINE:,} characters of facts")
    bare = re.sub(CODE, lambda part: "\n" * part.group().count("\n"), text)
    if bare.strip() and "." not in bare:
        return read_answer(text, box)
    unreadable = re.search("#include|[\0\ud800-\udfff]", text) or _FOREIGN.search(bare)
    if unreadable:
        line = unreadable.string.count("\n", 0, unreadable.start()) + 1
        raise InvalidPuzzle(f"line {line}: {unreadable.group()!r} is not read; expected facts")
    before = 0
    for statement in bare.split("."):
        if len(statement) > LONGEST:
            line = bare.count("\n", 0, before) + 1
            raise InvalidPuzzle(
                f"line {line}: no full stop within {LONGEST} characters; expected facts"
            )
        before += len(statement) + 1
    if (number := too_large(bare)) is not None:
        line = bare.count("\n", 0, number.start()) + 1
        raise InvalidPuzzle(
            f"line {line}: {number.group()[:20]} is over {LARGEST}, the largest number of clingo"
        )
    givens = Givens()
    for statement in _statements(text):
        _take(statement, givens)
    return givens.puzzle(box)


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


def _statements(text: str) -> list[Any]:
    import clingo.ast

    # In an error message clingo may cut a character in two, which ends the process.
    text = text.encode("ascii", "replace").decode("ascii")
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
    """Add the contents of a statement; InvalidPuzzle if it is not a plain fact."""
    from clingo.ast import ASTType

    where = f"line {statement.location.begin.line}"
    kind = statement.ast_type
    if kind == ASTType.Definition:
        if statement.name in SHAPE:
            givens.add(statement.name, [_value(statement.value, where, None)], where)
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
    from clingo.ast import ASTType

    if atom.ast_type == ASTType.Pool:
        if getattr(atom.arguments[0], "name", "") in NAMES:
            raise InvalidPuzzle(f"{where}: {_short(atom)} is not a plain fact; expected numbers")
    elif atom.ast_type == ASTType.Function:
        name, terms = atom.name, atom.arguments
        if (name, len(terms)) in RULE_FACTS:
            givens.rules.add(name, _symbols(atom, where), f"{where}: {_short(atom)}")
        if name in NAMES and len(terms) == (1 if name in SHAPE else 3):
            givens.add(
                name, [_value(term, where, atom) for term in terms], f"{where}: {_short(atom)}"
            )


def _symbols(atom: Any, where: str) -> list[Any]:
    """The arguments of the atom of a rule; InvalidPuzzle if they are no plain terms."""
    import clingo

    try:
        if len(str(atom)) <= LONGEST_ATOM:
            return list(clingo.parse_term(str(atom), logger=lambda *_: None).arguments)
    except RuntimeError:
        pass
    raise InvalidPuzzle(f"{where}: {_short(atom)} is not a plain fact of a rule")


def _value(term: Any, where: str, atom: Any, depth: int = 0) -> int:
    """The value of a term, computed here because clingo's numbers would wrap around."""
    from clingo import SymbolType
    from clingo.ast import ASTType, BinaryOperator, UnaryOperator

    if depth > DEEPEST:
        raise InvalidPuzzle(
            f"{where}: more than {DEEPEST} operations make a number; expected 1 to 36"
        )
    kind = term.ast_type
    if kind == ASTType.SymbolicTerm:
        if term.symbol.type == SymbolType.Number:
            return int(term.symbol.number)
        whole = f"{_short(atom)}: " if atom else ""
        raise InvalidPuzzle(
            f"{where}: {whole}{_short(term)} stands where a number from 1 up is expected"
        )
    if kind == ASTType.UnaryOperation and term.operator_type == UnaryOperator.Minus:
        return -_value(term.argument, where, atom, depth + 1)
    if kind == ASTType.BinaryOperation:
        work = {
            BinaryOperator.Plus: int.__add__,
            BinaryOperator.Minus: int.__sub__,
            BinaryOperator.Multiplication: int.__mul__,
        }.get(term.operator_type)
        if work is not None:
            parts = (_value(part, where, atom, depth + 1) for part in (term.left, term.right))
            return work(*parts)
    raise InvalidPuzzle(f"{where}: {_short(atom or term)} is not a plain fact; expected numbers")


def _short(part: Any) -> str:
    text = str(part)
    return text if len(text) <= 80 else f"{text[:80]}..."
