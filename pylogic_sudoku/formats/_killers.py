"""Killers and jigsaws as lines of characters or numbers, as forums have them."""

from __future__ import annotations

import re
from math import isqrt

from .._geometry import diagonals as long_diagonals
from .._layout import Box, Cell, cells_of, checked_regions
from ..errors import InvalidPuzzle, counted
from ..grid import MAX_SIZE, Grid
from ..puzzle import Puzzle
from ._cells import values_for
from ._lines import line_cells, read_line
from ._text import Head

_POINTS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0)}
_POINTS |= {"`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
"""The cell of the same cage to which a character points."""
_SUMS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghij"
_LONG = re.compile(r"3x3:(d?):k:((?:\d+:){80}\d+):?(?:\s.*)?", re.DOTALL)
_CUE = re.compile(r"SumoCueV1(D?)((?:[=+]\d+(?:J\d+)?){81})(?:\s.*)?", re.DOTALL | re.IGNORECASE)
_POINTING = re.compile(r"(?=\S*[<>^])[<>^v0-9A-Za-j`',.]{81}(?:\s|\Z)")
_BEGINS = re.compile(r"3x3:\w*:k:|SumoCueV1", re.IGNORECASE)


def is_killer(head: Head) -> bool:
    """True for 81 characters with arrows, and for the longer texts by how they begin."""
    return bool(_BEGINS.match(head.content) or _POINTING.match(head.content))


def read_killer(text: str, box: Box | None) -> Grid | Puzzle:
    """The cages of a killer: 81 characters, numbers behind ``3x3::k:``, or ``SumoCueV1``."""
    bare = text.strip()
    if found := _LONG.fullmatch(bare):
        return _of_numbers([int(each[:9]) for each in found[2].split(":")], found[1] == "d")
    if found := _CUE.fullmatch("".join(bare.split())):
        return _of_heads(re.findall(r"([=+])(\d+)(?:J(\d+))?", found[2], re.I), bool(found[1]))
    if _BEGINS.match(bare):
        count = len(re.findall(r"\d+", bare.split(":k:")[-1]))
        raise InvalidPuzzle(f"this killer has {counted(count, 'number')}; expected 81")
    line = bare.split()[0] if bare else ""
    if len(line) != 81:
        raise InvalidPuzzle(f"this killer has {counted(len(line), 'character')}; expected 81")
    return _of_characters(line)


def _of_characters(line: str) -> Puzzle:
    """Each cell points to another of its cage until one has the sum; 0 is a cage without a sum."""
    cages: dict[Cell, list[Cell]] = {}
    signs = dict(zip(cells_of(9), line, strict=True))
    for cell in signs:
        at, way = cell, [cell]
        while (sign := signs[at]) in _POINTS:
            move = _POINTS[sign]
            at = Cell(at.row + move[0], at.column + move[1])
            if at not in signs:
                raise InvalidPuzzle(f"{sign!r} in {way[-1]} points out of the grid")
            if at in way:
                raise InvalidPuzzle(f"the arrows from {cell} on lead back to {at}")
            way.append(at)
        if sign not in _SUMS:
            raise InvalidPuzzle(f"{sign!r} in {at} is no arrow and no sum; expected <>^v, 0-9, A-Z")
        cages.setdefault(at, []).append(cell)
    return _puzzle((cells, _SUMS.index(signs[head])) for head, cells in cages.items())


def _of_numbers(numbers: list[int], diagonals: bool) -> Puzzle:
    """The sum times 256, and the number of the cage; without a sum there is no cage."""
    cages: dict[int, list[Cell]] = {}
    for cell, number in zip(cells_of(9), numbers, strict=True):
        if number >= 256:
            cages.setdefault(number, []).append(cell)
    return _puzzle(((cells, number // 256) for number, cells in cages.items()), diagonals)


def _of_heads(entries: list[tuple[str, str, str]], diagonals: bool) -> Puzzle:
    """The first cell of a cage has its sum, and the others have the offset of that cell."""
    cages: dict[int, list[Cell]] = {}
    sums: dict[int, int] = {}
    for offset, (cell, (sign, number, _)) in enumerate(zip(cells_of(9), entries, strict=True)):
        if sign == "=":
            sums[offset] = int(number)
        cages.setdefault(offset if sign == "=" else int(number), []).append(cell)
    for head, cells in cages.items():
        if head not in sums:
            raise InvalidPuzzle(f"{cells[0]} is in the cage of cell {head}, which has no sum")
    labels = [label for _, _, label in entries]
    regions = [labels[at : at + 9] for at in range(0, 81, 9)] if all(labels) else None
    found = ((cells, sums[head]) for head, cells in cages.items())
    return _puzzle(found, diagonals, regions)


def _puzzle(cages: object, diagonals: bool = False, regions: object = None) -> Puzzle:
    from ..rules import Different, KillerCage, Rule  # which plain puzzles need not load

    rules: list[Rule] = []
    if diagonals:
        rules += [Different(cells, "diagonal") for cells in long_diagonals(9)]
    rules += [KillerCage(cells, total or None) for cells, total in cages]  # type: ignore[attr-defined]
    return Puzzle(Grid((0,) * 81, (3, 3)), regions, rules=rules)  # type: ignore[arg-type]


# --- jigsaws: a line of givens with a line of labels, or the labels alone ---


def is_jigsaw(head: Head) -> bool:
    """True for givens with labels of regions that hang together, and for labels that are letters.

    Labels that are digits could be the digits of a grid, so that they have to be named.
    """
    word = _line(head.content)
    size = isqrt(len(word))
    if size * size == len(word):
        word = "." * len(word) + word if word.isalpha() and line_cells(word, None) else ""
        return bool(word) and _parts(word) is not None and not _are_digits(word[len(word) // 2 :])
    return _parts(word) is not None


def _line(text: str) -> str:
    if len(text) > 2 * MAX_SIZE * MAX_SIZE or len(text.split()) != 1:
        return ""
    return text


def _are_digits(labels: str) -> bool:
    try:
        return set(labels) <= set(values_for(labels, isqrt(len(labels))))
    except InvalidPuzzle:  # x is a digit, or an empty cell
        return True


def _parts(word: str) -> tuple[str, str] | None:
    """The givens and the labels if the regions are n sets of n cells that hang together."""
    size = isqrt(len(word) // 2)
    if not (4 <= size <= MAX_SIZE and 2 * size * size == len(word)):
        return None
    givens, labels = word[: size * size], word[size * size :]
    if len(set(labels)) != size or any(labels.count(each) != size for each in set(labels)):
        return None
    for label in set(labels):
        cells = {cell for cell, each in zip(cells_of(size), labels, strict=True) if each == label}
        todo = [min(cells)]
        while todo:
            row, column = todo.pop()
            cells.discard(Cell(row, column))
            near = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
            todo += [Cell(*each) for each in near if each in cells]
        if cells:
            return None
    return givens, labels


def read_jigsaw(text: str, box: Box | None) -> Grid | Puzzle:
    """n * n givens and as many labels of regions, or the labels alone."""
    word = "".join(text.split())
    size = isqrt(len(word))
    if size * size != len(word):
        size = isqrt(len(word) // 2)
        if size * size * 2 != len(word) or not 1 <= size <= MAX_SIZE:
            raise InvalidPuzzle(
                f"this jigsaw has {counted(len(word), 'character')}; expected 162 for 9x9, a given"
                " and a label for each cell, or 81 labels"
            )
    if not 1 <= size <= MAX_SIZE:
        raise InvalidPuzzle(f"a grid has 1 to {MAX_SIZE} rows, this one has {size}")
    labels, givens = word[-size * size :], word[: -size * size] or "." * size * size
    regions = checked_regions(labels, size)
    puzzle = Puzzle(read_line(givens, (1, size)), regions)
    return puzzle.grid if puzzle.is_plain else puzzle
