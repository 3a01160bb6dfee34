"""Text that gives the same puzzle again, even if its reader is not told the boxes."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Puzzle
from . import as_puzzle, parse, write

__all__ = ["shared"]


def shared(puzzle: Grid | Puzzle, form: str) -> tuple[str, bool]:
    """The puzzle as text in this format, and whether `parse` makes the same puzzle of the text.

    If the format leaves the box shape open, a comment or an attribute says it. A format that is
    never detected, `hex` or `pencil`, does not come back. The title and the author of a puzzle are
    not compared. Raises the errors of `write`.
    """
    text = write(puzzle, form)
    for clearer in (text, *_clearer(text, puzzle, form)):
        if _same(clearer, puzzle):
            return clearer, True
    return text, False


def _clearer(text: str, puzzle: Grid | Puzzle, form: str) -> Iterator[str]:
    """The text with the box shape: as a comment, an attribute or an argument."""
    rows, columns = puzzle.box
    if form == "prolog":
        yield f"{text}, {rows}-{columns}"
    elif form == "opensudoku":
        yield text.replace("<game ", f'<game box="{rows}x{columns}" ')
    else:
        yield f"#C{rows}x{columns} boxes\n{text}"


def _same(text: str, puzzle: Grid | Puzzle) -> bool:
    try:
        return as_puzzle(parse(text)) == as_puzzle(puzzle)
    except InvalidPuzzle:
        return False
