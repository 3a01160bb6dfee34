"""Text that is handed on gives the same puzzle again, without its format or its boxes."""

from __future__ import annotations

import pickle
import random

import pytest
from helpers.format_texts import CLASSIC, FOUR, SIX, message
from helpers.jigsaws import jigsaw
from helpers.ruled import KILLER, THERMOMETERS

from pylogic_sudoku import Grid, Puzzle
from pylogic_sudoku._layout import OpenShape
from pylogic_sudoku.formats import FORMATS, as_puzzle, parse, read_puzzles
from pylogic_sudoku.formats._shared import shared

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


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("box", SHAPES, ids=str)
def test_every_format_comes_back_in_every_shape(box, format):
    for part in (1, 0.7, 0.4, 0.1):
        grid = pattern(box, part)
        text, same = shared(grid, format)
        assert (same, as_puzzle(parse(text))) == (True, grid)
        assert [as_puzzle(each) for each in read_puzzles(text.splitlines())] == [grid]


@pytest.mark.parametrize("format", FORMATS)
def test_what_is_clear_gets_no_comment(format):
    text, same = shared(FOUR, format)
    assert same
    if format not in ("hex", "pencil"):
        assert text == FOUR.format(format)


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


def test_digits_from_zero_up_and_pencil_marks_are_named_in_a_comment():
    assert Grid.parse("# format: hex\n0..3.....2......") == FOUR
    assert list(read_puzzles(["# format: hex", "0..3.....2......"])) == [FOUR]
    assert Grid.parse("% format: hex\n0..3.....2......") == FOUR
    assert Grid.parse("# format: other\n1..4.....3......") == FOUR


def test_a_comment_tells_single_marks_from_givens():
    text = "# format: pencil\n# not given: r1c1, r4c4\n1 23 23 4\n23 14 1 2\n2 3 4 1\n4 12 3 2"
    assert str(Grid.parse(text)) == "...4..1223414.3."
    several = f"{text}\n\n1 23 23 4\n23 14 1 2\n2 3 4 1\n4 12 3 2"
    assert list(map(str, read_puzzles(several.splitlines())))[1] == "1..4..1223414.32"
    wrong = text.replace("r4c4", "r5c4")
    assert message(wrong).startswith("the cells that are not given: 'r5c4' is not a cell of a 4x4")


def test_an_open_shape_says_its_size():
    with pytest.raises(OpenShape) as caught:
        Puzzle.parse("." * 36)
    again = pickle.loads(pickle.dumps(caught.value))
    assert (again.size, str(again)) == (6, str(caught.value))
