"""The lines of a program's text, with the parts that they belong to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path

from ..problem.text import read_text
from .result import ProgramCoverage
from .trials import Trial

__all__ = ["hits", "pieces"]


def pieces(file: Path, program: ProgramCoverage) -> Iterator[list[tuple[str, Trial | None]]]:
    """Yield each line of a file as its pieces, each with the smallest part that it belongs to."""
    text = read_text(file)
    owners: list[Trial | None] = [None] * len(text)
    own = [each for each in program.trials if each.edit.file == file]
    for trial in sorted(own, key=lambda each: each.edit.start - each.edit.end):
        edit = trial.edit
        owners[edit.start : edit.end] = [trial] * (edit.end - edit.start)
    start = 0
    for line in text.split("\n"):
        end = start + len(line)
        groups = groupby(range(start, end), key=lambda at: id(owners[at]))
        found = [list(places) for _, places in groups]
        yield [(text[each[0] : each[-1] + 1], owners[each[0]]) for each in found]
        start = end + 1


def hits(file: Path, program: ProgramCoverage) -> dict[int, int]:
    """The instances that notice each line with a part: the fewest, of the parts in it.

    By the number of the line. One that is noticed by time alone counts, too.
    """
    found: dict[int, int] = {}
    for number, line in enumerate(pieces(file, program), 1):
        numbers = [_noticing(trial) for text, trial in line if trial and text.strip(" \t,.;")]
        if numbers:
            found[number] = min(numbers)
    return found


def _noticing(trial: Trial) -> int:
    return len(trial.noticing) + len(trial.late)


def words_of(trial: Trial, instances: Sequence[str]) -> str:
    """A sentence about the instances that notice a part."""
    if trial.noticing:
        names = ", ".join(trial.noticing)
        return f"{len(trial.noticing)} of {len(instances)} instances notice it: {names}"
    if trial.late:
        return f"noticed by time alone: {', '.join(trial.late)}"
    if trial.unknown:
        return f"not known in time: {', '.join(trial.unknown)}"
    return "no instance notices that it is missing"
