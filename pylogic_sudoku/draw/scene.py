"""The contents of a picture in any medium: a grid, pencil marks, highlights and links.

A `Scene` is what SVG and the terminal draw. Below it are the shapes of roles and the lines of
chains, which pictures and the page share.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, product
from math import dist, isqrt
from typing import TYPE_CHECKING, NamedTuple

from ..errors import InvalidPuzzle
from ..puzzle import Grid, Mark, Puzzle, PuzzleLike, board_of
from ..puzzle.cells import Candidates, Cell, Layout, Placement
from .pen import Point, between, circle, frame, number, placed, stroke

PARTS = ("a", "b", "c", "d", "e", "f")
"""Parts of an argument, each with a look of its own."""


class Tint(NamedTuple):
    """The colours of a role: the background of its cells, and its shape."""

    ground: str
    ink: str


class RoleLook(NamedTuple):
    """The colours of a role; its shape is separate."""

    light: Tint
    dark: Tint
    """On dark pages; a picture has its own white ground."""
    marker: str
    """The characters next to a digit in a terminal."""
    palette: int
    """For a terminal, a colour of the palette of 256 with the hue of `light`."""


# The page repeats these in ``page/static/roles.css`` and ``roles.js``, and a test compares them.
ROLE_LOOKS = {
    "target": RoleLook(Tint("#ffe58a", "#8a5a00"), Tint("#4a3d0c", "#f3cd5c"), "*", 222),
    "conflict": RoleLook(Tint("#ffd5d1", "#b3261e"), Tint("#55201f", "#ff9c92"), "!", 217),
    "removed": RoleLook(Tint("#fbe4e2", "#b3261e"), Tint("#42211f", "#ff9c92"), "x", 224),
    "difference": RoleLook(Tint("#eadcff", "#6a35b5"), Tint("#3d2b61", "#c9abff"), "~", 183),
    "a": RoleLook(Tint("#c9efe9", "#0a6e64"), Tint("#0f3f3a", "#6fd8cc"), "a", 158),
    "b": RoleLook(Tint("#ffe2c4", "#9c4a08"), Tint("#4d2c0c", "#f5a55f"), "b", 223),
    "c": RoleLook(Tint("#fadcef", "#a01f78"), Tint("#521a3f", "#f293cf"), "c", 218),
    "d": RoleLook(Tint("#ecf1bd", "#5e6a08"), Tint("#383e0c", "#c9d65e"), "d", 192),
    "e": RoleLook(Tint("#dfe4f8", "#444f9e"), Tint("#2a3060", "#a9b4f5"), "e", 147),
    "f": RoleLook(Tint("#ebe3da", "#75553a"), Tint("#46331f", "#d4b597"), "f", 180),
    "reason": RoleLook(Tint("#d3e9ff", "#0b5aa8"), Tint("#143c61", "#82c0fa"), "+", 153),
    "house": RoleLook(Tint("#eaf4e2", "#42752b"), Tint("#223a1b", "#93cf7b"), ":", 194),
    "cover": RoleLook(Tint("#f1f1f3", "#5f6673"), Tint("#2c313b", "#a0a8b6"), ".", 254),
}

ROLES = tuple(ROLE_LOOKS)
"""The meanings of a highlight. If a cell has several, the first of these is drawn."""

TINTS = {role: look.light for role, look in ROLE_LOOKS.items()}
"""The colours in pictures."""


@dataclass(frozen=True, slots=True)
class Highlight:
    """Cells and candidates that stand out for one reason."""

    label: str
    """The line of the legend; none if it is empty."""
    role: str
    """One of `ROLES`: the cell or digit asked about, a clash, something removed, a difference
    between two grids, one of the parts of an argument, a reason of it, a whole house, a house that
    others cross."""
    cells: tuple[tuple[int, int], ...] = ()
    """Row and column, from 1."""
    candidates: tuple[tuple[int, int, int], ...] = ()
    """Row, column, digit. In a cell that holds another digit it is drawn beside that digit."""

    def __repr__(self) -> str:
        marked = f"{len(self.cells)} cells, {len(self.candidates)} candidates"
        return f"<Highlight {self.label!r}: {self.role}, {marked}>"


@dataclass(frozen=True, slots=True)
class Link:
    """A line from one candidate, or a group of them, to another."""

    start: tuple[tuple[int, int, int], ...]
    """Row, column and digit of each candidate; a group holds if one of them does."""
    end: tuple[tuple[int, int, int], ...]
    strong: bool
    """True if at least one of the two holds, a solid line; False if at most one does, dashed."""


class Look(NamedTuple):
    """The look of one cell."""

    digit: int
    """0 if it is empty."""
    given: bool
    role: str | None
    """The first of its roles, in the order of `ROLES`."""
    marks: dict[int, str | None]
    """Small digits, ascending, each with its role: candidates of an empty cell, and highlighted
    digits that the cell does not hold."""
    parity: str
    """``"odd"`` or ``"even"`` if the puzzle marks the cell so, else an empty text."""


Side = tuple[str, int, int]
"""``"above"`` or ``"left"`` of a cell; rows and columns count from 0, so n is the end."""


def borders(layout: Layout) -> set[Side]:
    """The lines between cells that separate two boxes or regions, and those at the edge."""
    n = layout.size
    block = dict.fromkeys(layout.cells, 0)  # in a grid without boxes, all cells are in one area
    block |= {cell: each.number for each in layout.blocks for cell in each.cells}
    return {
        (way, row - 1, column - 1)
        for row, column in product(range(1, n + 2), repeat=2)
        for way, other in (("above", (row - 1, column)), ("left", (row, column - 1)))
        if block.get(Cell(row, column)) != block.get(Cell(*other))
    }


@dataclass(frozen=True, slots=True)
class Scene:
    """A grid to be drawn. InvalidPuzzle if its parts do not fit together."""

    grid: Grid
    puzzle: Grid | Puzzle | None = None
    """The puzzle with the givens, the regions and the marks; if None, the grid itself."""
    candidates: Candidates | None = None
    """Rows of sets of digits, drawn as pencil marks in empty cells. If None, these are the marks of
    the puzzle that are neither odd nor even."""
    highlights: tuple[Highlight, ...] = ()
    title: str = ""
    links: tuple[Link, ...] = ()
    """The links of chains, in order."""

    if TYPE_CHECKING:  # it takes more than what it then holds, such as text

        def __init__(
            self,
            grid: PuzzleLike,
            puzzle: PuzzleLike | None = ...,
            candidates: Candidates | None = ...,
            highlights: tuple[Highlight, ...] = ...,
            title: str = ...,
            links: tuple[Link, ...] = ...,
        ) -> None: ...

    def __post_init__(self) -> None:
        if not isinstance(self.grid, Grid):
            board = board_of(self.grid)
            object.__setattr__(self, "grid", board.grid)
            if self.puzzle is None and isinstance(board, Puzzle):
                object.__setattr__(self, "puzzle", board)
        if self.puzzle is not None:
            object.__setattr__(self, "puzzle", board_of(self.puzzle))
        n = self.grid.size
        if self.puzzle is not None:
            _same_shape(self.grid, self.puzzle)
        if self.candidates is not None:
            digits = set(range(1, n + 1))
            fit = (
                len(row) == n and all(digits.issuperset(cell) for cell in row)
                for row in self.candidates
            )
            if len(self.candidates) != n or not all(fit):
                raise InvalidPuzzle(f"candidates are {n} rows of {n} sets of digits from 1 to {n}")
        for highlight in self.highlights:
            if highlight.role not in ROLES:
                raise InvalidPuzzle(f"no role {highlight.role!r}; one of {', '.join(ROLES)}")
            _within(n, repr(highlight.label), highlight.cells, 2)
            _within(n, repr(highlight.label), highlight.candidates, 3)
        for link in self.links:
            if not (link.start and link.end):
                raise InvalidPuzzle("a link joins two candidates or groups; one of them is empty")
            _within(n, "a link", (*link.start, *link.end), 3)

    def __repr__(self) -> str:
        return f"<Picture {one_line(self.described)!r:.150}>"

    @property
    def described(self) -> str:
        """The title, or a few words about the puzzle."""
        puzzle = self.puzzle or self.grid
        givens = len(puzzle.givens)
        solved = " and its solution" if puzzle.digits != self.grid.digits else ""
        n = self.grid.size
        return one_line(self.title) or f"Sudoku {n}x{n} with {givens} givens{solved}"

    @property
    def has_marks(self) -> bool:
        """True if some empty cell has several small digits, so cells must be large."""
        return any(len(look.marks) > 1 and not look.digit for look in self.looks())

    @property
    def named(self) -> bool:
        """True if a text has the numbers of rows and columns, as explanations mention r3c2.

        A puzzle alone has none, so that the text can be read as a puzzle again.
        """
        return bool(self.highlights or self.links or self.candidates)

    @property
    def layout(self) -> Layout:
        """The houses that are drawn."""
        return (self.puzzle or self.grid).layout

    @property
    def marks(self) -> tuple[Mark, ...]:
        """The marks of the puzzle."""
        return self.puzzle.marks if self.puzzle else ()

    def looks(self) -> list[Look]:
        """The look of each cell, in the order of `Grid.digits`."""
        n = self.grid.size
        puzzle = self.puzzle or self.grid
        roles: dict[tuple[int, int], str] = {}
        for highlight in sorted(self.highlights, key=lambda each: -ROLES.index(each.role)):
            for row, column in highlight.cells:
                roles[Cell(row, column).offset(n), 0] = highlight.role
            for row, column, digit in highlight.candidates:
                at = Cell(row, column).offset(n)
                roles[at, 0 if digit == self.grid.digits[at] else digit] = highlight.role
        linked = (each for link in self.links for each in (*link.start, *link.end))
        for row, column, digit in linked:
            at = Cell(row, column).offset(n)
            roles.setdefault((at, 0 if digit == self.grid.digits[at] else digit), "reason")
        parities = {
            frozenset(range(1, n + 1, 2)): "odd",
            frozenset(range(2, n + 1, 2)): "even",
        }
        allowed = {mark.cell.offset(n): mark.digits for mark in self.marks}
        looks = []
        for cell, digit in enumerate(self.grid.digits):
            marks = {d for d in range(1, n + 1) if (cell, d) in roles}
            digits = allowed.get(cell)
            parity = parities.get(digits, "") if digits is not None else ""
            if not digit and self.candidates is not None:
                marks |= self.candidates[cell // n][cell % n]
            elif not digit and not parity:
                marks |= digits or set()
            given = bool(digit) and digit == puzzle.digits[cell]
            small = {d: roles.get((cell, d)) for d in sorted(marks)}
            looks.append(Look(digit, given, roles.get((cell, 0)), small, parity))
        return looks


def one_line(text: str) -> str:
    """The text on one line, without control characters that could harm XML or a terminal."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def mark_columns(size: int) -> int:
    """The number of pencil marks in a row, so that all fit in a square."""
    return isqrt(size - 1) + 1


def _within(n: int, what: str, about: Iterable[tuple[int, ...]], numbers: int) -> None:
    """InvalidPuzzle unless all are this many numbers from 1 to n."""
    expected = "(row, column)" if numbers == 2 else "(row, column, digit)"
    for each in about:
        if len(each) != numbers or not all(1 <= number <= n for number in each):
            raise InvalidPuzzle(
                f"{what} is about {tuple(each)}; expected {expected}, each from 1 to {n}"
            )


def _same_shape(grid: Grid, other: Grid | Puzzle) -> None:
    jigsaw = other.layout.regions is not None
    if grid.size != other.size or (grid.layout.blocks != Layout(other.box).blocks and not jigsaw):
        shapes = [f"{r * c}x{r * c} with {r}x{c} boxes" for r, c in (grid.box, other.box)]
        raise InvalidPuzzle(f"the grids differ in shape: {' and '.join(shapes)}")


def difference(grid: PuzzleLike, other: PuzzleLike, label: str = "differs") -> Highlight:
    """The cells in which the grids differ, with the other's digits as candidates.

    >>> found = difference(Grid.parse("12..34......4321"), Grid.parse("12..34......4312"))
    >>> [str(cell) for cell in found.cells], [str(each) for each in found.candidates]
    (['r4c3', 'r4c4'], ['r4c3=1', 'r4c4=2'])
    """
    grid, other = board_of(grid), board_of(other)
    _same_shape(grid.grid, other)
    cells = tuple(cell for cell in grid.cells if grid[cell] != other[cell])
    theirs = tuple(Placement(*cell, other[cell]) for cell in cells if other[cell])
    return Highlight(label, "difference", cells, theirs)


def mistakes(grid: PuzzleLike, puzzle: PuzzleLike) -> tuple[Highlight, ...]:
    """The givens that the grid does not keep, and its digits that break a rule.

    Args:
        grid: The grid, full or not.
        puzzle: The puzzle that the grid should solve: a `Grid`, a `Puzzle`, text in any known
            format, or nested rows.

    >>> mistakes(Grid.parse("2.2............."), Grid.parse("1..............."))[0].candidates
    (Placement(row=1, column=1, digit=1),)
    """
    grid, puzzle = board_of(grid).grid, board_of(puzzle)
    _same_shape(grid, puzzle)
    highlights = []
    clashes = tuple(given for given in puzzle.givens if grid[given.cell] not in (0, given.digit))
    if clashes:
        label, places = "not the given digit, which is small", tuple(each.cell for each in clashes)
        highlights.append(Highlight(label, "difference", places, clashes))
    solution = puzzle.with_grid(grid)
    twice = solution.duplicates()
    if twice:
        text = twice[0] if len(twice) == 1 else "a digit more than once in a house"
        cells = sorted({cell for each in twice for cell in each.cells})
        highlights.append(Highlight(str(text), "conflict", tuple(cells)))
    forbidden = tuple(each.cell for each in puzzle.excluded if grid[each.cell] == each.digit)
    if forbidden:
        highlights.append(Highlight("not a digit that the mark allows", "conflict", forbidden))
    if solution.rules:
        from ..rules.base import broken_rules

        for rule in broken_rules(solution):
            cells = list(dict.fromkeys(rule.cells_used()))
            highlights.append(Highlight(f"broken: {rule}", "conflict", tuple(cells)))
    return tuple(highlights)


# --- the shapes of roles ------------------------------------------------------------------

Square = tuple[float, float, float]
"""Centre and side of a cell or of a pencil mark."""

_DASHES = {"difference": "4 3", "cover": "9 5"}


def role_stroke(role: str, d: str, width: float) -> str:
    """The lines of a path in the colour and the pattern of the role."""
    ends = "square" if role == "house" else None
    return stroke(TINTS[role].ink, width, d, _DASHES.get(role), ends)


def box(square: Square, inset: float = 0) -> str:
    """The four sides."""
    x, y, side = square
    return frame((x, y), side - 2 * inset, side - 2 * inset)


def swatch(role: str, square: Square) -> str:
    """The shape of the role in a legend: a house is long and flat there, or it would be a cell."""
    x, y, side = square
    return frame((x, y), side, side / 2) if role in ("house", "cover") else shape(role, square)


def shape(role: str, square: Square) -> str:
    """The shape of the role in this square."""
    x, y, side = square
    inset = side / 14
    half = side / 2 - inset
    if role == "reason":
        return circle((x, y), half - 0.6 * inset)
    if role == "conflict":
        return box(square, inset) + box(square, 2.4 * inset)

    return placed(_SHAPES[role], (x, y), half) if role in _SHAPES else box(square, inset)


_SHAPES = {
    "removed": "M-0.83 0.83l1.66 -1.66",
    "a": "M-1.2 0l1.2 -1.2l1.2 1.2l-1.2 1.2z",
    "b": "M-1 0l0.5 -1h1l0.5 1l-0.5 1h-1z",
    "c": "M-0.5 -1h-0.5v2h0.5M0.5 -1h0.5v2h-0.5",
    "d": "M-1 -1h2M-1 1h2",
    "e": "M-1 -0.5v-0.5h0.5M-1 0.5v0.5h0.5M1 -0.5v-0.5h-0.5M1 0.5v0.5h-0.5",
    "f": "M-1 0.75h2M-1 1.1h2",
}
"""A line across, a diamond, a hexagon, brackets, bars, corners, lines below: paths for
`placed`."""


# --- chains: links as lines that avoid digits, and in words -------------------------------

LEGEND = {True: "at least one of the two holds", False: "at most one of the two holds"}
"""The meanings of a strong and a weak link."""

_BENDS = (0, 0.12, -0.12, 0.24, -0.24, 0.4, -0.4, 0.6, -0.6, 2, -2)
"""Offsets of the point towards which a line bends, as parts of its length. The last are for
neighbours, between whose circles there is little room."""

Spot = tuple[float, float, float]
"""Where a digit is, and how much room it takes to each side."""
Node = tuple[tuple[int, int, int], ...]


def link_paths(
    links: Iterable[Link], spots: Mapping[tuple[int, int, int], Spot], radius: float
) -> list[str]:
    """Each link as a curve between the nearest candidates of its nodes, avoiding other digits.

    It ends at this distance from the candidates.
    """
    best_curves = []
    for link in links:
        pairs = [(spots[one][:2], spots[two][:2]) for one in link.start for two in link.end]
        start, end = min(pairs, key=lambda both: dist(*both))
        others = [spot for at, spot in spots.items() if at not in (*link.start, *link.end)]
        curves = [_bent(start, end, bend, radius) for bend in _BENDS]
        best_curves.append(min(curves, key=lambda curve: _hit(curve, others, radius)))
    return ["M{} {}Q{} {} {} {}".format(*map(number, chain(*curve))) for curve in best_curves]


def _bent(start: Point, end: Point, bend: float, radius: float) -> tuple[Point, Point, Point]:
    """The start of the curve, the point towards which it bends, and its end."""
    x, y = between(start, end)
    middle = x - bend * (end[1] - start[1]), y + bend * (end[0] - start[0])
    part = min(radius / dist(start, middle), 0.9)
    return between(start, middle, part), middle, between(end, middle, part)


def _hit(curve: tuple[Point, Point, Point], others: list[Spot], radius: float) -> float:
    """The size of the digits that the curve hits; more if it is too short, or outside the grid."""
    start, bend, end = curve
    steps = max(4, int(dist(start, end) / 4))
    parts = [step / steps for step in range(1, steps)]
    points = [between(between(start, bend, at), between(bend, end, at), at) for at in parts]
    hit = sum(
        room for x, y, room in others if any(abs(a - x) < room > abs(b - y) for a, b in points)
    )
    xs, ys, _ = zip(*others, strict=True) if others else ((), (), ())
    inside = all(min(xs) <= a <= max(xs) and min(ys) <= b <= max(ys) for a, b in points if others)
    return hit + radius * (dist(start, end) < radius) + radius * 2 * (not inside)


def _node(placements: Node) -> str:
    """Such as ``r1c2 5``; of a group, ``r1c2,r1c3 5``."""
    cells: dict[int, list[str]] = {}
    for placement in placements:
        cells.setdefault(placement[2], []).append(str(Cell(*placement[:2])))
    return " ".join(f"{','.join(where)} {digit}" for digit, where in cells.items())


def in_words(links: Sequence[Link]) -> list[str]:
    """Each chain in one line, such as ``r1c2 5 = r1c7 5 - r4c7 5``."""
    lines: list[str] = []
    last: Node | None = None
    for link in links:
        sign = "=" if link.strong else "-"
        if link.start == last:
            lines[-1] += f" {sign} {_node(link.end)}"
        else:
            lines.append(f"{_node(link.start)} {sign} {_node(link.end)}")
        last = link.end
    return lines
