"""Values that explain why a program does not have an answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from ..errors import shortened
from ..problem import Atom

MANY = 4
"""Lines that are named beside the first one, at most."""
SHOWN = 120
"""Characters of a line that a sentence shows."""


class Line(NamedTuple):
    """A place in a program: the name of its file, the line, and the source text that begins there.

    The text is a statement of ASP, or a goal of Prolog, without comments and on one line.
    """

    file: str
    number: int
    text: str
    column: int = 0
    """From 1; 0 if it is not known."""
    words: str = ""
    """Its effect on the answer, such as ``forbids queen(1,2) beside queen(2,2)``; or empty."""

    @property
    def shown(self) -> str:
        """The text, or its beginning if it is long."""
        return shortened(self.text, SHOWN)

    def __str__(self) -> str:
        return f"{self.file}:{self.number}: {self.shown}"

    def to_json(self) -> dict[str, Any]:
        """The file, the line and the text."""
        return {"file": self.file, "line": self.number, "text": self.text}


def first_of(names: Sequence[str]) -> str:
    """The names, or the first of them and the number of others if there are many."""
    if len(names) <= MANY:
        return ", ".join(names)
    return f"{', '.join(names[:MANY])} and {len(names) - MANY} more"


@dataclass(frozen=True, slots=True)
class Refusal:
    """The reason why a program does not have an answer. ``str`` of it is one or two sentences."""

    backend: str
    kind: str
    """``"excluded"``: a constraint or a goal keeps it out. ``"underived"``: no rule derives an atom
    of it, or no pair is for it. ``"cost"``: there are better answers. ``"unfound"``: the program
    accepts it in full, and does not find it when it searches. ``"accepted"``: the program has it.
    ``"unknown"``: no line keeps it out."""
    lines: tuple[Line, ...] = ()
    """The lines to blame, the most likely first."""
    together: int = 1
    """The number of lines, the first ones, that exclude the answer together, but not alone."""
    why: str = ""
    """The part of the reason that the lines lack: the atom, or the costs."""
    atom: Atom | None = None
    """The atom that no rule of an ASP program derives, if it is that."""

    def __str__(self) -> str:
        return f"{self.backend} {self.says}"

    @property
    def says(self) -> str:
        """The sentences without their subject, the backend: "refuses it: …"."""
        line = self.lines[0] if self.lines else None
        first = str(line) if line else ""
        if self.kind == "accepted":
            return "has it"
        if self.kind == "unfound":
            where = f"; look at {first}" if first else ""
            return f"accepts it in full, but does not find it when it searches{where}"
        reason = self.why
        if self.kind == "excluded" and not reason and line:
            fails = "fails" if line.file.endswith(".pl") else "excludes it"
            where, text = f"{line.file}:{line.number}", line.shown
            if self.together > 1:
                others = first_of([f"{each.file}:{each.number}" for each in self._others])
                reason = f"{where} excludes it together with {others}: {text}"
            else:
                reason = f"{where} {fails}: {text}"
        elif first:
            reason = f"{reason}; look at {first}"
        return f"refuses it: {reason}"

    @property
    def _others(self) -> tuple[Line, ...]:
        return self.lines[1 : self.together]

    def to_json(self) -> dict[str, Any]:
        """The fields, each line as an object, and the sentences as ``text``."""
        return {
            "backend": self.backend,
            "kind": self.kind,
            "lines": [each.to_json() for each in self.lines],
            "together": self.together,
            **({"why": self.why} if self.why else {}),
            **({"atom": self.atom.to_json()} if self.atom else {}),
            "text": str(self),
        }
