"""Chains: links from candidate to candidate, as lines that pass beside digits, and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import hypot
from typing import NamedTuple

from ..grid import Cell
from ._picture import Link

__all__ = ["LEGEND", "Curve", "Lines", "in_words"]

LEGEND = {True: "at least one of the two holds", False: "at most one of the two holds"}
"""What a strong and a weak link mean."""

_BENDS = (0.0, 0.06, -0.06, 0.12, -0.12, 0.2, -0.2, 0.3, -0.3)
"""How far the middle of a line may be off, as a part of its length."""
_SHORT = (0.9, -0.9, 1.3, -1.3)
"""The same for neighbours, between whose circles there is little room."""

Point = tuple[float, float]
Spot = tuple[float, float, float]
"""Where a digit is, and how much room it takes to each side."""
Node = tuple[tuple[int, int, int], ...]


class Curve(NamedTuple):
    """A line from one candidate to another: its ends, and the point towards which it bends."""

    start: Point
    bend: Point
    end: Point

    def path(self) -> str:
        """As the path of an SVG element."""
        start, bend, end = (f"{x:.1f} {y:.1f}" for x, y in self)
        return f"M{start}Q{bend} {end}"

    def at(self, part: float) -> Point:
        """The point after this part of the way."""
        rest = 1 - part
        weights = rest * rest, 2 * rest * part, part * part
        x, y = (sum(w * p[axis] for w, p in zip(weights, self, strict=True)) for axis in (0, 1))
        return x, y

    def points(self) -> list[Point]:
        """Points along it."""
        steps = max(4, int(hypot(*_minus(self.end, self.start)) / 4))
        return [self.at(step / steps) for step in range(1, steps)]

    def cut(self, radius: float) -> Curve:
        """Without what is within this distance of its ends, if anything is left."""
        parts = [step / 64 for step in range(65)]
        outside = [
            part
            for part in parts
            if min(hypot(*_minus(self.at(part), end)) for end in (self.start, self.end)) >= radius
        ]
        if len(outside) < 2:
            return self
        first, last = outside[0], outside[-1]
        start, end, middle = self.at(first), self.at(last), self.at((first + last) / 2)
        bend = tuple(2 * middle[axis] - (start[axis] + end[axis]) / 2 for axis in (0, 1))
        return Curve(start, (bend[0], bend[1]), end)


class Lines:
    """The links of a picture, and all digits; the lines end at this distance from candidates."""

    def __init__(
        self, links: Sequence[Link], spots: Mapping[tuple[int, int, int], Spot], radius: float
    ) -> None:
        self._links, self._spots, self._radius = links, spots, radius
        self._places = {at: (x, y) for at, (x, y, _) in spots.items()}

    def groups(self) -> Iterator[list[Point]]:
        """The places of the candidates of each node that has several."""
        nodes = dict.fromkeys(node for link in self._links for node in (link.start, link.end))
        for each in nodes:
            if len(each) > 1:
                yield [self._places[placement] for placement in sorted(each)]

    def curves(self) -> list[tuple[Link, Curve]]:
        """Every link as a line between the nearest candidates of its nodes."""
        found: list[tuple[Link, Curve]] = []
        taken: list[Point] = []
        for link in self._links:
            curve = self._curve(link, taken)
            taken += curve.points()
            found.append((link, curve))
        return found

    def _curve(self, link: Link, taken: list[Point]) -> Curve:
        ends = [(self._places[one], self._places[two]) for one in link.start for two in link.end]
        start, end = min(ends, key=lambda both: hypot(*_minus(both[1], both[0])))
        x, y = _minus(end, start)
        near = hypot(x, y) < 4 * self._radius
        own = {*link.start, *link.end}
        others = [spot for at, spot in self._spots.items() if at not in own]
        left, right, top, bottom = self._edges()

        def made(bend: float) -> Curve:
            # The curve is half as far off as the point towards which it bends.
            middle = (start[0] + end[0]) / 2 - 2 * bend * y, (start[1] + end[1]) / 2 + 2 * bend * x
            return Curve(start, middle, end).cut(self._radius)

        def cost(bend: float) -> float:
            points = made(bend).points()
            hit = sum(size * _close((a, b), points, size) for a, b, size in others)
            along = sum(_close(point, taken, 0.5 * self._radius) for point in points)
            out = sum(not (left <= a <= right and top <= b <= bottom) for a, b in points)
            return hit / self._radius + along / 3 + 2 * out + abs(bend) * hypot(x, y) / 20

        bends = (*_BENDS, *_SHORT) if near else _BENDS
        return made(min(bends, key=cost))

    def _edges(self) -> tuple[float, float, float, float]:
        """The least and the greatest x and y of a digit, with its room."""
        room = 1.2 * self._radius
        xs, ys = zip(*self._places.values(), strict=True)
        return min(xs) - room, max(xs) + room, min(ys) - room, max(ys) + room


def _minus(one: Point, two: Point) -> Point:
    return one[0] - two[0], one[1] - two[1]


def _close(place: Point, points: Iterable[Point], within: float) -> bool:
    x, y = place
    return any(abs(a - x) < within and abs(b - y) < within for a, b in points)


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
