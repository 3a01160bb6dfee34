"""Programs for any problem, given as text, and run as the grader runs them.

A `Trial` is a problem with a folder for the programs. Each runs in a process of its own, in a
sandbox, with limits on time, memory and answers. Agents (`pylogic_sudoku.mcp`) and the page ask it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ..engines.process import Limits
from ..engines.sandbox import Choice, Sandbox, sandbox
from ..errors import InvalidProblem
from ..problem import Answer, Signature
from ..problem.folder import Problem
from .diagnosis import Diagnosis
from .instances import Instance
from .problems import Posed, ProblemProgram, ProblemTask
from .programs import Output

CHARACTERS = 200_000
"""The most characters of a program."""
_INSTANCE = Instance("instance", Path("instance.lp"), "")


@contextmanager
def trial(
    problem: Problem | None = None,
    outputs: Iterable[Signature] = (),
    inputs: Iterable[Signature] = (),
    choice: Choice = "require",
    place: str | None = None,
    megabytes: int = 1024,
) -> Iterator[Trial]:
    """A trial of programs for a problem, or for one of which only the predicates are known.

    `choice` is the sandbox. The folder for programs is made in `place`, and goes at the end.
    """
    rights = sandbox(choice)
    with TemporaryDirectory(prefix="pylogic-sudoku-", dir=place) as name:
        folder = Path(name).resolve()
        about = problem or _stated(folder / "problem", outputs, inputs)
        yield Trial(about, folder, rights, megabytes)


def _stated(folder: Path, outputs: Iterable[Signature], inputs: Iterable[Signature]) -> Problem:
    """A problem without programs."""
    folder.mkdir()
    # One that has neither programs nor outputs would be an error.
    known = {"output": _names(outputs) or ["answer/0"], "input": _names(inputs)}
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in known.items())
    (folder / "problem.toml").write_text("".join(lines), encoding="utf-8")
    return Problem(folder)


def _names(found: Iterable[Signature]) -> list[str]:
    return [f"{name}/{arity}" for name, arity in sorted(found)]


@dataclass(frozen=True)
class Trial:
    """A problem, and a folder for programs."""

    problem: Problem
    folder: Path
    rights: Sandbox
    megabytes: int

    def program(self, text: str, file: str) -> ProblemProgram:
        """The program with this text, in a file of this name, whose ending says the language.

        InvalidProblem if it is too long, BackendUnavailable if its engine is missing.
        """
        if len(text) > CHARACTERS:
            raise InvalidProblem(f"a program has more than {CHARACTERS} characters")
        path = self.folder / Path(file).stem / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        made = ProblemTask(self.problem).program(path, self.rights, True)
        made.check()
        return made

    def run(
        self, program: ProblemProgram, posed: Posed, most: int, seconds: float
    ) -> Output[Answer]:
        """The answers of a program, up to `most`."""
        return program.run(_INSTANCE, posed, most, self._limits(seconds))

    def why(
        self, program: ProblemProgram, posed: Posed, answer: Answer, seconds: float
    ) -> Diagnosis:
        """Why a program does not have an answer."""
        return program.explain(_INSTANCE, posed, answer, self._limits(seconds))

    def _limits(self, seconds: float) -> Limits:
        return Limits(seconds, self.megabytes, str(self.folder))


def failure(ran: Output[Answer]) -> str:
    """Why a run did not end as it should; empty if it did."""
    if ran.stopped is None:
        return ""
    return "; ".join(filter(None, (ran.ending, ran.message))) or ran.stopped
