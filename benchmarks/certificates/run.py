"""A long run: a record for each puzzle, in a file from which the run can go on."""

from __future__ import annotations

import json
import math
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku.proofs import certify

from .checkers import refusal

__all__ = ["Item", "Record", "earlier", "record", "summary"]

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


def earlier(path: Path, head: Record) -> list[Record]:
    """The records in the file, which begins with `head`; a line that was cut off is removed.

    A new or empty file gets its head. ValueError if it is the file of another run.
    """
    data = path.read_bytes() if path.exists() else b""
    lines = data.splitlines(keepends=True)
    first = json.dumps(head).encode() + b"\n"
    if not lines:
        path.write_bytes(first)
    elif lines[0] != first:
        raise ValueError(f"{path} has the records of another run; give another file")
    elif not lines[-1].endswith(b"\n"):
        os.truncate(path, len(data) - len(lines.pop()))
    return [json.loads(line) for line in lines[1:]]


def summary(records: Iterable[Record]) -> Iterator[str]:
    """The lines of the summary."""
    records = list(records)
    failed = [each for each in records if "error" in each]
    made = [each for each in records if "error" not in each]
    claims = Counter(each["claim"] for each in made)
    refused = Counter(name for each in made for name in each["refused"])
    yield f"{len(made):,} certificates: " + (_listed(claims) or "none")
    yield f"refused: {_listed(refused) or 'none'}; without a certificate: {len(failed):,}"
    if not made:
        return
    yield f"{'':24}{'median':>10}{'95 %':>10}{'most':>10}"
    for what in ("lemmas", "bytes"):
        yield _row(what, [each[what] for each in made])
    for what in made[0]["seconds"]:
        yield _row(f"ms {what}", [1000 * each["seconds"][what] for each in made])


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {what}" for what, number in counts.most_common())


def _row(what: str, numbers: Sequence[float]) -> str:
    ordered = sorted(numbers)
    places = (math.ceil(part * len(ordered)) - 1 for part in (0.5, 0.95, 1))
    form = "10,.1f" if what.startswith("ms") else "10,"
    return f"{what:24}" + "".join(format(ordered[place], form) for place in places)
