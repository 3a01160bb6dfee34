"""The documents of SudokuPad, which draw a puzzle rather than say its rules.

The grid, regions, cages, marks and the solution have a meaning. What is only drawn, such as a line,
has none here, so a document with drawings is refused.
"""

from __future__ import annotations

import json
import re
from typing import Any

from .. import rules
from .._layout import Box, Cell, Layout, usual_box
from ..errors import InvalidPuzzle, counted, shown
from ..grid import Grid
from ..puzzle import Puzzle
from ..rules import Rule
from ._fpuzzles import number, objects, region, rows_of

_NAMES = {
    "ca": "cages",
    "ce": "cells",
    "re": "regions",
    "v": "value",
    "l": "lines",
    "a": "arrows",
    "o": "overlays",
    "u": "underlays",
    "t": "title",
}
"""The keys that zipping shortens, of those that are read here."""

_TOKEN = re.compile(
    r"""\s*(?:([{}\[\],:])|("(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|([^\s{}\[\],:'"]+))""", re.DOTALL
)
_DEEPEST = 50
_WORDS = {"t": True, "true": True, "f": False, "false": False, "null": None}

_KNOWN = {"id", "cellSize", "cs", "cells", "regions", "cages", "metadata", "settings", "global"}
_DRAWN = ("lines", "arrows", "overlays", "underlays")
_CHESS: dict[str, type[Rule]] = {"antiknight": rules.AntiKnight, "antiking": rules.AntiKing}
_NAMED = re.compile(r"\s*(title|author|rules|solution|msgcorrect|source)\s*:\s*(.*)", re.S | re.I)


def unzipped(text: str) -> dict[str, Any]:
    """The document of a text in JSON, or in the shorter form: without quotes around keys,
    with t and f for true and false, and with nothing for an empty object.
    """
    value, end = _Unzip(text).value(0)
    if not isinstance(value, dict) or text[end:].strip():
        raise InvalidPuzzle("this is not a document of SudokuPad: expected an object with 'cells'")
    return value


class _Unzip:
    def __init__(self, text: str) -> None:
        self.text = text
        self.depth = 0

    def token(self, at: int) -> re.Match[str]:
        found = _TOKEN.match(self.text, at)
        if found is None:
            raise InvalidPuzzle(f"this is not a document of SudokuPad: it breaks off at {at}")
        return found

    def value(self, at: int) -> tuple[Any, int]:
        """The value that begins here, and where it ends."""
        token = self.token(at)
        mark, quoted, word = token.groups()
        if quoted:
            return _string(quoted), token.end()
        if word:
            return _word(word), token.end()
        if mark in "{[":
            self.depth += 1
            if self.depth > _DEEPEST:
                raise InvalidPuzzle("this is not a document of SudokuPad: too many lists in lists")
            found = self.object(token.end()) if mark == "{" else self.list(token.end())
            self.depth -= 1
            return found
        if mark in ",}]":
            return {}, at  # an empty object is left out
        raise InvalidPuzzle(f"this is not a document of SudokuPad: {mark!r} at {at}")

    def list(self, at: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        if self.token(at)[1] == "]":
            return found, self.token(at).end()
        while True:
            value, at = self.value(at)
            found.append(value)
            token = self.token(at)
            at = token.end()
            if token[1] == "]":
                return found, at
            if token[1] != ",":
                raise InvalidPuzzle(f"this is not a document of SudokuPad: no comma at {at}")

    def object(self, at: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        while True:
            token = self.token(at)
            at = token.end()
            if token[1] == "}":
                return found, at
            if token[1] == ",":
                continue
            colon = self.token(at)
            if token[1] or colon[1] != ":":
                raise InvalidPuzzle(f"this is not a document of SudokuPad: no key at {at}")
            key = _string(token[2]) if token[2] else token[3]
            value, at = self.value(colon.end())
            found[_NAMES.get(key, key)] = value


def _string(quoted: str) -> str:
    inner = quoted[1:-1]
    if quoted[0] == "'":
        inner = inner.replace("\\'", "'").replace('\\"', '"').replace('"', '\\"')
    try:
        return str(json.loads(f'"{inner}"', strict=False))
    except ValueError:
        raise InvalidPuzzle(f"this is not a document of SudokuPad: {shown(quoted)}") from None


def _word(word: str) -> Any:
    if word in _WORDS:
        return _WORDS[word]
    if re.fullmatch(r"-?\d{1,9}", word, re.ASCII):
        return int(word)
    return word


def puzzle_of(document: dict[str, Any], box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a document; InvalidPuzzle if part of it is only drawn."""
    for name, value in document.items():
        if value in (None, False, "", [], {}):
            continue
        if name in _DRAWN:
            raise InvalidPuzzle(
                f"this document draws {counted(len(value), name.removesuffix('s'))}, and does not"
                " say what is meant: take the puzzle from f-puzzles, or write its rules as JSON"
            )
        if name not in _KNOWN and name not in _CHESS:
            raise InvalidPuzzle(
                f"no rule {shown(name)} here; a document of SudokuPad may have"
                " cells, regions, cages, antiknight and antiking"
            )
    return _Reader(document).puzzle(box)


class _Reader:
    def __init__(self, document: dict[str, Any]) -> None:
        self.document = document
        self.rows = rows_of(document, "cells")
        self.size = len(self.rows)
        self.names: dict[str, str] = {}
        self.rules: list[Rule] = []

    def puzzle(self, box: Box | None) -> Grid | Puzzle:
        metadata = self.document.get("metadata") or {}
        if not isinstance(metadata, dict):
            raise InvalidPuzzle(f"'metadata' is {shown(metadata)}; expected an object")
        self.names = {key: str(value) for key, value in metadata.items() if value}
        regions, shape = self._regions(box)
        self._chess(metadata)
        for cage in objects(self.document.get("cages") or [], "cages"):
            self._cage(cage, shape)
        digits = [[self._digit(cell) for cell in row] for row in self.rows]
        marks = [
            (Cell(row, column), [number(each, "a pencil mark") for each in marks])
            for row, cells in enumerate(self.rows, 1)
            for column, cell in enumerate(cells, 1)
            if (marks := cell.get("pencilMarks") or cell.get("givenPencilMarks"))
            and isinstance(marks, list)
        ]
        names = {key: self.names.get(key, "") for key in ("title", "author")}
        grid = Grid.from_rows(digits, shape)
        puzzle = Puzzle(grid, regions, marks, self.rules, **names)
        self._check(puzzle)
        return puzzle.grid if puzzle.is_plain and not any(names.values()) else puzzle

    def _digit(self, cell: dict[str, Any]) -> int | None:
        value = cell.get("value")
        return None if value in (None, "", {}) else number(value, "the value of a cell")

    def _cells(self, what: str, values: Any) -> list[Cell]:
        """Cells as pairs of numbers that count from 0."""
        found = []
        for value in values if isinstance(values, list) else [values]:
            if not (
                isinstance(value, list)
                and len(value) == 2
                and all(type(each) is int and 0 <= each < self.size for each in value)
            ):
                raise InvalidPuzzle(
                    f"{what}: {shown(value)} is not a cell of a {self.size}x{self.size} grid;"
                    " expected a row and a column that count from 0"
                )
            found.append(Cell(value[0] + 1, value[1] + 1))
        return found

    def _regions(self, box: Box | None) -> tuple[Any, Box]:
        """The regions if every cell is in one; without them there are not even boxes."""
        n = self.size
        given = self.document.get("regions") or []
        if not isinstance(given, list):
            raise InvalidPuzzle(f"'regions' is {shown(given)}; expected a list of regions")
        found = [self._cells("'regions'", cells) for cells in given]
        if len(found) == n and all(len(cells) == n for cells in found):
            return found, box if box and box[0] * box[1] == n else usual_box(n)
        for cells in found:
            self.rules.append(region(cells, n))
        return None, (1, n)

    def _chess(self, metadata: dict[str, Any]) -> None:
        stated = self.document.get("global")
        for name, kind in _CHESS.items():
            if (
                self.document.get(name)
                or metadata.get(name)
                or (isinstance(stated, list | dict) and name in stated)
            ):
                self.rules.append(kind())
        for name in stated if isinstance(stated, list | dict) else ():
            if name not in _CHESS:
                raise InvalidPuzzle(f"no rule {shown(name)} here; expected {', '.join(_CHESS)}")

    def _cage(self, cage: dict[str, Any], shape: Box) -> None:
        """A cage with a sum or with different digits; one without cells is a name."""
        cells, text = cage.get("cells") or [], cage.get("value")
        if not cells:
            if isinstance(text, str) and (named := _NAMED.fullmatch(text)):
                self.names[named[1].lower()] = named[2].strip()
                return
            raise InvalidPuzzle(f"a cage has no cells, but the text {shown(text)}")
        where = self._cells("'cages'", cells)
        total = cage.get("sum")
        if total in (None, "", {}) and re.fullmatch(r"\s*\d{1,9}\s*", str(text or ""), re.ASCII):
            total = text
        unique = cage.get("unique")
        if total not in (None, "", {}, 0):
            kind = rules.Total if unique is False else rules.KillerCage
            self.rules.append(kind(where, number(total, "the sum of a cage")))
        elif unique:
            houses = Layout(shape).houses[: 2 * self.size]
            if not any(set(where) == set(house.cells) for house in houses):
                self.rules.append(rules.KillerCage(where))
        elif not cage.get("hidden"):
            raise InvalidPuzzle(
                f"the cage at {where[0]} is only drawn: it has no sum, and does not say that its"
                " digits are different"
            )

    def _check(self, puzzle: Puzzle) -> None:
        """The solution in the document must be one of the puzzle as it is read here."""
        solution = self.names.get("solution", "")
        if len(solution) != len(puzzle.digits) or not re.fullmatch(r"[1-9]+", solution, re.ASCII):
            return
        if not puzzle.holds(Grid(tuple(map(int, solution)), puzzle.box)):
            raise InvalidPuzzle(
                "the solution in the document breaks the rules that are read here: it has others,"
                " which stand only in its text"
            )
