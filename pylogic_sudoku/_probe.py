"""Probing: the engines compared on puzzles and on variants of them."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import closing
from functools import partial
from typing import Any, NamedTuple

from ._api import PuzzleLike, at_most, needed
from ._batch import checked_jobs, map_in_order, readable
from ._compare import Comparison, compare
from ._trouble import Trouble, trouble_with
from ._variants import Variant, variants
from .engines import Backend
from .engines.budget import seconds
from .errors import (
    BackendFailure,
    BackendUnavailable,
    InvalidPuzzle,
    SolveTimeout,
    SudokuError,
    counted,
)
from .formats import many
from .grid import Grid
from .puzzle import Puzzle

__all__ = ["Probe", "probe", "probed"]


class Probe(NamedTuple):
    """The result for one puzzle: a comparison of the engines, and what its variants showed."""

    puzzle: Grid | Puzzle
    comparison: Comparison | None
    """None if there was an error instead."""
    variants: tuple[Variant, ...] = ()
    """The variants that were asked and answered in time; after trouble no more are asked."""
    trouble: Trouble | None = None
    """What is wrong with the answers, if anything is."""
    error: SudokuError | None = None
    """What kept an engine from answering, if anything did."""

    def __repr__(self) -> str:
        found = self.error or self.trouble or self.comparison
        return f"<Probe: {counted(len(self.variants), 'variant')}, {found!r:.150}>"


def probe(
    puzzles: Iterable[PuzzleLike],
    backends: Sequence[str | Backend] = ("clingo", "prolog"),
    number: int = 5,
    limit: int | None = 50,
    timeout: float | None = None,
    jobs: int | None = None,
    seed: int = 0,
) -> Generator[Probe]:
    """Compare the engines on puzzles and on a `number` of variants of each, in order, lazily.

    A variant is an image, whose solutions are those of the puzzle carried over; or it has one part
    more or less: a given, a mark or a rule. Of two puzzles that differ by a part, the one that has
    it has those solutions of the other that obey the part. Each engine must answer like this, even
    if it is asked alone. The variants are chosen at random; the same `seed` chooses the same ones.

    `limit`, `timeout` and `jobs` are as for `cross_check`, and it raises the same errors. A variant
    that takes too long is left out. `Trouble.shrunk` finds a smallest puzzle with the same trouble.

    >>> [len(each.variants) for each in probe(["4......3...13...", "12..34......4321"])]
    [5, 5]
    """
    needed("number", number, 0)
    ask = partial(
        probed,
        backends=backends,
        number=number,
        limit=at_most(limit, least=1),
        timeout=seconds(timeout),
        seed=seed,
    )
    return _probes(map_in_order(ask, map(readable, many(puzzles, "probe")), checked_jobs(jobs)))


def _probes(outcomes: Generator[tuple[Any, Probe | SudokuError]]) -> Generator[Probe]:
    with closing(outcomes):
        for puzzle, outcome in outcomes:
            if isinstance(outcome, InvalidPuzzle | BackendUnavailable):
                raise outcome
            if isinstance(outcome, SudokuError):
                yield Probe(puzzle, None, error=outcome)
            else:
                yield outcome


def probed(
    puzzle: Grid | Puzzle,
    backends: Sequence[str | Backend],
    number: int,
    limit: int | None,
    timeout: float | None,
    seed: int,
) -> Probe:
    """The result for one puzzle; raises what `compare` raises about it."""
    ask = partial(compare, backends=backends, limit=limit, timeout=timeout)
    base = ask(puzzle)
    trouble = trouble_with(None, limit, base)
    # Of many solutions, an engine may find others next time; the variants should stay the same.
    sure = any(answer.complete for answer in base.answers.values())
    known = min(base.solutions, key=lambda grid: grid.digits, default=None) if sure else None
    asked: list[Variant] = []
    for variant in variants(puzzle, 0 if trouble else number, seed, known):
        other = variant.beside(puzzle)
        try:
            answer = ask(other)
        except SolveTimeout:
            continue
        except BackendFailure as error:
            broke = BackendFailure(f"on a variant, {variant}: {error}")
            return Probe(puzzle, base, tuple(asked), error=broke)
        asked.append(variant)
        before, after = (base, answer) if other is variant.changed else (answer, base)
        if trouble := trouble_with(variant.change, limit, before, after):
            break
    return Probe(puzzle, base, tuple(asked), trouble)
