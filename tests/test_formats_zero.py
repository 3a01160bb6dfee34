"""Grids over 9x9 whose digits begin with 0, such as 0-F, and grids in which 0 is empty."""

from __future__ import annotations

import pytest
from helpers.format_texts import message

from pylogic_sudoku import Grid

HEX = "0123456789ABCDEF"


def full(symbols: str) -> list[list[str]]:
    """The rows of a solution."""
    side = int(len(symbols) ** 0.5)
    n = len(symbols)
    return [
        [symbols[(side * (row % side) + row // side + column) % n] for column in range(n)]
        for row in range(n)
    ]


def with_holes(rows: list[list[str]], empty: str) -> list[list[str]]:
    return [
        [
            empty if (row * len(cells) + column) % 5 == 3 else cell
            for column, cell in enumerate(cells)
        ]
        for row, cells in enumerate(rows)
    ]


def texts(rows: list[list[str]]) -> list[str]:
    """A line, rows, and rows of words."""
    return [
        "".join(map("".join, rows)),
        "\n".join(map("".join, rows)),
        "\n".join(map(" ".join, rows)),
        "\n".join("|".join(row) for row in rows),
    ]


ORDINARY = Grid.parse("".join(map("".join, with_holes(full("123456789ABCDEFG"), "."))))


@pytest.mark.parametrize("empty", "._*-x")
@pytest.mark.parametrize("small", [False, True], ids=["", "small letters"])
def test_0_beside_another_mark_for_empty_cells_is_a_digit(empty, small):
    for text in texts(with_holes(full(HEX), empty)):
        text = text.lower() if small else text
        assert Grid.parse(text) == Grid.parse(text, "hex") == ORDINARY


@pytest.mark.parametrize("symbols", [HEX, "0123456789ABCDEFGHIJKLMNO", "0123456789abcdef"])
def test_a_full_grid_with_0_in_every_row_and_column_has_the_digit_0(symbols):
    first = tuple(range(1, len(symbols) + 1))
    for text in texts(full(symbols)):
        grid = Grid.parse(text)
        assert grid.rows[0] == first
        assert grid.is_solution_of(grid)


@pytest.mark.parametrize(
    "symbols", ["0123456789ABCDEFGHIJKLMNO", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"]
)
def test_other_sizes(symbols):
    for text in texts(with_holes(full(symbols), ".")):
        assert Grid.parse(text).rows[0][:4] == (1, 2, 3, 0)


def test_numbers_from_0_to_15():
    rows = full(HEX)
    numbers = [
        [cell if cell == "." else str(int(cell, 16)) for cell in row]
        for row in with_holes(rows, ".")
    ]
    text = "\n".join(map(" ".join, numbers))
    assert Grid.parse(text) == ORDINARY
    assert Grid.from_rows(numbers) == ORDINARY


@pytest.mark.parametrize("symbols", ["123456789ABCDEFG", "123456789abcdefg"])
def test_0_is_empty_if_it_is_the_only_mark(symbols):
    for text in texts(with_holes(full(symbols), "0")):
        assert Grid.parse(text) == ORDINARY


def test_0_is_empty_if_no_g_is_given_but_rows_hold_several():
    rows = with_holes(full("123456789ABCDEFG"), "0")
    for text in texts([["0" if cell == "G" else cell for cell in row] for row in rows]):
        assert max(Grid.parse(text).digits) == 15
        assert Grid.parse(text).digits.count(0) > 60


def test_0_is_empty_if_the_last_letter_shows_it():
    rows = with_holes(full("123456789ABCDEFG"), "0")
    rows[0][3] = "."
    for text in texts(rows):
        assert Grid.parse(text) == ORDINARY


def test_where_it_is_not_certain_the_text_is_refused():
    rows = [["0" if cell == "G" else cell for cell in row] for row in full("123456789ABCDEFG")]
    rows[3] = ["0"] * 8 + ["."] * 8
    for text in texts(rows):
        assert message(text) == (
            "0 and another mark for empty cells are both here, and no G: give format 'hex' if 0 is"
            " a digit, or else write all empty cells alike"
        )
        assert Grid.parse(text, "hex").rows[3] == (1,) * 8 + (0,) * 8


def test_up_to_9x9_0_is_always_empty():
    assert Grid.parse("0123.3011032321.").rows[0] == (0, 1, 2, 3)
    assert Grid.parse("0123.3011032321.", "hex").rows[0] == (1, 2, 3, 4)


def test_what_the_app_opensudoku_writes_has_0_for_empty_cells():
    cells = tuple(0 if digit == 16 else digit for row in full_numbers() for digit in row)
    grid = Grid(cells, (4, 4))
    assert Grid.parse(grid.format("opensudoku")) == grid


def full_numbers() -> list[list[int]]:
    return [[HEX.index(cell) + 1 for cell in row] for row in full(HEX)]


def test_a_symbol_beyond_the_last_is_refused_in_hex():
    assert message("G" + "." * 255, format="hex") == (
        "unknown character 'G' at position 1 (r1c1); expected 0 to F, or one of ._*xX- for an"
        " empty cell"
    )
    assert message("16 " + ". " * 15 + "\n" + (". " * 16 + "\n") * 15, format="hex").startswith(
        "16 is over 16 at r1c1; expected 0 to 15, 0 to F"
    )


# --- the same of x, which is a letter of large grids ----------------------------------------


@pytest.mark.parametrize("empty", ".0_")
def test_x_among_small_letters_is_a_digit(empty):
    rows = with_holes(full("abcdefghijklmnopqrstuvwxy"), empty)
    for text in texts(rows):
        assert Grid.parse(text) == Grid.parse(text.upper())
        assert 24 in Grid.parse(text).digits


def test_x_is_empty_if_it_is_the_only_mark():
    rows = with_holes(full("ABCDEFGHIJKLMNOPQRSTUVWXY"), "x")
    for text in texts([[cell if cell in "xX" else cell.lower() for cell in row] for row in rows]):
        assert Grid.parse(text).rows[0][:4] == (1, 2, 3, 0)


def test_if_x_may_be_either_the_text_is_refused():
    rows = with_holes(full("abcdefghijklmnopqrstuvwxy"), ".")
    rows[0][:2] = "xx"
    for text in texts(rows):
        assert message(text).startswith("x and another mark for empty cells are both here")
