"""How each format is written, and that its output is read again."""

from __future__ import annotations

from pathlib import Path

import pytest
from helpers.format_texts import CLASSIC, EXACT, FOUR, with_singles
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid
from pylogic_sudoku.formats import FORMATS, READ_ONLY

BOXES = [
    pytest.param((r, c), marks=pytest.mark.slow if 16 < r * c < 36 else ())
    for r in range(1, 37)
    for c in range(1, 37)
    if r * c <= 36
]
SHAPES = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (5, 2), (3, 4), (4, 4)]
SHAPES += [(5, 5), (4, 6), (6, 6)]

# These say the box shape; the others leave it open where boxes need not be square.
SHAPELY = {"facts", "answer", "clingo", "json", "dzn", "sdk"}


# --- round trips ------------------------------------------------------------------------


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Any digits at all: empty, sparse, or full grids."""
    box = draw(st.sampled_from(SHAPES))
    n = box[0] * box[1]
    filled = st.integers(1, n)
    cell = draw(st.sampled_from([st.just(0), filled, st.one_of(st.just(0), filled)]))
    if n <= 9:
        return Grid(tuple(draw(st.lists(cell, min_size=n * n, max_size=n * n))), box)
    # A large grid repeats a few drawn rows, or drawing it would take longer than reading it.
    rows = draw(st.lists(st.lists(cell, min_size=n, max_size=n), min_size=1, max_size=3))
    return Grid(tuple(digit for row in range(n) for digit in rows[row % len(rows)]), box)


@pytest.mark.parametrize("format", EXACT)
@settings(deadline=None, max_examples=15)
@given(grid=grids())
def test_what_is_written_is_read_again(format, grid):
    text = grid.format(format)
    assert Grid.parse(text, box=grid.box) == grid
    assert Grid.parse(text, format=format, box=grid.box) == grid
    if format in SHAPELY or grid.box[0] == grid.box[1]:
        assert Grid.parse(text) == grid


@settings(deadline=None, max_examples=50)
@given(grid=grids())
def test_digits_from_zero_up_are_read_under_the_name_of_their_format(grid):
    assert Grid.parse(grid.format("hex"), format="hex", box=grid.box) == grid


@settings(deadline=None, max_examples=50)
@given(grid=grids())
def test_of_pencil_marks_the_single_ones_are_read(grid):
    text = grid.format("pencil")
    assert Grid.parse(text, format="pencil", box=grid.box) == with_singles(grid)
    assert {len(line) for line in text.splitlines()} == {len(text.splitlines()[0])}


@pytest.mark.parametrize("box", BOXES, ids=str)
def test_every_box_shape_is_written_and_read(box):
    n = box[0] * box[1]
    grid = Grid(tuple(digit % (n + 1) for digit in range(n * n)), box)
    assert {Grid.parse(grid.format(format), box=box) for format in EXACT} == {grid}
    assert Grid.parse(grid.format("hex"), "hex", box) == grid
    assert Grid.parse(grid.format("pencil"), "pencil", box) == with_singles(grid)


@pytest.mark.parametrize("box", [(2, 3), (3, 2), (2, 4), (4, 2), (3, 4), (5, 6)], ids=str)
def test_pretty_shows_the_box_shape(box):
    n = box[0] * box[1]
    grid = Grid((1, *[0] * (n * n - 1)), box)
    assert Grid.parse(grid.format("pretty")) == grid


@pytest.mark.parametrize(
    "cells",
    [
        pytest.param({}, id="empty"),
        pytest.param({0: 1}, id="like a 1x1 grid"),
        pytest.param({0: 1, 1: 2, 9: 2, 10: 1}, id="like a 2x2 grid"),
        pytest.param({9 * x + y: 4 for x in range(4) for y in range(4)}, id="like a 4x4 grid"),
    ],
)
def test_few_facts_keep_their_shape(cells):
    grid = Grid(tuple(cells.get(cell, 0) for cell in range(81)), (3, 3))
    assert Grid.parse(grid.format("facts")) == grid


@pytest.mark.parametrize(
    ("format", "text"),
    [
        ("line", "1..4.....3......"),
        ("rows", "1..4\n....\n.3..\n...."),
        ("pretty", "1 . | . 4\n. . | . .\n----+----\n. 3 | . .\n. . | . ."),
        (
            "facts",
            "#const box_rows=2. [override] #const box_columns=2. [override]\n"
            "initial(1,1,1). initial(1,4,4).\n"
            "initial(3,2,3).",
        ),
        ("prolog", "[[1,_,_,4],\n [_,_,_,_],\n [_,3,_,_],\n [_,_,_,_]]"),
        (
            "json",
            '{"box": [2, 2], "grid": [[1, null, null, 4], [null, null, null, null],'
            " [null, 3, null, null], [null, null, null, null]]}",
        ),
        ("ss", "*-----*\n|1.|.4|\n|..|..|\n|--+--|\n|.3|..|\n|..|..|\n*-----*"),
        ("sdk", "1..4\n....\n.3..\n...."),
        ("answer", "box_rows(2) box_columns(2) sudoku(1,1,1) sudoku(1,4,4) sudoku(3,2,3)"),
        (
            "dzn",
            "S = 2;\nstart = [| 1,0,0,4\n         | 0,0,0,0\n         | 0,3,0,0\n"
            "         | 0,0,0,0 |];",
        ),
        ("csv", "puzzle\n1..4.....3......"),
        (
            "opensudoku",
            '<?xml version="1.0" encoding="UTF-8"?>\n<opensudoku>\n'
            '  <game data="1004000003000000"/>\n</opensudoku>',
        ),
        ("hex", "0..3.....2......"),
        (
            "pencil",
            ".----------.-----------.\n"
            "| 1    2   | 23    4   |\n"
            "| 234  24  | 123   123 |\n"
            ":----------+-----------:\n"
            "| 24   3   | 124   12  |\n"
            "| 24   124 | 1234  123 |\n"
            "'----------'-----------'",
        ),
    ],
)
def test_how_each_format_looks(format, text):
    assert FOUR.format(format) == text


def test_classic_facts_say_nothing_of_the_shape():
    assert Grid.parse(CLASSIC).format("facts").startswith("initial(1,1,5). initial(1,2,3).")


def test_wide_numbers_stand_in_columns():
    grid = Grid((10, *[0] * 254, 9), (4, 4))
    rows = grid.format("rows").splitlines()
    assert (rows[0], rows[-1]) == ("10" + "  ." * 15, " ." + "  ." * 14 + "  9")
    assert grid.format("pretty").splitlines()[0] == "10  .  .  . |" + "  .  .  .  . |" * 2 + (
        "  .  .  .  ."
    )


def test_an_unknown_format_is_reported_with_the_choices():
    with pytest.raises(ValueError, match="no format 'yaml'; choose one of line, rows, pretty"):
        FOUR.format("yaml")
    with pytest.raises(ValueError, match="no format 'yaml'"):
        Grid.parse("1", format="yaml")


def test_every_format_has_its_row_in_the_documentation():
    text = (Path(__file__).resolve().parent.parent / "docs" / "formats.md").read_text()
    documented = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert documented == [*FORMATS, *READ_ONLY]
