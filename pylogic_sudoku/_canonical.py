"""The canonical form of a grid: the least of its images under all symmetries of its box shape.

Images are compared row by row, with 0 for an empty cell. The search commits itself as late as it
can. A *state* holds the rows chosen so far and, for each column, the first position that it may
still take: columns that are alike share that position, and so do those of stacks that are alike.
A digit gets its name where it appears first, so its name depends on the place of that column. A
row is read from left to right, and the search branches only if several columns may come first.

Two complete branches with the same image show an automorphism of the grid. A branch that known
automorphisms carry to an earlier one is skipped, so grids with many automorphisms are fast too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from .grid import Grid

__all__ = ["canonical"]

Numbers = tuple[int, ...]


def canonical(grid: Grid) -> Grid:
    """The least image of the grid."""
    return Grid(tuple(_Search(grid).best), grid.box)


_NEW = 1000
"""Stands for a digit without a name: more than all names."""

_ON = 10**6
"""Go on with the next choice; a smaller number is the depth of the branching to go on with."""

_Choice = tuple[Sequence[int], Callable[[bool], int]]
"""The lines of which the first is chosen, or all as a stack, and the search from there."""


class _State(NamedTuple):
    """What is fixed so far; its lists are never changed."""

    frame: int
    """1 if the grid is read transposed."""
    rows: Numbers
    first: list[int]
    """For each column, the first position that it may take; equal if columns are alike."""
    origin: list[tuple[int, int] | None]
    """For each digit with a name: where in the image the row begins in which it got it, and the
    column."""
    named: int


class _Search:
    """The least image is `best`; `order` holds the rows and then the columns that lead to it.

    Both kinds of lines are numbered: the rows of the grid from 0, then its columns.
    """

    def __init__(self, grid: Grid) -> None:
        self.size, (self.height, self.width) = grid.size, grid.box
        rows, columns = grid.rows, tuple(zip(*grid.rows, strict=True))
        turns = self.height == self.width and rows != columns
        self.frames = (rows, columns) if turns else (rows,)
        self.best: list[int] = []
        self.order: list[int] = []
        self._image = [0] * self.size**2
        self._path: list[int] = []
        self._best_path: list[int] = []
        self._automorphisms: list[list[int]] = []
        self._choose_row(None, False)

    def read(self, order: list[int]) -> list[int]:
        """The digits of the grid with its lines in this order."""
        n = self.size
        frame = self.frames[order[0] >= n]
        return [frame[row % n][column % n] for row in order[:n] for column in order[n:]]

    # --- branches ---------------------------------------------------------------------------

    def _branch(self, choices: Sequence[_Choice], state: _State | None, tight: bool) -> int:
        """Search each choice; `tight` if the image so far is that of the best, and not less."""
        depth = len(self._path)
        done: set[int] = set()
        for number, (lines, search) in enumerate(choices):
            if self._automorphisms and not done.isdisjoint(self._orbit(lines[0], state)):
                continue
            done.update(lines)
            self._path.append(number)
            back = search(tight)
            self._path.pop()
            if back < depth:
                return back
            tight = True  # the first choice is searched to its end
        return _ON

    def _orbit(self, line: int, state: _State | None) -> set[int]:
        """Where known automorphisms that keep the state carry the line."""
        keeping = [each for each in self._automorphisms if self._keeps(each, state)]
        orbit, new = {line}, [line]
        while new:
            at = new.pop()
            found = {each[at] for each in keeping} - orbit
            orbit |= found
            new += found
        return orbit

    def _keeps(self, automorphism: list[int], state: _State | None) -> bool:
        if state is None:
            return True
        rows, columns = (self.size, 0) if state.frame else (0, self.size)
        return all(automorphism[rows + row] == rows + row for row in state.rows) and all(
            state.first[automorphism[columns + column] - columns] == place
            for column, place in enumerate(state.first)
        )

    def _end(self, state: _State, tight: bool) -> int:
        """Take the image as the best, or learn from its being equal to the best."""
        n, shift = self.size, self.size * state.frame
        rows = [row + shift for row in state.rows]
        columns = [column + n - shift for column in _placed(state.first, self.width)]
        if not tight:
            self.best, self.order = self._image[:], rows + columns
            self._best_path = self._path[:]
            return _ON
        automorphism = [0] * 2 * n
        for one, other in zip(self.order, rows + columns, strict=True):
            automorphism[one] = other
        self._automorphisms.append(automorphism)
        pairs = enumerate(zip(self._path, self._best_path, strict=False))
        return next((at for at, (one, other) in pairs if one != other), _ON)

    # --- the choice of rows -----------------------------------------------------------------

    def _choose_row(self, state: _State | None, tight: bool) -> int:
        n = self.size
        if state is None:
            start = _State(0, (), [0] * n, [None] * (n + 1), 0)
            starts = [start._replace(frame=frame) for frame in range(len(self.frames))]
        elif len(state.rows) == n:
            return self._end(state, tight)
        else:
            starts = [state]
        choices: list[_Choice] = [
            (
                [row + n * each.frame],
                partial(self._read, each._replace(rows=(*each.rows, row)), 0),
            )
            for each in starts
            for row in self._next_rows(each.frame, each.rows)
        ]
        return choices[0][1](tight) if len(choices) == 1 else self._branch(choices, state, tight)

    def _next_rows(self, frame: int, rows: Numbers) -> Iterator[int]:
        """Rows that may come next: one of those that are equal in a band, and of equal bands."""
        grid, height = self.frames[frame], self.height
        bands = [range(at, at + height) for at in range(0, self.size, height)]
        if len(rows) % height:
            bands = [bands[rows[-1] // height]]
        else:
            free = (band for band in bands if band[0] not in rows and not {*band} & {*rows})
            bands = [*{tuple(sorted(grid[row] for row in band)): band for band in free}.values()]
        for band in bands:
            yield from {grid[row]: row for row in band if row not in rows}.values()

    # --- reading a row ----------------------------------------------------------------------

    def _read(self, state: _State, at: int, tight: bool) -> int:
        """Read the row that was chosen last, from the position `at` on."""
        n = self.size
        start = (len(state.rows) - 1) * n
        row = _Row(state, self.frames[state.frame][state.rows[-1]], self._image, self.width)
        best, image = self.best, self._image
        while at < n:
            values, choices = row.values(at)
            for value in values:
                if tight and value != best[start + at]:
                    if value > best[start + at]:
                        return _ON
                    tight = False
                image[start + at] = value
                at += 1
            if choices:
                shift = n * (1 - state.frame)
                found: list[_Choice] = [
                    ([column + shift for column in columns], partial(self._read, each, at))
                    for columns, each in choices
                ]
                return self._branch(found, row.state(), tight)
        return self._choose_row(row.state(), tight)


_Values = tuple[list[int], list[tuple[Sequence[int], _State]]]
"""The values of the next positions, and the choices that come then, if there are any: columns of
which the first, or all as a stack, may be put first, and the state in which they are."""


class _Row:
    """A row that is read from left to right, and the state that changes meanwhile."""

    def __init__(self, state: _State, digits: Numbers, image: list[int], width: int) -> None:
        self._frame, self._rows, first, origin, self._named = state
        self._first, self._origin = first[:], origin[:]
        self._digits, self._image, self._width = digits, image, width
        self._start = (len(state.rows) - 1) * len(digits)
        # In a row that breaks the rules, which digits are the same depends on the order.
        self._twice = {digit for digit in digits if digit and digits.count(digit) > 1}

    def state(self) -> _State:
        """A copy of the state by now."""
        return _State(self._frame, self._rows, self._first[:], self._origin[:], self._named)

    def values(self, at: int) -> _Values:
        """Read the next positions, as many as can be read at once."""
        columns = [column for column, place in enumerate(self._first) if place == at]
        if len(columns) == 1:
            return [self._put(columns[0])], []
        width = self._width
        if columns[0] // width != columns[-1] // width:
            return self._of_stacks(at, sorted({column // width for column in columns}))
        values = {column: self._value(column) for column in columns}
        if None not in values.values():
            return self._sorted(at, [columns], values), []
        if empty := [column for column in columns if values[column] == 0]:
            for column in columns:
                if values[column] != 0:
                    self._first[column] += len(empty)
            return [0] * len(empty), []
        return self._choices(columns)

    def _value(self, column: int) -> int | None:
        """The digit's name, 0 or _NEW; None if it depends on the order of columns."""
        digit = self._digits[column]
        if not digit:
            return 0
        origin = self._origin[digit]
        if origin is None:
            return None if digit in self._twice else _NEW
        place = self._first[origin[1]]
        return self._image[origin[0] + place] if self._first.count(place) == 1 else None

    def _put(self, column: int) -> int:
        """The least name of the digit of a column whose place is fixed, which then is its name."""
        digit = self._digits[column]
        if not digit:
            return 0
        origin = self._origin[digit]
        if origin is None:
            self._origin[digit] = self._start, column
            self._named += 1
            return self._named
        self._put_first(origin[1])
        return self._image[origin[0] + self._first[origin[1]]]

    def _put_first(self, column: int) -> None:
        """Let this column come first of those that are alike, and its stack of its like."""
        first, width = self._first, self._width
        place = first[column]
        if first.count(place) > 1:
            self._put_stack_first(column // width)
            for other in range(column - column % width, column - column % width + width):
                if first[other] == place and other != column:
                    first[other] += 1

    def _put_stack_first(self, stack: int) -> None:
        first, width = self._first, self._width
        begin = first[stack * width] // width * width
        for other, place in enumerate(first):
            if begin <= place < begin + width and other // width != stack:
                first[other] += width

    def _choices(self, columns: list[int]) -> _Values:
        """The least value that one of these columns can have, and the columns that have it."""
        found: list[tuple[int, Sequence[int], _State]] = []
        before = self.state()
        for column in columns:
            self._first, self._origin, self._named = before.first[:], before.origin[:], before.named
            self._put_first(column)
            found.append((self._put(column), [column], self.state()))
        least = min(value for value, _, _ in found)
        choices = [(column, state) for value, column, state in found if value == least]
        _, _, self._first, self._origin, self._named = choices[0][1]
        return [least], choices if choices[1:] else []

    def _of_stacks(self, at: int, stacks: list[int]) -> _Values:
        """The same for stacks that are alike."""
        width = self._width
        columns = {stack: range(stack * width, stack * width + width) for stack in stacks}
        values = {each: self._value(each) for stack in stacks for each in columns[stack]}
        if None not in values.values():
            return self._sorted(at, [columns[stack] for stack in stacks], values), []
        empty = [stack for stack in stacks if not any(values[each] != 0 for each in columns[stack])]
        if empty:
            for stack in {*stacks}.difference(empty):
                for each in columns[stack]:
                    self._first[each] += len(empty) * width
            return [0] * len(empty) * width, []
        zeros = {
            stack: sum(values[each] == 0 and self._first[each] == at for each in columns[stack])
            for stack in stacks
        }
        before = self._first
        choices: list[tuple[Sequence[int], _State]] = []
        for stack in stacks:
            if zeros[stack] == max(zeros.values()):
                self._first = before[:]
                self._put_stack_first(stack)
                choices.append((columns[stack], self.state()))
        if len(choices) > 1:
            return [], choices
        return self.values(at)

    def _sorted(
        self, at: int, stacks: Sequence[Sequence[int]], values: dict[int, int | None]
    ) -> list[int]:
        """Put stacks, or the columns of one that are alike, in the order of their values."""
        rows = [
            sorted((self._first[column], values[column] or 0, column) for column in columns)
            for columns in stacks
        ]
        rows.sort(key=_unnamed)
        found: list[int] = []
        last, begin = None, at
        for row in rows:
            key = _unnamed(row)
            if key != last:
                last, begin = key, at + len(found)
            for place, value, column in row:
                self._first[column] = begin + key.index((place, value))
                found.append(self._put(column) if value == _NEW else value)
        return found


def _unnamed(row: list[tuple[int, int, int]]) -> list[tuple[int, int]]:
    return [(place, value) for place, value, _ in row]


def _placed(first: list[int], width: int) -> list[int]:
    """The columns in an order that these first positions allow."""
    stacks = range(0, len(first), width)
    order = sorted(stacks, key=lambda stack: min(first[stack : stack + width]))
    return [
        column
        for stack in order
        for column in sorted(range(stack, stack + width), key=first.__getitem__)
    ]
