"""The record of one certificate: made by clingo, checked by others.

It stands apart from the command, since a worker process does not import ``__main__`` of a package.
"""

from __future__ import annotations

from collections.abc import Sequence
from time import perf_counter
from typing import Any, NamedTuple

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.proofs import certify

from .checkers import refusal

Record = dict[str, Any]


class Item(NamedTuple):
    """A puzzle, and where it is: the name of its file and its number there, from 1."""

    where: str
    puzzle: Grid | Puzzle


def record(item: Item, checkers: Sequence[str], timeout: float | None) -> Record:
    """The certificate of a puzzle in figures: its size, times in seconds, and who refuses it."""
    start = perf_counter()
    certificate = certify(item.puzzle, timeout=timeout)
    seconds = {"made by clingo": perf_counter() - start}
    refused = {}
    for checker in checkers:
        start = perf_counter()
        where = refusal(certificate, checker, timeout)
        seconds[f"checked by {checker}"] = perf_counter() - start
        if where:
            refused[checker] = where
    return {
        "puzzle": item.where,
        "claim": certificate.claim,
        "lemmas": len(certificate.lemmas),
        "bytes": len(certificate.drat()),
        "seconds": {what: round(number, 5) for what, number in seconds.items()},
        "refused": refused,
    }
