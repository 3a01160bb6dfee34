"""Lines: what the digits do from one cell to the next.

A line may be a loop that comes back to its first cell, which is then named twice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import chain, combinations, pairwise
from operator import eq, le, lt
from typing import Any

from ..errors import InvalidPuzzle, counted
from ..puzzle.cells import Cell, Cells, Layout
from .automata import OTHERS, digits_in, of_regex
from .base import (
    MIXED,
    NONE,
    PLAIN,
    Digits,
    Example,
    Line,
    LineOfTwoEnds,
    NumberGroups,
    NumberGroupsField,
    NumbersField,
    Part,
    Positive,
    Rule,
    Split,
    rule,
)
from .sets import thirds


@rule
class Thermometer(Split):
    """The digits increase from the bulb, the first cell; in a slow one they may stay the same."""

    cells: Line
    slow: bool = False

    example = Example({"cells": "r2c3 r1c2 r1c3"}, PLAIN, MIXED)

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(le if self.slow else lt, pairwise(self.cells))


@rule
class Whispers(Split):
    """Neighbours on the line differ by at least 5, or another difference, such as 4 if Dutch."""

    cells: Line
    difference: Positive = 5

    example = Example({"cells": "r1c1 r1c2 r2c3", "difference": 2}, MIXED, PLAIN)

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(lambda one, other: abs(one - other) >= self.difference, pairwise(self.cells))


@rule
class Renban(Split):
    """The digits are consecutive and all different, in any order."""

    cells: Line

    example = Example({"cells": "r1c1 r1c2 r1c3"}, MIXED, "1243 3412 2134 4321")

    def parts(self, layout: Layout) -> Iterator[Part]:
        cells = dict.fromkeys(self.cells)
        yield Part(lambda one, other: 0 < abs(one - other) < len(cells), combinations(cells, 2))


@rule
class Nabner(Split):
    """No two digits are the same or consecutive, wherever they are on the line."""

    cells: Line

    example = Example({"cells": "r1c1 r1c2"}, MIXED, PLAIN)

    def parts(self, layout: Layout) -> Iterator[Part]:
        pairs = combinations(dict.fromkeys(self.cells), 2)
        yield Part(lambda one, other: abs(one - other) > 1, pairs)


@rule
class Palindrome(Split):
    """The digits are the same from both ends; that in the middle of an odd line is free."""

    cells: Line

    example = Example({"cells": "r1c1 r2c2 r2c3"}, PLAIN, "1234 3421 2143 4312")

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(eq, _mirrored(self.cells))


@rule
class ParityPalindrome(Split):
    """Two digits at the same distance from the middle of the line are both even or both odd."""

    cells: Line

    example = Example({"cells": "r1c1 r1c2 r1c3"}, PLAIN, "1243 3412 2134 4321")

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(lambda one, other: one % 2 == other % 2, _mirrored(self.cells))


@rule
class BetweenLine(Split):
    """The digits on the line are greater than that of one end and less than that of the other."""

    cells: LineOfTwoEnds

    example = Example({"cells": "r1c1 r1c2 r1c3"}, PLAIN, MIXED)

    def parts(self, layout: Layout) -> Iterator[Part]:
        first, last = self.cells[0], self.cells[-1]
        yield Part(
            lambda one, digit, other: min(one, other) < digit < max(one, other),
            [(first, cell, last) for cell in self.cells[1:-1]],
        )


@rule
class LockoutLine(Split):
    """The two ends differ by at least 4, and no digit on the line is one of theirs or between them.

    The usual difference on an n x n grid is n // 2.
    """

    cells: LineOfTwoEnds
    difference: Positive = 4

    example = Example({"cells": "r1c1 r1c2 r1c3", "difference": 1}, MIXED, PLAIN)

    def parts(self, layout: Layout) -> Iterator[Part]:
        first, last = self.cells[0], self.cells[-1]

        def apart(one: int, other: int) -> bool:
            return abs(one - other) >= self.difference

        def locked_out(one: int, digit: int, other: int) -> bool:
            return apart(one, other) and not min(one, other) <= digit <= max(one, other)

        yield Part(apart, [(first, last)])
        yield Part(locked_out, [(first, cell, last) for cell in self.cells[1:-1]])


@rule
class EntropicLine(Split):
    """Of any three successive cells, one is low, one in the middle and one high.

    Two cells alone are of different thirds. If there are no equal thirds, there are as many low
    digits as high ones: 1 / 2, 3 / 4 and 1, 2 / 3 / 4, 5.
    """

    cells: Line

    example = Example({"cells": "r1c1 r1c2 r2c2"}, PLAIN, "1234 4321 2143 3412")

    def parts(self, layout: Layout) -> Iterator[Part]:
        third = {digit: each for each in thirds(layout.size) for digit in each}
        yield Part(lambda one, other: third[one] != third[other], _near(self.cells, 3))


@rule
class ModularLine(Split):
    """Any three successive cells have different remainders by 3; another modulus works likewise."""

    cells: Line
    modulus: int = 3

    example = Example({"cells": "r1c1 r1c2 r1c3"}, PLAIN, "1423 2314 3142 4231")

    def problems(self, layout: Layout) -> Iterator[str]:
        if self.modulus < 1:
            yield f"the modulus is {self.modulus}; expected 1 or more"

    def parts(self, layout: Layout) -> Iterator[Part]:
        yield Part(
            lambda one, other: (one - other) % self.modulus != 0, _near(self.cells, self.modulus)
        )


@rule
class Automaton(Rule):
    """The digits match a regular expression, or are accepted by a finite automaton.

    An expression such as ``"[1-3]*(4|5.)"``, in which digits over 9 are letters, is about the whole
    line. An automaton has `start` states, `accepting` states and `arcs`. An arc is a state, a digit
    and the next state; the digit 0 stands for every digit that no other arc from its state names.
    Several arcs from a state may have the same digit: one way to an accepting state is enough.
    """

    cells: Line
    regex: str = ""
    start: NumbersField = NONE
    accepting: NumbersField = NONE
    arcs: NumberGroupsField = NONE
    name: str = ""
    """A name for people."""

    example = Example({"cells": "r1c1 r1c2 r1c3", "regex": "[12]+3"}, PLAIN, MIXED)

    def __post_init__(self) -> None:
        Rule.__post_init__(self)
        object.__setattr__(self, "regex", "".join(self.regex.split()))
        if self.regex:
            try:
                automaton = of_regex(self.regex, len(self.cells))
            except InvalidPuzzle as error:
                raise InvalidPuzzle(f"{self.title}: regex: {error}") from None
            # A copy of a rule, field by field, brings along the automaton of its expression.
            if (self.start, self.accepting, self.arcs) not in (automaton, ((), (), ())):
                raise InvalidPuzzle(f"{self.title}: expected a regex or an automaton, not both")
            for field, value in automaton._asdict().items():
                object.__setattr__(self, field, value)

    def given(self) -> Iterator[tuple[str, Any]]:
        derived = ("start", "accepting", "arcs") if self.regex else ()
        return (each for each in Rule.given(self) if each[0] not in derived)

    def without_cells(self) -> str:
        states = {state for arc in self.arcs for state in arc[::2]}
        words = ", ".join(filter(None, (self.name, self.regex)))
        return f"{self.title} ({words or counted(len(states), 'state')})"

    def problems(self, layout: Layout) -> Iterator[str]:
        n = layout.size
        if not self.regex and not (self.start and self.accepting and self.arcs):
            yield "expected a regex, or start, accepting and arcs"
        for digit in sorted(digits_in(self.regex) if self.regex else ()):
            if digit > n:
                yield f"{digit} is not a digit from 1 to {n}"
        for arc in self.arcs:
            if len(arc) != 3:
                yield f"an arc is {list(arc)}; expected a state, a digit and a state"
            elif not 0 <= arc[1] <= n:
                yield f"the arc {list(arc)} has no digit from 1 to {n}, or 0 for all others"
        known = {state for arc in self.arcs for state in arc[::2]}
        for field in ("start", "accepting"):
            for state in getattr(self, field):
                if state not in known:
                    yield f"{field} has the state {state}, which is in no arc"

    def impossible(self, layout: Layout) -> Iterator[str]:
        n, length = layout.size, len(self.cells)
        moves, states = _moves(self.arcs, n), {*self.start}
        for _ in self.cells:
            states = {
                to
                for at in states
                for digit in range(1, n + 1)
                for to in moves.get((at, digit), ())
            }
        if states.isdisjoint(self.accepting):
            yield f"it accepts no {counted(length, 'digit')} from 1 to {n}"

    def holds(self, digits: Digits) -> bool:
        moves = _moves(self.arcs, digits.layout.size)
        states = {*self.start}
        for cell in self.cells:
            states = set(chain(*(moves.get((at, digits[cell]), ()) for at in states)))
            if not states:  # whatever the other cells hold
                return False
        return not states.isdisjoint(self.accepting)


@lru_cache(64)
def _moves(arcs: NumberGroups, size: int) -> Mapping[tuple[int, int], tuple[int, ...]]:
    """The next states, by a state and a digit up to this size."""
    moves: dict[tuple[int, int], tuple[int, ...]] = {}
    for at, digit, to in arcs:
        if digit != OTHERS:
            moves[at, digit] = (*moves.get((at, digit), ()), to)
    named = {*moves}
    for at, digit, to in arcs:
        if digit == OTHERS:
            for other in range(1, size + 1):
                if (at, other) not in named:
                    moves[at, other] = (*moves.get((at, other), ()), to)
    return moves


def _mirrored(cells: Cells) -> Iterator[tuple[Cell, Cell]]:
    """Each two cells at the same distance from the middle."""
    return zip(cells[: len(cells) // 2], cells[::-1], strict=False)


def _near(cells: Cells, width: int) -> Iterator[Cells]:
    """The pairs of cells among this many successive ones."""
    for apart in range(1, width):
        yield from zip(cells, cells[apart:], strict=False)
