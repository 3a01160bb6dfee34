"""Each constraint of ISS and f-puzzles, beside what its site says of it, in plain Python.

Both engines share one reading of a document, so comparing them never finds a wrong one. Here a grid
is a list of rows, and a reading is a test of it that knows nothing of our rules.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import chain, combinations, pairwise, product

import pytest

import pylogic_sudoku as pls
from pylogic_sudoku import Puzzle
from pylogic_sudoku.formats import fpuzzles, iss

Rows = list[list[int]]
Reading = Callable[[Rows], object]
Place = tuple[int, int]

# --- all grids, by trying -------------------------------------------------------------------------


def boxes(rows: int, columns: int) -> list[list[Place]]:
    """The places of each box, from 0."""
    n = rows * columns
    corners = product(range(0, n, rows), range(0, n, columns))
    return [[(x + i, y + j) for i in range(rows) for j in range(columns)] for x, y in corners]


def by_label(labels: str) -> list[list[Place]]:
    """The places of each label but 0, row by row."""
    n = int(len(labels) ** 0.5)
    found: dict[str, list[Place]] = {}
    for at, label in enumerate(labels):
        if label != "0":
            found.setdefault(label, []).append(divmod(at, n))
    return list(found.values())


def grids(givens: Rows, areas: list[list[Place]]) -> Iterator[Rows]:
    """Every way to fill the zeros, so that no row, column or area has a digit twice."""
    n = len(givens)
    rows = [[(at, y) for y in range(n)] for at in range(n)]
    columns = [[(x, at) for x in range(n)] for at in range(n)]
    seen = {
        place: {other for area in (*rows, *columns, *areas) if place in area for other in area}
        for place in product(range(n), repeat=2)
    }

    def fill(grid: Rows) -> Iterator[Rows]:
        open_ = [(x, y) for x, y in seen if not grid[x][y]]
        if not open_:
            yield [row[:] for row in grid]
            return
        fits = {
            (x, y): set(range(1, n + 1)) - {grid[i][j] for i, j in seen[x, y]} for x, y in open_
        }
        x, y = min(open_, key=lambda place: len(fits[place]))
        for digit in fits[x, y]:
            grid[x][y] = digit
            yield from fill(grid)
        grid[x][y] = 0

    yield from fill([row[:] for row in givens])


@cache
def _known(givens: str, areas: str) -> list[Rows]:
    n = int(len(givens) ** 0.5)
    rows = [list(map(int, givens[at : at + n])) for at in range(0, n * n, n)]
    found = (boxes(2, 2) if each == "2x2" else by_label(each) for each in areas.split("+"))
    return list(grids(rows, list(chain(*found))))


NO_BOXES = "0" * 16
NINE = "291354678846917352537268491925673814678142539314895726483521967159786243762439185"
"""A grid of which some digits are taken."""


def line(grid: Rows, places: str) -> list[int]:
    """The digits at places such as ``11 12``, row and column from 1."""
    return [grid[int(x) - 1][int(y) - 1] for x, y in places.split()]


def on(places: str, test: Callable[..., object]) -> Reading:
    """A test that takes each of these digits."""
    return lambda grid: test(*line(grid, places))


def together(places: str, test: Callable[[list[int]], object]) -> Reading:
    """A test that takes a list of these digits."""
    return lambda grid: test(line(grid, places))


# --- what the sites say ---------------------------------------------------------------------------


def rising(digits: list[int]) -> bool:
    return all(one < other for one, other in pairwise(digits))


def unlike(digits: list[int]) -> bool:
    return len(set(digits)) == len(digits)


def run(digits: list[int]) -> bool:
    return unlike(digits) and max(digits) - min(digits) < len(digits)


def splits(digits: list[int], total: int) -> bool:
    """Into pieces from the front, each with this sum."""
    return not digits or any(
        sum(digits[:at]) == total and splits(digits[at:], total) for at in range(1, len(digits) + 1)
    )


def between(digits: list[int], low: int, high: int) -> int:
    first, last = sorted((digits.index(low), digits.index(high)))
    return sum(digits[first + 1 : last])


def seen(digits: list[int]) -> int:
    return sum(digit > max(digits[:at], default=0) for at, digit in enumerate(digits))


def first_hidden(digits: list[int]) -> int:
    hidden = (digit for at, digit in enumerate(digits) if digit < max(digits[:at], default=0))
    return next(hidden, 0)


def subset_sums(digits: list[int]) -> set[int]:
    return {sum(each) for k in range(len(digits)) for each in combinations(digits, k + 1)}


def touching(grid: Rows, *steps: Place) -> Iterator[tuple[int, int]]:
    """The digits of each two places that are one of these steps apart."""
    n = len(grid)
    for x, y in product(range(n), repeat=2):
        for down, right in steps:
            if 0 <= x + down < n and 0 <= y + right < n:
                yield grid[x][y], grid[x + down][y + right]


SIDES = ((0, 1), (1, 0))


def apart(*steps: Place) -> Reading:
    return lambda grid: all(one != other for one, other in touching(grid, *steps))


def far_enough(grid: Rows) -> bool:
    """No digit N is N steps along rows and columns away from another N."""
    places = list(product(range(len(grid)), repeat=2))
    return not any(
        grid[x][y] == grid[i][j] == abs(x - i) + abs(y - j)
        for (x, y), (i, j) in combinations(places, 2)
    )


def kropki(one: int, other: int) -> bool:
    return abs(one - other) == 1 or 2 * one == other or one == 2 * other


def third(digit: int, n: int) -> int:
    """0, 1 or 2; of four digits, two are in the middle, and of five, one is."""
    outer = {4: 1, 5: 2, 9: 3}[n]
    return 0 if digit <= outer else 2 if digit > n - outer else 1


def entropic(digits: list[int], n: int) -> bool:
    windows = [digits] if len(digits) < 3 else zip(digits, digits[1:], digits[2:], strict=False)
    return all(unlike([third(digit, n) for digit in window]) for window in windows)


def modular(digits: list[int], n: int) -> bool:
    window = min(n, len(digits))
    return all(
        unlike([digit % n for digit in digits[at : at + window]])
        for at in range(len(digits) - window + 1)
    )


def strict(relation: Callable[[int, int], bool], *marked: tuple[Place, Place]) -> Reading:
    """No two places side by side have the relation, but for these pairs of places, which have."""

    def test(grid: Rows) -> bool:
        n = len(grid)
        places = product(range(n), repeat=2)
        pairs = [((x, y), (x + i, y + j)) for x, y in places for i, j in SIDES]
        return all(
            relation(grid[a][b], grid[c][d]) is (((a, b), (c, d)) in marked)
            for (a, b), (c, d) in pairs
            if max(c, d) < n
        )

    return test


def less_than_sides(*places: Place, sign: int = 1) -> Reading:
    def test(grid: Rows) -> bool:
        n = len(grid)
        return all(
            sign * grid[x][y] < sign * grid[x + i][y + j]
            for x, y in places
            for i, j in (*SIDES, (0, -1), (-1, 0))
            if 0 <= x + i < n and 0 <= y + j < n and (x + i, y + j) not in places
        )

    return test


def indexing(x: int, y: int, area: list[Place] | None = None, rows: bool = False) -> Reading:
    """The digit V of this place: place V of its row, column or area holds its own number."""

    def test(grid: Rows) -> bool:
        v = grid[x][y] - 1
        if area:
            return grid[area[v][0]][area[v][1]] == area.index((x, y)) + 1
        return grid[v][y] == x + 1 if rows else grid[x][v] == y + 1

    return test


def runs_equal(areas: list[list[Place]], places: str, skip: bool = True) -> Reading:
    """Runs of the line in one area have one sum; places of none are passed over, or are a run."""

    def test(grid: Rows) -> bool:
        sums: list[int] = []
        before: object = "none so far"
        for x, y in ((int(a) - 1, int(b) - 1) for a, b in places.split()):
            area = next((number for number, area in enumerate(areas) if (x, y) in area), None)
            if area is None and skip:
                continue
            if area != before:
                sums.append(0)
            sums[-1] += grid[x][y]
            before = area
        return len(set(sums)) <= 1

    return test


def places_differ(areas: list[list[Place]]) -> Reading:
    """Group K, which is the K-th place of each area, has no digit twice."""
    return lambda grid: all(
        unlike([grid[x][y] for x, y in group]) for group in zip(*areas, strict=True)
    )


def table(key: str, text: str, n: int = 4) -> set[tuple[int, int]]:
    """The pairs of digits that a table has: 6 bits for each character, from the lowest one on."""
    bits = [key.index(letter) >> at & 1 for letter in text for at in range(6)]
    return {(at // n + 1, at % n + 1) for at, bit in enumerate(bits) if bit}


LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
PIECES = "1112122233343444"
SOME = "1100110000330033"
"""Pieces of two of the boxes."""
ANY: Reading = lambda _: True  # noqa: E731
NONE: Reading = lambda _: False  # noqa: E731

# --- ISS ------------------------------------------------------------------------------------------

SEGMENTS = (
    "VQFD8EIMQX4QYgyPwxBh0viDDkJ_GHIJUgLccglWZBK0SWINwRglBOCkFYLQYCUNcs7LRj3HXjXvwQxPjklmCW-eimobR"
    "gTH12W3HdeNG8aE18EMRx4YjhxHBOfJLNe-Wa8881547z30U1YPpqwxfVhigfDFB9lt2T7bss33ZZ6Pyz0JCePFAKB89CR6"
    "EhJA"
)
SMALL = ".Shape~4x4"
ISS: list[tuple[str, Reading]] = [
    (".~R1C1_1.~R1C2_2_3", on("11 12", lambda a, b: a == 1 and b in (2, 3))),
    (".Thermo~R1C1~R1C2~R2C3", together("11 12 23", rising)),
    (".Thermo~R1C1~R3C3", together("11 33", rising)),
    (".Thermo~R1C1", ANY),
    (".Palindrome~R1C1~R1C2~R2C4~R3C1", on("11 12 24 31", lambda a, b, c, d: (a, b) == (d, c))),
    (".Palindrome~R1C1", ANY),
    (".Renban~R1C1~R3C3~R3C4", together("11 33 34", run)),
    (".Renban~R1C1~R1C2~R1C3~R2C3~R2C2", NONE),
    (".Renban~R1C1", ANY),
    (".Whisper~2~R1C1~R2C3~R3C2", on("11 23 32", lambda a, b, c: abs(a - b) > 1 < abs(b - c))),
    (".Whisper~R1C1~R1C2", NONE),
    (".Between~R1C1~R3C3~R4C2~R1C4", on("11 33 42 14", lambda a, b, c, d: (
        min(a, d) < min(b, c) and max(b, c) < max(a, d)
    ))),
    (".Between~R1C1~R1C2", ANY),
    (".Between~R1C1", ANY),
    (".Lockout~2~R1C1~R3C3~R1C4", on("11 33 14", lambda a, b, c: (
        abs(a - c) >= 2 and not min(a, c) <= b <= max(a, c)
    ))),
    (".Lockout~2~R1C1", NONE),
    (".RegionSumLine~R1C1~R2C2~R3C3~R3C4~R4C1", runs_equal(boxes(2, 2), "11 22 33 34 41")),
    (".RegionSumLine~R1C1", ANY),
    (".Zipper~R1C1~R1C2~R3C3~R4C4", on("11 12 33 44", lambda a, b, c, d: a + d == b + c)),
    (".Zipper~R1C1~R3C3~R4C4", on("11 33 44", lambda a, b, c: a + c == b)),
    (".Zipper~R1C1~R1C2", ANY),
    (".Zipper~R1C1", ANY),
    (".DoubleArrow~R1C1~R3C2~R4C4~R1C3", on("11 32 44 13", lambda a, b, c, d: a + d == b + c)),
    (".DoubleArrow~R1C1~R1C2", NONE),
    (".Modular~3~R1C1~R3C3~R2C4~R4C2", together("11 33 24 42", lambda d: modular(d, 3))),
    (".Modular~2~R1C1~R1C2~R1C3", together("11 12 13", lambda d: modular(d, 2))),
    (".Modular~1~R1C1~R1C2", ANY),
    (".SumLine~5~R1C1~R3C3~R4C1~R2C1", together("11 33 41 21", lambda d: splits(d, 5))),
    (".SumLine~5~R1C1~R3C3~R4C1~R2C1~LOOP", together("11 33 41 21", lambda d: any(
        splits(d[at:] + d[:at], 5) for at in range(4)
    ))),
    (".Arrow~R1C1~R3C3~R3C4~R4C1", on("11 33 34 41", lambda a, *arm: a == sum(arm))),
    (".PillArrow~2~R1C2~R1C1~R2C3~R3C3~R4C4~R4C1~R3C1~R4C2", on(
        "11 12 23 33 44 41 31 42", lambda a, b, *arm: 10 * a + b == sum(arm)
    )),
    (".Cage~6~R1C1~R2C2~R3C3", together("11 22 33", lambda d: sum(d) == 6 and unlike(d))),
    (".Cage~0~R1C1~R2C2~R3C3", together("11 22 33", unlike)),
    (".RellikCage~5~R1C1~R1C2~R2C1", together("11 12 21", lambda d: (
        unlike(d) and 5 not in subset_sums(d)
    ))),
    (".RellikCage~11~R1C1~R2C3", together("11 23", unlike)),
    (".Lunchbox~2~R1C1~R1C2~R1C3~R2C3", together("11 12 13 23", lambda d: (
        unlike(d) and between(d, min(d), max(d)) == 2
    ))),
    (".Lunchbox~R1C1~R1C2~R2C3", together("11 12 23", lambda d: (
        unlike(d) and between(d, min(d), max(d)) == 0
    ))),
    (".Lunchbox~3~R1C1~R1C2~R2C1~R2C2~R3C3", NONE),
    (".Sum~5~R1C1~R3C3", on("11 33", lambda a, b: a + b == 5)),
    (".Sum~5_=_2_-1~R1C1~R3C3", on("11 33", lambda a, b: 2 * a - b == 5)),
    (".EqualSum~R1C1~R2C2~-~R3C3~-~R4C1~R4C2", on(
        "11 22 33 41 42", lambda a, b, c, d, e: a + b == c == d + e
    )),
    (".WhiteDot~R1C1~R1C2~R2C2", on("11 12 22", lambda a, b, c: abs(a - b) == 1 == abs(b - c))),
    (".BlackDot~R1C1~R1C2", on("11 12", lambda a, b: a == 2 * b or b == 2 * a)),
    (".Or.X~R1C1~R1C2.~R1C1_1.End", on("11", lambda a: a == 1)),  # no two digits make 10
    (".V~R1C1~R2C1", on("11 21", lambda a, b: a + b == 5)),
    (".GreaterThan~R1C1~R1C2~R2C1", on("11 12 21", lambda a, b, c: a > b and a > c)),
    (".LittleKiller~7~R1C3", on("13 22 31", lambda *d: sum(d) == 7)),
    (".LittleKiller~7~R2C1", on("21 32 43", lambda *d: sum(d) == 7)),
    (".LittleKiller~7~R3C4", on("34 23 12", lambda *d: sum(d) == 7)),
    (".LittleKiller~7~R4C2", on("42 33 24", lambda *d: sum(d) == 7)),
    (".Sandwich~5~R2", together("21 22 23 24", lambda d: between(d, 1, 4) == 5)),
    (".Sandwich~2~C3", together("13 23 33 43", lambda d: between(d, 1, 4) == 2)),
    (".XSum~R1~6", together("11 12 13 14", lambda d: sum(d[: d[0]]) == 6)),
    (".XSum~C2~~3", together("42 32 22 12", lambda d: sum(d[: d[0]]) == 3)),
    (".Skyscraper~R1~2~3", together("11 12 13 14", lambda d: seen(d) == 2 and seen(d[::-1]) == 3)),
    (".HiddenSkyscraper~C1~2", together("11 21 31 41", lambda d: first_hidden(d) == 2)),
    (".NumberedRoom~R3~4~1", together("31 32 33 34", lambda d: (
        d[d[0] - 1] == 4 and d[::-1][d[3] - 1] == 1
    ))),
    (".Quad~R2C2~1~4~4", together("22 23 32 33", lambda d: d.count(1) > 0 and d.count(4) > 1)),
    (".ContainAtLeast~1_1~R1C1~R2C3~R3C2", together("11 23 32", lambda d: d.count(1) >= 2)),
    (".ContainExact~1~R1C1~R2C3", together("11 23", lambda d: d.count(1) == 1)),
    (".ContainExact~1_1~R1C1~R2C3~R3C2", together("11 23 32", lambda d: d.count(1) == 2)),
    (".ContainExact~1_2~R1C1~R2C3~R3C2~R4C4", together("11 23 32 44", lambda d: (
        d.count(1) == 1 == d.count(2)
    ))),
    (".ContainExact~3_4~R1C1~R2C3", together("11 23", lambda d: sorted(d) == [3, 4])),
    (".LookAndSay~1203~R1C1~R2C3~R3C2", together("11 23 32", lambda d: (
        d.count(2) == 1 and d.count(3) == 0
    ))),
    (".Indexing~C~R2C3", indexing(1, 2)),
    (".Indexing~R~R2C3", indexing(1, 2, rows=True)),
    (".SameValues~2~R1C1~R1C2~R3C3~R4C4", on("11 12 33 44", lambda a, b, c, d: (
        sorted((a, b)) == sorted((c, d))
    ))),
    (".Windoku", together("22 23 32 33", unlike)),
    (".DisjointSets", places_differ(boxes(2, 2))),
    (".AllDifferent~R1C1~R2C3~R3C2", together("11 23 32", unlike)),
    (".AllDifferent~R1C1~R1C2~R1C3~R2C3~R2C2", NONE),
    (".Diagonal~1", together("41 32 23 14", unlike)),
    (".Diagonal~-1", together("11 22 33 44", unlike)),
    (".AntiKnight", apart((1, 2), (1, -2), (2, 1), (2, -1))),
    (".AntiKing", apart((1, 1), (1, -1))),
    (".AntiTaxicab", far_enough),
    (".AntiConsecutive", lambda g: all(abs(a - b) != 1 for a, b in touching(g, *SIDES))),
    (".StrictKropki.WhiteDot~R1C1~R1C2.BlackDot~R2C2~R3C2", NONE),
    (".StrictXV.V~R1C1~R1C2.V~R2C1~R2C2.V~R3C3~R4C3.V~R3C4~R4C4.V~R1C3~R1C4.V~R2C3~R2C4", strict(
        lambda a, b: a + b in (5, 10),
        ((0, 0), (0, 1)), ((1, 0), (1, 1)), ((2, 2), (3, 2)), ((2, 3), (3, 3)),
        ((0, 2), (0, 3)), ((1, 2), (1, 3)),
    )),
    (".CountingCircles~R1C1~R2C3~R3C2", together("11 23 32", lambda d: (
        all(digit == times for digit, times in Counter(d).items())
    ))),
    (".CountDistinct~R1C1~R2C3~R3C2~R4C4", on("11 23 32 44", lambda a, *d: len(set(d)) == a)),
    (".Pair~AgC~_x~R1C1~R2C3~R3C2", on("11 23 32", lambda a, b, c: (
        {(a, b), (b, c)} <= table(LETTERS + "-_", "AgC")
    ))),
    (".Pair~-_C~~R1C1~R2C3", on("11 23", lambda *d: d in table(LETTERS + "-_", "-_C"))),
    (".Pair~O~~R1C1~R1C2~~R3C3~R4C4", on("11 12 33 44", lambda a, b, c, d: (
        {(a, b), (c, d)} <= table(LETTERS + "-_", "O")
    ))),
    (".PairX~OxC~_x~R1C1~R2C3~R3C2", on("11 23 32", lambda a, b, c: (
        {(a, b), (b, c), (a, c)} <= table(LETTERS + "-_", "OxC")
    ))),
    (".Binary~-_C~~R1C1~R2C3", on("11 23", lambda *d: d in table(LETTERS + "_-", "-_C"))),
    (".BinaryX~_-C~~R1C1~R2C3~R3C2", on("11 23 32", lambda a, b, c: (
        {(a, b), (b, c), (a, c)} <= table(LETTERS + "_-", "_-C")
    ))),
    # [12]*3.? on each of two lines
    (".Regex~WzEyXSozLj8~R1C1~R2C3~R3C2~~R4C4~R4C3", on("11 23 32 44 43", lambda a, b, c, d, e: (
        a < 3 and (b == 3 or (b < 3 and c == 3)) and (d == 3 or (d < 3 and e == 3))
    ))),
    (".Regex~%5B%5E1-3%5D%3F[12]{2}~R1C1~R2C2~R3C3", on("11 22 33", lambda a, b, c: (
        a == 4 and b < 3 and c < 3
    ))),
    # The sum of the digits is a multiple of 3.
    (".NFA~RNPsPw3jAA~_Sum%20of%203~R1C1~R2C3~_~R3C2~R3C3~R4C1~~R1C2", on(
        "11 23 32 33 41 12", lambda a, b, *c: (a + b) % 3 == sum(c[:3]) % 3 == c[3] % 3 == 0
    )),
    # Some digit is one more than that before it.
    (".NFA~CMkfAJC4UxApjkpMTkA~R1C1~R2C3~R3C2~R4C4", together("11 23 32 44", lambda d: any(
        other == one + 1 for one, other in pairwise(d)
    ))),
    # 1 or 2 and then 3 or 4, or a 4 alone: there are two start states.
    (".NFA~ROQ_iDKA~R1C1~R2C2~~R4C3", on("11 22 43", lambda a, b, c: a < 3 <= b and c == 4)),
    # All segments have the same sum.
    (f".NFA~{SEGMENTS}~R1C1~R2C2~-~R3C4~R4C2~-~R2C4~R1C3", on(
        "11 22 34 42 24 13", lambda a, b, c, d, e, f: a + b == c + d == e + f
    )),
    (f".NFA~{SEGMENTS}~R1C1~-~R3C3~~R2C2", on("11 33", lambda a, b: a == b)),
    (".Or.Thermo~R1C1~R1C2.And.~R1C1_4.~R2C2_1_2.End.End", on("11 12 22", lambda a, b, c: (
        a < b or (a == 4 and c < 3)
    ))),
    (".Or.Modular~1~R1C1.~R1C1_4.End", ANY),
    (".RegionSize~4.SearchPriority~R1C1~3", ANY),
]  # fmt: skip
ISS_WITHOUT_BOXES: list[tuple[str, str, Reading]] = [
    (".NoBoxes.RegionSumLine~R1C1~R2C1", NO_BOXES, ANY),
    (".NoBoxes.DisjointSets", NO_BOXES, places_differ(boxes(2, 2))),
    (f".NoBoxes.Jigsaw~{PIECES}.DisjointSets", PIECES, places_differ(boxes(2, 2))),
    (f".Jigsaw~{PIECES}.RegionSumLine~R1C1~R2C3", f"{PIECES}+2x2", runs_equal(
        boxes(2, 2), "11 23"
    )),
    (f".NoBoxes.Jigsaw~{PIECES}.RegionSumLine~R1C1~R1C2~R2C2~R2C3", PIECES, runs_equal(
        by_label(PIECES), "11 12 22 23"
    )),
    (".NoBoxes.Jigsaw~1122112233443344.RegionSumLine~R1C1~R1C3", "2x2", runs_equal(
        boxes(2, 2), "11 13"
    )),
    (f".NoBoxes.Jigsaw~{SOME}.RegionSumLine~R1C1~R2C2~R3C3~R4C4", SOME, runs_equal(
        by_label(SOME), "11 22 33 44"
    )),
    (f".NoBoxes.Jigsaw~{SOME}.RegionSumLine~R1C1~R2C2~R2C3~R3C3", SOME, runs_equal(
        by_label(SOME), "11 22 23 33", skip=False
    )),
]  # fmt: skip


def solutions(text: str, backend: str) -> list[str]:
    puzzle = Puzzle.parse(text)
    return sorted(str(grid) for grid in pls.solutions(puzzle, backend))


def assert_reading(text: str, every: list[Rows], reading: Reading, backend: str) -> None:
    expected = sorted("".join(map(str, chain(*grid))) for grid in every if reading(grid))
    if reading not in (ANY, NONE):
        assert len(expected) < len(every)
    assert solutions(text, backend) == expected


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("text", "reading"), ISS, ids=[text for text, _ in ISS])
def test_each_constraint_of_iss_means_what_its_site_says(text, reading, backend):
    assert_reading(SMALL + text, _known("0" * 16, "2x2"), reading, backend)


@pytest.mark.parametrize(("text", "areas", "reading"), ISS_WITHOUT_BOXES)
def test_regions_of_iss_are_those_of_its_text(text, areas, reading, backend):
    assert_reading(SMALL + text, _known("0" * 16, areas), reading, backend)


FIRST = "".join(f".~R1C{digit}_{digit}" for digit in range(1, 6))
FIVE = "1112211322433324435544555"
"""Pieces of 5x5."""


@pytest.mark.parametrize(
    ("text", "areas", "reading"),
    [
        (".RegionSumLine~R1C1~R2C1~R3C3", "", ANY),
        (".DisjointSets.Windoku", "", ANY),
        (f".Jigsaw~{FIVE}.RegionSumLine~R1C1~R1C2~R1C3~R1C4", FIVE, runs_equal(
            by_label(FIVE), "11 12 13 14"
        )),
        (f".Jigsaw~5x5~{FIVE}.RegionSumLine~R2C2~R3C2~R4C2", FIVE, runs_equal(
            by_label(FIVE), "22 32 42"
        )),
    ],
)  # fmt: skip
def test_grids_of_a_prime_size_have_no_boxes_but_perhaps_regions(text, areas, reading):
    every = _known("12345" + "0" * 20, areas or "0" * 25)
    for backend in ("clingo", "prolog"):
        assert_reading(f".Shape~5x5{FIRST}{text}", every, reading, backend)


THIRDS = "3478"
"""Digits that are taken from a grid; each third has some."""


@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    ("text", "reading"),
    [
        (".Entropic~R1C1~R1C2~R2C4~R2C3", together("11 12 24 23", lambda d: entropic(d, 9))),
        (".Entropic~R1C4~R4C9", together("14 49", lambda d: entropic(d, 9))),
        (".GlobalEntropy", lambda g: all(
            {third(g[x + i][y + j], 9) for i in (0, 1) for j in (0, 1)} == {0, 1, 2}
            for x in range(8)
            for y in range(8)
        )),
        (".Windoku", lambda g: all(
            unlike([g[x + i][y + j] for i in range(3) for j in range(3)])
            for x in (1, 5)
            for y in (1, 5)
        )),
    ],
)  # fmt: skip
def test_thirds_and_windows_of_a_grid_of_9x9(text, reading):
    """With some of the digits taken from a grid, the rest is found by trying."""
    givens = "".join("0" if digit in THIRDS else digit for digit in NINE)
    rows = [list(map(int, givens[at : at + 9])) for at in range(0, 81, 9)]
    every = list(grids(rows, boxes(3, 3)))
    held = "".join(
        f".~R{at // 9 + 1}C{at % 9 + 1}_{digit}" for at, digit in enumerate(givens) if digit != "0"
    )
    for backend in ("clingo", "prolog"):
        assert_reading(f".Shape~9x9{held}{text}", every, reading, backend)


def test_every_constraint_of_iss_that_is_read_has_a_reading():
    texts = "".join(text for text, _ in ISS) + "".join(text for text, *_ in ISS_WITHOUT_BOXES)
    names = {part.split("~")[0] for part in texts.split(".")} - {"", "End"}
    assert names | {"Shape", "Given", "Entropic", "GlobalEntropy"} == {
        *iss._GRID, *iss._KINDS, *iss._IGNORED, *iss._COMPOSITES
    }  # fmt: skip


# --- f-puzzles ------------------------------------------------------------------------------------


def names(places: str) -> list[str]:
    return [f"R{x}C{y}" for x, y in places.split()]


def lines(*several: str) -> list[dict[str, list[list[str]]]]:
    return [{"lines": [names(places) for places in several]}]


def cells(places: str, **fields: object) -> list[dict[str, object]]:
    return [{"cells": names(places), **fields}]


def one(place: str, **fields: object) -> dict[str, object]:
    return {"cell": f"R{place[0]}C{place[1]}", **fields}


STEPS = "1111223324332444"
FPUZZLES: list[tuple[dict[str, object], str, Reading]] = [
    ({"diagonal+": True}, "2x2", together("41 32 23 14", unlike)),
    ({"diagonal-": True}, "2x2", together("11 22 33 44", unlike)),
    ({"antiknight": True}, "2x2", apart((1, 2), (1, -2), (2, 1), (2, -1))),
    ({"antiking": True}, "", apart((1, 1), (1, -1))),
    ({"disjointgroups": True}, "2x2", places_differ(boxes(2, 2))),
    ({"disjointgroups": True}, STEPS, places_differ(by_label(STEPS))),
    ({"disjointgroups": True}, SOME, places_differ(by_label(SOME))),
    ({"disjointgroups": True}, NO_BOXES, ANY),
    ({"nonconsecutive": True}, "", lambda g: all(abs(a - b) > 1 for a, b in touching(g, *SIDES))),
    ({"negative": ["xv"]}, "2x2", strict(lambda a, b: a + b in (5, 10))),
    ({"negative": ["ratio"], "ratio": cells("11 12")}, "2x2", strict(
        lambda a, b: a == 2 * b or b == 2 * a, ((0, 0), (0, 1))
    )),
    ({"killercage": cells("11 22 33", value="6")}, "2x2", together("11 22 33", lambda d: (
        sum(d) == 6 and unlike(d)
    ))),
    ({"killercage": cells("11 22 33")}, "2x2", together("11 22 33", unlike)),
    ({"arrow": [{**cells("11")[0], "lines": [names("11 33 34 41"), names("11 22 44")]}]}, "2x2", (
        on("11 33 34 41 22 44", lambda a, b, c, d, e, f: a == b + c + d == e + f)
    )),
    ({"arrow": [{**cells("12 11")[0], "lines": [names("12 23 33 44 41 31 42")]}]}, "2x2", on(
        "11 12 23 33 44 41 31 42", lambda a, b, *arm: 10 * a + b == sum(arm)
    )),
    ({"thermometer": lines("11 12 23")}, "2x2", together("11 12 23", rising)),
    ({"thermometer": lines("11")}, "2x2", ANY),
    ({"slowthermometer": lines("11 22 33")}, "2x2", on("11 22 33", lambda a, b, c: a <= b <= c)),
    ({"slowthermometer": lines("11")}, "2x2", ANY),
    ({"palindrome": lines("11 22 23 31")}, "2x2", on("11 22 23 31", lambda a, b, c, d: (
        (a, b) == (d, c)
    ))),
    ({"palindrome": lines("11")}, "2x2", ANY),
    ({"renban": lines("11 22 33")}, "2x2", together("11 22 33", run)),
    ({"renban": lines("11")}, "2x2", ANY),
    ({"nabner": lines("11 22 33")}, "2x2", together("11 22 33", lambda d: all(
        abs(a - b) > 1 for a, b in combinations(d, 2)
    ))),
    ({"nabner": lines("11")}, "2x2", ANY),
    ({"whispers": lines("11 12 22")}, "2x2", together("11 12 22", lambda d: all(
        abs(a - b) >= 2 for a, b in pairwise(d)
    ))),
    ({"whispers": [{**lines("11 12")[0], "value": "3"}]}, "2x2", on("11 12", lambda a, b: (
        abs(a - b) >= 3
    ))),
    ({"whispers": lines("11")}, "2x2", ANY),
    ({"betweenline": lines("11 22 33")}, "2x2", on("11 22 33", lambda a, b, c: (
        min(a, c) < b < max(a, c)
    ))),
    ({"betweenline": lines("11 12", "11")}, "2x2", ANY),
    ({"lockout": lines("11 22 33")}, "2x2", on("11 22 33", lambda a, b, c: (
        abs(a - c) >= 2 and not min(a, c) <= b <= max(a, c)
    ))),
    ({"regionsumline": lines("11 22 33 34 41")}, "2x2", runs_equal(boxes(2, 2), "11 22 33 34 41")),
    ({"regionsumline": lines("11 12 22 23")}, PIECES, runs_equal(
        by_label(PIECES), "11 12 22 23"
    )),
    ({"regionsumline": lines("11 22 23 32 33 44")}, SOME, runs_equal(
        by_label(SOME), "11 22 23 32 33 44"
    )),
    ({"regionsumline": lines("11 23 22 33")}, SOME, runs_equal(by_label(SOME), "11 23 22 33")),
    ({"regionsumline": lines("13 14 24")}, SOME, ANY),
    ({"regionsumline": lines("11 21")}, NO_BOXES, ANY),
    ({"regionsumline": lines("11 21")}, "1111222233334444", on("11 21", lambda a, b: a == b)),
    ({"regionsumline": lines("11")}, "2x2", ANY),
    ({"entropicline": lines("11 12 22 31")}, "2x2", together("11 12 22 31", lambda d: (
        entropic(d, 4)
    ))),
    ({"entropicline": lines("11")}, "2x2", ANY),
    ({"modularline": lines("11 12 22 31")}, "2x2", together("11 12 22 31", lambda d: (
        modular(d, 3)
    ))),
    ({"modularline": lines("11")}, "2x2", ANY),
    ({"zipperline": lines("11 12 33 44")}, "2x2", on("11 12 33 44", lambda a, b, c, d: (
        a + d == b + c
    ))),
    ({"zipperline": lines("11 12", "33")}, "2x2", ANY),
    ({"doublearrow": lines("11 32 44 13")}, "2x2", on("11 32 44 13", lambda a, b, c, d: (
        a + d == b + c
    ))),
    ({"doublearrow": lines("11 12", "33")}, "2x2", ANY),
    ({"littlekillersum": [{**one("01"), "direction": "DR", "value": "7"}]}, "2x2", on(
        "12 23 34", lambda *d: sum(d) == 7
    )),
    ({"sandwichsum": [one("20", value="5")]}, "2x2", together("21 22 23 24", lambda d: (
        between(d, 1, 4) == 5
    ))),
    ({"xsum": [one("52", value="3")]}, "2x2", together("42 32 22 12", lambda d: (
        sum(d[: d[0]]) == 3
    ))),
    ({"skyscraper": [one("25", value="3")]}, "2x2", together("24 23 22 21", lambda d: (
        seen(d) == 3
    ))),
    ({"difference": cells("11 12")}, "2x2", on("11 12", lambda a, b: abs(a - b) == 1)),
    ({"difference": cells("11 12", value="3")}, "2x2", on("11 12", lambda a, b: abs(a - b) == 3)),
    ({"ratio": cells("11 12")}, "2x2", on("11 12", lambda a, b: a == 2 * b or b == 2 * a)),
    ({"ratio": cells("11 12", value="3")}, "2x2", on("11 12", lambda a, b: {a, b} == {1, 3})),
    ({"xv": cells("11 12", value="V")}, "2x2", on("11 12", lambda a, b: a + b == 5)),
    ({"xv": cells("11 12", value="X")}, "2x2", NONE),
    ({"xv": cells("11 12", value="")}, "2x2", ANY),
    ({"quadruple": cells("22 23 32 33", values=[1, 4, 4])}, "2x2", together(
        "22 23 32 33", lambda d: d.count(1) > 0 and d.count(4) > 1
    )),
    ({"odd": [one("11"), one("23")]}, "2x2", on("11 23", lambda a, b: a % 2 == b % 2 == 1)),
    ({"even": [one("11")]}, "2x2", on("11", lambda a: a % 2 == 0)),
    ({"minimum": [one("11"), one("12"), one("33")]}, "2x2", less_than_sides(
        (0, 0), (0, 1), (2, 2)
    )),
    ({"maximum": [one("11"), one("33")]}, "2x2", less_than_sides((0, 0), (2, 2), sign=-1)),
    ({"extraregion": cells("22 23 32 33")}, "2x2", together("22 23 32 33", unlike)),
    ({"clone": [{"cells": names("11 12"), "cloneCells": names("32 33")}]}, "2x2", on(
        "11 12 32 33", lambda a, b, c, d: (a, b) == (c, d)
    )),
    ({"rowindexer": cells("23")}, "2x2", indexing(1, 2, rows=True)),
    ({"columnindexer": cells("23")}, "2x2", indexing(1, 2)),
    ({"boxindexer": cells("23")}, "2x2", indexing(1, 2, boxes(2, 2)[1])),
    ({"boxindexer": cells("11")}, PIECES, indexing(0, 0, by_label(PIECES)[0])),
    ({"boxindexer": cells("34")}, SOME, indexing(2, 3, by_label(SOME)[1])),
    ({"boxindexer": cells("13")}, SOME, ANY),
]  # fmt: skip


def document(areas: str, keys: dict[str, object]) -> str:
    """With regions as `areas` says: of 0 none, and boxes without any."""
    grid: list[list[dict[str, object]]] = [[{} for _ in range(4)] for _ in range(4)]
    labels = sorted({*areas} - {"0"})
    for at, label in enumerate(areas if len(areas) == 16 else ""):
        grid[at // 4][at % 4]["region"] = None if label == "0" else labels.index(label)
    return json.dumps({"size": 4, "grid": grid, **keys})


@pytest.mark.one_in(5)
@pytest.mark.parametrize(("keys", "areas", "reading"), FPUZZLES)
def test_each_key_of_f_puzzles_means_what_its_site_says(keys, areas, reading, backend):
    areas = areas or "1122112233443344"
    text = document(areas, keys)
    assert_reading(text, _known("0" * 16, areas), reading, backend)
    again = Puzzle.parse(text).format("fpuzzles")
    assert sorted(map(str, pls.solutions(Puzzle.parse(again)))) == solutions(text, "clingo")


def test_documents_of_a_prime_size_have_the_regions_that_they_name():
    """Rows stand in for the boxes of a 5x5 grid: they are regions only if the text says so."""
    keys: dict[str, object] = {"regionsumline": lines("21 31"), "disjointgroups": True}
    first = {0: [{"value": digit, "given": True} for digit in range(1, 6)]}
    rows = [[dict(each) for each in first.get(x, [{}] * 5)] for x in range(5)]
    every = _known("12345" + "0" * 20, "0" * 25)
    assert_reading(json.dumps({"grid": rows, **keys}), every, ANY, "clingo")
    rows[2][2]["region"] = 2
    assert_reading(json.dumps({"grid": rows, **keys}), every, NONE, "clingo")
    for x, y in product(range(5), repeat=2):
        if FIVE[5 * x + y] != str(x + 1):  # the others are in the region of their row
            rows[x][y]["region"] = int(FIVE[5 * x + y]) - 1
    del keys["disjointgroups"]
    every = _known("12345" + "0" * 20, FIVE)
    text = json.dumps({"grid": rows, **keys})
    assert_reading(text, every, runs_equal(by_label(FIVE), "21 31"), "prolog")


def test_every_key_of_f_puzzles_that_is_read_has_a_reading():
    assert {name for keys, *_ in FPUZZLES for name in keys} == {*fpuzzles.KEYS}
