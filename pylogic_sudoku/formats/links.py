"""Puzzles in links and ids: compressed data of f-puzzles and SudokuPad, and strings of ISS.

Here links are recognized, unwrapped and written. ``fpuzzles.py`` and ``iss.py`` say what the
documents and strings within mean; what a document of SudokuPad means is said below.
"""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterable, Iterator
from itertools import chain, count, repeat
from typing import Any
from urllib.parse import quote, unquote

from .. import rules
from ..errors import InvalidPuzzle, counted, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Cell, Layout, usual_box
from ..rules import Rule
from . import fpuzzles
from .fpuzzles import number, objects, region, rows_of
from .lists import load_json, split_json
from .rows import split_lines
from .text import DEEPEST, Head, is_content

_FPUZZLES = re.compile(r"https?://(?:www\.)?f-puzzles\.com/\S*?[?&](load|id)=([^&#]*)", re.I)
_PAD = re.compile(
    r"https?://\S*?(?:sudokupad|crackingthecryptic|svencodes)\.\S*?[/=](fpuzzles|fpuz|scl|ctc)"
    r"([^?&#]*)",
    re.IGNORECASE,
)
_ISS = re.compile(r"https?://\S*?[?&]q=(\.|%2E)([^&#\s]*)", re.I)
_ID = re.compile(r"(fpuzzles|fpuz|scl|ctc)([A-Za-z0-9+/%_ -]{4,}=*)")
_DATA = re.compile(r"N4Ig[A-Za-z0-9+/%_ -]{8,}=*")
"""How a JSON object begins when it is compressed."""
_STRING = re.compile(r"\.(?:[A-Za-z]*~|(?:And|Or)\.|[A-Z][a-z][A-Za-z]{2,}(?:[.\s]|\Z))")
_DOCUMENT = re.compile(r'"grid"\s*:\s*\[\s*\[\s*\{')
_PAD_DOCUMENT = re.compile(r'"cells"\s*:\s*\[\s*\[\s*\{')
_LINK = "https://www.f-puzzles.com/?load="


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like."""
    first = head.lines[0] if head.lines else ""
    kind = (_parts(first) or [""])[0]
    document = head.bare[:1] == "{"
    if kind == "fpuzzles":
        yield "fpuzzles-link"
    if kind == "scl" or (document and _PAD_DOCUMENT.search(head.bare)):
        yield "scl"
    if kind == "iss" or _STRING.match(first.strip()):
        yield "iss"
    if document and _DOCUMENT.search(head.bare):
        yield "fpuzzles"


def is_wrapped(line: str) -> bool:
    """True for a link or an id, which is a puzzle in one line."""
    return _parts(line) is not None


def _parts(text: str) -> tuple[str, str] | None:
    """The kind of a link and its data."""
    text = text.strip()
    if text[:1] in ("h", "H"):
        if found := _FPUZZLES.match(text):
            return "fpuzzles", found[2] if found[1].lower() == "load" else ""
        if found := _PAD.match(text):
            return ("fpuzzles" if found[1].lower()[0] == "f" else "scl"), found[2]
        if found := _ISS.match(text):
            return "iss", "." + found[2]
    elif found := _ID.fullmatch(text):
        return ("fpuzzles" if found[1][0] == "f" else "scl"), found[2]
    return ("fpuzzles", text) if _DATA.fullmatch(text) else None


def _unwrap(text: str) -> str:
    """The data of a link, without its escapes; a text that is not a link, as it is."""
    found = _parts(text)
    return unquote(found[1]) if found else text


def _text_of(text: str) -> str:
    """The text that a link, an id or compressed data hold; a document as it is."""
    if text.lstrip()[:1] == "{":
        return text
    data = _unwrap(text)
    if len(data) < 12:
        raise InvalidPuzzle(
            "this link has no puzzle in it, only a name that its site knows: open it there, and"
            " copy a link that holds the puzzle"
        )
    return decompress(data)


def read_fpuzzles(text: str, box: Box | None) -> Grid | Puzzle:
    """A document, or one that is compressed: alone, in a link, or behind ``fpuz``."""
    document = load_json(_text_of(text))
    if isinstance(document, dict) and "cells" in document and "grid" not in document:
        return read_scl(text, box)
    if not isinstance(document, dict):
        raise InvalidPuzzle("this is not a document of f-puzzles: expected a JSON object")
    return fpuzzles.puzzle_of(document, box)


def read_scl(text: str, box: Box | None) -> Grid | Puzzle:
    """A document of SudokuPad, or one that is compressed: behind ``scl`` or ``ctc``."""
    return puzzle_of_pad(unzip(_text_of(text)), box)


def read_iss(text: str, box: Box | None) -> Grid | Puzzle:
    """A string of ISS, or a link that has one."""
    from .iss import puzzle_of

    return puzzle_of(_unwrap(text), box)


def split_documents(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each document as in JSON, or each link on a line of its own."""
    numbered = enumerate(lines, 1)
    start, first = next(((at, line) for at, line in numbered if is_content(line)), (1, ""))
    whole = chain([first], (line for _, line in numbered))
    pieces = split_json if first.lstrip()[:1] in ("{", "[") else split_lines
    yield from ((start - 1 + at, piece) for at, piece in pieces(whole, box))


def split_strings(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Blocks of lines between blank lines and comments; a link is a puzzle of its own."""
    block: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        link = bare[:4].lower() == "http"
        if block and (link or not is_content(line)):
            yield number - len(block), "\n".join(block)
            block = []
        if link:
            yield number, bare
        elif is_content(line):
            block.append(line)
    if block:
        yield number + 1 - len(block), "\n".join(block)


def write_fpuzzles(puzzle: Grid | Puzzle) -> str:
    """The document of f-puzzles, on one line."""
    return json.dumps(fpuzzles.document_of(puzzle), separators=(",", ":"), ensure_ascii=False)


def write_link(puzzle: Grid | Puzzle) -> str:
    """A link that opens the puzzle in f-puzzles."""
    return _LINK + quote(compress(write_fpuzzles(puzzle)), safe="/=")


# --- the documents of SudokuPad, which draw a puzzle rather than say its rules -------------
#
# The grid, regions, cages, marks and the solution have a meaning. What is only drawn, such as a
# line, has none here, so a document with drawings is refused.

_KNOWN = {"id", "cellSize", "cs", "cells", "regions", "cages", "metadata", "settings", "global"}
_DRAWN = ("lines", "arrows", "overlays", "underlays")
_CHESS: dict[str, type[Rule]] = {"antiknight": rules.AntiKnight, "antiking": rules.AntiKing}
_NAMED = r"(?si)\s*(title|author|rules|solution|msgcorrect|source)\s*:\s*(.*)"


def puzzle_of_pad(document: dict[str, Any], box: Box | None = None) -> Grid | Puzzle:
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
    rows = rows_of(document, "cells")
    n = len(rows)
    metadata = document.get("metadata") or {}
    if not isinstance(metadata, dict):
        raise InvalidPuzzle(f"'metadata' is {shown(metadata)}; expected an object")
    names = {key: str(value) for key, value in metadata.items() if value}
    found = _chess(document, metadata)
    given = document.get("regions") or []
    given = given if isinstance(given, list) else [given]
    regions = [_cells(n, "'regions'", cells) for cells in given]
    if [len(cells) for cells in regions] == [n] * n:
        shape = box if box and box[0] * box[1] == n else usual_box(n)
    else:  # without regions there are not even boxes
        found += [region(cells, n) for cells in regions]
        regions, shape = [], (1, n)
    lines = [{*house.cells} for house in Layout(shape).houses[: 2 * n]]
    for cage in objects(document.get("cages") or [], "cages"):
        if cage.get("cells"):
            cells = _cells(n, "'cages'", cage["cells"])
            # Rows and columns are often there as hidden cages.
            stated = cage.get("sum") or cage.get("value")
            found += _cage(cage, cells) if stated or {*cells} not in lines else ()
        else:
            names |= _name(cage.get("value"))
    digits = [
        [
            None if (value := cell.get("value")) in (None, "", {}) else number(value, "a digit")
            for cell in row
        ]
        for row in rows
    ]
    marks = [
        (Cell(row, column), [number(each, "a pencil mark") for each in marks])
        for row, cells in enumerate(rows, 1)
        for column, cell in enumerate(cells, 1)
        if (marks := cell.get("pencilMarks") or cell.get("givenPencilMarks"))
        and isinstance(marks, list)
    ]
    titles = {key: names.get(key, "") for key in ("title", "author")}
    puzzle = Puzzle(Grid.from_rows(digits, shape), regions or None, marks, found, **titles)
    solution = names.get("solution", "")
    if (
        len(solution) == n * n
        and re.fullmatch(r"[1-9]+", solution, re.ASCII)
        and not puzzle.holds(Grid(tuple(map(int, solution)), puzzle.box))
    ):
        raise InvalidPuzzle(
            "the solution in the document breaks the rules that are read here: it has others, which"
            " stand only in its text"
        )
    return puzzle.grid if puzzle.is_plain and not any(titles.values()) else puzzle


def _cells(size: int, what: str, values: Any) -> list[Cell]:
    """Cells as pairs of numbers that count from 0."""
    try:
        return [Cell.of((row + 1, column + 1), size) for row, column in values]
    except (TypeError, ValueError, IndexError):
        raise InvalidPuzzle(
            f"{what}: {shown(values)} are not cells of a {size}x{size} grid; expected pairs of a"
            " row and a column that count from 0"
        ) from None


def _chess(document: dict[str, Any], metadata: dict[str, Any]) -> list[Rule]:
    """The rules of the whole grid, which may be stated in three places."""
    stated = document.get("global")
    listed = list(stated) if isinstance(stated, list | dict) else []
    for name in listed:
        if name not in _CHESS:
            raise InvalidPuzzle(f"no rule {shown(name)} here; expected {', '.join(_CHESS)}")
    return [
        kind()
        for name, kind in _CHESS.items()
        if document.get(name) or metadata.get(name) or name in listed
    ]


def _name(text: Any) -> dict[str, str]:
    """What a cage without cells says: a name of the puzzle."""
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
        return [kind(cells, number(total, "the sum of a cage"))]
    if not (unique or cage.get("hidden")):
        raise InvalidPuzzle(
            f"the cage at {cells[0]} is only drawn: it has no sum, and does not say that its"
            " digits are different"
        )
    return [rules.KillerCage(cells)] if unique else []


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
    """The document of a text in JSON, or in the shorter form: without quotes around keys,
    with t and f for true and false, and with nothing for an empty object.
    """
    tokens = re.findall(_TOKEN, text)[::-1]

    def take(mark: str) -> bool:
        """Pass over this mark, if it comes next."""
        return tokens[-1] == mark and bool(tokens.pop())

    def expect(mark: str) -> None:
        if not take(mark):
            raise ValueError(f"{tokens[-1]!r} stands where {mark!r} is expected")

    def value(depth: int = 0) -> Any:
        if depth > DEEPEST:
            raise ValueError("too many lists in lists")
        if tokens[-1] in (",", "]", "}"):
            return {}
        if take("["):
            found = [] if tokens[-1] == "]" else [value(depth + 1)]
            while not take("]"):
                expect(",")
                found.append(value(depth + 1))
            return found
        if take("{"):
            fields = {}
            while not take("}"):
                if not take(","):  # between two fields it may be missing
                    name = _unquoted(tokens.pop())
                    expect(":")
                    fields[_NAMES.get(name, name)] = value(depth + 1)
            return fields
        token = tokens.pop()
        if re.fullmatch(r"-?\d{1,9}", token, re.ASCII):
            return int(token)
        return _WORDS[token] if token in _WORDS else _unquoted(token)

    try:
        document = value()
    except (IndexError, ValueError) as error:
        problem = "it ends too early" if isinstance(error, IndexError) else error
        raise InvalidPuzzle(f"this is not a document of SudokuPad: {problem}") from None
    if not isinstance(document, dict) or tokens:
        raise InvalidPuzzle("this is not a document of SudokuPad: expected an object with 'cells'")
    return document


def _unquoted(token: str) -> str:
    if token in "{}[],:'\"":
        raise ValueError(f"{token!r} stands where text is expected")
    if token[0] not in "'\"":
        return token
    inner = token[1:-1]
    if token[0] == "'":
        inner = inner.replace("\\'", "'").replace('\\"', '"').replace('"', '\\"')
    return str(json.loads(f'"{inner}"', strict=False))


# --- lz-string's compression to base64, in which f-puzzles and SudokuPad keep puzzles ------
#
# The text is a sequence of UTF-16 units. Each code names an entry of a dictionary that grows by one
# entry with every code, as in LZ78; its bits are written with the lowest first. Codes 0 and 1
# precede a new unit of 8 or 16 bits, and code 2 is the end.

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_VALUES |= {" ": 62, "-": 62, "_": 63}  # what becomes of + and / in the address of a page
LONGEST = 10_000_000
"""Units of a text; a short code can stand for a very long one."""
_NEW8, _NEW16, _END = range(3)


def _units(text: str) -> Iterator[str]:
    """The UTF-16 units: characters beyond the first plane are two."""
    data = text.encode("utf-16-le", "surrogatepass")
    return (chr(unit) for (unit,) in struct.iter_unpack("<H", data))


def _widths() -> Iterator[int]:
    """The bits of a code, as the dictionary grows: 2 twice, 3 four times, 4 eight times, ..."""
    for width in count(2):
        yield from repeat(width, 1 << width - 1)


def compress(text: str) -> str:
    """The text in base64, as lz-string's ``compressToBase64`` writes it."""
    if not text:
        return "Q==="
    bits: list[str] = []
    known: dict[str, int] = {}
    fresh: set[str] = set()
    widths = _widths()
    width = next(widths)
    entry = ""
    for unit in [*_units(text), ""]:  # the last writes what is left
        if unit not in known and unit:
            known[unit] = len(known) + 3
            fresh.add(unit)
        if unit and entry + unit in known:
            entry += unit
            continue
        if entry in fresh:
            fresh.remove(entry)
            wide = ord(entry) > 255
            bits += _bits(_NEW16 if wide else _NEW8, width), _bits(ord(entry), 16 if wide else 8)
            next(widths)
        else:
            bits.append(_bits(known[entry], width))
        width = next(widths)
        known[entry + unit] = len(known) + 3
        entry = unit
    whole = "".join(bits) + _bits(_END, width)
    whole += "0" * (6 - len(whole) % 6)
    base = "".join(ALPHABET[int(whole[at : at + 6], 2)] for at in range(0, len(whole), 6))
    return base + "=" * (-len(base) % 4)


def _bits(value: int, width: int) -> str:
    return f"{value:0{width}b}"[::-1]


def decompress(base: str) -> str:
    """The text of what `compress` wrote; InvalidPuzzle if it is something else.

    A blank or ``-`` counts as ``+``, and ``_`` as ``/``; what follows the end code is ignored.
    """
    data = "".join(_entries(base.strip().rstrip("="))).encode("utf-16-le", "surrogatepass")
    return data.decode("utf-16-le", "replace")


def _entries(base: str) -> list[str]:
    """The entry of each code up to the end."""
    wrong = next((letter for letter in base if letter not in _VALUES), None)
    if wrong is not None:
        raise InvalidPuzzle(f"{wrong!r} is not a character of compressed data (base64)")
    bits = "".join(f"{_VALUES[letter]:06b}" for letter in base)
    at = 0

    def take(width: int) -> int:
        nonlocal at
        taken, at = bits[at : at + width], at + width
        if len(taken) < width:
            raise InvalidPuzzle("the compressed data end too early: part of it is missing")
        return int(taken[::-1], 2)

    known: list[str] = ["", "", ""]
    found: list[str] = []
    length, before = 0, ""
    widths = _widths()
    while True:
        code = take(next(widths))
        if code == _END:
            return found
        if code in (_NEW8, _NEW16):
            entry = chr(take(16 if code else 8))
            known.append(entry)
            next(widths)
        elif code < len(known):
            entry = known[code]
        elif code == len(known) and before:
            entry = before + before[0]
        else:
            raise InvalidPuzzle("the compressed data are damaged: they name an unknown entry")
        found.append(entry)
        length += len(entry)
        if length > LONGEST:
            raise InvalidPuzzle(f"the compressed data hold more than {LONGEST:,} characters")
        if before:
            known.append(before + entry[0])
        before = entry
