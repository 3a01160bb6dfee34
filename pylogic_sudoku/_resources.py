"""Files and commands that differ between a checkout and an installed package."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["checkout", "install_command", "located", "pip_install", "resource"]


def resource(name: str) -> Path:
    """The path of ``prolog/...`` or ``encodings/...``: inside the package in a wheel, beside it in
    a checkout (an editable install)."""
    from pathlib import Path

    return Path(located(name))


def located(name: str) -> str:
    """The same path as text: a short run of the command line does without pathlib."""
    package = os.path.dirname(os.path.realpath(__file__))
    inside = os.path.join(package, name)
    return inside if os.path.exists(inside) else os.path.join(os.path.dirname(package), name)


def checkout() -> str | None:
    """The folder of the checkout that this package runs from; None if it is installed."""
    above = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
    return above if located("encodings") == os.path.join(above, "encodings") else None


def install_command(extra: str) -> str:
    """The command that installs what this extra needs, for the shell, in any folder.

    The package need not be on an index: in a checkout the command names the folder, elsewhere the
    packages of the extra.
    """
    if folder := checkout():
        return pip_install("-e", f"{folder}[{extra}]")
    import re
    from importlib.metadata import requires

    marked = re.compile(rf"(.*?) *; *extra == ['\"]{extra}['\"]")
    found = map(marked.fullmatch, requires("pylogic-sudoku") or ())
    return pip_install(*(each[1] for each in found if each))


def pip_install(*arguments: str) -> str:
    """The command for the shell by which pip installs this for the Python that runs."""
    import shlex

    return shlex.join([sys.executable, "-m", "pip", "install", *arguments])
