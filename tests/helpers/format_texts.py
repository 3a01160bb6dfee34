"""Grids as text for the tests of all formats, and the messages for invalid text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from helpers.puzzles import FOUR as LINE
from helpers.puzzles import PRINTED
from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS, split

ENCODING = Path(__file__).resolve().parents[2] / "encodings" / "sudoku.lp"

CLASSIC = list(PRINTED)[-1]
FOUR = Grid.parse(LINE)
SIX = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))
SOLUTIONS = ["1234341223414123", "1234341243212143", "1234342143122143"]

# Digits from 0 up have to be named.
EXACT = [name for name in FORMATS if name != "hex"]
"""Formats that preserve every grid and are detected."""


def message(text: str, **options: Any) -> str:
    with pytest.raises(InvalidPuzzle) as caught:
        Grid.parse(text, **options)
    return str(caught.value)


def pieces(text: str, **options: Any) -> list[tuple[int, str]]:
    """The line number of each puzzle of the text, and the puzzle as a line."""
    return [(line, str(Grid.parse(piece))) for line, piece in split(text, **options)]
