"""Pictures on the command line, and those of clingraph."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from helpers import command_line
from helpers.command_line import MODULE, environment
from helpers.documents import blocks, commands, light
from helpers.gallery import Encoding
from helpers.jigsaws import jigsaw
from helpers.oracle import dig, full_grid
from helpers.processes import ended, terminal
from helpers.programs import clingo, need_library_for, needed, resource
from helpers.puzzles import IMPOSSIBLE, PRINTED

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku import questions as api
from pylogic_sudoku.draw import Highlight, Picture, pencil_marks
from pylogic_sudoku.files import install_command

# === The command ``show``: what it draws, where, and its error messages ==========================


EXAMPLE, ANSWER = map(Grid.parse, list(PRINTED.items())[-1])
FOUR = Grid.parse("1..4.....3......")


@pytest.fixture
def show(command, monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    return lambda *arguments: command("show", *arguments)


def drawn(picture: Picture) -> str:
    return picture.to_text() + "\n"


def test_a_puzzle_in_the_terminal(show):
    assert show(EXAMPLE) == (0, drawn(Picture(EXAMPLE)), "")


def test_many_puzzles_and_one_that_is_none(show):
    Path("many.txt").write_text(f"{FOUR}\n1..4\n{FOUR}\n")
    code, out, err = show("--box", "2x2", "many.txt")
    assert out == drawn(Picture(FOUR)) + "\n" + drawn(Picture(FOUR))
    assert (code, err[:16]) == (2, "many.txt, line 2")


@pytest.mark.parametrize("engine", ["clingo", "prolog"])
def test_solved(show, engine):
    assert show("--solve", "-b", engine, "-o", "picture.svg", EXAMPLE) == (0, "", "")
    assert Path("picture.svg").read_text() == Picture(ANSWER, EXAMPLE).to_svg() + "\n"


def test_a_solution_that_is_known(show):
    Path("solution.txt").write_text(str(ANSWER))
    show("--solution", "solution.txt", "--title", "Mine", "-o", "picture.svg", str(EXAMPLE))
    wanted = Picture(ANSWER, EXAMPLE, title="Mine")
    assert Path("picture.svg").read_text() == wanted.to_svg() + "\n"


def test_a_wrong_solution_is_marked(show):
    wrong = "2..4.....3......"
    wanted = Highlight("not the given digit, which is small", "difference", ((1, 1),), ((1, 1, 1),))
    _, out, _ = show("--solution", wrong, FOUR)
    assert out == drawn(Picture(Grid.parse(wrong), FOUR, None, (wanted,)))
    assert " 2~1" in out


@pytest.mark.parametrize(
    ("text", "label", "cells"),
    [
        ("11..............", "r1c1 and r1c2 both hold 1 (row 1, box 1)", ((1, 1), (1, 2))),
        ("11..........2..2", "a digit more than once in a house", ((1, 1), (1, 2), (4, 1), (4, 4))),
    ],
)
def test_what_breaks_a_rule_is_marked(show, text, label, cells):
    wanted = (Highlight(label, "conflict", cells),)
    assert show(text)[1] == drawn(Picture(Grid.parse(text), highlights=wanted))


def test_no_solution_is_reported_and_the_puzzle_drawn(show):
    drawing = drawn(Picture(Grid.parse(IMPOSSIBLE)))
    assert show("--solve", IMPOSSIBLE) == (1, drawing, "puzzle 1: no solution\n")


def test_pencil_marks_and_candidates(show):
    pencil = drawn(Picture(FOUR, candidates=pencil_marks(FOUR)))
    assert show("--candidates", "pencil", FOUR)[1] == pencil
    _, out, _ = show("--candidates", "exact", EXAMPLE)
    exact = tuple(tuple(frozenset({digit}) for digit in row) for row in ANSWER.rows)
    assert out == drawn(Picture(EXAMPLE, candidates=exact))
    cells = [line[2:] for line in out.splitlines()[1:]]
    assert re.findall(r"\d", "".join(cells)) == list(str(ANSWER))


@pytest.mark.parametrize("suffix", [".svg", ".PNG", ".pdf", ".html", ".txt"])
def test_files(show, suffix):
    need_library_for(suffix)
    assert show("-o", f"picture{suffix}", FOUR) == (0, "", "")
    assert Path(f"picture{suffix}").stat().st_size > 100


def test_a_missing_library_is_reported(show, monkeypatch):
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    monkeypatch.setattr(api, "solve", None)  # before it is asked
    code, _, err = show("--solve", "-o", "x.png", FOUR)
    assert code == 3
    assert f"Install it: {install_command('draw')}\n" in err


PAGE = Path(__file__).parent.parent / "docs" / "making.md"


def test_the_picture_of_the_documentation_is_what_its_command_draws(show):
    command = next(each for each, _ in commands(PAGE) if "example.svg" in each)
    Path("mine").mkdir()
    assert show(*shlex.split(command)[2:])[0] == 0
    image = PAGE.parent / "images" / "example.svg"
    assert Path("mine/example.svg").read_text() == light(image)


def in_terminal(*arguments: str, **settings: str) -> str:
    """The output in a terminal of 80 columns."""
    env = environment(**{"TERM": "xterm", **settings})
    env.pop("COLUMNS", None)
    return terminal(*MODULE, "show", *arguments, env=env, encoding="utf-8").read().replace("\r", "")


def test_a_terminal_gets_colours():
    sent = in_terminal(str(FOUR))
    assert sent == Picture(FOUR).to_text(color=True) + "\n"
    assert "\033[1m 4 \033[0m" in sent


@pytest.mark.parametrize("settings", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
def test_a_terminal_without_colours_gets_none(settings):
    assert in_terminal(str(FOUR), **settings) == drawn(Picture(FOUR))


def test_a_terminal_without_our_characters_gets_others():
    sent = in_terminal(str(FOUR), PYTHONIOENCODING="ascii", NO_COLOR="1")
    assert sent.splitlines()[:4] == [
        "#=======#=======#",
        "# 1 |   #   | 4 #",
        "#---+---#---+---#",
        "#   |   #   |   #",
    ]


# === `encodings/visualise.lp` by the real clingo, clingraph and Graphviz, piped as documented ====


SVG = "{http://www.w3.org/2000/svg}"
CELL = 36  # points


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
    """The drawings of the two commands, each answer set in its picture."""
    (folder / "given.lp").write_text(Encoding(encoding).givens(puzzle))
    rows, columns = puzzle.box
    programs = [Encoding(encoding).path, resource("encodings/visualise.lp")]
    shape = ["-c", f"box_rows={rows}", "-c", f"box_columns={columns}"]
    given = folder / "given.lp"
    answers = clingo(*shape, *programs, given, "--outf=2", f"-n{models}")
    assert answers.stderr == ""
    drawing = (clingraph, "--out=render", "--format=svg")
    assert ended(*drawing, cwd=folder, input=answers.stdout).returncode == 0
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
@pytest.mark.parametrize(
    ("box", "empty", "models"),
    [((2, 3), 12, 3), ((3, 2), 24, 1), ((4, 4), 170, 1), ((5, 5), 416, 1)],
)
def test_other_sizes_and_every_solution(clingraph, tmp_path, box, empty, models):
    puzzle = dig(full_grid(box, 1), empty, 1)
    encoding = "cardinality" if models > 1 else "sudoku"
    found = images(clingraph, tmp_path, puzzle, encoding, models)
    solutions = {check(image, puzzle) for image in found}
    assert len(solutions) == models
    assert all(solution.is_solution_of(puzzle) for solution in solutions)


def test_the_encoding_with_other_atoms_is_drawn(tmp_path):
    puzzle = Grid.parse("4......3...13...")
    (tmp_path / "given.lp").write_text(Encoding("numbered_box", "numberAt").givens(puzzle))
    programs = [resource(f"encodings/{name}.lp") for name in ("programs/numbered_box", "visualise")]
    shape = ["-c", "box_rows=2", "-c", "box_columns=2"]
    found = clingo(*shape, *programs, tmp_path / "given.lp", "--outf=2")
    (witness,) = json.loads(found.stdout)["Call"][0]["Witnesses"]
    labels = re.findall(r"attr\(node,cell\((\d),(\d)\),label,(\d)\)", " ".join(witness["Value"]))
    assert Grid.of([tuple(map(int, each)) for each in labels], (2, 2)).is_solution_of(puzzle)
    boxes = re.findall(r"node\(box\((\d),(\d)\),sudoku\)", " ".join(witness["Value"]))
    assert sorted(boxes) == [("1", "1"), ("1", "3"), ("3", "1"), ("3", "3")]


def test_cells_in_which_another_grid_differs_are_marked():
    done = command_line.run("show", "--difference", "12..34......4312", "12..34......4321")
    assert done.returncode == 0
    assert "differs; small: the other grid's digit" in done.stdout
    assert "2~1│ 1~2" in done.stdout
