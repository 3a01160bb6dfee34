"""Random full grids, and puzzles that are dug from them by removing givens.

A puzzle has one solution if and only if it gives a cell of each *unavoidable set*: cells that the
full grid could fill in another way, while no other cell changes. A set of cells is a whole number
here: the cell with offset i adds 2**i.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from random import Random

from ..errors import NoSolution
from ..grid import Grid, Layout

__all__ = ["dig", "full_grid", "peers", "removed_in_turn", "unavoidable_sets"]

ATTEMPTS = 20
"""How often the cells are filled at random until a search is better."""


def full_grid(
    layout: Layout, random: Random, search: Callable[[int], tuple[int, ...] | None]
) -> Grid:
    """A random full grid; NoSolution if there is none.

    A cell with the fewest digits left, chosen at random, gets one of them at random, and so on;
    when a cell has no digit left, it starts again. So grids that are the same up to symmetry and
    other digits are equally likely. But a grid is likelier than others if more of it was forced on
    the way; `_mixed` removes most of that.

    With rules beyond the houses, or if that does not succeed soon, as in large grids, `search`
    finds a grid by a seed.
    """
    for _ in range(0 if layout.rules else ATTEMPTS):
        if digits := _filled(layout, random):
            return Grid(_mixed(digits, layout, random), layout.box)
    found = search(random.getrandbits(31))
    if found is None:
        raise NoSolution(f"there is no full grid that keeps all rules of {layout}")
    return Grid(found, layout.box)


def _filled(layout: Layout, random: Random) -> tuple[int, ...] | None:
    """A full grid, or None if a cell had no digit left."""
    beside = peers(layout)
    every = (1 << layout.size) - 1
    left = [every] * len(beside)
    digits = [0] * len(beside)
    empty = list(range(len(beside)))
    while empty:
        counts = [*map(int.bit_count, map(left.__getitem__, empty))]
        fewest = min(counts)
        if not fewest:
            return None
        tied = [at for at, count in enumerate(counts) if count == fewest]
        cell = empty.pop(tied[int(random.random() * len(tied))])
        choices = [digit for digit in range(layout.size) if left[cell] >> digit & 1]
        digit = choices[int(random.random() * fewest)]
        digits[cell] = digit + 1
        taken = ~(1 << digit)
        for peer in beside[cell]:
            left[peer] &= taken
    return tuple(digits)


def _mixed(digits: tuple[int, ...], layout: Layout, random: Random) -> tuple[int, ...]:
    """The grid after random exchanges of two digits in parts of it, two for each cell.

    All results of an exchange are equally likely, and so are those of its reverse. So each exchange
    brings the grids nearer to being equally likely, or leaves them as they are.
    """
    cells, around = _cells_by_digit(digits, layout.size), _near(layout)
    pairs = list(combinations(range(layout.size), 2))
    for one, other in random.choices(pairs, k=2 * len(digits)) if pairs else ():
        for each in _exchangeable(cells[one] | cells[other], around):
            if random.random() < 0.5:
                cells[one] ^= each
                cells[other] ^= each
    found = [0] * len(digits)
    for digit, left in enumerate(cells, 1):
        while left:
            found[left.bit_length() - 1] = digit
            left &= ~(1 << left.bit_length() - 1)
    return tuple(found)


@lru_cache(32)
def peers(layout: Layout) -> list[list[int]]:
    """For each cell, the other cells that share a house with it."""
    return [
        [other for other in range(len(layout.cells)) if cells >> other & 1 and other != cell]
        for cell, cells in enumerate(_near(layout))
    ]


# --- unavoidable sets ---------------------------------------------------------------------


def unavoidable_sets(digits: Sequence[int], layout: Layout) -> list[int]:
    """Unavoidable sets of a full grid: those of two digits, and those in two rows or two columns.

    None contains another of its kind. There may be none known, as with rules beyond the houses.
    """
    if layout.rules:
        return []
    around = _near(layout)
    pairs = combinations(_cells_by_digit(digits, layout.size), 2)
    found = [cells for one, other in pairs for cells in _exchangeable(one | other, around)]
    if not layout.regions:
        height, width = layout.box
        lines = [[*range(at, at + layout.size)] for at in range(0, len(digits), layout.size)]
        found += _two_line_sets(digits, lines, height)
        found += _two_line_sets(digits, [*zip(*lines, strict=True)], width)
    return [*dict.fromkeys(found)]


def _two_line_sets(
    digits: Sequence[int], lines: Sequence[Sequence[int]], wide: int
) -> Iterator[int]:
    """The unavoidable sets in two lines of a band, which has so many.

    From a cell to the one beside it, from there to the same digit in the first line, and so on: in
    the cells on the way, the two lines can be exchanged.
    """
    for start in range(0, len(lines), wide):
        for one, other in combinations(lines[start : start + wide], 2):
            beside = {digits[cell]: (cell, near) for cell, near in zip(one, other, strict=True)}
            while beside:
                cells, digit = 0, next(iter(beside))
                while digit in beside:
                    cell, near = beside.pop(digit)
                    cells |= 1 << cell | 1 << near
                    digit = digits[near]
                yield cells


def _exchangeable(both: int, around: Sequence[int]) -> list[int]:
    """The cells of two digits, split into sets; in each set alone the digits can change places.

    Cells in the same house are in the same set: if one of them changes, the other must too.
    """
    found = []
    while both:
        cells = new = both & -both
        while new and cells != both:  # mostly it is all of them, and that is seen early
            cell = new.bit_length() - 1
            reached = around[cell] & both
            new = (new | reached & ~cells) & ~(1 << cell)
            cells |= reached
        found.append(cells)
        both &= ~cells
    return found


def _cells_by_digit(digits: Sequence[int], size: int) -> list[int]:
    """The cells of each digit of a full grid."""
    cells = [0] * size
    for cell, digit in enumerate(digits):
        cells[digit - 1] |= 1 << cell
    return cells


@lru_cache(32)
def _near(layout: Layout) -> list[int]:
    """For each cell, the cells that share a house with it, and the cell itself."""
    around = [0] * len(layout.cells)
    for house in layout.offsets:
        cells = sum(1 << cell for cell in house)
        for cell in house:
            around[cell] |= cells
    return around


# --- digging ------------------------------------------------------------------------------


def dig(
    groups: Sequence[int], least: int, known: Iterable[int], another: Callable[[int], int]
) -> int:
    """The cells that remain given when each group in turn is removed if it can be.

    It can be if at least `least` givens remain, and the solution remains unique. `another` returns
    the cells in which another solution differs if only some cells are given, or 0. The unavoidable
    sets in `known` decide how many questions are asked, but not the result.

    A question is about several groups at once. If they can all be removed, each can be in its turn.
    If they cannot, an unavoidable set is found, and the next question is about fewer groups.
    """
    kept = sum(groups)
    at, size = 0, len(groups) // 2
    missed = [*known]  # those that have no given yet that stays
    while at < len(groups):
        left, end = kept, at
        while end < min(at + size, len(groups)):
            fewer = left & ~groups[end]
            if fewer.bit_count() < least or not all(map(fewer.__and__, missed)):
                break
            left, end = fewer, end + 1
        if end == at:  # this group stays
            missed = [each for each in missed if not each & groups[at]]
            at += 1
        elif found := another(left):
            missed.append(found)
            size = max(1, (end - at) * 3 // 4)
        else:
            kept, at, size = left, end, 2 * (end - at)
    return kept


def removed_in_turn(groups: Sequence[int], kept: int) -> list[int]:
    """The groups that were removed, the last one first."""
    return [group for group in reversed(groups) if not group & kept]
