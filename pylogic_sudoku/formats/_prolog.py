"""A grid as a Prolog list of rows."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .._layout import checked_box
from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ._characters import numbers_of

__all__ = ["VARIABLE", "read_prolog", "split_prolog", "write_prolog"]

_ROWS = re.compile(
    r"(\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*\s*\])(?:\s*,\s*(\d{1,2})\s*-\s*(\d{1,2})\b)?"
)
"""A list of rows, and perhaps the box shape, as in ``problem(six, [[...],...], 2-3).``"""
VARIABLE = re.compile(r"\b_\w*")
_COMMENT = re.compile(r"%.*")


def read_prolog(text: str, box: Box | None) -> Grid:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell."""
    match = _ROWS.search(_COMMENT.sub("", text))
    if not match:
        raise InvalidPuzzle("no list of rows here; expected [[5,3,_],...]")
    rows, box_rows, box_columns = match.groups()
    if box is None and box_rows:
        box = checked_box((int(box_rows), int(box_columns)))
    cells = (row.split(",") for row in re.findall(r"\[([^\[\]]*)\]", rows))
    words = ((word.strip() for word in row) for row in cells)
    return Grid.from_rows(numbers_of(words, VARIABLE.fullmatch), box)


def split_prolog(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every list of rows, with its box shape if told; all as one if there is none."""
    found = False
    kept: list[str] = []
    depth = 0
    number = 0
    for number, line in enumerate(lines, 1):
        bare = _COMMENT.sub("", line)
        kept.append(bare)
        depth += bare.count("[") - bare.count("]")
        # What a line leaves open may go on in the next one; a comma may lead to the box shape.
        if depth <= 0 and not bare.rstrip().endswith((",", "-")) and bare.strip():
            for piece in _lists(kept, number):
                found = True
                yield piece
            kept, depth = [], 0
    rest = list(_lists(kept, number))
    yield from rest
    if not (found or rest):
        yield 1, "\n".join(kept) or "[]"


def _lists(lines: list[str], last: int) -> Iterator[tuple[int, str]]:
    text = "\n".join(lines)
    for match in _ROWS.finditer(text):
        yield last + 1 - len(lines) + text.count("\n", 0, match.start()), match.group()


def write_prolog(grid: Grid) -> str:
    """The list of rows."""
    rows = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in grid.rows)
    return "[" + ",\n ".join(rows) + "]"
