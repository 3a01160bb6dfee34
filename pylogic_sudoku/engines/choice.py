"""The choice of an engine, and of its program, for an instance of any problem."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ..errors import BackendUnavailable, InvalidProblem
from ..problem import Instance, Signature
from ..problem.search import split_name
from . import is_pattern, matches, no_engine
from .base import Engine, ProblemEngine
from .registry import importing, object_at, spec_of, unknown

if TYPE_CHECKING:
    from pathlib import Path

    from ..problem.folder import Problem


def comparable(engines: Sequence[Any], instance: Instance) -> tuple[Any, ...]:
    """The engines to compare on an instance, each once; see `engines.comparable`."""
    return tuple(dict.fromkeys(_meant(engines, instance)))


def _meant(engines: Sequence[Any], instance: Instance) -> Iterator[Any]:
    known = instance.problem.paths
    for each in engines:
        if not (isinstance(each, str) and is_pattern(each)):
            yield each
        elif meant := [name for name in known if matches(name, each, instance.problem.name)]:
            yield from meant
        else:
            why = f"{instance.problem.name} has no program {each!r}"
            raise BackendUnavailable(why, f"There are {', '.join(known)}.")


def engine_for(backend: str | Engine[Any, Any, Any], instance: Instance) -> ProblemEngine:
    """The engine with the program of the instance's problem; InvalidProblem if there is none."""
    if isinstance(backend, ProblemEngine):
        return backend
    if not isinstance(backend, str | Engine):
        raise no_engine(backend)
    name = backend if isinstance(backend, str) else backend.name
    if command := _command(name, instance.problem):
        return command
    problem, engine = instance.problem, split_name(name)[0].partition(":")[0]
    spec = spec_of(engine)
    if spec is None or not spec.instances:
        if spec is None:
            raise unknown(engine)
        raise InvalidProblem(
            f"{engine} takes sudokus only; choose one of {', '.join(problem.paths) or 'none'}"
        )
    path, outputs = problem.path(name), problem.outputs
    if spec.language == "asp" and not spec.theory:
        outputs = outputs or _outputs_of_pairs(problem, path)
    search = problem.search(name) or problem.search(name.replace(engine, spec.runs_as, 1))
    chosen = {"search": search} if search else {}  # which engines of other packages do without
    with importing(engine, spec.instances):
        made = object_at(spec.instances)(name, path, outputs, **chosen)
    if not isinstance(made, ProblemEngine):
        raise BackendUnavailable(f"{spec.instances} makes no pylogic_sudoku.ProblemEngine")
    return made


def _command(name: str, problem: Problem) -> ProblemEngine | None:
    """The engine that is a command of this name; None if the name is not that of a command."""
    if not name.startswith("exec:") and spec_of(split_name(name)[0].partition(":")[0]):
        return None
    from .command.named import command_named

    if not (command := command_named(name, problem)):
        return None
    from .command.instances import CommandInstances

    program = command.program
    if program == "":
        program = next((each for each in ("clingo", "clingcon") if each in problem.paths), "clingo")
    path = None if program is None else problem.path(program)
    outputs = problem.outputs
    if path and path.suffix == ".lp" and not outputs:
        outputs = _outputs_of_pairs(problem, path)
    return CommandInstances(command, path, outputs)


def _outputs_of_pairs(problem: Problem, program: Path) -> frozenset[Signature]:
    """The predicates of the Prolog program's pairs that the program for clingo derives, too.

    All of its pairs' if the other one derives none of them: that is reported later. The program is
    read, not run: a question to one engine runs no other engine's program.
    """
    from ..problem.folder import declared, pair_predicates

    path = problem.paths.get("prolog")
    predicates = pair_predicates(path) if path else frozenset()
    return predicates & (declared(program).heads or predicates) or predicates


def runs_as(engine: str) -> str | None:
    """The engine of ours whose programs an engine takes, or itself; None for an unknown name."""
    spec = spec_of(engine)
    return spec.runs_as if spec else None
