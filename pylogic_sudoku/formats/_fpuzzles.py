"""The documents of f-puzzles: a grid, and a list of clues for each kind of rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .._geometry import DIRECTIONS, beside, diagonals, disjoint_groups, view
from .._layout import Box, Cell, Layout, checked_regions, usual_box
from ..errors import InvalidPuzzle, counted, shown
from ..grid import MAX_SIZE, Grid
from ..puzzle import Puzzle
from ._made import index_rule, made

if TYPE_CHECKING:
    from ..rules import Rule

__all__ = ["LINES", "OUTSIDE", "PAIRS", "puzzle_of"]

LINES = {
    "thermometer": "thermometer",
    "slowthermometer": "thermometer",
    "palindrome": "palindrome",
    "renban": "renban",
    "nabner": "nabner",
    "whispers": "whispers",
    "betweenline": "between_line",
    "lockout": "lockout_line",
    "regionsumline": "region_sum_line",
    "entropicline": "entropic_line",
    "modularline": "modular_line",
    "zipperline": "zipper_line",
    "doublearrow": "double_arrow",
}
"""Keys whose clues have lines, and the kinds of rules that they are."""

OUTSIDE = {
    "sandwichsum": ("sandwich", "sum"),
    "xsum": ("x_sum", "sum"),
    "skyscraper": ("skyscraper", "value"),
}
"""Keys of clues beside the grid, the kinds, and the field that has the clue."""

PAIRS = {"difference": 1, "ratio": 2}
"""Keys of dots, and the value of a dot without one."""

_NO_RULES = {"size", "title", "author", "ruleset", "grid", "solution", "highlightConflicts"}
_NO_RULES |= {"disabledlogic", "truecandidatesoptions", "successMessage", "msgcorrect"}
_NO_RULES |= {"cage", "line", "rectangle", "circle", "text", "logo", "id"}
"""Keys that say nothing about the digits: names, settings of a solver, and drawing."""

_CELL = re.compile(r"\s*R(\d{1,3})C(\d{1,3})\s*", re.ASCII | re.IGNORECASE)


def puzzle_of(document: dict[str, Any], box: Box | None = None) -> Grid | Puzzle:
    """The puzzle of a document; InvalidPuzzle, which names the key, if it cannot be read."""
    return _Reader(document, box).puzzle()


class _Reader:
    """A document while it is read."""

    def __init__(self, document: dict[str, Any], box: Box | None) -> None:
        self.document = document
        rows = document.get("grid")
        if not isinstance(rows, list) or not 1 <= len(rows) <= MAX_SIZE:
            raise InvalidPuzzle(f"'grid' is {shown(rows)}; expected rows of cells")
        self.size = n = len(rows)
        if document.get("size", n) != n:
            raise InvalidPuzzle(f"'size' is {shown(document['size'])}, but there are {n} rows")
        for number, row in enumerate(rows, 1):
            if not isinstance(row, list) or len(row) != n:
                cells = counted(len(row), "cell") if isinstance(row, list) else shown(row)
                raise InvalidPuzzle(f"row {number} of 'grid' has {cells}, expected {n}")
            for column, cell in enumerate(row, 1):
                if not isinstance(cell, dict):
                    raise InvalidPuzzle(f"r{number}c{column} is {shown(cell)}; expected an object")
        self.rows: list[list[dict[str, Any]]] = rows
        self.box = box if box and box[0] * box[1] == n else usual_box(n)
        self.marks: list[tuple[Cell, Any]] = []
        self.rules: list[Rule] = []

    def puzzle(self) -> Grid | Puzzle:
        for name, value in self.document.items():
            if name in _NO_RULES or value in (None, False, "", []):
                continue
            if name not in _KEYS:
                raise InvalidPuzzle(
                    f"no rule {shown(name)} here; an f-puzzles document may have {', '.join(_KEYS)}"
                )
        regions = self._regions()
        self._read_cells()
        for name, read in _KEYS.items():
            if self.document.get(name) not in (None, False, "", []):
                read(self, name)
        numbers = [[self._given(cell) for cell in row] for row in self.rows]
        names = {name: str(self.document.get(name) or "") for name in ("title", "author")}
        puzzle = Puzzle(Grid.from_rows(numbers, self.box), regions, self.marks, self.rules, **names)
        return puzzle.grid if puzzle.is_plain and not any(names.values()) else puzzle

    # --- the grid ---

    def _given(self, cell: dict[str, Any]) -> Any:
        """The digit of a cell; one that is no given is what a player has typed."""
        return number(cell["value"], "the value of a cell") if self._is_given(cell) else None

    def _is_given(self, cell: dict[str, Any]) -> bool:
        return bool(cell.get("given")) and cell.get("value") not in (None, "", 0)

    def _read_cells(self) -> None:
        for row, cells in enumerate(self.rows, 1):
            for column, cell in enumerate(cells, 1):
                if marks := cell.get("givenPencilMarks"):
                    self.marks.append((Cell(row, column), marks))

    def _regions(self) -> Any:
        """The regions, if they are not boxes; sets the boxes.

        A cell without a region keeps that of its box; one whose region is null is in none, and then
        the regions there are become rules, as not every digit needs a region.
        """
        n = self.size
        default = {
            cell: number
            for number, house in enumerate(Layout(self.box).houses[2 * n :])
            for cell in house.cells
        }
        labels: dict[Cell, Any] = {}
        for cell, number_ in default.items():
            label = self.rows[cell.row - 1][cell.column - 1].get("region", number_)
            if isinstance(label, bool) or not isinstance(label, int | None):
                raise InvalidPuzzle(f"the region of {cell} is {shown(label)}; expected a number")
            labels[cell] = label
        if labels == default:
            return None
        if None not in labels.values():
            rows = [[labels[Cell(row, at)] for at in range(1, n + 1)] for row in range(1, n + 1)]
            return checked_regions(rows, n)
        self.box = (1, n)
        for label in sorted({label for label in labels.values() if label is not None}):
            cells = [cell for cell in labels if labels[cell] == label]
            if len(cells) != n:
                raise InvalidPuzzle(
                    f"the region of {cells[0]} has {counted(len(cells), 'cell')}, expected {n}"
                )
            self.rules.append(made("different", cells=cells, name="region"))
        return None

    # --- clues ---

    def clues(self, name: str) -> Iterator[dict[str, Any]]:
        """The clues under a key."""
        found = self.document[name]
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            raise InvalidPuzzle(f"{name!r} is {shown(found)}; expected a list of objects")
        yield from found

    def add(self, key: str, kind: str, /, **fields: Any) -> None:
        """Add a rule; a problem with a field names the key."""
        try:
            self.rules.append(made(kind, **fields))
        except InvalidPuzzle as error:
            raise InvalidPuzzle(f"{key!r}: {error}") from None

    def cell(self, name: str, value: Any) -> Cell:
        """A cell of the grid."""
        row, column = self.place(name, value)
        if not (1 <= row <= self.size and 1 <= column <= self.size):
            raise InvalidPuzzle(
                f"{name!r}: {value} is not a cell of a {self.size}x{self.size} grid"
            )
        return Cell(row, column)

    def place(self, name: str, value: Any) -> tuple[int, int]:
        """Row and column, perhaps beside the grid."""
        match = _CELL.fullmatch(value) if isinstance(value, str) else None
        if match is None:
            raise InvalidPuzzle(f"{name!r}: {shown(value)} is not a cell; expected such as 'R1C1'")
        return int(match[1]), int(match[2])

    def cells(self, name: str, values: Any) -> list[Cell]:
        if not isinstance(values, list) or not values:
            raise InvalidPuzzle(f"{name!r}: cells are {shown(values)}; expected a list of cells")
        return [self.cell(name, value) for value in values]

    def lines(self, name: str, clue: dict[str, Any]) -> Iterator[list[Cell]]:
        lines = clue.get("lines")
        if not isinstance(lines, list):
            raise InvalidPuzzle(f"{name!r}: lines are {shown(lines)}; expected a list of lines")
        for line in lines:
            yield self.cells(name, line)

    def value(self, name: str, clue: dict[str, Any]) -> int | None:
        """The number of a clue, or None if it has none."""
        value = clue.get("value")
        return None if value in (None, "") else number(value, f"{name!r}: the value")


def number(value: Any, what: str) -> int:
    """A number that may be text; InvalidPuzzle if it is something else."""
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}\s*", value, re.ASCII):
        return int(value)
    raise InvalidPuzzle(f"{what} is {shown(value)}; expected a whole number")


# --- what each key means ---


def _lines(reader: _Reader, name: str) -> None:
    kind = LINES[name]
    n = reader.size
    for clue in reader.clues(name):
        value = reader.value(name, clue)
        more: dict[str, Any] = {}
        if name == "slowthermometer":
            more["slow"] = True
        elif kind == "whispers":
            more["difference"] = value if value is not None else (n + 1) // 2
        elif kind == "lockout_line":
            more["difference"] = value if value is not None else n // 2
        elif kind == "modular_line":
            more["modulus"] = value if value is not None else 3
        for line in reader.lines(name, clue):
            reader.add(name, kind, cells=line, **more)


def _arrows(reader: _Reader, name: str) -> None:
    """Each line of an arrow is one of its own; it begins in the circle."""
    for clue in reader.clues(name):
        circle = sorted(reader.cells(name, clue.get("cells")))
        for line in reader.lines(name, clue):
            if len(line) > 1:
                reader.add(name, "arrow", circle=circle, arm=line[1:])


def _cages(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        cells = reader.cells(name, clue.get("cells"))
        reader.add(name, "killer_cage", cells=cells, sum=reader.value(name, clue) or None)


def _little_killers(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        place, move = reader.place(name, clue.get("cell")), str(clue.get("direction"))
        cells = view(place, DIRECTIONS[move], reader.size) if move in DIRECTIONS else ()
        if not cells:
            raise InvalidPuzzle(
                f"{name!r}: no cells from {clue.get('cell')} in the direction"
                f" {shown(clue.get('direction'))}; expected {', '.join(DIRECTIONS)}"
            )
        if (value := reader.value(name, clue)) is not None:
            reader.add(name, "little_killer", cells=cells, sum=value)


def _outside(reader: _Reader, name: str) -> None:
    kind, field = OUTSIDE[name]
    for clue in reader.clues(name):
        cells = beside(reader.place(name, clue.get("cell")), reader.size)
        if not cells:
            raise InvalidPuzzle(
                f"{name!r}: {clue.get('cell')} is not beside a {reader.size}x{reader.size} grid"
            )
        if (value := reader.value(name, clue)) is not None:
            reader.add(name, kind, cells=cells, **{field: value})


def _dots(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        value = reader.value(name, clue)
        cells = reader.cells(name, clue.get("cells"))
        reader.add(name, name, cells=cells, value=PAIRS[name] if value is None else value)


def _sums_of_pairs(reader: _Reader, name: str) -> None:
    """X and V; a mark without a letter says nothing but that the pair is exempt."""
    for clue in reader.clues(name):
        cells = reader.cells(name, clue.get("cells"))
        letter = clue.get("value")
        if letter in (None, ""):
            continue
        if letter not in ("X", "V", "x", "v"):
            raise InvalidPuzzle(f"{name!r}: the value is {shown(letter)}; expected 'X' or 'V'")
        reader.add(name, "pair_sum", cells=cells, value=10 if letter in "Xx" else 5)


def _marked(reader: _Reader, *names: str) -> list[list[Cell]]:
    """The pairs with a mark under one of these keys."""
    return [
        reader.cells(name, clue.get("cells"))
        for name in names
        if isinstance(reader.document.get(name), list)
        for clue in reader.clues(name)
    ]


def _nonconsecutive(reader: _Reader, name: str) -> None:
    reader.add(name, "negative", differences=[1], exempt=_marked(reader, *PAIRS))


def _negative(reader: _Reader, name: str) -> None:
    """No pair without a mark has one of the relations that the marks have."""
    kinds = reader.document[name]
    if not isinstance(kinds, list):
        raise InvalidPuzzle(f"{name!r} is {shown(kinds)}; expected a list of keys")
    for kind in kinds:
        if kind == "xv":
            reader.add(name, "negative", sums=[5, 10], exempt=_marked(reader, "xv"))
        elif kind in PAIRS:
            values = [
                reader.value(kind, clue) or PAIRS[kind]
                for clue in (reader.clues(kind) if reader.document.get(kind) else ())
            ]
            found = {f"{kind}s": sorted(set(values)) or [PAIRS[kind]]}
            reader.add(name, "negative", **found, exempt=_marked(reader, *PAIRS))
        else:
            raise InvalidPuzzle(f"{name!r}: no rule {shown(kind)} here; expected xv, ratio")


def _marks(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        reader.marks.append((reader.cell(name, clue.get("cell")), name))


def _extremes(reader: _Reader, name: str) -> None:
    cells = [reader.cell(name, clue.get("cell")) for clue in reader.clues(name)]
    reader.add(name, name, cells=cells)


def _extra_regions(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        cells = reader.cells(name, clue.get("cells"))
        reader.add(name, "different", cells=cells, name="extra region")


def _clones(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        cells, copies = (reader.cells(name, clue.get(key)) for key in ("cells", "cloneCells"))
        reader.add(name, "clone", cells=cells, copies=copies)


def _quadruples(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        values = clue.get("values") or []
        if not isinstance(values, list):
            raise InvalidPuzzle(f"{name!r}: values are {shown(values)}; expected a list of digits")
        digits = [number(value, f"{name!r}: a value") for value in values]
        if digits:
            reader.add(name, "contains", cells=reader.cells(name, clue.get("cells")), digits=digits)


def _indexers(reader: _Reader, name: str) -> None:
    for clue in reader.clues(name):
        for cell in reader.cells(name, clue.get("cells")):
            reader.rules.append(index_rule(name.removesuffix("indexer"), cell, reader.box))


def _diagonal(reader: _Reader, name: str) -> None:
    cells = diagonals(reader.size)[name == "diagonal+"]
    reader.add(name, "different", cells=cells, name="diagonal")


def _disjoint_groups(reader: _Reader, name: str) -> None:
    for cells in disjoint_groups(reader.box):
        reader.add(name, "different", cells=cells, name="disjoint group")


def _chess(reader: _Reader, name: str) -> None:
    reader.add(name, {"antiknight": "anti_knight", "antiking": "anti_king"}[name])


_KEYS: dict[str, Callable[[_Reader, str], None]] = {
    "diagonal+": _diagonal,
    "diagonal-": _diagonal,
    "antiknight": _chess,
    "antiking": _chess,
    "disjointgroups": _disjoint_groups,
    "nonconsecutive": _nonconsecutive,
    "negative": _negative,
    "killercage": _cages,
    "arrow": _arrows,
    **dict.fromkeys(LINES, _lines),
    "littlekillersum": _little_killers,
    **dict.fromkeys(OUTSIDE, _outside),
    **dict.fromkeys(PAIRS, _dots),
    "xv": _sums_of_pairs,
    "quadruple": _quadruples,
    "odd": _marks,
    "even": _marks,
    "minimum": _extremes,
    "maximum": _extremes,
    "extraregion": _extra_regions,
    "clone": _clones,
    "rowindexer": _indexers,
    "columnindexer": _indexers,
    "boxindexer": _indexers,
}
"""What reads each key, in the order of the rules."""
