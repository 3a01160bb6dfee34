"""Puzzles as text: one small reader and one writer a format, detected by content.

==========  =======================================================================
``line``    n * n characters, row by row; digits over 9 are letters (see `symbols`)
``rows``    one row a line, digits run together or apart, with or without box rules
``pretty``  rows with the boxes drawn; read like ``rows``
``facts``   ``initial(X,Y,N).`` for clingo: row X and column Y hold the given N
``prolog``  a list of rows, ``_`` for an empty cell
``json``    ``{"box": [3, 3], "grid": [[5, 3, null, ...], ...]}``, or the rows alone
==========  =======================================================================

An empty cell is ``.`` in what is written, and any of ``. 0 _ * x - blank`` in what is read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box, Grid, checked_box
from .characters import symbols
from .facts import ATOMS, read_facts, write_facts
from .lines import fits, line_cells, read_line, write_line
from .rows import read_rows, write_pretty, write_rows
from .terms import VARIABLE, prolog_lists, read_json, read_prolog, write_json, write_prolog

__all__ = ["FORMATS", "as_grid", "parse", "split", "symbols", "write"]

_ATOM = re.compile(rf"\b(?:{'|'.join(ATOMS)})\s*\(\s*[^\[\s]|#const\b")
_QUOTED = re.compile(r'"[^"]*"')


class Format(NamedTuple):
    """How a format is read and written."""

    read: Callable[[str, Box | None], Grid]
    write: Callable[[Grid], str]


FORMATS = {
    "line": Format(read_line, write_line),
    "rows": Format(read_rows, write_rows),
    "pretty": Format(read_rows, write_pretty),
    "facts": Format(read_facts, write_facts),
    "prolog": Format(read_prolog, write_prolog),
    "json": Format(read_json, write_json),
}


def _format(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise ValueError(f"no format {name!r}; choose one of {', '.join(FORMATS)}") from None


def _detect(text: str) -> str:
    if _ATOM.search(text) and not re.search(r"\[\s*\[", text):
        return "facts"
    bare = text.strip()
    if bare[:1] in ("{", '"'):
        return "json"
    if "[" in bare:
        variable = VARIABLE.search(_QUOTED.sub("", bare))
        return "json" if bare[0] == "[" and bare[-1] == "]" and not variable else "prolog"
    return "rows" if "\n" in text.strip("\r\n") else "line"


def parse(text: str, format: str | None = None, box: Box | None = None) -> Grid:
    """The one puzzle that the text holds; see `Grid.parse`."""
    if not text.strip("\r\n\t\f\v"):
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    shape = None if box is None else checked_box(box)
    return _format(format or _detect(text)).read(text, shape)


def write(grid: Grid, format: str) -> str:
    """The grid as text in the format of this name; see `Grid.format`."""
    return _format(format).write(grid)


def as_grid(puzzle: object) -> Grid:
    """A puzzle as users pass it: a Grid, text in any known format, or nested rows."""
    if isinstance(puzzle, Grid):
        return puzzle
    return parse(puzzle) if isinstance(puzzle, str) else Grid.from_rows(puzzle)  # type: ignore[arg-type]


def split(
    text: str, box: Box | None = None, format: str | None = None
) -> Iterator[tuple[int, str]]:
    """The text of each puzzle in a file of one or many, with the number of its first line.

    Puzzles are told apart by what they are: lists of rows, lines, or blocks of rows between
    blank or comment lines. Facts and JSON are one puzzle. `format` is as for `parse`.
    """
    if not text.strip():
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    format = format or _detect(text)
    if format == "prolog":
        yield from prolog_lists(text)
    if format in ("facts", "json") or (format == "prolog" and not any(prolog_lists(text))):
        yield 1, text
    if format not in ("line", "rows", "pretty"):
        return
    block: list[str] = []
    lines = text.splitlines()
    if all(line.lstrip()[:1] in ("", "#", "%") for line in lines):
        raise InvalidPuzzle("the text has only comments; expected a puzzle")
    for number, line in enumerate([*lines, ""], 1):
        # A line of blanks that is long enough is an empty puzzle, no separator.
        blank = not line.strip() and not (len(line) > MAX_SIZE and fits(len(line), box))
        if blank or line.lstrip()[:1] in ("#", "%"):
            if format == "line" or any(_is_line(each, len(block), box) for each in block):
                yield from enumerate(block, number - len(block))
            elif block:
                yield number - len(block), "\n".join(block)
            block = []
        else:
            block.append(line)


def _is_line(line: str, neighbours: int, box: Box | None) -> bool:
    """True if the line alone is a puzzle, and neither a rule nor one of as many rows as cells."""
    cells = line_cells(line, box)
    if cells is None or "|" in line:
        return False
    if len(cells) > MAX_SIZE:
        return True
    a_row = len(cells) == neighbours and box is None
    if a_row or len(cells) == 1 or not line.strip("-+ "):
        return False
    return line.split()[0] == cells
