"""Jigsaw sudoku: published layouts, and givens that leave one solution."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

from pylogic_sudoku import Grid, Puzzle, generate

from ...variants.corpus import jigsaws


def _jigsaws(folder: Path) -> Iterator[Grid | Puzzle]:
    layouts = [puzzle.regions for _, exists, puzzle in jigsaws(folder / "variants") if exists]
    for seed, regions in enumerate(Random(1).sample(layouts, len(layouts))):
        yield from generate(1, minimal=True, seed=seed, regions=regions)


GROUPS = {"9x9": _jigsaws}
