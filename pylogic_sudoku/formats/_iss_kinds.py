"""What each constraint of ISS means: its arguments, and the rules that it becomes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from .._geometry import diagonals, view
from .._layout import Cell
from ..errors import InvalidPuzzle, shown
from ._iss_frame import Frame, Item, Reader
from ._made import index_rule, made

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["COMPOSITES", "GRID", "KINDS"]

GRID = ("Shape", "NoBoxes", "Jigsaw", "RegionSize", "Windoku", "DisjointSets", "Given")
"""Constraints that need the whole string."""
COMPOSITES = ("And", "Or")

_KEY = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def _line(kind: str) -> Reader:
    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        yield made(kind, cells=frame.cells(item.arguments))

    return read


def _line_with(kind: str, field: str, default: int | None = None) -> Reader:
    """A number, which may be missing if there is a default, before the cells."""

    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        value, names = default, item.arguments
        if names and not frame.is_cell(names[0]):
            value, names = (frame.number(names[0]) if names[0] else default), names[1:]
        if value is None:
            raise InvalidPuzzle("the number before the cells is missing")
        yield made(kind, cells=frame.cells(names), **{field: value})

    return read


def _modular(frame: Frame, item: Item) -> Iterator[Rule]:
    """Any digits do if they are taken modulo 1."""
    modulus, *names = item.arguments or ("",)
    if frame.number(modulus) > 1:
        yield made("modular_line", cells=frame.cells(tuple(names)), modulus=frame.number(modulus))


def _each_pair(kind: str, **fields: Any) -> Reader:
    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        for pair in frame.pairs(item):
            yield made(kind, cells=pair, **fields)

    return read


def _whole(kind: str) -> Reader:
    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        yield made(kind)

    return read


def _cage(frame: Frame, item: Item) -> Iterator[Rule]:
    sum_, *names = item.arguments or ("",)
    total = frame.number(sum_) if sum_ else 0
    yield made("killer_cage", cells=frame.cells(tuple(names)), sum=total or None)


def _rellik(frame: Frame, item: Item) -> Iterator[Rule]:
    """The digits of the cage are different, too."""
    sum_, *names = item.arguments or ("",)
    cells = frame.cells(tuple(names))
    yield made("killer_cage", cells=cells)
    yield made("rellik_cage", cells=cells, sum=frame.number(sum_))


def _lunchbox(frame: Frame, item: Item) -> Iterator[Rule]:
    """The digits are different, too."""
    sum_, *names = item.arguments or ("",)
    cells = frame.cells(tuple(names))
    yield made("killer_cage", cells=cells)
    yield made("lunchbox", cells=cells, sum=frame.number(sum_ or "0"))


def _sum(frame: Frame, item: Item) -> Iterator[Rule]:
    first, *names = item.arguments or ("",)
    total, *weights = first.split("_=_")
    factors = [frame.number(each) for each in weights[0].split("_")] if weights else []
    yield made("total", cells=frame.cells(tuple(names)), sum=frame.number(total), weights=factors)


def _equal_sum(frame: Frame, item: Item) -> Iterator[Rule]:
    """Groups with a dash between them: each sum less the next one is 0."""
    groups: list[list[Cell]] = [[]]
    for name in item.arguments:
        if name == "-":
            groups.append([])
        else:
            groups[-1].append(frame.cell(name))
    for one, other in pairwise(groups):
        weights = [1] * len(one) + [-1] * len(other)
        yield made("total", cells=[*one, *other], sum=0, weights=weights)


def _sum_line(frame: Frame, item: Item) -> Iterator[Rule]:
    loop = item.arguments[-1:] == ("LOOP",)
    bare = item._replace(arguments=item.arguments[:-1]) if loop else item
    (line,) = _line_with("sum_line", "sum", 10)(frame, bare)
    yield made("sum_line", **{**_fields(line), "loop": loop})


def _fields(rule: Any) -> dict[str, Any]:
    return {name: getattr(rule, name) for name in rule.types}


def _arrow(frame: Frame, item: Item) -> Iterator[Rule]:
    circle, *arm = frame.cells(item.arguments)
    yield made("arrow", circle=[circle], arm=arm)


def _pill_arrow(frame: Frame, item: Item) -> Iterator[Rule]:
    """The pill is read from left to right, then down."""
    size, *names = item.arguments or ("",)
    count = frame.number(size)
    cells = frame.cells(tuple(names))
    yield made("arrow", circle=sorted(cells[:count]), arm=cells[count:])


def _little_killer(frame: Frame, item: Item) -> Iterator[Rule]:
    """The line starts in a cell at the edge: downwards from the left edge and the top, to the left
    from the top, and upwards from the other two.
    """
    if len(item.arguments) != 2:
        raise InvalidPuzzle("expected a sum and a cell")
    row, column = frame.cell(item.arguments[1])
    n = frame.size
    if column == 1 and row < n:
        move = (1, 1)
    elif row == 1:
        move = (1, -1)
    elif column == n and row < n:
        move = (-1, -1)
    elif row == n and 1 < column < n:
        move = (-1, 1)
    else:
        raise InvalidPuzzle(f"{item.arguments[1]} is not where such a line starts")
    cells = view((row - move[0], column - move[1]), move, n)
    yield made("little_killer", cells=cells, sum=frame.number(item.arguments[0]))


def _sandwich(frame: Frame, item: Item) -> Iterator[Rule]:
    if len(item.arguments) != 2:
        raise InvalidPuzzle("expected a sum and a row or column")
    yield made("sandwich", cells=frame.line(item.arguments[1]), sum=frame.number(item.arguments[0]))


def _both_ends(make: Callable[[tuple[Cell, ...], int], Rule]) -> Reader:
    """A row or column, the clue at its front and the clue at its end; either may be missing."""

    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        name, *clues = item.arguments or ("",)
        if not any(clues) or clues[2:]:
            raise InvalidPuzzle("expected a row or column and a clue for each of its ends")
        for clue, back in zip(clues, (False, True), strict=False):
            if clue:
                yield make(frame.line(name, back), frame.number(clue))

    return read


def _numbered_room(cells: tuple[Cell, ...], value: int) -> Rule:
    return made("index", control=cells[:1], cells=cells, value=value)


def _quad(frame: Frame, item: Item) -> Iterator[Rule]:
    row, column = frame.cell(item.arguments[0] if item.arguments else "")
    if max(row, column) == frame.size:
        raise InvalidPuzzle(f"{item.arguments[0]} is not the upper left cell of four")
    cells = [Cell(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    digits = [frame.number(each) for each in item.arguments[1:]]
    yield made("contains", cells=cells, digits=digits)


def _contains(exactly: bool) -> Reader:
    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        values, *names = item.arguments or ("",)
        digits = [frame.number(each) for each in values.split("_")]
        yield made("contains", cells=frame.cells(tuple(names)), digits=digits, exactly=exactly)

    return read


def _look_and_say(frame: Frame, item: Item) -> Iterator[Rule]:
    """The clue is pairs of characters: how often, and which digit."""
    clue, *names = item.arguments or ("",)
    if not re.fullmatch(r"(?:\d\d)+", clue, re.ASCII):
        raise InvalidPuzzle(f"{shown(clue)} is not pairs of a count and a digit")
    counts, digits = list(map(int, clue[::2])), list(map(int, clue[1::2]))
    yield made("look_and_say", cells=frame.cells(tuple(names)), digits=digits, counts=counts)


def _indexing(frame: Frame, item: Item) -> Iterator[Rule]:
    what, *names = item.arguments or ("",)
    if what not in ("R", "C"):
        raise InvalidPuzzle(f"{shown(what)} is neither R nor C")
    for cell in frame.cells(tuple(names)):
        yield index_rule({"R": "row", "C": "column"}[what], cell, (1, frame.size))


def _same_values(frame: Frame, item: Item) -> Iterator[Rule]:
    count, *names = item.arguments or ("",)
    cells, sets = frame.cells(tuple(names)), frame.number(count)
    if sets < 2 or len(cells) % sets:
        raise InvalidPuzzle(f"{len(cells)} cells are not {sets} sets of the same size")
    size = len(cells) // sets
    groups = [cells[at : at + size] for at in range(0, len(cells), size)]
    yield made("same_values", groups=groups)


def _diagonal(frame: Frame, item: Item) -> Iterator[Rule]:
    if item.arguments not in (("1",), ("-1",)):
        raise InvalidPuzzle("expected 1 or -1")
    up = item.arguments == ("1",)
    yield made("different", cells=diagonals(frame.size)[up], name="diagonal")


def _count_different(frame: Frame, item: Item) -> Iterator[Rule]:
    control, *cells = frame.cells(item.arguments)
    yield made("count_different", control=[control], cells=cells)


def _pairs_by_table(every: bool, legacy: bool) -> Reader:
    """The table comes as bits; the groups of cells are apart by names or empty arguments."""

    def read(frame: Frame, item: Item) -> Iterator[Rule]:
        key, *names = item.arguments or ("",)
        swap = str.maketrans("-_", "_-") if legacy else {}
        allowed = _table(key.translate(swap), frame.size)
        groups: list[list[Cell]] = [[]]
        for name in names:
            if not name or name[0] == "_":
                groups.append([])
            else:
                groups[-1].append(frame.cell(name))
        for cells in filter(None, groups):
            pairs = list(combinations(cells, 2) if every else pairwise(cells))
            if pairs:
                yield made("pair_table", pairs=pairs, allowed=allowed)

    return read


def _table(key: str, size: int) -> list[tuple[int, int]]:
    """The pairs of digits of a truth table, 6 bits a character, the lowest first."""
    if wrong := [letter for letter in key if letter not in _KEY]:
        raise InvalidPuzzle(f"the table has the character {wrong[0]!r}")
    bits = [_KEY.index(letter) >> at & 1 for letter in key for at in range(6)]
    if any(bits[size * size :]):
        raise InvalidPuzzle(f"the table is larger than {size} by {size}")
    return [(at // size + 1, at % size + 1) for at, bit in enumerate(bits) if bit]


def _strict_kropki(frame: Frame, item: Item) -> Iterator[Rule]:
    exempt = frame.marked("WhiteDot", "BlackDot")
    yield made("negative", differences=[1], ratios=[2], exempt=exempt)


def _strict_xv(frame: Frame, item: Item) -> Iterator[Rule]:
    yield made("negative", sums=[5, 10], exempt=frame.marked("X", "V"))


def _nonconsecutive(frame: Frame, item: Item) -> Iterator[Rule]:
    yield made("negative", differences=[1])


KINDS: dict[str, Reader] = {
    "Thermo": _line("thermometer"),
    "Whisper": _line_with("whispers", "difference", 5),
    "Renban": _line("renban"),
    "Modular": _modular,
    "Entropic": _line("entropic_line"),
    "RegionSumLine": _line("region_sum_line"),
    "Between": _line("between_line"),
    "Lockout": _line_with("lockout_line", "difference"),
    "Palindrome": _line("palindrome"),
    "Zipper": _line("zipper_line"),
    "SumLine": _sum_line,
    "DoubleArrow": _line("double_arrow"),
    "Arrow": _arrow,
    "PillArrow": _pill_arrow,
    "Cage": _cage,
    "RellikCage": _rellik,
    "Lunchbox": _lunchbox,
    "Sum": _sum,
    "EqualSum": _equal_sum,
    "WhiteDot": _each_pair("difference", value=1),
    "BlackDot": _each_pair("ratio", value=2),
    "X": _each_pair("pair_sum", value=10),
    "V": _each_pair("pair_sum", value=5),
    "GreaterThan": _each_pair("greater"),
    "LittleKiller": _little_killer,
    "Sandwich": _sandwich,
    "XSum": _both_ends(lambda cells, clue: made("x_sum", cells=cells, sum=clue)),
    "Skyscraper": _both_ends(lambda cells, clue: made("skyscraper", cells=cells, value=clue)),
    "HiddenSkyscraper": _both_ends(
        lambda cells, clue: made("hidden_skyscraper", cells=cells, value=clue)
    ),
    "NumberedRoom": _both_ends(_numbered_room),
    "Quad": _quad,
    "ContainAtLeast": _contains(exactly=False),
    "ContainExact": _contains(exactly=True),
    "LookAndSay": _look_and_say,
    "Indexing": _indexing,
    "SameValues": _same_values,
    "AllDifferent": _line("different"),
    "Diagonal": _diagonal,
    "AntiKnight": _whole("anti_knight"),
    "AntiKing": _whole("anti_king"),
    "AntiTaxicab": _whole("anti_taxicab"),
    "AntiConsecutive": _nonconsecutive,
    "GlobalEntropy": _whole("global_entropy"),
    "StrictKropki": _strict_kropki,
    "StrictXV": _strict_xv,
    "CountingCircles": _line("counting_circles"),
    "CountDistinct": _count_different,
    "Pair": _pairs_by_table(every=False, legacy=False),
    "PairX": _pairs_by_table(every=True, legacy=False),
    "Binary": _pairs_by_table(every=False, legacy=True),
    "BinaryX": _pairs_by_table(every=True, legacy=True),
}
"""What reads each constraint."""
