"""The goals that keep a program from ending, as `prolog/host/slices.pl` finds them."""

from __future__ import annotations

from typing import Any

from ..errors import listed
from ..running.process import Ended
from .diagnosis import Diagnosis, Kind, one_line, places_of

SECONDS = 10.0
"""Time for the search, whatever the limit of the program. Few programs need a second."""

_WORDS: dict[str, tuple[Kind, str]] = {
    "sure": ("loop", "the program does not end"),
    "likely": ("loop", "the program seems not to end"),
    "slow": ("slow", "the program does not end in time, but may only be slow"),
}
"""The kind of a diagnosis, and its beginning, by how sure it is that the program never ends."""


def loop_in(lines: list[Any], ended: Ended, program: str) -> Diagnosis | None:
    """Return what the searching process has written; None if that is no loop.

    The program runs in that process and may write, too, so nothing about a line is certain.
    """
    for line in lines:
        try:
            word, how, why, rows = line
            if word == "loop":
                kind, begin = _WORDS[how]
                places = places_of(rows, program)
                reason = f": {one_line(why)}" if why else ""
                return Diagnosis(kind, f"{begin}{reason}{_matter(rows)}", places, ended.seconds)
        except (LookupError, ValueError, TypeError, OverflowError):
            continue
    return None


def _matter(rows: list[Any]) -> str:
    """The lines of a slice in words; nothing if all is in one, or some are in another file."""
    runs: list[list[int]] = []
    lines = sorted({int(row[1]) for row in rows})
    for line in lines:
        if runs and line == runs[-1][-1] + 1:
            runs[-1].append(line)
        else:
            runs.append([line])
    parts: list[str] = []
    for run in runs:
        if len(run) > 2:
            parts.append(f"{run[0]}-{run[-1]}")
        else:
            parts += map(str, run)
    if len(lines) < 2 or any(row[0] for row in rows):
        return ""
    return f"; only lines {listed(parts)} matter"
