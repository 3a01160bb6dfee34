"""Pictures as SVG with what a person adds to a board: marks in cells, and coloured cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from ..grid import Cell
from ._looks import frame
from ._picture import Picture
from ._svg import SMALL, Place, Sheet, texts

__all__ = ["COLOURS", "Notes", "draw"]

COLOURS = {
    "yellow": "#ffec85",
    "orange": "#ffd9ad",
    "red": "#ffd3cf",
    "pink": "#ffd0ee",
    "purple": "#e4d5ff",
    "blue": "#c9e2ff",
    "teal": "#b4efe8",
    "green": "#cbf0b0",
    "grey": "#dbdfe6",
}
"""What cells can be coloured with. marks.css has the same, and darker ones for dark pages."""

_CORNERS = ((0, 0), (2, 0), (0, 2), (2, 2), (1, 0), (1, 2), (0, 1), (2, 1))
"""The places of corner marks in a cell, in thirds of its side, in the order in which they fill."""


class Notes(NamedTuple):
    """What a person has added to cells."""

    corner: Mapping[Cell, Sequence[int]]
    centre: Mapping[Cell, Sequence[int]]
    colours: Mapping[Cell, int]
    """Numbers from 1, in the order of `COLOURS`."""


def draw(picture: Picture, notes: Notes) -> str:
    """The SVG element of the picture with these notes; marks stand in empty cells only."""
    return "\n".join(filter(None, _NotedSheet(picture, notes).parts()))


class _NotedSheet(Sheet):
    """A sheet on which cells have colours and marks."""

    def __init__(self, picture: Picture, notes: Notes) -> None:
        self._notes = notes
        super().__init__(picture, roomy=bool(notes.corner or notes.centre))

    def _grounds(self) -> Iterator[str]:
        """The colours of cells are behind everything else."""
        hues = list(COLOURS.values())
        for number, hue in enumerate(hues, 1):
            cells = [cell for cell, colour in self._notes.colours.items() if colour == number]
            if cells:
                squares = "".join(frame(self._square(cell.offset(self._n))) for cell in cells)
                yield f'<path fill="{hue}" d="{squares}"/>'
        yield from super()._grounds()

    def _digits(self) -> Iterator[str]:
        yield from super()._digits()
        small = f'fill="{SMALL}"'
        yield texts(list(self._corners()), 11, small)
        for (x, y, text), largest in self._lines_of_marks():
            size = min(largest, 1.6 * (self._side - 4) / len(str(text)))
            yield texts([(x, y, text)], size, small)

    def _corners(self) -> Iterator[Place]:
        """Corner marks that have a place of their own."""
        for cell, digits in self._notes.corner.items():
            if self._is_free(cell) and not _is_long(digits):
                x, y, side = self._square(cell.offset(self._n))
                for (right, down), digit in zip(_CORNERS, digits, strict=False):
                    yield x + (right - 1) * side / 3, y + (down - 1) * side / 3, digit

    def _lines_of_marks(self) -> Iterator[tuple[Place, float]]:
        """Marks that share a line, and the largest size of their text."""
        for cell, digits in self._notes.centre.items():
            if self._is_free(cell):
                x, y, _ = self._square(cell.offset(self._n))
                yield (x, y, _joined(digits)), 15
        for cell, digits in self._notes.corner.items():
            if self._is_free(cell) and _is_long(digits):
                x, y, side = self._square(cell.offset(self._n))
                yield (x, y - side / 3, _joined(digits)), 11

    def _is_free(self, cell: Cell) -> bool:
        look = self._looks[cell.offset(self._n)]
        return not look.digit and not look.marks


def _is_long(digits: Sequence[int]) -> bool:
    """True if corner marks have no room in the corners."""
    return len(digits) > len(_CORNERS) or any(digit > 9 for digit in digits)


def _joined(digits: Sequence[int]) -> str:
    return ("" if max(digits) < 10 else " ").join(map(str, digits))
