"""The interface of an engine.

An `Engine` takes questions and gives answers; it knows no text, no terminal and no other engine.
Only `version` and `solutions` must be written. `solve` and `count` follow from `solutions`, and an
engine that can do better overrides them. The other methods are for engines whose work can be seen.

A `ProblemEngine` takes the instances of a problem. A `Backend` is an engine for sudokus: it takes a
`Grid` or a `Puzzle` and returns `Grid`s, and it may prove or check answers, too. Of a puzzle it
reads `size`, `digits`, `layout` (which cells make up the houses, and the rules beyond them) and
`excluded` (digits that a mark keeps out of a cell). A `Grid` has these too. An engine without
regions, marks or rules leaves them out of `knows`, and `engines.engine_for` refuses such puzzles
before they reach it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from contextlib import closing
from functools import lru_cache
from itertools import chain, islice, product
from typing import TYPE_CHECKING, Generic, Literal, NamedTuple, Self, TypeVar

from ..errors import BackendUnavailable, SolveTimeout
from ..problem.specs import able
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Candidates, Layout, Placement, candidate_rows
from .running import Budget

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable, Iterator, Sequence

    from ..problem import Answer, Atom, Instance, Remaining
    from ..problem.atoms import Written
    from ..rules.clauses import Claim, Clause
    from ..rules.demands import Demand

Q = TypeVar("Q")
A = TypeVar("A")
T = TypeVar("T")
P = TypeVar("P")


def hard_after(conflicts: int, puzzle: Grid | Puzzle) -> int:
    """The conflicts after which a search counts as hard: these, or more in a large, loose grid.

    An empty 36x36 grid takes thousands of conflicts, but no other search would take fewer.
    """
    return conflicts * max(1, puzzle.digits.count(0) * puzzle.size // 8_000) ** 2


class Engine(ABC, Generic[Q, A, P]):
    """One engine, which takes questions Q, and gives answers A that consist of placements P.

    Every method may be called from any thread, while other searches are open. `timeout` is in
    seconds and counts the time spent waiting for the engine, not the time that the caller
    takes between two answers. Raises BackendUnavailable, SolveTimeout or BackendFailure; after
    any of them, and after a KeyboardInterrupt, the engine can be used again.
    """

    name: str
    engine: str
    """The name of the program behind it, as people know it."""

    @abstractmethod
    def version(self) -> str:
        """The engine's version; BackendUnavailable if it cannot be used here."""

    def with_threads(self, threads: int) -> Self:
        """The engine with this number of threads for a long search; itself if it uses only one."""
        return self

    @abstractmethod
    def solutions(self, question: Q, timeout: float | None = None) -> Generator[A]:
        """Every answer once, found on demand.

        The search ends when the generator ends, is closed or is collected.
        """

    def solve(self, question: Q, timeout: float | None = None) -> A | None:
        """An answer, or None if there is none."""
        with closing(self.solutions(question, timeout)) as solutions:
            return next(solutions, None)

    def count(self, question: Q, limit: int | None = None, timeout: float | None = None) -> int:
        """The number of answers, or `limit` if there are at least that many.

        `SolveTimeout.found` is the number found in time.
        """
        number = 0
        with closing(self.solutions(question, timeout)) as solutions:
            try:
                for _ in islice(solutions, limit):
                    number += 1
            except SolveTimeout as error:
                error.found = number
                raise
        return number

    def confirms(self, question: Q, answer: A, timeout: float | None = None) -> bool:
        """True if this is an answer, which is found out without a search for it where possible."""
        with closing(self.solutions(question, timeout)) as solutions:
            return answer in solutions

    def enumerates(self, question: Q, timeout: float | None = None) -> bool:
        """True if only a search through all answers shows whether something is one of them."""
        return type(self).confirms is Engine.confirms

    def rejected(
        self, question: Q, answers: Iterable[A], timeout: float | None = None
    ) -> frozenset[A]:
        """Those of these that are no answers; `timeout` is for all of them."""
        if self.enumerates(question, timeout):
            with closing(self.solutions(question, timeout)) as solutions:
                return not_found(answers, solutions)
        budget = Budget(self.name, timeout)

        def confirms(answer: A) -> bool:
            return budget.spend(lambda seconds_left: self.confirms(question, answer, seconds_left))

        return frozenset(answer for answer in answers if not confirms(answer))

    def lacks(
        self, question: Q, answers: Iterable[A], timeout: float | None = None
    ) -> frozenset[A]:
        """The answers among these that the program lacks at their cost; others may cost less.

        `timeout` is for all of them.
        """
        return self.rejected(question, answers, timeout)

    def measure(self, question: Q, timeout: float | None = None) -> Measurement[A]:
        """The first answer, and the work that it took."""
        raise self._cannot("show its work", able("measure"))

    def trace(self, question: Q, timeout: float | None = None) -> Generator[Event[P, A]]:
        """The events of the search for one answer, as they are asked for."""
        raise self._cannot("show its search", able("trace"))

    def _cannot(self, what: str, instead: str) -> BackendUnavailable:
        return BackendUnavailable(f"the {self.name} engine cannot {what}", f"Choose {instead}.")


def not_found(answers: Iterable[A], solutions: Iterator[A]) -> frozenset[A]:
    """Those of these answers that are none of the solutions, which are read as far as needed."""
    left = set(answers)
    while left and (answer := next(solutions, None)) is not None:
        left.discard(answer)
    return frozenset(left)


def or_proved(ask: Callable[[], A | None]) -> A | None:
    """The result of a search for the best answer, even if time ran out just as it was proved."""
    try:
        return ask()
    except SolveTimeout as error:
        if error.proved is None:
            raise
        return error.proved  # type: ignore[no-any-return]


def with_proved(answers: Generator[T], read: Callable[[Answer], T] | None = None) -> Generator[T]:
    """All answers; before the error, one that was proved to be the best just as time ran out.

    `read` makes of that one what the others are. They are found on demand.
    """
    with closing(answers):
        try:
            for first in answers:
                yield first
                break
        except SolveTimeout as error:
            if error.proved is not None:
                yield read(error.proved) if read else error.proved
            raise
        yield from answers


def as_text(answer: Answer) -> Written:
    """The text of an answer to an instance, and its costs."""
    from ..problem.atoms import Written  # which sudokus do without

    return Written(str(answer), answer.cost)


class ProblemEngine(Engine["Instance", "Answer", "Atom"]):
    """An engine with a program that states a problem, which takes its instances."""

    def propagate(self, question: Instance, timeout: float | None = None) -> Remaining | None:
        """The atoms that may be true before any choice; None if it finds a contradiction."""
        raise self._cannot("show its work", able("propagate"))

    def written(self, question: Instance, timeout: float | None = None) -> Generator[Written]:
        """All answers as texts."""
        with closing(self.solutions(question, timeout)) as solutions:
            yield from map(as_text, solutions)

    def candidates(self, question: Instance, timeout: float | None = None) -> frozenset[Atom]:
        """The atoms that are in at least one answer."""
        atoms: set[Atom] = set()
        with closing(self.solutions(question, timeout)) as solutions:
            for answer in solutions:
                atoms |= answer
        return frozenset(atoms)

    def candidate_counts(
        self, question: Instance, limit: int | None = None, timeout: float | None = None
    ) -> dict[Atom, int]:
        """The number of answers with each candidate, or `limit` if there are at least that many."""
        numbers: Counter[Atom] = Counter()
        with closing(self.solutions(question, timeout)) as solutions:
            for answer in solutions:
                numbers.update(answer)
        return {atom: min(numbers[atom], limit or numbers[atom]) for atom in sorted(numbers)}


class Backend(Engine[Grid | Puzzle, Grid, Placement]):
    """One engine for sudokus."""

    knows: frozenset[str] = frozenset()
    """Its features beyond a plain grid: ``"regions"``, ``"marks"``, ``"rules"``, and
    ``"programs"``: custom rules that are not written in Python."""
    shapes: str = "boxes of any size"
    """The grids that it takes; ``"9x9"`` or ``"square boxes"`` if it takes no others."""

    def confirms(self, question: Grid | Puzzle, answer: Grid, timeout: float | None = None) -> bool:
        if not answer.is_solution_of(question):
            return False
        return self.solve(question.with_(*answer.givens), timeout) == answer

    def candidates(self, puzzle: Grid | Puzzle, timeout: float | None = None) -> Candidates:
        """For every cell the digits that it holds in at least one solution, exactly.

        Looks for a solution with each digit that no solution so far has in its cell.
        """
        budget = Budget(self.name, timeout)
        possible: list[set[int]] = [set() for _ in puzzle.digits]

        def solvable(puzzle: Grid | Puzzle) -> bool:
            solution = budget.spend(lambda seconds_left: self.solve(puzzle, seconds_left))
            if solution:
                for digits, digit in zip(possible, solution.digits, strict=True):
                    digits.add(digit)
            return solution is not None

        if solvable(puzzle):
            for cell, given, digits in zip(puzzle.cells, puzzle.digits, possible, strict=True):
                for digit in range(1, puzzle.size + 1):
                    if not given and digit not in digits:
                        solvable(puzzle.with_((*cell, digit)))
        return candidate_rows(possible, puzzle.size)

    def candidate_counts(
        self, puzzle: Grid | Puzzle, limit: int | None = None, timeout: float | None = None
    ) -> dict[Placement, int]:
        """The number of solutions with each candidate, or `limit` if there are at least that many.

        Counts anew for each candidate.
        """
        budget = Budget(self.name, timeout)
        rows = budget.spend(lambda seconds_left: self.candidates(puzzle, seconds_left))
        cells = zip(puzzle.cells, chain.from_iterable(rows), strict=True)
        placements = [Placement(*cell, digit) for cell, every in cells for digit in sorted(every)]

        def number(placement: Placement) -> int:
            return budget.spend(
                lambda seconds_left: self.count(puzzle.with_(placement), limit, seconds_left)
            )

        return {placement: number(placement) for placement in placements}

    # --- what only some engines can do; the others raise BackendUnavailable ---

    def propagate(
        self, question: Grid | Puzzle, timeout: float | None = None
    ) -> list[set[int]] | None:
        """For each cell the digits left before any choice; None if it finds a contradiction."""
        raise self._cannot("show its work", able("propagate"))

    def consistent(
        self, layout: Layout, demands: Iterable[Demand], timeout: float | None = None
    ) -> bool:
        """True if some placements meet all demands, which are those of ``rules/demands.py``.

        Any other rule may be broken, even those of the layout beyond plain sudoku: they count only
        if they are demanded. If one of the demands is such a rule or is about a whole house, every
        cell holds one digit. ValueError for a demand that the grid cannot have.
        """
        raise self._cannot("check explanations", "clingo or prolog")

    def prove(self, claim: Claim, timeout: float | None = None) -> Proof:
        """Up to two solutions of the claim, and the lemmas.

        Disagreement if the claim is about demands that do not contradict each other.
        """
        raise self._cannot("prove its answers", "clingo")

    def first_refused(
        self, claim: Claim, lemmas: Sequence[Clause], timeout: float | None = None
    ) -> int | None:
        """The number, from 0, of the first lemma that does not follow by unit propagation.

        If each follows but all together do not lead to a contradiction, it is the number of lemmas;
        None if they prove the claim.
        """
        raise self._cannot("check certificates", "prolog, or no backend for plain Python")

    def can(self, question: str) -> bool:
        """True if the engine can do what this method is for, such as ``"prove"``."""
        return getattr(type(self), question) is not getattr(Backend, question)


class Measurement(NamedTuple, Generic[A]):
    """The first solution that an engine finds, and the work that it took; None if unknown.

    Times are in seconds, and those of one search: the solution is its result.
    """

    solution: A | None
    """None if there is none; a `Grid`, or an `Answer` to an instance."""
    setup: float | None = None
    """Grounding the program, posting the constraints, or making the clauses."""
    propagation: float | None = None
    """Propagation before the first choice. clpfd propagates while it posts, so setup has that."""
    search: float | None = None
    """Everything after the propagation."""
    choices: int | None = None
    """Digits tried in Prolog while the cell could hold another one; decisions of a SAT solver."""
    conflicts: int | None = None
    """Dead ends, in Prolog."""
    inferences: int | None = None
    chosen: tuple[str, ...] = ()
    """The options with which the program searched, of an instance; none if it was the usual way."""

    @property
    def stats(self) -> dict[str, float]:
        """The known measures of the work, by name."""
        known = self._asdict()
        return {name: known[name] for name in self._fields[1:-1] if known[name] is not None}

    def __str__(self) -> str:
        seconds = {"setup": "set-up", "propagation": "propagation", "search": "search"}
        parts = [
            f"{seconds[name]} {number * 1e3:.1f} ms"
            if name in seconds
            else f"{number:,} {name if number != 1 else name.removesuffix('s')}"
            for name, number in self.stats.items()
        ]
        return "; ".join(filter(None, (", ".join(parts), " ".join(self.chosen))))


class Event(NamedTuple, Generic[P, A]):
    """One thing that happens in a search. The level is the number of choices that are open.

    Of a sudoku, what is placed or excluded is a `Placement`; of an instance, an `Atom`.
    """

    kind: Literal["choice", "implied", "conflict", "back", "solution"]
    level: int
    """For ``"back"``: the choices above this level are undone."""
    placed: tuple[P, ...] = ()
    """Of a choice, the placement that is tried; of what is implied, every new placement. A choice
    without a placement is about another atom of the program."""
    excluded: tuple[P, ...] = ()
    """The same of digits that a cell does not hold; not those of cells that are filled in."""
    solution: A | None = None
    """In an optimization, each one is better than the one before."""


def checked_demands(layout: Layout, demands: Iterable[Demand]) -> list[Demand]:
    """The demands; ValueError if grids of this layout cannot have one of them."""
    demand_tuples = [tuple(demand) for demand in demands]
    known = _demands(layout)
    for demand in demand_tuples:
        if demand not in known:
            raise ValueError(f"{layout} has no {demand!r}")
    return demand_tuples


@lru_cache(32)
def _demands(layout: Layout) -> frozenset[Demand]:
    from ..rules.demands import known_rules  # which solving does without

    placements = list(product(range(1, layout.size + 1), repeat=3))
    excluded = (("excluded", *placement) for placement in placements)
    return frozenset((*known_rules(layout), *placements, *excluded))


def with_cells(demands: list[Demand]) -> list[Demand]:
    """With the demand that every cell holds one digit, if one of the demands implies it."""
    whole = any(demand[0] in ("house", "rule") for demand in demands)
    return [*demands, ("cells",)] if whole else demands


class Proof(NamedTuple):
    """The answer of an engine, and the lemmas that prove it complete."""

    solutions: tuple[Grid, ...]
    """No grid, the only solution, or two of several."""
    lemmas: tuple[Clause, ...]
    """Each follows by unit propagation from the clauses of the claim, from the clause that excludes
    the only solution, and from the lemmas before it; with them, propagation alone ends in a
    contradiction. Empty if there are two solutions."""
