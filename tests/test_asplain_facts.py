"""Facts that asplain may remove: ``Grid.format("facts", removable=True)``."""

from __future__ import annotations

import subprocess
import sys

import pytest
from helpers.gallery import answers
from helpers.oracle import full_grid

from pylogic_sudoku import Grid
from pylogic_sudoku.engines.clingo.program import encoding
from pylogic_sudoku.formats import FORMATS


def test_every_given_is_marked_and_the_shape_is_given():
    assert Grid.parse("1..4.....3......").format("facts", removable=True) == (
        "#const dim=2.\n"
        "#const box_rows=2. [override] #const box_columns=2. [override]\n"
        "% @removable\ninitial(1,1,1).\n"
        "% @removable\ninitial(1,4,4).\n"
        "% @removable\ninitial(3,2,3)."
    )


@pytest.mark.parametrize(
    ("box", "first"),
    [((3, 3), "#const dim=3.\n% @rem"), ((2, 3), "#const box_rows=2. [override] #const box_col")],
)
def test_the_shape_is_given_once(box, first):
    assert full_grid(box, 1).format("facts", removable=True).startswith(first)


@pytest.mark.parametrize(
    "box", [(1, 1), (2, 2), (2, 3), (3, 2), (3, 3), (4, 4), (5, 5), (6, 6)], ids=str
)
def test_it_is_read_again(box):
    full = full_grid(box, 2)
    for cells in (full.digits, (*full.digits[:-1], 0), (0,) * len(full.digits)):
        grid = Grid(cells, box)
        text = grid.format("facts", removable=True)
        assert Grid.parse(text, format="facts") == grid
        assert text.count("% @removable\n") == len(grid.givens)


@pytest.mark.parametrize("name", ["sudoku", "explain"])
@pytest.mark.parametrize("box", [(2, 2), (2, 3), (3, 3)], ids=str)
def test_encodings_take_it(name, box):
    grid = full_grid(box, 3)
    puzzle = Grid((0, 0, *grid.digits[2:]), box)
    found, grumbles = answers(encoding(name), puzzle.format("facts", removable=True))
    assert grumbles == []
    shown = {atom for atom in found[0] if atom.startswith("sudoku")}
    assert (len(found), shown) == (1, {f"sudoku({x},{y},{n})" for x, y, n in grid.givens})


@pytest.mark.parametrize("format", [name for name in FORMATS if name != "facts"])
def test_no_other_format_has_it(format):
    with pytest.raises(ValueError, match=f"only facts can be removable; the format is '{format}'"):
        full_grid((2, 2), 1).format(format, removable=True)


def convert(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pylogic_sudoku", "convert", *options, "4......3...13..."]
    return subprocess.run(command, capture_output=True, encoding="utf-8")


def test_at_the_command_line():
    done = convert("-f", "facts", "--removable")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == Grid.parse("4......3...13...").format("facts", removable=True) + "\n"


def test_the_command_line_says_what_it_goes_with():
    done = convert("--removable", "-f", "json")
    assert (done.returncode, done.stdout) == (2, "")
    assert "Error: --removable goes with -f facts alone" in done.stderr
