"""The grid: what it accepts, what it refuses, and what it is used for."""

from __future__ import annotations

import json
import re
from itertools import repeat
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS

BOXES = [(r, c) for r in range(1, 37) for c in range(1, 37) if r * c <= 36]

PUZZLE = [[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]]


class NAType:
    """A stand-in for pandas.NA, which has no truth value."""

    def __ne__(self, other):
        return self

    def __bool__(self):
        raise TypeError("boolean value of NA is ambiguous")


NA = NAType()


class Frame:
    """A stand-in for a data frame of pandas or polars, whose iterator gives column names."""

    def __iter__(self):
        return iter("abcd")

    def to_numpy(self):
        return np.array(PUZZLE)


def nested(depth):
    rows = []
    for _ in range(depth):
        rows = [rows]
    return rows


SOLUTION = "1234342143122143"
LINE = Grid.parse("1..4.....3......")


# --- a value ----------------------------------------------------------------------------


def test_equal_grids_are_one_value_and_others_are_not():
    one, same = Grid.from_rows(PUZZLE), Grid.parse("1..4.....3......")
    assert len({one, same}) == 1
    for other in (one.with_(r4c4=1), Grid(one.digits, (1, 4)), str(one)):
        assert one != other


def test_every_box_shape_makes_a_grid_whose_repr_names_it_only_if_it_is_not_square():
    for box in BOXES:
        n = box[0] * box[1]
        rows = [[0] * n for _ in range(n)]
        rows[0][-1] = n
        grid = Grid.from_rows(rows, box)
        assert (grid.size, grid.box, grid.givens) == (n, box, ((1, n, n),))
        assert grid.rows == tuple(map(tuple, rows))
        assert eval(repr(grid), {"Grid": Grid}) == grid
        assert ("box=" in repr(grid)) == (box[0] != box[1] or n == 1)


# --- rows of any kind -------------------------------------------------------------------


@pytest.mark.parametrize(
    "rows",
    [
        PUZZLE,
        tuple(map(tuple, PUZZLE)),
        [[digit or None for digit in row] for row in PUZZLE],
        (iter(row) for row in PUZZLE),
        np.array(PUZZLE),
        np.array(PUZZLE, dtype=np.uint8),
        list(np.array(PUZZLE)),
        np.where(np.array(PUZZLE), PUZZLE, np.nan),
        np.array(PUZZLE, dtype=np.float32),
        np.array(PUZZLE, dtype=object),
        np.array(PUZZLE, dtype=str),
        [list(map(str, row)) for row in PUZZLE],
        ["1..4", "____", " 3  ", "    "],
        (row for row in ["1 . . 4", "0 0 0 0", "_ 3 _ _", "----"]),
        [["1", ".", "", "4"], [None] * 4, [float("nan"), 3.0, 0, NA], ["."] * 4],
        Frame(),
    ],
)
def test_from_rows(rows):
    grid = Grid.from_rows(rows)
    assert str(grid) == "1..4.....3......"
    assert {type(digit) for digit in grid.digits} == {int}


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (None, "the puzzle is None; expected a list of rows"),
        ("1...", "the puzzle is '1...'; expected a list of rows"),
        (Path("1.txt"), "the puzzle is PosixPath('1.txt'); expected a list of rows"),
        ({1: [1]}, "the puzzle is {1: [1]}; expected a list of rows, in their order"),
        ([{1}], "row 1 is {1}; expected a list of cells, in their order"),
        ([1, 2], "row 1 is 1; expected a list of cells"),
        ([[1], "2"], "row 2 is '2'; expected a list of cells"),
        ([], "there are 0 rows; expected 1 to 36"),
        ([[1, 2], [1, 2, 3]], "row 2 has 3 cells, but the grid has 2 rows; expected as many"),
        ([[0] * 4, [0, 0, "?", 0]] * 2, "r2c3 holds '?'; expected a whole number, or 0"),
        ([[0] * 4, [0, 0, "7", 0]] * 2, "r2c3 holds '7'; expected 1 to 4, or 0 for empty"),
        ([[b"1"]], "r1c1 holds b'1'; expected a whole number"),
        ([[True]], "r1c1 holds True; expected a whole number"),
        (np.array([[np.inf]]), "r1c1 holds np.float64(inf); expected a whole number"),
        ([[10**5000]], "r1c1 holds an int too large to show; expected 1 to 1, or 0 for empty"),
        (nested(100_000), "r1c1 holds a list too large to show; expected a whole number"),
        (repeat([0]), "there are more than 36 rows; expected 1 to 36"),
        ([repeat(0)], "row 1 has more than 36 cells, but the grid has 1 row"),
        (["1..4"] * 3, "row 1 has 4 cells, but the grid has 3 rows"),
        (["1..4", "....", ".?..", "...."], "unknown character '?' at r3c2; expected 1 to 4"),
        ([[0] * 4] * 3 + [[0, 5, 0, 0]], "r4c2 holds 5; expected 1 to 4, or 0 for empty"),
        ([[0, 0, 0, -1]] * 4, "r1c4 holds -1; expected 1 to 4, or 0 for empty"),
    ],
)
def test_rows_that_are_not_a_puzzle(rows, message):
    with pytest.raises(InvalidPuzzle, match=f"^{re.escape(message)}"):
        Grid.from_rows(rows)


@pytest.mark.parametrize("value", [PUZZLE, None, b"1...", Path("1.txt"), np.array(PUZZLE)])
def test_what_is_not_text_is_not_parsed(value):
    with pytest.raises(
        TypeError, match=r"^expected text .*, Grid.from_rows takes rows, and read_p"
    ):
        Grid.parse(value)


def test_a_box_of_thousands_of_digits_is_not_possible():
    with pytest.raises(ValueError, match="box is not possible"):
        Grid.from_rows([[1]], box=(10**5000, 1))
    with pytest.raises(InvalidPuzzle, match="not a list too large to show"):
        Grid.from_rows([[1]], box=nested(100_000))


@pytest.mark.parametrize(
    ("box", "message"),
    [
        ((2, 3), "2x3 boxes make a grid of 6 rows, but this one has 4"),
        ((0, 4), "a 0x4 box is not possible: rows x columns must be 1 to 36"),
        ((-2, -2), "a -2x-2 box is not possible"),
        ((6, 7), "a 6x7 box is not possible"),
        (4, "a box shape is two whole numbers, rows and columns, such as (2, 3), not 4"),
        ((2, 2, 1), "a box shape is two whole numbers"),
        ("22", "a box shape is two whole numbers"),
        ((2.0, 2.0), "a box shape is two whole numbers"),
    ],
)
def test_boxes_that_do_not_fit(box, message):
    with pytest.raises(InvalidPuzzle, match=f"^{re.escape(message)}"):
        Grid.from_rows(PUZZLE, box=box)


@pytest.mark.parametrize(
    ("cells", "box", "message"),
    [
        ((0,) * 15, (2, 2), "a 4x4 grid has 16 cells, this one has 15"),
        ((0,) * 15 + (9,), (2, 2), "r4c4 holds 9; expected 1 to 4, or 0 for empty"),
        ((0,) * 49**2, (7, 7), "a 7x7 box is not possible"),
        *(
            ((0, digit, 0, 0), (1, 4), f"r1c2 holds {digit!r}; expected a whole number, or 0 for")
            for digit in (1.0, np.float64(1), True, np.True_, "1", b"1", [1], 1 + 0j)
        ),
    ],
)
def test_the_constructor_checks_too(cells, box, message):
    with pytest.raises(InvalidPuzzle, match=f"^{re.escape(message)}"):
        Grid(cells, box)


@pytest.mark.parametrize(
    ("cells", "box"),
    [
        ([1, 0, 0, 4, *[0] * 5, 3, *[0] * 6], [2, 2]),
        (np.array(PUZZLE).ravel(), np.array([2, 2])),
        (tuple(np.array(PUZZLE).ravel()), (np.int64(2), 2)),
        ((digit for row in PUZZLE for digit in row), iter((2, 2))),
        ([digit or None for row in PUZZLE for digit in row], (2, 2)),
    ],
)
def test_the_constructor_makes_the_same_value_of_any_sequence(cells, box):
    grid = Grid(cells, box)
    assert grid == Grid.from_rows(PUZZLE)
    assert hash(grid) == hash(Grid.from_rows(PUZZLE))
    assert {type(part) for part in (*grid.digits, *grid.box)} == {int}
    assert (type(grid.digits), type(grid.box)) == (tuple, tuple)


@pytest.mark.parametrize("size", [n for n in range(1, 37) if n not in (1, 4, 9, 16, 25, 36)])
def test_an_open_box_shape_names_the_choices_in_the_library_and_at_the_command_line(size):
    with pytest.raises(InvalidPuzzle) as caught:
        Grid.from_rows([[0] * size] * size)
    said = str(caught.value)
    shapes = [f"{r}x{size // r}" for r in range(1, size + 1) if size % r == 0]
    assert f"choose {', '.join(shapes[:-1])} or {shapes[-1]}, for example by " in said
    r, c = map(int, re.search(r"Grid\.from_rows\(rows, box=\((\d+), (\d+)\)\)", said).groups())
    assert Grid.from_rows([[0] * size] * size, (r, c)).box == (r, c)
    assert f"Grid.parse(text, box=({r}, {c})) or --box {r}x{c}" in said


# --- houses -----------------------------------------------------------------------------

# Which box each cell of a 6x6 grid stands in, drawn by hand.
BOXES_OF_TWO_ROWS = "111222 111222 333444 333444 555666 555666"
BOXES_OF_THREE_ROWS = "112233 112233 112233 445566 445566 445566"


@pytest.mark.parametrize(
    ("box", "drawing"), [((2, 3), BOXES_OF_TWO_ROWS), ((3, 2), BOXES_OF_THREE_ROWS)]
)
def test_houses(box, drawing):
    grid = Grid((0,) * 36, box)
    labels = {
        "row": [row for row, _ in grid.cells],
        "column": [column for _, column in grid.cells],
        "box": list(map(int, drawing.replace(" ", ""))),
    }
    assert [(str(house), house.cells) for house in grid.houses] == [
        (f"{kind} {n}", tuple(c for c, at in zip(grid.cells, found, strict=True) if at == n))
        for kind, found in labels.items()
        for n in range(1, 7)
    ]


@pytest.mark.parametrize("box", [(1, 1), (1, 5), (5, 1), (2, 4), (3, 3), (6, 6)], ids=str)
def test_each_cell_is_in_one_row_one_column_and_one_box(box):
    n = box[0] * box[1]
    grid = Grid((0,) * n**2, box)
    kinds = ("row", "column") if 1 in box else ("row", "column", "box")
    assert [house.kind for house in grid.houses] == [kind for kind in kinds for _ in range(n)]
    for kind in kinds:
        cells = [cell for house in grid.houses if house.kind == kind for cell in house.cells]
        assert tuple(sorted(cells)) == grid.cells


# --- what a grid knows of itself --------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "conflicts"),
    [
        ("1..4.....3......", []),
        (SOLUTION, []),
        ("1...1...........", ["r1c1 and r2c1 both hold 1 (column 1, box 1)"]),
        ("1....1..........", ["r1c1 and r2c2 both hold 1 (box 1)"]),
        ("2..2............", ["r1c1 and r1c4 both hold 2 (row 1)"]),
        (
            "33.3............",
            [
                "r1c1 and r1c2 both hold 3 (row 1, box 1)",
                "r1c1 and r1c4 both hold 3 (row 1)",
                "r1c2 and r1c4 both hold 3 (row 1)",
            ],
        ),
    ],
)
def test_conflicts(text, conflicts):
    assert [str(conflict) for conflict in Grid.parse(text).duplicates()] == conflicts


@pytest.mark.parametrize(
    ("solution", "expected"),
    [
        (SOLUTION, True),
        ("2134342143121243", False),  # another given
        ("1234342143122134", False),  # wrong columns
        ("1234442133122143", False),  # wrong rows
        ("1234234141233412", False),  # right rows and columns, wrong boxes
        ("123434214312214.", False),  # incomplete
        ("1..4.....3......", False),  # the puzzle
    ],
)
def test_is_solution_of(solution, expected):
    assert Grid.parse(solution).is_solution_of(Grid.parse("1..4............")) is expected


def test_a_solution_has_the_boxes_of_its_puzzle():
    latin = "1234234134124123"
    puzzle = "1..............."
    assert not Grid.parse(latin).is_solution_of(Grid.parse(puzzle))
    assert not Grid.parse(latin, box=(1, 4)).is_solution_of(Grid.parse(puzzle))
    assert Grid.parse(latin, box=(1, 4)).is_solution_of(Grid.parse(puzzle, box=(1, 4)))
    assert not Grid.parse("1", box=(1, 1)).is_solution_of(Grid.parse(puzzle))


# === Using a grid in Python: cells and rows, copies with changes, text and arrays =================

SHAPES = [(r, c) for r in range(1, 10) for c in range(1, 10) if r * c <= 9]


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Grids of any small shape, with any digits."""
    box = draw(st.sampled_from(SHAPES))
    n = box[0] * box[1]
    return Grid(draw(st.tuples(*[st.integers(0, n)] * (n * n))), box)


# --- cells and rows ---------------------------------------------------------------------


@given(grids())
def test_a_cell_is_found_by_its_row_and_column_and_by_its_name(grid):
    for x, row in enumerate(grid, 1):
        for y, digit in enumerate(row, 1):
            assert grid[x, y] == grid[f"r{x}c{y}"] == grid[np.int64(x), np.uint8(y)] == digit
    assert tuple(grid) == grid.rows


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ((0, 1), "(0, 1) is not a cell of a 4x4 grid; expected a row and a column from 1 to 4"),
        ((-1, -1), "(-1, -1) is not a cell"),
        (3, "3 is not a cell of a 4x4 grid; expected a row and a column from 1 to 4"),
        ((1.0, 1), "(1.0, 1) is not a cell"),
        ((1, 2, 3), "(1, 2, 3) is not a cell"),
        (slice(1, 2), "slice(1, 2, None) is not a cell"),
        (None, "None is not a cell"),
        ("c1r1", "'c1r1' is not a cell of a 4x4 grid; expected r1c1 to r4c4"),
        (f"r{'1' * 5000}c1", "'r1111"),
    ],
)
def test_what_is_not_a_cell_is_an_index_error_with_a_sentence(cell, message):
    with pytest.raises(IndexError, match=f"^{re.escape(message)}"):
        LINE[cell]


# --- copies with changes ----------------------------------------------------------------


def test_a_copy_with_other_digits_leaves_the_grid_as_it_is():
    for changed in (LINE.with_(r1c2=2, r3c2=0), LINE.with_((1, 2, 2), (3, 2, 0))):
        assert str(changed) == "12.4............"
    assert str(LINE.with_((1, 2, 2), r1c2=3)) == "13.4.....3......"
    assert str(LINE.without("r1c1", (1, 4))) == ".........3......"
    assert LINE.with_() == LINE.without() == Grid.parse("1..4.....3......")


@given(grids())
def test_the_givens_of_a_grid_make_it_again(grid):
    empty = grid.without(*grid.givens)
    assert set(empty.digits) == {0}
    assert empty.with_(*grid.givens) == grid


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda: LINE.with_(r5c1=1), IndexError, "'r5c1' is not a cell of a 4x4 grid"),
        (lambda: LINE.with_((0, 1, 1)), IndexError, r"\(0, 1\) is not a cell of a 4x4 grid"),
        (lambda: LINE.with_(r1c2=5), InvalidPuzzle, "r1c2 holds 5; expected 1 to 4"),
        (lambda: LINE.with_(r1c2="2"), InvalidPuzzle, "r1c2 holds '2'; expected a whole number"),
        (lambda: LINE.with_((1, 2), 5), TypeError, r"r3c2=5 or \(row, column, digit\), not"),
        (lambda: LINE.with_("r1c2"), TypeError, "not 'r1c2'"),
        (lambda: LINE.without("r5c1"), IndexError, "'r5c1' is not a cell of a 4x4 grid"),
    ],
)
def test_a_change_that_is_not_possible_is_an_error_with_a_sentence(change, error, message):
    with pytest.raises(error, match=message):
        change()


# --- text -------------------------------------------------------------------------------


@pytest.mark.parametrize("spec", ["", "20", ">20", "^20", "*<20", ".4", "s", *FORMATS])
def test_a_format_specification_may_be_one_for_text_or_the_name_of_a_format(spec):
    wanted = LINE.format(spec) if spec in FORMATS else format("1..4.....3......", spec)
    assert format(LINE, spec) == wanted
    with pytest.raises(
        ValueError, match="no format 'nice'; choose one of line, rows, pretty, ss, sdk"
    ):
        f"{LINE:nice}"


# --- arrays -----------------------------------------------------------------------------


@given(grids())
def test_an_array_has_the_rows_and_makes_the_grid_again(grid):
    array = np.asarray(grid)
    assert array.shape == (grid.size, grid.size)
    assert array.tolist() == [list(row) for row in grid]
    assert np.issubdtype(array.dtype, np.integer)
    assert Grid.from_rows(array, grid.box) == grid


def test_an_array_may_have_another_type_and_is_always_a_copy():
    assert np.asarray(LINE, dtype=np.uint8).dtype == np.uint8
    assert np.array(LINE, float)[0].tolist() == [1.0, 0.0, 0.0, 4.0]
    assert np.array([LINE, LINE]).shape == (2, 4, 4)
    array = np.asarray(LINE)
    array[0, 0] = 3
    assert LINE[1, 1] == 1
    with pytest.raises(ValueError, match="cannot become an array without a copy"):
        LINE.__array__(copy=False)


@given(grids())
def test_what_to_json_gives_is_read_back(grid):
    value = json.loads(json.dumps(grid.to_json()))
    assert Grid.from_json(value, grid.box) == grid
    assert pls.Puzzle.from_json(value, grid.box) == pls.Puzzle(grid)
    whole = json.loads(json.dumps(pls.Puzzle(grid).to_json()))
    assert Grid.from_json(whole) == grid


def test_what_to_json_gives_is_a_puzzle_to_every_question():
    puzzle = pls.Puzzle(
        "1..." + "." * 12, marks={"r1c2": "even"}, rules=[pls.rules.Thermometer("r1c1 r1c2")]
    )
    assert pls.Puzzle.from_json(puzzle.to_json()) == puzzle
    assert pls.count(puzzle.to_json()) == pls.count(puzzle) == 48
    with pytest.raises(pls.InvalidPuzzle, match="has marks and rules, which a grid alone cannot"):
        Grid.from_json(puzzle.to_json())
    with pytest.raises(TypeError, match="from_json takes what to_json gives"):
        Grid.parse(puzzle.to_json())


@pytest.mark.parametrize("value", [{"cells": 1}, [[1, 2]], [[1, "x"], [1, 1]], 5, None, "12"])
def test_json_that_is_not_a_puzzle_is_refused(value):
    with pytest.raises(pls.InvalidPuzzle):
        Grid.from_json(value)


@pytest.mark.parametrize("name", ["puzzles.txt", "data/given", "./a.json", "hard.LP"])
def test_the_name_of_a_file_is_asked_about(name):
    asked = rf"\. Is this a file\? read_puzzles\({name!r}\) reads it$"
    with pytest.raises(pls.InvalidPuzzle, match=asked):
        pls.solve(name)


def test_columns_boxes_and_other_views():
    grid = Grid.parse("12..56.....3" + "." * 24, box=(2, 3))
    assert grid.columns[0] == (1, 0, 0, 0, 0, 0)
    assert grid.columns[5] == (6, 3, 0, 0, 0, 0)
    assert grid.boxes[:2] == ((1, 2, 0, 0, 0, 0), (0, 5, 6, 0, 0, 3))
    turned = grid.transposed()
    assert (turned.rows, turned.box) == (grid.columns, (3, 2))
    assert turned.transposed() == grid
    assert (grid.to_numpy().tolist(), grid.to_numpy().shape) == ([*map(list, grid.rows)], (6, 6))


def test_other_digits():
    grid = Grid.parse("12..34......4321")
    assert grid.relabelled([2, 1, 4, 3]) == Grid.parse("21..43......3412")
    assert grid.relabelled({1: 2, 2: 1}) == Grid.parse("21..34......4312")
    for wrong in ({1: 2}, [1, 2, 3], [1, 1, 2, 3], {5: 5}):
        with pytest.raises(ValueError, match="does not give each digit from 1 to 4 once"):
            grid.relabelled(wrong)
