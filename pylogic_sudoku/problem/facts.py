"""Instances as facts, read by clingo's own parser and written for both languages."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidProblem, Message, conflict_cure
from . import Fact
from .atoms import TOO_DEEP, Answer, Atom, Signature, from_symbol
from .text import LARGEST, check_asp, must_be_text

if TYPE_CHECKING:
    import clingo
    from clingo.ast import AST

EXAMPLE = "expected facts such as size(8)."
_STRING = re.compile(r'"(?:\\.|[^"\\])*"')
_PRINTED = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+')
"""An atom as clingo prints it: it has blanks in strings only."""
_NUMBER = re.compile(
    r'"(?:\\.|[^"\\])*"|%\*.*?\*%|%[^\n]*'
    r"|(?<!\w)([1-9]\d{9,}|0x[0-9A-Fa-f]{8,}|0o[0-7]{11,}|0b[01]{32,})",
    re.DOTALL,
)
_COMPUTED = re.compile(r"[-+*]|\.\.")
_INTEGER = re.compile(r"-?\d+", re.ASCII)
_NOT_PROLOG = re.compile(r"(?<!\w)_\w+|\w+'+\w*")
"""Names that are variables in Prolog, or have quotes in them."""


_TOO_LARGE = f"is too large for clingo, whose integers end at {LARGEST}"

Constants = tuple[tuple[str, str], ...]
"""The names of constants, and their values."""


class InstanceFacts(NamedTuple):
    """The facts in a text, and its constants with their values."""

    facts: tuple[Fact, ...]
    constants: Constants


def checked_constants(values: Mapping[str, object]) -> Constants:
    """Constants as both languages read them; InvalidProblem for one that they cannot have."""
    import clingo

    for name, value in values.items():
        text, where = str(value), f"-c {name}={value}"
        _check_text(text, where)
        if not re.fullmatch(_NAME, name):
            raise InvalidProblem(f"{where}: {name!r} is not a name of a constant; expected n=8")
        try:
            term = clingo.parse_term(text, logger=lambda *_: None)
        except RuntimeError:
            raise InvalidProblem(
                f"{where}: {text} is not a term; expected a number, a name, or a text in quotes"
            ) from None
        _fact(clingo.Function("constant", [clingo.Function(name), term]), where)
    return tuple((name, str(value)) for name, value in values.items())


def read_answer(text: str, where: str) -> Answer:
    """The answer whose atoms a text has, as facts or as clingo prints them, with blanks between.

    InvalidProblem if it has anything else.
    """
    from clingo import parse_term

    if "." not in _STRING.sub("", text):
        text = "".join(f"{atom}. " for atom in _PRINTED.findall(text))
    facts = read_facts(text, where).facts
    return Answer(from_symbol(parse_term(fact.text)) for fact in facts)


@lru_cache(256)
def read_facts(text: str, where: str, given: Constants = ()) -> InstanceFacts:
    """The facts of a text, each once, those of a predicate in order; `where` is the text's name.

    `given` are constants whose values count instead of those in the text.

    Intervals, pools, arithmetic, ``#const`` and rules that follow from facts alone are worked out.
    InvalidProblem says in which line there is something else.
    """
    _check_text(text, where)
    uses = any(re.search(rf"(?<!\w){name}(?!\w)", text) for name, _ in given)
    if not uses and (plain := _plain_facts(text)) is not None:
        return InstanceFacts(plain, given)
    import clingo
    from clingo.ast import ASTType, parse_string

    messages: list[str] = []
    statements: list[AST] = []

    def log(_code: object, message: str) -> None:
        messages.append(message)

    control = clingo.Control([f"-c{name}={value}" for name, value in given], logger=log)
    try:
        others = _not_simple(text)
        parse_string(others, statements.append, logger=log)
        lines = text.split("\n")
        numbers = {name: int(value) for name, value in given if _INTEGER.fullmatch(value)}
        computes = _COMPUTED.search(others)  # most texts do not
        statements.sort(key=lambda each: each.ast_type != ASTType.Definition)  # used before, too
        for each in statements:
            _check(each, lines, where)
            if computes and getattr(each, "name", "") not in dict(given):
                check_numbers(each, numbers, where)
        control.add("base", [], text)
        control.ground()
    except RecursionError:
        raise InvalidProblem(f"{where}: {TOO_DEEP}") from None
    except RuntimeError as error:
        messages.append(str(error))
    if messages:
        words, line = _placed(messages[0], text)
        raise not_facts(words, line, where, conflict_cure(text, line or 1) or EXAMPLE)
    if open_ := next((each.symbol for each in control.symbolic_atoms if not each.is_fact), None):
        raise not_facts(f"{open_} does not follow from facts alone", None, where, EXAMPLE)
    facts = [_fact(each.symbol, where) for each in control.symbolic_atoms]
    places: dict[Signature, int] = {}
    for _, _, signature in facts:
        places.setdefault(signature, len(places))
    facts.sort(key=lambda fact: (places[fact[2]], fact[0]))
    constants = tuple((dict(given) | dict(_constants(statements, control, where))).items())
    return InstanceFacts(tuple(Fact(text, signature) for _, text, signature in facts), constants)


# Groups are atomic and not possessive: Python before 3.11.5 reads on after a failed part of those.
_NAME = r"(?!not\b)[a-z][A-Za-z0-9_]*+"
_TEXT = r'"(?>(?:\\[\\n"]|[^\\\n"])*)"'
_VALUE = rf"(?:0|-?[1-9][0-9]*+|{_NAME}|{_TEXT})"
_COMMENT = r"%\*(?>(?:(?!%\*|\*%).)*)\*%|%(?!\*)[^\n]*+"
_GAP = rf"(?>(?:\s++|{_COMMENT})*)"
_ARGUMENTS = rf"{_VALUE}(?>(?:\s*+,\s*+{_VALUE})*)"
_FACT = rf"{_GAP}({_NAME})(?>(?:\(\s*+({_ARGUMENTS})\s*+\))?)\s*+\."
_ONE_FACT = re.compile(_FACT, re.DOTALL)
_PLAIN = re.compile(rf"((?>(?:{_FACT})*)){_GAP}", re.DOTALL)
_EACH_VALUE = re.compile(_VALUE)


def _plain_facts(text: str) -> tuple[Fact, ...] | None:
    """The facts of a text with nothing but names, numbers and texts, without a parser; else None.

    Each is there once, in the order of clingo.
    """
    if not (plain := _PLAIN.fullmatch(text)):
        return None
    of_predicates: dict[Signature, dict[str, list[str]]] = {}
    for name, arguments in dict.fromkeys(_ONE_FACT.findall(text, 0, plain.end(1))):
        values = _EACH_VALUE.findall(arguments)
        fact = f"{name}({','.join(values)})" if values else name
        of_predicates.setdefault((name, len(values)), {})[fact] = values
    return tuple(
        Fact(row[-1], signature)
        for signature, facts in of_predicates.items()
        for row in sorted(
            zip(*map(_in_order, zip(*facts.values(), strict=True)), facts, strict=True)
        )
    )


def _in_order(values: Sequence[str]) -> Sequence[Any]:
    """Keys that sort values as clingo does: numbers, then names, then texts."""
    try:
        return [*map(int, values)]
    except ValueError:
        if all(each[0] == '"' for each in values) and not any("\\" in each for each in values):
            return [each[1:-1] for each in values]
        return [*map(_key, values)]


def _key(value: str) -> tuple[int, int, str]:
    if value[0] == '"':
        return 2, 0, _ESCAPE.sub(lambda match: _ESCAPED[match[1]], value[1:-1])
    return (1, 0, value) if value[0].isalpha() else (0, int(value), "")


_ESCAPE = re.compile(r"\\(.)")
_ESCAPED = {"n": "\n", "\\": "\\", '"': '"'}

_TO = r"\.\.(?=\s*+-?[0-9]{1,9}\b)"
"""An interval whose upper end is certainly not the largest integer."""
_TERMS = rf"(?:\s++|{_TEXT}|{_NAME}|[0-9]++|{_TO}|[(),;]|(?<=[(,;.])-(?=[0-9]))*"
_SIMPLE = re.compile(rf"(?>(?:{_GAP}{_NAME}(?>(?:\({_TERMS}\))?)\s*+\.(?!\.))*)", re.DOTALL)
"""Statements that have no variables, rules or sums."""
_OTHER = re.compile(rf'(?>(?:[^".%]++|{_TEXT}|{_COMMENT}|%|\.\.)*)\.', re.DOTALL)


def _not_simple(text: str) -> str:
    """The text with blanks instead of simple facts: a syntax tree of each would take long."""
    parts: list[str] = []
    place = 0
    while True:
        simple = _SIMPLE.match(text, place)
        assert simple is not None
        parts.append(_CHARACTER.sub(lambda each: " " * len(each[0].encode()), simple[0]))
        if not (other := _OTHER.match(text, simple.end())):
            return "".join((*parts, text[simple.end() :]))
        parts.append(other[0])
        place = other.end()


_CHARACTER = re.compile(r"[^\n]++")


def _constants(
    statements: list[AST], control: clingo.Control, where: str
) -> tuple[tuple[str, str], ...]:
    from clingo.ast import ASTType

    constants = {}
    for each in statements:
        if each.ast_type == ASTType.Definition:
            value = str(control.get_const(each.name))
            if name := _no_prolog_name(f"{each.name} {value}"):
                definition = f"#const {each.name}={value}"
                raise InvalidProblem(
                    f"{where}: Prolog reads {name} in {definition} otherwise; rename it"
                )
            constants[each.name] = value
    return tuple(constants.items())


def _no_prolog_name(text: str) -> str | None:
    """The first name in a text that Prolog reads otherwise."""
    match = _NOT_PROLOG.search(_STRING.sub("", text))
    return match[0] if match else None


def _check_text(text: str, where: str) -> None:
    """InvalidProblem if clingo would take the text for another, or not at all."""
    must_be_text(text, where)
    check_asp(text, where)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise not_facts("there is a zero byte", line, where, EXAMPLE)
    check_literals(text, where)


def check_literals(text: str, where: str) -> None:
    """InvalidProblem if a number in the text is one that clingo has not."""
    for match in _NUMBER.finditer(text):
        if match[1] and int(match[1][:50], 0) > LARGEST:
            line = text[: match.start()].count("\n") + 1
            raise not_facts(f"{match[1]:.40} {_TOO_LARGE}", line, where)


def _fact(symbol: clingo.Symbol, where: str) -> tuple[clingo.Symbol, str, Signature]:
    """A fact with its symbol, by which it has its place among others."""
    text = str(symbol)
    if _ONE_FACT.fullmatch(f"{text}."):
        return symbol, text, (symbol.name, len(symbol.arguments))
    try:
        atom = from_symbol(symbol)
    except ValueError as error:
        raise InvalidProblem(f"{where}: {text}: {error}") from None
    if not symbol.positive:
        raise InvalidProblem(f"{where}: {text} is negated, and Prolog has no such facts")
    if name := _no_prolog_name(text):
        raise InvalidProblem(f"{where}: Prolog reads {name} in {text} otherwise; rename it")
    if not all(map(_is_prolog, atom.arguments)):
        raise InvalidProblem(
            f"{where}: {text} has a tuple that Prolog reads otherwise; write a term, such as"
            " pair(1,2)"
        )
    return symbol, text, atom.signature


def _is_prolog(value: Any) -> bool:
    """False for a tuple that Prolog does not have: ``(1,)``, or ``(1,(2,3))``, which is (1,2,3)."""
    if isinstance(value, Atom):
        return all(map(_is_prolog, value.arguments))
    if not isinstance(value, tuple):
        return True
    return len(value) > 1 and not isinstance(value[-1], tuple) and all(map(_is_prolog, value))


def _check(statement: AST, lines: list[str], where: str) -> None:
    """InvalidProblem unless it is a fact, a rule, or a statement without effect here."""
    from clingo.ast import ASTType

    begin = statement.location.begin
    if begin.filename != "<string>":
        raise not_facts("#include is not a fact", None, where, EXAMPLE)
    if statement.ast_type == ASTType.Program and statement.name == "base":
        return
    silent = (ASTType.Definition, ASTType.Comment, ASTType.Defined, ASTType.ShowSignature)
    if statement.ast_type in silent:
        return
    line = lines[begin.line - 1]
    # Of #minimize, clingo reports the place of its first element.
    column = 0 if statement.ast_type == ASTType.Minimize else begin.column - 1
    source = line.encode()[column:].decode(errors="replace").strip()
    shown = source if len(source) <= 60 else source[:57] + "..."
    no_fact = not_facts(f"{shown} is not a fact", begin.line, where, EXAMPLE)
    if statement.ast_type != ASTType.Rule:
        raise no_fact
    head: Any = statement.head
    plain = head.ast_type == ASTType.Literal and not head.sign
    if not plain or head.atom.ast_type != ASTType.SymbolicAtom:
        raise no_fact
    if not statement.body and (variable := _variable(head)):
        raise not_facts(f"{shown} has the variable {variable}", begin.line, where, EXAMPLE)


def check_numbers(statement: AST, constants: dict[str, int], where: str) -> None:
    """InvalidProblem if a term without variables is a number that clingo has not, or counts to.

    It would take another number, without a word. It never stops counting to the largest one, as
    the next one is the smallest. `constants` are those that are known; a definition adds its own.
    """
    from clingo import SymbolType
    from clingo.ast import ASTType, BinaryOperator, Transformer, UnaryOperator

    functions: dict[Any, Callable[[int, int], int]] = {
        BinaryOperator.Plus: operator.add,
        BinaryOperator.Minus: operator.sub,
        BinaryOperator.Multiplication: operator.mul,
        BinaryOperator.Division: lambda a, b: _towards_zero(a, b),
        BinaryOperator.Modulo: lambda a, b: a - b * _towards_zero(a, b),
        BinaryOperator.And: operator.and_,
        BinaryOperator.Or: operator.or_,
        BinaryOperator.XOr: operator.xor,
        BinaryOperator.Power: lambda a, b: a**b if b <= 64 else (a if a in (0, 1) else LARGEST + 1),
    }
    undefined = (
        {BinaryOperator.Power},  # of negative numbers
        {BinaryOperator.Division, BinaryOperator.Modulo},  # of 0
    )
    signs: dict[Any, Callable[[int], int]] = {
        UnaryOperator.Minus: operator.neg,
        UnaryOperator.Absolute: abs,
    }

    def value(term: AST) -> int | None:
        if term.ast_type == ASTType.SymbolicTerm:
            if term.symbol.type == SymbolType.Number:
                return int(term.symbol.number)
            is_name = term.symbol.type == SymbolType.Function and not term.symbol.arguments
            return constants.get(term.symbol.name) if is_name else None
        if term.ast_type == ASTType.UnaryOperation:
            inner = value(term.argument)
            function = signs.get(term.operator_type)
            return function(inner) if function and inner is not None else None
        if term.ast_type != ASTType.BinaryOperation or term.operator_type not in functions:
            return None
        left, right = value(term.left), value(term.right)
        if left is None or right is None:
            return None
        if right <= 0 and term.operator_type in undefined[right == 0]:
            return None
        number = functions[term.operator_type](left, right)
        if not -LARGEST - 1 <= number <= LARGEST:
            raise not_facts(f"{term} {_TOO_LARGE}", term.location.begin.line, where)
        return number

    class Numbers(Transformer):
        def visit_BinaryOperation(self, term: AST) -> AST:
            if value(term) is None:
                self.visit_children(term)
            return term

        def visit_Interval(self, term: AST) -> AST:
            self.visit_children(term)
            ends = term.right.arguments if term.right.ast_type == ASTType.Pool else [term.right]
            if LARGEST in map(value, ends):
                raise InvalidProblem(
                    f"{where}:{term.location.begin.line}: clingo never stops counting {term}, which"
                    f" ends at its largest integer; end it at {LARGEST - 1}, or write {LARGEST}"
                    " alone"
                )
            return term

    Numbers().visit(statement)
    if statement.ast_type == ASTType.Definition and (number := value(statement.value)) is not None:
        constants[statement.name] = number


def _towards_zero(a: int, b: int) -> int:
    """The quotient, as clingo rounds it."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def _variable(head: AST) -> str | None:
    """The first variable in the head of a rule."""
    from clingo.ast import Transformer

    variables: list[str] = []

    class Variables(Transformer):
        def visit_Variable(self, variable: AST) -> AST:
            variables.append(variable.name)
            return variable

    Variables().visit(head)
    return variables[0] if variables else None


def not_facts(words: str, line: int | None, where: str, cure: str = "") -> InvalidProblem:
    """The error about a text that is not facts alone, with its fields."""
    message = Message(words, "not-facts", where, line, cure=cure)
    error = InvalidProblem(str(message))
    error.messages = (message,)
    return error


def _placed(message: str, text: str) -> tuple[str, int | None]:
    """A message of clingo on one line, and the line of the text that it is about."""
    match = re.match(r"<(?:string|block)>:(\d+):[\d:-]+ (?:error|info): (.*)", message, re.DOTALL)
    if match is None:
        return " ".join(message.split()), None
    detail = re.sub(r"\s+<(?:string|block)>:[\d:-]+ note: ", "; ", match[2])
    detail = detail.replace("<IDENTIFIER>", "a name").replace("[#inc_base];", "")
    detail = " ".join(detail.split())
    line = min(int(match[1]), text.rstrip("\n").count("\n") + 1)  # the end is a line too far
    return detail, line
