"""Reasons why a program loses a solution, or has a wrong answer: places in its text.

Below are the grids on which a program is tested: those that show which houses it never mentions,
and those that differ a little from a solution.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from math import gcd
from random import Random
from typing import Any, Literal, NamedTuple, get_args

from ..engines.process import Ended, Limits
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import Box, Cell

Kind = Literal[
    "constraint",
    "underived",
    "unsatisfiable",
    "goal",
    "unbound",
    "loop",
    "error",
    "slow",
    "too many",
    "cost",
    "unfound",
    "house",
    "none",
    "stopped",
]


class Place(NamedTuple):
    """A place in a program."""

    file: str
    """As the report names it: ``main.pl``, without its folder."""
    line: int
    column: int
    """From 1; 0 if it is not known."""
    text: str
    """The statement or goal, on one line."""
    words: str
    """Its effect on the solution, such as ``fails: all_distinct([5,3,4,6,7,8,9,1,1])``."""

    @property
    def where(self) -> str:
        """The file and the line."""
        return f"{self.file}, line {self.line}"

    def __str__(self) -> str:
        return f"{self.where}: `{self.text}` {self.words}".rstrip()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The reason why a program loses a solution, or has a wrong answer."""

    kind: Kind
    summary: str
    """One sentence."""
    places: tuple[Place, ...] = ()
    """The most likely first."""
    seconds: float = 0.0
    """The time that this diagnosis took."""
    reason: str = ""
    """The part of the summary that says why a lost answer is lost; empty for any other."""

    def __str__(self) -> str:
        return "\n".join([self.summary, *map(str, self.places)])

    def to_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "kind": self.kind,
            "summary": self.summary,
            "places": [place._asdict() for place in self.places],
            "seconds": self.seconds,
        }


STOPPED = {
    True: "the time for the explanation is over",
    False: "the program ended before the explanation was there",
}
_MOST_PLACES = 8
WIDTH = 500
"""Characters of a line that a program writes."""


def diagnosis_of(lines: list[Any], ended: Ended, limits: Limits) -> Diagnosis:
    """Return the last diagnosis that an explaining process has written; it is the best one.

    The program runs in that process and may write, too, so nothing about a line is certain.
    """
    diagnoses = [line[1:] for line in lines if line[:1] == ["found"]]
    if not diagnoses and any(line[:2] == ["failed", "memory"] for line in lines):
        words = f"the explanation needs more than {limits.megabytes} MB of memory"
        return Diagnosis("stopped", words, seconds=ended.seconds)
    try:
        kind, summary, rows = diagnoses[-1]
        if kind not in get_args(Kind):
            raise ValueError(kind)
        places = tuple(map(_place, rows[:_MOST_PLACES]))
        return Diagnosis(kind, _plain(summary), places, ended.seconds)
    except (LookupError, ValueError, TypeError):
        return Diagnosis("stopped", STOPPED[ended.code is None], seconds=ended.seconds)


def _place(row: list[Any]) -> Place:
    file, line, column, text, words = row
    return Place(_plain(file), int(line), int(column), _plain(text), _plain(words))


def plain(text: str) -> str:
    """Return lines in which a program can fake neither a verdict nor terminal control codes."""
    return "\n".join(printable(line.expandtabs()) for line in text.splitlines())


def printable(text: str) -> str:
    """Return the text on one line, with ``?`` for all that does not show itself.

    These are control characters, marks of the direction of writing, and bytes of file names that
    are not UTF-8.
    """
    return "".join(c if c.isprintable() else "?" for c in text)


def _plain(text: object) -> str:
    """Return a text on one line of bounded length; TypeError if it is none."""
    if not isinstance(text, str):
        raise TypeError(text)
    return " ".join(plain(text).split())[:WIDTH]


# --- grids to ask about ----------------------------------------------------------------------

KINDS = {"row": "rows", "column": "columns", "box": "boxes"}
"""The kinds of houses, and their plurals."""
_Rows = list[list[int]]
_MOST = 40
"""Grids that are enough up to 9x9; larger ones would take a program too long."""


def violated_kinds(wrong: Grid, puzzle: Grid | Puzzle) -> list[str]:
    """Return the kinds of houses that the grid breaks.

    Empty if it is not full, or if the puzzle has regions or rules: then houses are other cells.
    """
    if isinstance(puzzle, Puzzle) or 0 in wrong.digits:
        return []
    broken = {name for duplicate in wrong.duplicates() for name in duplicate.houses}
    broken_kinds = {house.kind for house in puzzle.houses if str(house) in broken}
    return [kind for kind in KINDS if kind in broken_kinds]


@lru_cache(maxsize=16)
def without(kind: str, box: Box) -> tuple[Grid, ...]:
    """Return full grids that break houses of this kind, and no others.

    Any two cells that no other house keeps apart hold the same digit in one of these grids. So no
    constraint on two cells of such a house agrees with all of them. Empty for large boxes.
    """
    high, wide = box
    if kind == "column":
        turned = without("row", (wide, high))
        return tuple(Grid.from_rows(zip(*grid.rows, strict=True), box) for grid in turned)
    kinds: dict[tuple[Cell, Cell], set[str]] = {}
    for house in Grid((0,) * (high * wide) ** 2, box).houses:
        for pair in combinations(sorted(house.cells), 2):
            kinds.setdefault(pair, set()).add(house.kind)
    uncovered_pairs = {pair for pair, each in kinds.items() if each == {kind}}
    grids = []
    for rows in _boxes_broken(high * wide) if kind == "box" else _rows_broken(high, wide):
        grid = Grid.from_rows(rows, box)
        covered = {pair for pair in uncovered_pairs if grid[pair[0]] == grid[pair[1]]}
        if covered:
            uncovered_pairs -= covered
            grids.append(grid)
        if not uncovered_pairs:
            return tuple(grids)
        if len(grids) == _MOST:
            break
    return ()


def _boxes_broken(n: int) -> Iterator[_Rows]:
    """Yield Latin squares: each row is 1 to n, moved by another number of places."""
    random = Random(1)
    for factor in range(1, n):
        if gcd(factor, n) == 1:
            yield _moved([factor * row % n for row in range(n)])
    while True:
        yield _moved(random.sample(range(n), n))


def _moved(moves: list[int]) -> _Rows:
    n = len(moves)
    return [[(column + move) % n + 1 for column in range(n)] for move in moves]


def _rows_broken(high: int, wide: int) -> Iterator[_Rows]:
    """Yield grids whose stacks are the same one, with its columns in another order."""
    random = Random(1)
    n = high * wide
    stack = [
        [(wide * (row % high) + row // high + column) % n + 1 for column in range(wide)]
        for row in range(n)
    ]
    for turn in range(wide):
        shifted = [[(i + turn * j) % wide for i in range(wide)] for j in range(high)]
        yield _side_by_side(stack, shifted)
    while True:
        yield _side_by_side(stack, [random.sample(range(wide), wide) for _ in range(high)])


def _side_by_side(stack: _Rows, orders: list[list[int]]) -> _Rows:
    return [[row[i] for order in orders for i in order] for row in stack]


def neighbours(solution: Grid, plain: bool) -> tuple[list[Grid], list[Grid]]:
    """Return grids that are right if the solution is, and grids that are wrong.

    Of a `plain` puzzle, which has boxes and no rules, each wrong one breaks houses of one kind.
    """
    n, box, high = solution.size, solution.box, solution.box[0]
    right = [solution]
    if plain:
        right.append(Grid(tuple(n + 1 - digit for digit in reversed(solution.digits)), box))

    def exchanged(one: int, two: int, number: int = 1) -> Grid:
        digits = list(solution.digits)
        digits[one : one + number], digits[two : two + number] = (
            digits[two : two + number],
            digits[one : one + number],
        )
        return Grid(tuple(digits), box)

    wrong = []
    for at in (0, (n - high) * n):
        # Two cells of a box, and two rows of different boxes, change places.
        wrong += [exchanged(at, at + step) for step in (n, 1) if step == 1 or high > 1]
        swapped = (exchanged(at, row * n, n) for row in range(n) if plain and row * n != at)
        wrong += [grid for grid in swapped if grid.duplicates()][:1]
    return right, wrong
