"""The steps on which the digit of one cell depends, and no others.

`steps` goes through the whole puzzle. Here its steps are followed backwards from the one that fills
the cell: which candidates must be gone for it to be right, which steps removed these, and so on. A
candidate may have been removed by several steps, and a cell may be the only one left for its digit
in several houses; of these the one is taken that needs the fewest steps before it. In the end, what
can be left out is left out, so no step of a way is redundant.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple

from .._demands import SudokuRule, anyway
from ..engines import Backend
from ..engines.budget import Budget
from ..errors import Disagreement
from ..grid import Cell, Grid, Layout, Placement, candidate_rows
from ..puzzle import Puzzle
from ..techniques._addition import every_placement, meeting, met, standing
from ..techniques._table import MINIMAL_SET
from ._cores import asking, literals, minimal
from ._explanation import grid_of
from ._step import Step
from ._steps import Steps, pencil_marks, taken_by
from ._walk import Walk

if TYPE_CHECKING:
    from ..engines.clingo.rulebook import Reasons

__all__ = ["check_way", "way_to"]

LOOSE = {"pointing", "claiming", "cage combinations", "one rule", MINIMAL_SET.name}
LOOSE |= {f"{kind} {size}" for kind in ("naked", "hidden") for size in ("pair", "triple", "quad")}
LOOSE |= {"locked pair", "locked triple", "X-wing", "swordfish", "jellyfish"}
"""Techniques whose sentences stay true if more candidates are left than they need. A step by
another technique keeps its pattern: all candidates of its rules that had gone are gone."""


def way_to(puzzle: Grid | Puzzle, cell: Cell, timeout: float | None) -> Walk:
    """The steps that lead to the digit of a cell that is forced, none of them redundant.

    Each step shows the position that the steps of the way lead to, so more candidates are left than
    in `steps`, and it removes only what later steps need. Raises SolveTimeout or BackendFailure.
    """
    budget = Budget("clingo", timeout)
    with budget:
        taken = _up_to(puzzle, cell, budget)
        with asking(puzzle.layout, budget.remaining()) as reasons:
            chosen = reasons.run(lambda: _Slice(reasons, puzzle, taken).chosen())
    placed = chosen[-1].placed
    assert placed
    return Walk(tuple(_walked(puzzle, chosen)), f"{cell} is {placed.digit}.", solved=False)


def _up_to(puzzle: Grid | Puzzle, cell: Cell, budget: Budget) -> list[Step]:
    """The steps of the puzzle up to the one that fills the cell."""
    taken: list[Step] = []
    for step in Steps(puzzle, budget.remaining()):
        taken.append(step)
        if step.placed and step.placed.cell == cell:
            return taken
        budget.remaining()
    raise AssertionError(f"no step fills {cell}")


class _Position:
    """The digits and candidates after some steps."""

    def __init__(self, puzzle: Grid | Puzzle) -> None:
        self._puzzle = puzzle
        self.grid = grid_of(puzzle)
        self.left = pencil_marks(puzzle)

    def of(self, step: Step) -> Step:
        """The step in this position."""
        cells: list[set[int]] = [set() for _ in self.grid.digits]
        for placement in self.left:
            cells[placement.cell.offset(self.grid.size)].add(placement.digit)
        moved = replace(step, grid=self.grid, candidates=candidate_rows(cells, self.grid.size))
        return replace(moved, technique=_single(moved)) if step.placed else moved

    def take(self, step: Step) -> None:
        """Do what the step says."""
        self.left -= _gone_after(step, self._puzzle.layout)
        if step.placed:
            self.grid = self.grid.with_(step.placed)


def _walked(puzzle: Grid | Puzzle, several: Iterable[Step]) -> Iterator[Step]:
    """Each step in the position to which those before it lead."""
    position = _Position(puzzle)
    for step in several:
        yield position.of(step)
        position.take(step)


def _gone_after(step: Step, layout: Layout) -> frozenset[Placement]:
    """The candidates that are not left after a step."""
    return taken_by(step.placed, layout) if step.placed else frozenset(step.removed)


def _single(step: Step) -> str:
    """The name of a single in the position of the step."""
    (rule,) = step.must
    if rule.beyond:
        return step.technique
    if rule[0] == "filled":
        return "naked single"
    houses = [house for house in step.puzzle.layout.houses if house[:2] == rule[1:3]]
    empty = [cell for house in houses for cell in house.cells if not step.grid[cell]]
    return "full house" if len(empty) == 1 else "hidden single"


Key = tuple[int, Placement]
"""The number of a step, and the digit that it places or a candidate that it removes."""


class _Event(NamedTuple):
    """A digit that is placed by a step, or a candidate that goes by it."""

    must: tuple[SudokuRule, ...]
    causes: dict[Placement, Key]
    """The candidates that must have gone before, each with the event by which it went."""
    steps: frozenset[int]
    """The numbers of all steps that it needs, its own too."""


class _Slice:
    """The steps up to one that places a digit, and on what each of them depends."""

    def __init__(self, reasons: Reasons, puzzle: Grid | Puzzle, taken: Sequence[Step]) -> None:
        self._reasons = reasons
        self._layout = puzzle.layout
        self._taken = taken
        self._start = pencil_marks(puzzle)
        self._true = {*puzzle.givens, *(step.placed for step in taken if step.placed)}
        self._events: dict[Key, _Event] = {}
        self._gone_by: dict[Placement, list[Key]] = {}
        for number, step in enumerate(taken):
            for candidate in (_gone_after(step, self._layout) & self._start) - self._true:
                key = number, step.placed or candidate
                self._gone_by.setdefault(candidate, []).append(key)

    def chosen(self) -> list[Step]:
        """The steps that are needed, in order, each reduced to what is needed of it."""
        goals = [(n, step.placed) for n, step in enumerate(self._taken) if step.placed]
        for goal in goals:  # each in its turn, or the recursion would be deep
            self._event(goal)
        kept = self._reached(goals[-1])
        for key in sorted(kept - {goals[-1]}, reverse=True):
            if self._suffice(kept - {key}):
                kept -= {key}
        return [self._step(number, several) for number, several in _by_step(kept)]

    def _step(self, number: int, several: Sequence[Placement]) -> Step:
        """The step, as far as it is needed."""
        step = self._taken[number]
        if step.placed:
            return replace(step, must=self._events[number, step.placed].must)
        return replace(step, removed=tuple(several))

    def _reached(self, goal: Key) -> frozenset[Key]:
        """The event and all events on which it depends."""
        found, newest = {goal}, [goal]
        while newest:
            more = set(self._event(newest.pop()).causes.values()) - found
            newest += more
            found |= more
        return frozenset(found)

    # --- on what an event depends ---

    def _event(self, key: Key) -> _Event:
        if key not in self._events:
            step = self._taken[key[0]]
            single = step.placed and not any(rule.beyond for rule in step.rules)
            ways = self._singles(*key) if single else [self._rest(*key)]
            self._events[key] = min(ways, key=lambda event: len(event.steps))
        return self._events[key]

    def _singles(self, number: int, placed: Placement) -> list[_Event]:
        """The ways in which a digit is the only one left for its cell, or its cell for it."""
        houses = [house for house in self._layout.houses if placed.cell in house.cells]
        rules = [
            *self._taken[number].must,
            SudokuRule(("filled", *placed.cell)),
            *(SudokuRule(("somewhere", *house[:2], placed.digit)) for house in houses),
        ]
        left = standing(self._taken[number].candidates)
        others = {rule: meeting(rule, self._layout) - {placed} for rule in rules}
        return [
            self._after(number, (rule,), gone)
            for rule, gone in others.items()
            if left.isdisjoint(gone)
        ]

    def _rest(self, number: int, candidate: Placement) -> _Event:
        """What must have gone for the rules of the step to force or to exclude a candidate."""
        step = self._taken[number]
        gone = self._concerned(step) - standing(step.candidates)
        if _is_loose(step):
            later = {each for each in gone if self._causes(each, number)}
            order = sorted(later, key=lambda each: (self._fewest(each, number), each))
            literal = {-self._reasons.literal(each): each for each in order}
            core = minimal(self._reasons, self._sure(step, candidate, gone - later), list(literal))
            assert core is not None, f"{step!r} does not follow"
            gone = frozenset(literal[each] for each in core)
        return self._after(number, step.must, gone)

    def _after(
        self, number: int, must: tuple[SudokuRule, ...], gone: Collection[Placement]
    ) -> _Event:
        """An event that needs these candidates to have gone: by few steps."""
        later = [each for each in gone if self._causes(each, number)]
        needed: set[int] = set()
        causes = {}
        for each in sorted(later, key=lambda each: (self._fewest(each, number), each)):
            more = {key: self._event(key).steps - needed for key in self._causes(each, number)}
            causes[each] = min(more, key=lambda key: len(more[key]))
            needed |= more[causes[each]]
        return _Event(must, causes, frozenset(needed | {number}))

    def _causes(self, candidate: Placement, number: int) -> list[Key]:
        """The events before a step by which a candidate goes; none if it never was one."""
        return [key for key in self._gone_by.get(candidate, ()) if key[0] < number]

    def _fewest(self, candidate: Placement, number: int) -> int:
        """The fewest steps by which a candidate goes."""
        return min(len(self._event(key).steps) for key in self._causes(candidate, number))

    def _concerned(self, step: Step) -> frozenset[Placement]:
        """The candidates that make a difference to the step if they are left."""
        every = (
            every_placement(self._layout.size) if _granted(step) else met(step.must, self._layout)
        )
        return every - self._true

    def _sure(self, step: Step, candidate: Placement, gone: Collection[Placement]) -> list[int]:
        """The opposite of a step, its rules, and that these candidates have gone."""
        opposite = self._reasons.literal(candidate) * (-1 if step.placed else 1)
        rules = literals(self._reasons, [*_granted(step), *step.rules])
        return [opposite, *rules, *(-self._reasons.literal(each) for each in gone)]

    # --- whether events suffice ---

    def _suffice(self, kept: Collection[Key]) -> bool:
        """Whether each of the events follows from those before it."""
        left = self._start
        for number, several in _by_step(kept):
            if not all(self._stands((number, each), left) for each in several):
                return False
            left -= _gone_after(self._step(number, several), self._layout)
        return True

    def _stands(self, key: Key, left: frozenset[Placement]) -> bool:
        event, step = self._events[key], self._taken[key[0]]
        if left.isdisjoint(event.causes):
            return True
        if not _is_loose(step):
            return False
        sure = self._sure(step, key[1], self._concerned(step) - left)
        return self._reasons.refute(sure) is not None


def _by_step(keys: Iterable[Key]) -> Iterator[tuple[int, list[Placement]]]:
    """The events of each step, in order."""
    for number, several in groupby(sorted(keys), key=itemgetter(0)):
        yield number, [candidate for _, candidate in several]


def _is_loose(step: Step) -> bool:
    """Whether a step may be right though more candidates are left than when it was found."""
    return step.technique in LOOSE or (step.placed is not None and bool(_granted(step)))


def _granted(step: Step) -> tuple[SudokuRule, ...]:
    """What the step takes for granted beside its rules."""
    whole = step.technique == MINIMAL_SET.name or any(rule.beyond for rule in step.rules)
    return anyway(step.puzzle.layout) if whole else ()


def check_way(puzzle: Grid | Puzzle, target: Placement, way: Walk, backend: str | Backend) -> None:
    """Check that the steps lead to a digit and that none of them is redundant, else Disagreement.

    A step that is not in `LOOSE` counts as wrong if its pattern has other candidates.
    """
    if [*_walked(puzzle, way)] != [*way] or way[-1].placed != target:
        raise Disagreement(puzzle, {"steps": str(way), "rules": f"they do not lead to {target}"})
    for step in way:
        step.verify(backend)
    for number, spared in enumerate(way[:-1]):
        others = [*way[:number], *way[number + 1 :]]
        moved = islice(_walked(puzzle, others), number, None)
        if all(_still(*pair, backend) for pair in zip(others[number:], moved, strict=True)):
            raise Disagreement(puzzle, {"steps": str(way), "without it": f"{spared!r} is not used"})


def _still(step: Step, moved: Step, backend: str | Backend) -> bool:
    """Whether a step is still right in another position."""
    every = met(step.must, step.puzzle.layout)
    differ = standing(step.candidates) ^ standing(moved.candidates)
    if not (differ if _granted(step) else differ & every):
        return True
    if not _is_loose(step):
        return False
    try:
        moved.verify(backend)
    except Disagreement:
        return False
    return True
