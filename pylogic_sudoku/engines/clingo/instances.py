"""clingo on a problem's program: the facts of an instance, and answers as sets of atoms."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from time import perf_counter
from typing import Any

import clingo

from ...errors import BackendFailure
from ...problem import Answer, Atom, Instance, Signature
from ...problem.atoms import from_symbol
from ...problem.folder import declared
from ..base import ProblemEngine
from .session import EXACT, ground
from .stated import Reading, Stated, StatedEngine

OPTIONS = (EXACT, "--opt-mode=optN", "--sat-prepro=no")
"""Every answer that is as good as any; no variable is eliminated, since a propagator watches."""


class ClingoInstances(StatedEngine[Instance, Answer, Atom], ProblemEngine):
    """clingo on the program in `path`; answers consist of the atoms of `outputs`, if there are any.

    Without outputs they consist of what the program shows.
    """

    def __init__(self, name: str, path: Path, outputs: Iterable[Signature]) -> None:
        self.name = name
        self._path = path
        self._outputs = frozenset(outputs)

    def stated(self, question: Instance) -> Stated[Atom, Answer]:
        start = perf_counter()
        must_be_derived(self._outputs, self._path, question)
        projected = [f"#project {name}/{arity}." for name, arity in sorted(self._outputs)]
        project = "project" if self._outputs else "show"
        seen = _Minimized()
        declared = [f"#defined {name}/{arity}." for name, arity in self._outputs]
        text = "\n".join((question.text, *projected, *declared))
        control = ground(text, (*OPTIONS, f"--project={project}"), self._path, seen)
        reading = AtomReading(self._outputs, self._path)
        return Stated(control, reading, perf_counter() - start, seen.minimizes)

    def propagate(self, question: Instance, timeout: float | None = None) -> frozenset[Atom] | None:
        left = self._left(question, timeout)
        return None if left is None else frozenset(left)

    def confirms(self, question: Instance, answer: Answer, timeout: float | None = None) -> bool:
        if not self._outputs and declared(self._path).terms:
            return super().confirms(question, answer, timeout)
        return self._asked(question, timeout, lambda stated: _has(stated, answer))


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


def _has(stated: Stated[Atom, Answer], answer: Answer) -> bool:
    """True if the program has this answer, and in an optimization no better one."""
    literals = stated.reading.literals(stated.control)
    if not answer <= {atom for _, atom in literals}:
        return False
    best = stated.first() if stated.optimizes else answer
    stated.stop_optimizing()
    assumed = [literal if atom in answer else -literal for literal, atom in literals]
    with stated.control.solve(assumptions=assumed, yield_=True) as handle:
        costs = {tuple(model.cost) for model in handle}
    return bool(costs) and (not stated.optimizes or (best is not None and best.cost in costs))


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
