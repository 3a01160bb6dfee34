"""Any problem: programs that state it for an engine each, and instances to ask them about.

An `Instance` is a set of facts, and an `Answer` to it a set of atoms. `folder` reads a problem, and
`facts` an instance. Nothing here knows a cell, or an engine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from .atoms import Answer, Atom, Signature

if TYPE_CHECKING:
    from .folder import Problem

__all__ = ["Answer", "Atom", "Fact", "Instance", "Signature"]


class Fact(NamedTuple):
    """A fact, without its full stop, as both languages read it."""

    text: str
    signature: Signature


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    """The facts that a problem is asked about.

    Two are equal if they have the same facts of the same problem, in whatever order.
    """

    problem: Problem
    facts: tuple[Fact, ...]
    name: str = ""
    """The name of its file without the ending; empty for facts that are given as text."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[Problem, frozenset[Fact]]:
        return self.problem, frozenset(self.facts)

    @property
    def text(self) -> str:
        """The facts as both languages read them, one a line."""
        return "".join(f"{fact.text}.\n" for fact in self.facts)

    @property
    def label(self) -> str:
        """The name, or the facts if it has none, on one line."""
        return self.name or (str(self) if self.facts else "no facts")

    def __str__(self) -> str:
        return " ".join(f"{fact.text}." for fact in self.facts)

    def __repr__(self) -> str:
        return f"<Instance of {self.problem.name}: {self.label:.100}>"

    def to_json(self) -> dict[str, Any]:
        """The problem, the name if there is one, and the facts."""
        named = {"instance": self.name} if self.name else {}
        return {"problem": self.problem.name, **named, "facts": [each.text for each in self.facts]}
