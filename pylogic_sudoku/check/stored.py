"""Results as JSON, and back: those of a share, which make the same reports elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

from ..errors import Message
from .diagnosis import Diagnosis, Place
from .programs import Fault
from .results import Part, Result

__all__ = ["from_stored", "stored"]

_ANSWERS = ("missing_answer", "extra_answer")
_OTHERS = (*_ANSWERS, "question", "fault", "diagnosis", "errors", "warnings")
_PLAIN = tuple(each.name for each in fields(Result) if each.name not in _OTHERS)


@dataclass(frozen=True)
class _Value:
    """An answer, of which just its JSON is known."""

    json: Any

    def to_json(self) -> Any:
        return self.json


@dataclass(frozen=True)
class _Drawn:
    """A picture that is drawn already."""

    svg: str
    described: str

    def to_svg(self) -> str:
        return self.svg


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class _Stored(Result):
    """A result that shows what another one did."""

    atoms: bool = True
    shown: tuple[Part, ...] = ()

    @property
    def has_atoms(self) -> bool:
        return self.atoms

    def parts(self) -> Iterator[Part]:
        yield from self.shown


def stored(result: Result) -> dict[str, Any]:
    """Return a result as JSON; what is empty is left out."""
    facts = {name: getattr(result, name) for name in _PLAIN}
    for name in (*_ANSWERS, "diagnosis"):
        value = getattr(result, name)
        facts[name] = None if value is None else value.to_json()
    facts["fault"] = result.fault and [result.fault.words, result.fault.mistake]
    for name in ("errors", "warnings"):
        facts[name] = [list(each) for each in getattr(result, name)]
    facts["atoms"] = result.has_atoms
    facts["shown"] = [_part(each) for each in result.parts()]
    plain = {each.name: each.default for each in fields(Result)}
    return {
        name: value
        for name, value in facts.items()
        if name not in plain or value != plain[name] or type(value) is not type(plain[name])
    }


def _part(part: Part) -> dict[str, Any]:
    picture = part.picture and {"svg": part.picture.to_svg(), "described": part.picture.described}
    return {**part._asdict(), "picture": picture}


def from_stored(facts: dict[str, Any]) -> Result:
    """Return the result that `stored` made this of; KeyError or TypeError for anything else."""
    facts = dict(facts)
    for name in _ANSWERS:
        if facts.get(name) is not None:
            facts[name] = _Value(facts[name])
    if fault := facts.get("fault"):
        facts["fault"] = Fault(*fault)
    if why := facts.get("diagnosis"):
        facts["diagnosis"] = Diagnosis(**{**why, "places": tuple(map(_place, why["places"]))})
    for name in ("errors", "warnings"):
        facts[name] = tuple(Message(*each) for each in facts.get(name, ()))
    facts["shown"] = tuple(map(_read_part, facts["shown"]))
    return _Stored(**facts)


def _place(named: dict[str, Any]) -> Place:
    return Place(**named)


def _read_part(named: dict[str, Any]) -> Part:
    picture: Any = named["picture"] and _Drawn(**named["picture"])
    places = tuple(Place(*each) for each in named["places"])
    return Part(named["words"], tuple(named["lines"]), named["rule"], picture, places)
