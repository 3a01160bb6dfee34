"""Text to grid and back, in every format that people have; and what bad text is told."""

from __future__ import annotations

import json
import string
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import FORMATS, split, symbols

ENCODING = Path(__file__).resolve().parent.parent / "encodings" / "sudoku.lp"

CLASSIC = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
FOUR = Grid.parse("1..4.....3......")
SIX = Grid.parse("1....6" + "." * 24 + "6....1", box=(2, 3))

BOXES = [(r, c) for r in range(1, 37) for c in range(1, 37) if r * c <= 36]
SHAPES = [(1, 1), (1, 2), (2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (5, 2), (3, 4), (4, 4)]
SHAPES += [(5, 5), (4, 6), (6, 6)]

# These say the box shape; the others leave it open where boxes need not be square.
SHAPELY = {"facts", "answer", "clingo", "json", "dzn", "sdk"}


def message(text: str, **options: object) -> str:
    with pytest.raises(InvalidPuzzle) as caught:
        Grid.parse(text, **options)
    return str(caught.value)


# --- round trips ------------------------------------------------------------------------


@st.composite
def grids(draw: st.DrawFn) -> Grid:
    """Any cells at all: empty, sparse, or full of whatever digits."""
    box = draw(st.sampled_from(SHAPES))
    n = box[0] * box[1]
    filled = st.integers(1, n)
    cell = draw(st.sampled_from([st.just(0), filled, st.one_of(st.just(0), filled)]))
    if n <= 9:
        return Grid(tuple(draw(st.lists(cell, min_size=n * n, max_size=n * n))), box)
    # A large grid repeats a few drawn rows, or drawing it would take longer than reading it.
    rows = draw(st.lists(st.lists(cell, min_size=n, max_size=n), min_size=1, max_size=3))
    return Grid(tuple(digit for row in range(n) for digit in rows[row % len(rows)]), box)


@pytest.mark.parametrize("format", FORMATS)
@settings(deadline=None, max_examples=30)
@given(grid=grids())
def test_what_is_written_is_read_again(format, grid):
    text = grid.format(format)
    assert Grid.parse(text, box=grid.box) == grid
    assert Grid.parse(text, format=format, box=grid.box) == grid
    if format in SHAPELY or grid.box[0] == grid.box[1]:
        assert Grid.parse(text) == grid


@pytest.mark.parametrize("box", BOXES, ids=str)
def test_every_box_shape_is_written_and_read(box):
    n = box[0] * box[1]
    grid = Grid(tuple(digit % (n + 1) for digit in range(n * n)), box)
    assert {Grid.parse(grid.format(format), box=box) for format in FORMATS} == {grid}


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


def test_an_unknown_format_is_told_the_choices():
    with pytest.raises(ValueError, match="no format 'yaml'; choose one of line, rows, pretty"):
        FOUR.format("yaml")
    with pytest.raises(ValueError, match="no format 'yaml'"):
        Grid.parse("1", format="yaml")


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


# --- facts ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["initial", "sudoku", "numberAt", "given", "clue", "cell"])
def test_every_name_of_a_given(name):
    grid = Grid.parse(f"{name}(1,1,5). {name}(2,3,8).\n{name}( 9, 9, 9 ).")
    assert (grid.box, grid.givens) == ((3, 3), ((1, 1, 5), (2, 3, 8), (9, 9, 9)))


@pytest.mark.parametrize(
    ("text", "givens"),
    [
        ("initial(1,2,3). % initial(4,5,6).", [(1, 2, 3)]),
        ("%* initial(4,5,6).\n*% initial(1,2,3).", [(1, 2, 3)]),
        ("initial(1,1+1,3*1). #show initial/3.", [(1, 2, 3)]),
        ("initial(1,2,3). initial(1,2,3).", [(1, 2, 3)]),
        ("initial(1,2,3). row(1..9). digit(1;2). name(easy). -initial(1,2,4).", [(1, 2, 3)]),
        ("initial(1,2). initial(1,2,3). initial(1,2,3,4).", [(1, 2, 3)]),
        ("#program base. #defined sudoku/3. initial(1,2,3).", [(1, 2, 3)]),
        ("sudoku(1,2,3) sudoku(4,5,6)\n", [(1, 2, 3), (4, 5, 6)]),
        ("sudoku(1,2,3)\nsudoku(4,5,6) % an answer set", [(1, 2, 3), (4, 5, 6)]),
        ("%* here *% sudoku(1,2,3)", [(1, 2, 3)]),
        ("initial(1,2,0x3). % 4294967296 of them, caf\u00e9", [(1, 2, 3)]),
        ('initial(1,2,-(-3)). name("caf\u00e9 4294967296. initial(1,1,1)").', [(1, 2, 3)]),
    ],
)
def test_facts(text, givens):
    grid = Grid.parse(text)
    assert (grid.box, list(grid.givens)) == ((3, 3), givens)


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("initial(1,1,1).", (3, 3)),
        ("initial(10,1,1).", (4, 4)),
        ("initial(1,17,1).", (5, 5)),
        ("initial(1,1,36).", (6, 6)),
        ("#const dim=2. initial(1,1,1).", (2, 2)),
        ("subgrid_size(2). initial(1,1,1).", (2, 2)),
        ("#const box_rows=2. #const box_columns=3. initial(1,1,1).", (2, 3)),
        ("#const box_rows=3. [override]\n#const box_columns=2. [override]", (3, 2)),
        ("box_rows(3). box_columns(2). initial(1,1,1).", (3, 2)),
        (Grid.parse("1234342143122143").format("facts").partition("\n")[2], (2, 2)),
    ],
)
def test_facts_say_the_shape(text, box):
    assert Grid.parse(text).box == box


def test_a_box_that_is_passed_outweighs_what_facts_say():
    assert Grid.parse("#const dim=3. initial(1,1,1).", box=(2, 2)).box == (2, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("initial(1,1,5).\ninitial(1,1,6).", "line 2: initial(1,1,6), but r1c1 already holds 5"),
        ("initial(1,1,5).\ninitial(1,2,.", "line 2, column 13: syntax error, unexpected ."),
        ("initial(1,1,5)\ninitial(1,2,", "line 2: 'initial(1,2,' is no atom; expected one such"),
        ("a :- initial(1,1,5).", "line 1: a :- initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5).\n:- sudoku(1,1,1).", "line 2: #false :- sudoku(1,1,1). is a rule"),
        ("{ initial(1,1,5) }.", "line 1: { initial(1,1,5) }. is a rule; expected facts"),
        ("not initial(1,1,5).", "line 1: not initial(1,1,5). is a rule; expected facts"),
        ("initial(1,1,5). #external a.", "line 1: #external a. [false] is no fact"),
        ("initial(1,1,1..9).", "line 1: initial(1,1,(1..9)) is no plain fact"),
        ("initial(1,1,1;2,2,2).", "line 1: initial(1,1,1;2,2,2) is no plain fact"),
        ("initial(1,1,N).", "line 1: initial(1,1,N) is no plain fact"),
        ("initial(1,1,1/0).", "line 1: initial(1,1,(1/0)) is no plain fact"),
        ("initial(1,1,n).", "line 1: initial(1,1,n): n stands where a number from 1 up"),
        (
            "initial(1,1,4294967301).",
            "line 1: 4294967301 is over 2147483647, the largest number of clingo",
        ),
        ("\ninitial(1,1,0x100000005).", "line 2: 0x100000005 is over 2147483647"),
        (
            "initial(1,1,65536*65536+5).",
            "line 1: initial(1,1,((65536*65536)+5)): 4294967301 is over 2147483647",
        ),
        (
            f"initial(1,1,{'1+' * 2000}1).",
            "line 1: more than 50 operations make a number; expected 1 to 36",
        ),
        ("initial(1,1,5). \u00e9", "line 1: '\u00e9' is not read; expected facts"),
        ("initial(1,1,\u0665).", "line 1: '\u0665' is not read; expected facts"),
        ("initial(0,1,1).", "line 1: initial(0,1,1): 0 stands where a number from 1 up"),
        ("#const dim=none.", "line 1: none stands where a number from 1 up"),
        ("#const dim=2. initial(1,1,5).", "r1c1 holds 5: over 4, the size of the grid"),
        ("#const dim=2. initial(5,1,1).", "r5c1 holds 1: over 4, the size of the grid"),
        ("#const dim=7.", "a 7x7 box is not possible"),
        ("initial(37,1,1).", "37 is over 36, the largest size of a grid"),
        ("#const n=2. % initial(1,1,1).", "no givens here; expected facts such as initial(1,1,5)."),
        ("% initial(1,1,1).", "the text has only comments; expected a puzzle"),
        ('#include "more.lp". initial(1,1,5).', "line 1: '#include' is not read"),
        ("initial(1,1,5).\n\0initial(1,2,6).", "line 2: '\\x00' is not read; expected facts"),
        ("initial(1,1,5). % \udc80", "line 1: '\\udc80' is not read; expected facts"),
    ],
)
def test_facts_that_are_no_puzzle(text, complaint, capfd):
    assert message(text).startswith(complaint)
    assert capfd.readouterr() == ("", "")


def test_statements_that_would_overflow_the_parser_are_refused():
    complaint = message("initial(1,1,1).\ninitial(1,2," + "-" * 100_000 + "1).")
    assert complaint == "line 1: no full stop within 10000 characters; expected facts"


def test_long_answer_sets_are_read():
    atoms = " ".join(
        f"sudoku({x},{y},{(x + y) % 36 + 1})" for x in range(1, 37) for y in range(1, 37)
    )
    assert Grid.parse(atoms).size == 36


@pytest.mark.parametrize(
    "grid", [FOUR, SIX, Grid((1, *[0] * 35), (3, 2)), Grid((0,) * 16, (2, 2))], ids=str
)
def test_clingo_takes_the_shape_from_the_facts(grid, tmp_path):
    facts = tmp_path / "given.lp"
    facts.write_text(grid.format("facts"))
    command = [sys.executable, "-m", "clingo", ENCODING, facts, "1", "--outf=2"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.stderr == ""
    (witness,) = json.loads(done.stdout)["Call"][0]["Witnesses"]
    assert Grid.parse(" ".join(witness["Value"]), box=grid.box).is_solution_of(grid)


# --- prolog -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]]",
        "[[1,_,_,4],\n [_,_,_,_],\n [_,3,_,_],\n [_,_,_,_]].\n",
        "[ [1, _, _G12, 4], [_1, _2, _3, _4], [_Cell, 3, _, _], [_, _, _, _] ]",
        "problem(1, [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]]).",
        "problem(1, [[1,_,_,4],  % the first row\n[_,_,_,_],[_,3,_,_],[_,_,_,_]]).",
        "problem(four, [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]], 2-2).",
        "?- Puzzle = [[1,_,_,4],[_,_,_,_],[_,3,_,_],[_,_,_,_]], sudoku(Puzzle).",
    ],
)
def test_prolog(text):
    assert Grid.parse(text) == FOUR


def test_prolog_may_say_the_box_shape():
    rows = SIX.format("prolog")
    assert Grid.parse(f"problem(six, {rows}, 2-3).") == SIX
    assert Grid.parse(f"problem(six, {rows}, 2-3).", box=(3, 2)).box == (3, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[[1,_],[_,A]]", "r2c2 holds 'A'; expected a whole number"),
        ("[[1,_],[_,-1]]", "r2c2 holds '-1'; expected a whole number"),
        ("[[1,_],[_,5]], 1-2", "r2c2 holds 5; expected 1 to 2"),
        ("[[1,_],[_]]", "row 2 has 1 cells, expected 2"),
        ("problem(1, [1,_]).", "no list of rows here; expected [[5,3,_],...]"),
        ("[[1,_],[_,1", "no list of rows here; expected [[5,3,_],...]"),
        ("[[_,1],[1,_]], 9-9.", "a 9x9 box is not possible"),
    ],
)
def test_prolog_that_is_no_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- json -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        [[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]],
        [[1, None, None, 4], [None] * 4, [None, 3, None, None], [None] * 4],
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4]},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": [2, 2], "name": "x"},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": None},
        {"grid": "1..4.....3......"},
        {"grid": "1__4_____3______"},
        {"grid": ["1..4", "....", ".3..", "...."]},
        ["1..4", "____", "_3__", "____"],
        "1..4.....3......",
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json(value, indent):
    assert Grid.parse(json.dumps(value, indent=indent)) == FOUR


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"grid": [[1', "this is no JSON: "),
        ("{'grid': [[1]]}", "this is no JSON: "),
        ("{}", 'expected a key "grid" in the JSON object, not []'),
        ('{"rows": [[1]]}', "expected a key \"grid\" in the JSON object, not ['rows']"),
        ('{"grid": 5}', "the puzzle is 5; expected a sequence of cells"),
        ('{"grid": null}', "the puzzle is None; expected a sequence of cells"),
        ('{"grid": [[1]], "box": "3x3"}', "a box shape is two whole numbers"),
        ("[]", "there are no rows"),
        ("[1, 2]", "row 1 is 1; expected a sequence of cells"),
        ('[["1"]]', "r1c1 holds '1'; expected a whole number"),
        ("[[1.5]]", "r1c1 holds 1.5; expected a whole number"),
        ("[[NaN]]", "r1c1 holds nan; expected a whole number"),
        ("[[" + "9" * 5000 + "]]", "this is no JSON: "),
        ('{"grid": ' + "[" * 100_000, "this is no JSON: "),
    ],
)
def test_json_that_is_no_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- bad lines and rows -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        ("\n\r\n", "the text is empty; expected a puzzle"),
        ("." * 80, "the line has 80 characters; expected 81 for 9x9"),
        ("   ", "the line has 3 characters; expected 81 for 9x9"),
        ("1..4\n" * 3, "row 1 has 4 cells, expected 3"),
        (
            f"{CLASSIC}\n{CLASSIC}",
            "the text holds several puzzles; expected one (read_puzzles reads them all)",
        ),
        ("1..4\n...\n....\n....", "row 2 has 3 cells, expected 4"),
        ("1 2 3 4\n1 2 3 4 5\n1 2 3 4\n1 2 3 4", "row 2 has 5 cells, expected 4"),
        ("." * 36, "a 6x6 grid leaves its box shape open: give box=(rows, columns) (one of 1x6,"),
        ("......\n" * 6, "a 6x6 grid leaves its box shape open: give box=(rows, columns)"),
        ("." * 40 + "?" + "." * 40, "unknown character '?' at position 41 (r5c5); expected 1 to 9"),
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
def test_lines_and_rows_that_are_no_puzzle(text, complaint):
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


# --- many puzzles in one text -----------------------------------------------------------

LINE = "1..4.....3......"
ROWS = "1..4\n....\n.3..\n...."
PRETTY = FOUR.format("pretty")
PROLOG = FOUR.format("prolog")


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(LINE, [1], id="a line"),
        pytest.param(f"{LINE}\n{LINE}\n{LINE}", [1, 2, 3], id="lines"),
        pytest.param(f"# easy\n{LINE}\n\n% hard\n{LINE}\n", [2, 5], id="lines and comments"),
        pytest.param(f"{LINE} one\r\n{LINE} two\r\n", [1, 2], id="lines with names"),
        pytest.param(f"{LINE}\n" * 5, [1, 2, 3, 4, 5], id="as many lines as the rows of a grid"),
        pytest.param(ROWS, [1], id="rows"),
        pytest.param(f"{ROWS}\n\n{ROWS}\n \n{ROWS}", [1, 6, 11], id="blocks of rows"),
        pytest.param(f"Grid\n{ROWS}".replace("Grid", "# 01"), [2], id="a title"),
        pytest.param(f"# 1\n{ROWS}\n# 2\n{ROWS}\n", [2, 7], id="titles"),
        pytest.param(f"{PRETTY}\n\n{PRETTY}", [1, 7], id="pretty"),
        pytest.param(f"{' ' * 16}\n{ROWS}\n{' ' * 16}\n{ROWS}", [2, 7], id="lines of blanks"),
        pytest.param(f"{PROLOG}.\n{PROLOG}.", [1, 5], id="lists of rows"),
        pytest.param(
            f"% {LINE}\nproblem(1, {PROLOG}).\n\n% problem(0, [[_,_]]).\nproblem(2, {PROLOG}).",
            [2, 8],
            id="Prolog facts",
        ),
        pytest.param(f"\n{FOUR.format('facts')}\n", [1], id="facts"),
        pytest.param(json.dumps({"grid": FOUR.rows}, indent=1), [1], id="JSON"),
    ],
)
def test_split(text, lines):
    assert [(line, Grid.parse(puzzle)) for line, puzzle in split(text)] == [
        (line, FOUR) for line in lines
    ]


@pytest.mark.parametrize("number", [16, 81, 82, 256])
def test_split_is_not_misled_by_the_number_of_lines(number):
    assert len(list(split(f"{CLASSIC}\n" * number))) == number


def test_sixteen_rows_of_sixteen_are_one_grid():
    ((line, text),) = split(f"{'.' * 16}\n" * 16)
    assert (line, Grid.parse(text).size) == (1, 16)
    assert len(list(split(f"{'.' * 16}\n" * 16, box=(2, 2)))) == 16


@pytest.mark.parametrize("bad", ["1.2", "?" * 81, LINE[:-1]])
@pytest.mark.parametrize("at", range(4))
def test_bad_lines_among_good_ones_stand_alone(bad, at):
    lines = [CLASSIC] * 3
    lines.insert(at, bad)
    assert list(split("\n".join(lines))) == list(enumerate(lines, 1))


def test_lines_of_other_boxes():
    line = str(SIX)
    found = list(split(f"{line}\n" * 36, box=(2, 3)))
    assert [number for number, _ in found] == list(range(1, 37))
    assert {text for _, text in found} == {line}


def test_a_line_of_blanks_is_an_empty_puzzle():
    assert list(split(f"{CLASSIC}\n{' ' * 81}\n")) == [(1, CLASSIC), (2, " " * 81)]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the text is empty; expected a puzzle"),
        (" \n\n", "the text is empty; expected a puzzle"),
        ("# one\n% two\n\n", "the text has only comments; expected a puzzle"),
    ],
)
def test_nothing_to_split(text, complaint):
    with pytest.raises(InvalidPuzzle) as caught:
        list(split(text))
    assert str(caught.value) == complaint


def test_our_own_problems_are_read():
    problems = ENCODING.parent.parent / "prolog" / "sudoku" / "problems.pl"
    text = problems.read_text()
    grids = [Grid.parse(puzzle) for _, puzzle in split(text)]
    assert len(grids) == text.count("\nproblem(") - 1
    assert str(grids[0]).startswith("2...9...1")
