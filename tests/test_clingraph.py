"""`encodings/visualise.lp` by the real clingo, clingraph and Graphviz, piped as documented."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers.documents import blocks
from helpers.gallery import Encoding
from helpers.jigsaws import jigsaw
from helpers.oracle import dig, full_grid
from helpers.programs import needed, resource
from helpers.puzzles import PRINTED

from pylogic_sudoku import Grid, Puzzle

EXAMPLE, ANSWER = map(Grid.parse, list(PRINTED.items())[-1])
SVG = "{http://www.w3.org/2000/svg}"
CELL = 36  # points
PAGE = Path(__file__).parent.parent / "docs" / "pictures.md"


@pytest.fixture(scope="module")
def clingraph() -> str:
    """The command, where Graphviz is there too."""
    found = shutil.which("clingraph", path=str(Path(sys.executable).parent))
    assert found, "clingraph is missing: make setup"
    needed("dot")
    return found


def images(
    clingraph: str, folder: Path, puzzle: Grid | Puzzle, encoding: str, models: int = 1
) -> list[ElementTree.Element]:
    """What the two commands draw, each answer set in its picture."""
    (folder / "given.lp").write_text(Encoding(encoding).givens(puzzle))
    rows, columns = puzzle.box
    programs = [resource(f"encodings/{name}.lp") for name in (encoding, "visualise")]
    shape = ["-c", f"box_rows={rows}", "-c", f"box_columns={columns}"]
    answers = subprocess.run(
        [sys.executable, "-m", "clingo", *shape, *programs, "given.lp", "--outf=2", f"-n{models}"],
        cwd=folder,
        capture_output=True,
        check=False,
    )
    assert answers.stderr == b""
    subprocess.run(
        [clingraph, "--out=render", "--format=svg"], cwd=folder, input=answers.stdout, check=True
    )
    files = sorted(folder.glob("out/*/sudoku.svg"))
    return [ElementTree.parse(file).getroot() for file in files]


def nodes(
    root: ElementTree.Element,
) -> dict[str, tuple[tuple[float, ...], str, ElementTree.Element]]:
    """By name: left, top, width and height in cells, the width of the line, and the text."""
    found = {}
    for group in root.iter(SVG + "g"):
        if group.get("class") == "node":
            polygon = group.find(SVG + "polygon")
            points = [
                tuple(map(float, point.split(","))) for point in polygon.get("points").split()
            ]
            xs, ys = zip(*points, strict=True)
            sides = (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
            found[group.find(SVG + "title").text] = (
                tuple(round(side / CELL, 3) for side in sides),
                polygon.get("stroke-width"),
                group.find(SVG + "text"),
            )
    left = min(sides[0] for sides, _, _ in found.values())
    top = min(sides[1] for sides, _, _ in found.values())
    return {
        name: ((round(x - left, 3), round(y - top, 3), *size), line, text)
        for name, ((x, y, *size), line, text) in found.items()
    }


def check(root: ElementTree.Element, puzzle: Grid) -> Grid:
    """The solution that is drawn, when all of the drawing is right."""
    drawn = nodes(root)
    n, (rows, columns) = puzzle.size, puzzle.box
    cells = [[drawn.pop(f"cell({x},{y})") for y in range(1, n + 1)] for x in range(1, n + 1)]
    solution = Grid.from_rows([[int(text.text) for *_, text in row] for row in cells], puzzle.box)
    for x, row in enumerate(cells):
        for y, (sides, line, text) in enumerate(row):
            assert (sides, line) == ((y, x, 1, 1), "0.5")
            given = puzzle.rows[x][y] != 0
            assert text.get("font-weight") == ("bold" if given else None)
            assert text.get("fill") == (None if given else "#1a4fc4")
    assert {name: (sides, line) for name, (sides, line, _) in drawn.items()} == {
        f"box({x},{y})": ((y - 1, x - 1, columns, rows), "3")
        for x in range(1, n + 1, rows)
        for y in range(1, n + 1, columns)
    }
    return solution


@pytest.mark.slow
def test_the_documented_command_draws_the_example(clingraph, tmp_path):
    *_, block = blocks(PAGE, "console")
    command = "set -e\n" + re.sub("^\\$ ", "", block, flags=re.MULTILINE)
    (tmp_path / "encodings").symlink_to(resource("encodings"))
    folders = (Path(clingraph).parent, Path(sys.executable).parent)
    path = os.pathsep.join([*map(str, folders), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    subprocess.run(["bash", "-c", command], cwd=tmp_path, env=environment, check=True)
    assert check(ElementTree.parse(tmp_path / "mine/0/sudoku.svg").getroot(), EXAMPLE) == ANSWER


@pytest.mark.slow
def test_boxes_of_another_shape_and_every_solution(clingraph, tmp_path):
    puzzle = dig(full_grid((2, 3), 1), 12, 1)
    found = images(clingraph, tmp_path, puzzle, "cardinality", models=3)
    solutions = {check(image, puzzle) for image in found}
    assert len(solutions) == 3
    assert all(solution.is_solution_of(puzzle) for solution in solutions)


def test_thick_lines_are_between_regions(clingraph, tmp_path):
    puzzle = jigsaw(4, 2, 1)
    (image,) = images(clingraph, tmp_path, puzzle, "sudoku")
    region = {cell: number for number, cells in enumerate(puzzle.regions) for cell in cells}
    walls = {
        f"{side}({x},{y})"
        for x, y in region
        for side, other in (("below", (x + 1, y)), ("right", (x, y + 1)))
        if other in region and region[other] != region[x, y]
    }
    drawn = nodes(image)
    assert {name for name, (_, line, _) in drawn.items() if line == "3"} == {"edge", *walls}
    assert drawn["edge"][0] == (0, 0, 4, 4)
    assert walls
    for wall in walls:
        (x, y, width, height), _, _ = drawn[wall]
        row, column = map(int, wall[6:-1].split(","))
        below = wall.startswith("below")
        expected = (column - 1, row, 1, 0) if below else (column, row - 1, 0, 1)
        assert (x, y, width, height) == pytest.approx(expected, abs=0.03)


@pytest.mark.slow
@pytest.mark.parametrize("box", [(3, 2), (4, 4), (5, 5)])
def test_other_sizes(clingraph, tmp_path, box):
    full = full_grid(box, 1)
    puzzle = dig(full, len(full.digits) * 2 // 3, 1)
    (image,) = images(clingraph, tmp_path, puzzle, "sudoku")
    assert check(image, puzzle).is_solution_of(puzzle)
