"""The choice of engine: a name, and an import only when that engine is first used.

Other packages add an engine by an entry point of the group ``pylogic_sudoku.backends`` that
names a subclass of `Backend`.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Sequence
from importlib.util import find_spec
from typing import Any, NamedTuple, TypeVar

from ..errors import BackendFailure, BackendUnavailable, SudokuError
from ..puzzle import Grid, Puzzle
from .base import (
    Backend,
    Checker,
    Program,
    Proof,
    Prover,
    Verifier,
    Watched,
    is_pattern,
    matching,
    program,
    programs,
)

__all__ = ["BUILT_IN", "Backend", "BackendInfo", "Checker", "Proof", "Prover", "Verifier"]
__all__ += ["Watched", "able", "asked", "backends", "checker", "get", "names", "prover", "verifier"]
__all__ += ["Program", "program", "programs", "watched"]

BUILT_IN = {
    "clingo": "pylogic_sudoku.engines.clingo:ClingoBackend",
    "prolog": "pylogic_sudoku.engines.prolog:PrologBackend",
    "sat": "pylogic_sudoku.engines.sat:SatBackend",
}
OPTIONAL = {"sat": "pysolvers"}
"""Engines that a full installation may lack, and the module that each of them needs."""
ENTRY_POINTS = "pylogic_sudoku.backends"

EngineT = TypeVar("EngineT", bound=str | Backend)

_made: dict[str, Backend] = {}
_lock = threading.Lock()


class BackendInfo(NamedTuple):
    """An engine, and whether it can be used."""

    name: str
    engine: str
    """The program behind it; the backend's name again if it cannot be imported."""
    available: bool
    version: str | None
    why: str | None
    """Why it cannot be used; None if it can."""
    fix: str | None
    """What to do about that."""
    optional: bool = False
    """True if ``-b all`` does without it when it is not installed."""


def names() -> tuple[str, ...]:
    """The engines that ``all`` means, built-in ones first; an optional one only if installed."""
    return (*_built_in(), *(name for name in _others() if name not in BUILT_IN))


def _built_in() -> list[str]:
    return [name for name in BUILT_IN if name not in OPTIONAL or find_spec(OPTIONAL[name])]


def get(backend: str | Backend) -> Backend:
    """The engine with this name, always the same object; a backend object is returned as it is.

    ``"prolog:classic"`` is the engine with another program, and ``"prolog:my.pl"`` with a file of
    your own, which is read anew by each call.

    BackendUnavailable if there is no such engine or it cannot be imported. Whether it starts is
    known only when it is used.
    """
    if isinstance(backend, Backend):
        return backend
    if ":" in backend:
        return _of_program(backend)
    made = _made.get(backend)
    if made is None:
        with _lock:
            made = _made.get(backend) or _made.setdefault(backend, _make(backend))
    return made


def _of_program(name: str) -> Backend:
    found = program(name)
    if found.engine == "clingo":
        from .clingo import ClingoProgramBackend

        return ClingoProgramBackend(found)
    from .prolog import PrologBackend

    return PrologBackend(program=found)


def able(backend: str | Backend, puzzle: Grid | Puzzle) -> Backend:
    """The engine, if it knows all that the puzzle needs; BackendFailure otherwise."""
    engine = get(backend)
    if missing := _missing(engine, puzzle):
        others = [name for name in _built_in() if name != engine.name]
        raise BackendFailure(
            f"{engine.name} cannot solve puzzles with {' and '.join(missing)};"
            f" choose another backend, such as {' or '.join(others)}"
        )
    return engine


def asked(engines: Sequence[EngineT], puzzle: Grid | Puzzle) -> tuple[EngineT, ...]:
    """The engines to compare on a puzzle, each once.

    ``"prolog:*"`` stands for all programs of Prolog that can solve it. An optional engine that
    cannot is left out, unless fewer than two would remain.
    """
    found: dict[Any, bool] = {}
    for each in engines:
        several = _matching(each)
        if several is not None:
            able = (name for name in several if not _missing(get(name), puzzle))
            found |= dict.fromkeys(able, True)
        else:
            found[each] = each not in OPTIONAL or not _missing(get(each), puzzle)
    can = tuple(each for each, asked in found.items() if asked)
    return can if len(can) > 1 else tuple(found)


def _matching(name: str | Backend) -> list[str] | None:
    """The programs that a pattern stands for; None if it is none."""
    if not isinstance(name, str) or ":" not in name:
        return None
    return matching(name) if is_pattern(name) else None


def _missing(engine: Backend, puzzle: Grid | Puzzle) -> list[str]:
    """What the puzzle needs and the engine does not know."""
    rows, columns = puzzle.box
    missing = []
    if engine.shapes.startswith("9x9") and puzzle.box != (3, 3):
        missing.append(f"boxes of {rows} x {columns} cells")
    elif engine.shapes.startswith("square") and rows != columns:
        missing.append("boxes that are not square")
    if not isinstance(puzzle, Puzzle):
        return missing
    needs = {"regions": puzzle.regions is not None, "marks": bool(puzzle.marks)}
    needs["rules"] = bool(puzzle.rules)
    missing += [need for need, used in needs.items() if used and need not in engine.knows]
    if puzzle.rules and "programs" not in engine.knows:
        from ..rules.own import is_program

        missing += ["rules that are not written in Python"] * any(map(is_program, puzzle.rules))
    return missing


def checker(backend: str | Backend) -> Checker:
    """The engine that is to check explanations; BackendUnavailable if it cannot."""
    engine = get(backend)
    if isinstance(engine, Checker):
        return engine
    raise BackendUnavailable(
        f"the {engine.name} engine cannot check explanations",
        f"Choose {' or '.join(_built_in())}.",
    )


def prover(engine: Backend) -> Prover:
    """The engine, if it can prove its answers; BackendUnavailable otherwise."""
    if isinstance(engine, Prover):
        return engine
    raise BackendUnavailable(f"the {engine.name} engine cannot prove its answers", "Choose clingo.")


def watched(engine: Backend) -> Watched:
    """The engine, if its work can be seen; BackendUnavailable otherwise."""
    if isinstance(engine, Watched):
        return engine
    raise BackendUnavailable(
        f"the work of the {engine.name} engine cannot be seen", "Choose clingo or prolog."
    )


def verifier(engine: Backend) -> Verifier:
    """The engine, if it can check proofs; BackendUnavailable otherwise."""
    if isinstance(engine, Verifier):
        return engine
    raise BackendUnavailable(
        f"the {engine.name} engine cannot check certificates",
        "Choose prolog, or no backend for plain Python.",
    )


def backends() -> tuple[BackendInfo, ...]:
    """Every engine, tried out: its version, or why it cannot be used and the fix."""
    return tuple(map(_info, dict.fromkeys((*BUILT_IN, *names()))))


def _info(name: str) -> BackendInfo:
    engine, optional = name, name in OPTIONAL
    try:
        backend = get(name)
        engine = backend.engine
        return BackendInfo(name, engine, True, backend.version(), None, None, optional)
    except BackendUnavailable as error:
        return BackendInfo(name, engine, False, None, error.why, error.fix, optional)
    except BackendFailure as error:
        return BackendInfo(name, engine, False, None, str(error), "", optional)


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
            f"Install or repair the package that contains {module.partition('.')[0]}.",
        ) from error
    if not isinstance(made, Backend):
        raise BackendUnavailable(f"{where} is not a pylogic_sudoku.Backend")
    return made


def _others() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
