"""Pencil marks: rows whose cells hold all digits that a player has not yet excluded."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ..errors import InvalidPuzzle, shown
from ..grid import Grid, cells_of
from ._characters import symbols

__all__ = ["are_marks", "pencil_marks", "write_pencil"]


def are_marks(word: str, values: Mapping[str, int]) -> bool:
    """True for several different digits."""
    return len(word) > 1 and len(set(word)) == len(word) and all(map(values.get, word))


def pencil_marks(
    words: Sequence[str], values: Mapping[str, int], size: int, named: bool
) -> set[int]:
    """The places of the cells with several digits, if the words are pencil marks.

    They are if the format is `named` so. Otherwise there must be so many of them that they cannot
    be slips of the pen, and for grids over 9x9 letters among them: numbers look like marks there.
    """
    wide = {place for place, word in enumerate(words) if len(word) > 1}
    other = next((place for place in sorted(wide) if not are_marks(words[place], values)), None)
    if named:
        if other is not None:
            raise InvalidPuzzle(
                f"{shown(words[other])} at {cells_of(size)[other]} is neither a digit nor pencil"
                " marks"
            )
        return wide
    empty = sum(values.get(word) == 0 for word in words)
    letters = any(not words[place].isdecimal() for place in wide)
    sure = other is None and len(wide) >= size and len(wide) > empty and (size <= 9 or letters)
    return wide if sure else set()


def write_pencil(grid: Grid) -> str:
    """The digits that no house excludes, in columns within a frame, as HoDoKu and forums have it.

    A cell that no digit fits is a dot. What is read again has a given in each cell of one digit.
    """
    from ..draw import pencil_marks as free

    n, columns = grid.size, grid.box[1]
    known = symbols(n)
    marks = [
        "".join(known[digit - 1] for digit in sorted(cell)) for row in free(grid) for cell in row
    ]
    cells = [
        known[digit - 1] if digit else mark or "."
        for digit, mark in zip(grid.digits, marks, strict=True)
    ]
    widths = [max(map(len, cells[column::n])) for column in range(n)]
    starts = range(0, n, columns)
    rules = ["-" * (sum(widths[at : at + columns]) + 2 * columns) for at in starts]
    lines = [f".{'.'.join(rules)}."]
    for row in range(n):
        if row and row % grid.box[0] == 0:
            lines.append(f":{'+'.join(rules)}:")
        padded = [cells[row * n + column].ljust(widths[column]) for column in range(n)]
        parts = ["  ".join(padded[at : at + columns]) for at in starts]
        lines.append(f"| {' | '.join(parts)} |")
    return "\n".join([*lines, f"'{chr(39).join(rules)}'"])
