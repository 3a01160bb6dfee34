"""A first look at a puzzle: what singles, locked candidates and sets leave of it.

It is in plain Python and takes a millisecond or two, while `steps` takes a hundred. It decides
which puzzles are worth those, but never what is said of a puzzle.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from functools import lru_cache, partial, reduce
from itertools import combinations, permutations
from operator import or_

from ..grid import Layout, Placement
from ._dig import peers

__all__ = ["Look"]


class Look:
    """The candidates of a puzzle: for each cell, the digit d adds 2**(d-1).

    The layout has no rules but its houses.
    """

    def __init__(self, layout: Layout, givens: Iterable[Placement]) -> None:
        self._layout = layout
        self.cells = [(1 << layout.size) - 1] * len(layout.cells)
        self._placed: set[int] = set()
        """The cells whose digit is removed from the others of their houses."""
        for given in givens:
            self.cells[given.cell.offset(layout.size)] = 1 << given.digit - 1

    @property
    def solved(self) -> bool:
        return len(self._placed) == len(self.cells)

    @property
    def open(self) -> int:
        """The cells whose digit is not known, as a sum of 2**offset."""
        return sum(1 << at for at in range(len(self.cells)) if at not in self._placed)

    def settle(self, largest: int) -> bool:
        """Whether these techniques solve the puzzle, each used as long as it does something.

        They are singles if `largest` is 0; else locked candidates too, and sets of up to so many.
        """
        ways: list[Callable[[], bool]] = [self._singles]
        if largest:
            ways += [self._locked, *(partial(self._sets, size) for size in range(2, largest + 1))]
        while any(way() for way in ways):
            pass
        return self.solved

    def _singles(self) -> bool:
        """Place every digit that is alone in its cell, or has one place in a house."""
        cells, placed, before = self.cells, self._placed, len(self._placed)
        for at, digits in enumerate(cells):
            if at not in placed and not digits & digits - 1:
                self._place(at)
        for house in self._layout.offsets:
            once = twice = 0
            for at in house:
                twice |= once & cells[at]
                once |= cells[at]
            if alone := once & ~twice:
                for at in house:
                    if at not in placed and cells[at] & alone:
                        cells[at] &= alone
                        self._place(at)
        return len(placed) > before

    def _place(self, at: int) -> None:
        self._placed.add(at)
        for peer in peers(self._layout)[at]:
            self.cells[peer] &= ~self.cells[at]

    def _locked(self) -> bool:
        """Remove a digit from the rest of a house if another house needs it where they meet."""
        changed = False
        for both, ours, theirs in _meetings(self._layout):
            changed |= self._without(theirs, self._all(both) & ~self._all(ours))
        return changed

    def _sets(self, size: int) -> bool:
        """Naked and hidden sets of so many cells and digits."""
        changed = False
        for house in self._layout.offsets:
            free = [at for at in house if at not in self._placed]
            if len(free) > size:
                changed |= self._naked(size, free)
                changed |= self._hidden(size, free)
        return changed

    def _naked(self, size: int, free: Collection[int]) -> bool:
        changed = False
        few = [at for at in free if self.cells[at].bit_count() <= size]
        for those in combinations(few, size):
            digits = self._all(those)
            if digits.bit_count() == size:
                changed |= self._without([at for at in free if at not in those], digits)
        return changed

    def _hidden(self, size: int, free: Collection[int]) -> bool:
        changed = False
        places = [
            {at for at in free if self.cells[at] >> digit & 1} for digit in range(self._layout.size)
        ]
        rare = [digit for digit, where in enumerate(places) if 0 < len(where) <= size]
        for digits in combinations(rare, size):
            where = set().union(*(places[digit] for digit in digits))
            if len(where) == size:
                changed |= self._without(where, ~sum(1 << digit for digit in digits))
        return changed

    def _all(self, cells: Iterable[int]) -> int:
        return reduce(or_, map(self.cells.__getitem__, cells), 0)

    def _without(self, cells: Iterable[int], digits: int) -> bool:
        """Remove digits from cells; true if one had any."""
        changed = False
        for at in cells:
            if self.cells[at] & digits:
                self.cells[at] &= ~digits
                changed = True
        return changed


@lru_cache(32)
def _meetings(layout: Layout) -> list[tuple[list[int], list[int], list[int]]]:
    """Of two houses that share several cells: these, the rest of the one and of the other."""
    found = []
    for one, other in permutations(layout.offsets, 2):
        both = [at for at in one if at in other]
        if len(both) > 1:
            found.append(
                (both, [at for at in one if at not in both], [at for at in other if at not in both])
            )
    return found
