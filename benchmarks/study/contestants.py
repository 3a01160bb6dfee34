"""The list of all who take part."""

from __future__ import annotations

from .ingredients import ingredients
from .ours import Contestant, ours
from .outsiders import Z3, CpSat, Glucose


def contestants() -> list[Contestant]:
    """All of them, our own programs first."""
    return [*ours(), *ingredients(), CpSat(), Glucose(), Z3()]
