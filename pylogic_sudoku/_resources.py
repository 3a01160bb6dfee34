"""Where the Prolog and ASP files are, in a checkout and in an installed package alike."""

from __future__ import annotations

from pathlib import Path

__all__ = ["resource"]


def resource(name: str) -> Path:
    """The path of ``prolog/...`` or ``encodings/...``: inside the package in a wheel, beside it in
    a checkout (an editable install)."""
    package = Path(__file__).resolve().parent
    inside = package / name
    return inside if inside.exists() else package.parent / name
