"""A sheet to print: several pictures on a page."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import TYPE_CHECKING

from .saving import Drawn, save_drawn
from .svg import document, draw, figure

if TYPE_CHECKING:
    from os import PathLike

    from . import Picture

_WIDTH, _HEIGHT = 595, 842
"""A4 in points; an inch has 72."""
_MARGIN, _GAP, _NUMBER = 36, 14, 16
"""Around the sheet, between pictures, and the height of the number above each."""

_PRINTED = """
@page { size: A4; margin: 12mm }
.sheet { display: grid; gap: 1rem 2rem }
.sheet { grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)) }
.sheet figure { break-inside: avoid }
.sheet svg { width: 100% }
@media print {
  .sheet { grid-template-columns: 1fr 1fr }
  .sheet svg { max-height: 76mm }
}"""


class Sheet(Drawn):
    """Pictures with numbers above them, to be printed on A4.

    As SVG, PNG or PDF all are on one page, as large as they fit. As HTML they are in two columns
    when printed, on as many pages as that takes.

    Raises:
        ValueError: If there is no picture.
    """

    def __init__(self, pictures: Sequence[Picture]) -> None:
        if not pictures:
            raise ValueError("a sheet needs a picture")
        self.pictures = tuple(pictures)

    def to_svg(self) -> str:
        """An SVG image of the size of A4."""
        number = len(self.pictures)
        columns = max(range(1, number + 1), key=lambda columns: min(_room(number, columns)))
        width, height = _room(number, columns)
        parts = []
        for at, picture in enumerate(self.pictures):
            x = _MARGIN + at % columns * (width + _GAP)
            y = _MARGIN + at // columns * (height + _NUMBER + _GAP)
            place = (
                f'x="{x:.1f}" y="{y + _NUMBER:.1f}" width="{width:.1f}" height="{height:.1f}"'
                ' preserveAspectRatio="xMinYMin"'
            )
            parts.append(f'<text x="{x:.1f}" y="{y + 11:.1f}">{at + 1}</text>')
            parts.append(draw(picture, place))
        body = "\n".join(parts)
        return f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" \
width="210mm" height="297mm" font-family="Helvetica,Arial,sans-serif" font-size="11">
<rect width="{_WIDTH}" height="{_HEIGHT}" fill="#ffffff"/>
{body}
</svg>"""

    def to_html(self) -> str:
        """A whole page, to be printed on as many sheets as needed."""
        figures = [figure(str(at), each) for at, each in enumerate(self.pictures, 1)]
        body = "\n".join(['<div class="sheet">', *figures, "</div>"])
        return document(f"{len(self.pictures)} puzzles", body, _PRINTED)

    def to_text(self) -> str:
        """The pictures as text, one below the other."""
        return "\n\n".join(f"{at}\n{each.to_text()}" for at, each in enumerate(self.pictures, 1))

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


def _room(number: int, columns: int) -> tuple[float, float]:
    """The width and height of each picture, for this number of columns."""
    rows = ceil(number / columns)
    width = (_WIDTH - 2 * _MARGIN - (columns - 1) * _GAP) / columns
    height = (_HEIGHT - 2 * _MARGIN - (rows - 1) * _GAP) / rows - _NUMBER
    return width, height
