"""Puzzles as lists of rows: JSON, and arrays of MiniZinc."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from math import isqrt
from typing import Any

from .._layout import checked_box, checked_regions, usual_box
from ..errors import InvalidPuzzle, counted, shown
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._answers import read_witness, witnesses
from ._cells import numbers_of
from ._rows import read_rows
from ._text import Head

__all__ = ["is_array", "is_json", "loaded", "puzzle_of", "read_dzn", "read_json", "split_dzn"]
__all__ += ["split_json", "write_dzn", "write_json"]

_MORE = ("regions", "marks", "rules", "title", "author")
_OURS = ("box", "grid", *_MORE)
_SOMETHING = re.compile(r"\S")
_DECODER = json.JSONDecoder()
_VARIABLE = re.compile(r"\b_\w*")
_QUOTED = re.compile(r'"[^"]*"')


def is_json(head: Head) -> bool:
    """True for an object, a string, and a list that is not one of Prolog."""
    bare = head.bare
    if bare[:1] in ("{", '"'):
        return True
    if bare[:1] != "[" or _VARIABLE.search(_QUOTED.sub("", bare)):
        return False
    return bare[-1] in "]}" if head.whole else '"' in bare or "null" in bare


def read_json(text: str, box: Box | None) -> Grid | Puzzle:
    """The grid of nested rows, alone or under "grid" or "puzzle", perhaps beside "box".

    It is a `Puzzle` if "regions", "marks", "title" or "author" are there. Beside "grid" no other
    key may be there; beside "puzzle", the key of many collections, any other is ignored. The first
    answer set of what ``clingo --outf=2`` prints is read too.
    """
    return puzzle_of(loaded(text), box)


def puzzle_of(value: Any, box: Box | None) -> Grid | Puzzle:
    """The puzzle that a value of JSON holds; see `read_json`."""
    if isinstance(value, dict):
        if "Call" in value:
            return read_witness(value, box)
        if isinstance(value.get("puzzle"), dict):  # an answer or a record of ours
            value = value["puzzle"]
        if "grid" not in value and "puzzle" not in value:
            raise InvalidPuzzle(f'expected a key "grid" in the JSON object, not {list(value)}')
        key = "grid" if "grid" in value else "puzzle"
        if key == "grid" and (unknown := [name for name in value if name not in _OURS]):
            raise InvalidPuzzle(f"unknown key {shown(unknown[0])}; expected {', '.join(_OURS)}")
        if box is None and value.get("box") is not None:
            box = checked_box(value["box"])
        more = {name: value[name] for name in _MORE if value.get(name) is not None}
        if "regions" in more:
            box = usual_box(len(checked_regions(more["regions"])))
        grid = _grid(value[key], box)
        puzzle = Puzzle(grid, **more)
        return puzzle if any(more.values()) else grid
    return _grid(value, box)


def _grid(value: Any, box: Box | None) -> Grid:
    if isinstance(value, str):
        return read_rows(value, box)
    return Grid.from_rows(value, box)


def loaded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise InvalidPuzzle(f"this is not JSON: {error}") from None
    except (ValueError, RecursionError):
        raise InvalidPuzzle(
            "this JSON is not read: it holds a number of thousands of digits, or too many lists"
            " within lists"
        ) from None


def split_json(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each value, line by line if the first line is one, as in JSON Lines; else read whole."""
    numbered = enumerate(lines, 1)
    number, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    try:
        loaded(first)
    except InvalidPuzzle:
        text = "\n".join(chain([first], (line for _, line in numbered)))
        for at, value in _values(text):
            yield from ((number + at, piece) for piece in _pieces(value))
        return
    for at, line in chain([(number, first)], numbered):
        if line.strip():
            yield from ((at, piece) for piece in _pieces(line))


def _values(text: str) -> Iterator[tuple[int, str]]:
    """Each of several values in a row, with the number of its line, counted from 0.

    A text that does not begin with JSON is one, for `read_json` to reject.
    """
    at = line = 0
    while begin := _SOMETHING.search(text, at):
        try:
            _, end = _DECODER.raw_decode(text, begin.start())
        except (ValueError, RecursionError) as error:
            if at:
                raise InvalidPuzzle(f"this is not JSON: {error}") from None
            end = len(text)
        line += text.count("\n", at, begin.start())
        yield line, text[begin.start() : end]
        line += text.count("\n", begin.start(), end)
        at = end


def _pieces(text: str) -> Iterator[str]:
    """The JSON text of each puzzle: one for each object of a list, or for each answer set."""
    try:
        value = loaded(text)
        if isinstance(value, dict) and "Call" in value and (found := witnesses(value)):
            for atoms in found:
                yield json.dumps({"Call": [{"Witnesses": [{"Value": atoms}]}]})
            return
    except InvalidPuzzle:
        value = None
    if isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
        yield from map(json.dumps, value)
    else:
        yield text


def write_json(puzzle: Grid | Puzzle) -> str:
    """An object with the box shape and the rows, on one line, and the rules of a Puzzle."""
    if isinstance(puzzle, Puzzle):
        return json.dumps(puzzle.to_json())
    return json.dumps({"box": puzzle.box, "grid": puzzle.to_json()})


# --- MiniZinc: an array of two dimensions ---

_ARRAY = re.compile(r"\[\s*\|([^\[\]]*)\]|\barray2d\s*\([^\[\]]{0,99}\[([^\[\]]*)\]")
_DZN_COMMENT = re.compile(r"%[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_BOX = re.compile(r"\bbox_(rows|columns)\s*=\s*(\d{1,2})\s*;")


def is_array(head: Head) -> bool:
    """True if there is such an array."""
    return _ARRAY.search(head.content) is not None


def read_dzn(text: str, box: Box | None) -> Grid:
    """The first array of the text: ``[| 5,3,_ | ... |]`` or ``array2d(1..9, 1..9, [5,3,_,...])``.

    An empty cell is 0, ``_`` or ``<>``. The box shape is `box`, else that of ``box_rows`` and
    ``box_columns``, else square.
    """
    bare = _without_comments(text)
    array = _ARRAY.search(bare)
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
                f"the array has {counted(len(cells), 'number')}; expected 81 for 9x9, or n * n"
            )
        rows = [cells[at : at + size] for at in range(0, len(cells), size)]
    return Grid.from_rows(numbers_of(rows, {"_", "<>"}.__contains__), box)


def _without_comments(text: str) -> str:
    return _DZN_COMMENT.sub(lambda comment: "\n" * comment.group().count("\n"), text)


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
    for array in _ARRAY.finditer(bare):
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
