"""Sudoku: three collections of 9x9, and larger grids."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from pylogic_sudoku import Grid, Puzzle, read_puzzles

from ...race.sets import made_set


def _of_file(name: str, folder: Path) -> Iterator[Grid | Puzzle]:
    """The puzzles of a collection in a random order."""
    found = list(read_puzzles(folder / name))
    yield from Random(name).sample(found, len(found))


def _made(name: str, _folder: Path) -> Iterator[Grid | Puzzle]:
    yield from made_set(name, 60).puzzles


GROUPS = {
    "newspaper": partial(_of_file, "random-10k.txt"),
    "17 clues": partial(_of_file, "17-clue.txt"),
    "hard": partial(_of_file, "hard-375.txt"),
    "16x16": partial(_of_file, "16x16-sample.txt"),
    "25x25": partial(_made, "made-25x25"),
}
