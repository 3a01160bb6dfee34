"""The documents of f-puzzles: a grid, and a list of clues for each kind of rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, combinations
from typing import Any, NamedTuple

from .. import rules
from ..errors import InvalidPuzzle, counted, shown
from ..puzzle import Grid, Mark, Puzzle
from ..puzzle.cells import (
    Box,
    Cell,
    Cells,
    Layout,
    Regions,
    beside,
    cells_of,
    checked_regions,
    diagonals,
    neighbours,
    places,
    slopes,
    touch,
    usual_box,
)
from ..rules import Rule
from ..rules.whole import disjoint_groups
from .text import square, whole

_NO_RULES = {"size", "title", "author", "ruleset", "grid", "solution", "highlightConflicts"}
_NO_RULES |= {"disabledlogic", "truecandidatesoptions", "successMessage", "msgcorrect"}
_DRAWN = ("cage", "line", "rectangle", "circle", "text")
_NO_RULES |= {*_DRAWN, "logo", "id"}
"""Keys that do not restrict the digits: names, settings of a solver, and drawing."""

_NOTHING: tuple[Any, ...] = (None, False, "", [])
"""The values of an unset key."""

_EXTRA_NAME = "extra region"
_DOTS = {"difference": 1, "ratio": 2}
"""Keys of dots, and the value of a dot without one."""

_CELL = re.compile(r"\s*R(\d{1,3})C(\d{1,3})\s*", re.ASCII | re.IGNORECASE)


class UnknownClues(InvalidPuzzle):
    """A document with clues of a kind that is not known here."""

    without: dict[str, Any] | None = None
    """The document without them."""


def puzzle_of(document: dict[str, Any], box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a document; InvalidPuzzle, which names the key, if it cannot be read."""
    return _Reader(document, box).puzzle()


_NORMAL = r"(?i)\W*((normal|standard|classic|usual)\W+)?(sudoku\W+)?(rules?(\W+apply)?)?\W*"
"""The text of rules that says nothing."""


def said(text: Any) -> Iterator[str]:
    """Yield the rules in words, unless they are those of every sudoku."""
    if isinstance(text, str) and not re.fullmatch(_NORMAL, text):
        yield f"rules in words: {' '.join(text.split())}"


def in_cells(cells: Iterable[dict[str, Any]], what: str, *keys: str) -> Iterator[str]:
    """Yield how many cells have something under one of the keys."""
    if number := sum(any(map(_is_there, map(fields.get, keys))) for fields in cells):
        yield f"{what}s in {counted(number, 'cell')}"


def _is_there(value: Any) -> bool:
    """True unless it is nothing, or blank."""
    values = value if isinstance(value, list) else [value]
    return any(each not in (None, False) and str(each).strip() for each in values)


def document_of(puzzle: Grid | Puzzle) -> dict[str, Any]:
    """The document; InvalidPuzzle, with the rule, if f-puzzles cannot express it."""
    return _Writer(puzzle.to_puzzle()).document()


class Areas(NamedTuple):
    """A grid of this size with these boxes or regions, if there are some."""

    size: int
    blocks: tuple[Cells, ...]
    """The cells of each in reading order."""

    @classmethod
    def of(cls, layout: Layout) -> Areas:
        """The boxes or regions of a layout."""
        return cls(layout.size, tuple(house.cells for house in layout.blocks))

    def indexer(self, what: str, cell: Cell) -> Rule | None:
        """The rule on a cell whose digit points to the place that holds its own number.

        If a cell in column c holds v, a *column* indexer, then the cell of its row in column v
        holds c. A *box* indexer counts the cells of its box or region; None if it is in none.
        """
        if what == "column":
            cells, value = rules.row(cell.row, self.size), cell.column
        elif what == "row":
            cells, value = rules.column(cell.column, self.size), cell.row
        else:
            cells = next((block for block in self.blocks if cell in block), ())
            if not cells:
                return None
            value = cells.index(cell) + 1
        return rules.Index([cell], cells, value)

    def disjoint_groups(self) -> list[Rule]:
        """The rules of the disjoint groups; a cell that is alone in its group has none."""
        return disjoint_groups(self.blocks)


class _Reader:
    """A document while it is read."""

    def __init__(self, document: dict[str, Any], box: Box | None) -> None:
        self.document = document
        rows = square(document.get("grid"), "'grid'")
        self.size = n = len(rows)
        if document.get("size", n) != n:
            raise InvalidPuzzle(f"'size' is {shown(document['size'])}, but there are {n} rows")
        self.cells: dict[Cell, dict[str, Any]] = dict(zip(cells_of(n), chain(*rows), strict=True))
        for cell, fields in self.cells.items():
            if not isinstance(fields, dict):
                raise InvalidPuzzle(f"{cell} is {shown(fields)}; expected an object")
        self.box = box if box and box[0] * box[1] == n else usual_box(n)
        self.marks: list[tuple[Cell, Any]] = []
        self.rules: list[Rule] = []
        self.partial: tuple[Cells, ...] = ()
        """The regions, if some cells are in none."""
        self.areas = Areas(n, ())
        """The boxes or regions, once they are read."""

    def puzzle(self) -> Grid | Puzzle:
        used = [name for name, value in self.document.items() if value not in _NOTHING]
        if unknown := [name for name in used if name not in _NO_RULES and name not in KEYS]:
            error = UnknownClues(
                f"no rule {shown(unknown[0])} here;"
                f" an f-puzzles document may have {', '.join(KEYS)}"
            )
            error.without = {
                name: value for name, value in self.document.items() if name not in unknown
            }
            raise error
        regions = self._regions()
        blocks = self.partial or Areas.of(Layout(self.box, regions)).blocks
        self.areas = Areas(self.size, blocks)
        givens = []
        for cell, fields in self.cells.items():
            value = fields.get("value")  # a player typed it if it is not a given
            if fields.get("given") and value not in (None, "", 0):
                givens.append((*cell, whole(value, str(cell))))
            if marks := fields.get("givenPencilMarks"):
                self.marks.append((cell, marks))
        for name, key in KEYS.items():
            if name in used:
                try:
                    key.read(self, name)
                except InvalidPuzzle as error:
                    raise InvalidPuzzle(f"{name!r}: {error}") from None
        names = {name: str(self.document.get(name) or "") for name in ("title", "author")}
        unread = [*self._drawn(), *said(self.document.get("ruleset"))]
        grid = Grid.of(givens, self.box)
        puzzle = Puzzle(grid, regions, self.marks, self.rules, **names, unread=unread)
        return puzzle.grid if puzzle.is_plain and not (unread or any(names.values())) else puzzle

    def _drawn(self) -> Iterator[str]:
        """Yield the parts that are drawn, or typed by a player, and not read."""
        for name in _DRAWN:
            if isinstance(drawn := self.document.get(name), list) and drawn:
                yield counted(len(drawn), f"drawn {name}")
        cells = self.cells.values()
        yield from in_cells(cells, "colour", "c", "highlight")
        yield from in_cells(cells, "player's mark", "centerPencilMarks", "cornerPencilMarks")
        typed = [fields for fields in cells if fields.get("value") and not fields.get("given")]
        yield from in_cells(typed, "player's digit", "value")

    def _regions(self) -> Regions | None:
        """The regions, if they are not boxes and every cell is in one; sets the boxes.

        A cell without a region keeps that of its box, or of its row where there are no boxes; one
        whose region is null is in none, and then the regions there are become rules.
        """
        n = self.size
        boxes = Layout(self.box).blocks
        default = {cell: cell.row - 1 for cell in self.cells}  # if there are no boxes
        default |= {cell: at for at, house in enumerate(boxes) for cell in house.cells}
        by_label: dict[int | None, list[Cell]] = {}
        for cell, fields in self.cells.items():
            label = fields.get("region", default[cell])
            if isinstance(label, bool) or not isinstance(label, int | None):
                raise InvalidPuzzle(f"the region of {cell} is {shown(label)}; expected a number")
            by_label.setdefault(label, []).append(cell)
        if all(default[cell] == label for label, cells in by_label.items() for cell in cells):
            labelled = any("region" in fields for fields in self.cells.values())
            return None if boxes or not labelled else checked_regions(list(by_label.values()), n)
        if None not in by_label:
            return checked_regions(list(by_label.values()), n)
        self.box = (1, n)
        for label, cells in by_label.items():
            if label is not None:
                if len(cells) != n:
                    what = f"the region of {cells[0]} has {counted(len(cells), 'cell')}"
                    raise InvalidPuzzle(f"{what}, expected {n}")
                self.rules.append(rules.Different(cells, "region"))
                self.partial += (tuple(cells),)
        return None

    def clues(self, name: str) -> Iterator[_Clue]:
        """The clues under a key."""
        clues = self.document[name]
        if not isinstance(clues, list) or not all(isinstance(each, dict) for each in clues):
            raise InvalidPuzzle(f"{shown(clues)} is not a list of objects")
        return (_Clue(fields, self.size) for fields in clues)


class _Clue(NamedTuple):
    """A clue in a grid of this size."""

    fields: dict[str, Any]
    size: int

    def cells(self, key: str = "cells") -> list[Cell]:
        """The cells under a key of the clue."""
        values = self.fields.get(key)
        if not isinstance(values, list) or not values:
            raise InvalidPuzzle(f"cells are {shown(values)}; expected a list of cells")
        return list(map(self._cell, values))

    def cell(self) -> Cell:
        """The one cell of the clue."""
        return self._cell(self.fields.get("cell"))

    def _cell(self, value: object) -> Cell:
        try:
            return Cell.of(value, self.size)
        except IndexError as error:
            raise InvalidPuzzle(str(error)) from None

    def lines(self) -> Iterator[_Clue]:
        """The clue for each of its lines, which is under the key "line"."""
        lines = self.fields.get("lines")
        if not isinstance(lines, list):
            raise InvalidPuzzle(f"lines are {shown(lines)}; expected a list of lines")
        return (self._replace(fields={**self.fields, "line": line}) for line in lines)

    def value(self) -> int | None:
        """Its number, or None if it has none."""
        value = self.fields.get("value")
        return None if value in (None, "") else whole(value, "the value")


class _Writer:
    """A document while it is written."""

    def __init__(self, puzzle: Puzzle) -> None:
        self.puzzle = puzzle
        self.size = puzzle.size
        self.areas = Areas.of(puzzle.layout)
        self.partial: tuple[Cells, ...] = ()
        """The regions, if some cells are in none: rules, as of f-puzzles, and only these."""
        if not self.areas.blocks:
            named = (each for each in puzzle.rules if isinstance(each, rules.Different))
            regions = [tuple(sorted(each.cells)) for each in named if each.name == "region"]
            apart = len(set(chain(*regions))) == sum(map(len, regions))
            if apart and all(len(cells) == self.size for cells in regions):
                self.partial = tuple(regions)
                self.areas = Areas(self.size, self.partial)
        self.entries: dict[str, Any] = {}

    def document(self) -> dict[str, Any]:
        puzzle, n = self.puzzle, self.size
        rows: list[list[dict[str, Any]]] = [
            [{"value": digit, "given": True} if digit else {} for digit in row]
            for row in puzzle.grid.rows
        ]
        if not self.areas.blocks or self.areas != Areas.of(Layout(usual_box(n))):
            number = {cell: at for at, cells in enumerate(self.areas.blocks) for cell in cells}
            for cell in puzzle.cells:
                rows[cell.row - 1][cell.column - 1]["region"] = number.get(cell)
        for mark in puzzle.marks:
            self._mark(mark, rows[mark.cell.row - 1][mark.cell.column - 1])
        for rule in puzzle.rules:
            if isinstance(rule, rules.Different) and self._is_region(rule):
                continue
            ways = ((name, key) for name, key in KEYS.items() if key.kind is type(rule))
            if not any(key.write and key.write(self, name, rule) for name, key in ways):
                raise InvalidPuzzle(f"f-puzzles has no way to say this rule: {rule}")
        names = {name: text for name in ("title", "author") if (text := getattr(puzzle, name))}
        return {"size": n, **names, "grid": rows, **self.entries}

    def _is_region(self, rule: rules.Different) -> bool:
        return rule.name == "region" and tuple(sorted(rule.cells)) in self.partial

    def _mark(self, mark: Mark, cell: dict[str, Any]) -> None:
        for name in ("odd", "even"):
            wanted = {d for d in range(1, self.size + 1) if d % 2 == (name == "odd")}
            if mark.digits == wanted:
                self.clue(name, cell=_name(mark.cell))
                return
        cell["givenPencilMarks"] = sorted(mark.digits)

    def clue(self, key: str, **fields: Any) -> bool:
        self.entries.setdefault(key, []).append(fields)
        return True

    def flag(self, key: str) -> bool:
        self.entries[key] = True
        return True

    def marked_pairs(self, *kinds: type[Rule]) -> set[frozenset[Cell]]:
        """The pairs of cells with a mark of one of these kinds."""
        marking = (rule for rule in self.puzzle.rules if isinstance(rule, kinds))
        return {frozenset(rule.cells_used()) for rule in marking}


def _name(cell: tuple[int, int]) -> str:
    return "R{}C{}".format(*cell)


def _names(cells: Iterable[tuple[int, int]]) -> list[str]:
    return list(map(_name, cells))


# --- each key, read and written ---


class _Key(NamedTuple):
    """A reader of the value of a key, and a writer of a rule of this kind."""

    read: Callable[[_Reader, str], None]
    kind: type[Rule] | None = None
    write: Callable[[_Writer, str, Any], bool] | None = None
    """False if the key cannot express the rule."""


class _Value(NamedTuple):
    """A field of a rule in a clue."""

    read: Callable[[_Clue], Any]
    """From the clue; None if the clue means no rule, or if the field may be None."""
    write: Callable[[int, Any], dict[str, Any] | None]
    """To parts of the clue, in a grid of this size; None if no clue can express it."""


def _clue(kind: type[Rule], lined: bool = False, /, **values: _Value) -> _Key:
    """Clues each of which is a rule with these fields; `lined` if each of its lines is."""

    def read(reader: _Reader, name: str) -> None:
        for clue in reader.clues(name):
            for part in clue.lines() if lined else [clue]:
                fields = {field: value.read(part) for field, value in values.items()}
                needed = [field for field in fields if kind.defaults.get(field, 0) is not None]
                if all(fields[field] is not None for field in needed):
                    reader.rules.append(kind(**fields))

    def write(writer: _Writer, name: str, rule: Any) -> bool:
        fields: dict[str, Any] = {}
        for field, value in values.items():
            part = value.write(writer.size, getattr(rule, field))
            if part is None:
                return False
            fields |= part
        return writer.clue(name, **fields)

    return _Key(read, kind, write)


def _line(kind: type[Rule], **values: _Value) -> _Key:
    """Lines of cells, perhaps with more fields."""
    return _clue(kind, True, cells=_LINE, **values)


def _cells(key: str = "cells", fit: Callable[[Sequence[Cell]], bool] = bool) -> _Value:
    """Cells under a key of the clue; f-puzzles can express those that fit."""
    return _Value(
        lambda clue: clue.cells(key), lambda _, cells: {key: _names(cells)} if fit(cells) else None
    )


def _number(usual: int | None = None) -> _Value:
    """A number; the usual one need not be there."""
    return _Value(
        lambda clue: usual if (value := clue.value()) is None else value,
        lambda _, value: {} if value == usual else {"value": str(value)},
    )


def _usual(usual: Callable[[int], int]) -> _Value:
    """A number that f-puzzles has for each size of grid; another is read, but not written."""
    return _Value(
        lambda clue: usual(clue.size) if (value := clue.value()) is None else value,
        lambda size, value: {} if value == usual(size) else None,
    )


def _fixed(implied: object) -> _Value:
    """The value that the key implies."""
    return _Value(lambda _: implied, lambda _, value: {} if value == implied else None)


def _listed(choices: Callable[[int], Iterable[tuple[dict[str, str], Any]]]) -> _Value:
    """Values that f-puzzles can express: for each the parts of the clue, in a grid of each size."""

    def read(clue: _Clue) -> Any:
        for parts, value in choices(clue.size):
            actual = {key: str(clue.fields.get(key) or "").strip().upper() for key in parts}
            if parts == actual:
                return value
        raise InvalidPuzzle(f"{_text(actual)} means nothing here; expected such as {_text(parts)}")

    def write(size: int, value: Any) -> dict[str, Any] | None:
        return next((parts for parts, each in choices(size) if each == value), None)

    return _Value(read, write)


def _text(fields: dict[str, str]) -> str:
    return ", ".join(f"{key} {value!r}" for key, value in fields.items())


def _write_slope(size: int, cells: Sequence[Cell]) -> dict[str, Any] | None:
    slope = _SLOPE.write(size, cells)
    return slope and {**slope, "cells": _names(cells)}


def _digits(clue: _Clue) -> list[int] | None:
    values = clue.fields.get("values") or []
    if not isinstance(values, list):
        raise InvalidPuzzle(f"values are {shown(values)}; expected a list of digits")
    return [whole(value, "a value") for value in values] or None


_PAIR = _cells(fit=lambda cells: neighbours(*cells))
_SQUARE = _cells(
    fit=lambda cells: len(set(cells)) == 4 and all(touch(*pair) for pair in combinations(cells, 2))
)
_LINE = _Value(lambda clue: clue.cells("line"), lambda _, cells: {"lines": [_names(cells)]})
_WHISPERS = _Value(_usual(lambda n: (n + 1) // 2).read, _number().write)
_EXTRA = _Value(  # the site ignores a name that is added
    lambda clue: str(clue.fields.get("name", _EXTRA_NAME)),
    lambda _, name: {} if name == _EXTRA_NAME else {"name": name},
)
_SLOPE = _listed(
    lambda n: (({"cell": _name(place), "direction": way}, cells) for place, way, cells in slopes(n))
)
_BESIDE = _listed(
    lambda n: (({"cell": _name(at)}, cells) for at in places(n) if (cells := beside(at, n)))
)
_CAGE_SUM = _Value(lambda clue: clue.value() or None, _number(None).write)
_LETTER = _listed(lambda _: [({"value": ""}, None), ({"value": "V"}, 5), ({"value": "X"}, 10)])
_DIGITS = _Value(_digits, lambda _, digits: {"values": list(digits)})


_CIRCLE = _Value(lambda clue: sorted(clue.cells()), lambda *_: None)
_ARM = _Value(lambda clue: clue.cells("line")[1:] or None, lambda *_: None)  # behind the circle


def _write_arrow(writer: _Writer, name: str, rule: Any) -> bool:
    if list(rule.circle) != sorted(rule.circle):
        return False
    near = [cell for cell in rule.circle if touch(cell, rule.arm[0])]
    start = (near or rule.circle)[0]
    lines = [_names([start, *rule.arm])]
    return writer.clue(name, cells=_names(rule.circle), lines=lines)


def _read_region_sums(reader: _Reader, name: str) -> None:
    for line in _lines(reader, name):
        reader.rules.append(rules.RegionSumLine(line, reader.partial))


def _write_region_sums(writer: _Writer, name: str, rule: Any) -> bool:
    same = set(rule.regions) == set(writer.partial)
    return same and writer.clue(name, lines=[_names(rule.cells)])


def _read_double_arrows(reader: _Reader, name: str) -> None:
    """A line with nothing between its ends demands nothing."""
    reader.rules += (rules.DoubleArrow(line) for line in _lines(reader, name) if len(line) > 2)


def _write_double_arrow(writer: _Writer, name: str, rule: Any) -> bool:
    return len(rule.cells) > 2 and writer.clue(name, lines=[_names(rule.cells)])


def _lines(reader: _Reader, name: str) -> Iterator[list[Cell]]:
    """Each line under the key."""
    return (_LINE.read(part) for clue in reader.clues(name) for part in clue.lines())


def _read_negative(reader: _Reader, name: str) -> None:
    """No pair without a mark has one of the relations that the marks have."""
    kinds = reader.document[name]
    if not isinstance(kinds, list):
        raise InvalidPuzzle(f"{shown(kinds)} is not a list of keys")
    for kind in kinds:
        if kind == "xv":
            _negative(reader, "xv", sums=[5, 10])
        elif kind in _DOTS:
            clues = reader.clues(kind) if reader.document.get(kind) else ()
            values = [clue.value() or _DOTS[kind] for clue in clues]
            _negative(reader, *_DOTS, **{f"{kind}s": sorted(set(values)) or [_DOTS[kind]]})
        else:
            raise InvalidPuzzle(f"no rule {shown(kind)} here; expected xv, ratio")


def _read_nonconsecutive(reader: _Reader, _name: str) -> None:
    _negative(reader, *_DOTS, differences=[1])


def _negative(reader: _Reader, *marks: str, **relations: list[int]) -> None:
    """Add the rule that no pair without one of these marks has one of the relations."""
    present = (name for name in marks if isinstance(reader.document.get(name), list))
    exempt = [clue.cells() for name in present for clue in reader.clues(name)]
    reader.rules.append(rules.Negative(**relations, exempt=exempt))


def _write_negative(writer: _Writer, name: str, rule: Any) -> bool:
    """It must exempt just the pairs that have marks, as f-puzzles exempts these."""
    exempt = {frozenset(pair) for pair in rule.exempt}
    keys = []
    if rule.differences or rule.ratios:
        ratios = {each.value for each in writer.puzzle.rules if isinstance(each, rules.Ratio)}
        if exempt != writer.marked_pairs(rules.Difference, rules.Ratio):
            return False
        if rule.differences and set(rule.differences) != {1}:
            return False
        if rule.ratios and set(rule.ratios) != (ratios or {2}):
            return False
        keys += ["ratio"] if rule.ratios else []
    if rule.sums:
        if set(rule.sums) != {5, 10} or exempt != writer.marked_pairs(rules.PairSum):
            return False
        keys += ["xv"]
    if rule.differences:
        writer.flag("nonconsecutive")
    if keys:
        listed_keys = writer.entries.setdefault(name, [])
        listed_keys += [key for key in keys if key not in listed_keys]
    return True


def _read_parity(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        reader.marks.append((clue.cell(), name))


def _extremes(kind: type[rules.Minimum | rules.Maximum]) -> _Key:
    """Cells that are less, or more, than all their neighbours."""

    def read(reader: _Reader, name: str) -> None:
        reader.rules.append(kind([clue.cell() for clue in reader.clues(name)]))

    def write(writer: _Writer, name: str, rule: Any) -> bool:
        # Several rules of a kind are one in f-puzzles: they may only be far apart.
        others = [each for each in writer.puzzle.rules if type(each) is kind and each is not rule]
        used = [cell for other in others for cell in other.cells_used()]
        if any(neighbours(one, each) for one in rule.cells for each in used):
            return False
        for cell in rule.cells:
            writer.clue(name, cell=_name(cell))
        return True

    return _Key(read, kind, write)


def _read_indexers(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        for cell in clue.cells():
            rule = reader.areas.indexer(name.removesuffix("indexer"), cell)
            reader.rules += [rule] if rule else []  # a cell in no region is not restricted


def _write_indexer(writer: _Writer, name: str, rule: Any) -> bool:
    same = rule == writer.areas.indexer(name.removesuffix("indexer"), rule.control[0])
    return same and writer.clue(name, cells=_names(rule.control))


def _flag(kind: type[Rule], rules_of: Callable[[Areas], Iterable[Rule]]) -> _Key:
    """True for some rules of the whole grid, which `rules_of` gives for its boxes or regions."""

    def read(reader: _Reader, _name: str) -> None:
        reader.rules += rules_of(reader.areas)

    def write(writer: _Writer, name: str, rule: Any) -> bool:
        """Only all of these rules together have the key, whatever their names."""
        there, wanted = map(_cell_sets, (writer.puzzle.rules, rules_of(writer.areas)))
        return _cell_sets([rule]) <= wanted <= there and writer.flag(name)

    return _Key(read, kind, write)


def _cell_sets(several: Iterable[Rule]) -> set[tuple[type[Rule], frozenset[Cell]]]:
    return {(type(rule), frozenset(rule.cells_used())) for rule in several}


def _diagonal(at: int) -> _Key:
    return _flag(
        rules.Different,
        lambda areas: [rules.Different(diagonals(areas.size)[at], "diagonal")],
    )


_INDEXER = _Key(_read_indexers, rules.Index, _write_indexer)

KEYS: dict[str, _Key] = {
    "diagonal+": _diagonal(1),
    "diagonal-": _diagonal(0),
    "antiknight": _flag(rules.AntiKnight, lambda _: [rules.AntiKnight()]),
    "antiking": _flag(rules.AntiKing, lambda _: [rules.AntiKing()]),
    "disjointgroups": _flag(rules.Different, Areas.disjoint_groups),
    "nonconsecutive": _Key(_read_nonconsecutive),
    "negative": _Key(_read_negative, rules.Negative, _write_negative),
    "killercage": _clue(rules.KillerCage, cells=_cells(), sum=_CAGE_SUM),
    "arrow": _clue(rules.Arrow, True, circle=_CIRCLE, arm=_ARM)._replace(write=_write_arrow),
    "thermometer": _line(rules.Thermometer, slow=_fixed(False)),
    "slowthermometer": _line(rules.Thermometer, slow=_fixed(True)),
    "palindrome": _line(rules.Palindrome),
    "renban": _line(rules.Renban),
    "nabner": _line(rules.Nabner),
    "whispers": _line(rules.Whispers, difference=_WHISPERS),
    "betweenline": _line(rules.BetweenLine),
    "lockout": _line(rules.LockoutLine, difference=_usual(lambda n: n // 2)),
    "regionsumline": _Key(_read_region_sums, rules.RegionSumLine, _write_region_sums),
    "entropicline": _line(rules.EntropicLine),
    "modularline": _line(rules.ModularLine, modulus=_usual(lambda n: 3)),
    "zipperline": _line(rules.ZipperLine),
    "doublearrow": _Key(_read_double_arrows, rules.DoubleArrow, _write_double_arrow),
    "littlekillersum": _clue(
        rules.LittleKiller, cells=_SLOPE._replace(write=_write_slope), sum=_number()
    ),
    "sandwichsum": _clue(rules.Sandwich, cells=_BESIDE, sum=_number()),
    "xsum": _clue(rules.XSum, cells=_BESIDE, sum=_number()),
    "skyscraper": _clue(rules.Skyscraper, cells=_BESIDE, value=_number()),
    "difference": _clue(rules.Difference, cells=_PAIR, value=_number(_DOTS["difference"])),
    "ratio": _clue(rules.Ratio, cells=_PAIR, value=_number(_DOTS["ratio"])),
    "xv": _clue(rules.PairSum, cells=_PAIR, value=_LETTER),
    "quadruple": _clue(rules.Contains, cells=_SQUARE, digits=_DIGITS, exactly=_fixed(False)),
    "odd": _Key(_read_parity),
    "even": _Key(_read_parity),
    "minimum": _extremes(rules.Minimum),
    "maximum": _extremes(rules.Maximum),
    "extraregion": _clue(rules.Different, cells=_cells(), name=_EXTRA),
    "clone": _clue(rules.Clone, cells=_cells(), copies=_cells("cloneCells")),
    "rowindexer": _INDEXER,
    "columnindexer": _INDEXER,
    "boxindexer": _INDEXER,
}
"""In the order of the rules. A rule is written under the first key that can express it."""
