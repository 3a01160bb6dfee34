"""The shared parts of text formats: lines, comments, and the symbols of digits."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack, contextmanager, suppress
from functools import cache, cached_property, partial
from io import BufferedReader, StringIO, TextIOBase, TextIOWrapper
from itertools import islice
from operator import index
from os import PathLike
from typing import Any

from ..errors import InvalidPuzzle, counted, shown
from ..puzzle.cells import MAX_SIZE, Box, checked_box

HEAD = 64
"""Lines, comments aside, from which the format of a longer text is detected."""
DEEPEST = 50
"""Lists in lists, rules in rules, operations in operations: deeper ones are refused."""
_CHUNK = 1 << 20
"""Characters of a line that are read at a time."""

# In the readers patterns are texts: `re` compiles one when it is first used, and few ever are.
_FENCE = r"(?im)^(?:`{3,}[ \t]*\w*|\[/?(?:code|pre|tt|quote)\])[ \t]*$"
"""A line that begins or ends a block of code in Markdown or in a forum."""
_FENCES = ("`", "[")

CODE = r'(?s)"(?:\\.|[^"\\\n])*"?|%\*.*?(?:\*%|\Z)|%[^\n]*'
"""A string or a comment of clingo; one left open ends with its line or with the text.

(It has to match: a search that fails at every quote takes time quadratic in the length.)
"""
MARKED = r"\d!?\[[\d.]*\]"
"""A cell with its marks, as some programs have it: ``9[2.3]``."""
PROLOG = r"""0'\\?.|'(?:[^'\\]|\\.)*'?|"(?:[^"\\]|\\.)*"?|(?P<block>/\*)|(?P<line>%)"""
"""A quoted text in a line of Prolog, or where a comment begins."""
_ANY = (
    r'"(?:[^"\\]|\\.)*"?'
    r"|(?P<line>^\s*(?:%(?!\*(?!\*))|#(?!(?:const|show|program|defined|include|external|script)\b)))"
    r"|(?P<block>%\*(?!\*)|/\*)|%.*"
)
"""The same in any format. A % behind a puzzle may be part of its name, and %*** is a line."""

BOXES = r"(?m)^#C\s*(\d{1,2})x(\d{1,2}) boxes"
"""A comment with the box shape of the puzzles below it."""

_STATED = (
    rf'{BOXES}|"(?:box|size|regions|Call)"|\b(?:box_(?:rows|columns)|dim|subgrid_size|S)\b|\]\s*,'
    r"\s*(?:\d|regions)|Shape~|box="
)
"""A box shape, in any format."""


@contextmanager
def in_line(number: int) -> Iterator[None]:
    """Let an `InvalidPuzzle` that is raised within name this line of the text."""
    try:
        yield
    except InvalidPuzzle as error:
        error.line = number
        raise


def stated_boxes(lines: Iterable[str]) -> tuple[Box | None, str]:
    """The box shape that comments at the top of a text state, and the last such comment."""
    result: tuple[Box | None, str] = None, ""
    for line in lines:
        if line.lstrip()[:1] not in ("", "#", "%"):
            break
        if shape := re.match(BOXES, line):
            result = checked_box(map(int, shape.groups())), f"{line}\n"
    return result


def states_boxes(text: str) -> bool:
    """True if the text itself states a box shape, in whatever format."""
    return re.search(_STATED, text) is not None


class Head:
    """A text, or the first lines of a longer one, for the formats to recognize."""

    def __init__(self, text: str, box: Box | None, whole: bool) -> None:
        self.text = text
        self.box = box
        self.whole = whole
        """False for the first lines of a longer text."""
        self.bare = text.strip()
        self.content = without_comments(text).strip()

    @cached_property
    def lines(self) -> list[str]:
        """The first lines of the content, without the blank ones."""
        lines = (line for line in StringIO(self.content, newline=None) if line.strip())
        return [line.rstrip("\n") for line in islice(lines, HEAD)]

    @cached_property
    def code(self) -> str:
        """The text without clingo's strings and comments."""
        return re.sub(CODE, " ", self.text)


class Uncommented:
    """Lines without comments, one after another: a comment in a block may go on in the next."""

    def __init__(self, parts: str = _ANY) -> None:
        self._parts = parts
        self._end = ""
        """The text that ends the block of the next line."""

    def __call__(self, line: str) -> str:
        if not (self._end or "%" in line or "#" in line or "/*" in line):
            return line
        rest, at = "", 0
        while True:
            if self._end:
                at = line.find(self._end, at) + 2
                if at < 2:
                    return rest
            parts = re.compile(self._parts).finditer(line, at)
            begin = next((part for part in parts if part.lastgroup), None)
            rest += line[at : begin and begin.start()]
            self._end = ""
            if begin is None or begin.lastgroup == "line":
                return rest
            self._end, at = begin[0][::-1], begin.end()


def without_comments(text: str, parts: str = _ANY) -> str:
    """The text without lines and blocks that are comments; its line numbers stay the same."""
    return "\n".join(map(Uncommented(parts), text.split("\n")))


def is_content(line: str) -> bool:
    """True unless the line is blank or a comment of its own, in a format without directives."""
    return line.strip()[:1] not in ("", "#", "%")


_INVISIBLE = dict.fromkeys(
    [0xAD, 0x180E, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x2065), 0xFEFF]
)
"""Characters that take no place: zero-width blanks and joiners, soft hyphens, marks of order."""
_NOTHING = "".join(map(chr, _INVISIBLE))
_ODD = re.compile("[\x0b\x0c\x1a\x1c-\x1e\x85\u2028\u2029" + _NOTHING + "]")
"""A character that takes no place, or that ends a line or a text somewhere."""
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
"""The marks before each line of a text that a mail or a forum quotes, and Python's prompt."""


GZIP = b"\x1f\x8b"
"""The first bytes of what gzip has compressed."""


@contextmanager
def opened(path: str | PathLike[str]) -> Iterator[TextIOBase]:
    """The lines of a file in UTF-8, which gzip may have compressed."""
    with open(path, "rb") as raw, unpacked(raw) as lines:
        yield lines


@contextmanager
def unpacked(raw: BufferedReader) -> Iterator[TextIOBase]:
    """The lines of an open file in UTF-8, which gzip may have compressed."""
    with ExitStack() as stack:
        if raw.peek(2)[:2] != GZIP:
            yield stack.enter_context(TextIOWrapper(raw, encoding="utf-8"))
            return
        import gzip
        import zlib

        lines = stack.enter_context(gzip.open(raw, "rt", encoding="utf-8"))
        try:
            yield lines
        except (gzip.BadGzipFile, EOFError, zlib.error) as error:
            raise InvalidPuzzle(f"this file is compressed by gzip, and damaged: {error}") from None


def cleaned(text: str) -> str:
    """The text as lines that end alike, without what `lines_of` removes."""
    if text.isascii() and not _UNCLEAN.search(text):
        return text
    return "\n".join(lines_of(StringIO(text, newline=None)))


def lines_of(lines: Iterable[str]) -> Iterator[str]:
    """The lines of a text without their ends, and without anything that is not part of a puzzle.

    That is a byte order mark, characters that take no place, Ctrl-Z at the end, code fences, ``>``
    before quoted lines, and what Markdown has around a link. Raises InvalidPuzzle if a line holds
    NUL characters or the text is not UTF-8; TypeError for lines that are not text.
    """
    blank, quoted = True, False
    for line in _visible(lines):
        if "://" in line and (link := re.fullmatch(_MARKED_LINK, line)):
            line = link[1]
        if blank and line.strip():
            blank, quoted = False, _is_quoted(line)
        if quoted:
            line = _QUOTED.sub("", line, count=1).strip(_NOTHING)
        yield "" if line.startswith(_FENCES) and re.fullmatch(_FENCE, line) else line


_BINARY = {
    b"PK\3\4": "an archive (zip, .xlsx, .ods), which is not read: save the sheet as .csv",
    b"\x89PNG": "a picture (PNG), which is not read: type its cells as a line",
    b"\xff\xd8\xff": "a picture (JPEG), which is not read: type its cells as a line",
    b"BZh": "compressed by bzip2, which is not read: unpack it",
    b"\xfd7zXZ": "compressed by xz, which is not read: unpack it",
    b"%PDF-": "a PDF, which is not read: copy the cells as text",
}
"""The first bytes of files that are not text, and their kinds."""


def _visible(lines: Iterable[str]) -> Iterator[str]:
    """The lines without their ends and the characters that take no place."""
    blank = True
    numbered = enumerate(_long_lines(lines) if isinstance(lines, TextIOBase) else lines, 1)
    try:
        for number, line in numbered:
            if not isinstance(line, str):
                raise TypeError(f"line {number} is {shown(line)}; expected text (str)")
            line = line.rstrip("\r\n\x1a").strip(_NOTHING)
            if blank:  # text in another encoding has them from its first line on
                _refuse_nul(line, number)
                blank = not line.strip()
            if _ODD.search(line) and '"' not in line:  # a title in quotes may hold any character
                yield from line.translate(_INVISIBLE).splitlines() or [""]
            else:
                yield line
    except UnicodeDecodeError as error:
        mark = bytes(error.object[:2]) in (b"\xff\xfe", b"\xfe\xff")
        problem = "UTF-16" if mark else f"byte 0x{error.object[error.start]:02x} is not UTF-8"
        for magic, kind in _BINARY.items():
            if bytes(error.object).startswith(magic):
                raise InvalidPuzzle(f"this is {kind}") from None
        raise InvalidPuzzle(f"this is not text in UTF-8 ({problem}): save it as UTF-8") from None


_MARKED_LINK = r"\s*(?:[-*]\s+)?(?:\[[^\[\]]*\]\(\s*<?|<)(https?://[^\s<>]+?)>?\s*\)?[.,;]?\s*"
"""A link in Markdown, or in angle brackets, alone in its line."""
_UNCLEAN = re.compile(
    r"[^ -~\t\n]|\A\s*>|`{3}|^\[[/a-z]|[(<]https?://", re.MULTILINE | re.IGNORECASE
)
"""Anything in ASCII that `lines_of` may remove."""


def _is_quoted(line: str) -> bool:
    """True for a line behind ``>``, unless it is a killer, whose first arrow looks the same."""
    return bool(_QUOTED.match(line)) and len(line.split(maxsplit=1)[0]) != 81


def _long_lines(file: TextIOBase) -> Iterator[str]:
    """The lines of a file. A device such as /dev/zero, whose line never ends, is noticed."""
    for number, line in enumerate(iter(partial(file.readline, _CHUNK), ""), 1):
        if len(line) < _CHUNK or line[-1] == "\n":
            yield line
            continue
        chunks = [line]
        while chunks[-1][-1:] not in ("\n", ""):
            _refuse_nul(chunks[-1], number)
            chunks.append(file.readline(_CHUNK))
        yield "".join(chunks)


def _refuse_nul(line: str, number: int) -> None:
    if "\0" in line:
        raise InvalidPuzzle(
            f"line {number} holds NUL characters, as text in UTF-16 does: save it as UTF-8"
        )


# --- characters, words and Python values for digits and empty cells ----------------------

EMPTY = ".0_*xX- "

# Full-width characters become plain ones; every blank except a line end becomes a plain blank.
_PLAIN = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN |= dict.fromkeys([0xA0, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000], 0x20)


def plain(text: str) -> str:
    """The text with full-width characters and unusual blanks as ASCII; its length is the same."""
    return text if text.isascii() else text.translate(_PLAIN)


@cache
def symbols(size: int, digits: bool = False) -> str:
    """The characters of the digits 1..n in a line: 1-9, then A-Z, then @; for n = 25, A-Y.

    25x25 collections write A-Y; with `digits` the answer for 25 is 1-9A-P as for other sizes.
    """
    if size == 25 and not digits:
        return "ABCDEFGHIJKLMNOPQRSTUVWXY"
    return "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"[:size]


@cache
def known_values(size: int, digits: bool = False, zero: bool = False) -> dict[str, int]:
    """The value of each character and number in a grid of this size; `zero` makes 0 a digit."""
    known = f"0{symbols(size, True)[:-1]}" if zero else symbols(size, digits)
    values = dict.fromkeys(EMPTY, 0)
    for number in range(size if zero else size + 1):
        values |= dict.fromkeys((str(number), f"{number:02}"), number + zero)
    values |= {symbol.lower(): digit for digit, symbol in enumerate(known, 1)}
    values |= {symbol: digit for digit, symbol in enumerate(known, 1)}
    return values


def values_for(cells: Sequence[str], size: int) -> dict[str, int]:
    """The meaning of the characters or words that are the cells of a grid, row by row.

    25x25 grids may use either of two alphabets. In grids over 9x9 a 0 may be an empty cell or, as
    in 0-F, the first digit; InvalidPuzzle if it is not certain which.
    """
    if size <= 9:
        return known_values(size)
    digits = size == 25 and any("1" <= cell <= "99" for cell in cells)
    if letters := _letters(cells, size, digits):
        return letters
    if "0" in cells and (size != 25 or digits):
        values = known_values(size, True, True)
        meanings = [values.get(cell) for cell in cells]
        # A symbol beyond the last one of 0-F, such as G, shows that 0 is an empty cell.
        if None not in meanings and _is_digit(meanings, size):
            return values
    return known_values(size, digits)


def _letters(cells: Sequence[str], size: int, digits: bool) -> dict[str, int] | None:
    """The meaning of letters that begin at A, or with x for empty cells; None for the usual one.

    16x16 grids of forums may have A to P. In 25x25 grids from A to Y in capitals, x is empty.
    """
    used = {cell for cell in cells if cell not in EMPTY}
    if size == 25:
        small = {cell for cell in cells if cell.islower()}
        capitals = any(cell.isupper() for cell in cells)
        return known_values(size) | {"x": 0} if small == {"x"} and capitals and not digits else None
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[:size]
    beyond = {each.upper() for each in used} - {*symbols(size)}
    if size > len(letters) or not beyond or not {each.upper() for each in used} <= {*letters}:
        return None
    known = dict.fromkeys(EMPTY, 0) if size < 24 else dict.fromkeys(".0_*- ", 0)
    return (
        known
        | {each: at for at, each in enumerate(letters, 1)}
        | {each.lower(): at for at, each in enumerate(letters, 1)}
    )


def _is_digit(meanings: Sequence[int | None], size: int) -> bool:
    """True if the first digit is meant, not an empty cell: no row or column holds it twice.

    If there is no other mark for empty cells, every row and column must hold it once.
    """
    offsets = [offset for offset, digit in enumerate(meanings) if digit == 1]
    rows, columns = {offset // size for offset in offsets}, {offset % size for offset in offsets}
    once = len(rows) == len(columns) == len(offsets)
    if 0 in meanings and not once:
        raise InvalidPuzzle(
            "0 and another mark for empty cells are both here, and 0 may be a digit:"
            f" write all empty cells alike, and the digits as {expected(size)}"
        )
    return once and (0 in meanings or len(offsets) == size)


def bad_symbol(symbol: str, size: int) -> str:
    """The reason why a symbol is not a digit of this size."""
    over = is_number(symbol)
    return f"{symbol} is over {size}" if over else f"unknown character {shown(symbol)}"


def is_number(word: str) -> bool:
    """True for ASCII digits, at most four."""
    return word.isdecimal() and word.isascii() and len(word) < 5


def whole(value: object, what: str) -> int:
    """A whole number that may be text; InvalidPuzzle if it is something else."""
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value, re.ASCII):
        return int(value)
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    raise InvalidPuzzle(f"{what} is {shown(value)}; expected a whole number")


def expected(size: int, numbers: bool = False) -> str:
    """The symbols that a grid of this size may have, in words; perhaps also as numbers."""
    known = symbols(size)
    digits = f"{known[0]} to {known[-1]}"
    if size == 25:
        digits = "A to Y alone, or 1 to 9 with A to P"
    if numbers and size > 9:
        digits = f"1 to {size}, {digits}"
    return f"{digits}, or one of {EMPTY.strip()} for an empty cell"


def items(value: Any, what: str, parts: str) -> list[Any]:
    """The items of a sequence, one more than a grid has at most; InvalidPuzzle if it has none."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()  # the iterator of a data frame gives its column names
    if not isinstance(value, str | bytes | bytearray | Mapping | Set):
        with suppress(TypeError, RecursionError):
            return list(islice(value, MAX_SIZE + 1))
    raise InvalidPuzzle(f"{what} is {shown(value)}; expected a list of {parts}, in their order")


def square(value: Any, what: str) -> list[list[Any]]:
    """The rows of cells of a square; InvalidPuzzle if it is something else."""
    numbered = enumerate(items(value, what, "rows"), 1)
    rows = [items(row, f"row {number}", "cells") for number, row in numbered]
    check_lengths([len(row) for row in rows])
    return rows


def check_lengths(lengths: Sequence[int]) -> None:
    """InvalidPuzzle unless the number of rows is the number of cells in each row."""
    n = len(lengths)
    if not 1 <= n <= MAX_SIZE:
        number = n if n < 1 else f"more than {MAX_SIZE}"
        raise InvalidPuzzle(f"there are {number} rows; expected 1 to {MAX_SIZE}")
    for number, length in enumerate(lengths, 1):
        if length != n:
            cells = f"more than {MAX_SIZE} cells" if length > MAX_SIZE else counted(length, "cell")
            raise InvalidPuzzle(
                f"row {number} has {cells}, but the grid has {counted(n, 'row')};"
                " expected as many cells as rows"
            )


def digits_of(rows: Sequence[Sequence[Any]]) -> list[int]:
    """The digit of every cell of a square, row by row; 0 if it is empty."""
    n = len(rows)
    words = [_word(value) for row in rows for value in row]
    texts = [word if isinstance(word, str) else "." for word in words]
    known = values_for(texts, n) if any(isinstance(word, str) for word in words) else {}
    digits: list[int] = []
    for offset, word in enumerate(words):
        digit = known.get(word) if isinstance(word, str) else word
        if digit is None or not 0 <= digit <= n:
            row, column = divmod(offset, n)
            value = rows[row][column]
            over = digit is not None or (isinstance(word, str) and is_number(word))
            wanted = f"1 to {n}, or 0" if over else "a whole number, or 0"
            raise InvalidPuzzle(
                f"r{row + 1}c{column + 1} holds {shown(value)}; expected {wanted} for"
                f" {'empty' if over else 'an empty cell'}"
            )
        digits.append(digit)
    return digits


def _word(value: Any) -> int | str | None:
    """The cell as a number, or as text without blanks around; None if it is neither."""
    if isinstance(value, str):
        return str(value).strip() or "."
    if value is None:
        return 0
    if isinstance(value, bool):
        return None
    try:
        return index(value)
    except TypeError:
        pass
    if type(value).__name__ == "NAType":  # pandas.NA
        return 0
    # A data frame or array with NaN for empty cells has floats for whole numbers.
    if not hasattr(value, "is_integer"):
        return None
    if value != value:
        return 0
    return int(value) if value.is_integer() else None
