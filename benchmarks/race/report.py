"""The result as tables and as JSON, and what we promise about our speed."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from fnmatch import fnmatchcase
from statistics import median
from typing import Any, NamedTuple

from rich.console import Console
from rich.table import Table

from pylogic_sudoku import backends

from .measure import Result, SetResult
from .solvers import OURS

WIDTH = 110
"""Columns of a table in a file or a pipe."""


class Claim(NamedTuple):
    """A promise: the time of another contestant divided by ours is at least this, on this set."""

    puzzles: str
    """The name of the set."""
    ours: str
    other: str
    """A name, or a pattern such as ``python-sat*``."""
    least: float


class Verdict(NamedTuple):
    """The result of a claim."""

    claim: Claim
    other: str
    ratio: float

    @property
    def kept(self) -> bool:
        """True if it is as was promised."""
        return self.ratio >= self.claim.least

    def __str__(self) -> str:
        puzzles, ours, _, least = self.claim
        how = f"{self.ratio:.2f} times as fast as {self.other} (at least {least:.2f})"
        return f"{'kept' if self.kept else 'BROKEN'}: {puzzles}: {ours} {how}"


CLAIMS = (
    # python-sat takes half of clingo's time for ordinary puzzles, and longer for hard ones.
    Claim("random-10k", "clingo", "python-sat*", 1 / 3),
    Claim("17-clue", "clingo", "python-sat*", 1 / 3),
    Claim("hard-375", "clingo", "python-sat*", 1.3),
    Claim("17-clue", "sat", "clingo", 1.1),
    Claim("17-clue", "sat", "python-sat cadical195", 1 / 2),
    Claim("17-clue", "clingo", "ortools", 8),
    Claim("hard-375", "clingo", "ortools", 8),
    Claim("17-clue", "clingo", "clingo-bare", 1 / 1.2),
    Claim("hard-375", "clingo", "clingo-bare", 1 / 1.2),
    Claim("random-10k", "prolog", "prolog-classic", 6),
    Claim("17-clue", "prolog", "prolog-classic", 6),
    Claim("hard-375", "prolog", "prolog-classic", 2),
)


def verdicts(results: Sequence[SetResult]) -> Iterator[Verdict]:
    """Yield a verdict for every claim and every contestant it names, if both were measured."""
    for claim in CLAIMS:
        for result in results:
            ours = result.of(claim.ours)
            if result.puzzles.name != claim.puzzles or ours is None:
                continue
            for other in result.results:
                ratio = other.times(ours)
                if ratio and fnmatchcase(other.contestant, claim.other):
                    yield Verdict(claim, other.contestant, ratio)


def console(*, stderr: bool = False) -> Console:
    """Return a console without colour if NO_COLOR is set."""
    return Console(
        stderr=stderr,
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if stderr or sys.stdout.isatty() else WIDTH,
    )


def table(results: Iterable[SetResult], cpu: bool = False) -> Table:
    """Return a row for each contestant and set: the median time of the rounds, and the range."""
    unit = "milliseconds of processor time" if cpu else "milliseconds"
    made = Table("set", "contestant", title=f"{unit} for each puzzle")
    for heading in ("puzzles", "median", "range", *(f"x {name}" for name in OURS)):
        made.add_column(heading, justify="right")
    for result in results:
        references = [result.of(name) for name in OURS]
        first = True
        for row in result.results:
            if row.done or row.wrong:
                made.add_row(
                    result.puzzles.name if first else "",
                    row.contestant,
                    _number_done(result, row),
                    *_times(row),
                    *(_ratio(row, reference) for reference in references),
                )
                first = False
        made.add_section()
    return made


def notes(results: Iterable[SetResult]) -> Iterator[str]:
    """Yield which contestants gave a wrong answer, were stopped, or did not take part, and why."""
    left_out: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for row in result.results:
            if row.wrong:
                yield f"{result.puzzles.name}: {row.contestant} is WRONG: {row.wrong}"
            elif row.note:
                left_out.setdefault((row.contestant, row.note), []).append(result.puzzles.name)
    for (name, note), sets in left_out.items():
        yield f"{', '.join(sets)}: without {name} ({note})"


def as_json(results: Sequence[SetResult], settings: dict[str, object]) -> dict[str, Any]:
    """Return everything that was measured; times are in seconds, for each round and puzzle."""
    return {
        "machine": {
            "processors": os.cpu_count(),
            "platform": platform.platform(),
            "python": platform.python_version(),
            "engines": {info.name: f"{info.engine} {info.version}" for info in backends()},
        },
        "settings": settings,
        "sets": [
            {
                "set": result.puzzles.name,
                "box": result.puzzles.box,
                "puzzles": len(result.puzzles.puzzles),
                "contestants": [
                    {
                        **vars(row),
                        "ratios": {
                            name: row.times(ours) for name in OURS if (ours := result.of(name))
                        },
                    }
                    for row in result.results
                ],
            }
            for result in results
        ],
    }


def _number_done(result: SetResult, row: Result) -> str:
    number = len(result.puzzles.puzzles)
    return f"{row.done:,}" if row.done == number else f"{row.done:,} of {number:,}"


def _times(row: Result) -> tuple[str, str]:
    if not row.done:
        return "-", "-"
    low, high = min(row.seconds), max(row.seconds)
    return _ms(median(row.seconds)), f"{_ms(low)}-{_ms(high)}"


def _ms(seconds: float) -> str:
    """Return milliseconds with three significant digits."""
    ms = seconds * 1e3
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.3g}"


def _ratio(row: Result, reference: Result | None) -> str:
    ratio = row.times(reference) if reference else None
    return "-" if ratio is None else f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
