"""Why a program loses a solution, or gives an answer that is not one: places in its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple, get_args

from ..engines.process import Bounds, Ended, Limits

Kind = Literal[
    "constraint",
    "underived",
    "unsatisfiable",
    "goal",
    "unbound",
    "loop",
    "error",
    "slow",
    "too many",
    "house",
    "none",
    "stopped",
]


class Place(NamedTuple):
    """A place in a program."""

    file: str
    """As the report names it: ``main.pl``, without its folder."""
    line: int
    column: int
    """From 1; 0 if it is not known."""
    text: str
    """The statement or goal, on one line."""
    words: str
    """What it does to the solution, such as ``fails: all_distinct([5,3,4,6,7,8,9,1,1])``."""

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.where}: `{self.text}` {self.words}".rstrip()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """Why a program loses a solution, or gives an answer that is not one."""

    kind: Kind
    summary: str
    """One sentence."""
    places: tuple[Place, ...] = ()
    """The most likely first."""
    seconds: float = 0.0
    """How long it took to find this."""

    def __str__(self) -> str:
        return "\n".join([self.summary, *map(str, self.places)])

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "kind": self.kind,
            "summary": self.summary,
            "places": [place._asdict() for place in self.places],
            "seconds": self.seconds,
        }


_STOPPED = {
    True: "the time for the explanation is over",
    False: "the program ended before the explanation was there",
}
_MOST_PLACES = 8


def diagnosis_of(lines: list[Any], ended: Ended, limits: Limits) -> Diagnosis:
    """Return the last diagnosis that an explaining process has written; it is the best one.

    The program runs in that process and may write, too, so nothing about a line is certain.
    """
    found = [line[1:] for line in lines if line[:1] == ["found"]]
    if not found and any(line[:2] == ["failed", "memory"] for line in lines):
        words = f"the explanation needs more than {limits.megabytes} MB of memory"
        return Diagnosis("stopped", words, seconds=ended.seconds)
    try:
        kind, summary, rows = found[-1]
        if kind not in get_args(Kind):
            raise ValueError(kind)
        places = tuple(_place(row, limits.bounds) for row in rows[:_MOST_PLACES])
        return Diagnosis(kind, _plain(summary, limits.bounds), places, ended.seconds)
    except (LookupError, ValueError, TypeError):
        return Diagnosis("stopped", _STOPPED[ended.code is None], seconds=ended.seconds)


def _place(row: list[Any], bounds: Bounds) -> Place:
    file, line, column, text, words = row
    file, text, words = (_plain(each, bounds) for each in (file, text, words))
    return Place(file, int(line), int(column), text, words)


def _plain(text: object, bounds: Bounds) -> str:
    """Return a text on one line of bounded length; TypeError if it is none."""
    if not isinstance(text, str):
        raise TypeError(text)
    return " ".join(text.split())[: bounds.width]
