"""Draw the layers of the code and what they import: `python docs/house.py` draws it anew.

The layers are those of the import contract in pyproject.toml, the arrows and the lines are those
of the modules, the colours are those of the parts that they belong to, and the phrases are those of
inside.md. A test compares the picture with them.
"""

from __future__ import annotations

import re
import sys
import tomllib
from html import escape
from pathlib import Path

import grimp

ROOT = Path(__file__).parents[1]
sys.path.append(str(ROOT / "scripts"))
import parts  # noqa: E402

PACKAGE = ROOT / "pylogic_sudoku"
PICTURE = Path(__file__).parent / "images" / "house.svg"

WIDTH, MARGIN = 420, 12
BOX, GAP, ASIDE = 58, 34, 10
"""The height of a package, and the space below and beside it."""
STRIP = 5
"""The height of the strip at the foot of a package, coloured by the parts of its lines."""

STYLE = """\
text { font-family: system-ui, sans-serif; fill: #222; text-anchor: middle }
.name { font-size: 15px; font-weight: 600 }
.idea { font-size: 12.5px }
.size { font-size: 11px; fill: #555 }
.page { fill: #fff }
.package { fill: #f1f1f1; stroke: #666 }
.core { fill: #2f6fb5 }
.sudoku { fill: #d9822b }
.doors { fill: #8a8a8a }
.arrow { fill: none; stroke: #666; stroke-width: 1.2; marker-end: url(#tip) }
.tip { fill: #666 }
@media (prefers-color-scheme: dark) {
  text { fill: #eee }
  .size { fill: #bbb }
  .page { fill: #1b1b1b }
  .package { fill: #303030; stroke: #999 }
  .arrow { stroke: #999 }
  .tip { fill: #999 }
}"""


def layers() -> list[list[str]]:
    """The packages of each layer, from the top."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    (layers,) = (each["layers"] for each in contracts if each["type"] == "layers")
    return [layer.split(" | ") for layer in layers]


def ideas() -> dict[str, str]:
    """The phrase for each package, at the head of its paragraph in inside.md."""
    text = (Path(__file__).parent / "inside.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\*\*`(\w+)(?:/|\.py)`: (.+?)\.\*\*", text, re.MULTILINE))


def sizes(package: str) -> dict[str, int]:
    """The lines of Python in a package that belong to each part."""
    known = parts.table()
    found = dict.fromkeys(parts.BELOW, 0)
    for file in (*(PACKAGE / package).rglob("*.py"), *PACKAGE.glob(f"{package}.py")):
        name = ".".join(file.relative_to(PACKAGE).with_suffix("").parts)
        part = parts.part_of(name.removesuffix(".__init__"), known)
        found[str(part)] += len(file.read_text(encoding="utf-8").splitlines())
    return found


def imports() -> dict[str, set[str]]:
    """The packages that each package imports; what the values look up does not count."""
    graph = grimp.build_graph("pylogic_sudoku")
    level = {package: number for number, layer in enumerate(layers()) for package in layer}
    found: dict[str, set[str]] = {package: set() for package in level}
    for module in graph.modules:
        for other in graph.find_modules_directly_imported_by(module):
            one, two = ([*name.split("."), ""][1] for name in (module, other))
            if one in level and two in level and level[one] < level[two]:
                found[one].add(two)
    return found


def arrows() -> list[tuple[str, str]]:
    """The imports, without those that follow from others."""
    known = imports()
    further: dict[str, set[str]] = {}
    for layer in reversed(layers()):
        for package in layer:
            below = (known[each] | further[each] for each in known[package])
            further[package] = set().union(*below)
    return [(one, other) for one in known for other in sorted(known[one] - further[one])]


def picture() -> str:
    """The picture, as SVG."""
    rows, phrase = layers(), ideas()
    height = 2 * MARGIN + len(rows) * (BOX + GAP) - GAP
    place: dict[str, tuple[float, float, float]] = {}
    for number, row in enumerate(rows):
        width = (WIDTH - 2 * MARGIN - ASIDE * (len(row) - 1)) / len(row)
        for at, package in enumerate(row):
            place[package] = (MARGIN + at * (width + ASIDE), MARGIN + number * (BOX + GAP), width)
    drawn = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}"'
        f' height="{height}" role="img" aria-labelledby="title">',
        '<title id="title">The layers of the code, from top to bottom</title>',
        f"<style>\n{STYLE}\n</style>",
        '<marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"'
        ' orient="auto"><path class="tip" d="M0 0 8 4 0 8z"/></marker>',
        f'<rect class="page" width="{WIDTH}" height="{height}"/>',
    ]
    drawn += [f'<path class="arrow" d="{line}"/>' for line in lines(place)]
    for package, (x, y, width) in place.items():
        middle = x + width / 2
        lines_of = sizes(package)
        size = sum(lines_of.values())
        drawn.append(
            f'<rect class="package" x="{x:.1f}" y="{y}" width="{width:.1f}" height="{BOX}" rx="5"/>'
        )
        left = x + 1
        for part, number in lines_of.items():
            wide = (width - 2) * number / size
            if number:
                drawn.append(
                    f'<rect class="{part}" x="{left:.1f}" y="{y + BOX - STRIP}"'
                    f' width="{wide:.1f}" height="{STRIP - 1}"/>'
                )
            left += wide
        drawn += [
            f'<text class="name" x="{middle:.1f}" y="{y + 18}">{package}</text>',
            f'<text class="idea" x="{middle:.1f}" y="{y + 34}">{escape(phrase[package])}</text>',
            f'<text class="size" x="{middle:.1f}" y="{y + 49}">{size:,} lines</text>',
        ]
    return "\n".join([*drawn, "</svg>\n"])


def lines(place: dict[str, tuple[float, float, float]]) -> list[str]:
    """The path of each arrow; those that leave or reach a package share its edge evenly."""
    pairs = arrows()

    def middle(package: str) -> float:
        return place[package][0] + place[package][2] / 2

    def spread(package: str, others: list[str]) -> dict[str, float]:
        x, _, width = place[package]
        ordered = sorted(others, key=middle)
        step = width / (len(ordered) + 1)
        return {other: x + step * (at + 1) for at, other in enumerate(ordered)}

    leaves = {package: spread(package, [b for a, b in pairs if a == package]) for package in place}
    comes = {package: spread(package, [a for a, b in pairs if b == package]) for package in place}
    tips = [(other, comes[other][package]) for package, other in pairs]
    found = []
    for package, other in pairs:
        start, end = leaves[package][other], comes[other][package]
        top, bottom = place[package][1] + BOX, place[other][1]
        bend = top + GAP  # a longer arrow passes behind packages, beside the tips that end there
        for crossed, x in tips:
            if bend <= place[crossed][1] < bottom and abs(x - end) < 12:
                end += 16
        found.append(
            f"M{start:.1f} {top}C{start:.1f} {bend - 8} {end:.1f} {top + 4} {end:.1f} {bend - 8}"
            f"V{bottom - 1}"
        )
    return found


if __name__ == "__main__":
    PICTURE.write_text(picture(), encoding="utf-8")
