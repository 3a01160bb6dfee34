"""Text that gives the same puzzle again, even if its reader is told neither format nor boxes."""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import InvalidPuzzle
from ..grid import Grid
from ..puzzle import Puzzle
from . import as_puzzle, parse, write

__all__ = ["shared"]


def shared(puzzle: Grid | Puzzle, form: str) -> tuple[str, bool]:
    """The puzzle as text in this format, and whether `parse` makes the same puzzle of the text.

    If the format leaves the box shape open, or has to be named, a comment or an attribute says
    what is missing. The title and the author of a puzzle are not compared. Raises the errors of
    `write`.
    """
    text = write(puzzle, form)
    for clearer in (text, *_clearer(text, puzzle, form)):
        if _same(clearer, puzzle):
            return clearer, True
    return text, False


def _clearer(text: str, puzzle: Grid | Puzzle, form: str) -> Iterator[str]:
    """The text with a comment or an attribute that says how to read it, the shortest first."""
    rows, columns = puzzle.box
    if form == "prolog":
        yield f"{text}, {rows}-{columns}"
    elif form == "opensudoku":
        yield text.replace("<game ", f'<game box="{rows}x{columns}" ')
    else:
        boxes, named = f"#C{rows}x{columns} boxes\n", f"# format: {form}\n"
        yield boxes + text
        yield named + text
        yield named + boxes + text
        if form == "pencil" and isinstance(puzzle, Grid):
            left = f"# not given: {' '.join(_singles(puzzle))}\n"
            yield named + left + text
            yield named + boxes + left + text


def _singles(grid: Grid) -> Iterator[str]:
    """The names of the cells that look like givens among pencil marks, but are not."""
    from ..draw import pencil_marks

    marks = [cell for row in pencil_marks(grid) for cell in row]
    for cell, digit, left in zip(grid.cells, grid.digits, marks, strict=True):
        if not digit and len(left) == 1:
            yield str(cell)


def _same(text: str, puzzle: Grid | Puzzle) -> bool:
    try:
        return as_puzzle(parse(text)) == as_puzzle(puzzle)
    except InvalidPuzzle:
        return False
