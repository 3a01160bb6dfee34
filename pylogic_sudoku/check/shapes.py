"""The shapes of sudoku in the atoms of an ASP program, by which its definitions are judged.

A program may number its boxes as it likes, and give its predicates any names. What a predicate
means can be read off its atoms: those of ``box(B,X,Y)`` put cells together, and right boxes put
together the cells of a house.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import combinations, pairwise, permutations
from math import prod
from typing import Any

from clingo.ast import AST
from clingo.symbol import Symbol, SymbolType

from ..reasons.blame import Judge, Rank
from ..reasons.relaxed import Model, Relaxed, Statement, signature
from ..reasons.wording import Gap, Wording, texts

Value = Any
"""A number; the text of any other term."""
Row = tuple[Value, ...]
"""The arguments of an atom."""
Cell = tuple[int, ...]
"""Row and column; a single number for a whole row or column."""
_MAY_LACK = frozenset({("region", 3), ("excluded", 3)})
"""Facts of which an instance may have none."""


def _pairs(groups: Iterable[Iterable[Cell]]) -> set[tuple[Cell, Cell]]:
    """Return the pairs of different members of a group, each in both orders."""
    return {pair for group in groups for pair in permutations(group, 2)}


class Shapes:
    """The shapes of sudoku: sets of numbers, groups of cells and of lines, and pairs of them.

    A line is a row or a column, as a cell with one coordinate.
    """

    def __init__(
        self,
        box: tuple[int, int],
        houses: Iterable[Iterable[Cell]],
        grid: Iterable[tuple[int, int, int]],
    ) -> None:
        rows, columns = box
        self.size = size = rows * columns
        self._digits = {(row, column): digit for row, column, digit in grid}
        sizes = (size, rows, columns, size**2)
        self._numbers = {frozenset((number,)) for number in (*sizes, size * (size + 1) // 2)}
        for first in (0, 1):
            self._numbers |= {frozenset(range(first, first + length)) for length in sizes}
            self._numbers |= {frozenset(range(first, first + size, step)) for step in box}
        cells = [frozenset(map(tuple, house)) for house in houses]
        lines = [(line,) for line in range(1, size + 1)]
        bands = [[frozenset(lines[at : at + n]) for at in range(0, size, n)] for n in box]
        self._groups = set().union(cells, *bands)
        self._together = _pairs(cells)
        of_lines: list[Iterable[Iterable[Cell]]] = [*bands, [lines], pairwise(lines)]
        self._relations = list(map(_pairs, of_lines))

    def known(self, rows: Collection[Row], part: bool = False) -> bool:
        """True if these are the arguments of atoms that describe the grid correctly.

        Also True for atoms that cannot be judged. With `part`, some of the atoms may be missing.
        """
        if not rows:
            return False
        if len({len(row) for row in rows}) > 1:
            return True
        columns = dict(enumerate(zip(*rows, strict=True)))
        numeric = [at for at in columns if all(isinstance(v, int) for v in columns[at])]
        constant = [at for at in numeric if len(set(columns[at])) == 1 and len(rows) > 1]
        moving = [at for at in numeric if at not in constant] or numeric
        if not numeric or len(moving) > 4:
            return True
        sets = [frozenset(columns[at]) for at in moving]
        known = [each in self._numbers for each in sets]
        if len(moving) == 1:
            return known[0]
        if len(moving) == 4 and set(sets) == {frozenset(range(1, self.size + 1))}:
            return self.apart(rows) is None
        if len(numeric) < len(columns):  # a name, as of the kind of a house
            return self._is_grouped(rows, numeric, part)
        # Else these may be all combinations of such numbers.
        full = len({tuple(row[at] for at in moving) for row in rows}) == prod(map(len, sets))
        return (
            (all(known) and full and len(moving) < 4)
            or self._is_grouped(rows, numeric, part)
            or _pairs(((row[at],) for at in moving) for row in rows) in self._relations
        )

    def _readings(
        self, rows: Collection[Row], numeric: Sequence[int], part: bool = False
    ) -> Iterator[tuple[list[frozenset[Cell]], bool]]:
        """Yield the groups of cells, or of lines, that the other arguments number.

        With each is True if the atoms also hold the solution's digits of these cells.
        """
        width = len(next(iter(rows)))
        for ends in [*permutations(numeric, 2), *(permutations(numeric, 1) if width == 2 else ())]:
            first = min(row[at] for row in rows for at in ends)
            groups: dict[Row, set[Cell]] = {}
            cells = [tuple(row[at] + (first == 0) for at in ends) for row in rows]
            digits = [self._digits.get(cell) for cell in cells]
            copied = [at for at in numeric if digits == [row[at] for row in rows]]
            for row, cell in zip(rows, cells, strict=True):
                label = tuple(row[at] for at in range(width) if at not in (*ends, *copied))
                groups.setdefault(label, set()).add(cell)
            if part or len(set(cells)) == self.size ** len(ends):
                yield [frozenset(group) for group in groups.values()], bool(copied)

    def _is_grouped(self, rows: Collection[Row], numeric: Sequence[int], part: bool) -> bool:
        """True if some arguments are a cell or a line, and others number its groups, or the cells.

        True as well for a copy of the solution.
        """
        for groups, copied in self._readings(rows, numeric, part):
            if len(groups) == len(set(groups)):
                numbered = len(groups) == len(rows) == self.size**2 and len(next(iter(rows))) == 3
                if numbered or (copied and len(groups) == 1) or self._groups.issuperset(groups):
                    return True
        return False

    def apart(self, rows: Collection[Row]) -> tuple[Cell, Cell] | None:
        """Return two cells that share no house, but that these arguments put together; or None."""
        width = len(next(iter(rows)))
        lines = set(range(1, self.size + 1))
        full = [at for at in range(width) if {row[at] for row in rows} == lines]
        if width == len(full) == 4:
            groups = [[(row[:2], row[2:]) for row in sorted(rows) if row[:2] != row[2:]]]
        else:
            sets, _ = next(self._readings(rows, full if width > 2 else ()), ((), False))
            groups = [list(combinations(sorted(group), 2)) for group in sets]
        pairs = (pair for group in groups for pair in group)
        return next((pair for pair in pairs if pair not in self._together), None)


class ByShapes(Judge):
    """A judge of definitions who knows the shapes of sudoku."""

    def __init__(self, shapes: Shapes, relaxed: Relaxed, model: Model) -> None:
        self._shapes = shapes
        self._relaxed, self._model = relaxed, model

    def rank(self, definition: Statement) -> Rank:
        if definition.constant:
            number = str(definition.ast.value)
            is_size = number.isdecimal() and self._shapes.known([(int(number),)])
            return Rank.RIGHT if is_size else Rank.WRONG
        if not definition.is_plain:
            return Rank.RIGHT
        name = signature(definition.heads[0][0])
        if name in self._relaxed.from_choices:
            return Rank.RIGHT
        rules = [each for each in self._relaxed.definers[name] if each.is_plain]
        rows = {each: [flat(atom) for atom in self._model.derived_by(each)] for each in rules}
        alone = rows[definition]
        if not alone:
            # Such as regions in a puzzle with boxes, or what an answer must not have.
            needed = name not in self._relaxed.from_answer and not definition.uses & _MAY_LACK
            return Rank.EMPTY if len(rules) == 1 and needed else Rank.RIGHT
        together = [row for each in rules for row in rows[each]]
        known = self._shapes.known
        if known(together) or known(alone) or (rules[1:] and known(alone, part=True)):
            return Rank.RIGHT
        return Rank.WRONG

    def should_hold(self, gap: Gap) -> bool:
        numbers = [each.number for each in gap[1] if each and each.type == SymbolType.Number]
        return all(0 <= number <= self._shapes.size for number in numbers)


class InGrid(Wording):
    """Words about the statements of a program for sudoku."""

    answer = "the solution"

    def __init__(self, shapes: Shapes, relaxed: Relaxed, model: Model) -> None:
        super().__init__(relaxed, model)
        self._shapes = shapes
        self._digits: dict[tuple[Symbol | None, ...], Symbol] = {
            tuple(atom.arguments[:2]): atom.arguments[2] for atom in relaxed.answer
        }

    def held(self, atom: Gap) -> str:
        return "r{}c{} = {}".format(*texts(atom[1]))

    def instead(self, atom: Gap) -> str:
        row, column, _ = atom[1]
        there = self._digits.get((row, column))
        other = f"where the solution has {there}" if there else "which is not in the solution"
        return f"{self.held(atom)}, {other}"

    def odd(self, atoms: Sequence[Symbol]) -> str:
        apart = self._shapes.apart([flat(atom) for atom in atoms])
        if apart is None:
            return ""
        one, other = ("r{}c{}".format(*cell) for cell in apart)
        return f"puts {one} and {other} together, which share no house"

    def arguments(self, term: AST) -> tuple[str, Sequence[str]]:
        names = ("row", "column", "digit")
        return f"{signature(term)[0]}({','.join(names)})", names


def flat(symbol: Symbol) -> Row:
    """The arguments of an atom, with those of tuples among them."""
    values: list[Value] = []
    for each in symbol.arguments:
        if each.type == SymbolType.Function and each.arguments:
            values += flat(each)
        else:
            values.append(each.number if each.type == SymbolType.Number else str(each))
    return tuple(values)
