"""Pictures of grids: SVG, PNG, PDF, HTML, and boxes drawn in a terminal.

>>> from pylogic_sudoku import Grid
>>> print(Picture(Grid.parse("1..4.....3......")).to_text())
┏━━━┯━━━┳━━━┯━━━┓
┃ 1 │   ┃   │ 4 ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┣━━━┿━━━╋━━━┿━━━┫
┃   │ 3 ┃   │   ┃
┠───┼───╂───┼───┨
┃   │   ┃   │   ┃
┗━━━┷━━━┻━━━┷━━━┛
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..notebook import html_part
from ..puzzle import pencil_marks
from . import svg
from .saving import SUFFIXES, require, save_drawn
from .scene import (
    LEGEND,
    PARTS,
    ROLE_LOOKS,
    ROLES,
    Highlight,
    Link,
    Look,
    Scene,
    Side,
    borders,
    difference,
    in_words,
    mark_columns,
    mistakes,
    one_line,
)
from .sheet import Sheet
from .svg import pages

if TYPE_CHECKING:
    from os import PathLike

__all__ = [
    "PARTS",
    "ROLES",
    "SUFFIXES",
    "Highlight",
    "Link",
    "Picture",
    "Sheet",
    "difference",
    "html_part",
    "in_ascii",
    "mistakes",
    "pages",
    "pencil_marks",
    "require",
]


class Picture(Scene):
    """A grid to be drawn, with its writers.

    Raises:
        InvalidPuzzle: If its parts do not fit together.
    """

    __slots__ = ()

    def to_svg(self) -> str:
        """An SVG image: small, without ids, and legible on any background."""
        return svg.draw(self)

    def to_text(self, color: bool = False, rules: bool = True) -> str:
        """Box-drawing characters.

        Args:
            color: True for a terminal: in colors, and givens bold.
            rules: True to state the rules beyond plain sudoku in words below the grid.
        """
        return _text(self, color, rules)

    def to_html(self) -> str:
        """A whole page with the SVG image on it."""
        return pages([("", self)])

    def save(self, path: str | PathLike[str]) -> None:
        """Write a file of the kind that its suffix names.

        If that fails, an existing file is left unchanged.

        Args:
            path: The file; its suffix is one of `SUFFIXES`.

        Raises:
            ValueError: For any other suffix.
            BackendUnavailable: If PNG or PDF lack CairoSVG.
            OSError: If the file cannot be written.
        """
        save_drawn(self, path)

    def _repr_svg_(self) -> str:
        return self.to_svg()


# --- a picture as text --------------------------------------------------------------------
#
# A marker next to a digit shows its role without colour, and the legend names it; brackets show a
# cell that is marked odd or even. Up to 9x9, and with regions, every cell has its frame; larger
# grids without pencil marks show the boxes alone, or few terminals would be wide enough.

_BRACKETS = {"odd": ("(", ")"), "even": ("[", "]")}
_JOINTS = "┼╀┾╄╁╂╆╊┽╃┿╇╅╉╈╋"
"""A character for each set of heavy lines: 1 up, 2 right, 4 down, 8 left."""
# The part between ESC [ and m; 16 is a black that stays black in bold.
_CODES = {role: f"38;5;16;48;5;{look.palette}" for role, look in ROLE_LOOKS.items()}
_MARKERS = {role: look.marker for role, look in ROLE_LOOKS.items()}
_BOLD, _FILLED, _DIM = "1", "36", "2"


def _text(picture: Scene, color: bool, rules: bool) -> str:
    """The lines of the picture; see `Picture.to_text`."""
    pen = _Pen(picture, color)
    n = picture.grid.size
    looks = picture.looks()
    blocks = [pen.block(look) for look in looks]
    named = picture.named
    blank = " " * (pen.digit + 1) if named else ""
    thick = borders(picture.layout)
    inner = range(n)
    ruled = {at for way, _, at in thick if way == "left"} if not pen.lined else {*inner, n}

    def across(parts: list[str], line: Callable[[int], str]) -> str:
        cells = enumerate([*parts, ""])
        return "".join(f"{line(at) if at in ruled else ''}{part}" for at, part in cells)

    def rule(row: int) -> str:
        fills = ["━" if ("above", row, column) in thick else "─" for column in inner]
        return across([fill * pen.width for fill in fills], lambda at: _joint(thick, n, row, at))

    lines = [pen.paint(one_line(picture.title), _BOLD)] if picture.title else []
    if named:
        header = across([f"{column:^{pen.width}}" for column in range(1, n + 1)], lambda at: " ")
        lines.append(pen.paint(f"{blank}{header}".rstrip(), _DIM))
    for row in range(n):
        if pen.lined or ("above", row, 0) in thick:
            lines.append(blank + rule(row))
        for line in range(pen.height):
            name = f"{row + 1:>{pen.digit}} " if named and line == pen.height // 2 else blank
            parts = [block[line] for block in blocks[row * n : (row + 1) * n]]
            cells = across(parts, lambda at, row=row: "│┃"[("left", row, at) in thick])  # type: ignore[misc]
            lines.append(pen.paint(name, _DIM) + cells)
    lines.append(blank + rule(n))
    for highlight in picture.highlights:
        if highlight.label:
            marker = pen.paint(f" {_MARKERS[highlight.role]} ", _CODES[highlight.role])
            lines.append(f"{blank}{marker} {one_line(highlight.label)}")
    for strong, label in LEGEND.items():
        if any(link.strong is strong for link in picture.links):
            lines.append(f"{blank} {'=' if strong else '-'}  {label}")
    lines += [f"{blank}chain: {line}" for line in in_words(picture.links)]
    for parity, (left, right) in _BRACKETS.items():
        if any(look.parity == parity for look in looks):
            lines.append(f"{blank}{left} {right} {parity}")
    if rules:
        lines += [f"{blank}{one_line(str(each))}" for each in picture.layout.rules]
    return "\n".join(lines)


def _joint(thick: set[Side], n: int, row: int, column: int) -> str:
    """The character at a crossing; each of its lines is heavy if it is a border."""
    up, down = ("left", row - 1, column) in thick, ("left", row, column) in thick
    left, right = ("above", row, column - 1) in thick, ("above", row, column) in thick
    if row in (0, n):
        ends = "┏┯┳┓" if row == 0 else "┗┷┻┛"
        return ends[0 if column == 0 else 3 if column == n else 1 + (up or down)]
    if column in (0, n):
        return ("┠┣" if column == 0 else "┨┫")[left or right]
    return _JOINTS[up + 2 * right + 4 * down + 8 * left]


def in_ascii(text: str) -> str:
    """The picture for terminals and files that are limited to ASCII."""
    others = "".join(character for character in _JOINTS if character not in "┼┿")
    drawn, plain = "━┃─│┏┳┓┣┫┗┻┛┠┨┯┿┷┼·", "=#-|" + "#" * 10 + "===+."
    return text.translate(str.maketrans(drawn + others, plain + "#" * len(others)))


class _Pen:
    """The size of the cells of a picture, and the look of each."""

    def __init__(self, picture: Scene, color: bool) -> None:
        looks = picture.looks()
        n = picture.grid.size
        self._color = color
        self.digit = len(str(n))
        self._columns = mark_columns(n)
        self._large = picture.has_marks
        self.lined = self._large or n < 10 or picture.layout.regions is not None
        if self._large:
            self.width, self.height = self._columns * (self.digit + 1) + 1, -(-n // self._columns)
        else:
            self.width, self.height = max(len(self._line(look)) for look in looks), 1

    def paint(self, text: str, *codes: str) -> str:
        code = ";".join(filter(None, codes))
        return f"\033[{code}m{text}\033[0m" if self._color and code and text else text

    def block(self, look: Look) -> list[str]:
        """The lines of a cell."""
        if self._large and not look.digit:
            return self._marks(look)
        weight = _BOLD if look.given else _FILLED if look.digit else ""
        codes = weight, _CODES.get(look.role or "", "")
        lines = [" " * self.width] * self.height
        line = self._line(look)
        lines[self.height // 2] = (
            f"{line:^{self.width}}" if self._large else f"{line:<{self.width}}"
        )
        return [self.paint(line, *codes) for line in lines]

    def _line(self, look: Look) -> str:
        """The cell in one line: its digit between markers, or before another grid's digit."""
        empty = " " if self.lined else "·"
        left, right = _BRACKETS.get(look.parity, (" ", " "))
        if look.role:
            left = right = _MARKERS[look.role]
        after = ""
        for small, role in look.marks.items():
            after += f"{_MARKERS.get(role or '', ' ')}{small:<{self.digit}}"
        digit = f"{look.digit or empty:>{self.digit}}"
        return f" {digit}{after}" if after else f"{left}{digit}{right}"

    def _marks(self, look: Look) -> list[str]:
        """Every pencil mark in a fixed place, after the marker of its role."""
        lines = []
        left, right = _BRACKETS.get(look.parity, (" ", " "))
        edge = self.paint(_MARKERS.get(look.role or "", right), _CODES.get(look.role or "", ""))
        for start in range(1, self.height * self._columns, self._columns):
            line = ""
            for digit in range(start, start + self._columns):
                role = look.marks.get(digit)
                shown = digit if digit in look.marks else ""
                blank = left if digit == start else " "
                text = f"{_MARKERS.get(role or '', blank)}{shown:>{self.digit}}"
                line += self.paint(text, _CODES.get(role or "", _DIM)) if shown else text
            lines.append(line + edge)
        return lines
