"""The reason why an ASP program of clingo refuses an answer, from the statements to blame."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from clingo import parse_term
from clingo.symbol import Function, Symbol

from ..engines.clingo.ground_per_question import FreshProgram, session_here
from ..engines.clingo.instances import ClingoInstances, least_cost
from ..engines.clingo.session import Session
from ..engines.servers import SERVERS
from ..errors import BackendFailure, LogicError, cost_text
from ..problem import Answer, Atom, Instance, Signature
from ..problem.atoms import from_symbol
from ..problem.text import LARGEST
from ..running.workers import Budget
from .blame import Blame, Extensions, Judge, Rank
from .lines import Line, Refusal
from .numbers import too_large
from .relaxed import Model, Relaxed, Statement, chosen, depending, read, signature
from .wording import Gap


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
    return Definitions(defined, extensions(chosen(statements) - others))


def _defined(statements: Sequence[Statement]) -> set[Signature]:
    """The predicates that plain rules define, and that depend on no choice except the outputs."""
    plain = {signature(term) for each in statements if each.is_plain for term, _ in each.heads}
    return plain - depending(statements, chosen(statements))


class _ByReference(Judge):
    """A judge who knows the atoms of a right program."""

    def __init__(self, known: Definitions, relaxed: Relaxed, model: Model) -> None:
        self._known = known.defined
        self.chosen = known.guessed
        self._matched, self._model = relaxed.matched, model
        self._right: set[Signature] = set()
        self._lost: dict[Signature, list[Symbol]] = {}
        """For each predicate with other atoms, those that it lacks."""
        for name in _defined(relaxed.statements) & set(self._known):
            atoms = frozenset(map(from_symbol, model.of.get(name, ())))
            if atoms == self._known[name]:
                self._right.add(name)
            else:
                lost = sorted(self._known[name] - atoms)
                self._lost[name] = [parse_term(str(each), _silent) for each in lost]

    def rank(self, definition: Statement) -> Rank:
        names = {signature(term) for term, _ in definition.heads}
        if names and names <= self._right:
            return Rank.RIGHT
        if not definition.is_plain or not names <= set(self._lost):
            return Rank.UNKNOWN
        derived = set(map(from_symbol, self._model.derived_by(definition)))
        if any(derived - self._known[name] for name in names):
            return Rank.WRONG
        heads = [
            (term, each) for term, _ in definition.heads for each in self._lost[signature(term)]
        ]
        if all(self._matched(*each) is None for each in heads):
            return Rank.UNKNOWN
        return Rank.LACKING if derived else Rank.EMPTY

    def should_hold(self, gap: Gap) -> bool | None:
        name, pattern = gap
        if name not in self._known:
            return None
        wanted = [each and from_symbol(Function("value", [each])).arguments[0] for each in pattern]
        return any(
            all(each in (None, there) for each, there in zip(wanted, atom.arguments, strict=True))
            for atom in self._known[name]
        )


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

    judging = partial(_ByReference, known)
    relaxation = session.make(relaxed)
    sets = relaxation.to_blame()
    if not sets:
        blame = Blame(relaxation, [], judging)
        return session.ask_here(
            program.control, lambda: _accepted(engine.name, answer, program, blame)
        )
    if [] in sets:
        return Refusal(engine.name, "unknown", why="it has no answer even without its constraints")
    found = Blame(relaxation, sets, judging).refusal(engine.name)
    for number in too_large(relaxation.statements):
        found = number.blamed(found)
    return found


def derivers(
    engine: ClingoInstances,
    instance: Instance,
    answer: Answer,
    atom: Atom,
    known: Definitions = UNKNOWN,
) -> tuple[Line, ...]:
    """The statements that can derive an atom of an answer, or the `known` ones behind them.

    In this process. The words of a statement that derives the atom say so.
    """
    relaxed = _relaxed(engine, instance, answer)
    return Blame(relaxed, [], partial(_ByReference, known)).placing(atom)


def refusals(
    engine: ClingoInstances,
    instance: Instance,
    answer: Answer,
    changed: Callable[[Sequence[Statement]], Sequence[Statement]],
) -> tuple[bool, bool] | None:
    """True if a program refuses an answer, before and after a change of its statements.

    In this process. None if one of the programs cannot be asked.
    """
    try:
        before = _relaxed(engine, instance, answer)
        after = replace(before, statements=changed(before.statements))
        return before.excludes, after.excludes
    except (LogicError, RuntimeError):
        return None


def _relaxed(engine: ClingoInstances, instance: Instance, answer: Answer) -> Relaxed:
    program, outputs = engine.grounding(instance)(), engine.outputs
    statements = read(str(engine.path), "", outputs, instance.text, _silent)
    symbols = _symbols(answer, outputs, program)
    return Relaxed(statements, symbols, outputs, engine.options, logger=_silent)


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
    backend: str, answer: Answer, program: FreshProgram[Atom, Answer], blame: Blame
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
