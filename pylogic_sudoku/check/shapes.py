"""What the atoms of an auxiliary predicate say of a grid, and whether sudoku has such a thing.

A program may number its boxes as it likes, and give its predicates any names. What a predicate
means can be read off its atoms: those of ``box(B,X,Y)`` put cells together, and right boxes put
together the cells of a house.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations, permutations
from typing import Any

Value = Any
"""A number; the text of any other term."""
Row = tuple[Value, ...]
"""The arguments of an atom."""
Cell = tuple[int, int]


class Shapes:
    """The numbers, cells and houses of a grid."""

    def __init__(
        self,
        box: tuple[int, int],
        houses: Iterable[tuple[str, Iterable[Cell]]],
        grid: Iterable[tuple[int, int, int]],
    ) -> None:
        rows, columns = box
        self._digits = {(row, column): digit for row, column, digit in grid}
        self.size = size = rows * columns
        self._kinds: dict[str, set[frozenset[Cell]]] = {}
        for kind, cells in houses:
            self._kinds.setdefault(kind, set()).add(
                frozenset((row, column) for row, column in cells)
            )
        self._houses = set().union(*self._kinds.values())
        self.numbers = {size, rows, columns, size**2, size * (size + 1) // 2}
        """What the size of something can be, or the sum of a house."""
        self._lines = frozenset(range(1, size + 1))
        self._sets = {
            frozenset(range(first, first + length))
            for length in (size, rows, columns, size**2)
            for first in (0, 1)
        }
        self._sets |= {
            frozenset(range(first, first + size, step))
            for step in (rows, columns)
            for first in (0, 1)
        }
        self._pairs = dict(self._relations(rows, columns))
        self._blocks = [
            {frozenset(range(at, at + step)) for at in range(1, size + 1, step)}
            for step in (rows, columns)
        ]

    def _relations(self, rows: int, columns: int) -> Iterator[tuple[str, frozenset[Any]]]:
        """Yield relations between cells, symmetric and without equal ones."""
        each = {
            kind: frozenset(pair for house in houses for pair in permutations(house, 2))
            for kind, houses in self._kinds.items()
        }
        for number in range(1, len(each) + 1):
            for kinds in combinations(each, number):
                yield " or ".join(kinds), frozenset().union(*(each[kind] for kind in kinds))
        lines = each.get("row", frozenset()) | each.get("column", frozenset())
        for kind in each.keys() - {"row", "column"}:
            yield f"{kind} only", each[kind] - lines

    def within(self, values: Iterable[Value]) -> bool:
        """True unless one of the numbers is outside the grid."""
        return all(0 <= each <= self.size for each in values if isinstance(each, int))

    # --- whether sudoku has it ------------------------------------------------------------

    def known(self, rows: Collection[Row], part: bool = False) -> bool:
        """True if these are the arguments of atoms that say something right of the grid.

        True as well if nothing is known of such atoms. They may be a `part` of those that do.
        """
        if not rows:
            return False
        widths = {len(row) for row in rows}
        if len(widths) > 1 or widths == {0}:
            return True
        (width,) = widths
        columns = list(zip(*rows, strict=True))
        numeric = [at for at in range(width) if all(isinstance(v, int) for v in columns[at])]
        if not numeric:
            return True
        constant = [at for at in numeric if len(set(columns[at])) == 1 and len(rows) > 1]
        moving = [at for at in numeric if at not in constant] or numeric
        if len(moving) == 1:
            return self._known_numbers(frozenset(columns[moving[0]]))
        labels = [at for at in range(width) if at not in numeric]
        if len(moving) == 4 and all({row[at] for row in rows} == self._lines for at in moving):
            return self._is_pairs(rows, moving)
        tests: list[Callable[[], bool]] = [
            lambda: self._is_grid(rows, moving, labels),
            lambda: self._is_grouped(rows, numeric, part),
            lambda: self._is_lines(rows, moving) and not labels,
            lambda: self._is_pairs(rows, moving),
        ]
        return any(test() for test in tests) or len(moving) > 4

    def _known_numbers(self, numbers: frozenset[int]) -> bool:
        if len(numbers) == 1:
            return numbers <= self.numbers
        return numbers in self._sets

    def _is_grid(self, rows: Collection[Row], moving: Sequence[int], labels: Sequence[int]) -> bool:
        """True for all cells, or for all combinations of known numbers."""
        if labels or len(moving) > 3:
            return False
        sets = [frozenset(row[at] for row in rows) for at in moving]
        product = 1
        for each in sets:
            product *= len(each)
        right = all(self._known_numbers(each) for each in sets)
        return right and product == len({tuple(row[at] for at in moving) for row in rows})

    def _is_grouped(self, rows: Collection[Row], numeric: Sequence[int], part: bool) -> bool:
        """True if some arguments are a cell, and others number the houses, or the cells.

        True as well for a copy of the solution.
        """
        width = len(next(iter(rows)))
        for x, y in permutations(numeric, 2):
            shift = {0: 1, 1: 0}.get(min(row[x] for row in rows))
            if shift is None:
                if not part:
                    continue
                shift = 0
            # A digit that the solution has in the cell is no label.
            digit = next((at for at in numeric if self._is_digit(rows, x, y, at)), None)
            groups: dict[Row, set[Any]] = {}
            for row in rows:
                cell = row[x] + shift, row[y] + shift
                label = tuple(row[at] for at in range(width) if at not in (x, y, digit))
                groups.setdefault(label, set()).add(cell)
            found = [frozenset(group) for group in groups.values()]
            whole = part or len(set().union(*found)) == self.size**2
            if whole and len(found) == len(set(found)):
                numbered = width == 3 and len(found) == len(rows) == self.size**2
                copied = digit is not None and len(found) == 1
                if numbered or copied or self._houses.issuperset(found):
                    return True
        return False

    def _is_digit(self, rows: Collection[Row], x: int, y: int, at: int) -> bool:
        return all(self._digits.get((row[x], row[y])) == row[at] for row in rows)

    def _is_lines(self, rows: Collection[Row], moving: Sequence[int]) -> bool:
        """True if it groups or compares the numbers of rows or columns."""
        if len(moving) != 2:
            return False
        pairs = {(row[moving[0]], row[moving[1]]) for row in rows}
        for pair in (pairs, {(b, a) for a, b in pairs}):
            groups: dict[Value, set[Value]] = {}
            for a, b in pair:
                groups.setdefault(b, set()).add(a)
            found = {frozenset(group) for group in groups.values()}
            if any(found == blocks for blocks in self._blocks):
                return True
        both = {frozenset(pair) for pair in pairs if pair[0] != pair[1]}
        lines = sorted(self._lines)
        together = [
            {frozenset(two) for block in blocks for two in combinations(block, 2)}
            for blocks in self._blocks
        ]
        each = [{frozenset(two) for two in combinations(lines, 2)}]
        each.append({frozenset((a, a + 1)) for a in lines[:-1]})
        return both in [*each, *together]

    def _is_pairs(self, rows: Collection[Row], moving: Sequence[int]) -> bool:
        """True if it relates exactly the cells of a kind of house."""
        if len(moving) != 4:
            return False
        first, *others = moving
        for second in others:
            rest = [at for at in others if at != second]
            for order in (rest, rest[::-1]):
                pairs = {
                    ((row[first], row[second]), (row[order[0]], row[order[1]])) for row in rows
                }
                found = {(a, b) for a, b in pairs | {(b, a) for a, b in pairs} if a != b}
                if found in self._pairs.values():
                    return True
        return False

    def apart(self, rows: Collection[Row]) -> tuple[Cell, Cell] | None:
        """Return two cells that share no house, but that these arguments put together; or None."""
        together = {pair for house in self._houses for pair in permutations(house, 2)}
        width = len(next(iter(rows)))
        numeric = [at for at in range(width) if all(isinstance(row[at], int) for row in rows)]
        whole = set(range(1, self.size + 1))
        lines = [at for at in numeric if {row[at] for row in rows} == whole]
        if width == len(lines) == 4:
            pairs = (((row[0], row[1]), (row[2], row[3])) for row in sorted(rows))
            return next((pair for pair in pairs if _differ(pair) and pair not in together), None)
        for x, y in combinations(lines, 2):
            if len({(row[x], row[y]) for row in rows}) < self.size**2:
                continue
            groups: dict[Row, list[Any]] = {}
            for row in sorted(rows, key=str):
                label = tuple(value for at, value in enumerate(row) if at not in (x, y))
                groups.setdefault(label, []).append((row[x], row[y]))
            for group in groups.values():
                for one, other in combinations(group, 2):
                    if (one, other) not in together:
                        return one, other
        return None


def _differ(pair: tuple[Any, Any]) -> bool:
    return bool(pair[0] != pair[1])
