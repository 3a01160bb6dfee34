"""Puzzles as text: one small reader and one writer a format, detected by content.

==============  ===================================================================
``line``        n * n characters, row by row; digits over 9 are letters (see `symbols`)
``rows``        one row a line, digits run together or apart, with or without box rules
``pretty``      rows with the boxes drawn; read like ``rows``
``ss``          rows in a frame, as Simple Sudoku has them; read like ``rows``
``sdk``         rows under SudoCue's comments; read like ``rows``
``facts``       ``initial(X,Y,N).`` for clingo: row X and column Y hold the given N
``answer``      ``sudoku(1,1,5) ...``: an answer set as clingo prints it
``clingo``      an answer set as ``clingo --outf=2`` prints it; read like ``json``
``prolog``      a list of rows, ``_`` for an empty cell
``json``        ``{"box": [3, 3], "grid": [[5, 3, null, ...], ...]}``, or the rows alone
``dzn``         an array for MiniZinc: ``[| 5,3,0,... | ... |]``
``csv``         a column of lines under ``puzzle`` or ``quizzes``
``opensudoku``  ``<opensudoku><game data="53007..."/></opensudoku>``
``hex``         a line or rows with digits from 0 up, such as 0-F; only read if it is named
``pencil``      rows with several digits in a cell: pencil marks; only the single ones are
                read
==============  ===================================================================

An empty cell is ``.`` in what is written, and any of ``. 0 _ * x - blank`` in what is read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from io import StringIO
from itertools import chain, islice
from os import PathLike
from typing import NamedTuple

from .._layout import checked_box
from ..errors import InvalidPuzzle, shown
from ..grid import Box, Grid
from ..puzzle import Puzzle
from ._answers import read_answer, split_answers, write_answer, write_clingo
from ._blocks import is_long_line, split_blocks
from ._characters import symbols
from ._csv import read_csv, split_csv, write_csv
from ._detect import detect, is_content
from ._dzn import read_dzn, split_dzn, write_dzn
from ._facts import read_facts, write_facts, write_removable
from ._json import read_json, split_json, write_json
from ._lines import plain_line, read_line, split_lines, write_hex, write_line
from ._opensudoku import read_opensudoku, split_opensudoku, write_opensudoku
from ._pencil import write_pencil
from ._prolog import read_prolog, split_prolog, write_prolog
from ._rows import read_hex, read_pencil, read_rows, write_pretty, write_rows, write_sdk, write_ss
from ._text import LONGEST_LINE, Lines, bare, refuse_long
from ._values import many

__all__ = ["FORMATS", "SUFFIXES", "as_grid", "as_puzzle", "many", "parse", "parse_puzzle"]
__all__ += ["read_puzzles", "split"]
__all__ += ["symbols", "write"]

Piece = tuple[int, str]
"""The number of its first line, and the text of one puzzle."""


class Format(NamedTuple):
    """How a format is read and written, and how many puzzles in one text are told apart."""

    read: Callable[[str, Box | None], Grid | Puzzle]
    write: Callable[[Grid], str]
    split: Callable[[Iterable[str], Box | None], Iterator[Piece]]


def _undivided(lines: Iterable[str], box: Box | None) -> Iterator[Piece]:
    yield 1, "\n".join(lines)


FORMATS = {
    "line": Format(read_line, write_line, split_lines),
    "rows": Format(read_rows, write_rows, split_blocks),
    "pretty": Format(read_rows, write_pretty, split_blocks),
    "ss": Format(read_rows, write_ss, split_blocks),
    "sdk": Format(read_rows, write_sdk, split_blocks),
    "facts": Format(read_facts, write_facts, _undivided),
    "answer": Format(read_answer, write_answer, split_answers),
    "clingo": Format(read_json, write_clingo, split_json),
    "prolog": Format(read_prolog, write_prolog, split_prolog),
    "json": Format(read_json, write_json, split_json),
    "dzn": Format(read_dzn, write_dzn, split_dzn),
    "csv": Format(read_csv, write_csv, split_csv),
    "opensudoku": Format(read_opensudoku, write_opensudoku, split_opensudoku),
    "hex": Format(read_hex, write_hex, split_blocks),
    "pencil": Format(read_pencil, write_pencil, split_blocks),
}

SUFFIXES = {"txt", "sdm", "ss", "sdk", "csv", "tsv", "lp", "pl", "json", "jsonl", "dzn", "mzn"}
SUFFIXES |= {"opensudoku", "xml"}
"""How the names of puzzle files end."""

_HEAD = 64
"""Lines, comments aside, from which the format of a longer text is told."""


def _format(name: str) -> Format:
    try:
        return FORMATS[name]
    except KeyError:
        raise ValueError(f"no format {name!r}; choose one of {', '.join(FORMATS)}") from None


def parse(text: str, format: str | None = None, box: Box | None = None) -> Grid:
    """The one grid that the text holds; see `Grid.parse`."""
    return _only_grid(parse_puzzle(text, format, box), "Puzzle.parse reads it")


def _only_grid(puzzle: Grid | Puzzle, cure: str) -> Grid:
    if isinstance(puzzle, Grid):
        return puzzle
    if puzzle.is_plain:
        return puzzle.grid
    more = " and ".join(name for name in ("regions", "marks") if getattr(puzzle, name))
    raise InvalidPuzzle(f"this puzzle has {more}, which a grid alone cannot hold; {cure}")


def parse_puzzle(text: str, format: str | None = None, box: Box | None = None) -> Grid | Puzzle:
    """The one puzzle that the text holds; see `Puzzle.parse`."""
    if not isinstance(text, str):
        raise TypeError(
            f"expected text (str), not {shown(text)}: Grid.from_rows takes rows, and"
            " read_puzzles takes files"
        )
    shape = None if box is None else checked_box(box)
    # Collections of lines are large; no other format has nothing but a line's characters.
    if format is None and (grid := plain_line(text, shape)) is not None:
        return grid
    refuse_long(text)
    text = bare(text)
    if text.strip("\r\n\t\f\v") in ("", " "):
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    try:
        return _format(format or detect(text, shape)).read(text, shape)
    except InvalidPuzzle:
        if format is None and len(text) <= LONGEST_LINE and _holds_several(text, shape):
            raise InvalidPuzzle(
                "the text holds several puzzles; expected one (a file may hold several:"
                " read_puzzles reads it)"
            ) from None
        raise


def _holds_several(text: str, box: Box | None) -> bool:
    """True if the text begins with a puzzle of which more follow."""
    try:
        (_, first), _ = islice(split(text, box), 2)
        parse(first, box=box)
    except ValueError:
        return False
    return True


def write(grid: Grid | Puzzle, format: str, removable: bool = False) -> str:
    """The grid as text in the format of this name; see `Grid.format`."""
    form = _format(format)
    if isinstance(grid, Puzzle):
        if format == "json":
            return json.dumps(grid.to_json())
        grid = _only_grid(grid, "write it as json")
    if not removable:
        return form.write(grid)
    if format != "facts":
        raise ValueError(f"only facts can be removable; the format is {format!r}")
    return write_removable(grid)


def as_grid(puzzle: object) -> Grid:
    """A puzzle as users pass it, for a question that is about a grid alone."""
    return _only_grid(as_puzzle(puzzle), "expected a grid here")


def as_puzzle(puzzle: object) -> Grid | Puzzle:
    """A puzzle as users pass it: a Grid or Puzzle, text in any known format, or nested rows."""
    if isinstance(puzzle, Grid):
        return puzzle
    if isinstance(puzzle, Puzzle):
        return puzzle.grid if puzzle.is_plain else puzzle
    if isinstance(puzzle, bytes | bytearray):
        raise InvalidPuzzle(f"the puzzle is {shown(puzzle)}; decode it first, as text or numbers")
    return parse_puzzle(puzzle) if isinstance(puzzle, str) else Grid.from_rows(puzzle)  # type: ignore[arg-type]


def split(
    text: str | Iterable[str], box: Box | None = None, format: str | None = None
) -> Iterator[Piece]:
    """The text of each puzzle in a text of one or many, with the number of its first line.

    `text` may be the lines, such as an open file: of lines, blocks of rows, tables, answer sets,
    Prolog lists, JSON Lines and OpenSudoku files, no more is read and kept than the puzzle at
    hand. Facts, and JSON over several lines, are read whole. `format` is as for `parse`.
    """
    source = Lines(StringIO(text, newline=None) if isinstance(text, str) else text)
    lines = iter(source)
    head: list[str] = []
    content: list[str] = []
    whole = blank = True
    for line in lines:
        head.append(line)
        blank = blank and not line.strip()
        if is_content(line):
            content.append(line)
        # What a line of a collection is, is plain at once: whoever types or pipes it need not
        # write more before it is read.
        sure = bool(content) and (format is not None or is_long_line(content[0], box))
        if len(content) == _HEAD or sure:
            whole = False
            break
    if blank:
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    if format is None:
        first = content[:1] if len(content) == 1 and not whole else head
        format = detect("\n".join(first), box, whole)
        format = "rows" if format == "line" else format
    for piece in _format(format).split(chain(head, lines), box):
        source.read = 0
        yield piece


def read_puzzles(
    source: str | PathLike[str] | Iterable[str],
    format: str | None = None,
    box: Box | None = None,
) -> Iterator[Grid]:
    """The puzzles of a file of one or many, each as soon as it is read.

    `source` is the path of a file, or lines of text such as an open file; `format` and `box` are
    as for `Grid.parse`. Raises InvalidPuzzle at the first puzzle that is none, and says where.

    >>> [str(grid) for grid in read_puzzles(["# two", "1..4.....3......", "4..1.....3......"])]
    ['1..4.....3......', '4..1.....3......']
    """
    if isinstance(source, bytes | bytearray) or not isinstance(source, str | PathLike | Iterable):
        raise TypeError(f"expected a path or lines of text, not {shown(source)}")
    if not isinstance(source, str | PathLike):
        yield from _grids(source, "", format, box)
        return
    try:
        file = open(source, encoding="utf-8")  # noqa: SIM115
    except ValueError as error:  # a name that no file can have
        raise InvalidPuzzle(f"{shown(source)} cannot be read: {error}") from None
    with file as lines:
        yield from _grids(lines, f"{source}, ", format, box)


def _grids(lines: Iterable[str], name: str, format: str | None, box: Box | None) -> Iterator[Grid]:
    number = 0
    try:
        for number, text in split(lines, box, format):  # noqa: B007
            yield parse(text, format, box)
    except InvalidPuzzle as error:
        where = f"{name}line {number}" if number else name.rstrip(", ")
        raise InvalidPuzzle(f"{where}: {error}" if where else str(error)) from None
