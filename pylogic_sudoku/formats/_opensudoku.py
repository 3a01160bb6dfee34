"""The XML files of the Android app OpenSudoku."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.parsers import expat

from ..errors import InvalidPuzzle
from ..grid import Box, Grid
from ._lines import read_line, write_line

__all__ = ["read_opensudoku", "split_opensudoku", "write_opensudoku"]

_SAVED = re.compile(r"version:\s*([123])\s+((?:\d\|[^|]*\|{1,2}[01]\|)*)")
_SAVED_CELL = re.compile(r"(\d)\|[^|]*\|{1,2}([01])\|")


def _games(lines: Iterable[str]) -> Iterator[tuple[int, str]]:
    """The number of its line and the data of each game."""
    found: list[tuple[int, str]] = []
    opened: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        if not opened and name not in ("opensudoku", "opensudoku2"):
            raise InvalidPuzzle(f"the root is <{name[:80]}>; expected <opensudoku>")
        opened.append(name)
        if name == "game":
            found.append((parser.CurrentLineNumber, attributes.get("data", "")))

    def refuse(*_: object) -> None:
        # Without it no entity can be declared: a few of them can stand for gigabytes.
        raise InvalidPuzzle(f"line {parser.CurrentLineNumber}: <!DOCTYPE> is not read")

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.EndElementHandler = lambda _name: opened.pop()
    parser.StartDoctypeDeclHandler = refuse
    try:
        for line in lines:
            parser.Parse(f"{line}\n")
            yield from found
            found.clear()
        parser.Parse("", True)
    except (expat.ExpatError, ValueError) as error:
        if isinstance(error, InvalidPuzzle):
            raise
        raise InvalidPuzzle(f"this is no XML: {error}") from None
    yield from found


def read_opensudoku(text: str, box: Box | None) -> Grid:
    """The first game: ``<opensudoku><game data="0008..."/></opensudoku>``.

    Of a game that the app has saved, the givens.
    """
    game = next(_games(text.splitlines()), None)
    if game is None:
        raise InvalidPuzzle("there is no <game> in the <opensudoku>")
    _, data = game
    if not data.strip().startswith("version"):
        return read_line(data.replace("0", "."), box)  # the app's empty cell, whatever its size
    saved = _SAVED.fullmatch(data.strip())
    if saved is None:
        raise InvalidPuzzle(f"a game saved as {data.strip()[:10]!r} is not read; expected a line")
    cells = _SAVED_CELL.findall(saved[2])
    return read_line("".join("0" if editable == "1" else digit for digit, editable in cells), box)


def split_opensudoku(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Every game, as a file of its own."""
    from xml.sax.saxutils import quoteattr  # brings urllib along: too slow for every import

    found = False
    for number, data in _games(lines):
        found = True
        yield number, f"<opensudoku><game data={quoteattr(data)}/></opensudoku>"
    if not found:
        raise InvalidPuzzle("there is no <game> in the <opensudoku>")


def write_opensudoku(grid: Grid) -> str:
    """A file with one game, 0 for an empty cell."""
    line = write_line(grid).replace(".", "0")
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n<opensudoku>\n  <game data="{line}"/>\n</opensudoku>'
