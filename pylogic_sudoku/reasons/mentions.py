"""Predicates that the statements of an ASP program mention, and which of them they relate.

A predicate of the program itself stands for those of its definitions.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from clingo.ast import AST, ASTType, ComparisonOperator, Sign, Transformer

from ..errors import listed
from ..problem import Signature
from .relaxed import Statement, arguments, literals, nodes_in, signature
from .wording import ORDINALS

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
    demands = (each for each in statements if not each.ours and _demands(each))
    if not wanted or any(wanted <= related(each, statements, base) for each in demands):
        return ""
    return unrelated_words(wanted)


def unrelated_words(wanted: Counter[Signature]) -> str:
    """Words about predicates that no constraint relates, with the numbers of their atoms."""
    names = [f"{name}/{arity}" for name, arity in wanted]
    if len(names) > 1:
        return f"no constraint relates {', '.join(names[:-1])} and {names[-1]}"
    ((_, number),) = wanted.items()
    return f"no constraint {'relates two atoms of' if number > 1 else 'is about'} {names[0]}"


def unjoined(
    reference: Statement, statements: Sequence[Statement], base: Collection[Signature]
) -> str:
    """Say that no statement compares atoms with the same arguments in common as the reference.

    Empty if one may, or if the reference compares no two atoms of one predicate.
    """
    for name in sorted(base):
        common = in_common(reference, name)
        if not common:
            continue
        for each in statements:
            if each.ours or not _demands(each):
                continue
            if related(each, statements, base)[name] >= SEVERAL:
                own = in_common(each, name)
                if own is None or (own and (own <= common or own >= common)):
                    return ""
        places = [ORDINALS[at] for at in sorted(common)]
        argument = "arguments" if len(places) > 1 else "argument"
        which = f"only the {listed(places)} {argument}"
        return f"no constraint is about two atoms of {name[0]}/{name[1]} with {which} in common"
    return ""


def in_common(statement: Statement, name: Signature) -> frozenset[int] | None:
    """The places of the arguments that two atoms have in common, or the atoms of a set.

    None if that cannot be read off the statement.
    """
    atoms = [
        each.atom.symbol for each in literals(statement.body) if signature(each.atom.symbol) == name
    ]
    in_set = statement.aggregate
    if in_set is not None and not atoms:
        inner = [
            node.symbol
            for node in nodes_in(in_set)
            if node.ast_type == ASTType.SymbolicAtom and signature(node.symbol) == name
        ]
        terms = arguments(inner[0]) if len(inner) == 1 else []
        kinds = [_is_outside(term, set(statement.variables)) for term in terms]
        if not kinds or None in kinds:
            return None
        return frozenset(at for at, outside in enumerate(kinds) if outside)
    if len(atoms) != 2 or in_set is not None or _equates(statement):
        return None
    pairs = list(zip(*map(arguments, atoms), strict=True))
    if not all(_is_simple(term) for pair in pairs for term in pair):
        return None
    return frozenset(at for at, (one, two) in enumerate(pairs) if str(one) == str(two) != "_")


def _is_outside(term: AST, variables: set[str]) -> bool | None:
    """True if a term is the same for all elements of a set; None if that is not known."""
    own = {node.name for node in nodes_in(term) if node.ast_type == ASTType.Variable}
    if own:
        return None if own & variables and not own <= variables else own <= variables
    return bool(term.ast_type == ASTType.SymbolicTerm)


def _is_simple(term: AST) -> bool:
    return term.ast_type in (ASTType.Variable, ASTType.SymbolicTerm)


def _equates(statement: Statement) -> bool:
    """True if a comparison may give two variables one value."""
    equal = {Sign.NoSign: ComparisonOperator.Equal, Sign.Negation: ComparisonOperator.NotEqual}
    return any(
        guard.comparison == equal.get(part.sign) and _is_simple(guard.term)
        for part in statement.body
        if part.ast_type == ASTType.Literal and part.atom.ast_type == ASTType.Comparison
        if _is_simple(part.atom.term)
        for guard in part.atom.guards
    )


def uncycled(
    wanted: Counter[Signature], statements: Sequence[Statement], base: Collection[Signature]
) -> str:
    """Say that nothing forbids a cycle of these predicates; empty if something may."""
    own = [each for each in statements if not each.ours and (each.is_constraint or each.is_edge)]
    if not wanted or any(wanted.keys() <= related(each, statements, base).keys() for each in own):
        return ""
    names = listed([f"{name}/{arity}" for name, arity in wanted])
    return f"no constraint and no #edge statement is about {names}, which may form a cycle"


def _demands(statement: Statement) -> bool:
    """True for what an answer must meet."""
    own = statement.is_constraint or statement.is_choice or statement.derives
    return bool(own) or statement.is_edge


class Misnamed(NamedTuple):
    """Two names that may stand for one predicate: nothing derives `used`, or uses `derived`."""

    statement: Statement
    """One that derives what nothing uses."""
    used: Signature
    derived: Signature

    @property
    def words(self) -> str:
        (name, arity), (other, _) = self.used, self.derived
        words = f"nothing derives {name}/{arity}, and nothing uses {other}/{arity}"
        return f"{words}: is one of them meant to be the other?"

    def renamed(self, statements: Iterable[Statement]) -> list[Statement]:
        """The statements of a program in which both have one name."""
        derived, name = self.derived, self.used[0].removeprefix("-")

        def named(term: AST) -> AST:
            if term.ast_type == ASTType.UnaryOperation:
                return term.update(argument=named(term.argument))
            if term.ast_type == ASTType.Pool:
                return term.update(arguments=[named(each) for each in term.arguments])
            return term.update(name=name)

        class Rename(Transformer):
            def visit_SymbolicAtom(self, node: AST) -> AST:
                is_it = signature(node.symbol) == derived
                return node.update(symbol=named(node.symbol)) if is_it else node

        return [replace(each, ast=Rename().visit(each.ast)) for each in statements]


def misnamed(statements: Sequence[Statement], base: Collection[Signature]) -> Misnamed | None:
    """Return a statement that derives what nothing uses, where something used is never derived.

    Both have as many arguments, and each is the only one of its kind: one name may stand for the
    other.
    """
    known = set(base)
    definers: dict[Signature, Statement] = {}
    used = dict[Signature, None]()
    for each in statements:
        if each.ast.ast_type == ASTType.Defined:
            known.add((each.ast.name, each.ast.arity))
        for term, _ in each.heads:
            definers.setdefault(signature(term), each)
        used |= {name: None for name, _ in _mentioned(each, inside=True)}
    missing = [name for name in used if name not in definers and name not in known]
    idle = [name for name in definers if name not in used and name not in known]
    if len(missing) != 1 or len(idle) != 1 or missing[0][1] != idle[0][1]:
        return None
    return Misnamed(definers[idle[0]], missing[0], idle[0])
