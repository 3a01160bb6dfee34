"""Kinds of texts that are not read, and refused by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import InvalidPuzzle
from .text import MARKED, Head

_NAMES = (
    (
        r"(?i)r\d{1,2}c\d{1,2}\s*\Z",
        "{0} is the name of a cell, not a puzzle (at the command line: explain why {0} PUZZLE)",
    ),
    (
        r"\d{1,2}(?:x\d{1,2})?\w*#\d+",
        "this is a random seed of Solo, from which only that program makes the puzzle: copy the"
        " game ID that has the cells (Game, Specific)",
    ),
    (
        rf"(?s)(?=.*\d!)(?:(?:\d:)?(?:{MARKED}|\d?!?)[,;|\s]+){{8}}",
        "the sign ! behind a digit, which marks a given in some programs, is not read: write the"
        " givens alone, and a dot for every other cell",
    ),
    (r"p cnf \d+ \d+", "these are clauses (DIMACS CNF), which are not read as a puzzle"),
    (r"\{\\rtf", "this is rich text (RTF), which is not read: save it as plain text"),
    (
        r"(?s).*(?:^|[\s.)]):-(?!-)",
        "this is a program without a puzzle in it; expected a list of rows such as [[5,3,_],...],"
        " or facts such as initial(1,1,5).",
    ),
)
"""Beginnings of texts, and the message for each."""


def looks_like(head: Head) -> Iterator[str]:
    """Nothing; InvalidPuzzle, which names the kind, for texts that are not read."""
    yield from ()
    if not head.whole:
        return
    first = head.lines[0] if head.lines else ""
    for pattern, message in _NAMES:
        named = "{0}" in message and first != head.content
        if not named and re.match(pattern, head.content[:10_000]):
            raise InvalidPuzzle(message.format(first))
