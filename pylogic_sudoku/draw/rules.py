"""The drawing of each kind of rule, as setters and solvers know it.

A function draws one rule with a pen, or returns False if it cannot. A kind that has none is drawn
as a plain line if it is one; any other, and a rule that its function could not draw, gets an
outline and a line in words. The functions are in the order in which rules are drawn, so that thin
lines are above wide ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import dist
from textwrap import wrap
from typing import Any, NamedTuple

from ..puzzle.cells import Cell, touch
from ..rules import Rule
from .pen import (
    LAYERS,
    LIGHT,
    Pen,
    Point,
    arrow_head,
    between,
    circle,
    frame,
    line,
    outline,
    placed,
    words,
)

Drawn = Callable[[Pen, Any], "bool | None"]

TIMES = "\N{MULTIPLICATION SIGN}"

DRAWN: dict[str, Drawn] = {}
"""By the kind of the rule."""


def draws(*kinds: str) -> Callable[[Drawn], Drawn]:
    """Register the function for these kinds."""

    def register(function: Drawn) -> Drawn:
        DRAWN.update(dict.fromkeys(kinds, function))
        return function

    return register


def drawn(pen: Pen, rule: Rule) -> None:
    """Draw the rule, or outline its cells and describe it below the grid."""
    function = DRAWN.get(rule.kind, _along if rule.line else None)
    if function is None or function(pen, rule) is False:
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


# --- areas: cages and shaded cells ----------------------------------------------------------


class Area(NamedTuple):
    """Cells with an outline: its colour and dashes, and that of the cells."""

    colour: str
    dash: str = ""
    fill: str = ""
    text: Callable[[Any], str] = lambda _rule: ""
    """The text in the corner of the cells; groups of cells share a letter instead."""
    words: str = ""
    """The line below the grid."""
    groups: Callable[[Any], Iterable[Sequence[Cell]]] = lambda rule: [rule.cells]


AREAS = {
    "different": Area("grey-rim", fill="grey"),
    "clone": Area("purple-rim", fill="purple", groups=lambda rule: [rule.cells, rule.copies]),
    "same_values": Area(
        "pink-rim",
        fill="pink",
        words="same values: the groups with the same letter",
        groups=lambda rule: rule.groups,
    ),
    "killer_cage": Area(
        "ink", "3 2.5", text=lambda rule: "" if rule.sum is None else str(rule.sum)
    ),
    "total": Area("blue-rim", text=lambda rule: f"Σ{rule.sum}", words="sum, digits may repeat"),
    "rellik_cage": Area(
        "pink-rim", "1.2 2.4", text=lambda rule: f"≠{rule.sum}", words="rellik cage"
    ),
    "look_and_say": Area(
        "green-rim",
        "5 2 1 2",
        text=lambda rule: " ".join(map(f"{{}}{TIMES}{{}}".format, rule.counts, rule.digits)),
        words="look and say",
    ),
}
"""By the kind of the rule."""


@draws(*AREAS)
def _area(pen: Pen, rule: Any) -> bool | None:
    look = AREAS[rule.kind]
    groups = list(look.groups(rule))
    if getattr(rule, "weights", ()) or any(len(set(cells)) < len(cells) for cells in groups):
        return False
    if rule.kind == "different":
        far, numbers = pen.size * pen.side, range(1, pen.size + 1)
        for corners, columns in (((0.0, far), numbers), ((far, 0.0), numbers[::-1])):
            if set(rule.cells) == set(zip(numbers, columns, strict=True)):
                diagonal = line([(0, corners[0]), (far, corners[1])])
                pen.stroke("line", diagonal, "blue-rim", 1.4, "7 3")
                return None
        if rule.name.startswith("disjoint"):
            pen.entry("disjoint groups")
            return None
    text = pen.letter() if len(groups) > 1 else look.text(rule)
    for cells in groups:
        _outlined(pen, look, cells, text)
    return None


def _outlined(pen: Pen, look: Area, cells: Sequence[Cell], text: str = "") -> None:
    first, inset = min(cells), 0.08 * pen.side
    gap = (0.0, 0.0)
    if text and pen.label(first, text):
        wide, high = pen.label_size(text)
        gap = min(wide, pen.side - 3 * inset), min(high, pen.side - 3 * inset)
    rim = outline(cells, pen.side, inset, first if gap[0] else None, gap)
    _shaded(pen, look, outline(cells, pen.side, inset), rim)
    if look.words:
        pen.entry(look.words, lambda pen, at: _shaded(pen, look, frame(at, 20, 13)))


def _shaded(pen: Pen, look: Area, d: str, rim: str = "") -> None:
    if look.fill:
        pen.fill("ground", d, look.fill)
    layer = "line" if look.fill else "over"
    pen.stroke(layer, rim or d, look.colour, 1.1, look.dash, ends=None)


@draws("index")
def _index(pen: Pen, rule: Any) -> bool:
    """A numbered room is a clue outside the grid."""
    (control,) = rule.control
    return control == rule.cells[0] and _straight(pen, rule.cells, rule.value, "numbered room")


@draws("minimum", "maximum")
def _extreme(pen: Pen, rule: Any) -> None:
    side, n = pen.side, pen.size
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
            pen.stroke("over", arrow_head(start, tip, 0.09 * side), "ink", 1.3)


# --- lines ----------------------------------------------------------------------------------


class Mark(NamedTuple):
    """The mark at an end of a line."""

    path: Callable[[Point, float], str]
    r: float
    """Its reach, in cells."""
    filled: bool = True
    """Else the line ends there, so that the bulb of a thermometer can be seen in it."""


class Line(NamedTuple):
    """A line: its colour, its width in cells, and a pattern that shows without colour."""

    colour: str
    width: float
    pattern: str = ""
    """The dashes of a thin line along its middle, in cells; ``"solid"`` has none."""
    across: float = 0.04
    """The width of the pattern."""
    start: Mark | None = None
    end: Mark | None = None
    pointed: bool = False
    """True if both ends are arrows."""


DIAMOND = Mark(partial(placed, "M-1 0l1 -1l1 1l-1 1z"), 0.45)
WIDE_RING, RING = Mark(circle, 0.42, filled=False), Mark(circle, 0.38, filled=False)
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
    "sum_line": Line("orange", 0.16, start=Mark(circle, 0.13)),
    "thermometer": Line("grey", 0.22, start=Mark(circle, 0.36)),
    "lockout_line": Line("blue", 0.1, start=DIAMOND, end=DIAMOND),
    "between_line": Line("grey", 0.1, start=WIDE_RING, end=WIDE_RING),
    "automaton": Line("pink", 0.14, ".06 .1 .3 .1", start=Mark(circle, 0.14)),
    "double_arrow": Line("teal", 0, start=RING, end=RING, pointed=True),
}
"""By the kind of the rule; any other kind of line is `PLAIN`."""
PLAIN = Line("grey", 0.1)


@draws(*LINES)
def _along(pen: Pen, rule: Any) -> None:
    look = LINES.get(rule.kind, PLAIN)
    if getattr(rule, "slow", False):
        look = look._replace(pattern="hollow")
    centres = list(pen.centres(rule.cells))
    if not centres[1:]:  # a dash in this one cell
        centres = [(centres[0][0] + far * pen.side, centres[0][1]) for far in (-0.1, 0.1)]
    _line(pen, look, centres, pen.side, bool(getattr(rule, "loop", False)))
    if rule.kind == "sum_line":
        pen.label(rule.cells[0], str(rule.sum))

    def swatch(pen: Pen, at: Point) -> None:
        points = [(at[0] + far, at[1]) for far in (-9, 0, 9)]
        _line(pen, look, points, 14 if look.start else 40)

    pen.entry(rule.without_cells(), swatch)


def _line(pen: Pen, look: Line, cells: Sequence[Point], side: float, loop: bool = False) -> None:
    points = list(cells)
    ends = [(at, at + way, mark) for at, way, mark in ((0, 1, look.start), (-1, -1, look.end))]
    marks = [(cells[at], mark) for at, _, mark in ends if mark]
    for at, near, mark in ends:
        if mark and not mark.filled:
            points[at] = _towards(cells[at], cells[near], mark.r * side)
    d = line(points, closed=loop)
    rim, width = f"{look.colour}-rim", look.width * side
    if look.pattern and look.across > look.width:  # teeth
        dash = _dash(look.pattern, side)
        pieces = "".join(map(line, pairwise(points)))  # the dashes restart at each corner
        pen.stroke("line", pieces, rim, look.across * side, dash, ends=None)
    pen.stroke("line", d, rim, width + 1.5)
    for centre, mark in marks:
        shape = mark.path(centre, mark.r * side)
        if mark.filled:
            pen.fill("line", shape, look.colour, rim, 1.5)
        else:
            pen.stroke("line", shape, rim, 1.6)
    if look.pointed:
        for at, near, _ in ends:
            pen.stroke("line", arrow_head(cells[near], points[at], 0.14 * side), rim, 1.6)
    if width:
        pen.stroke("line", d, look.colour, width)
    if look.pattern == "hollow":
        pen.stroke("line", d, rim, 0.5 * width + 1.5)
        for centre, mark in marks:
            pen.fill("line", mark.path(centre, 0.6 * mark.r * side), "paper", rim)
        pen.stroke("line", d, "paper", 0.5 * width)
    elif look.pattern and look.across <= look.width:
        dash = "" if look.pattern == "solid" else _dash(look.pattern, side)
        round_ = "round" if look.pattern.startswith("0 ") else None
        pen.stroke("line", d, rim, look.across * side, dash, round_)


def _dash(pattern: str, side: float) -> str:
    return " ".join(f"{float(part) * side:.3g}" for part in pattern.split())


def _towards(one: Point, other: Point, far: float) -> Point:
    """The point so far from one on the way to the other."""
    return between(one, other, far / (dist(one, other) or 1))


@draws("arrow")
def _arrow(pen: Pen, rule: Any) -> bool | None:
    """A circle, or the outline of several cells, and an arrow along the arm."""
    side, r = pen.side, 0.4 * pen.side
    if not all(touch(one, other) for one, other in pairwise(rule.circle)):
        return False
    centres, points = pen.centres(rule.circle), pen.centres(rule.arm)
    several = outline(rule.circle, side, side / 2 - r)
    pen.stroke("line", several if centres[1:] else circle(centres[0], r), "grey-rim", 1.6)
    start = min(centres, key=lambda at: dist(at, points[0]))
    points = [_towards(start, points[0], r), *points]
    points[-1] = _towards(points[-1], points[-2], -0.16 * side)
    pen.stroke("line", line(points), "grey-rim", 1.6)
    pen.stroke("line", arrow_head(points[-2], points[-1], 0.2 * side), "grey-rim", 1.6)
    return None


@draws("counting_circles")
def _counting_circles(pen: Pen, rule: Any) -> None:
    def ring(pen: Pen, at: Point, r: float = 6.5) -> None:
        pen.stroke("line", circle(at, r), "orange-rim", 1.6)

    for at in pen.centres(rule.cells):
        ring(pen, at, 0.42 * pen.side)
    pen.entry(rule.title, ring)


# --- between cells --------------------------------------------------------------------------


class Dot(NamedTuple):
    """A dot: its colour, that of its number, and its meaning without a number."""

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
def _dot(pen: Pen, rule: Any) -> None:
    at, side = _middle(pen, rule.cells), pen.side
    colour, ink, plain = DOTS[rule.kind]
    r = min(0.13 * side, 6) if rule.value == plain else min(0.17 * side, 8)
    pen.fill("over", circle(at, r), colour, "ring", 1.2)
    if rule.value != plain:
        pen.text(at, rule.value, 1.4 * r if rule.value < 10 else 1.1 * r, ink)


@draws("pair_sum")
def _pair_sum(pen: Pen, rule: Any) -> None:
    at, size = _middle(pen, rule.cells), min(0.3 * pen.side, 14)
    text = ROMAN.get(rule.value, str(rule.value))
    pen.fill("over", frame(at, size * (0.6 + 0.5 * len(text)), 0.95 * size), "paper")
    pen.text(at, text, size)


@draws("greater")
def _greater(pen: Pen, rule: Any) -> None:
    """A sign that opens to the greater cell."""
    for cells in pairwise(rule.cells):
        one, other = pen.centres(cells)
        tip = between(_middle(pen, cells), other, 0.1)
        sign = arrow_head(one, tip, 0.13 * pen.side)
        pen.stroke("over", sign, "paper", 4.5)
        pen.stroke("over", sign, "ink", 1.6)


@draws("contains")
def _contains(pen: Pen, rule: Any) -> bool | None:
    row, column = min(rule.cells)
    if set(rule.cells) != {(row + down, column + right) for down in (0, 1) for right in (0, 1)}:
        return False
    at = column * pen.side, row * pen.side
    r = min(0.27 * pen.side, 12) * (1 if pen.size < 10 else 1.3)
    digits = [str(digit) for digit in rule.digits]
    half = -(-len(digits) // 2)
    lines = [digits] if len(digits) < 3 else [digits[:half], digits[half:]]
    pen.fill("over", circle(at, r), "paper", "ink", 1.2)
    if rule.exactly:
        pen.stroke("over", circle(at, r + 2), "ink", 1)
        pen.entry("double circle: exactly these digits")
    size = min(0.9 * r, 3 * r / max(len(" ".join(each)) for each in lines))
    for down, each in enumerate(lines):
        y = at[1] + (down - (len(lines) - 1) / 2) * 0.9 * size
        pen.text((at[0], y), " ".join(each), size)
    return None


# --- outside the grid -----------------------------------------------------------------------

HOUSE = "M-1 -0.45l1 -0.7l1 0.7v1.35h-2z"
ORNAMENTS = {
    "sandwich": ("M-1 -1h2M-1 1h2", ""),
    "X-sum": ("M-0.3 -1.25l0.6 0.6M-0.3 -0.65l0.6 -0.6", ""),
    "skyscraper": (HOUSE, ""),
    "hidden skyscraper": (HOUSE, "2 2.4"),
    "lunchbox": ("M-1 -0.9v1.8h2v-1.8", ""),
    "numbered room": ("M-1 -1h2v2h-2z", ""),
}
"""By the name of the rule: a path around its number, for `placed`, and its dashes."""


@draws("sandwich", "x_sum", "skyscraper", "hidden_skyscraper", "lunchbox")
def _outside(pen: Pen, rule: Any) -> bool:
    value = getattr(rule, "sum", None)
    return _straight(pen, rule.cells, rule.value if value is None else value, rule.title)


def _straight(pen: Pen, cells: Sequence[Cell], value: int, title: str) -> bool:
    """Draw the clue of a whole row or column, seen from the edge."""
    house = len({cell.row for cell in cells}) == 1 or len({cell.column for cell in cells}) == 1
    place = pen.beside(cells) if len(cells) == pen.size and house else None
    if place is None:
        return False
    path, dash = ORNAMENTS[title]

    def ornament(pen: Pen, at: Point, far: float = 6.5) -> None:
        pen.stroke("over", placed(path, at, far), "grey-rim", 1.4, dash)

    at, _ = place
    ornament(pen, at, 0.3 * pen.side)
    pen.text(at, value, (0.36 if abs(value) < 100 else 0.28) * pen.side)
    pen.entry(title, ornament)
    return True


@draws("little_killer")
def _little_killer(pen: Pen, rule: Any) -> bool | None:
    place = pen.beside(rule.cells)
    if place is None:
        return False
    at, tip = place
    pen.text(at, rule.sum, (0.36 if rule.sum < 100 else 0.28) * pen.side)
    start, end = _towards(at, tip, 0.32 * pen.side), _towards(tip, at, 0.06 * pen.side)
    pen.stroke("over", line([start, end]), "ink", 1.3)
    pen.stroke("over", arrow_head(start, end, 0.12 * pen.side), "ink", 1.3)
    return None


# --- the whole grid -------------------------------------------------------------------------


@draws("negative")
def _negative(pen: Pen, rule: Any) -> None:
    pen.entry(rule.without_cells() + (", except marked pairs" if rule.exempt else ""))


# --- the rules of a puzzle as SVG ---
#
# The upper left corner of the grid is (0, 0), the x axis points right, the y axis down, and every
# cell is `side` pixels wide, by default 40: the middle of r2c3 is (100, 60). Clues outside the grid
# have coordinates less than 0 or greater than ``n * side``; `room` is the space they need. So the
# `viewBox` of a picture with nothing else is ``-left -top n*side+left+right n*side+top+bottom``.
#
# Each rule is one or more ``<g data-rule="thermometer">``, with the rule in words as its title.
# They are in the layers ``ground``, ``line`` and ``over``, in this order; digits belong between
# ``line`` and ``over``, or above all.

SIDE = 40
"""The width of a cell in pixels, by default."""

_WIDE, _HIGH = 6.8, 18
"""A character and a line below the grid."""


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
        order = {kind: at for at, kind in enumerate(DRAWN)}
        for rule in sorted(rules, key=lambda rule: order.get(rule.kind, 0)):
            drawn(self, rule)

    def svg(self) -> str:
        """All layers as one ``<g>``; empty text if nothing is drawn."""
        layers = "".join(map(self.layer, LAYERS))
        font = 'text-anchor="middle" font-family="Helvetica,Arial,sans-serif"'
        return f"<g {font}>{layers}</g>" if layers else ""

    def layer(self, name: str) -> str:
        """One of the layers as a ``<g>``; empty text if nothing is in it."""
        parts = "".join(self.layers[name])
        return f'<g data-layer="{name}">{parts}</g>' if parts else ""

    def below(self, width: float) -> tuple[str, float]:
        """The legend below the grid, from (0, 0) to the right and down, and its height."""
        marks: list[str] = []
        y = _HIGH / 2
        order = sorted(self.entries.values(), key=lambda each: (bool(each.mark), not each.swatch))
        for entry in order:
            indent = 32 if entry.swatch else 16 if entry.mark else 0
            if entry.swatch:
                entry.swatch(self, (13, y))
                marks.append(self.flush())
            if entry.mark:
                marks.append(words((0, y), entry.mark, 12, self.colours["grey-rim"], "start"))
            for text in wrap(entry.text, max(int((width - indent) / _WIDE), 12)):
                marks.append(words((indent, y), text, 12, self.colours["ink"], "start"))
                y += _HIGH
        return "".join(marks), y - _HIGH / 2
