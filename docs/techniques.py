"""Bring docs/techniques.md and its pictures up to date: python docs/techniques.py.

The names, levels and figures come from the package, the texts of the table from the page itself,
the pictures from the positions in docs/techniques.txt.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pylogic_sudoku as pls
from pylogic_sudoku.techniques import TECHNIQUES, Technique, find
from render import for_both

DOCS = Path(__file__).parent
PAGE = DOCS / "techniques.md"
POSITIONS = DOCS / "techniques.txt"
IMAGES = DOCS / "images" / "techniques"
HEAD = """| technique | level | weight | what it is |
|---|---|---|---|
"""


def updated(page: str) -> str:
    """The page with the table as the package has it; a new technique has no text yet."""
    start = page.index(HEAD) + len(HEAD)
    end = page.index("\n\n", start) + 1
    texts = dict(re.findall(r"^\| ([^|]*?) \|.*\| (.*?) \|$", page[start:end], re.M))
    rows = (row(each, texts.get(each.name, "")) for each in TECHNIQUES.values())
    return f"{page[:start]}{''.join(rows)}{page[end:]}"


def row(technique: Technique, text: str) -> str:
    """The line of the table."""
    return f"| {technique.name} | {technique.level} | {technique.weight} | {text} |\n"


def steps() -> Iterator[pls.Step]:
    """The steps that have a picture."""
    for line in POSITIONS.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            technique, cells, removed = (part.strip() for part in line.split("|"))
            texts = cells.split()
            digits = [int(text[1:]) if text.startswith("=") else 0 for text in texts]
            marks = [[] if text.startswith("=") else [*map(int, text)] for text in texts]
            rows = [marks[at : at + 9] for at in range(0, 81, 9)]
            found = find(pls.Grid(tuple(digits), (3, 3)), rows, technique)
            # Of several ways to it, the one that says least.
            yield min(
                (step for step in found if gone(step) == removed),
                key=lambda s: (len(s.text()), s.text()),
            )


def gone(step: pls.Step) -> str:
    """The removals of the step, such as ``r1c2-3 r4c5-3``."""
    return " ".join(f"{each.cell}-{each.digit}" for each in step.removed)


def images() -> dict[Path, str]:
    """Each picture, and its file."""
    drawn = {step.technique.lower().replace(" ", "-"): step.picture().to_svg() for step in steps()}
    return {IMAGES / f"{name}.svg": f"{for_both(svg)}\n" for name, svg in drawn.items()}


def main() -> None:
    PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    IMAGES.mkdir(exist_ok=True)
    for path, image in images().items():
        path.write_text(image, encoding="utf-8")


if __name__ == "__main__":
    main()
