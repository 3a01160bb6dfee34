"""Output of other programs, and text pasted from spreadsheets, forums and browsers."""

from __future__ import annotations

import pytest
from helpers.format_texts import CLASSIC, FOUR, LINE, message, pieces

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import split

NINE = Grid.parse(CLASSIC)
ROWS = [CLASSIC[at : at + 9] for at in range(0, 81, 9)]
PY_SUDOKU = """
---------------------------
4x4 (2x2) SUDOKU PUZZLE
Difficulty: 0.50
---------------------------
+-----+-----+
| 1   |   4 |
|     |     |
+-----+-----+
|   3 |     |
|     |     |
+-----+-----+

"""
# py-sudoku says width x height: boxes of 3 columns and 2 rows.
PY_SUDOKU_6 = """---------------------------
6x6 (3x2) SUDOKU PUZZLE
Difficulty: SOLVED
---------------------------
+-------+-------+
| 1     |     6 |
|       |       |
+-------+-------+
|       |       |
|       |       |
+-------+-------+
|       |       |
| 6     |     1 |
+-------+-------+
"""


# --- frames, tables, spreadsheets -------------------------------------------------------


def test_what_py_sudoku_prints():
    assert Grid.parse(PY_SUDOKU) == FOUR
    assert pieces(PY_SUDOKU * 3) == [(5, LINE), (18, LINE), (31, LINE)]
    assert Grid.parse(PY_SUDOKU_6) == Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))


def test_large_grids_of_py_sudoku_have_wide_cells():
    rule = "+-------------" * 4 + "+\n"
    row = "|          16 " + "|             " * 2 + "|  3          |\n"
    blank = "|             " * 4 + "|\n"
    text = rule + (row + blank * 3 + rule) + (blank * 4 + rule) * 3
    grid = Grid.parse(text)
    assert (grid.box, grid.givens) == ((4, 4), ((1, 4, 16), (1, 13, 3)))


def test_the_rules_of_a_diagonal_sudoku_are_not_ours():
    text = PY_SUDOKU.replace("SUDOKU", "DIAGONAL SUDOKU")
    assert message(text) == "a diagonal sudoku has more rules than a sudoku, and is not read"
    with pytest.raises(InvalidPuzzle, match="a diagonal sudoku has more rules"):
        list(split(text))


def test_a_frame_of_sage():
    text = "+---+---+\n|1  |  4|\n|   |   |\n+---+---+\n|  3|   |\n|   |   |\n+---+---+"
    assert Grid.parse(text) == FOUR


@pytest.mark.parametrize("stripped", [False, True], ids=["", "tabs at ends of lines gone"])
def test_cells_of_a_spreadsheet(stripped):
    lines = ["\t".join("" if cell == "." else cell for cell in row) for row in ROWS]
    if stripped:
        lines = [line.rstrip("\t") for line in lines]
    text = "\n".join(lines) + "\n"
    assert Grid.parse(text) == NINE
    assert [line for line, _ in split(f"{text}\n{text}")] == [1, 11]
    assert [Grid.parse(piece) for _, piece in split(f"{text}\n{text}")] == [NINE, NINE]


def test_an_empty_row_of_a_spreadsheet_is_a_row():
    assert Grid.parse("1\t\t\t4\n\t\t\t\n\t3\t\t\n\t\t\t") == FOUR
    assert Grid.parse("\t\t\t\n\t1\t\t\n\t\t\t\n4\t\t\t\n").givens == ((2, 2, 1), (4, 1, 4))


def test_tabs_alone_are_not_a_puzzle():
    rows = FOUR.format("rows")
    assert pieces(f"{rows}\n\t\n{rows}") == [(1, LINE), (6, LINE)]
    assert [piece for _, piece in pieces(f"\t\n{rows}\n\n \t\n")] == [LINE]
    assert [Grid.parse(piece) for _, piece in split(f"\t\n{CLASSIC}\n\t\n{CLASSIC}")] == [NINE] * 2


def test_numbers_of_a_spreadsheet_are_not_taken_apart():
    # Eight numbers of two digits look like sixteen cells.
    row = "10\t\t12\t\t13\t\t14\t\t15\t\t16\t\t11\t\t10\t"
    grid = Grid.parse("\n".join([row] + ["\t" * 15] * 15))
    assert grid.rows[0] == (10, 0, 12, 0, 13, 0, 14, 0, 15, 0, 16, 0, 11, 0, 10, 0)
    text = "\n".join([" ".join(row.split())] + [". " * 16] * 15)
    assert message(text) == "row 1 has 8 cells, expected 16"


@pytest.mark.parametrize("separator", ["\t", ",", ", "])
@pytest.mark.parametrize("empty", ["", "0"])
def test_a_line_of_81_cells_apart(separator, empty):
    text = separator.join(empty if cell == "." else cell for cell in CLASSIC)
    assert Grid.parse(text) == NINE


@pytest.mark.parametrize("separator", [",", ";"])
@pytest.mark.parametrize("last", [True, False], ids=["one more at the end", "none at the end"])
def test_rows_of_a_table(separator, last):
    lines = [separator.join("" if cell == "." else cell for cell in row) for row in ROWS]
    assert Grid.parse("\n".join(line + separator * last for line in lines)) == NINE


@pytest.mark.parametrize(
    "head",
    [
        pytest.param("", id="no heading"),
        pytest.param("| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n", id="numbers"),
        pytest.param("| a | b | c | d |\n|:-:|:--|--:|---|\n", id="letters"),
        pytest.param("|   |   |   |   |\n| - | - | - | - |\n", id="nothing"),
    ],
)
def test_a_table_in_markdown(head):
    rows = "| 1 |   |   | 4 |\n|   |   |   |   |\n|   | 3 |   |   |\n|   |   |   |   |\n"
    assert Grid.parse(head + rows) == FOUR


# --- forums -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("begin", "end"), [("```", "```"), ("```text", "```"), ("[code]", "[/code]")]
)
@pytest.mark.parametrize("format", ["line", "rows", "facts", "json", "prolog"])
def test_fences_of_code_are_passed_over(begin, end, format):
    text = f"{begin}\n{FOUR.format(format)}\n{end}\n"
    assert Grid.parse(text) == FOUR
    assert pieces(text)[0][1] == LINE


def test_marks_of_editors_and_characters_of_other_keyboards():
    wide = CLASSIC.translate({ord(digit): ord(digit) + 0xFEE0 for digit in "123456789."})
    assert Grid.parse(wide) == Grid.parse(f"\ufeff{CLASSIC}") == NINE
    assert Grid.parse(CLASSIC.replace(".", "\u00a0")) == NINE
    assert Grid.parse("\r\n".join("\u2007".join(row) for row in ROWS)) == NINE
    assert message("\u0665" + CLASSIC[1:]).startswith("unknown character '\u0665' at position 1")


# --- HoDoKu and SudokuWiki --------------------------------------------------------------


LIBRARY = f":0361:4:{CLASSIC}:434 441 442:411:r7c39 r6c1b9 fr3c3"


def test_a_line_of_hodokus_library():
    assert Grid.parse(f":0000:x:{CLASSIC}:::") == Grid.parse(LIBRARY) == NINE
    assert [Grid.parse(piece) for _, piece in split(f"# fish\n{LIBRARY}\n{LIBRARY}\n")] == [
        NINE
    ] * 2


def test_digits_that_a_player_has_placed_are_not_givens():
    played = CLASSIC.replace(".", "+4", 1)
    assert Grid.parse(f":0000:x:{played}:::") == NINE


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (":0000:x:53..7:::", "the third field, between colons, has 5 cells; expected 81"),
        (":0:x:" + "." * 80 + "?:::", "unknown character '?' at position 81 (r9c9)"),
    ],
)
def test_a_library_line_that_holds_no_puzzle(line, complaint):
    assert message(line).startswith(complaint)


@pytest.mark.parametrize(
    "link",
    [
        "https://www.sudokuwiki.org/sudoku.htm?bd=",
        "http://sudokuwiki.org/Sudoku?bd=",
        "https://www.sudokuwiki.org/sudoku.htm?n=5&bd=",
    ],
)
def test_a_link_to_sudokuwiki(link):
    assert Grid.parse(link + CLASSIC.replace(".", "0")) == NINE
    assert [Grid.parse(piece) for _, piece in split(f"{link}{CLASSIC}\n" * 3)] == [NINE] * 3


@pytest.mark.parametrize(
    ("link", "complaint"),
    [
        (
            "https://www.sudokuwiki.org/sudoku.htm?bd=S9B" + "0a" * 81,
            "bd=S9B0a0a0a0a0a0a0a0a0... has",
        ),
        ("https://www.sudokuwiki.org/sudoku.htm?bd=", "bd=... has 0 characters; expected 81"),
        (f"https://www.sudokuwiki.org/killersudoku.htm?bd={CLASSIC}", "this link is not read"),
        (
            "https://f-puzzles.com/?load=N4IgzglgXgpiBcBOANCALhNAb",
            "the compressed data end too early",
        ),
        (
            "https://example.com/?load=N4IgzglgXgpiBcBOANCALhNAb",
            "this link is not read; expected",
        ),
    ],
)
def test_a_link_that_is_not_read_says_which_ones_are(link, complaint):
    assert message(link).startswith(complaint)


# --- pencil marks -----------------------------------------------------------------------


def test_pencil_marks_are_recognized_by_their_number():
    text = NINE.format("pencil")
    assert Grid.parse(text) == Grid.parse(text, "pencil")
    assert [cell for cell in zip(NINE.cells, Grid.parse(text).cells, strict=True) if cell[0]] == [
        (digit, digit) for digit in NINE.cells if digit
    ]
    assert [line for line, _ in split(f"{text}\n\n{text}")] == [1, 15]


def test_pencil_marks_without_a_frame():
    assert Grid.parse("1 23 23 4\n234 124 123 123\n24 3 124 12\n24 124 1234 123") == FOUR


def test_a_slip_of_the_pen_is_not_a_pencil_mark():
    text = "1 2 3 4\n3 4 1 2\n2 13 4 3\n4 3 2 1"
    assert message(text) == (
        "13 is over 4 at r3c2; expected 1 to 4, or one of .0_*xX- for an empty cell (pencil marks?"
        " give format 'pencil')"
    )
    assert Grid.parse(text, "pencil").rows[2] == (2, 0, 4, 3)


@pytest.mark.parametrize("word", ["11", "10", "1?", "15"])
def test_pencil_marks_are_digits_and_each_is_there_once(word):
    text = FOUR.format("pencil").replace("234 ", f"{word} ", 1)
    assert message(text, format="pencil") == (
        f"'{word}' at r2c1 is neither a digit nor pencil marks"
    )


def test_pencil_marks_of_large_grids_are_letters():
    grid = Grid((16, *[0] * 255), (4, 4))
    text = grid.format("pencil")
    assert text.splitlines()[1].split()[:3] == ["|", "G", "123456789ABCDEF"]
    assert Grid.parse(text) == grid


def test_a_cell_that_no_digit_fits_is_a_dot():
    grid = Grid.parse("123....4........")
    assert grid.format("pencil").splitlines()[1].split() == ["|", "1", "2", "|", "3", ".", "|"]
