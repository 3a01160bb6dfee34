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
    """Return why the program fails; None for a success.

    It takes `SECONDS` at most, and no longer than the limits; if that is not enough, the kind is
    ``stopped``.
    """
    if verdict.passed:
        return None
    if verdict.way == "error":
        return _error(program, verdict)
    limits = replace(limits, seconds=min(limits.seconds, SECONDS))
    if verdict.way == "wrong":
        return _wrong(program, instance, verdict, reference, limits)
    found = {answer.grid for answer in run.answers if not answer.fault}
    lost = min(reference.solutions - found, key=lambda grid: grid.digits, default=None)
    if lost is None:
        return Diagnosis("slow", "the program finds every solution, but does not stop")
    diagnosis = program.explain(instance, reference.puzzle, lost, limits)
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
) -> Diagnosis:
    """Return which rule an answer violates, and what else is known of it.

    That is the house which no constraint is about; or a constraint that excludes a solution as
    well, for it is likely to be the one that should have excluded the answer.
    """
    wrong = verdict.extra_grid
    words = f"an answer is wrong: {verdict.rule}" if verdict.rule else "an answer is wrong"
    mentions = Diagnosis("none", "")
    if wrong is not None and verdict.rule:
        mentions = program.unmentioned(instance, reference.puzzle, wrong, limits)
    if mentions.kind == "house":
        return replace(mentions, summary=f"{words}; {mentions.summary}")
    lost = verdict.missing_grid or min(
        reference.solutions, key=lambda grid: grid.digits, default=None
    )
    if lost is not None:
        limits = replace(limits, seconds=max(0.1, limits.seconds - mentions.seconds))
        loss = program.explain(instance, reference.puzzle, lost, limits)
        seconds = loss.seconds + mentions.seconds
        if loss.places:
            return replace(loss, summary=f"{words}; {loss.summary}", seconds=seconds)
        return Diagnosis("too many", words, seconds=seconds)
    return Diagnosis("too many", words, seconds=mentions.seconds)


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
