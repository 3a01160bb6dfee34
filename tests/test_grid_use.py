"""Using a grid in Python: cells and rows, copies with changes, text and arrays."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import pylogic_sudoku as pls
from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS

PUZZLE = Grid.parse("1..4.....3......")
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
        ((5, 1), "(5, 1) is not a cell of a 4x4 grid; expected a row and a column from 1 to 4"),
        ((-1, -1), "(-1, -1) is not a cell"),
        (3, "3 is not a cell of a 4x4 grid; expected a row and a column from 1 to 4"),
        ((1.0, 1), "(1.0, 1) is not a cell"),
        ((1, 2, 3), "(1, 2, 3) is not a cell"),
        (slice(1, 2), "slice(1, 2, None) is not a cell"),
        (None, "None is not a cell"),
        ("r5c1", "'r5c1' is not a cell of a 4x4 grid; expected r1c1 to r4c4"),
        ("c1r1", "'c1r1' is not a cell of a 4x4 grid; expected r1c1 to r4c4"),
        (f"r{'1' * 5000}c1", "'r1111"),
    ],
)
def test_what_is_not_a_cell_is_an_index_error_with_a_sentence(cell, message):
    with pytest.raises(IndexError) as caught:
        PUZZLE[cell]
    assert str(caught.value).startswith(message)


# --- copies with changes ----------------------------------------------------------------


def test_a_copy_with_other_digits_leaves_the_grid_as_it_is():
    assert str(PUZZLE.with_(r1c2=2, r3c2=0)) == "12.4............"
    assert str(PUZZLE.with_((1, 2, 2), (3, 2, 0))) == "12.4............"
    assert str(PUZZLE.with_((1, 2, 2), r1c2=3)) == "13.4.....3......"
    assert PUZZLE.with_() == PUZZLE
    assert str(PUZZLE) == "1..4.....3......"


def test_a_copy_without_some_digits_takes_names_pairs_and_givens():
    assert str(PUZZLE.without("r1c1", (1, 4))) == ".........3......"
    assert PUZZLE.without(*PUZZLE.givens) == Grid((0,) * 16, (2, 2))
    assert PUZZLE.without() == PUZZLE


@given(grids())
def test_the_givens_of_a_grid_make_it_again(grid):
    empty = grid.without(*grid.givens)
    assert set(empty.digits) == {0}
    assert empty.with_(*grid.givens) == grid


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda: PUZZLE.with_(r5c1=1), IndexError, "'r5c1' is not a cell of a 4x4 grid"),
        (lambda: PUZZLE.with_((0, 1, 1)), IndexError, r"\(0, 1\) is not a cell of a 4x4 grid"),
        (lambda: PUZZLE.with_(r1c2=5), InvalidPuzzle, "r1c2 holds 5; expected 1 to 4"),
        (lambda: PUZZLE.with_(r1c2="2"), InvalidPuzzle, "r1c2 holds '2'; expected a whole number"),
        (lambda: PUZZLE.with_((1, 2), 5), TypeError, r"r3c2=5 or \(row, column, digit\), not"),
        (lambda: PUZZLE.with_("r1c2"), TypeError, "not 'r1c2'"),
        (lambda: PUZZLE.without("r5c1"), IndexError, "'r5c1' is not a cell of a 4x4 grid"),
        (lambda: PUZZLE.relabelled([1, 2, 3]), ValueError, "each digit from 1 to 4 once"),
        (lambda: PUZZLE.relabelled([1, 1, 2, 3]), ValueError, "each digit from 1 to 4 once"),
        (lambda: PUZZLE.relabelled([0, 1, 2, 3]), ValueError, "each digit from 1 to 4 once"),
        (lambda: PUZZLE.relabelled({1: 2}), ValueError, "each digit from 1 to 4 once"),
        (lambda: PUZZLE.relabelled({5: 5}), ValueError, "each digit from 1 to 4 once"),
    ],
)
def test_a_change_that_is_not_possible_is_an_error_with_a_sentence(change, error, message):
    with pytest.raises(error, match=message):
        change()


# --- symmetries -------------------------------------------------------------------------
# That they carry solutions to solutions is in test_symmetry.py.


@given(grids())
def test_transposed_twice_is_the_grid_itself(grid):
    other = grid.transposed()
    assert other.box == (grid.box[1], grid.box[0])
    assert all(grid[x, y] == other[y, x] == digit for x, y, digit in grid.givens)
    assert len(other.givens) == len(grid.givens)
    assert other.transposed() == grid


@given(grids(), st.data())
def test_relabelled_and_back_is_the_grid_itself(grid, data):
    digits = range(1, grid.size + 1)
    order = data.draw(st.permutations(digits))
    there = dict(zip(digits, order, strict=True))
    back = {new: old for old, new in there.items()}
    moved = grid.relabelled(order)
    assert moved == grid.relabelled(there) == grid.relabelled(tuple(np.array(order)))
    assert moved.givens == tuple((x, y, there[digit]) for x, y, digit in grid.givens)
    assert moved.relabelled(back) == grid


def test_a_mapping_need_not_name_every_digit():
    assert str(PUZZLE.relabelled({1: 4, 4: 1})) == "4..1.....3......"


# --- text -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMATS)
def test_a_format_specification_may_be_the_name_of_any_format(name):
    assert f"{PUZZLE:{name}}" == PUZZLE.format(name)


@pytest.mark.parametrize("spec", ["", "20", ">20", "^20", "*<20", ".4", "s"])
def test_a_format_specification_may_be_one_for_text(spec):
    assert format(PUZZLE, spec) == format("1..4.....3......", spec)


def test_an_unknown_format_specification_is_an_error_that_lists_the_formats():
    with pytest.raises(ValueError, match="no format 'nice'; choose one of line, rows, pretty, ss"):
        f"{PUZZLE:nice}"


# --- arrays -----------------------------------------------------------------------------


@given(grids())
def test_an_array_has_the_rows_and_makes_the_grid_again(grid):
    array = np.asarray(grid)
    assert array.shape == (grid.size, grid.size)
    assert array.tolist() == [list(row) for row in grid]
    assert np.issubdtype(array.dtype, np.integer)
    assert (grid.to_numpy() == array).all()
    assert Grid.from_rows(array, grid.box) == grid


def test_an_array_may_have_another_type_and_is_always_a_copy():
    assert np.asarray(PUZZLE, dtype=np.uint8).dtype == np.uint8
    assert np.array(PUZZLE, float)[0].tolist() == [1.0, 0.0, 0.0, 4.0]
    assert np.array([PUZZLE, PUZZLE]).shape == (2, 4, 4)
    array = np.asarray(PUZZLE)
    array[0, 0] = 3
    assert PUZZLE[1, 1] == 1
    with pytest.raises(ValueError, match="cannot become an array without a copy"):
        PUZZLE.__array__(copy=False)


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
    with pytest.raises(pls.InvalidPuzzle) as caught:
        pls.solve(name)
    assert str(caught.value).endswith(f". Is this a file? read_puzzles({name!r}) reads it")
