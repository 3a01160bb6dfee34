"""The names of engines that are commands, and the commands that they stand for.

``exec:COMMAND`` is a command as it is, and a short name is one that the user's own configuration
has. A folder with a problem, which may be somebody else's, may suggest a command under a short
name; that runs nothing.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ...errors import BackendUnavailable
from ...problem.languages import checked_commands
from ..registry import BUILT_IN

if TYPE_CHECKING:
    from ...problem.folder import Problem

__all__ = ["ENGINE", "Command", "command_named", "configuration", "is_command", "short_names"]

ENGINE = "exec"
"""The engine before the colon."""
EXAMPLE = "exec:clingo {program} {instance} {limit} --outf=2"
_PLACE = re.compile(r"\{(program|instance|limit)(?::([^{}]*))?\}")
"""The parts of a word that are replaced."""


class Command(NamedTuple):
    """A command, as a text, and the name that it was asked for by."""

    name: str
    words: tuple[str, ...]

    @property
    def program(self) -> str | None:
        """The program that it gets: that of ``{program:NAME}``, empty for ``{program}``.

        None if it gets none.
        """
        found = self._places("program")
        return found[0] if found else None

    @property
    def reads_prolog(self) -> bool:
        """True if it gets the facts as Prolog reads them."""
        return "prolog" in self._places("instance")

    @property
    def enumerates_optima(self) -> bool:
        """True if it has the option by which clingo finds all best answers."""
        return any("optN" in word for word in self.words)

    def filled(self, program: str, instance: str, limit: int) -> list[str]:
        """Its words with these paths, and the most answers that are wanted, 0 for all."""
        values = {"program": program, "instance": instance, "limit": str(limit)}
        return [_PLACE.sub(lambda place: values[place[1]], word) for word in self.words]

    def _places(self, kind: str) -> list[str]:
        places = (place for word in self.words for place in _PLACE.finditer(word))
        return [place[2] or "" for place in places if place[1] == kind]


def is_command(name: str) -> bool:
    """True if the name stands for a command, which only the user may name."""
    return name.partition(":")[0] == ENGINE or name in short_names()


def command_named(name: str, problem: Problem | None = None) -> Command | None:
    """The command of this name; None if the name is not that of one.

    BackendUnavailable if the command cannot be read, or if only the problem's folder has the name:
    then the command is shown, and does not run.
    """
    engine, colon, text = name.partition(":")
    if colon:
        return _command(name, text) if engine == ENGINE else None
    if engine == ENGINE:
        raise BackendUnavailable("exec needs a command", f"Write it behind a colon: {EXAMPLE}")
    if text := short_names().get(name, ""):
        return _command(name, text)
    if problem and (text := problem.commands.get(name, "")):
        _command(name, text)
        file, whole = problem.folder / "problem.toml", shlex.quote(f"{ENGINE}:{text}")
        raise BackendUnavailable(
            f"{file} suggests the command {name}: {text}\nIt does not run, since a folder may be"
            " somebody else's.",
            f"If you trust it, give its text: -b {whole}\nor write it under [commands] in"
            f" {configuration()}",
        )
    return None


def _command(name: str, text: str) -> Command:
    """The command that a text is; BackendUnavailable if it is none."""
    try:
        words = tuple(shlex.split(text))
    except ValueError as error:
        raise _unreadable(text, f"it cannot be split into words: {str(error).lower()}") from None
    if not text.isprintable():  # or what is shown would not be what runs
        raise _unreadable(text, "it has a character that cannot be printed")
    if not words:
        raise _unreadable(text, "there is nothing behind the colon")
    command = Command(name, words)
    for kind, others in (("program", None), ("instance", ("", "prolog")), ("limit", ("",))):
        given = command._places(kind)
        if len(set(given)) > 1:
            raise _unreadable(text, f"it has several {{{kind}}}, and they are not the same")
        if others and given and given[0] not in others:
            expected = " or ".join(f"{{{kind}{each and ':'}{each}}}" for each in others)
            raise _unreadable(text, f"{{{kind}:{given[0]}}} is unknown; expected {expected}")
    if not command._places("instance"):
        raise _unreadable(text, "it does not get the facts, since {instance} is missing")
    return command


def _unreadable(text: str, why: str) -> BackendUnavailable:
    return BackendUnavailable(f"the command {text!r}: {why}", f"Expected one such as {EXAMPLE}")


# --- the user's configuration ---


def configuration() -> Path:
    """The file with the user's own commands, whether it is there or not."""
    base = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(base) / "pylogic-sudoku" / "config.toml"


def short_names() -> Mapping[str, str]:
    """The commands of the user by name; BackendUnavailable if the file cannot be read."""
    file = configuration()
    if not file.is_file():
        return {}
    import tomllib

    try:
        settings = tomllib.loads(file.read_text(encoding="utf-8"))
        for key in settings:
            if key != "commands":
                raise ValueError(f"there is no setting {key!r}; expected [commands]")
        commands = checked_commands(settings.get("commands", {}), "commands")
        if taken := [name for name in commands if name in BUILT_IN]:
            raise ValueError(f"commands: {taken[0]} is the name of an engine; choose another one")
        return commands
    except (OSError, ValueError) as error:
        raise BackendUnavailable(f"{file}: {error}", "Correct the file, or remove it.") from None
