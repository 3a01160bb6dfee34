"""What the fields of a rule hold, and how each engine and each format has them.

From the type of a field follow its checks, its JSON, its facts and its part of a Prolog term, so a
new rule needs only its fields.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from operator import index
from typing import Any

from .._geometry import Cells
from .._layout import MAX_SIZE, Cell
from ..errors import InvalidPuzzle, shown

__all__ = ["FIELDS", "Cells", "Field", "Groups", "NumberGroups", "Numbers"]

Groups = tuple[Cells, ...]
Numbers = tuple[int, ...]
NumberGroups = tuple[Numbers, ...]

LARGEST = 1_000_000
"""No sum of a rule comes near it, and clingo can add such numbers."""


class Field(ABC):
    """One type of field."""

    expected: str
    """What it holds, for a message."""

    @abstractmethod
    def read(self, value: Any) -> Any:
        """The checked value; InvalidPuzzle, TypeError or ValueError if it is another kind."""

    def to_json(self, value: Any) -> Any:
        return value

    @abstractmethod
    def facts(self, rule: int, name: object, value: Any) -> Iterator[str]:
        """The facts of ``encodings/rules.lp``."""

    @abstractmethod
    def term(self, value: Any) -> str:
        """The value in Prolog."""

    def words(self, name: str, value: Any) -> str:
        """What a person reads; may be empty."""
        return f"{name} {value}"

    def cells(self, value: Any) -> Iterator[Cell]:
        """The cells in it."""
        return iter(())


class _Cells(Field):
    expected = "cells such as ['r1c1', 'r1c2']"

    def read(self, value: Any) -> Cells:
        items = re.split(r"[\s,]+", value.strip()) if isinstance(value, str) else items_of(value)
        found = []
        for each in items:
            try:
                found.append(Cell.of(tuple(each) if isinstance(each, list) else each, MAX_SIZE))
            except IndexError:
                raise ValueError(f"{shown(each)} is not a cell; expected such as r1c1") from None
        return tuple(found)

    def to_json(self, value: Cells) -> list[str]:
        return [str(cell) for cell in value]

    def facts(self, rule: int, name: object, value: Cells) -> Iterator[str]:
        for at, (row, column) in enumerate(value, 1):
            yield f"on({rule},{name},{at},{row},{column})."

    def term(self, value: Cells) -> str:
        return listed(f"{row}-{column}" for row, column in value)

    def words(self, name: str, value: Cells) -> str:
        text = ", ".join(map(str, value[:-1])) + (" and " if value[1:] else "") + str(value[-1])
        return text if name == "cells" else f"{name} {text}"

    def cells(self, value: Cells) -> Iterator[Cell]:
        return iter(value)


class _Numbers(Field):
    expected = "whole numbers such as [1, 2]"

    def read(self, value: Any) -> Numbers:
        if isinstance(value, str):
            raise TypeError
        return tuple(map(number_of, items_of(value)))

    def to_json(self, value: Numbers) -> list[int]:
        return list(value)

    def facts(self, rule: int, name: object, value: Numbers) -> Iterator[str]:
        for at, number in enumerate(value, 1):
            yield f"value({rule},{name},{at},{number})."

    def term(self, value: Numbers) -> str:
        return listed(map(str, value))

    def words(self, name: str, value: Numbers) -> str:
        return f"{name} {', '.join(map(str, value))}" if value else ""


class _Several(Field):
    """Groups of what another field holds; a group counts from 1: ``(pairs,3)`` is the third."""

    def __init__(self, one: _Cells | _Numbers) -> None:
        self.one = one
        self.expected = f"lists of {one.expected}"

    def read(self, value: Any) -> tuple[Any, ...]:
        if isinstance(value, str):
            raise TypeError
        return tuple(map(self.one.read, items_of(value)))

    def to_json(self, value: Any) -> list[Any]:
        return [self.one.to_json(each) for each in value]

    def facts(self, rule: int, name: object, value: Any) -> Iterator[str]:
        for at, each in enumerate(value, 1):
            yield from self.one.facts(rule, f"({name},{at})", each)

    def term(self, value: Any) -> str:
        return listed(map(self.one.term, value))

    def words(self, name: str, value: Any) -> str:
        texts = " / ".join(self.one.words("cells", each).removeprefix("cells ") for each in value)
        return f"{name} {texts}" if value else ""

    def cells(self, value: Any) -> Iterator[Cell]:
        for each in value:
            yield from self.one.cells(each)


class _Number(Field):
    expected = "a whole number"

    def read(self, value: Any) -> int | None:
        return number_of(value)

    def facts(self, rule: int, name: object, value: int) -> Iterator[str]:
        yield f"value({rule},{name},1,{value})."

    def term(self, value: int) -> str:
        return str(value) if value >= 0 else f"({value})"  # `=-` would be one operator


class _Optional(_Number):
    expected = "a whole number, or nothing"

    def read(self, value: Any) -> int | None:
        return None if value is None else number_of(value)


class _Flag(Field):
    expected = "true or false"

    def read(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise TypeError
        return value

    def facts(self, rule: int, name: object, value: bool) -> Iterator[str]:
        if value:
            yield f"value({rule},{name},1,1)."

    def term(self, value: bool) -> str:
        return "true" if value else "false"

    def words(self, name: str, value: bool) -> str:
        return name if value else f"not {name}"


class _Text(Field):
    """For people: the engines do not get it."""

    expected = "text"

    def read(self, value: Any) -> str:
        if not isinstance(value, str):
            raise TypeError
        return value

    def facts(self, rule: int, name: object, value: str) -> Iterator[str]:
        return iter(())

    def term(self, value: str) -> str:
        return ""

    def words(self, name: str, value: str) -> str:
        return value


FIELDS: dict[Any, Field] = {
    Cells: _Cells(),
    Groups: _Several(_Cells()),
    Numbers: _Numbers(),
    NumberGroups: _Several(_Numbers()),
    int: _Number(),
    int | None: _Optional(),
    bool: _Flag(),
    str: _Text(),
}
"""By the type of the field."""


def number_of(value: Any) -> int:
    """The whole number, within the range that both engines can add up."""
    if isinstance(value, bool):
        raise TypeError
    number = index(value)
    if abs(number) > LARGEST:
        raise InvalidPuzzle(f"{shown(value)} is too large a number for a rule")
    return number


def items_of(value: Any) -> list[Any]:
    """The items of a list, a tuple or another iterable that is not text."""
    if not isinstance(value, Iterable) or isinstance(value, bytes | dict):
        raise TypeError
    return list(value)


def listed(items: Iterable[str]) -> str:
    """A list in Prolog."""
    return f"[{','.join(items)}]"
