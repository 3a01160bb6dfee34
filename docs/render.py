"""Draw every kind of picture into a folder, for inspection: python docs/render.py FOLDER.

Needs the extras draw and dev, and Graphviz. `python docs/render.py` alone draws the SVG images of
the documentation anew; a test compares them.
"""

from __future__ import annotations

import subprocess
import sys
from io import StringIO
from pathlib import Path
from random import Random

from rich.console import Console
from rich.text import Text

import pylogic_sudoku as pls
from pylogic_sudoku.draw import Highlight, Picture, difference, pencil_marks
from pylogic_sudoku.draw.pen import DARK, LIGHT
from pylogic_sudoku.draw.picture import ROLE_LOOKS
from pylogic_sudoku.draw.svg import FILLED, LINE, PARITY, RIM, SMALL
from pylogic_sudoku.files import resource
from pylogic_sudoku.rules import KINDS

EXAMPLE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
DIABOLICAL = "2...9...13.9..7.....1.4..7..6............3.....86..79.6..7..8..123..8....87..43.."
IMAGES = Path(__file__).parent / "images"
REGIONS = "AAAAAABBBCCCDEAABBCCDDEAFBBCCDEEFFGBHCDDEFFGBHCDDEEFGGHHDIEFFGGHHIIEFGGGHHHIIIIII"

TEXT = {LINE: "#737b89", FILLED: "#8db4ff", SMALL: "#b4bac6", PARITY: "#3a4150", RIM: "#79808d"}
"""Colours of pictures that neither a role nor a rule has, and what they are on a dark ground."""


def dark_style(svg: str) -> str:
    """CSS rules that give each colour of the picture its dark counterpart.

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
    used = (each for each in rules if each.split("[")[1].strip("]") in svg)
    return "\n".join(f"{each} {{ {rules[each]} }}" for each in used)


def for_both(svg: str) -> str:
    """The picture with a style sheet for readers who prefer dark pages."""
    style = f"<style>@media (prefers-color-scheme: dark) {{\n{dark_style(svg)}\n}}</style>"
    return svg.replace("<title>", f"{style}\n<title>", 1)


def shuffled(box: tuple[int, int]) -> tuple[pls.Grid, pls.Grid]:
    """A puzzle of this shape and its solution."""
    rows, columns = box
    n = rows * columns
    random = Random(n)
    digits = random.sample(range(1, n + 1), n)
    order = [
        rows * band + row for band in range(columns) for row in random.sample(range(rows), rows)
    ]
    solution = pls.Grid.from_rows(
        [
            [digits[(row % rows * columns + row // rows + at) % n] for at in range(n)]
            for row in order
        ],
        box,
    )
    return pls.Grid(
        tuple(d if random.random() < 0.4 else 0 for d in solution.digits), box
    ), solution


def explanation(puzzle: pls.Grid) -> Picture:
    """A step: the row or the column of r5c5 has every digit except 5."""
    houses = {str(house): house.cells for house in puzzle.houses}
    cross = {*houses["row 5"], *houses["column 5"]}
    others = {*cross, *houses["box 5"]} - {(5, 5)}
    marks = pencil_marks(puzzle)
    removed = tuple((x, y, 5) for x, y in sorted(others) if 5 in marks[x - 1][y - 1])
    highlights = (
        Highlight("nothing but 5 is left for r5c5", "target", ((5, 5),), ((5, 5, 5),)),
        Highlight("the other digits are here", "reason", tuple(c for c in cross if puzzle[c])),
        Highlight("row 5", "house", houses["row 5"]),
        Highlight("column 5", "house", houses["column 5"]),
        Highlight("so no other cell that r5c5 sees can be 5", "removed", (), removed),
    )
    return Picture(puzzle, None, marks, highlights, "Why does r5c5 hold 5?")


def every_role(puzzle: pls.Grid, solution: pls.Grid) -> Picture:
    houses = {str(house): house.cells for house in puzzle.houses}
    highlights = (
        Highlight("the cell asked about", "target", ((3, 3),)),
        Highlight("what it follows from", "reason", ((3, 5), (3, 8), (5, 1))),
        Highlight("row 3", "house", houses["row 3"]),
        Highlight("column 1", "house", houses["column 1"]),
        Highlight("given too many", "removed", ((1, 1), (1, 9))),
        Highlight("a digit twice", "conflict", ((7, 7), (7, 8))),
        Highlight("small: another grid", "difference", ((8, 9),), ((8, 9, 3),)),
    )
    return Picture(solution, puzzle, None, highlights, "Every role has a shape of its own")


def knows(puzzle: pls.Grid) -> Picture:
    """What the main programs leave before any guess, and what of that a stronger one removes."""
    left, fewer = (pls.propagate(puzzle, name) for name in ("prolog", "prolog:classic"))
    assert left
    assert fewer
    cells = [(x, y, left[x - 1][y - 1]) for x, y in puzzle.cells]
    known = puzzle.with_(*((x, y, *digits) for x, y, digits in cells if len(digits) == 1))
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


def pictures() -> dict[str, Picture]:
    puzzle = pls.Grid.parse(EXAMPLE)
    solution = pls.solve(puzzle)
    assert solution
    other = pls.Grid(
        (*solution.digits[:2], 6, 4, *solution.digits[4:40], 0, *solution.digits[41:]), (3, 3)
    )
    found = {
        "puzzle": Picture(puzzle),
        "solved": Picture(solution, puzzle),
        "candidates": Picture(puzzle, candidates=pencil_marks(puzzle)),
        "explanation": explanation(puzzle),
        "roles": every_role(puzzle, solution),
        "difference": Picture(solution, puzzle, None, (difference(solution, other),)),
    }
    odd_even = {"r1c3": "odd", "r4c4": "odd", "r1c4": "even", "r9c1": "even", "r7c1": {3, 9}}
    jigsaw = pls.Puzzle(puzzle, REGIONS, odd_even, title="A jigsaw with odd and even cells")
    region = Highlight("region 3", "house", jigsaw.houses[20].cells)
    found["jigsaw"] = Picture(puzzle, jigsaw, title=jigsaw.title)
    found["jigsaw-candidates"] = Picture(puzzle, jigsaw, pencil_marks(jigsaw), (region,))
    for box in ((2, 2), (2, 3), (4, 4), (5, 5)):
        few, full = shuffled(box)
        found[f"{few.size}x{few.size}"] = Picture(full, few, title=f"{box[0]}x{box[1]} boxes")
        found[f"{few.size}x{few.size}-candidates"] = Picture(few, candidates=pencil_marks(few))
        found[f"{few.size}x{few.size}-difference"] = Picture(
            few, highlights=(difference(few, full, "small: the solution"),)
        )
    return found


def every_rule() -> dict[str, Picture]:
    """The example of each kind of rule, on an empty grid and on one that obeys it."""
    found = {}
    for kind, made in KINDS.items():
        fields, good, _ = made.example
        full = pls.Grid.parse(good.replace(" ", ""))
        empty = pls.Grid((0,) * len(full.digits), full.box)
        puzzle = pls.Puzzle(empty, rules=[made(**fields)])
        found[f"rule-{kind}"] = Picture(full, puzzle, title=made.title)
        found[f"rule-{kind}-candidates"] = Picture(empty, puzzle, pencil_marks(puzzle))
    return found


def terminal(picture: Picture, name: str) -> str:
    """The picture in a terminal, as SVG."""
    width = max(map(len, picture.to_text().splitlines()))
    console = Console(record=True, width=width, file=StringIO())
    console.print(Text.from_ansi(picture.to_text(color=True)))
    return console.export_svg(title=name)


def by_clingraph(puzzle: pls.Grid, folder: Path) -> None:
    given = puzzle.format("facts").encode()
    programs = [str(resource(f"encodings/{name}.lp")) for name in ("sudoku", "visualise")]
    clingo = [sys.executable, "-m", "clingo", *programs, "-", "--outf=2"]
    answers = subprocess.run(clingo, input=given, capture_output=True, check=False).stdout
    for form in ("svg", "png"):
        clingraph = ["clingraph", "--out=render", f"--format={form}", f"--dir={folder}"]
        subprocess.run(clingraph, input=answers, check=True)


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for name, picture in (pictures() | every_rule()).items():
        for suffix in (".svg", ".png", ".txt"):
            picture.save(folder / f"{name}{suffix}")
        (folder / f"{name}-terminal.svg").write_text(terminal(picture, name), encoding="utf-8")
    by_clingraph(pls.Grid.parse(EXAMPLE), folder / "clingraph")


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]))
    else:
        for path, image in images().items():
            path.write_text(image, encoding="utf-8")
