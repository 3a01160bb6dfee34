"""Programs for any problem, given as text, and run as the grader runs them.

A `Trial` is a problem with a folder for the programs. Each runs in a process of its own, in a
sandbox, with limits on time, memory and answers. Agents (`pylogic_sudoku.mcp`) and the page ask it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

from ..errors import InvalidProblem, Message
from ..files import resource
from ..problem import Answer, Signature
from ..problem.folder import Problem
from ..problem.text import must_be_text
from ..running import notices
from ..running.children import by_prolog, working
from ..running.process import Ended, Limits
from ..running.runs import Files, Said, ask, opened, said_of
from ..running.sandbox import NATIVE, Choice, Sandbox, sandbox
from .cases import Case
from .diagnosis import Diagnosis
from .problem_programs import Posed, ProblemProgram
from .problems import ProblemTask
from .programs import Output

CHARACTERS = 200_000
"""The most characters of a program."""
_INSTANCE = Case("instance", Path("instance.lp"), "")


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

    `choice` is the sandbox. The folder for programs is made in `place`, and removed at the end.
    """
    if choice not in NATIVE:  # the work of a program is shown by the native Prolog
        raise ValueError(f"sandbox must be one of {', '.join(NATIVE)}, not {choice!r}")
    rights = sandbox(choice)
    with TemporaryDirectory(prefix="pylogic-sudoku-", dir=place) as name:
        folder = Path(name).resolve()
        about = problem or _problem_of(folder / "problem", outputs, inputs)
        yield Trial(about, folder, rights, megabytes)


def _problem_of(folder: Path, outputs: Iterable[Signature], inputs: Iterable[Signature]) -> Problem:
    """A problem without programs."""
    folder.mkdir()
    # One that has neither programs nor outputs would be an error.
    known = {"output": _names(outputs) or ["answer/0"], "input": _names(inputs)}
    lines = (f"{name} = {json.dumps(value)}\n" for name, value in known.items())
    (folder / "problem.toml").write_text("".join(lines), encoding="utf-8")
    return Problem(folder)


def _names(signatures: Iterable[Signature]) -> list[str]:
    return [f"{name}/{arity}" for name, arity in sorted(signatures)]


@dataclass(frozen=True, slots=True)
class Watched:
    """A program at work, as far as it was watched."""

    seconds: float
    atoms: list[str] | None = None
    """Those that are left before it guesses; None if it finds a contradiction."""
    certain: list[str] | None = None
    """Those of them that are in every answer."""
    events: tuple[dict[str, Any], ...] = ()
    number: int = 0
    """Of all events."""
    stopped: Literal["time", "limit"] | None = None
    """Why it was not seen to its end."""
    messages: tuple[Message, ...] = ()
    """Its errors."""
    warnings: tuple[Message, ...] = ()

    @property
    def error(self) -> str:
        """The errors as text; empty if there are none."""
        return "\n".join(map(str, self.messages))


def _watched(lines: list[Any], ended: Ended, files: Files) -> Watched:
    """The output of the watching process; the program itself may have written it."""
    said: list[Said] = []
    for line in lines:
        with suppress(ValueError, TypeError, OverflowError):  # not of ours
            said += [said_of(*line[1:])] if line[:1] == ["message"] else []
    errors, warnings = files.sorted([*said, *notices.printed(ended.errors, files.text)])
    seen = _seen(lines, ended)
    if seen.messages and not errors:
        errors = files.sorted([("error", each) for each in seen.messages])[0]
    failed = errors if seen.messages else ()
    return replace(seen, messages=tuple(failed), warnings=tuple(warnings))


def _seen(lines: list[Any], ended: Ended) -> Watched:
    """The work, and one message if it failed."""
    events = tuple(line[1] for line in lines if line[:1] == ["event"] and isinstance(line[1], dict))
    for line in lines:
        match line:
            case ["atoms", list() | None as atoms, list() | None as certain]:
                return Watched(ended.seconds, atoms, certain)
            case ["number", int(number), bool(whole)]:
                stopped: Literal["limit"] | None = None if whole else "limit"
                return Watched(ended.seconds, events=events, number=number, stopped=stopped)
            case ["failed", str(), str(text)]:
                return Watched(ended.seconds, messages=(Message(text or "out of memory"),))
    if ended.code is None:
        return Watched(ended.seconds, events=events, number=len(events), stopped="time")
    words = "the program ended before its work could be seen"
    return Watched(ended.seconds, messages=(Message(words),))


@dataclass(frozen=True)
class Trial:
    """A problem, and a folder for programs."""

    problem: Problem
    folder: Path
    rights: Sandbox
    megabytes: int

    def program(self, text: str, file: str) -> ProblemProgram:
        """The program with this text, in a file of this name, whose ending shows the language.

        InvalidProblem if it is too long, BackendUnavailable if its engine is missing.
        """
        if len(text) > CHARACTERS:
            raise InvalidProblem(f"a program has more than {CHARACTERS} characters")
        must_be_text(text, file)
        path = self.folder / Path(file).stem / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        submission = ProblemTask(self.problem).program(path, self.rights, True)
        submission = replace(submission, unnamed=path.parent)
        submission.check()
        return submission

    def run(
        self, program: ProblemProgram, posed: Posed, most: int, seconds: float
    ) -> Output[Answer]:
        """The answers of a program, up to `most`."""
        ran = program.run(_INSTANCE, posed, most, self._limits(seconds))
        return replace(ran, warnings=list(filter(self._is_strange, ran.warnings)))

    def _is_strange(self, warning: Message) -> bool:
        """False if it is about an input, which an instance may lack."""
        undefined = warning.kind == "atom-undefined" and notices.undefined_atom(warning.text)
        return not undefined or undefined not in self.problem.inputs

    def loaded(self, program: ProblemProgram, seconds: float) -> Watched:
        """The errors and warnings of loading a program, which is asked nothing."""
        limits, path = self._limits(seconds), program.path
        with opened(limits, program.unnamed) as files:
            if path.suffix == ".lp":
                files.hold(_INSTANCE.path, "")
                job = {"outputs": [], "inputs": [], "loads": True}
                module = f"{__package__}.watching"
                child = working(files, path, self.rights, job, module, resource("prolog"))
            else:
                child = by_prolog(files, path, ["host/grading"], "pls_grading:load", "", "none")
            lines, ended = ask(files, child, self.rights)
            failed = any(line[:1] == ["failed"] for line in lines)
            # Nothing was asked, so it has neither atoms nor events.
            done = [] if failed or ended.code else [["atoms", None, None]]
            return _watched([*lines, *done], ended, files)

    def why(
        self, program: ProblemProgram, posed: Posed, answer: Answer, seconds: float
    ) -> Diagnosis:
        """Explain why a program does not have an answer."""
        return program.explain(_INSTANCE, posed, answer, self._limits(seconds))

    def knows(self, program: ProblemProgram, posed: Posed, seconds: float) -> Watched:
        """The atoms that a program has left before it guesses."""
        return self._watch(program, posed, None, 0, seconds)

    def search(
        self, program: ProblemProgram, posed: Posed, most: int, counted: int, seconds: float
    ) -> Watched:
        """The search of a program for an answer: up to `most` events, counted up to `counted`."""
        return self._watch(program, posed, most, counted, seconds)

    def _watch(
        self, program: ProblemProgram, posed: Posed, most: int | None, counted: int, seconds: float
    ) -> Watched:
        limits = self._limits(seconds)
        with opened(limits, program.unnamed) as files:
            files.hold(Path("instance.lp"), posed.facts.text)
            job = {
                "outputs": sorted(posed.outputs),
                "inputs": sorted(posed.problem.inputs),
                "events": most,
                "counted": counted,
            }
            module, path = f"{__package__}.watching", program.path
            child = working(files, path, self.rights, job, module, resource("prolog"))
            lines, ended = ask(files, child, self.rights)
            return _watched(lines, ended, files)

    def _limits(self, seconds: float) -> Limits:
        return Limits(seconds, self.megabytes, str(self.folder))


def failure(ran: Output[Answer]) -> str:
    """The reason why a run did not end as it should; empty if it did."""
    if ran.stopped is None:
        return ""
    return "; ".join(filter(None, (ran.ending, ran.message))) or ran.stopped
