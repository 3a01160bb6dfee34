"""The geometry of rules: lines, outlines and arrows as the path data of SVG."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import hypot

__all__ = ["Point", "arrow_head", "between", "circle", "diamond", "frame", "line", "number"]
__all__ += ["outline", "pill"]

Point = tuple[float, float]
Corner = tuple[int, int]

_RIGHT, _DOWN, _LEFT, _UP = (1, 0), (0, 1), (-1, 0), (0, -1)


def number(value: float) -> str:
    """A length with at most two decimals; never ``-0``."""
    return f"{round(value, 2) + 0:g}"


def _at(x: float, y: float) -> str:
    return f"{number(x)} {number(y)}"


def line(points: Sequence[Point], closed: bool = False) -> str:
    """Straight from each point to the next."""
    d = "L".join(_at(*point) for point in points)
    return f"M{d}{'z' if closed else ''}"


def circle(centre: Point, r: float) -> str:
    return pill(centre, 0, 0, r)


def pill(start: Point, width: float, height: float, r: float) -> str:
    """All within `r` of the line from `start`, which is level or upright."""
    x, y = start
    turn = f"a{number(r)} {number(r)} 0 0 1 "
    if height:
        ends = _at(2 * r, 0), _at(-2 * r, 0)
        return f"M{_at(x - r, y)}{turn}{ends[0]}v{number(height)}{turn}{ends[1]}z"
    ends = _at(0, 2 * r), _at(0, -2 * r)
    return f"M{_at(x, y - r)}h{number(width)}{turn}{ends[0]}h{number(-width)}{turn}{ends[1]}z"


def frame(centre: Point, width: float, height: float) -> str:
    """A rectangle."""
    x, y = centre[0] - width / 2, centre[1] - height / 2
    return f"M{_at(x, y)}h{number(width)}v{number(height)}h{number(-width)}z"


def diamond(centre: Point, r: float) -> str:
    """A square on its corner."""
    x, y = centre
    return line([(x - r, y), (x, y - r), (x + r, y), (x, y + r)], closed=True)


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


def outline(
    cells: Iterable[tuple[int, int]],
    side: float,
    inset: float,
    open_at: tuple[int, int] | None = None,
    gap: Point = (0, 0),
) -> str:
    """The outline of the cells, drawn inside them; cells that meet at a corner alone stay apart.

    The upper left corner of the cell `open_at`, which has no other cell of the set above or to its
    left, is left out for a label of the size `gap`.
    """
    d = ""
    for loop in _loops(set(cells)):
        points = []
        for (before, _), (turn, after) in pairwise([loop[-1], *loop]):
            way, onward = _way(before, turn), _way(turn, after)
            if way == onward:
                continue
            x = turn[0] * side - inset * (way[1] + onward[1])
            y = turn[1] * side + inset * (way[0] + onward[0])
            points.append((turn, (x, y)))
        corners = [corner for corner, _ in points]
        places = [place for _, place in points]
        corner = (open_at[1] - 1, open_at[0] - 1) if open_at else None
        if corner in corners:
            at = corners.index(corner)
            x, y = places[at]
            rest = [*places[at + 1 :], *places[:at]]
            d += line([(x + gap[0], y), *rest, (x, y + gap[1])])
        else:
            d += line(places, closed=True)
    return d


def _way(one: Corner, other: Corner) -> Corner:
    return other[0] - one[0], other[1] - one[1]


def _loops(cells: set[tuple[int, int]]) -> list[list[tuple[Corner, Corner]]]:
    """The sides at the rim of the cells, clockwise, from corner to corner of the grid."""
    sides: dict[Corner, list[Corner]] = {}
    for row, column in sorted(cells):
        x, y = column - 1, row - 1
        for start, way, outside in (
            ((x, y), _RIGHT, (row - 1, column)),
            ((x + 1, y), _DOWN, (row, column + 1)),
            ((x + 1, y + 1), _LEFT, (row + 1, column)),
            ((x, y + 1), _UP, (row, column - 1)),
        ):
            if outside not in cells:
                sides.setdefault(start, []).append((start[0] + way[0], start[1] + way[1]))
    loops = []
    while sides:
        start = next(iter(sides))
        loop = [(start, _next(sides, start, None))]
        while loop[-1][1] != start or (start in sides and not _closed(loop)):
            at = loop[-1][1]
            loop.append((at, _next(sides, at, _way(*loop[-1]))))
        loops.append(loop)
    return loops


def _closed(loop: list[tuple[Corner, Corner]]) -> bool:
    """True if the loop is back at its first side, not only at its first corner."""
    way, first = _way(*loop[-1]), _way(*loop[0])
    return first in ((-way[1], way[0]), way)


def _next(sides: dict[Corner, list[Corner]], at: Corner, way: Corner | None) -> Corner:
    """The side to go on with from this corner: the one on the right if there are two."""
    choices = sides[at]
    right = (at[0] - way[1], at[1] + way[0]) if way else None
    chosen = right if right in choices else choices[0]
    choices.remove(chosen)
    if not choices:
        del sides[at]
    return chosen
