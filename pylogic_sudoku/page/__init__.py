"""The page: a small JSON API over the package, and plain HTML and JavaScript that use it.

It needs the extra ``serve`` (FastAPI and uvicorn); only ``pylogic-sudoku serve`` imports it. Here
are all bounds on what the page accepts; ``serve --bound`` sets them.
"""

from __future__ import annotations

import os

BOUNDS: dict[str, int] = {}
"""Every bound by its name."""


def _bound(name: str, default: int) -> int:
    # Questions run in processes of their own, which inherit the environment.
    BOUNDS[name] = int(os.environ.get(f"PYLOGIC_SUDOKU_BOUND_{name}") or default)
    return BOUNDS[name]


SIZE = _bound("size", 16)
"""Rows of a grid."""
BYTES = _bound("bytes", 2**20)
"""Bytes of a request."""
PUZZLES = _bound("puzzles", 200)
"""Puzzles that are read from one text."""
SOLUTIONS = _bound("solutions", 1000)
"""Solutions in one answer."""
STEPS = _bound("steps", 300)
"""Steps in one answer."""
EVENTS = _bound("events", 2000)
"""Events of a search in one answer."""
COUNTED = _bound("counted", 20_000)
"""Events of a search that are counted."""
RULES = _bound("rules", 600)
"""Rules of a puzzle, with those within others: a 16x16 grid has 480 places for a dot."""
CELLS = _bound("cells", 20_000)
"""Cells that these rules name."""
DEPTH = _bound("depth", 10)
"""Rules within each other."""
ANSWERS = _bound("answers", 100)
"""Different answers of a changed program that are compared."""
MEMORY = _bound("memory", 1024)
"""Megabytes that a changed program may use."""
