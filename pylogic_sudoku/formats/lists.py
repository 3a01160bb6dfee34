"""Puzzles as lists of rows: those of JSON and of Prolog, perhaps with rules behind."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate, chain
from typing import Any, NamedTuple

from ..errors import InvalidPuzzle, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, checked_box, checked_regions, usual_box
from .facts import read_witness, witnesses
from .rows import read_rows
from .text import DEEPEST, Head, numbers_of, strip_comments

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
    return puzzle_of(load_json(text), box)


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
    numbered = enumerate(lines, 1)
    number, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    try:
        load_json(first)
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
_ROWS = re.compile(_LIST)
"""A list of rows."""
_SHAPE = re.compile(r"\s*,\s*(\d{1,2})\s*-\s*(\d{1,2})\b")
_REGIONS = re.compile(rf"\s*,\s*regions\(\s*({_LIST})\s*\)")
_RULES = re.compile(r"\s*,\s*(?=\[\s*[a-z\]])")
_COMMENT = r"""(?s)'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|/\*.*?(?:\*/|\Z)|%[^\n]*"""
"""A comment, or a quoted text, in which nothing is one."""
_TERM = re.compile(
    r"""\s*(?: (?P<cell> \d{1,9} \s*-\s* \d{1,9} ) (?!\d)
    | (?P<number> \(\s*-\s*\d{1,9}\s*\) | -?\s*\d{1,9} ) (?!\d)
    | (?P<rule> [a-z]\w* ) \s*\(  |  (?P<field> [a-z]\w* ) \s*=  |  (?P<name> [a-z]\w* )
    | (?P<mark> [][),] ))""",
    re.ASCII | re.VERBOSE,
)
"""A part of a list of rules, such as ``[thermometer(cells=[1-1,1-2],slow=true)]``."""


class _Found(NamedTuple):
    """A list of rows in a text, with the shape and the rules behind it."""

    start: int
    end: int
    rows: str
    box: tuple[str, str] | None
    regions: str | None
    rules: list[dict[str, Any]]


def has_list(head: Head) -> bool:
    """True if there is a list."""
    return "[" in head.content


def _is_open(text: str) -> bool:
    """True if the text ends within a comment in /* and */."""
    last = ""
    for match in re.finditer(_COMMENT, text):
        last = match[0]
    return last.startswith("/*") and not (len(last) > 3 and last.endswith("*/"))


def _find_lists(text: str) -> Iterator[_Found]:
    """Every list of rows: ``[[1,_],[_,1]], 1-2, [killer_cage(cells=[1-1],sum=1)]``."""
    at = 0
    while rows := _ROWS.search(text, at):
        at = rows.end()
        box, regions = None, None
        rules: list[dict[str, Any]] = []
        if shape := _SHAPE.match(text, at):
            box, at = (shape[1], shape[2]), shape.end()
        elif shape := _REGIONS.match(text, at):
            regions, at = shape[1], shape.end()
        if shape and (listed := _RULES.match(text, at)):
            rules, at = _read_rules(text, listed.end())
        yield _Found(rows.start(), at, rows.group(), box, regions, rules)


def _rows_of(rows: str) -> list[list[str]]:
    found = re.findall(r"\[([^\[\]]*)\]", rows)
    return [[word.strip() for word in row.split(",")] for row in found]


def read_prolog(text: str, box: Box | None) -> Grid | Puzzle:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell.

    Its box shape may follow, or its regions, and then its rules.
    """
    found = next(_find_lists(strip_comments(text, _COMMENT)), None)
    if found is None:
        raise InvalidPuzzle("no list of rows here; expected [[5,3,_],...]")
    if box is None and found.box:
        box = checked_box(tuple(map(int, found.box)))
    regions = None
    if found.regions:
        regions = checked_regions(_rows_of(found.regions))
        box = usual_box(len(regions))
    grid = Grid.from_rows(numbers_of(_rows_of(found.rows), _VARIABLE.fullmatch), box)
    return Puzzle(grid, regions, rules=found.rules) if regions or found.rules else grid


def _read_rules(text: str, at: int) -> tuple[list[dict[str, Any]], int]:
    """The rules of the list that begins here, as JSON has them, and where it ends."""
    parts: list[str] = []
    words: list[str] = []
    ends: list[str] = []
    while ends or not parts:
        term = _TERM.match(text, at)
        if term is None:
            rest = text[at : at + 20].strip()
            long = rest[:1].isdecimal()
            wrong = "is too large a number" if long else "stands where a term is expected"
            raise InvalidPuzzle(f"the rules: {rest!r} {wrong}")
        at = term.end()
        kind, word = term.lastgroup, term[term.lastgroup or 0]
        if word in ("]", ")") and ends.pop() != word:
            other = "])"[word == "]"]
            raise InvalidPuzzle(f"the rules: {word!r} stands where {other!r} is expected")
        if kind == "rule" or word == "[":
            ends.append("]" if word == "[" else ")")
        if len(ends) > DEEPEST:
            raise InvalidPuzzle("the rules: too many lists in lists")
        words.append(word)
        parts.append(_as_json(kind, word))
    try:
        rules: list[dict[str, Any]] = json.loads("".join(parts))
    except json.JSONDecodeError as error:
        starts = accumulate(map(len, parts), initial=0)
        word = [word for word, start in zip(words, starts, strict=False) if start <= error.pos][-1]
        wanted = {"Expecting ',' delimiter": "','", "Expecting value": "a term"}
        expected = wanted.get(error.msg, "a field")
        raise InvalidPuzzle(f"the rules: {word!r} stands where {expected} is expected") from None
    return rules, at


def _as_json(kind: str | None, word: str) -> str:
    """A part of a list of rules as a part of JSON."""
    match kind:
        case "cell":
            return json.dumps([int(number) for number in word.split("-")])
        case "number":
            return str(int("".join(word.strip("()").split())))
        case "rule":
            return f'{{"rule": "{word}",'
        case "field":
            return f'"{word}":'
        case "name" if word not in ("true", "false"):
            return f'{{"rule": "{word}"}}'
    return "}" if word == ")" else word


def split_prolog(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every list of rows, with its shape and rules if stated; all as one if there is none."""
    found = False
    kept: list[str] = []
    depth = 0
    number = 0
    comment = ""
    for number, line in enumerate(lines, 1):
        text = comment + line
        bare = strip_comments(text, _COMMENT)
        comment = "/*" if "/*" in text and _is_open(text) else ""
        kept.append(bare)
        depth += bare.count("[") - bare.count("]")
        # An open list may continue in the next line; a comma may precede the shape or the rules.
        if depth <= 0 and not bare.rstrip().endswith((",", "-", "(")) and bare.strip():
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
    for each in _find_lists(text):
        line = last + 1 - len(lines) + text.count("\n", 0, each.start)
        yield line, text[each.start : each.end]


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
    from ..rules.base import term

    shape = "{}-{}".format(*puzzle.box)
    if puzzle.regions is not None:
        shape = f"regions({_write_rows(puzzle.to_json()['regions'])})"
    rules = ",\n ".join(map(term, puzzle.rules))
    return f"{_write_rows(puzzle.grid.rows)}, {shape}, [{rules}]"


def _write_rows(rows: Iterable[Iterable[int]]) -> str:
    texts = ("[" + ",".join(str(digit or "_") for digit in row) + "]" for row in rows)
    return "[" + ",\n ".join(texts) + "]"
