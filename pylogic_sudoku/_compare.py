"""Comparing the engines, on one puzzle or on many."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from ._api import PuzzleLike, at_most, solutions
from ._batch import checked_jobs, map_in_order, readable
from .engines import Backend, able
from .engines.budget import seconds
from .errors import BackendUnavailable, Disagreement, InvalidPuzzle, SudokuError
from .formats import as_puzzle, many
from .grid import Grid
from .puzzle import Puzzle

__all__ = ["Answer", "Comparison", "CrossCheck", "compare", "cross_check"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine found."""

    solutions: frozenset[Grid]
    complete: bool
    """True if these are all solutions; False if the engine was stopped at the limit."""
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
    """The answers of the engines to one puzzle, by engine name."""

    puzzle: Grid | Puzzle
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
        """Every grid that at least one engine gave."""
        return frozenset().union(*(answer.solutions for answer in self.answers.values()))

    @property
    def only(self) -> dict[str, frozenset[Grid]]:
        """By engine, the grids that it gives as solutions and that another one rejects."""
        rejected = frozenset().union(*self.rejected.values())
        return {name: answer.solutions & rejected for name, answer in self.answers.items()}

    @property
    def timings(self) -> dict[str, float]:
        """By engine, the seconds from the question to the last solution."""
        return {name: answer.seconds for name, answer in self.answers.items()}

    def __repr__(self) -> str:
        found = ", ".join(f"{name} {len(each.solutions)}" for name, each in self.answers.items())
        verdict = "agree" if self.agree else "disagree"
        return f"<Comparison: the engines {verdict}, solutions: {found}>"

    def check(self) -> None:
        """Raise Disagreement unless the engines agree."""
        if not self.agree:
            raise Disagreement(self.puzzle, self.answers)


def compare(
    puzzle: PuzzleLike,
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    limit: int | None = None,
    timeout: float | None = None,
) -> Comparison:
    """The solutions that each engine finds, and where they differ.

    `limit` is the most solutions that each engine is asked for, 1 or more; None means all. With
    a limit, two engines may rightly find different solutions. So an engine must confirm each
    solution of the others that it has not found itself: given that grid, it must return it.
    `timeout` is in seconds, over 0, for each engine and for each confirmation; None means no
    limit.

    A disagreement is an answer, not an error; `Comparison.check` makes it one. Raises
    InvalidPuzzle, BackendUnavailable, SolveTimeout or BackendFailure, and ValueError or TypeError
    for an impossible limit or timeout.

    >>> comparison = compare("12..34......4321")
    >>> comparison.agree, len(comparison.solutions)
    (True, 2)
    """
    limit, timeout = at_most(limit, least=1), seconds(timeout)
    puzzle = as_puzzle(puzzle)
    engines = [able(backend, puzzle) for backend in backends]
    answers = {engine.name: _answer(puzzle, engine, limit, timeout) for engine in engines}
    found = frozenset().union(*(answer.solutions for answer in answers.values()))
    rejected = {
        engine.name: frozenset(
            other
            for other in found - answers[engine.name].solutions
            if answers[engine.name].complete
            or not other.is_solution_of(puzzle)
            or engine.solve(puzzle.with_(*other.givens), timeout) != other
        )
        for engine in engines
    }
    return Comparison(puzzle, answers, rejected)


def _answer(
    puzzle: Grid | Puzzle, engine: Backend, limit: int | None, timeout: float | None
) -> Answer:
    engine.version()  # starts the engine, which does not count as the puzzle's time
    start = perf_counter()
    found = list(solutions(puzzle, engine, limit, timeout))
    passed = perf_counter() - start
    return Answer(frozenset(found), limit is None or len(found) < limit, passed)


class CrossCheck(NamedTuple):
    """The result for one puzzle of many: a comparison, or an error instead."""

    puzzle: Grid | Puzzle
    comparison: Comparison | None
    error: SudokuError | None

    def __repr__(self) -> str:
        return f"<CrossCheck: {self.error or self.comparison!r:.150}>"


def cross_check(
    puzzles: Iterable[PuzzleLike],
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    limit: int | None = 50,
    timeout: float | None = None,
    jobs: int | None = None,
) -> Generator[CrossCheck]:
    """Compare the engines on many puzzles, in order, lazily; `compare` does it for one.

    `limit` is the most solutions of a puzzle that are compared, 1 or more; None means all.
    `timeout` is in seconds, over 0, for each engine and puzzle. `jobs` processes share the work;
    they are spawned, so a script that uses them needs ``if __name__ == "__main__":``.

    If a puzzle times out or breaks an engine, its `CrossCheck` has the error, and the next
    puzzle follows. A puzzle that cannot be read (InvalidPuzzle) and a missing engine
    (BackendUnavailable) are raised while iterating; ValueError or TypeError for an impossible
    limit, timeout or number of jobs at once.

    >>> puzzles = ["4......3...13...", "12..34......4321", "11.............."]
    >>> [len(check.comparison.solutions) for check in cross_check(puzzles)]
    [1, 2, 0]
    """
    ask = partial(
        compare, backends=backends, limit=at_most(limit, least=1), timeout=seconds(timeout)
    )
    read = map(readable, many(puzzles, "cross_check"))
    return _checks(map_in_order(ask, read, checked_jobs(jobs)))


def _checks(outcomes: Generator[tuple[Any, Comparison | SudokuError]]) -> Generator[CrossCheck]:
    with closing(outcomes):
        for puzzle, outcome in outcomes:
            if isinstance(outcome, InvalidPuzzle | BackendUnavailable):
                raise outcome
            if isinstance(outcome, SudokuError):
                yield CrossCheck(puzzle, None, outcome)
            else:
                yield CrossCheck(puzzle, outcome, None)
