"""Pictures in a terminal: box-drawing characters, and colour on demand.

A marker beside a digit tells its role without colour; the legend names them. Up to 9x9 every cell
has its frame; larger grids without pencil marks show the boxes alone, or few terminals were wide
enough.
"""

from __future__ import annotations

from ._picture import Look, Picture, mark_columns, one_line

__all__ = ["MARKERS", "draw", "in_ascii"]

MARKERS = {
    "target": "*",
    "conflict": "!",
    "removed": "x",
    "difference": "~",
    "reason": "+",
    "house": ":",
}
# What stands between ESC [ and m. Grounds are of the 8 colours that the terminal's user may choose;
# 38;5;16 is a black that stays black in bold.
_CODES = {
    "target": "38;5;16;43",
    "conflict": "97;41",
    "removed": "31",
    "difference": "97;45",
    "reason": "38;5;16;46",
    "house": "34",
}
_BOLD, _FILLED, _DIM = "1", "36", "2"


def draw(picture: Picture, color: bool) -> str:
    """The lines of the picture; see `Picture.to_text`."""
    pen = _Pen(picture, color)
    n = picture.grid.size
    box_rows, box_columns = picture.grid.box
    blocks = [pen.block(look) for look in picture.looks()]
    named = bool(picture.highlights)  # legends and explanations speak of r3c2
    blank = " " * (pen.digit + 1) if named else ""

    def across(parts: list[str], heavy: str, light: str, ends: str) -> str:
        stacks = [light.join(parts[at : at + box_columns]) for at in range(0, n, box_columns)]
        return ends[0] + heavy.join(stacks) + ends[1]

    def rule(fill: str, heavy: str, light: str, ends: str) -> str:
        return blank + across([fill * pen.width] * n, heavy, light if pen.lined else "", ends)

    lines = [pen.paint(one_line(picture.title), _BOLD)] if picture.title else []
    if named:
        numbers = [f"{column:^{pen.width}}" for column in range(1, n + 1)]
        header = blank + across(numbers, " ", " " if pen.lined else "", "  ")
        lines.append(pen.paint(header.rstrip(), _DIM))
    lines.append(rule("━", "┳", "┯", "┏┓"))
    for row in range(n):
        if row and row % box_rows == 0:
            lines.append(rule("━", "╋", "┿", "┣┫"))
        elif row and pen.lined:
            lines.append(rule("─", "╂", "┼", "┠┨"))
        for line in range(pen.height):
            name = f"{row + 1:>{pen.digit}} " if named and line == pen.height // 2 else blank
            parts = [block[line] for block in blocks[row * n : (row + 1) * n]]
            cells = across(parts, "┃", "│" if pen.lined else "", "┃┃")
            lines.append(pen.paint(name, _DIM) + cells)
    lines.append(rule("━", "┻", "┷", "┗┛"))
    for highlight in picture.highlights:
        if highlight.label:
            marker = pen.paint(f" {MARKERS[highlight.role]} ", _CODES[highlight.role])
            lines.append(f"{blank}{marker} {one_line(highlight.label)}")
    return "\n".join(lines)


def in_ascii(text: str) -> str:
    """The picture for terminals and files that know no other characters."""
    return text.translate(
        str.maketrans("━┃─│┏┳┓┣╋┫┗┻┛┯┿┷┠┼╂┨·", "=#-|" + "#" * 9 + "=" * 3 + "#+#" + "#.")
    )


class _Pen:
    """How wide and high the cells of a picture are, and what each looks like."""

    def __init__(self, picture: Picture, color: bool) -> None:
        looks = picture.looks()
        n = picture.grid.size
        self._color = color
        self.digit = len(str(n))
        self._columns = mark_columns(n)
        self._large = picture.has_marks
        self.lined = self._large or n < 10
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
        marker, after = MARKERS.get(look.role or "", " "), ""
        for small, role in look.marks.items():
            after += f"{MARKERS.get(role or '', ' ')}{small:<{self.digit}}"
        digit = f"{look.digit or empty:>{self.digit}}"
        return f" {digit}{after}" if after else f"{marker}{digit}{marker}"

    def _marks(self, look: Look) -> list[str]:
        """Every pencil mark in its own place, after the marker of its role."""
        lines = []
        edge = self.paint(MARKERS.get(look.role or "", " "), _CODES.get(look.role or "", ""))
        for start in range(1, self.height * self._columns, self._columns):
            line = ""
            for digit in range(start, start + self._columns):
                role = look.marks.get(digit)
                shown = digit if digit in look.marks else ""
                text = f"{MARKERS.get(role or '', ' ')}{shown:>{self.digit}}"
                line += self.paint(text, _CODES.get(role or "", _DIM)) if shown else text
            lines.append(line + edge)
        return lines
