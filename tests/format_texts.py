"""Grids as text that the tests of all formats read, and what is said of bad text."""

from __future__ import annotations

from pathlib import Path

import pytest
from puzzles import PRINTED

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import split

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

CLASSIC = list(PRINTED)[-1]
LINE = "1..4.....3......"
FOUR = Grid.parse(LINE)
SIX = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))
SOLUTIONS = ["1234341223414123", "1234341243212143", "1234342143122143"]


def message(text: str, **options: object) -> str:
    with pytest.raises(InvalidPuzzle) as caught:
        Grid.parse(text, **options)
    return str(caught.value)


def pieces(text: str, **options: object) -> list[tuple[int, str]]:
    """Where each puzzle of the text stands, and the puzzle as a line."""
    return [(line, str(Grid.parse(piece))) for line, piece in split(text, **options)]
