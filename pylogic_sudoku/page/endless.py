"""Rules for which grounding has no end; ``p(X+1) :- p(X).`` is one.

clingo says nothing while it grounds, so without this the page would have to wait until time runs
out. A rule is suspect here by its form; whether it does harm is seen by a run that is still
grounding after a second.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidProblem, Message

if TYPE_CHECKING:
    from ..check.programs import Output

GROUNDING_SECONDS = 1.0
"""Seconds after which a suspect program that is still grounding is stopped."""


class _Rule(NamedTuple):
    """A rule, as far as it matters here."""

    line: int
    heads: list[Any]
    """The atoms that it derives."""
    body: list[Any]
    """The positive atoms of its body."""
    equations: list[tuple[Any, Any]]
    bounded: set[str]
    """The variables of its other comparisons."""


def endless_rules(texts: Mapping[str, str]) -> list[Message]:
    r"""The rules in these texts, by file, that derive ever larger atoms from their own.

    >>> [each.line for each in endless_rules({"a.lp": "p(0).\np(X+1) :- p(X)."})]
    [2]
    >>> endless_rules({"a.lp": "p(0).\np(X+1) :- p(X), X < 9."})
    []
    """
    rules = [(file, rule) for file, text in texts.items() for rule in _rules(text)]
    reaches = _reachable([rule for _, rule in rules])
    return [
        Message(
            f"grounding does not end: this rule derives another {name}/{arity} from each one, and"
            " nothing bounds it",
            file=file,
            line=rule.line,
            kind="endless-grounding",
            cure="bound its variable in the body, as by X < 100",
        )
        for file, rule in rules
        for name, arity in _growing(rule, reaches)
    ]


def must_end(texts: Mapping[str, str], seconds: float, run: Callable[[float], Output[Any]]) -> None:
    """Raise InvalidProblem, with the rule, if the grounding of a program has no end.

    `texts` are its files for clingo, and `run` runs it for a number of seconds; the question has
    `seconds` in all. A program without a suspect rule does not run here.
    """
    suspects = endless_rules(texts)
    most = GROUNDING_SECONDS
    while suspects and most < seconds:
        ran = run(most)
        if ran.stopped != "timeout" or ran.ending.endswith("searching"):
            break
        if ran.ending.endswith("grounding"):
            error = InvalidProblem(str(suspects[0]))
            error.messages = suspects[:1]
            raise error
        most *= 2  # a busy machine has not loaded it yet


def _rules(text: str) -> Iterator[_Rule]:
    from clingo.ast import ASTType, parse_string

    statements: list[Any] = []
    try:
        parse_string(text, statements.append, logger=lambda *_: None)
    except RuntimeError:
        return  # the run reports the error
    for each in statements:
        if each.ast_type != ASTType.Rule:
            continue
        rule = _Rule(each.location.begin.line, list(_atoms([each.head])), [], [], set())
        for literal in each.body:
            _take(literal, rule)
        yield rule


def _take(literal: Any, rule: _Rule) -> None:
    """Add what a literal of the body says to the rule."""
    from clingo.ast import ASTType, ComparisonOperator, Sign

    if literal.ast_type != ASTType.Literal or literal.sign != Sign.NoSign:
        rule.bounded.update(_variables(literal))
    elif literal.atom.ast_type == ASTType.SymbolicAtom:
        rule.body.append(literal.atom.symbol)
    elif literal.atom.ast_type == ASTType.Comparison:
        guards = literal.atom.guards
        if len(guards) == 1 and guards[0].comparison == ComparisonOperator.Equal:
            rule.equations.append((literal.atom.term, guards[0].term))
        else:
            rule.bounded.update(_variables(literal))
    else:
        rule.bounded.update(_variables(literal))


def _growing(rule: _Rule, reaches: Mapping[_Key, set[_Key]]) -> Iterator[tuple[str, int]]:
    """The predicates of which the rule derives larger atoms from their own."""
    for head in rule.heads:
        key = _key(head)
        own = [each for each in rule.body if _are_mutual(key, _key(each), reaches)]
        if key is None or not own:
            continue
        others = [each for each in rule.body if not any(each is one for one in own)]
        free = _variables(*own) - rule.bounded - _variables(*others)
        grown = set[str]()
        for one, other in rule.equations:
            for left, right in ((one, other), (other, one)):
                if _is_larger(right, free):
                    grown |= _variables(left)
        if any(_is_larger(each, free) or _variables(each) & grown for each in head.arguments):
            yield key


def _are_mutual(one: _Key, other: _Key, reaches: Mapping[_Key, set[_Key]]) -> bool:
    """True if each of two predicates is derived from the other."""
    return one in reaches.get(other, set()) and other in reaches.get(one, set())


def _is_larger(term: Any, free: set[str]) -> bool:
    """True if a term is built around one of these variables."""
    from clingo.ast import ASTType, BinaryOperator

    if term.ast_type == ASTType.BinaryOperation:
        grows = (BinaryOperator.Plus, BinaryOperator.Minus, BinaryOperator.Multiplication)
        return term.operator_type in grows and bool(_variables(term) & free)
    if term.ast_type == ASTType.Function:
        return bool(_variables(term) & free)
    return False


_Key = tuple[str, int] | None


def _key(atom: Any) -> _Key:
    """The predicate of an atom; None for one whose sign is classical negation."""
    from clingo.ast import ASTType

    return (atom.name, len(atom.arguments)) if atom.ast_type == ASTType.Function else None


def _reachable(rules: Iterable[_Rule]) -> dict[_Key, set[_Key]]:
    """For each predicate those that are derived from it, at any depth, and itself."""
    direct: dict[_Key, set[_Key]] = {}
    for rule in rules:
        for each in rule.body:
            direct.setdefault(_key(each), set()).update(map(_key, rule.heads))
    found = {}
    for start in direct:
        seen, waiting = {start}, [start]
        while waiting:
            new = direct.get(waiting.pop(), set()) - seen
            seen |= new
            waiting += new
        found[start] = seen
    return found


def _atoms(nodes: Iterable[Any]) -> Iterator[Any]:
    """The atoms of a head, those of choices and disjunctions too."""
    from clingo.ast import ASTType

    for node in nodes:
        if node.ast_type == ASTType.SymbolicAtom:
            yield node.symbol
        elif node.ast_type == ASTType.Literal:
            yield from _atoms([node.atom])
        elif node.ast_type == ASTType.ConditionalLiteral:
            yield from _atoms([node.literal])
        elif node.ast_type in (ASTType.Disjunction, ASTType.Aggregate):
            yield from _atoms(node.elements)


def _variables(*nodes: Any) -> set[str]:
    """The names of the variables in parts of a program."""
    from clingo.ast import Transformer

    class Names(Transformer):
        def __init__(self) -> None:
            self.found = set[str]()

        def visit_Variable(self, node: Any) -> Any:
            self.found.add(node.name)
            return node

    names = Names()
    for node in nodes:
        names.visit(node)
    return names.found
