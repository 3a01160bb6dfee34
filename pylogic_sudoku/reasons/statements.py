"""The statements of an ASP program that keep an answer out.

The program is relaxed (see `relaxed`). A statement that excludes the answer may be right, and a
definition that it uses wrong: so the rules that define the predicates of its body follow it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import clingo
from clingo import parse_term
from clingo.ast import AST, ASTType, Sign
from clingo.symbol import Function, Symbol

from ..engines.clingo.ground_per_question import FreshProgram, session_here
from ..engines.clingo.instances import ClingoInstances, least_cost
from ..engines.clingo.session import EXACT, Session
from ..engines.servers import SERVERS
from ..errors import BackendFailure, LogicError, cost_text
from ..problem import Answer, Atom, Instance, Signature
from ..problem.atoms import from_symbol
from ..problem.text import LARGEST
from ..running.workers import Budget
from .lines import Line, Refusal
from .numbers import too_large
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
    with_values,
)

_OUTSIDE = "no line of the program keeps it out"


Extensions = Mapping[Signature, frozenset[Atom]]
"""The atoms of predicates."""


class Definitions(NamedTuple):
    """The atoms of predicates of a right program, with a given answer."""

    defined: Extensions = MappingProxyType({})
    """Those of predicates that rules define."""
    guessed: Extensions = MappingProxyType({})
    """Those of predicates that it chooses, of which there may be others."""


UNKNOWN = Definitions()
"""Nothing about a right program."""


def refused(
    engine: ClingoInstances,
    instance: Instance,
    answer: Answer,
    budget: Budget,
    known: Definitions = UNKNOWN,
) -> Refusal:
    """Explain why clingo's program refuses the answer.

    A predicate of the program that is `known`, and has other atoms, is likely to be defined wrong.
    If the answer has a cost, the program should give it the same one.
    """
    arguments = (engine, instance, answer, Definitions(*map(dict, known)))
    return SERVERS["clingo"].call(budget, _refused_here, *arguments)  # type: ignore[no-any-return]


def _refused_here(
    engine: ClingoInstances, instance: Instance, answer: Answer, known: Definitions
) -> Refusal:
    session = session_here()
    return session.run(lambda: _refused(engine, instance, answer, session, known))


def definitions(
    path: Path,
    instance: Instance,
    answer: Answer,
    outputs: frozenset[Signature],
    timeout: float | None = None,
) -> Definitions:
    """The atoms of each predicate of a right program, with one of its answers.

    Without those of the outputs, and those defined ones that depend on another choice; none if that
    takes too long or cannot be found out.
    """
    arguments = (path, instance, answer, outputs)
    try:
        found: Definitions = SERVERS["clingo"].call(
            Budget("clingo", timeout), _definitions, *arguments
        )
    except LogicError:
        return Definitions()
    return found


def _definitions(
    path: Path, instance: Instance, answer: Answer, outputs: frozenset[Signature]
) -> Definitions:
    program = ClingoInstances("clingo", path, outputs).grounding(instance)()
    statements = read(str(path), "", outputs, instance.text, _silent)
    symbols = _symbols(answer, outputs, program)
    relaxed = Relaxed(statements, symbols, outputs, logger=_silent)
    model = relaxed.without(())
    inputs = {fact.signature for fact in instance.facts}

    def extensions(names: Iterable[Signature]) -> Extensions:
        return {name: frozenset(map(from_symbol, model.of.get(name, ()))) for name in names}

    others = outputs | inputs
    defined = extensions(_defined(statements) - others)
    return Definitions(defined, extensions(_guessed(statements) - others))


def _guessed(statements: Sequence[Statement]) -> set[Signature]:
    """The predicates of choices and disjunctions, except the outputs."""
    return {
        signature(term)
        for each in statements
        if not each.is_plain
        for term, _ in each.heads
        if signature(term) not in each.outputs
    }


def _defined(statements: Sequence[Statement]) -> set[Signature]:
    """The predicates that plain rules define, and that depend on no choice except the outputs."""
    guessed = _guessed(statements)
    plain = [each for each in statements if each.is_plain]
    while (
        more := {signature(term) for each in plain if each.uses & guessed for term, _ in each.heads}
        - guessed
    ):
        guessed |= more
    return {signature(term) for each in plain for term, _ in each.heads} - guessed


def _refused(
    engine: ClingoInstances,
    instance: Instance,
    answer: Answer,
    session: Session,
    known: Definitions,
) -> Refusal:
    program = session.make(engine.grounding(instance))
    outputs = engine.outputs or frozenset(atom.signature for atom in answer)
    if huge := next(filter(_is_too_large, sorted(answer)), None):
        words = f"no rule derives {huge}: integers of clingo end at {LARGEST}"
        return Refusal(engine.name, "underived", why=words, atom=huge)
    symbols = _symbols(answer, outputs, program)

    def relaxed() -> Relaxed:
        statements = read(str(engine.path), "", outputs, instance.text, _silent)
        ask = session.ask_here
        return Relaxed(statements, symbols, outputs, engine.options, ask=ask, logger=_silent)

    relaxation = session.make(relaxed)
    sets = relaxation.to_blame()
    if not sets:
        blame = _Blame(relaxation, [], known)
        return session.ask_here(
            program.control, lambda: _accepted(engine.name, answer, program, blame)
        )
    if [] in sets:
        return Refusal(engine.name, "unknown", why="it has no answer even without its constraints")
    found = _Blame(relaxation, sets, known).refusal(engine.name)
    for number in too_large(relaxation.statements):
        found = number.blamed(found)
    return found


def derivers(
    engine: ClingoInstances, instance: Instance, answer: Answer, atom: Atom
) -> tuple[Line, ...]:
    """The statements of a program that can derive an atom of an answer, in this process."""
    program, outputs = engine.grounding(instance)(), engine.outputs
    statements = read(str(engine.path), "", outputs, instance.text, _silent)
    symbols = _symbols(answer, outputs, program)
    model = Relaxed(statements, symbols, outputs, engine.options, logger=_silent).without(())
    own = (each for each in statements if each.derives)
    return _lines(each for each in own if atom in map(from_symbol, model.placed_by(each)))


def _silent(_code: object, _message: str) -> None:
    pass


def _is_too_large(value: Any) -> bool:
    """True if there is a number in it that clingo has not, and would read as another one."""
    if isinstance(value, int):
        return not -LARGEST - 1 <= value <= LARGEST
    parts = value.arguments if isinstance(value, Atom) else value
    return not isinstance(parts, str) and any(map(_is_too_large, parts))


def _symbols(
    answer: Answer, outputs: Iterable[Signature], program: FreshProgram[Atom, Answer]
) -> list[Symbol]:
    """The atoms of an answer as the program writes them: a text may be a constant or a string."""
    known: dict[Atom, Symbol] = {}
    for name, arity in outputs:
        positive, bare = not name.startswith("-"), name.removeprefix("-")
        for each in program.control.symbolic_atoms.by_signature(bare, arity, positive):
            known[from_symbol(each.symbol)] = each.symbol
    try:
        return [known.get(atom) or parse_term(str(atom), _silent) for atom in sorted(answer)]
    except RuntimeError:
        raise BackendFailure(f"clingo cannot read {answer}") from None


def _accepted(
    backend: str, answer: Answer, program: FreshProgram[Atom, Answer], blame: _Blame
) -> Refusal:
    """The refusal of an answer that meets every demand: it costs too much, or nothing founds it."""
    best = program.first() if program.optimizes else None
    cost = least_cost(program, answer)
    if cost is None:
        return Refusal(backend, "underived", *blame.unfounded())
    if cost and answer.cost and cost != answer.cost:
        words = f"its cost is {cost_text(cost)} here, and not {cost_text(answer.cost)}"
    elif best is None or best.cost == cost:
        return Refusal(backend, "accepted")
    else:
        words = f"its cost is {cost_text(cost)}, and the best is {cost_text(best.cost)}"
    return Refusal(backend, "cost", blame.costing(cost, answer.cost), why=words)


def _lines(statements: Iterable[Statement]) -> tuple[Line, ...]:
    places = (Line(*each.place[:2], each.text) for each in statements if not each.ours)
    return tuple(dict.fromkeys(places))


class _Blame:
    """The statements to blame, of a relaxed program that refuses an answer.

    Each of `sets` are demands that refuse it together, and no two have a demand in common. If one
    statement is wrong, it is in each of them, or behind each of them as a definition.
    """

    def __init__(self, relaxed: Relaxed, sets: Sequence[Sequence[int]], known: Definitions) -> None:
        self._relaxed = relaxed
        self._statements = relaxed.statements
        self._of = {each.number: each for each in relaxed.statements}
        self._outputs = relaxed.outputs
        self._definers: dict[Signature, list[Statement]] = {}
        for statement in relaxed.statements:
            if not statement.ours:
                for name in dict.fromkeys(signature(term) for term, _ in statement.heads):
                    self._definers.setdefault(name, []).append(statement)
        self._constants = {each.constant: each for each in relaxed.statements if each.constant}
        self._model = relaxed.without(number for members in sets for number in members)
        self._lost = [DERIVED] in sets
        self._other = self._defined_otherwise(known.defined)
        self._guessed = known.guessed
        self._sets = [
            sorted((self._of[each] for each in members if each != DERIVED), key=_likely)
            for members in sets
            if members != [DERIVED]
        ]

    def refusal(self, backend: str) -> Refusal:
        """The refusal, with the most likely statement first."""
        alone = [members[0] for members in self._sets if len(members) == 1]
        if self._lost:
            atom = self._model.lost()[0]
            rules = [*self._lacking(atom), *self._deriving(atom, alone)]
            lines = _lines(self._wrong_first(self._followed(rules)))
            why = f"no rule derives {atom}"
            return Refusal(backend, "underived", lines, why=why, atom=from_symbol(atom))
        if not alone:
            lacking, guess = self._guess()
            if lacking is not None:
                why = f"no rule derives {lacking}"
                lines = _lines(self._followed([*guess, *self._sets[0]]))
                return Refusal(backend, "underived", lines, why=why, atom=lacking)
            alone = guess
        blamed = alone or self._sets[0]
        together = 1 if alone else len(blamed)
        first = [each for each in blamed if self._is_alone_to_blame(each)]
        if not first and len(self._sets) > 1:
            first = self._behind_all()
        lines = _lines(self._wrong_first(dict.fromkeys((*first, *self._followed(blamed)))))
        if together == 1:
            lines = tuple(dict.fromkeys((*self._conjuncts(blamed[0]), *lines)))
        return Refusal(backend, "excluded", lines, together=together)

    def _guess(self) -> tuple[Atom | None, list[Statement]]:
        """The only statement that is violated by what a right program chooses beside the answer.

        Or an atom of that which nothing can derive, though all else agrees with it, and the
        statements that should.
        """
        names = _guessed(self._statements)
        if not names or not names <= set(self._guessed):
            return None, []
        possible = {
            name: {from_symbol(each): each for each in self._model.possible.get(name, ())}
            for name in names
        }
        lacking = sorted(
            (atom, name) for name in names for atom in self._guessed[name] - set(possible[name])
        )
        for atom, name in lacking:
            possible[name][atom] = parse_term(str(atom), _silent)
        mine = {each.number for members in self._sets for each in members}
        relaxed = self._relaxed.with_choice(possible[name][atom] for atom, name in lacking)
        violated = relaxed.violated(
            {name: {possible[name][atom] for atom in self._guessed[name]} for name in names}
        )
        if lacking and violated is not None:
            definers = self._definers.get(lacking[0][1], [])
            if violated & mine <= {each.number for each in definers}:
                return lacking[0][0], definers
        found = [self._of[number] for number in (violated or set()) & mine]
        return None, found if len(found) == len(self._sets) == 1 and not lacking else []

    def costing(self, own: Sequence[int], right: Sequence[int]) -> tuple[Line, ...]:
        """The statements that make the cost of the answer, first those of a wrong part of it."""
        minimize = [each for each in self._statements if each.ast.ast_type == ASTType.Minimize]
        levels = sorted({str(each.ast.priority) for each in minimize}, key=_number, reverse=True)
        if len(levels) == len(own) == len(right):
            wrong = {
                level for level, *both in zip(levels, own, right, strict=True) if both[0] != both[1]
            }
            minimize.sort(key=lambda each: str(each.ast.priority) not in wrong)
        return _lines(self._wrong_first(self._followed(minimize)))

    def unfounded(self) -> tuple[tuple[Line, ...], int, str]:
        """The lines to blame if nothing founds an answer, their number, and why."""
        deriving = [each for each in self._statements if each.derives and not each.ours]
        disjunctions = [each for each in deriving if not (each.is_single or each.is_choice)]
        if disjunctions:
            why = "a disjunction derives no more atoms than it needs; { … } chooses any of them"
            return _lines(disjunctions), 1, why
        return _lines(deriving), 1, "its atoms are derived only from each other"

    def _conjuncts(self, constraint: Statement) -> list[Line]:
        """The literals that keep a rule from deriving what a violated constraint demands."""
        hits = self._model.hits(constraint)[:1] if constraint.is_constraint else []
        return [
            line
            for values in hits
            for literal in literals(constraint.body)
            if literal.sign == Sign.Negation
            for line in self._why_not(literal.atom.symbol, values, frozenset())
        ]

    def _why_not(self, term: AST, values: Binding, above: frozenset[Signature]) -> list[Line]:
        """The literals without which the only rule of a predicate would derive an atom."""
        name = signature(term)
        rules = self._definers.get(name, ())
        if name in above | self._outputs or len(rules) != 1 or not rules[0].is_plain:
            return []
        (rule,) = rules
        pairs = zip(arguments(rule.heads[0][0]), filled(term, values), strict=False)
        own = {
            part.name: value
            for part, value in pairs
            if part.ast_type == ASTType.Variable and value is not None
        }
        failing = [at for at in range(len(rule.body)) if self._holds_without(rule.body, at, own)]
        # Of several, one that compares or relates comes before one that fetches.
        failing.sort(key=lambda at: _fetches(rule.body[at]))
        lines: list[Line] = []
        for literal in (rule.body[at] for at in failing):
            if _fetches(literal):
                lines += self._why_not(literal.atom.symbol, own, above | {name})
            begin = literal.location.begin
            lines.append(Line(Path(begin.filename).name, begin.line, str(literal)))
        return lines

    def _holds_without(self, body: Sequence[AST], dropped: int, values: Binding) -> bool:
        """True if a body holds without one of its literals; False if that leaves it unsafe."""
        control = clingo.Control([EXACT], logger=_silent)
        facts = (f"{each}." for atoms in self._model.of.values() for each in atoms)
        rest = [with_values(part, values) for at, part in enumerate(body) if at != dropped]
        control.add("base", [], "\n".join((*facts, f"__holds :- {'; '.join(rest) or '#true'}.")))
        try:
            control.ground()
        except RuntimeError:
            return False
        return bool(control.symbolic_atoms[Function("__holds")])

    def _defined_otherwise(self, known: Extensions) -> dict[Statement, int]:
        """The rules of predicates that have other atoms, not because of other such predicates.

        Those that derive such atoms have the number 0, those that derive nothing 1, and others 2.
        Rules of predicates that have the atoms that are known have the number 4.
        """
        there = {
            name: frozenset(map(from_symbol, self._model.of.get(name, ())))
            for name in _defined(self._statements) & set(known)
        }
        wrong = {name for name, atoms in there.items() if atoms != known[name]}
        right = (each for name in set(there) - wrong for each in self._definers.get(name, ()))
        ranks: dict[Statement, int] = dict.fromkeys(right, 4)
        for name in sorted(wrong):
            for each in self._definers.get(name, ()):
                if not each.uses & wrong - {name}:
                    derived = set(map(from_symbol, self._model.derived_by(each)))
                    ranks[each] = 0 if derived - known[name] else 2 if derived else 1
        return ranks

    def _wrong_first(self, statements: Iterable[Statement]) -> list[Statement]:
        """The statements, those first that define a predicate otherwise than is known."""
        return sorted(statements, key=lambda each: self._other.get(each, 3))

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
            fitting = [gap for gap in gaps if gap is not None]
            derives_another = rule in alone and rule.is_single
            least = min(map(len, fitting), default=0)
            return not fitting, not derives_another, least, not rule.is_choice

        return [*sorted(rules, key=unlikely), *alone]

    def _lacking(self, atom: Symbol) -> list[Statement]:
        """The rules that define what every rule lacks that should derive an atom."""
        gaps = [
            gap
            for rule in self._statements
            if not rule.ours
            for head in rule.derives
            if (gap := self._gaps(rule, *head, atom)) is not None
        ]
        if not gaps or not all(gaps):
            return []
        return [each for name in gaps[0] for each in self._definers.get(name, ())]

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
                for each in self._model.of.get(signature(literal.atom.symbol), ())
            )
        ]

    def _followed(self, blamed: Sequence[Statement]) -> Iterator[Statement]:
        """Statements, the rules that define their predicates, direct ones first, and constants."""
        statements = dict.fromkeys(blamed)
        yield from statements
        queue = list(statements)
        while queue:
            statement = queue.pop(0)
            for name in sorted(statement.uses - self._outputs, key=self._missing_first(statement)):
                for each in self._definers.get(name, ()):
                    if each not in statements:
                        statements[each] = None
                        queue.append(each)
                        yield each
        names = {name for each in statements for name in each.constants}
        yield from (self._constants[name] for name in sorted(names & set(self._constants)))

    def _missing_first(self, statement: Statement) -> Any:
        """A key for predicates: those of which a violated statement lacks an atom are first."""
        negative = {
            signature(literal.atom.symbol)
            for literal in literals(statement.body)
            if literal.sign == Sign.Negation
        }
        return lambda name: (name not in negative, name)


def _fetches(literal: AST) -> bool:
    """True for an atom that is not negated."""
    is_atom = getattr(literal, "atom", None) is not None
    return is_atom and literal.sign == Sign.NoSign and literal.atom.ast_type == ASTType.SymbolicAtom


def _number(text: str) -> tuple[int, str]:
    """A key for texts of which most are numbers."""
    return (int(text), "") if text.removeprefix("-").isdecimal() else (0, text)


def _likely(statement: Statement) -> tuple[bool, bool]:
    return not statement.is_constraint, statement.is_choice


def signature_of(atom: Symbol) -> Signature:
    """The predicate of an atom."""
    return ("" if atom.positive else "-") + atom.name, len(atom.arguments)
