"""The page: a small JSON API over the package, and plain HTML and JavaScript that use it.

It needs the extra ``serve`` (FastAPI and uvicorn); only ``pylogic-sudoku serve`` imports it. Here
are all bounds on what the page accepts; the environment variable `VARIABLE` sets others.
"""

from __future__ import annotations

import os
import re

VARIABLE = "PYLOGIC_SUDOKU_BOUNDS"
"""Such as ``size=25 solutions=2``. Questions run in processes of their own, which inherit it."""

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
}


def _bounds(text: str) -> dict[str, int]:
    """Every bound by its name; ValueError for an unknown name, and for anything but a number."""
    found = dict(DEFAULTS)
    for part in text.split():
        name, _, number = part.partition("=")
        if name not in DEFAULTS or not re.fullmatch(r"[1-9]\d{0,8}", number, re.ASCII):
            expected = f"NAME=NUMBER, and a NAME of {', '.join(DEFAULTS)}"
            raise ValueError(f"{VARIABLE} has {part!r}; expected {expected}")
        found[name] = int(number)
    return found


BOUNDS = _bounds(os.environ.get(VARIABLE, ""))
SIZE, BYTES, PUZZLES, SOLUTIONS, STEPS, EVENTS, COUNTED, *_rest = BOUNDS.values()
RULES, CELLS, DEPTH, ANSWERS, MEMORY = _rest
