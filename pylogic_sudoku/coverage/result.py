"""The coverage of a problem's programs, as values and as text."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import counted
from ..problem.folder import Problem
from .edits import files_of
from .trials import Trial

__all__ = ["HEADINGS", "Coverage", "ProgramCoverage", "line_of", "rows", "table", "where"]

HEADINGS = ("program", "file", "parts", "noticed", "late", "missed", "unknown")
SHOWN = 100
"""Characters of a part that a line shows."""


@dataclass(frozen=True)
class ProgramCoverage:
    """The coverage of one program."""

    name: str
    """The name of the backend that runs it."""
    path: Path
    trials: tuple[Trial, ...]
    """One for each part that was tried, in the order of the text."""
    instances: tuple[str, ...]
    """The labels of the instances."""

    @property
    def files(self) -> list[Path]:
        """The program's own file, and those that it loads from its folder."""
        return files_of(self.path)

    def of(self, verdict: str) -> tuple[Trial, ...]:
        """The parts with a verdict: ``"noticed"``, ``"late"``, ``"missed"`` or ``"unknown"``."""
        return tuple(each for each in self.trials if each.verdict == verdict)

    @property
    def share(self) -> float:
        """The share of parts that some instance notices, if by time alone; 1 without any parts."""
        noticed = sum(each.is_noticed for each in self.trials)
        return noticed / len(self.trials) if self.trials else 1.0

    def to_json(self) -> dict[str, Any]:
        """The program, its file, and its parts."""
        return {
            "program": self.name,
            "file": str(self.path),
            "share": round(self.share, 4),
            "parts": [each.to_json() for each in self.trials],
        }


@dataclass(frozen=True)
class Coverage:
    """The coverage of a problem's programs by instances; ``str`` of it is a table and a list."""

    problem: Problem
    programs: tuple[ProgramCoverage, ...]
    instances: tuple[str, ...]
    """The labels of the instances."""
    skipped: dict[str, str]
    """The programs that cannot be run here, and the reasons."""
    incomplete: str = ""
    """The reason why some parts were not tried; empty if all were."""

    @property
    def missed(self) -> tuple[Trial, ...]:
        """The parts that no instance notices, each once."""
        return self._parts("missed")

    @property
    def late(self) -> tuple[Trial, ...]:
        """The parts that are noticed by time alone."""
        return self._parts("late")

    @property
    def unknown(self) -> tuple[Trial, ...]:
        """The parts of which it is not known within the time."""
        return self._parts("unknown")

    @property
    def is_full(self) -> bool:
        """True if each part was tried, and is noticed by some instance."""
        return not (self.missed or self.unknown or self.incomplete)

    def _parts(self, verdict: str) -> tuple[Trial, ...]:
        found = {each.edit: each for one in self.programs for each in one.of(verdict)}
        return tuple(found.values())

    @property
    def summary(self) -> str:
        """The numbers of parts and instances, in words."""
        parts = sum(len(each.trials) for each in self.programs)
        noticed = sum(each.is_noticed for one in self.programs for each in one.trials)
        words = f"{self.problem.name}: {noticed} of {counted(parts, 'part')} noticed by"
        return f"{words} {counted(len(self.instances), 'instance')}"

    def __str__(self) -> str:
        return "\n".join(lines_of(self))

    def __repr__(self) -> str:
        return f"<Coverage: {self.summary}>"

    def to_json(self) -> dict[str, Any]:
        """The instances, and the parts of each program with the outcomes on them."""
        return {
            "problem": self.problem.name,
            "folder": str(self.problem.folder),
            "instances": list(self.instances),
            "programs": [each.to_json() for each in self.programs],
            **({"skipped": self.skipped} if self.skipped else {}),
            **({"incomplete": self.incomplete} if self.incomplete else {}),
        }


# --- the text ---


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
    text = f"{where(edit.file)}:{edit.line}: {edit.brief(SHOWN)}"
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
