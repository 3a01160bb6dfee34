"""Killer sudoku: published puzzles, hard ones among them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from pylogic_sudoku import Grid, Puzzle

from ...variants.corpus import Published, killers


def _killers(folder: Path) -> Iterator[Grid | Puzzle]:
    found = [each.puzzle for each in killers(folder / "variants") if isinstance(each, Published)]
    yield from Random(1).sample(found, len(found))


GROUPS = {"9x9": _killers}
