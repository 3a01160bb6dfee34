"""The solver of explanations: it finds a grid that meets demands, or which of them contradict.

The rules of a layout are ground once (``encodings/explaining/demands.lp``). Rules and placements
are literals, and demands are assumptions. A second, tiny program chooses among sets of literals.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import clingo

from ...files import encoding
from ...puzzle import Grid
from ...puzzle.cells import Layout, Placement
from ...running.workers import Budget, Unfinished, Workers, shelf
from ..clingo.session import Session, brave, shown
from .ground_once import grounded, placement_of, with_rules

T = TypeVar("T")

SOON = 500
"""Conflicts after which a search that need not succeed is given up: about ten milliseconds."""


class Rulebook:
    """The rules of one layout, ground."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.control = grounded(with_rules("explaining/demands", layout), layout)
        atoms = self.control.symbolic_atoms
        # Under the text of its atom: "sudoku(3,2,5)", "obeyed(at_most_once(row,3,5))".
        self.literal = {
            str(atom.symbol): atom.literal
            for name, arity in (("sudoku", 3), ("obeyed", 1))
            for atom in atoms.by_signature(name, arity)
        }
        self.numbers = {rule: n for n, rule in reversed(list(enumerate(layout.rules, 1)))}
        """The numbers of the rules beyond plain sudoku; of equal ones, the first."""
        # A rule that no grid can obey has no atom; it gets one that is never true.
        each = (f"obeyed(rule({number}))" for number in self.numbers.values())
        if never := [atom for atom in each if atom not in self.literal]:
            with self.control.backend() as backend:
                self.literal |= {atom: backend.add_atom() for atom in never}


_workers = Workers("pylogic_sudoku demands")
_idle = shelf(list[Rulebook])


@contextmanager
def demand_solver(layout: Layout, budget: Budget) -> Iterator[DemandSolver]:
    """A solver for the length of the block; all its questions share the budget."""
    session = Session(_workers, budget)
    with session.borrowed(_idle(layout), lambda: Rulebook(layout)) as rulebook:
        yield DemandSolver(session, rulebook)


class DemandSolver:
    """Finds what a grid can obey: it must meet the demands, and may break other rules.

    Demands are literals. A loop of several questions is to be passed to `run`.
    """

    def __init__(self, session: Session, rulebook: Rulebook) -> None:
        self._session = session
        self._rulebook = rulebook

    def literals(self, demands: Iterable[tuple[Any, ...]]) -> list[int]:
        """The literals that stand for the demands."""
        return [self.literal(demand) for demand in demands]

    def literal(self, demand: tuple[Any, ...]) -> int:
        """The literal of a demand of the layout, as in ``rules/demands.py``."""
        name, *arguments = demand
        if name == "excluded":
            return -self.literal(demand[1:])
        if name == "rule":
            arguments = [self._rulebook.numbers[rule] for rule in arguments]
        if isinstance(name, int):
            atom = f"sudoku({','.join(map(str, demand))})"
        elif arguments:
            atom = f"obeyed({name}({','.join(map(str, arguments))}))"
        else:
            atom = f"obeyed({name})"
        return self._rulebook.literal[atom]

    def solve(self, demands: Sequence[int]) -> Grid | set[int]:
        """A grid that meets all demands, which must imply every rule; or an unsatisfiable core."""

        def grid(model: clingo.Model) -> Grid:
            box = self._rulebook.layout.box
            return Grid.of(map(placement_of, model.symbols(shown=True)), box)

        return self._ask(demands, grid)

    def unsat_core(self, demands: Sequence[int]) -> set[int] | None:
        """Some of the demands that no grid meets together; None if a grid meets them all."""
        return self._ask(demands, lambda _model: None)

    def satisfied_soon(
        self, demands: Sequence[int], watched: Collection[int] = ()
    ) -> frozenset[int] | None:
        """Those of the watched literals that are true in some grid that meets all demands.

        None if there is no such grid, or none is found soon.
        """

        def true(model: clingo.Model) -> frozenset[int]:
            return frozenset(filter(model.is_true, watched))

        try:
            true_literals = self._ask(demands, true, SOON)
        except Unfinished:
            return None
        return true_literals if isinstance(true_literals, frozenset) else None

    def possible(self, demands: Sequence[int]) -> set[Placement]:
        """Every placement of the grids that meet the demands."""
        control = self._rulebook.control
        ask = partial(brave, control, demands, read=shown)
        found = self._session.ask(control, ask)
        return set(map(placement_of, found or ()))

    @contextmanager
    def other_than(self, grid: Grid) -> Iterator[int]:
        """A literal, for the length of the block, which demands another grid than this one."""
        placements = self.literals(grid.givens)

        def add() -> int:
            with self._rulebook.control.backend() as backend:
                other: int = backend.add_atom()
                backend.add_rule([other], choice=True)
                backend.add_rule([], [other, *placements])
            return other

        def end(other: int) -> None:
            with self._rulebook.control.backend() as backend:
                backend.add_rule([], [other])  # clingo then drops the rule above

        other = self._session.make(add)
        yield other
        self._session.make(lambda: end(other))

    def run(self, loop: Callable[[], T]) -> T:
        """Run a function that asks many questions in one worker, and return its result."""
        return self._session.run(loop)

    def hitting_sets(self, elements: Iterable[int]) -> HittingSets:
        """Sets of these numbers, whatever they stand for."""
        return HittingSets(self._session, elements)

    def _ask(
        self,
        demands: Sequence[int],
        read: Callable[[clingo.Model], T],
        conflicts: int | None = None,
    ) -> T | set[int]:
        """Return what `read` makes of a model, or an unsatisfiable core."""
        control = self._rulebook.control
        settings: Any = control.configuration.solve

        def question() -> T | set[int]:
            settings.solve_limit = f"{'umax' if conflicts is None else conflicts},umax"
            with control.solve(assumptions=demands, yield_=True) as handle:
                if model := handle.model():
                    return read(model)
                if not handle.get().exhausted:
                    raise Unfinished
                return set(handle.core())

        return self._session.ask(control, question)


class HittingSets:
    """Sets of some numbers that hit other sets, which are added one by one."""

    def __init__(self, session: Session, elements: Iterable[int]) -> None:
        self._session = session
        self._control, self._atom = session.make(lambda: _choices(elements))

    def hit(self, elements: Iterable[int]) -> None:
        """From now on, have at least one of these."""
        self._forbid([-self._atom[element] for element in elements])

    def spare(self, elements: Iterable[int]) -> None:
        """From now on, lack at least one of these."""
        self._forbid([self._atom[element] for element in elements])

    def smallest(self) -> set[int] | None:
        """One with the fewest members; None if there is none."""
        return self._subset("opt", 0)

    def large(self) -> set[int] | None:
        """One to which hardly a number can be added; None if there is none."""
        return self._subset("ignore", 1)

    def _forbid(self, literals: list[int]) -> None:
        def add() -> None:
            with self._control.backend() as backend:
                backend.add_rule([], literals)

        self._session.make(add)

    def _subset(self, mode: str, models: int) -> set[int] | None:
        def question() -> set[int] | None:
            settings: Any = self._control.configuration.solve
            settings.opt_mode = mode
            settings.models = models
            with self._control.solve(yield_=True) as handle:
                best = None
                for model in handle:
                    best = {e for e, atom in self._atom.items() if model.is_true(atom)}
                if not (handle.get().exhausted or (best is not None and models)):
                    raise Unfinished
                return best

        return self._session.ask(self._control, question)


def _choices(elements: Iterable[int]) -> tuple[clingo.Control, dict[int, int]]:
    """A program that chooses any subset, and the atom of each element."""
    control = clingo.Control(["--opt-strategy=usc", "--sign-def=pos"])
    with control.backend() as backend:
        atoms = {element: backend.add_atom() for element in elements}
        backend.add_rule(list(atoms.values()), choice=True)
        backend.add_minimize(1, [(atom, 1) for atom in atoms.values()])
    return control, atoms


def tell_apart(grids: Collection[Grid], budget: Budget) -> list[Placement]:
    """The fewest placements that single out one of these grids, which must all differ."""
    session = Session(_workers, budget)
    facts = " ".join(
        f"solution({number},{row},{column},{digit})."
        for number, grid in enumerate(grids)
        for row, column, digit in grid.givens
    )
    program = encoding("explaining/tell_apart") + facts
    options = ("--opt-strategy=usc", "--models=0")
    layout = next(iter(grids)).layout
    control = session.make(lambda: grounded(program, layout, options))

    def question() -> list[Placement]:
        with control.solve(yield_=True) as handle:
            best: Sequence[clingo.Symbol] = ()
            for model in handle:
                best = model.symbols(shown=True)
            if not handle.get().exhausted:
                raise Unfinished
        return sorted(map(placement_of, best))

    return session.ask(control, question)
