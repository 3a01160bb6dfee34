"""What came of it, as a table and as JSON."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Iterable, Iterator, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from ..engines import backends
from .claims import Verdict
from .contestants import OURS
from .measure import Result, SetResult

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

__all__ = ["as_json", "console", "notes", "plain_table", "table"]

WIDTH = 110
"""Columns of what goes to a file or a pipe."""


def console() -> Console:
    """Where tables are printed: standard output, without colour where that is not wanted."""
    from rich.console import Console

    return Console(
        color_system=None if os.environ.get("NO_COLOR") else "auto",
        width=None if sys.stdout.isatty() else WIDTH,
    )


def plain_table(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Table:
    """These rows under these headings."""
    from rich.table import Table

    made = Table(*headings)
    for row in rows:
        made.add_row(*row)
    return made


def table(results: Iterable[SetResult]) -> Table:
    """A row for each contestant and set; times are medians of the rounds, and their range."""
    from rich.table import Table

    made = Table("set", "contestant", title="milliseconds a puzzle, or an enumeration")
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
    """Who gave a wrong answer, was stopped, or did not take part, and why."""
    places: dict[tuple[str, str], list[str]] = {}
    for result in results:
        for row in result.results:
            if row.wrong:
                yield f"{result.puzzles.name}: {row.contestant} is WRONG: {row.wrong}"
            elif row.note:
                places.setdefault((row.contestant, row.note), []).append(result.puzzles.name)
    names: dict[tuple[str, str], list[str]] = {}
    for (name, note), sets in places.items():
        names.setdefault((", ".join(sets), note), []).append(name)
    for (sets_, note), left_out in names.items():
        yield f"{sets_}: without {', '.join(left_out)} ({note})"


def as_json(
    results: Sequence[SetResult], verdicts: Sequence[Verdict], **settings: object
) -> dict[str, Any]:
    """Everything that was measured; times are in seconds."""
    return {
        "machine": {
            "processors": os.cpu_count(),
            "platform": platform.platform(),
            "python": platform.python_version(),
            "engines": {info.name: f"{info.engine} {info.version}" for info in backends()},
        },
        "settings": settings,
        "sets": [_set_as_json(result) for result in results],
        "claims": [
            {"claim": verdict.claim._asdict(), "ratio": verdict.ratio, "kept": verdict.kept}
            for verdict in verdicts
        ],
    }


def _set_as_json(result: SetResult) -> dict[str, Any]:
    puzzles = result.puzzles
    return {
        "set": puzzles.name,
        "task": puzzles.task,
        "box": puzzles.box,
        "puzzles": len(puzzles.puzzles),
        "solutions": puzzles.expected,
        "contestants": [
            {
                "name": row.contestant,
                "version": row.version,
                "puzzles": row.done,
                "rounds": row.seconds,
                "median": median(row.seconds) if row.done else None,
                "ratios": {name: row.times(ours) for name in OURS if (ours := result.of(name))},
                "note": row.note,
                "wrong": row.wrong,
            }
            for row in result.results
        ],
    }


def _number_done(result: SetResult, row: Result) -> str:
    if result.puzzles.task != "solve":
        return f"{row.done} times"
    number = len(result.puzzles.puzzles)
    return f"{row.done:,}" if row.done == number else f"{row.done:,} of {number:,}"


def _times(row: Result) -> tuple[str, str]:
    if not row.done:
        return "-", "-"
    low, high = min(row.seconds), max(row.seconds)
    return _ms(median(row.seconds)), f"{_ms(low)}-{_ms(high)}"


def _ms(seconds: float) -> str:
    """Three digits that say something."""
    ms = seconds * 1e3
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.3g}"


def _ratio(row: Result, reference: Result | None) -> str:
    ratio = row.times(reference) if reference else None
    return "-" if ratio is None else f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}"
