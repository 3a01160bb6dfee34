"""Draw the SVG images of the documentation anew: python docs/render.py; a test compares them."""

from __future__ import annotations

from pathlib import Path

import pylogic_sudoku as pls
from pylogic_sudoku.draw import Highlight, Picture
from pylogic_sudoku.draw.pen import DARK, LIGHT
from pylogic_sudoku.draw.scene import ROLE_LOOKS
from pylogic_sudoku.draw.svg import FILLED, LINE, PARITY, RIM, SMALL

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIABOLICAL = "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43.."
IMAGES = Path(__file__).parent / "images"

TEXT = {LINE: "#737b89", FILLED: "#8db4ff", SMALL: "#b4bac6", PARITY: "#3a4150", RIM: "#79808d"}
"""Colours of pictures that neither a role nor a rule has, and what they are on a dark ground."""


def dark_style(svg: str | None = None) -> str:
    """CSS rules that give each colour of the picture, or of any, its dark counterpart.

    Dots stay white or black, since the two mean different things.
    """
    colours = {LIGHT[name]: DARK[name] for name in LIGHT if name not in ("white", "black", "ring")}
    for look in ROLE_LOOKS.values():
        colours |= zip(look.light, look.dark, strict=True)
    rules = {
        f'[{what}="{light}"]': f"{what}: {dark}"
        for light, dark in (colours | TEXT).items()
        for what in ("fill", "stroke")
    }
    dots = {LIGHT["white"]: DARK["white"], LIGHT["black"]: DARK["black"]}
    rules |= {f'path[fill="{light}"][stroke]': f"fill: {dark}" for light, dark in dots.items()}
    used = (each for each in rules if svg is None or each.split("[")[1].strip("]") in svg)
    return "\n".join(f"{each} {{ {rules[each]} }}" for each in used)


def for_both(svg: str) -> str:
    """The picture with a style sheet for readers who prefer dark pages."""
    style = f"<style>@media (prefers-color-scheme: dark) {{\n{dark_style(svg)}\n}}</style>"
    return svg.replace("<title>", f"{style}\n<title>", 1)


def knows(puzzle: pls.Grid) -> Picture:
    """The candidates of the main programs before any guess, and removals by a stronger one."""
    left, fewer = (pls.propagate(puzzle, name) for name in ("prolog", "prolog:classic"))
    assert left
    assert fewer
    cells = [(x, y, left[x - 1][y - 1]) for x, y in puzzle.cells]
    known = puzzle.with_(*((x, y, min(digits)) for x, y, digits in cells if len(digits) == 1))
    gone = tuple((x, y, n) for x, y, digits in cells for n in sorted(digits - fewer[x - 1][y - 1]))
    pair = ((6, 9, 2), (6, 9, 5), (7, 9, 2), (7, 9, 5))
    highlights = (
        Highlight("2 and 5 must be here, in one order or the other", "reason", (), pair),
        Highlight("so all_distinct/1 removes these", "removed", (), gone),
    )
    return Picture(known, puzzle, left, highlights, "What is left before any guess")


def images() -> dict[Path, str]:
    """The images of the documentation, except those of techniques and of the page."""
    puzzle = pls.Grid.parse(EXAMPLE)
    seven = pls.Grid.parse("7.2.6.......1....7...3........6......1..4..5.....", box=(1, 7))
    jigsaw = pls.hint(pls.Puzzle(seven, "aaccccb aaacbbb faccddb faeeddb ffeeddb ffeggdg feegggg"))
    assert jigsaw
    rules = pls.Puzzle.parse((IMAGES / "rules.json").read_text(encoding="utf-8"))
    drawn = {
        "example": Picture(pls.solve(puzzle) or puzzle, puzzle),
        "why": pls.why(puzzle, "r5c5", detail="house").picture(),
        "jigsaw": jigsaw.picture(),
        "knows": knows(pls.Grid.parse(DIABOLICAL)),
        "rules": Picture(rules.grid, rules),
    }
    return {IMAGES / f"{name}.svg": f"{for_both(each.to_svg())}\n" for name, each in drawn.items()}


if __name__ == "__main__":
    for path, image in images().items():
        path.write_text(image, encoding="utf-8")
