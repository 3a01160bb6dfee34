"""Puzzles in links and ids: compressed data of f-puzzles and SudokuPad, and strings of ISS."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from urllib.parse import quote, unquote

from .._layout import Box
from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Puzzle
from ._lists import loaded, split_json
from ._lzstring import compress, decompress
from ._text import Head

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


def is_link(head: Head) -> bool:
    """True for a link to f-puzzles, its id in SudokuPad, and its compressed data."""
    return _kind(head) == "fpuzzles"


def is_pad(head: Head) -> bool:
    """True for a link or an id that holds a document of SudokuPad, and for the document."""
    return _kind(head) == "scl" or (head.bare[:1] == "{" and bool(_PAD_DOCUMENT.search(head.bare)))


def is_iss(head: Head) -> bool:
    """True for a string of ISS, and for a link with one."""
    first = head.lines[0].strip() if head.lines else ""
    return bool(_STRING.match(first)) or _kind(head) == "iss"


def is_document(head: Head) -> bool:
    """True for a document of f-puzzles: a grid of objects."""
    return head.bare[:1] == "{" and bool(_DOCUMENT.search(head.bare))


def is_wrapped(line: str) -> bool:
    """True for a link or an id, which is a puzzle in one line."""
    return _parts(line) is not None


def _kind(head: Head) -> str:
    return (_parts(head.lines[0] if head.lines else "") or ("", ""))[0]


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


def _unwrapped(text: str) -> str:
    """The data of a link, without its escapes; a text that is no link as it is."""
    found = _parts(text)
    return unquote(found[1]) if found else text


def _text_of(text: str) -> str:
    """The text that a link, an id or compressed data hold; a document as it is."""
    if text.lstrip()[:1] == "{":
        return text
    data = _unwrapped(text)
    if len(data) < 12:
        raise InvalidPuzzle(
            "this link has no puzzle in it, only a name that its site knows: open it there, and"
            " copy a link that holds the puzzle"
        )
    return decompress(data)


def read_fpuzzles(text: str, box: Box | None) -> Grid | Puzzle:
    """A document, or one that is compressed: alone, in a link, or behind ``fpuz``."""
    from ._fpuzzles import puzzle_of

    document = loaded(_text_of(text))
    if isinstance(document, dict) and "cells" in document and "grid" not in document:
        return read_scl(text, box)
    if not isinstance(document, dict):
        raise InvalidPuzzle("this is not a document of f-puzzles: expected a JSON object")
    return puzzle_of(document, box)


def read_scl(text: str, box: Box | None) -> Grid | Puzzle:
    """A document of SudokuPad, or one that is compressed: behind ``scl`` or ``ctc``."""
    from ._scl import puzzle_of, unzipped

    return puzzle_of(unzipped(_text_of(text)), box)


def read_iss(text: str, box: Box | None) -> Grid | Puzzle:
    """A string of ISS, or a link that has one."""
    from ._iss import puzzle_of

    bare = "\n".join(line for line in text.splitlines() if _is_content(line))
    return puzzle_of(_unwrapped(bare), box)


def split_documents(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each document as in JSON, or each link on a line of its own."""
    numbered = enumerate(lines, 1)
    start, first = next(((at, line) for at, line in numbered if _is_content(line)), (1, ""))
    whole = chain([first], (line for _, line in numbered))
    pieces = split_json if first.lstrip()[:1] in ("{", "[") else split_words
    yield from ((start - 1 + at, piece) for at, piece in pieces(whole, box))


def split_strings(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Blocks of lines between blank lines and comments; a link is a puzzle of its own."""
    block: list[str] = []
    number = 0
    for number, line in enumerate(lines, 1):
        bare = line.strip()
        link = bare[:4].lower() == "http"
        if block and (link or not _is_content(line)):
            yield number - len(block), "\n".join(block)
            block = []
        if link:
            yield number, bare
        elif _is_content(line):
            block.append(line)
    if block:
        yield number + 1 - len(block), "\n".join(block)


def split_words(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every line except comments and blank ones."""
    for number, line in enumerate(lines, 1):
        if _is_content(line):
            yield number, line.strip()


def _is_content(line: str) -> bool:
    return line.strip()[:1] not in ("", "#", "%")


def write_fpuzzles(puzzle: Grid | Puzzle) -> str:
    """The document of f-puzzles, on one line."""
    from ._fpuzzles import document_of

    return json.dumps(document_of(puzzle), separators=(",", ":"), ensure_ascii=False)


def write_link(puzzle: Grid | Puzzle) -> str:
    """A link that opens the puzzle in f-puzzles."""
    return _LINK + quote(compress(write_fpuzzles(puzzle)), safe="/=")
