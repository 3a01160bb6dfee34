"""Predicates of instances and answers that a statement of an ASP program relates.

A predicate of the program itself stands for those of its definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from clingo.ast import AST, ASTType

from ..problem import Signature
from .relaxed import Statement, signature

_SETS = (
    ASTType.Aggregate,
    ASTType.BodyAggregate,
    ASTType.HeadAggregate,
    ASTType.ConditionalLiteral,
)
SEVERAL = 2
"""Atoms that a set of atoms stands for."""


def related(
    statement: Statement, statements: Sequence[Statement], base: Collection[Signature]
) -> Counter[Signature]:
    """Return the predicates of `base` that a statement is about, with the numbers of their atoms.

    A set of atoms counts as `SEVERAL`, and so does anything more.
    """
    return _related(statement, statements, base, frozenset())


def _related(
    statement: Statement,
    statements: Sequence[Statement],
    base: Collection[Signature],
    above: frozenset[Signature],
) -> Counter[Signature]:
    counts: Counter[Signature] = Counter()
    for name, number in _mentioned(statement, inside=bool(above)):
        if name in base:
            counts[name] += number
        elif name not in above:
            defined = Counter[Signature]()
            for each in statements:
                if name in {signature(term) for term, _ in each.heads}:
                    defined |= _related(each, statements, base, above | {name})
            counts.update({each: number * defined[each] for each in defined})
    return Counter({name: min(number, SEVERAL) for name, number in counts.items()})


def _mentioned(statement: Statement, inside: bool) -> Iterator[tuple[Signature, int]]:
    """Yield the predicates of a statement, or of the body and conditions of a definition."""
    for part in statement.body:
        yield from _in(part)
    for _, condition in statement.heads:
        for part in condition:
            yield from _in(part)
    head = getattr(statement.ast, "head", None)
    if head is None or inside:
        return
    free = statement.is_choice and not (head.left_guard or head.right_guard)
    for term, _ in statement.heads:
        yield signature(term), SEVERAL if statement.is_choice and not free else 1


def _in(node: AST, number: int = 1) -> Iterator[tuple[Signature, int]]:
    if node.ast_type == ASTType.SymbolicAtom:
        yield signature(node.symbol), number
        return
    for key in node.child_keys:
        child = getattr(node, key)
        for each in [child] if isinstance(child, AST) else child or ():
            yield from _in(each, SEVERAL if node.ast_type in _SETS else number)


def unrelated(
    wanted: Counter[Signature], statements: Sequence[Statement], base: Collection[Signature]
) -> str:
    """Say that no statement relates these predicates; empty if one does, or none is wanted."""
    names = [f"{name}/{arity}" for name, arity in wanted]
    demands = (each for each in statements if not each.ours and _demands(each))
    if not names or any(wanted <= related(each, statements, base) for each in demands):
        return ""
    if len(names) > 1:
        return f"no constraint relates {', '.join(names[:-1])} and {names[-1]}"
    ((_, number),) = wanted.items()
    return f"no constraint {'relates two atoms of' if number > 1 else 'is about'} {names[0]}"


def _demands(statement: Statement) -> bool:
    """True for what an answer must meet."""
    own = statement.is_constraint or statement.is_choice or statement.derives
    return bool(own) or statement.ast.ast_type == ASTType.Edge
