"""Puzzles as lists of rows: JSON, Prolog, MiniZinc, and matrices of other languages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from math import isqrt
from typing import Any, NamedTuple

from ..errors import InvalidPuzzle, counted, shown
from ..problem.written import load_json, witnesses
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, checked_box, checked_regions, usual_box
from .facts import atoms, read_witness
from .rows import read_rows
from .text import DEEPEST, EMPTY, MARKED, PROLOG, Head, Uncommented, is_number, without_comments

_MORE = ("regions", "marks", "rules", "title", "author", "unread")
_OURS = ("box", "grid", *_MORE)
_VARIABLE = re.compile(r"\b_\w*")
_AGAIN = re.compile(r"\]\s*\]\s*\[")
"""Behind a list of rows, another."""
_QUOTED = re.compile(r'"[^"]*"')
_OBJECT = re.compile(r'\{\s*(?:["}]|\Z)')
_FOREIGN = re.compile(r",\s*\]|\bNone\b|['(#]|\]\s*\[|\d\s+\d")
"""Parts of Python's lists and numpy's arrays that JSON does not have."""
_NESTED = re.compile(r"\{\s*\{|\(\s*\(|\{\s*\"")
"""A matrix in C or Java, a tuple of tuples in Python."""
_STRING = re.compile(r'"[^"\n]*"?\s*(?:$|\Z)', re.MULTILINE)
"""A line that is one string."""


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like: a list may be one of either."""
    bare = head.content
    if _ARRAY.search(bare):
        yield "dzn"
    words = '"' in bare or "null" in bare
    if (
        _OBJECT.match(bare)
        or _STRING.match(bare)
        or (
            bare[:1] == "["
            and (bare[-1] in "]}" if head.whole else words)
            and not _VARIABLE.search(_QUOTED.sub("", bare))
            and (words or not _AGAIN.search(bare))
            and not _FOREIGN.search(_QUOTED.sub("0", bare))
        )
    ):
        yield "json"
    if "[" in re.sub(MARKED, "", bare) or _NESTED.search(bare):
        yield "prolog"


def read_json(text: str, box: Box | None) -> Grid | Puzzle:
    """The grid of nested rows, alone or under "grid" or "puzzle", perhaps next to "box".

    It is a `Puzzle` if "regions", "marks", "title" or "author" are there. Next to "grid" no other
    key may be there; next to "puzzle", the key of many collections, any other is ignored. The first
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
            for name in ("board", "sudoku", "quiz"):
                if isinstance(value.get(name), list | str):
                    return _grid(value[name], box)
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
        puzzle = Puzzle(grid, **more) if more else grid
        return puzzle if any(more.values()) else grid
    return _grid(value, box)


def _grid(value: Any, box: Box | None) -> Grid | Puzzle:
    if isinstance(value, str):
        return read_rows(value, box)
    if isinstance(value, list) and not any(isinstance(each, list | str | dict) for each in value):
        value = _flat(value) or value
    return Grid.from_rows(value, box)


def split_json(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each value, line by line if the first line is one, as in JSON Lines; else read whole."""
    numbered = enumerate(map(Uncommented(), lines), 1)
    number, first = next(((at, line) for at, line in numbered if line.strip()), (1, ""))
    whole: Iterator[tuple[int, str]] = chain([(number, first)], numbered)
    try:
        load_json(first)
    except InvalidPuzzle:
        text = "\n".join(line for _, line in whole)
        whole = iter([(number - 1 + at, each) for at, each in _values(text)])
    for at, text in whole:
        if text.strip():
            yield from ((at, piece) for piece in _pieces(text))


def _values(text: str) -> Iterator[tuple[int, str]]:
    """The values of JSON one behind another, each with the line on which it begins."""
    decoder, at, line, counted_to = json.JSONDecoder(), 0, 1, 0
    values: list[tuple[int, str]] = []
    try:
        while begin := re.compile(r"\S").search(text, at):
            _, at = decoder.raw_decode(text, begin.start())
            line += text.count("\n", counted_to, begin.start())
            counted_to = begin.start()
            values.append((line, text[begin.start() : at]))
    except (ValueError, RecursionError):  # its reader reports the fault
        values = [(1, text)]
    yield from values


def _pieces(text: str) -> Iterator[str]:
    """The JSON text of each puzzle: one for each object of a list, or for each answer set."""
    try:
        value = load_json(text)
        if isinstance(value, dict) and "Call" in value and (answers := witnesses(value)):
            for atoms in answers:
                yield json.dumps({"Call": [{"Witnesses": [{"Value": atoms}]}]})
            return
    except InvalidPuzzle:
        value = None
    objects = isinstance(value, list) and all(isinstance(item, dict) for item in value)
    if value and (objects or _are_lines(value)):
        yield from map(json.dumps, value)
    else:
        yield text


def _are_lines(value: Any) -> bool:
    """True for a list of texts, each of which is a puzzle, and not a row of one."""
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        return False
    lengths = {len(each) for each in value}
    return bool(value) and lengths != {len(value)} and min(lengths) > 15


def write_clingo(grid: Grid) -> str:
    """The one answer set as ``clingo --outf=2`` prints it."""
    value = {
        "Call": [{"Witnesses": [{"Value": atoms(grid)}]}],
        "Result": "SATISFIABLE",
        "Models": {"Number": 1, "More": "unknown"},
    }
    return json.dumps(value, indent=1)


# --- MiniZinc: an array of two dimensions ---

_ARRAY = re.compile(r"\[\s*\|([^\[\]]*)\]|\barray2d\s*\([^\[\]]{0,99}\[([^\[\]|]*)\]")
_BOX = re.compile(r"\bbox_(rows|columns)\s*=\s*(\d{1,2})\s*;")


def read_dzn(text: str, box: Box | None) -> Grid:
    """The first array of the text: ``[| 5,3,_ | ... |]`` or ``array2d(1..9, 1..9, [5,3,_,...])``.

    An empty cell is 0, ``_`` or ``<>``. The box shape is `box`, else that of ``box_rows`` and
    ``box_columns``, else square.
    """
    bare = without_comments(text, PROLOG)
    array = _ARRAY.search(bare)
    if array is None:
        raise InvalidPuzzle("no array here; expected [| 5,3,_ | ... |]")
    shape = dict(_BOX.findall(bare))
    if box is None and len(shape) == 2:
        box = checked_box((int(shape["rows"]), int(shape["columns"])))
    if array[1] is not None:
        rows = [_words(row) for row in array[1].strip().removesuffix("|").split("|")]
    else:
        words = _words(array[2])
        size = isqrt(len(words))
        if size * size != len(words) or not words:
            raise InvalidPuzzle(
                f"the array has {counted(len(words), 'number')}; expected 81 for 9x9, or n * n"
            )
        rows = [words[at : at + size] for at in range(0, len(words), size)]
    return Grid.from_rows(_numbers(rows), box)


def split_dzn(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every array, with the box shape of the text."""
    bare = without_comments("\n".join(lines), PROLOG)
    shape = " ".join(f"box_{name} = {number};" for name, number in _BOX.findall(bare))
    found = False
    for array in _ARRAY.finditer(bare):
        found = True
        yield bare.count("\n", 0, array.start()) + 1, f"{shape} {array.group()}".strip()
    if not found:
        raise InvalidPuzzle("no array here; expected [| 5,3,_ | ... |]")


def write_dzn(grid: Grid) -> str:
    """The side of a square box as ``S`` and the cells as ``start``, names that models use."""
    box_rows, box_columns = grid.box
    shape = f"S = {box_rows};"
    if box_rows != box_columns:
        shape = f"box_rows = {box_rows};\nbox_columns = {box_columns};"
    width = len(str(grid.size))
    rows = (",".join(str(digit).rjust(width) for digit in row) for row in grid.rows)
    return f"{shape}\nstart = [| " + "\n         | ".join(rows) + " |];"


def write_json(puzzle: Grid | Puzzle) -> str:
    """An object with the box shape and the rows, on one line, and the rules of a Puzzle."""
    return json.dumps(puzzle.to_puzzle().to_json())


# --- Prolog: a list, perhaps with its shape and its rules behind it ---

_LIST = r"\[\s*\[[^\[\]]*\](?:[\s,]*\[[^\[\]]*\])*[\s,]*\]"
"""A list of rows."""
_SHAPE = rf"\s*,\s*(?:(\d{{1,2}})\s*-\s*(\d{{1,2}})\b|regions\(\s*({_LIST})\s*\))"
_RULES = r"\s*,\s*(?=\[\s*[a-z\]])"
_TEXT = r'"(?:[^"\\]|\\.)*"'
"""A text in a rule."""
_NO_LIST = "no list of rows here; expected [[5,3,_],...]"
_AS_JSON = (
    (r"\b(\d+)\s*-\s*(\d+)\b", r"[\1,\2]"),  # a cell
    (r"\(\s*-\s*(\d+)\s*\)", r"-\1"),
    (r"\b([a-z]\w*)\s*=", r'"\1":'),  # a field
    (r"\b([a-z]\w*)\s*\(", r'{"rule":"\1",'),
    (r"\)", "}"),
    (r'(?<!")\b(?!(?:true|false)\b)[a-z]\w*', r'{"rule":"\g<0>"}'),  # a rule without fields
)
"""Substitutions that turn a list such as ``[thermometer(cells=[1-1,1-2],slow=true)]`` into JSON."""


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
    for mark in re.compile(rf"{_TEXT}|[\[\]()]").finditer(text, start):
        if mark[0][0] == '"':
            continue
        depth += 1 if mark[0] in "[(" else -1
        if not 0 < depth <= DEEPEST:
            end = mark.end()
            break
    parts = re.split(f"({_TEXT})", text[start:end])
    for pattern, replacement in _AS_JSON:
        parts[::2] = [re.sub(pattern, replacement, each, flags=re.ASCII) for each in parts[::2]]
    try:
        return list(json.loads("".join(parts), strict=False)), end
    except (ValueError, RecursionError):
        raise InvalidPuzzle(
            f"the rules: {shown(text[start:end])} is not a list of terms such as"
            " killer_cage(cells=[1-1,1-2],sum=3)"
        ) from None


def read_rules(text: str) -> list[Any]:
    """The rules of a text without a grid, as JSON has them; the name of a rule is a text.

    It holds JSON, one rule or a list, or a puzzle, whose rules they are; or terms of Prolog such as
    ``thermometer(cells=[1-1,1-2])``, one or a list; or a name such as ``anti_knight``.
    """
    bare = without_comments(text, PROLOG).strip().removesuffix(".").rstrip()
    loaded: Any
    if re.match(r"\{|\[\s*[\[{\"]", bare):
        loaded = load_json(text)
        if isinstance(loaded, dict):
            loaded = [loaded] if "rule" in loaded else loaded.get("rules")
    elif "(" in bare or bare.startswith("["):
        whole = bare if bare.startswith("[") else f"[{bare}]"
        loaded, end = _rules_at(whole, 0)
        if end < len(whole):
            raise InvalidPuzzle(f"the rules end before {shown(whole[end:].strip())}")
    else:
        loaded = [bare] if bare else []
    known = isinstance(loaded, list) and all(isinstance(each, dict | str) for each in loaded)
    if not loaded or not known:
        raise InvalidPuzzle(
            'no rules here; expected a name, or JSON such as {"rule": "anti_knight"}'
        )
    return list(loaded)


def _rows_of(rows: str) -> list[list[str]]:
    return [_words(row) for row in re.findall(r"\[([^\[\]]*)\]", rows)]


def _words(row: str) -> list[str]:
    """The cells of a row between commas or blanks; a comma may follow the last."""
    words = [word.strip() for word in row.split(",")] if "," in row else row.split()
    return words[:-1] if words and not words[-1] else words


def _is_empty(word: str) -> bool:
    """True for an empty cell in Prolog, MiniZinc, Python, C or Java."""
    return word in _EMPTY or _VARIABLE.fullmatch(word) is not None


_EMPTY = {"<>", "None", "null", "nil", "NULL", "nan", "NaN", "''", '""', "' '", '" "', "'.'", '"."'}


def _numbers(rows: list[list[str]]) -> list[list[int | None]]:
    """The numbers of the words; None for an empty cell."""
    numbers: list[list[int | None]] = []
    for row, words in enumerate(rows, 1):
        numbers.append([])
        for column, word in enumerate(words, 1):
            digit = word.strip("'\"") if len(word) > 2 else word
            if not (is_number(digit) or _is_empty(word)):
                raise InvalidPuzzle(
                    f"r{row}c{column} holds {shown(word)}; expected a whole number, or _ if it is"
                    " empty"
                )
            numbers[-1].append(int(digit) if is_number(digit) else None)
    return numbers


def _flat(cells: list[Any]) -> list[list[Any]] | None:
    """The rows of a list of all cells of a grid; None for any other list."""
    n = isqrt(len(cells))
    if n < 4 or n * n != len(cells):
        return None
    return [cells[at : at + n] for at in range(0, n * n, n)]


def _as_lists(text: str) -> str:
    """A matrix of C, Java or Python as a list of rows, its comments removed; else the same text."""
    if re.search(_LIST, text):
        return text
    bare = re.sub(r"(?m)//.*$|#.*$", "", text)
    for pair in ("[]", "{}", "()"):
        open_, close = map(re.escape, pair)
        lists = bare.translate({ord(pair[0]): "[", ord(pair[1]): "]"})
        if re.search(rf"{open_}\s*{open_}", bare) and re.search(_LIST, lists):
            return lists
        numbers = re.search(rf"{open_}\s*((?:\d+\s*,\s*){{15,}}\d+)[\s,]*{close}", bare)
        if numbers and (rows := _flat(numbers[1].split(","))):
            return "[" + ",".join(f"[{','.join(row)}]" for row in rows) + "]"
        strings = re.search(
            rf"{open_}\s*((?>(?:(?:\"[^\"\n]*\"|'[^'\n]*')[\s,]*+){{4,}})){close}", bare
        )
        if strings:
            rows = re.findall(r"\"([^\"]*)\"|'([^']*)'", strings[1])
            cells = ([each if each not in EMPTY else "_" for each in "".join(row)] for row in rows)
            return "[" + ",".join(f"[{','.join(row)}]" for row in cells) + "]"
    return text


def read_prolog(text: str, box: Box | None) -> Grid | Puzzle:
    """The first list of rows in the text: ``[[5,3,_],...]`` with ``_`` for an empty cell.

    Its box shape may follow, or its regions, and then its rules.
    """
    first = next(_find_lists(_as_lists(without_comments(text, PROLOG))), None)
    if first is None:
        raise InvalidPuzzle(_NO_LIST)
    shape, regions = first.shape, None
    if shape and shape[3]:
        regions = checked_regions(_rows_of(shape[3]))
        box = usual_box(len(regions))
    elif shape and box is None:
        box = checked_box((int(shape[1]), int(shape[2])))
    rows = _rows_of(first.rows)
    grid = Grid.from_rows(_numbers(rows), box)
    return Puzzle(grid, regions, rules=first.rules) if regions or first.rules else grid


def split_prolog(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every list of rows, with its shape and rules if stated; all as one if there is none."""
    found = False
    pending_lines: list[str] = []
    whole: list[str] = []
    depth = number = 0
    # An open list may continue in the next line; a comma may precede the shape or the rules.
    for number, line in enumerate(chain(map(Uncommented(PROLOG), lines), ["."]), 1):
        pending_lines.append(line)
        if not found:
            whole.append(line)
        depth += line.count("[") - line.count("]")
        if line == "." or (depth <= 0 and line.strip() and line.rstrip()[-1] not in ",-("):
            text = "\n".join(pending_lines)
            for each in _find_lists(text):
                found = True
                at = number + 1 - len(pending_lines) + text.count("\n", 0, each.start)
                yield at, text[each.start : each.end]
            pending_lines, depth = [], 0
    if not found:
        text = _as_lists("\n".join(whole))
        if next(_find_lists(text), None) is None:
            raise InvalidPuzzle(_NO_LIST)
        yield 1, text


def write_prolog(puzzle: Grid | Puzzle) -> str:
    """The list of rows, with the box shape if it is not square, or the regions, and the rules.

    These are the arguments of sudoku/3.
    """
    if puzzle.marks:
        raise InvalidPuzzle("this puzzle has marks, which 'prolog' cannot hold")
    from ..rules.base import grid_term, shape_term, term

    rows = grid_term(puzzle.grid)
    if puzzle.is_plain and puzzle.box[0] == puzzle.box[1] > 1:
        return rows
    rules = ",\n ".join(map(term, puzzle.rules))
    more = "" if puzzle.is_plain else f", [{rules}]"
    return f"{rows}, {shape_term(puzzle.layout)}{more}"
