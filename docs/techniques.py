"""Bring docs/techniques.md up to date: python docs/techniques.py.

The names, levels and figures come from the package, the texts of the table from the page itself.
"""

from __future__ import annotations

import re
from pathlib import Path

from pylogic_sudoku.techniques import TECHNIQUES, Technique

PAGE = Path(__file__).parent / "techniques.md"
HEAD = """| technique | level | score | SE | what it is |
|---|---|---|---|---|
"""
ONE_SOLUTION = "¹"


def updated(page: str) -> str:
    """The page with the table as the package has it; a new technique has no text yet."""
    start = page.index(HEAD) + len(HEAD)
    end = page.index("\n\n", start) + 1
    texts = dict(
        re.findall(rf"^\| ([^|]*?){ONE_SOLUTION}? \|.*\| (.*?) \|$", page[start:end], re.M)
    )
    rows = (row(each, texts.get(each.name, "")) for each in TECHNIQUES.values())
    return f"{page[:start]}{''.join(rows)}{page[end:]}"


def row(technique: Technique, text: str) -> str:
    """The line of the table."""
    mark = ONE_SOLUTION if technique.assumes_unique else ""
    name, level, weight, se = technique.name, technique.level, technique.weight, technique.se
    return f"| {name}{mark} | {level} | {weight} | {se} | {text} |\n"


if __name__ == "__main__":
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
