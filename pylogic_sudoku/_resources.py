"""Where the Prolog and ASP files are, in a checkout and in an installed package alike."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["located", "resource"]


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
