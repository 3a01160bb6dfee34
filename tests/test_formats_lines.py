"""Lines, rows and other shapes of text: digits from zero up, and many puzzles in one text."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest
from helpers.format_texts import CLASSIC, FOUR, LINE, SIX, message, pieces

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import read_puzzles, split, symbols

# --- lines ------------------------------------------------------------------------------


@pytest.mark.parametrize("empty", ".0_*xX- ")
def test_all_that_an_empty_cell_may_be(empty):
    assert Grid.parse("1..4.....3......".replace(".", empty)) == FOUR
    assert str(Grid.parse(empty * 81)) == "." * 81


@pytest.mark.parametrize(
    "alphabet",
    [
        "123456789ABCDEFG",
        "123456789abcdefg",
        "ABCDEFGHIJKLMNOPQRSTUVWXY",
        "123456789ABCDEFGHIJKLMNOP",
        "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ@",
    ],
)
def test_letters_are_digits_over_nine(alphabet):
    n = len(alphabet)
    for text in texts([list(alphabet), *[["."] * n] * (n - 1)]):
        grid = Grid.parse(text)
        assert (grid.rows[0], len(grid.givens)) == (tuple(range(1, n + 1)), n)
    assert symbols(n) == alphabet or alphabet in ("123456789abcdefg", "123456789ABCDEFGHIJKLMNOP")


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


MARKDOWN = "| 1 |   |   | 4 |\n|   |   |   |   |\n|   | 3 |   |   |\n|   |   |   |   |\n"


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
        "1..4\n....\n.3..\n....",
        "1 0 0 4\n0 0 0 0\n0 3 0 0\n0 0 0 0\n",
        "\n  1..4\n  ....\n  .3..\n  ....\n",
        "1  4\r\n....\r\n 3  \r\n....",
        "1__4\n----\n-3--\n----",
        "1.|.4\n..|..\n--+--\n.3|..\n..|..",
        "1 . | . 4\n. . | . .\n- - + - -\n. 3 | . .\n. . | . .",
        "+-----+-----+\n| 1 . | . 4 |\n| . . | . . |\n+-----+-----+\n| . 3 | . . |\n"
        "| . . | . . |\n+-----+-----+",
        "+---+---+\n|1  |  4|\n|   |   |\n+---+---+\n|  3|   |\n|   |   |\n+---+---+",  # Sage
        "+---+---+---+---+\n| 1 |   |   | 4 |\n+---+---+---+---+\n|   |   |   |   |\n"
        "+---+---+---+---+\n|   | 3 |   |   |\n+---+---+---+---+\n|   |   |   |   |\n"
        "+---+---+---+---+",
        "┌───┬───┐\n│1 .│. 4│\n│. .│. .│\n├───┼───┤\n│. 3│. .│\n│. .│. .│\n└───┴───┘",
        "╔═══╦═══╗\n║1 .║. 4║\n║. .║. .║\n╠═══╬═══╣\n║. 3║. .║\n║. .║. .║\n╚═══╩═══╝",
        "┏━━━┳━━━┓\n┃1 .┃. 4┃\n┃. .┃. .┃\n┣━━━╋━━━┫\n┃. 3┃. .┃\n┃. .┃. .┃\n┗━━━┻━━━┛",
        "*-----*\n|1.|.4|\n|..|..|\n|--+--|\n|.3|..|\n|..|..|\n*-----*",  # Simple Sudoku
        ".-----.-----.\n| 1 . | . 4 |\n| . . | . . |\n:-----+-----:\n| . 3 | . . |\n"
        "| . . | . . |\n'-----'-----'",
        "#AAn author\n#D a description\n#L easy\n1..4\n....\n.3..\n....",  # SudoCue
        "[Puzzle]\n1..4\n....\n.3..\n....\n[State]\n1234\n",
        "Grid 01\n1004\n0000\n0300\n0000",
        "1,0,0,4\n0,0,0,0\n0,3,0,0\n0,0,0,0",
        "1,,,4\n,,,\n,3,,\n,,,",
        MARKDOWN,
        f"| 1 | 2 | 3 | 4 |\n|---|---|---|---|\n{MARKDOWN}",
        f"| a | b | c | d |\n|:-:|:--|--:|---|\n{MARKDOWN}",
        f"|   |   |   |   |\n| - | - | - | - |\n{MARKDOWN}",
        *(
            f"{begin}\n{FOUR.format(format)}\n{end}\n"
            for begin, end in (("```", "```"), ("```text", "```"), ("[code]", "[/code]"))
            for format in ("line", "rows", "facts", "json", "prolog")
        ),
    ],
)
def test_every_way_to_write_a_grid(text):
    assert Grid.parse(text) == FOUR
    assert [piece for _, piece in pieces(text)] == [LINE]
    assert Grid.parse("1..4\n....\n\n.3..\n....") == FOUR  # read as one, split into two


def test_comments_and_frames_tell_the_box_shape():
    text = "#C2x3 boxes\n1....6\n......\n......\n......\n......\n6....1"
    assert SIX.format("sdk") == text
    assert Grid.parse(text) == SIX
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)
    assert message("#C9x9 boxes\n" + text).startswith("a 9x9 box is not possible")
    rule, middle, empty = "*-------*", "|---+---|", "|...|...|"
    lines = [rule, "|1..|..6|", empty, middle, empty, empty, middle, empty, "|6..|..1|", rule]
    assert Grid.parse("\n".join(lines)) == SIX


def test_grids_with_titles_and_of_sections_are_split():
    rows = FOUR.format("rows")
    assert pieces(f"Grid 01\n{rows}\nGrid 02\n{rows}\n") == [(2, LINE), (7, LINE)]
    assert pieces(f"[Puzzle]\n{rows}\n[State]\n{rows}\n[Puzzle]\n{rows}") == [(2, LINE), (12, LINE)]


# --- bad lines and rows -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        ("\n\r\n", "the text is empty; expected a puzzle"),
        ("." * 80, "the line has 80 characters; expected 81 for 9x9"),
        ("   ", "the line has 3 characters; expected 81 for 9x9"),
        (
            "1..4\n" * 3,
            "row 1 has 4 cells, but the grid has 3 rows; expected as many cells as",
        ),
        ("1..4\n" * 6, "row 1 has 4 cells, but the grid has 6 rows"),
        ("by hand\n" + "1..4\n" * 4, "row 1 has 2 cells, but the grid has 5 rows"),
        (
            f"{LINE}\n" * 2,
            "the text holds several puzzles; expected one (a file may hold",
        ),
        ("1..4\n...\n....\n....", "row 2 has 3 cells, but the grid has 4 rows"),
        ("1 2 3 4\n1 2 3 4 5\n1 2 3 4\n1 2 3 4", "row 2 has 5 cells, but the grid has 4 rows"),
        ("." * 36, "a 6x6 grid leaves its box shape open: choose 1x6, 2x3, 3x2 or 6x1,"),
        ("......\n" * 6, "a 6x6 grid leaves its box shape open: choose 1x6,"),
        ("." * 40 + "?" + "." * 40, "unknown character '?' at position 41 (r5c5); expected 1 to 9"),
        ("1Q" + "." * 623, "unknown character 'Q' at position 2 (r1c2); expected A to Y alone, or"),
        ("1..5.....3......", "5 is over 4 at position 4 (r1c4); expected 1 to 4, or one of"),
        ("1..4\n....\n.y..\n....", "unknown character 'y' at r3c2; expected 1 to 4"),
        ("1..4\n....\n.5..\n....", "5 is over 4 at r3c2; expected 1 to 4"),
        ("1 2 3 44\n" + ". . . .\n" * 3, "44 is over 4 at r1c4; expected 1 to 4"),
        ("9" * 5000 + " 1\n1 1", "unknown character '999"),
        (".\n" * 37, "there are more than 36 rows; expected 1 to 36"),
        ("---+---\n---+---", "there are 0 rows; expected 1 to 36"),
        ("# a comment\n# another", "the text has only comments; expected a puzzle"),
    ],
)
def test_lines_and_rows_that_are_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_what_stands_beside_the_bars_is_not_passed_over():
    assert message("a|1|b", format="rows").startswith("row 1 has 3 cells, but the grid has 1 row")
    assert Grid.parse("|1|", format="rows").rows == ((1,),)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("." * 16, "the line has 16 characters; expected 36 for 6x6"),
        ("....\n" * 4, "2x3 boxes make a grid of 6 rows, but this one has 4"),
        ("[[_,_],[_,_]]", "2x3 boxes make a grid of 6 rows, but this one has 2"),
        ("initial(7,1,1).", "r7c1 holds 1: over 6, the size of the grid"),
    ],
)
def test_a_box_that_is_passed_has_to_fit(text, complaint):
    assert message(text, box=(2, 3)).startswith(complaint)


# --- texts that would be grids of 1x1 or 2x2 ---


@pytest.mark.parametrize("text", ["1", "0", ".", "|1|", "12\n21", "1,0\n,", "....", "12|21"])
def test_no_text_is_taken_for_a_tiny_grid(text, tmp_path):
    assert "expected 81" in message(text)
    for ending in ("txt", "csv", "json", "lp"):
        file = tmp_path / f"tiny.{ending}"
        file.write_text(text)
        with pytest.raises(InvalidPuzzle, match=r"expected|not JSON"):
            list(read_puzzles(file))


@pytest.mark.parametrize(
    "text", ["[[1]]", '{"grid": [[1]]}', '{"puzzle": "1"}', '[["1"]]', "puzzle\n1", "x,puzzle\n0,1"]
)
def test_a_tiny_grid_has_to_state_its_boxes(text):
    assert "expected 81" in message(text)
    assert Grid.parse(text, box=(1, 1)).rows == ((1,),)


def test_tiny_grids_that_are_meant_are_read():
    for grid in (Grid((1,), (1, 1)), Grid((1, 2, 0, 0), (1, 2))):
        assert Grid.parse(str(grid), box=grid.box) == grid
        for form in ("json", "facts", "answer", "sdk"):
            assert Grid.parse(grid.format(form)) == grid
    assert Grid.parse("[[1]], 1-1").rows == Grid.parse("1", format="line", box=(1, 1)).rows


@pytest.mark.parametrize("separator", ",;\t")
@pytest.mark.parametrize("empty", ["", "0", " "])
@pytest.mark.parametrize("quoted", [False, True])
def test_a_grid_saved_by_a_spreadsheet(separator, empty, quoted, tmp_path):
    rows = [CLASSIC[at : at + 9].replace("5", ".") for at in range(0, 81, 9)]
    fields = [[empty if cell == "." else cell for cell in row] for row in rows]
    if quoted:
        fields = [[f'"{field}"' if field else "" for field in row] for row in fields]
    file = tmp_path / "sheet.csv"
    file.write_text("\r\n".join(separator.join(row) for row in fields) + "\r\n")
    assert list(read_puzzles(file)) == [Grid.parse("".join(rows))]
    assert Grid.parse(file.read_text()) == Grid.parse("".join(rows))


def sheets() -> Iterator[str]:
    """The same grid as programs export it, with headings, numbers of rows and decimal points."""
    rows = [[cell.replace(".", "") for cell in CLASSIC[at : at + 9]] for at in range(0, 81, 9)]
    floats = [[f"{cell}.0" if cell else "" for cell in row] for row in rows]
    for table in (rows, floats):
        plain = "\n".join(",".join(row) for row in table)
        numbered = "\n".join(f"{at},{','.join(row)}" for at, row in enumerate(table))
        yield plain
        yield f"{plain}\n,,,,,,,,\n"
        yield f"0,1,2,3,4,5,6,7,8\n{plain}\n"
        yield f"A,B,C,D,E,F,G,H,I\n{plain}\n"
        yield f"c1,c2,c3,c4,c5,c6,c7,c8,c9\n{plain}\n"
        yield f",0,1,2,3,4,5,6,7,8\n{numbered}\n"
    yield ",".join(cell for row in rows for cell in row)
    yield "\\begin{sudoku}\n" + "".join(f"|{'|'.join(row)}|.\n" for row in rows) + "\\end{sudoku}\n"
    yield str([int(cell or 0) for row in rows for cell in row])
    yield "int g[81] = {" + ",".join(cell or "0" for row in rows for cell in row) + "};"
    yield " ".join(cell or "123456789" for row in rows for cell in row)
    yield json.dumps({"board": [[int(cell or 0) for cell in row] for row in rows]})
    yield f"'{CLASSIC}'"
    yield f'"{CLASSIC}",'


@pytest.mark.parametrize("text", [*sheets()])
def test_what_programs_export(text, tmp_path):
    assert Grid.parse(text) == Grid.parse(CLASSIC)
    for ending in ("csv", "txt"):
        file = tmp_path / f"sheet.{ending}"
        file.write_text(text)
        assert list(read_puzzles(file)) == [Grid.parse(CLASSIC)]


def test_grids_of_pencil_marks_without_frames_follow_each_other():
    marked = Grid.parse(CLASSIC).format("pencil")
    rows = [line.replace("|", " ").split() for line in marked.splitlines() if line[0] == "|"]
    wide = "\n".join("".join(word.ljust(9) for word in row) for row in rows)
    for between in ("\n", "\n\n", "\n# next\n"):
        found = list(read_puzzles(between.join([wide] * 3).splitlines()))
        assert found == [Grid.parse(marked)] * 3


# === Grids over 9x9 whose digits begin with 0, such as 0-F, and grids in which 0 is empty =========

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
        assert Grid.parse(text) == ORDINARY


@pytest.mark.parametrize(
    "symbols",
    [HEX, HEX.lower(), "0123456789ABCDEFGHIJKLMNO", "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"],
)
def test_a_full_grid_with_0_in_every_row_and_column_has_the_digit_0(symbols):
    first = tuple(range(1, len(symbols) + 1))
    for text in texts(full(symbols)):
        grid = Grid.parse(text)
        assert grid.rows[0] == first
        assert grid.is_solution_of(grid)
    for text in texts(with_holes(full(symbols), ".")):
        assert Grid.parse(text).rows[0][:4] == (1, 2, 3, 0)


def test_numbers_from_0_to_15():
    rows = with_holes(full(HEX), ".")
    numbers = [[cell if cell == "." else str(int(cell, 16)) for cell in row] for row in rows]
    assert Grid.parse("\n".join(map(" ".join, numbers))) == ORDINARY
    assert Grid.from_rows(numbers) == ORDINARY


@pytest.mark.parametrize("symbols", ["123456789ABCDEFG", "123456789abcdefg"])
@pytest.mark.parametrize("one", "0.", ids=["the only mark", "the last letter shows it"])
def test_0_is_empty(symbols, one):
    rows = with_holes(full(symbols), "0")
    rows[0][3] = one
    for text in texts(rows):
        assert Grid.parse(text) == ORDINARY


def test_0_is_empty_if_no_g_is_given_but_rows_hold_several():
    rows = with_holes(full("123456789ABCDEFG"), "0")
    for text in texts([["0" if cell == "G" else cell for cell in row] for row in rows]):
        assert max(Grid.parse(text).digits) == 15
        assert Grid.parse(text).digits.count(0) > 60


def test_where_it_is_not_certain_the_text_is_refused():
    rows = [["0" if cell == "G" else cell for cell in row] for row in full("123456789ABCDEFG")]
    rows[3] = ["0"] * 8 + ["."] * 8
    for text in texts(rows):
        assert message(text).startswith("0 and another mark for empty cells are both here, and 0 ")


def test_up_to_9x9_0_is_always_empty():
    assert Grid.parse("0123.3011032321.").rows[0] == (0, 1, 2, 3)


def test_x_is_a_digit_where_X_is_one():
    for text in texts(with_holes(full("ABCDEFGHIJKLMNOPQRSTUVWXY"), ".")):
        assert Grid.parse(text.lower()) == Grid.parse(text)


# === Many puzzles in one text: where each begins, and the message if there are none ===============

ROWS = "1..4\n....\n.3..\n...."
PRETTY = FOUR.format("pretty")
PROLOG = FOUR.format("prolog")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (LINE, [1]),
        (f"{LINE}\n{LINE}\n{LINE}", [1, 2, 3]),
        (f"# easy\n{LINE}\n\n% hard\n{LINE}\n", [2, 5]),
        (f"{LINE} one\r\n{LINE} two\r\n", [1, 2]),
        (f"{LINE}\n" * 5, [1, 2, 3, 4, 5]),  # as many lines as the rows of a grid
        (ROWS, [1]),
        (f"{ROWS}\n\n{ROWS}\n \n{ROWS}", [1, 6, 11]),
        (f"# 1\n{ROWS}\n# 2\n{ROWS}\n", [2, 7]),
        (f"{PRETTY}\n\n{PRETTY}", [1, 7]),
        (f"{' ' * 16}\n{ROWS}\n{' ' * 16}\n{ROWS}", [2, 7]),
        (f"{PROLOG}.\n{PROLOG}.", [1, 5]),
        (
            f"% {LINE}\nproblem(1, {PROLOG}).\n\n% problem(0, [[_,_]]).\nproblem(2, {PROLOG}).",
            [2, 8],
        ),
        (f"\n{FOUR.format('facts')}\n", [1]),
        (json.dumps({"grid": FOUR.rows}, indent=1), [1]),
    ],
)
def test_split(text, lines):
    assert [(line, Grid.parse(puzzle)) for line, puzzle in split(text)] == [
        (line, FOUR) for line in lines
    ]


def test_lists_that_might_be_json_and_what_follows_json():
    full = Grid.parse("1234341221434321").format("prolog")
    assert list(split(f"{full}\n\n{full}")) == [(1, full), (6, full)]
    assert message(f'{{\n"grid": "{LINE}"}} x').startswith("this is not JSON: Extra data: line 2")


def test_split_is_not_misled_by_the_number_of_lines():
    for number in (16, 35, 37, 72, 81, 82, 256):
        for line in (CLASSIC, f"{SIX} by hand"):
            assert len(list(split(f"{line}\n" * number))) == number
    assert len(list(split(f"{LINE}\n" * 500))) == 500
    ((line, text),) = split(f"{'.' * 16}\n" * 16)  # one grid
    assert (line, Grid.parse(text).size) == (1, 16)
    assert len(list(split(f"{'.' * 16}\n" * 16, box=(2, 2)))) == 16
    assert list(split(f"{CLASSIC}\n{' ' * 81}\n")) == [(1, CLASSIC), (2, " " * 81)]


@pytest.mark.parametrize("bad", ["1.2", "?" * 81, LINE[:-1]])
@pytest.mark.parametrize("at", range(4))
def test_bad_lines_among_good_ones_stand_alone(bad, at):
    lines = [CLASSIC] * 3
    lines.insert(at, bad)
    assert list(split("\n".join(lines))) == list(enumerate(lines, 1))


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        (" \n\n", "the text is empty; expected a puzzle"),
        ("# one\n% two\n\n", "the text has only comments; expected a puzzle"),
    ],
)
def test_nothing_to_split(text, complaint):
    for read in (split, read_puzzles):
        for source in (text, text.splitlines(keepends=True))[read is read_puzzles :]:
            with pytest.raises(InvalidPuzzle, match=f"^{complaint}$"):
                list(read(source))
    if "#" in text:
        with pytest.raises(InvalidPuzzle, match=f"^{complaint}$"):
            list(split(text, format="rows"))


def test_many_short_rows_are_refused_before_they_are_cut_into_words(monkeypatch):
    monkeypatch.setattr("pylogic_sudoku.formats.rows._row_words", lambda *_: pytest.fail("cut"))
    with pytest.raises(InvalidPuzzle, match="there are more than 36 rows"):
        Grid.parse("1 2 3\n" * 2000)


def test_a_table_with_other_headings_is_read_where_the_puzzles_are():
    rows = f"source,question,answer\na,{LINE},\nb,{LINE},\n"
    assert [str(each) for each in read_puzzles(rows.splitlines(), "csv")] == [LINE] * 2
