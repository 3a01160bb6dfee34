"""The choice of engine: a name, and an import only when that engine is asked for.

Other packages add an engine by an entry point of the group ``pylogic_sudoku.backends`` that
names a subclass of `Backend`.
"""

from __future__ import annotations

import importlib
import threading
from typing import NamedTuple

from ..errors import BackendFailure, BackendUnavailable, SudokuError
from .base import Backend

__all__ = ["BUILT_IN", "Backend", "BackendInfo", "backends", "get", "names"]

BUILT_IN = {
    "clingo": "pylogic_sudoku.engines.clingo.engine:ClingoBackend",
    "prolog": "pylogic_sudoku.engines.prolog.engine:PrologBackend",
}
ENTRY_POINTS = "pylogic_sudoku.backends"

_made: dict[str, Backend] = {}
_lock = threading.Lock()


class BackendInfo(NamedTuple):
    """What is known of one engine."""

    name: str
    engine: str
    """The program behind it; the backend's name again where it cannot be imported."""
    available: bool
    version: str | None
    why: str | None
    """Why it cannot be used; None if it can."""
    cure: str | None
    """What to do about that."""


def names() -> tuple[str, ...]:
    """The names that `get` takes: the built-in ones first."""
    return (*BUILT_IN, *(name for name in _others() if name not in BUILT_IN))


def get(backend: str | Backend) -> Backend:
    """The engine of this name, one object a process, or the backend object itself.

    Raises BackendUnavailable if there is none of this name or if it cannot be imported; whether
    it starts is only known when it is used.
    """
    if isinstance(backend, Backend):
        return backend
    made = _made.get(backend)
    if made is None:
        with _lock:
            made = _made.get(backend) or _made.setdefault(backend, _make(backend))
    return made


def backends() -> tuple[BackendInfo, ...]:
    """Every engine by name, tried out: its version, or why it cannot be used and the cure."""
    return tuple(_info(name) for name in names())


def _info(name: str) -> BackendInfo:
    engine = name
    try:
        backend = get(name)
        engine = backend.engine
        return BackendInfo(name, engine, True, backend.version(), None, None)
    except BackendUnavailable as error:
        return BackendInfo(name, engine, False, None, error.why, error.cure)
    except BackendFailure as error:
        return BackendInfo(name, engine, False, None, str(error), "")


def _make(name: str) -> Backend:
    try:
        where = BUILT_IN.get(name) or _others()[name]
    except KeyError:
        raise BackendUnavailable(
            f"there is no backend {name!r}", f"Choose one of {', '.join(names())}."
        ) from None
    module, _, attribute = where.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)()
    except SudokuError:
        raise
    except Exception as error:  # somebody else's code may raise anything
        raise BackendUnavailable(
            f"the {name} backend cannot be imported: {error}",
            f"Install or repair the package that has {module.partition('.')[0]}.",
        ) from error
    if not isinstance(made, Backend):
        raise BackendUnavailable(f"{where} is no pylogic_sudoku.Backend")
    return made


def _others() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
