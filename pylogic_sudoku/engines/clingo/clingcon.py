"""clingcon: clingo with integer variables, for programs with ``&distinct``, ``&sum`` and ``&dom``.

A variable ``queen(3)`` that has the value 5 stands for the atom ``queen(3,5)``, as a pair of a
model in Prolog does. The propagation is that of a constraint solver, which works on bounds; a
propagator of ours sees no candidates in it, so `propagate` and `trace` cannot be asked.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Generator, Iterable
from functools import cached_property, partial
from pathlib import Path
from time import perf_counter
from typing import Any, TypeVar

import clingo
from clingo.ast import ProgramBuilder, parse_files, parse_string

from ...errors import BackendFailure, BackendUnavailable, listed
from ...files import install_command
from ...problem import Answer, Atom, Instance, Signature
from ...problem.atoms import from_symbol
from ...problem.folder import inputs_of
from ..base import Event, ProblemEngine
from ..registry import able
from .decoding import Decoder
from .ground_per_question import FreshEngine, FreshProgram, Grounding
from .session import EXACT, Log, Minimized, loadable

__all__ = ["ClingconInstances"]

Q = TypeVar("Q")
A = TypeVar("A")
P = TypeVar("P")


def new_theory() -> Any:
    """A new theory; BackendUnavailable if clingcon is not installed."""
    try:
        from clingcon import ClingconTheory
    except ImportError as error:
        raise BackendUnavailable(
            f"clingcon is not installed: {error}", f"Install it: {install_command('clingcon')}"
        ) from None
    return ClingconTheory()  # type: ignore[no-untyped-call]


def ground(
    theory: Any,
    text: str,
    file: os.PathLike[str],
    options: Iterable[str],
    observer: Minimized | None = None,
    inputs: Callable[[], Container[Signature]] = frozenset,
) -> Any:
    log = Log()
    control = clingo.Control([EXACT, "--opt-mode=optN", *options], logger=log)
    try:
        if observer:
            control.register_observer(observer)
        theory.register(control)
        with ProgramBuilder(control) as builder:

            def add(statement: Any) -> None:
                theory.rewrite_ast(statement, builder.add)

            parse_string(text, add, logger=log)
            with loadable(file) as path:
                parse_files([path], add, logger=log)
        control.ground()
        theory.prepare(control)
    except RuntimeError as error:
        raise log.explained(error) from None
    log.report(inputs, control)
    return control


class Values(Decoder[P, A]):
    """The values of a theory's variables."""

    def __init__(self, control: clingo.Control, theory: Any) -> None:
        super().__init__(control)
        self._theory = theory

    def values(self, model: clingo.Model) -> Iterable[tuple[clingo.Symbol, Any]]:
        """The variables that are shown, and their values."""
        self._theory.on_model(model)
        assignment: Iterable[tuple[clingo.Symbol, Any]] = self._theory.assignment(model.thread_id)
        return assignment

    @cached_property
    def literals(self) -> list[tuple[int, P]]:
        return []


class ClingconEngine(FreshEngine[Q, A, P]):
    """clingcon on a program that is ground anew for each question."""

    engine = "clingcon"

    def version(self) -> str:
        return ".".join(map(str, new_theory().version()))

    def solutions(self, question: Q, timeout: float | None = None) -> Generator[A]:
        answers_so_far: set[A] = set()  # variables that are not shown may tell answers apart
        for answer in super().solutions(question, timeout):
            if answer not in answers_so_far:
                answers_so_far.add(answer)
                yield answer

    def trace(self, question: Q, timeout: float | None = None) -> Generator[Event[P, A]]:
        raise self._cannot("show its search", able("trace"))


# --- problems ---


class ClingconInstances(ClingconEngine[Instance, Answer, Atom], ProblemEngine):
    """clingcon on the program in `path`, which must show its variables (``&show``)."""

    is_foreign = True

    def __init__(
        self,
        name: str,
        path: Path,
        outputs: Iterable[Signature],
        search: Iterable[str] = (),
    ) -> None:
        self.name = name
        self._path = path
        self._outputs = frozenset(outputs)
        self.search = tuple(search)

    def grounding(self, question: Instance) -> Grounding[Atom, Answer]:
        inputs = partial(inputs_of, question.problem)
        return partial(_of_instance, question.text, self._path, self._outputs, self._chosen, inputs)


def _of_instance(
    text: str,
    path: Path,
    outputs: frozenset[Signature],
    search: Iterable[str],
    inputs: Callable[[], Container[Signature]],
) -> FreshProgram[Atom, Answer]:
    start = perf_counter()
    theory = new_theory()
    observer = Minimized()
    control = ground(theory, text, path, search, observer, inputs)
    if any(each.term.name in ("minimize", "maximize") for each in control.theory_atoms):
        raise BackendFailure(
            f"{path}: &minimize and &maximize are not taken, since not all best answers"
            " can be found; write #minimize about atoms"
        )
    decoder = _Atoms(control, theory, outputs, path)
    return FreshProgram(decoder, perf_counter() - start, observer.minimizes)


class _Atoms(Values[Atom, Answer]):
    """The variables and their values as atoms, and the other atoms of the outputs."""

    def __init__(
        self, control: clingo.Control, theory: Any, outputs: frozenset[Signature], path: Path
    ) -> None:
        super().__init__(control, theory)
        self._outputs = outputs
        self._path = path

    def answer(self, model: clingo.Model) -> Answer:
        try:
            plain = map(from_symbol, model.symbols(atoms=True) if self._outputs else ())
            valued = [(from_symbol(symbol), value) for symbol, value in self.values(model)]
            value_atoms = {Atom(atom.name, (*atom.arguments, value)) for atom, value in valued}
            atoms = value_atoms.union(each for each in plain if each.signature in self._outputs)
        except ValueError as error:
            raise BackendFailure(f"{self._path}: {error}") from None
        if not self._outputs:
            return Answer(atoms, model.cost)
        mine = [each for each in atoms if each.signature in self._outputs]
        if value_atoms and not mine:
            raise BackendFailure(
                f"{self._path}: the variables stand for"
                f" {_named(each.signature for each in value_atoms)},"
                f" and answers consist of {_named(self._outputs)}"
            )
        return Answer(mine, model.cost)


def _named(predicates: Iterable[Signature]) -> str:
    return listed(f"{name}/{arity}" for name, arity in sorted(set(predicates)))
