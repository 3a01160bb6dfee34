"""The comments of a reference: on the line that refuses an answer, and on a predicate."""

from __future__ import annotations

import re
from pathlib import Path

from ..reasons.lines import Refusal

_COMMENT = re.compile(r"\s*%+\s?(.*)")
_LABEL = re.compile(r"^[A-Z]\w*: +")
"""The label at the beginning of many comments: "Test:"."""


def _kind(line: str) -> str | None:
    """The kind of the ASP statement that begins a line: a constraint, a choice, or a rule."""
    found = re.match(r"(?P<constraint>:-)|(?P<choice>[^\s:]*\s*\{)|(?P<rule>\S)", line)
    return found.lastgroup if found else None


def comment_on_refusal(path: Path, reason: Refusal) -> str:
    """The comment on the line that refuses an answer; in Prolog, or on a call of its clause."""
    first, *others = reason.lines
    words = comment_above(path, first.number)
    if words or path.suffix != ".pl":
        return words
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    called = rf"(?<!\w){re.escape(_head(lines[_clause(lines, first.number) - 1]))}(?!\w)"
    callers = (each for each in others if each.file == first.file and re.search(called, each.text))
    return next(filter(None, (comment_above(path, each.number) for each in callers)), "")


def _clause(lines: list[str], line: int) -> int:
    """The line in which a clause of Prolog begins, for any of its lines."""
    above = (each for each in range(line, 0, -1) if re.match(r"[^\s%]", lines[each - 1]))
    return next(above, 1)


def _head(line: str) -> str:
    """The name of the predicate of a clause that begins with this line."""
    return re.split(r"[\s(.]", line, maxsplit=1)[0]


def comment_above(path: Path, line: int) -> str:
    """The comment on a line of a program, or the one above it in the same paragraph; or nothing.

    In ASP, only statements of the same kind may be between, such as other constraints; in Prolog,
    nothing between a goal and its comment, and only clauses of the same predicate between that of
    the goal and the comment on these. The head of a file, which begins in its first line, is about
    all of it, unless it is one line with nothing between.
    """
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    same = re.search(r"(?:^|\s)%+\s*(.+)", lines[line - 1]) if line <= len(lines) else None
    if same:
        return same[1].strip()
    words: list[str] = []
    kind = _kind(lines[line - 1]) if path.suffix == ".lp" else None
    is_clause = path.suffix == ".pl" and not (line > 1 and _COMMENT.match(lines[line - 2]))
    line = _clause(lines, line) if is_clause else line
    name = _head(lines[line - 1])
    first = line
    for number in range(line - 1, 0, -1):
        comment = _COMMENT.match(lines[number - 1])
        if comment and is_clause and not words and comment[0][0].isspace():
            continue  # it is about a goal of another clause
        if comment:
            words.insert(0, comment[1].strip())
            first = number
        elif words or not lines[number - 1].strip():
            break
        elif kind and _kind(lines[number - 1]) not in (kind, None):
            return ""  # the comment is about that statement
        elif is_clause and not lines[number - 1][0].isspace() and _head(lines[number - 1]) != name:
            return ""  # or about that predicate
    if first == 1 and line > 2:
        return ""
    return _LABEL.sub("", " ".join(filter(None, words))).rstrip(".:")


def comment_on(name: str, source: str) -> str:
    """Return the comment directly above the first rule or clause of a predicate, on one line.

    A line with the modes of the predicate is left out.
    """
    return comment_at(rf"(?:\d+ *)?(?:{{ *)?{re.escape(name)}(?![\w'])", source, name)


def comment_at(pattern: str, source: str, name: str = "") -> str:
    """Return the comment above the first line that begins so, with one empty line between at most.

    The head of a file is none, and a line that has but this name and arguments is left out.
    """
    lines = source.splitlines()
    at = next((n for n, line in enumerate(lines) if re.match(pattern, line)), 0)
    is_apart = at > 1 and not lines[at - 1].strip()
    at -= is_apart
    first = at
    if first and lines[first - 1].rstrip().endswith("*/"):
        while first and "/*" not in lines[first]:
            first -= 1
    while first and lines[first - 1].startswith("%"):
        first -= 1
    if is_apart and not first:
        return ""  # the head of the file
    texts = (re.sub(r"^[%/*! ]+|\s*\*+/\s*$", "", line).strip() for line in lines[first:at])
    mode = re.compile(rf"{re.escape(name)}(?:\([^()]*\))?(?: +is +\w+)?\.?$") if name else None
    return " ".join(each for each in texts if each and not (mode and mode.match(each)))
