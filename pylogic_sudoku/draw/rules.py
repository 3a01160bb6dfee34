"""How each kind of rule is drawn, as setters and solvers know it.

A function draws one rule with a pen and returns whether it could. A kind that has none is drawn as
a plain line if it is one; any other, and a rule that its function could not draw, gets an outline
and a line in words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from html import escape
from itertools import pairwise
from math import dist
from textwrap import wrap
from typing import Any, NamedTuple

from ..puzzle import Puzzle
from ..puzzle.cells import Cell, touch
from ..rules import Rule
from .pen import (
    LAYERS,
    LIGHT,
    Pen,
    Point,
    Swatch,
    arrow_head,
    between,
    circle,
    diamond,
    frame,
    line,
    number,
    outline,
    pill,
)

Drawn = Callable[[Pen, Any], bool]

TIMES = "\N{MULTIPLICATION SIGN}"

DRAWN: dict[str, Drawn] = {}
"""By the kind of the rule."""

_FIRST = ("different", "clone", "index")
_LAST = ("thermometer", "lockout_line", "between_line", "double_arrow", "arrow", "counting_circles")


def in_order(rules: Iterable[Rule]) -> list[Rule]:
    """The rules in an order in which thin lines are above wide ones."""

    def level(rule: Rule) -> int:
        if rule.kind in _LAST:
            return 2 + _LAST.index(rule.kind)
        return 0 if rule.kind in _FIRST else 1

    return sorted(rules, key=level)


def draws(*kinds: str) -> Callable[[Drawn], Drawn]:
    """Register the function for these kinds."""

    def register(function: Drawn) -> Drawn:
        DRAWN.update(dict.fromkeys(kinds, function))
        return function

    return register


def drawn(pen: Pen, rule: Rule) -> None:
    """Draw the rule, or outline its cells and say it below the grid."""
    function = DRAWN.get(rule.kind, _patterned if rule.line else None)
    if function is None or not function(pen, rule):
        _noted(pen, rule)
    pen.end(rule)


def _noted(pen: Pen, rule: Rule) -> None:
    cells = list(dict.fromkeys(rule.cells_used()))
    if not cells:
        pen.entry(str(rule))
        return
    mark = pen.note(rule)
    pen.stroke("over", outline(cells, pen.side, 0.07 * pen.side), "grey-rim", 1, "1 2.5")
    pen.label(min(cells), mark)


# --- lines --------------------------------------------------------------------------------


class Line(NamedTuple):
    """A line: its colour, its width in cells, and a pattern that shows without colour."""

    colour: str
    width: float
    pattern: str = ""
    """The dashes of a thin line along its middle, in cells; ``"solid"`` has none."""
    across: float = 0.04
    """The width of the pattern."""


LINES = {
    "whispers": Line("green", 0.26, "0 .12"),
    "renban": Line("purple", 0.3),
    "nabner": Line("gold", 0.3, "hollow"),
    "palindrome": Line("grey", 0.17),
    "parity_palindrome": Line("grey", 0.17, ".12 .1"),
    "entropic_line": Line("orange", 0.26, ".3 .1 .06 .1 .06 .1"),
    "modular_line": Line("teal", 0.26, ".2 .14"),
    "region_sum_line": Line("blue", 0.24, "solid"),
    "zipper_line": Line("pink", 0.12, "0 .1 .05 .03", 0.3),
    "sum_line": Line("orange", 0.16),
}
"""By the kind of the rule; any other kind of line is `PLAIN`."""
PLAIN = Line("grey", 0.1)


def _line(pen: Pen, look: Line, points: Sequence[Point], side: float, loop: bool = False) -> None:
    d = line(points, closed=loop)
    rim, width = f"{look.colour}-rim", look.width * side
    if look.pattern and look.across > look.width:  # teeth
        dash = _dash(look.pattern, side)
        pieces = "".join(map(line, pairwise(points)))  # the dashes restart at each corner
        pen.stroke("line", pieces, rim, look.across * side, dash, round_=False)
    pen.stroke("line", d, rim, width + 1.5)
    pen.stroke("line", d, look.colour, width)
    if look.pattern == "hollow":
        pen.stroke("line", d, rim, 0.5 * width + 1.5)
        pen.stroke("line", d, "paper", 0.5 * width)
    elif look.pattern and look.across <= look.width:
        dash = "" if look.pattern == "solid" else _dash(look.pattern, side)
        pen.stroke("line", d, rim, look.across * side, dash, round_=look.pattern.startswith("0 "))


def _dash(pattern: str, side: float) -> str:
    return " ".join(f"{float(part) * side:.3g}" for part in pattern.split())


@draws(*LINES)
def _patterned(pen: Pen, rule: Any) -> bool:
    look = LINES.get(rule.kind, PLAIN)
    points = pen.centres(rule.cells)
    _line(pen, look, points, pen.side, bool(getattr(rule, "loop", False)))
    if rule.kind == "sum_line":
        pen.fill("line", circle(points[0], 0.13 * pen.side), "orange", "orange-rim")
        pen.label(rule.cells[0], str(rule.sum))

    def swatch(pen: Pen, at: Point) -> None:
        _line(pen, look, [(at[0] - 10, at[1]), (at[0] + 10, at[1])], 40)

    pen.entry(rule.without_cells(), swatch)
    return True


@draws("thermometer")
def _thermometer(pen: Pen, rule: Any) -> bool:
    points, side = pen.centres(rule.cells), pen.side
    bulb, stem = circle(points[0], 0.36 * side), line(points)
    pen.stroke("line", stem, "grey-rim", 0.22 * side + 1.5)
    pen.fill("line", bulb, "grey", "grey-rim", 1.5)
    pen.stroke("line", stem, "grey", 0.22 * side)
    if rule.slow:
        pen.stroke("line", stem, "grey-rim", 0.1 * side + 1.5)
        pen.fill("line", circle(points[0], 0.22 * side), "paper", "grey-rim")
        pen.stroke("line", stem, "paper", 0.1 * side)

        def swatch(pen: Pen, at: Point) -> None:
            stem = line([(at[0] - 6, at[1]), (at[0] + 11, at[1])])
            pen.stroke("line", stem, "grey-rim", 7)
            pen.fill("line", circle((at[0] - 6, at[1]), 6), "paper", "grey-rim", 1.5)
            pen.stroke("line", stem, "paper", 4)

        pen.entry(rule.without_cells(), swatch)
    return True


@draws("between_line", "lockout_line", "double_arrow")
def _with_ends(pen: Pen, rule: Any) -> bool:
    kind, points = rule.kind, pen.centres(rule.cells)
    colour = {"between_line": "grey", "lockout_line": "blue", "double_arrow": "teal"}[kind]

    def parts(pen: Pen, points: Sequence[Point], side: float) -> None:
        ends = points[0], points[-1]
        d = line(_shortened(points, (0.42 if kind == "between_line" else 0.38) * side))
        if kind == "double_arrow":
            pen.stroke("line", d, "teal-rim", 1.6)
            for near, end in ((points[1], points[0]), (points[-2], points[-1])):
                pen.stroke("line", circle(end, 0.38 * side), "teal-rim", 1.6)
                tip = between(end, near, 0.38 * side / _distance(end, near))
                pen.stroke("line", arrow_head(near, tip, 0.14 * side), "teal-rim", 1.6)
            return
        pen.stroke("line", d, f"{colour}-rim", 0.1 * side + 1.5)
        pen.stroke("line", d, colour, 0.1 * side)
        for end in ends:
            if kind == "between_line":  # a ring, in which the bulb of a thermometer can be seen
                pen.stroke("line", circle(end, 0.42 * side), "grey-rim", 1.6)
            else:
                pen.fill("line", diamond(end, 0.45 * side), colour, f"{colour}-rim", 1.5)

    def swatch(pen: Pen, at: Point) -> None:
        parts(pen, [(at[0] - 8, at[1]), at, (at[0] + 8, at[1])], 12)

    parts(pen, points, pen.side)
    pen.entry(rule.without_cells(), swatch)
    return True


def _distance(one: Point, other: Point) -> float:
    return dist(one, other) or 1


def _shortened(points: Sequence[Point], by: float) -> list[Point]:
    """The line without that much of it at both ends."""
    first = between(points[0], points[1], by / _distance(points[0], points[1]))
    last = between(points[-1], points[-2], by / _distance(points[-1], points[-2]))
    return [first, *points[1:-1], last]


@draws("arrow")
def _arrow(pen: Pen, rule: Any) -> bool:
    side, r = pen.side, 0.4 * pen.side
    if not all(touch(one, other) for one, other in pairwise(rule.circle)):
        return False
    pen.stroke("line", _pill(rule.circle, side, r), "grey-rim", 1.6)
    if not rule.arm:
        return True
    start = min(pen.centres(rule.circle), key=lambda at: _distance(at, pen.centre(rule.arm[0])))
    points = [start, *pen.centres(rule.arm)]
    points[0] = between(points[0], points[1], r / _distance(points[0], points[1]))
    points[-1] = between(points[-1], points[-2], -0.16 * side / _distance(points[-1], points[-2]))
    pen.stroke("line", line(points), "grey-rim", 1.6)
    pen.stroke("line", arrow_head(points[-2], points[-1], 0.2 * side), "grey-rim", 1.6)
    return True


def _pill(cells: Sequence[Cell], side: float, r: float) -> str:
    """A circle, a pill around cells in one row or column, or the outline of others."""
    first, last = min(cells), max(cells)
    if first.row != last.row and first.column != last.column:
        return outline(cells, side, side / 2 - r)
    x, y = (first.column - 0.5) * side, (first.row - 0.5) * side
    return pill((x, y), (last.column - first.column) * side, (last.row - first.row) * side, r)


# --- cages and shaded cells -----------------------------------------------------------------


def _cage(pen: Pen, cells: Sequence[Cell], text: str, colour: str, dash: str) -> None:
    first, inset = min(cells), 0.08 * pen.side
    gap = (0.0, 0.0)
    if text and pen.label(first, text):
        wide, high = pen.label_size(text)
        gap = min(wide, pen.side - 3 * inset), min(high, pen.side - 3 * inset)
    d = outline(cells, pen.side, inset, first if gap[0] else None, gap)
    pen.stroke("over", d, colour, 1.1, dash, round_=False)
    for cell in dict.fromkeys(cells):
        if (times := cells.count(cell)) > 1:
            x, y = pen.centre(cell)
            far = pen.side / 2 - 1.5 * inset
            pen.text(
                (x + far, y + far - pen.small / 2), f"{TIMES}{times}", pen.small, colour, "end"
            )


class Cage(NamedTuple):
    """An outline: what its corner says, its colour and dashes, and its line below the grid."""

    text: Callable[[Any], str]
    colour: str
    dash: str
    words: str = ""


CAGES = {
    "killer_cage": Cage(lambda rule: "" if rule.sum is None else str(rule.sum), "ink", "3 2.5"),
    "total": Cage(lambda rule: f"Σ{rule.sum}", "blue-rim", "", "sum, digits may repeat"),
    "rellik_cage": Cage(lambda rule: f"≠{rule.sum}", "pink-rim", "1.2 2.4", "rellik cage"),
    "look_and_say": Cage(
        lambda rule: " ".join(map(f"{{}}{TIMES}{{}}".format, rule.counts, rule.digits)),
        *("green-rim", "5 2 1 2", "look and say"),
    ),
}
"""By the kind of the rule."""


@draws(*CAGES)
def _caged(pen: Pen, rule: Any) -> bool:
    if getattr(rule, "weights", ()):
        return False
    text, colour, dash, words = CAGES[rule.kind]
    _cage(pen, rule.cells, text(rule), colour, dash)
    if words:
        pen.entry(words, _framed(colour, dash))
    return True


def _framed(colour: str, dash: str) -> Swatch:
    def swatch(pen: Pen, at: Point) -> None:
        pen.stroke("over", frame(at, 20, 13), colour, 1.1, dash, round_=False)

    return swatch


@draws("different")
def _different(pen: Pen, rule: Any) -> bool:
    cells, n = rule.cells, pen.size
    name = rule.name.rstrip("0123456789 ")
    far = n * pen.side
    for down, ends in ((True, [(0.0, 0.0), (far, far)]), (False, [(0.0, far), (far, 0.0)])):
        if set(cells) == {(at, at if down else n + 1 - at) for at in range(1, n + 1)}:
            pen.stroke("line", line(ends), "blue-rim", 1.4, "7 3")
            return True
    if name.startswith("disjoint") or (pen.disjoint and is_lattice(cells, n)):
        pen.entry("disjoint groups")
        return True
    pen.fill("ground", outline(cells, pen.side, 0.04 * pen.side), "grey")
    pen.stroke("line", outline(cells, pen.side, 0.04 * pen.side), "grey-rim", 1)
    return True


def is_lattice(cells: Sequence[Cell], n: int) -> bool:
    """True if the cells could be those at one place of every box."""
    rows, columns = {cell.row for cell in cells}, {cell.column for cell in cells}
    if n % len(rows) or n % len(columns) or len(rows) * len(columns) != n or len(cells) != n:
        return False
    return (
        all(
            at - min(line) in range(0, n, n // len(line)) for line in (rows, columns) for at in line
        )
        and min(len(rows), len(columns)) > 1
    )


class Lettered(NamedTuple):
    """Groups of cells that share a letter: their colour, and what the letter says."""

    groups: Callable[[Any], Iterable[Sequence[Cell]]]
    colour: str
    words: str = ""


LETTERED = {
    "clone": Lettered(lambda rule: (rule.cells, rule.copies), "purple"),
    "same_values": Lettered(
        lambda rule: rule.groups, "pink", "same values: the groups with the same letter"
    ),
}
"""By the kind of the rule."""


@draws(*LETTERED)
def _lettered(pen: Pen, rule: Any) -> bool:
    groups, colour, words = LETTERED[rule.kind]
    letter = pen.letter()
    for cells in groups(rule):
        d = outline(cells, pen.side, 0.05 * pen.side)
        pen.fill("ground", d, colour)
        pen.stroke("line", d, f"{colour}-rim")
        pen.label(min(cells), letter)
    if words:
        pen.entry(words, _shaded(colour))
    return True


def _shaded(colour: str) -> Swatch:
    def swatch(pen: Pen, at: Point) -> None:
        pen.fill("ground", frame(at, 20, 13), colour, f"{colour}-rim")

    return swatch


@draws("minimum", "maximum")
def _extreme(pen: Pen, rule: Any) -> bool:
    side, n = pen.side, pen.size
    size = 0.09 * side
    for cell in rule.cells:
        x, y = pen.centre(cell)
        pen.fill("ground", frame((x, y), side, side), "grey")
        for dy, dx in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            other = cell.row + dy, cell.column + dx
            if other in rule.cells or not all(1 <= at <= n for at in other):
                continue
            inner, outer = (0.34, 0.46) if rule.kind == "minimum" else (0.46, 0.34)
            tip = x + dx * inner * side, y + dy * inner * side
            start = x + dx * outer * side, y + dy * outer * side
            pen.stroke("over", arrow_head(start, tip, size), "ink", 1.3)
    return True


# --- between cells --------------------------------------------------------------------------


class Dot(NamedTuple):
    """A dot: its colour, that of its number, and the number that it says without one."""

    colour: str
    ink: str
    plain: int


DOTS = {"difference": Dot("white", "black", 1), "ratio": Dot("black", "white", 2)}
"""By the kind of the rule."""
ROMAN = {5: "V", 10: "X"}


def _middle(pen: Pen, cells: Sequence[Cell]) -> Point:
    """Between two cells; cells that do not touch are joined by a thin line."""
    one, other = pen.centres(cells)
    if not touch(*cells):
        pen.stroke("line", line([one, other]), "grey-rim", 1.2, "1 3")
    return between(one, other)


@draws(*DOTS)
def _dot(pen: Pen, rule: Any) -> bool:
    at, side = _middle(pen, rule.cells), pen.side
    colour, ink, plain = DOTS[rule.kind]
    r = min(0.13 * side, 6) if rule.value == plain else min(0.17 * side, 8)
    pen.fill("over", circle(at, r), colour, "ring", 1.2)
    if rule.value != plain:
        pen.text(at, rule.value, 1.4 * r if rule.value < 10 else 1.1 * r, ink)
    return True


@draws("pair_sum")
def _pair_sum(pen: Pen, rule: Any) -> bool:
    at, size = _middle(pen, rule.cells), min(0.3 * pen.side, 14)
    text = ROMAN.get(rule.value, str(rule.value))
    pen.fill("over", frame(at, size * (0.6 + 0.5 * len(text)), 0.95 * size), "paper")
    pen.text(at, text, size)
    return True


@draws("greater")
def _greater(pen: Pen, rule: Any) -> bool:
    """A sign that opens to the greater cell."""
    side = pen.side
    for cells in pairwise(rule.cells):
        x, y = _middle(pen, cells)
        one, other = pen.centres(cells)
        tip = between((x, y), other, 0.1)
        sign = arrow_head(one, tip, 0.13 * side)
        pen.stroke("over", sign, "paper", 4.5)
        pen.stroke("over", sign, "ink", 1.6)
    return True


@draws("contains")
def _contains(pen: Pen, rule: Any) -> bool:
    rows, columns = {cell.row for cell in rule.cells}, {cell.column for cell in rule.cells}
    square = len(rows) == len(columns) == 2 and len(rule.cells) == 4
    if not square or max(rows) - min(rows) != 1 or max(columns) - min(columns) != 1:
        return False
    at = min(columns) * pen.side, min(rows) * pen.side
    r = min(0.27 * pen.side, 12) * (1 if pen.size < 10 else 1.3)
    digits = [str(digit) for digit in rule.digits]
    half = -(-len(digits) // 2)
    lines = [digits] if len(digits) < 3 else [digits[:half], digits[half:]]
    pen.fill("over", circle(at, r), "paper", "ink", 1.2)
    if rule.exactly:
        pen.stroke("over", circle(at, r + 2), "ink", 1)
        pen.entry("double circle: exactly these digits")
    longest = max(len(" ".join(row)) for row in lines)
    size = min(0.9 * r, 3 * r / longest)
    for down, row in enumerate(lines):
        y = at[1] + (down - (len(lines) - 1) / 2) * 0.9 * size
        pen.text((at[0], y), " ".join(row), size)
    return True


@draws("counting_circles")
def _counting_circles(pen: Pen, rule: Any) -> bool:
    for cell in rule.cells:
        pen.stroke("line", circle(pen.centre(cell), 0.42 * pen.side), "orange-rim", 1.6)

    def swatch(pen: Pen, at: Point) -> None:
        pen.stroke("line", circle(at, 6.5), "orange-rim", 1.6)

    pen.entry(rule.title, swatch)
    return True


# --- beside the grid ------------------------------------------------------------------------

Ornament = Callable[[Pen, Point, float], None]
"""What is drawn around the number at a place, within this distance from it."""


def _bars(pen: Pen, at: Point, far: float) -> None:
    for y in (at[1] - far, at[1] + far):
        pen.stroke("over", line([(at[0] - far, y), (at[0] + far, y)]), "grey-rim", 1.6)


def _cross(pen: Pen, at: Point, far: float) -> None:
    """A small x over the number."""
    x, y, r = at[0], at[1] - 0.95 * far, max(0.3 * far, 3)
    pen.stroke("over", line([(x - r, y - r), (x + r, y + r)]), "grey-rim", 1.4)
    pen.stroke("over", line([(x - r, y + r), (x + r, y - r)]), "grey-rim", 1.4)


def _house(pen: Pen, at: Point, far: float, dash: str = "") -> None:
    x, y = at
    roof = [(x - far, y - 0.45 * far), (x, y - 1.15 * far), (x + far, y - 0.45 * far)]
    walls = [(x + far, y + 0.9 * far), (x - far, y + 0.9 * far)]
    pen.stroke("over", line([*roof, *walls], closed=True), "grey-rim", 1.2, dash)


def _box(pen: Pen, at: Point, far: float) -> None:
    x, y, low = *at, 0.9 * far
    d = line([(x - far, y - low), (x - far, y + low), (x + far, y + low), (x + far, y - low)])
    pen.stroke("over", d, "grey-rim", 1.4)


def _door(pen: Pen, at: Point, far: float) -> None:
    pen.stroke("over", frame(at, 2 * far, 2 * far), "grey-rim", 1.2)


ORNAMENTS: dict[str, tuple[str, Ornament]] = {
    "sandwich": ("sum", _bars),
    "x_sum": ("sum", _cross),
    "skyscraper": ("value", _house),
    "hidden_skyscraper": ("value", partial(_house, dash="2 2.4")),
    "lunchbox": ("sum", _box),
}
"""By kind: the field with the number, and what is around it."""


@draws(*ORNAMENTS)
def _outside(pen: Pen, rule: Any) -> bool:
    field, ornament = ORNAMENTS[rule.kind]
    return _straight(pen, rule.cells, getattr(rule, field), ornament, rule.title)


def _straight(pen: Pen, cells: Sequence[Cell], value: int, ornament: Ornament, text: str) -> bool:
    """Draw the clue of a whole row or column, seen from the edge."""
    if len(cells) != pen.size or not _is_house(cells):
        return False
    place = pen.beside(cells)
    if place is None:
        return False
    at, far = place[0], 0.3 * pen.side
    ornament(pen, at, far)
    pen.text(at, value, (0.36 if abs(value) < 100 else 0.28) * pen.side)

    def swatch(pen: Pen, at: Point) -> None:
        ornament(pen, (at[0], at[1] + (6 if ornament is _cross else 0.5)), 6.5)

    pen.entry(text, swatch)
    return True


def _is_house(cells: Sequence[Cell]) -> bool:
    return len({cell.row for cell in cells}) == 1 or len({cell.column for cell in cells}) == 1


@draws("little_killer")
def _little_killer(pen: Pen, rule: Any) -> bool:
    place = pen.beside(rule.cells)
    if place is None:
        return False
    at, tip = place
    size = (0.36 if rule.sum < 100 else 0.28) * pen.side
    pen.text(at, rule.sum, size)
    long = dist(at, tip)
    start = between(at, tip, 0.32 * pen.side / long)
    end = between(at, tip, 1 - 0.06 * pen.side / long)
    pen.stroke("over", line([start, end]), "ink", 1.3)
    pen.stroke("over", arrow_head(start, end, 0.12 * pen.side), "ink", 1.3)
    return True


@draws("index")
def _index(pen: Pen, rule: Any) -> bool:
    """A numbered room is a clue beside the grid; other indexing cells are shaded."""
    (control,) = rule.control
    if control == rule.cells[0] and _straight(pen, rule.cells, rule.value, _door, "numbered room"):
        return True
    along_row = all(cell.row == control.row for cell in rule.cells)
    along_column = all(cell.column == control.column for cell in rule.cells)
    if len(rule.cells) != pen.size or list(rule.cells) != sorted(rule.cells):
        return False
    if along_row and rule.value == control.column:
        colour, name = "teal", "column indexing"
    elif along_column and rule.value == control.row:
        colour, name = "orange", "row indexing"
    else:
        return False
    shape = frame(pen.centre(control), 0.9 * pen.side, 0.9 * pen.side)
    pen.fill("ground", shape, colour)
    pen.stroke("line", shape, f"{colour}-rim", 1)

    pen.entry(name, _shaded(colour))
    return True


# --- the whole grid -------------------------------------------------------------------------


@draws("negative")
def _negative(pen: Pen, rule: Any) -> bool:
    pen.entry(rule.without_cells() + (", except marked pairs" if rule.exempt else ""))
    return True


# --- the rules of a puzzle as SVG ---
#
# The upper left corner of the grid is (0, 0), the x axis goes right and the y axis down, and every
# cell is `side` pixels wide, 40 unless said: the middle of r2c3 is (100, 60). Clues beside the grid
# have negative coordinates, or such beyond ``n * side``; `room` says how far they reach. So the
# `viewBox` of a picture with nothing else is ``-left -top n*side+left+right n*side+top+bottom``.
#
# Each rule is one or more ``<g data-rule="thermometer">``, with the rule in words as its title.
# They are in the layers ``ground``, ``line`` and ``over``, in this order; digits belong between
# ``line`` and ``over``, or above all.

SIDE = 40
"""The width of a cell, in pixels, unless said."""

_WIDE, _HIGH = 6.8, 18
"""A character and a line below the grid."""


def rules_svg(puzzle: Puzzle, side: float = SIDE, colours: Mapping[str, str] = LIGHT) -> str:
    """The rules as one ``<g>``; empty text if there are none.

    `colours` is `LIGHT`, `DARK`, or `PAGE` for variables of a style sheet.
    """
    rules = Rules(puzzle.rules, puzzle.size, side, colours)
    layers = "".join(rules.layer(name) for name in LAYERS)
    font = 'text-anchor="middle" font-family="Helvetica,Arial,sans-serif"'
    return f'<g data-rules="{len(puzzle.rules)}" {font}>{layers}</g>' if layers else ""


class Rules(Pen):
    """The rules of a grid with `size` rows, drawn."""

    def __init__(
        self,
        rules: Iterable[Rule],
        size: int,
        side: float = SIDE,
        colours: Mapping[str, str] = LIGHT,
    ) -> None:
        super().__init__(size, side, colours)
        ordered = in_order(rules)
        sets = [list(each.cells_used()) for each in ordered if each.kind == "different"]
        self.disjoint = sum(is_lattice(cells, size) for cells in sets) >= size
        for rule in ordered:
            drawn(self, rule)

    def layer(self, name: str) -> str:
        """One of the layers as a ``<g>``; empty text if nothing is in it."""
        parts = "".join(self.layers[name])
        return f'<g data-layer="{name}">{parts}</g>' if parts else ""

    def below(self, width: float) -> tuple[str, float]:
        """The legend below the grid, from (0, 0) to the right and down, and its height."""
        marks: list[str] = []
        x = y = 0.0
        order = sorted(self.entries.values(), key=lambda e: (bool(e.mark), not e.swatch))
        for entry in order:
            indent = 32 if entry.swatch else 16 if entry.mark else 0
            lines = wrap(entry.text, max(int((width - indent) / _WIDE), 12))
            wide = indent + max(map(len, lines)) * _WIDE + 14
            if x and (x + wide - 14 > width or entry.mark):
                x, y = 0.0, y + _HIGH
            middle = y + _HIGH / 2
            if entry.swatch:
                entry.swatch(self, (x + 13, middle))
                marks.append(self.taken())
            if entry.mark:
                marks.append(_said(x, middle, entry.mark, self.colours["grey-rim"]))
            for at, text in enumerate(lines):
                down = middle + at * _HIGH
                marks.append(_said(x + indent, down, text, self.colours["ink"]))
            x += wide
            if len(lines) > 1 or entry.mark:
                x, y = 0.0, y + len(lines) * _HIGH
        return "".join(marks), y + (_HIGH if x else 0)


def _said(x: float, y: float, text: str, colour: str) -> str:
    look = f'font-size="12" text-anchor="start" fill="{colour}"'
    return f'<text x="{number(x)}" y="{number(y + 4.3)}" {look}>{escape(text)}</text>'
