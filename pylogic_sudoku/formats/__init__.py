"""Puzzles as text: a reader and a writer for each format, which is detected by content.

==============  ===================================================================
``line``        n * n characters, row by row; digits over 9 are letters (see `symbols`)
``rows``        one row a line, digits run together or apart, with or without box rules
``pretty``      rows with the boxes drawn; read like ``rows``
``ss``          rows in a frame, as Simple Sudoku has them; read like ``rows``
``sdk``         rows under SudoCue's comments; read like ``rows``
``facts``       ``initial(X,Y,N).`` for clingo: row X and column Y hold the given N; a
                Puzzle also has ``region(R,X,Y).`` and ``excluded(X,Y,N).``
``answer``      ``sudoku(1,1,5) ...``: an answer set as clingo prints it
``prolog``      a list of rows, ``_`` for an empty cell
``json``        ``{"box": [3, 3], "grid": [[5, 3, null, ...], ...]}``, or the rows alone; a
                Puzzle also has ``"regions": [[1, 1, 2, ...], ...]``, a label for each cell,
                and ``"marks": {"r1c2": [2, 4], ...}``; what ``clingo --outf=2`` prints is read
``clingo``      an answer set as ``clingo --outf=2`` prints it; read like ``json``
``dzn``         an array for MiniZinc: ``[| 5,3,0,... | ... |]``
``opensudoku``  ``<opensudoku><game data="53007..."/></opensudoku>``; KSudoku's saves are read too
``hex``         a line or rows with digits from 0 up, such as 0-F; only read if it is named
``csv``         a column of lines under ``puzzle`` or ``quizzes``
``pencil``      rows with several digits in a cell: pencil marks, which are kept if they say
                more than the givens
``fpuzzles``    a document of f-puzzles: ``{"size": 9, "grid": [[{"value": 5, ...}]], ...}``
``fpuzzles-link``  the same, compressed: links to f-puzzles, and SudokuPad's ``fpuz...``
``iss``         ``.Thermo~R1C1~R1C2``: strings of the Interactive Sudoku Solver, and links to
                it; only read
``killer``      81 characters such as ``A<^...``, ``3x3::k:...``, or ``SumoCueV1...``; only
                read
``solo``        ``3x3:9a1d5h...``: game IDs of Solo, by Simon Tatham; only read
``scl``         documents of SudokuPad: ``scl...``, ``ctc...``, ``scf...`` and links; only read
``jigsaw``      a line, followed by n * n labels of regions; only read
==============  ===================================================================

``json`` and ``facts`` hold all of a `Puzzle`, ``prolog`` all but marks, and ``fpuzzles`` the rules
that f-puzzles knows; ``pretty`` draws regions and marks. An empty cell is written as ``.`` and
read from any of ``. 0 _ * x - blank``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextlib import ExitStack, suppress
from importlib import import_module
from io import StringIO
from itertools import chain, islice
from os import PathLike
from typing import Any, NamedTuple

from ..errors import InvalidPuzzle, LogicError, shown
from ..problem import Instance
from ..puzzle import Grid, Puzzle, PuzzleLike
from ..puzzle.cells import Box, OpenShape, checked_box, square_box
from . import rows
from .rows import cells_in_line as cells_in_line
from .text import (
    GZIP,
    HEAD,
    Head,
    Uncommented,
    cleaned,
    digits_of,
    items,
    lines_of,
    opened,
    square,
    stated_boxes,
    states_boxes,
    symbols,
    unpacked,
    without_comments,
)

__all__ = [
    "FORMATS",
    "GZIP",
    "HOLD_RULES",
    "READ_ONLY",
    "PuzzleLike",
    "as_grid",
    "as_puzzle",
    "begin",
    "detect",
    "from_json",
    "located",
    "many",
    "names_file",
    "opened",
    "unpacked",
]
__all__ += ["parse", "read_puzzles", "split", "symbols", "write", "write_and_check"]


Piece = tuple[int, str]
"""The number of its first line, and the text of one puzzle."""


class Format(NamedTuple):
    """The functions that read, write and recognize a format, and split a file into puzzles.

    Each is the name of a function in a module of this package, which is imported when it is needed:
    to import all of them takes half as long as to import clingo.
    """

    module: str
    read: str
    """From text and a box shape to a Grid or Puzzle."""
    write: str
    """From a Grid; of the formats in `HOLD_RULES`, from a Puzzle too. Empty if it is only read."""
    split: str
    """From lines and a box shape to pieces."""
    keeps_boxes: bool = False
    """True if comments above the first puzzle count for all puzzles below it."""

    def call(self, function: str, *arguments: Any) -> Any:
        """Call the function of this name, one of those above."""
        return getattr(import_module(f"{__name__}.{self.module}"), function)(*arguments)


_ROWS = Format("rows", "read_rows", "write_rows", "split_blocks", keeps_boxes=True)
_LINK = Format("links", "read_fpuzzles", "write_link", "split_documents")

_ALL = {
    "line": Format("rows", "read_line", "write_line", "split_lines"),
    "rows": _ROWS,
    "pretty": _ROWS._replace(write="write_pretty"),
    "ss": _ROWS._replace(write="write_ss"),
    "sdk": _ROWS._replace(write="write_sdk"),
    "facts": Format("facts", "read_facts", "write_facts", "split_facts"),
    "answer": Format("facts", "read_answer", "write_answer", "split_answers"),
    "clingo": Format("lists", "read_json", "write_clingo", "split_json"),
    "prolog": Format("lists", "read_prolog", "write_prolog", "split_prolog"),
    "json": Format("lists", "read_json", "write_json", "split_json"),
    "csv": Format("rows", "read_csv", "write_csv", "split_csv", keeps_boxes=True),
    "pencil": _ROWS._replace(module="pencil", read="read_pencil", write="write_pencil"),
    "hex": _ROWS._replace(read="read_hex", write="write_hex"),
    "dzn": Format("lists", "read_dzn", "write_dzn", "split_dzn"),
    "opensudoku": Format("xml", "read_opensudoku", "write_opensudoku", "split_opensudoku"),
    "fpuzzles": _LINK._replace(write="write_fpuzzles"),
    "fpuzzles-link": _LINK,
    "iss": Format("links", "read_iss", "", "split_strings"),
    "killer": Format("killers", "read_killer", "", "split_killers"),
    "jigsaw": Format("rows", "read_jigsaw", "", "split_lines"),
    "solo": Format("solo", "read_solo", "", "split_lines"),
    "scl": Format("links", "read_scl", "", "split_documents"),
}
"""By name. A text is recognized only by a module of `_DETECTING`."""
FORMATS = {name: form for name, form in _ALL.items() if form.write}
READ_ONLY = {name: form for name, form in _ALL.items() if not form.write}
"""The formats that are read, but not written."""
HOLD_RULES = ("json", "facts", "prolog", "fpuzzles", "fpuzzles-link")
"""The formats that can hold more than a grid, the one to recommend first."""

_ENDINGS = {
    **{"lp": "facts", "pl": "prolog", "json": "json", "jsonl": "json"},
    **{"csv": "csv", "tsv": "csv", "opensudoku": "opensudoku", "xml": "opensudoku"},
    **{"dzn": "dzn", "mzn": "dzn", "ksudoku": "opensudoku"},
    **dict.fromkeys(("sdm", "sdk", "sdx", "ss", "txt"), ""),
}
"""Endings of the names of puzzle files, each with the format of a file that shows none."""

_DETECTING = ("xml", "links", "killers", "solo", "pencil", "rows", "facts", "lists", "foreign")
"""The modules that recognize formats, in the order in which they are asked."""
_LONGEST_NAME = 4096


def names_file(text: str) -> bool:
    """True for a text that looks like the name of a file, such as ``puzzles.txt``."""
    if re.search(r"\n|^\s*https?:|^\s*[{[<]", text) or len(text) > _LONGEST_NAME:
        return False
    named = "/" in text or ("." in text and _ending(text) in _ENDINGS)
    return named and not _LINK.call("is_wrapped", text)


def _format(name: str, known: dict[str, Format]) -> Format:
    if name not in known:
        what = f"{name!r} is only read" if name in READ_ONLY else f"no format {name!r}"
        raise ValueError(f"{what}; choose one of {', '.join(known)}")
    return known[name]


def detect(text: str, box: Box | None = None, whole: bool = True, name: str = "") -> str:
    """The name of the format; `whole` is False for the first lines of a longer text.

    The content decides. If it does not, the ending of the file `name` does.
    """
    head = Head(text, box, whole)
    usual = _ENDINGS.get(_ending(name), "")
    if head.bare and not head.content and not usual:
        raise InvalidPuzzle("the text has only comments; expected a puzzle")
    modules = (import_module(f"{__name__}.{each}") for each in _DETECTING)
    # A file that begins with a plain line may go on with puzzles in any other format of one line.
    plain = bool(head.lines) and rows.plain_line(head.lines[0].strip(), box) is not None
    for form in chain.from_iterable(module.looks_like(head) for module in modules if not plain):
        return str(form)
    if usual and not rows.begin(head):
        return usual
    return "rows" if "\n" in text.strip("\n") else "line"


def _ending(name: str) -> str:
    """The ending of a file's name, without the one of gzip."""
    return name.lower().removesuffix(".gz").rpartition(".")[2]


def parse(
    text: str, format: str | None = None, box: Box | None = None, name: str = ""
) -> Grid | Puzzle:
    """The one puzzle that the text holds; see `Puzzle.parse`, and `detect` for `name`."""
    if not isinstance(text, str):
        raise TypeError(
            f"expected text (str), not {shown(text)}: from_json takes what to_json gives,"
            " Grid.from_rows takes rows, and read_puzzles takes files"
        )
    shape = None if box is None else checked_box(box)
    # Collections of lines are large, so they skip detection.
    if format is None and (grid := rows.plain_line(text, shape)) is not None:
        return grid
    text = cleaned(text)
    if text.strip("\n\t") in ("", " "):
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    try:
        format_name = format or detect(text, shape, name=name)
        form = _format(format_name, _ALL)
        if format_name in READ_ONLY or form.split == _LINK.split:
            text = without_comments(text)
        elif form.split == _ROWS.split:
            text = _only_block(text, shape)
        puzzle: Grid | Puzzle = form.call(form.read, text, shape)
        if puzzle.size < 3 and not (format or shape or states_boxes(text)):
            raise _too_small(puzzle.size)
        return puzzle
    except InvalidPuzzle as error:
        if format is None and names_file(text):
            raise InvalidPuzzle(
                f"{error}. Is this a file? read_puzzles({text!r}) reads it"
            ) from None
        if format is None and _holds_several(text, shape):
            raise InvalidPuzzle(
                "the text holds several puzzles; expected one (a file may hold several:"
                " read_puzzles reads it)"
            ) from None
        if isinstance(error, OpenShape) and error.size < 3 and form.keeps_boxes:
            raise _too_small(error.size) from None
        raise


def _only_block(text: str, box: Box | None) -> str:
    """The text of the only puzzle in rows, under its box shape; all of the text if there are more.

    The text around it, such as other sections of an .sdk file, is left out.
    """
    lines = text.split("\n")
    stated_box, above = stated_boxes(lines)
    pieces = list(islice(rows.split_blocks(lines, box or stated_box), 2))
    return above + pieces[0][1] if len(pieces) == 1 else text


def _too_small(size: int) -> InvalidPuzzle:
    return InvalidPuzzle(
        f"this would be a grid of {size}x{size}, which is seldom meant; expected 81 cells for 9x9"
        " (16 for 4x4, 256 for 16x16). If it is meant, give its box shape: box=(1, 1), --box 1x1"
    )


def _holds_several(text: str, box: Box | None) -> bool:
    """True if the text begins with a puzzle and continues after it."""
    try:
        (_, first), _ = islice(split(text, box), 2)
        parse(first, box=box)
    except ValueError:
        return False
    return True


def write(puzzle: Grid | Puzzle, format: str, removable: bool = False) -> str:
    """The puzzle as text in the format of this name; see `Grid.format` and `Puzzle.format`."""
    form = _format(format, FORMATS)
    if removable and format != "facts":
        raise ValueError(f"only facts can be removable; the format is {format!r}")
    try:
        if isinstance(puzzle, Puzzle) and format not in HOLD_RULES:
            puzzle = _grid_of(puzzle, f"{format!r} cannot hold")
        return str(form.call("write_removable" if removable else form.write, puzzle))
    except InvalidPuzzle as error:
        if puzzle.is_plain:
            raise
        raise InvalidPuzzle(f"{error}; {HOLD_RULES[0]!r} can") from None


def write_and_check(puzzle: Grid | Puzzle, format: str) -> tuple[str, bool]:
    """The puzzle as text in this format, and whether `parse` makes the same puzzle of the text.

    If the format leaves the box shape open, a comment states it. The title and the author of a
    puzzle are not compared. Raises the errors of `write`.
    """
    text = puzzle.format(format)
    rows, columns = puzzle.box
    with_shape = f"#C{rows}x{columns} boxes\n{text}"
    for each in (text, with_shape):
        with suppress(InvalidPuzzle):
            if as_puzzle(parse(each)) == as_puzzle(puzzle):
                return each, True
    return text, False


def as_grid(puzzle: object, box: Box | None = None) -> Grid:
    """A puzzle as users pass it, if its grid is all there is; InvalidPuzzle otherwise."""
    return _grid_of(
        as_puzzle(puzzle, box), "a grid alone cannot hold; expected a plain sudoku here"
    )


def _grid_of(puzzle: Grid | Puzzle, otherwise: str) -> Grid:
    if puzzle.is_plain:
        return puzzle.grid
    more = " and ".join(name for name in ("regions", "marks", "rules") if getattr(puzzle, name))
    raise InvalidPuzzle(f"this puzzle has {more}, which {otherwise}")


def as_puzzle(puzzle: object, box: Box | None = None) -> Grid | Puzzle:
    """A puzzle as users pass it: a Grid or Puzzle, text in any known format, rows, or its JSON.

    `box` is the box shape of text and rows that do not state it, if it fits their size.
    """
    if isinstance(puzzle, Grid | Puzzle):
        return puzzle.grid if puzzle.is_plain else puzzle
    if isinstance(puzzle, PathLike):
        raise InvalidPuzzle(
            f"the puzzle is {shown(puzzle)}, a path: read_puzzles({str(puzzle)!r}) yields the"
            " puzzles of a file"
        )
    if isinstance(puzzle, Instance):
        raise InvalidPuzzle(
            f"the puzzle is an instance of {puzzle.problem.name}; this question is about sudokus"
        )
    if _is_problem(puzzle):
        raise InvalidPuzzle(
            f"the puzzle is {shown(puzzle)}, and questions are about one of its instances: pass"
            f" {_instance_of(puzzle)}"
        )
    if isinstance(puzzle, bytes | bytearray):
        raise InvalidPuzzle(f"the puzzle is {shown(puzzle)}; decode it first, as text or numbers")
    if isinstance(puzzle, Mapping):
        return from_json(puzzle)
    read: Callable[..., Grid | Puzzle] = parse if isinstance(puzzle, str) else from_rows
    # An iterator can be read only once, and a text may state its boxes itself.
    if box and isinstance(puzzle, Sized) and not (read is parse and states_boxes(str(puzzle))):
        with suppress(InvalidPuzzle):
            return read(puzzle, box=box)
    return read(puzzle)


def from_json(value: object, box: Box | None = None) -> Grid | Puzzle:
    """The puzzle that a value of JSON holds; see `Puzzle.from_json`."""
    puzzle: Grid | Puzzle = _ALL["json"].call("puzzle_of", value, box)
    return puzzle


def _is_problem(value: object) -> bool:
    if isinstance(value, str | list | tuple):  # which needs no import
        return False
    from ..problem.folder import Problem

    return isinstance(value, Problem)


def _instance_of(problem: Any) -> str:
    """The code for an instance of the problem."""
    name = next(iter(problem.instances), "size(8).")
    return f"problem.instance({name!r})"


def many(puzzles: Any, where: str) -> Iterable[Any]:
    """Several puzzles, as they are; TypeError if they are one text, one grid or a path."""
    if isinstance(puzzles, PathLike):
        raise TypeError(f"{where} takes puzzles, not a path: pass read_puzzles({str(puzzles)!r})")
    if isinstance(puzzles, str | bytes | bytearray | Grid | Puzzle | Instance):
        raise TypeError(
            f"{where} takes several puzzles, not {shown(puzzles)}: pass a list of puzzles, or"
            " read_puzzles(path) for those of a file"
        )
    if _is_problem(getattr(puzzles, "problem", puzzles)):  # of its instances, names are iterated
        raise TypeError(
            f"{where} takes several puzzles, not {shown(puzzles)}: pass"
            " problem.instances.values() for the instances of a problem"
        )
    several: Iterable[Any] = puzzles
    return several


def split(
    text: str | Iterable[str],
    box: Box | None = None,
    format: str | None = None,
    name: str = "",
) -> Iterator[Piece]:
    """The text of each puzzle in a text of one or many, with the number of its first line.

    `text` may be the lines, such as an open file. Facts, JSON over several lines and what is not
    recognized by its first lines are read whole; all other formats are read one puzzle at a time.
    `format` is as for `parse`, and `name` as for `detect`.
    """
    lines = lines_of(StringIO(text, newline=None) if isinstance(text, str) else text)
    head: list[str] = []
    content: list[str] = []
    uncommented = Uncommented()
    whole = blank = True
    sure = False
    for line in lines:
        head.append(line)
        blank = blank and not line.strip()
        if uncommented(line).strip():
            content.append(line)
        # A full-length line identifies itself, so typed or piped puzzles are solved line by line.
        sure = bool(content) and (format is not None or rows.is_long_line(content[0], box))
        if len(content) == HEAD or sure:
            whole = False
            break
    if blank:
        raise InvalidPuzzle("the text is empty; expected a puzzle")
    stated_box, above = stated_boxes(head)
    if format is None:
        first = "\n".join(content[:1] if sure else head)
        format = detect(first, box, whole, name)
        if format == "rows" and not (whole or sure or rows.begin(Head(first, box, whole))):
            rest = list(lines)  # such as a program in which the puzzle is far below
            format, lines = detect("\n".join(head + rest), box, name=name), iter(rest)
        format = "rows" if format == "line" else format
    form = _format(format, _ALL)
    for number, piece in form.call(form.split, chain(head, lines), box or stated_box):
        yield number, above + piece if form.keeps_boxes else piece


def read_puzzles(
    source: str | PathLike[str] | Iterable[str],
    format: str | None = None,
    box: Box | None = None,
) -> Iterator[Grid | Puzzle]:
    """The puzzles of a file of one or many, each as soon as it is read.

    A puzzle with more than a grid is a `Puzzle`.

    Args:
        source: The path of a file, or lines of text such as an open file.
        format: The name of the format, to read no other.
        box: The box shape where the text does not show it (a 6x6 grid may have 2x3 or 3x2 boxes).

    Raises:
        InvalidPuzzle: At the first piece that is not a puzzle; the message has its line.

    >>> [str(grid) for grid in read_puzzles(["# two", "1..4.....3......", "4..1.....3......"])]
    ['1..4.....3......', '4..1.....3......']
    """
    if isinstance(source, bytes | bytearray) or not isinstance(source, str | PathLike | Iterable):
        raise TypeError(f"expected a path or lines of text, not {shown(source)}")
    if not isinstance(source, str | PathLike):
        yield from _read(source, "", format, box)
        return
    with ExitStack() as stack:
        try:
            lines = stack.enter_context(opened(source))
        except InvalidPuzzle:
            raise
        except ValueError as error:  # a name that no file can have
            raise InvalidPuzzle(f"{shown(source)} cannot be read: {error}") from None
        yield from _read(lines, str(source), format, box)


def _read(
    lines: Iterable[str], name: str, format: str | None, box: Box | None
) -> Iterator[Grid | Puzzle]:
    number = 0
    try:
        for number, text in split(lines, box, format, name):
            yield parse(text, format, box, name)
            number = 0
    except InvalidPuzzle as error:
        where = begin(name, number or 1) if number or error.line else name
        raise InvalidPuzzle(": ".join(filter(None, located(where, error)))) from None


class Begin(str):
    """The place where a puzzle begins, as messages name it: ``puzzles.txt, line 3``."""

    name: str
    """The source; empty if it has no name."""
    line: int


def begin(name: str, line: int) -> Begin:
    """The place of a puzzle that begins in this line of a source.

    >>> begin("standard input", 3)
    'standard input, line 3'
    """
    place = Begin(", ".join(filter(None, [name, f"line {line}"])))
    place.name, place.line = name, line
    return place


def located(where: str, error: LogicError) -> tuple[str, str]:
    """The place of an error in the puzzle there, and its words.

    A line of the puzzle's text is one of the source:

    >>> error = InvalidPuzzle("initial(1,1,x) is not a fact")
    >>> error.line = 2
    >>> located(begin("standard input", 3), error)
    ('standard input, line 4', 'initial(1,1,x) is not a fact')
    """
    if isinstance(where, Begin) and isinstance(error, InvalidPuzzle) and error.line is not None:
        return begin(where.name, where.line + error.line - 1), error.words
    return where, str(error)


def from_rows(rows: Iterable[Iterable[Any]], box: Box | None = None) -> Grid:
    """The grid of nested rows, or of a list of lines: see `Grid.from_rows`."""
    row_list = items(rows, "the puzzle", "rows")
    if row_list and all(isinstance(row, str) for row in row_list):
        return as_grid(parse("\n".join(row_list), "rows", box))
    cells = square(row_list, "the puzzle")
    n = len(cells)
    shape = square_box(n) if box is None else checked_box(box)
    if shape[0] * shape[1] != n:
        raise InvalidPuzzle(
            f"{shape[0]}x{shape[1]} boxes make a grid of {shape[0] * shape[1]} rows,"
            f" but this one has {n}"
        )
    return Grid(tuple(digits_of(cells)), shape)


def indented(grid: Grid, puzzle: Grid | Puzzle) -> str:
    """A full grid of the puzzle as indented text; boxes are drawn unless regions replace them."""
    text = grid.format("rows" if puzzle.layout.regions else "pretty")
    return "\n".join(f"  {line}" for line in text.splitlines())
