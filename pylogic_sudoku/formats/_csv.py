"""Lines in a column of a comma-separated table, as collections for machine learning have them."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from math import isqrt

from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ._characters import values_for
from ._lines import fits, open_shape, read_line, write_line
from ._text import LONGEST_LINE

__all__ = ["is_table", "read_csv", "split_csv", "write_csv"]

_NAMES = ("quizzes", "quiz", "puzzles", "puzzle")
"""What the column of puzzles may be called."""
_SEPARATORS = ",;\t"


def is_table(lines: list[str], box: Box | None) -> bool:
    """True if the first lines are a heading of such a table, or with a row that has a puzzle."""
    if not lines or len(lines[0]) > LONGEST_LINE:
        return False
    names = _fields(lines[0])
    if len(names) == 1:
        # Rows may have such a title, too.
        return names[0].lower() in _NAMES and (len(lines) < 3 or _is_puzzle(lines[1].strip(), box))
    named = any(name.lower() in _NAMES for name in names)
    return named or any(_is_puzzle(name, box) for name in names)


def _fields(line: str) -> list[str]:
    return [field.strip(' "') for field in re.split(f"[{_SEPARATORS}]", line)]


def _is_puzzle(field: str, box: Box | None) -> bool:
    size = len(field) > 9 and (fits(len(field), box) or open_shape(field, box))
    return bool(size) and set(field) <= set(values_for(field, isqrt(len(field))))


def read_csv(text: str, box: Box | None) -> Grid:
    """The first puzzle of the table."""
    _, line = next(split_csv(text.splitlines(), box))
    return read_line(line, box)


def split_csv(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzle of each row: of the column so named, else of the first that holds one."""
    numbered = enumerate(lines, 1)
    start, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    separator = next((each for each in _SEPARATORS if each in first), ",")
    names = [name.lower() for name in _fields(first)]
    column = next((names.index(name) for name in _NAMES if name in names), None)
    heading = column is not None
    if column is None:
        column = next((at for at, name in enumerate(names) if _is_puzzle(name, box)), 0)
    reader = csv.reader(chain([first], (line for _, line in numbered)), delimiter=separator)
    found = False
    try:
        for row in reader:
            if not row or (heading and [name.strip(' "').lower() for name in row] == names):
                continue
            found = True
            number = start - 1 + reader.line_num
            yield number, (row[column : column + 1] or [""])[0] or separator.join(row) or '""'
    except csv.Error as error:
        raise InvalidPuzzle(f"line {start - 1 + reader.line_num}: {error}") from None
    if not found:
        raise InvalidPuzzle("the table has no rows; expected a puzzle in each")


def write_csv(grid: Grid) -> str:
    """A table with one column and one row."""
    return f"puzzle\n{write_line(grid)}"
