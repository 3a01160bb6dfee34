"""Puzzles in links and ids: compressed data of f-puzzles, and strings of ISS.

Here links are recognized, unwrapped and written. ``fpuzzles.py`` and ``iss.py`` say what the
documents and strings within mean.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain, count, repeat
from urllib.parse import quote, unquote

from ..errors import InvalidPuzzle
from ..problem.written import load_json
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box
from . import fpuzzles
from .lists import split_json
from .rows import split_lines, unwrapped
from .text import Head, is_content

_FPUZZLES = re.compile(
    r"(?:[Hh]ttps?://\S*?(?:[?&]load=|[/=]fpuz(?:zles)?)|fpuz(?:zles)?|(?=N4Ig))"
    r"([A-Za-z0-9+/%_ -]{12,}=*)(?:[?&#].*)?"
)
"""Compressed data in a link, behind ``fpuz``, or alone: then they begin like a JSON object."""
_ISS = re.compile(r"[Hh]ttps?://\S*?[?&]q=((?:\.|%2E)[^&#\s]*)\S*")
_STRING = re.compile(r"\.(?:[A-Za-z]*~|(?:And|Or)\.|[A-Z][a-z][A-Za-z]{2,}(?:[.\s]|\Z))")
_PAD = re.compile(r"(?:[Hh]ttps?://\S*?[/=])?(?:scl|ctc)([A-Za-z0-9+/%_ -]{4,}=*)(?:[?&#].*)?")
"""The packed form of SudokuPad's own documents, alone or in a link."""
_SCF = re.compile(r"(?:[Hh]ttps?://\S*?/)?scf((?:[0-9A-Za-x]|%[0-9A-F]{2}){9,}(?:[*%]\S*)?)")
"""Its older form for classic puzzles, alone or in a link."""
_UNREAD = re.compile(r"[Hh]ttps?://\S*")
"""Any other link."""
_HOLDING = {
    "penpa-edit": r"(?i)https?://\S*penpa",
    "puzz.link": r"(?i)https?://\S*(?:puzz\.link|pzv\.jp|pzpr\w*)[./]",
}
"""Sites whose links hold the puzzle in a form that is not read here."""
_DOCUMENT = re.compile(r'"grid"\s*:\s*\[\s*\[\s*\{')
_PAD_DOCUMENT = re.compile(r'(?s)\{.*"cells"\s*:\s*\[\s*\[\s*\{')
_LINK = "https://www.f-puzzles.com/?load="


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like."""
    first = head.lines[0].strip() if head.lines else ""
    if _ISS.fullmatch(first) or _STRING.match(first):
        yield "iss"
    elif _PAD.fullmatch(first) or _SCF.fullmatch(first) or _PAD_DOCUMENT.match(head.content):
        yield "scl"
    elif is_wrapped(first):
        yield "fpuzzles-link"
    if head.content[:1] == "{" and _DOCUMENT.search(head.content):
        yield "fpuzzles"


def is_wrapped(line: str) -> bool:
    """True for a link or an id, which is a puzzle in one line."""
    if unwrapped(line) is not None:
        return False
    return any(kind.fullmatch(line.strip()) for kind in (_FPUZZLES, _PAD, _SCF, _UNREAD))


def document_of(text: str) -> str:
    """The text that a link, an id or compressed data hold; a document as it is."""
    text = text.strip()
    if text[:1] == "{":
        return text
    match = _FPUZZLES.fullmatch(text) or _PAD.fullmatch(text)
    if match is None:
        for site, link in _HOLDING.items():
            if re.match(link, text):
                raise InvalidPuzzle(
                    f"{site} is not read: this link holds the puzzle in a form of its own; open it"
                    " there, type its givens as a line, and write its rules as JSON"
                )
        raise InvalidPuzzle(
            f"only links with the puzzle in them are read, such as {_LINK} and its data: other"
            " links hold a name that only their site knows; open it there, and copy a link that"
            " holds the puzzle"
        )
    return decompress(unquote(match[1]))


def read_fpuzzles(text: str, box: Box | None) -> Grid | Puzzle:
    """A document, or one that is compressed: alone, in a link, or behind ``fpuz``."""
    document = load_json(document_of(text))
    if not isinstance(document, dict):
        raise InvalidPuzzle("this is not a document of f-puzzles: expected a JSON object")
    if "cells" in document and "grid" not in document:
        from .pad import puzzle_of

        return puzzle_of(document, box)
    return fpuzzles.puzzle_of(document, box)


def read_scl(text: str, box: Box | None) -> Grid | Puzzle:
    """A document of SudokuPad, or one that is compressed: behind ``scl``, ``ctc`` or ``scf``."""
    from .pad import classic, puzzle_of, unzip

    if match := _SCF.fullmatch(text.strip()):
        return classic(unquote(match[1]))
    return puzzle_of(unzip(document_of(text)), box)


def read_iss(text: str, box: Box | None) -> Grid | Puzzle:
    """A string of ISS, or a link that has one."""
    from .iss import puzzle_of

    match = _ISS.fullmatch(text.strip())
    return puzzle_of(unquote(match[1]) if match else text, box)


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
    for number, line in enumerate(chain(lines, [""]), 1):
        link = is_wrapped(line)
        if block and (link or not is_content(line)):
            yield number - len(block), "\n".join(block)
            block = []
        if link:
            yield number, line
        elif is_content(line):
            block.append(line)


def write_fpuzzles(puzzle: Grid | Puzzle) -> str:
    """The document of f-puzzles, on one line."""
    return json.dumps(fpuzzles.document_of(puzzle), separators=(",", ":"))


def write_link(puzzle: Grid | Puzzle) -> str:
    """A link that opens the puzzle in f-puzzles."""
    return _LINK + quote(compress(write_fpuzzles(puzzle)), safe="/=")


# --- lz-string's compression to base64, in which f-puzzles keeps puzzles ------------------------
#
# The text is a sequence of UTF-16 units. Each code names an entry of a dictionary that grows by one
# entry with every code, as in LZ78; its bits are written with the lowest first. Codes 0 and 1
# precede a new unit of 8 or 16 bits, and code 2 is the end.

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
_VALUES = {letter: value for value, letter in enumerate(ALPHABET)}
_VALUES |= {" ": 62, "-": 62, "_": 63}  # what becomes of + and / in the address of a page
LONGEST = 10_000_000
"""Units of a text; a short code can represent a very long one."""
_NEW8, _NEW16, _END = range(3)


def _widths() -> Iterator[int]:
    """The bits of a code, as the dictionary grows: 2 twice, 3 four times, 4 eight times, ..."""
    for width in count(2):
        yield from repeat(width, 1 << width - 1)


def compress(text: str) -> str:
    """The text in base64, as lz-string's ``compressToBase64`` writes it; it is ASCII, not empty."""
    bits = ""
    known: dict[str, int] = {}
    fresh: set[str] = set()
    widths = _widths()
    width = next(widths)
    entry = ""
    for unit in [*text, ""]:  # the last writes what is left
        if unit not in known and unit:
            known[unit] = len(known) + 3
            fresh.add(unit)
        if unit and entry + unit in known:
            entry += unit
            continue
        if entry in fresh:
            fresh.remove(entry)
            bits += _bits(_NEW8, width) + _bits(ord(entry), 8)
            next(widths)
        else:
            bits += _bits(known[entry], width)
        width = next(widths)
        known[entry + unit] = len(known) + 3
        entry = unit
    bits += _bits(_END, width)
    bits += "0" * (6 - len(bits) % 6)
    base = "".join(ALPHABET[int(bits[at : at + 6], 2)] for at in range(0, len(bits), 6))
    return base + "=" * (-len(base) % 4)


def _bits(value: int, width: int) -> str:
    return f"{value:0{width}b}"[::-1]


def decompress(base: str) -> str:
    """The text that lz-string has compressed; InvalidPuzzle if it is something else.

    A blank or ``-`` counts as ``+``, and ``_`` as ``/``; what follows the end code is ignored.
    """
    base = base.strip().rstrip("=")
    if wrong := {*base} - _VALUES.keys():
        raise InvalidPuzzle(f"{min(wrong)!r} is not a character of compressed data (base64)")
    bits = "".join(f"{_VALUES[letter]:06b}" for letter in base)
    at = 0

    def take(width: int) -> int:
        nonlocal at
        chunk, at = bits[at : at + width], at + width
        if len(chunk) < width:
            raise InvalidPuzzle("the compressed data end too early: part of it is missing")
        return int(chunk[::-1], 2)

    known = ["", "", ""]
    entries: list[str] = []
    length, before = 0, ""
    widths = _widths()
    while (code := take(next(widths))) != _END:
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
        entries.append(entry)
        length += len(entry)
        if length > LONGEST:
            raise InvalidPuzzle(f"the compressed data hold more than {LONGEST:,} characters")
        if before:
            known.append(before + entry[0])
        before = entry
    # Two units may be one character.
    return "".join(entries).encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
