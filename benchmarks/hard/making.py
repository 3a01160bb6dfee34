"""Hard puzzles from seeds.

The cells of a random full grid are emptied in layers that have one cell in each row, column and
box: holes that are spread evenly make harder puzzles. Givens are added where a second solution
differs, and others are taken away again until only a long search could tell whether one more can
go. Glucose decides that, which does not take part in the race. It gets clauses of the open
candidates only: with all clauses, and givens as assumptions, it is far slower.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable
from itertools import combinations

from pysat.solvers import Glucose4

from pylogic_sudoku import Grid
from pylogic_sudoku.making.dig import searched_grid
from pylogic_sudoku.puzzle.cells import Box, Layout

START = {(4, 4): 100, (5, 5): 300}
"""Box shapes, and the givens from which digging starts."""
PATIENCE, HARDER = (40_000, 5), (250_000, 2)
"""Conflicts after which a search is given up and the given stays, and how many of those searches
end a puzzle."""
ROUNDS = 200
"""Changes to a 16x16 puzzle that are tried, since nearly all minimal ones are easy."""
BACK = 12
"""Cells that are filled in again for such a change."""


class _Digger:
    """A full grid, and whether some of its cells determine all others."""

    def __init__(self, box: Box, seed: int, patience: tuple[int, int]) -> None:
        self.conflicts, self.unknown = patience
        self.layout = Layout(box)
        size = self.layout.size
        grids = (searched_grid(self.layout, 2 * seed + each) for each in (0, 1))
        self.full, other = (grid.digits if grid else () for grid in grids)
        self.chance = random.Random(seed)
        layers = self.chance.sample(range(1, size + 1), size)
        self.order = [
            cell
            for layer in layers
            for cell in self._shuffled(cell for cell in range(size**2) if other[cell] == layer)
        ]
        houses = self.layout.offsets
        self.around = [[house for house in houses if cell in house] for cell in range(size**2)]
        self.differences: list[set[int]] = []
        """Of each other solution that was found, the cells in which it differs."""

    def _shuffled(self, cells: Iterable[int]) -> list[int]:
        found = sorted(cells)
        return self.chance.sample(found, len(found))

    def is_unique(self, givens: set[int]) -> bool | None:
        """True if the full grid is the only solution; None if that is not known soon."""
        if any(not difference & givens for difference in self.differences):
            return False
        solver, candidates = self._solver(givens)
        with solver:
            solver.conf_budget(self.conflicts)
            found = solver.solve_limited()
            if found:
                other = (candidates[each - 1] for each in solver.get_model() if each > 0)
                self.differences.append({cell for cell, digit in other if digit != self.full[cell]})
        return None if found is None else not found

    def _solver(self, givens: set[int]) -> tuple[Glucose4, list[tuple[int, int]]]:
        """The rules for what the givens leave open, where any other solution will do.

        Variable k says that the cell of candidate k - 1 holds its digit.
        """
        taken = {
            house: {self.full[cell] for cell in givens.intersection(house)}
            for house in self.layout.offsets
        }
        candidates: list[tuple[int, int]] = []
        groups = defaultdict[tuple[object, int], list[int]](list)
        for cell in sorted(set(range(len(self.full))) - givens):
            gone = set[int]().union(*(taken[house] for house in self.around[cell]))
            for digit in sorted(set(range(1, self.layout.size + 1)) - gone):
                candidates.append((cell, digit))
                for group in (("cell", cell), *((house, digit) for house in self.around[cell])):
                    groups[group].append(len(candidates))
        solver = Glucose4()
        for group in groups.values():
            solver.add_clause(group)
            solver.append_formula([(-one, -other) for one, other in combinations(group, 2)])
        solver.add_clause(
            [-each for each, (cell, digit) in enumerate(candidates, 1) if digit == self.full[cell]]
        )
        return solver, candidates

    def filled(self, givens: set[int]) -> set[int]:
        """These givens, and more until the solution is the only one."""
        while not (unique := self.is_unique(givens)):
            missing = range(len(self.full)) if unique is None else self.differences[-1]
            givens = givens | {self.chance.choice(sorted(set(missing) - givens))}
        return givens

    def dug(self, givens: set[int]) -> set[int]:
        """What is left of the givens when they are taken away one by one."""
        unknown = 0
        for cell in self._shuffled(givens):
            unique = self.is_unique(givens - {cell})
            unknown += unique is None
            if unknown == self.unknown:
                break
            if unique:
                givens = givens - {cell}
        return givens

    def hardness(self, givens: set[int]) -> int:
        """The conflicts of a proof from nothing that the solution is the only one."""
        solver, _ = self._solver(givens)
        with solver:
            solver.solve()
            return int(solver.accum_stats()["conflicts"])

    def changed(self, givens: set[int]) -> set[int]:
        """Another minimal puzzle that shares most of these givens."""
        open_ones = [cell for cell in range(len(self.full)) if cell not in givens]
        return self.dug(givens.union(self.chance.sample(open_ones, BACK)))

    def grid(self, givens: set[int]) -> Grid:
        """The puzzle with these givens."""
        digits = (digit if cell in givens else 0 for cell, digit in enumerate(self.full))
        return Grid(tuple(digits), self.layout.box)


def dug(box: Box, seed: int, harder: bool = False, rounds: int = ROUNDS) -> Grid:
    """A puzzle with one solution. Up to 16x16, the hardest of so many `rounds` of changes."""
    digger = _Digger(box, seed, HARDER if harder else PATIENCE)
    givens = digger.dug(digger.filled(set(digger.order[-START[box] :])))
    if digger.layout.size > 16:
        return digger.grid(givens)
    most = digger.hardness(givens)
    for _ in range(rounds):
        other = digger.changed(givens)
        if (hardness := digger.hardness(other)) > most:
            givens, most = other, hardness
    return digger.grid(givens)
