"""How small clues are drawn: dots and signs between cells, circles, and clues beside the grid."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

from ..grid import Cell
from ._kinds import draws, in_words
from ._pen import Entry, Pen
from ._shapes import Point, arrow_head, between, circle, frame, line

__all__: list[str] = []

WHOLE = {"difference": 1, "ratio": 2}
"""What a dot without a number says."""
ROMAN = {5: "V", 10: "X"}


# --- between cells --------------------------------------------------------------------------


def _middle(pen: Pen, cells: Sequence[Cell]) -> Point:
    """Between two cells; cells that do not touch are joined by a thin line."""
    one, other = pen.centres(cells)
    if max(abs(cells[0].row - cells[1].row), abs(cells[0].column - cells[1].column)) > 1:
        pen.stroke("line", line([one, other]), "grey-rim", 1.2, "1 3")
    return between(one, other)


@draws("difference", "ratio")
def _dot(pen: Pen, rule: Any) -> bool:
    at, side = _middle(pen, rule.cells), pen.side
    black, plain = rule.kind == "ratio", rule.value == WHOLE[rule.kind]
    r = min(0.13 * side, 6) if plain else min(0.17 * side, 8)
    pen.fill("over", circle(at, r), "black" if black else "white", "ring", 1.2)
    if not plain:
        size = 1.4 * r if rule.value < 10 else 1.1 * r
        pen.text(at, rule.value, size, "white" if black else "black")
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
        pen.entries["exactly"] = Entry("double circle: exactly these digits", None)
    longest = max(len(" ".join(row)) for row in lines)
    size = min(0.9 * r, 3 * r / longest)
    for number, row in enumerate(lines):
        y = at[1] + (number - (len(lines) - 1) / 2) * 0.9 * size
        pen.text((at[0], y), " ".join(row), size)
    return True


@draws("counting_circles")
def _counting_circles(pen: Pen, rule: Any) -> bool:
    for cell in rule.cells:
        pen.stroke("line", circle(pen.centre(cell), 0.42 * pen.side), "orange-rim", 1.6)

    def swatch(pen: Pen, at: Point) -> None:
        pen.stroke("line", circle(at, 6.5), "orange-rim", 1.6)

    pen.entries["circles"] = Entry(rule.title, swatch)
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


def _dashed_house(pen: Pen, at: Point, far: float) -> None:
    _house(pen, at, far, "2 2.4")


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
    "hidden_skyscraper": ("value", _dashed_house),
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

    pen.entries[text] = Entry(text, swatch)
    return True


def _is_house(cells: Sequence[Cell]) -> bool:
    return len({cell.row for cell in cells}) == 1 or len({cell.column for cell in cells}) == 1


@draws("little_killer")
def _little_killer(pen: Pen, rule: Any) -> bool:
    place = pen.beside(rule.cells)
    if place is None:
        return False
    at, tip, _ = place
    size = (0.36 if rule.sum < 100 else 0.28) * pen.side
    pen.text(at, rule.sum, size)
    long = ((tip[0] - at[0]) ** 2 + (tip[1] - at[1]) ** 2) ** 0.5
    start, end = (
        between(at, tip, 0.32 * pen.side / long),
        between(at, tip, 1 - 0.06 * pen.side / long),
    )
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

    def swatch(pen: Pen, at: Point) -> None:
        pen.fill("ground", frame(at, 18, 14), colour, f"{colour}-rim")

    pen.entries[name] = Entry(name, swatch)
    return True


# --- the whole grid -------------------------------------------------------------------------


@draws("negative")
def _negative(pen: Pen, rule: Any) -> bool:
    text = in_words(rule) + (", except marked pairs" if rule.exempt else "")
    pen.entries[text] = Entry(text)
    return True
