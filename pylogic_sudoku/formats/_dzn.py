"""A grid as data for MiniZinc: an array of two dimensions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from math import isqrt

from .._layout import checked_box
from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ._characters import numbers_of

__all__ = ["ARRAY", "read_dzn", "split_dzn", "write_dzn"]

ARRAY = re.compile(r"\[\s*\|([^\[\]]*)\]|\barray2d\s*\([^\[\]]{0,99}\[([^\[\]]*)\]")
_COMMENT = re.compile(r"%[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_BOX = re.compile(r"\bbox_(rows|columns)\s*=\s*(\d{1,2})\s*;")


def read_dzn(text: str, box: Box | None) -> Grid:
    """The first array of the text: ``[| 5,3,_ | ... |]`` or ``array2d(1..9, 1..9, [5,3,_,...])``.

    An empty cell is 0, ``_`` or ``<>``. The box shape is `box`, else what ``box_rows`` and
    ``box_columns`` say, else square.
    """
    bare = _without_comments(text)
    array = ARRAY.search(bare)
    if array is None:
        raise InvalidPuzzle("no array here; expected [| 5,3,_ | ... |]")
    shape = dict(_BOX.findall(bare))
    if box is None and len(shape) == 2:
        box = checked_box((int(shape["rows"]), int(shape["columns"])))
    if array[1] is not None:
        body = array[1].strip().removesuffix("|")
        rows = [_cells(row) for row in body.split("|")]
    else:
        cells = _cells(array[2])
        size = isqrt(len(cells))
        if size * size != len(cells) or not cells:
            raise InvalidPuzzle(
                f"the array has {len(cells)} numbers; expected 81 for 9x9, or n * n"
            )
        rows = [cells[at : at + size] for at in range(0, len(cells), size)]
    return Grid.from_rows(numbers_of(rows, {"_", "<>"}.__contains__), box)


def _without_comments(text: str) -> str:
    return _COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)


def _cells(text: str) -> list[str]:
    """The cells between commas."""
    words = [word.strip() for word in text.split(",")]
    if not words[-1]:
        words.pop()
    return words


def split_dzn(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every array, with the box shape of the text; all as one if there is none."""
    text = "\n".join(lines)
    bare = _without_comments(text)
    shape = " ".join(f"box_{name} = {number};" for name, number in _BOX.findall(bare))
    found = False
    for array in ARRAY.finditer(bare):
        found = True
        yield bare.count("\n", 0, array.start()) + 1, f"{shape} {array.group()}".strip()
    if not found:
        yield 1, text


def write_dzn(grid: Grid) -> str:
    """The side of a square box as ``S`` and the cells as ``start``, names that models use."""
    box_rows, box_columns = grid.box
    shape = f"S = {box_rows};"
    if box_rows != box_columns:
        shape = f"box_rows = {box_rows};\nbox_columns = {box_columns};"
    width = len(str(grid.size))
    rows = (",".join(str(digit).rjust(width) for digit in row) for row in grid.rows)
    return f"{shape}\nstart = [| " + "\n         | ".join(rows) + " |];"
