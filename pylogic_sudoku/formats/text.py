"""What all formats share: the lines of a text, its comments, and the symbols of digits."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from functools import cache, cached_property, partial
from io import StringIO, TextIOBase
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
_DIRECTIVE = r"#(?:const|show|program|defined|include|external|script)\b"
_STRING = r'(?ms)(?P<string>"(?:\\.|[^"\\\n])*"?)'
_BLOCK = r"(?P<block>%\*.*?(?:\*%|\Z)|/\*.*?(?:\*/|\Z))"
_HASH = rf"#(?!{_DIRECTIVE[1:]})"
_COMMENT = rf"{_STRING}|{_BLOCK}|(?P<line>^[ \t]*(?:%(?!\*)|{_HASH})[^\n]*)|%[^\n]*"
"""A block comment of clingo or Prolog, or a line that is a comment in any format. What
only looks like one, in a string or behind a %, matches as well, so that it is passed over."""

BOXES = r"(?m)^#C\s*(\d{1,2})x(\d{1,2}) boxes"
"""A comment with the box shape of the puzzles below it."""


def stated_boxes(lines: Iterable[str]) -> tuple[Box | None, str]:
    """The box shape that comments at the top of a text state, and the last such comment."""
    found: tuple[Box | None, str] = None, ""
    for line in lines:
        if line.lstrip()[:1] not in ("", "#", "%"):
            break
        if shape := re.match(BOXES, line):
            found = checked_box(map(int, shape.groups())), f"{line}\n"
    return found


class Head:
    """A text, or the first lines of a longer one, for the formats to recognize."""

    def __init__(self, text: str, box: Box | None, whole: bool) -> None:
        self.text = text
        self.box = box
        self.whole = whole
        """False for the first lines of a longer text."""
        self.bare = text.strip()
        self.content = without_comments(text).strip()
        """The text without lines and blocks that are comments."""

    @cached_property
    def lines(self) -> list[str]:
        """The first lines of the content, without the blank ones."""
        lines = (line for line in StringIO(self.content, newline=None) if line.strip())
        return [line.rstrip("\n") for line in islice(lines, HEAD)]

    @cached_property
    def code(self) -> str:
        """The text without clingo's strings and comments."""
        return re.sub(CODE, " ", self.text)


def without_comments(text: str) -> str:
    """The text without lines and blocks that are comments; its line numbers stay the same."""
    return re.sub(_COMMENT, _keep, text) if _has_mark(text) else text


def strip_comments(text: str, comments: str) -> str:
    """The text without the parts that match, unless they are quoted; its line numbers stay."""
    return re.sub(comments, lambda part: part[0] if part[0][0] in "'\"" else _ends(part[0]), text)


def _ends(text: str) -> str:
    """The ends of its lines."""
    return "\n" * text.count("\n")


def _has_mark(text: str) -> bool:
    return "%" in text or "#" in text or "/*" in text


def _keep(part: re.Match[str]) -> str:
    if part.lastgroup == "block" and not _is_closed(part[0]):
        # %***** without an end is a line of Prolog, and so is any further one.
        lines = rf"{_STRING}|(?P<line>^[ \t]*(?:%|{_HASH})[^\n]*)|%[^\n]*"
        return re.sub(lines, _keep, part[0]) if part[0][0] == "%" else part[0]
    return _ends(part[0]) if part.lastgroup in ("block", "line") else part[0]


def _is_closed(block: str) -> bool:
    return len(block) > 3 and block.endswith(("*%", "*/"))


class Content:
    """Whether lines that come one after another are content: not blank, and not comments."""

    def __init__(self) -> None:
        self._block = ""
        """How the block comment began in which the next line stands."""

    def __call__(self, line: str) -> bool:
        if not self._block and not _has_mark(line):
            return bool(line.strip())
        text = self._block + line
        if self._block and self._block[::-1] not in line:
            return False
        *_, last = None, *re.finditer(_COMMENT, text)
        self._block = ""
        if last and last.lastgroup == "block" and not _is_closed(last[0]):
            self._block = last[0][:2]
            text = text[: last.start()]
        return bool(without_comments(text).strip())


def is_content(line: str) -> bool:
    """True unless the line is blank or a comment of its own, in a format without directives."""
    return line.strip()[:1] not in ("", "#", "%")


def bare(text: str) -> str:
    """The text without a byte order mark and code fences."""
    text = text.removeprefix("\ufeff")
    return re.sub(_FENCE, "", text) if "[" in text or "`" in text else text


class Lines:
    """The lines of a text without their ends and without the parts that `bare` removes.

    Raises InvalidPuzzle if a line holds NUL characters or the text is not UTF-8; TypeError for
    lines that are not text.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        blank = True
        for number, line in enumerate(self._raw(), 1):
            if not isinstance(line, str):
                raise TypeError(f"line {number} is {shown(line)}; expected text (str)")
            line = line.rstrip("\r\n")
            if blank:  # text in another encoding has them from its first line on
                line = line.removeprefix("\ufeff") if number == 1 else line
                _refuse_nul(line, number)
                blank = not line.strip()
            yield "" if line.startswith(_FENCES) and re.fullmatch(_FENCE, line) else line

    def _raw(self) -> Iterator[str]:
        lines = self._lines
        try:
            if isinstance(lines, TextIOBase):
                yield from _long_lines(lines)
            else:
                yield from lines
        except UnicodeDecodeError as error:
            mark = bytes(error.object[:2]) in (b"\xff\xfe", b"\xfe\xff")
            found = "UTF-16" if mark else f"byte 0x{error.object[error.start]:02x} is not UTF-8"
            raise InvalidPuzzle(f"this is not text in UTF-8 ({found}): save it as UTF-8") from None


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
    """What each character and each number means in a grid of this size; `zero` makes 0 a digit."""
    known = f"0{symbols(size, True)[:-1]}" if zero else symbols(size, digits)
    values = dict.fromkeys(EMPTY, 0)
    for number in range(size if zero else size + 1):
        values |= dict.fromkeys((str(number), f"{number:02}"), number + zero)
    values |= {symbol.lower(): digit for digit, symbol in enumerate(known, 1) if symbol != "X"}
    values |= {symbol: digit for digit, symbol in enumerate(known, 1)}
    return values


def values_for(cells: Sequence[str], size: int) -> dict[str, int]:
    """The meaning of the characters or words that are the cells of a grid, row by row.

    25x25 grids may use either of two alphabets. In grids over 9x9 a 0 may be an empty cell or, as
    in 0-F, the first digit; so may an x be in an alphabet of small letters. InvalidPuzzle if it
    is not certain which.
    """
    if size <= 9:
        return known_values(size)
    digits = size == 25 and any("1" <= cell <= "99" for cell in cells)
    if "0" in cells and (size != 25 or digits) and _begins_with_zero(cells, size):
        return known_values(size, True, True)
    values = known_values(size, digits)
    if "x" in cells and values["X"] and _has_small_x(cells, values):
        values = values | {"x": values["X"]}
    return values


def _begins_with_zero(cells: Sequence[str], size: int) -> bool:
    values = known_values(size, True, True)
    found = [values.get(cell) for cell in cells]
    last = symbols(size, True)[-1]
    # A symbol beyond the last one of 0-F, such as G, shows that 0 is an empty cell.
    return None not in found and _is_digit(
        cells,
        "0",
        found.count(0) > 0,
        f"0 and another mark for empty cells are both here, and no {last}: write the digits as 1 to"
        f" {last} if 0 is one, or else all empty cells alike",
    )


def _has_small_x(cells: Sequence[str], values: dict[str, int]) -> bool:
    others = set(cells) - {"x"}
    small = any("a" <= cell <= "z" for cell in others)
    return (
        small
        and others <= values.keys()
        and _is_digit(
            cells,
            "x",
            any(values.get(cell) == 0 for cell in others),
            "x and another mark for empty cells are both here: write X if it is a digit, or else"
            " all empty cells alike",
        )
    )


def _is_digit(cells: Sequence[str], mark: str, others: bool, unsure: str) -> bool:
    """True if the mark is a digit, not an empty cell: no row or column holds it twice.

    If there are no `others` for empty cells, every row and column must hold it once.
    """
    size = round(len(cells) ** 0.5)
    offsets = [offset for offset, cell in enumerate(cells) if cell == mark]
    rows, columns = {offset // size for offset in offsets}, {offset % size for offset in offsets}
    once = len(rows) == len(columns) == len(offsets)
    if others and not once:
        raise InvalidPuzzle(unsure)
    return once and (others or len(offsets) == size)


def bad_symbol(symbol: str, size: int) -> str:
    """Why a symbol is not a digit of this size."""
    over = is_number(symbol)
    return f"{symbol} is over {size}" if over else f"unknown character {shown(symbol)}"


def is_number(word: str) -> bool:
    """True for ASCII digits, at most four."""
    return word.isdecimal() and word.isascii() and len(word) < 5


def expected(size: int, numbers: bool = False) -> str:
    """The symbols that a grid of this size may have, in words; perhaps also as numbers."""
    known = symbols(size)
    digits = f"{known[0]} to {known[-1]}"
    if size == 25:
        digits = "A to Y alone, or 1 to 9 with A to P"
    if numbers and size > 9:
        digits = f"1 to {size}, {digits}"
    return f"{digits}, or one of {EMPTY.strip()} for an empty cell"


def numbers_of(
    rows: Iterable[Iterable[str]], is_empty: Callable[[str], object]
) -> list[list[int | None]]:
    """Rows of numbers as ints, None for an empty cell; InvalidPuzzle for any other word."""
    found: list[list[int | None]] = []
    for row, words in enumerate(rows, 1):
        found.append([])
        for column, word in enumerate(words, 1):
            if not is_number(word) and not is_empty(word):
                raise InvalidPuzzle(
                    f"r{row}c{column} holds {shown(word)}; expected a whole number, or an empty"
                    " cell"
                )
            found[-1].append(int(word) if is_number(word) else None)
    return found


def items(value: Any, what: str, parts: str) -> list[Any]:
    """The items of a sequence, one more than a grid has at most; InvalidPuzzle if it has none."""
    if hasattr(value, "to_numpy"):
        value = value.to_numpy()  # the iterator of a data frame gives its column names
    if isinstance(value, PathLike):
        raise InvalidPuzzle(f"{what} is the path {value!r}; read_puzzles reads a file")
    if not isinstance(value, str | bytes | bytearray | Mapping | Set):
        try:
            return list(islice(value, MAX_SIZE + 1))
        except (TypeError, RecursionError):
            pass
    elif isinstance(value, Mapping | Set):
        raise InvalidPuzzle(f"{what} is {shown(value)}; expected a list, which has an order")
    raise InvalidPuzzle(f"{what} is {shown(value)}; expected a list of {parts}")


def check_lengths(lengths: Sequence[int]) -> None:
    """InvalidPuzzle unless the number of rows is the number of cells in each row."""
    n = len(lengths)
    if n == 0:
        raise InvalidPuzzle("there are no rows: expected as many rows as columns")
    if n > MAX_SIZE:
        raise InvalidPuzzle(f"a grid has 1 to {MAX_SIZE} rows, this one has more")
    refuse_row_count(lengths)
    for number, length in enumerate(lengths, 1):
        if length != n:
            cells = f"more than {MAX_SIZE} cells" if length > MAX_SIZE else counted(length, "cell")
            there = f"there are {n} rows" if n > 1 else "there is 1 row"
            raise InvalidPuzzle(f"row {number} has {cells}, expected {n} as {there}")


def refuse_row_count(lengths: Sequence[int]) -> None:
    """InvalidPuzzle if all rows have the same number of cells, but there are more or fewer rows."""
    n, cells = len(lengths), lengths[0]
    if n > 1 and cells > 1 and cells != n and cells <= MAX_SIZE and len(set(lengths)) == 1:
        wrong = "missing" if n < cells else "too many"
        rows = "1 row is" if abs(cells - n) == 1 else f"{abs(cells - n)} rows are"
        raise InvalidPuzzle(f"there are {n} rows of {cells} cells: {rows} {wrong}")


def digits_of(rows: Sequence[Sequence[Any]]) -> list[int]:
    """The digit of every cell of a square, row by row; 0 if it is empty."""
    n = len(rows)
    words = [_word(value) for row in rows for value in row]
    texts = [word if isinstance(word, str) else "." for word in words]
    known = values_for(texts, n) if any(isinstance(word, str) for word in words) else {}
    found: list[int] = []
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
        found.append(digit)
    return found


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
