"""Hard puzzles from seeds.

The cells of a random full grid are emptied in layers that have one cell in each row, column and
box: holes that are spread evenly make harder puzzles. With so few givens there are several
solutions, and it is hard to find two. For a puzzle with one solution, givens are added where a
second one differs, and others are taken away again until only a long search could tell whether
one more can go. Glucose decides that, which does not take part in the race.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cached_property

from pysat.solvers import Glucose4

from pylogic_sudoku import Grid
from pylogic_sudoku._clauses import negated, of_layout
from pylogic_sudoku.engines.clingo.making import Maker
from pylogic_sudoku.grid import Box, Layout

__all__ = ["SEVERAL", "START", "dug", "several"]

START = {(4, 4): 100, (5, 5): 300}
"""Box shapes, and the givens from which digging starts."""
SEVERAL = range(256, 286)
"""Givens of the 25x25 puzzles with several solutions, one for each number."""
PATIENCE = 1_500
"""Conflicts after which a search is given up, and the given stays."""
UNKNOWN = 10
"""After so many of those, a puzzle is done."""
ROUNDS = 20
"""Changes to a 16x16 puzzle that are tried, since nearly all minimal ones are easy."""
BACK = 12
"""Cells that are filled in again for such a change."""


class _Digger:
    """A full grid, and whether some of its cells determine all others."""

    def __init__(self, box: Box, seed: int) -> None:
        self.layout = Layout(box)
        size = self.layout.size
        maker = Maker(self.layout)
        self.full, other = (maker.grid(2 * seed + each) or () for each in (0, 1))
        self.chance = random.Random(seed)
        layers = self.chance.sample(range(1, size + 1), size)
        self.order = [
            cell
            for layer in layers
            for cell in self._shuffled(cell for cell in range(size**2) if other[cell] == layer)
        ]
        self.literals = [cell * size + digit for cell, digit in enumerate(self.full)]
        self.differences: list[set[int]] = []
        """Of each other solution that was found, the cells in which it differs."""

    @cached_property
    def solver(self) -> Glucose4:
        """The rules, and that the solution is not the full grid."""
        return self._solver()

    def _solver(self) -> Glucose4:
        solver = Glucose4(bootstrap_with=of_layout(self.layout))
        solver.add_clause(negated(self.literals))
        return solver

    def _shuffled(self, cells: Iterable[int]) -> list[int]:
        found = sorted(cells)
        return self.chance.sample(found, len(found))

    def is_unique(self, givens: set[int]) -> bool | None:
        """True if the full grid is the only solution; None if that is not known soon."""
        if any(not difference & givens for difference in self.differences):
            return False
        self.solver.conf_budget(PATIENCE)
        found = self.solver.solve_limited(assumptions=[self.literals[each] for each in givens])
        if found:
            model = self.solver.get_model()
            cells = range(len(self.literals))
            self.differences.append({each for each in cells if model[self.literals[each] - 1] < 0})
        return None if found is None else not found

    def filled(self, givens: set[int]) -> set[int]:
        """These givens, and more until the solution is the only one."""
        while not (unique := self.is_unique(givens)):
            missing = range(len(self.literals)) if unique is None else self.differences[-1]
            givens = givens | {self.chance.choice(sorted(set(missing) - givens))}
        return givens

    def dug(self, givens: set[int]) -> set[int]:
        """What is left of the givens when they are taken away one by one."""
        unknown = 0
        for cell in self._shuffled(givens):
            unique = self.is_unique(givens - {cell})
            unknown += unique is None
            if unknown == UNKNOWN:
                break
            if unique:
                givens = givens - {cell}
        return givens

    def hardness(self, givens: set[int]) -> int:
        """The conflicts of a proof from nothing that the solution is the only one."""
        with self._solver() as solver:
            solver.solve(assumptions=[self.literals[each] for each in sorted(givens)])
            return int(solver.accum_stats()["conflicts"])

    def changed(self, givens: set[int]) -> set[int]:
        """Another minimal puzzle that shares most of these givens."""
        open_ones = [cell for cell in range(len(self.literals)) if cell not in givens]
        return self.dug(givens.union(self.chance.sample(open_ones, BACK)))

    def grid(self, givens: set[int]) -> Grid:
        """The puzzle with these givens."""
        digits = (digit if cell in givens else 0 for cell, digit in enumerate(self.full))
        return Grid(tuple(digits), self.layout.box)


def several(givens: int) -> Grid:
    """A 25x25 puzzle with so many givens, which are the seed too; the others are spread evenly."""
    digger = _Digger((5, 5), givens)
    return digger.grid(set(digger.order[-givens:]))


def dug(box: Box, seed: int, rounds: int = ROUNDS) -> Grid:
    """A puzzle with one solution. Up to 16x16, the hardest of so many `rounds` of changes."""
    digger = _Digger(box, seed)
    givens = digger.dug(digger.filled(set(digger.order[-START[box] :])))
    if digger.layout.size > 16:
        return digger.grid(givens)
    most = digger.hardness(givens)
    for _ in range(rounds):
        other = digger.changed(givens)
        if (hardness := digger.hardness(other)) > most:
            givens, most = other, hardness
    return digger.grid(givens)
