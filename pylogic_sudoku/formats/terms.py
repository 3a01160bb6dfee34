"""A grid as a Prolog list of rows, or as JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from ..errors import InvalidPuzzle
from ..grid import Box, Grid, checked_box
from .characters import is_number
from .rows import read_rows

__all__ = ["VARIABLE", "prolog_lists", "read_json", "read_prolog", "write_json", "write_prolog"]

_ROWS = re.compile(
    r"(\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*\s*\])(?:\s*,\s*(\d{1,2})\s*-\s*(\d{1,2})\b)?"
)
"""A list of rows, and perhaps the box shape, as in ``problem(six, [[...],...], 2-3).``"""
VARIABLE = re.compile(r"\b_\w*")


def prolog_lists(text: str) -> Iterator[tuple[int, str]]:
    """Every list of rows in a Prolog text, with its box shape if told, and its first line."""
    bare = re.sub(r"%.*", "", text)
    for match in _ROWS.finditer(bare):
        yield bare.count("\n", 0, match.start()) + 1, match.group()


def read_prolog(text: str, box: Box | None) -> Grid:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell."""
    found = next(prolog_lists(text), None)
    match = _ROWS.match(found[1]) if found else None
    if not match:
        raise InvalidPuzzle("no list of rows here; expected [[5,3,_],...]")
    rows, box_rows, box_columns = match.groups()
    if box is None and box_rows:
        box = checked_box((int(box_rows), int(box_columns)))
    cells = (row.split(",") for row in re.findall(r"\[([^\[\]]*)\]", rows))
    return Grid.from_rows((map(_prolog_cell, row) for row in cells), box)


def _prolog_cell(text: str) -> int | str | None:
    """A digit, None for a variable, or else the text as it is, for Grid.from_rows to reject."""
    word = text.strip()
    if is_number(word):
        return int(word)
    return None if VARIABLE.fullmatch(word) else word


def write_prolog(grid: Grid) -> str:
    """The list of rows."""
    rows = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in grid.rows)
    return "[" + ",\n ".join(rows) + "]"


def read_json(text: str, box: Box | None) -> Grid:
    """The grid of nested rows, alone or under the key "grid", perhaps beside "box"."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidPuzzle(f"this is no JSON: {error}") from None
    if isinstance(value, dict):
        if "grid" not in value:
            raise InvalidPuzzle(f'expected a key "grid" in the JSON object, not {list(value)}')
        if box is None and value.get("box") is not None:
            box = checked_box(value["box"])
        value = value["grid"]
    if isinstance(value, str):
        return read_rows(value, box)
    if isinstance(value, list) and value and all(isinstance(row, str) for row in value):
        return read_rows("\n".join(value), box)
    return Grid.from_rows(value, box)


def write_json(grid: Grid) -> str:
    """An object with the box shape and the rows, on one line."""
    return json.dumps(
        {"box": grid.box, "grid": [[digit or None for digit in row] for row in grid.rows]}
    )
