"""All bounds on what the page accepts; ``serve --bound`` sets them."""

from __future__ import annotations

import os

__all__ = ["ANSWERS", "BYTES", "CELLS", "DEPTH", "LIMITS", "MEMORY", "PUZZLES", "RULES", "SIZE"]
__all__ += ["SOLUTIONS", "STEPS"]

LIMITS: dict[str, int] = {}
"""Every bound by its name."""


def _limit(name: str, default: int) -> int:
    # Questions run in processes of their own, which inherit the environment.
    LIMITS[name] = int(os.environ.get(f"PYLOGIC_SUDOKU_LIMIT_{name}") or default)
    return LIMITS[name]


SIZE = _limit("size", 16)
"""Rows of a grid."""
BYTES = _limit("bytes", 2**20)
"""Bytes of a request."""
PUZZLES = _limit("puzzles", 200)
"""Puzzles that are read from one text."""
SOLUTIONS = _limit("solutions", 1000)
"""Solutions in one answer."""
STEPS = _limit("steps", 300)
"""Steps in one answer."""
RULES = _limit("rules", 600)
"""Rules of a puzzle, with those within others: a 16x16 grid has 480 places for a dot."""
CELLS = _limit("cells", 20_000)
"""Cells that these rules name."""
DEPTH = _limit("depth", 10)
"""Rules within each other."""
ANSWERS = _limit("answers", 100)
"""Different answers of a changed program that are compared."""
MEMORY = _limit("memory", 1024)
"""Megabytes that a changed program may use."""
