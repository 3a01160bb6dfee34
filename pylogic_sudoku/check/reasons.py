"""Why a program fails on an instance: which question is asked of it, after which verdict."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

from ..engines.process import Limits
from .diagnosis import Diagnosis, Place
from .instances import Instance
from .programs import Output, Submission
from .verdict import Reference, Verdict

SECONDS = 10.0
"""Time for an explanation, if the limit of the program is not shorter."""
_PLACE = re.compile(r"^(?:\w+: *)?(\S+?):(\d+):(\d+)(?:-\d+(?::\d+)?)?: *(?:error: *)?(.*)", re.M)
"""How an engine's message begins: with a place in the program."""


def reason(
    program: Submission,
    instance: Instance,
    run: Output,
    verdict: Verdict,
    reference: Reference,
    limits: Limits,
) -> Diagnosis | None:
    """Return why the program fails.

    None for a success, and for an error or a wrong answer of which no more is known. It takes
    `SECONDS` at most, and no longer than the limits; if that is not enough, the kind is
    ``stopped``.
    """
    # clingo's messages name the line, those of a running Prolog program do not.
    told = verdict.way == "error" and (program.atom or verdict.flawed)
    if verdict.passed or told:
        return None
    limits = replace(limits, seconds=min(limits.seconds, SECONDS))
    if verdict.way == "wrong":
        return _wrong(program, instance, verdict, reference, limits)
    found = {answer.grid for answer in run.answers if not answer.fault}
    lost = min(reference.solutions - found, key=lambda grid: grid.digits, default=None)
    if lost is None and verdict.way == "error":
        return None
    if lost is None:
        return Diagnosis("slow", "the program finds every solution, but does not stop")
    diagnosis = program.explain(instance, reference.puzzle, lost, limits)
    if verdict.way == "error" and not diagnosis.places:
        return None
    if verdict.way == "timeout" and diagnosis.kind == "none":
        words = f"the program excludes no solution, but is slow: {run.steady or 'out of time'}"
        return replace(diagnosis, kind="slow", summary=words)
    return diagnosis


def _wrong(
    program: Submission,
    instance: Instance,
    verdict: Verdict,
    reference: Reference,
    limits: Limits,
) -> Diagnosis | None:
    """Return which house no constraint is about, or which constraint excludes a solution as well.

    Such a constraint is likely to be the one that should have excluded the answer.
    """
    seconds = 0.0
    if verdict.extra_grid is not None and verdict.rule:
        found = program.unmentioned(instance, reference.puzzle, verdict.extra_grid, limits)
        if found.kind == "house":
            return found
        seconds = found.seconds
    lost = verdict.missing_grid or min(
        reference.solutions, key=lambda grid: grid.digits, default=None
    )
    if lost is None:
        return None
    limits = replace(limits, seconds=max(0.1, limits.seconds - seconds))
    loss = program.explain(instance, reference.puzzle, lost, limits)
    return replace(loss, seconds=loss.seconds + seconds) if loss.places else None


def in_full(program: Submission, verdict: Verdict) -> Diagnosis:
    """Return the diagnosis of a verdict with all that the verdict itself says."""
    diagnosis = verdict.diagnosis
    if verdict.passed:
        return Diagnosis("none", "the program has every solution, and no other answer")
    if verdict.way == "error":
        return diagnosis or _error(program, verdict)
    if verdict.way == "wrong":
        words = f"an answer is wrong: {verdict.rule}" if verdict.rule else "an answer is wrong"
        if diagnosis is None:
            return Diagnosis("too many", words)
        return replace(diagnosis, summary=f"{words}; {diagnosis.summary}")
    return diagnosis or Diagnosis("stopped", verdict.message)


def _error(program: Submission, verdict: Verdict) -> Diagnosis:
    """Return the first error of a message, with its place if it has one in the program."""
    message = verdict.message.strip()
    summary = message.partition("\n")[0] or "the program does not run"
    found = _PLACE.search(message)
    if not found:
        return Diagnosis("error", summary)
    name, line, column, words = found.groups()
    place = Place(Path(name).name, int(line), int(column), _line(program.path, name, line), words)
    return Diagnosis("error", f"the program does not run: {words or summary}", (place,))


def _line(program: Path, name: str, line: str) -> str:
    """Return a line of the program; empty if it is in another file."""
    if Path(name).name != program.name:
        return ""
    lines = program.read_text(encoding="utf-8", errors="replace").splitlines()
    return lines[int(line) - 1].strip() if 0 < int(line) <= len(lines) else ""
