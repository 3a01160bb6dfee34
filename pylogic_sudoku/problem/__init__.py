"""Any problem: programs that state it for an engine each, and instances to ask them about.

An `Instance` is a set of facts, with constants, and an `Answer` to it a set of atoms. `folder`
reads a problem, and `facts` an instance. Nothing here knows a cell, and an engine only by its name,
which is in `languages`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InvalidProblem, cost_text, counted, shortened
from ..question import Question
from .atoms import Answer, Atom, Remaining, Signature, is_asp

if TYPE_CHECKING:
    from .folder import Problem

SHORT = 80
"""Characters of the facts of an instance that a sentence shows."""

__all__ = ["Answer", "Atom", "Fact", "Instance", "Remaining", "Signature"]


class Fact(NamedTuple):
    """A fact, without its full stop, as both languages read it."""

    text: str
    signature: Signature


@dataclass(frozen=True, slots=True, eq=False)
class Instance(Question):
    """The facts that a problem is asked about.

    Two are equal if they have the same facts of the same problem, in whatever order.
    """

    choice = "pylogic_sudoku.engines.choice"
    has_atoms = True

    problem: Problem
    facts: tuple[Fact, ...]
    name: str = ""
    """The name of its file without the ending; empty for facts that are given as text."""
    constants: tuple[tuple[str, str], ...] = ()
    """The names and values of ``#const``, which a program for clingo may use."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Instance) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> tuple[object, ...]:
        return self.problem, frozenset(self.facts), frozenset(self.constants)

    @property
    def text(self) -> str:
        """The constants and facts as clingo reads them, one a line.

        A constant has this value also where the program gives it another by default.
        InvalidProblem if a fact has a list or another term that only Prolog has.
        """
        constants = (f"#const {name}={value}. [override]\n" for name, value in self.constants)
        facts = "".join(f"{fact.text}.\n" for fact in self.facts)
        if not is_asp(facts):
            strange = next(fact.text for fact in self.facts if not is_asp(fact.text))
            raise InvalidProblem(
                f"{self.label}: {shortened(strange)} is not a fact of ASP, which has no lists and"
                " no terms such as a-b; ask a program for Prolog"
            )
        return "".join((*constants, facts))

    @property
    def clauses(self) -> tuple[Fact, ...]:
        """The facts as Prolog has them: one more, ``constant(name,value)``, for each constant."""
        known = (f"constant({name},{value})" for name, value in self.constants)
        return (*(Fact(text, ("constant", 2)) for text in known), *self.facts)

    @property
    def label(self) -> str:
        """The name, or the facts if it has none, on one line."""
        return self.name or str(self) or "no facts"

    def __str__(self) -> str:
        constants = (f"#const {name}={value}." for name, value in self.constants)
        return " ".join((*constants, *(f"{fact.text}." for fact in self.facts)))

    def __repr__(self) -> str:
        return f"<Instance of {self.problem.name}: {self.label:.100}>"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        """Print the same in IPython, and in an example of Hypothesis."""
        printer.text(repr(self))

    @property
    def about(self) -> str:
        facts = str(self)
        return f" for {facts.removesuffix('.')}" if 0 < len(facts) <= SHORT else ""

    def lacking(self, number: int) -> str:
        return f"{counted(number, 'answer')}{self.about}"

    def lines(self, answer: Answer) -> list[str]:
        """The atoms, and the cost if there is one, on one line."""
        cost = f"   cost {cost_text(answer.cost)}" if answer.cost else ""
        return [f"{str(answer) or 'no atom'}{cost}"]

    def fields(self) -> dict[str, Any]:
        return self.to_json()

    def to_json(self) -> dict[str, Any]:
        """The problem, the name and constants if there are any, and the facts."""
        named = {"instance": self.name} if self.name else {}
        constants = {"constants": dict(self.constants)} if self.constants else {}
        facts = [each.text for each in self.facts]
        return {"problem": self.problem.name, **named, **constants, "facts": facts}
