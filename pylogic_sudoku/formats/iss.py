"""The strings of the Interactive Sudoku Solver (ISS), such as ``.Thermo~R1C1~R1C2``."""

from __future__ import annotations

import re
from base64 import b64decode
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, combinations, groupby, pairwise
from typing import NamedTuple
from urllib.parse import unquote

from .. import rules
from ..errors import InvalidPuzzle, shown
from ..puzzle import Grid, Puzzle
from ..puzzle.cells import (
    MAX_SIZE,
    Box,
    Cell,
    Cells,
    Layout,
    cells_of,
    checked_regions,
    diagonals,
    neighbours,
    usual_box,
    view,
    windows,
)
from ..rules import Rule
from ..rules.automata import NOTHING, trimmed
from .fpuzzles import Areas
from .text import whole

_CELL = re.compile(r"R([0-9a-g])C([0-9a-g])", re.ASCII | re.IGNORECASE)
"""Rows and columns are numbers in base 17, so that each is one character up to 16."""
_KEY = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
"""The characters of a truth table, 6 bits each."""
_OLD_KEY = _KEY.translate(str.maketrans("-_", "_-"))
"""Those of the older names of the constraint."""

_GRID = ("Shape", "NoBoxes", "Jigsaw", "RegionSize", "Given")
"""Constraints that need the whole string."""
_COMPOSITES = ("And", "Or")
_IGNORED = ("SearchPriority",)
"""Constraints that only advise the solver."""


def puzzle_of(text: str, box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a string; InvalidPuzzle, which names the constraint, if it cannot be read."""
    bare = "".join(text.split())
    if bare[:1] != ".":
        raise InvalidPuzzle(f"{bare[:20]!r} is not a constraint string; expected one from a dot on")
    return _Reader(list(_items(iter(bare[1:].split(".")))), box).puzzle()


class _Item(NamedTuple):
    """A constraint, with those within it."""

    name: str
    arguments: list[str]
    within: tuple[_Item, ...] = ()


def _items(parts: Iterator[str], inside: str = "") -> Iterator[_Item]:
    """The constraints up to the End of this composite, each with those within it."""
    for part in parts:
        name, *arguments = part.split("~")
        name = name or "Given"
        if name == "End":
            if not inside:
                raise InvalidPuzzle(".End has no .Or or .And before it")
            return
        if name not in (*_GRID, *_KINDS, *_IGNORED, *_COMPOSITES):
            raise InvalidPuzzle(
                f"no rule {shown(name)} here; of the constraints of ISS, expected one of"
                f" {', '.join(sorted({*_GRID, *_KINDS, *_COMPOSITES} - {'Given'}))}"
            )
        within = tuple(_items(parts, name)) if name in _COMPOSITES else ()
        yield _Item(name, arguments, within)
    if inside:
        raise InvalidPuzzle(f".{inside} has no .End")


class _Reader:
    """A string while it is read: a grid in which constraints become rules."""

    def __init__(self, items: list[_Item], box: Box | None) -> None:
        self.items = items
        self.names = {item.name for item in items}
        self.size = n = self._size()
        self.box = box if box and box[0] * box[1] == n else usual_box(n)
        self.areas = Areas.of(Layout(self.box))
        self.has_boxes = bool(self.areas.blocks) and "NoBoxes" not in self.names
        self.pieces: list[Cells] = []
        """Those of all jigsaws."""
        self.regions: list[Cells] = []
        """Those that replace the boxes."""

    def _items_named(self, name: str) -> Iterator[_Item]:
        return (item for item in self.items if item.name == name)

    def _size(self) -> int:
        for item in self._items_named("Shape"):
            shape, digits, kind, *_ = [*item.arguments, "", "", ""]
            match = re.fullmatch(r"(\d{1,2})x\1", shape, re.ASCII)
            n = int(match[1]) if match else 0
            if 1 <= n <= MAX_SIZE and digits in ("", str(n), f"1-{n}") and kind in ("", "Sudoku"):
                return n
            raise InvalidPuzzle(
                f".Shape: {'~'.join(item.arguments)} is not read; expected a square with digits"
                " from 1 up, such as 6x6"
            )
        return 9

    def puzzle(self) -> Grid | Puzzle:
        allowed: dict[Cell, set[int]] = {}
        constraints: list[Rule] = []
        self._read_jigsaws(constraints)
        for item in self.items:
            if item.name == "Given":
                for argument in item.arguments:
                    cell, digits = self._given(argument)
                    allowed[cell] = allowed.get(cell, set(digits)) & set(digits)
                    if not allowed[cell]:
                        raise InvalidPuzzle(
                            f"{cell} can hold no digit, as its givens say different ones"
                        )
            elif item.name not in _GRID:
                constraints += self.rules(item)
        boxes = self.box if self.regions or self.has_boxes else (1, self.size)
        givens = [(*cell, min(digits)) for cell, digits in allowed.items() if len(digits) == 1]
        marks = {cell: digits for cell, digits in allowed.items() if len(digits) > 1}
        puzzle = Puzzle(Grid.of(givens, boxes), self.regions or None, marks, constraints)
        return puzzle.grid if puzzle.is_plain else puzzle

    def _read_jigsaws(self, constraints: list[Rule]) -> None:
        """Take the regions that replace the boxes; add others to the rules.

        In each layout, cells that are left over have a label of their own.
        """
        n = self.size
        for item in self._items_named("RegionSize"):
            if item.arguments != [str(n)]:
                raise InvalidPuzzle(f".RegionSize: expected {n}, not {'~'.join(item.arguments)}")
        for item in self._items_named("Jigsaw"):
            labels = item.arguments[-1] if item.arguments else ""
            by_label: dict[str, list[Cell]] = {}
            for cell, label in zip(cells_of(n), labels, strict=False):
                by_label.setdefault(label, []).append(cell)
            others = [cells for cells in by_label.values() if len(cells) != n]
            if len(labels) != n * n or len(others) > 1:
                checked_regions(labels, n)  # raises an error with the reason
            pieces = [tuple(cells) for cells in by_label.values() if len(cells) == n]
            self.pieces += pieces
            if not (self.regions or others or self.has_boxes):
                self.regions = pieces
            else:
                constraints += [rules.Different(cells, "region") for cells in pieces]

    def rules(self, item: _Item) -> list[Rule]:
        """The rules of one constraint; InvalidPuzzle, which names it, if it is wrong."""
        try:
            if item.name in _COMPOSITES:
                options = [self.rules(each) for each in item.within]
                if item.name == "And":
                    return list(chain(*options))
                return [rules.AnyOf(options)] if all(options) else []  # one that is always true
            if item.name == "Given":
                return [_holds(*self._given(argument)) for argument in item.arguments]
            if item.name in _GRID:
                raise InvalidPuzzle("it may not stand within .Or or .And")
            if item.name in _IGNORED:
                return []
            result = _KINDS[item.name](_Arguments(self, item.arguments))
            return [result] if isinstance(result, Rule) else list(result)
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f".{item.name}: {error}") from None

    def region_sums(self, line: list[Cell]) -> Iterator[Rule]:
        """The rules of a region sum line, which has the boxes, or else the pieces of jigsaws.

        Neighbours on the line that are in no piece are a run, too.
        """
        piece = {cell: at for at, cells in enumerate(self.pieces) for cell in cells}
        if self.has_boxes or self.pieces == self.regions:
            yield rules.RegionSumLine(line)
        elif all(cell in piece for cell in line):
            areas: dict[int, list[Cell]] = {}
            for cell in sorted(piece):
                areas.setdefault(piece[cell], []).append(cell)
            yield rules.RegionSumLine(line, areas.values())
        else:
            runs = [list(run) for _, run in groupby(line, piece.get)]
            yield from map(_same_sum, runs, runs[1:])

    def _given(self, argument: str) -> tuple[Cell, list[int]]:
        """The cell and the digits of a given, such as ``R1C1_5``."""
        name, *digits = argument.split("_")
        numbers = list(map(_number, digits))
        if not numbers or not all(1 <= digit <= self.size for digit in numbers):
            raise InvalidPuzzle(f"{argument!r} is not a cell with digits from 1 to {self.size}")
        return _Arguments(self, [name]).cell(), numbers

    def marked_pairs(self, names: tuple[str, ...]) -> list[tuple[Cell, Cell]]:
        """The pairs with one of these marks, alone or within .And."""
        items = [*self.items]
        for item in items:
            items += item.within if item.name == "And" else ()
        marks = [_Arguments(self, item.arguments) for item in items if item.name in names]
        return [pair for mark in marks for pair in mark.pairs()]


def _holds(cell: Cell, digits: list[int]) -> Rule:
    """The rule that the cell holds one of the digits."""
    options = [rules.Contains([cell], [digit]) for digit in digits]
    return options[0] if len(options) == 1 else rules.AnyOf([[each] for each in options])


def _number(text: str) -> int:
    return whole(text, "an argument")


class _Arguments:
    """The arguments of a constraint; each method takes some, from the first on."""

    def __init__(self, reader: _Reader, names: Iterable[str]) -> None:
        self.reader, self.size = reader, reader.size
        self.names = list(names)

    def next(self) -> str:
        """The next argument as it is; empty if there is none."""
        return self.names.pop(0) if self.names else ""

    def number(self, usual: int | None = None) -> int:
        """A number; the usual one, if there is one, need not be there."""
        if usual is None or (self.names and self.names[0] and not _CELL.fullmatch(self.names[0])):
            return _number(self.next())
        if self.names[:1] == [""]:
            self.next()
        return usual

    def numbers(self) -> list[int]:
        """Numbers in one argument."""
        return list(map(_number, self.next().split("_")))

    def cell(self) -> Cell:
        """A cell of the grid."""
        name = self.next()
        match = _CELL.fullmatch(name)
        if match is None:
            raise InvalidPuzzle(f"{shown(name)} is not a cell of the grid; expected such as R1C1")
        row, column = int(match[1], 17), int(match[2], 17)
        if not (1 <= row <= self.size and 1 <= column <= self.size):
            raise InvalidPuzzle(f"{name} is not a cell of a {self.size}x{self.size} grid")
        return Cell(row, column)

    def cells(self) -> list[Cell]:
        """All that is left: cells."""
        if not self.names:
            raise InvalidPuzzle("there are no cells")
        return [self.cell() for _ in self.names[:]]

    def groups(self, ends: Callable[[str], object]) -> list[list[Cell]]:
        """All that is left: the cells between the arguments that end a group."""
        groups: list[list[Cell]] = [[]]
        while self.names:
            if ends(self.names[0]):
                self.next()
                groups.append([])
            else:
                groups[-1].append(self.cell())
        return groups

    def line(self) -> Cells:
        """The cells of a row or column, ``R3`` or ``C2``, from the front."""
        name = self.next()
        match = re.fullmatch(r"([RC])([0-9a-g]{1,2})", name, re.ASCII | re.IGNORECASE)
        at = int(match[2], 17) if match else 0
        if match is None or not 1 <= at <= self.size:
            raise InvalidPuzzle(f"{shown(name)} is not a row or column; expected such as R1 or C1")
        return (rules.row if match[1] in "Rr" else rules.column)(at, self.size)

    def pairs(self) -> list[tuple[Cell, Cell]]:
        """All that is left: the pairs of orthogonal neighbours among the cells."""
        pairs = [pair for pair in combinations(self.cells(), 2) if neighbours(*pair)]
        if not pairs:
            raise InvalidPuzzle("none of the cells are neighbours")
        return pairs


# --- automata: a regular expression, or the bits of an automaton, both in base 64 ---


def _bytes(text: str, what: str) -> bytes:
    """Decode base 64 with the letters of web addresses, without its padding."""
    try:
        return b64decode(text + "=" * (-len(text) % 4), b"-_", validate=True)
    except ValueError:
        raise InvalidPuzzle(f"{what} {shown(text)} is not in base 64") from None


def _regexes(args: _Arguments) -> Iterator[Rule]:
    """Read an expression and lines, with empty arguments between these.

    Older texts have the expression in the form of a URL.
    """
    text = args.next()
    expression = unquote(text) if "%" in text else _bytes(text, "the expression").decode("latin-1")
    for cells in filter(None, args.groups("".__eq__)):
        yield rules.Automaton(cells, expression)


def _automata(args: _Arguments) -> Iterator[Rule]:
    """Read an automaton and lines, with empty arguments or the names of the next ones between."""
    automaton, name, cells = _Nfa.of(args.next()), "", list[Cell]()
    breaks: Counter[int] = Counter()
    for argument in (*args.names, ""):
        if argument == "-":
            breaks[len(cells)] += 1
        elif argument and argument[0] != "_":
            cells.append(_Arguments(args.reader, [argument]).cell())
        else:
            if cells:
                yield automaton.rule(cells, breaks, name, args.size)
            cells, breaks = [], Counter()
            name = unquote(argument[1:]) if argument else name


def _some(read: Callable[[_Arguments], Iterator[Rule]]) -> _Kind:
    """Return a reader that expects one rule or more."""

    def checked(args: _Arguments) -> list[Rule]:
        if not (result := list(read(args))):
            raise InvalidPuzzle("there are no cells")
        return result

    return checked


class _Nfa(NamedTuple):
    """An automaton of ISS. Its start states are the first ones."""

    starts: int
    accepting: frozenset[int]
    arcs: dict[int, list[tuple[int, int]]]
    """By the state that they are from: their symbols, and the states that they lead to."""

    @classmethod
    def of(cls, text: str) -> _Nfa:
        """Read the bits of an automaton.

        First are the format in 2 bits, the bits of a state and the number of symbols, each less 1
        in 4 bits, the numbers of start states and of other accepting states, and a bit for each
        start state, set if it is accepting, the last state first. The states follow. In format 0 a
        state has the number of its arcs, whose width is in the next 4 bits, and a symbol and a
        state for each arc. In format 1 it has a bit for each symbol, the last symbol first, and a
        state for each of the bits that are set.
        """
        data = _bytes(text, "the automaton")
        bits = "".join(f"{byte:08b}" for byte in data)
        at = 0

        def read(number: int) -> int:
            nonlocal at
            at += number
            if at > len(bits):
                raise InvalidPuzzle("the automaton ends too soon")
            return int(bits[at - number : at] or "0", 2)

        form, width, symbols = read(2), read(4) + 1, read(4) + 1
        if form > 1:
            raise InvalidPuzzle(f"the automaton has the format {form}; expected 0 or 1")
        starts, others = read(width), read(width)
        also = read(starts)
        accepting = {state for state in range(starts) if also >> state & 1}
        accepting.update(range(starts, starts + others))
        arcs: dict[int, list[tuple[int, int]]] = {}
        head = symbols if form else read(4)
        while head and len(bits) - at >= head:
            number, state = read(head), len(arcs)
            if form:
                held = (symbol for symbol in range(symbols) if number >> symbol & 1)
                arcs[state] = [(symbol + 1, read(width)) for symbol in held]
            else:
                length = (symbols - 1).bit_length()
                arcs[state] = [(read(length) + 1, read(width)) for _ in range(number)]
        return cls(starts, frozenset(accepting), arcs)

    def rule(self, cells: list[Cell], breaks: Counter[int], name: str, size: int) -> Rule:
        """Return the rule about these cells, with the numbers of breaks by how many cells precede.

        The automaton reads a symbol at each break, the one after the digits. A rule has no breaks,
        so if there are any, each state becomes one for each place on the line.
        """

        def passed(states: Iterable[int], place: int) -> list[tuple[int, int]]:
            for _ in range(breaks[place]):
                states = [to for state in states for to in self._next(state, size + 1)]
            return [(state, place if breaks else 0) for state in states]

        def arcs_from(state: tuple[int, int]) -> Iterator[tuple[int, tuple[int, int]]]:
            at, place = state
            for symbol, to in self.arcs.get(at, ()):
                if symbol <= size:
                    yield from ((symbol, each) for each in passed([to], place + 1))

        start, accepting, arcs = trimmed(
            len(cells),
            passed(range(self.starts), 0),
            arcs_from,
            lambda state: state[0] in self.accepting,
        )
        if not arcs:
            start, accepting, arcs = (*NOTHING[:2], [*NOTHING.arcs])
        return rules.Automaton(cells, start=start, accepting=accepting, arcs=arcs, name=name)

    def _next(self, state: int, symbol: int) -> list[int]:
        return [to for each, to in self.arcs.get(state, ()) if each == symbol]


# --- what the arguments of each constraint are, and the rules that it becomes ---

_Kind = Callable[[_Arguments], Rule | Iterable[Rule]]


def _of_cells(kind: Callable[[list[Cell]], Rule]) -> _Kind:
    """Nothing but cells."""
    return lambda args: kind(args.cells())


def _each_pair(make: Callable[..., Rule], *value: int) -> _Kind:
    """A chain of cells, with the mark between each cell and the next."""
    return lambda args: [make(pair, *value) for pair in args.pairs()]


def _and_different(make: Callable[[list[Cell], int], Rule], *usual: int) -> _Kind:
    """A number and cells, whose digits are different, too."""

    def both(args: _Arguments) -> list[Rule]:
        number, cells = args.number(*usual), args.cells()
        return [rules.KillerCage(cells), make(cells, number)]

    return both


def _both_ends(make: Callable[[Cells, int], Rule]) -> _Kind:
    """A row or column, the clue at its front and the clue at its end; either may be missing."""

    def read(args: _Arguments) -> Iterator[Rule]:
        cells, clues = args.line(), args.names
        if not any(clues) or clues[2:]:
            raise InvalidPuzzle("expected a row or column and a clue for each of its ends")
        for clue, line in zip(clues, (cells, cells[::-1]), strict=False):
            if clue:
                yield make(line, _number(clue))

    return read


def _table(every: bool, key: str = _KEY) -> _Kind:
    """A table of bits, and groups of cells, which names or empty arguments separate."""

    def read(args: _Arguments) -> Iterator[Rule]:
        text, n = args.next(), args.size
        if wrong := [letter for letter in text if letter not in key]:
            raise InvalidPuzzle(f"the table has the character {wrong[0]!r}")
        bits = [key.index(letter) >> at & 1 for letter in text for at in range(6)]
        if any(bits[n * n :]):
            raise InvalidPuzzle(f"the table is larger than {n} by {n}")
        allowed = [(at // n + 1, at % n + 1) for at, bit in enumerate(bits) if bit]
        for cells in args.groups(lambda name: not name or name[0] == "_"):
            if pairs := list(combinations(cells, 2) if every else pairwise(cells)):
                yield rules.PairTable(pairs, allowed)

    return read


def _negative(*marks: str, **fields: list[int]) -> _Kind:
    """Nothing: no pair of neighbours without one of these marks has the relation."""
    return lambda args: rules.Negative(**fields, exempt=args.reader.marked_pairs(marks))


def _modular(args: _Arguments) -> Iterator[Rule]:
    """Any digits do if they are taken modulo 1."""
    modulus = args.number()
    if modulus > 1:
        yield rules.ModularLine(args.cells(), modulus)


def _sum(args: _Arguments) -> Rule:
    """A sum, and the weights of the cells if they are there: ``5_=_1_-1``."""
    total, *weights = args.next().split("_=_")
    return rules.Total(
        sum=_number(total),
        weights=list(map(_number, weights[0].split("_"))) if weights else [],
        cells=args.cells(),
    )


def _equal_sum(args: _Arguments) -> Iterator[Rule]:
    """Groups with a dash between them: each sum less the next one is 0."""
    for one, other in pairwise(args.groups("-".__eq__)):
        yield _same_sum(one, other)


def _same_sum(one: list[Cell], other: list[Cell]) -> Rule:
    return rules.Total([*one, *other], 0, [1] * len(one) + [-1] * len(other))


def _sum_line(args: _Arguments) -> Rule:
    loop = args.names[-1:] == ["LOOP"] and bool(args.names.pop())
    return rules.SumLine(sum=args.number(10), cells=args.cells(), loop=loop)


def _pill(args: _Arguments) -> Rule:
    """The pill is read from left to right, then down."""
    count, cells = args.number(), args.cells()
    return rules.Arrow(sorted(cells[:count]), cells[count:])


def _little_killer(args: _Arguments) -> Rule:
    """The line starts in a cell at the edge: downwards from the left edge and the top, to the left
    from the top, and upwards from the other two.
    """
    total, cell, n = args.number(), args.cell(), args.size
    row, column = cell
    starts = {
        (1, 1): column == 1 and row < n,
        (1, -1): row == 1,
        (-1, -1): column == n and row < n,
        (-1, 1): row == n and 1 < column < n,
    }
    for (down, right), fits in starts.items():
        if fits:
            return rules.LittleKiller(view((row - down, column - right), (down, right), n), total)
    raise InvalidPuzzle(f"{cell} is not where such a line starts")


def _quad(args: _Arguments) -> Rule:
    row, column = cell = args.cell()
    if max(cell) == args.size:
        raise InvalidPuzzle(f"{cell} is not the upper left cell of four")
    cells = [Cell(row + down, column + right) for down in (0, 1) for right in (0, 1)]
    return rules.Contains(cells, list(map(_number, args.names)))


def _look_and_say(args: _Arguments) -> Rule:
    """Pairs of characters: how often, and which digit."""
    text = args.next()
    if not re.fullmatch(r"(?:\d\d)+", text, re.ASCII):
        raise InvalidPuzzle(f"{shown(text)} is not pairs of a count and a digit")
    counts, digits = list(map(int, text[::2])), list(map(int, text[1::2]))
    return rules.LookAndSay(args.cells(), digits=digits, counts=counts)


def _indexing(args: _Arguments) -> list[Rule]:
    what = {"R": "row", "C": "column"}.get(letter := args.next())
    if what is None:
        raise InvalidPuzzle(f"{shown(letter)} is neither R nor C")
    indexers = (args.reader.areas.indexer(what, cell) for cell in args.cells())
    return list(filter(None, indexers))


def _same_values(args: _Arguments) -> Rule:
    sets, cells = args.number(), args.cells()
    if sets < 2 or len(cells) % sets:
        raise InvalidPuzzle(f"{len(cells)} cells are not {sets} sets of the same size")
    size = len(cells) // sets
    return rules.SameValues([cells[at : at + size] for at in range(0, len(cells), size)])


def _diagonal(args: _Arguments) -> Rule:
    if args.names not in (["1"], ["-1"]):
        raise InvalidPuzzle("expected 1 or -1")
    return rules.Different(diagonals(args.size)[args.names == ["1"]], "diagonal")


_KINDS: dict[str, _Kind] = {
    "Thermo": _of_cells(rules.Thermometer),
    "Palindrome": _of_cells(rules.Palindrome),
    "Renban": _of_cells(rules.Renban),
    "Whisper": lambda args: rules.Whispers(difference=args.number(5), cells=args.cells()),
    "Between": _of_cells(rules.BetweenLine),
    "Lockout": lambda args: rules.LockoutLine(difference=args.number(), cells=args.cells()),
    "RegionSumLine": lambda args: args.reader.region_sums(args.cells()),
    "Entropic": _of_cells(rules.EntropicLine),
    "Zipper": _of_cells(rules.ZipperLine),
    "DoubleArrow": _of_cells(rules.DoubleArrow),
    "Modular": _modular,
    "SumLine": _sum_line,
    "Arrow": lambda args: rules.Arrow([args.cell()], args.cells()),
    "PillArrow": _pill,
    "Cage": lambda args: rules.KillerCage(sum=args.number(0) or None, cells=args.cells()),
    "RellikCage": _and_different(rules.RellikCage),
    "Lunchbox": _and_different(rules.Lunchbox, 0),
    "Sum": _sum,
    "EqualSum": _equal_sum,
    "WhiteDot": _each_pair(rules.Difference, 1),
    "BlackDot": _each_pair(rules.Ratio, 2),
    "X": _each_pair(rules.PairSum, 10),
    "V": _each_pair(rules.PairSum, 5),
    "GreaterThan": _each_pair(rules.Greater),
    "LittleKiller": _little_killer,
    "Sandwich": lambda args: rules.Sandwich(sum=args.number(), cells=args.line()),
    "XSum": _both_ends(rules.XSum),
    "Skyscraper": _both_ends(rules.Skyscraper),
    "HiddenSkyscraper": _both_ends(rules.HiddenSkyscraper),
    "NumberedRoom": _both_ends(lambda cells, value: rules.Index(cells[:1], cells, value)),
    "Quad": _quad,
    "ContainAtLeast": lambda args: rules.Contains(digits=args.numbers(), cells=args.cells()),
    "ContainExact": lambda args: rules.Contains(
        digits=args.numbers(), cells=args.cells(), exactly=True
    ),
    "LookAndSay": _look_and_say,
    "Indexing": _indexing,
    "SameValues": _same_values,
    "Windoku": lambda args: [
        rules.Different(cells, "windoku") for cells in windows(args.reader.box)
    ],
    "DisjointSets": lambda args: args.reader.areas.disjoint_groups(),
    "AllDifferent": _of_cells(rules.Different),
    "Diagonal": _diagonal,
    "AntiKnight": lambda _: rules.AntiKnight(),
    "AntiKing": lambda _: rules.AntiKing(),
    "AntiTaxicab": lambda _: rules.AntiTaxicab(),
    "AntiConsecutive": lambda _: rules.Negative(differences=[1]),
    "GlobalEntropy": lambda _: rules.GlobalEntropy(),
    "StrictKropki": _negative("WhiteDot", "BlackDot", differences=[1], ratios=[2]),
    "StrictXV": _negative("X", "V", sums=[5, 10]),
    "CountingCircles": _of_cells(rules.CountingCircles),
    "CountDistinct": lambda args: rules.CountDifferent([args.cell()], args.cells()),
    "Regex": _some(_regexes),
    "NFA": _some(_automata),
    "Pair": _table(every=False),
    "PairX": _table(every=True),
    "Binary": _table(every=False, key=_OLD_KEY),
    "BinaryX": _table(every=True, key=_OLD_KEY),
}
"""By name."""
