"""The choice of an engine, and of a program for it, by name.

`get("prolog")` is an engine, which is imported when it is first used; `engine_for` is the same if
it can solve a puzzle, and `comparable` turns names and patterns into names. `backends` tries all of
them out. ``problem/specs.py`` lists the engines; other packages add one by an entry point.

A *program* is a file that states sudoku, or another problem, for an engine: see `programs`, and
`texts` for running one by hand.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, overload

from ..errors import BackendFailure, BackendUnavailable, InvalidProblem, shown
from ..problem import Instance, Signature
from ..problem.specs import BUILT_IN, EngineSpec, importing, object_at, others, spec_of
from ..puzzle import Grid, Puzzle
from .base import Engine, ProblemEngine
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
from .sudoku.base import Backend, Proof

if TYPE_CHECKING:
    from pathlib import Path

    from ..problem.folder import Problem

__all__ = [
    "BUILT_IN",
    "Backend",
    "BackendInfo",
    "EngineSpec",
    "Program",
    "Proof",
    "backends",
    "comparable",
    "engine_for",
]
__all__ += ["describe"]
__all__ += ["get", "is_pattern", "matching", "names", "portable", "program_named", "programs"]

AnyEngine = Engine[Any, Any, Any]
EngineT = TypeVar("EngineT", bound=str | AnyEngine)

_engines: dict[str, Backend] = {}
_lock = threading.Lock()


def names() -> tuple[str, ...]:
    """The engines that ``all`` means, built-in ones first; an optional one only if installed."""
    return (*_built_in(), *filter(_takes_sudokus, others()))


def _takes_sudokus(name: str) -> bool:
    """True unless the engine of another package says that it does not, or is none of ``all``."""
    try:
        spec = spec_of(name)
    except BackendUnavailable:  # which is reported when it is asked
        return True
    return spec is not None and bool(spec.sudoku) and spec.in_all


def _built_in() -> list[str]:
    return [name for name, each in BUILT_IN.items() if each.in_all and each.installed]


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
    return object_at(BUILT_IN[program.engine].program)(program)  # type: ignore[no-any-return]


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
    spec = spec_of(engine)
    if spec is None or not spec.instances:
        get(engine)  # an error if there is no such engine
        raise InvalidProblem(
            f"{engine} takes sudokus only; choose one of {', '.join(problem.paths) or 'none'}"
        )
    path, outputs = problem.path(name), problem.outputs
    if spec.language == "asp" and not spec.theory:
        outputs = outputs or _outputs_of_pairs(problem, path)
    search = problem.search(name)
    chosen = {"search": search} if search else {}  # which engines of other packages do without
    with importing(engine, spec.instances):
        made = object_at(spec.instances)
    return made(name, path, outputs, **chosen)  # type: ignore[no-any-return]


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
            can_solve[each] = not _is_optional(each) or not _missing(get(each), puzzle)  # type: ignore[arg-type]
    solvers = tuple(each for each, is_able in can_solve.items() if is_able)
    return solvers if len(solvers) > 1 else tuple(can_solve)


def _is_optional(engine: Any) -> bool:
    """True for an engine of ours that an installation may be without."""
    return isinstance(engine, str) and engine in BUILT_IN and BUILT_IN[engine].optional


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
    engine, optional = name, _is_optional(name)
    try:
        backend = get(name)
        engine = backend.engine
        return BackendInfo(name, engine, True, backend.version(), None, None, optional)
    except BackendUnavailable as error:
        return BackendInfo(name, engine, False, None, error.why, error.fix, optional)
    except BackendFailure as error:
        return BackendInfo(name, engine, False, None, str(error), "", optional)


def _make(name: str) -> Backend:
    spec = spec_of(name)
    if spec is None:
        raise BackendUnavailable(
            f"there is no backend {name!r}", f"Choose one of {', '.join(names())}."
        )
    if not spec.sudoku:
        raise BackendUnavailable(f"{name} takes instances of a problem, and no sudokus")
    with importing(name, spec.sudoku):
        engine = object_at(spec.sudoku)()
    if not isinstance(engine, Backend):
        raise BackendUnavailable(f"{spec.sudoku} is not a pylogic_sudoku.Backend")
    return engine
