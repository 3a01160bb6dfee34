"""clingo on a problem's program: the facts of an instance, and answers as sets of atoms."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import clingo

from ...errors import BackendFailure
from ...problem import Answer, Atom, Instance, Remaining, Signature
from ...problem.atoms import from_lists, from_symbol, to_lists
from ...problem.folder import declared
from ..base import ProblemEngine
from .fresh import FreshEngine, FreshProgram, Grounding, Reading, answers
from .session import EXACT, Session, ground

if TYPE_CHECKING:
    from ...problem.folder import Problem

OPTIONS = (EXACT, "--opt-mode=optN", "--sat-prepro=no")
"""Every answer that is as good as any; no variable is eliminated, since a propagator watches."""


class ClingoInstances(FreshEngine[Instance, Answer, Atom], ProblemEngine):
    """clingo on the program in `path`; answers consist of the atoms of `outputs`, if there are any.

    Without outputs they consist of what the program shows. `options` are more of clingo's.
    """

    is_foreign = True

    def __init__(
        self, name: str, path: Path, outputs: Iterable[Signature], options: Iterable[str] = ()
    ) -> None:
        self.name = name
        self.path = path
        self.outputs = frozenset(outputs)
        self.options = tuple(options)

    def grounding(self, question: Instance) -> Grounding[Atom, Answer]:
        must_be_derived(self.outputs, self.path, question)
        project = "project" if self.outputs else "show"
        options = (*OPTIONS, *self.options, f"--project={project}")
        return partial(_ground, self._text(question), options, self.path, self.outputs)

    def _text(self, question: Instance) -> str:
        """The facts, and the atoms that distinguish answers."""
        outputs = [f"{name}/{arity}." for name, arity in sorted(self.outputs)]
        statements = (f"{word} {each}" for each in outputs for word in _OF_OUTPUTS)
        return "\n".join((question.text, *statements))

    def solutions(self, question: Instance, timeout: float | None = None) -> Generator[Answer]:
        return unpacked(self._stream_fresh(question, timeout, _packed))

    def propagate(self, question: Instance, timeout: float | None = None) -> Remaining | None:
        remaining = self._remaining(question, timeout)
        return None if remaining is None else Remaining(*remaining)

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        if not self.outputs and declared(self.path).terms:
            return super().confirms(question, answer, timeout)
        return self._ask_fresh(question, timeout, partial(_confirms, answer=answer))

    def rejected(
        self, question: Instance, answers: Iterable[Answer], timeout: float | None = None
    ) -> frozenset[Answer]:
        in_order = list(answers)
        if not in_order or not self.outputs:
            return super().rejected(question, in_order, timeout)
        with closing(self.confirm_each(question, in_order, timeout)) as confirmed:
            return frozenset(
                answer for answer, has in zip(in_order, confirmed, strict=True) if not has
            )

    def confirm_each(
        self, question: Instance, answers: Sequence[Answer], timeout: float | None = None
    ) -> Generator[bool]:
        """For each answer whether the program, which is ground once, has it; of its outputs."""
        return self._stream_fresh(question, timeout, partial(_confirmations, answers=answers))


_OF_OUTPUTS = ("#project", "#defined", "#show")
"""Statements about an output. With #show, no other atoms need to be read."""


def _ground(
    text: str, options: Sequence[str], path: Path, outputs: frozenset[Signature]
) -> FreshProgram[Atom, Answer]:
    start = perf_counter()
    observer = _Minimized()
    control = ground(text, options, path, observer)
    reading = AtomReading(outputs, path)
    return FreshProgram(control, reading, perf_counter() - start, observer.minimizes)


Packed = tuple[list[Any], list[int], tuple[int, ...]]
"""The new atoms of an answer as lists, the numbers of all of its atoms, and its costs."""


def _packed(session: Session, make: Grounding[Atom, Answer]) -> Generator[Packed]:
    """Every answer; an atom is sent once, and has a number from then on."""
    numbers: dict[Atom, int] = {}
    for answer in answers(session, make):
        new = [atom for atom in answer if atom not in numbers]
        for atom in new:
            numbers[atom] = len(numbers)
        yield [to_lists(atom) for atom in new], [numbers[atom] for atom in answer], answer.cost


def unpacked(packed: Generator[Packed]) -> Generator[Answer]:
    """The answers again."""
    atoms: list[Atom] = []
    with closing(packed):
        for new, numbers, cost in packed:
            atoms += map(from_lists, new)
            yield Answer([atoms[number] for number in numbers], cost)


def _confirmations(
    session: Session, make: Grounding[Atom, Answer], answers: Sequence[Answer]
) -> Generator[bool]:
    with session.borrowed([], make) as program:
        best = session.ask(program.control, lambda: _best(program))
        for answer in answers:
            confirms = partial(_has, program, answer, best)
            yield session.ask(program.control, confirms)


def _confirms(program: FreshProgram[Atom, Answer], answer: Answer) -> bool:
    return _has(program, answer, _best(program))


def _best(program: FreshProgram[Atom, Answer]) -> Answer | None:
    """The best answer, if something is minimized."""
    return program.first() if program.optimizes else None


def must_be_derived(outputs: Iterable[Signature], path: Path, question: Instance) -> None:
    """BackendFailure if no rule of the program, and no fact, has one of the outputs as its head.

    Of those that ``#show`` names, some may have none, as for clingo.
    """
    about = declared(path)
    heads = about.heads
    if heads is None:
        return
    known = heads | {fact.signature for fact in question.facts}
    derived = known.intersection(outputs)
    for name, arity in sorted(set(outputs) - about.shown if derived else outputs):
        if (name, arity) not in known:
            there = ", ".join(f"{name}/{arity}" for name, arity in sorted(heads)) or "none"
            raise BackendFailure(
                f"{path}: no rule has {name}/{arity} as its head, and answers consist of such"
                f" atoms; there is {there}"
            )


def _has(program: FreshProgram[Atom, Answer], answer: Answer, best: Answer | None) -> bool:
    """True if the program has this answer, which costs no more than the best one, if there is."""
    cost = least_cost(program, answer)
    return cost is not None and (best is None or best.cost == cost)


def least_cost(program: FreshProgram[Atom, Answer], answer: Answer) -> tuple[int, ...] | None:
    """The least cost with which the program has this answer, empty if it has no costs.

    None if it does not have it, whatever the cost.
    """
    literals = program.reading.literals(program.control)
    if not answer <= {atom for _, atom in literals}:
        return None
    assumed = [literal if atom in answer else -literal for literal, atom in literals]
    with program.control.solve(assumptions=assumed, yield_=True) as handle:
        costs = [tuple(model.cost) for model in handle]
    return costs[-1] if costs else None


def answers_by_size(path: Path, problem: Problem) -> Iterator[Answer]:
    """The answers of a program that needs no facts, those with few atoms first.

    BackendFailure if the program has no ``#show`` statement.
    """
    outputs = declared(path).shown
    if not outputs:
        raise BackendFailure(f"{path} shows nothing; expected #show for the facts of an instance")
    nothing = Instance(problem, ())
    most = _OfSize(path, outputs, None).most_atoms(nothing)
    for size in range(most + 1):
        yield from _OfSize(path, outputs, size).solutions(nothing)


class _OfSize(ClingoInstances):
    """A program whose answers have this number of atoms; any number if that is None."""

    def __init__(self, path: Path, outputs: frozenset[Signature], size: int | None) -> None:
        super().__init__("clingo", path, outputs)
        self._size = size

    def most_atoms(self, question: Instance) -> int:
        """The number of atoms that may be in answers."""
        return self._ask_fresh(question, None, _number_of_atoms)

    def _text(self, question: Instance) -> str:
        if self._size is None:
            return super()._text(question)
        atoms = [
            f"{name}({','.join(f'X{i}' for i in range(n))})" if n else name
            for name, n in self.outputs
        ]
        counted = "; ".join(f"{atom}: {atom}" for atom in atoms)
        return f"{super()._text(question)}\n:- #count {{ {counted} }} != {self._size}."


def _number_of_atoms(program: FreshProgram[Atom, Answer]) -> int:
    return len(program.reading.literals(program.control))


class _Minimized(clingo.Observer):
    """Sees whether the program minimizes anything."""

    minimizes = False

    def minimize(self, priority: int, literals: Any) -> None:
        self.minimizes = True


class AtomReading(Reading[Atom, Answer]):
    """Atoms as they are: those of the output predicates, or else all that are shown."""

    def __init__(self, outputs: frozenset[Signature], path: Path) -> None:
        self._outputs = outputs
        self._path = path
        self._known: dict[clingo.Symbol, Atom] = {}
        self._symbols: dict[Atom, clingo.Symbol] = {}

    def answer(self, model: clingo.Model) -> Answer:
        all_atoms = bool(self._outputs) and self._shows_terms  # which may look like outputs
        symbols = model.symbols(atoms=all_atoms, shown=not all_atoms)
        mine = (each for each in symbols if not self._outputs or self._is_output(each))
        return Answer(map(self._atom, mine), model.cost)

    @cached_property
    def _shows_terms(self) -> bool:
        return declared(self._path).terms

    def literals(self, control: clingo.Control) -> list[tuple[int, Atom]]:
        if not self._outputs and declared(self._path).terms:
            raise BackendFailure(
                f"{self._path}: #show has a term, which is not watched; name a predicate instead:"
                " #show queen/2."
            )
        return [
            (atom.literal, self._atom(atom.symbol))
            for atom in control.symbolic_atoms
            if not self._outputs or self._is_output(atom.symbol)
        ]

    def _is_output(self, symbol: clingo.Symbol) -> bool:
        sign = "" if symbol.positive else "-"
        return (sign + symbol.name, len(symbol.arguments)) in self._outputs

    def _atom(self, symbol: clingo.Symbol) -> Atom:
        known = self._known.get(symbol)
        if known is None:
            try:
                known = self._known[symbol] = from_symbol(symbol)
            except ValueError as error:
                raise BackendFailure(f"{self._path}: {error}") from None
            other = self._symbols.setdefault(known, symbol)
            if other != symbol:  # they would be one atom, and different answers the same
                raise BackendFailure(
                    f"{self._path}: {other} and {symbol} are two atoms for clingo and one for"
                    " Prolog, where a constant is a text; use one of them"
                )
        return known
