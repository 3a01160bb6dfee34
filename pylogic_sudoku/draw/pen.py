"""Tools for drawing rules: a `Pen`, and lines, outlines and arrows as path data of SVG.

``rules.py`` defines the drawing of each rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from math import hypot
from string import ascii_lowercase
from typing import TYPE_CHECKING, NamedTuple

from ..puzzle.cells import Cell

if TYPE_CHECKING:
    from ..rules import Rule

Point = tuple[float, float]
Corner = tuple[int, int]
Side = tuple[Corner, Corner]
"""The corner where a side of a cell begins, and its direction."""


def number(value: float) -> str:
    """A length with at most two decimals; never ``-0``."""
    return f"{round(value, 2) + 0:g}"


def element(name: str, text: object = "", **attributes: object) -> str:
    """An element of SVG. Attributes that are None are omitted, and ``_`` becomes ``-``."""
    pairs = ((each, value) for each, value in attributes.items() if value is not None)
    attributes_text = "".join(
        f' {each.replace("_", "-")}="{_attribute(value)}"' for each, value in pairs
    )
    return (
        f"<{name}{attributes_text}>{escape(str(text))}</{name}>"
        if text != ""
        else f"<{name}{attributes_text}/>"
    )


def _attribute(value: object) -> str:
    return number(value) if isinstance(value, float) else escape(str(value))


def _at(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"


def line(points: Sequence[Point], closed: bool = False) -> str:
    """Straight from each point to the next."""
    d = "L".join(_at(*point) for point in points)
    return f"M{d}{'z' if closed else ''}"


def circle(centre: Point, r: float) -> str:
    x, y = centre
    half = f"a{number(r)} {number(r)} 0 0 1 "
    return f"M{_at(x - r, y)}{half}{_at(2 * r, 0)}{half}{_at(-2 * r, 0)}z"


def frame(centre: Point, width: float, height: float) -> str:
    """A rectangle."""
    x, y = centre[0] - width / 2, centre[1] - height / 2
    return f"M{_at(x, y)}h{number(width)}v{number(height)}h{number(-width)}z"


def placed(path: str, centre: Point, size: float) -> str:
    """A path around (0, 0) in parts of a size, around a centre and in pixels.

    It has only M, l, h, v and z, and only the places after M are absolute.
    """

    def moved(step: re.Match[str]) -> str:
        numbers = [float(each) * size for each in step[2].split()]
        if step[1] == "M":
            numbers = [centre[0] + numbers[0], centre[1] + numbers[1]]
        return step[1] + " ".join(map(number, numbers))

    return re.sub(r"([Mlhv])([-\d. ]+)", moved, path)


def between(one: Point, other: Point, part: float = 0.5) -> Point:
    """The point at this part of the way from one to the other."""
    return one[0] + (other[0] - one[0]) * part, one[1] + (other[1] - one[1]) * part


def arrow_head(start: Point, tip: Point, size: float) -> str:
    """Two strokes that meet at the tip of a line from `start`."""
    x, y = tip[0] - start[0], tip[1] - start[1]
    long = hypot(x, y) or 1
    x, y = x / long * size, y / long * size
    wings = [
        (tip[0] - x - y * 0.8, tip[1] - y + x * 0.8),
        (tip[0] - x + y * 0.8, tip[1] - y - x * 0.8),
    ]
    return line([wings[0], tip, wings[1]])


def stroke(
    colour: str, width: float, d: str, dash: str | None = None, ends: str | None = "round"
) -> str:
    """A line along a path; `ends` is the form of its ends, and round ones have round corners."""
    return element(
        "path",
        fill="none",
        stroke=colour,
        stroke_width=float(width),
        stroke_linecap=ends,
        stroke_linejoin=ends if ends == "round" else None,
        stroke_dasharray=dash or None,
        d=d,
    )


def words(at: Point, text: object, size: float, colour: str, anchor: str = "middle") -> str:
    """A text centred on a place, or one that begins or ends there."""
    place = {"x": float(at[0]), "y": at[1] + 0.36 * size, "font_size": float(size)}
    return element("text", text, **place, text_anchor=anchor, fill=colour)


def outline(
    cells: Iterable[tuple[int, int]],
    side: float,
    inset: float,
    open_at: tuple[int, int] | None = None,
    gap: Point = (0, 0),
    origin: Point = (0, 0),
) -> str:
    """The outline of the cells, drawn inside them; cells that meet at a corner alone stay apart.

    The upper left corner of the cell `open_at`, which has no other cell of the set above or to its
    left, is left out for a label of the size `gap`. The grid begins at `origin`.
    """
    d = ""
    for loop in _loops(set(cells)):
        corners: list[Corner] = []
        places: list[Point] = []
        for (_, way), (turn, onward) in pairwise([loop[-1], *loop]):
            if way != onward:
                x = origin[0] + turn[0] * side - inset * (way[1] + onward[1])
                y = origin[1] + turn[1] * side + inset * (way[0] + onward[0])
                corners.append(turn)
                places.append((x, y))
        corner = (open_at[1] - 1, open_at[0] - 1) if open_at else None
        if corner in corners:
            at = corners.index(corner)
            x, y = places[at]
            rest = [*places[at + 1 :], *places[:at]]
            d += line([(x + gap[0], y), *rest, (x, y + gap[1])])
        else:
            d += line(places, closed=True)
    return d


def _loops(cells: set[tuple[int, int]]) -> Iterator[list[Side]]:
    """The sides at the rim of the cells, clockwise."""
    rim: dict[Side, None] = {}
    for row, column in sorted(cells):
        x, y = column - 1, row - 1
        for corner, way, outside in (
            ((x, y), (1, 0), (row - 1, column)),
            ((x + 1, y), (0, 1), (row, column + 1)),
            ((x + 1, y + 1), (-1, 0), (row + 1, column)),
            ((x, y + 1), (0, -1), (row, column - 1)),
        ):
            if outside not in cells:
                rim[corner, way] = None
    remaining = dict(rim)
    while remaining:
        loop, side = [], next(iter(remaining))
        while side in remaining:
            loop.append(side)
            del remaining[side]
            (x, y), (right, down) = side
            # To the right if there are two ways, so that cells that only touch stay apart.
            turns = ((-down, right), (right, down), (down, -right))
            side = next(each for turn in turns if (each := ((x + right, y + down), turn)) in rim)
        yield loop


# --- the pen: colours, places, layers, labels in corners, and clues outside the grid ------

LAYERS = ("ground", "line", "over")
"""From the lowest. Digits are above the first two, and next to the shapes of the last."""

_COLOURS = {
    "paper": ("#ffffff", "#1b2029"),
    "ink": ("#16181d", "#e9ecf2"),
    "white": ("#ffffff", "#ffffff"),
    "black": ("#16181d", "#0a0c10"),
    "ring": ("#16181d", "#9aa1af"),
    "grey": ("#dadde3", "#343a46"),
    "grey-rim": ("#838892", "#8f96a5"),
    "green": ("#bfe6c4", "#1c3f26"),
    "green-rim": ("#3f8a4a", "#64a970"),
    "purple": ("#e6d3f3", "#43295a"),
    "purple-rim": ("#9560b5", "#ac7fcb"),
    "blue": ("#c3dff5", "#173d59"),
    "blue-rim": ("#3b7fb5", "#5d9fd3"),
    "orange": ("#fbd6a8", "#52330f"),
    "orange-rim": ("#b8711a", "#cf8d3b"),
    "teal": ("#b7e6e1", "#10423d"),
    "teal-rim": ("#2a877d", "#45a398"),
    "gold": ("#f1e092", "#443808"),
    "gold-rim": ("#94790d", "#b59a2f"),
    "pink": ("#f9cfdc", "#552440"),
    "pink-rim": ("#b85580", "#cf7299"),
}
"""On paper, where every digit is legible on the pale colours, and their rims are distinct from it;
and for light digits on dark paper."""

LIGHT = {name: light for name, (light, _) in _COLOURS.items()}
DARK = {name: dark for name, (_, dark) in _COLOURS.items()}
PAGE = {name: f"var(--rule-{name}, {colour})" for name, colour in LIGHT.items()}
"""Variables of a style sheet, such as ``--rule-green``; the light colours if it has none."""


class Room(NamedTuple):
    """The room that clues outside the grid need on each side, in pixels."""

    left: float = 0
    top: float = 0
    right: float = 0
    bottom: float = 0


Swatch = Callable[["Pen", Point], None]
"""Draws a sample around its centre, within 26 x 16 pixels."""


class Entry(NamedTuple):
    """A line below the grid: what a kind of rule looks like, or a rule that is not drawn."""

    text: str
    swatch: Swatch | None = None
    mark: str = ""
    """The small letter of its cells."""


class Pen:
    """It collects the parts of the rules, each in one of `LAYERS`.

    The upper left corner of the grid is (0, 0), and a cell is `side` pixels wide.
    """

    def __init__(self, size: int, side: float, colours: Mapping[str, str]) -> None:
        self.size = size
        self.side = side
        self.colours = colours
        self.layers: dict[str, list[str]] = {layer: [] for layer in LAYERS}
        self.entries: dict[str, Entry] = {}
        """Lines below the grid, by what they are about."""
        self.room = Room()
        self._parts: dict[str, list[str]] = {layer: [] for layer in LAYERS}
        self._labels: dict[Cell, int] = {}
        self._clues: dict[tuple[int, int], int] = {}
        self._notes = 0
        self._letters = 0

    def end(self, rule: Rule) -> None:
        """Close the rule: all that was drawn since the last one belongs to it."""
        for layer, parts in self._parts.items():
            if parts:
                body = element("title", rule) + "".join(parts)
                self.layers[layer].append(f'<g data-rule="{rule.kind}">{body}</g>')
                parts.clear()

    def flush(self) -> str:
        """All that was drawn since the last rule, as one text."""
        text = "".join("".join(parts) for parts in self._parts.values())
        for parts in self._parts.values():
            parts.clear()
        return text

    # --- places -----------------------------------------------------------------------------

    def centre(self, cell: tuple[int, int]) -> Point:
        return (cell[1] - 0.5) * self.side, (cell[0] - 0.5) * self.side

    def centres(self, cells: Sequence[tuple[int, int]]) -> list[Point]:
        return [self.centre(cell) for cell in cells]

    # --- ink --------------------------------------------------------------------------------

    def fill(self, layer: str, d: str, colour: str, rim: str = "", width: float = 1) -> None:
        """A filled shape, with a line around it if `rim` is a colour."""
        edge = {"stroke": self.colours[rim], "stroke_width": float(width)} if rim else {}
        self._parts[layer].append(element("path", fill=self.colours[colour], **edge, d=d))

    def stroke(
        self,
        layer: str,
        d: str,
        colour: str,
        width: float = 1.2,
        dash: str = "",
        ends: str | None = "round",
    ) -> None:
        """A line; the lengths of `dash` are in pixels."""
        self._parts[layer].append(stroke(self.colours[colour], width, d, dash, ends))

    def text(
        self, at: Point, text: object, size: float, colour: str = "ink", anchor: str = "middle"
    ) -> None:
        """A text centred on a place, or one that begins or ends there."""
        self._parts["over"].append(words(at, text, size, self.colours[colour], anchor))

    # --- labels, letters, clues -------------------------------------------------------------

    @property
    def small(self) -> float:
        """The font size of a label in the corner of a cell."""
        return max(8.5, min(0.23 * self.side, 13))

    def label_size(self, text: str) -> Point:
        """The width and the height of a label, with the space around it."""
        return 0.6 * self._size(text) * len(text) + 2, self.small + 1

    def _size(self, text: str) -> float:
        return min(self.small, (self.side - 5) / (0.6 * max(len(text), 1)))

    def label(self, cell: Cell, text: str) -> bool:
        """Write into a free corner of the cell; True if it is the upper left one."""
        before = self._labels.get(cell, 0)
        self._labels[cell] = before + 1
        low, right = divmod(min(before, 3), 2)
        x, y = self.centre(cell)
        x += (self.side / 2 - 3) * (1 if right else -1)
        y += (self.side / 2 - 2.5 - self.small / 2) * (1 if low else -1)
        self.text((x, y), text, self._size(text), "ink", "end" if right else "start")
        return before == 0

    @property
    def labels(self) -> bool:
        """True if any cell has a label in its corner."""
        return bool(self._labels)

    def letter(self) -> str:
        """A capital letter that no other rule has."""
        self._letters += 1
        return _letters(self._letters).upper()

    def entry(self, text: str, swatch: Swatch | None = None) -> None:
        """Have a line below the grid with this text, once."""
        self.entries[text] = Entry(text, swatch)

    def note(self, rule: Rule) -> str:
        """The small letter by which a line below the grid refers to the rule."""
        self._notes += 1
        mark = _letters(self._notes)
        self.entries[f"note {mark}"] = Entry(str(rule), None, mark)
        return mark

    def beside(self, cells: Sequence[Cell]) -> tuple[Point, Point] | None:
        """The place of a clue outside the grid, and the point it faces.

        Several cells begin at the edge and are seen from outside in one direction, straight or
        diagonally; None if they are not. It makes room for the clue.
        """
        way = _direction(cells)
        if way is None:
            return None
        (dy, dx), first = way, cells[0]
        spot = first.row - dy, first.column - dx
        if all(1 <= at <= self.size for at in spot):
            return None
        level = self._clues.get(spot, 0)
        self._clues[spot] = level + 1
        side, long = self.side, self.size * self.side
        x, y = self.centre(first)
        tip = x - dx * side / 2, y - dy * side / 2
        far = (0.58 if dx and dy else 0.45) * side
        at_x, at_y = tip[0] - dx * far, tip[1] - dy * far
        more = level * 0.8 * side
        if spot[0] in (0, self.size + 1):
            at_y += more if spot[0] else -more
        else:
            at_x += more if spot[1] else -more
        reach = 0.36 * side
        self.room = Room(
            max(self.room.left, reach - at_x),
            max(self.room.top, reach - at_y),
            max(self.room.right, at_x + reach - long),
            max(self.room.bottom, at_y + reach - long),
        )
        return (at_x, at_y), tip


def _direction(cells: Sequence[Cell]) -> tuple[int, int] | None:
    """The step from each cell to the next; None if they are not on one straight line."""
    steps = {(other.row - one.row, other.column - one.column) for one, other in pairwise(cells)}
    if len(steps) != 1:
        return None
    (step,) = steps
    return step if max(map(abs, step)) == 1 else None


def _letters(count: int) -> str:
    """a to z, aa, bb, and so on."""
    again, at = divmod(count - 1, 26)
    return ascii_lowercase[at] * (1 + again)
