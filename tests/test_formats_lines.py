"""Puzzles as lines and as rows of cells: valid ones, those of other programs, and invalid ones."""

from __future__ import annotations

import string
from contextlib import suppress

import pytest
from helpers.format_texts import CLASSIC, FOUR, LINE, SIX, message, pieces
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import split, symbols

# --- lines ------------------------------------------------------------------------------


@pytest.mark.parametrize("empty", ".0_*xX- ")
def test_all_that_an_empty_cell_may_be(empty):
    assert Grid.parse("1..4.....3......".replace(".", empty)) == FOUR
    assert str(Grid.parse(empty * 81)) == "." * 81


def test_lines_of_large_grids():
    assert symbols(16) == "123456789ABCDEFG"
    assert symbols(25) == "ABCDEFGHIJKLMNOPQRSTUVWXY"
    assert symbols(36) == "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@"


@pytest.mark.parametrize(
    ("alphabet", "n"),
    [
        pytest.param("123456789ABCDEFG", 16, id="16x16"),
        pytest.param("123456789abcdefg", 16, id="16x16 small"),
        pytest.param("ABCDEFGHIJKLMNOPQRSTUVWXY", 25, id="25x25 A-Y"),
        pytest.param("123456789ABCDEFGHIJKLMNOP", 25, id="25x25 1-9A-P"),
        pytest.param("123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@", 36, id="36x36"),
    ],
)
def test_letters_are_digits_over_nine(alphabet, n):
    line = alphabet + "." * (n * n - n)
    for text in (line, "\n".join(line[start : start + n] for start in range(0, n * n, n))):
        grid = Grid.parse(text)
        assert grid.rows[0] == tuple(range(1, n + 1))
        assert len(grid.givens) == n


@pytest.mark.parametrize(
    "text",
    [
        "1..4.....3......\n",
        "\n1..4.....3......\r\n",
        "1..4 .... .3.. ....",
        "1 . . 4 . . . . . 3 . . . . . .",
        "  1..4.....3......  ",
        "1..4.....3...... easy, by hand",
        "# by hand\n1..4.....3......",
    ],
)
def test_a_line_with_other_things_around(text):
    assert Grid.parse(text) == FOUR


# --- rows -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "1..4\n....\n.3..\n....",
        "1 0 0 4\n0 0 0 0\n0 3 0 0\n0 0 0 0\n",
        "\n  1..4\n  ....\n\n  .3..\n  ....\n",
        "1  4\r\n....\r\n 3  \r\n....",
        "1---\n".replace("-", "_", 2).replace("-", "4") + "----\n-3--\n----",
        "1.|.4\n..|..\n--+--\n.3|..\n..|..",
        "1 . | . 4\n. . | . .\n- - + - -\n. 3 | . .\n. . | . .",
        "+-----+-----+\n| 1 . | . 4 |\n| . . | . . |\n+-----+-----+\n| . 3 | . . |\n"
        "| . . | . . |\n+-----+-----+",
        "+---+---+---+---+\n| 1 |   |   | 4 |\n+---+---+---+---+\n|   |   |   |   |\n"
        "+---+---+---+---+\n|   | 3 |   |   |\n+---+---+---+---+\n|   |   |   |   |\n"
        "+---+---+---+---+",
        "┌───┬───┐\n│1 .│. 4│\n│. .│. .│\n├───┼───┤\n│. 3│. .│\n│. .│. .│\n└───┴───┘",
        "╔═══╦═══╗\n║1 .║. 4║\n║. .║. .║\n╠═══╬═══╣\n║. 3║. .║\n║. .║. .║\n╚═══╩═══╝",
        "┏━━━┳━━━┓\n┃1 .┃. 4┃\n┃. .┃. .┃\n┣━━━╋━━━┫\n┃. 3┃. .┃\n┃. .┃. .┃\n┗━━━┻━━━┛",
        "#A the author\n#D a description\n#L easy\n1..4\n....\n.3..\n....",
    ],
)
def test_rows(text):
    assert Grid.parse(text) == FOUR


@pytest.mark.parametrize("word", [str, lambda digit: symbols(16)[digit - 1]], ids=["10", "A"])
def test_rows_of_16_as_numbers_or_letters(word):
    row = " ".join(map(word, range(1, 17)))
    grid = Grid.parse("\n".join([row] * 16))
    assert (grid.box, set(grid.rows)) == ((4, 4), {tuple(range(1, 17))})


@pytest.mark.parametrize(
    ("letters", "first"),
    [(string.ascii_uppercase[:25], 1), ("123456789ABCDEFGHIJKLMNOP", 1), ("." * 24 + "Y", 0)],
)
@pytest.mark.parametrize("between", ["", " "])
def test_rows_of_25(letters, first, between):
    grid = Grid.parse("\n".join([between.join(letters)] * 25))
    assert (grid.rows[0][0], grid.rows[0][-1]) == (first, 25)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("1 2 3 | 4 5 6\n" + ". . . | . . .\n" * 5, (2, 3)),
        ("1 2 | 3 4 | 5 6\n" + ". . | . . | . .\n" * 5, (3, 2)),
        ("123456\n......\n------\n......\n......\n------\n......\n......", (2, 3)),
        ("123456\n......\n......\n------\n......\n......\n......", (3, 2)),
    ],
)
def test_rules_show_the_box_shape(text, box):
    assert Grid.parse(text) == Grid.parse("123456" + "." * 30, box=box)


# --- Simple Sudoku, SudoCue and others that have rows -------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("*-----*\n|1.|.4|\n|..|..|\n|--+--|\n|.3|..|\n|..|..|\n*-----*", id="ss"),
        pytest.param(
            ".-----.-----.\n| 1 . | . 4 |\n| . . | . . |\n:-----+-----:\n| . 3 | . . |\n"
            "| . . | . . |\n'-----'-----'",
            id="forum",
        ),
        pytest.param("#AAn author\n#DA description\n#LEasy\n1..4\n....\n.3..\n....", id="sdk"),
        pytest.param("[Puzzle]\n1..4\n....\n.3..\n....\n", id="section"),
        pytest.param("[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1234\n", id="sections"),
        pytest.param("Grid 01\n1004\n0000\n0300\n0000", id="title"),
        pytest.param("1,0,0,4\n0,0,0,0\n0,3,0,0\n0,0,0,0", id="commas"),
        pytest.param("1,,,4\n,,,\n,3,,\n,,,", id="commas and nothing between"),
    ],
)
def test_rows_of_other_programs(text):
    assert Grid.parse(text) == FOUR
    assert [piece for _, piece in pieces(text)] == [LINE]


def test_a_comment_of_ours_tells_the_box_shape_of_an_sdk_file():
    text = "#C2x3 boxes\n1....6\n......\n......\n......\n......\n6....1"
    assert SIX.format("sdk") == text
    assert Grid.parse(text) == SIX
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)
    assert message("#C9x9 boxes\n" + text).startswith("a 9x9 box is not possible")


def test_the_frame_tells_the_box_shape_of_an_ss_file():
    assert Grid.parse(SIX.format("ss")) == SIX
    ten = Grid((10, *[0] * 143), (3, 4))
    assert ten.format("ss").splitlines()[:2] == [
        f"*{'-' * 35}*",
        "|10  .  .  .| .  .  .  .| .  .  .  .|",
    ]
    assert Grid.parse(ten.format("ss")) == ten


def test_titled_grids_are_split():
    rows = FOUR.format("rows")
    assert pieces(f"Grid 01\n{rows}\nGrid 02\n{rows}\n") == [(2, LINE), (7, LINE)]


def test_only_the_puzzle_of_an_sdk_file_is_one():
    rows = FOUR.format("rows")
    assert pieces(f"[Puzzle]\n{rows}\n[State]\n{rows}\n[Puzzle]\n{rows}") == [(2, LINE), (12, LINE)]


# --- bad lines and rows -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        ("\n\r\n", "the text is empty; expected a puzzle"),
        ("." * 80, "the line has 80 characters; expected 81 for 9x9"),
        ("   ", "the line has 3 characters; expected 81 for 9x9"),
        ("1..4\n" * 3, "there are 3 rows of 4 cells: 1 row is missing"),
        ("1..4\n" * 6, "there are 6 rows of 4 cells: 2 rows are too many"),
        ("by hand\n" + "1..4\n" * 4, "'by hand' is not one of the 4 rows of 4 cells"),
        ("1..4\n....\n...\n", "row 1 has 4 cells, expected 3"),
        (
            f"{CLASSIC}\n{CLASSIC}",
            "the text holds several puzzles; expected one (a file may hold several:"
            " read_puzzles reads it)",
        ),
        ("1..4\n...\n....\n....", "row 2 has 3 cells, expected 4"),
        ("1 2 3 4\n1 2 3 4 5\n1 2 3 4\n1 2 3 4", "row 2 has 5 cells, expected 4"),
        ("." * 36, "a 6x6 grid leaves its box shape open: choose 1x6, 2x3, 3x2 or 6x1,"),
        ("......\n" * 6, "a 6x6 grid leaves its box shape open: choose 1x6,"),
        ("." * 40 + "?" + "." * 40, "unknown character '?' at position 41 (r5c5); expected 1 to 9"),
        (
            "1Q" + "." * 623,
            "unknown character 'Q' at position 2 (r1c2); expected A to Y alone, or 1 to",
        ),
        ("." * 80 + "A", "unknown character 'A' at position 81 (r9c9); expected 1 to 9, or one of"),
        (
            "1..5.....3......",
            "5 is over 4 at position 4 (r1c4); expected 1 to 4, or one of",
        ),
        ("1..4\n....\n.y..\n....", "unknown character 'y' at r3c2; expected 1 to 4"),
        ("1..4\n....\n.5..\n....", "5 is over 4 at r3c2; expected 1 to 4"),
        ("1 2 3 44\n" + ". . . .\n" * 3, "44 is over 4 at r1c4; expected 1 to 4"),
        ("9" * 5000 + " 1\n1 1", "unknown character '999"),
        (".\n" * 37, "the text has 37 rows; expected 1 to 36"),
        ("---+---\n---+---", "the text has 0 rows; expected 1 to 36"),
        ("|\n|", "the text has 0 rows; expected 1 to 36"),
        ("# a comment\n# another", "the text has only comments; expected a puzzle"),
    ],
)
def test_lines_and_rows_that_are_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_what_stands_beside_the_bars_is_not_passed_over():
    assert message("a|1|b", format="rows") == "row 1 has 3 cells, expected 1"
    assert Grid.parse("|1|", format="rows").rows == ((1,),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("." * 16, "the line has 16 characters; expected 36 for a 6x6 grid"),
        ("....\n" * 4, "2x3 boxes make a grid of 6 rows, but this one has 4"),
        ("[[_,_],[_,_]]", "2x3 boxes make a grid of 6 rows, but this one has 2"),
        ("initial(7,1,1).", "r7c1 holds 1: over 6, the size of the grid"),
    ],
)
def test_a_box_that_is_passed_has_to_fit(text, complaint):
    assert message(text, box=(2, 3)).startswith(complaint)


@settings(deadline=None, max_examples=300)
@given(
    st.one_of(
        st.text(max_size=100),
        st.text(alphabet="0123456789._-|+[]{}(),:\"' \ninitalcX%#", max_size=100),
        st.text(alphabet="1234.|-+ \n", max_size=60),
        st.builds("initial({})".format, st.text(alphabet="0123456789,.;+-*/() aX_\n", max_size=30)),
        st.builds("[[{}]]".format, st.text(alphabet="0123456789,[]_ \nnul", max_size=30)),
    )
)
def test_any_text_is_a_grid_or_an_invalid_puzzle(text):
    for box in (None, (2, 3)):
        with suppress(InvalidPuzzle):
            assert isinstance(Grid.parse(text, box=box), Grid)
    with suppress(InvalidPuzzle):
        assert all(line > 0 and part for line, part in split(text))
