"""The rules of a puzzle as SVG.

The upper left corner of the grid is (0, 0), the x axis goes right and the y axis down, and every
cell is `side` pixels wide, 40 unless said: the middle of r2c3 is (100, 60). Clues beside the grid
have negative coordinates, or such beyond ``n * side``; `room` says how far they reach. So the
`viewBox` of a picture with nothing else is ``-left -top n*side+left+right n*side+top+bottom``.

Each rule is one or more ``<g data-rule="thermometer">``, with the rule in words as its title. They
are in the layers ``ground``, ``line`` and ``over``, in this order; digits belong between ``line``
and ``over``, or above all.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from textwrap import wrap

from ..puzzle import Puzzle
from ..rules import Rule
from . import _clues  # noqa: F401  (it registers its kinds)
from ._kinds import drawn, in_order, is_lattice
from ._pen import DARK, LAYERS, LIGHT, PAGE, Pen, Room
from ._shapes import number

__all__ = ["DARK", "LIGHT", "PAGE", "SIDE", "Room", "Rules", "room", "rules_svg"]

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


def room(puzzle: Puzzle) -> Room:
    """How far the clues outside the grid reach on each side, in pixels."""
    return Rules(puzzle.rules, puzzle.size).room


class Rules:
    """The rules of a grid with `size` rows, drawn."""

    def __init__(
        self,
        rules: Iterable[Rule],
        size: int,
        side: float = SIDE,
        colours: Mapping[str, str] = LIGHT,
    ) -> None:
        self._pen = pen = Pen(size, side, colours)
        ordered = in_order(rules)
        sets = [list(each.cells_used()) for each in ordered if each.kind == "different"]
        pen.disjoint = sum(is_lattice(cells, size) for cells in sets) >= size
        for rule in ordered:
            drawn(pen, rule)
        self.room = pen.room
        self.labels = pen.labels
        """True if some cell has a label in a corner."""
        self.says = bool(pen.entries)
        """True if there is something below the grid."""

    def layer(self, name: str) -> str:
        """One of the layers as a ``<g>``; empty text if nothing is in it."""
        parts = "".join(self._pen.layers[name])
        return f'<g data-layer="{name}">{parts}</g>' if parts else ""

    def below(self, width: float) -> tuple[str, float]:
        """The legend below the grid, from (0, 0) to the right and down, and its height."""
        marks: list[str] = []
        x = y = 0.0
        order = sorted(self._pen.entries.values(), key=lambda e: (bool(e.mark), not e.swatch))
        for entry in order:
            indent = 32 if entry.swatch else 16 if entry.mark else 0
            lines = wrap(entry.text, max(int((width - indent) / _WIDE), 12))
            wide = indent + max(map(len, lines)) * _WIDE + 14
            if x and (x + wide - 14 > width or entry.mark):
                x, y = 0.0, y + _HIGH
            middle = y + _HIGH / 2
            if entry.swatch:
                entry.swatch(self._pen, (x + 13, middle))
                marks.append(self._pen.taken())
            if entry.mark:
                marks.append(_said(x, middle, entry.mark, self._pen.colours["grey-rim"]))
            for at, text in enumerate(lines):
                down = middle + at * _HIGH
                marks.append(_said(x + indent, down, text, self._pen.colours["ink"]))
            x += wide
            if len(lines) > 1 or entry.mark:
                x, y = 0.0, y + len(lines) * _HIGH
        return "".join(marks), y + (_HIGH if x else 0)


def _said(x: float, y: float, text: str, colour: str) -> str:
    look = f'font-size="12" text-anchor="start" fill="{colour}"'
    return f'<text x="{number(x)}" y="{number(y + 4.3)}" {look}>{escape(text)}</text>'
