"""Why a program loses a solution, or gives an answer that is not one: places in its text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

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
