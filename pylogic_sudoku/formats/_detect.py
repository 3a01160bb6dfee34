"""Which format a text is in, by its content."""

from __future__ import annotations

import re

from ..errors import InvalidPuzzle
from ..grid import Box
from ._answers import ANSWER
from ._csv import is_table
from ._dzn import ARRAY
from ._givens import ATOMS, CODE
from ._prolog import VARIABLE
from ._rows import SECTION

__all__ = ["detect", "is_content"]

_ATOM = re.compile(rf"\b(?:{'|'.join(ATOMS)}|box_rows)\s*\(\s*[^\[\s]|#const\b")
_QUOTED = re.compile(r'"[^"]*"')
_STATUS = re.compile(rf"^(?:clingo version |{ANSWER.pattern}|(?:UN)?SATISFIABLE\b)", re.MULTILINE)
_DIRECTIVE = re.compile(r"#(?:const|show|program|defined|include|external|script)\b|%\*")


def is_content(line: str) -> bool:
    """True unless the line is blank or a comment."""
    bare = line.strip()
    return bare[:1] not in ("", "%", "#") or _DIRECTIVE.match(bare) is not None


def detect(text: str, box: Box | None = None, whole: bool = True) -> str:
    """The name of the format; `whole` is False for the first lines of a longer text."""
    bare = text.strip()
    if bare[:1] == "<":
        return "opensudoku"
    if _STATUS.search(text):
        return "answer"
    lines = [line for line in text.splitlines() if is_content(line)]
    if bare and not lines:
        raise InvalidPuzzle("the text has only comments; expected a puzzle")
    if is_table(lines[:3], box):
        return "csv"
    if "[" in bare:
        if ARRAY.search(bare):
            return "dzn"
        if any(SECTION.fullmatch(line) for line in lines):
            return "sdk"
    code = CODE.sub(" ", text)
    if _ATOM.search(code) and not re.search(r"\[\s*\[", text):
        return "facts" if "." in code else "answer"
    if bare[:1] in ("{", '"'):
        return "json"
    if "[" in bare:
        return "json" if _is_json(bare, whole) else "prolog"
    return "rows" if "\n" in text.strip("\r\n") else "line"


def _is_json(bare: str, whole: bool) -> bool:
    """True of a list that a Prolog program would not have."""
    if bare[0] != "[" or VARIABLE.search(_QUOTED.sub("", bare)):
        return False
    return bare[-1] in "]}" if whole else '"' in bare or "null" in bare
