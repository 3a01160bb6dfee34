"""A grid as JSON: nested rows, alone or in an object, or an answer set of clingo."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from .._layout import checked_box
from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._answers import read_witness, witnesses
from ._rows import read_rows

__all__ = ["read_json", "split_json", "write_json"]

_KEYS = ("grid", "puzzle")
_MORE = ("regions", "marks", "rules", "title", "author")
_SOMETHING = re.compile(r"\S")
_DECODER = json.JSONDecoder()


def read_json(text: str, box: Box | None) -> Grid | Puzzle:
    """The grid of nested rows, alone or under "grid" or "puzzle", perhaps beside "box".

    With "regions", "marks", "title" or "author" it is a `Puzzle`.
    Also the first answer set of what ``clingo --outf=2`` prints.
    """
    value = _loaded(text)
    if isinstance(value, dict):
        if "Call" in value:
            return read_witness(value, box)
        key = next((key for key in _KEYS if key in value), None)
        if key is None:
            raise InvalidPuzzle(f'expected a key "grid" in the JSON object, not {list(value)}')
        if box is None and value.get("box") is not None:
            box = checked_box(value["box"])
        more = {name: value[name] for name in _MORE if value.get(name)}
        if more:
            return Puzzle(_grid(value[key], box), **more)
        value = value[key]
    return _grid(value, box)


def _grid(value: Any, box: Box | None) -> Grid:
    if isinstance(value, str):
        return read_rows(value, box)
    return Grid.from_rows(value, box)


def _loaded(text: str) -> Any:
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
    """Each value, line by line where the first line is one, as in JSON Lines; else read whole."""
    numbered = enumerate(lines, 1)
    number, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    try:
        _loaded(first)
    except InvalidPuzzle:
        text = "\n".join(chain([first], (line for _, line in numbered)))
        for at, value in _values(text):
            yield from ((number + at, piece) for piece in _pieces(value))
        return
    for at, line in chain([(number, first)], numbered):
        if line.strip():
            yield from ((at, piece) for piece in _pieces(line))


def _values(text: str) -> Iterator[tuple[int, str]]:
    """Each of the values that follow each other, with the number of its line, counted from 0.

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
    """One JSON text a puzzle: of a list of objects, or of clingo's answer sets, each."""
    try:
        value = _loaded(text)
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


def write_json(grid: Grid) -> str:
    """An object with the box shape and the rows, on one line."""
    return json.dumps({"box": grid.box, "grid": grid.to_json()})
