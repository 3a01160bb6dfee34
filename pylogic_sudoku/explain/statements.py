"""The statements of an ASP program that keep an answer out.

The program is relaxed (see `relaxed`). A statement that excludes the answer may be right, and a
definition that it uses wrong: so the rules that define the predicates of its body follow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from clingo import parse_term
from clingo.ast import ASTType, Sign
from clingo.symbol import Symbol

from ..engines.clingo.instances import ClingoInstances, least_cost
from ..engines.clingo.session import Session
from ..engines.clingo.stated import Stated
from ..engines.running import Budget, Workers
from ..problem import Answer, Atom, Instance, Signature
from ..problem.atoms import from_symbol
from .lines import Line, Refusal, cost_text
from .relaxed import (
    DERIVED,
    Binding,
    Relaxed,
    Statement,
    arguments,
    filled,
    fits,
    literals,
    read,
    signature,
)

_workers = Workers("pylogic_sudoku refusal")
_OUTSIDE = "no line of the program keeps it out"


def refused(engine: ClingoInstances, instance: Instance, answer: Answer, budget: Budget) -> Refusal:
    """Explain why clingo's program refuses the answer."""
    session = Session(_workers, budget)
    return session.run(lambda: _refused(engine, instance, answer, session))


def _refused(
    engine: ClingoInstances, instance: Instance, answer: Answer, session: Session
) -> Refusal:
    stated = session.make(lambda: engine.stated(instance))
    outputs = engine.outputs or frozenset(atom.signature for atom in answer)
    symbols = _symbols(answer, outputs, stated)

    def relaxed() -> Relaxed:
        statements = read(str(engine.path), "", outputs, instance.text, _silent)
        return Relaxed(statements, symbols, outputs, ask=session.ask_here, logger=_silent)

    found = session.make(relaxed)
    sets = found.to_blame()
    if not sets:
        return session.ask_here(
            stated.control, lambda: _accepted(engine.name, answer, stated, found)
        )
    if [] in sets:
        return Refusal(engine.name, "unknown", why="it has no answer even without its constraints")
    return _Blame(found, sets).refusal(engine.name)


def _silent(_code: object, _message: str) -> None:
    pass


def _symbols(
    answer: Answer, outputs: Iterable[Signature], stated: Stated[Atom, Answer]
) -> list[Symbol]:
    """The atoms of an answer as the program writes them: a text may be a constant or a string."""
    known: dict[Atom, Symbol] = {}
    for name, arity in outputs:
        positive, bare = not name.startswith("-"), name.removeprefix("-")
        for each in stated.control.symbolic_atoms.by_signature(bare, arity, positive):
            known[from_symbol(each.symbol)] = each.symbol
    return [known.get(atom) or parse_term(str(atom)) for atom in sorted(answer)]


def _accepted(
    backend: str, answer: Answer, stated: Stated[Atom, Answer], relaxed: Relaxed
) -> Refusal:
    """Why an answer that meets every demand is none: it costs too much, or nothing founds it."""
    best = stated.first() if stated.optimizes else None
    cost = least_cost(stated, answer)
    if cost is None:
        deriving = [each for each in relaxed.statements if each.derives and not each.ours]
        why = "its atoms are derived only from each other"
        return Refusal(backend, "underived", _lines(deriving), why=why)
    if best is None or best.cost == cost:
        return Refusal(backend, "accepted")
    minimize = [each for each in relaxed.statements if each.ast.ast_type == ASTType.Minimize]
    words = f"its cost is {cost_text(cost)}, and the best is {cost_text(best.cost)}"
    return Refusal(backend, "cost", _lines(minimize), why=words)


def _lines(statements: Iterable[Statement]) -> tuple[Line, ...]:
    places = (Line(*each.place[:2], each.text) for each in statements if not each.ours)
    return tuple(dict.fromkeys(places))


class _Blame:
    """The statements to blame, of a relaxed program that refuses an answer.

    Each of `sets` are demands that refuse it together, and no two have a demand in common. If one
    statement is wrong, it is in each of them, or behind each of them as a definition.
    """

    def __init__(self, relaxed: Relaxed, sets: Sequence[Sequence[int]]) -> None:
        self._relaxed = relaxed
        self._statements = relaxed.statements
        self._of = {each.number: each for each in relaxed.statements}
        self._outputs = relaxed.outputs
        self._definers: dict[Signature, list[Statement]] = {}
        for statement in relaxed.statements:
            if not statement.ours:
                for name in dict.fromkeys(signature(term) for term, _ in statement.heads):
                    self._definers.setdefault(name, []).append(statement)
        self._seen = relaxed.without(number for members in sets for number in members)
        self._lost = [DERIVED] in sets
        self._sets = [
            sorted((self._of[each] for each in members if each != DERIVED), key=_likely)
            for members in sets
            if members != [DERIVED]
        ]

    def refusal(self, backend: str) -> Refusal:
        """The refusal, with the most likely statement first."""
        alone = [members[0] for members in self._sets if len(members) == 1]
        if self._lost:
            atom = self._seen.lost()[0]
            lines = _lines(self._followed(self._deriving(atom, alone)))
            return Refusal(backend, "underived", lines, why=f"no rule derives {atom}")
        blamed = alone or self._sets[0]
        together = 1 if alone else len(blamed)
        first = [each for each in blamed if self._is_alone_to_blame(each)]
        if not first and len(self._sets) > 1:
            first = self._behind_all()
        lines = _lines(dict.fromkeys((*first, *self._followed(blamed))))
        return Refusal(backend, "excluded", lines, together=together)

    def _is_alone_to_blame(self, statement: Statement) -> bool:
        """True if the answer is accepted without the statement."""
        others = [each for each in self._relaxed.demands if each != statement.number]
        return self._relaxed.unsat_core([DERIVED, *others]) is None

    def _behind_all(self) -> list[Statement]:
        """The definitions that all sets use."""
        behind = [dict.fromkeys(self._followed(members)) for members in self._sets]
        common = set.intersection(*map(set, behind))
        return [each for each in behind[0] if each in common]

    def _deriving(self, atom: Symbol, alone: Sequence[Statement]) -> list[Statement]:
        """The rules that should derive an atom, and then what else the answer violates."""
        rules = [each for each in self._statements if each.derives and not each.ours]

        def unlikely(rule: Statement) -> tuple[bool, bool, int, bool]:
            gaps = [self._gaps(rule, *head, atom) for head in rule.derives]
            fitting = [found for found in gaps if found is not None]
            derives_another = rule in alone and rule.is_single
            least = min(map(len, fitting), default=0)
            return not fitting, not derives_another, least, not rule.is_choice

        return [*sorted(rules, key=unlikely), *alone]

    def _gaps(
        self, rule: Statement, term: Any, condition: Sequence[Any], atom: Symbol
    ) -> list[Signature] | None:
        """The predicates of the atoms that a rule lacks to derive this one; None if it cannot."""
        if signature(term) != signature_of(atom):
            return None
        values: Binding = {}
        for part, value in zip(arguments(term), atom.arguments, strict=False):
            if part.ast_type == ASTType.Variable:
                values.setdefault(part.name, value)
            elif part.ast_type == ASTType.SymbolicTerm and part.symbol != value:
                return None
        return [
            signature(literal.atom.symbol)
            for literal in literals([*rule.body, *condition])
            if literal.sign == Sign.NoSign
            and not any(
                fits(filled(literal.atom.symbol, values), each.arguments)
                for each in self._seen.of.get(signature(literal.atom.symbol), ())
            )
        ]

    def _followed(self, blamed: Sequence[Statement]) -> Iterator[Statement]:
        """Statements, and then the rules that define their predicates: direct ones first."""
        found = dict.fromkeys(blamed)
        yield from found
        left = list(found)
        while left:
            statement = left.pop(0)
            for name in sorted(statement.uses - self._outputs, key=self._missing_first(statement)):
                for each in self._definers.get(name, ()):
                    if each not in found:
                        found[each] = None
                        left.append(each)
                        yield each

    def _missing_first(self, statement: Statement) -> Any:
        """A key for predicates: those of which a violated statement lacks an atom are first."""
        negative = {
            signature(literal.atom.symbol)
            for literal in literals(statement.body)
            if literal.sign == Sign.Negation
        }
        return lambda name: (name not in negative, name)


def _likely(statement: Statement) -> tuple[bool, bool]:
    return not statement.is_constraint, statement.is_choice


def signature_of(atom: Symbol) -> Signature:
    """The predicate of an atom."""
    return ("" if atom.positive else "-") + atom.name, len(atom.arguments)
