"""The strings of the Interactive Sudoku Solver (ISS), such as ``.Thermo~R1C1~R1C2``."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations, pairwise
from typing import Any, NamedTuple, TypeVar

from .. import rules
from ..errors import InvalidPuzzle, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import (
    MAX_SIZE,
    Box,
    Cell,
    checked_regions,
    diagonals,
    disjoint_groups,
    neighbours,
    usual_box,
    view,
    windows,
)
from ..rules import Rule
from .fpuzzles import LINES, index_rule

T = TypeVar("T")

_SHAPE = re.compile(r"(\d{1,2})x(\d{1,2})")
_DIGITS = "0123456789abcdefg"
"""Rows and columns are numbers in base 17, so that each is one character up to 16."""
_CELL = re.compile(r"R([0-9a-g])C([0-9a-g])", re.ASCII | re.IGNORECASE)
_KEY = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""The characters of a truth table, 6 bits each."""

_GRID = ("Shape", "NoBoxes", "Jigsaw", "RegionSize", "Windoku", "DisjointSets", "Given")
"""Constraints that need the whole string."""
_COMPOSITES = ("And", "Or")
_IGNORED = ("SearchPriority",)
"""Constraints that only advise the solver."""


def puzzle_of(text: str, box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a string; InvalidPuzzle, which names the constraint, if it cannot be read."""
    return _Reader(_items(_pieces(text)), box).puzzle()


class _Item(NamedTuple):
    """A constraint, with those within it."""

    name: str
    arguments: tuple[str, ...]
    within: tuple[_Item, ...] = ()


def _pieces(text: str) -> Iterator[_Item]:
    bare = "".join(text.split())
    if bare[:1] != ".":
        raise InvalidPuzzle(f"{bare[:20]!r} is not a constraint string; expected one from a dot on")
    for part in bare[1:].split("."):
        name, *arguments = part.split("~")
        yield _Item(name or "Given", tuple(arguments))


def _items(pieces: Iterator[_Item], inside: str = "") -> list[_Item]:
    """The constraints up to the End of this composite, each with those within it."""
    found: list[_Item] = []
    for item in pieces:
        if item.name == "End":
            if not inside:
                raise InvalidPuzzle(".End has no .Or or .And before it")
            return found
        if item.name in _COMPOSITES:
            item = item._replace(within=tuple(_items(pieces, item.name)))
        elif item.name not in (*_GRID, *_KINDS, *_IGNORED):
            raise InvalidPuzzle(
                f"no rule {shown(item.name)} here; of the constraints of ISS, expected one of"
                f" {', '.join(sorted({*_GRID, *_KINDS, *_COMPOSITES} - {'Given'}))}"
            )
        found.append(item)
    if inside:
        raise InvalidPuzzle(f".{inside} has no .End")
    return found


class _Reader:
    """A string while it is read: a grid in which constraints become rules."""

    def __init__(self, items: list[_Item], box: Box | None) -> None:
        self.items = items
        self.size = n = self._size()
        self.box = box if box and box[0] * box[1] == n else usual_box(n)

    def _size(self) -> int:
        for item in self._items_named("Shape"):
            shape, *more = item.arguments or ("",)
            found = _SHAPE.fullmatch(shape)
            if found is None or found[1] != found[2] or not 1 <= int(found[1]) <= MAX_SIZE:
                raise InvalidPuzzle(f".Shape: {shown(shape)} is not a square such as 6x6")
            if more and more[0] not in ("", found[1], f"1-{found[1]}"):
                raise InvalidPuzzle(
                    f".Shape: digits {more[0]} are not read; expected 1 to {found[1]}"
                )
            if more[1:] and more[1] not in ("", "Sudoku"):
                raise InvalidPuzzle(f".Shape: the grid {shown(more[1])} is not read")
            return int(found[1])
        return 9

    def _items_named(self, name: str) -> Iterator[_Item]:
        return (item for item in self.items if item.name == name)

    def puzzle(self) -> Grid | Puzzle:
        digits: dict[Cell, int] = {}
        marks: dict[Cell, set[int]] = {}
        found: list[Rule] = []
        regions = self._regions(found)
        for item in self.items:
            if item.name == "Given":
                self._givens(item, digits, marks)
            elif item.name == "Windoku":
                found += [rules.Different(cells, "windoku") for cells in windows(self.box)]
            elif item.name == "DisjointSets" and self.box[0] > 1:
                groups = disjoint_groups(self.box)
                found += [rules.Different(cells, "disjoint group") for cells in groups]
            elif item.name not in _GRID:
                found += self.rules(item)
        boxes = self.box if regions or not any(self._items_named("NoBoxes")) else (1, self.size)
        grid = Grid.of([(*cell, digit) for cell, digit in digits.items()], boxes)
        puzzle = Puzzle(grid, regions, marks, found)
        return puzzle.grid if puzzle.is_plain else puzzle

    def _givens(self, item: _Item, digits: dict[Cell, int], marks: dict[Cell, set[int]]) -> None:
        """Add the digits that a given leaves to its cell: one, or several as marks."""
        for argument in item.arguments:
            cell, given = self._read_given(argument)
            allowed = marks.get(cell, set(given)) & set(given)
            if cell in digits:
                allowed &= {digits[cell]}
            if not allowed:
                raise InvalidPuzzle(f"{cell} can hold no digit, as its givens say different ones")
            if len(allowed) == 1:
                digits[cell] = min(allowed)
                marks.pop(cell, None)
            else:
                marks[cell] = allowed

    def _regions(self, found: list[Rule]) -> Any:
        """The regions if they replace the boxes; beside boxes, regions become rules."""
        n = self.size
        for item in self._items_named("RegionSize"):
            if item.arguments != (str(n),):
                raise InvalidPuzzle(f".RegionSize: expected {n}, not {'~'.join(item.arguments)}")
        regions: Any = None
        for item in self._items_named("Jigsaw"):
            labels = item.arguments[-1] if item.arguments else ""
            if len(set(labels)) == 1 < n and len(labels) == n * n:
                continue
            checked = checked_regions(labels, n)
            if regions is None and any(self._items_named("NoBoxes")):
                regions = checked
            else:
                found += [rules.Different(cells, "region") for cells in checked]
        return regions

    def rules(self, item: _Item) -> list[Rule]:
        """The rules of one constraint; InvalidPuzzle, which names it, if it is wrong."""
        try:
            return list(self._rules(item))
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f".{item.name}: {error}") from None

    def _rules(self, item: _Item) -> Iterator[Rule]:
        if item.name == "And":
            for each in item.within:
                yield from self.rules(each)
        elif item.name == "Or":
            yield rules.AnyOf([self.rules(each) for each in item.within])
        elif item.name == "Given":
            for argument in item.arguments:
                yield _holds(*self._read_given(argument))
        elif item.name in _KINDS:
            yield from _KINDS[item.name](self, item.arguments)
        elif item.name not in _IGNORED:
            raise InvalidPuzzle("it may not stand within .Or or .And")

    def _read_given(self, argument: str) -> tuple[Cell, list[int]]:
        """The cell and the digits of a given, such as ``R1C1_5``."""
        name, *digits = argument.split("_")
        found = list(map(_number, digits))
        if not found or not all(1 <= digit <= self.size for digit in found):
            raise InvalidPuzzle(f"{argument!r} is not a cell with digits from 1 to {self.size}")
        return self.cell(name), found

    def cell(self, name: str) -> Cell:
        match = _CELL.fullmatch(name)
        if match is None:
            raise InvalidPuzzle(f"{shown(name)} is not a cell of the grid; expected such as R1C1")
        row, column = (_DIGITS.index(each.lower()) for each in match.groups())
        if not (1 <= row <= self.size and 1 <= column <= self.size):
            raise InvalidPuzzle(f"{name} is not a cell of a {self.size}x{self.size} grid")
        return Cell(row, column)

    def cells(self, names: Iterable[str]) -> list[Cell]:
        found = list(map(self.cell, names))
        if not found:
            raise InvalidPuzzle("there are no cells")
        return found

    def groups(self, names: Iterable[str], ends: Callable[[str], object]) -> list[list[Cell]]:
        """The cells between the arguments that end a group."""
        found: list[list[Cell]] = [[]]
        for name in names:
            if ends(name):
                found.append([])
            else:
                found[-1].append(self.cell(name))
        return found

    def line(self, name: str, back: bool = False) -> tuple[Cell, ...]:
        """The cells of a row or column, ``R3`` or ``C2``, from the front or from behind."""
        match = re.fullmatch(r"([RC])([0-9a-g]{1,2})", name, re.ASCII | re.IGNORECASE)
        at = int(match[2], 17) if match else 0
        if match is None or not 1 <= at <= self.size:
            raise InvalidPuzzle(f"{shown(name)} is not a row or column; expected such as R1 or C1")
        return (rules.row if match[1] in "Rr" else rules.column)(at, self.size, back)

    def pairs(self, names: Iterable[str]) -> list[tuple[Cell, Cell]]:
        """The pairs of orthogonal neighbours among the cells."""
        found = [pair for pair in combinations(self.cells(names), 2) if neighbours(*pair)]
        if not found:
            raise InvalidPuzzle("none of the cells are neighbours")
        return found

    def marked_pairs(self, *names: str) -> list[tuple[Cell, Cell]]:
        """The pairs with one of these marks, alone or within .And."""

        def inside(items: Iterable[_Item]) -> Iterator[tuple[Cell, Cell]]:
            for item in items:
                if item.name in names:
                    yield from self.pairs(item.arguments)
                elif item.name == "And":
                    yield from inside(item.within)

        return list(inside(self.items))


def _holds(cell: Cell, digits: list[int]) -> Rule:
    """The rule that the cell holds one of the digits."""
    found = [rules.Contains([cell], [digit]) for digit in digits]
    return found[0] if len(found) == 1 else rules.AnyOf([[each] for each in found])


# --- what the arguments of each constraint are, and the rules that it becomes ---

_Names = tuple[str, ...]
_Cells = Sequence[Cell]
_Signature = Callable[[_Reader, _Names], Iterable[Rule]]


def _line(make: Callable[..., Rule]) -> _Signature:
    """Cells alone."""
    return lambda reader, names: [make(cells=reader.cells(names))]


def _each_pair(make: Callable[..., Rule], *value: int) -> _Signature:
    """A chain of cells, with the mark between each cell and the next."""
    return lambda reader, names: [make(pair, *value) for pair in reader.pairs(names)]


def _whole(make: Callable[..., Rule], **fields: Any) -> _Signature:
    """Nothing: the rule is one of the whole grid."""
    return lambda reader, names: [make(**fields)]


def _first(read: Callable[[str], T], make: Callable[[T, list[Cell]], list[Rule]]) -> _Signature:
    """An argument that `read` takes, and cells."""

    def signature(reader: _Reader, names: _Names) -> list[Rule]:
        first, *others = names or ("",)
        return make(read(first), reader.cells(others))

    return signature


def _maybe_first(make: Callable[..., Rule], default: int | None = None) -> _Signature:
    """A number, which may be missing if there is a default, and cells."""

    def signature(reader: _Reader, names: _Names) -> Iterator[Rule]:
        value = default
        if names and not _CELL.fullmatch(names[0]):
            first, *names = names  # type: ignore[assignment]
            value = _number(first) if first else default
        if value is None:
            raise InvalidPuzzle("the number before the cells is missing")
        yield make(reader.cells(names), value)

    return signature


def _both_ends(make: Callable[[_Cells, int], Rule]) -> _Signature:
    """A row or column, the clue at its front and the clue at its end; either may be missing."""

    def signature(reader: _Reader, names: _Names) -> Iterator[Rule]:
        name, *clues = names or ("",)
        if not any(clues) or clues[2:]:
            raise InvalidPuzzle("expected a row or column and a clue for each of its ends")
        for clue, back in zip(clues, (False, True), strict=False):
            if clue:
                yield make(reader.line(name, back), _number(clue))

    return signature


def _table(every: bool, key: str = _KEY) -> _Signature:
    """A table of bits, and groups of cells, which names or empty arguments separate."""

    def signature(reader: _Reader, names: _Names) -> Iterator[Rule]:
        first, *others = names or ("",)
        allowed = _pairs_in_table(first, key, reader.size)
        for cells in reader.groups(others, lambda name: not name or name[0] == "_"):
            pairs = list(combinations(cells, 2) if every else pairwise(cells))
            if pairs:
                yield rules.PairTable(pairs, allowed)

    return signature


def _pairs_in_table(text: str, key: str, size: int) -> list[tuple[int, int]]:
    """The pairs of digits of a truth table, 6 bits a character, the lowest first."""
    if wrong := [letter for letter in text if letter not in key]:
        raise InvalidPuzzle(f"the table has the character {wrong[0]!r}")
    bits = [key.index(letter) >> at & 1 for letter in text for at in range(6)]
    if any(bits[size * size :]):
        raise InvalidPuzzle(f"the table is larger than {size} by {size}")
    return [(at // size + 1, at % size + 1) for at, bit in enumerate(bits) if bit]


def _number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,6}", text, re.ASCII):
        raise InvalidPuzzle(f"{shown(text)} stands where a whole number is expected")
    return int(text)


def _number_or_0(text: str) -> int:
    return _number(text or "0")


def _numbers(text: str) -> list[int]:
    return list(map(_number, text.split("_")))


def _sum_and_weights(text: str) -> tuple[int, list[int]]:
    """A sum, and the weights of the cells if they are there: ``5_=_1_-1``."""
    total, *weights = text.split("_=_")
    return _number(total), _numbers(weights[0]) if weights else []


def _counts_and_digits(text: str) -> tuple[list[int], list[int]]:
    """The counts and the digits of pairs of characters: how often, and which digit."""
    if not re.fullmatch(r"(?:\d\d)+", text, re.ASCII):
        raise InvalidPuzzle(f"{shown(text)} is not pairs of a count and a digit")
    return list(map(int, text[::2])), list(map(int, text[1::2]))


def _modular(reader: _Reader, names: _Names) -> Iterator[Rule]:
    """Any digits do if they are taken modulo 1."""
    modulus, *others = names or ("",)
    if _number(modulus) > 1:
        yield rules.ModularLine(reader.cells(others), _number(modulus))


def _equal_sum(reader: _Reader, names: _Names) -> Iterator[Rule]:
    """Groups with a dash between them: each sum less the next one is 0."""
    for one, other in pairwise(reader.groups(names, "-".__eq__)):
        weights = [1] * len(one) + [-1] * len(other)
        yield rules.Total([*one, *other], 0, weights)


def _sum_line(reader: _Reader, names: _Names) -> Iterable[Rule]:
    loop = names[-1:] == ("LOOP",)
    make = partial(rules.SumLine, loop=loop)
    return _maybe_first(make, 10)(reader, names[:-1] if loop else names)


def _little_killer(reader: _Reader, names: _Names) -> Iterator[Rule]:
    """The line starts in a cell at the edge: downwards from the left edge and the top, to the left
    from the top, and upwards from the other two.
    """
    if len(names) != 2:
        raise InvalidPuzzle("expected a sum and a cell")
    row, column = reader.cell(names[1])
    n = reader.size
    if column == 1 and row < n:
        move = (1, 1)
    elif row == 1:
        move = (1, -1)
    elif column == n and row < n:
        move = (-1, -1)
    elif row == n and 1 < column < n:
        move = (-1, 1)
    else:
        raise InvalidPuzzle(f"{names[1]} is not where such a line starts")
    cells = view((row - move[0], column - move[1]), move, n)
    yield rules.LittleKiller(cells, _number(names[0]))


def _sandwich(reader: _Reader, names: _Names) -> Iterator[Rule]:
    if len(names) != 2:
        raise InvalidPuzzle("expected a sum and a row or column")
    yield rules.Sandwich(reader.line(names[1]), _number(names[0]))


def _quad(reader: _Reader, names: _Names) -> Iterator[Rule]:
    row, column = reader.cell(names[0] if names else "")
    if max(row, column) == reader.size:
        raise InvalidPuzzle(f"{names[0]} is not the upper left cell of four")
    cells = [Cell(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    yield rules.Contains(cells, list(map(_number, names[1:])))


def _indexing(reader: _Reader, names: _Names) -> Iterator[Rule]:
    what, *others = names or ("",)
    if what not in ("R", "C"):
        raise InvalidPuzzle(f"{shown(what)} is neither R nor C")
    for cell in reader.cells(others):
        yield index_rule("row" if what == "R" else "column", cell, (1, reader.size))


def _same_values(sets: int, cells: list[Cell]) -> list[Rule]:
    if sets < 2 or len(cells) % sets:
        raise InvalidPuzzle(f"{len(cells)} cells are not {sets} sets of the same size")
    size = len(cells) // sets
    return [rules.SameValues([cells[at : at + size] for at in range(0, len(cells), size)])]


def _diagonal(reader: _Reader, names: _Names) -> Iterator[Rule]:
    if names not in (("1",), ("-1",)):
        raise InvalidPuzzle("expected 1 or -1")
    yield rules.Different(diagonals(reader.size)[names == ("1",)], "diagonal")


def _negative(*marks: str, **fields: list[int]) -> _Signature:
    """Nothing: no pair of neighbours without one of these marks has the relation."""
    return lambda reader, names: [rules.Negative(**fields, exempt=reader.marked_pairs(*marks))]


_KINDS: dict[str, _Signature] = {
    **{
        line.iss: _maybe_first(line.kind, line.usual_in_iss) if line.number else _line(line.kind)
        for line in LINES
        if line.iss
    },
    "Modular": _modular,
    "SumLine": _sum_line,
    "Arrow": _line(lambda cells: rules.Arrow(cells[:1], cells[1:])),
    # The pill is read from left to right, then down.
    "PillArrow": _first(
        _number, lambda count, cells: [rules.Arrow(sorted(cells[:count]), cells[count:])]
    ),
    "Cage": _first(_number_or_0, lambda total, cells: [rules.KillerCage(cells, total or None)]),
    # The digits of these two are different, too.
    "RellikCage": _first(
        _number, lambda total, cells: [rules.KillerCage(cells), rules.RellikCage(cells, total)]
    ),
    "Lunchbox": _first(
        _number_or_0, lambda total, cells: [rules.KillerCage(cells), rules.Lunchbox(cells, total)]
    ),
    "Sum": _first(_sum_and_weights, lambda total, cells: [rules.Total(cells, *total)]),
    "EqualSum": _equal_sum,
    "WhiteDot": _each_pair(rules.Difference, 1),
    "BlackDot": _each_pair(rules.Ratio, 2),
    "X": _each_pair(rules.PairSum, 10),
    "V": _each_pair(rules.PairSum, 5),
    "GreaterThan": _each_pair(rules.Greater),
    "LittleKiller": _little_killer,
    "Sandwich": _sandwich,
    "XSum": _both_ends(rules.XSum),
    "Skyscraper": _both_ends(rules.Skyscraper),
    "HiddenSkyscraper": _both_ends(rules.HiddenSkyscraper),
    "NumberedRoom": _both_ends(lambda cells, value: rules.Index(cells[:1], cells, value)),
    "Quad": _quad,
    "ContainAtLeast": _first(_numbers, lambda digits, cells: [rules.Contains(cells, digits)]),
    "ContainExact": _first(_numbers, lambda digits, cells: [rules.Contains(cells, digits, True)]),
    "LookAndSay": _first(
        _counts_and_digits,
        lambda said, cells: [rules.LookAndSay(cells, digits=said[1], counts=said[0])],
    ),
    "Indexing": _indexing,
    "SameValues": _first(_number, _same_values),
    "AllDifferent": _line(rules.Different),
    "Diagonal": _diagonal,
    "AntiKnight": _whole(rules.AntiKnight),
    "AntiKing": _whole(rules.AntiKing),
    "AntiTaxicab": _whole(rules.AntiTaxicab),
    "AntiConsecutive": _whole(rules.Negative, differences=[1]),
    "GlobalEntropy": _whole(rules.GlobalEntropy),
    "StrictKropki": _negative("WhiteDot", "BlackDot", differences=[1], ratios=[2]),
    "StrictXV": _negative("X", "V", sums=[5, 10]),
    "CountingCircles": _line(rules.CountingCircles),
    "CountDistinct": _line(lambda cells: rules.CountDifferent(cells[:1], cells[1:])),
    "Pair": _table(every=False),
    "PairX": _table(every=True),
    # The two older names have the last two characters the other way round.
    "Binary": _table(every=False, key=f"{_KEY[:-2]}_-"),
    "BinaryX": _table(every=True, key=f"{_KEY[:-2]}_-"),
}
"""By name."""
