"""What clingo is asked for explanations: which demands on a grid contradict each other.

The rules of a box shape are ground once (``encodings/rules.lp``). Rules and placements are
literals, and what is demanded is assumed. A second, tiny program chooses among sets of literals.
An explanation is a loop over hundreds of such questions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import clingo

from ...grid import Grid, Layout, Placement
from .ground import encoding, grounded
from .session import Asker, Unfinished, translated

__all__ = ["Choice", "Reasons", "Rulebook", "adding_to", "opened", "tell_apart"]

T = TypeVar("T")


class Rulebook:
    """The rules of one box shape, ground."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.control = grounded(encoding("rules"), layout.box)
        atoms = self.control.symbolic_atoms
        # Under the text of its atom: "sudoku(3,2,5)", "obeyed(once(row,3,5))".
        self.literal = {
            str(atom.symbol): atom.literal
            for name, arity in (("sudoku", 3), ("obeyed", 1))
            for atom in atoms.by_signature(name, arity)
        }


def placement_of(symbol: clingo.Symbol) -> Placement:
    """The row, column and digit that the symbol's arguments are."""
    row, column, digit = (argument.number for argument in symbol.arguments)
    return Placement(row, column, digit)


@contextmanager
def opened(idle: list[Rulebook], layout: Layout, asker: Asker) -> Iterator[Reasons]:
    """Reasons for the length of the block, with a rulebook that is given back afterwards."""
    try:
        rulebook = idle.pop()
    except IndexError:
        rulebook = asker.wait_for(lambda: Rulebook(layout))
    try:
        yield Reasons(asker, rulebook)
    finally:
        if asker.sound:
            idle.append(rulebook)


class Reasons:
    """Questions about what a grid can obey: only what is demanded is, no matter what else holds."""

    def __init__(self, asker: Asker, rulebook: Rulebook) -> None:
        self._asker = asker
        self._rulebook = rulebook
        self._shown: Sequence[clingo.Symbol] = ()
        self.true: set[int] = set()
        """Of the literals that were watched, those that held in the grid found last."""

    def literal(self, demand: tuple[str | int, ...]) -> int:
        """The literal of a rule or a placement, as `explain.rules` has them; its negation forbids.

        ValueError if the grid has no such rule or placement.
        """
        name, *arguments = demand
        if isinstance(name, int):
            atom = f"sudoku({','.join(map(str, demand))})"
        elif arguments:
            atom = f"obeyed({name}({','.join(map(str, arguments))}))"
        else:
            atom = f"obeyed({name})"
        try:
            return self._rulebook.literal[atom]
        except KeyError:
            raise ValueError(f"{self._rulebook.layout} has no {demand!r}") from None

    def refute(self, demands: Sequence[int], watched: Iterable[int] = ()) -> set[int] | None:
        """Some of the demands that no grid obeys together; None if a grid obeys them all."""
        return self._asker.ask(self._rulebook.control, self._question(demands, watched))

    def stands(self, demands: Sequence[int], watched: Iterable[int] = ()) -> bool:
        """True if a grid obeys all demands; False if there is none, or none is found soon."""
        try:
            question = self._question(demands, watched)
            return self._asker.try_to_ask(self._rulebook.control, question) is None
        except Unfinished:
            return False

    def _question(
        self, demands: Sequence[int], watched: Iterable[int]
    ) -> Callable[[], set[int] | None]:
        control = self._rulebook.control

        def question() -> set[int] | None:
            with control.solve(assumptions=demands, yield_=True) as handle:
                model = handle.model()
                if model is not None:
                    self.true = {literal for literal in watched if model.is_true(literal)}
                    self._shown = model.symbols(shown=True)
                    return None
                if not handle.get().exhausted:
                    raise Unfinished
                return set(handle.core())

        return question

    def run(self, loop: Callable[[], T]) -> T:
        """What a function returns that asks many questions: it is quicker when run here."""
        return self._asker.run(loop)

    def grid(self) -> Grid:
        """The grid found last; every rule must have been demanded."""
        return Grid.of(map(placement_of, self._shown), self._rulebook.layout.box)

    def choice(self, elements: Iterable[int]) -> Choice:
        """A choice among these numbers, which stand for anything."""
        return Choice(self._asker, elements)


@contextmanager
def adding_to(control: clingo.Control) -> Iterator[clingo.Backend]:
    """The backend that adds rules to a ground program."""
    with translated(), control.backend() as backend:
        yield backend


class Choice:
    """Subsets of some numbers, under conditions that are added one by one."""

    def __init__(self, asker: Asker, elements: Iterable[int]) -> None:
        self._asker = asker
        self._control = clingo.Control(["--opt-strategy=usc", "--sign-def=pos"])
        with adding_to(self._control) as backend:
            self._atom = {element: backend.add_atom() for element in elements}
            backend.add_rule(list(self._atom.values()), choice=True)
            backend.add_minimize(1, [(atom, 1) for atom in self._atom.values()])

    def some(self, elements: Iterable[int]) -> None:
        """From now on at least one of these is chosen."""
        with adding_to(self._control) as backend:
            backend.add_rule([], [-self._atom[element] for element in elements])

    def not_all(self, elements: Iterable[int]) -> None:
        """From now on at least one of these is not chosen."""
        with adding_to(self._control) as backend:
            backend.add_rule([], [self._atom[element] for element in elements])

    def smallest(self) -> set[int] | None:
        """A subset with the fewest members; None if there is none."""
        return self._subset("opt", 0)

    def large(self) -> set[int] | None:
        """A subset, with hardly a number left out that could be in; None if there is none."""
        return self._subset("ignore", 1)

    def _subset(self, mode: str, models: int) -> set[int] | None:
        settings: Any = self._control.configuration.solve
        settings.opt_mode = mode
        settings.models = models

        def question() -> set[int] | None:
            with self._control.solve(yield_=True) as handle:
                best = None
                for model in handle:
                    best = {e for e, atom in self._atom.items() if model.is_true(atom)}
                if not (handle.get().exhausted or (best is not None and models)):
                    raise Unfinished
                return best

        return self._asker.ask(self._control, question)


def tell_apart(asker: Asker, grids: Collection[Grid]) -> list[Placement]:
    """The fewest placements that only one of these grids, which all differ, has all of."""
    facts = " ".join(
        f"solution({number},{row},{column},{digit})."
        for number, grid in enumerate(grids)
        for row, column, digit in grid.givens
    )
    program = encoding("tell_apart") + facts
    options = ("--opt-strategy=usc", "--models=0")
    box = next(iter(grids)).box
    control = asker.wait_for(lambda: grounded(program, box, options))

    def question() -> list[Placement]:
        with control.solve(yield_=True) as handle:
            best: Sequence[clingo.Symbol] = ()
            for model in handle:
                best = model.symbols(shown=True)
            if not handle.get().exhausted:
                raise Unfinished
        return sorted(map(placement_of, best))

    return asker.ask(control, question)
