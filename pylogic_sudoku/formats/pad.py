"""The documents of SudokuPad, which draw a puzzle and do not state its rules.

The grid, regions, cages, marks and the solution have a meaning. What is only drawn, such as a
line, has none here, so a document with drawings is refused.
"""

from __future__ import annotations

import json
import re
from itertools import chain
from typing import Any

from .. import rules
from ..errors import InvalidPuzzle, counted, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Cell, Layout, diagonals, usual_box, windows
from ..rules import Rule
from .fpuzzles import in_cells, said
from .text import DEEPEST, square, whole

_KNOWN = {"id", "cellSize", "cs", "cells", "regions", "cages", "metadata", "settings", "global"}
_DRAWN = ("lines", "arrows", "overlays", "underlays")
_CHESS: dict[str, type[Rule]] = {"antiknight": rules.AntiKnight, "antiking": rules.AntiKing}
_NAMED = r"(?si)\s*(title|author|rules|solution|msgcorrect|source)\s*:\s*(.*)"
_UNSET: tuple[Any, ...] = (None, False, "", [], {})
"""Values of keys that are not set."""


def puzzle_of(document: dict[str, Any], box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a document; InvalidPuzzle if part of it is only drawn."""
    _refuse_drawings(document)
    rows = square(document.get("cells"), "'cells'")
    n = len(rows)
    for row, cells in enumerate(rows, 1):
        for column, cell in enumerate(cells, 1):
            if not isinstance(cell, dict):
                raise InvalidPuzzle(f"r{row}c{column} is {shown(cell)}; expected an object")
    metadata = document.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise InvalidPuzzle(f"'metadata' is {shown(metadata)}; expected an object")
    names = {key: str(value) for key, value in metadata.items() if value}
    rule_list = _chess(document, metadata)
    regions, shape = _regions(document, n, box)
    if regions and shape == (1, n):
        rule_list += [_region(cells, n) for cells in regions]
        regions = []
    lines = [{*house.cells} for house in Layout(shape).houses[: 2 * n]]
    for cage in _objects(document.get("cages") or [], "cages"):
        if cage.get("cells"):
            within = _cells(n, "'cages'", cage["cells"])
            # Rows and columns are often there as hidden cages.
            total = cage.get("sum") or cage.get("value")
            rule_list += _cage(cage, within) if total or {*within} not in lines else ()
        else:
            names |= _name(cage.get("value"))
    digits = [[_digit(cell.get("value")) for cell in row] for row in rows]
    marks = [
        (Cell(row, column), [whole(each, "a pencil mark") for each in known])
        for row, cells in enumerate(rows, 1)
        for column, cell in enumerate(cells, 1)
        if isinstance(known := cell.get("givenPencilMarks"), list)
    ]
    titles = {key: names.get(key, "") for key in ("title", "author")}
    cells_in_order = list(chain(*rows))
    unread = [
        *in_cells(cells_in_order, "colour", "c", "colour"),
        *in_cells(cells_in_order, "player's mark", "pencilMarks", "centremarks"),
        *said(names.get("rules")),
    ]
    grid = Grid.from_rows(digits, shape)
    puzzle = Puzzle(grid, regions or None, marks, rule_list, **titles, unread=unread)
    _check_solution(puzzle, names.get("solution", ""))
    return puzzle.grid if puzzle.is_plain and not (unread or any(titles.values())) else puzzle


def _refuse_drawings(document: dict[str, Any]) -> None:
    for name, value in document.items():
        if value in _UNSET:
            continue
        if name in _DRAWN:
            raise InvalidPuzzle(
                f"this document draws {counted(len(value), name.removesuffix('s'))}, and does not"
                " state what is meant: take the puzzle from f-puzzles, or write its rules as JSON"
            )
        if name not in _KNOWN and name not in _CHESS:
            raise InvalidPuzzle(
                f"no rule {shown(name)} here; a document of SudokuPad may have"
                " cells, regions, cages, antiknight and antiking"
            )


def _regions(document: dict[str, Any], n: int, box: Box | None) -> tuple[list[list[Cell]], Box]:
    """The regions, and the box shape; without regions for all cells there are no boxes."""
    entries = document.get("regions") or []
    regions = [
        _cells(n, "'regions'", cells)
        for cells in (entries if isinstance(entries, list) else [entries])
    ]
    if [len(cells) for cells in regions] == [n] * n:
        return regions, box if box and box[0] * box[1] == n else usual_box(n)
    return regions, (1, n)


def _region(cells: list[Cell], size: int) -> Rule:
    """The rule of one region where there are not regions for all cells."""
    if len(cells) != size:
        raise InvalidPuzzle(
            f"the region of {cells[0]} has {counted(len(cells), 'cell')}, expected {size}"
        )
    return rules.Different(cells, "region")


def _digit(value: Any) -> int | None:
    return None if value in (None, "", {}) else whole(value, "a digit")


def _objects(value: Any, name: str) -> list[dict[str, Any]]:
    if not isinstance(value, list) or not all(isinstance(each, dict) for each in value):
        raise InvalidPuzzle(f"{name!r} is {shown(value)}; expected a list of objects")
    return value


def _cells(size: int, what: str, values: Any) -> list[Cell]:
    """Cells as pairs of numbers that count from 0."""
    try:
        cells = [Cell.of((row + 1, column + 1), size) for row, column in values]
    except (TypeError, ValueError, IndexError):
        cells = []
    if not cells:
        raise InvalidPuzzle(
            f"{what}: {shown(values)} are not cells of a {size}x{size} grid; expected pairs of a"
            " row and a column that count from 0"
        )
    return cells


def _chess(document: dict[str, Any], metadata: dict[str, Any]) -> list[Rule]:
    """The rules of the whole grid, which may be stated in three places."""
    entry = document.get("global")
    listed = list(entry) if isinstance(entry, list | dict) else []
    for name in listed:
        if name not in _CHESS:
            raise InvalidPuzzle(f"no rule {shown(name)} here; expected {', '.join(_CHESS)}")
    return [
        kind()
        for name, kind in _CHESS.items()
        if document.get(name) or metadata.get(name) or name in listed
    ]


def _name(text: Any) -> dict[str, str]:
    """The name of the puzzle that a cage without cells states."""
    named = re.fullmatch(_NAMED, text) if isinstance(text, str) else None
    if named is None:
        raise InvalidPuzzle(f"a cage has no cells, but the text {shown(text)}")
    return {named[1].lower(): named[2].strip()}


def _cage(cage: dict[str, Any], cells: list[Cell]) -> list[Rule]:
    """A cage with a sum, or with different digits."""
    text, total, unique = cage.get("value"), cage.get("sum"), cage.get("unique")
    if total in (None, "", {}) and re.fullmatch(r"\s*\d{1,9}\s*", str(text or ""), re.ASCII):
        total = text
    if total not in (None, "", {}, 0):
        kind = rules.Total if unique is False else rules.KillerCage
        return [kind(cells, whole(total, "the sum of a cage"))]
    if not (unique or cage.get("hidden")):
        raise InvalidPuzzle(
            f"the cage at {cells[0]} is only drawn: it has no sum, and does not state that its"
            " digits are different"
        )
    return [rules.KillerCage(cells)] if unique else []


def _check_solution(puzzle: Puzzle, solution: str) -> None:
    """InvalidPuzzle if the solution in the document breaks the rules that are read."""
    if (
        len(solution) == len(puzzle.digits)
        and re.fullmatch(r"[1-9]+", solution, re.ASCII)
        and not puzzle.holds(Grid(tuple(map(int, solution)), puzzle.box))
    ):
        raise InvalidPuzzle(
            "the solution in the document breaks the rules that are read here: it has others, which"
            " stand only in its text"
        )


# --- SudokuPad's shorter form of JSON -------------------------------------------------------

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
"""The keys that it shortens, of those that are read here."""
_TOKEN = r"""(?s)[{}\[\],:]|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^\s{}\[\],:'"]+|\S"""
_WORDS = {"t": True, "true": True, "f": False, "false": False, "null": None}


def unzip(text: str) -> dict[str, Any]:
    """The document of a text in JSON, or in the shorter form.

    That has no quotes around keys, t and f for true and false, and nothing for an empty object.
    """
    tokens = re.findall(_TOKEN, text)[::-1]
    try:
        document = _value(tokens)
    except (IndexError, ValueError) as error:
        problem = "it ends too early" if isinstance(error, IndexError) else error
        raise InvalidPuzzle(f"this is not a document of SudokuPad: {problem}") from None
    if not isinstance(document, dict) or tokens:
        raise InvalidPuzzle("this is not a document of SudokuPad: expected an object with 'cells'")
    return document


def _value(tokens: list[str], depth: int = 0) -> Any:
    """The next value; the tokens are in reverse order."""
    if depth > DEEPEST:
        raise ValueError("too many lists in lists")
    if tokens[-1] in (",", "]", "}"):
        return {}
    token = tokens.pop()
    if token == "[":
        items = [] if tokens[-1] == "]" else [_value(tokens, depth + 1)]
        while (mark := tokens.pop()) != "]":
            if mark != ",":
                raise ValueError(f"{mark!r} stands where ',' is expected")
            items.append(_value(tokens, depth + 1))
        return items
    if token == "{":
        fields: dict[str, Any] = {}
        while (mark := tokens.pop()) != "}":
            if mark != ",":  # between two fields it may be missing
                name = _unquoted(mark)
                if (colon := tokens.pop()) != ":":
                    raise ValueError(f"{colon!r} stands where ':' is expected")
                fields[_NAMES.get(name, name)] = _value(tokens, depth + 1)
        return fields
    if re.fullmatch(r"-?\d{1,9}", token, re.ASCII):
        return int(token)
    return _WORDS[token] if token in _WORDS else _unquoted(token)


def _unquoted(token: str) -> str:
    if token in "{}[],:'\"":
        raise ValueError(f"{token!r} stands where text is expected")
    if token[0] not in "'\"":
        return token
    inner = token[1:-1]
    if token[0] == "'":
        inner = inner.replace("\\'", "'").replace('\\"', '"').replace('"', '\\"')
    return str(json.loads(f'"{inner}"', strict=False))


# --- its older form: classic puzzles alone --------------------------------------------------

_CELLS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
"""The tens of a character's place here are a number of empty cells behind its digit."""
_MORE = r"[wx]|([at])((?:[^*]|\*\*)*)(?:\*|\Z)"
"""Windows, diagonals, the author or the title, in which a star is doubled."""


def classic(text: str) -> Grid | Puzzle:
    """The puzzle behind ``scf``: cells, and behind a star what else there is."""
    cells, _, more = text.partition("*")
    places = [_CELLS.index(letter) for letter in cells]
    digits = [digit for place in places for digit in (place % 10, *[0] * (place // 10))]
    parts = list(re.finditer(_MORE, more))
    if len(digits) != 81 or "".join(part[0] for part in parts) != more:
        raise InvalidPuzzle(
            f"behind scf are {counted(len(digits), 'cell')} and {shown(more)}; expected 81, and"
            " w, x, a title or an author behind a star"
        )
    names = {part[1]: part[2].replace("**", "*") for part in parts if part[1]}
    kinds = {part[0] for part in parts}
    areas = [(windows((3, 3)), "windoku")] * ("w" in kinds)
    areas += [(diagonals(9), "diagonal")] * ("x" in kinds)
    different = [rules.Different(cells, name) for sets, name in areas for cells in sets]
    puzzle = Puzzle(
        Grid(tuple(digits), (3, 3)),
        rules=different,
        title=names.get("t", ""),
        author=names.get("a", ""),
    )
    return puzzle.grid if puzzle.is_plain and not names else puzzle
