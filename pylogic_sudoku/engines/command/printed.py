"""The output of a command as answers, read while it is printed.

It is clingo's JSON (``--outf=2``), whose answer sets are each read as soon as they are complete, or
facts, a line for each answer, which may be a set such as ``{p(1), q}``. The beginning shows which.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from ...errors import BackendFailure, InvalidProblem, shortened
from ...problem import Atom, Signature
from ...problem.atoms import from_symbol
from ...problem.facts import check_literals, read_answer
from ...problem.text import check_asp

if TYPE_CHECKING:
    import clingo

__all__ = ["AtomReader", "Ending", "Output", "Printed"]

FINISHED = (0, 10, 20, 30)
"""The exit codes of a solver that has done its work: 10 if there may be more answers, 20 if there
are none, 30 if there are no more."""
_JSON = "use clingo's option --outf=2, or print the atoms of each answer on a line"
_LIST = re.compile(r'"Witnesses"\s*:\s*\[')
_BEGIN = re.compile(r"\s*(\{\s*)?([^\s{])")
"""The brace of JSON or of a set, and the first character after it."""
_GAP = re.compile(r"[\s,]*")
_ATOM = re.compile(r'(?:"(?:\\.|[^"\\])*"|[^\s"])+')
"""An atom without blanks outside its strings, perhaps with a full stop."""
_PIECE = re.compile(r'"(?:\\.|[^"\\])*"|[^"]', re.DOTALL)
"""A string, or a character outside of strings."""


class Printed(NamedTuple):
    """An answer as it is printed."""

    atoms: list[str]
    costs: tuple[int, ...] = ()


class Ending(NamedTuple):
    """The facts about an output that has ended."""

    number: int
    """The answers that are printed."""
    more: bool
    """True if there may be others."""
    result: str = ""
    """In words of clingo, such as ``"OPTIMUM FOUND"``; empty if it prints facts."""
    optimal: int = 0
    """The number of best answers that clingo has counted."""


class Output:
    """The output of a command, part by part."""

    def __init__(self) -> None:
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._text = ""
        self._is_json: bool | None = None
        self._inside = False
        """True while answer sets are read."""
        self._around: list[str] = []
        """The parts of the JSON outside of answer sets."""
        self._number = 0

    def feed(self, part: bytes) -> Iterator[Printed]:
        """The answers that this part completes; BackendFailure for one that cannot be read."""
        self._text += self._decode(part)
        yield from self._read(last=False)

    def end(self, code: int) -> Iterator[Printed]:
        """The last answers of a command that has ended."""
        self._text += self._decode(b"", True)
        if code != 20 or self._text.strip():
            yield from self._read(last=True)

    def ending(self, code: int) -> Ending:
        """The facts about the output at its end; BackendFailure if the JSON is not complete."""
        if not self._is_json:
            return Ending(self._number, more=code == 10)
        text = "".join((*self._around, self._text))
        try:
            output = json.loads(text)
            result, models = output["Result"], output.get("Models", {})
            number = int(models.get("Number", self._number))
            more, optimal = models.get("More") == "yes", int(models.get("Optimal", 0))
        except (ValueError, LookupError, TypeError, AttributeError, RecursionError):
            raise BackendFailure(f"its output is not the JSON of clingo; {_JSON}") from None
        if number > self._number == 0:
            raise BackendFailure(f"it has found {number} answers, and printed none of them")
        return Ending(self._number, more, str(result), optimal)

    def _read(self, last: bool) -> Iterator[Printed]:
        if self._is_json is None:
            begin = _BEGIN.match(self._text)
            if not begin and not last:
                return
            self._is_json = bool(begin and begin[1] and begin[2] == '"')
        for printed in self._witnesses() if self._is_json else self._lines(last):
            self._number += 1
            yield printed

    def _witnesses(self) -> Iterator[Printed]:
        """The answer sets that are complete; the text is then what follows them."""
        decoder = json.JSONDecoder()
        while True:
            if not self._inside:
                if not (begin := _LIST.search(self._text)):
                    return
                self._around.append(self._text[: begin.end()])
                self._text, self._inside = self._text[begin.end() :], True
            place = 0
            while True:
                gap = _GAP.match(self._text, place)
                place = gap.end() if gap else place
                if self._text.startswith("]", place):
                    self._inside = False
                    break
                try:
                    value, place = decoder.raw_decode(self._text, place)
                except (ValueError, RecursionError):  # the rest of it is still to come
                    break
                yield _witness(value)
            self._text = self._text[place:]
            if self._inside:
                return

    def _lines(self, last: bool) -> Iterator[Printed]:
        *lines, self._text = self._text.split("\n")
        if last and self._text:
            lines.append(self._text)
            self._text = ""
        for line in lines:
            yield Printed(_atoms(line.strip()))


def _atoms(line: str) -> list[str]:
    """The atoms of a line: those between the commas of a set, or between blanks."""
    if not (line.startswith("{") and line.endswith("}")):
        return _ATOM.findall(line)
    atoms, depth = [""], 0
    for piece in _PIECE.findall(line[1:-1]):
        depth += (piece in "([") - (piece in ")]")
        if piece == "," and not depth:
            atoms.append("")
        else:
            atoms[-1] += piece
    return [atom.strip() for atom in atoms] if line[1:-1].strip() else []


def _witness(value: Any) -> Printed:
    try:
        atoms, costs = value["Value"], tuple(map(int, value.get("Costs", ())))
        if all(isinstance(atom, str) for atom in atoms):
            return Printed(list(atoms), costs)
    except (LookupError, TypeError, ValueError, AttributeError):
        pass
    raise BackendFailure(f"its output is not the JSON of clingo; {_JSON}")


class AtomReader:
    """Makes atoms of texts: those of the `outputs`, or all if there are none."""

    def __init__(self, outputs: Collection[Signature]) -> None:
        self._outputs = outputs
        self._known: dict[str, tuple[Atom, ...]] = {}

    def atoms(self, texts: list[str]) -> list[Atom]:
        """The atoms of an answer; BackendFailure for a text that is none."""
        known = self._known
        try:
            return [atom for text in texts for atom in known[text]]
        except KeyError:
            for text in texts:
                if text not in known:
                    known[text] = self._read(text, texts)
            return self.atoms(texts)

    def _read(self, text: str, texts: list[str]) -> tuple[Atom, ...]:
        try:
            atoms: list[Atom] = [_value_of(_parsed(text.rstrip(".")))]
        except (RuntimeError, ValueError):
            atoms = self._read_facts(text, " ".join(texts))
        if not self._outputs:
            return tuple(atoms)
        return tuple(atom for atom in atoms if atom.signature in self._outputs)

    def _read_facts(self, text: str, line: str) -> list[Atom]:
        """The facts without blanks between them, or such as p(1..3)."""
        try:
            return list(read_answer(text, "output"))
        except InvalidProblem:
            raise BackendFailure(
                f"it prints {shortened(line)!r}, where atoms are expected; {_JSON}"
            ) from None


def _parsed(text: str) -> clingo.Symbol:
    import clingo

    if ".." in text or "\0" in text:
        raise ValueError(text)
    check_asp(text, "output")
    check_literals(text, "output")
    return clingo.parse_term(text, logger=lambda *_: None)


def _value_of(symbol: clingo.Symbol) -> Atom:
    """The atom; clingcon prints the value of a variable as ``__csp(queen(1),5)``."""
    atom = from_symbol(symbol)
    if atom.name == "__csp" and len(atom.arguments) == 2:
        variable, value = atom.arguments
        if isinstance(variable, str):
            return Atom(variable, (value,))
        if isinstance(variable, Atom):
            return Atom(variable.name, (*variable.arguments, value))
    return atom
