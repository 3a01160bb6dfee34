"""Texts of other programs: Solo's game IDs, which are read, and kinds that are refused by name."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..errors import InvalidPuzzle, counted
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, checked_box, diagonals
from .rows import split_lines as split_lines
from .text import Head

_SOLO = re.compile(r"(\d{1,2})(?:x(\d{1,2}))?([a-z]\w*)?:([0-9a-z_]+)((?:,\w+)*)\s*")
"""A game ID of Solo, by Simon Tatham: ``3x3:9a1d5h...``, perhaps with the kind behind the size."""

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
    """The format of a game ID; InvalidPuzzle, which names the kind, for texts that are not read."""
    if _SOLO.fullmatch(head.content):
        yield "solo"
    if not head.whole:
        return
    first = head.lines[0] if head.lines else ""
    for pattern, message in _NAMES:
        named = "{0}" in message and first != head.content
        if not named and re.match(pattern, head.content[:10_000]):
            raise InvalidPuzzle(message.format(first))


def read_solo(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle of a game ID: numbers, letters for runs of empty cells, ``_`` between numbers.

    In ``2x3`` boxes are 2 rows high and 3 columns wide; an ``x`` behind it is for both diagonals.
    """
    match = _SOLO.fullmatch(text.strip())
    if match is None:
        raise InvalidPuzzle(
            "this is not a game ID of Solo; expected one such as 3x3:9a1d5h8b6_2..."
        )
    height, width, kind, cells, more = match.groups()
    if width is None or more or set(kind or "") & {"j", "k"}:
        raise InvalidPuzzle(
            "a game ID of Solo with regions or cages is not read; expected one such as 3x3:9a1d5h"
        )
    box = checked_box((int(height), int(width)))
    n = box[0] * box[1]
    digits: list[int] = []
    for number, run in re.findall(r"(\d+)|([a-z])", cells):
        digits += [int(number)] if number else [0] * (ord(run) - ord("a") + 1)
    if len(digits) != n * n:
        raise InvalidPuzzle(
            f"this game ID of Solo has {counted(len(digits), 'cell')}; expected {n * n} for {n}x{n}"
        )
    grid = Grid.from_rows([digits[at : at + n] for at in range(0, n * n, n)], box)
    if "x" not in (kind or ""):
        return grid
    from ..rules import Different

    return Puzzle(grid, rules=[Different(each, "diagonal") for each in diagonals(n)])
