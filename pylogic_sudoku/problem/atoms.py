"""Atoms and answers as values, whatever engine gave them.

An argument of an atom is an int, a str, a tuple, or an `Atom` for a term such as ``next(1)``. A
list is the term ``[]`` of its elements, which only Prolog has. A
text that is no constant of ASP is written in quotes; ``red`` and ``"red"`` are the same value,
since Prolog's atoms can hold any text. The term ``-red`` is the atom ``-`` of ``"red"``, as in
Prolog; an atom that is negated as a whole has a name that begins with the sign.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import number_text, shortened

if TYPE_CHECKING:
    import clingo

__all__ = ["Answer", "Atom", "Remaining", "Signature", "Value", "signature_of"]

Signature = tuple[str, int]
"""The name of a predicate, and the number of its arguments."""
Value = "int | str | Atom | tuple[Value, ...]"

_CONSTANT = re.compile(r"_*[a-z][A-Za-z0-9_']*", re.ASCII)
_SIGNATURE = re.compile(r"(-?_*[a-z][A-Za-z0-9_']*)/(\d+)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Atom:
    """An atom such as ``queen(3,5)``, or a term of this form."""

    name: str
    arguments: tuple[Any, ...] = ()

    @property
    def signature(self) -> Signature:
        """The predicate: its name, and the number of its arguments."""
        return self.name, len(self.arguments)

    def __str__(self) -> str:
        if self.name == "[]":
            return f"[{','.join(map(_text, self.arguments))}]"
        if not self.arguments:
            return self.name
        if self.name == "-" and len(self.arguments) == 1 and not isinstance(self.arguments[0], int):
            return f"-{_text(self.arguments[0])}"
        return f"{self.name}({','.join(map(_text, self.arguments))})"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Atom):
            return NotImplemented
        return bool(_order(self) < _order(other))

    def to_json(self) -> list[Any]:
        """The name and the arguments, as one list."""
        return [self.name, *map(_json, self.arguments)]


class Answer(frozenset[Atom]):
    """An answer to an instance: a set of atoms.

    It equals any set of the same atoms. ``str`` of it is the atoms as facts, in order.

    >>> answer = Answer([Atom("queen", (2, 4)), Atom("queen", (1, 2))])
    >>> print(answer)
    queen(1,2). queen(2,4).
    """

    __slots__ = ("cost",)
    cost: tuple[int, ...]
    """For an optimum: what is minimized, the most important first; else empty."""

    def __new__(cls, atoms: Iterable[Atom] = (), cost: Iterable[int] = ()) -> Answer:
        self = super().__new__(cls, atoms)
        self.cost = tuple(cost)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Answer, (tuple(self), self.cost)

    def values(self, name: str) -> list[tuple[Any, ...]]:
        """The arguments of the atoms with this name, in order.

        >>> Answer([Atom("queen", (2, 4)), Atom("queen", (1, 2))]).values("queen")
        [(1, 2), (2, 4)]
        """
        return [atom.arguments for atom in sorted(self) if atom.name == name]

    def __str__(self) -> str:
        return " ".join(f"{atom}." for atom in sorted(self))

    def __repr__(self) -> str:
        cost = f", cost {', '.join(map(str, self.cost))}" if self.cost else ""
        return f"<Answer: {shortened(str(self))}{cost}>"

    def to_json(self) -> dict[str, Any]:
        """The atoms as lists of a name and arguments, in order, and the cost if there is one."""
        atoms = [atom.to_json() for atom in sorted(self)]
        return {"atoms": atoms, **({"cost": list(self.cost)} if self.cost else {})}


class Written(NamedTuple):
    """An answer as text, which is quicker to find than the answer itself."""

    text: str
    cost: tuple[int, ...]

    def __str__(self) -> str:
        return self.text


class Numbered:
    """Atoms by numbers, in the order in which they are met, and answers of them."""

    def __init__(self) -> None:
        self.atoms: list[Atom] = []
        self._sets: list[frozenset[Atom]] = []  # sets are made of them without hashing atoms again
        self._places: list[int] = []
        self._texts: list[str] = []

    def text(self, numbers: Iterable[int]) -> str:
        """The answer with the atoms of these numbers, as ``str`` gives it."""
        if len(self._places) < len(self.atoms):
            in_order = sorted(range(len(self.atoms)), key=self.atoms.__getitem__)
            self._places = sorted(in_order, key=in_order.__getitem__)
            self._texts = [f"{self.atoms[number]}." for number in in_order]
        places = sorted(set(map(self._places.__getitem__, numbers)))
        return " ".join(map(self._texts.__getitem__, places))

    def answer_of(self, numbers: Iterable[int], cost: Iterable[int]) -> Answer:
        """The answer with the atoms of these numbers."""
        for atom in self.atoms[len(self._sets) :]:
            self._sets.append(frozenset((_one(atom),)))
        return Answer(_NO_ATOMS.union(*map(self._sets.__getitem__, numbers)), cost)


@lru_cache(1 << 16)
def _one(atom: Atom) -> Atom:
    """One object for equal atoms of several engines: sets of them are compared without `__eq__`."""
    return atom


_NO_ATOMS: frozenset[Atom] = frozenset()


class Remaining(frozenset[Atom]):
    """The atoms that an engine has left before it guesses: those that may be in an answer.

    It equals any set of the same atoms.
    """

    __slots__ = ("certain",)
    certain: frozenset[Atom]
    """Those of them that it knows to be in every answer."""

    def __new__(cls, atoms: Iterable[Atom] = (), certain: Iterable[Atom] = ()) -> Remaining:
        self = super().__new__(cls, atoms)
        self.certain = frozenset(certain)
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return Remaining, (tuple(self), tuple(self.certain))

    def texts(self) -> tuple[list[str], list[str]]:
        """The atoms, and those that are certain, as texts in order."""
        return list(map(str, sorted(self))), list(map(str, sorted(self.certain)))


def signature_of(text: object) -> Signature:
    """The predicate that a text such as ``queen/2`` names; ValueError if it names none."""
    match = _SIGNATURE.fullmatch(text.strip()) if isinstance(text, str) else None
    if match is None:
        raise ValueError(f"{text!r} is not a predicate; expected a name and a number: queen/2")
    return match[1], int(match[2])


def from_symbol(symbol: clingo.Symbol) -> Atom:
    """The atom that clingo names so; ValueError if an argument is #inf or #sup, or too deep."""
    from clingo import SymbolType

    if symbol.type != SymbolType.Function or not symbol.name:
        raise ValueError(f"{symbol} is not an atom")
    sign = "" if symbol.positive else "-"
    return Atom(sign + symbol.name, tuple(map(_value, symbol.arguments)))


DEEPEST = 100
"""Terms within terms: beyond some hundreds of them, Python can neither read nor send a value."""
TOO_DEEP = f"a term is nested more than {DEEPEST} deep"


def _value(symbol: clingo.Symbol, depth: int = 1) -> Any:
    from clingo import SymbolType

    if depth > DEEPEST:
        raise ValueError(TOO_DEEP)
    if symbol.type == SymbolType.Number:
        return symbol.number
    if symbol.type == SymbolType.String:
        return symbol.string
    if symbol.type != SymbolType.Function:
        raise ValueError(f"{symbol} is not a value that both engines have")
    arguments = tuple(_value(each, depth + 1) for each in symbol.arguments)
    if not symbol.name:
        return arguments
    value = Atom(symbol.name, arguments) if arguments else symbol.name
    return value if symbol.positive else Atom("-", (value,))


_STRING = re.compile(r'"(?:\\.|[^"\\])*"', re.DOTALL)
_NO_ASP = re.compile(r"\[|(?<![\w)])(?:[-+*/:^=]|->)\((?=[^()]*(?:\([^()]*\)[^()]*)*,)")


def is_asp(text: str) -> bool:
    """True if the text of facts has no list, and no operator of Prolog between two values."""
    return not _NO_ASP.search(_STRING.sub('""', text))


def from_lists(parts: Sequence[Any]) -> Atom:
    """The atom that Prolog gives as a list of its name and its arguments."""
    name, *arguments = parts
    return Atom(name, tuple(map(_listed, arguments)))


def _listed(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    name, *arguments = value
    values = tuple(map(_listed, arguments))
    return Atom(name, values) if name else values


def to_lists(atom: Atom) -> list[Any]:
    """The atom as Prolog takes it: a list of its name and its arguments."""
    return [atom.name, *map(_json, atom.arguments)]


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value if _CONSTANT.fullmatch(value) else quoted(value)
    if isinstance(value, tuple):
        return f"({','.join(map(_text, value))}{',' * (len(value) == 1)})"
    return number_text(value) if isinstance(value, int) else str(value)


def is_constant(text: str) -> bool:
    """True if a text can be written without quotes."""
    return bool(_CONSTANT.fullmatch(text))


def quoted(text: str) -> str:
    """A text in quotes, as both languages read it."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _json(value: Any) -> Any:
    if isinstance(value, Atom):
        return value.to_json()
    return ["", *map(_json, value)] if isinstance(value, tuple) else value


def _order(value: Any) -> Any:
    """A key by which values of all kinds have an order: numbers, texts, tuples, terms."""
    if isinstance(value, int):
        return 0, value
    if isinstance(value, str):
        return 1, value
    if isinstance(value, tuple):
        return 2, len(value), tuple(map(_order, value))
    return 3, value.name, len(value.arguments), tuple(map(_order, value.arguments))
