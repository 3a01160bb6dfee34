"""The choice of an engine, and of a program for it, by name.

`get("prolog")` is an engine, which is imported when it is first used; `engine_for` is the same if
it can solve a puzzle, and `comparable` turns names and patterns into names. `backends` tries all of
them out. Other packages add an engine by an entry point of the group
``pylogic_sudoku.backends`` that names a subclass of `Backend`.

A *program* is a file that states sudoku, or another problem, for an engine: see `programs`, and
`texts` for running one by hand.
"""

from __future__ import annotations

import importlib
import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from ..errors import BackendFailure, BackendUnavailable, SudokuError, shown
from ..problem import Instance, Signature
from ..puzzle import Grid, Puzzle
from .base import Backend, Engine, ProblemEngine, Proof
from .program import (
    Program,
    describe,
    is_pattern,
    matches,
    matching,
    program_named,
    program_names,
    programs,
)

if TYPE_CHECKING:
    from pathlib import Path

    from ..problem.folder import Problem

__all__ = [
    "BUILT_IN",
    "Backend",
    "BackendInfo",
    "Program",
    "Proof",
    "backends",
    "comparable",
    "engine_for",
]
__all__ += ["describe"]
__all__ += ["get", "is_pattern", "matching", "names", "portable", "program_named", "programs"]

BUILT_IN = {
    "clingo": "pylogic_sudoku.engines.clingo:ClingoBackend",
    "prolog": "pylogic_sudoku.engines.prolog:PrologBackend",
    "sat": "pylogic_sudoku.engines.sat:SatBackend",
    "clingcon": "pylogic_sudoku.engines.clingo.clingcon:ClingconBackend",
}
OPTIONAL = {"sat": "pysolvers", "clingcon": "clingcon"}
"""Engines that a full installation may lack, and the module that each of them needs."""
NOT_IN_ALL = frozenset({"clingcon"})
"""Engines that ``all`` does without, even if they are installed."""
ENTRY_POINTS = "pylogic_sudoku.backends"
_TAKE_INSTANCES = frozenset({"clingo", "prolog", "clingcon"})

AnyEngine = Engine[Any, Any, Any]
EngineT = TypeVar("EngineT", bound=str | AnyEngine)

_engines: dict[str, Backend] = {}
_lock = threading.Lock()


def names() -> tuple[str, ...]:
    """The engines that ``all`` means, built-in ones first; an optional one only if installed."""
    return (*_built_in(), *(name for name in _others() if name not in BUILT_IN))


def _built_in() -> list[str]:
    usual = [name for name in BUILT_IN if name not in NOT_IN_ALL]
    return [name for name in usual if name not in OPTIONAL or find_spec(OPTIONAL[name])]


def get(backend: str | Backend) -> Backend:
    """The engine with this name, always the same object; a backend object is returned as it is.

    ``"prolog:classic"`` is the engine with another program, and ``"prolog:my.pl"`` with a file of
    your own, which is read anew by each call.

    BackendUnavailable if there is no such engine or it cannot be imported. Whether it starts is
    known only when it is used.
    """
    if isinstance(backend, Backend):
        return backend
    if not isinstance(backend, str):
        raise _no_backend(backend)
    if ":" in backend:
        return _of_program(backend)
    engine = _engines.get(backend)
    if engine is None:
        with _lock:
            engine = _engines.get(backend) or _engines.setdefault(backend, _make(backend))
    return engine


def _no_backend(value: object) -> TypeError:
    return TypeError(
        f"the backend is {shown(value)}; expected an engine or its name, such as 'clingo'"
    )


def portable(engine: AnyEngine) -> str | AnyEngine:
    """Return the name of the engine if `get` makes the same of it, since names can be pickled."""
    if isinstance(engine, ProblemEngine):
        return engine.name if type(engine).__module__.startswith(__name__) else engine
    with suppress(BackendUnavailable):
        if type(get(engine.name)) is type(engine):
            return engine.name
    return engine


def _of_program(name: str) -> Backend:
    program = program_named(name)
    if program.engine == "clingo":
        from .clingo import ClingoProgramBackend

        return ClingoProgramBackend(program)
    from .prolog import PrologBackend

    return PrologBackend(program=program)


@overload
def engine_for(backend: str | AnyEngine, question: Instance) -> ProblemEngine: ...
@overload
def engine_for(backend: str | AnyEngine, question: Grid | Puzzle) -> Backend: ...
@overload
def engine_for(backend: str | AnyEngine, question: Grid | Puzzle | Instance) -> AnyEngine: ...
def engine_for(backend: str | AnyEngine, question: Grid | Puzzle | Instance) -> AnyEngine:
    """The engine, if it knows all that the puzzle needs; BackendFailure otherwise.

    For an instance it is the engine with the problem's program; InvalidProblem if there is none.
    """
    if isinstance(question, Instance):
        return _for_instance(backend, question)
    if isinstance(backend, ProblemEngine):
        raise BackendFailure(f"{backend.name} takes instances of a problem, and no sudokus")
    engine, puzzle = get(backend), question  # type: ignore[arg-type]
    if missing := _missing(engine, puzzle):
        others = [name for name in _built_in() if name != engine.name]
        raise BackendFailure(
            f"{engine.name} cannot solve puzzles with {' and '.join(missing)};"
            f" choose another backend, such as {' or '.join(others)}"
        )
    return engine


def _for_instance(backend: str | AnyEngine, instance: Instance) -> ProblemEngine:
    if isinstance(backend, ProblemEngine):
        return backend
    if not isinstance(backend, str | Backend):
        raise _no_backend(backend)
    name = backend if isinstance(backend, str) else backend.name
    problem, engine = instance.problem, name.partition(":")[0]
    if engine not in _TAKE_INSTANCES:
        get(engine)  # an error if there is no such engine
    path = problem.path(name)
    outputs = problem.outputs
    if engine == "prolog":
        from .prolog.instances import PrologInstances

        return PrologInstances(name, path, outputs)
    if engine == "clingcon":
        from .clingo.clingcon import ClingconInstances

        return ClingconInstances(name, path, outputs)
    from .clingo.instances import ClingoInstances

    return ClingoInstances(name, path, outputs or _outputs_of_pairs(problem, path))


def _outputs_of_pairs(problem: Problem, program: Path) -> frozenset[Signature]:
    """The predicates of the Prolog program's pairs that the program for clingo derives, too.

    All of its pairs' if the other one derives none of them: that is reported later. The program is
    read, not run: a question to one engine runs no other engine's program.
    """
    from ..problem.folder import declared, pair_predicates

    path = problem.paths.get("prolog")
    predicates = pair_predicates(path) if path else frozenset()
    return predicates & (declared(program).heads or predicates) or predicates


def comparable(engines: Sequence[EngineT], puzzle: Grid | Puzzle | Instance) -> tuple[EngineT, ...]:
    """The engines to compare on a puzzle or an instance, each once.

    ``"prolog:*"`` stands for all programs of Prolog that can solve it; BackendFailure if none can,
    BackendUnavailable if there are none. An optional engine that cannot is left out, unless fewer
    than two would remain.
    """
    can_solve: dict[Any, bool] = {}
    if isinstance(puzzle, Instance):
        return tuple(dict.fromkeys(_of_problem(engines, puzzle)))
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
            can_solve[each] = each not in OPTIONAL or not _missing(get(each), puzzle)
    solvers = tuple(each for each, is_able in can_solve.items() if is_able)
    return solvers if len(solvers) > 1 else tuple(can_solve)


def _of_problem(engines: Sequence[Any], instance: Instance) -> Iterator[Any]:
    known = instance.problem.paths
    for each in engines:
        if not (isinstance(each, str) and is_pattern(each)):
            yield each
        elif meant := [name for name in known if matches(name, each, instance.problem.name)]:
            yield from meant
        else:
            why = f"{instance.problem.name} has no program {each!r}"
            raise BackendUnavailable(why, f"There are {', '.join(known)}.")


def _missing(engine: Backend, puzzle: Grid | Puzzle) -> list[str]:
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
        from ..rules.own import is_program

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
        engine = getattr(importlib.import_module(module), attribute)()
    except SudokuError:
        raise
    except Exception as error:  # somebody else's code may raise anything
        raise BackendUnavailable(
            f"the {name} backend cannot be imported: {error}",
            f"Install or repair the package that contains {module.partition('.')[0]}.",
        ) from error
    if not isinstance(engine, Backend):
        raise BackendUnavailable(f"{where} is not a pylogic_sudoku.Backend")
    return engine


def _others() -> dict[str, str]:
    from importlib.metadata import entry_points

    return {point.name: point.value for point in entry_points(group=ENTRY_POINTS)}
