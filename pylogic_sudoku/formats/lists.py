"""Puzzles as lists of rows: those of JSON and of Prolog, perhaps with rules behind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from ..errors import InvalidPuzzle, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, checked_box, checked_regions, usual_box
from .facts import read_witness, witnesses
from .rows import read_rows
from .text import DEEPEST, PROLOG, Head, Uncommented, is_number, without_comments

_MORE = ("regions", "marks", "rules", "title", "author")
_OURS = ("box", "grid", *_MORE)
_VARIABLE = re.compile(r"\b_\w*")
_AGAIN = re.compile(r"\]\s*\]\s*\[")
"""Behind a list of rows, another."""
_QUOTED = re.compile(r'"[^"]*"')
_STRING = re.compile(r'"[^"\n]*"?\s*(?:$|\Z)', re.MULTILINE)
"""A line that is one string."""


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like: a list may be one of either."""
    bare = head.content
    words = '"' in bare or "null" in bare
    if (
        bare[:1] == "{"
        or _STRING.match(bare)
        or (
            bare[:1] == "["
            and (bare[-1] in "]}" if head.whole else words)
            and not _VARIABLE.search(_QUOTED.sub("", bare))
            and (words or not _AGAIN.search(bare))
        )
    ):
        yield "json"
    if "[" in bare:
        yield "prolog"


def read_json(text: str, box: Box | None) -> Grid | Puzzle:
    """The grid of nested rows, alone or under "grid" or "puzzle", perhaps beside "box".

    It is a `Puzzle` if "regions", "marks", "title" or "author" are there. Beside "grid" no other
    key may be there; beside "puzzle", the key of many collections, any other is ignored. The first
    answer set of what ``clingo --outf=2`` prints is read too.
    """
    return puzzle_of(load_json(without_comments(text)), box)


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


def load_json(text: str) -> Any:
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
    numbered = enumerate(map(Uncommented(), lines), 1)
    number, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    whole = chain([(number, first)], numbered)
    try:
        load_json(first)
    except InvalidPuzzle:
        whole = chain([(number, "\n".join(line for _, line in whole))])
    for at, text in whole:
        if text.strip():
            yield from ((at, piece) for piece in _pieces(text))


def _pieces(text: str) -> Iterator[str]:
    """The JSON text of each puzzle: one for each object of a list, or for each answer set."""
    try:
        value = load_json(text)
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
    return json.dumps(puzzle.to_puzzle().to_json())


# --- Prolog: a list, perhaps with its shape and its rules behind it ---

_LIST = r"\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*\s*\]"
"""A list of rows."""
_SHAPE = rf"\s*,\s*(?:(\d{{1,2}})\s*-\s*(\d{{1,2}})\b|regions\(\s*({_LIST})\s*\))"
_RULES = r"\s*,\s*(?=\[\s*[a-z\]])"
_NO_LIST = "no list of rows here; expected [[5,3,_],...]"
_AS_JSON = (
    (r"\b(\d+)\s*-\s*(\d+)\b", r"[\1,\2]"),  # a cell
    (r"\(\s*-\s*(\d+)\s*\)", r"-\1"),
    (r"\b([a-z]\w*)\s*=", r'"\1":'),  # a field
    (r"\b([a-z]\w*)\s*\(", r'{"rule":"\1",'),
    (r"\)", "}"),
    (r'(?<!")\b(?!(?:true|false)\b)[a-z]\w*', r'{"rule":"\g<0>"}'),  # a rule without fields
)
"""What a list of rules such as ``[thermometer(cells=[1-1,1-2],slow=true)]`` is in JSON."""


class _Found(NamedTuple):
    """A list of rows in a text, with the shape and the rules behind it."""

    start: int
    end: int
    rows: str
    shape: re.Match[str] | None
    rules: list[Any]


def _find_lists(text: str) -> Iterator[_Found]:
    """Every list of rows: ``[[1,_],[_,1]], 1-2, [killer_cage(cells=[1-1],sum=1)]``."""
    end = 0
    while rows := re.compile(_LIST).search(text, end):
        end = rows.end()
        rules: list[Any] = []
        if shape := re.compile(_SHAPE).match(text, end):
            end = shape.end()
            if begin := re.compile(_RULES).match(text, end):
                rules, end = _rules_at(text, begin.end())
        yield _Found(rows.start(), end, rows.group(), shape, rules)


def _rules_at(text: str, start: int) -> tuple[list[Any], int]:
    """The list of rules that begins here, as JSON has it, and where it ends."""
    depth, end = 0, len(text)
    for mark in re.compile(r"[\[\]()]").finditer(text, start):
        depth += 1 if mark[0] in "[(" else -1
        if not 0 < depth <= DEEPEST:
            end = mark.end()
            break
    said = text[start:end]
    for pattern, replacement in _AS_JSON:
        said = re.sub(pattern, replacement, said, flags=re.ASCII)
    try:
        return list(json.loads(said)), end
    except (ValueError, RecursionError):
        raise InvalidPuzzle(
            f"the rules: {shown(text[start:end])} is not a list of terms such as"
            " killer_cage(cells=[1-1,1-2],sum=3)"
        ) from None


def _rows_of(rows: str) -> list[list[str]]:
    found = re.findall(r"\[([^\[\]]*)\]", rows)
    return [[word.strip() for word in row.split(",")] for row in found]


def read_prolog(text: str, box: Box | None) -> Grid | Puzzle:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell.

    Its box shape may follow, or its regions, and then its rules.
    """
    found = next(_find_lists(without_comments(text, PROLOG)), None)
    if found is None:
        raise InvalidPuzzle(_NO_LIST)
    shape, regions = found.shape, None
    if shape and shape[3]:
        regions = checked_regions(_rows_of(shape[3]))
        box = usual_box(len(regions))
    elif shape and box is None:
        box = checked_box((int(shape[1]), int(shape[2])))
    rows = _rows_of(found.rows)
    for row, words in enumerate(rows, 1):
        for column, word in enumerate(words, 1):
            if not (is_number(word) or _VARIABLE.fullmatch(word)):
                raise InvalidPuzzle(
                    f"r{row}c{column} holds {shown(word)}; expected a whole number, or _ if it is"
                    " empty"
                )
    cells = [[int(word) if is_number(word) else None for word in words] for words in rows]
    grid = Grid.from_rows(cells, box)
    return Puzzle(grid, regions, rules=found.rules) if regions or found.rules else grid


def split_prolog(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every list of rows, with its shape and rules if stated; all as one if there is none."""
    found = False
    kept: list[str] = []
    depth = number = 0
    # An open list may continue in the next line; a comma may precede the shape or the rules.
    for number, line in enumerate(chain(map(Uncommented(PROLOG), lines), ["."]), 1):
        kept.append(line)
        depth += line.count("[") - line.count("]")
        if line == "." or (depth <= 0 and line.strip() and line.rstrip()[-1] not in ",-("):
            text = "\n".join(kept)
            for each in _find_lists(text):
                found = True
                at = number + 1 - len(kept) + text.count("\n", 0, each.start)
                yield at, text[each.start : each.end]
            kept, depth = [], 0
    if not found:
        raise InvalidPuzzle(_NO_LIST)


def write_prolog(puzzle: Grid | Puzzle) -> str:
    """The list of rows; of a puzzle with more, also its shape and its rules.

    These are the arguments of sudoku/3.
    """
    if isinstance(puzzle, Grid):
        return _write_rows(puzzle.rows)
    if puzzle.marks:
        raise InvalidPuzzle("this puzzle has marks, which 'prolog' cannot hold")
    if puzzle.is_plain:
        return _write_rows(puzzle.grid.rows)
    from ..rules.base import shape_term, term

    rules = ",\n ".join(map(term, puzzle.rules))
    return f"{_write_rows(puzzle.grid.rows)}, {shape_term(puzzle.layout)}, [{rules}]"


def _write_rows(rows: Iterable[Iterable[int]]) -> str:
    texts = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in rows)
    return "[" + ",\n ".join(texts) + "]"
