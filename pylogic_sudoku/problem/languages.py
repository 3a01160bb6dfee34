"""The languages of programs, and the names by which a problem knows who runs them.

A problem's folder has programs in these languages. Nothing here knows an engine but by name;
``engines/registry.py`` has the engines themselves.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ..errors import InvalidProblem, shown

__all__ = ["DIALECTS", "ENDINGS", "Dialect", "checked_commands"]

ENDINGS = {"asp": ".lp", "prolog": ".pl"}
"""The languages of programs, and how the names of their files end."""


class Dialect(NamedTuple):
    """A language, with theory atoms such as ``&sum`` or without."""

    language: str
    """``"asp"`` or ``"prolog"``."""
    theory: bool = False

    @property
    def ending(self) -> str:
        """The ending of its files, such as ``".lp"``."""
        return ENDINGS[self.language]


DIALECTS = {
    "clingo": Dialect("asp"),
    "prolog": Dialect("prolog"),
    "clingcon": Dialect("asp", theory=True),
}
"""The dialects of a problem's programs, by the name of the engine of ours that runs them."""

_NAME = re.compile(r"[A-Za-z][\w.+-]*", re.ASCII)


def checked_commands(table: object, where: str) -> Mapping[str, str]:
    """Commands by short names; InvalidProblem, which begins with `where`, for anything else."""
    if not isinstance(table, dict):
        raise InvalidProblem(f"{where} is {shown(table)}; {COMMANDS}")
    for name, text in table.items():
        if not _NAME.fullmatch(name) or name in (*DIALECTS, "all"):
            raise InvalidProblem(f"{where}: {name!r} cannot be the name of a command; {COMMANDS}")
        if not isinstance(text, str):
            raise InvalidProblem(f"{where}: {name} is {shown(text)}; {COMMANDS}")
    return table


COMMANDS = 'expected a table of texts: old-clingo = "clingo {program} {instance} 0 --outf=2"'
