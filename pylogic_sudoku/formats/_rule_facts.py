"""Rules as facts for clingo, those of ``encodings/rules.lp``, read back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import InvalidPuzzle

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["RULE_FACTS", "RuleFacts"]

RULE_FACTS = {("rule", 2), ("on", 5), ("value", 4), ("option", 2), ("option", 3)}
"""Names and numbers of arguments."""

DEEPEST = 50
"""Alternatives within alternatives."""


class RuleFacts:
    """The facts of rules: their kinds, cells, numbers and alternatives."""

    def __init__(self) -> None:
        self._kinds: dict[str, str] = {}
        self._values: dict[str, dict[str, dict[int, Any]]] = {}
        self._options: dict[str, dict[int, list[str]]] = {}
        self._read: set[str] = set()

    def __bool__(self) -> bool:
        return bool(self._kinds)

    def add(self, name: str, terms: Sequence[int | str], where: Callable[[], str]) -> None:
        """Add a fact with these arguments: numbers, and other terms as text."""
        rule, *rest = terms
        key = str(rule)
        if name == "rule":
            if self._kinds.setdefault(key, str(rest[0])) != str(rest[0]):
                raise InvalidPuzzle(f"{where()}, but rule {key} is {self._kinds[key]}")
            return
        if name == "option":
            number = _number(rest[0], where)
            parts = self._options.setdefault(key, {}).setdefault(number, [])
            parts += map(str, rest[1:])
            return
        part, *numbers = rest
        values = [_number(each, where) for each in numbers]
        place = self._values.setdefault(key, {}).setdefault(str(part), {})
        value = values[1] if name == "value" else (values[1], values[2])
        if place.setdefault(values[0], value) != value:
            raise InvalidPuzzle(f"{where()}, but there is another such fact")

    def rules(self) -> list[Rule]:
        """The rules in the order of the facts, without those that are parts of others."""
        for key in [*self._values, *self._options]:
            if key not in self._kinds:
                raise InvalidPuzzle(f"rule {key} has no kind; expected a fact rule({key},...)")
        within = {
            part
            for options in self._options.values()
            for parts in options.values()
            for part in parts
        }
        found = [self._rule(key, ()) for key in self._kinds if key not in within]
        if left := self._kinds.keys() - self._read:
            raise InvalidPuzzle(f"rule {min(left)} is an alternative of itself")
        return found

    def _rule(self, key: str, above: tuple[str, ...]) -> Rule:
        from ..rules import KINDS, from_json
        from ..rules._rule import no_rule

        if key not in self._kinds:
            raise InvalidPuzzle(f"rule {key} has no kind; expected a fact rule({key},...)")
        if key in above or len(above) > DEEPEST:
            raise InvalidPuzzle(f"rule {key} is an alternative of itself, or too deep in others")
        self._read.add(key)
        kind = self._kinds[key]
        known = KINDS.get(kind)
        if known is None:
            raise InvalidPuzzle(f"rule {key}: {no_rule(kind)}")
        fields: dict[str, Any] = {}
        values = dict(self._values.get(key, {}))
        for name in known.types:
            found = self._field(name, known.types[name], values, key, above)
            if found is not None:
                fields[name] = found
        if values:
            raise InvalidPuzzle(f"rule {key}: {kind} has no {next(iter(values))}")
        if key in self._options and "options" not in known.types:
            raise InvalidPuzzle(f"rule {key}: {kind} has no options")
        return from_json({"rule": kind, **fields})

    def _field(
        self, name: str, field: Any, values: dict[str, Any], key: str, above: tuple[str, ...]
    ) -> Any:
        """The value of a field, taken from the values; None if there are no facts of it."""
        from ..rules._fields import FIELDS, Cells, Groups, NumberGroups, Numbers
        from ..rules._rule import Options

        if field is FIELDS[Options]:
            options = self._options.get(key, {})
            return [
                [self._rule(part, (*above, key)) for part in options[at]] for at in sorted(options)
            ]
        if field in (FIELDS[Groups], FIELDS[NumberGroups]):
            groups = sorted(
                (int(part[len(name) + 2 : -1]), part)
                for part in values
                if part.startswith(f"({name},") and part[len(name) + 2 : -1].isdecimal()
            )
            if groups and [at for at, _ in groups] != list(range(1, len(groups) + 1)):
                raise InvalidPuzzle(f"rule {key}: a group of {name} is missing")
            return [_in_order(values.pop(part), part, key) for _, part in groups] or None
        if name not in values:
            return None
        found = _in_order(values.pop(name), name, key)
        if field in (FIELDS[Cells], FIELDS[Numbers]):
            return found
        if len(found) != 1:
            raise InvalidPuzzle(f"rule {key}: {name} has {len(found)} values; expected one")
        return bool(found[0]) if field is FIELDS[bool] else found[0]


def _in_order(found: dict[int, Any], name: str, key: str) -> list[Any]:
    if sorted(found) != list(range(1, len(found) + 1)):
        raise InvalidPuzzle(f"rule {key}: {name} is not numbered from 1 to {len(found)}")
    return [found[at] for at in sorted(found)]


def _number(term: int | str, where: Callable[[], str]) -> int:
    if not isinstance(term, int):
        raise InvalidPuzzle(f"{where()}: {term} stands where a number is expected")
    return term
