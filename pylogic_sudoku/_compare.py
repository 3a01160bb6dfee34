"""Comparing the engines, on one puzzle or on many."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import NamedTuple

from ._api import PuzzleLike, at_most, processes, seconds, solutions
from ._batch import map_in_order, readable
from .engines import Backend, able
from .errors import (
    BackendFailure,
    BackendUnavailable,
    Disagreement,
    InvalidPuzzle,
    SudokuError,
)
from .formats import as_grid, many
from .grid import Grid

__all__ = ["Answer", "Comparison", "CrossCheck", "compare", "cross_check"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine found."""

    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them; False if the engine was stopped at the limit."""
    seconds: float

    def __str__(self) -> str:
        number = len(self.solutions)
        first = min(map(str, self.solutions), default="")
        return f"{number} solution{'s' * (number != 1)}{first and f', such as {first}'}"

    def __repr__(self) -> str:
        found = f"solutions={len(self.solutions)}, complete={self.complete}"
        return f"<Answer: {found}, seconds={self.seconds:.3g}>"


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the engines say of one puzzle, by their names."""

    puzzle: Grid
    answers: dict[str, Answer] = field(hash=False)
    rejected: dict[str, frozenset[Grid]] = field(hash=False)
    """By engine, the grids that others give as solutions and that it rejects."""

    @property
    def agree(self) -> bool:
        """True if no engine rejects another's solution, and all counts are the same."""
        counts = {len(answer.solutions) for answer in self.answers.values()}
        return len(counts) <= 1 and not any(self.rejected.values())

    @property
    def solutions(self) -> frozenset[Grid]:
        """Every grid that some engine gave."""
        return frozenset().union(*(answer.solutions for answer in self.answers.values()))

    @property
    def only(self) -> dict[str, frozenset[Grid]]:
        """By engine, the grids that it gives as solutions and that another one rejects."""
        rejected = frozenset().union(*self.rejected.values())
        return {name: answer.solutions & rejected for name, answer in self.answers.items()}

    @property
    def timings(self) -> dict[str, float]:
        """Seconds from the question to the last solution."""
        return {name: answer.seconds for name, answer in self.answers.items()}

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {len(each.solutions)}" for name, each in self.answers.items())
        said = "agree" if self.agree else "disagree"
        return f"<Comparison: the engines {said}, solutions: {found}>"

    def check(self) -> None:
        """Raises Disagreement unless the engines agree."""
        if not self.agree:
            raise Disagreement(self.puzzle, self.answers)


def compare(
    puzzle: PuzzleLike,
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    limit: int | None = None,
    timeout: float | None = None,
) -> Comparison:
    """The solutions that each engine finds, and where they differ.

    With a `limit` two engines may rightly find different solutions. So a solution that another
    engine has not shown is given to it as a puzzle: it must find that very grid. The limit is 1 or
    more, as without a solution there is nothing to compare. `timeout` is in seconds and holds for
    each engine and for each such check.
    """
    limit, timeout = at_most(limit, least=1), seconds(timeout)
    grid = as_grid(puzzle)
    engines = [able(backend, grid) for backend in backends]
    answers = {engine.name: _answer(grid, engine, limit, timeout) for engine in engines}
    found = frozenset().union(*(answer.solutions for answer in answers.values()))
    rejected = {
        engine.name: frozenset(
            other
            for other in found - answers[engine.name].solutions
            if answers[engine.name].complete
            or not other.is_solution_of(grid)
            or engine.solve(other, timeout) != other
        )
        for engine in engines
    }
    return Comparison(grid, answers, rejected)


class CrossCheck(NamedTuple):
    """What came of comparing one puzzle of many: a comparison, or the error instead."""

    puzzle: Grid
    comparison: Comparison | None
    error: SudokuError | None

    def __repr__(self) -> str:
        return f"<CrossCheck: {self.error or self.comparison!r:.150}>"


def cross_check(
    puzzles: Iterable[PuzzleLike],
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
    workers: int | None = None,
) -> Generator[CrossCheck]:
    """Compares the engines on one puzzle after the other, in the order given, lazily.

    A puzzle that times out or breaks an engine costs only itself; one that cannot be read, and a
    missing engine, are raised. With `workers`, as many processes share the work.

    >>> puzzles = ["4......3...13...", "12..34......4321", "11.............."]
    >>> [len(check.comparison.solutions) for check in cross_check(puzzles)]
    [1, 2, 0]
    """
    check = partial(
        _cross_check,
        backends=backends,
        limit=at_most(limit, least=1),
        timeout=seconds(timeout),
    )
    grids = map(readable, many(puzzles, "cross_check"))
    return _outcomes(map_in_order(check, grids, processes(workers), lost=_lost))


def _outcomes(checks: Iterator[CrossCheck | InvalidPuzzle]) -> Generator[CrossCheck]:
    for outcome in checks:
        if isinstance(outcome, InvalidPuzzle):
            raise outcome
        if isinstance(outcome.error, BackendUnavailable):
            raise outcome.error
        yield outcome


def _cross_check(
    puzzle: Grid | InvalidPuzzle,
    backends: Sequence[str | Backend],
    limit: int | None,
    timeout: float | None,
) -> CrossCheck | InvalidPuzzle:
    if isinstance(puzzle, InvalidPuzzle):
        return puzzle
    try:
        return CrossCheck(puzzle, compare(puzzle, backends, limit, timeout), None)
    except SudokuError as error:
        return CrossCheck(puzzle, None, error)


def _lost(puzzle: Grid | InvalidPuzzle, error: BackendFailure) -> CrossCheck | InvalidPuzzle:
    return puzzle if isinstance(puzzle, InvalidPuzzle) else CrossCheck(puzzle, None, error)


def _answer(grid: Grid, engine: Backend, limit: int | None, timeout: float | None) -> Answer:
    engine.version()  # starts the engine, which is not counted as the puzzle's time
    start = perf_counter()
    found = list(solutions(grid, engine, limit, timeout))
    passed = perf_counter() - start
    return Answer(frozenset(found), limit is None or len(found) < limit, passed)
