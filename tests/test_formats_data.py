"""Puzzles in files of data: JSON, MiniZinc, tables and OpenSudoku's XML."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest
from helpers.format_texts import FOUR, LINE, SIX, SOLUTIONS, message, pieces

from pylogic_sudoku import Grid, InvalidPuzzle
from pylogic_sudoku.formats import split

# --- json -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value",
    [
        [[1, 0, 0, 4], [0, 0, 0, 0], [0, 3, 0, 0], [0, 0, 0, 0]],
        [[1, None, None, 4], [None] * 4, [None, 3, None, None], [None] * 4],
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4]},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": [2, 2], "title": ""},
        {"grid": [[1, 0, 0, 4], [0] * 4, [0, 3, 0, 0], [0] * 4], "box": None},
        {"grid": "1..4.....3......"},
        {"grid": "1__4_____3______"},
        {"grid": ["1..4", "....", ".3..", "...."]},
        ["1..4", "____", "_3__", "____"],
        "1..4.....3......",
        [["1", "", ".", "4"], ["0"] * 4, ["_", "3", " ", None], [float("nan"), 0.0, 0, "-"]],
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_json(value, indent):
    assert Grid.parse(json.dumps(value, indent=indent)) == FOUR


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"grid": [[1', "this is not JSON: "),
        ("{'grid': [[1]]}", "this is not JSON: "),
        ("{}", 'expected a key "grid" in the JSON object, not []'),
        ('{"rows": [[1]]}', "expected a key \"grid\" in the JSON object, not ['rows']"),
        ('{"grid": 5}', "the puzzle is 5; expected a list of rows"),
        ('{"grid": [[1]], "regoins": 5}', "unknown key 'regoins'; expected box, grid, regions, "),
        ('{"grid": null}', "the puzzle is None; expected a list of rows"),
        ('{"grid": [[1]], "box": "3x3"}', "a box shape is two whole numbers"),
        ("[]", "there are no rows"),
        ("[1, 2]", "row 1 is 1; expected a list of cells"),
        ('[["?"]]', "r1c1 holds '?'; expected a whole number"),
        ('[["2"]]', "r1c1 holds '2'; expected 1 to 1, or 0 for empty"),
        ("[[1.5]]", "r1c1 holds 1.5; expected a whole number"),
        ("[[Infinity]]", "r1c1 holds inf; expected a whole number"),
        ("[[true]]", "r1c1 holds True; expected a whole number"),
        ("[[{}]]", "r1c1 holds {}; expected a whole number"),
        ('[{"a": 1}]', "row 1 is {'a': 1}; expected a list, which has an order"),
        ("[[" + "9" * 5000 + "]]", "this JSON is not read: it holds a number of thousands of"),
        ('{"grid": ' + "[" * 100_000, "this JSON is not read: it holds"),
    ],
)
def test_json_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_json_lines():
    one, two = json.dumps(FOUR.rows), json.dumps({"puzzle": FOUR.rows, "box": [2, 2]})
    assert pieces(f"\n{one}\n\n{two}\n") == [(2, LINE), (4, LINE)]
    assert [line for line, _ in split(f"{one}\nbad\n{two}")] == [1, 2, 3]


def test_a_json_list_of_puzzles():
    text = json.dumps([{"grid": FOUR.rows}, {"puzzle": LINE}], indent=1)
    assert pieces(text) == [(1, LINE), (1, LINE)]


# --- MiniZinc ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "[|1,0,0,4|0,0,0,0|0,3,0,0|0,0,0,0|]",
        "% by hand\nS=2;\nstart=[|\n1,_,_,4,|\n_,_,_,_,|\n_,3,_,_,|\n_,_,_,_,|];\n",
        "puzzle = [| 1, <>, <>, 4 | 0,0,0,0 | 0,3,0,0 | 0,0,0,0 |]; /* [| 9 |] */",
        "/* [|9|] */ int: n = 4;\narray[1..n, 1..n] of int: p = array2d(1..n, 1..n,\n"
        "[1,_,_,4, % row 1\n _,_,_,_, _,3,_,_, _,_,_,_]);",
    ],
)
def test_dzn(text):
    assert Grid.parse(text) == FOUR


def test_each_array_of_a_dzn_file_has_its_box_shape():
    array = SIX.format("dzn").partition("\n")[2].partition("\n")[2]
    text = f"box_rows = 2;\n{array}\nbox_columns = 3;\n{array}"
    assert [(line, Grid.parse(piece)) for line, piece in split(text)] == [(2, SIX), (9, SIX)]
    assert Grid.parse(text, box=(3, 2)).box == (3, 2)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("[|1,2|3|]", "row 2 has 1 cell, expected 2 as there are 2 rows"),
        ("[|1,x|2,1|]", "r1c2 holds 'x'; expected a whole number"),
        ("[|1,-1|2,1|]", "r1c2 holds '-1'; expected a whole number"),
        ("x = array2d(1..2, 1..2, [1,2,3]);", "the array has 3 numbers; expected 81 for 9x9"),
        ("x = array2d(1..0, 1..0, []);", "the array has 0 numbers; expected 81 for 9x9"),
        ("[||]", "row 1 has 0 cells, expected 1"),
        (f"[|{'|'.join(['0,0,0,0,0,0'] * 6)}|]", "a 6x6 grid leaves its box shape open"),
    ],
)
def test_dzn_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


# --- tables -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        pytest.param(f"quizzes,solutions\n{LINE},x\n{LINE},y\n", [2, 3], id="quizzes"),
        pytest.param(f"id,Puzzle,solution,clues\n7,{LINE},z,3\n", [2], id="by name"),
        pytest.param(f'"id";"puzzle"\r\n"7";"{LINE}"\r\n', [2], id="semicolons and quotes"),
        pytest.param(f"puzzle\tsolution\n{LINE}\t{LINE}", [2], id="tabs"),
        pytest.param(f"{LINE},{SOLUTIONS[0]}\n{LINE},{SOLUTIONS[1]}", [1, 2], id="no heading"),
        pytest.param(f"puzzle\n{LINE}\n\npuzzle\n{LINE}\n", [2, 5], id="joined tables"),
    ],
)
def test_csv(text, lines):
    assert Grid.parse(text) == FOUR
    assert pieces(text) == [(line, LINE) for line in lines]


def test_a_table_of_grids_that_leave_their_shape_open():
    text = f"puzzle\n{SIX}\n{SIX}"
    assert [Grid.parse(piece, box=(2, 3)) for _, piece in split(text)] == [SIX, SIX]
    assert message(text).startswith("a 6x6 grid leaves its box shape open")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("quizzes,solutions\n", "the table has no rows; expected a puzzle in each"),
        ("quizzes,solutions\n1.2,x", "the line has 3 characters; expected 81 for 9x9"),
        ('puzzle,x\n"' + "1" * 200_000, "line 2: field larger than field limit (131072)"),
    ],
)
def test_csv_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_a_row_without_a_puzzle_stands_alone():
    assert list(split(f"puzzle,x\n{LINE},1\n,2\n")) == [(2, LINE), (3, ",2")]


# --- OpenSudoku -------------------------------------------------------------------------


def game(data: str) -> str:
    return f'<game created="5" data="{data}"/>'


@pytest.mark.parametrize(
    "text",
    [
        f"<opensudoku>{game(LINE)}</opensudoku>",
        f'<?xml version="1.0" encoding="UTF-8"?>\n<!-- two -->\n<opensudoku version="2">\n'
        f'<name>n</name><folder name="f">{game(LINE)}</folder></opensudoku>\n',
        f"<opensudoku2>{game(LINE)}</opensudoku2>",
    ],
)
def test_opensudoku(text):
    assert Grid.parse(text) == FOUR
    assert [piece for _, piece in pieces(text)] == [LINE]


def test_every_game_has_its_line():
    text = f"<opensudoku>\n{game(LINE)}\n{game('bad')}{game(LINE)}\n</opensudoku>"
    found = list(split(text))
    assert [line for line, _ in found] == [2, 3, 3]
    assert message(found[1][1]).startswith("the line has 3 characters")


@pytest.mark.parametrize(
    ("version", "marks"), [("1", "-"), ("1", "1,2,"), ("2", "0|"), ("3", "12")]
)
def test_of_a_saved_game_the_givens_are_read(version, marks):
    cells = "".join(f"{digit}|{marks}|{int(digit in '02')}|" for digit in "1204000003000000")
    assert Grid.parse(f"<opensudoku>{game(f'version: {version}&#10;{cells}')}</opensudoku>") == FOUR


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("<opensudoku>", "this is not XML: no element found: line 2, column 0"),
        ("<opensudoku></game>", "this is not XML: mismatched tag: line 1, column 14"),
        ("<opensudoku/>", "there is no <game> in the <opensudoku>"),
        ("<svg/>", "the root is <svg>; expected <opensudoku>"),
        ("<opensudoku><game/></opensudoku>", "the line has 0 characters"),
        ("<opensudoku>&a;</opensudoku>", "this is not XML: undefined entity: line 1, column 12"),
        ("<opensudoku>\udc80</opensudoku>", "this is not XML: "),
        (
            f"<opensudoku>{game('version: 9&#10;1|')}</opensudoku>",
            "a game saved as 'version: 9' is not read; expected a line",
        ),
    ],
)
def test_xml_that_is_not_a_puzzle(text, complaint):
    assert message(text).startswith(complaint)


def test_an_entity_bomb_is_refused_before_it_is_one():
    names = "abcdefgh"
    bomb = "".join(f'<!ENTITY {name} "{f"&{before};" * 10}">' for before, name in pairwise(names))
    text = f'\n<!DOCTYPE x [<!ENTITY a "0">{bomb}]>\n<opensudoku>{game("&h;")}</opensudoku>'
    assert message(text) == "line 2: <!DOCTYPE> is not read"
    with pytest.raises(InvalidPuzzle, match="line 2: <!DOCTYPE> is not read"):
        list(split(text))
