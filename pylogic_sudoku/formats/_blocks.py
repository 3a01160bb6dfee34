"""Many puzzles in one text, as lines or as blocks of rows, separated while they are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from ..errors import InvalidPuzzle
from ..grid import MAX_SIZE, Box
from ._cells import values_for
from ._lines import fits, is_wrapped, line_cells, open_shape
from ._rows import SECTION, is_rule, is_title

__all__ = ["is_long_line", "split_blocks"]

_LARGEST = 2 * MAX_SIZE + 1
"""Lines of a grid with a rule around each row: a longer block is a collection of lines."""


def split_blocks(lines: Iterable[str], box: Box | None) -> Iterator[tuple[int, str]]:
    """Each puzzle of lines and rows, separated by blank lines, comments and titles.

    Within a block, at most the rows of one grid are kept.
    """
    block: list[str] = []
    in_lines = found = other_section = False
    number = 0
    for number, line in enumerate(lines, 1):
        if not in_lines and _is_blank_row(line) and (not block or "\t" in block[-1]):
            block.append(line)
        elif _separates(line, box):
            yield from _pieces(block, number, box)
            found = found or bool(block)
            block, in_lines = [], False
            if section := re.fullmatch(SECTION, line):
                other_section = section[1].lower() != "puzzle"
        elif other_section:
            continue
        elif in_lines:
            yield number, line
        else:
            block.append(line)
            if is_long_line(line, box) or len(block) > _LARGEST:
                yield from _each(block, number + 1)
                block, in_lines, found = [], True, True
    yield from _pieces(block, number + 1, box)
    if not (found or block):
        raise InvalidPuzzle("the text has only comments; expected a puzzle")


def _is_blank_row(line: str) -> bool:
    """True for tabs alone, which may be a row of empty cells of a spreadsheet."""
    return "\t" in line and line.isspace()


def _each(block: list[str], end: int) -> Iterator[tuple[int, str]]:
    numbered = enumerate(block, end - len(block))
    return ((number, line) for number, line in numbered if not _is_blank_row(line))


def _separates(line: str, box: Box | None) -> bool:
    if len(line) > MAX_SIZE and "%" < line[0] < "\x80" and line[-1] > " ":
        return False  # the same as below, but faster, for most lines of collections
    bare = line.strip()
    if not bare:
        # A line of blanks that is long enough is an empty puzzle, not a separator.
        return not (len(line) > MAX_SIZE and fits(len(line), box))
    if len(bare) > MAX_SIZE and bare[0] not in "#%":
        return False
    return bare[0] in "#%" or re.fullmatch(SECTION, line) is not None or is_title(line)


def _pieces(block: list[str], end: int, box: Box | None) -> Iterator[tuple[int, str]]:
    """The puzzles of a whole block: its lines, if any of them is a puzzle, or all as one."""
    if all(line.isspace() for line in block) or _is_underline(block):
        return
    rows = sum(not is_rule(line) for line in block)
    if any(_is_line(line, rows or len(block), box) for line in block):
        yield from _each(block, end)
    elif block:
        yield end - len(block), "\n".join(block)


def _is_underline(block: list[str]) -> bool:
    """True for a single rule, such as those around the title that py-sudoku prints."""
    return len(block) == 1 and len(block[0]) > 9 and not block[0].strip("-")


def is_long_line(line: str, box: Box | None) -> bool:
    """True for a link, and for a line too long for a row that has the length of a puzzle."""
    if is_wrapped(line):
        return True
    word = line.split(maxsplit=1)[0] if " " in line or "\t" in line else line
    size = len(word)
    if size <= MAX_SIZE or "|" in word or not (fits(size, box) or open_shape(word, box)):
        return False
    return not _is_frame(word)


def _is_frame(line: str) -> bool:
    """True for a rule with corners, such as ``*-----*``, which may be as long as a puzzle."""
    bare = line.strip()
    return bare[:1] not in ("", "-") and is_rule(bare)


def _is_line(line: str, rows: int, box: Box | None) -> bool:
    """True if the line alone is a puzzle, not a rule or one of `rows` rows of a grid."""
    words = line.split()
    apart = len(words) == rows > 1 and max(map(len, words)) < 3
    if "|" in line or (apart and box is None) or _is_frame(line):
        return False
    cells = line_cells(line, box)
    if cells is None:
        size = open_shape(line, box)
        return size > 0 and size * size != rows and set(words[0]) <= set(values_for("", size))
    if len(cells) > MAX_SIZE:
        return True
    a_row = len(cells) == rows and box is None
    return not a_row and len(cells) > 1 and not is_rule(line) and words[0] == cells
