"""The page: a small JSON API over the package, and plain HTML and JavaScript that use it.

It needs the extra ``serve`` (FastAPI and uvicorn); only ``pylogic-sudoku serve`` imports it. Here
are all bounds on what the page accepts; ``serve --bound`` sets them.
"""

from __future__ import annotations

import os
from typing import Any

DEFAULTS = {
    "size": 16,  # rows of a grid
    "bytes": 2**20,  # of a request
    "puzzles": 200,  # that are read from one text
    "solutions": 1000,  # in one answer
    "steps": 300,  # in one answer
    "events": 2000,  # of a search, in one answer
    "counted": 20_000,  # events of a search that are counted
    # Of a puzzle, with those within others: a 16x16 grid has 480 places for a dot.
    "rules": 600,
    "cells": 20_000,  # that these rules name
    "depth": 10,  # of rules within each other
    "answers": 100,  # of a changed program that are compared, if they differ
    "memory": 1024,  # megabytes that a changed program may use
    "question": 4096,  # megabytes that the process of a question may use
}
# Questions run in processes of their own, which inherit the environment.
BOUNDS = {
    name: int(os.environ.get(f"PYLOGIC_SUDOKU_BOUND_{name}") or default)
    for name, default in DEFAULTS.items()
}
"""Every bound by its name."""
SIZE, BYTES, PUZZLES, SOLUTIONS, STEPS, EVENTS, COUNTED, *_rest = BOUNDS.values()
RULES, CELLS, DEPTH, ANSWERS, MEMORY, QUESTION = _rest
SANDBOX: Any = os.environ.get("PYLOGIC_SUDOKU_SANDBOX", "auto")
"""The sandbox of changed programs, as the grader has it."""
