"""Pictures as SVG, and pages of HTML with one or many.

They have no ids and no style sheet, so a page can hold any number of them, and their own
background, so they are legible on any page. Each role has a shape in addition to its colour.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby
from textwrap import wrap
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from .pen import circle, element, line, number, outline, stroke
from .scene import (
    LEGEND,
    ROLES,
    TINTS,
    Scene,
    Spot,
    Square,
    box,
    in_words,
    link_paths,
    mark_columns,
    one_line,
    role_stroke,
    shape,
    swatch,
)

if TYPE_CHECKING:
    from .rules import Rules


PAPER, LINE, GIVEN, FILLED, SMALL = "#ffffff", "#85898f", "#16181d", "#1a4fc4", "#50555e"
"""The background, the thin lines, and the colours of text."""
PARITY, RIM = "#d9dce2", "#a3a8b2"
"""The circle of a cell that is marked odd, and the square of one that is marked even."""

_EDGE = 6  # around the grid, for half of its thickest line
_MARGIN = 18  # for the numbers of rows and columns
_LINE = 20  # of title and legend
_NUMBERED = 4  # from this size on, rows and columns have numbers
_NARROWEST = 320  # if there is text to read
_MARK = 15.0  # the side of a pencil mark with its shape, at most
_HOUSES = {"house": 3, "cover": 2}  # the width of their outlines
_LINK = TINTS["reason"].ink
_DASHES = {True: None, False: "4 3"}  # of strong and weak links

Place = tuple[float, float, object]
"""The place of a text, and the text."""


def draw(picture: Scene, place: str = "") -> str:
    """The SVG element; see `Picture.to_svg`. Its attributes may give it a place in another one."""
    return "\n".join(filter(None, _Drawing(picture).parts(place)))


class _Drawing:
    """The place of everything, in pixels."""

    def __init__(self, picture: Scene) -> None:
        self._picture = picture
        self._looks = picture.looks()
        self._n = n = picture.grid.size
        self._large = picture.has_marks
        # Links need some room between the marks.
        least = mark_columns(n) * ((15 if n < 10 else 19) + (6 if picture.links else 0)) + 4
        self._side = max(40, least) if self._large else 40
        self._pad, self._head = 2, 0
        """The space around pencil marks, and that for a label above them."""
        self._drawn = self._draw_rules()
        left, top, right, bottom = self._drawn.room
        self._numbered = n >= _NUMBERED
        margin = _MARGIN if self._numbered else 0
        grid = self._side * n + 2 * _EDGE
        legend = [highlight for highlight in picture.highlights if highlight.label]
        text = bool(legend or picture.title or picture.links or self._drawn.entries)
        self._width = max(grid + 2 * margin + left + right, _NARROWEST if text else 0)
        self._title = wrap(one_line(picture.title), int(self._width / 9))
        kinds = {link.strong for link in picture.links}
        self._legend: list[tuple[str | bool, list[str]]] = [
            (each.role, wrap(one_line(each.label), int(self._width / 7.2) - 5)) for each in legend
        ]
        self._left = (self._width - grid + left - right) / 2 + _EDGE
        self._top = len(self._title) * _LINE + (8 if self._title else 0) + margin + top + _EDGE
        self._numbers = self._left - left - 11, self._top - top - 11
        self._below = self._top + self._side * n + _EDGE + bottom
        self._rule_legend, high = self._drawn.below(self._width - 20)
        self._bottom = self._below + high + (8 if high else 0)
        self._legend += [(each, [label]) for each, label in LEGEND.items() if each in kinds]
        lines = sum(len(label) for _, label in self._legend)
        self._height = self._bottom + (lines * _LINE + 14 if lines else 0)

    def parts(self, place: str = "") -> Iterator[str]:
        wide, high = map(number, (self._width, self._height))
        size = f'width="{wide}" height="{high}"'
        yield (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}"'
            f' {place or size} role="img"'
            ' text-anchor="middle" font-family="Helvetica,Arial,sans-serif">'
        )
        yield element("title", self._picture.described)
        yield element("desc", self._description())
        yield f'<rect {size} fill="{PAPER}"/>'
        yield from self._layer("ground")
        yield from self._grounds()
        yield from self._parities()
        yield from self._layer("line")
        yield from self._lines()
        yield from self._groups()
        yield from self._shapes()
        yield from self._links()
        yield from self._digits()
        yield from self._layer("over")
        yield from self._words()
        yield "</svg>"

    def _draw_rules(self) -> Rules:
        """The rules beyond plain sudoku; pencil marks leave room for the labels of cages."""
        from .rules import Rules

        rules = self._picture.layout.rules
        drawn = Rules(rules, self._n, self._side)
        if rules and self._large:
            self._pad, self._head = 6, 10 if drawn.labels else 0
            self._side += 2 * (self._pad - 2) + self._head
            drawn = Rules(rules, self._n, self._side)
        return drawn

    def _layer(self, name: str) -> Iterator[str]:
        if layer := self._drawn.layer(name):
            yield f'<g transform="translate({self._left:g} {self._top:g})">{layer}</g>'

    def _description(self) -> str:
        """A description for people who cannot see the picture."""
        rows = (
            f"Row {number}: {' '.join(str(digit or '.') for digit in row)}"
            for number, row in enumerate(self._picture.grid.rows, 1)
        )
        highlights = (
            f"{one_line(each.label) or each.role}: "
            + ", ".join(
                [f"r{row}c{column}" for row, column in each.cells]
                + [f"{digit} in r{row}c{column}" for row, column, digit in each.candidates]
            )
            for each in self._picture.highlights
        )
        chains = (f"Chain: {line}" for line in in_words(self._picture.links))
        return "\n".join((*rows, *self._rules(), *highlights, *chains))

    def _rules(self) -> Iterator[str]:
        for house in self._picture.layout.blocks:
            if house.kind == "region":
                yield f"Region {house.number}: {', '.join(map(str, house.cells))}"
        parities = [look.parity for look in self._looks]
        for mark in self._picture.marks:
            digits = ", ".join(map(str, sorted(mark.digits)))
            yield f"{mark.cell}: {parities[mark.cell.offset(self._n)] or f'one of {digits}'}"
        yield from map(str, self._picture.layout.rules)

    def _square(self, cell: int) -> Square:
        row, column = divmod(cell, self._n)
        side = self._side
        return self._left + (column + 0.5) * side, self._top + (row + 0.5) * side, side

    def _mark(self, cell: int, digit: int) -> Square:
        """The square of a pencil mark: each digit has a fixed place in the cell."""
        x, y, side = self._square(cell)
        if self._looks[cell].digit:
            return x + side / 2 - 9, y + side / 2 - 9, 13
        if not self._large:
            return x, y, side
        columns = mark_columns(self._n)
        rows = -(-self._n // columns)
        row, column = divmod(digit - 1, columns)
        wide = (side - 2 * self._pad) / columns
        high = (side - 2 * self._pad - self._head) / rows
        return (
            x + (column - (columns - 1) / 2) * wide,
            y + (row - (rows - 1) / 2) * high + self._head / 2,
            min(wide, high, _MARK if self._picture.links else wide),
        )

    def _places(self) -> dict[str, list[Square]]:
        """The squares of each role, the first role last: cells before pencil marks.

        A lone mark counts as its cell; one next to a digit counts if it has another role.
        """
        cells = [(look.role, self._square(cell)) for cell, look in enumerate(self._looks)]
        marks = [
            (role, self._mark(cell, digit))
            for cell, look in enumerate(self._looks)
            for digit, role in look.marks.items()
            if not look.digit or role != look.role
        ]
        squares_of: dict[str, list[Square]] = {}
        for role in reversed(ROLES):
            squares = {square for each, square in cells + marks if each == role}
            if squares:
                squares_of[role] = sorted(
                    squares, key=lambda square: (-square[2], square[1], square[0])
                )
        return squares_of

    def _grounds(self) -> Iterator[str]:
        for whole in (True, False):
            for role, squares in self._places().items():
                if d := "".join(box(each) for each in squares if (each[2] == self._side) is whole):
                    yield element("path", fill=TINTS[role].ground, d=d)

    def _parities(self) -> Iterator[str]:
        d = ""
        for cell, look in enumerate(self._looks):
            x, y, side = self._square(cell)
            if look.parity == "odd":
                d += circle((x, y), (0.45 if self._large else 0.38) * side)
            elif look.parity == "even":
                d += box((x, y, side), (0.06 if self._large else 0.12) * side)
        if d:
            yield element("path", fill=PARITY, stroke=RIM, stroke_width=1, d=d)

    def _lines(self) -> Iterator[str]:
        """Thin lines across the grid, and thick ones around it and each box or region."""
        n, side, x, y = self._n, self._side, self._left, self._top
        level = (line([(x, y + at * side), (x + n * side, y + at * side)]) for at in range(1, n))
        upright = (line([(x + at * side, y), (x + at * side, y + n * side)]) for at in range(1, n))
        yield element("path", stroke=LINE, d="".join((*level, *upright)))
        areas = [each.cells for each in self._picture.layout.blocks] or [self._picture.grid.cells]
        yield stroke(GIVEN, 3, "".join(self._outline(each, 0) for each in areas), ends=None)

    def _outline(self, cells: Iterable[tuple[int, int]], inset: float) -> str:
        return outline(cells, self._side, inset, origin=(self._left, self._top))

    def _groups(self) -> Iterator[str]:
        """A capsule around the candidates of each group of candidates that a link joins."""
        nodes = dict.fromkeys(
            node for link in self._picture.links for node in (link.start, link.end)
        )
        spots = self._spots() if nodes else {}
        d = "".join(line([spots[each][:2] for each in sorted(node)]) for node in nodes if node[1:])
        for ink, wide in ((_LINK, 18), (TINTS["reason"].ground, 15.5)) if d else ():
            yield stroke(ink, wide, d)

    def _links(self) -> Iterator[str]:
        """Strong links as solid lines, weak ones as dashed lines."""
        links = self._picture.links
        paths = link_paths(links, self._spots() if links else {}, _MARK / 2)
        for strong in LEGEND:
            both = zip(links, paths, strict=True)
            if d := "".join(path for link, path in both if link.strong is strong):
                yield _link(d, strong)

    def _spots(self) -> dict[tuple[int, int, int], Spot]:
        """The place of each digit."""
        spots: dict[tuple[int, int, int], Spot] = {}
        for at, (cell, look) in enumerate(zip(self._picture.grid.cells, self._looks, strict=True)):
            if look.digit:
                spots[*cell, look.digit] = (*self._square(at)[:2], 0.9 * _MARK)
            for digit in look.marks:
                spots[*cell, digit] = (*self._mark(at, digit)[:2], 0.4 * _MARK)
        return spots

    def _shapes(self) -> Iterator[str]:
        for highlight in self._picture.highlights:
            if wide := _HOUSES.get(highlight.role):
                d = self._outline(highlight.cells, 3 * self._side / 40)
                yield role_stroke(highlight.role, d, wide)
        for role, squares in reversed(self._places().items()):
            for whole, chosen in groupby(squares, lambda square: square[2] == self._side):
                if whole and role in _HOUSES:
                    continue
                shapes = [shape(role, each) for each in chosen]
                # A wall of thick frames would hide the digits in them.
                width = 2 if role == "conflict" and len(shapes) > self._n else 2.5
                yield role_stroke(role, "".join(shapes), width if whole else 1.2)

    def _digits(self) -> Iterator[str]:
        size = 22 if self._n < 10 else 18
        large = size + (8 if self._side > 60 else 0)
        bold, plain = f'font-weight="bold" fill="{GIVEN}"', f'fill="{SMALL}"'
        kinds: dict[tuple[float, str], list[Place]] = {}
        for cell, look in enumerate(self._looks):
            if look.digit:
                kind = large, bold if look.given else f'fill="{FILLED}"'
                kinds.setdefault(kind, []).append((*self._square(cell)[:2], look.digit))
            alone = not look.digit and not self._large
            for digit, role in look.marks.items():
                kind = size - 4 if alone else 11, plain if role in (None, "removed") else bold
                kinds.setdefault(kind, []).append((*self._mark(cell, digit)[:2], digit))
        for (height, style), places in kinds.items():
            yield texts(places, height, style)

    def _words(self) -> Iterator[str]:
        """Title, numbers of rows and columns, and legend."""
        middle = self._width / 2
        title: list[Place] = [
            (middle, _EDGE + (at + 0.5) * _LINE, text) for at, text in enumerate(self._title)
        ]
        yield texts(title, 16, f'font-weight="bold" fill="{GIVEN}"')
        if self._numbered:
            x, y, side = self._square(0)
            numbers = range(self._n)
            far_left, far_up = self._numbers
            above: list[Place] = [(x + at * side, far_up, at + 1) for at in numbers]
            beside: list[Place] = [(far_left, y + at * side, at + 1) for at in numbers]
            yield texts(above + beside, 11, f'fill="{SMALL}"')
        if self._rule_legend:
            yield f'<g transform="translate(10 {self._below + 4:g})">{self._rule_legend}</g>'
        left, y = min(self._left, _EDGE + _MARGIN), self._bottom + 6 + _LINE / 2
        labels: list[Place] = []
        for role, label in self._legend:
            if isinstance(role, bool):
                yield _link(f"M{left:g} {y:g}h17", role)
            else:
                place = (left + 8, y, 15.0)
                yield element("path", fill=TINTS[role].ground, d=box(place))
                yield role_stroke(role, swatch(role, place), 1.5)
            for text in label:
                labels.append((left + 24, y, text))
                y += _LINE
        yield texts(labels, 13, f'text-anchor="start" fill="{GIVEN}"')


def _link(d: str, strong: bool) -> str:
    return stroke(_LINK, 1.8, d, _DASHES[strong], None)


def texts(places: list[Place], size: float, style: str) -> str:
    """Texts centred on their places; a digit is 0.72 of its font size high."""
    elements = (element("text", text, x=float(x), y=y + 0.36 * size) for x, y, text in places)
    return f'<g font-size="{size:g}" {style}>{"".join(elements)}</g>' if places else ""


# --- pictures on an HTML page: one alone, or many in a list of lines that open ---
#
# There are no scripts: the browser closes the picture of one line when another opens. Paper has
# them all.


class Slide(NamedTuple):
    """A picture in a list."""

    name: str
    """The line of the list."""
    text: str
    """The text above the picture."""
    picture: Scene
    note: str = ""
    """A note after the name, on the same line."""


_PAGE = """
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 1rem/1.5 system-ui, sans-serif }
.alone { display: grid; place-items: center; min-height: 95vh }"""

_FIGURES = """
figure { margin: 0 }
figcaption { max-width: 60ch; line-height: 1.5; white-space: pre-wrap }
figure svg { max-width: 100%; height: auto; border-radius: 8px }"""

_WALK = f"""
.sudoku-walk {{ text-align: start;{_FIGURES}
summary {{ padding: .2em 0; cursor: pointer }}
details[open] {{ margin-bottom: 1rem }}
details[open] > summary {{ font-weight: 600 }}
small {{ font-weight: 400; white-space: nowrap }}
@media print {{
  details {{ break-inside: avoid }}
  details::details-content {{ display: block; content-visibility: visible }}
}} }}"""


def pages(pictures: Iterable[tuple[str, Scene] | Slide], head: str = "") -> str:
    """A whole HTML page with pictures, each under its text; several are a list that opens."""
    shown = [
        each if isinstance(each, Slide) else Slide(each[1].described, *each) for each in pictures
    ]
    if len(shown) == 1:
        body = f'<div class="alone">\n{figure(shown[0].text, shown[0].picture)}\n</div>'
    else:
        body = slides(shown, head)
    return document(head or (shown[0].picture.described if shown else "Sudoku"), body)


def document(title: str, body: str, style: str = "") -> str:
    """A whole HTML page for this body with figures."""
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{escape(title)}</title>
<style>{_PAGE}{_FIGURES}{style}
</style>
</head>
<body>
{body}
</body>
</html>"""


def slides(shown: Sequence[Slide], head: str = "") -> str:
    """A numbered list, each of whose lines opens its picture, as a part of an HTML page."""
    figures = [figure(each.text, each.picture) for each in shown]
    # A name of its own keeps its lines apart from those of other lists on the page.
    group = f"walk-{crc32(''.join(figures).encode()):x}"
    lines = []
    for at, (each, drawn) in enumerate(zip(shown, figures, strict=True), 1):
        note = f" <small>{escape(each.note)}</small>" if each.note else ""
        is_open = ' open="open"' if at == 1 else ""
        lines.append(
            f'<details name="{group}"{is_open}>'
            f"<summary>{at}. {escape(each.name)}{note}</summary>\n{drawn}\n</details>"
        )
    top = f"<p>{escape(head)}</p>" if head else ""
    return "\n".join(
        ['<div class="sudoku-walk">', f"<style>{_WALK}\n</style>", top, *lines, "</div>"]
    )


def figure(text: str, picture: Scene) -> str:
    """A picture under its text, as a part of an HTML page."""
    caption = f"<figcaption>{escape(text)}</figcaption>\n" if text else ""
    return f"<figure>\n{caption}{draw(picture)}\n</figure>"
