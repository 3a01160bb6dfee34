"""Warnings about programs, which an engine reports and the caller gets once each."""

from __future__ import annotations

import os
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any, Literal

from ..errors import Message, ProgramWarning, near, parted, syntax_cure, without_inner

Signature = tuple[str, int]
Severity = Literal["error", "warning"]
MODULE = "pls_program_"
"""The beginning of the names of the modules that hold programs in Prolog."""
HALTED = ": it seems to call halt, which ends Prolog before an answer can be read; remove it"
"""The end of a message about a program in Prolog that ends its process."""
_told: set[tuple[Message, float]] = set()
send: Callable[[Message], object] | None = None
"""In a process that answers a question for another one, what takes a warning there."""


def report(messages: Iterable[Message]) -> None:
    """Warn of what an engine has to say about a program."""
    for message in messages:
        (send or tell)(message)


@contextmanager
def collected() -> Iterator[list[Message]]:
    """The messages that are reported in this block, each once; the user is not warned of them."""
    global send
    before, messages = send, dict[Message, None]()
    found: list[Message] = []
    send = messages.setdefault
    try:
        yield found
    finally:
        send = before
        found.extend(messages)


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


_AT = r"(?P<file>[^\n]*?):(?P<line>\d{1,9}):(?P<column>\d{1,9})(?:-\d+(?::\d+)?)?: "
_CLINGO = re.compile(rf"{_AT}(?:info|warning|error): (?P<text>.*)", re.DOTALL)


def of_clingo(code: str, said: str, text_of: Callable[[str], str]) -> Message:
    """A message of clingo as ours. Its kind is the name of its code, or says more of an error.

    `text_of` gives the text of the file that it names; empty if it is not known.
    """
    kind = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", code).lower()
    match = _CLINGO.match(without_inner(said))
    words, *notes = _NOTE.split(match["text"] if match else said)
    text = " ".join(words.split())
    if kind == "runtime-error":
        kind = next((name for name, begins in _ERRORS.items() if text.startswith(begins)), "error")
    cure = (
        syntax_cure(said, text_of) or _EXTREMES.get(text.partition("@")[0]) or _CURES.get(kind, "")
    )
    if notes:
        text = f"{text} ({', '.join(each.strip() for each in notes)})"
    if match is None:
        return Message(text, kind, cure=cure)
    file, line, column = match["file"], int(match["line"]), int(match["column"])
    before, rest = parted(text_of(file), line, column)
    return Message(text, kind, file, line, len(before) + 1 if rest else column, cure)


def of_prolog(fields: list[Any]) -> Message:
    """A message of Prolog, as ``prolog/host/loading.pl`` gives it."""
    name, file, line, column, text, own_cure = fields
    kind, plain = name.replace("_", "-"), without_modules(text)
    cure = own_cure or CURES_OF_PROLOG.get(kind, "")
    words = plain.partition("\n")[0] if kind in CURES_OF_PROLOG else plain
    return Message(words, kind, without_modules(file), line or None, column or None, cure)


def without_modules(text: str) -> str:
    """The text without Prolog's names of somebody's file, and of the module that it is in."""
    return re.sub(rf"#{MODULE}\w+|\b{MODULE}\w+:", "", text)


def meant(message: Message, known: Iterable[Signature]) -> Message:
    """The message about an undefined atom, with the predicate that may be meant as its cure.

    That is one of the same name with another number of arguments, or one of about the same name.
    """
    if message.kind != "atom-undefined":
        return message
    undefined = undefined_atom(message.text)
    if undefined is None:
        return message
    name, arity = undefined
    by_name = {each: number for each, number in known if each == name or number == arity}
    found = [name] if by_name.get(name, arity) != arity else near(name, by_name)
    if not found:
        return message
    return message._replace(cure=f"did you mean {found[0]}/{by_name[found[0]]}?")


def undefined_atom(text: str) -> Signature | None:
    """The predicate of the atom at the end of clingo's words on an undefined atom."""
    atom = _ATOM.search(text)
    return (atom["name"], _arity(atom["arguments"])) if atom else None


def _arity(arguments: str | None) -> int:
    """The number of the arguments in the text of an atom."""
    if not arguments:
        return 0
    plain = re.sub(r'"(?:\\.|[^"\\])*"', "", arguments)
    depth = number = 0
    for each in plain:
        depth += (each in "([") - (each in ")]")
        number += depth == 0 and each == ","
    return number + 1


def printed(
    said: str, text_of: Callable[[str], str] = lambda _file: ""
) -> Iterator[tuple[Severity, Message]]:
    """The messages about programs in what clingo or SWI-Prolog has printed.

    `text_of` gives the text of a file that they name; empty if it is not known.
    """
    for match in _PRINTED.finditer(said):
        if match["loud"] is None:
            begins = match["words"]
            code = next((name for words, name in _CODES.items() if begins.startswith(words)), "")
            is_error = match["severity"] == "error"
            code = "RuntimeError" if is_error else code or "Other"
            message = of_clingo(code, match[0].rstrip(), text_of)
            yield "error" if is_error else "warning", message
        else:
            yield "error" if match["loud"] == "ERROR" else "warning", _printed_by_prolog(match)


def _printed_by_prolog(match: re.Match[str]) -> Message:
    text = " ".join(re.sub(r"(?m)^(?:Warning|ERROR):", "", match["said"]).split())
    kind = next((kind for begins, kind in _OF_PROLOG.items() if text.startswith(begins)), "")
    column = int(match["at"]) if match["at"] else None
    cure = CURES_OF_PROLOG.get(kind, "")
    return Message(text, kind, match["path"], int(match["number"]), column, cure)


def raised(text: str) -> Message:
    """A message about an error of a Prolog program, with its place if it begins with that."""
    if match := _MISPLACED.fullmatch(text):
        words, _, cure = match["words"].partition("; ")
        return Message(words, "no-predicate", match["file"], int(match["line"]), cure=cure)
    if match := _UNKNOWN.search(text):
        return Message(f"there is no predicate {match[1]}", "no-predicate")
    return Message(text)


_MISPLACED = re.compile(
    r"(?P<file>\S[^\n]*?):(?P<line>\d{1,9}): (?P<words>there is no predicate [^\n]*)"
)
_PRINTED = re.compile(
    rf"^{_AT.replace('?P<column>', '?:')}(?P<severity>info|warning|error): (?P<words>.*)"
    r"(?:\n(?:[^\S\n].*|.*: note: .*))*"
    r"|^(?P<loud>Warning|ERROR): (?P<path>\S[^\n]*?):(?P<number>\d{1,9}):(?:(?P<at>\d{1,9}):)?"
    r"(?P<said>.*(?:\n(?:Warning|ERROR):  .*)*)",
    re.MULTILINE,
)
_CODES = {
    "atom does not occur": "AtomUndefined",
    "global variable": "GlobalVariable",
    "interval undefined": "OperationUndefined",
    "operation undefined": "OperationUndefined",
    "tuple ignored": "OperationUndefined",
}
"""The beginnings of clingo's warnings, and their codes, which it does not print."""
_OF_PROLOG = {
    "Syntax error": "syntax-error",
    "Singleton": "singletons",
    "Clauses of": "discontiguous",
    "Redefined": "redefined-procedure",
    "Goal (": "goal-failed",
}
"""The beginnings of what SWI-Prolog prints, and their kinds."""
_ATOM = re.compile(r": (?P<name>-?_*[a-z]\w*)(?:\((?P<arguments>.*)\))?$", re.ASCII)
"""The atom at the end of clingo's words on an undefined one."""
_UNKNOWN = re.compile(r"Unknown procedure:? (?:\w+:)?(\S+/\d+)")
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
CURES_OF_PROLOG = {
    "singletons": "write _ for a variable that is used once, or correct its name",
    "discontiguous": "put them together, or declare them by :- discontiguous",
    "redefined-procedure": "keep one definition, or give one of them another name",
    "goal-failed": "a directive runs when the program is loaded, and should succeed",
}
