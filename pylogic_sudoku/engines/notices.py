"""Warnings about programs, which an engine reports and the caller gets once each."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress

from ..errors import Message, ProgramWarning, syntax_cure, without_inner

_told: set[tuple[Message, float]] = set()
send: Callable[[Message], object] | None = None
"""In a process that answers a question for another one, what takes a warning there."""


def report(messages: Iterable[Message]) -> None:
    """Warn of what an engine has to say about a program."""
    for message in messages:
        (send or tell)(message)


def tell(message: Message) -> None:
    """Warn the user, by a `ProgramWarning` at the place in the program.

    The same of the same file is told once, until the file changes.
    """
    changed = 0.0
    with suppress(OSError):
        changed = os.stat(message.file).st_mtime
    if (message, changed) in _told:
        return
    _told.add((message, changed))
    warning = ProgramWarning(message)
    warnings.warn_explicit(warning, ProgramWarning, message.file or "program", message.line or 0)


_CLINGO = re.compile(
    r"(?P<file>[^\n]*?):(?P<line>\d+):(?P<column>\d+)(?:-\d+(?::\d+)?)?: "
    r"(?:info|warning|error): (?P<text>.*)",
    re.DOTALL,
)


def of_clingo(code: str, said: str) -> Message:
    """A message of clingo as ours. Its kind is the name of its code, or says more of an error."""
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", code).lower()
    match = _CLINGO.match(without_inner(said))
    words, *notes = _NOTE.split(match["text"] if match else said)
    text = " ".join(words.split())
    if kind == "runtime-error":
        kind = next((name for name, begins in _ERRORS.items() if text.startswith(begins)), "error")
    cure = syntax_cure(text) or _EXTREMES.get(text.partition("@")[0]) or _CURES.get(kind, "")
    if notes:
        text = f"{text} ({', '.join(each.strip() for each in notes)})"
    if match is None:
        return Message(text, kind, cure=cure)
    return Message(text, kind, match["file"], int(match["line"]), int(match["column"]), cure)


_NOTE = re.compile(r"\n[^\n]*:\d+:[\d:-]+: note: ")
_ERRORS = {
    "syntax": ("syntax error", "lexer error"),
    "unsafe": ("unsafe variables",),
    "no-file": ("file could not be",),
}
_EXTREMES = {
    "tuple ignored: #inf": "#max of nothing is #inf; give it a least element, as #max { 0; ... }",
    "tuple ignored: #sup": "#min of nothing is #sup; give it a largest element, as #min { 9; ... }",
}
_CURES = {
    "atom-undefined": "correct its name, or declare it by #defined if an instance may lack it",
    "operation-undefined": "restrict the values, such as by X != 0",
    "global-variable": "give the variable another name within the braces",
    "unsafe": "bind them by a positive atom in the body",
}
