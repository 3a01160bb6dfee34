"""The choice of one of sudoku's engines by name.

`get("prolog")` is an engine, which is imported when it is first used; `engine_for` is the same if
it can solve a puzzle, and `comparable` turns names and patterns into names. `backends` tries all of
them out.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

from ...errors import BackendFailure, BackendUnavailable, Message
from ...puzzle import Grid, Puzzle
from .. import is_pattern, matching, no_engine, program_named, program_names
from ..base import Engine, ProblemEngine
from ..registry import BUILT_IN, built_in, importing, names, object_at, spec_of, unknown
from .base import SudokuEngine

__all__ = ["BackendInfo", "backends", "comparable", "engine_for", "get", "names"]

_engines: dict[str, SudokuEngine] = {}
_lock = threading.Lock()


def get(backend: str | SudokuEngine) -> SudokuEngine:
    """The engine with this name, always the same object; a backend object is returned as it is.

    ``"prolog:classic"`` is the engine with another program, and ``"prolog:my.pl"`` with a file of
    your own, which is read anew by each call.

    BackendUnavailable if there is no such engine or it cannot be imported. Whether it starts is
    known only when it is used.
    """
    if isinstance(backend, SudokuEngine):
        return backend
    if not isinstance(backend, str):
        raise no_engine(backend)
    if " -" in backend and (engine := _with_options(backend)):
        return engine
    if ":" in backend:
        return _command(backend) or _of_program(backend)
    engine = _engines.get(backend)
    if engine is None:
        with _lock:
            engine = _engines.get(backend) or _engines.setdefault(backend, _make(backend))
    return engine


def _command(name: str) -> SudokuEngine | None:
    """The engine that is a command of this name; None if the name is not that of a command."""
    from ..command.named import command_named

    if not (command := command_named(name)):
        return None
    from .command import CommandBackend

    return CommandBackend(command)


def _with_options(name: str) -> SudokuEngine | None:
    """The engine with options of its search; None if the name has none.

    BackendUnavailable if its search for sudokus takes none.
    """
    from ...problem.search import split_name

    base, options = split_name(name)
    if not options:
        return None
    program = program_named(base)
    if program.engine != "clingo":
        raise BackendUnavailable(
            f"{base} takes no options on a sudoku", "Its search takes some on other problems: -p."
        )
    from .clingo import ClingoProgramBackend

    return ClingoProgramBackend(program, name, options)


def _of_program(name: str) -> SudokuEngine:
    program = program_named(name)
    engine: SudokuEngine = object_at(BUILT_IN[program.engine].program)(program)
    engine.name = name  # which may be that of another engine, for the same program
    return engine


def engine_for(backend: str | Engine[Any, Any, Any], puzzle: Grid | Puzzle) -> SudokuEngine:
    """The engine, if it knows all that the puzzle needs; BackendFailure otherwise."""
    if isinstance(backend, ProblemEngine):
        raise BackendFailure(f"{backend.name} takes instances of a problem, and no sudokus")
    engine = get(backend)  # type: ignore[arg-type]
    if missing := _missing(engine, puzzle):
        others = [name for name in built_in() if name != engine.name]
        words = f"{engine.name} cannot solve puzzles with {' and '.join(missing)}"
        cure = f"choose another backend, such as {' or '.join(others)}"
        message = Message(words, "unsuited", cure=cure)
        failure = BackendFailure(str(message))
        failure.messages = (message,)
        raise failure
    return engine


def comparable(engines: Sequence[Any], puzzle: Grid | Puzzle) -> tuple[Any, ...]:
    """The engines to compare on a puzzle, each once; see `engines.comparable`."""
    can_solve: dict[Any, bool] = {}
    for each in engines:
        if isinstance(each, str) and is_pattern(each):
            if not (meant := matching(each)):
                known = ", ".join(program_names(each.partition(":")[0]))
                raise BackendUnavailable(f"no program is called {each!r}", f"There are {known}.")
            able = [name for name in meant if not _missing(get(name), puzzle)]
            if not able:
                raise BackendFailure(f"no program {each!r} can solve such a puzzle")
            can_solve |= dict.fromkeys(able, True)
        else:
            can_solve[each] = not _is_optional(each) or not _missing(get(each), puzzle)
    solvers = tuple(each for each, is_able in can_solve.items() if is_able)
    return solvers if len(solvers) > 1 else tuple(can_solve)


def _is_optional(engine: Any) -> bool:
    """True for an engine of ours that an installation may be without."""
    return isinstance(engine, str) and engine in BUILT_IN and BUILT_IN[engine].optional


def _missing(engine: SudokuEngine, puzzle: Grid | Puzzle) -> list[str]:
    """The features that the puzzle needs and the engine lacks."""
    rows, columns = puzzle.box
    missing = []
    if engine.shapes.startswith("9x9") and puzzle.box != (3, 3):
        missing.append(f"boxes of {rows} x {columns} cells")
    elif engine.shapes.startswith("square") and rows != columns:
        missing.append("boxes that are not square")
    needs = {"regions": puzzle.regions is not None, "marks": bool(puzzle.marks)}
    needs["rules"] = bool(puzzle.rules)
    missing += [need for need, used in needs.items() if used and need not in engine.knows]
    if puzzle.rules and "programs" not in engine.knows:
        from ...rules.own import is_program

        missing += ["rules that are not written in Python"] * any(map(is_program, puzzle.rules))
    return missing


# --- all engines ---


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
    """The remedy."""
    optional: bool = False
    """True if ``-b all`` does without it when it is not installed."""


def backends() -> tuple[BackendInfo, ...]:
    """Every engine, tried out: its version, or why it cannot be used and the fix."""
    return tuple(map(_info, dict.fromkeys((*BUILT_IN, *names()))))


def _info(name: str) -> BackendInfo:
    engine, optional = name, _is_optional(name)
    try:
        backend = get(name)
        engine = backend.engine
        return BackendInfo(name, engine, True, backend.version(), None, None, optional)
    except BackendUnavailable as error:
        return BackendInfo(name, engine, False, None, error.why, error.fix, optional)
    except BackendFailure as error:
        return BackendInfo(name, engine, False, None, str(error), "", optional)


def _make(name: str) -> SudokuEngine:
    spec = spec_of(name)
    if spec is None:
        if command := _command(name):
            return command
        raise unknown(name)
    if not spec.sudoku:
        raise BackendUnavailable(f"{name} takes instances of a problem, and no sudokus")
    with importing(name, spec.sudoku):
        engine = object_at(spec.sudoku)()
    if not isinstance(engine, SudokuEngine):
        raise BackendUnavailable(f"{spec.sudoku} is not a pylogic_sudoku.SudokuEngine")
    return engine
