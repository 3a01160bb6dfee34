"""The languages of programs, and the names by which a problem knows who runs them.

A problem's folder has programs in these languages. Nothing here knows an engine but by name;
``engines/specs.py`` has the engines themselves.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["DIALECTS", "ENDINGS", "Dialect"]

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
