"""The file ``exercise.toml`` of an exercise: how its programs are graded, and the points."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from ..errors import InvalidPuzzle
from ._bounds import BOUNDS, Bounds
from ._grading import Grader
from ._instances import vocabulary_of
from ._points import PARTS, Points

__all__ = ["FILE", "Settings", "settings_in"]

FILE = "exercise.toml"
_KINDS: dict[str, tuple[type, ...]] = {
    "title": (str,),
    "against": (str,),
    "limit": (int,),
    "timeout": (int, float),
    "total": (int, float),
    "memory": (int,),
    "predicate": (str,),
    "vocabulary": (str,),
    "input_atom": (str,),
    "output_atom": (str,),
    "constants": (list,),
}


@dataclass(frozen=True, slots=True)
class Settings:
    """An exercise in a folder."""

    instances: Path
    solutions: Path | None
    """None if engines solve the instances."""
    title: str
    options: dict[str, Any]
    """What the options of the same names would set."""
    points: Points
    bounds: Bounds


def settings_in(folder: Path) -> Settings | None:
    """Return the settings of the exercise in a folder; None if it has no ``exercise.toml``.

    InvalidPuzzle, which names the file, for a file that cannot be used.
    """
    file = folder / FILE
    if not file.is_file():
        return None
    try:
        read = tomllib.loads(file.read_text(encoding="utf-8"))
        return _settings(folder, read)
    except (OSError, ValueError) as error:
        raise InvalidPuzzle(f"{file}: {error}") from None


def _settings(folder: Path, read: dict[str, Any]) -> Settings:
    points = _points(read.pop("points", {}), read.pop("instances", {}))
    bounds = Bounds(**_known_in(read.pop("bounds", {}), "bounds", BOUNDS))
    for name, value in read.items():
        if name not in _KINDS:
            known = ", ".join([*_KINDS, "points", "instances", "bounds"])
            raise ValueError(f"{name!r} is not known; the names are {known}")
        if not isinstance(value, _KINDS[name]) or isinstance(value, bool):
            raise ValueError(f"{name} = {value!r}: expected {_expected(_KINDS[name])}")
    _check(read)
    solutions = folder / "solutions"
    return Settings(
        folder / "instances",
        solutions if solutions.is_dir() and "against" not in read else None,
        read.pop("title", folder.resolve().name),
        read,
        points,
        bounds,
    )


def _check(options: dict[str, Any]) -> None:
    """ValueError for values that no grader takes."""
    if not all(isinstance(constant, str) for constant in options.get("constants", ())):
        raise ValueError(f"constants = {options['constants']!r}: expected a list of texts")
    names = (options.get(name) for name in ("input_atom", "output_atom"))
    vocabulary_of(options.get("vocabulary", "initial"), *names)
    known = {field.name for field in fields(Grader)} - {"vocabulary"}
    Grader(**{name: value for name, value in options.items() if name in known})


def _expected(kinds: tuple[type, ...]) -> str:
    names: dict[type, str] = {str: "a text", list: "a list of texts", int: "a whole number"}
    return "a number" if len(kinds) > 1 else names[kinds[0]]


def _points(table: Any, instances: Any) -> Points:
    _known_in(table, "points", ("instance", *PARTS))
    worth, hidden = {}, []
    for name, about in _table(instances, "instances").items():
        for key in _table(about, f"instances.{name}"):
            if key not in ("points", "hidden"):
                raise ValueError(f"instances.{name}: expected points or hidden, not {key!r}")
        if "points" in about:
            worth[name] = about["points"]
        if about.get("hidden", False) is True:
            hidden.append(name)
        elif about.get("hidden", False) is not False:
            raise ValueError(f"instances.{name}: hidden is true or false")
    return Points(**table, instances=worth, hidden=frozenset(hidden))


def _known_in(table: Any, name: str, known: Sequence[str]) -> dict[str, Any]:
    for key in _table(table, name):
        if key not in known:
            raise ValueError(f"{name}: {key!r} is not known; the names are {', '.join(known)}")
    return dict(table)


def _table(value: Any, name: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} should be a table, [{name}]")
    return value
