"""Positions of our own for each technique, in ``tests/positions/``.

A line is ``technique | cells | what follows | text``: for each cell, row by row, its candidates, or
``=`` and the digit that it holds; what follows as ``r1c2-5`` for a candidate that goes, or
``r1c2=5`` for a digit that is placed; and what the step says. A line may end with ``| rules``: the
puzzle in JSON, if it has rules. Lines that begin with ``#`` are comments.

In each position the technique is the simplest step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from pylogic_sudoku import Candidates, Grid, Placement, Puzzle
from pylogic_sudoku.puzzle.cells import candidate_rows

FOLDER = Path(__file__).parent.parent / "positions"


class Labelled(NamedTuple):
    """A position, and the step that is expected there."""

    technique: str
    grid: Grid | Puzzle
    """The digits so far; with the rules, if the puzzle has any."""
    candidates: Candidates
    placed: Placement | None
    removed: frozenset[Placement]
    text: str

    def __str__(self) -> str:
        return self.technique


def positions() -> Iterator[Labelled]:
    for path in sorted(FOLDER.glob("*.txt")):
        yield from positions_in(path)


def positions_in(path: Path) -> Iterator[Labelled]:
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            yield labelled(line)


def labelled(line: str) -> Labelled:
    technique, cells, follows, text, *more = (part.strip() for part in line.split("|", 4))
    texts = cells.split()
    digits = [int(text[1:]) if text.startswith("=") else 0 for text in texts]
    size = round(len(texts) ** 0.5)
    marks = [() if text.startswith("=") else map(int, text) for text in texts]
    placed, removed = None, set()
    for row, column, sign, digit in re.findall(r"r(\d+)c(\d+)([-=])(\d+)", follows):
        placement = Placement(int(row), int(column), int(digit))
        if sign == "=":
            placed = placement
        else:
            removed.add(placement)
    grid = Grid(tuple(digits), (3, 3))
    board = Puzzle(grid, rules=Puzzle.parse(more[0], "json").rules) if more else grid
    rows = candidate_rows([*marks], size)
    return Labelled(technique, board, rows, placed, frozenset(removed), text)
