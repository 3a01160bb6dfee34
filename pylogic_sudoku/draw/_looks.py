"""The colours and the shapes of roles: here once, for pictures, terminals and the page.

The page repeats them in ``serve/static/roles.css`` and ``roles.js``, and a test compares these.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ..grid import Cell

__all__ = ["DARK", "TINTS", "Square", "Tint", "circle", "frame", "rim", "shape", "stroke", "swatch"]


class Tint(NamedTuple):
    """The colours of a role: the background of its cells, and its shape."""

    ground: str
    ink: str


TINTS = {
    "target": Tint("#ffe58a", "#8a5a00"),
    "conflict": Tint("#ffd5d1", "#b3261e"),
    "removed": Tint("#fbe4e2", "#b3261e"),
    "difference": Tint("#eadcff", "#6a35b5"),
    "a": Tint("#c9efe9", "#0a6e64"),
    "b": Tint("#ffe2c4", "#9c4a08"),
    "c": Tint("#fadcef", "#a01f78"),
    "d": Tint("#ecf1bd", "#5e6a08"),
    "e": Tint("#dfe4f8", "#444f9e"),
    "f": Tint("#ebe3da", "#75553a"),
    "reason": Tint("#d3e9ff", "#0b5aa8"),
    "house": Tint("#eaf4e2", "#42752b"),
    "cover": Tint("#f1f1f3", "#5f6673"),
}

DARK = {
    "target": Tint("#4a3d0c", "#f3cd5c"),
    "conflict": Tint("#55201f", "#ff9c92"),
    "removed": Tint("#42211f", "#ff9c92"),
    "difference": Tint("#3d2b61", "#c9abff"),
    "a": Tint("#0f3f3a", "#6fd8cc"),
    "b": Tint("#4d2c0c", "#f5a55f"),
    "c": Tint("#521a3f", "#f293cf"),
    "d": Tint("#383e0c", "#c9d65e"),
    "e": Tint("#2a3060", "#a9b4f5"),
    "f": Tint("#46331f", "#d4b597"),
    "reason": Tint("#143c61", "#82c0fa"),
    "house": Tint("#223a1b", "#93cf7b"),
    "cover": Tint("#2c313b", "#a0a8b6"),
}
"""The same on dark pages. A picture has its own white ground."""

_WAYS = ((-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (-1, 1), (1, -1), (1, 1))
"""Steps to the cells above, below, left and right, and to the diagonal neighbours."""

Square = tuple[float, float, float]
"""Centre and side of a cell or of a pencil mark."""


def stroke(role: str, d: str, width: float) -> str:
    """The lines of a path in the colour and the pattern of the role."""
    styles = {
        "difference": ' stroke-dasharray="4 3"',
        "house": ' stroke-linecap="square"',
        "cover": ' stroke-dasharray="9 5"',
    }
    look = f'stroke="{TINTS[role].ink}" stroke-width="{width:g}"{styles.get(role, "")}'
    return f'<path fill="none" {look} d="{d}"/>'


def frame(square: Square, inset: float = 0) -> str:
    """The four sides, clockwise from the upper left corner."""
    x, y, side = square
    side -= 2 * inset
    return f"M{x - side / 2:g} {y - side / 2:g}h{side:g}v{side:g}h-{side:g}z"


def rim(cells: Iterable[Cell], n: int, square: Callable[[int], Square]) -> str:
    """The sides that the cells do not share, slightly inside them.

    `square` is the place of the cell with an offset.
    """
    inside = {(cell.row, cell.column) for cell in map(Cell._make, cells)}
    d = ""
    for row, column in sorted(inside):
        x, y, side = square(Cell(row, column).offset(n))
        half = side / 2 - 3 * side / 40
        joined = {way: (row + way[0], column + way[1]) in inside for way in _WAYS}
        up, down, left, right = (side / 2 if joined[way] else half for way in _WAYS[:4])
        d += "" if joined[0, -1] else f"M{x - half:g} {y - up:g}V{y + down:g}"
        d += "" if joined[0, 1] else f"M{x + half:g} {y - up:g}V{y + down:g}"
        d += "" if joined[-1, 0] else f"M{x - left:g} {y - half:g}H{x + right:g}"
        d += "" if joined[1, 0] else f"M{x - left:g} {y + half:g}H{x + right:g}"
        for over, aside in _WAYS[4:]:
            # If the diagonal neighbour alone is missing, the lines of the two others meet here.
            if joined[over, 0] and joined[0, aside] and not joined[over, aside]:
                across, along = x + aside * half, y + over * half
                end = x + aside * side / 2
                d += f"M{across:g} {y + over * side / 2:g}V{along:g}H{end:g}"
    return d


def circle(x: float, y: float, r: float) -> str:
    """A whole circle."""
    return f"M{x - r:g} {y:g}a{r:g} {r:g} 0 1 0 {2 * r:g} 0a{r:g} {r:g} 0 1 0 {-2 * r:g} 0z"


def shape(role: str, squares: list[Square]) -> str:
    """The shape of the role in each of these squares."""
    return "".join(_shape(role, square) for square in squares)


def swatch(role: str, square: Square) -> str:
    """The shape of the role in a legend: a house is long and flat there, or it would be a cell."""
    x, y, side = square
    if role in ("house", "cover"):
        return f"M{x - side / 2:g} {y - side / 4:g}h{side:g}v{side / 2:g}h{-side:g}z"
    return shape(role, [square])


def _shape(role: str, square: Square) -> str:
    x, y, side = square
    inset = side / 14
    half = side / 2 - inset
    match role:
        case "reason":
            return circle(x, y, half - 0.6 * inset)
        case "removed":
            half -= inset
            return f"M{x - half:g} {y + half:g}l{2 * half:g} {-2 * half:g}"
        case "conflict":
            return frame(square, inset) + frame(square, 2.4 * inset)
        case "a" | "b" | "c" | "d" | "e" | "f":
            return _PARTS[role](x, y, half)
    return frame(square, inset)


def _diamond(x: float, y: float, half: float) -> str:
    half *= 1.2
    return f"M{x - half:g} {y:g}l{half:g} {-half:g}l{half:g} {half:g}l{-half:g} {half:g}z"


def _hexagon(x: float, y: float, half: float) -> str:
    part = half / 2
    top = f"M{x - half:g} {y:g}l{part:g} {-half:g}h{half:g}l{part:g} {half:g}"
    return f"{top}l{-part:g} {half:g}h{-half:g}z"


def _brackets(x: float, y: float, half: float) -> str:
    part = half / 2
    left = f"M{x - part:g} {y - half:g}h{-part:g}v{2 * half:g}h{part:g}"
    return f"{left}M{x + part:g} {y - half:g}h{part:g}v{2 * half:g}h{-part:g}"


def _bars(x: float, y: float, half: float) -> str:
    return f"M{x - half:g} {y - half:g}h{2 * half:g}M{x - half:g} {y + half:g}h{2 * half:g}"


def _corners(x: float, y: float, half: float) -> str:
    part = half / 2
    return "".join(
        f"M{x + right * half:g} {y + down * part:g}v{down * part:g}h{-right * part:g}"
        for right in (-1, 1)
        for down in (-1, 1)
    )


def _underline(x: float, y: float, half: float) -> str:
    lines = (f"M{x - half:g} {y + at * half:g}h{2 * half:g}" for at in (0.75, 1.1))
    return "".join(lines)


_PARTS = {
    "a": _diamond,
    "b": _hexagon,
    "c": _brackets,
    "d": _bars,
    "e": _corners,
    "f": _underline,
}
