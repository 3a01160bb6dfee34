"""A coverage as text: a table of the programs, and the lines that no instance notices."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from ..errors import counted, shortened
from .plan import Coverage
from .trials import Trial

__all__ = ["as_text", "lines_of", "table", "where"]

HEADINGS = ("program", "file", "parts", "noticed", "late", "missed", "unknown")
SHOWN = 100
"""Characters of a part that a line shows."""


def as_text(coverage: Coverage) -> str:
    """The table and the lists, as text."""
    return "\n".join(lines_of(coverage))


def lines_of(coverage: Coverage) -> Iterator[str]:
    """Yield the lines of the text."""
    yield coverage.summary
    yield from (f"  {line}" for line in table(HEADINGS, rows(coverage)))
    for name, why in coverage.skipped.items():
        yield f"not tried: {name}: {why}"
    if coverage.incomplete:
        yield f"INCOMPLETE: {coverage.incomplete}"
    for heading, trials in (
        ("No instance notices that these are missing:", coverage.missed),
        ("Noticed by time alone:", coverage.late),
        ("Not known in time:", coverage.unknown),
    ):
        if trials:
            yield heading
            yield from map(line_of, trials)


def rows(coverage: Coverage) -> Iterator[list[str]]:
    """Yield a row for each program."""
    for each in coverage.programs:
        numbers = [len(each.of(verdict)) for verdict in ("noticed", "late", "missed", "unknown")]
        yield [each.name, each.path.name, *map(str, (len(each.trials), *numbers))]


def table(headings: Sequence[str], rows: Iterator[list[str]]) -> Iterator[str]:
    """Yield the lines of a table; columns with numbers are aligned on the right."""
    cells = [list(headings), *rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (
            each.rjust(width) if is_number(at, cells) else each.ljust(width)
            for at, (each, width) in enumerate(zip(row, widths, strict=True))
        )
        yield "  ".join(padded).rstrip()


def is_number(at: int, cells: list[list[str]]) -> bool:
    """True if a column has numbers only, below its heading."""
    column = [row[at] for row in cells[1:]]
    return bool(column) and all(each.replace(".", "").isdigit() or not each for each in column)


def line_of(trial: Trial) -> str:
    """A part, with its place as editors read it, and what is special about it."""
    edit = trial.edit
    text = f"{where(edit.file)}:{edit.line}: {shortened(edit.words, SHOWN)}"
    alike = [name for name, each in trial.outcomes.items() if each == "alike"]
    notes = []
    if trial.verdict == "late":
        notes.append(f"no end in time on {', '.join(trial.late)}")
    if trial.verdict == "unknown":
        notes.append(f"{', '.join(trial.unknown)}: not answered in time even with it")
    if alike and not trial.is_noticed:
        notes.append(f"{counted(len(alike), 'instance')} compared up to the limit only")
    return f"{text}  ({'; '.join(notes)})" if notes else text


def where(file: Path) -> str:
    """A file as it is named from here, if it is below."""
    relative = os.path.relpath(file)
    return str(file) if relative.startswith(os.pardir) else relative
