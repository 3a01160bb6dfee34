"""The folder of an exercise: the settings in it, and the files that are filled in from templates.

The file ``exercise.toml`` has the settings of the grader.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple

from ..engines.command.named import is_command
from ..errors import InvalidPuzzle
from ..files import check_target, save
from ..problem.folder import Problem, instance_files
from .grading import Grader
from .programs import PROGRAM_FILES
from .reports import TEMPLATES
from .verdict import check_points

FILE = "exercise.toml"
_OF_ONE_RUN = ("allow_scripts", "allow_read", "user", "format", "box")
"""Settings of `Grader` that the file may not set: the rights of a program, and what belongs to one
run."""
_SETTABLE = [each.name for each in fields(Grader) if each.name not in _OF_ONE_RUN]
_PARTS = TEMPLATES / "exercise"
"""The templates of these files."""
LANGUAGES = {"asp": "ASP", "prolog": "Prolog"}


class Settings(NamedTuple):
    """The settings for grading programs on an exercise, or on other instances."""

    instances: Path | None = None
    """The folder of the exercise; None if there is none."""
    solutions: Path | None = None
    """None if engines solve the instances."""
    title: str = ""
    """Empty if there is none."""
    options: Mapping[str, Any] = {}
    """Fields of `Grader`."""
    description: str = ""
    """The text for students on what a program is to do; empty if the file has none."""


def settings_in(folder: Path) -> Settings:
    """Return the settings of the exercise in a folder; the usual ones without ``exercise.toml``.

    InvalidPuzzle, which names the file, for a file that cannot be used.
    """
    file = folder / FILE
    if not os.path.isfile(file):  # nor if the folder is a puzzle
        if not (folder / "cases.pl").is_file():
            return Settings()
        return Settings(folder, options={"problem": Problem(folder)})
    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
        return _settings(folder, settings)
    except (OSError, ValueError, TypeError) as error:
        raise InvalidPuzzle(f"{file}: {error}") from None


def _settings(folder: Path, settings: dict[str, Any]) -> Settings:
    title = _text(settings, "title", folder.resolve().name)
    description = _text(settings, "description", "")
    for name in settings:
        if name not in _SETTABLE:
            names = ", ".join(["title", "description", *_SETTABLE])
            raise ValueError(f"{name!r} is not known; the names are {names}")
    if settings.get("sandbox") == "off":
        raise ValueError("sandbox: only the command line can switch it off")
    if isinstance(against := settings.get("against"), str) and is_command(against):
        raise ValueError("against: only the command line can name a command, since it runs")
    instances, solutions = folder / "instances", folder / "solutions"
    if "problem" not in settings and (folder / "cases.pl").is_file():
        settings["problem"] = "."
    if isinstance(where := settings.get("problem"), str):
        settings["problem"] = Problem(folder / where if (folder / where).is_dir() else where)
    grader = Grader(**settings)  # an error for values that no grader takes
    if grader.problem and grader.problem.cases:
        return _of_cases(grader, Settings(folder, None, title, settings, description))
    own = [each.stem for each in instance_files(instances)]
    for hidden in grader.hidden:
        if hidden not in own:
            raise ValueError(f"hidden: there is no instance {hidden!r}")
    check_points(grader.points, own)
    with_solutions = solutions.is_dir() and "against" not in settings
    recorded = solutions if with_solutions else None
    return Settings(instances, recorded, title, settings, description)


def _text(settings: dict[str, Any], name: str, unset: str) -> str:
    """Take a text out of the settings; `unset` if it is not there."""
    text = settings.pop(name, unset)
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a text, not {text!r}")
    return text


def _of_cases(grader: Grader, settings: Settings) -> Settings:
    """Return the settings of an exercise whose instances are goals, after a look at the names."""
    names = [each.name for each in grader.instances((), None)]
    for name in grader.hidden:
        if name not in names:
            raise ValueError(f"hidden: there is no case {name!r}")
    check_points(grader.points, names)
    return settings


# --- its other files ---


def more_hidden(number: int) -> str:
    """The words on hidden instances that follow the number of those that are not."""
    if not number:
        return ""
    return f"; {number} more {'is' if number == 1 else 'are'} hidden"


def check_new(folder: Path) -> None:
    """InvalidPuzzle if the folder holds files that a new exercise would replace.

    OSError if it is there but nothing can be written to it.
    """
    for name in (FILE, "reference", *(part.name for part in _PARTS.iterdir())):
        if os.path.lexists(folder / name):
            raise InvalidPuzzle(f"{folder} already holds {name}; give a new folder")
    if folder.exists():
        check_target(folder / FILE)


def templates(program: str) -> dict[str, str]:
    """Return the other files of an exercise, by name; of programs to start from, only this one."""
    texts = {}
    for file in sorted(_PARTS.rglob("*")):
        other = file.suffix in PROGRAM_FILES and file.name != program
        if file.is_file() and not other:
            name = file.relative_to(_PARTS).as_posix().removesuffix(".txt")
            texts[name] = file.read_text(encoding="utf-8")
    return texts


def write_all(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """Write texts under these names in a folder, and return the files; scripts can be run."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        save(folder / name, text)
        if text.startswith("#!"):
            (folder / name).chmod(0o755)
    return [folder / name for name in texts]


def fill(text: str, words: Mapping[str, str]) -> str:
    """Return a template with the words in place of their names, such as ``@title@``."""
    for key, value in words.items():
        text = text.replace(f"@{key}@", value)
    return text
