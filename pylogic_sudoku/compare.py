"""The engines held against each other on one puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter

from .api import Puzzle, solutions
from .backends import Backend, get
from .errors import Disagreement
from .formats import as_grid
from .grid import Grid

__all__ = ["Answer", "Comparison", "compare"]


@dataclass(frozen=True, slots=True)
class Answer:
    """What one engine found."""

    solutions: frozenset[Grid]
    complete: bool
    """True if these are all of them; False if the engine was stopped at the limit."""
    seconds: float


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the engines say of one puzzle, by their names."""

    puzzle: Grid
    answers: dict[str, Answer]
    rejected: dict[str, frozenset[Grid]]
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
    def timings(self) -> dict[str, float]:
        """Seconds from the question to the last solution."""
        return {name: answer.seconds for name, answer in self.answers.items()}

    def check(self) -> None:
        """Raises Disagreement unless the engines agree."""
        if not self.agree:
            raise Disagreement(self.puzzle, self.answers)


def compare(
    puzzle: Puzzle,
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    limit: int | None = None,
    timeout: float | None = None,
) -> Comparison:
    """The solutions that each engine finds, and where they differ.

    With a `limit` two engines may rightly find different solutions. So a solution that another
    engine has not shown is given to it as a puzzle: it must find that very grid. `timeout` holds
    for each engine and for each such check.
    """
    grid = as_grid(puzzle)
    engines = [get(backend) for backend in backends]
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


def _answer(grid: Grid, engine: Backend, limit: int | None, timeout: float | None) -> Answer:
    engine.version()  # starts the engine, which is none of the puzzle's time
    start = perf_counter()
    found = list(solutions(grid, engine, limit, timeout))
    seconds = perf_counter() - start
    return Answer(frozenset(found), limit is None or len(found) < limit, seconds)
