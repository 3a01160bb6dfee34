"""Certificates whose every lemma matters, and a puzzle whose proof is long."""

from __future__ import annotations

import json
from pathlib import Path

from pylogic_sudoku import Certificate, Puzzle

PAIR = Puzzle(
    "." * 16,
    marks={"r2c2": {1, 3, 4}, "r2c3": {3, 4}, "r3c4": {1, 2}, "r4c4": {1, 2}},
)
"""No solution: r3c4 and r4c4 need 1 and 2, and so does what is left of box 2."""

BY_HAND = Certificate(PAIR, (), ((-29,), (-30,), (-13,)), "a person")
"""r2c4 is not 1; r2c4 is not 2; r1c4 is not 1."""

ESCARGOT = "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3.."


def write(certificate: Certificate, path: str | Path) -> None:
    """Write the certificate to a file of JSON."""
    Path(path).write_text(f"{json.dumps(certificate.to_json())}\n", encoding="utf-8")
