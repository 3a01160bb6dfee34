"""Instances as facts, read by clingo's own parser and written for both languages."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ..errors import InvalidProblem
from . import Fact
from .atoms import from_symbol

if TYPE_CHECKING:
    import clingo
    from clingo.ast import AST

EXAMPLE = "expected facts such as size(8)."
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_NOT_PROLOG = re.compile(r"(?<!\w)_\w+|\w+'+\w*")
"""Names that are variables in Prolog, or have quotes in them."""


def read_facts(text: str, where: str) -> tuple[Fact, ...]:
    """The facts of a text, each once, in order; `where` is the name of the text.

    Intervals, pools, arithmetic and ``#const`` are worked out. InvalidProblem says in which line
    there is something else.
    """
    import clingo
    from clingo.ast import ProgramBuilder, parse_string

    messages: list[str] = []
    statements: list[AST] = []

    def log(_code: object, message: str) -> None:
        messages.append(message)

    control = clingo.Control(logger=log)
    with suppress(RuntimeError):
        parse_string(text, statements.append, logger=log)
        with ProgramBuilder(control) as builder:
            for each in statements:
                _check(each, text, where)
                builder.add(each)
        control.ground()
    if messages:
        raise InvalidProblem(f"{_placed(messages[0], where)}; {EXAMPLE}")
    return tuple(_fact(each.symbol, where) for each in control.symbolic_atoms if each.is_fact)


def _fact(symbol: clingo.Symbol, where: str) -> Fact:
    text = str(symbol)
    try:
        atom = from_symbol(symbol)
    except ValueError as error:
        raise InvalidProblem(f"{where}: {error}") from None
    if not symbol.positive:
        raise InvalidProblem(f"{where}: {text} is negated, and Prolog has no such facts")
    if name := _NOT_PROLOG.search(_STRING.sub("", text)):
        raise InvalidProblem(f"{where}: Prolog reads {name[0]} in {text} otherwise; rename it")
    return Fact(text, atom.signature)


def _check(statement: AST, text: str, where: str) -> None:
    """InvalidProblem unless it is a fact, or a statement that says nothing of its own."""
    from clingo.ast import ASTType

    kinds = (ASTType.Program, ASTType.Definition, ASTType.Comment, ASTType.Defined)
    if statement.ast_type in (*kinds, ASTType.ShowSignature):
        return
    begin = statement.location.begin
    said = text.splitlines()[begin.line - 1][begin.column - 1 :].strip()
    place = f"{where}:{begin.line}: {said if len(said) <= 60 else said[:57] + '...'}"
    if statement.ast_type != ASTType.Rule:
        raise InvalidProblem(f"{place} is not a fact; {EXAMPLE}")
    if statement.body:
        raise InvalidProblem(f"{place} is a rule; {EXAMPLE}")
    head: Any = statement.head
    plain = head.ast_type == ASTType.Literal and not head.sign
    if not plain or head.atom.ast_type != ASTType.SymbolicAtom:
        raise InvalidProblem(f"{place} is not a fact; {EXAMPLE}")


def _placed(message: str, where: str) -> str:
    """A message of clingo with the name of the text, on one line."""
    found = re.match(r"<string>:(\d+):[\d:-]+ (?:error|info): (.*)", message, re.DOTALL)
    if found is None:
        return f"{where}: {' '.join(message.split())}"
    said = " ".join(found[2].replace("<IDENTIFIER>", "a name").split())
    return f"{where}:{found[1]}: {said}"
