"""Text that is handed on gives the same puzzle again, without its format or its boxes."""

from __future__ import annotations

import pickle
import random
from itertools import product

import pytest
from helpers.format_texts import CLASSIC, FOUR, SIX
from helpers.jigsaws import jigsaw
from helpers.ruled import KILLER, THERMOMETERS

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku._layout import OpenShape
from pylogic_sudoku.formats import FORMATS, as_puzzle, parse, read_puzzles, shared

SHAPES = [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (3, 4), (4, 3), (2, 6), (4, 4), (1, 5), (5, 1)]


def pattern(box, part, seed=0):
    """A grid with this part of the digits of a solution."""
    rows, columns = box
    n, chance = rows * columns, random.Random(seed)
    digits = [
        (y % rows * columns + y // rows + x) % n + 1 if chance.random() < part else 0
        for y in range(n)
        for x in range(n)
    ]
    return Grid(tuple(digits), box)


DETECTED = [format for format in FORMATS if format not in ("hex", "pencil")]


@pytest.mark.parametrize("format", DETECTED)
def test_every_format_comes_back_in_every_shape(format):
    for box, part in product(SHAPES, (1, 0.7, 0.4, 0.1)):
        grid = pattern(box, part)
        text, same = shared(grid, format)
        assert (same, as_puzzle(parse(text))) == (True, grid)
        assert [as_puzzle(each) for each in read_puzzles(text.splitlines())] == [grid]


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_clear_gets_no_comment(format):
    assert shared(FOUR, format) == (FOUR.format(format), format in DETECTED)


@pytest.mark.parametrize(
    ("puzzle", "formats"),
    [
        (jigsaw(6, 6, 1), ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
        (jigsaw(4, 2, 1, 3), ["json", "facts"]),
        (KILLER, ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
        (THERMOMETERS, ["json", "facts", "prolog", "fpuzzles", "fpuzzles-link"]),
    ],
    ids=["jigsaw", "marks", "killer", "thermometers"],
)
def test_rules_come_back_too(puzzle, formats):
    for format in formats:
        text, same = shared(puzzle, format)
        assert (same, as_puzzle(parse(text))) == (True, puzzle)


def test_a_drawing_is_not_said_to_come_back():
    _, same = shared(jigsaw(6, 6, 1), "pretty")
    assert not same


def test_comments_above_the_puzzles_count_for_all_of_them():
    text = "\n".join(["#C2x3 boxes", str(SIX), str(SIX)])
    assert list(read_puzzles(text.splitlines())) == [SIX, SIX]
    table = "# by hand\n#C2x3 boxes\npuzzle\n" + "\n".join([str(SIX)] * 3)
    assert list(read_puzzles(table.splitlines())) == [SIX] * 3
    assert Grid.parse(table) == SIX
    frames = f"#C2x3 boxes\n{SIX.format('rows')}\n\n{SIX.format('rows')}\n"
    assert list(read_puzzles(frames.splitlines())) == [SIX, SIX]


def test_a_game_may_state_its_boxes():
    text = f'<opensudoku><game box="2x3" data="{SIX}"/><game data="{CLASSIC}"/></opensudoku>'
    assert Grid.parse(text) == SIX
    assert list(read_puzzles([text])) == [SIX, Grid.parse(CLASSIC)]
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)


def test_an_open_shape_says_its_size():
    with pytest.raises(OpenShape) as caught:
        Puzzle.parse("." * 36)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.size, str(again)) == (6, str(caught.value))
