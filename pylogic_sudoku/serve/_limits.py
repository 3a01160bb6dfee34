"""How much one request may ask for."""

from __future__ import annotations

__all__ = [
    "BODY",
    "PUZZLES",
    "QUICK",
    "QUICK_WAIT",
    "SECONDS",
    "SIZE",
    "SOLUTIONS",
    "STEPS",
    "WAITING",
]

SIZE = 16
"""Rows of a grid."""
BODY = 2**20
"""Bytes of a request."""
PUZZLES = 200
"""Puzzles read from one text."""
SOLUTIONS = 1000
"""Solutions sent in one answer."""
STEPS = 300
"""Steps sent in one answer."""
SECONDS = 10.0
"""What an engine has for a question, unless the server is told otherwise."""
QUICK = 0.1
"""Seconds of a processor after which a question is a slow one, and waits for its turn."""
QUICK_WAIT = 0.5
"""The same on the clock: more, as a quick question takes longer while the machine is busy."""
WAITING = 500
"""Requests that may wait for an engine; more are sent away."""
