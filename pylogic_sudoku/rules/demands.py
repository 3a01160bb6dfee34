"""Questions about a grid, demands on it, and their wording for people.

A *demand* is a tuple; engines get them as such.

==========================================  ===========================================
``("filled", row, column)``                 the cell holds a digit
``("single", row, column)``                 the cell does not hold two digits
``("at_least_once", kind, number, digit)``  the house holds the digit
``("at_most_once", kind, number, digit)``   the house does not hold the digit twice
``("house", kind, number)``                 the house holds every digit once
``("cells",)``                              every cell holds one digit
``("rule", rule)``                          a rule beyond plain sudoku, one of the layout's
``(row, column, digit)``                    a placement: the cell holds the digit
``("excluded", row, column, digit)``        the cell does not hold the digit
==========================================  ===========================================

All but the last two are rules. `kind` and `number` are those of a `House`; all numbers count from
1. An explanation names rules at one of two levels of detail: ``"rule"``, the first four, or
``"house"``, the fifth; then the sixth is taken for granted. Rules beyond plain sudoku, the seventh,
belong to both. They mean something only if every cell holds one digit, so in a puzzle that has such
rules the sixth is taken for granted at both levels, and the first two are never named. A mark of a
puzzle makes one ``excluded`` demand for each digit that it keeps out of its cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache, lru_cache
from itertools import product
from operator import index
from typing import TYPE_CHECKING, Any, Literal

from ..errors import InvalidPuzzle, listed
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Cell, CellLike, Layout, Placement

if TYPE_CHECKING:
    from .base import Rule


Demand = tuple[Any, ...]

Detail = Literal["rule", "house"]

_KINDS = ("row", "column", "box", "region")

# A demand on one cell or house, and on several.
_SENTENCES = {
    "filled": ("{} must hold a digit", "{} must each hold a digit"),
    "single": ("{} holds only one digit", "{} each hold only one digit"),
    "at_least_once": ("{} must hold {}", "{} must each hold {}"),
    "at_most_once": ("{} holds {} only once", "{} each hold {} only once"),
    "house": ("{} holds every digit once", "{} each hold every digit once"),
    "excluded": ("{} may not hold {} (mark)", "{} may not hold {} (marks)"),
}


class SudokuRule(tuple[Any, ...]):
    """One of the rules of a puzzle; its text is what a person would say.

    A rule beyond plain sudoku is ``("rule", rule)``, with the rule itself.

    >>> print(SudokuRule(("at_least_once", "row", 3, 8)))
    row 3 must hold an 8
    """

    __slots__ = ()

    @property
    def beyond(self) -> Rule | None:
        """The rule beyond plain sudoku that it is; None if it is one of plain sudoku."""
        return self[1] if self[0] == "rule" else None

    def to_json(self) -> dict[str, Any] | list[Any]:
        """Its parts; of a rule beyond plain sudoku, the JSON."""
        return list(self) if self.beyond is None else self.beyond.to_json()

    def __str__(self) -> str:
        return next(sentences([self]))


CELLS = SudokuRule(("cells",))


def rules(layout: Layout, detail: Detail = "rule") -> list[SudokuRule]:
    """Every rule at this level of detail; ValueError for another.

    >>> len(rules(Layout((3, 3)))), len(rules(Layout((3, 3)), "house"))
    (648, 27)
    """
    if detail == "house":
        return [*_houses_of(layout), *beyond(layout)]
    if detail != "rule":
        raise ValueError(f"detail must be 'rule' or 'house', not {detail!r}")
    digits = range(1, layout.size + 1)
    of_houses = [
        SudokuRule((name, house.kind, house.number, digit))
        for name in ("at_least_once", "at_most_once")
        for house in layout.houses
        for digit in digits
    ]
    return [*([] if layout.rules else cell_rules(layout)), *of_houses, *beyond(layout)]


def hard_rules(layout: Layout, detail: Detail = "rule") -> tuple[SudokuRule, ...]:
    """The demands that explanations at this level of detail take for granted."""
    return (CELLS,) if layout.rules or detail == "house" else ()


def beyond(layout: Layout) -> list[SudokuRule]:
    """The rules beyond plain sudoku; equal ones are one."""
    return [SudokuRule(("rule", rule)) for rule in dict.fromkeys(layout.rules)]


def _houses_of(layout: Layout) -> list[SudokuRule]:
    return [SudokuRule(("house", house.kind, house.number)) for house in layout.houses]


def cell_rules(layout: Layout) -> list[SudokuRule]:
    """The rules that ``("cells",)`` stands for."""
    return [SudokuRule((name, *cell)) for name in ("filled", "single") for cell in layout.cells]


def known_rules(layout: Layout) -> tuple[SudokuRule, ...]:
    """Every rule of this layout that a demand may be, whatever the level of detail."""
    return (CELLS, *cell_rules(layout), *rules(layout), *_houses_of(layout))


def all_rules(layout: Layout) -> tuple[SudokuRule, ...]:
    """All rules: one digit per cell, every house rule, and the rules beyond these."""
    return (CELLS, *rules(layout, "house"))


def house_rules(layout: Layout) -> tuple[SudokuRule, ...]:
    """The rules of plain sudoku: one digit per cell, and every house rule."""
    return (CELLS, *_houses_of(layout))


def exclusions(puzzle: Grid | Puzzle) -> tuple[Demand, ...]:
    """The demands of the marks of the puzzle."""
    return tuple(("excluded", *placement) for placement in puzzle.excluded)


def is_placement(demand: Demand) -> bool:
    """True for a row, a column and a digit."""
    return isinstance(demand[0], int)


def sorted_out(
    demands: Iterable[Demand],
) -> tuple[tuple[SudokuRule, ...], tuple[Placement, ...], tuple[Placement, ...]]:
    """The rules among the demands, the placements, and the placements that are excluded."""
    rules, placements, excluded = list[SudokuRule](), list[Placement](), list[Placement]()
    for demand in demands:
        if is_placement(demand):
            placements.append(Placement(*demand))
        elif demand[0] == "excluded":
            excluded.append(Placement(*demand[1:]))
        else:
            rules.append(SudokuRule(demand))
    return tuple(rules), tuple(placements), tuple(excluded)


def as_cell(cell: CellLike, puzzle: Grid | Puzzle) -> Cell:
    """The cell; InvalidPuzzle if the puzzle does not have it."""
    try:
        return Cell.of(cell, puzzle.size)
    except IndexError as error:
        raise InvalidPuzzle(str(error)) from None


def as_digit(digit: int, puzzle: Grid | Puzzle) -> int:
    """The digit; InvalidPuzzle if the puzzle does not have it."""
    with suppress(TypeError):
        if 1 <= (number := index(digit)) <= puzzle.size and not isinstance(digit, bool):
            return number
    raise InvalidPuzzle(f"{digit!r} is not a digit of this puzzle; expected 1 to {puzzle.size}")


def sentences(several: Iterable[Demand]) -> Iterator[str]:
    """Rules as short sentences; rules that demand the same of several subjects share one.

    >>> once = [("at_most_once", "row", 3, 5), ("at_most_once", "box", 1, 5)]
    >>> list(sentences([*once, ("single", 1, 2)]))
    ['row 3 and box 1 each hold 5 only once', 'r1c2 holds only one digit']
    """
    several = list(several)
    by_digit: dict[Demand, list[Any]] = {}
    for rule in several:
        if rule[0] == "rule":
            continue
        by_digit.setdefault((rule[0], *rule[3:]), []).append(rule[1:3])
    by_subject: dict[tuple[Any, ...], list[Any]] = {}
    for (name, *digit), subjects in by_digit.items():
        by_subject.setdefault((name, *sorted(subjects, key=_reading_order)), []).extend(digit)
    for (name, *about), digits in by_subject.items():
        if name == "cells":
            yield "every cell holds one digit"
            continue
        who = _cells(about) if name in ("filled", "single") else _houses(about)
        what = listed(_a(digit) if name == "at_least_once" else digit for digit in sorted(digits))
        yield _SENTENCES[str(name)][len(about) > 1].format(who, what)
    yield from (str(rule[1]) for rule in several if rule[0] == "rule")


def mark_sentences(excluded: Iterable[Placement]) -> Iterator[str]:
    """The exclusions by marks as short sentences; cells that lose the same digits share one.

    >>> list(mark_sentences([Placement(1, 2, 4), Placement(1, 2, 6), Placement(3, 1, 1)]))
    ['r1c2 may not hold 4 or 6 (mark)', 'r3c1 may not hold 1 (mark)']
    """
    by_cell: dict[Demand, list[int]] = {}
    for placement in sorted(excluded):
        by_cell.setdefault(placement.cell, []).append(placement.digit)
    by_digits: dict[tuple[int, ...], list[Demand]] = {}
    for cell, excluded_digits in by_cell.items():
        by_digits.setdefault(tuple(excluded_digits), []).append(cell)
    for digits, cells in by_digits.items():
        yield _SENTENCES["excluded"][len(cells) > 1].format(_cells(cells), listed(digits, "or"))


def cells_in(placements: Iterable[Placement]) -> tuple[Cell, ...]:
    """The cells of the placements, each once."""
    return tuple(dict.fromkeys(placement.cell for placement in placements))


@cache
def every_placement(size: int) -> frozenset[Placement]:
    """Every digit in every cell."""
    numbers = range(1, size + 1)
    return frozenset(Placement(*each) for each in product(numbers, numbers, numbers))


@lru_cache(20_000)
def placements_of(rule: Demand, layout: Layout) -> frozenset[Placement]:
    """The placements that meet a rule of plain sudoku: one of them must, or at most one may.

    InvalidPuzzle if it is another rule, or one of another layout.
    """
    match rule:
        case ("filled" | "single", int(row), int(column)):
            return frozenset(Placement(row, column, digit + 1) for digit in range(layout.size))
        case ("at_least_once" | "at_most_once", str(kind), int(number), int(digit)):
            for house in layout.houses:
                if house[:2] == (kind, number):
                    return frozenset(Placement(*cell, digit) for cell in house.cells)
    raise InvalidPuzzle(f"{rule!r} is not a rule of {layout} that one placement can meet")


def placements_of_all(rules: Iterable[Demand], layout: Layout) -> frozenset[Placement]:
    """The placements that meet any of the rules; none meets a rule beyond plain sudoku."""
    return frozenset().union(*(placements_of(rule, layout) for rule in rules if rule[0] != "rule"))


def in_words(placements: Iterable[tuple[int, int, int]]) -> str:
    """Placements as a person lists them.

    >>> in_words([(3, 2, 5), (1, 1, 4)])
    'r3c2 = 5 and r1c1 = 4'
    """
    return listed(f"r{row}c{column} = {digit}" for row, column, digit in placements)


def _cells(cells: Iterable[Any]) -> str:
    return listed(f"r{row}c{column}" for row, column in cells)


def _houses(several: Iterable[Any]) -> str:
    numbers: dict[str, list[int]] = {}
    for kind, number in several:
        numbers.setdefault(kind, []).append(number)
    return listed(
        f"{kind} {of_kind[0]}" if len(of_kind) == 1 else f"{_plural(kind)} {listed(of_kind)}"
        for kind, of_kind in numbers.items()
    )


def _reading_order(subject: tuple[Any, ...]) -> tuple[Any, ...]:
    """Rows precede columns, and columns precede boxes; cells are sorted row by row."""
    first, *rest = subject or (0,)
    return (_KINDS.index(first) if first in _KINDS else first, *rest)


def _plural(kind: str) -> str:
    return "boxes" if kind == "box" else f"{kind}s"


def _a(digit: object) -> str:
    """The digit with its article: 8, 11 and 18 begin with a vowel."""
    return f"{'an' if digit in (8, 11, 18) else 'a'} {digit}"
