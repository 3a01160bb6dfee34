"""The comments of a reference: on the line that refuses an answer, and on a predicate."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..reasons.lines import Refusal

_COMMENT = re.compile(r"\s*%+\s?(.*)")
_LABEL = re.compile(r"^[A-Z]\w*: +")
"""The label at the beginning of many comments: "Test:"."""
_QUOTED = r'"(?:\\.|[^"\\])*"'
_CODE = {
    ".lp": re.compile(rf'(?:{_QUOTED}|[^"%])*'),
    ".pl": re.compile(rf"(?:0'.|{_QUOTED}|'(?:\\.|[^'\\])*'|[^\"'%])*"),
}
"""The part of a line before its comment: a ``%`` in a text is none."""


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


def _clause(lines: Sequence[str], line: int) -> int:
    """The line in which a clause of Prolog begins, for any of its lines."""
    above = (each for each in range(line, 0, -1) if re.match(r"[^\s%]", lines[each - 1]))
    return next(above, 1)


def _head(line: str) -> str:
    """The name of the predicate of a clause that begins with this line."""
    return re.split(r"[\s(.]", line, maxsplit=1)[0]


def comment_above(path: Path, line: int) -> str:
    """The comment on a statement of ASP or a goal of Prolog that begins in a line; or nothing.

    It is at the end of the line, or above it in the same paragraph. The head of a file, which
    begins in its first line, is about all of it, unless it is one line with nothing between.
    """
    lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    return (_on_goal if path.suffix == ".pl" else _on_statement)(lines, line)


def _at_end(line: str, suffix: str) -> str:
    """The comment at the end of a line, or the line if it is a comment; or nothing."""
    code = _CODE[suffix].match(line)
    rest = line[code.end() :] if code else ""
    return rest.lstrip("%").strip() if rest.startswith("%") else ""


def _on_statement(lines: Sequence[str], line: int) -> str:
    """The comment on a statement of ASP.

    One that is above it is about the statements below, until another comment, an empty line, or a
    statement of another kind. On the lines of a long statement, a comment may be about a part.
    """
    if line > len(lines):
        return ""
    last = line
    while last < len(lines) and not _ends(lines[last - 1]) and lines[last].strip():
        last += 1
    own = [_at_end(each, ".lp") for each in lines[line - 1 : last]]
    is_alone = sum(map(bool, own)) == 1
    if is_alone and (line == last or not _COMMENT.match(lines[line - 2] if line > 1 else "")):
        return own[0] or own[-1]
    kind = _kind(lines[line - 1])
    above = line - 1
    while above and lines[above - 1].strip() and not _COMMENT.match(lines[above - 1]):
        if _at_end(lines[above - 1], ".lp") or _kind(lines[above - 1]) not in (kind, None):
            return ""  # the comment above is about that statement
        above -= 1
    first = above
    while first and _COMMENT.match(lines[first - 1]):
        first -= 1
    is_within = first and lines[first - 1].strip() and not _ends(lines[first - 1])
    return "" if is_within else _words(lines, range(first, above), line)


def _ends(line: str) -> bool:
    """True if a statement ends in a line."""
    code = _CODE[".lp"].match(line)
    return code is not None and code[0].rstrip().endswith((".", "]"))


def _on_goal(lines: Sequence[str], line: int) -> str:
    """The comment on a goal of Prolog, or on its clause.

    Nothing may be between a goal and its comment, and only clauses of the same predicate between
    that of the goal and the comment on these.
    """
    same = _at_end(lines[line - 1], ".pl") if line <= len(lines) else ""
    if same:
        return same
    is_clause = not (line > 1 and _COMMENT.match(lines[line - 2]))
    line = _clause(lines, line) if is_clause else line
    name = _head(lines[line - 1])
    above = line - 1
    while above and lines[above - 1].strip():
        text = lines[above - 1]
        comment = _COMMENT.match(text)
        if comment and not (is_clause and text[0].isspace()):
            break
        if is_clause and not text[0].isspace() and _head(text) != name:
            return ""  # the comment above is about that predicate
        above -= 1  # a comment on the way is about a goal of another clause
    first = above
    while first and _COMMENT.match(lines[first - 1]):
        first -= 1
    return _words(lines, range(first, above), line)


def _words(lines: Sequence[str], block: range, line: int) -> str:
    """The comment of a block of lines, counted from 0, without its label; none if it is a head."""
    if block and block[0] == 0 and line > 2:
        return ""
    words = (_COMMENT.sub(r"\1", lines[each]).strip() for each in block)
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
