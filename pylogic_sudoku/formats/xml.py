"""Documents in XML: files of the Android app OpenSudoku, and games that KSudoku has saved."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from ..errors import InvalidPuzzle, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, checked_box
from .rows import cells_in_line, read_line
from .text import Head

_HTML = r"(?i)\s*<(?:!doctype\s+html|html|head|body|table|tbody|t[rdh]|div|span|pre|p|ul|ol|br|b)\b"
_PICTURE = r"(?is)\s*(?:<\?xml.*?\?>\s*)?(?:<!--.*?-->\s*)?<svg\b"


def looks_like(head: Head) -> Iterator[str]:
    """The formats of this module that the text looks like; InvalidPuzzle if it is HTML."""
    if head.content[:1] != "<":
        return
    if re.match(_HTML, head.content):
        raise InvalidPuzzle("this is HTML, which is not read: copy the text of the cells instead")
    if re.match(_PICTURE, head.content):
        raise InvalidPuzzle("this is a picture (SVG), which is not read: type its cells as a line")
    yield "opensudoku"


def read_opensudoku(text: str, box: Box | None) -> Grid | Puzzle:
    """The first game: ``<opensudoku><game data="0008..."/></opensudoku>``.

    Of a game that was saved by the app, the givens. Its box shape is `box`, else that of our own
    attribute ``box="2x3"``, as the app knows 9x9 only.
    """
    _, game, shape = next(_games(text.splitlines()))
    if box is None and (known := re.fullmatch(r"(\d{1,2})x(\d{1,2})", shape)):
        box = checked_box(map(int, known.groups()))
    if not game.startswith("version"):
        return read_line(game.replace("0", "."), box)  # the app's empty cell, whatever its size
    return read_line(_givens(game), box)


def _givens(game: str) -> str:
    """The givens of a saved game: a cell is a digit, notes in one or two fields, and 1 if open.

    How many fields a cell has depends on the version, and shows in their number.
    """
    saved = re.match(r"version:\s*\d+\s+(.*)\|\s*\Z", game, re.DOTALL)
    fields = saved[1].split("|") if saved else []
    for width in (3, 4, 5, 6):
        cells = [fields[at : at + width] for at in range(0, len(fields), width)]
        if len(cells) in (16, 36, 81, 256) and all(
            len(cell) == width and cell[0].isdecimal() and cell[-1] in ("0", "1") for cell in cells
        ):
            return "".join("0" if cell[-1] == "1" else cell[0] for cell in cells)
    raise InvalidPuzzle(
        f"a game that OpenSudoku has saved as {shown(game[:10])} is not read; export the puzzles of"
        " the app without the state of the games"
    )


def split_opensudoku(lines: Iterable[str], _box: Box | None) -> Iterator[tuple[int, str]]:
    """Every game, as a file of its own, with the number of the line on which its tag ends."""
    from xml.sax.saxutils import quoteattr

    for number, data, shape in _games(lines):
        boxed = f"box={quoteattr(shape)} " if shape else ""
        yield number, f"<opensudoku><game {boxed}data={quoteattr(data)}/></opensudoku>"


def _games(lines: Iterable[str]) -> Iterator[tuple[int, str, str]]:
    """The line, the data and the box shape of every game."""
    root, found, order = "", False, 0
    letters: dict[str, str] = {}
    for number, event, element in _events(lines):
        if event == "start":
            if not root:
                root = element.tag
                _check_root(root)
            if element.tag == "game" and root != "ksudoku":
                found = True
                yield number, element.get("data", "").strip(), element.get("box", "")
            if element.tag == "graph":
                order = (
                    int(element.get("order", "9")) if element.get("order", "9").isdecimal() else 9
                )
                if element.get("type", "sudoku") != "sudoku":
                    raise InvalidPuzzle(
                        f"a KSudoku game of the type {shown(element.get('type'))} is not read;"
                        " expected sudoku"
                    )
        elif root == "ksudoku":
            letters[element.tag] = "".join((element.text or "").split())
            if element.tag == "puzzle":
                found = True
                yield number, _from_letters(letters, order), ""
    if not found:
        raise InvalidPuzzle(
            f"there is no <{'puzzle' if root == 'ksudoku' else 'game'}> in the <{root}>"
        )


def _check_root(root: str) -> None:
    if root == "instance":
        raise InvalidPuzzle(
            "this is an instance of XCSP3, a problem for any solver, which is not read: write its"
            " givens as a line or as facts"
        )
    if root not in ("opensudoku", "opensudoku2", "ksudoku"):
        raise InvalidPuzzle(
            f"this is XML of another kind, <{root[:40]}>; expected <opensudoku> or <ksudoku>"
        )


def _from_letters(letters: dict[str, str], order: int) -> str:
    """The givens of KSudoku, whose digits are letters; the least of them follows from the text."""
    values = letters.get("values", "")
    used = {each for each in values + letters.get("solution", "") if each.isalpha()}
    first = "a" if "a" in used else "b"
    if not used or (first == "b" and chr(ord("a") + order) not in used):
        raise InvalidPuzzle(
            "in this game of KSudoku, nothing shows which letter is 1; type its cells as a line"
        )
    known = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    return "".join(known[ord(each) - ord(first)] if each.isalpha() else "." for each in values)


def _events(lines: Iterable[str]) -> Iterator[tuple[int, str, Any]]:
    """The number of a line, an event and its element; some versions of expat defer events."""
    from xml.etree.ElementTree import ParseError, XMLPullParser  # which few need

    parser: Any = XMLPullParser(["start", "end"])  # its elements are typed too widely
    begun, number = False, 0
    try:
        for number, line in enumerate(lines, 1):
            if "<!ENTITY" in line:  # entities can expand to gigabytes of text
                raise InvalidPuzzle("<!ENTITY> is not read")
            begun = begun or line.lstrip()[:1] == "<"  # nothing must precede <?xml ...?>
            if begun:
                parser.feed(f"{line}\n")
            for event, element in parser.read_events():
                yield number, event, element
                if event == "end" and element.tag == "game":
                    element.clear()
        parser.close()
        for event, element in parser.read_events():
            yield number, event, element
    except (ParseError, UnicodeEncodeError) as error:
        raise InvalidPuzzle(f"this is not XML: {error}") from None


def write_opensudoku(grid: Grid) -> str:
    """A file with one game, 0 for an empty cell; with its box shape if it is not square."""
    rows, columns = grid.box
    box = f'box="{rows}x{columns}" ' if rows != columns or grid.size == 1 else ""
    data = cells_in_line(grid).replace(".", "0")
    head = '<?xml version="1.0" encoding="UTF-8"?>'
    return f'{head}\n<opensudoku>\n  <game {box}data="{data}"/>\n</opensudoku>'
