"""clingo on a problem's program: the facts of an instance, and answers as sets of atoms."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

import clingo

from ...errors import BackendFailure
from ...problem import Answer, Atom, Instance, Signature
from ...problem.atoms import from_symbol
from ...problem.folder import declared
from ..base import ProblemEngine
from .fresh import FreshEngine, FreshProgram, Reading
from .session import EXACT, ground

if TYPE_CHECKING:
    from ...problem.folder import Problem

OPTIONS = (EXACT, "--opt-mode=optN", "--sat-prepro=no")
"""Every answer that is as good as any; no variable is eliminated, since a propagator watches."""


class ClingoInstances(FreshEngine[Instance, Answer, Atom], ProblemEngine):
    """clingo on the program in `path`; answers consist of the atoms of `outputs`, if there are any.

    Without outputs they consist of what the program shows. `options` are more of clingo's.
    """

    def __init__(
        self, name: str, path: Path, outputs: Iterable[Signature], options: Iterable[str] = ()
    ) -> None:
        self.name = name
        self.path = path
        self.outputs = frozenset(outputs)
        self.options = tuple(options)

    def fresh(self, question: Instance) -> FreshProgram[Atom, Answer]:
        start = perf_counter()
        must_be_derived(self.outputs, self.path, question)
        project = "project" if self.outputs else "show"
        observer = _Minimized()
        options = (*OPTIONS, *self.options, f"--project={project}")
        control = ground(self._text(question), options, self.path, observer)
        reading = AtomReading(self.outputs, self.path)
        return FreshProgram(control, reading, perf_counter() - start, observer.minimizes)

    def _text(self, question: Instance) -> str:
        """The facts, and the atoms that distinguish answers."""
        outputs = [f"{name}/{arity}." for name, arity in sorted(self.outputs)]
        statements = (f"{word} {each}" for each in outputs for word in ("#project", "#defined"))
        return "\n".join((question.text, *statements))

    def propagate(self, question: Instance, timeout: float | None = None) -> frozenset[Atom] | None:
        remaining = self._remaining(question, timeout)
        return None if remaining is None else frozenset(remaining)

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        if not self.outputs and declared(self.path).terms:
            return super().confirms(question, answer, timeout)
        return self._ask_fresh(question, timeout, lambda program: _has(program, answer))


def must_be_derived(outputs: Iterable[Signature], path: Path, question: Instance) -> None:
    """BackendFailure if no rule of the program, and no fact, has one of the outputs as its head."""
    heads = declared(path).heads
    if heads is None:
        return
    known = heads | {fact.signature for fact in question.facts}
    for name, arity in sorted(outputs):
        if (name, arity) not in known:
            there = ", ".join(f"{name}/{arity}" for name, arity in sorted(heads)) or "none"
            raise BackendFailure(
                f"{path}: no rule has {name}/{arity} as its head, and answers consist of such"
                f" atoms; there is {there}"
            )


def _has(program: FreshProgram[Atom, Answer], answer: Answer) -> bool:
    """True if the program has this answer, and in an optimization no better one."""
    cost = least_cost(program, answer)
    best = program.first() if program.optimizes else None
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
        return self._ask_fresh(
            question, None, lambda program: len(program.reading.literals(program.control))
        )

    def _text(self, question: Instance) -> str:
        if self._size is None:
            return super()._text(question)
        atoms = [
            f"{name}({','.join(f'X{i}' for i in range(n))})" if n else name
            for name, n in self.outputs
        ]
        counted = "; ".join(f"{atom}: {atom}" for atom in atoms)
        return f"{super()._text(question)}\n:- #count {{ {counted} }} != {self._size}."


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

    def answer(self, model: clingo.Model) -> Answer:
        symbols = model.symbols(atoms=True) if self._outputs else model.symbols(shown=True)
        mine = (each for each in symbols if not self._outputs or self._is_output(each))
        return Answer(map(self._atom, mine), model.cost)

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
        return known
