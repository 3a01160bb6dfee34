"""New puzzles with one solution, made to order."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from ..engines.sudoku import SudokuEngine, get
from ..errors import InvalidPuzzle
from ..formats import PuzzleLike
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from ..questions import checked_optional
from ..questions.many import checked_jobs, map_in_order
from ..running.workers import Progress, checked_timeout
from ..techniques.table import LEVELS, Level
from .dig import make
from .request import (
    SYMMETRIES,
    TRIES,
    MadePuzzles,
    Outcomes,
    Request,
    Symmetry,
    checked_givens,
    checked_name,
    checked_seed,
    checked_solution,
    empty_puzzle,
    no_two_equal,
)
from .rules import LAID, rules_named

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ..rules import Rule


__all__ = ["MadePuzzles", "generate"]


def generate(
    n: int | None = 1,
    minimal: bool = False,
    seed: int | str | None = None,
    *,
    givens: int | tuple[int, int] | None = None,
    symmetry: Symmetry | None = None,
    box: Box | None = None,
    regions: Iterable[Any] | None = None,
    level: Level | None = None,
    rules: Iterable[Rule | str] = (),
    solution: PuzzleLike | None = None,
    distinct: bool = True,
    backend: str | SudokuEngine = "clingo",
    certify: bool = False,
    tries: int | None = TRIES,
    jobs: int | None = None,
    executor: Executor | None = None,
    timeout: float | None = None,
    progress: Progress | None = None,
) -> MadePuzzles:
    """New puzzles, each with exactly one solution, made only on demand.

    Puzzle number i depends on `seed` and i alone, so `jobs` and `executor` do not change the
    answer.

    Args:
        n: How many; None for no end.
        minimal: True if no given can be removed; with `symmetry`, none with those that correspond
            to it.
        seed: A number or a text. Without one it is drawn: `MadePuzzles.seed` has it.
        givens: How many givens, or the least and the most (default: digging stops at a third of the
            cells; with `level` there may be fewer, or up to four ninths).
        symmetry: The symmetry of the pattern of givens: rotation (a half turn), quarter (a quarter
            turn), mirror (left and right), flip (top and bottom), diagonal, antidiagonal, mirrors,
            diagonals or full.
        box: Rows and columns of a box (default: 9x9 and boxes).
        regions: Regions instead of boxes, as for `Puzzle`.
        level: One of easy, medium, hard, unfair or extreme, as for `rate`.
        rules: Rules that hold as well, or their names if they are about the whole grid, such as
            ``"anti_knight"`` and ``"windoku"``; and names of kinds of rules, such as
            ``"killer_cage"``, that are laid over each solution.
        solution: A full grid that all of them have as their solution.
        distinct: True if no two may be equal. This keeps the text of each puzzle in memory.
        backend: The engine that has the last word on uniqueness.
        certify: True to let clingo and Prolog confirm the uniqueness as well.
        tries: The most full grids that are dug for one puzzle (default: 1000); None means no limit.
        jobs: The number of processes that share the work, as for `solve_many`.
        executor: An executor instead of our processes, as for `solve_many`.
        timeout: In seconds, over 0, for each puzzle; None means no limit.
        progress: Called with a description of the work whenever it changes; if other processes make
            the puzzles, only after each puzzle.

    Raises:
        ValueError: At once, for a request that makes no sense.
        TypeError: At once, for an argument of the wrong type.
        InvalidPuzzle: At once, for a box, regions, rules or a solution that do not fit each other.
        NotGenerated: If all tries fail; it has the attempts. Raised while iterating.
        SolveTimeout: If the time is used up before the answer is known. Raised while iterating.
        Disagreement: If an engine denies the uniqueness. Raised while iterating.
        BackendUnavailable: If the engine cannot be used here. Raised while iterating.
        BackendFailure: If the engine breaks, or cannot answer the question. Raised while iterating.

    >>> puzzle = next(generate(seed=1, box=(2, 2), minimal=True))
    >>> puzzle.size
    4
    """
    if isinstance(rules, str):
        raise TypeError(f"rules must be a list, such as [{rules!r}]")
    every = [*rules]
    kinds = tuple(dict.fromkeys(each for each in every if isinstance(each, str) and each in LAID))
    full = None if solution is None else checked_solution(solution, box)
    empty = empty_puzzle(full, box, regions)
    fixed = [
        rule
        for each in every
        if each not in kinds
        for rule in (rules_named(each, empty.layout) if isinstance(each, str) else [each])
    ]
    if fixed:
        empty = Puzzle(empty.grid, empty.regions, rules=fixed)
        for rule in empty.rules:
            rule.check_possible(empty.layout)
    if full is not None:
        full = Grid(full.digits, empty.box)
        if not full.is_solution_of(empty):
            raise InvalidPuzzle("solution must be a full grid that keeps all rules")
    get(backend)
    drawn = checked_seed(seed)
    request = Request(
        seed=drawn,
        empty=empty,
        solution=full,
        kinds=kinds,
        minimal=bool(minimal),
        givens=checked_givens(givens, empty),
        symmetry=checked_name("symmetry", symmetry, SYMMETRIES),
        level=checked_name("level", level, LEVELS),
        backend=backend,
        certify=bool(certify),
        tries=checked_optional("tries", tries, 1),
        timeout=checked_timeout(timeout),
    )
    jobs = checked_jobs(jobs, ours=executor is None)

    here = executor is None and (jobs is None or jobs == 1)

    def outcomes(numbers: Iterable[int]) -> Outcomes:
        ask = partial(make, request, progress=progress if here else None)
        return map_in_order(ask, numbers, jobs, executor)

    n = checked_optional("n", n, 0)
    return MadePuzzles(no_two_equal(outcomes, n, bool(distinct), progress), drawn)
