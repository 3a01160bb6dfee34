"""Game IDs of Solo, by Simon Tatham: ``3x3:9a1d5h...``, jigsaws and killers among them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..errors import InvalidPuzzle, counted
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import MAX_SIZE, Box, Cell, cells_of, checked_box, checked_regions, diagonals
from .rows import split_lines as split_lines
from .text import Head

if TYPE_CHECKING:
    from ..rules import Rule

_ID = re.compile(r"(\d{1,2})(?:x(\d{1,2}))?([a-z]\w*)?:([0-9a-z_]+)((?:,\w+)*)\s*")
"""The size, perhaps with the kind behind it, the cells, and what jigsaws and killers have more."""


def looks_like(head: Head) -> Iterator[str]:
    """Yield ``solo`` for a game ID."""
    if head.lines and _ID.fullmatch(head.lines[0].strip()):
        yield "solo"


def read_solo(text: str, box: Box | None) -> Grid | Puzzle:
    """The puzzle of a game ID: numbers, letters for runs of empty cells, ``_`` between numbers.

    In ``2x3`` boxes are 2 rows high and 3 columns wide. An ``x`` behind it is for both diagonals,
    ``k`` for cages, whose borders and sums follow the cells, and ``9j`` for regions, whose borders
    follow first.
    """
    match = _ID.fullmatch(text.strip())
    if match is None:
        raise InvalidPuzzle(
            "this is not a game ID of Solo; expected one such as 3x3:9a1d5h8b6_2..."
        )
    height, width, kind, cells, more = match.groups()
    kind, parts = (kind or "").partition("d")[0], more.split(",")[1:]  # d is how hard it is
    jigsaw, killer = width is None, "k" in kind
    n = int(height) * int(width or 1)
    box = (1, n) if jigsaw else checked_box((int(height), int(width)))
    expected = jigsaw + 2 * killer
    if jigsaw != ("j" in kind) or len(parts) != expected or not 1 <= n <= MAX_SIZE:
        raise InvalidPuzzle(
            f"this game ID of Solo has {counted(len(parts), 'part')} behind its cells; expected"
            f" {expected} for {height}{'x' * (not jigsaw)}{width or ''}{kind}"
        )
    digits = _numbers(cells, n)
    grid = Grid.from_rows([digits[at : at + n] for at in range(0, n * n, n)], box)
    regions = checked_regions(_areas(parts[0], n), n) if jigsaw else None
    from ..rules import Different, KillerCage

    rules: list[Rule] = [Different(each, "diagonal") for each in diagonals(n) if "x" in kind]
    if killer:
        sums = dict(zip(cells_of(n), _numbers(parts[-1], n), strict=True))
        rules += (
            KillerCage(cage, next(filter(None, map(sums.__getitem__, cage)), None))
            for cage in _areas(parts[-2], n)
        )
    puzzle = Puzzle(grid, regions, rules=rules)
    return puzzle.grid if puzzle.is_plain else puzzle


def _numbers(text: str, n: int) -> list[int]:
    """The number of each cell, 0 if it has none."""
    numbers: list[int] = []
    for number, run in re.findall(r"(\d+)|([a-z])", text):
        numbers += [int(number[:9])] if number else [0] * (ord(run) - ord("a") + 1)
    if len(numbers) != n * n:
        raise InvalidPuzzle(
            f"this game ID of Solo has {counted(len(numbers), 'cell')}; expected {n * n} for"
            f" {n}x{n}"
        )
    return numbers


def _areas(text: str, n: int) -> list[list[Cell]]:
    """The areas between borders, in the order of their first cells.

    The places of borders are between neighbours in each row, then in each column. A letter is a run
    of places without a border, and then a border, which ``_`` is alone; z is 25 places and no
    border. After the last place there is another border.
    """
    borders: list[bool] = []
    for letter in text:
        run = 0 if letter == "_" else ord(letter) - ord("a") + 1 if letter < "z" else 25
        borders += [False] * run + [True] * (letter != "z")
    if len(borders) != 2 * n * (n - 1) + 1 or not re.fullmatch("[a-z_]*", text):
        raise InvalidPuzzle(f"the borders {text!r} in this game ID of Solo do not fit {n}x{n}")
    cells = cells_of(n)
    across = [(n * row + at, n * row + at + 1) for row in range(n) for at in range(n - 1)]
    down = [(n * at + column, n * at + column + n) for column in range(n) for at in range(n - 1)]
    area_of = {at: [at] for at in range(n * n)}
    for (one, other), border in zip([*across, *down], borders, strict=False):
        if not border and area_of[one] is not area_of[other]:
            joined = area_of[one] + area_of[other]
            area_of |= dict.fromkeys(joined, joined)
    areas = {min(area): sorted(area) for area in area_of.values()}
    return [[cells[at] for at in areas[first]] for first in sorted(areas)]
