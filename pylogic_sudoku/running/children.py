"""The children that run a foreign program: a script for clingo, a module of ours, or Prolog."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ..errors import BackendUnavailable
from ..files import resource
from . import wasm
from .prolog import command as swipl_command
from .prolog import installing, swipl
from .runs import Child, Files, Sealed
from .sandbox import Sandbox

_SCRIPT = Path(__file__).with_name("child.py")
_PACKAGE = Path(__file__).parents[1]
"""Of the package, the sandbox hides the logic programs."""
_WORK = (
    "import sys; sys.path.append(sys.argv.pop(1))\n"  # where the package is not installed
    "from importlib import import_module; import_module(sys.argv.pop(1)).main(*sys.argv[1:])"
)
_HOST = resource("prolog/host")


def solving(
    files: Files,
    program: Path,
    sandbox: Sandbox,
    job: Mapping[str, Any],
    answers: Path | None = None,
) -> Child:
    """A child that solves an ASP program, and does not import the package.

    The script `answers`, if there is one, says what its answers are; else they are atoms.
    """
    job, needed = dict(job), [_SCRIPT]
    if answers:
        job["answers"] = str(answers)
        needed.append(answers)
    passed = _with_job(files, program, sandbox, job)
    return Child([*_python(), str(_SCRIPT), passed, str(files.results)], tuple(needed))


def working(
    files: Files, program: Path, sandbox: Sandbox, job: Mapping[str, Any], module: str, *more: Path
) -> Child:
    """A child that imports a module of ours, whose `main` does a job with the program.

    `more` are other files and folders of ours that it needs.
    """
    passed = _with_job(files, program, sandbox, job)
    command = [*_python(), "-c", _WORK, str(_PACKAGE.parent), module, passed, str(files.results)]
    return Child(command, (_PACKAGE, *more))


def _python() -> list[str]:
    return [sys.executable, "-P"]  # do not import a file clingo.py next to the program


def _with_job(files: Files, program: Path, sandbox: Sandbox, job: Mapping[str, Any]) -> str:
    """Let the child read the job first; return the path of the program."""
    passed = files.pass_on(program, "program")
    visible = {**sandbox.visible(program.parent), passed: True}
    files.first = json.dumps({**job, "visible": visible}) + "\n"
    return passed


def by_prolog(
    files: Files,
    program: Path,
    tasks: Sequence[str],
    goal: str,
    request: str,
    *arguments: str,
) -> Child:
    """A child that runs a goal of the first of our files in ``prolog/`` on the program.

    The others are those that it loads, apart from ``prolog/host``. `request` is the term that it
    reads when the program is loaded.
    """
    ours = [resource(f"prolog/{name}.pl") for name in tasks]
    files.held = f"{request}.\n" if request else ""
    passed = files.pass_on(program, "program")
    given = (passed, str(files.results), *arguments)
    sealed = Sealed(goal, tuple(ours), given)
    if swipl() is None:
        return Child([], (_HOST, *ours), sealed)
    # Prolog reports full stacks; a process that gets no more memory just ends.
    stacks = f"--stack-limit={max(1, files.limits.megabytes // 2)}m"
    command = [
        *(*swipl_command(), "-q", "-f", "none", "--no-packs", stacks),
        *("-g", goal, "-t", "halt", str(ours[0])),
        *("--", *given),
    ]
    return Child(command, (_HOST, *ours), sealed)


def check_prolog() -> None:
    """BackendUnavailable if there is no SWI-Prolog."""
    if swipl() is None and not wasm.is_installed():
        raise BackendUnavailable("there is no swipl here", installing())
