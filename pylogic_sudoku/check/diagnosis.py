"""Reasons why a program loses a solution, or has a wrong answer: places in its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from ..running.process import WIDTH

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
    "cost",
    "unfound",
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
    """The statement or goal, on one line; empty if only the line is known."""
    words: str
    """Its effect on the solution, such as ``fails: all_distinct([5,3,4,6,7,8,9,1,1])``."""

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file}, line {self.line}"

    def __str__(self) -> str:
        quoted = f"`{self.text}` " if self.text else ""
        return f"{self.where}: {quoted}{self.words}".rstrip()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The reason why a program loses a solution, or has a wrong answer."""

    kind: Kind
    summary: str
    """One sentence."""
    places: tuple[Place, ...] = ()
    """The most likely first."""
    seconds: float = 0.0
    """The time that this diagnosis took."""
    reason: str = ""
    """The part of the summary that says why a lost answer is lost; empty for any other."""

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


STOPPED = {
    True: "the time for the explanation is over",
    False: "the program ended before the explanation was there",
}
MOST_PLACES = 8
"""Places of a diagnosis."""


def places_of(rows: list[Any], program: str = "") -> tuple[Place, ...]:
    """Return the places that an explaining process has written, each a row of the fields of one.

    Without a file, a place is in the `program` itself. ValueError or TypeError for other rows.
    """
    return tuple(_place(program, *row) for row in rows[:MOST_PLACES])


def _place(
    program: str, file: object, line: Any, column: Any, text: object, words: object
) -> Place:
    return Place(one_line(file) or program, int(line), int(column), one_line(text), one_line(words))


def plain(text: str) -> str:
    """Return lines in which a program can fake neither a verdict nor terminal control codes."""
    return "\n".join(printable(line.expandtabs()) for line in text.splitlines())


def printable(text: str) -> str:
    """Return the text on one line, with ``?`` for all that does not show itself.

    These are control characters, marks of the direction of writing, and bytes of file names that
    are not UTF-8.
    """
    return "".join(c if c.isprintable() else "?" for c in text)


def one_line(text: object) -> str:
    """Return a text on one line of bounded length; TypeError if it is none."""
    if not isinstance(text, str):
        raise TypeError(text)
    return " ".join(plain(text).split())[:WIDTH]
